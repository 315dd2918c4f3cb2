//===----------------------------------------------------------------------===//
// Detects bodies that may have lost the index of a loop. Arithmetic on elements
// of the operands counts as intact: exporters compare and add positions
// previously stored in a tensor.
//===----------------------------------------------------------------------===//

#include "LostIndex.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

/// The backward slice of the terminator of `body`.
static SetVector<Operation *> listUsed(Block &body) {
  SetVector<Operation *> used;
  used.insert(body.getTerminator());
  for (size_t at = 0; at < used.size(); ++at)
    for (Value operand : used[at]->getOperands())
      if (Operation *op = operand.getDefiningOp();
          op && body.findAncestorOpInBlock(*op))
        used.insert(op);
  return used;
}

/// Whether `value` depends on the arguments of `body`.
static bool dependsOnElements(Value value, Block &body) {
  SetVector<Value> values;
  values.insert(value);
  for (size_t at = 0; at < values.size(); ++at) {
    if (llvm::is_contained(body.getArguments(), values[at]))
      return true;
    Operation *op = values[at].getDefiningOp();
    if (op && body.findAncestorOpInBlock(*op))
      values.insert(op->operand_begin(), op->operand_end());
  }
  return false;
}

static bool isConstantInteger(Value value) {
  return value.getType().isIntOrIndex() && !value.getType().isInteger(1) &&
         matchPattern(value, m_Constant());
}

static bool mayUseIndex(Operation *op, Block &body, bool isReduction) {
  if (auto element = dyn_cast<tensor::ExtractOp>(op)) {
    auto type = cast<RankedTensorType>(element.getTensor().getType());
    for (auto [size, index] : llvm::zip(type.getShape(), element.getIndices()))
      if (size != 1 && isConstantInteger(index))
        return true;
    return false;
  }
  if (llvm::none_of(op->getOperands(), isConstantInteger))
    return false;
  if (isReduction && isa<arith::SelectOp>(op))
    return true;
  return llvm::none_of(op->getOperands(), [&](Value operand) {
    return dependsOnElements(operand, body);
  });
}

bool stof::mayHaveLostIndex(linalg::LinalgOp op, unsigned loop) {
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  if (!generic)
    return false;
  Block &body = generic.getRegion().front();
  for (auto index : body.getOps<linalg::IndexOp>())
    if (index.getDim() == loop)
      return false;
  if (generic.getDpsInputs().empty())
    return true;
  bool isReduction =
      op.getIteratorTypesArray()[loop] == utils::IteratorType::reduction;
  return llvm::any_of(listUsed(body), [&](Operation *used) {
    return mayUseIndex(used, body, isReduction);
  });
}
