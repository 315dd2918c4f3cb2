//===----------------------------------------------------------------------===//
// The operands that hold the symbols of a mask's set.
//===----------------------------------------------------------------------===//

#include "SymbolSource.h"

#include "stof/Scalar/EmitScalar.h"

using namespace mlir;
using namespace stof;

/// `expr` as an affine function of (batch, head); null if it is not affine.
static AffineExpr toAffine(const Expr *expr, const MaskExpr &mask,
                           MLIRContext *context) {
  if (std::optional<int64_t> value = expr->getInt())
    return getAffineConstantExpr(*value, context);
  if (expr == mask.batch)
    return getAffineDimExpr(0, context);
  if (expr == mask.head)
    return getAffineDimExpr(1, context);
  if (expr->op != ScalarOp::Linear)
    return {};
  AffineExpr sum = getAffineConstantExpr(expr->ints.back(), context);
  for (auto [operand, factor] : llvm::zip(expr->operands, expr->ints)) {
    AffineExpr term = toAffine(operand, mask, context);
    if (!term)
      return {};
    sum = sum + term * factor;
  }
  return sum;
}

std::optional<SymbolSource> stof::findSource(const MaskedAttention &attention,
                                             const Expr *symbol) {
  AttentionOp op = attention.op;
  const MaskExpr &mask = attention.mask;
  MLIRContext *ctx = op.getContext();
  const Expr *element =
      symbol->op == ScalarOp::FromInt ? symbol->operands[0] : symbol;
  if (element->op == ScalarOp::Element) {
    SmallVector<AffineExpr> position;
    for (const Expr *index : element->operands) {
      position.push_back(toAffine(index, mask, ctx));
      if (!position.back())
        return std::nullopt;
    }
    return SymbolSource{element->value,
                        AffineMap::get(/*dimCount=*/2, 0, position, ctx)};
  }
  if (attention.context.dependsOn(symbol, mask.batch) ||
      attention.context.dependsOn(symbol, mask.head))
    return std::nullopt;
  OpBuilder builder(op);
  ScalarEmitter emitter(builder, op.getLoc());
  ScalarInputs inputs;
  inputs.collect(symbol);
  // Host code supports scalars and sizes only.
  if (!inputs.tensors.empty() || !emitter.canEmit(symbol))
    return std::nullopt;
  return SymbolSource{emitter.emit(symbol), AffineMap::get(2, 0, ctx)};
}
