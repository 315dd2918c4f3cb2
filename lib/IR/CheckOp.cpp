//===----------------------------------------------------------------------===//
// stof.check: verification and folding.
//===----------------------------------------------------------------------===//

#include "stof/IR/Stof.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace stof;

void CheckOp::build(OpBuilder &builder, OperationState &state, Value value,
                    Value holds, StringRef message) {
  build(builder, state, value.getType(), value, holds, /*number=*/Value(),
        /*status=*/Value(), builder.getStringAttr(message));
}

LogicalResult CheckOp::verify() {
  // (C1)
  if (!getNumber() == !getStatus())
    return success();
  return emitOpError() << "expects a number and a status word together, but "
                          "got "
                       << (getNumber() ? "a number" : "a status word")
                       << " alone";
}

OpFoldResult CheckOp::fold(FoldAdaptor adaptor) {
  if (auto holds = dyn_cast_if_present<IntegerAttr>(adaptor.getHolds());
      holds && holds.getValue().isOne())
    return getValue();
  // Repeated checks of one condition are redundant.
  for (auto inner = getValue().getDefiningOp<CheckOp>(); inner;
       inner = inner.getValue().getDefiningOp<CheckOp>())
    if (inner.getHolds() == getHolds())
      return getValue();
  return {};
}
