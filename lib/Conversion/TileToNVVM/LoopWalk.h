//===----------------------------------------------------------------------===//
// A loop as a walk over points: those of the values that it carries which
// follow from one another alone, and what can be computed from them at any
// point.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_TILETONVVM_LOOPWALK_H
#define STOF_LIB_CONVERSION_TILETONVVM_LOOPWALK_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

namespace stof::tile {

/// The walk of an `scf.for` or `scf.while`. A point of it maps the arguments of
/// the loop's blocks to their values there.
class LoopWalk {
public:
  /// `loop` is an `scf.for` or an `scf.while`.
  explicit LoopWalk(mlir::Operation *loop);

  /// Whether the end of the walk follows from its point alone.
  bool isKnown() const;
  /// Whether `value` follows from the point alone.
  bool follows(mlir::Value value) const;
  /// Whether it may be computed at a point that is never reached.
  bool isHarmless(mlir::Value value) const;
  /// Whether points beyond the end may be computed.
  bool isHarmless() const;

  /// The block that a loop executes at each point.
  mlir::Block &getBody() const;

  /// The point where the loop begins, computed before it.
  mlir::IRMapping getFirst(mlir::OpBuilder &builder) const;
  /// The point that the body is at.
  mlir::IRMapping getCurrent() const;
  mlir::IRMapping getNext(mlir::OpBuilder &builder,
                          mlir::IRMapping &point) const;
  /// Whether the loop reaches a point (i1), if it reached the one before.
  mlir::Value isReached(mlir::OpBuilder &builder, mlir::IRMapping &point) const;
  /// `value` at a point.
  mlir::Value compute(mlir::OpBuilder &builder, mlir::Value value,
                      mlir::IRMapping &point) const;

  /// Lets the loop go on with the values of the point `next`.
  void goOnWith(mlir::IRMapping &next);

  /// Replaces the loop by one that also carries `inits`, all of which it hands
  /// on unchanged. Returns them as the body sees them.
  mlir::ValueRange carry(mlir::ValueRange inits);
  /// What the loop hands on.
  mlir::MutableArrayRef<mlir::OpOperand> getNexts() const;

  /// Whether the loop defines `value`.
  bool isInside(mlir::Value value) const;

private:
  mlir::Block::BlockArgListType getHeads() const;
  void enter(mlir::OpBuilder &builder, mlir::IRMapping &point) const;
  /// Whether the operations that `value` takes inside the loop all satisfy
  /// `accept`, and the arguments that it takes are of the walk.
  bool check(mlir::Value value,
             llvm::function_ref<bool(mlir::Operation *)> accept) const;

  mlir::Operation *loop;
  /// The numbers of the carried values that are part of the point.
  llvm::SmallVector<unsigned> counting;
};

} // namespace stof::tile

#endif // STOF_LIB_CONVERSION_TILETONVVM_LOOPWALK_H
