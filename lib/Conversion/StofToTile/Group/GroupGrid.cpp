//===----------------------------------------------------------------------===//
// The tiles of the branches of a group, and their assignment to CTAs.
//===----------------------------------------------------------------------===//

#include "GroupGrid.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace stof;

/// The number of values of the folded batch dim factor in the columns of a
/// tile.
static int64_t countFolded(const GroupPlan &plan, const GroupShape &shape) {
  return shape.contraction ? countFoldedBatch(plan, *shape.contraction) : 1;
}

/// The number of tiles along each dim factor of the batch.
static SmallVector<OpFoldResult> sizesOfBatch(GroupContext &context,
                                              const GroupShape &shape) {
  const GroupPlan &plan = context.getPlan();
  OpBuilder &host = context.kernel().host();
  int64_t folded = countFolded(plan, shape);
  SmallVector<OpFoldResult> sizes;
  for (unsigned dimFactor : plan.getBatch())
    sizes.push_back(folded > 1 && plan.getFoldedBatch() == dimFactor
                        ? OpFoldResult(host.getIndexAttr(
                              plan.getExtent(dimFactor).size / folded))
                        : context.getHostSize(dimFactor));
  return sizes;
}

/// The number of tiles along rows and columns.
static std::pair<OpFoldResult, OpFoldResult>
countAlong(GroupContext &context, const GroupShape &shape) {
  OpBuilder &host = context.kernel().host();
  Location loc = context.kernel().loc();
  const GroupPlan &plan = context.getPlan();
  OpFoldResult rows =
      ceilDiv(host, loc, context.getHostSize(plan.getRows()), shape.rows);
  OpFoldResult columns = host.getIndexAttr(1);
  if (plan.getTemplate() != GroupTemplate::Rows &&
      countFolded(plan, shape) == 1)
    columns = ceilDiv(host, loc, context.getHostSize(plan.getColumns()),
                      shape.columns);
  return {rows, columns};
}

GroupTile stof::placeTile(GroupContext &context, const GroupShape &shape) {
  KernelBuilder &kernel = context.kernel();
  const GroupPlan &plan = context.getPlan();
  OpBuilder &body = kernel.body();
  Location loc = kernel.loc();
  auto [rows, columns] = countAlong(context, shape);
  SmallVector<Value> radix =
      llvm::map_to_vector(sizesOfBatch(context, shape), [&](OpFoldResult size) {
        return kernel.getSize(size);
      });
  radix.push_back(kernel.getSize(rows));
  radix.push_back(kernel.getSize(columns));
  SmallVector<Value> coordinates =
      delinearize(body, loc, context.getCta(), radix);
  GroupTile tile;
  tile.rows = shape.rows;
  tile.columns = shape.columns;
  tile.layout = shape.layout;
  tile.firstColumn = arith::MulIOp::create(
      body, loc, coordinates.pop_back_val(), kernel.index(shape.columns));
  tile.firstRow = arith::MulIOp::create(body, loc, coordinates.pop_back_val(),
                                        kernel.index(shape.rows));
  for (auto [dimFactor, value] : llvm::zip(plan.getBatch(), coordinates))
    tile.batch[dimFactor] = value;
  tile.foldedCount = countFolded(plan, shape);
  if (tile.foldedCount > 1) {
    Value &first = tile.batch[*plan.getFoldedBatch()];
    first =
        arith::MulIOp::create(body, loc, first, kernel.index(tile.foldedCount));
  }
  return tile;
}

OpFoldResult stof::countTiles(GroupContext &context, const GroupShape &shape) {
  auto [rows, columns] = countAlong(context, shape);
  KernelBuilder &kernel = context.kernel();
  SmallVector<OpFoldResult> tiles = sizesOfBatch(context, shape);
  tiles.append({rows, columns});
  return productOf(kernel.host(), kernel.loc(), ArrayRef(tiles));
}
