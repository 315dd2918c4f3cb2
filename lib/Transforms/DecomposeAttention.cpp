//===----------------------------------------------------------------------===//
// Decomposition of stof.attention into linalg: the executable form of its
// semantics. It is the reference of all tests, so each step is on whole tensors
// and nothing is tiled or reordered.
//===----------------------------------------------------------------------===//

#include "stof/Transforms/Patterns.h"

#include "LinalgSteps.h"
#include "stof/IR/MaskPredicate.h"
#include "stof/IR/Stof.h"
#include "stof/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#include <limits>

namespace stof {
#define GEN_PASS_DEF_DECOMPOSEATTENTIONPASS
#include "stof/Transforms/Passes.h.inc"
} // namespace stof

using namespace mlir;
using namespace stof;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The loops of every step: batch, head, query and key positions, feature.
enum Loop : unsigned { Batch, Head, Query, Key, Feature };
/// The loops that index the score matrix, its rows and the result.
constexpr unsigned scoreMatrix[] = {Batch, Head, Query, Key};
constexpr unsigned row[] = {Batch, Head, Query};
constexpr unsigned result[] = {Batch, Head, Query, Feature};

/// Writes one attention as a sequence of whole-tensor steps:
///
/// 1. score = score region(scale * query * transpose(key));
/// 2. used = mask, and hasKey = whether a row uses a key with a score above
///    -inf;
/// 3. fully masked rows use every key, or those of the mask of empty_rows, if
///    that is mean or unmasked, and none if it is zero;
/// 4. largest = max over the used scores and the sink;
/// 5. power = exp(score - largest) where used, else 0;
/// 6. total = sum of the powers and of the power of the sink;
/// 7. out = sum over the used keys of power / total * value.
///
/// Terms of unused keys are selected away, so NaN and infinity in masked keys
/// and values have no effect.
class Decomposition {
public:
  Decomposition(OpBuilder &builder, AttentionOp op);
  SmallVector<Value> run();

private:
  LinalgSteps::Operand ofKeyHeads(Value tensor, unsigned last);
  Value repeatHeads(Value tensor);
  Value scaleFactor();
  SmallVector<Value> coordinates();
  bool emptyRowsAre(EmptyRows kind) {
    return hasKey && op.getEmptyRows() == kind;
  }

  Value isAboveInfinity(Value score);

  Value computeScores();
  void computeUsed(Value scores);
  Value redefineUsed(Value scores);
  Value usedInstead(Value score);
  Value maskUnused(Value scores);
  Value measureSinkPart();
  Value readSink(Value length);
  Value computeSinks();
  Value computePowers(Value scores, Value largest);
  Value computeSinkPowers(Value sinks, Value largest);
  Value computeSums(Value powers, Value total);
  Value computeOut(Value sums);
  Value computeLse(Value largest, Value total);

  LinalgSteps b;
  AttentionOp op;
  /// The size of a GQA group, if it is static.
  std::optional<int64_t> group;
  /// The i1 tensors of steps 2 and 3; null without a mask and a score region.
  Value used, hasKey;
};

} // namespace

Decomposition::Decomposition(OpBuilder &builder, AttentionOp op)
    : b(op.getLoc(), builder), op(op) {
  auto size = [&](Value tensor, AttentionOp::Dim dim) {
    return tensor::getMixedSize(b, op.getLoc(), tensor, dim);
  };
  b.sizes = {size(op.getQuery(), AttentionOp::Batch),
             size(op.getQuery(), AttentionOp::Head),
             size(op.getQuery(), AttentionOp::Position),
             size(op.getKey(), AttentionOp::Position),
             size(op.getQuery(), AttentionOp::Feature)};
  int64_t heads = op.getQueryType().getDimSize(AttentionOp::Head),
          keyHeads = op.getKeyType().getDimSize(AttentionOp::Head);
  if (!ShapedType::isDynamic(heads) && !ShapedType::isDynamic(keyHeads))
    group = heads / keyHeads;
}

//===----------------------------------------------------------------------===//
// Helpers of steps
//===----------------------------------------------------------------------===//

/// Keys or values, indexed by query head.
LinalgSteps::Operand Decomposition::ofKeyHeads(Value tensor, unsigned last) {
  AffineMap map = b.map({Batch, Head, Key, last});
  if (op.sharesKeys())
    map = map.replace(b.getAffineDimExpr(Batch), b.getAffineConstantExpr(0),
                      map.getNumDims(), map.getNumSymbols());
  if (!group)
    return {repeatHeads(tensor), map};
  AffineExpr ofHead = b.getAffineDimExpr(Head);
  return {tensor, map.replace(ofHead, ofHead.floorDiv(*group), map.getNumDims(),
                              map.getNumSymbols())};
}

/// A copy of `tensor` with one head for each query head, for GQA groups of
/// dynamic size.
Value Decomposition::repeatHeads(Value tensor) {
  auto size = [&](OpFoldResult given) {
    return getValueOrCreateConstantIndexOp(b, b.getLoc(), given);
  };
  auto type = cast<RankedTensorType>(tensor.getType());
  LinalgSteps steps(b.getLoc(), b);
  steps.sizes = tensor::getMixedSizes(b, b.getLoc(), tensor);
  Value share =
      arith::DivUIOp::create(b, size(b.sizes[Head]), size(steps.sizes[Head]));
  steps.sizes[Head] = b.sizes[Head];
  constexpr unsigned all[] = {0, 1, 2, 3};
  return steps.compute(
      {}, steps.empty(all, type.getElementType()), all, [&](ValueRange) {
        SmallVector<Value> from =
            llvm::map_to_vector(all, [&](unsigned dim) -> Value {
              return linalg::IndexOp::create(steps, dim);
            });
        from[Head] = arith::DivUIOp::create(steps, from[Head], share);
        return tensor::ExtractOp::create(steps, tensor, from).getResult();
      });
}

/// The scale, i.e. attribute times operand; null if there is neither.
Value Decomposition::scaleFactor() {
  Value factor;
  if (std::optional<APFloat> fixed = op.getScale())
    factor = b.constant(fixed->convertToFloat());
  if (Value given = op.getDynamicScale())
    factor = factor ? arith::MulFOp::create(b, factor, given) : given;
  return factor;
}

/// Whether a score is above -inf, so that its key may have a weight.
Value Decomposition::isAboveInfinity(Value score) {
  return arith::CmpFOp::create(b, arith::CmpFPredicate::UNE, score,
                               b.constant(-infinity));
}

/// The four coordinates of an element, in a step over the score matrix.
SmallVector<Value> Decomposition::coordinates() {
  return llvm::map_to_vector(scoreMatrix, [&](unsigned loop) -> Value {
    return linalg::IndexOp::create(b, loop);
  });
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

Value Decomposition::computeScores() {
  Value logits =
      b.compute({b.at(op.getQuery(), result), ofKeyHeads(op.getKey(), Feature)},
                b.fill(scoreMatrix, b.constant(0)), scoreMatrix,
                [&](ValueRange e) -> Value {
                  Value term =
                      arith::MulFOp::create(b, b.widen(e[0]), b.widen(e[1]));
                  return arith::AddFOp::create(b, e[2], term);
                });
  Value factor = scaleFactor();
  if (!factor && !op.hasScore())
    return logits;
  return b.compute(b.at(logits, scoreMatrix),
                   b.empty(scoreMatrix, b.getF32Type()), scoreMatrix,
                   [&](ValueRange e) -> Value {
                     Value score = e[0];
                     if (factor)
                       score = arith::MulFOp::create(b, score, factor);
                     if (!op.hasScore())
                       return score;
                     SmallVector<Value> arguments{score};
                     llvm::append_range(arguments, coordinates());
                     llvm::append_range(arguments, op.getCaptures());
                     return inlineBody(b, op.getScore(), arguments).front();
                   });
}

void Decomposition::computeUsed(Value scores) {
  if (!op.getMask() && !op.hasScore())
    return;
  Type i1 = b.getI1Type();
  MaskOpInterface mask = op.getMaskDefinition();
  used = b.compute(
      {}, b.empty(scoreMatrix, i1), scoreMatrix, [&](ValueRange) -> Value {
        return mask ? mask.emitPredicate(b, b.getLoc(), coordinates(),
                                         mask->getOperands())
                    : b.boolean(true);
      });
  SmallVector<LinalgSteps::Operand> inputs{b.at(used, scoreMatrix)};
  if (op.hasScore())
    inputs.push_back(b.at(scores, scoreMatrix));
  hasKey = b.compute(
      inputs, b.fill(row, b.boolean(false)), row, [&](ValueRange e) -> Value {
        Value counts = e[0];
        if (op.hasScore())
          counts = arith::AndIOp::create(b, counts, isAboveInfinity(e[1]));
        return arith::OrIOp::create(b, counts, e.back());
      });
  used = redefineUsed(scores);
}

/// Whether a fully masked row uses a key, according to `empty_rows`. `score` is
/// null without a score region.
Value Decomposition::usedInstead(Value score) {
  Value keep = op.getEmptyRowsMask();
  if (!keep)
    return b.boolean(!emptyRowsAre(EmptyRows::Zero));
  auto mask = keep.getDefiningOp<MaskOpInterface>();
  Value uses =
      mask.emitPredicate(b, b.getLoc(), coordinates(), mask->getOperands());
  if (!score || emptyRowsAre(EmptyRows::Mean))
    return uses;
  return arith::AndIOp::create(b, uses, isAboveInfinity(score));
}

/// Replaces `used` in fully masked rows.
Value Decomposition::redefineUsed(Value scores) {
  // With a score region, a fully masked row may use keys whose score is -inf.
  if (emptyRowsAre(EmptyRows::NaN) ||
      (emptyRowsAre(EmptyRows::Zero) && !op.hasScore()))
    return used;
  SmallVector<LinalgSteps::Operand> inputs{b.at(used, scoreMatrix),
                                           b.at(hasKey, row)};
  bool readsScore = op.hasScore() && op.getEmptyRowsMask();
  if (readsScore)
    inputs.push_back(b.at(scores, scoreMatrix));
  return b.compute(inputs, b.empty(scoreMatrix, b.getI1Type()), scoreMatrix,
                   [&](ValueRange e) -> Value {
                     Value instead = usedInstead(readsScore ? e[2] : Value());
                     return arith::SelectOp::create(b, e[1], e[0], instead);
                   });
}

/// The scores with -inf for unused keys.
Value Decomposition::maskUnused(Value scores) {
  if (!used)
    return scores;
  return b.compute(
      {b.at(scores, scoreMatrix), b.at(used, scoreMatrix), b.at(hasKey, row)},
      b.empty(scoreMatrix, b.getF32Type()), scoreMatrix,
      [&](ValueRange e) -> Value {
        Value score = e[0];
        // Equal scores give the mean.
        if (emptyRowsAre(EmptyRows::Mean))
          score = arith::SelectOp::create(b, e[2], score, b.constant(0));
        return arith::SelectOp::create(b, e[1], score, b.constant(-infinity));
      });
}

/// The number of queries that a sink of a part of them is for.
Value Decomposition::measureSinkPart() {
  Value queries =
      getValueOrCreateConstantIndexOp(b, op.getLoc(), b.sizes[Query]);
  Value parts = tensor::DimOp::create(b, op.getSinks(), /*index=*/1);
  return b.createOrFold<arith::DivUIOp>(op.getLoc(), queries, parts);
}

/// The sink at the loops of a row, of a part of `length` queries.
Value Decomposition::readSink(Value length) {
  Value head = linalg::IndexOp::create(b, Head);
  Value query = linalg::IndexOp::create(b, Query);
  Value part = arith::DivUIOp::create(b, query, length);
  return tensor::ExtractOp::create(b, op.getSinks(), ValueRange{head, part});
}

/// The sink of each row; -inf if there is none.
Value Decomposition::computeSinks() {
  if (!op.getSinks())
    return b.fill(row, b.constant(-infinity));
  // The mean of fully masked rows ignores the sink.
  bool mean = emptyRowsAre(EmptyRows::Mean);
  bool ofParts = cast<ShapedType>(op.getSinks().getType()).getRank() == 2;
  Value length = ofParts ? measureSinkPart() : Value();
  SmallVector<LinalgSteps::Operand> inputs;
  if (mean)
    inputs.push_back(b.at(hasKey, row));
  if (!ofParts)
    inputs.push_back(b.at(op.getSinks(), Head));
  return b.compute(
      inputs, b.empty(row, b.getF32Type()), row, [&](ValueRange e) -> Value {
        Value sink = ofParts ? readSink(length) : e[mean];
        if (!mean)
          return sink;
        return arith::SelectOp::create(b, e[0], sink, b.constant(-infinity));
      });
}

Value Decomposition::computePowers(Value scores, Value largest) {
  SmallVector<LinalgSteps::Operand> inputs{b.at(scores, scoreMatrix),
                                           b.at(largest, row)};
  if (used)
    inputs.push_back(b.at(used, scoreMatrix));
  return b.compute(
      inputs, b.empty(scoreMatrix, b.getF32Type()), scoreMatrix,
      [&](ValueRange e) -> Value {
        Value reference = e[1];
        // If all scores are -inf, -inf - -inf would be NaN instead of -inf.
        if (op.hasScore()) {
          Value none = b.constant(-infinity);
          Value isNone = arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ,
                                               reference, none);
          reference =
              arith::SelectOp::create(b, isNone, b.constant(0), reference);
        }
        Value below = arith::SubFOp::create(b, e[0], reference);
        Value power = math::ExpOp::create(b, below);
        if (!used)
          return power;
        return arith::SelectOp::create(b, e[2], power, b.constant(0));
      });
}

/// The contribution of the sink to the total of each row.
Value Decomposition::computeSinkPowers(Value sinks, Value largest) {
  if (!op.getSinks())
    return b.fill(row, b.constant(0));
  return b.compute(
      {b.at(sinks, row), b.at(largest, row)}, b.empty(row, b.getF32Type()), row,
      [&](ValueRange e) -> Value {
        Value none = arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, e[0],
                                           b.constant(-infinity));
        Value below = arith::SubFOp::create(b, e[0], e[1]);
        Value power = math::ExpOp::create(b, below);
        return arith::SelectOp::create(b, none, b.constant(0), power);
      });
}

Value Decomposition::computeSums(Value powers, Value total) {
  SmallVector<LinalgSteps::Operand> inputs{b.at(powers, scoreMatrix),
                                           b.at(total, row),
                                           ofKeyHeads(op.getValue(), Feature)};
  if (used)
    inputs.push_back(b.at(used, scoreMatrix));
  return b.compute(
      inputs, b.fill(result, b.constant(0)), result,
      [&](ValueRange e) -> Value {
        Value weight = arith::DivFOp::create(b, e[0], e[1]);
        Value term = arith::MulFOp::create(b, weight, b.widen(e[2]));
        if (used)
          term = arith::SelectOp::create(b, e[3], term, b.constant(0));
        return arith::AddFOp::create(b, e.back(), term);
      });
}

Value Decomposition::computeOut(Value sums) {
  Type element = op.getOutType().getElementType();
  bool nan = emptyRowsAre(EmptyRows::NaN);
  SmallVector<LinalgSteps::Operand> inputs{b.at(sums, result)};
  Value isSum;
  if (nan) {
    inputs.push_back(b.at(hasKey, row));
    // Without a mask, rows of zero keys are zero.
    if (!op.getMask())
      isSum = arith::CmpIOp::create(
          b, arith::CmpIPredicate::eq,
          getValueOrCreateConstantIndexOp(b, b.getLoc(), b.sizes[Key]),
          arith::ConstantIndexOp::create(b, 0));
  }
  return b.compute(inputs, op.getOut(), result, [&](ValueRange e) -> Value {
    Value sum = b.narrow(e[0], element);
    if (!nan)
      return sum;
    Value defined = e[1];
    if (isSum)
      defined = arith::OrIOp::create(b, defined, isSum);
    Value undefined =
        b.constant(element, std::numeric_limits<double>::quiet_NaN());
    return arith::SelectOp::create(b, defined, sum, undefined);
  });
}

Value Decomposition::computeLse(Value largest, Value total) {
  return b.compute({b.at(largest, row), b.at(total, row)}, op.getLse(), row,
                   [&](ValueRange e) -> Value {
                     Value logarithm = math::LogOp::create(b, e[1]);
                     return arith::AddFOp::create(b, e[0], logarithm);
                   });
}

SmallVector<Value> Decomposition::run() {
  Value scores = computeScores();
  computeUsed(scores);
  scores = maskUnused(scores);
  Value sinks = computeSinks();
  Value largest = b.compute(b.at(scores, scoreMatrix), sinks, row,
                            [&](ValueRange e) -> Value {
                              return arith::MaximumFOp::create(b, e[0], e[1]);
                            });
  Value powers = computePowers(scores, largest);
  Value total =
      b.compute(b.at(powers, scoreMatrix), computeSinkPowers(sinks, largest),
                row, [&](ValueRange e) -> Value {
                  return arith::AddFOp::create(b, e[0], e[1]);
                });
  // From here on, the feature loop is over the features of values.
  b.sizes[Feature] =
      tensor::getMixedSize(b, b.getLoc(), op.getValue(), AttentionOp::Feature);
  SmallVector<Value> results{computeOut(computeSums(powers, total))};
  if (op.getLse())
    results.push_back(computeLse(largest, total));
  return results;
}

//===----------------------------------------------------------------------===//
// Pattern and pass
//===----------------------------------------------------------------------===//

/// A mask of `op` that no mask operation defines, or null.
static Value findUndefinedMask(AttentionOp op) {
  for (Value mask : op.getMasks())
    if (!mask.getDefiningOp<MaskOpInterface>())
      return mask;
  return {};
}

namespace {

struct DecomposeAttention : OpRewritePattern<AttentionOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AttentionOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics())
      return rewriter.notifyMatchFailure(op, "is on buffers");
    if (findUndefinedMask(op))
      return rewriter.notifyMatchFailure(op, "its mask has no known predicate");
    rewriter.replaceOp(op, Decomposition(rewriter, op).run());
    return success();
  }
};

struct DecomposeAttentionPass
    : stof::impl::DecomposeAttentionPassBase<DecomposeAttentionPass> {
  using Base::Base;
  void runOnOperation() override;
};

} // namespace

void stof::populateDecomposeAttentionPatterns(RewritePatternSet &patterns) {
  patterns.add<DecomposeAttention>(patterns.getContext());
}

void DecomposeAttentionPass::runOnOperation() {
  WalkResult known = getOperation()->walk([](AttentionOp op) {
    Value unknown = findUndefinedMask(op);
    if (!unknown)
      return WalkResult::advance();
    op.emitOpError("expects a mask defined by a mask operation, but got ")
        << unknown;
    return WalkResult::interrupt();
  });
  if (known.wasInterrupted())
    return signalPassFailure();
  RewritePatternSet patterns(&getContext());
  populateDecomposeAttentionPatterns(patterns);
  if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
    signalPassFailure();
}
