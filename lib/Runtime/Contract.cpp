//===----------------------------------------------------------------------===//
// Comparison of the contract embedded in code with the manifest. Both are JSON
// of the same schema, thus errors have the path of the difference.
//===----------------------------------------------------------------------===//

#include "JsonReader.h"
#include "stof/Runtime/Package.h"
#include "stof/Support/ParseJson.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace stof;
using namespace stof::runtime;

namespace {

class Comparison {
public:
  explicit Comparison(StringRef module) : module(module) {}

  /// Fails at the first value of `given` that differs from `wanted`.
  void compare(const JsonNode &given, const json::Value &wanted) const;

  /// The same for objects, except for the entry `aside` of `given`.
  void compareObjects(const JsonNode &given, const json::Object &wanted,
                      StringRef aside = "") const;

  /// Fails unless `given` has `count` entries.
  void compareCount(const JsonNode &given, const json::Value &count) const;

  /// Fails unless one of the checks at `given` is `holds`.
  void findCheck(const JsonNode &given, const json::Value &holds) const;

  /// Compares a constant with the one of the same name in `given`.
  void compareConstant(const JsonNode &given, const json::Value &wanted) const;

private:
  void reject(const JsonNode &given, const Twine &wanted,
              const Twine &found) const {
    given.fail("expects " + wanted + " as '" + module +
               "' was compiled for, but got " + found);
  }

  StringRef module;
};

} // namespace

void Comparison::compare(const JsonNode &given,
                         const json::Value &wanted) const {
  if (given.get() == wanted)
    return;
  const json::Object *object = wanted.getAsObject();
  if (object && given.get().getAsObject())
    return compareObjects(given, *object);
  const json::Array *array = wanted.getAsArray();
  const json::Array *others = given.get().getAsArray();
  if (!array || !others)
    return reject(given, quoteJson(wanted), quoteJson(given.get()));
  if (array->size() != others->size())
    return reject(given, Twine(array->size()) + " elements",
                  Twine(others->size()));
  for (auto [entry, value] : zip_equal(given.elements(), *array))
    compare(entry, value);
}

void Comparison::compareObjects(const JsonNode &given,
                                const json::Object &wanted,
                                StringRef aside) const {
  for (const auto &[key, value] : *given.get().getAsObject())
    if (StringRef(key) != aside && !wanted.get(key))
      reject(given, "no '" + StringRef(key) + "'", quoteJson(value));
  for (const auto &[key, value] : wanted)
    if (std::optional<JsonNode> entry = given.find(key))
      compare(*entry, value);
    else
      reject(given, "'" + StringRef(key) + "': " + quoteJson(value), "none");
}

void Comparison::compareCount(const JsonNode &given,
                              const json::Value &count) const {
  json::Value found = static_cast<int64_t>(given.elements().size());
  if (found != count)
    reject(given, quoteJson(count) + " assertions", quoteJson(found));
}

void Comparison::findCheck(const JsonNode &given,
                           const json::Value &holds) const {
  if (none_of(given.elements(), [&](const JsonNode &check) {
        return check.at("holds").get() == holds;
      }))
    reject(given, "a check of " + quoteJson(holds), "none");
}

void Comparison::compareConstant(const JsonNode &given,
                                 const json::Value &wanted) const {
  const json::Object *object = wanted.getAsObject();
  std::optional<StringRef> name =
      object ? object->getString("name") : std::nullopt;
  for (const JsonNode &constant : given.elements())
    if (name && constant.at("name").get().getAsString() == name)
      return compare(constant, wanted);
  reject(given, quoteJson(wanted), "none");
}

Error Package::checkContract(const Function &function, const Target &target,
                             StringRef module, StringRef contract) const {
  Expected<json::Value> parsed = parseJson(contract);
  const json::Object *wanted = parsed ? parsed->getAsObject() : nullptr;
  if (!wanted) {
    consumeError(parsed.takeError());
    return createStringError("expects '" + Twine(getPath(module)) +
                             "' to say what it was compiled for, but got '" +
                             contract + "'");
  }
  JsonComplaint complaint;
  JsonNode given(complaint, function.source,
                 "functions[" + utostr(&function - manifest.functions.data()) +
                     "]");
  Comparison comparison(module);
  // Optional keys default to empty arrays.
  static const json::Value none = json::Array();
  auto findGiven = [&](StringRef key) {
    return given.find(key).value_or(
        JsonNode(complaint, none, given.getPath() + "." + key.str()));
  };
  auto findWanted = [&](StringRef key) -> const json::Value & {
    const json::Value *value = wanted->get(key);
    return value && value->getAsArray() ? *value : none;
  };
  for (StringRef key : {"symbols", "inputs", "results"})
    comparison.compare(findGiven(key), findWanted(key));
  for (const json::Value &holds : *findWanted("checks").getAsArray())
    comparison.findCheck(findGiven("checks"), holds);
  for (const json::Value &constant : *findWanted("constants").getAsArray())
    comparison.compareConstant(findGiven("constants"), constant);
  JsonNode chosen =
      given.at("targets").elements()[&target - function.targets.data()];
  // Messages of assertions are informational; only their number must match.
  if (const json::Object *described = wanted->getObject("target"))
    comparison.compareObjects(chosen, *described, /*aside=*/"assertions");
  if (const json::Value *count = wanted->get("assertions"))
    comparison.compareCount(
        chosen.find("assertions")
            .value_or(
                JsonNode(complaint, none, chosen.getPath() + ".assertions")),
        *count);
  return complaint.take(getPath("manifest.json"));
}
