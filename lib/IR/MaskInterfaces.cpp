//===----------------------------------------------------------------------===//
// Default implementations of MaskOpInterface.
//===----------------------------------------------------------------------===//

#include "Captures.h"
#include "stof/IR/MaskPredicate.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace stof;

#include "stof/IR/MaskInterfaces.cpp.inc"

/// Whether `captured` is a constant, or the buffer of one.
static bool isConstant(Value captured) {
  if (auto buffer = captured.getDefiningOp<memref::GetGlobalOp>()) {
    auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
        buffer, buffer.getNameAttr());
    return global && global.getConstant();
  }
  return captured.getDefiningOp<arith::ConstantOp>() != nullptr;
}

MaskOrigin stof::detail::getOriginOfOperands(ValueRange operands) {
  bool hasConstants = false;
  for (Value captured : operands) {
    if (isConstant(captured))
      hasConstants = true;
    else if (isa<ShapedType>(captured.getType()))
      return MaskOrigin::Argument;
  }
  return hasConstants ? MaskOrigin::CapturedTensor
                      : MaskOrigin::ClosedPredicate;
}

std::optional<bool> stof::detail::getConstantPredicate(Region *predicate) {
  if (!predicate)
    return std::nullopt;
  APInt keep;
  if (!matchPattern(predicate->front().getTerminator()->getOperand(0),
                    m_ConstantInt(&keep)))
    return std::nullopt;
  return keep.getBoolValue();
}

LogicalResult stof::detail::verifyMask(Operation *op) {
  // (I1)
  if (op->getNumResults() != 1 || !isa<MaskType>(op->getResult(0).getType()))
    return op->emitOpError() << "expects one result of type '!stof.mask', but "
                                "got ("
                             << op->getResultTypes() << ")";
  // (I2)
  Region *region = cast<MaskOpInterface>(op).getPredicateRegion();
  if (!region)
    return success();
  Block &body = region->front();
  Builder builder(op->getContext());
  SmallVector<Type> coordinates(MaskOp::numCoordinates, builder.getIndexType());
  // (M1)
  if (failed(verifyRegionArguments(op, "predicate", body, coordinates,
                                   op->getOperands())))
    return failure();
  // (M2)
  if (failed(verifyYield(op, "predicate", body, {builder.getI1Type()})))
    return failure();
  // (M3)
  return verifyNoSideEffects(op, "predicate", body);
}
