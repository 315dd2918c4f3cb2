//===----------------------------------------------------------------------===//
// What becomes of one score in the attention kernel: the scale, the score
// region and the mask, evaluated at the coordinates of the element.
//===----------------------------------------------------------------------===//

#include "../Scalar/ScalarBody.h"
#include "AttentionEmitter.h"
#include "PartialTiles.h"
#include "stof/IR/BitmapOrder.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace stof;

Value AttentionEmitter::scoreElement(OpBuilder &builder, Value product,
                                     ArrayRef<PairCoordinate> coordinates) {
  if (factor)
    return product;
  if (!hasNaturalLogits()) {
    Value factor = constant(builder, log2e);
    if (scale)
      factor = builder.createOrFold<arith::MulFOp>(loc, scale, factor);
    return arith::MulFOp::create(builder, loc, product, factor);
  }
  if (scale)
    product = arith::MulFOp::create(builder, loc, product, scale);
  if (!op.hasScore())
    return product;
  Block &score = op.getScore().front();
  IRMapping values = scoreValues;
  values.map(score.getArgument(0), product);
  return copyPairBody(builder, score, values,
                      score.getArguments().drop_front(1).take_front(
                          AttentionOp::numScoreArguments - 1),
                      coordinates)
      .front();
}

SmallVector<Value> AttentionEmitter::loadBitmap(OpBuilder &builder,
                                                const KeyView &view,
                                                Value bitmap) {
  auto type = cast<tile::FragmentType>(
      rowType.cloneWith(std::nullopt, builder.getI32Type()));
  SmallVector<Value> words;
  for (int64_t number = 0; number < BitmapOrder(tile.keys).getWordsOfRow();
       ++number)
    words.push_back(
        map(builder, type, {},
            [&](OpBuilder &inner, ValueRange at, ValueRange) -> Value {
              Value word = arith::ConstantIndexOp::create(inner, loc, number);
              return memref::LoadOp::create(inner, loc, view.bitmaps,
                                            ValueRange{bitmap, at[0], word});
            }));
  return words;
}

namespace {
/// Code that computes an i32 that is not negative.
struct Computed {
  OpBuilder &builder;
  Value value;

  Value constant(int64_t number) const {
    return arith::ConstantIntOp::create(builder, value.getLoc(), number, 32);
  }
  template <typename OpTy>
  Computed apply(Value operand) const {
    return {builder, OpTy::create(builder, value.getLoc(), value, operand)};
  }
  Computed operator+(Computed other) const {
    return apply<arith::AddIOp>(other.value);
  }
  Computed operator*(int64_t factor) const {
    return apply<arith::MulIOp>(constant(factor));
  }
  Computed operator/(int64_t divisor) const {
    return apply<arith::DivUIOp>(constant(divisor));
  }
  Computed operator%(int64_t divisor) const {
    return apply<arith::RemUIOp>(constant(divisor));
  }
};
} // namespace

Value AttentionEmitter::testBitmap(OpBuilder &builder, ValueRange words,
                                   Value column) {
  BitmapOrder order(tile.keys);
  Computed place{builder, arith::IndexCastOp::create(
                              builder, loc, builder.getI32Type(), column)};
  // What the columns of a thread share is computed apart from what they do not.
  constexpr int64_t wordSize = BitmapOrder::bitsOfWord;
  Computed first = order.getFirstBit(place), bit = order.getBit(place);
  Computed word = first / wordSize + bit / wordSize;
  Value bits = words.front();
  for (auto [number, other] : llvm::drop_begin(llvm::enumerate(words))) {
    Value isHere = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                         word.value, word.constant(number));
    bits = arith::SelectOp::create(builder, loc, isHere, other, bits);
  }
  bits = arith::ShRUIOp::create(builder, loc, bits, (first % wordSize).value);
  bits = arith::ShRUIOp::create(builder, loc, bits, (bit % wordSize).value);
  return arith::TruncIOp::create(builder, loc, builder.getI1Type(), bits);
}

std::optional<std::pair<int64_t, int64_t>>
AttentionEmitter::getNarrowEnds(const KeyView &view) {
  int64_t queries = op.getQueryType().getDimSize(AttentionOp::position);
  int64_t keys = op.getKeyType().getDimSize(AttentionOp::position);
  if (ShapedType::isDynamic(queries) || ShapedType::isDynamic(keys) ||
      std::max(queries, keys) > narrowLimit || view.stride > narrowLimit)
    return std::nullopt;
  int64_t inView = llvm::divideCeil(keys, view.stride);
  int64_t inClass = llvm::divideCeil(queries, rowStride());
  // An offset is less than its stride.
  int64_t queryEnd = (llvm::alignTo(inClass, tile.queries) + 1) * rowStride();
  int64_t keyEnd = (llvm::alignTo(inView, tile.keys) + 1) * view.stride;
  if (std::max(queryEnd, keyEnd) > narrowLimit)
    return std::nullopt;
  return std::pair(queryEnd, keyEnd);
}

SmallVector<AttentionEmitter::PartialCase>
AttentionEmitter::findPartialCases(const KeyView &view, ArrayAttr visited,
                                   ArrayAttr partial) {
  if (!partial)
    return {};
  Value mask = op.getMask();
  if (!mask || !mask.getDefiningOp<MaskOp>())
    return {{llvm::to_vector(llvm::seq<unsigned>(partial.size())), testAll()}};
  if (!truths)
    truths.emplace(op);
  bool isLattice = view.stride != 1 && !rowClass;
  int64_t offset = isLattice ? *getConstantIntValue(view.offset) : 0;
  SmallVector<PartialCase> cases;
  for (ReducedMask &one : reduceMask(op, *truths, visited, partial, view.stride,
                                     offset, view.isFilled)) {
    PairTest test{/*isMasked=*/true, one.hasPadding};
    if (!one.keepsAll()) {
      reducedMasks.push_back(std::move(one.mask));
      isTooLong |= failed(MaskCode::verify(op, reducedMasks.back()->getResult(),
                                           /*isAsked=*/true));
      reducedCodes.emplace_back(kernel, reducedMasks.back()->getResult(),
                                hostValues);
      test.code = &reducedCodes.back();
    }
    cases.push_back({one.intervals, test});
  }
  return cases;
}

SmallVector<AttentionEmitter::Condition>
AttentionEmitter::findTests(OpBuilder &builder, const KeyView &view,
                            LayoutWalk &walk, Value position) {
  if (op.getLayout()->getStorage() != LayoutStorage::ClosedForm)
    return {{walk.isPartial(builder, position), testAll()}};
  return llvm::map_to_vector(view.partial, [&](const PartialCase &one) {
    return Condition(walk.isPartial(builder, position, one.intervals),
                     one.test);
  });
}

Value AttentionEmitter::logits(OpBuilder &builder, const KeyView &view,
                               const KeyTile &keys, Value scores,
                               Value emptyRows) {
  if (!keys.tests)
    return logits(builder, view, keys, scores, emptyRows, testAll());
  auto compute = [&](OpBuilder &inner, ArrayRef<Condition> conditions,
                     auto &&rest) -> Value {
    if (conditions.empty())
      return logits(inner, view, keys, scores, emptyRows, PairTest());
    auto [holds, test] = conditions.front();
    auto branch = scf::IfOp::create(inner, loc, scores.getType(), holds,
                                    /*withElseRegion=*/true);
    OpBuilder taken = branch.getThenBodyBuilder();
    scf::YieldOp::create(taken, loc,
                         logits(taken, view, keys, scores, emptyRows, test));
    OpBuilder other = branch.getElseBodyBuilder();
    scf::YieldOp::create(other, loc,
                         rest(other, conditions.drop_front(), rest));
    return branch.getResult(0);
  };
  return compute(builder, *keys.tests, compute);
}

Value AttentionEmitter::logits(OpBuilder &builder, const KeyView &view,
                               const KeyTile &keys, Value scores,
                               Value emptyRows, PairTest test) {
  SmallVector<Value> inputs{scores};
  if (emptyRows)
    inputs.push_back(emptyRows);
  // A bitmap has no keys beyond the end.
  bool hasBitmap = test.isMasked && keys.bitmap;
  if (hasBitmap)
    llvm::append_range(inputs, loadBitmap(builder, view, keys.bitmap));
  std::optional<std::pair<int64_t, int64_t>> ends = getNarrowEnds(view);
  Type type = ends ? Type(builder.getI32Type()) : builder.getIndexType();
  auto flags = ends ? arith::IntegerOverflowFlags::nsw
                    : arith::IntegerOverflowFlags::none;
  bool hasToExist = (op.hasScore() && readsTensors(op.getScore())) ||
                    (test.code && test.code->readsTensors());
  return map(
      builder, scores.getType(), inputs,
      [&](OpBuilder &inner, ValueRange at, ValueRange elements) -> Value {
        auto number = [&](int64_t value) -> Value {
          return arith::ConstantOp::create(inner, loc,
                                           inner.getIntegerAttr(type, value));
        };
        auto convert = [&](Value index) -> Value {
          return inner.createOrFold<arith::IndexCastOp>(loc, type, index);
        };
        auto add = [&](Value lhs, Value rhs) -> Value {
          return arith::AddIOp::create(inner, loc, lhs, rhs, flags);
        };
        // Coordinates that exist: beyond the end the last one stands in.
        auto clamp = [&](Value position, Value count) -> Value {
          if (!hasToExist)
            return position;
          Value last =
              arith::SubIOp::create(inner, loc, convert(count), number(1));
          return arith::MinUIOp::create(inner, loc, position, last);
        };
        Value q = add(convert(firstQuery), convert(at[0]));
        Value inView = add(convert(keys.firstKey), convert(at[1]));
        Value keep;
        if (test.checksEnd && !hasBitmap && !view.isFilled)
          keep = arith::CmpIOp::create(inner, loc,
                                       ends ? arith::CmpIPredicate::slt
                                            : arith::CmpIPredicate::ult,
                                       inView, convert(view.count));
        // The position of element `position` of every `stride`-th one.
        auto spread = [&](Value position, int64_t stride,
                          OpFoldResult offset) -> Value {
          Value whole = arith::MulIOp::create(inner, loc, position,
                                              number(stride), flags);
          return add(whole, convert(getValueOrCreateConstantIndexOp(inner, loc,
                                                                    offset)));
        };
        Value k = view.isFilled ? inView : clamp(inView, view.count);
        if (view.stride != 1)
          k = spread(k, view.stride, view.offset);
        if (rowClass)
          q = spread(
              clamp(q, getValueOrCreateConstantIndexOp(inner, loc, classSize)),
              rowStride(), rowClass);
        else
          q = clamp(q, numQueries);
        SmallVector<PairCoordinate> coordinates{batch,
                                                head,
                                                {q, ends ? ends->first : 0},
                                                {k, ends ? ends->second : 0}};
        Value counts = emptyRows ? elements[1]
                       : hasBitmap
                           ? testBitmap(inner, elements.drop_front(), at[1])
                       : test.code ? test.code->keeps(inner, coordinates)
                                   : Value();
        if (counts)
          keep =
              keep ? arith::AndIOp::create(inner, loc, keep, counts).getResult()
                   : counts;
        if (test.isMasked && !view.earlier.empty()) {
          Value yes = arith::ConstantIntOp::create(inner, loc, 1, 1);
          Value fresh = arith::XOrIOp::create(inner, loc,
                                              isComputed(inner, view, k), yes);
          keep = keep ? arith::AndIOp::create(inner, loc, keep, fresh) : fresh;
        }
        bool mean = emptyRows && op.getEmptyRows() == EmptyRows::Mean;
        Value logit = mean ? constant(inner, 0)
                           : scoreElement(inner, elements[0], coordinates);
        if (!keep)
          return logit;
        return arith::SelectOp::create(inner, loc, keep, logit,
                                       infinity(inner));
      });
}
