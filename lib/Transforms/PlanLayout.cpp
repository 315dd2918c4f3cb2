//===----------------------------------------------------------------------===//
// Gives attentions the layout of their mask.
//
//   1. The mask becomes a set of pairs (Analysis/MaskSet.h).
//   2. The set is projected onto tiles (Analysis/TileIntervals.h).
//   3. Intervals become affine maps; what their symbols stand for becomes an
//      operand of the attention.
//
// Where captured constants leave no closed form, the tiles are listed
// (Analysis/TileTable.h) and the lists become constants.
//===----------------------------------------------------------------------===//

#include "stof/Transforms/Passes.h"

#include "stof/Analysis/AttentionTile.h"
#include "stof/Analysis/EmitScalar.h"
#include "stof/Analysis/MaskSet.h"
#include "stof/Analysis/TileCensus.h"
#include "stof/Analysis/TileTable.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/MathExtras.h"

#include <map>

#define DEBUG_TYPE "stof-plan-layout"

namespace stof {
#define GEN_PASS_DEF_PLANLAYOUTPASS
#include "stof/Transforms/Passes.h.inc"
} // namespace stof

using namespace mlir;
using namespace stof;

/// A mask of more tiles than this gets no tables.
static constexpr int64_t maxEntries = int64_t(1) << 22;

namespace {

/// Where the value of a symbol comes from: an operand of the attention, and a
/// position in it as a function of (batch, head).
struct SymbolSource {
  Value operand;
  AffineMap position;
};

class LayoutPlanner {
public:
  LayoutPlanner(AttentionOp op, MaskOp mask, TileShape shape)
      : op(op), context(op.getContext()), elements(context),
        mask(readMask(elements, mask, op.getQuery(), op.getKey())),
        set(context, this->mask), shape(shape) {}

  /// Plans the layout; says why not otherwise.
  LogicalResult plan(std::string &why);

private:
  LogicalResult planClosedForm(std::string &why);
  LogicalResult planTables(std::string &why);
  void setLayout(LayoutStorage storage, DictionaryAttr census);
  void report(LayoutAttr layout);
  DictionaryAttr countClosedForm();
  DictionaryAttr toDictionary(const TileCensus &census,
                              std::optional<int64_t> nonzeros);
  LogicalResult bindSymbols(std::string &why);
  std::optional<SymbolSource> bindSymbol(const Expr *symbol);
  AffineMap toMap(ArrayRef<TileBound> bounds);
  ArrayAttr toAttribute(ArrayRef<TileInterval> intervals);

  AttentionOp op;
  ExprContext context;
  ElementAt elements;
  MaskExpr mask;
  MaskSet set;
  TileShape shape;
  std::vector<TileInterval> visited, partial;
  SmallVector<Value> operands;
  SmallVector<Attribute> positions;
  /// What each symbol of the set is in the maps of the layout.
  SmallVector<AffineExpr> symbolExprs;
};

} // namespace

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

/// An affine function of (batch, head), or null.
static AffineExpr toAffine(const Expr *expr, const MaskExpr &mask,
                           MLIRContext *context) {
  if (std::optional<int64_t> value = expr->getInt())
    return getAffineConstantExpr(*value, context);
  if (expr == mask.batch)
    return getAffineDimExpr(0, context);
  if (expr == mask.head)
    return getAffineDimExpr(1, context);
  if (expr->op != ScalarOp::Linear)
    return {};
  AffineExpr sum = getAffineConstantExpr(expr->ints.back(), context);
  for (auto [operand, factor] : llvm::zip(expr->operands, expr->ints)) {
    AffineExpr term = toAffine(operand, mask, context);
    if (!term)
      return {};
    sum = sum + term * factor;
  }
  return sum;
}

std::optional<SymbolSource> LayoutPlanner::bindSymbol(const Expr *symbol) {
  MLIRContext *ctx = op.getContext();
  const Expr *element =
      symbol->op == ScalarOp::FromInt ? symbol->operands[0] : symbol;
  if (element->op == ScalarOp::Element) {
    SmallVector<AffineExpr> position;
    for (const Expr *index : element->operands) {
      position.push_back(toAffine(index, mask, ctx));
      if (!position.back())
        return std::nullopt;
    }
    return SymbolSource{element->value,
                        AffineMap::get(/*dimCount=*/2, 0, position, ctx)};
  }
  if (context.dependsOn(symbol, mask.batch) ||
      context.dependsOn(symbol, mask.head))
    return std::nullopt;
  OpBuilder builder(op);
  ScalarEmitter emitter(builder, op.getLoc());
  ScalarInputs inputs;
  inputs.collect(symbol);
  // The host computes with scalars and sizes.
  if (!inputs.tensors.empty() || !emitter.canEmit(symbol))
    return std::nullopt;
  return SymbolSource{emitter.emit(symbol), AffineMap::get(2, 0, ctx)};
}

LogicalResult LayoutPlanner::bindSymbols(std::string &why) {
  MLIRContext *ctx = op.getContext();
  auto isUsed = [&](unsigned number) {
    auto uses = [&](const TileBound &bound) {
      return bound.coefficients[1 + number] != 0;
    };
    return llvm::any_of(llvm::concat<const TileInterval>(visited, partial),
                        [&](const TileInterval &interval) {
                          return llvm::any_of(interval.lower, uses) ||
                                 llvm::any_of(interval.upper, uses) ||
                                 llvm::any_of(interval.guards, uses);
                        });
  };
  for (auto [number, symbol] : llvm::enumerate(set.getSymbols())) {
    if (symbol == mask.batch || symbol == mask.head) {
      symbolExprs.push_back(getAffineDimExpr(
          symbol == mask.batch ? LayoutAttr::batch_dim : LayoutAttr::head_dim,
          ctx));
      continue;
    }
    if (!isUsed(number)) {
      symbolExprs.push_back(getAffineConstantExpr(0, ctx));
      continue;
    }
    std::optional<SymbolSource> source = bindSymbol(symbol);
    if (!source) {
      llvm::raw_string_ostream(why)
          << "its tiles depend on " << *symbol << ", which no operand gives";
      return failure();
    }
    symbolExprs.push_back(getAffineSymbolExpr(operands.size(), ctx));
    operands.push_back(source->operand);
    positions.push_back(AffineMapAttr::get(source->position));
  }
  return success();
}

//===----------------------------------------------------------------------===//
// The layout
//===----------------------------------------------------------------------===//

AffineMap LayoutPlanner::toMap(ArrayRef<TileBound> bounds) {
  MLIRContext *ctx = op.getContext();
  auto results = llvm::map_to_vector(bounds, [&](const TileBound &bound) {
    ArrayRef<int64_t> factors = bound.coefficients;
    AffineExpr sum =
        getAffineDimExpr(LayoutAttr::row_tile_dim, ctx) * factors.front();
    for (auto [factor, symbol] :
         llvm::zip(factors.drop_front().drop_back(), symbolExprs))
      sum = sum + symbol * factor;
    return (sum + factors.back()).floorDiv(bound.divisor);
  });
  return AffineMap::get(LayoutAttr::num_dims, operands.size(), results, ctx);
}

ArrayAttr LayoutPlanner::toAttribute(ArrayRef<TileInterval> intervals) {
  MLIRContext *ctx = op.getContext();
  auto optional = [&](ArrayRef<TileBound> bounds) {
    return bounds.empty() ? AffineMapAttr() : AffineMapAttr::get(toMap(bounds));
  };
  SmallVector<Attribute> list;
  for (const TileInterval &interval : intervals)
    list.push_back(IntervalAttr::get(ctx, optional(interval.lower),
                                     optional(interval.upper),
                                     optional(interval.guards)));
  return list.empty() ? ArrayAttr() : ArrayAttr::get(ctx, list);
}

LogicalResult LayoutPlanner::plan(std::string &why) {
  if (set.isExact())
    return success(succeeded(planClosedForm(why)) ||
                   succeeded(planTables(why)));
  // What encloses a mask is less than the mask.
  return success(succeeded(planTables(why)) || succeeded(planClosedForm(why)));
}

LogicalResult LayoutPlanner::planClosedForm(std::string &why) {
  std::optional<std::vector<TileInterval>> kept =
      findTouchedTiles(set.getMay(), set.getDomain(), shape);
  std::optional<std::vector<TileInterval>> dropped =
      findTouchedTiles(set.getPaddedDomain().subtract(set.getMust()),
                       set.getPaddedDomain(), shape);
  if (!kept || !dropped) {
    why = "the tiles of its mask have no closed form";
    return failure();
  }
  visited = std::move(*kept);
  partial = std::move(*dropped);
  if (failed(bindSymbols(why)))
    return failure();
  setLayout(LayoutStorage::ClosedForm, countClosedForm());
  return success();
}

LogicalResult LayoutPlanner::planTables(std::string &why) {
  ArrayRef<int64_t> queries = op.getQueryType().getShape();
  int64_t keys = op.getKeyType().getDimSize(AttentionOp::position);
  int64_t rows = queries[AttentionOp::position];
  std::string reason;
  std::optional<MaskGrid> grid = MaskGrid::create(mask, reason);
  if (!grid) {
    why = "the tiles of its mask have no closed form, and " + reason;
    return failure();
  }
  int64_t batches = grid->dependsOnBatch() ? queries[AttentionOp::batch] : 1;
  int64_t heads = grid->dependsOnHead() ? queries[AttentionOp::head] : 1;
  for (int64_t extent : {batches, heads, rows, keys})
    if (ShapedType::isDynamic(extent)) {
      why = "the tiles of its mask have no closed form, and lengths are not "
            "known here";
      return failure();
    }
  TileCensus census;
  int64_t nonzeros = 0;
  SmallVector<int32_t> ranges, entries;
  // Equal rows share their entries.
  std::map<std::vector<int32_t>, int32_t> known;
  int64_t tilesOfMask = llvm::divideCeil(rows, shape.queries) *
                        llvm::divideCeil(keys, shape.keys);
  for (int64_t batch = 0; batch < batches; ++batch)
    for (int64_t head = 0; head < heads; ++head) {
      grid->setBatchAndHead(batch, head);
      std::optional<TileTable> table = tabulateTiles(
          *grid, rows, keys, shape, maxEntries - int64_t(entries.size()));
      if (!table) {
        why = "the tiles of its mask have no closed form and are too many to "
              "list";
        return failure();
      }
      census.full += table->full;
      census.partial += table->partial;
      census.empty += tilesOfMask - table->full - table->partial;
      nonzeros += table->nonzeros;
      for (const std::vector<int32_t> &row : table->entries) {
        auto [place, isNew] = known.try_emplace(row, entries.size());
        if (isNew)
          llvm::append_range(entries, row);
        ranges.push_back(place->second);
        ranges.push_back(place->second + row.size());
      }
    }
  // A walk looks one entry ahead.
  entries.push_back(0);
  OpBuilder builder(op);
  auto table = [&](ArrayRef<int64_t> extents, ArrayRef<int32_t> values) {
    auto type = RankedTensorType::get(extents, builder.getI32Type());
    operands.push_back(arith::ConstantOp::create(
        builder, op.getLoc(), DenseIntElementsAttr::get(type, values)));
  };
  table({batches, heads, int64_t(llvm::divideCeil(rows, shape.queries)), 2},
        ranges);
  table({int64_t(entries.size())}, entries);
  setLayout(LayoutStorage::Tables, toDictionary(census, nonzeros));
  return success();
}

//===----------------------------------------------------------------------===//
// What is found
//===----------------------------------------------------------------------===//

DictionaryAttr LayoutPlanner::toDictionary(const TileCensus &census,
                                           std::optional<int64_t> nonzeros) {
  Builder builder(op.getContext());
  NamedAttrList list;
  list.append("full", builder.getI64IntegerAttr(census.full));
  list.append("partial", builder.getI64IntegerAttr(census.partial));
  list.append("empty", builder.getI64IntegerAttr(census.empty));
  if (nonzeros)
    list.append("nonzeros", builder.getI64IntegerAttr(*nonzeros));
  return list.getDictionary(op.getContext());
}

/// The counts of a mask that depends on nothing but its positions.
DictionaryAttr LayoutPlanner::countClosedForm() {
  int64_t queries = op.getQueryType().getDimSize(AttentionOp::position);
  int64_t keys = op.getKeyType().getDimSize(AttentionOp::position);
  if (!set.getSymbols().empty() || ShapedType::isDynamic(queries) ||
      ShapedType::isDynamic(keys))
    return {};
  // A tile that is partial for its padding alone is full.
  std::optional<std::vector<TileInterval>> dropped = findTouchedTiles(
      set.getDomain().subtract(set.getMust()), set.getDomain(), shape);
  if (!dropped)
    return {};
  TileCensus census =
      countTiles(visited, *dropped, llvm::divideCeil(queries, shape.queries),
                 llvm::divideCeil(keys, shape.keys), {});
  std::optional<int64_t> nonzeros;
  if (set.isExact())
    nonzeros = countPairs(set.getMust(), queries, {});
  return toDictionary(census, nonzeros);
}

void LayoutPlanner::setLayout(LayoutStorage storage, DictionaryAttr census) {
  MLIRContext *ctx = op.getContext();
  auto layout = LayoutAttr::get(
      ctx, shape.queries, shape.keys, storage, toAttribute(visited),
      toAttribute(partial),
      positions.empty() ? ArrayAttr() : ArrayAttr::get(ctx, positions), census);
  op.setLayoutAttr(layout);
  op.getLayoutOperandsMutable().assign(operands);
  report(layout);
}

void LayoutPlanner::report(LayoutAttr layout) {
  auto remark = remark::analysis(
      op.getLoc(),
      remark::RemarkOpts::name("PlannedLayout").category(DEBUG_TYPE));
  remark << remark::metric("Storage",
                           stringifyLayoutStorage(layout.getStorage()))
         << remark::metric("RowTile", shape.queries)
         << remark::metric("ColTile", shape.keys);
  if (!set.isExact()) {
    std::string code;
    llvm::raw_string_ostream os(code);
    llvm::interleaveComma(set.getOpaque(), os,
                          [&](const Expr *expr) { os << *expr; });
    remark << remark::metric("Code", code);
  }
  if (DictionaryAttr census = layout.getCensus())
    for (auto [key, name] :
         {std::pair("full", "Full"), std::pair("partial", "Partial"),
          std::pair("empty", "Empty"), std::pair("nonzeros", "Nonzeros")})
      if (auto count = census.getAs<IntegerAttr>(key))
        remark << remark::metric(name, count.getInt());
}

namespace {

struct PlanLayoutPass : stof::impl::PlanLayoutPassBase<PlanLayoutPass> {
  using Base::Base;
  void runOnOperation() override {
    getOperation().walk([&](AttentionOp op) {
      if (!op.getMask() || op.getLayout())
        return;
      auto mask = op.getMask().getDefiningOp<MaskOp>();
      std::string why = "its mask is no predicate";
      if (mask) {
        AttentionTile tile = chooseTile(op);
        TileShape shape{rowTile > 0 ? int64_t(rowTile) : tile.queries,
                        colTile > 0 ? int64_t(colTile) : tile.keys};
        LayoutPlanner planner(op, mask, shape);
        if (succeeded(planner.plan(why)))
          return;
      }
      remark::missed(
          op.getLoc(),
          remark::RemarkOpts::name("PlannedLayout").category(DEBUG_TYPE))
          << remark::reason("{0}", why);
    });
  }
};

} // namespace
