//===----------------------------------------------------------------------===//
// Times of schedules that were not measured.
//===----------------------------------------------------------------------===//

#include "stof/Search/EstimateTimes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

#include <limits>

using namespace llvm;
using namespace stof;

static SmallVector<StringRef> splitFields(StringRef schedule) {
  SmallVector<StringRef> fields;
  SplitString(schedule, fields, " ,<>[]=");
  return fields;
}

unsigned stof::countDifferences(StringRef lhs, StringRef rhs) {
  SmallVector<StringRef> ofLhs = splitFields(lhs), ofRhs = splitFields(rhs);
  size_t common = std::min(ofLhs.size(), ofRhs.size());
  unsigned differences = std::max(ofLhs.size(), ofRhs.size()) - common;
  for (size_t i = 0; i < common; ++i)
    differences += ofLhs[i] != ofRhs[i];
  return differences;
}

std::vector<double> stof::estimateTimes(ArrayRef<TriedSchedule> schedules) {
  std::vector<double> times;
  for (const TriedSchedule &schedule : schedules) {
    double &time = times.emplace_back(std::numeric_limits<double>::infinity());
    if (schedule.measured) {
      time = *schedule.measured;
      continue;
    }
    if (!schedule.predicted)
      continue;
    double ratios = 0, weights = 0;
    for (const TriedSchedule &other : schedules) {
      if (!other.measured || !other.predicted)
        continue;
      double near =
          1.0 / (1 + countDifferences(schedule.schedule, other.schedule));
      weights += near * near;
      ratios += near * near * *other.measured / *other.predicted;
    }
    time = *schedule.predicted * (weights > 0 ? ratios / weights : 1);
  }
  return times;
}
