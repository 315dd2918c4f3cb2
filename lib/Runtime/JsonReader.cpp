//===----------------------------------------------------------------------===//
// The errors of the JSON reader, with the path, the expected and the actual
// value.
//===----------------------------------------------------------------------===//

#include "JsonReader.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace stof::runtime;

std::string stof::runtime::quoteJson(const json::Value &value) {
  constexpr size_t longest = 80;
  std::string text;
  raw_string_ostream(text) << value;
  if (text.size() > longest)
    text.replace(longest, std::string::npos, "...");
  return text;
}

Error JsonComplaint::take(const Twine &file) const {
  if (message.empty())
    return Error::success();
  return createStringError(file + ": " + message);
}

void JsonNode::fail(const Twine &message) const {
  complaint->add((path.empty() ? Twine("the document") : Twine(path)) + " " +
                 message);
}

const json::Object *JsonNode::object() const {
  const json::Object *object = value->getAsObject();
  if (!object)
    fail("expects an object, but got " + quoteJson(*value));
  return object;
}

void JsonNode::allowOnly(ArrayRef<StringRef> keys) const {
  const json::Object *known = object();
  if (!known)
    return;
  for (const auto &entry : *known)
    if (!is_contained(keys, StringRef(entry.first)))
      fail("expects no keys but " + join(keys, ", ") + ", but got '" +
           StringRef(entry.first) + "'");
}

std::optional<JsonNode> JsonNode::find(StringRef key) const {
  const json::Object *object = value->getAsObject();
  const json::Value *entry = object ? object->get(key) : nullptr;
  if (!entry)
    return std::nullopt;
  return child(*entry, (path.empty() ? "" : ".") + key.str());
}

JsonNode JsonNode::at(StringRef key) const {
  static const json::Value missing = nullptr;
  if (std::optional<JsonNode> entry = find(key))
    return *entry;
  fail("expects a key '" + key + "', but got " + quoteJson(*value));
  return child(missing, "");
}

std::vector<JsonNode> JsonNode::elements() const {
  std::vector<JsonNode> nodes;
  const json::Array *array = value->getAsArray();
  if (!array) {
    fail("expects an array, but got " + quoteJson(*value));
    return nodes;
  }
  for (auto [index, element] : enumerate(*array))
    nodes.push_back(child(element, "[" + Twine(index) + "]"));
  return nodes;
}

std::vector<JsonNode> JsonNode::elements(size_t count) const {
  std::vector<JsonNode> nodes = elements();
  if (nodes.size() != count)
    fail("expects " + Twine(count) + " elements, but got " +
         Twine(nodes.size()));
  nodes.resize(count, *this);
  return nodes;
}

int64_t JsonNode::integer(int64_t minimum) const {
  std::optional<int64_t> integer = value->getAsInteger();
  if (!integer) {
    fail("expects an integer, but got " + quoteJson(*value));
    return minimum;
  }
  if (*integer >= minimum)
    return *integer;
  fail("expects at least " + Twine(minimum) + ", but got " + Twine(*integer));
  return minimum;
}

bool JsonNode::boolean() const {
  std::optional<bool> boolean = value->getAsBoolean();
  if (!boolean)
    fail("expects true or false, but got " + quoteJson(*value));
  return boolean.value_or(false);
}

std::string JsonNode::string() const {
  if (std::optional<StringRef> string = value->getAsString())
    return string->str();
  fail("expects a string, but got " + quoteJson(*value));
  return "";
}

unsigned JsonNode::choice(ArrayRef<StringLiteral> choices) const {
  std::optional<StringRef> string = value->getAsString();
  for (auto [index, name] : enumerate(choices))
    if (string && *string == name)
      return index;
  fail("expects one of " + join(choices, ", ") + ", but got " +
       quoteJson(*value));
  return 0;
}
