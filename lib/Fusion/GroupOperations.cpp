//===----------------------------------------------------------------------===//
// Classification of single operations of a group.
//===----------------------------------------------------------------------===//

#include "stof/Fusion/GroupOperations.h"
#include "stof/Fusion/LinalgUtils.h"
#include "stof/Fusion/TensorView.h"
#include "stof/IR/Stof.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace stof;

/// Whether `op` only initializes results.
static bool isInitialValue(Operation *op) {
  return isa<linalg::FillOp>(op) &&
         llvm::all_of(op->getUses(), [](OpOperand &use) {
           auto user = dyn_cast<linalg::LinalgOp>(use.getOwner());
           return user && user.isDpsInit(&use);
         });
}

bool stof::isGroupable(Operation *op) {
  if (auto attention = dyn_cast<AttentionOp>(op))
    return attention->getNumResults() > 0;
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return linalgOp && linalgOp.hasPureTensorSemantics() && !isInitialValue(op) &&
         !isTransposedInPlace(op);
}

bool stof::isReshape(Operation *op) {
  if (auto cast = dyn_cast<tensor::CastOp>(op))
    return isa<RankedTensorType>(cast.getType()) &&
           isa<RankedTensorType>(cast.getSource().getType());
  if (auto reshape = dyn_cast<tensor::ReshapeOp>(op))
    return isa<RankedTensorType>(reshape.getType()) &&
           isa<RankedTensorType>(reshape.getSource().getType()) &&
           reshape.getShape().getDefiningOp<tensor::FromElementsOp>();
  return isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op);
}

OpResult stof::getOrigin(Value value) {
  while (isReshape(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return cast<OpResult>(value);
}

OperationClass stof::classifyOperation(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return isa<AttentionOp>(op) || (linalgOp && isPlainContraction(linalgOp))
             ? OperationClass::ComputeIntensive
             : OperationClass::MemoryIntensive;
}

std::string stof::describeOperation(Operation *op) {
  return ("'" + op->getName().getStringRef() + "'").str();
}

std::optional<ContractionLoops> stof::getContractionLoops(linalg::LinalgOp op) {
  if (!isPlainContraction(op))
    return std::nullopt;
  for (AffineMap map : op.getIndexingMapsArray())
    if (!map.isProjectedPermutation())
      return std::nullopt;
  Type lhs = getElementTypeOrSelf(op.getDpsInputOperand(0)->get().getType());
  Type rhs = getElementTypeOrSelf(op.getDpsInputOperand(1)->get().getType());
  Type out = getElementTypeOrSelf(op.getDpsInitOperand(0)->get().getType());
  auto onTensorCores = [](Type type) {
    return type.isF16() || type.isBF16() || type.isF32();
  };
  if (lhs != rhs || !onTensorCores(lhs) || !onTensorCores(out))
    return std::nullopt;
  FailureOr<linalg::ContractionDimensions> dims =
      linalg::inferContractionDims(op);
  if (failed(dims) || dims->m.empty() || dims->n.empty() || dims->k.empty() ||
      dims->batch.size() + dims->m.size() + dims->n.size() + dims->k.size() !=
          op.getNumLoops())
    return std::nullopt;
  return ContractionLoops{dims->batch, dims->m, dims->n, dims->k};
}

Operation *stof::getCombiner(linalg::LinalgOp op) {
  if (op.getNumDpsInits() != 1 || op.getNumReductionLoops() == 0)
    return nullptr;
  BlockArgument carried = op.getRegionOutputArgs().front();
  Operation *combiner =
      op.getBlock()->getTerminator()->getOperand(0).getDefiningOp();
  if (!combiner || !carried.hasOneUse() || *carried.user_begin() != combiner ||
      combiner->getNumOperands() != 2 || combiner->getNumResults() != 1 ||
      !findNeutralElement(combiner))
    return nullptr;
  return combiner;
}
