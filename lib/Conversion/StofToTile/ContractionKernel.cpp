//===----------------------------------------------------------------------===//
// Matrix products on tensor cores, and what is computed of their elements.
//
//   1. A block computes one tile of rows x columns of one batch element.
//   2. It walks over the inner dimension, loading or computing a tile of each
//      operand in the order in which it lies in memory.
//   3. The other operations of the group are evaluated on the accumulators.
//===----------------------------------------------------------------------===//

#include "GroupGrid.h"
#include "ProductOperand.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

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
  // They refer to what they are built of.
  std::deque<ProductOperand> left, right;
  for (linalg::LinalgOp op : plan.getProducts()) {
    left.emplace_back(context, op, 0, plan.getRows(), shape.rows, shape, tile);
    right.emplace_back(context, op, 1, columns, shape.columns, shape, tile);
  }
  auto squares =
      tile::MmaAttr::get(body.getContext(), shape.rowWarps, shape.columnWarps);
  auto accumulator =
      tile::FragmentType::get(body.getContext(), {shape.rows, shape.columns},
                              body.getF32Type(), squares);
  Value zero = arith::ConstantOp::create(body, loc, body.getF32FloatAttr(0));
  Value initial = tile::SplatOp::create(body, loc, accumulator, zero);
  kernel.setSchedule("contraction", {{"rows", shape.rows},
                                     {"columns", shape.columns},
                                     {"depth", shape.depth},
                                     {"row_warps", shape.rowWarps},
                                     {"stages", shape.stages}});
  // Each value of the outer digits has whole steps of its own.
  Value step = kernel.index(shape.depth);
  Value depth = context.getSize(plan.getInner());
  SmallVector<Value> radix;
  if (!plan.getOuterInner().empty()) {
    for (unsigned digit : plan.getOuterInner())
      radix.push_back(context.getSize(digit));
    Value upTo =
        arith::AddIOp::create(body, loc, depth, kernel.index(shape.depth - 1));
    Value steps = arith::DivUIOp::create(body, loc, upTo, step);
    radix.push_back(arith::MulIOp::create(body, loc, steps, step));
    depth = productOf(body, loc, radix);
  }
  SmallVector<Value> starts(left.size(), initial);
  auto walk = scf::ForOp::create(
      body, loc, kernel.index(0), depth, step, starts,
      [&](OpBuilder &builder, Location loc, Value at, ValueRange sofar) {
        llvm::SmallDenseMap<unsigned, Value> others(tile.batch);
        if (!radix.empty()) {
          SmallVector<Value> place = delinearize(builder, loc, at, radix);
          at = place.pop_back_val();
          for (auto [digit, value] : llvm::zip(plan.getOuterInner(), place))
            others[digit] = value;
        }
        // Products of the same rows take one tile of them.
        SmallVector<std::pair<const ProductOperand *, Value>> known;
        auto getRows = [&](ProductOperand &lhs) {
          for (const auto &[other, rows] : known)
            if (other->isSameAs(lhs))
              return rows;
          Value rows = lhs.getTile(builder, tile.firstRow, at, others);
          known.emplace_back(&lhs, rows);
          return rows;
        };
        SmallVector<Value> sums;
        for (auto [lhs, rhs, sum] : llvm::zip_equal(left, right, sofar)) {
          Value a = getRows(lhs);
          Value b = rhs.getTile(builder, firstColumn, at, others);
          sums.push_back(tile::ContractOp::create(
              builder, loc, accumulator, a, b, sum,
              /*transpose_lhs=*/lhs.isTransposed(/*innerLast=*/true),
              /*transpose_rhs=*/rhs.isTransposed(/*innerLast=*/false)));
        }
        scf::YieldOp::create(builder, loc, sums);
      });
  SmallVector<Value> sums(walk.getResults());
  auto runs =
      tile::FragmentType::get(body.getContext(), accumulator.getShape(),
                              accumulator.getElementType(), tile.layout);
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
