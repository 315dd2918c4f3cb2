//===----------------------------------------------------------------------===//
// Statistics of predicted and measured times.
//===----------------------------------------------------------------------===//

#ifndef STOF_SEARCH_STATISTICS_H
#define STOF_SEARCH_STATISTICS_H

#include "llvm/ADT/ArrayRef.h"

#include <optional>
#include <vector>

namespace stof {

/// The geometric mean of positive numbers; nothing if there are none.
std::optional<double> geometricMean(llvm::ArrayRef<double> values);

/// Of an even number of values, the mean of the middle two.
std::optional<double> median(llvm::ArrayRef<double> values);

/// The ranks of values from 1, the least; equal values share the mean of their
/// ranks.
std::vector<double> rankValues(llvm::ArrayRef<double> values);

/// Spearman's rank correlation, from -1 to 1, of as many `first` as `second`.
/// Nothing for fewer than three pairs or where all values of a side are equal.
std::optional<double> rankCorrelation(llvm::ArrayRef<double> first,
                                      llvm::ArrayRef<double> second);

} // namespace stof

#endif // STOF_SEARCH_STATISTICS_H
