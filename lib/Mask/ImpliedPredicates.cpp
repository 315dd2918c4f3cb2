//===----------------------------------------------------------------------===//
// Tiles and the set where a comparison fails, as one system of linear
// inequalities. Its first columns are the row tile, the batch, the head, the
// key tile, and the row and the column in the tile.
//===----------------------------------------------------------------------===//

#include "stof/Mask/ImpliedPredicates.h"

#include "mlir/Analysis/FlatLinearValueConstraints.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace stof;
using llvm::DynamicAPInt;
using presburger::IntegerPolyhedron;
using presburger::IntegerRelation;
using presburger::PresburgerSpace;

/// Emptiness checks for one attention; each takes about 20 us.
static constexpr unsigned maxSearches = 400;
/// More intervals than this are not checked separately.
static constexpr size_t maxVisited = 8;

//===----------------------------------------------------------------------===//
// The tiles of an interval
//===----------------------------------------------------------------------===//

namespace {
/// A sum over columns and a constant; missing trailing factors are 0.
struct Sum {
  SmallVector<DynamicAPInt> factors;
  DynamicAPInt constant{0};

  static Sum number(int64_t value) {
    Sum sum;
    sum.constant = value;
    return sum;
  }
  static Sum column(unsigned number, int64_t factor = 1) {
    Sum sum;
    sum.factors.resize(number + 1, DynamicAPInt(0));
    sum.factors.back() = factor;
    return sum;
  }
  void add(const Sum &other, const DynamicAPInt &times) {
    if (factors.size() < other.factors.size())
      factors.resize(other.factors.size(), DynamicAPInt(0));
    for (auto [number, factor] : llvm::enumerate(other.factors))
      factors[number] += factor * times;
    constant += other.constant * times;
  }
  Sum operator+(const Sum &other) const {
    Sum sum = *this;
    sum.add(other, DynamicAPInt(1));
    return sum;
  }
  Sum operator*(int64_t times) const {
    Sum sum;
    sum.add(*this, DynamicAPInt(times));
    return sum;
  }
};
} // namespace

class ImpliedPredicates::Tiles {
public:
  Tiles(LayoutAttr layout, const MaskExpr &mask, ArrayRef<const Expr *> symbols,
        int64_t stride, int64_t offset);

  void restrictTo(IntervalAttr interval);
  /// Whether the tiles contain no pair of `disjunct`, which is over the symbols
  /// of `set`.
  bool isDisjoint(const IntegerRelation &disjunct, const MaskSet &set) const;

private:
  enum Column : unsigned {
    RowTile,
    Batch,
    Head,
    KeyTile,
    RowInTile,
    ColumnInTile,
    End
  };

  Sum addColumn() { return Sum::column(numColumns++); }
  Sum columnOf(const Expr *symbol) {
    auto [it, isNew] = columns.try_emplace(symbol, numColumns);
    numColumns += isNew;
    return Sum::column(it->second);
  }
  /// The remainder of `sum` modulo `divisor`.
  Sum modulo(const Sum &sum, int64_t divisor);
  void atLeastZero(Sum sum) { rows.push_back(std::move(sum)); }
  void between(const Sum &sum, int64_t extent) {
    atLeastZero(sum);
    atLeastZero(sum * -1 + Sum::number(extent - 1));
  }
  /// The results of a map of the layout; none if they are not linear.
  SmallVector<Sum> flatten(AffineMapAttr map);

  unsigned numColumns = End;
  DenseMap<const Expr *, unsigned> columns;
  SmallVector<Sum> symbols;
  Sum query, key;
  SmallVector<Sum> rows;
};

Sum ImpliedPredicates::Tiles::modulo(const Sum &sum, int64_t divisor) {
  Sum rest = sum + addColumn() * -divisor;
  between(rest, divisor);
  return rest;
}

ImpliedPredicates::Tiles::Tiles(LayoutAttr layout, const MaskExpr &mask,
                                ArrayRef<const Expr *> symbolExprs,
                                int64_t stride, int64_t offset) {
  columns = {{mask.batch, Batch}, {mask.head, Head}};
  for (const Expr *symbol : symbolExprs)
    symbols.push_back(columnOf(symbol));
  int64_t rowStride = layout.getRowStride();
  atLeastZero(Sum::column(RowTile));
  atLeastZero(Sum::column(KeyTile));
  between(Sum::column(RowInTile), layout.getRowTile());
  between(Sum::column(ColumnInTile), layout.getColTile());
  Sum inView =
      Sum::column(KeyTile, layout.getColTile()) + Sum::column(ColumnInTile);
  if (rowStride == 1) {
    query = Sum::column(RowTile, layout.getRowTile()) + Sum::column(RowInTile);
    key = inView * stride + Sum::number(offset);
    return;
  }
  // RowTile = rowStride inClass + residue
  Sum inClass = addColumn();
  Sum residue = Sum::column(RowTile) + inClass * -rowStride;
  between(residue, rowStride);
  query = residue +
          (inClass * layout.getRowTile() + Sum::column(RowInTile)) * rowStride;
  key = inView * rowStride +
        modulo(residue + Sum::number(-layout.getResidue()), rowStride);
}

SmallVector<Sum> ImpliedPredicates::Tiles::flatten(AffineMapAttr map) {
  std::vector<SmallVector<int64_t, 8>> results;
  FlatLinearConstraints divisions;
  if (!map ||
      failed(getFlattenedAffineExprs(map.getValue(), &results, &divisions)))
    return {};
  SmallVector<Sum> values{Sum::column(RowTile), Sum::column(Batch),
                          Sum::column(Head)};
  llvm::append_range(values, symbols);
  while (values.size() + 1 < divisions.getNumCols())
    values.push_back(addColumn());
  auto toSum = [&](ArrayRef<int64_t> factors) {
    Sum sum = Sum::number(factors.back());
    for (auto [value, factor] : llvm::zip(values, factors.drop_back()))
      sum.add(value, DynamicAPInt(factor));
    return sum;
  };
  for (unsigned i = 0; i < divisions.getNumInequalities(); ++i)
    atLeastZero(toSum(divisions.getInequality64(i)));
  for (unsigned i = 0; i < divisions.getNumEqualities(); ++i) {
    Sum zero = toSum(divisions.getEquality64(i));
    atLeastZero(zero);
    atLeastZero(zero * -1);
  }
  return llvm::map_to_vector(
      results, [&](ArrayRef<int64_t> factors) { return toSum(factors); });
}

void ImpliedPredicates::Tiles::restrictTo(IntervalAttr interval) {
  for (const Sum &from : flatten(interval.getFrom()))
    atLeastZero(Sum::column(KeyTile) + from * -1);
  for (const Sum &to : flatten(interval.getTo()))
    atLeastZero(to + Sum::column(KeyTile, -1) + Sum::number(-1));
  for (Sum &guard : flatten(interval.getWhere()))
    atLeastZero(std::move(guard));
}

bool ImpliedPredicates::Tiles::isDisjoint(const IntegerRelation &disjunct,
                                          const MaskSet &set) const {
  Tiles both = *this;
  SmallVector<Sum> values{query, key};
  for (const Expr *symbol : set.getSymbols())
    values.push_back(both.columnOf(symbol));
  while (values.size() + 1 < disjunct.getNumCols())
    values.push_back(both.addColumn());
  auto toSum = [&](ArrayRef<DynamicAPInt> factors) {
    Sum sum;
    sum.constant = factors.back();
    for (auto [value, factor] : llvm::zip(values, factors.drop_back()))
      sum.add(value, factor);
    return sum;
  };
  for (unsigned i = 0; i < disjunct.getNumInequalities(); ++i)
    both.atLeastZero(toSum(disjunct.getInequality(i)));
  for (unsigned i = 0; i < disjunct.getNumEqualities(); ++i) {
    Sum zero = toSum(disjunct.getEquality(i));
    both.atLeastZero(zero);
    both.atLeastZero(zero * -1);
  }
  IntegerPolyhedron poly(PresburgerSpace::getSetSpace(both.numColumns));
  for (Sum &sum : both.rows) {
    DynamicAPInt divisor(0);
    for (const DynamicAPInt &factor : sum.factors)
      divisor = gcd(divisor, abs(factor));
    if (divisor > 1) {
      for (DynamicAPInt &factor : sum.factors)
        factor = floorDiv(factor, divisor);
      sum.constant = floorDiv(sum.constant, divisor);
    }
    sum.factors.resize(both.numColumns, DynamicAPInt(0));
    sum.factors.push_back(sum.constant);
    poly.addInequality(sum.factors);
  }
  return poly.isIntegerEmpty();
}

//===----------------------------------------------------------------------===//
// Predicates
//===----------------------------------------------------------------------===//

/// The expression of symbol `number` of the layout of `op`.
static const Expr *readSymbol(ExprContext &context, TensorElement &elements,
                              AttentionOp op, unsigned number,
                              const MaskExpr &mask) {
  Value operand = op.getLayoutOperands()[number];
  if (!isa<ShapedType>(operand.getType()))
    return elements.scalar(operand);
  AffineMap position =
      cast<AffineMapAttr>(op.getLayout()->getSymbols()[number]).getValue();
  SmallVector<const Expr *> indices;
  for (AffineExpr index : position.getResults())
    indices.push_back(elements.ofAffine(index, {mask.batch, mask.head}, {}));
  const Expr *element = elements.at(operand, indices);
  return element->isIndex() ? element : context.fromInt(element);
}

const Expr *ImpliedPredicates::readOutcome(Operation &inner) {
  auto atLeast = [&](Value lhs, const Expr *rhs) -> const Expr * {
    const Expr *left = elements.scalar(lhs);
    if (!left->isIndex() || !rhs->isIndex())
      return nullptr;
    return context.cmpI(arith::CmpIPredicate::sge, left, rhs);
  };
  if (isa<math::AbsIOp>(inner))
    return atLeast(inner.getOperand(0), context.integer(0));
  if (isa<arith::MaxSIOp>(inner))
    return atLeast(inner.getOperand(0), elements.scalar(inner.getOperand(1)));
  if (isa<arith::MinSIOp>(inner))
    return atLeast(inner.getOperand(1), elements.scalar(inner.getOperand(0)));
  // Logic operations follow from their operands.
  if (inner.getNumResults() != 1 ||
      !inner.getResult(0).getType().isInteger(1) ||
      isa<arith::AndIOp, arith::OrIOp, arith::XOrIOp, arith::SelectOp,
          arith::ConstantOp>(inner))
    return nullptr;
  return elements.scalar(inner.getResult(0));
}

ImpliedPredicates::ImpliedPredicates(AttentionOp op)
    : op(op), layout(*op.getLayout()), predicate(op.getMaskDefinition()),
      context(op.getContext()), elements(context), budget(maxSearches) {
  assert(layout.getStorage() == LayoutStorage::ClosedForm &&
         "expects a layout in closed form");
  mask = readMask(elements, predicate, op.getQuery(), op.getKey());
  for (unsigned number = 0; number < op.getLayoutOperands().size(); ++number)
    symbols.push_back(readSymbol(context, elements, op, number, mask));
  for (Operation &inner : predicate.getBody().without_terminator()) {
    const Expr *outcome = readOutcome(inner);
    if (!outcome)
      continue;
    MaskSet isTrue = toSet(outcome);
    if (isTrue.isExact())
      predicates.push_back({inner.getResult(0), std::move(isTrue),
                            toSet(context.notI(outcome))});
  }
}

MaskSet ImpliedPredicates::toSet(const Expr *condition) {
  MaskExpr of = mask;
  of.keep = condition;
  return MaskSet(context, of, setBudget);
}

bool ImpliedPredicates::areDisjoint(ArrayRef<Tiles> tiles, const MaskSet &set,
                                    const MaskSet::Set &pairs) {
  for (const Tiles &part : tiles)
    for (const IntegerRelation &disjunct : pairs.getAllDisjuncts()) {
      if (budget == 0)
        return false;
      --budget;
      if (!part.isDisjoint(disjunct, set))
        return false;
    }
  return true;
}

std::vector<ImpliedPredicates::Tiles>
ImpliedPredicates::select(const Selection &selection) {
  Tiles all(layout, mask, symbols, selection.stride, selection.offset);
  all.restrictTo(selection.partial);
  if (selection.visited.size() > maxVisited)
    return {all};
  std::vector<Tiles> tiles;
  for (auto interval : selection.visited.getAsRange<IntervalAttr>()) {
    tiles.push_back(all);
    tiles.back().restrictTo(interval);
  }
  return tiles;
}

bool ImpliedPredicates::isEmpty(const Selection &selection) {
  MaskSet everything = toSet(context.boolean(true));
  return areDisjoint(select(selection), everything, everything.getDomain());
}

SmallVector<std::pair<Value, bool>>
ImpliedPredicates::find(const Selection &selection) {
  std::vector<Tiles> tiles = select(selection);
  SmallVector<std::pair<Value, bool>> found;
  for (const Predicate &predicate : predicates) {
    if (areDisjoint(tiles, predicate.isFalse, predicate.isFalse.getMay()))
      found.push_back({predicate.value, true});
    else if (areDisjoint(tiles, predicate.isTrue, predicate.isTrue.getMay()))
      found.push_back({predicate.value, false});
  }
  return found;
}

MaskExpr ImpliedPredicates::padKeys(int64_t stride) {
  int64_t span = std::max(stride, layout.getRowStride()) * layout.getColTile();
  MaskExpr padded = mask;
  padded.key = context.variable(
      context.add(mask.key->operands[0], context.integer(span)));
  return padded;
}

bool ImpliedPredicates::hasAllPadding(IntervalAttr interval, int64_t stride,
                                      int64_t offset) {
  if (!interval.getFrom() || interval.getTo() || interval.getWhere() ||
      interval.getFrom().getValue().getNumResults() != 1)
    return false;
  MaskExpr padded = padKeys(stride);
  padded.keep = context.cmpI(arith::CmpIPredicate::sge, padded.key,
                             mask.key->operands[0]);
  MaskSet outside(context, padded, setBudget);
  Tiles before(layout, mask, symbols, stride, offset);
  before.restrictTo(IntervalAttr::get(interval.getContext(), /*from=*/{},
                                      /*to=*/interval.getFrom(),
                                      /*where=*/{}));
  return areDisjoint(before, outside, outside.getMay());
}

bool ImpliedPredicates::keepsPadding(MaskOp reduced,
                                     const Selection &selection) {
  MaskExpr padded = padKeys(selection.stride);
  TensorElement reader(context);
  padded.keep =
      context.andI(readPredicate(reader, MaskPredicate(reduced), padded),
                   context.cmpI(arith::CmpIPredicate::sge, padded.key,
                                mask.key->operands[0]));
  MaskSet kept(context, padded, setBudget);
  return !areDisjoint(select(selection), kept, kept.getMay());
}
