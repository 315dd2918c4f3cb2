//===----------------------------------------------------------------------===//
// Relations between sizes, operation by operation.
//===----------------------------------------------------------------------===//

#include "Relations.h"

#include "stof/IR/Stof.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace stof;

namespace {

class Lister {
public:
  explicit Lister(const SizeFacts &facts) : facts(facts) {}

  void list(linalg::LinalgOp op);
  void list(AttentionOp op);
  void list(ScatterOp op);
  void list(OffsetSizeAndStrideOpInterface op, Value whole, Value slice,
            const llvm::SmallBitVector &dropped);
  void list(tensor::ConcatOp op);
  void list(tensor::ExpandShapeOp op);
  void list(tensor::ReshapeOp op);
  void list(tensor::PadOp op);
  void list(tensor::EmptyOp op);
  void list(tensor::CastOp op);
  void listElementwise(Operation *op);

  SmallVector<SizeRelation> relations;

private:
  CountExpr size(Value tensor, int64_t dim) const {
    return facts.sizeOf(tensor, dim);
  }
  void equate(const CountExpr &lhs, const CountExpr &rhs) {
    relations.push_back({SizeRelation::equal, lhs, rhs});
  }
  void bound(const CountExpr &less, const CountExpr &more,
             const CountExpr &guard = 1) {
    relations.push_back({SizeRelation::atMost, less, more, guard});
  }
  void listElements(linalg::LinalgOp op, ArrayRef<CountExpr> sizes);
  /// The sizes that the type of `result` states.
  void equateStatic(Value result, ArrayRef<CountExpr> sizes);

  const SizeFacts &facts;
};

/// The least and the greatest value of an expression of loops.
struct Bounds {
  CountExpr least, greatest;
};

/// One of the cases that sizes decide between.
struct Case {
  /// 1 in this case, else 0.
  CountExpr guard;
  Bounds bounds;
};

/// Bounds the integers that a body computes of the indices of loops.
class BodyBounds {
public:
  BodyBounds(linalg::LinalgOp op, ArrayRef<CountExpr> sizes,
             const SizeFacts &facts)
      : body(op.getBlock()), sizes(sizes), facts(facts) {}

  /// Every case; none of what depends on elements.
  SmallVector<Case> of(Value value);

private:
  SmallVector<Case> compute(Operation *op);
  SmallVector<Case> choose(arith::SelectOp choice);

  Block *body;
  ArrayRef<CountExpr> sizes;
  const SizeFacts &facts;
  DenseMap<Value, SmallVector<Case>> known;
};

} // namespace

//===----------------------------------------------------------------------===//
// Linalg
//===----------------------------------------------------------------------===//

static CountExpr floorDivide(const CountExpr &value, const CountExpr &divisor) {
  return CountExpr::floorDivide(value, divisor.constant().value_or(1));
}

/// Where each loop runs from zero to below its size.
static Bounds rangeOf(AffineExpr expr, ArrayRef<CountExpr> sizes) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return {constant.getValue(), constant.getValue()};
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return {0, sizes[dim.getPosition()] - 1};
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Bounds lhs = rangeOf(binary.getLHS(), sizes);
  Bounds rhs = rangeOf(binary.getRHS(), sizes);
  const CountExpr &factor = rhs.least;
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return {lhs.least + rhs.least, lhs.greatest + rhs.greatest};
  case AffineExprKind::Mul:
    if (factor.constant() < 0)
      std::swap(lhs.least, lhs.greatest);
    return {lhs.least * factor, lhs.greatest * factor};
  case AffineExprKind::Mod:
    return {0, factor - 1};
  case AffineExprKind::FloorDiv:
    return {floorDivide(lhs.least, factor), floorDivide(lhs.greatest, factor)};
  default:
    return {floorDivide(lhs.least + (factor - 1), factor),
            floorDivide(lhs.greatest + (factor - 1), factor)};
  }
}

SmallVector<Case> BodyBounds::of(Value value) {
  if (!value.getType().isIntOrIndex())
    return {};
  CountExpr expr = facts.valueOf(value);
  if (facts.isOfInputs(expr))
    return {{1, {expr, expr}}};
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != body)
    return {};
  if (auto place = known.find(value); place != known.end())
    return place->second;
  SmallVector<Case> cases = compute(op);
  known.try_emplace(value, cases);
  return cases;
}

SmallVector<Case> BodyBounds::choose(arith::SelectOp choice) {
  SmallVector<Case> first = of(choice.getTrueValue());
  SmallVector<Case> second = of(choice.getFalseValue());
  CountExpr holds = facts.valueOf(choice.getCondition());
  if (first.empty() || second.empty() || !facts.isOfInputs(holds))
    return {};
  SmallVector<Case> cases;
  for (const Case &one : first)
    cases.push_back({one.guard * holds, one.bounds});
  for (const Case &one : second)
    cases.push_back({one.guard * (CountExpr(1) - holds), one.bounds});
  llvm::erase_if(cases,
                 [](const Case &one) { return one.guard.constant() == 0; });
  return cases;
}

/// What `op` makes of operands within bounds, if it is a sum, a difference or a
/// product with a constant.
static std::optional<Bounds> combine(Operation *op, const Bounds &lhs,
                                     const Bounds &rhs) {
  if (isa<arith::AddIOp>(op))
    return Bounds{lhs.least + rhs.least, lhs.greatest + rhs.greatest};
  if (isa<arith::SubIOp>(op))
    return Bounds{lhs.least - rhs.greatest, lhs.greatest - rhs.least};
  std::optional<int64_t> factor = rhs.least.constant();
  if (!isa<arith::MulIOp>(op) || !factor || *factor < 0 ||
      !(rhs.least == rhs.greatest))
    return std::nullopt;
  return Bounds{lhs.least * *factor, lhs.greatest * *factor};
}

SmallVector<Case> BodyBounds::compute(Operation *op) {
  constexpr size_t mostCases = 16;
  if (auto index = dyn_cast<linalg::IndexOp>(op))
    return {{1, {0, sizes[index.getDim()] - 1}}};
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(op))
    return of(op->getOperand(0));
  if (auto choice = dyn_cast<arith::SelectOp>(op))
    return choose(choice);
  if (!isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op))
    return {};
  SmallVector<Case> cases;
  for (const Case &lhs : of(op->getOperand(0)))
    for (const Case &rhs : of(op->getOperand(1))) {
      std::optional<Bounds> bounds = combine(op, lhs.bounds, rhs.bounds);
      if (!bounds || cases.size() == mostCases)
        return {};
      cases.push_back({lhs.guard * rhs.guard, *bounds});
    }
  return cases;
}

/// What a body reads where indices say lies inside its tensor.
void Lister::listElements(linalg::LinalgOp op, ArrayRef<CountExpr> sizes) {
  BodyBounds bounds(op, sizes, facts);
  for (auto element : op.getBlock()->getOps<tensor::ExtractOp>())
    for (auto [dim, index] : llvm::enumerate(element.getIndices()))
      for (const auto &[guard, range] : bounds.of(index)) {
        bound(range.greatest + 1, size(element.getTensor(), dim), guard);
        bound(0, range.least, guard);
      }
}

/// All tensors that a loop indexes have its size; what is indexed by an
/// expression of loops has an element for its greatest value.
void Lister::list(linalg::LinalgOp op) {
  SmallVector<std::optional<CountExpr>> loops(op.getNumLoops());
  auto visit = [&](auto &&each) {
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isa<RankedTensorType>(operand.get().getType()))
        continue;
      AffineMap map = op.getMatchingIndexingMap(&operand);
      for (auto [dim, index] : llvm::enumerate(map.getResults()))
        each(index, size(operand.get(), dim));
    }
  };
  visit([&](AffineExpr index, const CountExpr &size) {
    auto loop = dyn_cast<AffineDimExpr>(index);
    if (!loop)
      return;
    std::optional<CountExpr> &known = loops[loop.getPosition()];
    if (known)
      equate(size, *known);
    else
      known = size;
  });
  SmallVector<CountExpr> sizes;
  for (const std::optional<CountExpr> &loop : loops)
    sizes.push_back(loop.value_or(1));
  visit([&](AffineExpr index, const CountExpr &size) {
    if (isa<AffineDimExpr>(index))
      return;
    Bounds range = rangeOf(index, sizes);
    bound(range.greatest + 1, size);
    bound(0, range.least);
  });
  listElements(op, sizes);
}

//===----------------------------------------------------------------------===//
// Attention and scatters
//===----------------------------------------------------------------------===//

void Lister::list(AttentionOp op) {
  using Dim = AttentionOp::Dim;
  Value query = op.getQuery(), key = op.getKey(), value = op.getValue(),
        out = op.getOut();
  if (!isa<RankedTensorType>(query.getType()))
    return;
  for (Value other : {key, value, out})
    equate(size(other, Dim::batch), size(query, Dim::batch));
  equate(size(key, Dim::feature), size(query, Dim::feature));
  for (auto dim : {Dim::head, Dim::position}) {
    equate(size(value, dim), size(key, dim));
    equate(size(out, dim), size(query, dim));
  }
  equate(size(out, Dim::feature), size(value, Dim::feature));
  relations.push_back(
      {SizeRelation::multiple, size(query, Dim::head), size(key, Dim::head)});
  if (Value lse = op.getLse())
    for (auto dim : {Dim::batch, Dim::head, Dim::position})
      equate(size(lse, dim), size(query, dim));
  if (Value sinks = op.getSinks())
    equate(size(sinks, 0), size(query, Dim::head));
}

void Lister::list(ScatterOp op) {
  Value updates = op.getUpdates();
  if (!isa<RankedTensorType>(updates.getType()))
    return;
  for (auto [position, index] : llvm::enumerate(op.getIndices())) {
    AffineMap map = op.getIndexingMap(position);
    for (auto [dim, coordinate] : llvm::enumerate(map.getResults()))
      if (auto counted = dyn_cast<AffineDimExpr>(coordinate))
        equate(size(index, dim), size(updates, counted.getPosition()));
      else
        bound(1, size(index, dim));
  }
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

void Lister::equateStatic(Value result, ArrayRef<CountExpr> sizes) {
  auto type = cast<RankedTensorType>(result.getType());
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (!type.isDynamicDim(dim))
      equate(sizes[dim], type.getDimSize(dim));
}

/// A slice lies inside the whole.
void Lister::list(OffsetSizeAndStrideOpInterface op, Value whole, Value slice,
                  const llvm::SmallBitVector &dropped) {
  int64_t inSlice = 0;
  for (auto [dim, offset, count, stride] : llvm::enumerate(
           op.getMixedOffsets(), op.getMixedSizes(), op.getMixedStrides())) {
    CountExpr begin = facts.valueOf(offset), taken = facts.valueOf(count);
    CountExpr last = begin + (taken - 1) * facts.valueOf(stride);
    bound(0, begin);
    bound(0, taken);
    bound(last + 1, size(whole, dim));
    if (!dropped.test(dim))
      equate(size(slice, inSlice++), taken);
  }
}

void Lister::list(tensor::ConcatOp op) {
  Value first = op.getInputs().front();
  auto type = cast<RankedTensorType>(op.getType());
  SmallVector<CountExpr> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    CountExpr sum = size(first, dim);
    for (Value input : op.getInputs().drop_front())
      if (static_cast<uint64_t>(dim) == op.getDim())
        sum += size(input, dim);
      else
        equate(size(input, dim), size(first, dim));
    sizes.push_back(sum);
  }
  equateStatic(op, sizes);
}

void Lister::list(tensor::ExpandShapeOp op) {
  for (auto [dim, inner] : llvm::enumerate(op.getReassociationIndices())) {
    CountExpr product = 1;
    for (int64_t position : inner) {
      product = product * size(op.getResult(), position);
      bound(0, size(op.getResult(), position));
    }
    equate(product, size(op.getSrc(), dim));
  }
}

void Lister::list(tensor::ReshapeOp op) {
  auto countOf = [&](Value tensor) {
    CountExpr product = 1;
    for (int64_t dim = 0,
                 rank = cast<RankedTensorType>(tensor.getType()).getRank();
         dim < rank; ++dim)
      product = product * size(tensor, dim);
    return product;
  };
  if (isa<RankedTensorType>(op.getSource().getType()) &&
      isa<RankedTensorType>(op.getType()))
    equate(countOf(op.getResult()), countOf(op.getSource()));
}

void Lister::list(tensor::PadOp op) {
  SmallVector<CountExpr> sizes;
  for (auto [dim, low, high] :
       llvm::enumerate(op.getMixedLowPad(), op.getMixedHighPad())) {
    bound(0, facts.valueOf(low));
    bound(0, facts.valueOf(high));
    sizes.push_back(facts.valueOf(low) + size(op.getSource(), dim) +
                    facts.valueOf(high));
  }
  equateStatic(op.getResult(), sizes);
}

void Lister::list(tensor::EmptyOp op) {
  for (OpFoldResult size : op.getMixedSizes())
    bound(0, facts.valueOf(size));
}

void Lister::list(tensor::CastOp op) {
  auto source = dyn_cast<RankedTensorType>(op.getSource().getType());
  if (!source || !isa<RankedTensorType>(op.getType()))
    return;
  SmallVector<CountExpr> sizes;
  for (int64_t dim = 0; dim < source.getRank(); ++dim)
    sizes.push_back(size(op.getSource(), dim));
  equateStatic(op, sizes);
}

void Lister::listElementwise(Operation *op) {
  Value first;
  for (Value operand : op->getOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    if (!type)
      continue;
    if (first)
      for (int64_t dim = 0; dim < type.getRank(); ++dim)
        equate(size(operand, dim), size(first, dim));
    else
      first = operand;
  }
}

SmallVector<SizeRelation> stof::listRelations(Operation *op,
                                              const SizeFacts &facts) {
  Lister lister(facts);
  llvm::TypeSwitch<Operation *>(op)
      .Case<linalg::LinalgOp, AttentionOp, ScatterOp, tensor::ConcatOp,
            tensor::ExpandShapeOp, tensor::ReshapeOp, tensor::PadOp,
            tensor::EmptyOp, tensor::CastOp>(
          [&](auto known) { lister.list(known); })
      .Case<tensor::ExtractSliceOp>([&](tensor::ExtractSliceOp slice) {
        lister.list(slice, slice.getSource(), slice, slice.getDroppedDims());
      })
      .Case<tensor::InsertSliceOp>([&](tensor::InsertSliceOp slice) {
        lister.list(slice, slice.getDest(), slice.getSource(),
                    slice.getDroppedDims());
      })
      .Default([&](Operation *other) {
        if (other->hasTrait<OpTrait::Elementwise>())
          lister.listElementwise(other);
      });
  return std::move(lister.relations);
}
