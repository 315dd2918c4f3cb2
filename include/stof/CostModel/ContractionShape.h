//===----------------------------------------------------------------------===//
// The tiles of a matrix product.
//
// Few large tiles read operands less often, many small ones keep all
// multiprocessors busy; the cost model (CostModel.h) decides between a few
// shapes that kernels were measured with.
//===----------------------------------------------------------------------===//

#ifndef STOF_COSTMODEL_CONTRACTIONSHAPE_H
#define STOF_COSTMODEL_CONTRACTIONSHAPE_H

#include "stof/CostModel/CostModel.h"
#include "stof/Fusion/GroupPlan.h"

#include <tuple>

namespace stof {

struct ContractionShape {
  /// Of the tile that a block computes.
  int64_t rows, columns;
  /// Elements of what is summed over that a step takes.
  int64_t depth;
  /// Warps along the rows and along the columns.
  int64_t rowWarps, columnWarps;
  /// Steps whose operands are in shared memory at a time.
  int64_t stages;

  int64_t getNumWarps() const { return rowWarps * columnWarps; }
  bool operator==(const ContractionShape &other) const {
    auto all = [](const ContractionShape &shape) {
      return std::tie(shape.rows, shape.columns, shape.depth, shape.rowWarps,
                      shape.columnWarps, shape.stages);
    };
    return all(*this) == all(other);
  }
};

/// The bytes of an element that a product multiplies.
int64_t getElementBytes(mlir::linalg::LinalgOp product);

/// Whether groups of four warps multiply on `chip`, as ptxas names it (wgmma).
bool hasWarpgroups(llvm::StringRef chip);

/// How many values of the plan's spread digit (GroupPlan::getSpread) a tile of
/// `shape` has the columns of: 1 unless it is as wide as a few of them.
int64_t countPieces(const GroupPlan &plan, const ContractionShape &shape);

/// Whether in memory the elements of `operand` that are summed over, which
/// `inner` counts, lie closer to each other than those of one of its rows or
/// columns.
bool isInnerLast(const GroupPlan &plan, mlir::OpOperand &operand,
                 llvm::ArrayRef<unsigned> outer,
                 llvm::ArrayRef<unsigned> inner);

/// The tiles of a chained product (GroupPlan::getChained), from which `operand`
/// of a product of shape `around` is computed: they are tiles of the operand,
/// by as many warps. Nothing if they are too small for so many.
std::optional<ContractionShape> shapeOfChained(const GroupPlan &plan,
                                               mlir::OpOperand &operand,
                                               mlir::linalg::LinalgOp chained,
                                               const ContractionShape &around);

/// The shapes for the products of `plans`, which are sections of one kernel, on
/// the GPU that runs code for `chip`, as ptxas names it; where there is none,
/// for a processor. All are for as many warps; empty if that cannot be.
llvm::SmallVector<ContractionShape>
chooseContractionShapes(llvm::ArrayRef<const GroupPlan *> plans,
                        llvm::StringRef chip);

/// What a kernel of this shape does, for the cost model; sizes that are not
/// known count as in GroupCost.h. `bytes` are those of all operands and
/// results, once each.
KernelWork workOfProduct(const GroupPlan &plan, const ContractionShape &shape,
                         int64_t bytes);

} // namespace stof

#endif // STOF_COSTMODEL_CONTRACTIONSHAPE_H
