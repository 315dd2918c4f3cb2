//===----------------------------------------------------------------------===//
// The mainloop of contractions: iterates over K tiles for one CTA tile.
//===----------------------------------------------------------------------===//

#include "MatmulMainloop.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace stof;

MatmulMainloop::MatmulMainloop(GroupContext &context,
                               ArrayRef<linalg::LinalgOp> contractions,
                               const ContractionAxes &axes,
                               const MatmulTile &shape, const GroupTile &tile)
    : loc(context.kernel().loc()), contractions(contractions) {
  KernelBuilder &kernel = context.kernel();
  OpBuilder &body = kernel.body();
  const ReductionFactors &reduction =
      context.getPlan().getReductionFactors(contractions.front());
  for (linalg::LinalgOp op : contractions) {
    OpOperand *rows = op.getDpsInputOperand(axes.left);
    OpOperand *columns = op.getDpsInputOperand(1 - axes.left);
    left.emplace_back(context, *rows, axes.rows, shape.rows, shape, tile);
    right.emplace_back(context, *columns, axes.columns, shape.columns, shape,
                       tile);
  }
  auto mma =
      tile::MmaAttr::get(body.getContext(), shape.rowWarps, shape.columnWarps);
  accumulator = tile::FragmentType::get(
      body.getContext(), {shape.rows, shape.columns}, body.getF32Type(), mma);
  zero = arith::ConstantOp::create(body, loc, body.getF32FloatAttr(0));
  first = kernel.index(0);
  kTile = kernel.index(shape.blockK);
  kSize = context.getSize(reduction.steps);
  outer = reduction.outer;
  if (outer.empty())
    return;
  for (unsigned dimFactor : outer)
    radix.push_back(context.getSize(dimFactor));
  Value upTo =
      arith::AddIOp::create(body, loc, kSize, kernel.index(shape.blockK - 1));
  Value kTiles = arith::DivUIOp::create(body, loc, upTo, kTile);
  radix.push_back(arith::MulIOp::create(body, loc, kTiles, kTile));
  kSize = productOf(body, loc, radix);
}

SmallVector<Value>
MatmulMainloop::emit(OpBuilder &builder, Value firstRow, Value firstColumn,
                     const llvm::SmallDenseMap<unsigned, Value> &others) {
  Value initial = tile::SplatOp::create(builder, loc, accumulator, zero);
  SmallVector<Value> starts(contractions.size(), initial);
  auto mainloop = scf::ForOp::create(
      builder, loc, first, kSize, kTile, starts,
      [&](OpBuilder &inner, Location loc, Value at, ValueRange sofar) {
        llvm::SmallDenseMap<unsigned, Value> here(others);
        if (!radix.empty()) {
          SmallVector<Value> coordinates = delinearize(inner, loc, at, radix);
          at = coordinates.pop_back_val();
          for (auto [dimFactor, value] : llvm::zip(outer, coordinates))
            here[dimFactor] = value;
        }
        // Contractions with the same left operand share its tile.
        SmallVector<std::pair<const MatmulOperand *, Value>> known;
        auto getRows = [&](MatmulOperand &lhs) {
          for (const auto &[other, rows] : known)
            if (other->isSameAs(lhs))
              return rows;
          Value rows = lhs.getTile(inner, firstRow, at, here);
          known.emplace_back(&lhs, rows);
          return rows;
        };
        SmallVector<Value> next;
        for (auto [lhs, rhs, partial] : llvm::zip_equal(left, right, sofar)) {
          Value a = getRows(lhs);
          Value b = rhs.getTile(inner, firstColumn, at, here);
          next.push_back(tile::ContractOp::create(
              inner, loc, accumulator, a, b, partial,
              /*transpose_lhs=*/lhs.isTransposed(/*kContiguous=*/true),
              /*transpose_rhs=*/rhs.isTransposed(/*kContiguous=*/false)));
        }
        scf::YieldOp::create(inner, loc, next);
      });
  return SmallVector<Value>(mainloop.getResults());
}
