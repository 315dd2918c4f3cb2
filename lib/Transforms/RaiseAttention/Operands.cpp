//===----------------------------------------------------------------------===//
// Queries, keys and values as tensors of batch, head, position and feature.
//===----------------------------------------------------------------------===//

#include "Operands.h"

#include "stof/Scalar/EmitScalar.h"

using namespace mlir;
using namespace stof;

//===----------------------------------------------------------------------===//
// Peeling
//===----------------------------------------------------------------------===//

/// Matches `expr` as an element times a factor; null on failure.
static const Expr *matchScaled(const Expr *expr, bool scaled, double &factor) {
  while (expr->op != ScalarOp::Element) {
    if (expr->op == ScalarOp::Cast &&
        expr->type.getIntOrFloatBitWidth() >
            expr->operands[0]->type.getIntOrFloatBitWidth()) {
      expr = expr->operands[0];
      continue;
    }
    bool product = expr->op == ScalarOp::MulF,
         quotient = expr->op == ScalarOp::DivF;
    if (!scaled || (!product && !quotient))
      return nullptr;
    unsigned constant = expr->operands[1]->getFloat() ? 1 : 0;
    std::optional<APFloat> value = expr->operands[constant]->getFloat();
    if (!value || !value->isFiniteNonZero() || (quotient && constant == 0))
      return nullptr;
    bool inexact;
    value->convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                   &inexact);
    double number = value->convertToDouble();
    factor *= product ? number : 1 / number;
    expr = expr->operands[1 - constant];
  }
  return expr;
}

SmallVector<OperandStage> stof::peelOperand(TensorElement &elements,
                                            const Expr *element, bool scaled) {
  constexpr unsigned maxStages = 64;
  SmallVector<OperandStage> stages{{element, 1}};
  while (stages.size() < maxStages) {
    OperandStage next = stages.back();
    const Expr *made = elements.step(next.element);
    if (!made || !made->isFloat())
      break;
    made = matchScaled(made, scaled, next.factor);
    if (!made || !made->isFloat() || made == next.element)
      break;
    next.element = made;
    stages.push_back(next);
  }
  return stages;
}

//===----------------------------------------------------------------------===//
// Choosing and building
//===----------------------------------------------------------------------===//

/// Whether an element depends on no dim factors other than those of `groups`.
static bool isOfGroups(const Expr *element, ArrayRef<DimFactors> groups) {
  bool isKnown = true;
  walkExpr(element, [&](const Expr *expr) {
    isKnown &= expr->op != ScalarOp::Variable ||
               llvm::any_of(groups, [&](const DimFactors &group) {
                 return llvm::is_contained(group, expr);
               });
  });
  return isKnown;
}

OperandPlan stof::planOperand(ExprContext &context, TensorElement &elements,
                              ArrayRef<OperandStage> stages,
                              ArrayRef<DimFactors> groups, Type type) {
  const OperandStage &last = stages.back();
  auto isEligible = [&](const OperandStage &stage, bool strict) {
    return !strict ||
           (stage.factor == last.factor && stage.element->type == type);
  };
  for (bool strict : {true, false}) {
    OperandPlan best{{nullptr, 1}, {}};
    unsigned lowest = 0;
    for (const OperandStage &stage : stages) {
      if (!isEligible(stage, strict))
        continue;
      std::optional<SmallVector<DimFactors>> dimFactors =
          dimFactorsOf(context, elements, stage.element);
      if (!dimFactors)
        continue;
      std::optional<unsigned> cost = costOf(*dimFactors, groups);
      if (!cost || (best.stage.element && *cost >= lowest))
        continue;
      best = {stage, *dimFactors};
      lowest = *cost;
    }
    if (best.stage.element)
      return best;
  }
  // Otherwise gather from a stage of the right type, with all factors peeled,
  // that depends on no other dim factors; as a fallback, from the last stage.
  for (const OperandStage &stage : stages)
    if (isEligible(stage, /*strict=*/true) && isOfGroups(stage.element, groups))
      return {stage, {}};
  return {last, {}};
}

Value stof::castElements(OpBuilder &builder, Location loc, Value tensor,
                         Type type) {
  auto from = cast<RankedTensorType>(tensor.getType());
  if (from.getElementType() == type)
    return tensor;
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, loc, tensor);
  Value init = tensor::EmptyOp::create(builder, loc, sizes, type);
  AffineMap map = builder.getMultiDimIdentityMap(from.getRank());
  SmallVector<utils::IteratorType> loops(from.getRank(),
                                         utils::IteratorType::parallel);
  auto widen = from.getElementType().getIntOrFloatBitWidth() <
               type.getIntOrFloatBitWidth();
  return linalg::GenericOp::create(
             builder, loc, init.getType(), tensor, init,
             ArrayRef<AffineMap>{map, map}, loops,
             [&](OpBuilder &b, Location l, ValueRange args) {
               Value result =
                   widen ? Value(arith::ExtFOp::create(b, l, type, args[0]))
                         : Value(arith::TruncFOp::create(b, l, type, args[0]));
               linalg::YieldOp::create(b, l, result);
             })
      .getResult(0);
}

/// Builds a tensor by reading every element at its indices.
static Value gather(OpBuilder &builder, Location loc, ExprContext &context,
                    const Expr *element, ArrayRef<DimFactors> groups) {
  SizeEmitter sizes(builder, loc);
  SmallVector<OpFoldResult> shape;
  for (const DimFactors &group : groups)
    shape.push_back(sizes.get(sizeOf(context, group)));
  Value init = tensor::EmptyOp::create(builder, loc, shape, element->type);
  AffineMap map = builder.getMultiDimIdentityMap(groups.size());
  SmallVector<utils::IteratorType> loops(groups.size(),
                                         utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, loc, init.getType(), ValueRange{}, init, map, loops,
             [&](OpBuilder &b, Location l, ValueRange) {
               ScalarEmitter emitter(b, l);
               ExprMap dimFactors;
               for (auto [dim, group] : llvm::enumerate(groups)) {
                 const Expr *number = context.variable(sizeOf(context, group));
                 emitter.bind(number, linalg::IndexOp::create(b, l, dim));
                 for (const Expr *dimFactor : llvm::reverse(group)) {
                   const Expr *size = dimFactor->operands[0];
                   dimFactors[dimFactor] = dimFactor == group.front()
                                               ? number
                                               : context.mod(number, size);
                   number = context.floorDiv(number, size);
                 }
               }
               const Expr *read = context.substitute(element, dimFactors);
               linalg::YieldOp::create(b, l, emitter.emit(read));
             })
      .getResult(0);
}

Value stof::buildOperand(OpBuilder &builder, Location loc, ExprContext &context,
                         const OperandPlan &plan, ArrayRef<DimFactors> groups,
                         Type type) {
  Value tensor =
      plan.dimFactors.empty()
          ? gather(builder, loc, context, plan.stage.element, groups)
          : rearrange(builder, loc, context, plan.stage.element->value,
                      plan.dimFactors, groups);
  return castElements(builder, loc, tensor, type);
}
