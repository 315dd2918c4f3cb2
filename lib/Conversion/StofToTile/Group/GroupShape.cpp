//===----------------------------------------------------------------------===//
// The tile shapes of the branches of a group.
//===----------------------------------------------------------------------===//

#include "GroupShape.h"
#include "stof/Support/WarpShape.h"

using namespace mlir;
using namespace stof;

static GroupShape shapeOfThreads(const GroupPlan &plan,
                                 const ThreadTile &tile) {
  MLIRContext *context = plan.getMainOperation()->getContext();
  int64_t lanes = countLanes(plan, tile);
  std::optional<int64_t> steps = countSteps(plan, tile);
  auto layout = tile::BlockedAttr::get(context, {1, tile.elements},
                                       {lanesPerWarp / lanes, lanes},
                                       {tile.rowWarps, tile.columnWarps});
  return {lanesPerWarp / lanes * tile.rowWarps,
          tile.elements * lanes * tile.columnWarps * steps.value_or(1),
          tile.getNumWarps(), cast<tile::LayoutInterface>(layout),
          /*isWhole=*/steps.has_value()};
}

/// The layout of the epilogue: contiguous columns per thread where BLOCK_N
/// allows it, for wide stores.
static tile::LayoutInterface layoutOf(MLIRContext *context,
                                      const MatmulTile &shape) {
  auto contiguous =
      tile::MmaRunsAttr::get(context, shape.rowWarps, shape.columnWarps);
  if (shape.columns % contiguous.getUnitAlong(1) == 0)
    return contiguous;
  return tile::MmaAttr::get(context, shape.rowWarps, shape.columnWarps);
}

static GroupShape shapeOfContraction(MLIRContext *context,
                                     const MatmulTile &shape) {
  return {shape.rows,          shape.columns,
          shape.getNumWarps(), layoutOf(context, shape),
          /*isWhole=*/false,   shape};
}

SmallVector<GroupShape> stof::shapesOf(const GroupBranches &branches,
                                       ArrayRef<BranchTile> tiles) {
  SmallVector<GroupShape> shapes;
  for (auto [plan, tile] : llvm::zip_equal(branches.getBranches(), tiles)) {
    const auto *matmul = std::get_if<MatmulTile>(&tile);
    shapes.push_back(
        matmul
            ? shapeOfContraction(plan.getMainOperation()->getContext(), *matmul)
            : shapeOfThreads(plan, std::get<ThreadTile>(tile)));
  }
  return shapes;
}
