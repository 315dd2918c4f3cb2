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

#ifndef STOF_ANALYSIS_GROUPCOST_H
#define STOF_ANALYSIS_GROUPCOST_H

#include "stof/Analysis/GroupSections.h"

namespace stof {

struct GroupCost {
  /// Bytes of all tensors that come from outside or leave.
  double bytes = 0;
  double microseconds = 0;
};

/// How many values `digits` of `plan` have together; of what is not known
/// before run time as if it were of middle size.
double countOf(const GroupPlan &plan, llvm::ArrayRef<unsigned> digits);

/// The same of the elements of a product, however digits divide its loops.
double countElements(mlir::linalg::LinalgOp product);

/// The cost of a group that has a kernel, on the GPU that runs code for `chip`;
/// of what is not known before run time as if it were of middle size.
GroupCost estimateCost(const GroupSections &sections, llvm::StringRef chip);

} // namespace stof

#endif // STOF_ANALYSIS_GROUPCOST_H
