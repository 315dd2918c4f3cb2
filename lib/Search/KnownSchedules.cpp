//===----------------------------------------------------------------------===//
// Measurements of earlier searches, from databases and from what ships.
//===----------------------------------------------------------------------===//

#include "KnownSchedules.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace stof;

TriedSchedule *stof::findKnown(SearchedKernel &kernel, llvm::StringRef schedule,
                               llvm::StringRef what,
                               TuningDatabase::OnIgnored onIgnored) {
  auto found = llvm::find_if(kernel.schedules, [&](const TriedSchedule &tried) {
    return tried.schedule == schedule;
  });
  if (found != kernel.schedules.end())
    return &*found;
  onIgnored((what + " for " + kernel.name +
             " has a schedule that no kernel can have now: " + schedule)
                .str());
  return nullptr;
}

void stof::takeKnown(SearchedKernel &kernel,
                     llvm::ArrayRef<TunedSchedule> known, llvm::StringRef what,
                     TuningDatabase::OnIgnored onIgnored) {
  for (const TunedSchedule &tuned : known) {
    TriedSchedule *tried = findKnown(kernel, tuned.schedule, what, onIgnored);
    if (!tried)
      continue;
    tried->isKnown = true;
    tried->failure = tuned.measurement.failure;
    if (tried->failure.empty()) {
      tried->measured = tuned.measurement.microseconds;
      tried->clockMHz = tuned.measurement.clockMHz;
    }
  }
}
