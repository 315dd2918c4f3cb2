//===----------------------------------------------------------------------===//
// Replacement of contractions by ones with other indexing maps.
//===----------------------------------------------------------------------===//

#include "Contractions.h"

using namespace mlir;

bool stof::isNamedContraction(Operation *op) {
  return isa<linalg::MatmulOp, linalg::BatchMatmulOp, linalg::ContractOp>(op);
}

Value stof::contractAs(PatternRewriter &rewriter, linalg::LinalgOp op,
                       ValueRange inputs, Value init,
                       ArrayRef<AffineMap> maps) {
  SmallVector<NamedAttribute> attributes;
  constexpr StringRef name = "cast";
  if (Attribute cast = op->getAttr(name))
    attributes.push_back(rewriter.getNamedAttr(name, cast));
  return linalg::ContractOp::create(
             rewriter, op.getLoc(), init.getType(), inputs, init,
             rewriter.getAffineMapArrayAttr(maps), attributes)
      .getResult(0);
}

LogicalResult stof::contractInstead(PatternRewriter &rewriter,
                                    linalg::LinalgOp op, ValueRange inputs,
                                    ArrayRef<AffineMap> maps) {
  rewriter.replaceOp(
      op, contractAs(rewriter, op, inputs, op.getDpsInits().front(), maps));
  return success();
}
