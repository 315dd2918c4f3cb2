//===----------------------------------------------------------------------===//
// Matrix products on tensor cores, and what is computed of their elements.
//
//   1. A block computes one tile of rows x columns of one batch element.
//   2. It walks over the inner dimension, loading a tile of each operand in the
//      order in which it lies in memory.
//   3. The other operations of the group are evaluated on the accumulators.
//===----------------------------------------------------------------------===//

#include "GroupGrid.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace stof;

namespace {
/// One operand's tiles: the order of its two dimensions in memory decides
/// whether a tile is stored the other way round.
struct TileOperand {
  TileView view;
  int64_t outer, inner; // dimensions of the view

  bool isTransposed(bool innerLast) const {
    return innerLast ? outer > inner : outer < inner;
  }

  /// The tile at these rows or columns and there along what is summed over;
  /// `others` are the values of all other digits.
  Value load(OpBuilder &builder, Location loc, Value outerAt, Value innerAt,
             int64_t outerSize, int64_t innerSize,
             const llvm::SmallDenseMap<unsigned, Value> &others) const {
    SmallVector<Value> at;
    for (std::optional<unsigned> digit : view.digits)
      at.push_back(digit ? others.lookup(*digit) : Value());
    at[outer] = outerAt;
    at[inner] = innerAt;
    bool outerFirst = outer < inner;
    SmallVector<int64_t> shape{outerSize, innerSize}, along{outer, inner};
    if (!outerFirst) {
      std::swap(shape[0], shape[1]);
      std::swap(along[0], along[1]);
    }
    Type element = cast<MemRefType>(view.memory.getType()).getElementType();
    auto type = tile::SharedType::get(builder.getContext(), shape, element);
    return tile::LoadOp::create(builder, loc, type, view.memory, at,
                                builder.getDenseI64ArrayAttr(along));
  }
};
} // namespace

static TileOperand makeOperand(GroupContext &context, linalg::LinalgOp op,
                               unsigned position, ArrayRef<unsigned> outer) {
  const GroupPlan &plan = context.getPlan();
  OpOperand &operand = *op.getDpsInputOperand(position);
  Digits axes[] = {Digits(outer), Digits(plan.getInner())};
  // Rows and columns have been chosen so that they lie in one piece.
  TileView view = *context.viewOperand(operand, axes, /*hasUnitColumns=*/true);
  return {view, *view.dims[0], *view.dims[1]};
}

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

/// Walks over the inner dimension.
static Value emitProduct(GroupContext &context, linalg::LinalgOp op,
                         const GroupTile &tile, const ContractionShape &shape) {
  KernelBuilder &kernel = context.kernel();
  const GroupPlan &plan = context.getPlan();
  Location loc = kernel.loc();
  OpBuilder &body = kernel.body();
  TileOperand lhs = makeOperand(context, op, 0, plan.getRows());
  TileOperand rhs = makeOperand(context, op, 1, plan.getColumns());
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
  auto walk = scf::ForOp::create(
      body, loc, kernel.index(0), depth, step, initial,
      [&](OpBuilder &builder, Location loc, Value at, ValueRange sofar) {
        llvm::SmallDenseMap<unsigned, Value> others(tile.batch);
        if (!radix.empty()) {
          SmallVector<Value> place = delinearize(builder, loc, at, radix);
          at = place.pop_back_val();
          for (auto [digit, value] : llvm::zip(plan.getOuterInner(), place))
            others[digit] = value;
        }
        Value a = lhs.load(builder, loc, tile.firstRow, at, shape.rows,
                           shape.depth, others);
        Value b = rhs.load(builder, loc, tile.firstColumn, at, shape.columns,
                           shape.depth, others);
        Value sum = tile::ContractOp::create(
            builder, loc, accumulator, a, b, sofar[0],
            /*transpose_lhs=*/lhs.isTransposed(/*innerLast=*/true),
            /*transpose_rhs=*/rhs.isTransposed(/*innerLast=*/false));
        scf::YieldOp::create(builder, loc, sum);
      });
  if (tile.layout == squares)
    return walk.getResult(0);
  auto runs =
      tile::FragmentType::get(body.getContext(), accumulator.getShape(),
                              accumulator.getElementType(), tile.layout);
  return tile::ConvertOp::create(body, loc, runs, walk.getResult(0));
}

void stof::emitContraction(GroupContext &context, const GroupShape &shape) {
  KernelBuilder &kernel = context.kernel();
  const GroupPlan &plan = context.getPlan();
  GroupTile tile = placeTile(context, shape);
  FragmentProgram program(context, tile);
  // Nothing else waits in registers while the product is made.
  auto isProduct = [&](linalg::LinalgOp op) {
    return plan.getRole(op) == GroupPlan::Role::Product;
  };
  Value sums =
      emitProduct(context, *llvm::find_if(plan.getOperations(), isProduct),
                  tile, *shape.product);
  for (linalg::LinalgOp op : plan.getOperations()) {
    if (isProduct(op))
      program.finishProduct(kernel.body(), op, sums);
    else
      program.evaluate(kernel.body(), op);
  }
  program.storeResults(kernel.body(), /*rowValued=*/false);
  program.findInPlace();
}
