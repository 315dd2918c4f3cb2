//===----------------------------------------------------------------------===//
// Lowering of computation on tiles to linalg. For vectorisation, innermost
// loops iterate over contiguous elements without loop-carried dependences.
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "stof/Tile/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace stof::tile;

namespace {

constexpr auto parallel = utils::IteratorType::parallel;
constexpr auto reduction = utils::IteratorType::reduction;

Value createEmpty(OpBuilder &builder, Location loc, ArrayRef<int64_t> shape,
                  Type element) {
  return tensor::EmptyOp::create(builder, loc, shape, element);
}

Value createFilled(OpBuilder &builder, Location loc, ArrayRef<int64_t> shape,
                   Value element) {
  Value init = createEmpty(builder, loc, shape, element.getType());
  return linalg::FillOp::create(builder, loc, element, init).getResult(0);
}

/// Clones `body` with its arguments replaced and returns the yielded values.
SmallVector<Value> inlineBody(OpBuilder &builder, Block &body,
                              ValueRange arguments) {
  assert(body.getNumArguments() == arguments.size() &&
         "expects a value for each argument");
  IRMapping mapping;
  mapping.map(body.getArguments(), arguments);
  for (Operation &op : body.without_terminator())
    builder.clone(op, mapping);
  return llvm::map_to_vector(
      body.getTerminator()->getOperands(),
      [&](Value value) { return mapping.lookupOrDefault(value); });
}

/// Extends a narrow float to f32.
Value widen(OpBuilder &builder, Location loc, Value element) {
  if (element.getType().isF32())
    return element;
  return arith::ExtFOp::create(builder, loc, builder.getF32Type(), element);
}

struct ConvertSplat : OpConversionPattern<SplatOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(SplatOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, createFilled(rewriter, op.getLoc(),
                                        op.getType().getShape(),
                                        adaptor.getValue()));
    return success();
  }
};

/// Distributed layouts are irrelevant on a CPU.
struct ConvertConvert : OpConversionPattern<ConvertOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(ConvertOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, adaptor.getSource());
    return success();
  }
};

struct ConvertSlice : OpConversionPattern<SliceOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(SliceOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ArrayRef<int64_t> shape = op.getResult().getType().getShape();
    auto index = [&](int64_t value) -> OpFoldResult {
      return rewriter.getIndexAttr(value);
    };
    rewriter.replaceOpWithNewOp<tensor::ExtractSliceOp>(
        op, adaptor.getSource(),
        ArrayRef<OpFoldResult>{index(0),
                               index(static_cast<int64_t>(op.getColumn()))},
        ArrayRef<OpFoldResult>{index(shape[0]), index(shape[1])},
        ArrayRef<OpFoldResult>{index(1), index(1)});
    return success();
  }
};

struct ConvertMap : OpConversionPattern<MapOp> {
  using OpConversionPattern::OpConversionPattern;

  /// Maps coordinates of the result to those of `input`.
  static AffineMap getInputMap(Builder &builder, FragmentType input,
                               int64_t rank) {
    AffineMap map = builder.getMultiDimIdentityMap(rank);
    if (static_cast<int64_t>(input.getShape().size()) == rank)
      return map;
    return map.dropResult(cast<SliceAttr>(input.getLayout()).getDim());
  }

  LogicalResult
  matchAndRewrite(MapOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    ArrayRef<int64_t> shape =
        cast<FragmentType>(op.getResultTypes().front()).getShape();
    SmallVector<AffineMap> maps;
    for (Type input : op.getInputs().getTypes())
      maps.push_back(
          getInputMap(rewriter, cast<FragmentType>(input), shape.size()));
    SmallVector<Value> inits;
    for (Type result : op.getResultTypes()) {
      inits.push_back(createEmpty(rewriter, loc, shape,
                                  cast<FragmentType>(result).getElementType()));
      maps.push_back(rewriter.getMultiDimIdentityMap(shape.size()));
    }
    SmallVector<utils::IteratorType> kinds(shape.size(), parallel);
    auto generic = linalg::GenericOp::create(
        rewriter, loc, ValueRange(inits).getTypes(), adaptor.getInputs(), inits,
        maps, kinds, [&](OpBuilder &inner, Location at, ValueRange elements) {
          SmallVector<Value> arguments;
          for (unsigned dim = 0; dim < shape.size(); ++dim)
            arguments.push_back(linalg::IndexOp::create(inner, at, dim));
          llvm::append_range(arguments,
                             elements.take_front(op.getInputs().size()));
          linalg::YieldOp::create(
              inner, at, inlineBody(inner, op.getBody().front(), arguments));
        });
    rewriter.replaceOp(op, generic.getResults());
    return success();
  }
};

/// Elements are visited sequentially.
struct ConvertVisit : OpConversionPattern<VisitOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(VisitOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto index = [&](int64_t value) -> Value {
      return arith::ConstantIndexOp::create(rewriter, loc, value);
    };
    SmallVector<Value> first(op.getShape().size(), index(0)),
        step(op.getShape().size(), index(1)),
        sizes = llvm::map_to_vector(op.getShape(), index);
    scf::buildLoopNest(rewriter, loc, first, sizes, step,
                       [&](OpBuilder &inner, Location, ValueRange at) {
                         inlineBody(inner, op.getBody().front(), at);
                       });
    rewriter.eraseOp(op);
    return success();
  }
};

struct ConvertExtract : OpConversionPattern<ExtractOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(ExtractOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<tensor::ExtractOp>(
        op, adaptor.getTile(),
        ValueRange{adaptor.getRow(), adaptor.getColumn()});
    return success();
  }
};

/// Initialises the result with the first element along `dim` and combines the
/// others into it. Long rows are first reduced to `numStrands` partial results,
/// which vectorises.
struct ConvertReduce : OpConversionPattern<ReduceOp> {
  using OpConversionPattern::OpConversionPattern;

  static constexpr int64_t numStrands = 16;

  static Value reduce(OpBuilder &builder, Location loc, Value source,
                      unsigned dim, Block &combiner) {
    auto type = cast<RankedTensorType>(source.getType());
    SmallVector<int64_t> shape(type.getShape());
    int64_t rank = shape.size(), length = shape[dim];
    shape.erase(shape.begin() + dim);
    auto reduced = RankedTensorType::get(shape, type.getElementType());
    SmallVector<OpFoldResult> offsets(rank, builder.getIndexAttr(0)),
        strides(rank, builder.getIndexAttr(1));
    SmallVector<OpFoldResult> sizes =
        getAsIndexOpFoldResult(builder.getContext(), type.getShape());
    sizes[dim] = builder.getIndexAttr(1);
    Value first = tensor::ExtractSliceOp::create(builder, loc, reduced, source,
                                                 offsets, sizes, strides);
    if (length == 1)
      return first;
    sizes[dim] = builder.getIndexAttr(length - 1);
    offsets[dim] = builder.getIndexAttr(1);
    Value others = tensor::ExtractSliceOp::create(builder, loc, source, offsets,
                                                  sizes, strides);
    AffineMap all = builder.getMultiDimIdentityMap(rank);
    SmallVector<utils::IteratorType> kinds(rank, parallel);
    kinds[dim] = reduction;
    return linalg::GenericOp::create(
               builder, loc, reduced, others, first,
               ArrayRef{all, all.dropResult(dim)}, kinds,
               [&](OpBuilder &inner, Location at, ValueRange elements) {
                 linalg::YieldOp::create(inner, at,
                                         inlineBody(inner, combiner, elements));
               })
        .getResult(0);
  }

  /// Makes `dim` two dimensions, the inner one of size `size`.
  static Value divide(OpBuilder &builder, Location loc, Value source,
                      int64_t dim, int64_t size) {
    auto type = cast<RankedTensorType>(source.getType());
    SmallVector<int64_t> shape(type.getShape());
    shape[dim] /= size;
    shape.insert(shape.begin() + dim + 1, size);
    SmallVector<ReassociationIndices> dims;
    for (int64_t i = 0; i < type.getRank(); ++i)
      dims.push_back({i < dim + 1 ? i : i + 1});
    dims[dim].push_back(dim + 1);
    return tensor::ExpandShapeOp::create(
        builder, loc, RankedTensorType::get(shape, type.getElementType()),
        source, dims);
  }

  LogicalResult
  matchAndRewrite(ReduceOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value source = adaptor.getSource();
    Block &combiner = op.getCombiner().front();
    auto type = cast<RankedTensorType>(source.getType());
    int64_t dim = op.getDim(), length = type.getDimSize(dim);
    int64_t kept =
        op.isPartial() ? op.getResult().getType().getShape()[dim] : numStrands;
    bool isInner = dim == type.getRank() - 1;
    if (op.isPartial() ||
        (isInner && length % numStrands == 0 && length > numStrands))
      source = reduce(rewriter, loc, divide(rewriter, loc, source, dim, kept),
                      dim, combiner);
    if (op.isPartial()) {
      rewriter.replaceOp(op, source);
      return success();
    }
    rewriter.replaceOp(op, reduce(rewriter, loc, source, dim, combiner));
    return success();
  }
};

/// The rhs is first converted to a K x N tile of f32: the innermost loop over N
/// then updates independent accumulators.
struct ConvertContract : OpConversionPattern<ContractOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ContractOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    MLIRContext *context = op.getContext();
    Value accumulator = adaptor.getAccumulator();
    auto lhs = cast<RankedTensorType>(adaptor.getLhs().getType());
    auto result = cast<RankedTensorType>(accumulator.getType());
    int64_t depth = lhs.getDimSize(op.getTransposeLhs() ? 0 : 1);
    int64_t columns = result.getDimSize(1);

    AffineExpr d0, d1, d2;
    bindDims(context, d0, d1, d2);
    AffineMap stored = op.getTransposeRhs()
                           ? AffineMap::get(2, 0, {d1, d0}, context)
                           : rewriter.getMultiDimIdentityMap(2);
    Value wide =
        createEmpty(rewriter, loc, {depth, columns}, rewriter.getF32Type());
    Value rhs = linalg::GenericOp::create(
                    rewriter, loc, wide.getType(), adaptor.getRhs(), wide,
                    ArrayRef{stored, rewriter.getMultiDimIdentityMap(2)},
                    ArrayRef{parallel, parallel},
                    [](OpBuilder &inner, Location at, ValueRange elements) {
                      linalg::YieldOp::create(
                          inner, at, widen(inner, at, elements.front()));
                    })
                    .getResult(0);

    // Loops: M, K, N.
    AffineMap maps[] = {op.getTransposeLhs()
                            ? AffineMap::get(3, 0, {d1, d0}, context)
                            : AffineMap::get(3, 0, {d0, d1}, context),
                        AffineMap::get(3, 0, {d1, d2}, context),
                        AffineMap::get(3, 0, {d0, d2}, context)};
    auto matmul = linalg::GenericOp::create(
        rewriter, loc, result, ValueRange{adaptor.getLhs(), rhs}, accumulator,
        maps, ArrayRef{parallel, reduction, parallel},
        [](OpBuilder &inner, Location at, ValueRange elements) {
          Value term = arith::MulFOp::create(
              inner, at, widen(inner, at, elements[0]), elements[1],
              arith::FastMathFlags::contract);
          Value sum = arith::AddFOp::create(inner, at, elements[2], term,
                                            arith::FastMathFlags::contract);
          linalg::YieldOp::create(inner, at, sum);
        });
    rewriter.replaceOp(op, matmul.getResults());
    return success();
  }
};

struct ConvertAny : OpConversionPattern<AnyOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(AnyOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    int64_t rank =
        cast<RankedTensorType>(adaptor.getSource().getType()).getRank();
    Value none = arith::ConstantIntOp::create(rewriter, loc, 0, 1);
    Value init = createFilled(rewriter, loc, {}, none);
    SmallVector<utils::IteratorType> kinds(rank, reduction);
    auto some = linalg::GenericOp::create(
        rewriter, loc, init.getType(), adaptor.getSource(), init,
        ArrayRef{rewriter.getMultiDimIdentityMap(rank),
                 AffineMap::get(rank, 0, op.getContext())},
        kinds, [](OpBuilder &inner, Location at, ValueRange elements) {
          Value either =
              arith::OrIOp::create(inner, at, elements[0], elements[1]);
          linalg::YieldOp::create(inner, at, either);
        });
    rewriter.replaceOpWithNewOp<tensor::ExtractOp>(op, some.getResult(0),
                                                   ValueRange());
    return success();
  }
};

} // namespace

void stof::tile::populateTileTypeConversion(TypeConverter &converter) {
  converter.addConversion([](Type type) { return type; });
  auto toTensor = [](auto tile) -> Type {
    return RankedTensorType::get(tile.getShape(), tile.getElementType());
  };
  converter.addConversion([=](FragmentType tile) { return toTensor(tile); });
  converter.addConversion([=](SharedType tile) { return toTensor(tile); });
}

void stof::tile::populateTileComputePatterns(RewritePatternSet &patterns,
                                             const TypeConverter &converter) {
  patterns
      .add<ConvertSplat, ConvertConvert, ConvertSlice, ConvertMap, ConvertVisit,
           ConvertExtract, ConvertReduce, ConvertContract, ConvertAny>(
          converter, patterns.getContext());
}
