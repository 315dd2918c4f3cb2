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

/// The height of a band in tiles, for as many rows as about 256 CTAs that run
/// at once have columns.
static constexpr int64_t bandHeight = 16;

/// Whether tiles are numbered in bands: with more columns than rows among the
/// CTAs that run at once, these read more of the right operand than they have
/// to, and each row of tiles reads it again from memory if it exceeds L2.
static bool isBanded(const GroupPlan &plan, OpFoldResult columns) {
  std::optional<int64_t> count = getConstantIntValue(columns);
  return plan.getTemplate() == GroupTemplate::Contraction && count &&
         *count > bandHeight / 2;
}

/// Row and column of tile `number` of rows x columns, in bands of which the
/// last one may have fewer rows. Rows are numbered fastest in a band.
static std::pair<Value, Value> placeInBand(KernelBuilder &kernel, Value number,
                                           OpFoldResult rows,
                                           OpFoldResult columns) {
  OpBuilder &body = kernel.body();
  Location loc = kernel.loc();
  std::optional<int64_t> count = getConstantIntValue(rows);
  int64_t most =
      count ? std::clamp<int64_t>(*count, 1, bandHeight) : bandHeight;
  Value height = kernel.index(most);
  Value perBand =
      body.createOrFold<arith::MulIOp>(loc, kernel.getSize(columns), height);
  Value band = arith::DivUIOp::create(body, loc, number, perBand);
  Value inBand = arith::RemUIOp::create(body, loc, number, perBand);
  Value firstRow = arith::MulIOp::create(body, loc, band, height);
  if (!count || *count % most != 0) {
    Value rest =
        arith::SubIOp::create(body, loc, kernel.getSize(rows), firstRow);
    height = arith::MinUIOp::create(body, loc, rest, height);
  }
  Value row = arith::RemUIOp::create(body, loc, inBand, height);
  return {arith::AddIOp::create(body, loc, firstRow, row),
          arith::DivUIOp::create(body, loc, inBand, height)};
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
  Value row, column;
  SmallVector<Value> coordinates;
  if (isBanded(plan, columns)) {
    radix.push_back(body.createOrFold<arith::MulIOp>(loc, kernel.getSize(rows),
                                                     kernel.getSize(columns)));
    coordinates = delinearize(body, loc, context.getCta(), radix);
    std::tie(row, column) =
        placeInBand(kernel, coordinates.pop_back_val(), rows, columns);
  } else {
    radix.push_back(kernel.getSize(rows));
    radix.push_back(kernel.getSize(columns));
    coordinates = delinearize(body, loc, context.getCta(), radix);
    column = coordinates.pop_back_val();
    row = coordinates.pop_back_val();
  }
  GroupTile tile;
  tile.rows = shape.rows;
  tile.columns = shape.columns;
  tile.layout = shape.layout;
  tile.firstColumn =
      arith::MulIOp::create(body, loc, column, kernel.index(shape.columns));
  tile.firstRow =
      arith::MulIOp::create(body, loc, row, kernel.index(shape.rows));
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
