//===----------------------------------------------------------------------===//
// Matrix products on tensor cores with an elementwise epilogue.
//
//   1. A block computes one tile of rows x columns of one batch element.
//   2. It walks over the inner dimension, loading a tile of each operand in the
//      order in which it lies in memory.
//   3. The epilogue is evaluated on the accumulators, its other operands are
//      read where its indexing maps say.
//===----------------------------------------------------------------------===//

#include "GroupKernels.h"
#include "ScalarBody.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include <climits>

using namespace mlir;
using namespace stof;

/// Rows and columns of a block's tile.
static constexpr int64_t tileRows = 64;
static constexpr int64_t tileColumns = 64;
/// The depth of a step in bytes: deep enough for whole steps of the tensor
/// cores, shallow enough that its operands leave registers for the
/// accumulators.
static constexpr int64_t tileDepthBytes = 64;
/// Warps along the rows and along the columns.
static constexpr int64_t warpsAlong = 2;

namespace {
/// Which loops of a contraction are which.
struct ContractionLoops {
  SmallVector<unsigned, 2> batch;
  unsigned row, column, inner;
};
} // namespace

static std::optional<ContractionLoops> classifyLoops(linalg::LinalgOp op) {
  FailureOr<linalg::ContractionDimensions> dims =
      linalg::inferContractionDims(op);
  if (failed(dims) || dims->m.size() != 1 || dims->n.size() != 1 ||
      dims->k.size() != 1)
    return std::nullopt;
  if (dims->batch.size() + 3 != op.getNumLoops())
    return std::nullopt;
  return ContractionLoops{dims->batch, dims->m[0], dims->n[0], dims->k[0]};
}

bool stof::isTileContraction(linalg::LinalgOp op) {
  if (!linalg::isaContractionOpInterface(op) || !classifyLoops(op))
    return false;
  for (AffineMap map : op.getIndexingMapsArray())
    if (!map.isProjectedPermutation())
      return false;
  Type lhs = getElementTypeOrSelf(op.getDpsInputOperand(0)->get().getType());
  Type rhs = getElementTypeOrSelf(op.getDpsInputOperand(1)->get().getType());
  Type out = getElementTypeOrSelf(op.getDpsInitOperand(0)->get().getType());
  auto onTensorCores = [](Type type) {
    return type.isF16() || type.isBF16() || type.isF32();
  };
  return lhs == rhs && onTensorCores(lhs) && onTensorCores(out);
}

/// The position of a loop among the results of a map, if it is there.
static std::optional<int64_t> positionOf(AffineMap map, unsigned loop) {
  for (auto [position, expr] : llvm::enumerate(map.getResults()))
    if (cast<AffineDimExpr>(expr).getPosition() == loop)
      return position;
  return std::nullopt;
}

namespace {
/// One operand's tiles: the order of its two dimensions in memory decides
/// whether a tile is stored the other way round.
struct TileOperand {
  Value buffer;
  SmallVector<Value> indices; // batch indices; the tile's are set per load
  int64_t outer, inner;       // dimensions of the buffer

  bool isTransposed(bool innerLast) const {
    return innerLast ? outer > inner : outer < inner;
  }

  Value load(OpBuilder &builder, Location loc, Value outerAt, Value innerAt,
             int64_t outerSize, int64_t innerSize) const {
    SmallVector<Value> at(indices);
    at[outer] = outerAt;
    at[inner] = innerAt;
    bool outerFirst = outer < inner;
    SmallVector<int64_t> shape{outerSize, innerSize}, along{outer, inner};
    if (!outerFirst) {
      std::swap(shape[0], shape[1]);
      std::swap(along[0], along[1]);
    }
    Type element = cast<MemRefType>(buffer.getType()).getElementType();
    auto type = tile::SharedType::get(builder.getContext(), shape, element);
    return tile::LoadOp::create(builder, loc, type, buffer, at,
                                builder.getDenseI64ArrayAttr(along));
  }
};
} // namespace

static TileOperand makeOperand(GroupContext &context, linalg::LinalgOp op,
                               unsigned position, unsigned outerLoop,
                               unsigned innerLoop,
                               ArrayRef<Value> coordinates) {
  OpOperand &operand = *op.getDpsInputOperand(position);
  AffineMap map = op.getMatchingIndexingMap(&operand);
  TileOperand result{context.lookup(operand.get()),
                     {},
                     *positionOf(map, outerLoop),
                     *positionOf(map, innerLoop)};
  for (AffineExpr expr : map.getResults())
    result.indices.push_back(
        coordinates[cast<AffineDimExpr>(expr).getPosition()]);
  return result;
}

LogicalResult stof::emitContractionKernel(GroupContext &context,
                                          linalg::LinalgOp op,
                                          linalg::GenericOp epilogue) {
  KernelBuilder &kernel = context.kernel();
  Location loc = kernel.loc();
  OpBuilder &body = kernel.body();
  ContractionLoops loops = *classifyLoops(op);
  FailureOr<SmallVector<OpFoldResult>> hostSizes = context.getLoopSizes(op);
  if (failed(hostSizes))
    return failure();

  // The initial value: zero, or a tensor whose elements are added at the end.
  OpOperand &init = *op.getDpsInitOperand(0);
  auto fill = init.get().getDefiningOp<linalg::FillOp>();
  bool startsAtZero = fill && matchPattern(fill.value(), m_AnyZeroFloat());
  if (!fill && !isa<BlockArgument>(init.get()))
    return op->emitOpError() << "cannot be compiled: it reads an initial value "
                                "that nothing defines";
  Value start;
  if (!startsAtZero)
    start = context.lookup(fill ? fill.value() : init.get());
  IRMapping values;
  if (epilogue) {
    context.bindCaptured(epilogue.getRegion(), values);
    for (OpOperand *input : epilogue.getDpsInputOperands())
      if (input->get() != op->getResult(0))
        context.lookup(input->get());
  }

  // The block's place: columns, rows, batch.
  SmallVector<Value> coordinates(op.getNumLoops());
  SmallVector<Value> batchSizes;
  SmallVector<OpFoldResult> hostBatch;
  for (unsigned loop : loops.batch) {
    hostBatch.push_back((*hostSizes)[loop]);
    batchSizes.push_back(kernel.getSize(hostBatch.back()));
  }
  SmallVector<Value> batch =
      delinearize(body, loc, kernel.getBlockId(gpu::Dimension::z), batchSizes);
  for (auto [loop, at] : llvm::zip(loops.batch, batch))
    coordinates[loop] = at;
  Value firstColumn =
      arith::MulIOp::create(body, loc, kernel.getBlockId(gpu::Dimension::x),
                            kernel.index(tileColumns));
  Value firstRow = arith::MulIOp::create(
      body, loc, kernel.getBlockId(gpu::Dimension::y), kernel.index(tileRows));
  coordinates[loops.row] = firstRow;
  coordinates[loops.column] = firstColumn;
  TileOperand lhs =
      makeOperand(context, op, 0, loops.row, loops.inner, coordinates);
  TileOperand rhs =
      makeOperand(context, op, 1, loops.column, loops.inner, coordinates);

  auto layout = tile::MmaAttr::get(body.getContext(), warpsAlong, warpsAlong);
  auto accumulator = tile::FragmentType::get(
      body.getContext(), {tileRows, tileColumns}, body.getF32Type(), layout);
  Value zero = arith::ConstantOp::create(body, loc, body.getF32FloatAttr(0));
  Value initial = tile::SplatOp::create(body, loc, accumulator, zero);
  Value depth = kernel.getSize((*hostSizes)[loops.inner]);
  Type operand =
      getElementTypeOrSelf(op.getDpsInputOperand(0)->get().getType());
  int64_t tileDepth =
      tileDepthBytes / (operand.getIntOrFloatBitWidth() / CHAR_BIT);
  kernel.setSchedule(
      "contraction",
      {{"rows", tileRows}, {"columns", tileColumns}, {"depth", tileDepth}});
  auto walk = scf::ForOp::create(
      body, loc, kernel.index(0), depth, kernel.index(tileDepth), initial,
      [&](OpBuilder &builder, Location loc, Value at, ValueRange sofar) {
        Value a = lhs.load(builder, loc, firstRow, at, tileRows, tileDepth);
        Value b =
            rhs.load(builder, loc, firstColumn, at, tileColumns, tileDepth);
        Value sum = tile::ContractOp::create(
            builder, loc, accumulator, a, b, sofar[0],
            /*transpose_lhs=*/lhs.isTransposed(/*innerLast=*/true),
            /*transpose_rhs=*/rhs.isTransposed(/*innerLast=*/false));
        scf::YieldOp::create(builder, loc, sum);
      });

  // The epilogue, on coordinates that exist.
  AffineMap resultMap = op.getMatchingIndexingMap(&init);
  Value rows = kernel.getSize((*hostSizes)[loops.row]);
  Value columns = kernel.getSize((*hostSizes)[loops.column]);
  Value one = kernel.index(1);
  Value lastRow = arith::SubIOp::create(body, loc, rows, one);
  Value lastColumn = arith::SubIOp::create(body, loc, columns, one);
  SmallVector<Type> types;
  for (Value result : context.getResults())
    types.push_back(tile::FragmentType::get(
        body.getContext(), {tileRows, tileColumns},
        cast<MemRefType>(result.getType()).getElementType(), layout));
  Type outType = cast<ShapedType>(init.get().getType()).getElementType();
  auto map = tile::MapOp::create(
      body, loc, types, walk.getResults(),
      [&](OpBuilder &builder, Location loc, ValueRange in,
          ValueRange elements) -> SmallVector<Value> {
        auto clamp = [&](Value first, Value offset, Value last) -> Value {
          Value at = arith::AddIOp::create(builder, loc, first, offset);
          return arith::MinUIOp::create(builder, loc, at, last);
        };
        SmallVector<Value> point(coordinates);
        point[loops.row] = clamp(firstRow, in[0], lastRow);
        point[loops.column] = clamp(firstColumn, in[1], lastColumn);
        Value value = elements[0];
        if (start) {
          Value before =
              fill ? start : context.loadElement(builder, init, point);
          if (!before.getType().isF32())
            before = arith::ExtFOp::create(builder, loc, builder.getF32Type(),
                                           before);
          value = arith::AddFOp::create(builder, loc, value, before);
        }
        if (!outType.isF32())
          value = arith::TruncFOp::create(builder, loc, outType, value);
        if (!epilogue)
          return {value};
        SmallVector<Value> outer;
        for (AffineExpr expr : resultMap.getResults())
          outer.push_back(point[cast<AffineDimExpr>(expr).getPosition()]);
        IRMapping inner = values;
        for (OpOperand *input : epilogue.getDpsInputOperands()) {
          bool product = input->get() == op->getResult(0);
          inner.map(epilogue.getMatchingBlockArgument(input),
                    product ? value
                            : context.loadElement(builder, *input, outer));
        }
        return copyScalarBody(builder, *epilogue.getBlock(), inner, outer);
      });
  int64_t rowDim = *positionOf(resultMap, loops.row);
  int64_t columnDim = *positionOf(resultMap, loops.column);
  SmallVector<Value> corner;
  for (AffineExpr expr : resultMap.getResults())
    corner.push_back(coordinates[cast<AffineDimExpr>(expr).getPosition()]);
  for (auto [result, fragment] :
       llvm::zip(context.getResults(), map.getResults()))
    tile::StoreOp::create(body, loc, fragment, kernel.getArgument(result),
                          corner,
                          body.getDenseI64ArrayAttr({rowDim, columnDim}));
  OpBuilder &host = kernel.host();
  kernel.launch({ceilDiv(host, loc, (*hostSizes)[loops.column], tileColumns),
                 ceilDiv(host, loc, (*hostSizes)[loops.row], tileRows),
                 productOf(host, loc, ArrayRef<OpFoldResult>(hostBatch))});
  return success();
}
