//===----------------------------------------------------------------------===//
// Tiles of a contraction.
//
// Few large tiles reload operands less often, many small ones occupy all SMs.
// The cost model (CostModel.h) chooses among the shapes that kernels were
// measured with.
//===----------------------------------------------------------------------===//

#ifndef STOF_COSTMODEL_MATMULTILE_H
#define STOF_COSTMODEL_MATMULTILE_H

#include "stof/CostModel/CostModel.h"
#include "stof/Fusion/GroupPlan.h"
#include "stof/IR/Stof.h"
#include "stof/Support/TargetInfo.h"

#include <tuple>

namespace stof {

struct MatmulTile {
  /// BLOCK_M and BLOCK_N.
  int64_t rows, columns;
  /// BLOCK_K.
  int64_t blockK;
  int64_t rowWarps, columnWarps;
  int64_t stages;
  /// The warps that load, in addition to those that compute.
  int64_t producers = 0;
  /// The CTAs of an SM that share all tiles; 0 if each CTA has one.
  int64_t resident = 0;
  /// The groups of warps of a CTA that compute its tiles in turn.
  int64_t groups = 1;

  /// Those that compute a tile.
  int64_t getNumWarps() const { return rowWarps * columnWarps; }

  /// Conversion to and from the attribute of a group.
  MatmulTileAttr toAttribute(mlir::MLIRContext *context) const;
  static MatmulTile fromAttribute(MatmulTileAttr attribute);

  bool operator==(const MatmulTile &other) const {
    auto all = [](const MatmulTile &shape) {
      return std::tie(shape.rows, shape.columns, shape.blockK, shape.rowWarps,
                      shape.columnWarps, shape.stages, shape.producers,
                      shape.resident, shape.groups);
    };
    return all(*this) == all(other);
  }
};

/// The size of an operand element.
int64_t getOperandBytes(mlir::linalg::LinalgOp contraction);

/// The number of values of the folded batch dim factor
/// (GroupPlan::getFoldedBatch) whose columns a tile of `shape` spans; 1 if the
/// width of the tile is no multiple of the columns.
int64_t countFoldedBatch(const GroupPlan &plan, const MatmulTile &shape);

/// Whether K, with the dim factors `reduction`, varies faster in the memory of
/// `operand` than its rows or columns, with the dim factors `outer`.
bool isKContiguous(const GroupPlan &plan, mlir::OpOperand &operand,
                   llvm::ArrayRef<unsigned> outer,
                   llvm::ArrayRef<unsigned> reduction);

/// The tile of a back-to-back contraction (GroupPlan::getBackToBack) that
/// computes `operand` of a contraction of shape `around`: a tile of the
/// operand, for the same number of warps. Nothing if it is too small for these.
std::optional<MatmulTile> getBackToBackTile(const GroupPlan &plan,
                                            mlir::OpOperand &operand,
                                            mlir::linalg::LinalgOp backToBack,
                                            const MatmulTile &around);

/// The tiles for the contractions of `plans`, branches of one kernel, on
/// `target`, or the CPU if it is null. All have the same number of warps; empty
/// if none have.
llvm::SmallVector<MatmulTile>
chooseMatmulTiles(llvm::ArrayRef<const GroupPlan *> plans,
                  const TargetInfo *target);

/// All tiles that the contractions of `plans`, branches of one kernel, can have
/// on `target`: those among which chooseMatmulTiles does, and the same with
/// other K tiles and stages that fit in shared memory. On the CPU there is one
/// choice.
std::vector<llvm::SmallVector<MatmulTile>>
listMatmulTiles(llvm::ArrayRef<const GroupPlan *> plans,
                const TargetInfo *target);

/// The work of a kernel of this shape, with dynamic sizes estimated as in
/// GroupCost.h. `bytes` is the size of all operands and results, counted once.
KernelWork countMatmulWork(const GroupPlan &plan, const MatmulTile &shape,
                           int64_t bytes);

} // namespace stof

#endif // STOF_COSTMODEL_MATMULTILE_H
