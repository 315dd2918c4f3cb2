//===----------------------------------------------------------------------===//
// Kernels that combine rows of elements: sums, maxima and the like, with an
// elementwise computation on what is combined.
//
//   1. Result elements and combined elements are numbered; a block takes a few
//      rows of results, each warp one of them.
//   2. The block walks over the combined elements in runs, keeping one partial
//      result for each thread.
//   3. Partial results are combined along the row, then with the initial value.
//===----------------------------------------------------------------------===//

#include "GroupKernels.h"
#include "ScalarBody.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace stof;

/// Rows of a block, one a warp.
static constexpr int64_t rowsPerBlock = 4;
/// Adjacent elements of a thread in a run.
static constexpr int64_t elementsPerThread = 4;

/// The operation that combines the result so far with a new value, or null.
static Operation *findCombiner(linalg::GenericOp op) {
  if (op.getNumDpsInits() != 1 || op.getNumReductionLoops() == 0)
    return nullptr;
  BlockArgument carried = op.getRegionOutputArgs().front();
  Operation *combiner =
      op.getBlock()->getTerminator()->getOperand(0).getDefiningOp();
  if (!combiner || !carried.hasOneUse() || *carried.user_begin() != combiner ||
      combiner->getNumOperands() != 2 || combiner->getNumResults() != 1 ||
      !arith::getNeutralElement(combiner))
    return nullptr;
  return combiner;
}

bool stof::isRowReduction(linalg::GenericOp op) {
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  auto simple = [](AffineExpr expr) {
    return isa<AffineDimExpr, AffineConstantExpr>(expr);
  };
  return findCombiner(op) && llvm::all_of(map.getResults(), simple);
}

/// Copies the combiner onto other operands.
static Value combine(OpBuilder &builder, Operation *combiner, Value lhs,
                     Value rhs) {
  Operation *copy = builder.clone(*combiner);
  copy->setOperands({lhs, rhs});
  return copy->getResult(0);
}

LogicalResult stof::emitReductionKernel(GroupContext &context,
                                        linalg::GenericOp op) {
  KernelBuilder &kernel = context.kernel();
  Location loc = kernel.loc();
  OpBuilder &body = kernel.body();
  Operation *combiner = findCombiner(op);
  BlockArgument carried = op.getRegionOutputArgs().front();
  Value combined = combiner->getOperand(combiner->getOperand(0) == carried);
  Type element = combined.getType();
  FailureOr<SmallVector<OpFoldResult>> loops = context.getLoopSizes(op);
  if (failed(loops))
    return failure();

  IRMapping values;
  context.bindCaptured(op.getRegion(), values);
  for (OpOperand *input : op.getDpsInputOperands())
    context.lookup(input->get());
  OpOperand &init = *op.getDpsInitOperand(0);
  auto fill = init.get().getDefiningOp<linalg::FillOp>();
  if (!fill && !isa<BlockArgument>(init.get()))
    return op.emitOpError() << "cannot be compiled: it reads an initial value "
                               "that nothing defines";
  Value start = context.lookup(fill ? fill.value() : init.get());

  // Loops by what they number: rows of results, or combined elements.
  SmallVector<unsigned> rowLoops, runLoops;
  SmallVector<Value> rowSizes, runSizes;
  SmallVector<OpFoldResult> hostRows;
  AffineMap resultMap = op.getMatchingIndexingMap(&init);
  for (AffineExpr expr : resultMap.getResults())
    if (auto loop = dyn_cast<AffineDimExpr>(expr)) {
      rowLoops.push_back(loop.getPosition());
      hostRows.push_back((*loops)[loop.getPosition()]);
      rowSizes.push_back(kernel.getSize(hostRows.back()));
    }
  for (auto [loop, iterator] : llvm::enumerate(op.getIteratorTypesArray()))
    if (iterator == utils::IteratorType::reduction) {
      runLoops.push_back(loop);
      runSizes.push_back(kernel.getSize((*loops)[loop]));
    }

  int64_t run = lanesPerWarp * elementsPerThread;
  kernel.setSchedule("row reduction", {{"rows", rowsPerBlock}, {"run", run}});
  auto layout =
      tile::BlockedAttr::get(body.getContext(), {1, elementsPerThread},
                             {1, lanesPerWarp}, {rowsPerBlock, 1});
  auto partialType = tile::FragmentType::get(
      body.getContext(), {rowsPerBlock, run}, element, layout);
  Value one = kernel.index(1);
  Value firstRow =
      arith::MulIOp::create(body, loc, kernel.getBlockId(gpu::Dimension::x),
                            kernel.index(rowsPerBlock));
  Value rows = productOf(body, loc, rowSizes);
  Value lastRow = arith::SubIOp::create(body, loc, rows, one);
  Value length = productOf(body, loc, runSizes);
  Value lastOfRun = arith::SubIOp::create(body, loc, length, one);
  Value neutral =
      arith::ConstantOp::create(body, loc, *arith::getNeutralElement(combiner));
  Value partial = tile::SplatOp::create(body, loc, partialType, neutral);

  auto walk = scf::ForOp::create(
      body, loc, kernel.index(0), length, kernel.index(run), partial,
      [&](OpBuilder &builder, Location loc, Value from, ValueRange sofar) {
        Value next =
            tile::MapOp::create(
                builder, loc, TypeRange(partialType), sofar,
                [&](OpBuilder &inner, Location loc, ValueRange in,
                    ValueRange elements) {
                  Value row = arith::MinUIOp::create(
                      inner, loc,
                      arith::AddIOp::create(inner, loc, firstRow, in[0]),
                      lastRow);
                  Value number = arith::AddIOp::create(inner, loc, from, in[1]);
                  Value exists = arith::CmpIOp::create(
                      inner, loc, arith::CmpIPredicate::ult, number, length);
                  number =
                      arith::MinUIOp::create(inner, loc, number, lastOfRun);
                  SmallVector<Value> coordinates(op.getNumLoops());
                  for (auto [loop, at] : llvm::zip(
                           rowLoops, delinearize(inner, loc, row, rowSizes)))
                    coordinates[loop] = at;
                  for (auto [loop, at] : llvm::zip(
                           runLoops, delinearize(inner, loc, number, runSizes)))
                    coordinates[loop] = at;
                  IRMapping point = values;
                  for (OpOperand *input : op.getDpsInputOperands())
                    point.map(op.getMatchingBlockArgument(input),
                              context.loadElement(inner, *input, coordinates));
                  // The combiner is copied too, on the partial result.
                  point.map(carried, elements[0]);
                  Value updated =
                      copyScalarBody(inner, *op.getBlock(), point, coordinates)
                          .front();
                  return SmallVector<Value>{arith::SelectOp::create(
                      inner, loc, exists, updated, elements[0])};
                })
                .getResult(0);
        scf::YieldOp::create(builder, loc, next);
      });
  Value rowResult = tile::ReduceOp::create(
      body, loc, walk.getResult(0), /*dim=*/1,
      [&](OpBuilder &builder, Location, Value lhs, Value rhs) {
        return combine(builder, combiner, lhs, rhs);
      });
  Value result =
      tile::MapOp::create(
          body, loc, TypeRange(rowResult.getType()), rowResult,
          [&](OpBuilder &builder, Location loc, ValueRange in,
              ValueRange elements) {
            Value initial = start;
            if (!fill) {
              Value row = arith::MinUIOp::create(
                  builder, loc,
                  arith::AddIOp::create(builder, loc, firstRow, in[0]),
                  lastRow);
              SmallVector<Value> coordinates(op.getNumLoops());
              for (auto [loop, at] : llvm::zip(
                       rowLoops, delinearize(builder, loc, row, rowSizes)))
                coordinates[loop] = at;
              initial = context.loadElement(builder, init, coordinates);
            }
            return SmallVector<Value>{
                combine(builder, combiner, initial, elements[0])};
          })
          .getResult(0);
  OpFoldResult count = productOf(kernel.host(), loc, hostRows);
  Value flat =
      reshapeBuffer(kernel.host(), loc, context.getResults().front(), count);
  tile::StoreOp::create(body, loc, result, kernel.getArgument(flat), firstRow,
                        body.getDenseI64ArrayAttr({0}));
  kernel.launch(ceilDiv(kernel.host(), loc, count, rowsPerBlock));
  return success();
}
