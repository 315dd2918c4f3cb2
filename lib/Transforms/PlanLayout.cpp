//===----------------------------------------------------------------------===//
// Gives attentions the layout of their mask.
//
//   1. The mask becomes a set of pairs (Analysis/MaskSet.h).
//   2. Its tiles are found in closed form, or listed (PlanLayout/).
//===----------------------------------------------------------------------===//

#include "stof/Transforms/Passes.h"

#include "PlanLayout/LayoutPlan.h"
#include "stof/Analysis/AttentionTile.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Remarks.h"

#define DEBUG_TYPE "stof-plan-layout"

namespace stof {
#define GEN_PASS_DEF_PLANLAYOUTPASS
#include "stof/Transforms/Passes.h.inc"
} // namespace stof

using namespace mlir;
using namespace stof;

static remark::RemarkOpts remarkOptions() {
  return remark::RemarkOpts::name("PlannedLayout").category(DEBUG_TYPE);
}

static constexpr std::pair<StringLiteral, StringLiteral> counts[] = {
    {"full", "Full"},
    {"partial", "Partial"},
    {"empty", "Empty"},
    {"nonzeros", "Nonzeros"}};

DictionaryAttr stof::toDictionary(MLIRContext *context,
                                  std::optional<TileCensus> census,
                                  std::optional<int64_t> nonzeros) {
  Builder builder(context);
  NamedAttrList list;
  if (census) {
    list.append("full", builder.getI64IntegerAttr(census->full));
    list.append("partial", builder.getI64IntegerAttr(census->partial));
    list.append("empty", builder.getI64IntegerAttr(census->empty));
  }
  if (nonzeros)
    list.append("nonzeros", builder.getI64IntegerAttr(*nonzeros));
  return list.empty() ? DictionaryAttr() : list.getDictionary(context);
}

static void report(AttentionOp op, const LayoutPlan &plan, const MaskSet &set) {
  LayoutAttr layout = plan.layout;
  auto remark = remark::analysis(op.getLoc(), remarkOptions());
  remark << remark::metric("Storage",
                           stringifyLayoutStorage(layout.getStorage()))
         << remark::metric("RowTile", layout.getRowTile())
         << remark::metric("ColTile", layout.getColTile());
  if (layout.getLattices())
    remark << remark::metric("Lattices", layout.getLattices().size());
  if (!plan.isExact)
    remark << remark::metric("Bounds", "wider than the mask");
  if (!set.isExact()) {
    std::string code;
    llvm::raw_string_ostream os(code);
    llvm::interleaveComma(set.getOpaque(), os,
                          [&](const Expr *expr) { os << *expr; });
    remark << remark::metric("Code", code);
  }
  DictionaryAttr census = layout.getCensus();
  if (!census)
    return;
  for (auto [key, name] : counts)
    if (auto count = census.getAs<IntegerAttr>(key))
      remark << remark::metric(name, count.getInt());
}

/// The layout of `attention`: exact ones first, then closed forms before
/// tables.
static std::optional<LayoutPlan> plan(const MaskedAttention &attention,
                                      bool lattices, std::string &why) {
  std::string whyNoTables;
  std::optional<LayoutPlan> closed = planClosedForm(attention, lattices, why);
  if (closed && closed->isExact && attention.set.isExact())
    return closed;
  if (std::optional<LayoutPlan> tables = planTables(attention, whyNoTables))
    return tables;
  if (!closed)
    why += ", and " + whyNoTables;
  return closed;
}

namespace {

struct PlanLayoutPass : stof::impl::PlanLayoutPassBase<PlanLayoutPass> {
  using Base::Base;
  void runOnOperation() override {
    getOperation().walk([&](AttentionOp op) {
      if (!op.getMask() || op.getLayout())
        return;
      std::string why;
      auto mask = op.getMask().getDefiningOp<MaskOp>();
      if (!mask) {
        why = "its mask is no predicate";
      } else {
        AttentionTile tile = chooseTile(op);
        TileShape shape{rowTile > 0 ? int64_t(rowTile) : tile.queries,
                        colTile > 0 ? int64_t(colTile) : tile.keys};
        ExprContext context(&getContext());
        ElementAt elements(context);
        MaskExpr expr = readMask(elements, mask, op.getQuery(), op.getKey());
        MaskSet set(context, expr);
        if (std::optional<LayoutPlan> found =
                plan({op, context, expr, set, shape}, lattices, why)) {
          op.setLayoutAttr(found->layout);
          op.getLayoutOperandsMutable().assign(found->operands);
          return report(op, *found, set);
        }
      }
      remark::missed(op.getLoc(), remarkOptions())
          << remark::reason("{0}", why);
    });
  }
};

} // namespace
