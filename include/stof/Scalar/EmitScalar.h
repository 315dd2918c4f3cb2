//===----------------------------------------------------------------------===//
// Emits scalar expressions as arith, math and tensor.extract operations.
//===----------------------------------------------------------------------===//

#ifndef STOF_SCALAR_EMITSCALAR_H
#define STOF_SCALAR_EMITSCALAR_H

#include "stof/Scalar/ScalarExpr.h"

#include "llvm/ADT/SetVector.h"

namespace stof {

/// The tensors, scalars and sizes that an expression reads.
struct ScalarInputs {
  llvm::SetVector<mlir::Value> tensors;
  llvm::SetVector<mlir::Value> scalars;
  llvm::SetVector<const Expr *> extents;

  void collect(const Expr *root);
};

/// Emits expressions at the insertion point of a builder. Shared nodes are
/// emitted once; real numbers become f32.
class ScalarEmitter {
public:
  ScalarEmitter(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}

  /// Binds a variable, a scalar, a size or any other node to a value.
  void bind(const Expr *expr, mlir::Value value) { known[expr] = value; }
  /// Elements of `tensor` are read from `value` instead.
  void bind(mlir::Value tensor, mlir::Value value) { tensors[tensor] = value; }

  /// Whether `emit` can succeed: no variable or reduction is left unbound.
  bool canEmit(const Expr *root) const;

  /// The value of an expression. Requires `canEmit`.
  mlir::Value emit(const Expr *root);

private:
  class NodeEmitter;

  mlir::OpBuilder &builder;
  mlir::Location loc;
  llvm::DenseMap<const Expr *, mlir::Value> known;
  llvm::DenseMap<mlir::Value, mlir::Value> tensors;
};

} // namespace stof

#endif // STOF_SCALAR_EMITSCALAR_H
