//===----------------------------------------------------------------------===//
// Writer and reader of the text of a tuning database. The reader takes what the
// writer writes, in any order, and nothing else.
//===----------------------------------------------------------------------===//

#include "TuningText.h"

#include "stof/Support/ParseJson.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

#include <limits>
#include <string>

using namespace llvm;
using namespace stof;

json::Value stof::toJson(StringRef text) {
  return json::isUTF8(text) ? json::Value(text)
                            : json::Value(json::fixUTF8(text));
}

void stof::printKey(json::OStream &json, const TuningKey &key) {
  json.attribute("signature", toJson(key.signature));
  json.attribute("device", toJson(key.device));
  json.attribute("driver", toJson(key.driver));
  json.attribute("target", toJson(key.target));
  json.attribute("compiler", toJson(key.compiler));
}

static void printMeasured(raw_ostream &os, const TuningKey &key,
                          const TunedSchedule &measured) {
  const Measurement &measurement = measured.measurement;
  json::OStream json(os);
  json.object([&] {
    printKey(json, key);
    json.attribute("schedule", toJson(measured.schedule));
    if (measurement.failure.empty())
      json.attribute("microseconds", measurement.microseconds);
    else
      json.attribute("failure", toJson(measurement.failure));
    json.attribute("clock_mhz", measurement.clockMHz);
  });
  os << "\n";
}

Error stof::exportText(TuningDatabase &database,
                       TuningDatabase::OnIgnored onIgnored, raw_ostream &os) {
  Expected<std::vector<TuningKey>> keys = database.findKeys(onIgnored);
  if (!keys)
    return keys.takeError();
  for (const TuningKey &key : *keys) {
    Expected<std::vector<TunedSchedule>> found = database.find(key, onIgnored);
    if (!found)
      return found.takeError();
    llvm::sort(*found, [](const TunedSchedule &a, const TunedSchedule &b) {
      return a.schedule < b.schedule;
    });
    for (const TunedSchedule &measured : *found)
      printMeasured(os, key, measured);
    Expected<std::optional<unsigned>> count = database.findFinished(key);
    if (!count)
      return count.takeError();
    if (!*count)
      continue;
    json::OStream json(os);
    json.object([&] {
      printKey(json, key);
      json.attribute("finished", **count);
    });
    os << "\n";
  }
  return Error::success();
}

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

static Error importLine(TuningDatabase &database, StringRef line) {
  Expected<json::Value> value = parseJson(line);
  if (!value)
    return createStringError("expects a JSON object, but got " +
                             toString(value.takeError()));
  const json::Object *object = value->getAsObject();
  if (!object)
    return createStringError("expects a JSON object, but got another value");
  Expected<TuningKey> key = readKey(*object);
  if (!key)
    return key.takeError();
  if (object->get("finished")) {
    if (Error error = allowOnly(*object, {"signature", "device", "driver",
                                          "target", "compiler", "finished"}))
      return error;
    Expected<unsigned> count = readUnsigned(*object, "finished");
    return count ? database.finish(*key, *count) : count.takeError();
  }
  Expected<TunedSchedule> measured = readMeasured(*object);
  return measured ? database.add(*key, *measured) : measured.takeError();
}

Error stof::importText(TuningDatabase &database, StringRef name, StringRef text,
                       function_ref<void(StringRef line)> onAdded) {
  for (size_t number = 1; !text.empty(); ++number) {
    auto [line, rest] = text.split('\n');
    text = rest;
    if (line.trim().empty())
      continue;
    if (Error error = importLine(database, line))
      return createStringError(name + ":" + Twine(number) + ": " +
                               toString(std::move(error)));
    onAdded(line);
  }
  return Error::success();
}
