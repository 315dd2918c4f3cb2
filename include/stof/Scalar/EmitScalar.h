//===----------------------------------------------------------------------===//
// Turns scalar expressions back into arith, math and tensor.extract.
//===----------------------------------------------------------------------===//

#ifndef STOF_SCALAR_EMITSCALAR_H
#define STOF_SCALAR_EMITSCALAR_H

#include "stof/Scalar/ScalarExpr.h"

#include "llvm/ADT/SetVector.h"

namespace stof {

/// What an expression reads from outside: tensors, scalars, sizes.
struct ScalarInputs {
  llvm::SetVector<mlir::Value> tensors;
  llvm::SetVector<mlir::Value> scalars;
  llvm::SetVector<const Expr *> extents;

  void collect(const Expr *root);
};

/// Emits expressions at the insertion point of a builder; what is shared in the
/// expression is shared in the code. Real numbers become f32.
class ScalarEmitter {
public:
  ScalarEmitter(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}

  /// Says which value stands for a variable, a scalar, a size or any node.
  void bind(const Expr *expr, mlir::Value value) { known[expr] = value; }
  /// Says which value stands for a tensor.
  void bind(mlir::Value tensor, mlir::Value value) { tensors[tensor] = value; }

  /// Whether `emit` can succeed: nothing but bound variables and known
  /// operations.
  bool canEmit(const Expr *root) const;

  /// The value of an expression. Expects `canEmit`.
  mlir::Value emit(const Expr *root);

private:
  mlir::Value emitNode(const Expr *expr);
  mlir::Value emitLinear(const Expr *expr);
  mlir::Value emitComparison(const Expr *expr);
  mlir::Value emitOther(const Expr *expr);
  mlir::Value emitCast(mlir::Value value, mlir::Type type);
  mlir::Value emitConstant(const Expr *expr, mlir::Type type);
  mlir::Type getType(const Expr *expr) const;
  mlir::Value get(const Expr *expr) { return known.lookup(expr); }

  mlir::OpBuilder &builder;
  mlir::Location loc;
  llvm::DenseMap<const Expr *, mlir::Value> known;
  llvm::DenseMap<mlir::Value, mlir::Value> tensors;
};

} // namespace stof

#endif // STOF_SCALAR_EMITSCALAR_H
