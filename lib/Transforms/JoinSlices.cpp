//===----------------------------------------------------------------------===//
// Rewrites chains of slices that overwrite a whole tensor as concatenations:
//
// 1. Follow the destinations from the last slice to the first; each slice is a
//    box of indices. Boxes within a later one are ignored.
// 2. Find a dimension that divides the boxes into groups, either consecutive or
//    interleaved with a stride.
// 3. Assemble each group recursively in its region of the tensor; concatenate
//    the results, along a new dimension if they interleave.
//
// Sizes and offsets may be dynamic: adjacency is proven on their expressions.
//===----------------------------------------------------------------------===//

#include "stof/Scalar/TensorElement.h"
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

/// The limit on comparisons of slices per function: a second or two.
static constexpr int64_t maxComparisons = int64_t(1) << 22;

namespace {
/// Indices in one dimension: `begin`, `begin + stride`, ..., `count` of them.
struct Span {
  const Expr *begin, *count;
  int64_t stride = 1;

  /// The first index and the end, if constant.
  std::optional<std::pair<int64_t, int64_t>> getEnds() const {
    std::optional<int64_t> first = begin->getInt(), size = count->getInt();
    if (!first || !size)
      return std::nullopt;
    return std::make_pair(*first, *first + *size * stride);
  }
};

/// A slice and the indices of the whole tensor that it is written to.
struct WrittenSlice {
  /// Builds the slice with the rank of the whole tensor.
  std::function<Value(OpBuilder &)> build;
  SmallVector<Span> ranges;
};

/// Assembles a tensor from slices.
class Assembler {
public:
  explicit Assembler(MLIRContext *context)
      : context(context), elements(this->context) {}

  /// The slice that `insert` writes; nothing if a stride is dynamic.
  std::optional<WrittenSlice> sliceOf(tensor::InsertSliceOp insert);

  /// The indices of all elements of `tensor`.
  SmallVector<Span> rangesOfWhole(Value tensor);

  /// A builder of the tensor of `region` from slices that partition it; null if
  /// they do not.
  std::function<Value(OpBuilder &)> assemble(ArrayRef<WrittenSlice> slices,
                                             ArrayRef<Span> region);

  bool isWithin(const WrittenSlice &inner, const WrittenSlice &outer);
  /// Makes `slice` read from the tensor before writes of disjoint slices.
  void skipWritten(tensor::ExtractSliceOp slice);

private:
  std::optional<Span> rangeOf(OpFoldResult offset, OpFoldResult size,
                              OpFoldResult stride);
  /// The indices that `insert` writes, cached.
  const std::optional<SmallVector<Span>> &
  rangesOf(tensor::InsertSliceOp insert);
  std::optional<SmallVector<Span>> rangesOf(tensor::ExtractSliceOp slice);
  bool areDisjoint(const Span &one, const Span &other);
  const Expr *endOf(const Span &range) {
    return context.add(range.begin,
                       context.mul(range.count, context.integer(range.stride)));
  }
  // Constants are compared without creating expressions: chains of slices have
  // many pairs.
  bool isAtMost(const Expr *lhs, const Expr *rhs) {
    std::optional<int64_t> left = lhs->getInt(), right = rhs->getInt();
    return left && right ? *left <= *right : context.sub(rhs, lhs)->lo >= 0;
  }
  bool areEqual(const Expr *lhs, const Expr *rhs) {
    if (lhs == rhs || (lhs->getInt() && rhs->getInt()))
      return lhs == rhs;
    return context.sub(rhs, lhs)->getInt() == 0;
  }
  std::function<Value(OpBuilder &)> concatenate(ArrayRef<WrittenSlice> slices,
                                                ArrayRef<Span> region,
                                                unsigned dim);
  std::function<Value(OpBuilder &)> interleave(ArrayRef<WrittenSlice> slices,
                                               ArrayRef<Span> region,
                                               unsigned dim);

  ExprContext context;
  TensorElement elements;
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
  auto [entry, isNew] = written.try_emplace(insert, std::nullopt);
  if (!isNew)
    return entry->second;
  SmallVector<Span> ranges;
  for (auto [offset, size, stride] :
       llvm::zip_equal(insert.getMixedOffsets(), insert.getMixedSizes(),
                       insert.getMixedStrides())) {
    std::optional<Span> range = rangeOf(offset, size, stride);
    if (!range)
      return entry->second;
    ranges.push_back(*range);
  }
  entry->second = std::move(ranges);
  return entry->second;
}

std::optional<WrittenSlice> Assembler::sliceOf(tensor::InsertSliceOp insert) {
  WrittenSlice slice;
  const std::optional<SmallVector<Span>> &ranges = rangesOf(insert);
  if (!ranges)
    return std::nullopt;
  slice.ranges = *ranges;
  slice.build = [insert](OpBuilder &builder) mutable -> Value {
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
  return slice;
}

SmallVector<Span> Assembler::rangesOfWhole(Value tensor) {
  SmallVector<Span> ranges;
  for (int64_t dim = 0; dim < cast<ShapedType>(tensor.getType()).getRank();
       ++dim)
    ranges.push_back({context.integer(0), elements.size(tensor, dim)});
  return ranges;
}

bool Assembler::isWithin(const WrittenSlice &inner, const WrittenSlice &outer) {
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

bool Assembler::areDisjoint(const Span &one, const Span &other) {
  if (auto ends = one.getEnds(), others = other.getEnds(); ends && others)
    if (ends->second <= others->first || others->second <= ends->first)
      return true;
  std::optional<int64_t> shift = context.sub(other.begin, one.begin)->getInt();
  // Indices of both differ by the shift plus a multiple of `common`.
  auto stepOf = [](const Span &span) {
    return span.count->getInt() == 1 ? 0 : span.stride;
  };
  int64_t common = std::gcd(stepOf(one), stepOf(other));
  bool isInterleaved = shift && common > 1 && *shift % common != 0;
  return isInterleaved || isAtMost(endOf(one), other.begin) ||
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
          return areDisjoint(std::get<0>(pair), std::get<1>(pair));
        }))
      return;
    slice.getSourceMutable().set(insert.getDest());
    insert = insert.getDest().getDefiningOp<tensor::InsertSliceOp>();
  }
}

std::function<Value(OpBuilder &)>
Assembler::concatenate(ArrayRef<WrittenSlice> slices, ArrayRef<Span> region,
                       unsigned dim) {
  // Slices of the same range in this dimension, by its begin.
  llvm::MapVector<const Expr *, SmallVector<WrittenSlice>> groups;
  for (const WrittenSlice &slice : slices) {
    if (slice.ranges[dim].stride != 1)
      return nullptr;
    SmallVector<WrittenSlice> &group = groups[slice.ranges[dim].begin];
    if (!group.empty() &&
        !areEqual(group[0].ranges[dim].count, slice.ranges[dim].count))
      return nullptr;
    group.push_back(slice);
  }
  if (groups.size() < 2)
    return nullptr;
  SmallVector<std::function<Value(OpBuilder &)>> builders;
  const Expr *next = region[dim].begin, *end = endOf(region[dim]);
  SmallVector<Span> subregion(region);
  size_t used = 0;
  while (!areEqual(next, end)) {
    auto *it = groups.find(next);
    if (it == groups.end() || it->second.empty())
      return nullptr;
    subregion[dim] = it->second[0].ranges[dim];
    builders.push_back(assemble(it->second, subregion));
    if (!builders.back())
      return nullptr;
    next = endOf(subregion[dim]);
    it->second.clear();
    ++used;
  }
  if (used != groups.size())
    return nullptr;
  return [dim, builders](OpBuilder &builder) -> Value {
    auto inputs = llvm::map_to_vector(
        builders, [&](auto &build) { return build(builder); });
    return tensor::ConcatOp::create(builder, inputs.front().getLoc(), dim,
                                    inputs);
  };
}

std::function<Value(OpBuilder &)>
Assembler::interleave(ArrayRef<WrittenSlice> slices, ArrayRef<Span> region,
                      unsigned dim) {
  int64_t stride = slices[0].ranges[dim].stride;
  if (stride == 1)
    return nullptr;
  const Expr *count = slices[0].ranges[dim].count;
  if (!areEqual(context.mul(count, context.integer(stride)), region[dim].count))
    return nullptr;
  SmallVector<SmallVector<WrittenSlice>> groups(stride);
  for (WrittenSlice slice : slices) {
    Span &range = slice.ranges[dim];
    std::optional<int64_t> residue =
        context.sub(range.begin, region[dim].begin)->getInt();
    if (range.stride != stride || !areEqual(range.count, count) || !residue ||
        *residue < 0 || *residue >= stride)
      return nullptr;
    range = {context.integer(0), count};
    groups[*residue].push_back(slice);
  }
  SmallVector<Span> subregion(region);
  subregion[dim] = {context.integer(0), count};
  SmallVector<std::function<Value(OpBuilder &)>> builders;
  for (ArrayRef<WrittenSlice> group : groups) {
    builders.push_back(group.empty() ? nullptr : assemble(group, subregion));
    if (!builders.back())
      return nullptr;
  }
  return [dim, builders](OpBuilder &builder) -> Value {
    SmallVector<Value> inputs;
    SmallVector<ReassociationIndices> dims;
    for (auto &build : builders) {
      Value value = build(builder);
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
    Value interleaved = tensor::ConcatOp::create(builder, loc, dim + 1, inputs);
    return tensor::CollapseShapeOp::create(builder, loc, interleaved, dims);
  };
}

std::function<Value(OpBuilder &)>
Assembler::assemble(ArrayRef<WrittenSlice> slices, ArrayRef<Span> region) {
  if (slices.size() == 1) {
    bool fills =
        llvm::all_of(llvm::zip(slices[0].ranges, region), [&](auto pair) {
          auto [range, all] = pair;
          return range.stride == 1 && areEqual(range.begin, all.begin) &&
                 areEqual(range.count, all.count);
        });
    return fills ? slices[0].build : nullptr;
  }
  for (unsigned dim = 0; dim < region.size(); ++dim) {
    if (auto joined = concatenate(slices, region, dim))
      return joined;
    if (auto joined = interleave(slices, region, dim))
      return joined;
  }
  return nullptr;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// The number of elements in `ranges`; nothing if it is dynamic.
static std::optional<int64_t> countElements(ArrayRef<Span> ranges) {
  int64_t elements = 1;
  for (const Span &range : ranges) {
    std::optional<int64_t> count = range.count->getInt();
    if (!count)
      return std::nullopt;
    elements *= *count;
  }
  return elements;
}

namespace {
/// Joins the slices of a function.
class Joiner {
public:
  explicit Joiner(Assembler &assembler) : assembler(assembler) {}

  /// A builder of the tensor that `last` and the slices before it overwrite;
  /// null if they do not overwrite all of it.
  std::function<Value(OpBuilder &)> join(tensor::InsertSliceOp last);

private:
  bool isHidden(const WrittenSlice &slice, ArrayRef<WrittenSlice> later);

  Assembler &assembler;
  /// Slices whose chains leave elements of the tensor unwritten.
  DenseSet<Operation *> open;
  /// The number of comparisons left.
  int64_t budget = maxComparisons;
};
} // namespace

/// Whether `slice` is within a later one; false once the budget is spent.
bool Joiner::isHidden(const WrittenSlice &slice, ArrayRef<WrittenSlice> later) {
  budget -= later.size();
  return budget > 0 && llvm::any_of(later, [&](const WrittenSlice &other) {
           return assembler.isWithin(slice, other);
         });
}

std::function<Value(OpBuilder &)> Joiner::join(tensor::InsertSliceOp last) {
  if (open.contains(last) || budget <= 0)
    return nullptr;
  SmallVector<Span> whole = assembler.rangesOfWhole(last.getResult());
  std::optional<int64_t> all = countElements(whole);
  SmallVector<WrittenSlice> slices;
  SmallVector<Operation *> chain;
  int64_t covered = 0;
  for (tensor::InsertSliceOp insert = last; insert;
       insert = insert.getDest().getDefiningOp<tensor::InsertSliceOp>()) {
    chain.push_back(insert);
    std::optional<WrittenSlice> slice = assembler.sliceOf(insert);
    if (!slice)
      return nullptr;
    std::optional<int64_t> count = countElements(slice->ranges);
    bool isHiddenHere = count == 0 || isHidden(*slice, slices);
    if (budget <= 0) {
      remark::missed(
          last.getLoc(),
          remark::RemarkOpts::name("KeptSlices").category(DEBUG_TYPE))
          << remark::reason("too many slices are written one after another to "
                            "compare all pairs");
      return nullptr;
    }
    if (isHiddenHere)
      continue;
    covered += count.value_or(0);
    slices.push_back(std::move(*slice));
    // Earlier slices are overwritten entirely.
    if (all && covered == *all)
      break;
  }
  // The earlier slices of the chain cover no more.
  if (all && covered < *all)
    open.insert_range(chain);
  if (slices.empty() || (all && covered != *all))
    return nullptr;
  return assembler.assemble(slices, whole);
}

/// Whether `use` reads elements of its tensor, directly or through casts,
/// reshapes and slices.
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
    // Some operations use only the shape of a tensor, such as pooling windows.
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

/// Replaces the unwritten elements that may be read by zeros.
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
      << remark::add("unwritten elements may be read; they are taken to be "
                     "zero");
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
    // The last slice of a chain is visited first. Operations are erased at the
    // end, as expressions refer to them.
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
