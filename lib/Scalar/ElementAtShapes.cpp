//===----------------------------------------------------------------------===//
// What one element of a tensor is: operations that move elements, and sizes.
//===----------------------------------------------------------------------===//

#include "stof/Scalar/ElementAt.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace stof;

const Expr *ElementAt::ofFoldResult(OpFoldResult value) {
  if (std::optional<int64_t> known = getConstantIntValue(value))
    return context.integer(*known);
  return scalar(cast<Value>(value));
}

//===----------------------------------------------------------------------===//
// Reshapes
//===----------------------------------------------------------------------===//

/// Indices of `source` from those of `result` where groups of dimensions of the
/// one are single dimensions of the other.
static SmallVector<const Expr *>
expandIndices(ExprContext &context, ElementAt &elements, Value collapsed,
              Value expanded, ArrayRef<ReassociationIndices> groups,
              ArrayRef<const Expr *> indices, bool toExpanded) {
  SmallVector<const Expr *> result;
  for (auto [group, members] : llvm::enumerate(groups)) {
    if (toExpanded) {
      // Take digits off the back; the first takes what is left.
      SmallVector<const Expr *> digits;
      const Expr *rest = indices[group];
      for (int64_t dim : llvm::reverse(ArrayRef(members).drop_front())) {
        const Expr *size = elements.size(expanded, dim);
        digits.push_back(context.mod(rest, size));
        rest = context.floorDiv(rest, size);
      }
      digits.push_back(rest);
      llvm::append_range(result, llvm::reverse(digits));
      continue;
    }
    const Expr *index = context.integer(0);
    for (int64_t dim : members)
      index = context.add(context.mul(index, elements.size(expanded, dim)),
                          indices[dim]);
    result.push_back(index);
  }
  return result;
}

/// A reshape whose shapes agree but for groups of dimensions, through row-major
/// positions.
const Expr *ElementAt::ofReshape(Value source, Value result,
                                 ArrayRef<const Expr *> indices) {
  auto from = dyn_cast<RankedTensorType>(source.getType());
  auto to = dyn_cast<RankedTensorType>(result.getType());
  if (!from || !to)
    return nullptr;
  const Expr *position = context.integer(0);
  for (unsigned dim = 0; dim < to.getRank(); ++dim)
    position =
        context.add(context.mul(position, size(result, dim)), indices[dim]);
  SmallVector<const Expr *> digits;
  for (int64_t dim = from.getRank() - 1; dim > 0; --dim) {
    const Expr *extent = size(source, dim);
    digits.push_back(context.mod(position, extent));
    position = context.floorDiv(position, extent);
  }
  if (from.getRank() > 0)
    digits.push_back(position);
  return element(source, llvm::to_vector(llvm::reverse(digits)));
}

const Expr *ElementAt::speculate(Value tensor, ArrayRef<const Expr *> indices) {
  const Expr *plain = element(tensor, indices);
  bool isRead = false;
  walkExpr(plain, [&](const Expr *expr) {
    isRead |= expr->op == ScalarOp::Element || expr->op == ScalarOp::Reduce;
  });
  if (!isRead)
    return plain;
  // Memory is read inside; sums may be read from where they are stored.
  SmallVector<const Expr *> inside;
  for (auto [dim, index] : llvm::enumerate(indices)) {
    const Expr *last = context.sub(size(tensor, dim), context.integer(1));
    inside.push_back(
        context.maxI(context.integer(0), context.minI(index, last)));
  }
  return element(tensor, inside);
}

const Expr *ElementAt::ofShapeOp(Operation *op,
                                 ArrayRef<const Expr *> indices) {
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
    SmallVector<const Expr *> source;
    for (ReassociationIndices group : expand.getReassociationIndices())
      if (group.empty())
        return nullptr;
    return element(expand.getSrc(),
                   expandIndices(context, *this, expand.getSrc(),
                                 expand.getResult(),
                                 expand.getReassociationIndices(), indices,
                                 /*toExpanded=*/false));
  }
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op)) {
    for (ReassociationIndices group : collapse.getReassociationIndices())
      if (group.empty())
        return nullptr;
    auto sourceType = collapse.getSrcType();
    if (collapse.getReassociationIndices().empty())
      return element(
          collapse.getSrc(),
          SmallVector<const Expr *>(sourceType.getRank(), context.integer(0)));
    return element(collapse.getSrc(),
                   expandIndices(context, *this, collapse.getResult(),
                                 collapse.getSrc(),
                                 collapse.getReassociationIndices(), indices,
                                 /*toExpanded=*/true));
  }
  if (auto cast = dyn_cast<tensor::CastOp>(op)) {
    if (!isa<RankedTensorType>(cast.getSource().getType()) ||
        !isa<RankedTensorType>(cast.getType()))
      return nullptr;
    return element(cast.getSource(), indices);
  }
  if (auto reshape = dyn_cast<tensor::ReshapeOp>(op))
    return ofReshape(reshape.getSource(), reshape.getResult(), indices);
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    SmallVector<const Expr *> source;
    unsigned next = 0;
    for (unsigned dim = 0, rank = slice.getSourceType().getRank(); dim < rank;
         ++dim) {
      const Expr *index = dropped[dim] ? context.integer(0) : indices[next++];
      source.push_back(context.add(
          ofFoldResult(slice.getMixedOffsets()[dim]),
          context.mul(index, ofFoldResult(slice.getMixedStrides()[dim]))));
    }
    return element(slice.getSource(), source);
  }
  if (auto concat = dyn_cast<tensor::ConcatOp>(op)) {
    unsigned dim = concat.getDim();
    const Expr *value = nullptr, *end = context.integer(0);
    SmallVector<std::pair<const Expr *, const Expr *>> parts;
    for (Value input : concat.getInputs()) {
      SmallVector<const Expr *> shifted(indices);
      shifted[dim] = context.sub(indices[dim], end);
      end = context.add(end, size(input, dim));
      // Only what can be reached is looked at.
      const Expr *below =
          context.cmpI(arith::CmpIPredicate::slt, indices[dim], end);
      const Expr *reached = context.cmpI(arith::CmpIPredicate::sle,
                                         context.integer(0), shifted[dim]);
      if (below->getTruth() == false || reached->getTruth() == false)
        continue;
      parts.push_back({below, speculate(input, shifted)});
    }
    for (auto [below, part] : llvm::reverse(parts))
      value = value ? choose(below, part, value) : part;
    return value;
  }
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
    const Expr *inside = context.truth(true);
    SmallVector<const Expr *> source;
    llvm::SmallBitVector dropped = insert.getDroppedDims();
    for (unsigned dim = 0, rank = insert.getDestType().getRank(); dim < rank;
         ++dim) {
      std::optional<int64_t> step =
          getConstantIntValue(insert.getMixedStrides()[dim]);
      if (!step || *step < 1)
        return nullptr;
      const Expr *offset = ofFoldResult(insert.getMixedOffsets()[dim]);
      const Expr *length = ofFoldResult(insert.getMixedSizes()[dim]);
      const Expr *stride = context.integer(*step);
      const Expr *distance = context.sub(indices[dim], offset);
      const Expr *local = context.floorDiv(distance, stride);
      const Expr *onStride =
          context.cmpI(arith::CmpIPredicate::eq, context.mod(distance, stride),
                       context.integer(0));
      inside = context.andI(
          inside,
          context.andI(context.cmpI(arith::CmpIPredicate::sle,
                                    context.integer(0), local),
                       context.cmpI(arith::CmpIPredicate::slt, local, length)));
      inside = context.andI(inside, onStride);
      if (!dropped[dim])
        source.push_back(local);
    }
    const Expr *below = element(insert.getDest(), indices);
    const Expr *above = speculate(insert.getSource(), source);
    return choose(inside, above, below);
  }
  if (auto pad = dyn_cast<tensor::PadOp>(op)) {
    Value filler = pad.getConstantPaddingValue();
    const Expr *outside = filler ? scalar(filler) : nullptr;
    if (!outside)
      return nullptr;
    const Expr *inside = context.truth(true);
    SmallVector<const Expr *> source;
    for (auto [dim, low] : llvm::enumerate(pad.getMixedLowPad())) {
      const Expr *local = context.sub(indices[dim], ofFoldResult(low));
      inside = context.andI(
          inside, context.andI(context.cmpI(arith::CmpIPredicate::sle,
                                            context.integer(0), local),
                               context.cmpI(arith::CmpIPredicate::slt, local,
                                            size(pad.getSource(), dim))));
      source.push_back(local);
    }
    return choose(inside, speculate(pad.getSource(), source), outside);
  }
  if (auto splat = dyn_cast<tensor::SplatOp>(op))
    return scalar(splat.getInput());
  if (auto from = dyn_cast<tensor::FromElementsOp>(op)) {
    auto type = from.getType();
    int64_t position = 0;
    for (auto [index, extent] : llvm::zip(indices, type.getShape())) {
      std::optional<int64_t> fixed = index->getInt();
      if (!fixed || *fixed < 0 || *fixed >= extent)
        return nullptr;
      position = position * extent + *fixed;
    }
    return scalar(from.getElements()[position]);
  }
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Sizes and scalars
//===----------------------------------------------------------------------===//

const Expr *ElementAt::size(Value tensor, unsigned dim) {
  auto type = cast<ShapedType>(tensor.getType());
  if (!type.isDynamicDim(dim))
    return context.integer(type.getDimSize(dim));
  const Expr *leaf = context.extent(tensor, dim);
  if (auto it = known.find(leaf); it != known.end())
    return it->second;
  if (isTooFar())
    return leaf;
  Step step(*this);
  known[leaf] = leaf;
  const Expr *result = leaf;
  Operation *op = tensor.getDefiningOp();
  if (auto empty = dyn_cast_or_null<tensor::EmptyOp>(op)) {
    result = scalar(empty.getDynamicSize(dim));
  } else if (auto structured = dyn_cast_or_null<linalg::LinalgOp>(op)) {
    auto number = cast<OpResult>(tensor).getResultNumber();
    result = size(structured.getDpsInitOperand(number)->get(), dim);
  } else if (auto softmax = dyn_cast_or_null<linalg::SoftmaxOp>(op)) {
    result = size(softmax.getInput(), dim);
  } else if (auto cast = dyn_cast_or_null<tensor::CastOp>(op)) {
    if (isa<RankedTensorType>(cast.getSource().getType()))
      result = size(cast.getSource(), dim);
  } else if (auto expand = dyn_cast_or_null<tensor::ExpandShapeOp>(op)) {
    result = ofFoldResult(expand.getMixedOutputShape()[dim]);
  } else if (auto collapse = dyn_cast_or_null<tensor::CollapseShapeOp>(op)) {
    SmallVector<ReassociationIndices> members =
        collapse.getReassociationIndices();
    result = context.integer(1);
    for (int64_t member : members[dim])
      result = context.mul(result, size(collapse.getSrc(), member));
  } else if (auto slice = dyn_cast_or_null<tensor::ExtractSliceOp>(op)) {
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    unsigned next = 0;
    for (auto [source, length] : llvm::enumerate(slice.getMixedSizes()))
      if (!dropped[source] && next++ == dim)
        result = ofFoldResult(length);
  } else if (auto insert = dyn_cast_or_null<tensor::InsertSliceOp>(op)) {
    result = size(insert.getDest(), dim);
  } else if (auto reshape = dyn_cast_or_null<tensor::ReshapeOp>(op)) {
    const Expr *value = at(reshape.getShape(), context.integer(dim));
    if (value->isIndex() && value->op != ScalarOp::FromInt)
      result = value;
  } else if (auto concat = dyn_cast_or_null<tensor::ConcatOp>(op)) {
    result = context.integer(0);
    for (Value input : concat.getInputs()) {
      result = dim == concat.getDim() ? context.add(result, size(input, dim))
                                      : size(input, dim);
    }
  } else if (auto splat = dyn_cast_or_null<tensor::SplatOp>(op)) {
    unsigned position =
        llvm::count_if(type.getShape().take_front(dim), [](int64_t extent) {
          return ShapedType::isDynamic(extent);
        });
    result = scalar(splat.getDynamicSizes()[position]);
  }
  // Sizes that may be negative by the look of their arithmetic are kept as they
  // are: a size is at least zero.
  if (!result->isIndex() || result->lo < 0)
    result = leaf;
  return known[leaf] = result;
}

const Expr *ElementAt::scalar(Value value) {
  if (Value outer = outerValues.lookup(value))
    return scalar(outer);
  if (auto it = knownScalars.find(value); it != knownScalars.end())
    return it->second;
  const Expr *leaf = context.scalar(value);
  Operation *op = value.getDefiningOp();
  if (!op || op->getNumRegions() != 0 || op->getNumResults() != 1)
    return knownScalars[value] = leaf;
  if (isTooFar())
    return leaf;
  Step step(*this);
  knownScalars[value] = leaf;
  const Expr *result = nullptr;
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    result = context.constant(constant.getValue());
  } else if (auto dim = dyn_cast<tensor::DimOp>(op)) {
    auto type = dyn_cast<RankedTensorType>(dim.getSource().getType());
    std::optional<int64_t> position = dim.getConstantIndex();
    if (type && position && *position >= 0 && *position < type.getRank())
      result = size(dim.getSource(), *position);
  } else if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
    SmallVector<const Expr *> operands;
    for (Value operand : apply.getMapOperands())
      operands.push_back(scalar(operand));
    AffineMap map = apply.getAffineMap();
    result = ofAffine(map.getResult(0),
                      ArrayRef(operands).take_front(map.getNumDims()),
                      ArrayRef(operands).drop_front(map.getNumDims()));
  } else if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
    SmallVector<const Expr *> indices;
    for (Value index : extract.getIndices())
      indices.push_back(scalar(index));
    llvm::SaveAndRestore<bool> deep(shallow, false);
    Value tensor = extract.getTensor();
    if (Value outer = outerValues.lookup(tensor))
      tensor = outer;
    result = at(tensor, indices);
  } else if (!isa<tensor::TensorDialect>(op->getDialect())) {
    SmallVector<const Expr *> operands;
    for (Value operand : op->getOperands())
      operands.push_back(scalar(operand));
    result = ofOperation(op, operands);
  }
  return knownScalars[value] = result ? result : leaf;
}
