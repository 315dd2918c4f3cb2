//===----------------------------------------------------------------------===//
// Instructions and bytes of epilogues.
//===----------------------------------------------------------------------===//

#include "EpilogueWork.h"
#include "stof/Support/ElementBytes.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace stof;

/// Instructions per accumulator for its way to memory, and per function of a
/// body, next to which other operations are not seen. Fitted to the kernels of
/// the figures in CostModel.cpp.
static constexpr double elementOps = 2.66, functionOps = 5.01;

EpilogueCounts stof::countEpilogue(const GroupPlan &plan) {
  double ops = 0, bytes = 0;
  for (linalg::LinalgOp op : plan.getOperations()) {
    // Those of one value per row are few.
    if (plan.getRole(op) == OperationRole::Contraction ||
        plan.isInPrologue(op) || plan.isRowValued(op))
      continue;
    ops += functionOps *
           llvm::count_if(
               op.getBlock()->without_terminator(), [](Operation &inner) {
                 return isa_and_nonnull<math::MathDialect>(inner.getDialect());
               });
  }
  for (OpResult result : plan.getResults())
    bytes += getElementBytes(result.getType());
  double contractions = plan.getContractions().size();
  return {elementOps + ops / contractions, bytes / contractions};
}
