//===----------------------------------------------------------------------===//
// Rewrites tensor data movement as linalg: each result element is read from its
// source. Conditions become scf.if, which reads only the element needed.
//===----------------------------------------------------------------------===//

#include "stof/Fusion/LinalgUtils.h"
#include "stof/Fusion/TensorView.h"
#include "stof/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace stof {
#define GEN_PASS_DEF_GENERALIZETENSOROPSPASS
#include "stof/Transforms/Passes.h.inc"
} // namespace stof

using namespace mlir;

namespace {

using ElementBuilder =
    function_ref<Value(OpBuilder &, Location, ArrayRef<Value> indices)>;

/// Replaces `op` by a parallel linalg.generic of the given sizes whose elements
/// `element` builds from their indices.
void replaceByGeneric(PatternRewriter &rewriter, Operation *op,
                      ArrayRef<OpFoldResult> sizes, ElementBuilder element) {
  Location loc = op->getLoc();
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  Value empty =
      tensor::EmptyOp::create(rewriter, loc, sizes, type.getElementType());
  auto identity = rewriter.getMultiDimIdentityMap(type.getRank());
  SmallVector<utils::IteratorType> parallel(type.getRank(),
                                            utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(
      rewriter, loc, empty.getType(), ValueRange(), empty, identity, parallel,
      [&](OpBuilder &builder, Location loc, ValueRange) {
        SmallVector<Value> indices;
        for (int64_t dim = 0; dim < type.getRank(); ++dim)
          indices.push_back(linalg::IndexOp::create(builder, loc, dim));
        Value value = element(builder, loc, indices);
        linalg::YieldOp::create(builder, loc, value);
      });
  Value result = generic.getResult(0);
  if (result.getType() != type)
    result = tensor::CastOp::create(rewriter, loc, type, result);
  rewriter.replaceOp(op, result);
}

/// `index * scale + offset`, folded where known.
Value scaleAndShift(OpBuilder &builder, Location loc, Value index,
                    OpFoldResult scale, OpFoldResult offset) {
  AffineExpr d0, s0, s1;
  bindDims(builder.getContext(), d0);
  bindSymbols(builder.getContext(), s0, s1);
  OpFoldResult shifted = affine::makeComposedFoldedAffineApply(
      builder, loc, d0 * s0 + s1, {index, scale, offset});
  return getValueOrCreateConstantIndexOp(builder, loc, shifted);
}

Value compare(OpBuilder &builder, Location loc, arith::CmpIPredicate predicate,
              Value lhs, OpFoldResult rhs) {
  return arith::CmpIOp::create(
      builder, loc, predicate, lhs,
      getValueOrCreateConstantIndexOp(builder, loc, rhs));
}

/// `inside` where `condition` holds, else `outside`; only one is evaluated.
Value choose(OpBuilder &builder, Location loc, Type type, Value condition,
             function_ref<Value(OpBuilder &)> inside,
             function_ref<Value(OpBuilder &)> outside) {
  auto branch = scf::IfOp::create(
      builder, loc, condition,
      [&](OpBuilder &then, Location loc) {
        scf::YieldOp::create(then, loc, inside(then));
      },
      [&](OpBuilder &otherwise, Location loc) {
        scf::YieldOp::create(otherwise, loc, outside(otherwise));
      });
  return branch.getResult(0);
}

struct GeneralizeExtractSlice : OpRewritePattern<tensor::ExtractSliceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tensor::ExtractSliceOp op,
                                PatternRewriter &rewriter) const override {
    if (stof::isReadInPlace(op))
      return rewriter.notifyMatchFailure(op, "is read in place");
    llvm::SmallBitVector dropped = op.getDroppedDims();
    SmallVector<OpFoldResult> sizes;
    for (auto [dim, size] : llvm::enumerate(op.getMixedSizes()))
      if (!dropped.test(dim))
        sizes.push_back(size);
    SmallVector<OpFoldResult> offsets = op.getMixedOffsets(),
                              strides = op.getMixedStrides();
    replaceByGeneric(
        rewriter, op, sizes,
        [&](OpBuilder &builder, Location loc, ArrayRef<Value> indices) {
          SmallVector<Value> source;
          for (unsigned dim = 0; dim < offsets.size(); ++dim) {
            if (dropped.test(dim)) {
              source.push_back(
                  getValueOrCreateConstantIndexOp(builder, loc, offsets[dim]));
              continue;
            }
            source.push_back(scaleAndShift(builder, loc, indices.front(),
                                           strides[dim], offsets[dim]));
            indices = indices.drop_front();
          }
          return tensor::ExtractOp::create(builder, loc, op.getSource(),
                                           source);
        });
    return success();
  }
};

/// An element of the destination of a slice: whether it is in the slice, and
/// its index there.
struct SliceElement {
  Value within;
  SmallVector<Value> source;
};

/// `lhs` and `rhs`, either of which may be null for true.
Value both(OpBuilder &builder, Location loc, Value lhs, Value rhs) {
  if (!lhs || !rhs)
    return lhs ? lhs : rhs;
  return arith::AndIOp::create(builder, loc, lhs, rhs);
}

/// Maps `indices` of the destination of `insert` to its source; `within` is
/// null if the slice covers the destination.
SliceElement findInSlice(OpBuilder &builder, Location loc,
                         tensor::InsertSliceOp insert,
                         ArrayRef<Value> indices) {
  SliceElement found;
  SmallVector<OpFoldResult> offsets = insert.getMixedOffsets(),
                            sizes = insert.getMixedSizes(),
                            strides = insert.getMixedStrides();
  llvm::SmallBitVector dropped = insert.getDroppedDims();
  AffineExpr d0, s0, s1;
  bindDims(builder.getContext(), d0);
  bindSymbols(builder.getContext(), s0, s1);
  for (auto [dim, index] : llvm::enumerate(indices)) {
    auto shifted = [&, index = index, dim = dim](AffineExpr expr) {
      return getValueOrCreateConstantIndexOp(
          builder, loc,
          affine::makeComposedFoldedAffineApply(
              builder, loc, expr, {index, strides[dim], offsets[dim]}));
    };
    Value position = shifted((d0 - s1).floorDiv(s0));
    if (!dropped.test(dim))
      found.source.push_back(position);
    auto also = [&](Value condition) {
      found.within = both(builder, loc, found.within, condition);
    };
    if (!isOneInteger(strides[dim]))
      also(compare(builder, loc, arith::CmpIPredicate::eq,
                   shifted((d0 - s1) % s0), builder.getIndexAttr(0)));
    bool isFirst = isZeroInteger(offsets[dim]);
    if (!isFirst)
      also(compare(builder, loc, arith::CmpIPredicate::sge, index,
                   offsets[dim]));
    std::optional<int64_t> size = getConstantIntValue(sizes[dim]);
    if (!isFirst || !isOneInteger(strides[dim]) || !size ||
        *size != insert.getDestType().getDimSize(dim))
      also(compare(builder, loc, arith::CmpIPredicate::slt, position,
                   sizes[dim]));
  }
  return found;
}

/// A chain of slices becomes one operation; the last one that has an element
/// wins.
struct GeneralizeInsertSlice : OpRewritePattern<tensor::InsertSliceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tensor::InsertSliceOp op,
                                PatternRewriter &rewriter) const override {
    if (isOverwritten(op))
      return rewriter.notifyMatchFailure(op,
                                         "is folded into the following slice");
    SmallVector<tensor::InsertSliceOp> inserts{op};
    while (
        auto before =
            inserts.back().getDest().getDefiningOp<tensor::InsertSliceOp>()) {
      if (!isOverwritten(before))
        break;
      inserts.push_back(before);
    }
    Value dest = inserts.back().getDest();
    Type element = op.getType().getElementType();
    replaceByGeneric(
        rewriter, op, tensor::getMixedSizes(rewriter, op.getLoc(), dest),
        [&](OpBuilder &builder, Location loc, ArrayRef<Value> indices) {
          std::function<Value(OpBuilder &, unsigned)> read =
              [&](OpBuilder &at, unsigned number) -> Value {
            if (number == inserts.size())
              return tensor::ExtractOp::create(at, loc, dest, indices);
            tensor::InsertSliceOp insert = inserts[number];
            SliceElement found = findInSlice(at, loc, insert, indices);
            auto extract = [&](OpBuilder &then) -> Value {
              return tensor::ExtractOp::create(then, loc, insert.getSource(),
                                               found.source);
            };
            if (!found.within)
              return extract(at);
            return choose(at, loc, element, found.within, extract,
                          [&](OpBuilder &otherwise) {
                            return read(otherwise, number + 1);
                          });
          };
          return read(builder, 0);
        });
    return success();
  }

private:
  /// Whether the only use of `op` is as destination of another slice.
  static bool isOverwritten(tensor::InsertSliceOp op) {
    if (!op->hasOneUse())
      return false;
    OpOperand &use = *op->use_begin();
    auto next = dyn_cast<tensor::InsertSliceOp>(use.getOwner());
    return next && &use == &next.getDestMutable() &&
           next->getBlock() == op->getBlock();
  }
};

struct GeneralizeInsert : OpRewritePattern<tensor::InsertOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tensor::InsertOp op,
                                PatternRewriter &rewriter) const override {
    replaceByGeneric(
        rewriter, op,
        tensor::getMixedSizes(rewriter, op.getLoc(), op.getDest()),
        [&](OpBuilder &builder, Location loc,
            ArrayRef<Value> indices) -> Value {
          if (indices.empty())
            return op.getScalar();
          Value within = arith::ConstantIntOp::create(builder, loc, 1, 1);
          for (auto [index, target] : llvm::zip(indices, op.getIndices()))
            within = arith::AndIOp::create(
                builder, loc, within,
                compare(builder, loc, arith::CmpIPredicate::eq, index, target));
          return choose(
              builder, loc, op.getScalar().getType(), within,
              [&](OpBuilder &) -> Value { return op.getScalar(); },
              [&](OpBuilder &otherwise) -> Value {
                return tensor::ExtractOp::create(otherwise, loc, op.getDest(),
                                                 indices);
              });
        });
    return success();
  }
};

struct GeneralizeConcat : OpRewritePattern<tensor::ConcatOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tensor::ConcatOp op,
                                PatternRewriter &rewriter) const override {
    int64_t dim = op.getDim();
    Location loc = op.getLoc();
    // The start of each input along the dim, and the end of the last.
    SmallVector<OpFoldResult> starts{rewriter.getIndexAttr(0)};
    AffineExpr s0, s1;
    bindSymbols(rewriter.getContext(), s0, s1);
    for (Value input : op.getInputs())
      starts.push_back(affine::makeComposedFoldedAffineApply(
          rewriter, loc, s0 + s1,
          {starts.back(), tensor::getMixedSize(rewriter, loc, input, dim)}));
    SmallVector<OpFoldResult> sizes =
        tensor::getMixedSizes(rewriter, loc, op.getInputs().front());
    sizes[dim] = starts.back();
    Type element = op.getType().getElementType();
    replaceByGeneric(
        rewriter, op, sizes,
        [&](OpBuilder &builder, Location loc, ArrayRef<Value> indices) {
          auto extract = [&](OpBuilder &inner, unsigned input) -> Value {
            SmallVector<Value> source(indices);
            AffineExpr d0, start;
            bindDims(inner.getContext(), d0);
            bindSymbols(inner.getContext(), start);
            source[dim] = getValueOrCreateConstantIndexOp(
                inner, loc,
                affine::makeComposedFoldedAffineApply(
                    inner, loc, d0 - start, {indices[dim], starts[input]}));
            return tensor::ExtractOp::create(inner, loc, op.getInputs()[input],
                                             source);
          };
          // Binary search among the inputs from `first` to before `end`.
          std::function<Value(OpBuilder &, unsigned, unsigned)> read =
              [&](OpBuilder &at, unsigned first, unsigned end) -> Value {
            if (end - first == 1)
              return extract(at, first);
            unsigned middle = first + (end - first) / 2;
            Value below = compare(at, loc, arith::CmpIPredicate::slt,
                                  indices[dim], starts[middle]);
            return choose(
                at, loc, element, below,
                [&](OpBuilder &then) { return read(then, first, middle); },
                [&](OpBuilder &otherwise) {
                  return read(otherwise, middle, end);
                });
          };
          return read(builder, 0, op.getInputs().size());
        });
    return success();
  }
};

struct GeneralizePad : OpRewritePattern<tensor::PadOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tensor::PadOp op,
                                PatternRewriter &rewriter) const override {
    Value padding = op.getConstantPaddingValue();
    if (!padding)
      return rewriter.notifyMatchFailure(op, "pads with more than one value");
    Location loc = op.getLoc();
    SmallVector<OpFoldResult> low = op.getMixedLowPad(),
                              high = op.getMixedHighPad(), sizes;
    AffineExpr s0, s1, s2;
    bindSymbols(rewriter.getContext(), s0, s1, s2);
    for (unsigned dim = 0; dim < low.size(); ++dim)
      sizes.push_back(affine::makeComposedFoldedAffineApply(
          rewriter, loc, s0 + s1 + s2,
          {low[dim], tensor::getMixedSize(rewriter, loc, op.getSource(), dim),
           high[dim]}));
    SmallVector<OpFoldResult> inner =
        tensor::getMixedSizes(rewriter, loc, op.getSource());
    replaceByGeneric(
        rewriter, op, sizes,
        [&](OpBuilder &builder, Location loc, ArrayRef<Value> indices) {
          Value within = arith::ConstantIntOp::create(builder, loc, 1, 1);
          SmallVector<Value> source;
          AffineExpr d0, begin;
          bindDims(builder.getContext(), d0);
          bindSymbols(builder.getContext(), begin);
          for (auto [dim, index] : llvm::enumerate(indices)) {
            Value position = getValueOrCreateConstantIndexOp(
                builder, loc,
                affine::makeComposedFoldedAffineApply(builder, loc, d0 - begin,
                                                      {index, low[dim]}));
            Value notBefore = compare(builder, loc, arith::CmpIPredicate::sge,
                                      index, low[dim]);
            Value notAfter = compare(builder, loc, arith::CmpIPredicate::slt,
                                     position, inner[dim]);
            within = arith::AndIOp::create(builder, loc, within, notBefore);
            within = arith::AndIOp::create(builder, loc, within, notAfter);
            source.push_back(position);
          }
          return choose(
              builder, loc, padding.getType(), within,
              [&](OpBuilder &then) -> Value {
                return tensor::ExtractOp::create(then, loc, op.getSource(),
                                                 source);
              },
              [&](OpBuilder &) { return padding; });
        });
    return success();
  }
};

struct GeneralizeSplat : OpRewritePattern<tensor::SplatOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tensor::SplatOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<OpFoldResult> sizes =
        getMixedValues(op.getType().getShape(), op.getDynamicSizes(), rewriter);
    replaceByGeneric(
        rewriter, op, sizes,
        [&](OpBuilder &, Location, ArrayRef<Value>) { return op.getInput(); });
    return success();
  }
};

/// Whether `scalar` depends on elements of tensors, which the host does not
/// read.
bool readsElements(Value scalar) {
  SmallVector<Value> open{scalar};
  llvm::SmallPtrSet<Operation *, 8> seen;
  while (!open.empty()) {
    Operation *op = open.pop_back_val().getDefiningOp();
    if (!op || !seen.insert(op).second)
      continue;
    if (isa<tensor::ExtractOp>(op))
      return true;
    if (isa<arith::ArithDialect, math::MathDialect>(op->getDialect()))
      llvm::append_range(open, op->getOperands());
  }
  return false;
}

/// A tensor of a few numbers. Shapes of reshapes stay on the host.
struct GeneralizeFromElements : OpRewritePattern<tensor::FromElementsOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tensor::FromElementsOp op,
                                PatternRewriter &rewriter) const override {
    constexpr size_t most = 16;
    if (llvm::none_of(op.getElements(), readsElements) ||
        op.getElements().size() > most)
      return rewriter.notifyMatchFailure(
          op, "expects few elements, some of them read from tensors");
    auto type = op.getType();
    SmallVector<OpFoldResult> sizes =
        getAsIndexOpFoldResult(rewriter.getContext(), type.getShape());
    replaceByGeneric(
        rewriter, op, sizes,
        [&](OpBuilder &builder, Location loc, ArrayRef<Value> indices) {
          Value linearIndex = arith::ConstantIndexOp::create(builder, loc, 0);
          for (auto [index, size] : llvm::zip(indices, sizes))
            linearIndex = arith::AddIOp::create(
                builder, loc, index,
                arith::MulIOp::create(
                    builder, loc, linearIndex,
                    getValueOrCreateConstantIndexOp(builder, loc, size)));
          Value chosen = op.getElements().back();
          for (auto [number, element] :
               llvm::enumerate(op.getElements().drop_back())) {
            Value isHere = compare(builder, loc, arith::CmpIPredicate::eq,
                                   linearIndex, builder.getIndexAttr(number));
            chosen =
                arith::SelectOp::create(builder, loc, isHere, element, chosen);
          }
          return chosen;
        });
    return success();
  }
};

struct GeneralizeGenerate : OpRewritePattern<tensor::GenerateOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(tensor::GenerateOp op,
                                PatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(op.getType());
    SmallVector<OpFoldResult> sizes =
        getMixedValues(type.getShape(), op.getDynamicExtents(), rewriter);
    replaceByGeneric(
        rewriter, op, sizes,
        [&](OpBuilder &builder, Location, ArrayRef<Value> indices) {
          Block &body = op.getBody().front();
          IRMapping mapping;
          mapping.map(body.getArguments(), indices);
          for (Operation &inner : body.without_terminator())
            builder.clone(inner, mapping);
          return mapping.lookupOrDefault(body.getTerminator()->getOperand(0));
        });
    return success();
  }
};

/// Contractions have kernels of their own, transposes may be folded into them,
/// and fills initialize them.
struct GeneralizeNamedOp : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;
  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    if (isa<linalg::FillOp, linalg::TransposeOp>(op) ||
        stof::isPlainContraction(op))
      return rewriter.notifyMatchFailure(op, "is kept as a named operation");
    return linalg::generalizeNamedOp(rewriter, op);
  }
};

struct GeneralizeTensorOpsPass
    : stof::impl::GeneralizeTensorOpsPassBase<GeneralizeTensorOpsPass> {
  using Base::Base;
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns
        .add<GeneralizeExtractSlice, GeneralizeInsertSlice, GeneralizeInsert,
             GeneralizeConcat, GeneralizePad, GeneralizeSplat,
             GeneralizeFromElements, GeneralizeGenerate, GeneralizeNamedOp>(
            &getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
