//===----------------------------------------------------------------------===//
// Matrix products on tensor cores, and what is computed of their elements.
//
//   1. A block computes one tile of rows x columns of one batch element.
//   2. It walks over the inner dimension, loading or computing a tile of each
//      operand in the order in which it lies in memory.
//   3. The other operations of the group are evaluated on the accumulators.
//===----------------------------------------------------------------------===//

#include "GroupGrid.h"
#include "ProductWalk.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <deque>

using namespace mlir;
using namespace stof;

/// How the rest of the kernel holds the tile: in runs of columns, where a warp
/// has as many as that takes.
static tile::LayoutInterface layoutOf(MLIRContext *context,
                                      const ContractionShape &shape) {
  auto runs =
      tile::MmaRunsAttr::get(context, shape.rowWarps, shape.columnWarps);
  if (shape.columns % runs.getUnitAlong(1) == 0)
    return runs;
  return tile::MmaAttr::get(context, shape.rowWarps, shape.columnWarps);
}

GroupShape stof::shapeOfContraction(MLIRContext *context,
                                    const ContractionShape &shape) {
  return {shape.rows,          shape.columns,
          shape.getNumWarps(), layoutOf(context, shape),
          /*isWhole=*/false,   shape};
}

/// Walks over the inner dimension; returns the sums of all products.
static SmallVector<Value> emitProducts(GroupContext &context,
                                       const GroupTile &tile,
                                       const ContractionShape &shape) {
  KernelBuilder &kernel = context.kernel();
  const GroupPlan &plan = context.getPlan();
  Location loc = kernel.loc();
  OpBuilder &body = kernel.body();
  // The columns of several heads follow each other in the right operands.
  Digits columns(plan.getColumns());
  Value firstColumn = tile.firstColumn;
  if (tile.pieces > 1) {
    columns.insert(columns.begin(), *plan.getSpread());
    firstColumn =
        arith::MulIOp::create(body, loc, tile.batch.lookup(*plan.getSpread()),
                              kernel.index(shape.columns / tile.pieces));
  }
  kernel.setSchedule("contraction", {{"rows", shape.rows},
                                     {"columns", shape.columns},
                                     {"depth", shape.depth},
                                     {"row_warps", shape.rowWarps},
                                     {"stages", shape.stages}});
  ProductWalk walk(context, plan.getProducts(),
                   {Digits(plan.getRows()), columns}, shape, tile);
  SmallVector<Value> sums =
      walk.emit(body, tile.firstRow, firstColumn, tile.batch);
  auto squares =
      tile::MmaAttr::get(body.getContext(), shape.rowWarps, shape.columnWarps);
  auto runs =
      tile::FragmentType::get(body.getContext(), {shape.rows, shape.columns},
                              body.getF32Type(), tile.layout);
  for (Value &sum : sums)
    if (tile.layout != squares)
      sum = tile::ConvertOp::create(body, loc, runs, sum);
  return sums;
}

/// What is computed of the sums of a tile, or of one of its pieces.
static void finish(GroupContext &context, FragmentProgram &program,
                   ArrayRef<Value> sums) {
  KernelBuilder &kernel = context.kernel();
  const GroupPlan &plan = context.getPlan();
  for (linalg::LinalgOp op : plan.getOperations()) {
    if (plan.isInPrologue(op))
      continue;
    const auto *product = llvm::find(plan.getProducts(), op);
    if (product != plan.getProducts().end())
      program.finishProduct(kernel.body(), op,
                            sums[product - plan.getProducts().begin()]);
    else if (plan.getRole(op) == GroupPlan::Role::Reduction)
      program.reduce(kernel.body(), op);
    else
      program.evaluate(kernel.body(), op);
  }
  program.storeResults(kernel.body(), /*rowValued=*/true);
  program.storeResults(kernel.body(), /*rowValued=*/false);
}

void stof::emitContraction(GroupContext &context, const GroupShape &shape) {
  KernelBuilder &kernel = context.kernel();
  OpBuilder &body = kernel.body();
  const GroupPlan &plan = context.getPlan();
  Location loc = kernel.loc();
  GroupTile tile = placeTile(context, shape);
  // A piece is a tile of its own to all but the product.
  int64_t columns = shape.columns / tile.pieces;
  std::deque<FragmentProgram> programs;
  for (int64_t piece = 0; piece < tile.pieces; ++piece) {
    GroupTile part = tile;
    part.columns = columns;
    if (piece > 0) {
      Value &value = part.batch[*plan.getSpread()];
      value = arith::AddIOp::create(body, loc, value, kernel.index(piece));
    }
    programs.emplace_back(context, part);
  }
  // Nothing else waits in registers while the products are made.
  SmallVector<Value> sums = emitProducts(context, tile, *shape.product);
  for (auto [piece, program] : llvm::enumerate(programs)) {
    SmallVector<Value> parts(sums);
    if (tile.pieces > 1)
      for (Value &part : parts) {
        auto whole = cast<tile::FragmentType>(part.getType());
        auto type =
            tile::FragmentType::get(body.getContext(), {shape.rows, columns},
                                    whole.getElementType(), whole.getLayout());
        part = tile::SliceOp::create(body, loc, type, part,
                                     static_cast<int64_t>(piece) * columns);
      }
    finish(context, program, parts);
  }
  programs.front().findInPlace();
}
