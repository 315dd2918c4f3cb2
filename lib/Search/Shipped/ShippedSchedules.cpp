//===----------------------------------------------------------------------===//
// Schedules that ship, by target, device and signature. Those of the compiler
// are the files of this folder, which the build makes string literals of.
//===----------------------------------------------------------------------===//

#include "stof/Search/ShippedSchedules.h"

#include "stof/Search/TuningLines.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MemoryBuffer.h"

#include <algorithm>
#include <cmath>

using namespace llvm;
using namespace stof;

namespace {
/// A line of a file of this folder.
struct BuiltInLine {
  StringLiteral file, text;
};
} // namespace

static constexpr BuiltInLine builtInLines[] = {
#include "BuiltInLines.inc"
};

const TunedSchedule *ShippedSearch::findBest() const {
  const TunedSchedule *best = nullptr;
  for (const TunedSchedule &tuned : schedules)
    if (tuned.measurement.failure.empty() &&
        (!best ||
         tuned.measurement.microseconds < best->measurement.microseconds))
      best = &tuned;
  return best;
}

Error ShippedSchedules::addText(StringRef name, StringRef text) {
  std::map<Key, ShippedSearch> added;
  auto addLine = [&](StringRef, const TuningLine &line) -> Error {
    const Measurement &measurement = line.measured.measurement;
    bool isTime = measurement.failure.empty() && !line.finished;
    if (isTime && !(std::isfinite(measurement.microseconds) &&
                    measurement.microseconds > 0))
      return createStringError("expects a positive time, but got " +
                               Twine(std::to_string(measurement.microseconds)) +
                               " us");
    const TuningKey &key = line.key;
    ShippedSearch &search = added[{key.target, key.device, key.signature}];
    if (line.finished)
      search.finished = std::max(search.finished, *line.finished);
    else
      search.schedules.push_back(line.measured);
    return Error::success();
  };
  if (Error error = readTuningLines(name, text, addLine))
    return error;
  searches.merge(added);
  return Error::success();
}

Error ShippedSchedules::addFile(StringRef path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> text = MemoryBuffer::getFile(path);
  if (!text)
    return createStringError("cannot read '" + path +
                             "': " + text.getError().message());
  return addText(path, (*text)->getBuffer());
}

Error ShippedSchedules::addBuiltIn() {
  ArrayRef<BuiltInLine> left = builtInLines;
  while (!left.empty()) {
    StringRef file = left.front().file;
    std::string text;
    for (; !left.empty() && left.front().file == file; left = left.drop_front())
      (text += left.front().text) += '\n';
    if (Error error = addText(file, text))
      return error;
  }
  return Error::success();
}

/// Whether `words` are consecutive words of `name`.
static bool hasWords(StringRef name, StringRef words) {
  std::string all = (" " + name + " ").str();
  return StringRef(all).contains((" " + words + " ").str());
}

std::string ShippedSchedules::findDevice(StringRef target,
                                         StringRef name) const {
  std::string found;
  for (const auto &[key, search] : searches) {
    const std::string &device = std::get<1>(key);
    if (std::get<0>(key) != target || name.empty())
      continue;
    if (device == name)
      return device;
    if (found.empty() && hasWords(device, name))
      found = device;
  }
  return found;
}

const ShippedSearch *ShippedSchedules::find(StringRef signature,
                                            StringRef target,
                                            StringRef device) const {
  auto found = searches.find({target.str(), device.str(), signature.str()});
  return found == searches.end() ? nullptr : &found->second;
}
