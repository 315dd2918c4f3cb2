//===----------------------------------------------------------------------===//
// Slices, reshapes and transpositions of tensors as views of memory.
//===----------------------------------------------------------------------===//

#include "stof/Fusion/TensorView.h"
#include "stof/Fusion/GroupOperations.h"
#include "stof/Fusion/LinalgUtils.h"
#include "stof/IR/Donation.h"
#include "stof/IR/Stof.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace stof;

std::optional<MemRefType> stof::viewThrough(Operation *op, MemRefType source) {
  bool isWhole = source.getLayout().isIdentity();
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return memref::SubViewOp::inferRankReducedResultType(
        type.getShape(), source, slice.getStaticOffsets(),
        slice.getStaticSizes(), slice.getStaticStrides());
  if (isWhole)
    return MemRefType::get(type.getShape(), type.getElementType());
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op)) {
    SmallVector<ReassociationIndices> dims = collapse.getReassociationIndices();
    if (!isCollapsible(source, dims))
      return std::nullopt;
    return memref::CollapseShapeOp::computeCollapsedType(source, dims);
  }
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
    FailureOr<MemRefType> expanded = memref::ExpandShapeOp::computeExpandedType(
        source, type.getShape(), expand.getReassociationIndices());
    return succeeded(expanded) ? std::optional(*expanded) : std::nullopt;
  }
  if (isa<tensor::CastOp>(op))
    return MemRefType::get(type.getShape(), type.getElementType(),
                           source.getLayout());
  return std::nullopt;
}

/// Resolves arguments of groups to the groups' inputs.
static Value skipArgument(Value value) {
  while (auto argument = dyn_cast<BlockArgument>(value)) {
    auto group =
        dyn_cast_if_present<GroupOp>(argument.getOwner()->getParentOp());
    if (!group)
      break;
    value = group.getInputs()[argument.getArgNumber()];
  }
  return value;
}

std::optional<MemRefType> stof::getMemoryType(Value tensor) {
  SmallVector<Operation *> chain;
  Value root = skipArgument(tensor);
  while (Operation *op = root.getDefiningOp()) {
    if (!isReshape(op) && !isa<tensor::ExtractSliceOp>(op))
      break;
    chain.push_back(op);
    root = skipArgument(op->getOperand(0));
  }
  // A group on buffers has views of them as inputs.
  auto buffer = dyn_cast<MemRefType>(root.getType());
  auto whole = cast<ShapedType>(root.getType());
  std::optional<MemRefType> type =
      buffer ? buffer
             : MemRefType::get(whole.getShape(), whole.getElementType());
  for (Operation *op : llvm::reverse(chain))
    if (type)
      type = viewThrough(op, *type);
  return type;
}

/// Whether `value` is in memory without a kernel that computes it.
static bool isGiven(Value value) {
  Operation *op = value.getDefiningOp();
  while (op && (isReshape(op) || isa<tensor::ExtractSliceOp>(op))) {
    value = op->getOperand(0);
    op = value.getDefiningOp();
  }
  return !op || isa<arith::ConstantOp, ScatterOp>(op);
}

/// Whether `use` is a query, key or value of an attention.
static bool isRowOfAttention(OpOperand &use) {
  auto attention = dyn_cast<AttentionOp>(use.getOwner());
  return attention && llvm::is_contained({&attention.getQueryMutable(),
                                          &attention.getKeyMutable(),
                                          &attention.getValueMutable()},
                                         &use);
}

/// The same with a static length: dynamic lengths are only reported for whole
/// tensors.
static bool isLoadedByAttention(OpOperand &use) {
  if (!isRowOfAttention(use))
    return false;
  auto type = dyn_cast<RankedTensorType>(use.get().getType());
  return type && !type.isDynamicDim(AttentionOp::Position);
}

bool stof::isReadInPlace(tensor::ExtractSliceOp slice) {
  // Kernels address a slice by its dims.
  if (slice.getType().getRank() == 0)
    return false;
  // The alignment of rows is unknown for dynamic offsets and strides.
  if (ShapedType::isDynamicShape(slice.getStaticOffsets()) ||
      ShapedType::isDynamicShape(slice.getStaticStrides()))
    return false;
  bool given = isGiven(slice.getSource());
  SmallVector<Value> shown{slice.getResult()};
  while (!shown.empty()) {
    Value value = shown.pop_back_val();
    if (value.use_empty() || !getMemoryType(value))
      return false;
    for (OpOperand &use : value.getUses()) {
      Operation *user = use.getOwner();
      if (isReshape(user) || isa<tensor::ExtractSliceOp>(user)) {
        shown.push_back(user->getResult(0));
        continue;
      }
      auto linalgOp = dyn_cast<linalg::LinalgOp>(user);
      bool isRead = linalgOp && linalgOp.isDpsInput(&use);
      if (isa<GroupOp>(user) || (given && isLoadedByAttention(use)) ||
          (isRead && (given || isPlainContraction(linalgOp))))
        continue;
      // An extension or transpose is folded into the contraction that reads it.
      if (!isRead || linalgOp.getNumDpsInputs() != 1 ||
          linalgOp->getNumResults() != 1 || linalgOp.getNumReductionLoops() > 0)
        return false;
      shown.push_back(user->getResult(0));
    }
  }
  return true;
}

std::optional<SmallVector<int64_t>> stof::getPermutation(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp || linalgOp.getNumDpsInputs() != 1 ||
      linalgOp->getNumResults() != 1 || linalgOp.getNumReductionLoops() > 0)
    return std::nullopt;
  Block *body = linalgOp.getBlock();
  if (body->getTerminator()->getOperand(0) != body->getArgument(0))
    return std::nullopt;
  AffineMap from = linalgOp.getIndexingMapsArray().front();
  AffineMap to = linalgOp.getIndexingMapsArray().back();
  if (!from.isPermutation() || !to.isPermutation() || from == to)
    return std::nullopt;
  AffineMap source = inversePermutation(from);
  return llvm::map_to_vector(to.getResults(), [&](AffineExpr loop) -> int64_t {
    return source.getDimPosition(cast<AffineDimExpr>(loop).getPosition());
  });
}

/// Whether `value` is an argument of a function, or a reshape of one, whose
/// buffer no result takes over.
static bool isUnchangedArgument(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isReshape(op))
      return false;
    value = op->getOperand(0);
  }
  auto argument = cast<BlockArgument>(value);
  auto function = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
  return function && argument.getOwner()->isEntryBlock() &&
         !function.getArgAttr(argument.getArgNumber(), aliasingOutputName);
}

/// Whether `value` is, but for reshapes, what a function returns in a buffer of
/// its own, and nothing else.
static bool isOnlyReturned(Value value) {
  while (value.hasOneUse()) {
    OpOperand &use = *value.use_begin();
    if (isReshape(use.getOwner())) {
      value = use.getOwner()->getResult(0);
      continue;
    }
    auto function = dyn_cast<func::FuncOp>(use.getOwner()->getParentOp());
    if (!function || !isa<func::ReturnOp>(use.getOwner()))
      return false;
    return llvm::none_of(
        llvm::seq(function.getNumArguments()), [&](unsigned argument) {
          auto result = function.getArgAttrOfType<IntegerAttr>(
              argument, aliasingOutputName);
          return result && result.getInt() == use.getOperandNumber();
        });
  }
  return false;
}

bool stof::isTransposedInPlace(Operation *op) {
  std::optional<SmallVector<int64_t>> permutation = getPermutation(op);
  if (!permutation || !isa<TensorType>(op->getResult(0).getType()) ||
      permutation->back() + 1 != int64_t(permutation->size()))
    return false;
  Value source = op->getOperand(0), result = op->getResult(0);
  if (auto attention = source.getDefiningOp<AttentionOp>())
    return source == attention->getResult(0) && source.hasOneUse() &&
           isOnlyReturned(result);
  return !result.use_empty() &&
         llvm::all_of(result.getUses(), isRowOfAttention) &&
         isUnchangedArgument(source);
}

SmallVector<bool> stof::findJoined(MemRefType type) {
  SmallVector<bool> joined(type.getRank(), type.getLayout().isIdentity());
  SmallVector<int64_t> strides;
  int64_t offset;
  if (type.getLayout().isIdentity() ||
      failed(type.getStridesAndOffset(strides, offset)))
    return joined;
  // Unit dims have no neighbours and arbitrary strides.
  std::optional<int64_t> last;
  for (auto [dim, size] : llvm::enumerate(type.getShape())) {
    if (size == 1)
      continue;
    joined[dim] = last && !ShapedType::isDynamic(strides[dim]) &&
                  !ShapedType::isDynamic(size) &&
                  strides[*last] == strides[dim] * size;
    last = dim;
  }
  return joined;
}

bool stof::isCollapsible(MemRefType type,
                         ArrayRef<ReassociationIndices> reassociation) {
  SmallVector<bool> joined = findJoined(type);
  return llvm::all_of(reassociation, [&](ArrayRef<int64_t> dims) {
    dims =
        dims.drop_while([&](int64_t dim) { return type.getDimSize(dim) == 1; });
    return dims.empty() || llvm::all_of(dims.drop_front(), [&](int64_t dim) {
             return type.getDimSize(dim) == 1 || joined[dim];
           });
  });
}
