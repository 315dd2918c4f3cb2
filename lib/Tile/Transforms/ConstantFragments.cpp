//===----------------------------------------------------------------------===//
// Fragments whose elements are all zero, or that nothing reads.
//===----------------------------------------------------------------------===//

#include "ConstantFragments.h"

#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace stof::tile;

bool stof::tile::isZero(Value fragment) {
  auto splat = fragment.getDefiningOp<SplatOp>();
  return splat && matchPattern(splat.getValue(), m_AnyZeroFloat());
}

Value stof::tile::createUndefined(OpBuilder &builder, Location loc,
                                  FragmentType type) {
  Value element = ub::PoisonOp::create(builder, loc, type.getElementType());
  return SplatOp::create(builder, loc, type, element);
}
