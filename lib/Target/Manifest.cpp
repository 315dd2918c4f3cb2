//===----------------------------------------------------------------------===//
// Serialization of the manifest of a package to JSON.
//===----------------------------------------------------------------------===//

#include "stof/Target/Package.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/FormatVariadic.h"

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
  json::Object object{{"name", tensor.name},
                      {"dtype", tensor.dtype},
                      {"shape", arrayOf(tensor.shape)}};
  if (!tensor.global.empty())
    object["global"] = tensor.global;
  if (!tensor.alias.empty())
    object["aliases"] = tensor.alias;
  return object;
}

static json::Value toJSON(const PackagedCheck &check) {
  return json::Object{{"holds", check.holds.toJSON()},
                      {"message", check.message}};
}

static json::Value toJSON(const PackagedEquality &equality) {
  return json::Object{{"input", equality.input},
                      {"dim", equality.dim},
                      {"message", equality.message}};
}

static json::Value toJSON(const PackagedAssertion &assertion) {
  return json::Object{{"message", assertion.message},
                      {"location", assertion.location}};
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
  if (!parameter.map)
    return object;
  for (const auto &[name, value] : *parameter.map)
    object[name] = value;
  return json::Object{{"tensor_map", std::move(object)}};
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
  if (step.programmatic)
    object["programmatic"] = true;
  return object;
}

static json::Object toJSON(const PackagedTarget &target) {
  json::Object object{{"target", target.target},
                      {"workspace", target.workspace.toJSON()},
                      {"steps", arrayOf(target.steps)}};
  if (!target.assertions.empty())
    object["assertions"] = arrayOf(target.assertions);
  if (target.processor)
    object["processor"] =
        json::Object{{"name", target.processor->name},
                     {"features", json::Array(target.processor->features)}};
  return object;
}

static json::Value toJSON(const PackagedFunction &function) {
  json::Object object{
      {"name", function.name},
      {"symbols", arrayOf(function.symbols)},
      {"inputs", arrayOf(function.inputs)},
      {"results", arrayOf(function.results)},
      {"checks", arrayOf(function.checks)},
      {"constants", arrayOf(function.constants)},
      {"targets", arrayOf(function.targets)},
  };
  if (!function.equalities.empty())
    object["equalities"] = arrayOf(function.equalities);
  return object;
}

} // namespace stof

std::string stof::describeContract(const PackagedFunction &function,
                                   const PackagedTarget &target) {
  // Other targets can add constants and checks. Names and messages are
  // excluded: they are informational and not restricted to ASCII.
  llvm::StringSet<> used;
  for (const PackagedStep &step : target.steps)
    for (const PackagedParameter &parameter : step.parameters)
      used.insert(parameter.buffer);
  json::Array checks, constants;
  for (const PackagedCheck &check : function.checks)
    checks.push_back(check.holds.toJSON());
  for (const PackagedConstant &constant : function.constants)
    if (used.contains(constant.name))
      constants.push_back(toJSON(constant));
  json::Object described = toJSON(target);
  described.erase("assertions");
  json::Value contract = json::Object{{"symbols", arrayOf(function.symbols)},
                                      {"inputs", arrayOf(function.inputs)},
                                      {"results", arrayOf(function.results)},
                                      {"checks", std::move(checks)},
                                      {"constants", std::move(constants)},
                                      {"assertions", target.assertions.size()},
                                      {"target", std::move(described)}};
  return formatv("{0}", contract);
}

json::Value stof::toJSON(const Package &package) {
  json::Array files;
  for (const auto &[name, bytes] : package.files)
    files.push_back(json::Object{
        {"name", name},
        {"bytes", bytes.size()},
        {"blake3", toHex(BLAKE3::hash(arrayRefFromStringRef(bytes)),
                         /*LowerCase=*/true)}});
  return json::Object{{"version", 1},
                      {"producer", "stof " STOF_VERSION},
                      {"options", json::Object(package.options)},
                      {"files", std::move(files)},
                      {"functions", arrayOf(package.functions)}};
}
