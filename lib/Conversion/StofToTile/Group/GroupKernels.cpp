//===----------------------------------------------------------------------===//
// The branches of a group in one kernel.
//
// The grid is one-dimensional, with the CTAs of one branch after those of
// another. A CTA compares its number with the ends of the branches, which is
// uniform in all threads:
//
//   if number < end of branch 0:  the CTAs of branch 0
//   else if number < end of branch 1:  ...
//   else:  the CTAs of the last branch
//===----------------------------------------------------------------------===//

#include "GroupKernels.h"
#include "ContractionKernel.h"
#include "ElementwiseKernel.h"
#include "GroupContext.h"
#include "GroupGrid.h"
#include "RowsKernel.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <deque>

using namespace mlir;
using namespace stof;

static void emitBranch(GroupContext &context, const GroupShape &shape) {
  switch (context.getPlan().getTemplate()) {
  case GroupTemplate::Contraction:
    return emitContraction(context, shape);
  case GroupTemplate::Rows:
    return emitRows(context, shape);
  default:
    return emitElementwise(context, shape);
  }
}

LogicalResult stof::emitGroupKernel(KernelBuilder &kernel, GroupOp group,
                                    const GroupBranches &branches,
                                    ArrayRef<GroupShape> shapes,
                                    const IRMapping &results) {
  Location loc = kernel.loc();
  OpBuilder &body = kernel.body(), &host = kernel.host();
  Block *entry = body.getInsertionBlock();
  // A deque: the emitters keep references to contexts.
  std::deque<GroupContext> contexts;
  for (const GroupPlan &plan : branches.getBranches()) {
    GroupContext &context = contexts.emplace_back(kernel, group, plan, results);
    if (failed(context.checkInputs()) || failed(context.checkSizes()))
      return failure();
  }
  Value cta = kernel.getBlockId(gpu::Dimension::x);
  AffineExpr first, count;
  bindSymbols(body.getContext(), first, count);
  OpFoldResult end = host.getIndexAttr(0);
  for (auto [number, context] : llvm::enumerate(contexts)) {
    const GroupShape &shape = shapes[number];
    OpFoldResult begin = end;
    end = affine::makeComposedFoldedAffineApply(
        host, loc, first + count, {begin, countTiles(context, shape)});
    scf::IfOp branch;
    if (number + 1 < contexts.size()) {
      Value isHere = arith::CmpIOp::create(body, loc, arith::CmpIPredicate::ult,
                                           cta, kernel.getSize(end));
      branch = scf::IfOp::create(body, loc, isHere, /*withElseRegion=*/true);
      body.setInsertionPointToStart(branch.thenBlock());
    }
    context.setCta(number == 0 ? cta
                               : arith::SubIOp::create(body, loc, cta,
                                                       kernel.getSize(begin)));
    emitBranch(context, shape);
    if (branch)
      body.setInsertionPointToStart(branch.elseBlock());
  }
  body.setInsertionPointToEnd(entry);
  return kernel.launch(end);
}
