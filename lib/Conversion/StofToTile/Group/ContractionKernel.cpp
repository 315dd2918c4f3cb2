//===----------------------------------------------------------------------===//
// Contractions on tensor cores with fused prologues and epilogues.
//
//   1. A CTA computes one tile of rows x columns of one batch element.
//   2. The mainloop iterates over K tiles. Each operand tile is loaded or
//      computed in the element order of its memory.
//   3. The other operations of the group are evaluated on the accumulators, on
//      some columns after others where these leave few registers.
//===----------------------------------------------------------------------===//

#include "ContractionKernel.h"
#include "GroupGrid.h"
#include "MatmulMainloop.h"
#include "stof/IR/KernelAttributes.h"
#include "stof/Support/WarpShape.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <deque>

using namespace mlir;
using namespace stof;

/// Emits the mainloop; returns the accumulators of all contractions.
static SmallVector<Value> emitContractions(GroupContext &context,
                                           const GroupTile &tile,
                                           const MatmulTile &shape) {
  KernelBuilder &kernel = context.kernel();
  const GroupPlan &plan = context.getPlan();
  Location loc = kernel.loc();
  OpBuilder &body = kernel.body();
  // A batch dim folded into N precedes the columns in the right operands.
  DimFactors columns(plan.getColumns());
  Value firstColumn = tile.firstColumn;
  if (tile.foldedCount > 1) {
    columns.insert(columns.begin(), *plan.getFoldedBatch());
    firstColumn = arith::MulIOp::create(
        body, loc, tile.batch.lookup(*plan.getFoldedBatch()),
        kernel.index(shape.columns / tile.foldedCount));
  }
  SmallVector<std::pair<StringRef, int64_t>> schedule{
      {"rows", shape.rows},
      {"columns", shape.columns},
      {"block_k", shape.blockK},
      {"row_warps", shape.rowWarps},
      {stagesEntry, shape.stages}};
  if (shape.producers > 0)
    schedule.push_back({producersEntry, shape.producers});
  if (shape.resident > 0)
    schedule.push_back({residentEntry, shape.resident});
  if (shape.groups > 1)
    schedule.push_back({groupsEntry, shape.groups});
  kernel.setSchedule("contraction", schedule);
  MatmulMainloop mainloop(context, plan.getContractions(),
                          {DimFactors(plan.getRows()), columns}, shape, tile);
  return mainloop.emit(body, tile.firstRow, firstColumn, tile.batch);
}

/// The parts of a tile whose epilogues are evaluated one after another: one for
/// each value of a batch dim that is folded into N, or so many more as leave
/// registers for operands of the epilogue next to the accumulators.
static int64_t countParts(const GroupPlan &plan, const GroupTile &tile,
                          const MatmulTile &shape) {
  bool isElementwise =
      plan.getElementReads().empty() &&
      llvm::all_of(plan.getOperations(), [&](linalg::LinalgOp op) {
        return plan.isInPrologue(op) ||
               llvm::is_contained(plan.getContractions(), op) ||
               plan.getRole(op) == OperationRole::Map;
      });
  // Of a thread, for a part of those that are many.
  constexpr int64_t few = 32, many = 128;
  int64_t accumulators = plan.getContractions().size() * shape.rows *
                         shape.columns / (shape.getNumWarps() * lanesPerWarp);
  int64_t parts = tile.foldedCount;
  if (!isElementwise || shape.columnWarps > 1 || accumulators < many)
    return parts;
  int64_t units = shape.columns / tile.layout.getUnitAlong(1);
  for (int64_t more = parts; more <= units && accumulators > parts * few;
       more += tile.foldedCount)
    if (units % more == 0)
      parts = more;
  return parts;
}

/// `columns` of a fragment from `first` on, in `layout`.
static Value takeColumns(OpBuilder &builder, Location loc, Value fragment,
                         int64_t first, int64_t columns,
                         tile::LayoutInterface layout) {
  auto whole = cast<tile::FragmentType>(fragment.getType());
  auto getType = [&](tile::LayoutInterface of) {
    return tile::FragmentType::get(builder.getContext(),
                                   {whole.getShape()[0], columns},
                                   whole.getElementType(), of);
  };
  if (columns < whole.getShape()[1])
    fragment = tile::SliceOp::create(builder, loc, getType(whole.getLayout()),
                                     fragment, first);
  return whole.getLayout() == layout
             ? fragment
             : tile::ConvertOp::create(builder, loc, getType(layout), fragment);
}

/// The epilogue of a tile, or of one sub-tile.
static void finish(GroupContext &context, FragmentProgram &program,
                   ArrayRef<Value> accumulators) {
  KernelBuilder &kernel = context.kernel();
  const GroupPlan &plan = context.getPlan();
  for (linalg::LinalgOp op : plan.getOperations()) {
    if (plan.isInPrologue(op))
      continue;
    const auto *contraction = llvm::find(plan.getContractions(), op);
    if (contraction != plan.getContractions().end())
      program.finishContraction(
          kernel.body(), op,
          accumulators[contraction - plan.getContractions().begin()]);
    else if (plan.getRole(op) == OperationRole::Reduction)
      program.reduce(kernel.body(), op);
    else
      program.evaluate(kernel.body(), op);
  }
  program.storeResults(kernel.body(), /*rowValued=*/true);
  program.storeResults(kernel.body(), /*rowValued=*/false);
}

void stof::emitContraction(GroupContext &context, const GroupShape &shape) {
  KernelBuilder &kernel = context.kernel();
  OpBuilder &body = kernel.body();
  const GroupPlan &plan = context.getPlan();
  Location loc = kernel.loc();
  GroupTile tile = placeTile(context, shape);
  int64_t parts = countParts(plan, tile, *shape.contraction);
  assert(shape.columns % parts == 0 && "parts are alike");
  int64_t columns = shape.columns / parts;
  std::deque<FragmentProgram> programs;
  int64_t ofValue = parts / tile.foldedCount;
  auto moveBy = [&](Value &first, int64_t distance) {
    if (distance > 0)
      first = arith::AddIOp::create(body, loc, first, kernel.index(distance));
  };
  for (int64_t number = 0; number < parts; ++number) {
    GroupTile part = tile;
    part.columns = columns;
    if (tile.foldedCount > 1)
      moveBy(part.batch[*plan.getFoldedBatch()], number / ofValue);
    moveBy(part.firstColumn, number % ofValue * columns);
    programs.emplace_back(context, part);
  }
  // Emitted before any epilogue, so only accumulators are live in registers.
  SmallVector<Value> accumulators =
      emitContractions(context, tile, *shape.contraction);
  int64_t first = 0;
  for (FragmentProgram &program : programs) {
    auto taken = llvm::map_to_vector(accumulators, [&](Value accumulator) {
      return takeColumns(body, loc, accumulator, first, columns, tile.layout);
    });
    finish(context, program, taken);
    first += columns;
  }
  programs.front().findInPlace();
}
