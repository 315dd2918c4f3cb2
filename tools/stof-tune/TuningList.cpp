//===----------------------------------------------------------------------===//
// The list of a tuning database as text and as JSON.
//===----------------------------------------------------------------------===//

#include "TuningList.h"

#include "TuningText.h"
#include "llvm/Support/Format.h"

using namespace llvm;
using namespace stof;

Expected<std::vector<ListedKey>>
stof::listKeys(TuningDatabase &database, TuningDatabase::OnIgnored onIgnored) {
  Expected<std::vector<TuningKey>> keys = database.findKeys(onIgnored);
  if (!keys)
    return keys.takeError();
  std::vector<ListedKey> list;
  for (TuningKey &key : *keys) {
    ListedKey listed;
    Expected<std::vector<TunedSchedule>> found = database.find(key, onIgnored);
    if (!found)
      return found.takeError();
    for (TunedSchedule &measured : *found) {
      if (!measured.measurement.failure.empty()) {
        ++listed.failed;
        continue;
      }
      ++listed.measured;
      if (!listed.best || measured.measurement.microseconds <
                              listed.best->measurement.microseconds)
        listed.best = std::move(measured);
    }
    if (Error error = database.findFinished(key).moveInto(listed.finished))
      return std::move(error);
    listed.key = std::move(key);
    list.push_back(std::move(listed));
  }
  return list;
}

void stof::printText(ArrayRef<ListedKey> keys, raw_ostream &os) {
  for (const ListedKey &listed : keys) {
    const TuningKey &key = listed.key;
    os << key.signature << "\n  " << key.target << " on " << key.device;
    if (!key.driver.empty())
      os << ", driver " << key.driver;
    os << ", compiler " << key.compiler << "\n  " << listed.measured
       << " measured, " << listed.failed << " failed";
    if (listed.finished)
      os << ", finished after " << *listed.finished;
    os << "\n";
    if (!listed.best)
      continue;
    const Measurement &best = listed.best->measurement;
    os << "  best " << format("%.2f", best.microseconds) << " us";
    if (best.clockMHz)
      os << " at " << best.clockMHz << " MHz";
    os << ": " << listed.best->schedule << "\n";
  }
}

void stof::printJson(ArrayRef<ListedKey> keys, raw_ostream &os) {
  json::OStream json(os, /*IndentSize=*/2);
  json.array([&] {
    for (const ListedKey &listed : keys)
      json.object([&] {
        printKey(json, listed.key);
        json.attribute("measured", static_cast<int64_t>(listed.measured));
        json.attribute("failed", static_cast<int64_t>(listed.failed));
        if (listed.finished)
          json.attribute("finished", *listed.finished);
        if (listed.best)
          json.attributeObject("best", [&] {
            const Measurement &best = listed.best->measurement;
            json.attribute("schedule", toJson(listed.best->schedule));
            json.attribute("microseconds", best.microseconds);
            json.attribute("clock_mhz", best.clockMHz);
          });
      });
  });
  os << "\n";
}
