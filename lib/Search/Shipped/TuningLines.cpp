//===----------------------------------------------------------------------===//
// The reader of the text of a tuning database.
//===----------------------------------------------------------------------===//

#include "stof/Search/TuningLines.h"

#include "stof/Support/ParseJson.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <limits>
#include <string>
#include <utility>

using namespace llvm;
using namespace stof;

/// `object[key]` as compact JSON, or what stands for its absence.
static std::string quote(const json::Object &object, StringRef key) {
  const json::Value *value = object.get(key);
  if (!value)
    return "nothing";
  std::string text;
  raw_string_ostream(text) << *value;
  return text;
}

static Expected<std::string> readText(const json::Object &object,
                                      StringRef key) {
  if (std::optional<StringRef> text = object.getString(key))
    return text->str();
  return createStringError("expects a string '" + key + "', but got " +
                           quote(object, key));
}

static Expected<unsigned> readUnsigned(const json::Object &object,
                                       StringRef key) {
  std::optional<int64_t> number = object.getInteger(key);
  if (number && *number >= 0 && *number <= std::numeric_limits<unsigned>::max())
    return static_cast<unsigned>(*number);
  return createStringError("expects a number '" + key +
                           "' of at least 0, but got " + quote(object, key));
}

static Error allowOnly(const json::Object &object, ArrayRef<StringRef> keys) {
  for (const auto &entry : object)
    if (!is_contained(keys, StringRef(entry.first)))
      return createStringError("expects no keys but " + join(keys, ", ") +
                               ", but got '" + StringRef(entry.first) + "'");
  return Error::success();
}

static Expected<TuningKey> readKey(const json::Object &object) {
  TuningKey key;
  for (auto [name, member] : {std::pair("signature", &key.signature),
                              {"device", &key.device},
                              {"driver", &key.driver},
                              {"target", &key.target},
                              {"compiler", &key.compiler}})
    if (Error error = readText(object, name).moveInto(*member))
      return std::move(error);
  return key;
}

static Expected<TunedSchedule> readMeasured(const json::Object &object) {
  if (Error error = allowOnly(object, {"signature", "device", "driver",
                                       "target", "compiler", "schedule",
                                       "microseconds", "failure", "clock_mhz"}))
    return std::move(error);
  TunedSchedule measured;
  Measurement &measurement = measured.measurement;
  if (Error error = readText(object, "schedule").moveInto(measured.schedule))
    return std::move(error);
  if (Error error =
          readUnsigned(object, "clock_mhz").moveInto(measurement.clockMHz))
    return std::move(error);
  if (object.get("failure")) {
    if (object.get("microseconds"))
      return createStringError(
          "expects 'microseconds' or 'failure', but got both");
    if (Error error = readText(object, "failure").moveInto(measurement.failure))
      return std::move(error);
    return measured;
  }
  std::optional<double> time = object.getNumber("microseconds");
  if (!time)
    return createStringError("expects a number 'microseconds', but got " +
                             quote(object, "microseconds"));
  measurement.microseconds = *time;
  return measured;
}

static Expected<TuningLine> readLine(StringRef text) {
  Expected<json::Value> value = parseJson(text);
  if (!value)
    return createStringError("expects a JSON object, but got " +
                             toString(value.takeError()));
  const json::Object *object = value->getAsObject();
  if (!object)
    return createStringError("expects a JSON object, but got another value");
  TuningLine line;
  if (Error error = readKey(*object).moveInto(line.key))
    return std::move(error);
  if (!object->get("finished")) {
    if (Error error = readMeasured(*object).moveInto(line.measured))
      return std::move(error);
    return line;
  }
  if (Error error = allowOnly(*object, {"signature", "device", "driver",
                                        "target", "compiler", "finished"}))
    return std::move(error);
  if (Error error = readUnsigned(*object, "finished").moveInto(line.finished))
    return std::move(error);
  return line;
}

Error stof::readTuningLines(
    StringRef name, StringRef text,
    function_ref<Error(StringRef line, const TuningLine &)> onLine) {
  for (size_t number = 1; !text.empty(); ++number) {
    auto [line, rest] = text.split('\n');
    text = rest;
    if (line.trim().empty())
      continue;
    Expected<TuningLine> read = readLine(line);
    if (Error error = read ? onLine(line, *read) : read.takeError())
      return createStringError(name + ":" + Twine(number) + ": " +
                               toString(std::move(error)));
  }
  return Error::success();
}
