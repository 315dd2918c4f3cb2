//===----------------------------------------------------------------------===//
// Makes query heads that share a key head rows of one head:
//
//   [batch, key heads x G, queries, ...] -> [batch, key heads, G x queries,
//   ...]
//
// The coordinates of masks and score regions are computed from the row.
//===----------------------------------------------------------------------===//

#include "stof/IR/MaskPredicate.h"
#include "stof/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"

#include "llvm/Support/MathExtras.h"

namespace stof {
#define GEN_PASS_DEF_PACKHEADSPASS
#include "stof/Transforms/Passes.h.inc"
} // namespace stof

#define DEBUG_TYPE "stof-pack-heads"

using namespace mlir;
using namespace stof;

/// Rows of the usual tile, which as many queries of one head fill.
static constexpr int64_t usualRows = 64;

namespace {
/// The rows of a key head.
struct PackedRows {
  int64_t heads, queries;

  int64_t count() const { return heads * queries; }
  /// Whether the rows take fewer tiles together than head by head.
  bool saveTiles() const {
    int64_t tiles = llvm::divideCeil(count(), usualRows);
    return queries < usualRows && tiles < heads;
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

/// The reason why `mask` cannot be that of packed rows; empty if it can.
static std::string refuseMask(Value mask, const PackedRows &rows) {
  auto definition = mask.getDefiningOp<MaskOpInterface>();
  if (!definition)
    return "its mask is not defined by a mask operation";
  if (definition.getOrigin() == MaskOrigin::BlockList) {
    auto blocks = dyn_cast<BlockMaskOp>(definition.getOperation());
    int64_t inBlock = blocks ? blocks.getQueryBlock() : 0;
    if (inBlock >= rows.queries)
      return "";
    return "its mask is a list of blocks, which divide the queries";
  }
  MaskPredicate predicate(definition);
  if (!predicate.getCoordinates()[AttentionOp::Head].use_empty())
    return "its mask depends on the query head";
  return "";
}

/// Whether all operands that are reshaped have static numbers of heads and of
/// queries, or parts of these.
static bool hasStaticRows(AttentionOp op) {
  SmallVector<Value> rows{op.getQuery(), op.getOut()};
  if (op.getLse())
    rows.push_back(op.getLse());
  Value sinks = op.getSinks();
  return llvm::all_of(rows,
                      [](Value operand) {
                        auto type = cast<ShapedType>(operand.getType());
                        return !type.isDynamicDim(AttentionOp::Head) &&
                               !type.isDynamicDim(AttentionOp::Position);
                      }) &&
         !op.getKeyType().isDynamicDim(AttentionOp::Head) &&
         (!sinks || cast<ShapedType>(sinks.getType()).hasStaticShape());
}

/// The rows of a key head of `op` if it is packed. Otherwise `why` has the
/// reason, or is empty if there is nothing to pack.
static std::optional<PackedRows> findRows(AttentionOp op, std::string &why) {
  ShapedType query = op.getQueryType(), key = op.getKeyType();
  int64_t heads = query.getDimSize(AttentionOp::Head);
  int64_t keyHeads = key.getDimSize(AttentionOp::Head);
  if (heads == keyHeads && !ShapedType::isDynamic(heads))
    return std::nullopt;
  if (!hasStaticRows(op)) {
    why = "its numbers of heads and of queries are not static";
    return std::nullopt;
  }
  PackedRows rows{heads / keyHeads, query.getDimSize(AttentionOp::Position)};
  if (op.getTile() || op.getLayout() || op.getSchedule())
    why = "its tiles or their order are given";
  else if (!op.hasPureTensorSemantics())
    why = "it is on buffers";
  else if (!rows.saveTiles())
    why = ("the " + Twine(rows.queries) + " queries of a head fill its tiles")
              .str();
  for (Value mask : op.getMasks())
    if (why.empty())
      why = refuseMask(mask, rows);
  if (!why.empty())
    return std::nullopt;
  return rows;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

namespace {
/// Replaces an attention by one of packed rows.
class Packer {
public:
  Packer(RewriterBase &rewriter, AttentionOp op, const PackedRows &rows)
      : rewriter(rewriter), op(op), loc(op.getLoc()), rows(rows) {}

  void pack();

private:
  /// Divides dimension `outer` of `value`, so that `inner` is the size of a new
  /// one behind it, and then merges dimension `first` with the next one.
  Value reshape(Value value, int64_t outer, int64_t inner, int64_t first);
  /// Heads and queries as key heads and rows.
  Value packRows(Value value);
  /// The reverse, with the type of `result`, which it replaces.
  Value unpackRows(Value value, Value result);
  /// The sinks of all rows of each key head.
  Value packSinks();
  /// The mask of packed rows; null for null.
  Value packMask(Value mask);
  AttentionOp packAttention();
  /// Batch, query head, query and key at `coordinates`: batch, key head, row
  /// and key.
  SmallVector<Value> unpack(OpBuilder &builder, ValueRange coordinates) const;

  RewriterBase &rewriter;
  AttentionOp op;
  Location loc;
  PackedRows rows;
};
} // namespace

/// The dimensions of a tensor of `rank` with those of which `dim` and the next
/// one are parts.
static SmallVector<ReassociationIndices> groupDims(int64_t rank, int64_t dim) {
  SmallVector<ReassociationIndices> groups;
  for (int64_t whole = 0, part = 0; whole < rank; ++whole) {
    groups.push_back({part++});
    if (whole == dim)
      groups.back().push_back(part++);
  }
  return groups;
}

Value Packer::reshape(Value value, int64_t outer, int64_t inner,
                      int64_t first) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(rewriter, loc, value);
  sizes[outer] = rewriter.getIndexAttr(type.getDimSize(outer) / inner);
  sizes.insert(sizes.begin() + outer + 1, rewriter.getIndexAttr(inner));
  auto [shape, dynamic] = decomposeMixedValues(sizes);
  Value divided = tensor::ExpandShapeOp::create(
      rewriter, loc, RankedTensorType::get(shape, type.getElementType()), value,
      groupDims(type.getRank(), outer), sizes);
  return tensor::CollapseShapeOp::create(rewriter, loc, divided,
                                         groupDims(type.getRank(), first));
}

Value Packer::packRows(Value value) {
  return reshape(value, AttentionOp::Head, rows.heads, AttentionOp::Position);
}

Value Packer::unpackRows(Value value, Value result) {
  Value unpacked =
      reshape(value, AttentionOp::Position, rows.queries, AttentionOp::Head);
  if (unpacked.getType() == result.getType())
    return unpacked;
  return tensor::CastOp::create(rewriter, loc, result.getType(), unpacked);
}

Value Packer::packSinks() {
  Value sinks = op.getSinks();
  if (!sinks)
    return {};
  constexpr int64_t head = 0, part = 1;
  auto type = cast<RankedTensorType>(sinks.getType());
  if (type.getRank() == 2)
    return reshape(sinks, head, rows.heads, part);
  auto divided = RankedTensorType::get(
      {type.getDimSize(head) / rows.heads, rows.heads}, type.getElementType());
  return tensor::ExpandShapeOp::create(rewriter, loc, divided, sinks,
                                       groupDims(1, head));
}

SmallVector<Value> Packer::unpack(OpBuilder &builder,
                                  ValueRange coordinates) const {
  SmallVector<Value> unpacked(coordinates);
  Value &head = unpacked[AttentionOp::Head];
  Value row = coordinates[AttentionOp::Position];
  Value queries = arith::ConstantIndexOp::create(builder, loc, rows.queries);
  Value group = arith::ConstantIndexOp::create(builder, loc, rows.heads);
  Value first = arith::MulIOp::create(builder, loc, head, group);
  Value inGroup = builder.createOrFold<arith::DivUIOp>(loc, row, queries);
  head = arith::AddIOp::create(builder, loc, first, inGroup);
  unpacked[AttentionOp::Position] =
      builder.createOrFold<arith::RemUIOp>(loc, row, queries);
  return unpacked;
}

Value Packer::packMask(Value given) {
  if (!given)
    return {};
  auto mask = given.getDefiningOp<MaskOpInterface>();
  MaskType type = MaskType::get(rewriter.getContext(), rows.count(),
                                cast<MaskType>(given.getType()).getKeys());
  if (auto blocks = dyn_cast<BlockMaskOp>(mask.getOperation()))
    return BlockMaskOp::create(
        rewriter, mask.getLoc(), type, blocks.getRowPtr(), blocks.getColIdx(),
        blocks.getLengths(), rows.count(), blocks.getKeyBlock());
  constexpr unsigned coordinates = MaskOp::numCoordinates;
  return MaskOp::create(
      rewriter, mask.getLoc(), type, mask->getOperands(),
      [&](OpBuilder &builder, Location at, ValueRange arguments) {
        return mask.emitPredicate(
            builder, at, unpack(builder, arguments.take_front(coordinates)),
            arguments.drop_front(coordinates));
      });
}

AttentionOp Packer::packAttention() {
  auto score = [&](OpBuilder &builder, Location, ValueRange arguments) {
    constexpr unsigned leading = AttentionOp::numScoreArguments;
    SmallVector<Value> values{arguments.front()};
    llvm::append_range(
        values, unpack(builder, arguments.take_front(leading).drop_front()));
    llvm::append_range(values, arguments.drop_front(leading));
    return inlineBody(builder, op.getScore(), values).front();
  };
  Value query = packRows(op.getQuery()), mask = packMask(op.getMask());
  Value emptyRowsMask = packMask(op.getEmptyRowsMask());
  Value sinks = packSinks(), out = packRows(op.getOut());
  Value lse = op.getLse() ? packRows(op.getLse()) : Value();
  SmallVector<Type> types{out.getType()};
  if (lse)
    types.push_back(lse.getType());
  ValueRange captures = op.getCaptures();
  llvm::function_ref<Value(OpBuilder &, Location, ValueRange)> body = score;
  if (!op.hasScore()) {
    captures = {};
    body = nullptr;
  }
  auto packed = AttentionOp::create(
      rewriter, loc, types, query, op.getKey(), op.getValue(), mask, sinks,
      op.getDynamicScale(), captures, out, lse, op.getScaleAttr(),
      op.getEmptyRows(), emptyRowsMask, body);
  packed->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  return packed;
}

void Packer::pack() {
  rewriter.setInsertionPoint(op);
  AttentionOp packed = packAttention();
  auto results = llvm::map_to_vector(
      llvm::zip_equal(packed.getResults(), op.getResults()), [&](auto pair) {
        auto [rows, result] = pair;
        return unpackRows(rows, result);
      });
  rewriter.replaceOp(op, results);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct PackHeadsPass : stof::impl::PackHeadsPassBase<PackHeadsPass> {
  using Base::Base;
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<AttentionOp> worklist;
    getOperation().walk([&](AttentionOp op) { worklist.push_back(op); });
    for (AttentionOp op : worklist)
      pack(rewriter, op);
  }

private:
  void pack(RewriterBase &rewriter, AttentionOp op) {
    auto options = remark::RemarkOpts::name("PackedHeads").category(DEBUG_TYPE);
    std::string why;
    std::optional<PackedRows> rows = findRows(op, why);
    if (!rows) {
      if (!why.empty())
        remark::missed(op.getLoc(), options) << remark::reason("{0}", why);
      return;
    }
    remark::passed(op.getLoc(), options)
        << remark::metric("Heads", rows->heads)
        << remark::metric("Queries", rows->queries);
    Packer(rewriter, op, *rows).pack();
  }
};
} // namespace
