//===----------------------------------------------------------------------===//
// Gives attentions the layout of their mask.
//
//   1. The mask becomes a set of pairs (Mask/MaskSet.h).
//   2. Its tiles are found in closed form, or listed (PlanLayout/).
//===----------------------------------------------------------------------===//

#include "stof/Transforms/Passes.h"

#include "PlanLayout/LayoutPlan.h"
#include "stof/CostModel/AttentionTile.h"
#include "stof/Mask/Digest/MaskDigest.h"
#include "stof/Mask/PrintSet.h"
#include "stof/Mask/RowCover.h"
#include "stof/Size/CountExpr.h"

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

/// How many tiles `layout` visits, where its census has them.
static std::optional<int64_t> countVisited(LayoutAttr layout) {
  DictionaryAttr census = layout.getCensus();
  auto full = census ? census.getAs<IntegerAttr>("full") : IntegerAttr();
  auto partial = full ? census.getAs<IntegerAttr>("partial") : IntegerAttr();
  if (!partial)
    return std::nullopt;
  return full.getInt() + partial.getInt();
}

/// For how many tiles' worth of pairs, where its census has them; else empty.
static std::string compareWithPairs(LayoutAttr layout) {
  std::optional<int64_t> tiles = countVisited(layout);
  auto pairs =
      tiles ? layout.getCensus().getAs<IntegerAttr>("nonzeros") : IntegerAttr();
  if (!pairs)
    return "";
  int64_t filled = llvm::divideCeil(pairs.getInt(),
                                    layout.getRowTile() * layout.getColTile());
  return (": " + Twine(*tiles) + " are visited for pairs that would fill " +
          Twine(filled))
      .str();
}

/// Says what was found; `why` there is no closed form, if there is none.
static void report(AttentionOp op, const LayoutPlan &plan, const MaskSet *set,
                   const MaskExpr *mask, StringRef why,
                   const MaskDigest &digest = {}) {
  LayoutAttr layout = plan.layout;
  for (const std::string &reason : plan.missed)
    remark::missed(op.getLoc(), remarkOptions())
        << remark::reason("{0}", reason);
  if (!plan.notGathered.empty())
    remark::missed(op.getLoc(), remarkOptions())
        << remark::reason("{0}{1}", plan.notGathered, compareWithPairs(layout));
  auto remark = remark::analysis(op.getLoc(), remarkOptions());
  remark << remark::metric("Storage",
                           stringifyLayoutStorage(layout.getStorage()))
         << remark::metric("RowTile", layout.getRowTile())
         << remark::metric("ColTile", layout.getColTile());
  if (!digest.text.empty())
    remark << remark::metric(digest.isSpelling ? "DigestOfText" : "Digest",
                             digest.text);
  if (layout.getLattices())
    remark << remark::metric("Lattices", layout.getLattices().size());
  if (layout.getRowStride() > 1)
    remark << remark::metric("RowStride", layout.getRowStride())
           << remark::metric("Residue", layout.getResidue());
  if (!plan.isExact)
    remark << remark::metric("Bounds", "wider than the mask");
  // Takes time that is well spent only if somebody reads it.
  if (set && remark)
    remark << remark::metric("Set", describeMask(*set, *mask));
  if (set && !set->isExact()) {
    std::string code;
    llvm::raw_string_ostream os(code);
    llvm::interleaveComma(set->getOpaque(), os,
                          [&](const Expr *expr) { os << *expr; });
    remark << remark::metric("Code", code);
  }
  if (!why.empty())
    remark << remark::metric("NoClosedForm", why);
  DictionaryAttr census = layout.getCensus();
  if (!census)
    return;
  for (auto [key, name] : counts)
    if (Attribute count = census.get(key))
      remark << remark::metric(name, CountExpr::getText(count));
  if (auto unknown = census.getAs<StringAttr>("unknown"))
    remark << remark::metric("Unknown", unknown.getValue());
}

/// Adds what of a mask could be a set, but is left to code.
static void sayWhatIsCode(const MaskedAttention &attention,
                          std::vector<std::string> &missed) {
  if (attention.set.hasTooManyPieces())
    missed.push_back("a part of its mask is left to code, since it is a union "
                     "of too many convex pieces");
  if (!hasSmallConstants(attention.mask.keep))
    missed.push_back("a part of its mask is left to code, since its constants "
                     "are so large that arithmetic may wrap around");
}

/// What is lost where the tiles of `listed` take the place of those of
/// `closed`, which lie a stride apart; nothing if that is known to be no more
/// tiles.
static std::string compareGathered(LayoutAttr listed, LayoutAttr closed) {
  if (!closed.getLattices() && closed.getRowStride() == 1)
    return "";
  std::optional<int64_t> taken = countVisited(listed),
                         other = countVisited(closed);
  std::string text = "its tiles are listed, which are of adjacent positions: "
                     "those that lie a stride apart are not gathered";
  if (!taken || !other)
    return text;
  return *taken > *other ? (text + ", up to " + Twine(*taken) +
                            " tiles in place of " + Twine(*other))
                               .str()
                         : "";
}

/// The layout of `attention`: a closed form if the mask has one, else tables,
/// made now if possible.
static LayoutPlan plan(const MaskedAttention &attention, bool lattices,
                       std::string &why) {
  AttentionOp op = attention.op;
  std::optional<LayoutPlan> closed = planClosedForm(attention, lattices, why);
  if (closed && closed->isExact && attention.set.isExact())
    return *closed;
  std::string whyNoTables;
  if (std::optional<LayoutPlan> tables = planTables(attention, whyNoTables)) {
    if (closed)
      tables->notGathered =
          closed->notGathered.empty()
              ? compareGathered(tables->layout, closed->layout)
              : closed->notGathered;
    return *tables;
  }
  if (!closed)
    why += ", and " + whyNoTables;
  LayoutPlan bounds = closed ? *closed : planEverything(op, attention.shape);
  if (closed && attention.set.isExact()) {
    bounds.missed.push_back("tiles may be visited that keep no pair: " +
                            whyNoTables);
    return bounds;
  }
  sayWhatIsCode(attention, bounds.missed);
  if (!hasEnoughTiles(op, attention.shape)) {
    std::optional<int64_t> tiles = countVisited(bounds.layout);
    bounds.missed.push_back("its tiles are not listed at run time, since a row "
                            "has so few: visited are " +
                            (tiles ? std::to_string(*tiles) : "all") +
                            " that may keep a pair");
    return bounds;
  }
  if (bounds.layout.getLattices() || bounds.layout.getRowStride() > 1) {
    LayoutPlan plain = *planClosedForm(attention, /*lattices=*/false, why);
    plain.notGathered = compareGathered(plain.layout, bounds.layout);
    plain.missed = bounds.missed;
    bounds = plain;
  }
  const MaskExpr &mask = attention.mask;
  ExprContext &context = attention.context;
  LayoutPlan tables =
      planRunTime(op, bounds, context.dependsOn(mask.keep, mask.batch),
                  context.dependsOn(mask.keep, mask.head));
  tables.missed = bounds.missed;
  tables.notGathered = bounds.notGathered;
  return tables;
}

/// Whether a score region may yield -inf for a finite score: it reads floats,
/// or has one that is infinite.
static bool mayYieldInfinity(AttentionOp op) {
  if (!op.hasScore())
    return false;
  auto isFloat = [](Value value) {
    return isa<FloatType>(getElementTypeOrSelf(value.getType()));
  };
  return llvm::any_of(op.getCaptures(), isFloat) ||
         op.getScore()
             .walk([](arith::ConstantOp constant) {
               auto number = dyn_cast<FloatAttr>(constant.getValue());
               return number && !number.getValue().isFinite()
                          ? WalkResult::interrupt()
                          : WalkResult::advance();
             })
             .wasInterrupted();
}

/// Forgets what a row without a key computes where there is none.
static void dropEmptyRows(AttentionOp op, const MaskExpr &mask,
                          const MaskSet &set) {
  if (op.getEmptyRows() == EmptyRows::Zero)
    return;
  auto options = remark::RemarkOpts::name("RowsProven").category(DEBUG_TYPE);
  if (!coversAllRows(mask, set)) {
    remark::missed(op.getLoc(), options)
        << remark::reason("a query may attend to no key, which {0} is kept for",
                          stringifyEmptyRows(op.getEmptyRows()));
    return;
  }
  if (mayYieldInfinity(op)) {
    remark::missed(op.getLoc(), options)
        << remark::reason("the scores of a query may all be -inf, which {0} is "
                          "kept for",
                          stringifyEmptyRows(op.getEmptyRows()));
    return;
  }
  remark::passed(op.getLoc(), options)
      << remark::add("every query attends to a key: {0} is dropped",
                     stringifyEmptyRows(op.getEmptyRows()));
  op.setEmptyRows(EmptyRows::Zero);
}

/// Every row tile without a mask visits all key tiles, if they are known.
static RowLengths measureDense(AttentionOp op, int64_t rowTile,
                               int64_t colTile) {
  int64_t queries = op.getQueryType().getDimSize(AttentionOp::position);
  int64_t keys = op.getKeyType().getDimSize(AttentionOp::position);
  if (ShapedType::isDynamic(queries) || ShapedType::isDynamic(keys))
    return {};
  int64_t keyTiles = llvm::divideCeil(keys, colTile);
  return {static_cast<int64_t>(llvm::divideCeil(queries, rowTile)),
          [keyTiles](int64_t) { return keyTiles; }};
}

/// Gives `op` the order of its row tiles, unless it has one, and says what it
/// is.
static void order(AttentionOp op, TileShape shape, const RowLengths &rows) {
  ScheduleAttr schedule = orderRows(op, shape, rows);
  if (op.getSchedule() || !schedule)
    return;
  op.setScheduleAttr(schedule);
  remark::analysis(op.getLoc(),
                   remark::RemarkOpts::name("OrderedRows").category(DEBUG_TYPE))
      << remark::metric("Reversed", schedule.getReversed())
      << remark::metric("Ahead", schedule.getAhead())
      << remark::metric("Parts", schedule.getParts());
}

namespace {

struct PlanLayoutPass : stof::impl::PlanLayoutPassBase<PlanLayoutPass> {
  using Base::Base;
  void runOnOperation() override {
    getOperation().walk([&](AttentionOp op) {
      if (op.getLayout())
        return;
      AttentionTile tile = chooseTile(op);
      if (!op.getMask())
        return order(op, {tile.queries, tile.keys},
                     measureDense(op, tile.queries, tile.keys));
      TileShape shape{rowTile > 0 ? int64_t(rowTile) : tile.queries,
                      colTile > 0 ? int64_t(colTile) : tile.keys};
      auto give = [&](const LayoutPlan &plan) {
        op.setLayoutAttr(plan.layout);
        op.getLayoutOperandsMutable().assign(plan.operands);
        order(op, shape, plan.rows);
      };
      if (auto mask = op.getMask().getDefiningOp<MaskOp>()) {
        ExprContext context(&getContext());
        ElementAt elements(context);
        MaskExpr expr = readMask(elements, mask, op.getQuery(), op.getKey());
        MaskSet set(context, expr);
        dropEmptyRows(op, expr, set);
        std::string why;
        LayoutPlan found = plan({op, context, expr, set, shape}, lattices, why);
        give(found);
        MaskDigest known;
        if (digest) {
          known = digestMask(context, expr);
          op->setAttr("stof.digest",
                      StringAttr::get(op.getContext(), known.text));
        }
        return report(op, found, &set, &expr, why, known);
      }
      if (op.getMask().getDefiningOp<BlockMaskOp>()) {
        LayoutPlan found =
            planRunTime(op, planEverything(op, shape), false, false);
        give(found);
        return report(op, found, nullptr, nullptr,
                      "its blocks are known at run time");
      }
      remark::missed(op.getLoc(), remarkOptions())
          << remark::reason("nothing is known of its mask");
    });
  }
};

} // namespace
