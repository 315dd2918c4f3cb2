//===----------------------------------------------------------------------===//
// A branch of a group and the kernel under construction: sizes, buffers, and
// views of these in the axes of a tile.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_STOFTOTILE_GROUP_GROUPCONTEXT_H
#define STOF_LIB_CONVERSION_STOFTOTILE_GROUP_GROUPCONTEXT_H

#include "stof/Conversion/KernelBuilder.h"
#include "stof/Fusion/GroupPlan.h"
#include "stof/IR/Stof.h"

namespace stof {

/// A view of a buffer in which each axis of a tile is one dimension, and so is
/// every other dim factor.
struct TileView {
  mlir::Value memory;
  /// The dim factor of each dimension, unless it is an axis of the tile.
  llvm::SmallVector<std::optional<unsigned>> dimFactors;
  /// The dimension of each axis of the tile, if it has one.
  llvm::SmallVector<std::optional<int64_t>> dims;

  /// Whether tiles at equal coordinates are equal.
  bool operator==(const TileView &other) const {
    return memory == other.memory && dimFactors == other.dimFactors &&
           dims == other.dims;
  }
};

/// A branch of a group, its plan and the kernel under construction.
class GroupContext {
public:
  /// `group` is on the host's buffers and scalars; `results` maps the results
  /// of the plan to their buffers.
  GroupContext(KernelBuilder &kernel, GroupOp group, const GroupPlan &plan,
               const mlir::IRMapping &results);

  /// The kernel's value for one that the group's body defines outside of linalg
  /// operations: an argument, or a scalar computed from arguments.
  mlir::Value lookup(mlir::Value value);

  /// Maps the values that `region` captures, other than results of the group,
  /// for copyScalarBody.
  void bindCaptured(mlir::Region &region, mlir::IRMapping &values);

  /// The host buffer of an argument of the group.
  mlir::Value getHostBuffer(mlir::Value argument) const {
    return hostValues.lookup(argument);
  }
  mlir::Value getResultBuffer(mlir::OpResult result) const {
    return results.lookup(result);
  }

  /// Emits an error unless every tensor that is read is an argument of the
  /// group or computed in it.
  mlir::LogicalResult checkInputs() const;
  /// Emits an error unless the extents of all loops are available on the host.
  mlir::LogicalResult checkSizes() const;
  /// The product of the extents of dim factors, on the host and in the kernel.
  mlir::OpFoldResult getHostSize(llvm::ArrayRef<unsigned> dimFactors);
  mlir::Value getSize(llvm::ArrayRef<unsigned> dimFactors);

  /// A view of the host buffer `buffer`, laid out by `dimFactors`, with one
  /// dimension for each of the two `axes`; nullopt if an axis is not contiguous
  /// in `dimFactors`. An empty first axis becomes a unit dimension, an empty
  /// second one if `hasUnitColumns`.
  std::optional<TileView> viewTile(mlir::Value buffer,
                                   llvm::ArrayRef<unsigned> dimFactors,
                                   llvm::ArrayRef<DimFactors> axes,
                                   bool hasUnitColumns);

  /// The same for an operand of the group. Fewer axes of a slice collapse to
  /// one dimension.
  std::optional<TileView> viewOperand(mlir::OpOperand &operand,
                                      llvm::ArrayRef<DimFactors> axes,
                                      bool hasUnitColumns);

  KernelBuilder &kernel() { return builder; }
  const GroupPlan &getPlan() const { return plan; }

  /// The number of the CTA in the branch.
  mlir::Value getCta() const { return cta; }
  void setCta(mlir::Value number) { cta = number; }

private:
  /// The kernel's argument for `buffer` in dimensions `dims`, created by
  /// `reshape` on first use.
  mlir::Value show(mlir::Value buffer, llvm::ArrayRef<DimFactors> dims,
                   llvm::function_ref<mlir::Value()> reshape);
  /// The buffer of a slice, reshaped from dimensions `from` to `to`; null if
  /// that needs a copy.
  mlir::Value reshapeSlice(mlir::Value buffer, llvm::ArrayRef<DimFactors> from,
                           llvm::ArrayRef<DimFactors> to);
  mlir::OpFoldResult tryHostSize(const FactorExtent &extent) const;

  KernelBuilder &builder;
  const GroupPlan &plan;
  mlir::Value cta;
  mlir::IRMapping hostValues, kernelValues, results;
  /// Reshaped buffers by source and dimensions.
  struct Shown {
    mlir::Value buffer;
    llvm::SmallVector<DimFactors> dims;
    mlir::Value memory;
  };
  llvm::SmallVector<Shown> shown;
  /// Host sizes that have been materialized.
  llvm::SmallVector<std::pair<DimFactors, mlir::OpFoldResult>> sizes;
};

} // namespace stof

#endif // STOF_LIB_CONVERSION_STOFTOTILE_GROUP_GROUPCONTEXT_H
