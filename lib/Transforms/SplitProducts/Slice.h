//===----------------------------------------------------------------------===//
// Slices of tensors along one dimension, and what a slice of the result of an
// operation is made of.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TRANSFORMS_SPLITPRODUCTS_SLICE_H
#define STOF_LIB_TRANSFORMS_SPLITPRODUCTS_SLICE_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include <tuple>

namespace stof {

/// Of a dimension, `size` elements from `offset` on, `stride` apart; all of the
/// others.
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
  /// Whether both have an element along the same dimension.
  bool overlaps(const Slice &other) const;

private:
  std::tuple<int64_t, int64_t, int64_t, int64_t> asTuple() const {
    return {dim, offset, size, stride};
  }
};

/// A slice of a value, or why there is none.
struct SliceOrReason {
  std::optional<Slice> slice;
  llvm::StringRef reason;
};

/// What `op` takes of its source; the result may lack dimensions of one.
SliceOrReason readSlice(mlir::tensor::ExtractSliceOp op);

/// Whether `op` computes each element of its one result from one place of its
/// operands, or only says where elements begin or lie.
bool isElementwise(mlir::Operation *op);

/// The slices of operands from which a slice of the one result of `op` is
/// computed, nothing for an operand that is needed as it is; or a reason. `op`
/// is a linalg operation, reshape, cast or tensor.empty.
struct Needs {
  llvm::SmallVector<std::optional<Slice>> operands;
  llvm::StringRef reason;
};
Needs findNeeds(mlir::Operation *op, const Slice &slice);

/// The type of a slice of a tensor.
mlir::RankedTensorType getSlicedType(mlir::Type type, const Slice &slice);

/// `slice` of what `op` computes, from operands that are sliced as it needs.
mlir::Value computeSlice(mlir::OpBuilder &builder, mlir::Operation *op,
                         const Slice &slice, mlir::ValueRange operands);

/// `slice` of `value` as an operation that takes it.
mlir::Value extractSlice(mlir::OpBuilder &builder, mlir::Value value,
                         const Slice &slice);

} // namespace stof

#endif // STOF_LIB_TRANSFORMS_SPLITPRODUCTS_SLICE_H
