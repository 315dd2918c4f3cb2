//===----------------------------------------------------------------------===//
// Matching of tensors to a signature by name, and their transfers.
//===----------------------------------------------------------------------===//

#include "stof/Runtime/HostRun.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace stof::runtime;

/// The tensors in the order of the function's inputs.
static Expected<std::vector<const HostTensor *>>
matchByName(const Function &function, ArrayRef<HostTensor> tensors) {
  for (const HostTensor &tensor : tensors)
    if (none_of(function.inputs, [&](const TensorSpec &spec) {
          return spec.name == tensor.name;
        }))
      return createStringError(
          "expects no inputs of '" + Twine(function.name) + "' but " +
          join(map_range(function.inputs,
                         [](const TensorSpec &spec) { return spec.name; }),
               ", ") +
          ", but got '" + tensor.name + "' of " + tensor.format());
  std::vector<const HostTensor *> matched;
  for (const TensorSpec &spec : function.inputs) {
    const auto *tensor = find_if(
        tensors, [&](const HostTensor &t) { return t.name == spec.name; });
    if (tensor == tensors.end())
      return createStringError("expects " + spec.name + " of " + spec.format() +
                               ", but it is missing");
    matched.push_back(tensor);
  }
  return matched;
}

RunMemory::~RunMemory() {
  for (const auto &entry : tensors)
    if (entry.second.address)
      device.release(entry.second.address);
  if (workspace.address)
    device.release(workspace.address);
}

bool RunMemory::hasInputs() const {
  return any_of(tensors,
                [](const auto &entry) { return entry.second.isInput; });
}

void RunMemory::forgetInputs() {
  for (auto &entry : tensors)
    entry.second.isInput = false;
}

int64_t RunMemory::countBytes() const {
  int64_t bytes = workspace.bytes;
  for (const auto &entry : tensors)
    bytes += entry.second.bytes;
  return bytes;
}

Error RunMemory::allocate(Block &block, int64_t bytes) {
  if (block.address && block.bytes >= bytes)
    return Error::success();
  if (block.address)
    device.release(block.address);
  block = {};
  if (Error error = device.allocate(bytes).moveInto(block.address))
    return error;
  block.bytes = bytes;
  return Error::success();
}

Error RunMemory::poison(Block &block, int64_t bytes) {
  constexpr uint8_t poison = 0xFF;
  if (Error error = allocate(block, bytes))
    return error;
  return device.fill(block.address, poison, bytes);
}

Expected<std::unique_ptr<HostRun>>
HostRun::create(std::shared_ptr<Program> program,
                ArrayRef<HostTensor> tensors) {
  auto memory = std::make_unique<RunMemory>(program->getDevice());
  Expected<std::unique_ptr<HostRun>> run =
      create(std::move(program), tensors, *memory);
  if (run)
    (*run)->ownMemory = std::move(memory);
  return run;
}

Expected<std::unique_ptr<HostRun>>
HostRun::create(std::shared_ptr<Program> program, ArrayRef<HostTensor> tensors,
                RunMemory &memory) {
  Expected<std::vector<const HostTensor *>> inputs =
      matchByName(program->getFunction(), tensors);
  if (!inputs)
    return inputs.takeError();
  std::vector<InputShape> shapes;
  for (const HostTensor *input : *inputs)
    shapes.push_back({input->dtype, input->shape});
  Expected<Call> call =
      bindCall(program->getFunction(), program->getTarget(), shapes);
  if (!call)
    return call.takeError();
  std::unique_ptr<HostRun> run(
      new HostRun(std::move(program), std::move(*call)));
  if (Error error = run->allocateBuffers(*inputs, memory))
    return std::move(error);
  return run;
}

Error HostRun::allocateBuffers(ArrayRef<const HostTensor *> inputs,
                               RunMemory &memory) {
  Device &device = program->getDevice();
  for (const HostTensor *input : inputs) {
    RunMemory::Block &block = memory.tensors[input->name];
    if (Error error = memory.allocate(block, input->bytes.size()))
      return error;
    if (!block.isInput)
      if (Error error = device.copyIn(block.address, input->bytes.data(),
                                      input->bytes.size()))
        return error;
    block.isInput = true;
    inputMemory.push_back(block.address);
  }
  for (auto [spec, bytes] :
       zip_equal(call.function->results, call.resultBytes)) {
    if (spec.alias) {
      resultMemory.push_back(inputMemory[*spec.alias]);
      memory.tensors[inputs[*spec.alias]->name].isInput = false;
      continue;
    }
    RunMemory::Block &block = memory.tensors[spec.name];
    if (Error error = memory.poison(block, bytes))
      return error;
    resultMemory.push_back(block.address);
  }
  if (Error error = memory.poison(memory.workspace, call.workspaceBytes))
    return error;
  workspace = memory.workspace.address;
  return Error::success();
}

/// The error of a run.
Error HostRun::explain(Error error) const {
  if (!error || error.isA<CheckFailure>())
    return error;
  return createStringError("running '" + Twine(call.function->name) +
                           "': " + toString(std::move(error)));
}

Error HostRun::execute() {
  if (Error error = program->getExecutable().run(call, getBuffers(),
                                                 /*stream=*/nullptr))
    return error;
  return explain(program->getExecutable().synchronize());
}

Error HostRun::fetch(size_t index, int64_t offset,
                     MutableArrayRef<char> bytes) const {
  const char *memory = static_cast<const char *>(resultMemory[index]);
  return explain(program->getDevice().copyOut(bytes.data(), memory + offset,
                                              bytes.size()));
}

Error HostRun::run() {
  // Results of a failed run are not fetched.
  if (Error error = execute())
    return error;
  results.clear();
  resultBytes.clear();
  for (auto [index, spec] : enumerate(call.function->results)) {
    std::vector<char> &bytes =
        resultBytes.emplace_back(call.resultBytes[index]);
    if (Error error = fetch(index, /*offset=*/0, bytes))
      return error;
    results.push_back({spec.name, spec.dtype, call.resultShapes[index],
                       StringRef(bytes.data(), bytes.size())});
  }
  return Error::success();
}

Expected<std::vector<double>> HostRun::time(const TimingLimits &limits) {
  return program->getExecutable().time(call, getBuffers(), limits);
}
