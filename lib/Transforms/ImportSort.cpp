//===----------------------------------------------------------------------===//
// Imports sorts in generic form as linalg, whose elements are computed
// independently.
//
//   1. The rank of an element is the number of elements that come before it, in
//      its row or in its run of a long row.
//   2. The source of a rank is the position of its element. Only sources are
//      sorted; keys are read through them.
//   3. Runs are merged in pairs until one is left. Each merged element finds by
//      bisection how many elements of the first run precede it.
//   4. Each tensor is read at the sources.
//===----------------------------------------------------------------------===//

#include "stof/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/MathExtras.h"

namespace stof {
#define GEN_PASS_DEF_IMPORTSORTPASS
#include "stof/Transforms/Passes.h.inc"
} // namespace stof

#define DEBUG_TYPE "stof-import-sort"

using namespace mlir;

namespace {

constexpr StringLiteral sortName = "tm_tensor.sort";

/// The longest row that is ranked whole, and the run length for longer ones.
constexpr int64_t longestRanked = 512, runLength = 256;

/// Positions along the sorted dimension are stored as i32.
constexpr int64_t mostPositions = std::numeric_limits<int32_t>::max();

//===----------------------------------------------------------------------===//
// The order
//===----------------------------------------------------------------------===//

/// The order of the elements of a row, from the region of a sort.
class SortOrder {
public:
  explicit SortOrder(Block &region);

  /// The tensors that the order depends on, by number.
  ArrayRef<unsigned> getKeys() const { return keys; }

  /// Whether the element with keys `lhs` strictly precedes that with `rhs`.
  Value comesBefore(OpBuilder &builder, ValueRange lhs, ValueRange rhs) const;

private:
  Value mayPrecede(OpBuilder &builder, ValueRange lhs, ValueRange rhs) const;
  void readComparison();

  Block &region;
  SmallVector<unsigned> keys;
  /// The float comparison that forms the region, if it does, and whether
  /// greater elements come first.
  arith::CmpFOp comparison;
  bool isDescending = false;
};

} // namespace

SortOrder::SortOrder(Block &region) : region(region) {
  for (unsigned tensor = 0; tensor < region.getNumArguments() / 2; ++tensor)
    if (!region.getArgument(2 * tensor).use_empty() ||
        !region.getArgument(2 * tensor + 1).use_empty())
      keys.push_back(tensor);
  readComparison();
}

void SortOrder::readComparison() {
  auto compare = region.back().getOperand(0).getDefiningOp<arith::CmpFOp>();
  if (!compare || keys.size() != 1)
    return;
  Value first = region.getArgument(2 * keys.front());
  Value second = region.getArgument(2 * keys.front() + 1);
  bool isStraight = compare.getLhs() == first && compare.getRhs() == second;
  bool isSwapped = compare.getLhs() == second && compare.getRhs() == first;
  if (!isStraight && !isSwapped)
    return;
  switch (compare.getPredicate()) {
  case arith::CmpFPredicate::OGT:
  case arith::CmpFPredicate::OGE:
  case arith::CmpFPredicate::UGT:
  case arith::CmpFPredicate::UGE:
    isDescending = isStraight;
    break;
  case arith::CmpFPredicate::OLT:
  case arith::CmpFPredicate::OLE:
  case arith::CmpFPredicate::ULT:
  case arith::CmpFPredicate::ULE:
    isDescending = isSwapped;
    break;
  default:
    return;
  }
  comparison = compare;
}

Value SortOrder::mayPrecede(OpBuilder &builder, ValueRange lhs,
                            ValueRange rhs) const {
  IRMapping values;
  for (auto [number, tensor] : llvm::enumerate(keys)) {
    values.map(region.getArgument(2 * tensor), lhs[number]);
    values.map(region.getArgument(2 * tensor + 1), rhs[number]);
  }
  for (Operation &op : llvm::drop_end(region))
    builder.clone(op, values);
  return values.lookupOrDefault(region.back().getOperand(0));
}

Value SortOrder::comesBefore(OpBuilder &builder, ValueRange lhs,
                             ValueRange rhs) const {
  Location loc = region.back().getLoc();
  if (!comparison) {
    Value there = mayPrecede(builder, lhs, rhs);
    Value back = mayPrecede(builder, rhs, lhs);
    Value never =
        arith::ConstantOp::create(builder, loc, builder.getBoolAttr(false));
    return arith::SelectOp::create(builder, loc, back, never, there);
  }
  // NaN is greater than all numbers and equal to itself.
  Value least = isDescending ? rhs.front() : lhs.front();
  Value differ = arith::CmpFOp::create(builder, loc,
                                       isDescending ? arith::CmpFPredicate::UGT
                                                    : arith::CmpFPredicate::ULT,
                                       lhs.front(), rhs.front());
  Value isNumber = arith::CmpFOp::create(
      builder, loc, arith::CmpFPredicate::ORD, least, least);
  return arith::AndIOp::create(builder, loc, differ, isNumber);
}

//===----------------------------------------------------------------------===//
// Sorts
//===----------------------------------------------------------------------===//

namespace {

/// Writes one sort as linalg.
class SortImporter {
public:
  SortImporter(Operation *sort, int64_t dim)
      : rewriter(sort), loc(sort->getLoc()), sort(sort),
        order(sort->getRegion(0).front()), dim(dim),
        type(cast<RankedTensorType>(sort->getOperand(0).getType())),
        length(type.getDimSize(dim)) {}

  void run();

private:
  using BodyBuilder = function_ref<Value(OpBuilder &, SmallVector<Value>)>;
  using StepBuilder = function_ref<Value(OpBuilder &, SmallVector<Value>,
                                         Value at, ValueRange)>;

  /// The number of leading elements of each row that are used.
  int64_t countUsed() const;
  /// The sizes of the tensors with the sorted dimension replaced by `dims`.
  SmallVector<OpFoldResult> sizesWith(ArrayRef<int64_t> dims);
  int64_t countRuns() const {
    return static_cast<int64_t>(llvm::divideCeil(length, runLength));
  }
  /// A tensor whose elements are built from their indices.
  Value generate(ArrayRef<OpFoldResult> sizes, Type element, BodyBuilder build);
  /// A tensor of positions: each reduces the results of `step` over dimension
  /// `along` of `inputs`. Elements of `fixed` are read at the indices of the
  /// result.
  template <typename Combiner>
  Value combine(ArrayRef<OpFoldResult> sizes, ValueRange fixed,
                ValueRange inputs, int64_t along, StepBuilder step);

  Value readElement(OpBuilder &builder, Value tensor, ArrayRef<Value> indices);
  SmallVector<Value> readKeys(OpBuilder &builder, SmallVector<Value> indices,
                              Value position);
  /// Whether element `index` of `run` is in the row: the last run may be short.
  Value isInRow(OpBuilder &builder, Value run, Value index);
  Value rank(ValueRange keys, bool inRuns);
  Value select(Value ranks, bool inRuns, int64_t used);
  Value bisect(OpBuilder &builder, Value from, Value to, int64_t most,
               function_ref<Value(OpBuilder &, Value)> isBefore);
  Value merge(Value sources, int64_t width, int64_t used);
  Value sortWhole(int64_t used);
  Value sortRuns(int64_t used);

  Value constant(OpBuilder &builder, int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  Value toPosition(OpBuilder &builder, Value index) {
    return arith::IndexCastOp::create(builder, loc, builder.getI32Type(),
                                      index);
  }
  Value toIndex(OpBuilder &builder, Value position) {
    return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                      position);
  }
  template <typename Op>
  Value compute(OpBuilder &builder, Value lhs, Value rhs) {
    return Op::create(builder, loc, lhs, rhs);
  }
  Value compare(OpBuilder &builder, arith::CmpIPredicate predicate, Value lhs,
                Value rhs) {
    return arith::CmpIOp::create(builder, loc, predicate, lhs, rhs);
  }

  IRRewriter rewriter;
  Location loc;
  Operation *sort;
  SortOrder order;
  int64_t dim;
  RankedTensorType type;
  int64_t length;
};

} // namespace

int64_t SortImporter::countUsed() const {
  int64_t used = 0;
  for (Operation *user : sort->getUsers()) {
    auto slice = dyn_cast<tensor::ExtractSliceOp>(user);
    std::optional<int64_t> size =
        slice ? getConstantIntValue(slice.getMixedSizes()[dim]) : std::nullopt;
    if (!size || !isZeroInteger(slice.getMixedOffsets()[dim]) ||
        !isOneInteger(slice.getMixedStrides()[dim]))
      return length;
    used = std::max(used, *size);
  }
  return ShapedType::isDynamic(length) ? used : std::min(used, length);
}

SmallVector<OpFoldResult> SortImporter::sizesWith(ArrayRef<int64_t> dims) {
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(rewriter, loc, sort->getOperand(0));
  OpFoldResult own = sizes[dim];
  sizes.erase(sizes.begin() + dim);
  for (int64_t size : llvm::reverse(dims))
    sizes.insert(sizes.begin() + dim, ShapedType::isDynamic(size)
                                          ? own
                                          : rewriter.getIndexAttr(size));
  return sizes;
}

Value SortImporter::generate(ArrayRef<OpFoldResult> sizes, Type element,
                             BodyBuilder build) {
  Value empty = tensor::EmptyOp::create(rewriter, loc, sizes, element);
  SmallVector<utils::IteratorType> iterators(sizes.size(),
                                             utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(
      rewriter, loc, empty.getType(), ValueRange(), empty,
      rewriter.getMultiDimIdentityMap(sizes.size()), iterators,
      [&](OpBuilder &builder, Location, ValueRange) {
        SmallVector<Value> indices;
        for (size_t loop = 0; loop < sizes.size(); ++loop)
          indices.push_back(linalg::IndexOp::create(builder, loc, loop));
        linalg::YieldOp::create(builder, loc, build(builder, indices));
      });
  return generic.getResult(0);
}

template <typename Combiner>
Value SortImporter::combine(ArrayRef<OpFoldResult> sizes, ValueRange fixed,
                            ValueRange inputs, int64_t along,
                            StepBuilder step) {
  int64_t rank = sizes.size();
  AffineMap own = AffineMap::getMultiDimIdentityMap(rank, sort->getContext());
  own = AffineMap::get(rank + 1, 0, own.getResults(), sort->getContext());
  SmallVector<AffineExpr> moved(own.getResults());
  moved[along] = rewriter.getAffineDimExpr(rank);
  AffineMap other = AffineMap::get(rank + 1, 0, moved, sort->getContext());
  SmallVector<AffineMap> maps(fixed.size(), own);
  maps.append(inputs.size(), other);
  maps.push_back(own);
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  iterators.push_back(utils::IteratorType::reduction);
  SmallVector<Value> read(fixed);
  llvm::append_range(read, inputs);

  Value empty =
      tensor::EmptyOp::create(rewriter, loc, sizes, rewriter.getI32Type());
  // The neutral element of both combiners: sum and maximum of positions.
  Value zero =
      arith::ConstantOp::create(rewriter, loc, rewriter.getI32IntegerAttr(0));
  Value start = linalg::FillOp::create(rewriter, loc, zero, empty).getResult(0);
  auto generic = linalg::GenericOp::create(
      rewriter, loc, start.getType(), read, start, maps, iterators,
      [&](OpBuilder &builder, Location, ValueRange elements) {
        SmallVector<Value> indices;
        for (int64_t loop = 0; loop < rank; ++loop)
          indices.push_back(linalg::IndexOp::create(builder, loc, loop));
        Value at = linalg::IndexOp::create(builder, loc, rank);
        Value next = step(builder, indices, at, elements.drop_back());
        Value sum = Combiner::create(builder, loc, elements.back(), next);
        linalg::YieldOp::create(builder, loc, sum);
      });
  return generic.getResult(0);
}

/// Reads an element. Tensors of positions, which front ends sort along with the
/// keys, are recomputed in place of the read.
Value SortImporter::readElement(OpBuilder &builder, Value tensor,
                                ArrayRef<Value> indices) {
  auto source = tensor.getDefiningOp<linalg::GenericOp>();
  bool isOfIndices =
      source && source.getNumDpsInputs() == 0 && source->getNumResults() == 1 &&
      source.getNumReductionLoops() == 0 &&
      source.getIndexingMapsArray().front().isIdentity() &&
      source.getRegionOutputArgs().front().use_empty() &&
      llvm::all_of(source.getBlock()->without_terminator(), [](Operation &op) {
        return isa<linalg::IndexOp, arith::IndexCastOp>(op);
      });
  if (!isOfIndices)
    return tensor::ExtractOp::create(builder, loc, tensor, indices);
  IRMapping values;
  for (Operation &op : source.getBlock()->without_terminator()) {
    if (auto index = dyn_cast<linalg::IndexOp>(op))
      values.map(index.getResult(), indices[index.getDim()]);
    else
      builder.clone(op, values);
  }
  return values.lookupOrDefault(
      source.getBlock()->getTerminator()->getOperand(0));
}

SmallVector<Value> SortImporter::readKeys(OpBuilder &builder,
                                          SmallVector<Value> indices,
                                          Value position) {
  indices[dim] = position;
  return llvm::map_to_vector(order.getKeys(), [&](unsigned tensor) {
    return readElement(builder, sort->getOperand(tensor), indices);
  });
}

Value SortImporter::isInRow(OpBuilder &builder, Value run, Value index) {
  Value first =
      compute<arith::MulIOp>(builder, run, constant(builder, runLength));
  return compare(builder, arith::CmpIPredicate::slt,
                 compute<arith::AddIOp>(builder, first, index),
                 constant(builder, length));
}

/// The rank of each element in its row or run. Equal elements are ranked in
/// order.
Value SortImporter::rank(ValueRange keys, bool inRuns) {
  int64_t along = dim + inRuns;
  SmallVector<OpFoldResult> sizes =
      inRuns ? sizesWith({countRuns(), runLength}) : sizesWith(length);
  return combine<arith::AddIOp>(
      sizes, keys, keys, along,
      [&](OpBuilder &builder, SmallVector<Value> indices, Value at,
          ValueRange elements) -> Value {
        ValueRange own = elements.take_front(keys.size());
        ValueRange other = elements.drop_front(keys.size());
        Value isEarlier =
            compare(builder, arith::CmpIPredicate::slt, at, indices[along]);
        Value comesAfter = order.comesBefore(builder, own, other);
        Value yes =
            arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
        Value counts = arith::SelectOp::create(
            builder, loc, isEarlier,
            compute<arith::XOrIOp>(builder, comesAfter, yes),
            order.comesBefore(builder, other, own));
        if (inRuns)
          counts = compute<arith::AndIOp>(builder, counts,
                                          isInRow(builder, indices[dim], at));
        return arith::ExtUIOp::create(builder, loc, builder.getI32Type(),
                                      counts);
      });
}

/// The position of the element of each rank. If the region is no strict order,
/// a rank may have several elements or none: the last one is taken, or the
/// first of the row.
Value SortImporter::select(Value ranks, bool inRuns, int64_t used) {
  int64_t along = dim + inRuns;
  SmallVector<OpFoldResult> sizes =
      inRuns ? sizesWith({countRuns(), std::min(used, runLength)})
             : sizesWith(used);
  return combine<arith::MaxUIOp>(
      sizes, {}, ranks, along,
      [&](OpBuilder &builder, SmallVector<Value> indices, Value at,
          ValueRange elements) -> Value {
        Value isHere =
            compare(builder, arith::CmpIPredicate::eq, elements.front(),
                    toPosition(builder, indices[along]));
        Value position = at;
        if (inRuns) {
          Value first = compute<arith::MulIOp>(builder, indices[dim],
                                               constant(builder, runLength));
          position = compute<arith::AddIOp>(builder, first, at);
          isHere = compute<arith::AndIOp>(builder, isHere,
                                          isInRow(builder, indices[dim], at));
        }
        Value zero = arith::ConstantOp::create(builder, loc,
                                               builder.getI32IntegerAttr(0));
        return arith::SelectOp::create(builder, loc, isHere,
                                       toPosition(builder, position), zero);
      });
}

/// The least number in [from, to) that does not satisfy `isBefore`, or `to`;
/// `most` is an upper bound of to - from.
Value SortImporter::bisect(OpBuilder &builder, Value from, Value to,
                           int64_t most,
                           function_ref<Value(OpBuilder &, Value)> isBefore) {
  auto loop = scf::ForOp::create(
      builder, loc, constant(builder, 0),
      constant(builder, llvm::Log2_64_Ceil(most + 1)), constant(builder, 1),
      ValueRange{from, to},
      [&](OpBuilder &inner, Location, Value, ValueRange bounds) {
        Value low = bounds[0], high = bounds[1];
        Value isOpen = compare(inner, arith::CmpIPredicate::slt, low, high);
        Value middle = compute<arith::ShRUIOp>(
            inner, compute<arith::AddIOp>(inner, low, high),
            constant(inner, 1));
        Value isLow =
            compute<arith::AndIOp>(inner, isOpen, isBefore(inner, middle));
        Value after = compute<arith::AddIOp>(inner, middle, constant(inner, 1));
        Value nextLow = arith::SelectOp::create(inner, loc, isLow, after, low);
        Value nextHigh =
            arith::SelectOp::create(inner, loc, isLow, high, middle);
        scf::YieldOp::create(inner, loc, ValueRange{nextLow, nextHigh});
      });
  return loop.getResult(0);
}

/// Merges pairs of runs of `sources`. Each run covers `width` positions of a
/// row and is truncated to the elements that are used.
Value SortImporter::merge(Value sources, int64_t width, int64_t used) {
  auto before = cast<RankedTensorType>(sources.getType());
  int64_t runs = before.getDimSize(dim), perRun = before.getDimSize(dim + 1);
  auto build = [&](OpBuilder &builder, SmallVector<Value> indices) -> Value {
    Value index = indices[dim + 1];
    Value zero = constant(builder, 0), one = constant(builder, 1);
    Value firstRun = compute<arith::ShLIOp>(builder, indices[dim], one);
    Value runOf[] = {firstRun, compute<arith::AddIOp>(builder, firstRun, one)};
    auto clamp = [&](OpBuilder &at, Value value, int64_t most) {
      Value low = compute<arith::MaxSIOp>(at, value, constant(at, 0));
      return compute<arith::MinSIOp>(at, low, constant(at, most));
    };
    Value lengthOf[2];
    for (int side : {0, 1}) {
      Value start = compute<arith::MulIOp>(builder, runOf[side],
                                           constant(builder, width));
      Value left =
          compute<arith::SubIOp>(builder, constant(builder, length), start);
      lengthOf[side] = clamp(builder, left, perRun);
    }
    auto sourceAt = [&](OpBuilder &at, int side, Value number) -> Value {
      SmallVector<Value> from(indices);
      from[dim] = clamp(at, runOf[side], runs - 1);
      from[dim + 1] = clamp(at, number, perRun - 1);
      return tensor::ExtractOp::create(at, loc, sources, from);
    };
    auto keysAt = [&](OpBuilder &at, Value source) {
      SmallVector<Value> from(indices);
      from.erase(from.begin() + dim + 1);
      return readKeys(at, from, toIndex(at, source));
    };
    // Equal elements of the first run come first.
    auto isFirst = [&](OpBuilder &at, Value first, Value second) -> Value {
      Value after =
          order.comesBefore(at, keysAt(at, second), keysAt(at, first));
      Value yes = arith::ConstantOp::create(at, loc, at.getBoolAttr(true));
      return compute<arith::XOrIOp>(at, after, yes);
    };
    Value from = compute<arith::MaxSIOp>(
        builder, compute<arith::SubIOp>(builder, index, lengthOf[1]), zero);
    Value to = compute<arith::MinSIOp>(builder, index, lengthOf[0]);
    Value taken = bisect(
        builder, from, to, perRun, [&](OpBuilder &at, Value number) -> Value {
          Value last = compute<arith::SubIOp>(at, index, constant(at, 1));
          Value rest = compute<arith::SubIOp>(at, last, number);
          return isFirst(at, sourceAt(at, 0, number), sourceAt(at, 1, rest));
        });
    Value rest = compute<arith::SubIOp>(builder, index, taken);
    Value first = sourceAt(builder, 0, taken);
    Value second = sourceAt(builder, 1, rest);
    Value hasFirst =
        compare(builder, arith::CmpIPredicate::slt, taken, lengthOf[0]);
    Value hasNoSecond =
        compare(builder, arith::CmpIPredicate::sge, rest, lengthOf[1]);
    Value takesFirst = compute<arith::AndIOp>(
        builder, hasFirst,
        compute<arith::OrIOp>(builder, hasNoSecond,
                              isFirst(builder, first, second)));
    return arith::SelectOp::create(builder, loc, takesFirst, first, second);
  };
  return generate(sizesWith({(runs + 1) / 2, std::min(2 * width, used)}),
                  rewriter.getI32Type(), build);
}

Value SortImporter::sortWhole(int64_t used) {
  auto keys = llvm::map_to_vector(order.getKeys(), [&](unsigned tensor) {
    return sort->getOperand(tensor);
  });
  if (ShapedType::isDynamic(length))
    remark::analysis(
        loc, remark::RemarkOpts::name("RankedWhole").category(DEBUG_TYPE))
        << "a row is sorted by comparing all pairs of its elements: its length "
           "is unknown";
  return select(rank(keys, /*inRuns=*/false), /*inRuns=*/false, used);
}

Value SortImporter::sortRuns(int64_t used) {
  int64_t runs = countRuns();
  remark::analysis(
      loc, remark::RemarkOpts::name("SortedInRuns").category(DEBUG_TYPE))
      << "a row is sorted in runs, which are merged in pairs"
      << remark::metric("Length", std::to_string(length))
      << remark::metric("Runs", std::to_string(runs))
      << remark::metric("Used", std::to_string(used));
  auto keys = llvm::map_to_vector(order.getKeys(), [&](unsigned tensor) {
    return generate(
        sizesWith({runs, runLength}),
        getElementTypeOrSelf(sort->getOperand(tensor).getType()),
        [&](OpBuilder &builder, SmallVector<Value> indices) -> Value {
          Value first = compute<arith::MulIOp>(builder, indices[dim],
                                               constant(builder, runLength));
          Value position =
              compute<arith::AddIOp>(builder, first, indices[dim + 1]);
          indices.erase(indices.begin() + dim + 1);
          indices[dim] = compute<arith::MinSIOp>(builder, position,
                                                 constant(builder, length - 1));
          return readElement(builder, sort->getOperand(tensor), indices);
        });
  });
  Value sources = select(rank(keys, /*inRuns=*/true), /*inRuns=*/true, used);
  for (int64_t width = runLength; width < length; width *= 2)
    sources = merge(sources, width, used);
  SmallVector<ReassociationIndices> reassociation;
  for (int64_t from = 0; from <= type.getRank(); ++from) {
    if (from == dim + 1)
      reassociation.back().push_back(from);
    else
      reassociation.push_back({from});
  }
  return tensor::CollapseShapeOp::create(rewriter, loc, sources, reassociation);
}

void SortImporter::run() {
  int64_t used = countUsed();
  bool isSorted = order.getKeys().empty() || length == 0 || length == 1;
  if (isSorted || used == 0) {
    rewriter.replaceOp(sort, sort->getOperands());
    return;
  }
  Value sources = ShapedType::isDynamic(length) || length <= longestRanked
                      ? sortWhole(used)
                      : sortRuns(used);
  for (OpResult result : sort->getResults()) {
    if (result.use_empty())
      continue;
    Value tensor = sort->getOperand(result.getResultNumber());
    Value sorted =
        generate(sizesWith(used), getElementTypeOrSelf(tensor.getType()),
                 [&](OpBuilder &builder, SmallVector<Value> indices) {
                   Value source = tensor::ExtractOp::create(builder, loc,
                                                            sources, indices);
                   indices[dim] = toIndex(builder, source);
                   return readElement(builder, tensor, indices);
                 });
    if (used == length)
      sorted = tensor::CastOp::create(rewriter, loc, result.getType(), sorted);
    rewriter.replaceAllUsesWith(result, sorted);
  }
  rewriter.eraseOp(sort);
}

static LogicalResult importSort(Operation *sort) {
  auto dimension = sort->getAttrOfType<IntegerAttr>("dimension");
  auto type = sort->getNumOperands() > 0
                  ? dyn_cast<RankedTensorType>(sort->getOperand(0).getType())
                  : RankedTensorType();
  auto isAlike = [&](Value tensor) {
    auto other = dyn_cast<RankedTensorType>(tensor.getType());
    return other && other.getShape() == type.getShape();
  };
  if (!type || !dimension || dimension.getInt() < 0 ||
      dimension.getInt() >= type.getRank() ||
      !llvm::all_of(sort->getOperands(), isAlike) ||
      sort->getResultTypes() != sort->getOperandTypes())
    return sort->emitOpError() << "expects ranked tensors of one shape, "
                                  "results of their types and a dimension in "
                                  "range";
  int64_t length = type.getDimSize(dimension.getInt());
  if (length > mostPositions)
    return sort->emitOpError() << "expects at most " << mostPositions
                               << " elements in a row, but got " << length;
  bool hasBlock =
      sort->getNumRegions() == 1 && sort->getRegion(0).hasOneBlock();
  Block *body = hasBlock ? &sort->getRegion(0).front() : nullptr;
  bool isOrder = body && !body->empty() &&
                 body->getNumArguments() == 2 * sort->getNumOperands() &&
                 body->back().getNumOperands() == 1 &&
                 body->back().getOperand(0).getType().isInteger(1) &&
                 llvm::all_of(llvm::drop_end(*body),
                              [](Operation &op) { return isPure(&op); });
  for (auto [number, operand] : llvm::enumerate(sort->getOperands())) {
    Type element = getElementTypeOrSelf(operand.getType());
    isOrder = isOrder && body->getArgument(2 * number).getType() == element &&
              body->getArgument(2 * number + 1).getType() == element;
  }
  if (!isOrder)
    return sort->emitOpError()
           << "expects a region without side effects that yields an i1 for two "
              "elements of each tensor";
  SortImporter(sort, dimension.getInt()).run();
  return success();
}

namespace {

struct ImportSortPass : stof::impl::ImportSortPassBase<ImportSortPass> {
  using Base::Base;
  void runOnOperation() override {
    SmallVector<Operation *> sorts;
    getOperation().walk([&](Operation *op) {
      if (op->getName().getStringRef() == sortName)
        sorts.push_back(op);
    });
    for (Operation *sort : sorts)
      if (failed(importSort(sort)))
        return signalPassFailure();
  }
};

} // namespace
