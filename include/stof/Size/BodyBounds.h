//===----------------------------------------------------------------------===//
// Bounds of the integers that a body computes of its coordinates: the indices
// of the loops of linalg, the positions of a mask or a score.
//===----------------------------------------------------------------------===//

#ifndef STOF_SIZE_BODYBOUNDS_H
#define STOF_SIZE_BODYBOUNDS_H

#include "stof/IR/Stof.h"
#include "stof/Size/SizeFacts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SmallBitVector.h"

namespace stof {

/// The least and the greatest value of an integer.
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
  /// The body of `op`, whose coordinates are the indices of its loops.
  BodyBounds(mlir::linalg::LinalgOp op, const SizeFacts &facts,
             unsigned depth = 0)
      : body(*op.getBlock()), op(op), sizes(loopSizes(op, facts)), facts(facts),
        depth(depth) {}

  /// The score region of `attention`, and the predicate of its mask: their
  /// coordinates are arguments, and run over batch, heads, queries and keys.
  static BodyBounds ofScore(AttentionOp attention, const SizeFacts &facts);
  static BodyBounds ofMask(MaskOp mask, AttentionOp attention,
                           const SizeFacts &facts);

  /// Every case, with bounds that are reached; none of what depends on data. An
  /// element of an operand has the bounds of what another body computes for it.
  llvm::SmallVector<BoundsCase> of(mlir::Value value);

  /// What an index of an operand is, where each loop runs over its size.
  Bounds of(mlir::AffineExpr expr) const;

  /// 1 if the body is computed for any coordinates, else 0.
  CountExpr isComputed() const;

  /// The size of a tensor that the body reads.
  CountExpr sizeOf(mlir::Value tensor, int64_t dim) const;

  /// Calls `visit` with each index of each element that is read whatever the
  /// data, and the size that it lies in.
  void
  forEachRead(llvm::function_ref<void(mlir::tensor::ExtractOp, unsigned dim,
                                      mlir::Value index, const CountExpr &size)>
                  visit);

private:
  BodyBounds(mlir::Block &body, unsigned first, AttentionOp attention,
             mlir::ValueRange captures, const SizeFacts &facts);

  llvm::SmallVector<BoundsCase> compute(mlir::Operation *op);
  llvm::SmallVector<BoundsCase> choose(mlir::arith::SelectOp choice);
  llvm::SmallVector<BoundsCase> ofArgument(mlir::BlockArgument argument);
  llvm::SmallVector<BoundsCase> elementsOf(mlir::Value tensor) const;
  std::optional<bool> decide(mlir::Value condition);
  std::optional<unsigned> coordinateOf(mlir::Value value) const;
  std::optional<llvm::SmallBitVector> coordinatesOf(mlir::Value value) const;
  bool areIndependent(mlir::Value lhs, mlir::Value rhs) const;

  mlir::Block &body;
  /// Null where the coordinates are arguments.
  mlir::linalg::LinalgOp op;
  /// The number of values of each coordinate.
  llvm::SmallVector<CountExpr> sizes;
  const SizeFacts &facts;
  /// Of bodies whose elements are asked for.
  unsigned depth = 0;
  /// The argument that is the first coordinate, and what arguments behind the
  /// coordinates are captured from.
  unsigned first = 0;
  mlir::ValueRange captures;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<BoundsCase>> known;
};

/// Whether the bounds of `index` are those of sizes of inputs in every case, so
/// that the host can compare them with a size.
bool isDecidedByHost(llvm::ArrayRef<BoundsCase> cases, const SizeFacts &facts);

} // namespace stof

#endif // STOF_SIZE_BODYBOUNDS_H
