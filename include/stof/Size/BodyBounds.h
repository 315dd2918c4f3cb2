//===----------------------------------------------------------------------===//
// Bounds of the integers that a body computes from its coordinates: the loop
// indices of linalg, or the arguments of a mask or a score region.
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

/// A case of a value that is selected by sizes.
struct BoundsCase {
  /// 1 in this case, else 0.
  CountExpr guard;
  Bounds bounds;
};

/// The trip count of each loop: the size of the first dimension that it
/// indexes, or 1 if it indexes none.
llvm::SmallVector<CountExpr> loopSizes(mlir::linalg::LinalgOp op,
                                       const SizeFacts &facts);

class BodyBounds {
public:
  /// The body of `op`, whose coordinates are its loop indices.
  BodyBounds(mlir::linalg::LinalgOp op, const SizeFacts &facts,
             unsigned depth = 0)
      : body(*op.getBlock()), op(op), sizes(loopSizes(op, facts)), facts(facts),
        depth(depth) {}

  /// The score region of `attention`, and the predicate region of its mask.
  /// Their coordinates are arguments: batch, head, query and key.
  static BodyBounds ofScore(AttentionOp attention, const SizeFacts &facts);
  static BodyBounds ofMask(MaskOpInterface mask, AttentionOp attention,
                           const SizeFacts &facts);

  /// All cases with bounds that are attained; empty if `value` depends on data.
  /// Elements of operands have the bounds of the body that computes them.
  llvm::SmallVector<BoundsCase> of(mlir::Value value);

  /// The bounds of an operand index over the iteration space.
  Bounds of(mlir::AffineExpr expr) const;

  /// 1 if the iteration space of the body is not empty, else 0.
  CountExpr isComputed() const;

  /// The size of a tensor that the body reads.
  CountExpr sizeOf(mlir::Value tensor, int64_t dim) const;

  /// Calls `visit` with each index of each element that is read
  /// unconditionally, and the size of the dimension.
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
  /// Null if the coordinates are arguments.
  mlir::linalg::LinalgOp op;
  /// The number of values of each coordinate.
  llvm::SmallVector<CountExpr> sizes;
  const SizeFacts &facts;
  /// The number of bodies between this one and the one that is queried.
  unsigned depth = 0;
  /// The number of the argument that is the first coordinate, and the values
  /// that the arguments after the coordinates capture.
  unsigned first = 0;
  mlir::ValueRange captures;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<BoundsCase>> known;
};

/// Whether guards and bounds of all cases depend on input sizes only, which the
/// host can compare. False if there is no case.
bool isDecidedByHost(llvm::ArrayRef<BoundsCase> cases, const SizeFacts &facts);

} // namespace stof

#endif // STOF_SIZE_BODYBOUNDS_H
