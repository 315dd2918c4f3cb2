//===----------------------------------------------------------------------===//
// Contractions on tensor cores with fused prologues and epilogues.
//
//   1. A CTA computes one tile of rows x columns of one batch element.
//   2. The mainloop iterates over K tiles. Each operand tile is loaded or
//      computed in the element order of its memory.
//   3. The other operations of the group are evaluated on the accumulators.
//===----------------------------------------------------------------------===//

#include "ContractionKernel.h"
#include "GroupGrid.h"
#include "MatmulMainloop.h"
#include "stof/IR/KernelAttributes.h"

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
  SmallVector<Value> accumulators =
      mainloop.emit(body, tile.firstRow, firstColumn, tile.batch);
  auto mma =
      tile::MmaAttr::get(body.getContext(), shape.rowWarps, shape.columnWarps);
  auto type =
      tile::FragmentType::get(body.getContext(), {shape.rows, shape.columns},
                              body.getF32Type(), tile.layout);
  for (Value &accumulator : accumulators)
    if (tile.layout != mma)
      accumulator = tile::ConvertOp::create(body, loc, type, accumulator);
  return accumulators;
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
  assert(shape.columns % tile.foldedCount == 0 &&
         "columns of a folded batch are whole");
  // With a batch dim folded into N, the epilogue treats each of its values as a
  // tile.
  int64_t columns = shape.columns / tile.foldedCount;
  std::deque<FragmentProgram> programs;
  for (int64_t number = 0; number < tile.foldedCount; ++number) {
    GroupTile subTile = tile;
    subTile.columns = columns;
    if (number > 0) {
      Value &value = subTile.batch[*plan.getFoldedBatch()];
      value = arith::AddIOp::create(body, loc, value, kernel.index(number));
    }
    programs.emplace_back(context, subTile);
  }
  // Emitted before any epilogue, so only accumulators are live in registers.
  SmallVector<Value> accumulators =
      emitContractions(context, tile, *shape.contraction);
  for (auto [number, program] : llvm::enumerate(programs)) {
    SmallVector<Value> slices(accumulators);
    if (tile.foldedCount > 1)
      for (Value &slice : slices) {
        auto whole = cast<tile::FragmentType>(slice.getType());
        auto type =
            tile::FragmentType::get(body.getContext(), {shape.rows, columns},
                                    whole.getElementType(), whole.getLayout());
        slice = tile::SliceOp::create(body, loc, type, slice,
                                      static_cast<int64_t>(number) * columns);
      }
    finish(context, program, slices);
  }
  programs.front().findInPlace();
}
