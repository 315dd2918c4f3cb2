//===----------------------------------------------------------------------===//
// Relations between the sizes of operands, by operation.
//===----------------------------------------------------------------------===//

#include "Relations.h"

#include "stof/Size/BodyBounds.h"

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
  void listDivision(Operation *op);
  void listElementwise(Operation *op);

  SmallVector<SizeRelation> relations;

private:
  CountExpr size(Value tensor, int64_t dim) const {
    return facts.sizeOf(tensor, dim);
  }
  void equate(const CountExpr &lhs, const CountExpr &rhs) {
    relations.push_back({SizeRelation::Equal, lhs, rhs});
  }
  void bound(const CountExpr &less, const CountExpr &more,
             const CountExpr &guard = 1) {
    relations.push_back({SizeRelation::AtMost, less, more, guard});
  }
  void listElements(BodyBounds bounds);
  /// The sizes that the type of `result` states.
  void equateStatic(Value result, ArrayRef<CountExpr> sizes);

  const SizeFacts &facts;
};

} // namespace

//===----------------------------------------------------------------------===//
// Linalg
//===----------------------------------------------------------------------===//

/// Reads of a body at coordinates are in bounds. For reads at data-dependent
/// indices, the tensor is required to have an element.
void Lister::listElements(BodyBounds bounds) {
  bounds.forEachRead(
      [&](tensor::ExtractOp, unsigned, Value index, const CountExpr &size) {
        SmallVector<BoundsCase> cases = bounds.of(index);
        if (cases.empty())
          bound(1, size, bounds.isComputed());
        for (const auto &[guard, range] : cases) {
          bound(range.greatest + 1, size, guard);
          bound(0, range.least, guard);
        }
      });
}

/// All dimensions that a loop indexes have its size; an expression of loops is
/// in bounds for its least and greatest value.
void Lister::list(linalg::LinalgOp op) {
  SmallVector<CountExpr> sizes = loopSizes(op, facts);
  BodyBounds bounds(op, facts);
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
    if (auto loop = dyn_cast<AffineDimExpr>(index))
      equate(size, sizes[loop.getPosition()]);
  });
  visit([&](AffineExpr index, const CountExpr &size) {
    if (isa<AffineDimExpr>(index))
      return;
    Bounds range = bounds.of(index);
    bound(range.greatest + 1, size);
    bound(0, range.least);
  });
  listElements(bounds);
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
  equate(size(out, Dim::Batch), size(query, Dim::Batch));
  equate(size(value, Dim::Batch), size(key, Dim::Batch));
  if (!op.sharesKeys())
    equate(size(key, Dim::Batch), size(query, Dim::Batch));
  equate(size(key, Dim::Feature), size(query, Dim::Feature));
  for (auto dim : {Dim::Head, Dim::Position}) {
    equate(size(value, dim), size(key, dim));
    equate(size(out, dim), size(query, dim));
  }
  equate(size(out, Dim::Feature), size(value, Dim::Feature));
  for (auto tensor : {query, key})
    if (cast<ShapedType>(tensor.getType()).isDynamicDim(Dim::Position))
      bound(size(tensor, Dim::Position), mostDynamicPositions);
  relations.push_back(
      {SizeRelation::Multiple, size(query, Dim::Head), size(key, Dim::Head)});
  if (Value lse = op.getLse())
    for (auto dim : {Dim::Batch, Dim::Head, Dim::Position})
      equate(size(lse, dim), size(query, dim));
  if (Value sinks = op.getSinks())
    equate(size(sinks, 0), size(query, Dim::Head));
  if (op.hasScore())
    listElements(BodyBounds::ofScore(op, facts));
  for (Value keep : op.getMasks()) {
    auto mask = keep.getDefiningOp<MaskOpInterface>();
    auto blocks = keep.getDefiningOp<BlockMaskOp>();
    if (blocks && blocks.hasBatches())
      equate(size(blocks.getRowPtr(), Dim::Batch), size(query, Dim::Batch));
    if (mask && mask.getPredicateRegion())
      listElements(BodyBounds::ofMask(mask, op, facts));
  }
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

/// A slice is in bounds.
void Lister::list(OffsetSizeAndStrideOpInterface op, Value whole, Value slice,
                  const llvm::SmallBitVector &dropped) {
  int64_t inSlice = 0;
  for (auto [dim, offset, count, stride] : llvm::enumerate(
           op.getMixedOffsets(), op.getMixedSizes(), op.getMixedStrides())) {
    CountExpr begin = facts.valueOf(offset), taken = facts.valueOf(count);
    CountExpr steps = (taken - 1) * facts.valueOf(stride);
    // A slice at a data-dependent offset must fit at offset 0, at least.
    if (!facts.isOfInputs(facts.simplify(begin)))
      begin = 0;
    bound(0, begin);
    bound(0, taken);
    bound(begin + steps + 1, size(whole, dim));
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
  for (auto [dim, group] : llvm::enumerate(op.getReassociationIndices())) {
    CountExpr product = 1;
    for (int64_t position : group) {
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

/// A divisor of sizes is at least 1.
void Lister::listDivision(Operation *op) {
  CountExpr divisor = facts.valueOf(op->getOperand(1));
  if (!divisor.constant() && facts.isOfInputs(divisor))
    bound(1, divisor);
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
      .Case<arith::DivSIOp, arith::DivUIOp, arith::FloorDivSIOp,
            arith::CeilDivSIOp, arith::CeilDivUIOp, arith::RemSIOp,
            arith::RemUIOp>([&](auto division) {
        if (division.getType().isIntOrIndex())
          lister.listDivision(division);
        else
          lister.listElementwise(division);
      })
      .Default([&](Operation *other) {
        if (other->hasTrait<OpTrait::Elementwise>())
          lister.listElementwise(other);
      });
  return std::move(lister.relations);
}
