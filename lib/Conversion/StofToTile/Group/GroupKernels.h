//===----------------------------------------------------------------------===//
// The kernels of groups: one function for the blocks of each template of
// GroupPlan, and one that puts sections together. All of them are built from a
// group's body, in which tensors are arguments of the group.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_STOFTOTILE_GROUP_GROUPKERNELS_H
#define STOF_LIB_CONVERSION_STOFTOTILE_GROUP_GROUPKERNELS_H

#include "../Host/KernelBuilder.h"
#include "stof/CostModel/ContractionShape.h"
#include "stof/Fusion/GroupSections.h"
#include "stof/IR/Stof.h"

namespace stof {

/// A contiguous buffer seen in the axes of a tile, every other digit on its
/// own.
struct TileView {
  mlir::Value memory;
  /// For each dimension that is no axis of the tile, its digit.
  llvm::SmallVector<std::optional<unsigned>> digits;
  /// For each axis of the tile its dimension, if there is one.
  llvm::SmallVector<std::optional<int64_t>> dims;

  /// Whether tiles at one place are the same.
  bool operator==(const TileView &other) const {
    return memory == other.memory && digits == other.digits &&
           dims == other.dims;
  }
};

/// The shape of a block's tile and how it lies over the threads.
struct GroupShape {
  int64_t rows, columns, warps;
  tile::LayoutInterface layout;
  /// Whether a tile has all columns.
  bool isWhole;
  /// Of a product, how it is made.
  std::optional<ContractionShape> product = std::nullopt;
};

/// A section of a group, its plan and the kernel that is being built from it.
class GroupContext {
public:
  /// `buffers` maps the group's operands to buffers and scalars of the host,
  /// `results` what the plan calls results to the buffers that take them.
  GroupContext(KernelBuilder &kernel, GroupOp group, const GroupPlan &plan,
               const mlir::IRMapping &buffers, const mlir::IRMapping &results);

  /// The kernel's value for one that the group's body defines outside its
  /// linalg operations: an argument, or a scalar computed from arguments.
  mlir::Value lookup(mlir::Value value);

  /// Makes everything that `region` uses from around it, but what the group
  /// computes, available to copyScalarBody.
  void bindCaptured(mlir::Region &region, mlir::IRMapping &values);

  /// The host's buffer of an argument of the group.
  mlir::Value getHostBuffer(mlir::Value argument) const {
    return hostValues.lookup(argument);
  }
  mlir::Value getResultBuffer(mlir::OpResult result) const {
    return results.lookup(result);
  }

  /// An error unless every tensor that is read is an argument of the group or
  /// computed in it.
  mlir::LogicalResult checkInputs() const;
  /// An error unless the host knows how long every loop is.
  mlir::LogicalResult checkSizes() const;
  /// How many values digits have together, for the host and in the kernel.
  mlir::OpFoldResult getHostSize(llvm::ArrayRef<unsigned> digits);
  mlir::Value getSize(llvm::ArrayRef<unsigned> digits);

  /// `buffer` of the host, whose elements are counted by `digits`, with a
  /// dimension for each of the two `axes` that it has; nothing where one lies
  /// in pieces. A first axis of no digits is given a dimension of one, a second
  /// one if `hasUnitColumns`.
  std::optional<TileView> viewTile(mlir::Value buffer,
                                   llvm::ArrayRef<unsigned> digits,
                                   llvm::ArrayRef<Digits> axes,
                                   bool hasUnitColumns);

  /// The same of what an operation reads of the group's arguments; a slice has
  /// fewer axes in one piece.
  std::optional<TileView> viewOperand(mlir::OpOperand &operand,
                                      llvm::ArrayRef<Digits> axes,
                                      bool hasUnitColumns);

  KernelBuilder &kernel() { return builder; }
  const GroupPlan &getPlan() const { return plan; }

  /// The number of the block in the section.
  mlir::Value getBlock() const { return block; }
  void setBlock(mlir::Value number) { block = number; }

private:
  /// The kernel's argument for `buffer` in dimensions that count `dims`, made
  /// by `reshape` on first use.
  mlir::Value show(mlir::Value buffer, llvm::ArrayRef<Digits> dims,
                   llvm::function_ref<mlir::Value()> reshape);
  /// The buffer of a slice, whose dimensions count `from`, in dimensions that
  /// count `to`; null where that is no view.
  mlir::Value reshapeSlice(mlir::Value buffer, llvm::ArrayRef<Digits> from,
                           llvm::ArrayRef<Digits> to);
  mlir::OpFoldResult tryHostSize(const DigitExtent &extent) const;

  KernelBuilder &builder;
  const GroupPlan &plan;
  mlir::Value block;
  mlir::IRMapping hostValues, kernelValues, results;
  /// Buffers as they have been shown, and what counts their dimensions.
  struct Shown {
    mlir::Value buffer;
    llvm::SmallVector<Digits> dims;
    mlir::Value memory;
  };
  llvm::SmallVector<Shown> shown;
  /// Sizes that the host has been asked for.
  llvm::SmallVector<std::pair<Digits, mlir::OpFoldResult>> sizes;
};

/// The shape of each section on the GPU that runs code for `chip`, as ptxas
/// names it, or on processors if it is empty; all for as many warps.
llvm::SmallVector<GroupShape> shapesOfGroup(const GroupSections &sections,
                                            llvm::StringRef chip);

/// The kernel of all sections and its launch; of buffers as a GroupContext has
/// them.
mlir::LogicalResult emitGroupKernel(KernelBuilder &kernel, GroupOp group,
                                    const GroupSections &sections,
                                    llvm::ArrayRef<GroupShape> shapes,
                                    const mlir::IRMapping &buffers,
                                    const mlir::IRMapping &results);

/// Every element of the results on its own.
void emitElementwise(GroupContext &context, const GroupShape &shape);

/// Rows in registers, or walked over as often as needed.
void emitRows(GroupContext &context, const GroupShape &shape);

/// A matrix product on tensor cores and what is computed of it.
GroupShape shapeOfContraction(mlir::MLIRContext *context,
                              const ContractionShape &shape);
void emitContraction(GroupContext &context, const GroupShape &shape);

/// Copies a buffer into one of the same sizes.
mlir::LogicalResult emitCopyKernel(KernelBuilder &kernel, mlir::Value from,
                                   mlir::Value to);

} // namespace stof

#endif // STOF_LIB_CONVERSION_STOFTOTILE_GROUP_GROUPKERNELS_H
