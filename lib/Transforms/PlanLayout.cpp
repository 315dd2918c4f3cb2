//===----------------------------------------------------------------------===//
// Gives attentions the layout of their mask.
//
//   1. The mask becomes a set of pairs (Analysis/MaskSet.h).
//   2. The set is projected onto tiles (Analysis/TileIntervals.h).
//   3. Intervals become affine maps; what their symbols stand for becomes an
//      operand of the attention.
//===----------------------------------------------------------------------===//

#include "stof/Transforms/Passes.h"

#include "stof/Analysis/AttentionTile.h"
#include "stof/Analysis/EmitScalar.h"
#include "stof/Analysis/MaskSet.h"
#include "stof/Analysis/TileCensus.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/MathExtras.h"

#define DEBUG_TYPE "stof-plan-layout"

namespace stof {
#define GEN_PASS_DEF_PLANLAYOUTPASS
#include "stof/Transforms/Passes.h.inc"
} // namespace stof

using namespace mlir;
using namespace stof;

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
  void report();

private:
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
  std::optional<std::vector<TileInterval>> kept =
      findTouchedTiles(set.getMay(), set.getDomain(), shape);
  std::optional<std::vector<TileInterval>> dropped =
      findTouchedTiles(set.getOpen(), set.getPaddedDomain(), shape);
  if (!kept || !dropped) {
    why = "the tiles of its mask have no closed form";
    return failure();
  }
  visited = std::move(*kept);
  partial = std::move(*dropped);
  if (failed(bindSymbols(why)))
    return failure();
  MLIRContext *ctx = op.getContext();
  op.setLayoutAttr(LayoutAttr::get(
      ctx, shape.queries, shape.keys, LayoutStorage::ClosedForm,
      toAttribute(visited), toAttribute(partial),
      positions.empty() ? ArrayAttr() : ArrayAttr::get(ctx, positions)));
  op.getLayoutOperandsMutable().assign(operands);
  return success();
}

void LayoutPlanner::report() {
  auto remark = remark::analysis(
      op.getLoc(),
      remark::RemarkOpts::name("PlannedLayout").category(DEBUG_TYPE));
  remark << remark::metric("Storage", "closed_form")
         << remark::metric("RowTile", shape.queries)
         << remark::metric("ColTile", shape.keys);
  if (!set.isExact()) {
    std::string code;
    llvm::raw_string_ostream os(code);
    llvm::interleaveComma(set.getOpaque(), os,
                          [&](const Expr *expr) { os << *expr; });
    remark << remark::metric("Code", code);
  }
  int64_t queries = op.getQueryType().getDimSize(AttentionOp::position);
  int64_t keys = op.getKeyType().getDimSize(AttentionOp::position);
  if (!set.getSymbols().empty() || ShapedType::isDynamic(queries) ||
      ShapedType::isDynamic(keys))
    return;
  TileCensus census =
      countTiles(visited, partial, llvm::divideCeil(queries, shape.queries),
                 llvm::divideCeil(keys, shape.keys), {});
  remark << remark::metric("Full", census.full)
         << remark::metric("Partial", census.partial)
         << remark::metric("Empty", census.empty);
  if (!set.isExact())
    return;
  if (std::optional<int64_t> pairs = countPairs(set.getMust(), queries, {}))
    remark << remark::metric("Nonzeros", *pairs);
}

namespace {

struct PlanLayoutPass : stof::impl::PlanLayoutPassBase<PlanLayoutPass> {
  using Base::Base;
  void runOnOperation() override {
    getOperation().walk([&](AttentionOp op) {
      if (!op.getMask() || op.getLayout())
        return;
      auto mask = op.getMask().getDefiningOp<MaskOp>();
      std::string why;
      if (!mask) {
        why = "its mask is no predicate";
      } else {
        AttentionTile tile = chooseTile(op);
        TileShape shape{rowTile > 0 ? int64_t(rowTile) : tile.queries,
                        colTile > 0 ? int64_t(colTile) : tile.keys};
        LayoutPlanner planner(op, mask, shape);
        if (succeeded(planner.plan(why)))
          return planner.report();
      }
      remark::missed(
          op.getLoc(),
          remark::RemarkOpts::name("PlannedLayout").category(DEBUG_TYPE))
          << remark::reason("{0}", why);
    });
  }
};

} // namespace
