//===----------------------------------------------------------------------===//
// Reader of targets, steps and parameters.
//===----------------------------------------------------------------------===//

#include "FunctionReader.h"
#include "stof/Support/TargetInfo.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace stof;
using namespace stof::runtime;

BufferRef FunctionReader::readBuffer(const JsonNode &node) const {
  std::string name = node.at("buffer").string();
  Expression offset = readExpression(node, "offset", 0);
  auto search = [&](const auto &buffers,
                    BufferRef::Kind kind) -> std::optional<BufferRef> {
    for (auto [index, buffer] : enumerate(buffers))
      if (buffer.name == name)
        return BufferRef{kind, static_cast<unsigned>(index), name, offset};
    return std::nullopt;
  };
  if (name == "workspace")
    return {BufferRef::Kind::Workspace, 0, name, offset};
  if (name == "status") {
    if (std::optional<JsonNode> given = node.find("offset"))
      given->fail("expects no offset into the status, which is one word, but "
                  "got " +
                  quoteJson(given->get()));
    return {BufferRef::Kind::Status, 0, name, offset};
  }
  if (auto buffer = search(function.inputs, BufferRef::Kind::Input))
    return *buffer;
  if (auto buffer = search(function.results, BufferRef::Kind::Result))
    return *buffer;
  if (auto buffer = search(function.constants, BufferRef::Kind::Constant))
    return *buffer;
  node.at("buffer").fail("expects an input, a result, a constant, the "
                         "workspace or the status, but got '" +
                         Twine(name) + "'");
  return {BufferRef::Kind::Workspace, 0, name, offset};
}

ScalarParameter FunctionReader::readScalar(const JsonNode &node) const {
  node.allowOnly({"value", "type"});
  JsonNode value = node.at("value");
  auto type = static_cast<ScalarParameter::Type>(
      node.at("type").choice({"i64", "i32", "f32"}));
  if (type != ScalarParameter::Type::F32)
    return {type, readExpression(value), 0};
  std::optional<double> real = value.get().getAsNumber();
  if (!real)
    value.fail("expects a number for type f32, but got " +
               quoteJson(value.get()));
  return {type, Expression(), static_cast<float>(real.value_or(0))};
}

TensorMapParameter FunctionReader::readTensorMap(const JsonNode &node) const {
  constexpr size_t highestRank = 5;
  node.allowOnly({"buffer", "offset", "dtype", "dims", "strides", "box",
                  "element_strides", "swizzle", "l2_promotion", "fill"});
  TensorMapParameter map{readBuffer(node),
                         readDType(node.at("dtype")),
                         readExpressions(node.at("dims")),
                         {},
                         {},
                         {},
                         TensorMapParameter::Swizzle::None,
                         TensorMapParameter::Promotion::None,
                         TensorMapParameter::Fill::Zeros};
  size_t rank = map.dims.size();
  if (rank < 1 || rank > highestRank) {
    node.at("dims").fail("expects 1 to " + Twine(highestRank) +
                         " dimensions, but got " + Twine(rank));
    return map;
  }
  node.at("strides").elements(rank - 1);
  map.strides = readExpressions(node.at("strides"));
  map.box = readSizes(node.at("box"), rank);
  map.elementStrides.assign(rank, 1);
  if (std::optional<JsonNode> strides = node.find("element_strides"))
    map.elementStrides = readSizes(*strides, rank);
  if (std::optional<JsonNode> swizzle = node.find("swizzle"))
    map.swizzle = static_cast<TensorMapParameter::Swizzle>(
        swizzle->choice({"none", "32B", "64B", "128B"}));
  if (std::optional<JsonNode> promotion = node.find("l2_promotion"))
    map.promotion = static_cast<TensorMapParameter::Promotion>(
        promotion->choice({"none", "64B", "128B", "256B"}));
  if (std::optional<JsonNode> fill = node.find("fill"))
    map.fill =
        static_cast<TensorMapParameter::Fill>(fill->choice({"zeros", "nan"}));
  return map;
}

Parameter FunctionReader::readParameter(const JsonNode &node) const {
  if (node.find("value"))
    return readScalar(node);
  if (std::optional<JsonNode> map = node.find("tensor_map")) {
    node.allowOnly({"tensor_map"});
    return readTensorMap(*map);
  }
  node.allowOnly({"buffer", "offset"});
  return readBuffer(node);
}

KernelStep FunctionReader::readKernelStep(const JsonNode &node) const {
  constexpr size_t axes = 3;
  constexpr int64_t mostThreads = 1024, mostBlocks = 16;
  node.allowOnly({"kernel", "module", "grid", "block", "cluster",
                  "shared_bytes", "programmatic", "parameters"});
  KernelStep step;
  step.symbol = node.at("kernel").string();
  for (auto [axis, size] : enumerate(node.at("grid").elements(axes)))
    step.grid[axis] = readExpression(size);
  auto readBox = [&](const JsonNode &box, int64_t most) {
    std::vector<int64_t> sizes = readSizes(box, axes);
    int64_t product = 1;
    for (int64_t size : sizes)
      product = size > most || product > most ? most + 1 : product * size;
    if (product > most)
      box.fail("expects a product of at most " + Twine(most) + ", but got " +
               quoteJson(box.get()));
    return std::array<int64_t, axes>{sizes[0], sizes[1], sizes[2]};
  };
  step.block = readBox(node.at("block"), mostThreads);
  step.cluster = {1, 1, 1};
  if (std::optional<JsonNode> cluster = node.find("cluster"))
    step.cluster = readBox(*cluster, mostBlocks);
  step.sharedBytes = readExpression(node, "shared_bytes", 0);
  if (std::optional<JsonNode> programmatic = node.find("programmatic"))
    step.programmatic = programmatic->boolean();
  return step;
}

Step FunctionReader::readStep(const JsonNode &node, bool native) const {
  Step step;
  if (native) {
    node.allowOnly({"native", "module", "parameters"});
    step = NativeStep{{node.at("native").string(), "", {}}};
  } else {
    step = readKernelStep(node);
  }
  std::visit(
      [&](StepBase &base) {
        if (base.symbol.empty())
          node.fail("expects the name of a function, but got an empty string");
        base.module = readFileName(node.at("module"));
        for (const JsonNode &parameter : node.at("parameters").elements()) {
          base.parameters.push_back(readParameter(parameter));
          if (native && std::holds_alternative<TensorMapParameter>(
                            base.parameters.back()))
            parameter.fail("expects a buffer or a value in a native step, but "
                           "got a tensor map");
        }
      },
      step);
  return step;
}

Processor FunctionReader::readProcessor(const JsonNode &node,
                                        const Target &target) const {
  node.allowOnly({"name", "features"});
  Processor processor;
  processor.name = node.at("name").string();
  for (const JsonNode &feature : node.at("features").elements())
    processor.features.push_back(feature.string());
  if (!target.isCpu())
    node.fail("expects no CPU for '" + Twine(target.name) + "', but got '" +
              processor.name + "'");
  return processor;
}

Target FunctionReader::readTarget(const JsonNode &node) const {
  node.allowOnly({"target", "processor", "workspace", "assertions", "steps"});
  Target target;
  target.name = node.at("target").string();
  if (!target.isCpu() && !Architecture::parse(target.name))
    node.at("target").fail("expects 'cpu' or a GPU such as 'sm_80' or "
                           "'sm_90a', but got '" +
                           Twine(target.name) + "'");
  if (std::optional<JsonNode> processor = node.find("processor"))
    target.processor = readProcessor(*processor, target);
  target.workspace = readExpression(node.at("workspace"));
  if (std::optional<JsonNode> assertions = node.find("assertions"))
    for (const JsonNode &assertion : assertions->elements()) {
      assertion.allowOnly({"message", "location"});
      target.assertions.push_back({assertion.at("message").string(),
                                   assertion.at("location").string()});
    }
  for (const JsonNode &step : node.at("steps").elements())
    target.steps.push_back(readStep(step, target.isCpu()));
  if (target.assertions.empty() && target.usesStatus())
    node.at("steps").fail("expects assertions for the status, but got none");
  auto isEmpty = [](const TensorSpec &spec) {
    return any_of(spec.shape, [](const Expression &size) {
      return !size.usesSymbols() && size.getText() == "0";
    });
  };
  if (target.steps.empty() && !all_of(function.results, isEmpty))
    node.at("steps").fail("expects steps that write the results, but got none");
  return target;
}
