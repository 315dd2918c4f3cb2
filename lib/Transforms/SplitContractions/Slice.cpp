//===----------------------------------------------------------------------===//
// Propagation of slices from the result of an operation to its operands.
//===----------------------------------------------------------------------===//

#include "Slice.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace stof;

bool Slice::overlaps(const Slice &other) const {
  if (dim != other.dim)
    return false;
  int64_t end = offset + (size - 1) * stride;
  int64_t otherEnd = other.offset + (other.size - 1) * other.stride;
  if (offset > otherEnd || other.offset > end)
    return false;
  return stride != other.stride || (offset - other.offset) % stride == 0;
}

/// Whether `op` extracts all of a dim.
static bool isWhole(tensor::ExtractSliceOp op, int64_t dim) {
  if (op.getStaticOffsets()[dim] != 0 || op.getStaticStrides()[dim] != 1)
    return false;
  int64_t size = op.getSourceType().getDimSize(dim);
  if (!ShapedType::isDynamic(size))
    return op.getStaticSizes()[dim] == size;
  if (!op.isDynamicSize(dim))
    return false;
  FailureOr<bool> equal = ValueBoundsConstraintSet::areEqual(
      {op.getDynamicSize(dim)}, {op.getSource(), dim});
  return succeeded(equal) && *equal;
}

SliceOrReason stof::readSlice(tensor::ExtractSliceOp op) {
  std::optional<Slice> slice;
  for (int64_t dim = 0; dim < op.getSourceType().getRank(); ++dim) {
    if (isWhole(op, dim))
      continue;
    if (slice)
      return {std::nullopt, "a slice cuts two dims"};
    slice = Slice(dim, op.getStaticOffsets()[dim], op.getStaticSizes()[dim],
                  op.getStaticStrides()[dim]);
    if (ShapedType::isDynamic(slice->offset) ||
        ShapedType::isDynamic(slice->size) ||
        ShapedType::isDynamic(slice->stride))
      return {std::nullopt, "a slice has a dynamic offset, size or stride"};
  }
  if (!slice || slice->size < 1 || slice->stride < 1)
    return {std::nullopt, "a slice is the whole tensor or empty"};
  return {slice, {}};
}

bool stof::isElementwise(Operation *op) {
  if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op))
    return true;
  if (auto cast = dyn_cast<tensor::CastOp>(op))
    return isa<RankedTensorType>(cast.getType()) &&
           isa<RankedTensorType>(cast.getSource().getType());
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return linalgOp && linalgOp->getNumResults() == 1 &&
         linalgOp.hasPureTensorSemantics() &&
         linalgOp.getNumReductionLoops() == 0;
}

/// The number of elements of `dims`, if static.
static std::optional<int64_t> countElements(ArrayRef<int64_t> shape,
                                            ArrayRef<int64_t> dims) {
  int64_t count = 1;
  for (int64_t dim : dims) {
    if (ShapedType::isDynamic(shape[dim]))
      return std::nullopt;
    count *= shape[dim];
  }
  return count;
}

/// The first non-unit dim of `dims`, and the number of elements that one index
/// of it spans.
static std::optional<std::pair<int64_t, int64_t>>
findOuter(ArrayRef<int64_t> shape, ArrayRef<int64_t> dims) {
  while (dims.size() > 1 && shape[dims.front()] == 1)
    dims = dims.drop_front();
  std::optional<int64_t> inner = countElements(shape, dims.drop_front());
  return inner ? std::optional(std::pair(dims.front(), *inner)) : std::nullopt;
}

static Needs needOne(const Slice &slice) {
  Needs needs;
  needs.operands.push_back(slice);
  return needs;
}
static Needs decline(StringRef reason) { return {{}, reason}; }

static Needs findNeeds(tensor::CollapseShapeOp op, const Slice &slice) {
  auto outer = findOuter(op.getSrcType().getShape(),
                         op.getReassociationIndices()[slice.dim]);
  if (!outer)
    return decline("a slice cuts collapsed dims of dynamic size");
  auto [dim, inner] = *outer;
  if (inner == 1)
    return needOne(Slice(dim, slice.offset, slice.size, slice.stride));
  if (slice.offset % inner != 0 || slice.size % inner != 0 || slice.stride != 1)
    return decline("a slice of collapsed dims is no slice of one of them");
  return needOne(Slice(dim, slice.offset / inner, slice.size / inner, 1));
}

static Needs findNeeds(tensor::ExpandShapeOp op, const Slice &slice) {
  for (auto [source, dims] : llvm::enumerate(op.getReassociationIndices())) {
    if (!llvm::is_contained(dims, slice.dim))
      continue;
    auto outer = findOuter(op.getResultType().getShape(), dims);
    if (!outer)
      return decline("a slice cuts expanded dims of dynamic size");
    auto [dim, inner] = *outer;
    int64_t from = source;
    if (dim == slice.dim && inner == 1)
      return needOne(Slice(from, slice.offset, slice.size, slice.stride));
    if (dim == slice.dim && slice.stride == 1)
      return needOne(Slice(from, slice.offset * inner, slice.size * inner, 1));
  }
  return decline("a slice of expanded dims is no slice of their source");
}

static Needs findNeeds(linalg::LinalgOp op, const Slice &slice) {
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  auto loop = dyn_cast<AffineDimExpr>(map.getResult(slice.dim));
  if (!loop)
    return decline("a slice cuts a dim that no loop indexes");
  WalkResult found = op->walk([&](linalg::IndexOp index) {
    return index.getDim() == loop.getPosition() ? WalkResult::interrupt()
                                                : WalkResult::advance();
  });
  if (found.wasInterrupted())
    return decline("an operation uses its index along the sliced dim");
  Needs needs;
  for (OpOperand &operand : op->getOpOperands()) {
    needs.operands.emplace_back();
    AffineMap from = op.getMatchingIndexingMap(&operand);
    for (auto [dim, expr] : llvm::enumerate(from.getResults())) {
      if (expr == loop)
        needs.operands.back() =
            Slice(dim, slice.offset, slice.size, slice.stride);
      else if (expr.isFunctionOfDim(loop.getPosition()))
        return decline("an operand index is not the sliced loop alone");
    }
  }
  return needs;
}

Needs stof::findNeeds(Operation *op, const Slice &slice) {
  return llvm::TypeSwitch<Operation *, Needs>(op)
      .Case<tensor::CollapseShapeOp, tensor::ExpandShapeOp, linalg::LinalgOp>(
          [&](auto known) { return ::findNeeds(known, slice); })
      .Case([&](tensor::CastOp) { return needOne(slice); })
      .Default([&](Operation *empty) {
        Needs needs;
        needs.operands.resize(empty->getNumOperands());
        return needs;
      });
}

RankedTensorType stof::getSlicedType(Type type, const Slice &slice) {
  auto tensor = cast<RankedTensorType>(type);
  SmallVector<int64_t> shape(tensor.getShape());
  shape[slice.dim] = slice.size;
  return tensor.clone(shape);
}

Value stof::computeSlice(OpBuilder &builder, Operation *op, const Slice &slice,
                         ValueRange operands) {
  Location loc = op->getLoc();
  RankedTensorType type = getSlicedType(op->getResult(0).getType(), slice);
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](tensor::EmptyOp empty) {
        SmallVector<OpFoldResult> sizes = empty.getMixedSizes();
        sizes[slice.dim] = builder.getIndexAttr(slice.size);
        return tensor::EmptyOp::create(builder, loc, sizes,
                                       type.getElementType());
      })
      .Case([&](tensor::ExpandShapeOp expand) {
        SmallVector<OpFoldResult> sizes = expand.getMixedOutputShape();
        sizes[slice.dim] = builder.getIndexAttr(slice.size);
        return tensor::ExpandShapeOp::create(
            builder, loc, type, operands.front(),
            expand.getReassociationIndices(), sizes);
      })
      .Default([&](Operation *) {
        return mlir::clone(builder, op, type, operands)->getResult(0);
      });
}

Value stof::extractSlice(OpBuilder &builder, Value value, const Slice &slice) {
  Location loc = value.getLoc();
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, loc, value);
  SmallVector<OpFoldResult> offsets(sizes.size(), builder.getIndexAttr(0)),
      strides(sizes.size(), builder.getIndexAttr(1));
  offsets[slice.dim] = builder.getIndexAttr(slice.offset);
  sizes[slice.dim] = builder.getIndexAttr(slice.size);
  strides[slice.dim] = builder.getIndexAttr(slice.stride);
  return tensor::ExtractSliceOp::create(builder, loc,
                                        getSlicedType(value.getType(), slice),
                                        value, offsets, sizes, strides);
}
