//===----------------------------------------------------------------------===//
// Plans the layouts and schedules of attentions.
//
//   1. The mask becomes a set of pairs (Mask/MaskSet.h).
//   2. Its tiles are found in closed form, or listed (PlanLayout/).
//   3. Of a GPU, the tile is the one with the fastest kernel for these
//      (PlanLayout/TileChoice.h).
//===----------------------------------------------------------------------===//

#include "stof/Transforms/PlanLayout.h"

#include "PlanLayout/KnownMask.h"
#include "PlanLayout/TileChoice.h"
#include "stof/CostModel/AttentionTile.h"
#include "stof/IR/KernelAttributes.h"
#include "stof/Mask/Digest/MaskDigest.h"
#include "stof/Mask/NonEmptyRows.h"
#include "stof/Mask/PrintSet.h"
#include "stof/Size/CountExpr.h"
#include "stof/Support/ResolveTarget.h"
#include "stof/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/DebugLog.h"
#include "llvm/Support/FormatVariadic.h"

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
    list.append("longest", builder.getI64IntegerAttr(census->longest));
  }
  if (nonzeros)
    list.append("nonzeros", builder.getI64IntegerAttr(*nonzeros));
  return list.empty() ? DictionaryAttr() : list.getDictionary(context);
}

/// The number of tiles that `layout` visits, if its census has it.
static std::optional<int64_t> countVisited(LayoutAttr layout) {
  DictionaryAttr census = layout.getCensus();
  auto full = census ? census.getAs<IntegerAttr>("full") : IntegerAttr();
  auto partial = full ? census.getAs<IntegerAttr>("partial") : IntegerAttr();
  if (!partial)
    return std::nullopt;
  return full.getInt() + partial.getInt();
}

/// Compares the visited tiles with the number that the unmasked positions would
/// fill; empty if the census lacks them.
static std::string compareWithPairs(LayoutAttr layout) {
  std::optional<int64_t> tiles = countVisited(layout);
  auto pairs =
      tiles ? layout.getCensus().getAs<IntegerAttr>("nonzeros") : IntegerAttr();
  if (!pairs)
    return "";
  int64_t filled = llvm::divideCeil(pairs.getInt(),
                                    layout.getRowTile() * layout.getColTile());
  return (": " + Twine(*tiles) +
          " are visited, but the unmasked positions would fill " +
          Twine(filled))
      .str();
}

/// Emits remarks about `plan`; `why` is the reason if there is no closed form.
static void report(AttentionOp op, const LayoutPlan &plan, const MaskSet *set,
                   const MaskExpr *mask, StringRef why,
                   std::optional<double> predicted,
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
  if (predicted)
    remark << remark::metric("Warps", op.getTile()->getWarps())
           << remark::metric("Predicted",
                             llvm::formatv("{0:f2}", *predicted).str());
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
  // Printing the set is expensive, so it is skipped if remarks are disabled.
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
      remark << remark::metric(name, SizeExpr::parse(count)->print());
  if (auto unknown = census.getAs<StringAttr>("unknown"))
    remark << remark::metric("Unknown", unknown.getValue());
}

/// Adds the reasons why affine parts of a mask are left to code.
static void explainCode(const MaskedAttention &attention,
                        std::vector<std::string> &missed) {
  if (attention.set.hasTooManyDisjuncts())
    missed.push_back("a part of its mask is left to code, since it is a union "
                     "of too many disjuncts");
  if (!hasSmallConstants(attention.mask.keep))
    missed.push_back("a part of its mask is left to code, since its constants "
                     "are so large that arithmetic may wrap around");
}

/// The cost of replacing the strided tiles of `closed` by those of `listed`;
/// empty if `closed` has none or `listed` is known not to have more tiles.
static std::string compareGathered(LayoutAttr listed, LayoutAttr closed) {
  if (!closed.getLattices() && closed.getRowStride() == 1)
    return "";
  std::optional<int64_t> taken = countVisited(listed),
                         other = countVisited(closed);
  std::string text = "its tiles are listed, which are of adjacent positions: "
                     "strided positions are not gathered";
  if (!taken || !other)
    return text;
  return *taken > *other ? (text + ", up to " + Twine(*taken) +
                            " tiles in place of " + Twine(*other))
                               .str()
                         : "";
}

/// The layout of `attention`: a closed form if the mask has one, else tables,
/// constant if possible.
static LayoutPlan plan(const MaskedAttention &attention, bool lattices,
                       std::string &why) {
  AttentionOp op = attention.op;
  std::optional<LayoutPlan> closed = planClosedForm(attention, lattices, why);
  if (closed && closed->isExact && attention.set.isExact()) {
    LDBG() << "closed form: taken";
    return *closed;
  }
  LDBG() << "closed form: refused, since "
         << (!closed ? StringRef(why)
             : attention.set.isExact()
                 ? "its intervals may have empty or full tiles"
                 : "a part of the mask is left to code");
  std::string whyNoTables;
  if (std::optional<LayoutPlan> tables = planTables(attention, whyNoTables)) {
    LDBG() << "tables: taken";
    if (closed)
      tables->notGathered =
          closed->notGathered.empty()
              ? compareGathered(tables->layout, closed->layout)
              : closed->notGathered;
    return *tables;
  }
  LDBG() << "tables: refused, since " << whyNoTables;
  if (!closed)
    why += ", and " + whyNoTables;
  LayoutPlan bounds = closed ? *closed : planEverything(op, attention.shape);
  if (closed && attention.set.isExact()) {
    LDBG() << "closed form: taken as bounds of the mask";
    bounds.missed.push_back("empty tiles may be visited, since " + whyNoTables);
    return bounds;
  }
  explainCode(attention, bounds.missed);
  if (!hasEnoughTiles(op, attention.shape)) {
    LDBG() << "list at run time: refused, since a row has too few tiles";
    std::optional<int64_t> tiles = countVisited(bounds.layout);
    bounds.missed.push_back("its tiles are not listed at run time, since a row "
                            "has too few: " +
                            (tiles ? std::to_string(*tiles) : "all") +
                            " are visited");
    return bounds;
  }
  if (bounds.layout.getLattices() || bounds.layout.getRowStride() > 1) {
    LayoutPlan plain = *planClosedForm(attention, /*lattices=*/false, why);
    plain.notGathered = compareGathered(plain.layout, bounds.layout);
    plain.missed = bounds.missed;
    bounds = plain;
  }
  LDBG() << "list at run time: taken";
  const MaskExpr &mask = attention.mask;
  ExprContext &context = attention.context;
  LayoutPlan tables =
      planRunTime(op, bounds, context.dependsOn(mask.keep, mask.batch),
                  context.dependsOn(mask.keep, mask.head));
  tables.missed = bounds.missed;
  tables.notGathered = bounds.notGathered;
  return tables;
}

/// Whether a score region may yield -inf for a finite score: it captures floats
/// or has a constant that is not finite.
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

/// Removes `empty_rows` if no row is fully masked.
static void dropEmptyRows(AttentionOp op, const MaskExpr &mask,
                          const MaskSet &set) {
  if (op.getEmptyRows() == EmptyRows::Zero)
    return;
  auto options = remark::RemarkOpts::name("RowsProven").category(DEBUG_TYPE);
  if (!coversAllRows(mask, set)) {
    remark::missed(op.getLoc(), options) << remark::reason(
        "empty_rows = {0} is needed, since rows may be fully masked",
        stringifyEmptyRows(op.getEmptyRows()));
    return;
  }
  if (mayYieldInfinity(op)) {
    remark::missed(op.getLoc(), options) << remark::reason(
        "empty_rows = {0} is needed, since all scores of a row may be -inf",
        stringifyEmptyRows(op.getEmptyRows()));
    return;
  }
  remark::passed(op.getLoc(), options) << remark::add(
      "empty_rows = {0} is removed, since no row is fully masked",
      stringifyEmptyRows(op.getEmptyRows()));
  op.dropEmptyRows();
}

/// The row lengths without a mask: all key tiles, if lengths are static.
static RowLengths measureDense(AttentionOp op, int64_t rowTile,
                               int64_t colTile) {
  int64_t queries = op.getQueryType().getDimSize(AttentionOp::Position);
  int64_t keys = op.getKeyType().getDimSize(AttentionOp::Position);
  if (ShapedType::isDynamic(queries) || ShapedType::isDynamic(keys))
    return {};
  int64_t keyTiles = llvm::divideCeil(keys, colTile);
  return {static_cast<int64_t>(llvm::divideCeil(queries, rowTile)),
          [keyTiles](int64_t) { return keyTiles; }};
}

/// Sets the schedule of `op` unless it has one, and emits a remark unless that
/// is on trial.
static void order(AttentionOp op, TileShape shape, const RowLengths &rows,
                  bool isTrial) {
  ScheduleAttr schedule = orderRows(op, shape, rows);
  if (op.getSchedule() || !schedule)
    return;
  op.setScheduleAttr(schedule);
  if (isTrial)
    return;
  remark::analysis(op.getLoc(),
                   remark::RemarkOpts::name("OrderedRows").category(DEBUG_TYPE))
      << remark::metric("Reversed", schedule.getReversed())
      << remark::metric("Ahead", schedule.getAhead())
      << remark::metric("Splits", schedule.getSplits());
}

static void setPlan(AttentionOp op, TileShape shape, const LayoutPlan &plan,
                    bool isTrial) {
  op.setLayoutAttr(plan.layout);
  op.getLayoutOperandsMutable().assign(plan.operands);
  order(op, shape, plan.rows, isTrial);
}

/// The reason why kernels cannot load the pages of `table` as the key tiles of
/// `op`; empty if they can.
static StringRef refusePages(AttentionOp op, BlockMaskOp table,
                             TileShape shape) {
  // Each is loaded by instructions of its own.
  constexpr int64_t mostPages = 16;
  int64_t keys = table.getKeyBlock(), queries = table.getQueryBlock();
  int64_t all = op.getQueryType().getDimSize(AttentionOp::Position);
  if (op.hasScore())
    return "its scores depend on where keys are";
  if (op.getEmptyRows() != EmptyRows::Zero &&
      op.getEmptyRows() != EmptyRows::NaN)
    return "fully masked rows need all keys";
  if ((ShapedType::isDynamic(all) || all > queries) &&
      queries % shape.queries != 0)
    return "its row tiles have queries of several sequences";
  if (shape.keys % keys != 0 && keys % shape.keys != 0)
    return "pages and key tiles do not divide each other";
  if (shape.keys / keys > mostPages)
    return "its pages are short";
  return {};
}

/// The layout of `op` whose key tiles are of the pages of its mask, in order.
static std::optional<LayoutPlan> planPages(AttentionOp op,
                                           const LayoutOptions &options) {
  BlockMaskOp table = op.getPageTable();
  if (!table)
    return std::nullopt;
  StringRef reason = refusePages(op, table, options.shape);
  if (reason.empty()) {
    LayoutPlan plan;
    plan.layout = LayoutAttr::get(op.getContext(), options.shape.queries,
                                  options.shape.keys, LayoutStorage::PageTable,
                                  {}, {}, {}, 1, 0, {}, {});
    return plan;
  }
  if (!options.isTrial)
    remark::missed(op.getLoc(), remarkOptions()) << remark::reason(
        "its tiles are listed at run time, since {0}", reason);
  return std::nullopt;
}

/// Plans a layout whose tiles a kernel lists, since no set is read from `mask`,
/// or those of a page table.
static void planBlockList(AttentionOp op, MaskOpInterface mask,
                          const LayoutOptions &options) {
  MaskPredicate predicate(mask);
  auto isUsed = [&](unsigned dim) {
    return !predicate.getCoordinates()[dim].use_empty();
  };
  std::optional<LayoutPlan> found = planPages(op, options);
  if (!found)
    found = planRunTime(op, planEverything(op, options.shape),
                        isUsed(AttentionOp::Batch), isUsed(AttentionOp::Head));
  setPlan(op, options.shape, *found, options.isTrial);
  if (!options.isTrial)
    report(op, *found, nullptr, nullptr, "its blocks are known at run time",
           options.predicted);
}

/// The layout of `op` with `mask`, and in `why` the reason if there is no
/// closed form. Constant tables are listed once for all attentions with the
/// mask.
static LayoutPlan planOnce(AttentionOp op, KnownMask &mask,
                           const LayoutOptions &options, std::string &why) {
  auto [queries, keys] = std::pair(options.shape.queries, options.shape.keys);
  auto known = mask.tables.find({queries, keys, options.gathersStrides});
  if (known != mask.tables.end()) {
    LDBG() << "tables: taken, as those of an equal mask";
    why = known->second.why;
    LayoutPlan again = known->second.plan;
    // Constants of another attention need not dominate this one.
    OpBuilder builder(op);
    for (Value &operand : again.operands)
      operand = builder.clone(*operand.getDefiningOp())->getResult(0);
    return again;
  }
  LayoutPlan found =
      plan({op, mask.getContext(), mask.getExpr(), mask.getSet(), options.shape,
            options.isTrial ? &mask.getUnits() : nullptr},
           options.gathersStrides, why);
  if (!options.isTrial && found.layout.getStorage() == LayoutStorage::Tables &&
      llvm::all_of(found.operands, [](Value operand) {
        return operand.getDefiningOp<arith::ConstantOp>() != nullptr;
      }))
    mask.tables[{queries, keys, options.gathersStrides}] = {found, why};
  return found;
}

static void planPredicate(AttentionOp op, MaskOpInterface definition,
                          const LayoutOptions &options, KnownMasks &masks) {
  KnownMask &mask = masks.get(op, definition);
  const MaskExpr &expr = mask.getExpr();
  const MaskSet &set = mask.getSet();
  LDBG() << "mask at " << op.getLoc() << ", "
         << stringifyMaskOrigin(definition.getOrigin()) << ": "
         << describeMask(set, expr);
  if (!options.isTrial)
    dropEmptyRows(op, expr, set);
  std::string why;
  LayoutPlan found = planOnce(op, mask, options, why);
  setPlan(op, options.shape, found, options.isTrial);
  MaskDigest known;
  if (options.attachesDigest) {
    known = mask.getDigest();
    digestAttr.set(op, StringAttr::get(op.getContext(), known.text));
  }
  if (!options.isTrial)
    report(op, found, &set, &expr, why, options.predicted, known);
}

void stof::planLayout(AttentionOp op, const LayoutOptions &options) {
  KnownMasks masks;
  planLayout(op, options, masks);
}

void stof::planLayout(AttentionOp op, const LayoutOptions &options,
                      KnownMasks &masks) {
  MaskOpInterface mask = op.getMaskDefinition();
  TileShape shape = options.shape;
  if (!op.getMask())
    order(op, shape, measureDense(op, shape.queries, shape.keys),
          options.isTrial);
  else if (mask && mask.getOrigin() == MaskOrigin::BlockList)
    planBlockList(op, mask, options);
  else if (mask)
    planPredicate(op, mask, options, masks);
  else if (!options.isTrial)
    remark::missed(op.getLoc(), remarkOptions())
        << remark::reason("its mask is not defined by a mask operation");
}

namespace {

struct PlanLayoutPass : stof::impl::PlanLayoutPassBase<PlanLayoutPass> {
  using Base::Base;
  void runOnOperation() override {
    FailureOr<const TargetInfo *> target = resolveTarget(getOperation(), chip);
    if (failed(target))
      return signalPassFailure();
    KnownMasks masks;
    TileChoice choice(*target, lattices, masks);
    getOperation().walk([&](AttentionOp op) {
      if (!op.getLayout())
        plan(op, choice, masks);
    });
  }

private:
  void plan(AttentionOp op, TileChoice &choice, KnownMasks &masks) {
    bool isShapeGiven = op.getMask() && (rowTile > 0 || colTile > 0);
    std::optional<PredictedTile> chosen;
    if (!isShapeGiven)
      chosen = choice.choose(op);
    LayoutOptions options;
    options.gathersStrides = lattices;
    options.attachesDigest = digest;
    if (chosen) {
      op.setTileAttr(chosen->tile);
      options.predicted = chosen->microseconds;
    }
    AttentionTile tile = chooseTile(op);
    options.shape = {tile.queries, tile.keys};
    if (op.getMask() && rowTile > 0)
      options.shape.queries = rowTile;
    if (op.getMask() && colTile > 0)
      options.shape.keys = colTile;
    planLayout(op, options, masks);
  }
};

} // namespace
