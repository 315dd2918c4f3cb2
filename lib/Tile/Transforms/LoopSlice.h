//===----------------------------------------------------------------------===//
// The slice of a loop that determines its scalar state. An iteration is given
// by a point: values for the induction variable and for those carried scalars
// that depend on each other only. Scalars that depend only on the point can be
// computed for any iteration.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TILE_TRANSFORMS_LOOPSLICE_H
#define STOF_LIB_TILE_TRANSFORMS_LOOPSLICE_H

#include "stof/Tile/Tile.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

namespace stof::tile {

/// The operands of an operation and the values captured by its regions.
llvm::SetVector<mlir::Value> getTaken(mlir::Operation *op);

/// Whether an operation has no tiles in it and no effects other than reads.
bool readsAtMost(mlir::Operation *op);

/// Whether `op` may write memory or has unknown effects.
bool mayWrite(mlir::Operation *op);

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

  /// The loads of shared tiles in the body that can be issued ahead of their
  /// iteration.
  llvm::SmallVector<LoadOp> getLoads() const;
  /// The values from outside the loop that `value` depends on, and those that
  /// any point does.
  void addOutside(mlir::Value value,
                  llvm::SetVector<mlir::Value> &outside) const;
  void addOutside(llvm::SetVector<mlir::Value> &outside) const;

  mlir::Operation *getLoop() const { return loop; }
  /// The block executed at each point.
  mlir::Block &getBody() const;

  /// The values that determine the point of the first iteration, and the point
  /// that such values determine.
  llvm::SmallVector<mlir::Value> getFirstState() const;
  mlir::IRMapping getPoint(mlir::OpBuilder &builder,
                           mlir::ValueRange state) const;
  /// The values that determine `point`.
  llvm::SmallVector<mlir::Value> getState(const mlir::IRMapping &point) const;

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
