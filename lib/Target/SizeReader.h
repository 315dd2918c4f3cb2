//===----------------------------------------------------------------------===//
// Integer values of the IR, read as expressions of a package.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TARGET_SIZEREADER_H
#define STOF_LIB_TARGET_SIZEREADER_H

#include "stof/Target/SizeExpr.h"

#include "mlir/IR/Value.h"

namespace stof {

/// Reads arith and affine on integers and `dim`s of buffers and tensors. An i1
/// is 1 or 0. Sizes are not negative, so that a quotient is rounded down
/// whichever way its operation would round a negative one.
class SizeReader {
public:
  /// The size of a dimension of a buffer or a tensor that is not static, if it
  /// is known.
  using DimReader =
      std::function<std::optional<SizeExpr>(mlir::Value shaped, int64_t dim)>;

  explicit SizeReader(DimReader readDim) : readDim(std::move(readDim)) {}

  /// Nothing if `value` depends on more than sizes; `getObstacle` then says at
  /// which value reading stopped.
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
