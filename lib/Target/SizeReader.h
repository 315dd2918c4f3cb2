//===----------------------------------------------------------------------===//
// Translation of integer values of the IR to expressions of a package.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TARGET_SIZEREADER_H
#define STOF_LIB_TARGET_SIZEREADER_H

#include "stof/Target/SizeExpr.h"

#include "mlir/IR/Value.h"

namespace stof {

/// Reads arith and affine operations on integers, and `dim`s of buffers and
/// tensors. An i1 is 1 or 0. Sizes are non-negative, therefore signed and
/// unsigned division are both read as floor division.
class SizeReader {
public:
  /// The expression of a dynamic dimension of a buffer or a tensor, if known.
  using DimReader =
      std::function<std::optional<SizeExpr>(mlir::Value shaped, int64_t dim)>;

  explicit SizeReader(DimReader readDim) : readDim(std::move(readDim)) {}

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

#endif // STOF_LIB_TARGET_SIZEREADER_H
