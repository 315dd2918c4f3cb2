//===----------------------------------------------------------------------===//
// Translation of integers of the IR to expressions. An i1 is 1 or 0. Sizes are
// nonnegative, therefore signed and unsigned division are both read as floor
// division.
//===----------------------------------------------------------------------===//

#ifndef STOF_SIZE_INTEGERREADER_H
#define STOF_SIZE_INTEGERREADER_H

#include "stof/Size/CountExpr.h"

#include "mlir/IR/Operation.h"

namespace stof {

/// The value if `value` is a constant of at most 64 bits.
std::optional<int64_t> readConstant(mlir::Value value);

/// The result of `op`, an arith or affine operation, from the expressions of
/// its operands; none if expressions cannot say it. `Expr` is SizeExpr or
/// CountExpr.
template <typename Expr>
std::optional<Expr> readInteger(mlir::Operation *op,
                                llvm::ArrayRef<Expr> operands);
extern template std::optional<SizeExpr>
readInteger(mlir::Operation *op, llvm::ArrayRef<SizeExpr> operands);
extern template std::optional<CountExpr>
readInteger(mlir::Operation *op, llvm::ArrayRef<CountExpr> operands);

/// Reads integers on demand, with `dim`s of buffers and tensors.
class IntegerReader {
public:
  /// The expression of a dynamic dimension of a buffer or a tensor, if known.
  using DimReader =
      std::function<std::optional<SizeExpr>(mlir::Value shaped, int64_t dim)>;

  explicit IntegerReader(DimReader readDim) : readDim(std::move(readDim)) {}

  /// None if `value` depends on more than sizes; `getObstacle` then returns a
  /// value that cannot be read.
  std::optional<SizeExpr> read(mlir::Value value);
  mlir::Value getObstacle() const { return obstacle; }

private:
  std::optional<SizeExpr> readUncached(mlir::Value value);

  DimReader readDim;
  llvm::DenseMap<mlir::Value, SizeExpr> known;
  mlir::Value obstacle;
};

} // namespace stof

#endif // STOF_SIZE_INTEGERREADER_H
