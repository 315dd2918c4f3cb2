//===----------------------------------------------------------------------===//
// What sharing a kernel saves.
//
// A kernel takes the time of a launch, of its traffic, which is every tensor
// that it reads or writes, once, of its products, whose tiles read their
// operands again and again, and of what it computes in vain: an operation that
// runs over fewer loops than the group is repeated. Memory is slower beside a
// product, whose blocks leave room for few others. What all ways of sharing
// kernels compute alike is left out. The figures are those of one large GPU;
// they only have to be right to each other.
//===----------------------------------------------------------------------===//

#ifndef STOF_COSTMODEL_GROUPCOST_H
#define STOF_COSTMODEL_GROUPCOST_H

#include "stof/CostModel/CostModel.h"
#include "stof/Fusion/GroupSections.h"

namespace stof {

/// Of one kernel after another, in microseconds.
constexpr double launchTime = 2.5;

struct GroupCost {
  /// Bytes of all tensors that come from outside or leave.
  double bytes = 0;
  double microseconds = 0;
};

/// The figures that costs on `chip` are estimated by: those of a usual GPU
/// where it has none.
CostModel getCostModel(llvm::StringRef chip);

/// How long so many bytes take from memory or to it, in microseconds.
double estimateTraffic(double bytes);

/// What the products of a kernel do in tiles of the fastest shapes on `chip`;
/// `bytes` are as in ContractionShape.h, of all of them.
KernelWork workOfProducts(const GroupSections &sections, llvm::StringRef chip,
                          int64_t bytes);

/// The cost of a group that has a kernel, on the GPU that runs code for `chip`;
/// of what is not known before run time as if it were of middle size.
GroupCost estimateCost(const GroupSections &sections, llvm::StringRef chip);

} // namespace stof

#endif // STOF_COSTMODEL_GROUPCOST_H
