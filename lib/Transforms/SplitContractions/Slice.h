//===----------------------------------------------------------------------===//
// Slices of tensors along one dim, and their propagation through operations.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TRANSFORMS_SPLITCONTRACTIONS_SLICE_H
#define STOF_LIB_TRANSFORMS_SPLITCONTRACTIONS_SLICE_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include <tuple>

namespace stof {

/// `size` elements of one dim from `offset` on, with a stride of `stride`; all
/// elements of the other dims.
struct Slice {
  Slice(int64_t dim, int64_t offset, int64_t size, int64_t stride)
      : dim(dim), offset(offset), size(size), stride(stride) {}

  int64_t dim, offset, size, stride;

  bool operator==(const Slice &other) const {
    return asTuple() == other.asTuple();
  }
  bool operator<(const Slice &other) const {
    return asTuple() < other.asTuple();
  }
  /// Whether both share an element along the same dim.
  bool overlaps(const Slice &other) const;

private:
  std::tuple<int64_t, int64_t, int64_t, int64_t> asTuple() const {
    return {dim, offset, size, stride};
  }
};

/// A slice of a value, or the reason why there is none.
struct SliceOrReason {
  std::optional<Slice> slice;
  llvm::StringRef reason;
};

/// The slice of the source that `op` extracts; unit dims may be dropped.
SliceOrReason readSlice(mlir::tensor::ExtractSliceOp op);

/// Whether `op` computes each element of its only result from one element of
/// each operand, or is a reshape or cast.
bool isElementwise(mlir::Operation *op);

/// The slices of operands that a slice of the only result of `op` is computed
/// from, nothing for an operand that is needed unsliced; or the reason why
/// there are none. `op` is a linalg operation, reshape, cast or tensor.empty.
struct Needs {
  llvm::SmallVector<std::optional<Slice>> operands;
  llvm::StringRef reason;
};
Needs findNeeds(mlir::Operation *op, const Slice &slice);

mlir::RankedTensorType getSlicedType(mlir::Type type, const Slice &slice);

/// `slice` of the result of `op`, from operands sliced by findNeeds.
mlir::Value computeSlice(mlir::OpBuilder &builder, mlir::Operation *op,
                         const Slice &slice, mlir::ValueRange operands);

/// Extracts `slice` from `value`.
mlir::Value extractSlice(mlir::OpBuilder &builder, mlir::Value value,
                         const Slice &slice);

} // namespace stof

#endif // STOF_LIB_TRANSFORMS_SPLITCONTRACTIONS_SLICE_H
