//===----------------------------------------------------------------------===//
// Kernels that compute every element on its own: elementwise operations,
// gathers, transposes, and any reduction that has no better kernel.
//
//   1. The elements of the result are numbered; a block takes a run of them.
//   2. Each number is split into the result's indices, those into the loops'.
//   3. Inputs are read where the indexing maps say, the body is copied; loops
//      that reduce become loops around it.
//   4. The run is stored; elements beyond the last are computed from the last
//      one's inputs, so that nothing else is read, and dropped.
//===----------------------------------------------------------------------===//

#include "GroupKernels.h"
#include "ScalarBody.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace stof;

/// Warps of a block.
static constexpr int64_t elementwiseWarps = 4;

/// Adjacent elements of a thread: whole vectors of 4-byte elements, but single
/// elements where each is a loop of its own.
static int64_t elementsPerThread(linalg::GenericOp op) {
  return op.getNumReductionLoops() ? 1 : 4;
}

/// Where the loop coordinates are found in the indices of the results: the
/// position for parallel loops, nothing for those that reduce.
static FailureOr<SmallVector<std::optional<unsigned>>>
locateLoops(linalg::GenericOp op) {
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  for (OpOperand &init : op.getDpsInitsMutable())
    if (op.getMatchingIndexingMap(&init) != map)
      return op.emitOpError() << "cannot be compiled: its results have "
                                 "different indexing maps";
  SmallVector<std::optional<unsigned>> positions(op.getNumLoops());
  for (auto [position, expr] : llvm::enumerate(map.getResults())) {
    if (auto loop = dyn_cast<AffineDimExpr>(expr))
      positions[loop.getPosition()] = position;
    else if (!isa<AffineConstantExpr>(expr))
      return op.emitOpError() << "cannot be compiled: its result is indexed by "
                              << AffineMapAttr::get(map);
  }
  for (auto [loop, iterator] : llvm::enumerate(op.getIteratorTypesArray()))
    if (iterator == utils::IteratorType::parallel && !positions[loop])
      return op.emitOpError() << "cannot be compiled: its result does not "
                                 "depend on parallel loop "
                              << loop;
  return positions;
}

/// Copies the body for one point of the iteration space. `carried` are the
/// values of the results so far.
static SmallVector<Value> copyPoint(GroupContext &context, linalg::GenericOp op,
                                    OpBuilder &builder, IRMapping values,
                                    ValueRange coordinates,
                                    ValueRange carried) {
  Block *body = op.getBlock();
  for (OpOperand *input : op.getDpsInputOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(input);
    if (!argument.use_empty())
      values.map(argument, context.loadElement(builder, *input, coordinates));
  }
  for (auto [argument, value] : llvm::zip(op.getRegionOutputArgs(), carried))
    values.map(argument, value);
  return copyScalarBody(builder, *body, values, coordinates);
}

/// The value of result `init` before the body has run at these coordinates.
static Value initialElement(GroupContext &context, linalg::GenericOp op,
                            OpOperand &init, OpBuilder &builder,
                            ValueRange coordinates) {
  if (auto fill = init.get().getDefiningOp<linalg::FillOp>())
    return context.lookup(fill.value());
  if (isa<BlockArgument>(init.get()))
    return context.loadElement(builder, init, coordinates);
  return {};
}

LogicalResult stof::emitElementwiseKernel(GroupContext &context,
                                          linalg::GenericOp op) {
  KernelBuilder &kernel = context.kernel();
  Location loc = kernel.loc();
  FailureOr<SmallVector<std::optional<unsigned>>> positions = locateLoops(op);
  FailureOr<SmallVector<OpFoldResult>> loops = context.getLoopSizes(op);
  if (failed(positions) || failed(loops))
    return failure();

  // Arguments and captured scalars are made available before the map begins.
  IRMapping values;
  context.bindCaptured(op.getRegion(), values);
  for (OpOperand &operand : op->getOpOperands()) {
    if (auto fill = operand.get().getDefiningOp<linalg::FillOp>())
      context.lookup(fill.value());
    else if (!operand.get().getDefiningOp() ||
             !isa<ShapedType>(operand.get().getType()))
      if (op.payloadUsesValueFromOperand(&operand))
        context.lookup(operand.get());
  }
  SmallVector<Value> loopSizes, resultSizes;
  for (OpFoldResult size : *loops)
    loopSizes.push_back(kernel.getSize(size));
  Value firstResult = context.getResults().front();
  SmallVector<OpFoldResult> hostSizes =
      sizesOf(kernel.host(), loc, firstResult);
  for (OpFoldResult size : hostSizes)
    resultSizes.push_back(kernel.getSize(size));

  // Numbered elements of a block.
  OpBuilder &body = kernel.body();
  int64_t elements = elementsPerThread(op);
  int64_t run = elements * lanesPerWarp * elementwiseWarps;
  kernel.setSchedule("elementwise", {{"run", run}});
  Value first = arith::MulIOp::create(
      body, loc, kernel.getBlockId(gpu::Dimension::x), kernel.index(run));
  Value total = productOf(body, loc, resultSizes);
  Value last = arith::SubIOp::create(body, loc, total, kernel.index(1));
  auto layout = tile::BlockedAttr::get(body.getContext(), {elements},
                                       {lanesPerWarp}, {elementwiseWarps});
  SmallVector<Type> types;
  for (Value result : context.getResults())
    types.push_back(tile::FragmentType::get(
        body.getContext(), {run},
        cast<MemRefType>(result.getType()).getElementType(), layout));
  bool missingInit = false;
  auto map = tile::MapOp::create(
      body, loc, types, ValueRange(),
      [&](OpBuilder &builder, Location loc, ValueRange in, ValueRange) {
        Value number = arith::MinUIOp::create(
            builder, loc, arith::AddIOp::create(builder, loc, first, in[0]),
            last);
        SmallVector<Value> indices =
            delinearize(builder, loc, number, resultSizes);
        SmallVector<Value> coordinates(op.getNumLoops());
        SmallVector<unsigned> reductions;
        for (auto [loop, position] : llvm::enumerate(*positions)) {
          if (position)
            coordinates[loop] = indices[*position];
          else
            reductions.push_back(loop);
        }
        SmallVector<Value> carried;
        Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
        SmallVector<Value> atStart(coordinates);
        for (Value &coordinate : atStart)
          if (!coordinate)
            coordinate = zero;
        for (OpOperand &init : op.getDpsInitsMutable()) {
          Value value;
          if (op.payloadUsesValueFromOperand(&init)) {
            value = initialElement(context, op, init, builder, atStart);
            missingInit |= !value;
          }
          if (!value) // never read
            value = arith::ConstantOp::create(
                builder, loc,
                builder.getZeroAttr(
                    cast<ShapedType>(init.get().getType()).getElementType()));
          carried.push_back(value);
        }
        if (reductions.empty())
          return copyPoint(context, op, builder, values, coordinates, carried);
        SmallVector<Value> lower(reductions.size(), zero), upper;
        SmallVector<Value> step(
            reductions.size(), arith::ConstantIndexOp::create(builder, loc, 1));
        for (unsigned loop : reductions)
          upper.push_back(loopSizes[loop]);
        scf::LoopNest nest = scf::buildLoopNest(
            builder, loc, lower, upper, step, carried,
            [&](OpBuilder &inner, Location, ValueRange at, ValueRange sofar) {
              for (auto [loop, value] : llvm::zip(reductions, at))
                coordinates[loop] = value;
              SmallVector<Value> updated =
                  copyPoint(context, op, inner, values, coordinates, sofar);
              return scf::ValueVector(updated.begin(), updated.end());
            });
        return SmallVector<Value>(nest.results);
      });
  if (missingInit)
    return op.emitOpError() << "cannot be compiled: it reads an initial value "
                               "that nothing defines";
  OpFoldResult count = productOf(kernel.host(), loc, hostSizes);
  for (auto [result, fragment] :
       llvm::zip(context.getResults(), map.getResults())) {
    Value flat = reshapeBuffer(kernel.host(), loc, result, count);
    tile::StoreOp::create(body, loc, fragment, kernel.getArgument(flat), first,
                          body.getDenseI64ArrayAttr({0}));
  }
  kernel.launch(ceilDiv(kernel.host(), loc, count, run));
  return success();
}

void stof::emitCopyKernel(KernelBuilder &kernel, Value from, Value to) {
  Location loc = kernel.loc();
  OpBuilder &body = kernel.body();
  int64_t elements = 4, run = elements * lanesPerWarp * elementwiseWarps;
  kernel.setSchedule("copy", {{"run", run}});
  OpFoldResult count =
      productOf(kernel.host(), loc, sizesOf(kernel.host(), loc, to));
  Value source = reshapeBuffer(kernel.host(), loc, from, count);
  Value destination = reshapeBuffer(kernel.host(), loc, to, count);
  auto layout = tile::BlockedAttr::get(body.getContext(), {elements},
                                       {lanesPerWarp}, {elementwiseWarps});
  auto type = tile::FragmentType::get(
      body.getContext(), {run}, cast<MemRefType>(to.getType()).getElementType(),
      layout);
  Value first = arith::MulIOp::create(
      body, loc, kernel.getBlockId(gpu::Dimension::x), kernel.index(run));
  auto along = body.getDenseI64ArrayAttr({0});
  Value moved = tile::LoadOp::create(body, loc, type,
                                     kernel.getArgument(source), first, along);
  tile::StoreOp::create(body, loc, moved, kernel.getArgument(destination),
                        first, along);
  kernel.launch(ceilDiv(kernel.host(), loc, count, run));
}
