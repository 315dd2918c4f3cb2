//===----------------------------------------------------------------------===//
// The manifest of a package as JSON.
//===----------------------------------------------------------------------===//

#include "stof/Target/Package.h"

using namespace llvm;
using namespace stof;

namespace stof {

template <typename T>
static json::Array arrayOf(const std::vector<T> &items) {
  json::Array array;
  for (const T &item : items)
    array.push_back(toJSON(item));
  return array;
}

static json::Value toJSON(const SizeExpr &size) { return size.toJSON(); }

static json::Value toJSON(const PackagedSymbol &symbol) {
  return json::Object{
      {"name", symbol.name}, {"input", symbol.input}, {"dim", symbol.dim}};
}

static json::Value toJSON(const PackagedTensor &tensor) {
  return json::Object{{"name", tensor.name},
                      {"dtype", tensor.dtype},
                      {"shape", arrayOf(tensor.shape)}};
}

static json::Value toJSON(const PackagedCheck &check) {
  return json::Object{{"holds", check.holds.toJSON()},
                      {"message", check.message}};
}

static json::Value toJSON(const PackagedConstant &constant) {
  return json::Object{{"name", constant.name},
                      {"file", constant.file},
                      {"offset", constant.offset},
                      {"bytes", constant.bytes}};
}

static json::Value toJSON(const PackagedParameter &parameter) {
  if (parameter.buffer.empty())
    return json::Object{{"value", parameter.value}, {"type", parameter.type}};
  json::Object object{{"buffer", parameter.buffer}};
  if (parameter.value != json::Value(0))
    object["offset"] = parameter.value;
  return object;
}

static json::Value toJSON(const PackagedStep &step) {
  json::Object object{{"module", step.module},
                      {"parameters", arrayOf(step.parameters)}};
  if (step.grid.empty()) {
    object["native"] = step.function;
    return object;
  }
  object["kernel"] = step.function;
  object["grid"] = arrayOf(step.grid);
  object["block"] = json::Array(step.block);
  if (!step.cluster.empty())
    object["cluster"] = json::Array(step.cluster);
  object["shared_bytes"] = step.sharedBytes.toJSON();
  return object;
}

static json::Value toJSON(const PackagedTarget &target) {
  return json::Object{{"target", target.target},
                      {"workspace", target.workspace.toJSON()},
                      {"steps", arrayOf(target.steps)}};
}

static json::Value toJSON(const PackagedFunction &function) {
  return json::Object{
      {"name", function.name},
      {"symbols", arrayOf(function.symbols)},
      {"inputs", arrayOf(function.inputs)},
      {"results", arrayOf(function.results)},
      {"checks", arrayOf(function.checks)},
      {"constants", arrayOf(function.constants)},
      {"targets", arrayOf(function.targets)},
  };
}

} // namespace stof

json::Value stof::toJSON(const Package &package) {
  json::Array files;
  for (const auto &[name, bytes] : package.files)
    files.push_back(json::Object{{"name", name}, {"bytes", bytes.size()}});
  return json::Object{{"version", 1},
                      {"producer", "stof " STOF_VERSION},
                      {"files", std::move(files)},
                      {"functions", arrayOf(package.functions)}};
}
