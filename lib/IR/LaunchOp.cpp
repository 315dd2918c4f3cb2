//===----------------------------------------------------------------------===//
// stof.launch: verification.
//===----------------------------------------------------------------------===//

#include "stof/IR/Stof.h"

using namespace mlir;
using namespace stof;

LogicalResult LaunchOp::verify() {
  // (K1)
  if (getKernels().empty())
    return emitOpError() << "expects at least one kernel";
  return success();
}

LogicalResult LaunchOp::verifyRegions() {
  // (K2)
  Block &body = getBody().front();
  if (!llvm::hasSingleElement(body))
    return emitOpError() << "expects one operation, but got "
                         << body.getOperations().size();
  if (TypeRange types = body.front().getResultTypes(); !types.empty())
    return emitOpError() << "expects an operation on buffers, but got results ("
                         << types << ")";
  return success();
}
