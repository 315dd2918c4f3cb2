//===----------------------------------------------------------------------===//
// The logits of a tile of scores.
//===----------------------------------------------------------------------===//

#include "LogitEmitter.h"
#include "../Scalar/ScalarBody.h"
#include "MapElements.h"
#include "TileBitmap.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace stof;
using arith::CmpIPredicate;

namespace {
/// Arithmetic on coordinates: in i32 without overflow where all of them are
/// narrow, else on indices.
class CoordinateBuilder {
public:
  CoordinateBuilder(OpBuilder &builder, Location loc, bool isNarrow)
      : builder(builder), loc(loc),
        type(isNarrow ? Type(builder.getI32Type()) : builder.getIndexType()),
        flags(isNarrow ? arith::IntegerOverflowFlags::nsw
                       : arith::IntegerOverflowFlags::none) {}

  Value convert(Value index) {
    return builder.createOrFold<arith::IndexCastOp>(loc, type, index);
  }
  Value convert(OpFoldResult index) {
    return convert(getValueOrCreateConstantIndexOp(builder, loc, index));
  }
  Value constant(int64_t value) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getIntegerAttr(type, value));
  }
  Value add(Value lhs, Value rhs) {
    return arith::AddIOp::create(builder, loc, lhs, rhs, flags);
  }
  /// The coordinate at `index` from `first`.
  Value getCoordinate(Value first, Value index) {
    Value begin = convert(first), distance = convert(index);
    return add(begin, distance);
  }
  /// Whether `position` < `count`. The difference of narrow ones is compared
  /// with a constant, as in Scalar/NarrowBody.cpp.
  Value isBelow(Value position, OpFoldResult count) {
    Value end = convert(count);
    if (!type.isIndex() && !getConstantIntValue(count)) {
      position = arith::SubIOp::create(builder, loc, position, end, flags);
      end = constant(0);
    }
    auto below = type.isIndex() ? CmpIPredicate::ult : CmpIPredicate::slt;
    return arith::CmpIOp::create(builder, loc, below, position, end);
  }
  /// `position`, at most `count - 1`.
  Value clamp(Value position, OpFoldResult count) {
    Value last =
        arith::SubIOp::create(builder, loc, convert(count), constant(1));
    return arith::MinUIOp::create(builder, loc, position, last);
  }
  /// The coordinate of element `number` of `positions`.
  Value getPosition(const StridedPositions &positions, Value number) {
    if (positions.stride == 1)
      return number;
    Value scaled = arith::MulIOp::create(builder, loc, number,
                                         constant(positions.stride), flags);
    return add(scaled, convert(positions.offset));
  }

private:
  OpBuilder &builder;
  Location loc;
  Type type;
  arith::IntegerOverflowFlags flags;
};
} // namespace

/// The conjunction of two i1, where null stands for true.
static Value conjoin(OpBuilder &builder, Location loc, Value lhs, Value rhs) {
  if (!lhs || !rhs)
    return lhs ? lhs : rhs;
  return arith::AndIOp::create(builder, loc, lhs, rhs);
}

LogitEmitter::LogitEmitter(const AttentionContext &context, const CtaTile &cta,
                           const QueryTile &queries, const LogitScale &scale)
    : context(context), cta(cta), queries(queries), scale(scale) {
  AttentionOp op = context.getOp();
  if (!op.hasScore())
    return;
  for (auto [argument, captured] :
       llvm::zip(op.getScore().front().getArguments().drop_front(
                     AttentionOp::numScoreArguments),
                 op.getCaptures()))
    captures.map(argument, context.getArgument(captured));
}

Value LogitEmitter::emit(OpBuilder &builder, const KeyView &view,
                         const KeyTile &keys, Value products,
                         Value emptyRows) const {
  return emitCases(builder, {view, keys, products, emptyRows}, keys.cases);
}

Value LogitEmitter::emitCases(OpBuilder &builder, const Tile &tile,
                              ArrayRef<TileCase> cases) const {
  if (cases.empty())
    return emitTile(builder, tile, tile.keys.otherwise);
  auto [holds, test] = cases.front();
  auto branch =
      scf::IfOp::create(builder, context.loc, tile.products.getType(), holds,
                        /*withElseRegion=*/true);
  OpBuilder taken = branch.getThenBodyBuilder();
  scf::YieldOp::create(taken, context.loc, emitTile(taken, tile, test));
  OpBuilder other = branch.getElseBodyBuilder();
  scf::YieldOp::create(other, context.loc,
                       emitCases(other, tile, cases.drop_front()));
  return branch.getResult(0);
}

Value LogitEmitter::emitTile(OpBuilder &builder, const Tile &tile,
                             const PositionTest &test) const {
  SmallVector<Value> inputs{tile.products};
  if (tile.emptyRows)
    inputs.push_back(tile.emptyRows);
  if (readsBitmap(tile, test))
    llvm::append_range(inputs, loadBitmap(builder, context, tile.view.bitmaps,
                                          tile.keys.bitmap));
  return mapElements(builder, context.loc, tile.products.getType(), inputs,
                     [&](OpBuilder &inner, ValueRange at, ValueRange elements) {
                       return emitElement(inner, tile, test, at, elements);
                     });
}

Value LogitEmitter::emitElement(OpBuilder &builder, const Tile &tile,
                                const PositionTest &test, ValueRange at,
                                ValueRange elements) const {
  Location loc = context.loc;
  AttentionOp op = context.getOp();
  const KeyView &view = tile.view;
  std::optional<std::pair<int64_t, int64_t>> ends = getNarrowEnds(view);
  CoordinateBuilder math(builder, loc, ends.has_value());
  Value q = math.getCoordinate(queries.getFirst(), at[0]);
  Value k = math.getCoordinate(tile.keys.firstKey, at[1]);

  // Out-of-bounds keys are masked in a bitmap.
  Value keep;
  if (test.checksEnd && !view.isFilled && !readsBitmap(tile, test))
    keep = math.isBelow(k, view.positions.count);

  // Tensors are read in bounds only, so coordinates are clamped.
  bool hasToExist = (op.hasScore() && readsTensors(op.getScore())) ||
                    (test.code && test.code->readsTensors());
  if (hasToExist && !view.isFilled)
    k = math.clamp(k, view.positions.count);
  k = math.getPosition(view.positions, k);
  const std::optional<StridedPositions> &residue = queries.getResidueClass();
  if (hasToExist)
    q = math.clamp(q, residue ? residue->count
                              : OpFoldResult(queries.getNumQueries()));
  if (residue)
    q = math.getPosition(*residue, q);
  SmallVector<PairCoordinate> coordinates{cta.row.batch,
                                          cta.row.head,
                                          {q, ends ? ends->first : 0},
                                          {k, ends ? ends->second : 0}};

  keep = conjoin(builder, loc, keep,
                 emitMask(builder, tile, test, at, elements, coordinates));
  if (test.isMasked && !view.earlier.empty()) {
    Value yes = arith::ConstantIntOp::create(builder, loc, 1, 1);
    Value fresh = arith::XOrIOp::create(
        builder, loc, view.isVisitedEarlier(builder, loc, k, context.tile.keys),
        yes);
    keep = conjoin(builder, loc, keep, fresh);
  }
  bool isMean = tile.emptyRows && op.getEmptyRows() == EmptyRows::Mean;
  Value logit = isMean ? createF32(builder, loc, 0)
                       : emitScore(builder, elements[0], coordinates);
  if (!keep)
    return logit;
  return arith::SelectOp::create(builder, loc, keep, logit,
                                 createNegativeInfinity(builder, loc));
}

Value LogitEmitter::emitMask(OpBuilder &builder, const Tile &tile,
                             const PositionTest &test, ValueRange at,
                             ValueRange elements,
                             ArrayRef<PairCoordinate> coordinates) const {
  if (readsBitmap(tile, test))
    return testBitmap(builder, context, elements.drop_front(), at[1]);
  Value keep = test.code ? test.code->keeps(builder, coordinates) : Value();
  return tile.emptyRows ? conjoin(builder, context.loc, elements[1], keep)
                        : keep;
}

Value LogitEmitter::emitScore(OpBuilder &builder, Value product,
                              ArrayRef<PairCoordinate> coordinates) const {
  Location loc = context.loc;
  if (scale.factor)
    return product;
  if (!scale.isNatural) {
    Value factor = createF32(builder, loc, llvm::numbers::log2ef);
    if (scale.scoreScale)
      factor =
          builder.createOrFold<arith::MulFOp>(loc, scale.scoreScale, factor);
    return arith::MulFOp::create(builder, loc, product, factor);
  }
  if (scale.scoreScale)
    product = arith::MulFOp::create(builder, loc, product, scale.scoreScale);
  if (!context.getOp().hasScore())
    return product;
  Block &score = context.getOp().getScore().front();
  IRMapping values = captures;
  values.map(score.getArgument(0), product);
  return copyPairBody(builder, score, values,
                      score.getArguments().drop_front(1).take_front(
                          AttentionOp::numScoreArguments - 1),
                      coordinates)
      .front();
}

std::optional<std::pair<int64_t, int64_t>>
LogitEmitter::getNarrowEnds(const KeyView &view) const {
  AttentionOp op = context.getOp();
  int64_t keyStride = view.positions.stride;
  int64_t queryStride = context.getRowStride();
  auto getMost = [](ShapedType type) {
    int64_t length = type.getDimSize(AttentionOp::Position);
    return ShapedType::isDynamic(length) ? mostDynamicPositions : length;
  };
  int64_t numQueries = getMost(op.getQueryType());
  int64_t numKeys = getMost(op.getKeyType());
  if (std::max(numQueries, numKeys) > narrowLimit || keyStride > narrowLimit)
    return std::nullopt;
  int64_t inView = llvm::divideCeil(numKeys, keyStride);
  int64_t inClass = llvm::divideCeil(numQueries, queryStride);
  // The offset is less than the stride.
  int64_t queryEnd =
      (llvm::alignTo(inClass, context.tile.queries) + 1) * queryStride;
  int64_t keyEnd = (llvm::alignTo(inView, context.tile.keys) + 1) * keyStride;
  if (std::max(queryEnd, keyEnd) > narrowLimit)
    return std::nullopt;
  return std::pair(queryEnd, keyEnd);
}
