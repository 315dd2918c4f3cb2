//===----------------------------------------------------------------------===//
// Sums of products along what they sum over.
//===----------------------------------------------------------------------===//

#include "ProductWalk.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace stof;

ProductWalk::ProductWalk(GroupContext &context,
                         ArrayRef<linalg::LinalgOp> products,
                         const ProductAxes &axes, const ContractionShape &shape,
                         const GroupTile &tile)
    : loc(context.kernel().loc()), products(products) {
  KernelBuilder &kernel = context.kernel();
  OpBuilder &body = kernel.body();
  const GroupPlan::SummedDigits &summed =
      context.getPlan().getSummed(products.front());
  for (linalg::LinalgOp op : products) {
    OpOperand *rows = op.getDpsInputOperand(axes.left);
    OpOperand *columns = op.getDpsInputOperand(1 - axes.left);
    left.emplace_back(context, *rows, axes.rows, shape.rows, shape, tile);
    right.emplace_back(context, *columns, axes.columns, shape.columns, shape,
                       tile);
  }
  auto squares =
      tile::MmaAttr::get(body.getContext(), shape.rowWarps, shape.columnWarps);
  accumulator =
      tile::FragmentType::get(body.getContext(), {shape.rows, shape.columns},
                              body.getF32Type(), squares);
  zero = arith::ConstantOp::create(body, loc, body.getF32FloatAttr(0));
  first = kernel.index(0);
  step = kernel.index(shape.depth);
  depth = context.getSize(summed.steps);
  outer = summed.outer;
  if (outer.empty())
    return;
  for (unsigned digit : outer)
    radix.push_back(context.getSize(digit));
  Value upTo =
      arith::AddIOp::create(body, loc, depth, kernel.index(shape.depth - 1));
  Value steps = arith::DivUIOp::create(body, loc, upTo, step);
  radix.push_back(arith::MulIOp::create(body, loc, steps, step));
  depth = productOf(body, loc, radix);
}

SmallVector<Value>
ProductWalk::emit(OpBuilder &builder, Value firstRow, Value firstColumn,
                  const llvm::SmallDenseMap<unsigned, Value> &others) {
  Value initial = tile::SplatOp::create(builder, loc, accumulator, zero);
  SmallVector<Value> starts(products.size(), initial);
  auto walk = scf::ForOp::create(
      builder, loc, first, depth, step, starts,
      [&](OpBuilder &inner, Location loc, Value at, ValueRange sofar) {
        llvm::SmallDenseMap<unsigned, Value> here(others);
        if (!radix.empty()) {
          SmallVector<Value> place = delinearize(inner, loc, at, radix);
          at = place.pop_back_val();
          for (auto [digit, value] : llvm::zip(outer, place))
            here[digit] = value;
        }
        // Products of the same rows take one tile of them.
        SmallVector<std::pair<const ProductOperand *, Value>> known;
        auto getRows = [&](ProductOperand &lhs) {
          for (const auto &[other, rows] : known)
            if (other->isSameAs(lhs))
              return rows;
          Value rows = lhs.getTile(inner, firstRow, at, here);
          known.emplace_back(&lhs, rows);
          return rows;
        };
        SmallVector<Value> sums;
        for (auto [lhs, rhs, sum] : llvm::zip_equal(left, right, sofar)) {
          Value a = getRows(lhs);
          Value b = rhs.getTile(inner, firstColumn, at, here);
          sums.push_back(tile::ContractOp::create(
              inner, loc, accumulator, a, b, sum,
              /*transpose_lhs=*/lhs.isTransposed(/*innerLast=*/true),
              /*transpose_rhs=*/rhs.isTransposed(/*innerLast=*/false)));
        }
        scf::YieldOp::create(inner, loc, sums);
      });
  return SmallVector<Value>(walk.getResults());
}
