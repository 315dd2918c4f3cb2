//===----------------------------------------------------------------------===//
// Imports scatters in generic form as stof.scatter.
//
// An update of the foreign operation is a window, aligned with the last
// dimensions of the original. Row n of the indices is the position of its first
// element, along the dimensions of `dimension_map`.
//===----------------------------------------------------------------------===//

#include "stof/IR/Stof.h"
#include "stof/Transforms/Passes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

namespace stof {
#define GEN_PASS_DEF_IMPORTSCATTERPASS
#include "stof/Transforms/Passes.h.inc"
} // namespace stof

using namespace mlir;
using namespace stof;

namespace {

constexpr StringLiteral scatterName = "tm_tensor.scatter";

/// A scatter in generic form.
struct ForeignScatter {
  Operation *op;
  RankedTensorType updates, indices, original;
  ArrayRef<int64_t> dims;
  bool unique;

  int64_t windowRank() const { return updates.getRank() - 1; }
  /// The leading dimensions of the original that a window lacks.
  int64_t numMissing() const { return original.getRank() - windowRank(); }
};

} // namespace

static FailureOr<ForeignScatter> readForm(Operation *op) {
  auto dims = op->getAttrOfType<DenseI64ArrayAttr>("dimension_map");
  auto unique = op->getAttrOfType<BoolAttr>("unique_indices");
  bool formed = op->getNumOperands() == 3 && op->getNumResults() == 1 &&
                op->getNumRegions() == 1 && op->getRegion(0).hasOneBlock() &&
                dims && unique;
  auto typeOf = [&](unsigned operand) {
    return formed
               ? dyn_cast<RankedTensorType>(op->getOperand(operand).getType())
               : RankedTensorType();
  };
  RankedTensorType updates = typeOf(0), indices = typeOf(1),
                   original = typeOf(2);
  if (!updates || !indices || !original || updates.getRank() == 0 ||
      indices.getRank() != 2 || op->getResult(0).getType() != original)
    return op->emitOpError()
           << "expects updates, indices of rank 2 and an original of ranked "
              "tensors, a dimension map, whether indices are unique, and a "
              "result of the type of the original";
  if (!indices.getElementType().isSignlessInteger() &&
      !indices.getElementType().isIndex())
    return op->emitOpError() << "expects indices of signless integers, but got "
                             << indices.getElementType();
  if (indices.getDimSize(1) != dims.size())
    return op->emitOpError()
           << "expects a column of indices for each of the " << dims.size()
           << " dimensions that the map names, but got " << indices;
  return ForeignScatter{op,       updates,           indices,
                        original, dims.asArrayRef(), unique.getValue()};
}

/// Checks that windows and indexed dimensions cover the original.
static LogicalResult verifyForm(const ForeignScatter &form) {
  Operation *op = form.op;
  int64_t rank = form.original.getRank();
  llvm::SmallDenseSet<int64_t> named;
  for (int64_t dim : form.dims)
    if (dim < 0 || dim >= rank || !named.insert(dim).second)
      return op->emitOpError() << "expects a map that names dimensions of the "
                                  "original once each, but got "
                               << dim;
  if (form.windowRank() > rank)
    return op->emitOpError() << "expects windows of at most " << rank
                             << " dimensions, but got " << form.windowRank();
  for (int64_t dim = 0; dim < form.numMissing(); ++dim)
    if (!named.contains(dim))
      return op->emitOpError() << "expects dimension " << dim
                               << " to be indexed, since windows lack it";
  return success();
}

/// Column `number` of `indices`, as a tensor of rank 1.
static Value takeColumn(OpBuilder &builder, Location loc, Value indices,
                        int64_t number) {
  if (auto concat = indices.getDefiningOp<tensor::ConcatOp>();
      concat && concat.getDim() == 1) {
    int64_t first = 0;
    for (Value input : concat.getInputs()) {
      int64_t size = cast<RankedTensorType>(input.getType()).getDimSize(1);
      if (ShapedType::isDynamic(size))
        break;
      if (number < first + size)
        return takeColumn(builder, loc, input, number - first);
      first += size;
    }
  }
  auto type = cast<RankedTensorType>(indices.getType());
  if (auto insert = indices.getDefiningOp<tensor::InsertSliceOp>();
      insert && insert.getSourceType().getRank() == 2 &&
      !insert.isDynamicOffset(1) && !insert.isDynamicSize(1) &&
      insert.hasUnitStride() && insert.getStaticOffsets()[0] == 0 &&
      !type.isDynamicDim(0) &&
      insert.getStaticSizes()[0] == type.getDimSize(0)) {
    int64_t first = insert.getStaticOffset(1);
    bool isIn = number >= first && number < first + insert.getStaticSize(1);
    return takeColumn(builder, loc,
                      isIn ? insert.getSource() : insert.getDest(),
                      isIn ? number - first : number);
  }
  if (type.getDimSize(1) == 1)
    return builder.createOrFold<tensor::CollapseShapeOp>(
        loc, type.clone({type.getDimSize(0)}), indices,
        ArrayRef<ReassociationIndices>{{0, 1}});
  Attribute zero = builder.getIndexAttr(0), one = builder.getIndexAttr(1);
  OpFoldResult rows = tensor::getMixedSize(builder, loc, indices, 0);
  return tensor::ExtractSliceOp::create(
      builder, loc, type.clone({type.getDimSize(0)}), indices,
      ArrayRef<OpFoldResult>{zero, builder.getIndexAttr(number)},
      ArrayRef<OpFoldResult>{rows, one}, ArrayRef<OpFoldResult>{one, one});
}

/// Copies the region of `form` into `scatter`, with the constants that it uses.
static LogicalResult takeRegion(const ForeignScatter &form, ScatterOp scatter) {
  Block &from = form.op->getRegion(0).front();
  Type element = form.original.getElementType();
  if (from.getArgumentTypes() != TypeRange({element, element}) ||
      from.getTerminator()->getOperandTypes() != TypeRange(element))
    return form.op->emitOpError()
           << "expects a region from two elements to one of " << element;
  OpBuilder builder(form.op->getContext());
  Block *to = builder.createBlock(&scatter.getCombine(), {}, {element, element},
                                  {form.op->getLoc(), form.op->getLoc()});
  IRMapping mapping;
  mapping.map(from.getArguments(), to->getArguments());
  auto adopt = [&](Value value) -> LogicalResult {
    if (mapping.contains(value) ||
        form.op->getRegion(0).isAncestor(value.getParentRegion()))
      return success();
    if (!matchPattern(value, m_Constant()))
      return form.op->emitOpError()
             << "expects a region that captures constants only, but got "
             << value;
    mapping.map(value, builder.clone(*value.getDefiningOp())->getResult(0));
    return success();
  };
  for (Operation &inner : from) {
    WalkResult adopted = inner.walk([&](Operation *nested) {
      for (Value operand : nested->getOperands())
        if (failed(adopt(operand)))
          return WalkResult::interrupt();
      return WalkResult::advance();
    });
    if (adopted.wasInterrupted())
      return failure();
    if (&inner != from.getTerminator())
      builder.clone(inner, mapping);
  }
  YieldOp::create(builder, form.op->getLoc(),
                  mapping.lookupOrDefault(from.getTerminator()->getOperand(0)));
  return success();
}

static LogicalResult importScatter(Operation *op, bool checked) {
  FailureOr<ForeignScatter> form = readForm(op);
  if (failed(form) || failed(verifyForm(*form)))
    return failure();
  OpBuilder builder(op);
  MLIRContext *context = op->getContext();
  int64_t numCoordinates = form->updates.getRank();
  SmallVector<AffineExpr> position(form->original.getRank(),
                                   builder.getAffineConstantExpr(0));
  for (int64_t dim = 0; dim < form->windowRank(); ++dim)
    position[form->numMissing() + dim] = builder.getAffineDimExpr(dim + 1);
  SmallVector<Value> columns;
  SmallVector<AffineMap> maps(
      form->dims.size(),
      AffineMap::get(numCoordinates, 0, builder.getAffineDimExpr(0), context));
  for (auto [number, dim] : llvm::enumerate(form->dims)) {
    columns.push_back(
        takeColumn(builder, op->getLoc(), op->getOperand(1), number));
    position[dim] = position[dim] + builder.getAffineSymbolExpr(number);
  }
  auto scatter = ScatterOp::create(
      builder, op->getLoc(), form->original, op->getOperand(0), columns,
      op->getOperand(2), builder.getAffineMapArrayAttr(maps),
      AffineMap::get(numCoordinates, columns.size(), position, context),
      form->unique, /*wrapped=*/true, checked);
  if (failed(takeRegion(*form, scatter)))
    return failure();
  op->replaceAllUsesWith(scatter);
  op->erase();
  return success();
}

namespace {

struct ImportScatterPass
    : stof::impl::ImportScatterPassBase<ImportScatterPass> {
  using Base::Base;
  void runOnOperation() override {
    SmallVector<Operation *> scatters;
    getOperation().walk([&](Operation *op) {
      if (op->getName().getStringRef() == scatterName)
        scatters.push_back(op);
    });
    for (Operation *scatter : scatters)
      if (failed(importScatter(scatter, checked)))
        return signalPassFailure();
  }
};

} // namespace
