//===----------------------------------------------------------------------===//
// The unit of logits, and the factor from a product of query and key to one.
//===----------------------------------------------------------------------===//

#include "LogitScale.h"
#include "MapElements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir;
using namespace stof;

/// The largest scale for which scores cannot overflow once log2(e) is folded
/// in.
static constexpr float steepest = 1e30f;

LogitScale LogitScale::get(const AttentionContext &context) {
  AttentionOp op = context.getOp();
  OpBuilder &body = context.kernel.body();
  std::optional<APFloat> known = op.getScale();
  float number = known ? known->convertToFloat() : 1;
  LogitScale result;
  result.isNatural =
      op.hasScore() || std::abs(number) > steepest || context.element.isF32();
  if (known)
    result.scoreScale = createF32(body, context.loc, number);
  if (Value dynamic = op.getDynamicScale()) {
    Value factor = context.getArgument(dynamic);
    result.scoreScale = result.scoreScale
                            ? arith::MulFOp::create(body, context.loc,
                                                    result.scoreScale, factor)
                            : factor;
  }
  if (!result.isNatural && !op.getDynamicScale() && number > 0)
    result.factor =
        createF32(body, context.loc, number * llvm::numbers::log2ef);
  return result;
}
