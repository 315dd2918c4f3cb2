//===----------------------------------------------------------------------===//
// Classification of the bodies of linalg operations.
//===----------------------------------------------------------------------===//

#include "stof/Fusion/LinalgUtils.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

bool stof::isPlainContraction(linalg::LinalgOp op) {
  // Upstream ignores every pure unary operation.
  return linalg::isaContractionOpInterface(op) &&
         llvm::all_of(op.getBlock()->without_terminator(), [](Operation &op) {
           // One that is not used may read the accumulator.
           if (op.use_empty())
             return false;
           if (isa<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp>(op))
             return isa<BlockArgument>(op.getOperand(0));
           return isa<arith::MulFOp, arith::AddFOp, arith::MulIOp,
                      arith::AddIOp>(op);
         });
}

std::optional<TypedAttr> stof::findNeutralElement(Operation *combiner) {
  Type type = combiner->getResult(0).getType();
  // The neutral element of a vector type would be that of its elements.
  if (!type.isIntOrIndexOrFloat())
    return std::nullopt;
  if (type.isIndex() &&
      isa<arith::MaxSIOp, arith::MinSIOp, arith::MinUIOp>(combiner))
    return std::nullopt;
  return arith::getNeutralElement(combiner);
}
