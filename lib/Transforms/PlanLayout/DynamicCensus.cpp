//===----------------------------------------------------------------------===//
// The counts of a layout as expressions.
//===----------------------------------------------------------------------===//

#include "DynamicCensus.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace stof;

DynamicCensus::DynamicCensus(const MaskedAttention &attention,
                             ArrayRef<CountSymbol> symbols)
    : attention(attention), symbols(symbols), counter(symbols) {}

/// The extent of the variable `position`: a symbol of the set or, for keys that
/// follow those of a cache, a sum of symbols.
CountExpr DynamicCensus::getLength(const Expr *position) const {
  auto getSymbol = [&](const Expr *expr) {
    ArrayRef<const Expr *> known = attention.set.getSymbols();
    const auto *found = llvm::find(known, expr);
    assert(found != known.end() && "expects extents in symbols of the set");
    return CountExpr::symbol(symbols[found - known.begin()].name);
  };
  const Expr *extent = position->operands[0];
  if (std::optional<int64_t> size = extent->getInt())
    return *size;
  if (extent->op != ScalarOp::Linear)
    return getSymbol(extent);
  CountExpr sum = extent->ints.back();
  for (auto [term, factor] : llvm::zip(extent->operands, extent->ints))
    sum += getSymbol(term) * factor;
  return sum;
}

/// Adds `count` to `sum` if it is known; otherwise records the obstacle.
bool DynamicCensus::addTo(CountExpr &sum, std::optional<CountExpr> count) {
  if (count)
    sum += *count;
  else
    obstacle = counter.getObstacle();
  return count.has_value();
}

void DynamicCensus::add(const TouchedTiles &visited, const TouchedTiles &masked,
                        TileShape shape) {
  CountExpr touched, cut;
  isKnown =
      addTo(touched, counter.countUnion(visited.polyhedra)) &&
      addTo(cut, counter.countCommon(visited.polyhedra, masked.polyhedra));
  if (!isKnown)
    return;
  auto cover = [](const CountExpr &length, int64_t offset, int64_t side) {
    return CountExpr::ceilDivide(length - offset, side);
  };
  full += touched - cut;
  partial += cut;
  empty += cover(getLength(attention.mask.query), shape.rowOffset,
                 shape.rowStride * shape.queries) *
               cover(getLength(attention.mask.key), shape.offset,
                     shape.stride * shape.keys) -
           touched;
}

void DynamicCensus::addTiles(const TouchedTiles &visited,
                             const TouchedTiles &masked,
                             ArrayRef<LatticePart> lattices) {
  add(visited, masked, attention.shape);
  for (const LatticePart &part : lattices)
    isKnown =
        isKnown && addTo(partial, counter.countUnion(part.visited.polyhedra));
}

void DynamicCensus::addClasses(const RowClasses &rows) {
  for (const RowClass &one : rows.classes) {
    const MaskSet &set = attention.set;
    std::optional<TouchedTiles> masked = findTouchedTiles(
        set.getOpen().intersect(set.getDomain()), set.getDomain(), one.shape);
    isKnown = one.visited.isExact && masked && masked->isExact;
    if (isKnown)
      add(one.visited, *masked, one.shape);
    if (!isKnown)
      return;
  }
}

DictionaryAttr DynamicCensus::toDictionary() {
  MLIRContext *context = AttentionOp(attention.op).getContext();
  Builder builder(context);
  NamedAttrList list;
  if (isKnown) {
    list.append("full", full.toSizeExpr().toAttribute(context));
    list.append("partial", partial.toSizeExpr().toAttribute(context));
    list.append("empty", empty.toSizeExpr().toAttribute(context));
  }
  CountExpr nonzeros;
  bool hasPairs = attention.set.isExact();
  std::string why = isKnown ? "" : obstacle;
  if (hasPairs &&
      addTo(nonzeros, counter.countPairs(attention.set.getMust()))) {
    list.append("nonzeros", nonzeros.toSizeExpr().toAttribute(context));
  } else if (isKnown) {
    why = hasPairs ? obstacle : "a part of the mask is not affine";
  }
  if (!why.empty())
    list.append("unknown", builder.getStringAttr(why));
  NamedAttrList operands;
  for (const CountSymbol &symbol : symbols)
    if (symbol.operand && symbol.obstacle.empty() && !symbol.isSize)
      operands.append(symbol.name, builder.getI64IntegerAttr(*symbol.operand));
  if (!operands.empty())
    list.append("symbols", operands.getDictionary(context));
  return list.getDictionary(context);
}
