//===----------------------------------------------------------------------===//
// What the bodies of linalg operations compute.
//===----------------------------------------------------------------------===//

#include "stof/Fusion/Bodies.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

bool stof::isPlainContraction(linalg::LinalgOp op) {
  // Upstream passes over every pure operation of one operand.
  return linalg::isaContractionOpInterface(op) &&
         llvm::all_of(op.getBlock()->without_terminator(), [](Operation &op) {
           if (isa<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp>(op))
             return isa<BlockArgument>(op.getOperand(0));
           return isa<arith::MulFOp, arith::AddFOp, arith::MulIOp,
                      arith::AddIOp>(op);
         });
}

std::optional<TypedAttr> stof::findNeutralElement(Operation *combiner) {
  Type type = combiner->getResult(0).getType();
  // An identity of vectors would be one of their elements.
  if (!type.isIntOrIndexOrFloat())
    return std::nullopt;
  if (type.isIndex() &&
      isa<arith::MaxSIOp, arith::MinSIOp, arith::MinUIOp>(combiner))
    return std::nullopt;
  return arith::getNeutralElement(combiner);
}
