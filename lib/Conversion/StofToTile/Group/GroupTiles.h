//===----------------------------------------------------------------------===//
// The tiles of the branches of a group: what there is to choose in its kernel.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_STOFTOTILE_GROUP_GROUPTILES_H
#define STOF_LIB_CONVERSION_STOFTOTILE_GROUP_GROUPTILES_H

#include "stof/CostModel/MatmulTile.h"
#include "stof/Fusion/GroupBranches.h"
#include "stof/IR/Stof.h"
#include "stof/Support/TargetInfo.h"

#include <variant>

namespace stof {

/// The tile of a CTA without MMAs: adjacent elements of a thread, and its warps
/// along rows and columns.
struct ThreadTile {
  int64_t elements, rowWarps, columnWarps;

  int64_t getNumWarps() const { return rowWarps * columnWarps; }
  bool operator==(const ThreadTile &other) const {
    return elements == other.elements && rowWarps == other.rowWarps &&
           columnWarps == other.columnWarps;
  }
};

/// The tile of a branch.
using BranchTile = std::variant<MatmulTile, ThreadTile>;
/// One tile for each branch, all with the same number of warps.
using BranchTiles = llvm::SmallVector<BranchTile>;

/// The number of steps in which a thread of `tile` takes its elements of a full
/// row of `plan`, which is then read once; nothing if they exceed its
/// registers, or if the length is unknown.
std::optional<int64_t> countSteps(const GroupPlan &plan,
                                  const ThreadTile &tile);

/// The lanes of a warp that share a row of `plan`.
int64_t countLanes(const GroupPlan &plan, const ThreadTile &tile);

/// The tiles that the cost model chooses for `target`, or for CPUs if it is
/// null.
BranchTiles chooseTiles(const GroupBranches &branches,
                        const TargetInfo *target);

/// All tiles that the kernel of `branches` can have on `target`; those that
/// chooseTiles returns are among them.
std::vector<BranchTiles> listTiles(const GroupBranches &branches,
                                   const TargetInfo *target);

/// Conversion to and from the attribute of a group.
mlir::ArrayAttr toAttribute(mlir::MLIRContext *context,
                            llvm::ArrayRef<BranchTile> tiles);
BranchTiles fromAttribute(mlir::ArrayAttr attribute);

/// The tiles that `group` asks for, if it does, else those that the cost model
/// chooses. An error if its kernel cannot have them.
mlir::FailureOr<BranchTiles> getTiles(GroupOp group,
                                      const GroupBranches &branches,
                                      const TargetInfo *target);

} // namespace stof

#endif // STOF_LIB_CONVERSION_STOFTOTILE_GROUP_GROUPTILES_H
