//===----------------------------------------------------------------------===//
// Kernels that compute each element independently: elementwise operations,
// gathers, transposes, and reductions that no other template covers. A CTA
// computes a tile of rows and columns, in memory order.
//===----------------------------------------------------------------------===//

#include "ElementwiseKernel.h"
#include "GroupGrid.h"

using namespace mlir;
using namespace stof;

void stof::emitElementwise(GroupContext &context, const GroupShape &shape) {
  KernelBuilder &kernel = context.kernel();
  const GroupPlan &plan = context.getPlan();
  kernel.setSchedule("elementwise",
                     {{"rows", shape.rows}, {"columns", shape.columns}});
  FragmentProgram program(context, placeTile(context, shape));
  for (linalg::LinalgOp op : plan.getOperations())
    program.evaluate(kernel.body(), op);
  program.storeResults(kernel.body(), /*rowValued=*/false);
  program.findInPlace();
}
