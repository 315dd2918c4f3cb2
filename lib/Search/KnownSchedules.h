//===----------------------------------------------------------------------===//
// Measurements of earlier searches.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_SEARCH_KNOWNSCHEDULES_H
#define STOF_LIB_SEARCH_KNOWNSCHEDULES_H

#include "stof/Search/SearchReport.h"
#include "stof/Search/TuningDatabase.h"

#include "llvm/ADT/ArrayRef.h"

namespace stof {

/// The schedule of `kernel` that is spelled `schedule`. If it has none,
/// `onIgnored` is told of the entry (`what`, such as `a shipped entry`), and
/// the result is null.
TriedSchedule *findKnown(SearchedKernel &kernel, llvm::StringRef schedule,
                         llvm::StringRef what,
                         TuningDatabase::OnIgnored onIgnored);

/// Adds what `known` has of the schedules of `kernel`.
void takeKnown(SearchedKernel &kernel, llvm::ArrayRef<TunedSchedule> known,
               llvm::StringRef what, TuningDatabase::OnIgnored onIgnored);

} // namespace stof

#endif // STOF_LIB_SEARCH_KNOWNSCHEDULES_H
