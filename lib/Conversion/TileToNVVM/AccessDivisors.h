//===----------------------------------------------------------------------===//
// Known divisors of where tiles are in memory, to prove that their rows are
// aligned. They follow from code around an access, which patterns do not look
// at: they are found before the conversion.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_TILETONVVM_ACCESSDIVISORS_H
#define STOF_LIB_CONVERSION_TILETONVVM_ACCESSDIVISORS_H

#include "mlir/IR/Operation.h"

namespace stof::tile {

/// The divisors of all `tile.load`, `tile.send` and `tile.store` in an
/// operation.
class AccessDivisors {
public:
  explicit AccessDivisors(mlir::Operation *root);

  /// Of one access. A divisor of 0 stands for a value of 0.
  struct Access {
    llvm::SmallVector<int64_t> indices;
    /// Of the strides of the memory, in elements.
    llvm::SmallVector<int64_t> strides;
    /// Of the offset of the memory, in elements.
    int64_t offset;
  };
  const Access &get(mlir::Operation *op) const { return accesses.at(op); }

private:
  llvm::DenseMap<mlir::Operation *, Access> accesses;
};

} // namespace stof::tile

#endif // STOF_LIB_CONVERSION_TILETONVVM_ACCESSDIVISORS_H
