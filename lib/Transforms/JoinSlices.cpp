//===----------------------------------------------------------------------===//
// Slices that are written one after another into a tensor, and leave nothing of
// it, are a concatenation:
//
// 1. Follow the destinations from the last slice to the first; each slice is a
//    box of places. One that a later box holds is forgotten.
// 2. Find a dimension in which the boxes fall into groups that lie behind one
//    another or, a stride apart, between one another.
// 3. Each group has to fill its part of the tensor in the same way; what they
//    make is concatenated, along a dimension of its own where they interleave.
//
// Sizes and offsets need not be known: that one slice begins where another ends
// is proven of their expressions.
//===----------------------------------------------------------------------===//

#include "stof/Scalar/ElementAt.h"
#include "stof/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

#include <numeric>

namespace stof {
#define GEN_PASS_DEF_JOINSLICESPASS
#include "stof/Transforms/Passes.h.inc"
} // namespace stof

#define DEBUG_TYPE "stof-join-slices"

using namespace mlir;
using namespace stof;

/// Pairs of slices that are compared with each other in one function: a second
/// or two.
static constexpr int64_t maxComparisons = int64_t(1) << 22;

namespace {
/// Places in one dimension: `begin`, `begin + stride`, and so on, `count` of
/// them.
struct Span {
  const Expr *begin, *count;
  int64_t stride = 1;

  /// The first place and the one behind the last, where they are constants.
  std::optional<std::pair<int64_t, int64_t>> getEnds() const {
    std::optional<int64_t> first = begin->getInt(), places = count->getInt();
    if (!first || !places)
      return std::nullopt;
    return std::make_pair(*first, *first + *places * stride);
  }
};

/// A slice, and the places in the whole that it is written to.
struct Piece {
  /// With every dimension of the whole.
  std::function<Value(OpBuilder &)> build;
  SmallVector<Span> ranges;
};

/// Finds how pieces make up a tensor.
class Assembler {
public:
  explicit Assembler(MLIRContext *context)
      : context(context), elements(this->context) {}

  /// The piece that `insert` writes; nothing if a stride is not known.
  std::optional<Piece> pieceOf(tensor::InsertSliceOp insert);

  /// The places of all of `tensor`.
  SmallVector<Span> placesOf(Value tensor);

  /// What builds a tensor of all places in `region` from pieces that have each
  /// of them once; nothing if they do not.
  std::function<Value(OpBuilder &)> assemble(ArrayRef<Piece> pieces,
                                             ArrayRef<Span> region);

  bool isWithin(const Piece &inner, const Piece &outer);
  /// Takes `slice` of what was there before others were written beside it.
  void skipWritten(tensor::ExtractSliceOp slice);

private:
  std::optional<Span> rangeOf(OpFoldResult offset, OpFoldResult size,
                              OpFoldResult stride);
  /// The places that `insert` writes, found once.
  const std::optional<SmallVector<Span>> &
  rangesOf(tensor::InsertSliceOp insert);
  std::optional<SmallVector<Span>> rangesOf(tensor::ExtractSliceOp slice);
  bool areApart(const Span &one, const Span &other);
  const Expr *endOf(const Span &range) {
    return context.add(range.begin,
                       context.mul(range.count, context.integer(range.stride)));
  }
  // Ends and differences of constants are not worth a node: chains of slices
  // have many pairs.
  bool isAtMost(const Expr *lhs, const Expr *rhs) {
    std::optional<int64_t> left = lhs->getInt(), right = rhs->getInt();
    return left && right ? *left <= *right : context.sub(rhs, lhs)->lo >= 0;
  }
  bool areEqual(const Expr *lhs, const Expr *rhs) {
    if (lhs == rhs || (lhs->getInt() && rhs->getInt()))
      return lhs == rhs;
    return context.sub(rhs, lhs)->getInt() == 0;
  }
  std::function<Value(OpBuilder &)>
  concatenate(ArrayRef<Piece> pieces, ArrayRef<Span> region, unsigned dim);
  std::function<Value(OpBuilder &)>
  interleave(ArrayRef<Piece> pieces, ArrayRef<Span> region, unsigned dim);

  ExprContext context;
  ElementAt elements;
  DenseMap<Operation *, std::optional<SmallVector<Span>>> written;
};
} // namespace

std::optional<Span> Assembler::rangeOf(OpFoldResult offset, OpFoldResult size,
                                       OpFoldResult stride) {
  auto read = [&](OpFoldResult value) {
    std::optional<int64_t> known = getConstantIntValue(value);
    return known ? context.integer(*known)
                 : elements.scalar(cast<Value>(value));
  };
  std::optional<int64_t> step = getConstantIntValue(stride);
  const Expr *begin = read(offset), *count = read(size);
  if (count->getInt() == 1)
    step = 1;
  if (!step || *step < 1)
    return std::nullopt;
  return Span{begin, count, *step};
}

const std::optional<SmallVector<Span>> &
Assembler::rangesOf(tensor::InsertSliceOp insert) {
  auto [place, isNew] = written.try_emplace(insert, std::nullopt);
  if (!isNew)
    return place->second;
  SmallVector<Span> ranges;
  for (auto [offset, size, stride] :
       llvm::zip_equal(insert.getMixedOffsets(), insert.getMixedSizes(),
                       insert.getMixedStrides())) {
    std::optional<Span> range = rangeOf(offset, size, stride);
    if (!range)
      return place->second;
    ranges.push_back(*range);
  }
  place->second = std::move(ranges);
  return place->second;
}

std::optional<Piece> Assembler::pieceOf(tensor::InsertSliceOp insert) {
  Piece piece;
  const std::optional<SmallVector<Span>> &ranges = rangesOf(insert);
  if (!ranges)
    return std::nullopt;
  piece.ranges = *ranges;
  piece.build = [insert](OpBuilder &builder) mutable -> Value {
    RankedTensorType type = insert.getSourceType();
    if (type.getRank() == insert.getDestType().getRank())
      return insert.getSource();
    auto [sizes, dynamic] = decomposeMixedValues(insert.getMixedSizes());
    auto whole = RankedTensorType::get(sizes, type.getElementType());
    return tensor::ExpandShapeOp::create(
        builder, insert.getLoc(), whole, insert.getSource(),
        *getReassociationIndicesForReshape(type, whole),
        insert.getMixedSizes());
  };
  return piece;
}

SmallVector<Span> Assembler::placesOf(Value tensor) {
  SmallVector<Span> places;
  for (int64_t dim = 0; dim < cast<ShapedType>(tensor.getType()).getRank();
       ++dim)
    places.push_back({context.integer(0), elements.size(tensor, dim)});
  return places;
}

bool Assembler::isWithin(const Piece &inner, const Piece &outer) {
  return llvm::all_of(llvm::zip(inner.ranges, outer.ranges), [&](auto pair) {
    auto [in, out] = pair;
    if (in.stride == out.stride && areEqual(in.begin, out.begin) &&
        areEqual(in.count, out.count))
      return true;
    if (auto inner = in.getEnds(), outer = out.getEnds(); inner && outer)
      return out.stride == 1 && outer->first <= inner->first &&
             inner->second <= outer->second;
    return out.stride == 1 && isAtMost(out.begin, in.begin) &&
           isAtMost(endOf(in), endOf(out));
  });
}

std::optional<SmallVector<Span>>
Assembler::rangesOf(tensor::ExtractSliceOp slice) {
  SmallVector<Span> ranges;
  for (auto [offset, size, stride] :
       llvm::zip_equal(slice.getMixedOffsets(), slice.getMixedSizes(),
                       slice.getMixedStrides())) {
    std::optional<Span> range = rangeOf(offset, size, stride);
    if (!range)
      return std::nullopt;
    ranges.push_back(*range);
  }
  return ranges;
}

bool Assembler::areApart(const Span &one, const Span &other) {
  if (auto ends = one.getEnds(), others = other.getEnds(); ends && others)
    if (ends->second <= others->first || others->second <= ends->first)
      return true;
  std::optional<int64_t> shift = context.sub(other.begin, one.begin)->getInt();
  // Places of both are apart by multiples of this and the shift.
  auto stepOf = [](const Span &span) {
    return span.count->getInt() == 1 ? 0 : span.stride;
  };
  int64_t common = std::gcd(stepOf(one), stepOf(other));
  bool isBetween = shift && common > 1 && *shift % common != 0;
  return isBetween || isAtMost(endOf(one), other.begin) ||
         isAtMost(endOf(other), one.begin);
}

void Assembler::skipWritten(tensor::ExtractSliceOp slice) {
  auto insert = slice.getSource().getDefiningOp<tensor::InsertSliceOp>();
  if (!insert)
    return;
  std::optional<SmallVector<Span>> read = rangesOf(slice);
  while (read && insert) {
    const std::optional<SmallVector<Span>> &written = rangesOf(insert);
    if (!written || llvm::none_of(llvm::zip(*written, *read), [&](auto pair) {
          return areApart(std::get<0>(pair), std::get<1>(pair));
        }))
      return;
    slice.getSourceMutable().set(insert.getDest());
    insert = insert.getDest().getDefiningOp<tensor::InsertSliceOp>();
  }
}

std::function<Value(OpBuilder &)> Assembler::concatenate(ArrayRef<Piece> pieces,
                                                         ArrayRef<Span> region,
                                                         unsigned dim) {
  // Pieces of the same places in this dimension, by where they begin.
  llvm::MapVector<const Expr *, SmallVector<Piece>> groups;
  for (const Piece &piece : pieces) {
    if (piece.ranges[dim].stride != 1)
      return nullptr;
    SmallVector<Piece> &group = groups[piece.ranges[dim].begin];
    if (!group.empty() &&
        !areEqual(group[0].ranges[dim].count, piece.ranges[dim].count))
      return nullptr;
    group.push_back(piece);
  }
  if (groups.size() < 2)
    return nullptr;
  SmallVector<std::function<Value(OpBuilder &)>> parts;
  const Expr *next = region[dim].begin, *end = endOf(region[dim]);
  SmallVector<Span> inner(region);
  size_t used = 0;
  while (!areEqual(next, end)) {
    auto it = groups.find(next);
    if (it == groups.end() || it->second.empty())
      return nullptr;
    inner[dim] = it->second[0].ranges[dim];
    parts.push_back(assemble(it->second, inner));
    if (!parts.back())
      return nullptr;
    next = endOf(inner[dim]);
    it->second.clear();
    ++used;
  }
  if (used != groups.size())
    return nullptr;
  return [dim, parts](OpBuilder &builder) -> Value {
    auto inputs =
        llvm::map_to_vector(parts, [&](auto &part) { return part(builder); });
    return tensor::ConcatOp::create(builder, inputs.front().getLoc(), dim,
                                    inputs);
  };
}

std::function<Value(OpBuilder &)> Assembler::interleave(ArrayRef<Piece> pieces,
                                                        ArrayRef<Span> region,
                                                        unsigned dim) {
  int64_t stride = pieces[0].ranges[dim].stride;
  if (stride == 1)
    return nullptr;
  const Expr *count = pieces[0].ranges[dim].count;
  if (!areEqual(context.mul(count, context.integer(stride)), region[dim].count))
    return nullptr;
  SmallVector<SmallVector<Piece>> groups(stride);
  for (Piece piece : pieces) {
    Span &range = piece.ranges[dim];
    std::optional<int64_t> place =
        context.sub(range.begin, region[dim].begin)->getInt();
    if (range.stride != stride || !areEqual(range.count, count) || !place ||
        *place < 0 || *place >= stride)
      return nullptr;
    range = {context.integer(0), count};
    groups[*place].push_back(piece);
  }
  SmallVector<Span> inner(region);
  inner[dim] = {context.integer(0), count};
  SmallVector<std::function<Value(OpBuilder &)>> parts;
  for (ArrayRef<Piece> group : groups) {
    parts.push_back(group.empty() ? nullptr : assemble(group, inner));
    if (!parts.back())
      return nullptr;
  }
  return [dim, parts](OpBuilder &builder) -> Value {
    SmallVector<Value> inputs;
    SmallVector<ReassociationIndices> dims;
    for (auto &part : parts) {
      Value value = part(builder);
      Location loc = value.getLoc();
      auto type = cast<RankedTensorType>(value.getType());
      SmallVector<OpFoldResult> sizes =
          tensor::getMixedSizes(builder, loc, value);
      sizes.insert(sizes.begin() + dim + 1, builder.getIndexAttr(1));
      dims.clear();
      for (int64_t at = 0; at < type.getRank(); ++at) {
        int64_t from = at > dim ? at + 1 : at;
        dims.push_back({from});
        if (at == dim)
          dims.back().push_back(from + 1);
      }
      auto [shape, dynamic] = decomposeMixedValues(sizes);
      inputs.push_back(tensor::ExpandShapeOp::create(
          builder, loc, RankedTensorType::get(shape, type.getElementType()),
          value, dims, sizes));
    }
    Location loc = inputs.front().getLoc();
    Value between = tensor::ConcatOp::create(builder, loc, dim + 1, inputs);
    return tensor::CollapseShapeOp::create(builder, loc, between, dims);
  };
}

std::function<Value(OpBuilder &)> Assembler::assemble(ArrayRef<Piece> pieces,
                                                      ArrayRef<Span> region) {
  if (pieces.size() == 1) {
    bool fills =
        llvm::all_of(llvm::zip(pieces[0].ranges, region), [&](auto pair) {
          auto [range, all] = pair;
          return range.stride == 1 && areEqual(range.begin, all.begin) &&
                 areEqual(range.count, all.count);
        });
    return fills ? pieces[0].build : nullptr;
  }
  for (unsigned dim = 0; dim < region.size(); ++dim) {
    if (auto joined = concatenate(pieces, region, dim))
      return joined;
    if (auto joined = interleave(pieces, region, dim))
      return joined;
  }
  return nullptr;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// The elements of all places in `piece`; nothing if they are not counted.
static std::optional<int64_t> countPlaces(ArrayRef<Span> ranges) {
  int64_t places = 1;
  for (const Span &range : ranges) {
    std::optional<int64_t> count = range.count->getInt();
    if (!count)
      return std::nullopt;
    places *= *count;
  }
  return places;
}

namespace {
/// Joins the slices of a function.
class Joiner {
public:
  explicit Joiner(Assembler &assembler) : assembler(assembler) {}

  /// What `last` and the slices before it make of a tensor of which they leave
  /// nothing; null if something is left.
  std::function<Value(OpBuilder &)> join(tensor::InsertSliceOp last);

private:
  bool isHidden(const Piece &piece, ArrayRef<Piece> later);

  Assembler &assembler;
  /// Slices that leave something of their tensor, as do all before them.
  DenseSet<Operation *> open;
  /// Pairs of slices that may still be compared.
  int64_t budget = maxComparisons;
};
} // namespace

/// Whether a later piece holds all places of `piece`; what is not compared any
/// more does not.
bool Joiner::isHidden(const Piece &piece, ArrayRef<Piece> later) {
  budget -= later.size();
  return budget > 0 && llvm::any_of(later, [&](const Piece &other) {
           return assembler.isWithin(piece, other);
         });
}

std::function<Value(OpBuilder &)> Joiner::join(tensor::InsertSliceOp last) {
  if (open.contains(last) || budget <= 0)
    return nullptr;
  SmallVector<Span> whole = assembler.placesOf(last.getResult());
  std::optional<int64_t> all = countPlaces(whole);
  SmallVector<Piece> pieces;
  SmallVector<Operation *> chain;
  int64_t covered = 0;
  for (tensor::InsertSliceOp insert = last; insert;
       insert = insert.getDest().getDefiningOp<tensor::InsertSliceOp>()) {
    chain.push_back(insert);
    std::optional<Piece> piece = assembler.pieceOf(insert);
    if (!piece)
      return nullptr;
    std::optional<int64_t> places = countPlaces(piece->ranges);
    bool isHiddenHere = places == 0 || isHidden(*piece, pieces);
    if (budget <= 0) {
      remark::missed(
          last.getLoc(),
          remark::RemarkOpts::name("KeptSlices").category(DEBUG_TYPE))
          << remark::reason("so many slices are written one after another "
                            "that not all are compared with each other");
      return nullptr;
    }
    if (isHiddenHere)
      continue;
    covered += places.value_or(0);
    pieces.push_back(std::move(*piece));
    // Earlier slices may be hidden by what is there.
    if (all && covered == *all)
      break;
  }
  // Fewer slices cover no more.
  if (all && covered < *all)
    open.insert_range(chain);
  if (pieces.empty() || (all && covered != *all))
    return nullptr;
  return assembler.assemble(pieces, whole);
}

/// Whether elements of what `use` is of are read there, or of a part or shape
/// of it further on.
static bool readsElements(OpOperand &use) {
  SmallVector<OpOperand *> open{&use};
  while (!open.empty()) {
    OpOperand *next = open.pop_back_val();
    Operation *user = next->getOwner();
    if (isa<tensor::DimOp>(user))
      continue;
    if (isa<tensor::CastOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp,
            tensor::ExtractSliceOp>(user)) {
      if (next->getOperandNumber() == 0)
        for (OpOperand &further : user->getUses())
          open.push_back(&further);
      continue;
    }
    // Some operations take a tensor for its shape, such as windows of pooling.
    if (auto structured = dyn_cast<linalg::LinalgOp>(user)) {
      if (structured.isDpsInput(next) &&
          structured.payloadUsesValueFromOperand(next))
        return true;
      continue;
    }
    auto destination = dyn_cast<DestinationStyleOpInterface>(user);
    if (!destination || isa<tensor::InsertSliceOp>(user) ||
        destination.isDpsInput(next))
      return true;
  }
  return false;
}

/// Gives those who read elements that nothing has written zeros.
static void defineElements(tensor::EmptyOp empty) {
  auto reads = llvm::map_to_vector(
      llvm::make_filter_range(empty->getUses(), readsElements),
      [](OpOperand &use) { return &use; });
  OpBuilder builder(empty->getContext());
  TypedAttr zero = builder.getZeroAttr(empty.getType().getElementType());
  if (reads.empty() || !zero)
    return;
  builder.setInsertionPointAfter(empty);
  Location loc = empty.getLoc();
  Value scalar = arith::ConstantOp::create(builder, loc, zero);
  Value zeros = linalg::FillOp::create(builder, loc, scalar, empty.getResult())
                    .getResult(0);
  for (OpOperand *use : reads)
    use->set(zeros);
  remark::analysis(
      loc, remark::RemarkOpts::name("UndefinedElements").category(DEBUG_TYPE))
      << remark::add("elements that nothing has written may be read; they are "
                     "taken to be zero");
}

namespace {
struct JoinSlicesPass : stof::impl::JoinSlicesPassBase<JoinSlicesPass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<tensor::InsertSliceOp> inserts;
    SmallVector<tensor::EmptyOp> empties;
    Assembler assembler(&getContext());
    getOperation()->walk([&](Operation *op) {
      if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
        inserts.push_back(insert);
      if (auto empty = dyn_cast<tensor::EmptyOp>(op))
        empties.push_back(empty);
      if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
        assembler.skipWritten(slice);
    });
    // Of a chain the last is met first. Nothing is erased while expressions of
    // it are known.
    llvm::SetVector<Operation *> dead;
    Joiner joiner(assembler);
    for (tensor::InsertSliceOp insert : llvm::reverse(inserts)) {
      if (llvm::all_of(insert->getUsers(),
                       [&](Operation *user) { return dead.contains(user); })) {
        dead.insert(insert);
        continue;
      }
      auto build = joiner.join(insert);
      if (!build)
        continue;
      OpBuilder builder(insert);
      Value joined = build(builder);
      if (joined.getType() != insert.getType())
        joined = tensor::CastOp::create(builder, insert.getLoc(),
                                        insert.getType(), joined);
      insert.getResult().replaceAllUsesWith(joined);
      dead.insert(insert);
    }
    for (Operation *insert : dead)
      insert->erase();
    llvm::for_each(empties, defineElements);
  }
};
} // namespace
