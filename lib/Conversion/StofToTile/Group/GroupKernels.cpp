//===----------------------------------------------------------------------===//
// The sections of a group side by side in one kernel.
//
// The grid is a row of blocks, those of the first section first. A block finds
// its section by comparing its number with the first numbers of the others, so
// that all of its threads go the same way:
//
//   if block < end of section 0:  the blocks of section 0
//   else if block < end of section 1:  ...
//   else:  the blocks of the last section
//===----------------------------------------------------------------------===//

#include "GroupGrid.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <deque>

using namespace mlir;
using namespace stof;

static void emitSection(GroupContext &context, const GroupShape &shape) {
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
                                    const GroupSections &sections,
                                    ArrayRef<GroupShape> shapes,
                                    const IRMapping &buffers,
                                    const IRMapping &results) {
  Location loc = kernel.loc();
  OpBuilder &body = kernel.body(), &host = kernel.host();
  Block *entry = body.getInsertionBlock();
  // Contexts are referred to.
  std::deque<GroupContext> contexts;
  for (const GroupPlan &plan : sections.getSections()) {
    GroupContext &context =
        contexts.emplace_back(kernel, group, plan, buffers, results);
    if (failed(context.checkInputs()) || failed(context.checkSizes()))
      return failure();
  }
  Value block = kernel.getBlockId(gpu::Dimension::x);
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
                                           block, kernel.getSize(end));
      branch = scf::IfOp::create(body, loc, isHere, /*withElseRegion=*/true);
      body.setInsertionPointToStart(branch.thenBlock());
    }
    context.setBlock(
        number == 0
            ? block
            : arith::SubIOp::create(body, loc, block, kernel.getSize(begin)));
    emitSection(context, shape);
    if (branch)
      body.setInsertionPointToStart(branch.elseBlock());
  }
  body.setInsertionPointToEnd(entry);
  return kernel.launch(end);
}
