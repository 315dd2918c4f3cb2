//===----------------------------------------------------------------------===//
// score_mod and mask_mod of FlexAttention as expressions.
//===----------------------------------------------------------------------===//

#include "ScalarFunction.h"

#include "stof/Scalar/EmitScalar.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace stof;

const Expr *ScalarFunction::leafOf(Value value) {
  return isa<RankedTensorType>(value.getType()) ? elements.at(value, {})
                                                : elements.scalar(value);
}

bool ScalarFunction::read(Block &body, bool hasScore) {
  for (BlockArgument argument : body.getArguments()) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    bool isScalar =
        type ? type.getRank() == 0 : argument.getType().isIntOrIndexOrFloat();
    if (!isScalar || !getElementTypeOrSelf(argument).isIntOrIndexOrFloat())
      return false;
  }
  // Blocks of unregistered operations are not verified: they may be empty or
  // lack a proper terminator.
  if (!body.mightHaveTerminator())
    return false;
  Operation *end = body.getTerminator();
  if (end->getNumOperands() != 1 || end->getNumResults() != 0)
    return false;
  auto resultType = dyn_cast<RankedTensorType>(end->getOperand(0).getType());
  if (resultType && resultType.getRank() != 0)
    return false;
  result = leafOf(end->getOperand(0));
  const Expr *unknown =
      context.other(context.getIndexType(),
                    StringAttr::get(context.getContext(), "extent"), {}, {});
  ExprMap map;
  for (BlockArgument argument : body.getArguments().drop_front(hasScore)) {
    const Expr *leaf = leafOf(argument);
    if (!leaf->type.isIntOrIndex())
      return false;
    coordinates.push_back(context.variable(unknown));
    map[leaf->isIndex() ? leaf : context.fromInt(leaf)] = coordinates.back();
  }
  if (hasScore) {
    score = leafOf(body.getArgument(0));
    if (!score->isFloat())
      return false;
  }
  result = context.substitute(result, map);
  // The function must not read anything but the score and constant tables.
  bool closed = hasScore ? result->isFloat() : result->isPredicate();
  walkExpr(result, [&](const Expr *expr) {
    bool isTable = expr->op == ScalarOp::Element &&
                   expr->value.getDefiningOp<arith::ConstantOp>();
    bool isLeaf = expr->op == ScalarOp::Element ||
                  expr->op == ScalarOp::Scalar ||
                  expr->op == ScalarOp::Extent || expr->op == ScalarOp::Reduce;
    closed &= !isLeaf || expr == score || isTable;
  });
  return closed;
}

Value ScalarFunction::emit(OpBuilder &builder, Location loc, Value scoreValue,
                           ValueRange coordinateValues) {
  ScalarEmitter emitter(builder, loc);
  if (score) {
    Value given = scoreValue;
    if (given.getType() != score->type)
      given =
          score->type.getIntOrFloatBitWidth() > 32
              ? Value(arith::ExtFOp::create(builder, loc, score->type, given))
              : Value(
                    arith::TruncFOp::create(builder, loc, score->type, given));
    emitter.bind(score, given);
  }
  for (auto [variable, value] : llvm::zip(coordinates, coordinateValues))
    emitter.bind(variable, value);
  Value value = emitter.emit(result);
  if (!score || value.getType() == builder.getF32Type())
    return value;
  Type real = builder.getF32Type();
  if (value.getType().getIntOrFloatBitWidth() > 32)
    return arith::TruncFOp::create(builder, loc, real, value);
  return arith::ExtFOp::create(builder, loc, real, value);
}
