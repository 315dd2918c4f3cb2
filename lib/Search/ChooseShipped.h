//===----------------------------------------------------------------------===//
// The choice of a schedule that ships.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_SEARCH_CHOOSESHIPPED_H
#define STOF_LIB_SEARCH_CHOOSESHIPPED_H

#include "stof/Search/SearchReport.h"
#include "stof/Search/ShippedSchedules.h"

namespace stof {

/// Chooses for `kernel` the fastest schedule of `search`, which was measured on
/// `device`, or the untuned one if it was measured and no slower. False,
/// without a change, if the kernel cannot have the fastest one; schedules that
/// it cannot have are reported to `onIgnored`.
bool chooseShipped(SearchedKernel &kernel, const ShippedSearch &search,
                   llvm::StringRef device, TuningDatabase::OnIgnored onIgnored);

} // namespace stof

#endif // STOF_LIB_SEARCH_CHOOSESHIPPED_H
