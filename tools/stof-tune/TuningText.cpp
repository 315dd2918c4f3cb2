//===----------------------------------------------------------------------===//
// The writer of the text of a tuning database, and the import of such texts.
//===----------------------------------------------------------------------===//

#include "TuningText.h"

#include "stof/Search/TuningLines.h"
#include "llvm/ADT/STLExtras.h"

#include <iterator>
#include <set>

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

/// Leaves the fastest schedule of `measured`, which is in the order of
/// addition, and those of which one is the untuned schedule: a search begins
/// with it, and measures it and the winner once more at the end.
static void keepBest(std::vector<TunedSchedule> &measured) {
  llvm::erase_if(measured, [](const TunedSchedule &tuned) {
    return !tuned.measurement.failure.empty();
  });
  if (measured.size() < 2)
    return;
  auto isFaster = [](const TunedSchedule &lhs, const TunedSchedule &rhs) {
    return lhs.measurement.microseconds < rhs.measurement.microseconds;
  };
  const std::set<size_t> kept = {
      0, measured.size() - 2,
      static_cast<size_t>(std::distance(
          measured.begin(), llvm::min_element(measured, isFaster)))};
  std::vector<TunedSchedule> best;
  for (size_t number : kept)
    best.push_back(std::move(measured[number]));
  measured = std::move(best);
}

Error stof::exportText(TuningDatabase &database, bool onlyBest,
                       TuningDatabase::OnIgnored onIgnored, raw_ostream &os) {
  Expected<std::vector<TuningKey>> keys = database.findKeys(onIgnored);
  if (!keys)
    return keys.takeError();
  for (const TuningKey &key : *keys) {
    Expected<std::vector<TunedSchedule>> found = database.find(key, onIgnored);
    if (!found)
      return found.takeError();
    if (onlyBest)
      keepBest(*found);
    llvm::sort(*found, [](const TunedSchedule &a, const TunedSchedule &b) {
      return a.schedule < b.schedule;
    });
    for (const TunedSchedule &measured : *found)
      printMeasured(os, key, measured);
    Expected<std::optional<unsigned>> count = database.findFinished(key);
    if (!count)
      return count.takeError();
    if (!*count || (onlyBest && found->empty()))
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

Error stof::importText(TuningDatabase &database, StringRef name, StringRef text,
                       function_ref<void(StringRef line)> onAdded) {
  return readTuningLines(
      name, text, [&](StringRef line, const TuningLine &read) -> Error {
        if (Error error = read.finished
                              ? database.finish(read.key, *read.finished)
                              : database.add(read.key, read.measured))
          return error;
        onAdded(line);
        return Error::success();
      });
}
