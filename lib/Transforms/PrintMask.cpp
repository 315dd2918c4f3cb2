//===----------------------------------------------------------------------===//
// Draws the tiles of masks.
//
//   1. The mask becomes a set of pairs (Mask/MaskSet.h), and the set becomes
//      intervals of tiles for each row tile (Mask/TileIntervals.h), which are
//      evaluated for one batch and head. A mask without such intervals is
//      evaluated over boxes of pairs (Mask/TileTable.h).
//   2. The kinds of all tiles become a picture (PrintMask/TileMap.h).
//===----------------------------------------------------------------------===//

#include "stof/Transforms/Passes.h"

#include "PrintMask/TileMap.h"
#include "stof/CostModel/AttentionTile.h"
#include "stof/Mask/Census/TileCensus.h"
#include "stof/Mask/TileTable.h"
#include "stof/Support/PrintLocation.h"

#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/ToolOutputFile.h"

namespace stof {
#define GEN_PASS_DEF_PRINTMASKPASS
#include "stof/Transforms/Passes.h.inc"
} // namespace stof

using namespace mlir;
using namespace stof;

/// The most tiles of a map; larger ones are unreadable.
static constexpr int64_t maxTiles = int64_t(1) << 26;

namespace {

/// The mask of one batch and head at static or given lengths.
struct Subject {
  int64_t batch, head, queries, keys;
  TileShape shape;
};

/// A map and the number of unmasked positions, if counted.
struct Drawing {
  TileMap map;
  std::optional<int64_t> nonzeros;
};

/// Classifies the tiles of a mask.
class MaskDrawer {
public:
  MaskDrawer(AttentionOp op, const MaskPredicate &mask, const Subject &subject)
      : op(op), subject(subject), context(op.getContext()), elements(context),
        expr(readMask(elements, mask, op.getQuery(), op.getKey())) {}

  /// Nothing, with the reason in `why`, if the mask cannot be drawn.
  std::optional<Drawing> draw(std::string &why);

private:
  std::optional<int64_t> getValue(const Expr *symbol) const;
  std::optional<Drawing> evaluateIntervals(const MaskSet &set);
  std::optional<Drawing> evaluatePairs(std::string &why);

  AttentionOp op;
  Subject subject;
  ExprContext context;
  TensorElement elements;
  MaskExpr expr;
};

} // namespace

/// The value of a symbol of the set, unless it is a run-time value.
std::optional<int64_t> MaskDrawer::getValue(const Expr *symbol) const {
  if (symbol == expr.batch)
    return subject.batch;
  if (symbol == expr.head)
    return subject.head;
  if (symbol == expr.query->operands[0])
    return subject.queries;
  if (symbol == expr.key->operands[0])
    return subject.keys;
  return std::nullopt;
}

std::optional<Drawing> MaskDrawer::evaluateIntervals(const MaskSet &set) {
  SmallVector<int64_t> symbols;
  for (const Expr *symbol : set.getSymbols()) {
    std::optional<int64_t> value = getValue(symbol);
    if (!value)
      return std::nullopt;
    symbols.push_back(*value);
  }
  if (!set.isExact())
    return std::nullopt;
  auto kept = findTouchedTiles(set.getMay(), set.getDomain(), subject.shape);
  // Out-of-bounds keys do not make a tile partial.
  auto masked = findTouchedTiles(set.getOpen().intersect(set.getDomain()),
                                 set.getDomain(), subject.shape);
  if (!kept || !masked || !kept->isExact || !masked->isExact)
    return std::nullopt;
  int64_t rows = llvm::divideCeil(subject.queries, subject.shape.queries);
  int64_t columns = llvm::divideCeil(subject.keys, subject.shape.keys);
  Drawing drawing{TileMap(rows, columns),
                  countPairs(set.getMust(), subject.queries, symbols)};
  auto fill = [&](ArrayRef<TileInterval> intervals, TileKind from,
                  TileKind to) {
    for (int64_t row = 0; row < rows; ++row)
      for (const TileInterval &interval : intervals) {
        auto [begin, end] = interval.at(row, columns, symbols);
        for (int64_t column = begin; column < end; ++column)
          if (TileKind &kind = drawing.map.at(row, column); kind == from)
            kind = to;
      }
  };
  fill(kept->intervals, TileKind::Empty, TileKind::Full);
  fill(masked->intervals, TileKind::Full, TileKind::Partial);
  return drawing;
}

std::optional<Drawing> MaskDrawer::evaluatePairs(std::string &why) {
  std::optional<MaskIntervalEvaluator> grid =
      MaskIntervalEvaluator::create(expr, why);
  if (!grid)
    return std::nullopt;
  grid->setBatchAndHead(subject.batch, subject.head);
  BitmapPool bitmaps(subject.shape);
  std::optional<TileTable> table =
      tabulateTiles(*grid, subject.queries, subject.keys, subject.shape,
                    {maxTiles}, bitmaps, why);
  if (!table)
    return std::nullopt;
  Drawing drawing{TileMap(table->entries.size(),
                          llvm::divideCeil(subject.keys, subject.shape.keys)),
                  table->nonzeros};
  for (auto [row, entries] : llvm::enumerate(table->entries))
    for (TileTable::Entry entry : entries) {
      int64_t column = uint32_t(entry) / 2;
      PairBox box{
          int64_t(row) * subject.shape.queries,
          std::min<int64_t>((row + 1) * subject.shape.queries, subject.queries),
          column * subject.shape.keys,
          std::min((column + 1) * subject.shape.keys, subject.keys)};
      // Entries also mark tiles with out-of-bounds keys as partial, so count.
      int64_t pairs = 0;
      grid->visitKept(box, [&](const PairBox &part) { pairs += part.size(); });
      bool isFull = pairs == box.size();
      drawing.map.at(row, column) = isFull ? TileKind::Full : TileKind::Partial;
    }
  return drawing;
}

std::optional<Drawing> MaskDrawer::draw(std::string &why) {
  MaskSet set(context, expr);
  if (std::optional<Drawing> drawing = evaluateIntervals(set))
    return drawing;
  std::string unknown;
  std::optional<Drawing> drawing = evaluatePairs(unknown);
  if (!drawing)
    why = "its tiles have no closed form in known sizes, and " + unknown;
  return drawing;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {

struct PrintMaskPass : stof::impl::PrintMaskPassBase<PrintMaskPass> {
  using Base::Base;

  void runOnOperation() override {
    TileDrawing drawing;
    getOperation()->walk([&](AttentionOp op) {
      if (op.getMask())
        print(op, drawing);
    });
    markAllAnalysesPreserved();
    if (svg.empty())
      return;
    std::string message;
    std::unique_ptr<llvm::ToolOutputFile> file = openOutputFile(svg, &message);
    if (!file) {
      getOperation()->emitError() << "cannot draw masks: " << message;
      return signalPassFailure();
    }
    drawing.print(file->os());
    file->keep();
  }

private:
  Subject getSubject(AttentionOp op) {
    AttentionTile tile = chooseTile(op);
    if (std::optional<LayoutAttr> layout = op.getLayout()) {
      tile.queries = layout->getRowTile();
      tile.keys = layout->getColTile();
    }
    auto known = [&](ShapedType type) {
      int64_t size = type.getDimSize(AttentionOp::Position);
      return ShapedType::isDynamic(size) ? int64_t(length) : size;
    };
    return {batch,
            head,
            known(op.getQueryType()),
            known(op.getKeyType()),
            {rowTile > 0 ? int64_t(rowTile) : tile.queries,
             colTile > 0 ? int64_t(colTile) : tile.keys}};
  }

  std::optional<Drawing> draw(AttentionOp op, const Subject &subject,
                              std::string &why) {
    MaskOpInterface mask = op.getMaskDefinition();
    if (!mask) {
      why = "its mask is not defined by a mask operation";
      return std::nullopt;
    }
    if (mask.getOrigin() == MaskOrigin::BlockList) {
      why = "its blocks are known at run time";
      return std::nullopt;
    }
    if (subject.queries <= 0 || subject.keys <= 0) {
      why = "its lengths are known at run time, and no length is given";
      return std::nullopt;
    }
    if (llvm::divideCeil(subject.queries, subject.shape.queries) *
            llvm::divideCeil(subject.keys, subject.shape.keys) >
        uint64_t(maxTiles)) {
      why = "it has too many tiles";
      return std::nullopt;
    }
    MaskPredicate predicate(mask);
    return MaskDrawer(op, predicate, subject).draw(why);
  }

  void print(AttentionOp op, TileDrawing &all) {
    Subject subject = getSubject(op);
    std::string why, title;
    std::optional<Drawing> drawing = draw(op, subject, why);
    if (!drawing) {
      llvm::outs() << printLocation(op.getLoc()) << ": not drawn: " << why
                   << '\n';
      return;
    }
    const TileMap &map = drawing->map;
    llvm::raw_string_ostream os(title);
    os << printLocation(op.getLoc())
       << llvm::formatv(": {0} x {1} in tiles of {2} x {3}: {4} full, {5} "
                        "partial, {6} empty",
                        subject.queries, subject.keys, subject.shape.queries,
                        subject.shape.keys, map.count(TileKind::Full),
                        map.count(TileKind::Partial),
                        map.count(TileKind::Empty));
    if (drawing->nonzeros)
      os << llvm::formatv("; {0} pairs, {1:P}", *drawing->nonzeros,
                          double(*drawing->nonzeros) / subject.queries /
                              subject.keys);
    if (std::optional<LayoutAttr> layout = op.getLayout();
        layout && layout->getRowStride() > 1)
      os << llvm::formatv("; its layout has tiles of every {0} positions",
                          layout->getRowStride());
    all.add(title, map);
    llvm::outs() << title << '\n';
    int64_t scale = map.getScale(std::max<int64_t>(width, 1));
    if (scale > 1)
      llvm::outs() << "  one character for " << scale << " x " << scale
                   << " tiles\n";
    map.shrink(scale).print(llvm::outs());
  }
};

} // namespace
