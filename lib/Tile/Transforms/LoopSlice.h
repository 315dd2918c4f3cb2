//===----------------------------------------------------------------------===//
// The slice of a loop that determines its scalar state. An iteration is given
// by a point: values for the induction variable and for those carried scalars
// that depend on each other only. Scalars that depend only on the point can be
// computed for any iteration.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TILE_TRANSFORMS_LOOPSLICE_H
#define STOF_LIB_TILE_TRANSFORMS_LOOPSLICE_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

namespace stof::tile {

/// The slice of an `scf.for` or `scf.while`. A point maps block arguments of
/// the loop to their values in an iteration.
class LoopSlice {
public:
  explicit LoopSlice(mlir::Operation *loop);

  /// Whether the loop condition depends on the point only.
  bool isKnown() const;
  /// Whether `value` depends on the point only.
  bool follows(mlir::Value value) const;
  /// Whether `value` can be computed speculatively, at a point that the loop
  /// does not reach.
  bool isHarmless(mlir::Value value) const;
  /// Whether points beyond the end of the loop can be computed speculatively.
  bool isHarmless() const;

  /// The block executed at each point.
  mlir::Block &getBody() const;

  /// The point of the first iteration, computed before the loop.
  mlir::IRMapping getFirst(mlir::OpBuilder &builder) const;
  /// The point of the current iteration, in the body.
  mlir::IRMapping getCurrent() const;
  mlir::IRMapping getNext(mlir::OpBuilder &builder,
                          mlir::IRMapping &point) const;
  /// Whether the loop reaches `point` (i1), given that it reached the previous.
  mlir::Value isReached(mlir::OpBuilder &builder, mlir::IRMapping &point) const;
  /// Computes `value` at `point`.
  mlir::Value compute(mlir::OpBuilder &builder, mlir::Value value,
                      mlir::IRMapping &point) const;

  /// Makes the loop yield the point `next`.
  void goOnWith(mlir::IRMapping &next);

  /// Replaces the loop by one that also carries `inits`, each of them yielded
  /// unchanged. Returns the new arguments of the body.
  mlir::ValueRange carry(mlir::ValueRange inits);
  /// The operands that the body yields.
  mlir::MutableArrayRef<mlir::OpOperand> getNexts() const;

  /// Whether the loop defines `value`.
  bool isInside(mlir::Value value) const;

private:
  mlir::Block::BlockArgListType getHeads() const;
  void enter(mlir::OpBuilder &builder, mlir::IRMapping &point) const;
  /// Whether the backward slice of `value` inside the loop has only operations
  /// that satisfy `accept` and arguments that belong to the point.
  bool check(mlir::Value value,
             llvm::function_ref<bool(mlir::Operation *)> accept) const;

  mlir::Operation *loop;
  /// Indices of the carried values that belong to the point.
  llvm::SmallVector<unsigned> counting;
};

} // namespace stof::tile

#endif // STOF_LIB_TILE_TRANSFORMS_LOOPSLICE_H
