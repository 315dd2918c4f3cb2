//===----------------------------------------------------------------------===//
// Bounds of the integers that bodies of linalg compute of the indices of loops.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TRANSFORMS_ASSERTSIZES_BODYBOUNDS_H
#define STOF_LIB_TRANSFORMS_ASSERTSIZES_BODYBOUNDS_H

#include "stof/Analysis/SizeFacts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace stof {

/// The least and the greatest value of an expression of loops.
struct Bounds {
  CountExpr least, greatest;
};

/// One of the cases that sizes decide between.
struct BoundsCase {
  /// 1 in this case, else 0.
  CountExpr guard;
  Bounds bounds;
};

/// The size of each loop: that of the first operand that it indexes.
llvm::SmallVector<CountExpr> loopSizes(mlir::linalg::LinalgOp op,
                                       const SizeFacts &facts);

class BodyBounds {
public:
  BodyBounds(mlir::linalg::LinalgOp op, const SizeFacts &facts,
             unsigned depth = 0)
      : op(op), sizes(loopSizes(op, facts)), facts(facts), depth(depth) {}

  /// Every case, with bounds that are reached; none of what depends on data. An
  /// element of an operand has the bounds of what another body computes for it.
  llvm::SmallVector<BoundsCase> of(mlir::Value value);

  /// What an index of an operand is, where each loop runs over its size.
  Bounds of(mlir::AffineExpr expr) const;

private:
  llvm::SmallVector<BoundsCase> compute(mlir::Operation *op);
  llvm::SmallVector<BoundsCase> choose(mlir::arith::SelectOp choice);
  llvm::SmallVector<BoundsCase> elementsOf(mlir::Value tensor) const;
  std::optional<bool> decide(mlir::Value condition);

  mlir::linalg::LinalgOp op;
  llvm::SmallVector<CountExpr> sizes;
  const SizeFacts &facts;
  /// Of bodies whose elements are asked for.
  unsigned depth;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<BoundsCase>> known;
};

} // namespace stof

#endif // STOF_LIB_TRANSFORMS_ASSERTSIZES_BODYBOUNDS_H
