//===----------------------------------------------------------------------===//
// Times of schedules that were not measured, from those that were: predictions,
// corrected by the ratio of measured to predicted times of schedules that have
// most fields in common. Fields are those of the printed attribute, so the
// search knows none of them.
//===----------------------------------------------------------------------===//

#ifndef STOF_SEARCH_ESTIMATETIMES_H
#define STOF_SEARCH_ESTIMATETIMES_H

#include "stof/Search/SearchReport.h"

namespace stof {

/// The number of fields in which two schedules differ; a field is a number or a
/// word of the printed attribute.
unsigned countDifferences(llvm::StringRef lhs, llvm::StringRef rhs);

/// The estimated microseconds of each schedule: the measured ones; the
/// predicted ones times the mean ratio of measured to predicted, in which a
/// schedule with n different fields weighs 1 / (1 + n)^2; infinity if nothing
/// is predicted.
std::vector<double> estimateTimes(llvm::ArrayRef<TriedSchedule> schedules);

} // namespace stof

#endif // STOF_SEARCH_ESTIMATETIMES_H
