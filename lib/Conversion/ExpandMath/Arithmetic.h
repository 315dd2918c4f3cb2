//===----------------------------------------------------------------------===//
// Helpers that build arithmetic on scalars and vectors of a common shape.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_EXPANDMATH_ARITHMETIC_H
#define STOF_LIB_CONVERSION_EXPANDMATH_ARITHMETIC_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

namespace stof {

/// Builds operations on values of a common shape, at one location.
class Arithmetic {
public:
  Arithmetic(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type shape)
      : builder(builder), loc(loc), shape(shape) {}

  mlir::OpBuilder &builder;
  mlir::Location loc;

  /// The common shape with elements of type `element`.
  mlir::Type of(mlir::Type element) const;
  mlir::Type f32() const { return of(builder.getF32Type()); }
  mlir::Type f64() const { return of(builder.getF64Type()); }
  mlir::Type i32() const { return of(builder.getI32Type()); }
  mlir::Type i64() const { return of(builder.getI64Type()); }

  /// Float and integer constants, splat to vectors.
  mlir::Value real(mlir::Type type, double value) const;
  mlir::Value whole(mlir::Type type, int64_t value) const;

  mlir::Value add(mlir::Value lhs, mlir::Value rhs) const;
  mlir::Value sub(mlir::Value lhs, mlir::Value rhs) const;
  mlir::Value mul(mlir::Value lhs, mlir::Value rhs) const;
  mlir::Value div(mlir::Value lhs, mlir::Value rhs) const;
  mlir::Value exp2(mlir::Value x) const;
  mlir::Value fma(mlir::Value a, mlir::Value b, mlir::Value c) const;
  mlir::Value bits(mlir::Type type, mlir::Value value) const;
  mlir::Value cast(mlir::Type type, mlir::Value value) const;
  mlir::Value select(mlir::Value condition, mlir::Value yes,
                     mlir::Value no) const;
  mlir::Value compare(mlir::arith::CmpFPredicate predicate, mlir::Value lhs,
                      mlir::Value rhs) const;
  mlir::Value compare(mlir::arith::CmpIPredicate predicate, mlir::Value lhs,
                      mlir::Value rhs) const;
  /// Clamps `x` to [low, high].
  mlir::Value clamp(mlir::Value x, double low, double high) const;
  /// c0 + x * (c1 + x * (c2 + ..)).
  mlir::Value polynomial(mlir::Value x, llvm::ArrayRef<double> c) const;

private:
  mlir::Type shape;
};

} // namespace stof

#endif // STOF_LIB_CONVERSION_EXPANDMATH_ARITHMETIC_H
