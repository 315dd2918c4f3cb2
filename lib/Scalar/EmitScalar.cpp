//===----------------------------------------------------------------------===//
// Emits scalar expressions as operations, operands first.
//===----------------------------------------------------------------------===//

#include "stof/Scalar/EmitScalar.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace stof;

void ScalarInputs::collect(const Expr *root) {
  walkExpr(root, [&](const Expr *expr) {
    if (expr->op == ScalarOp::Element)
      tensors.insert(expr->value);
    else if (expr->op == ScalarOp::Scalar)
      scalars.insert(expr->value);
    else if (expr->op == ScalarOp::Extent)
      extents.insert(expr);
  });
}

bool ScalarEmitter::canEmit(const Expr *root) const {
  bool possible = true;
  SmallVector<const Expr *> open{root};
  DenseSet<const Expr *> seen;
  while (!open.empty() && possible) {
    const Expr *expr = open.pop_back_val();
    if (known.contains(expr) || !seen.insert(expr).second)
      continue;
    switch (expr->op) {
    case ScalarOp::Variable:
    case ScalarOp::Bound:
    case ScalarOp::Reduce:
      possible = false;
      break;
    default:
      llvm::append_range(open, expr->operands);
    }
  }
  return possible;
}

Value ScalarEmitter::emit(const Expr *root) {
  SmallVector<std::pair<const Expr *, unsigned>> stack{{root, 0}};
  while (!stack.empty()) {
    auto &[expr, next] = stack.back();
    if (known.contains(expr)) {
      stack.pop_back();
      continue;
    }
    if (next < expr->operands.size()) {
      const Expr *operand = expr->operands[next++];
      stack.push_back({operand, 0});
      continue;
    }
    known[expr] = emitNode(expr);
    stack.pop_back();
  }
  return known[root];
}

Type ScalarEmitter::getType(const Expr *expr) const {
  return isa<Float128Type>(expr->type) ? Type(builder.getF32Type())
                                       : expr->type;
}

Value ScalarEmitter::emitConstant(const Expr *expr, Type type) {
  if (auto real = dyn_cast<FloatType>(type)) {
    APFloat value = *expr->getFloat();
    bool inexact;
    value.convert(real.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                  &inexact);
    return arith::ConstantOp::create(builder, loc,
                                     builder.getFloatAttr(type, value));
  }
  return arith::ConstantOp::create(builder, loc, cast<TypedAttr>(expr->attr));
}

/// Casts between integer types and index, or between float types.
Value ScalarEmitter::emitCast(Value value, Type type) {
  Type from = value.getType();
  if (from == type)
    return value;
  if (isa<FloatType>(from) && isa<FloatType>(type)) {
    if (from.getIntOrFloatBitWidth() < type.getIntOrFloatBitWidth())
      return arith::ExtFOp::create(builder, loc, type, value);
    if (from.getIntOrFloatBitWidth() > type.getIntOrFloatBitWidth())
      return arith::TruncFOp::create(builder, loc, type, value);
    Value wide =
        arith::ExtFOp::create(builder, loc, builder.getF32Type(), value);
    return arith::TruncFOp::create(builder, loc, type, wide);
  }
  if (isa<IndexType>(from) || isa<IndexType>(type))
    return arith::IndexCastOp::create(builder, loc, type, value);
  return value;
}

Value ScalarEmitter::emitLinear(const Expr *expr) {
  Value sum;
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  // Positive terms come first, which makes the others subtractions.
  for (bool positive : {true, false}) {
    if (!positive && !sum && expr->ints.back() > 0)
      sum = constant(expr->ints.back());
    for (auto [term, factor] : llvm::zip(expr->operands, expr->ints)) {
      if ((factor > 0) != positive)
        continue;
      Value value = get(term);
      if (factor != 1 && factor != -1)
        value = arith::MulIOp::create(
            builder, loc, value, constant(positive || !sum ? factor : -factor));
      else if (factor == -1 && !sum)
        value = arith::SubIOp::create(builder, loc, constant(0), value);
      if (!sum)
        sum = value;
      else if (positive)
        sum = arith::AddIOp::create(builder, loc, sum, value);
      else
        sum = arith::SubIOp::create(builder, loc, sum, value);
    }
  }
  bool spent = expr->ints.back() > 0 &&
               llvm::all_of(expr->ints.drop_back(),
                            [](int64_t factor) { return factor < 0; });
  int64_t rest = spent ? 0 : expr->ints.back();
  if (rest > 0)
    sum = arith::AddIOp::create(builder, loc, sum, constant(rest));
  else if (rest < 0)
    sum = arith::SubIOp::create(builder, loc, sum, constant(-rest));
  return sum;
}

Value ScalarEmitter::emitComparison(const Expr *expr) {
  Value lhs = get(expr->operands[0]), rhs = get(expr->operands[1]);
  if (expr->op == ScalarOp::CmpF)
    return arith::CmpFOp::create(builder, loc, expr->getFloatPredicate(), lhs,
                                 rhs);
  // Integers of the same type are compared in it, without a cast to index.
  auto typed = [&](unsigned side) -> Value {
    const Expr *operand = expr->operands[side];
    return operand->op == ScalarOp::FromInt ? get(operand->operands[0])
                                            : Value();
  };
  Value a = typed(0), b = typed(1);
  if (a && b && a.getType() == b.getType()) {
    lhs = a, rhs = b;
  } else if (a || b) {
    Type type = (a ? a : b).getType();
    std::optional<int64_t> known = expr->operands[a ? 1 : 0]->getInt();
    unsigned width = type.getIntOrFloatBitWidth();
    if (known && (width >= 64 || llvm::isIntN(width, *known))) {
      Value constant = arith::ConstantOp::create(
          builder, loc, builder.getIntegerAttr(type, *known));
      lhs = a ? a : constant;
      rhs = a ? constant : b;
    }
  }
  return arith::CmpIOp::create(builder, loc, expr->getIntPredicate(), lhs, rhs);
}

Value ScalarEmitter::emitOther(const Expr *expr) {
  auto parts = cast<ArrayAttr>(expr->attr);
  NamedAttrList attributes(cast<DictionaryAttr>(parts[1]));
  auto checkLoc =
      dyn_cast_if_present<LocationAttr>(attributes.erase(checkLocationName));
  OperationState state(checkLoc ? Location(checkLoc) : loc,
                       cast<StringAttr>(parts[0]).getValue());
  state.addAttributes(attributes);
  state.addTypes(getType(expr));
  for (const Expr *operand : expr->operands)
    state.addOperands(get(operand));
  return builder.create(state)->getResult(0);
}

Value ScalarEmitter::emitNode(const Expr *expr) {
  Type type = getType(expr);
  auto operand = [&](unsigned i) { return get(expr->operands[i]); };
  auto unary = [&](auto tag) -> Value {
    return decltype(tag)::create(builder, loc, operand(0));
  };
  auto binary = [&](auto tag) -> Value {
    return decltype(tag)::create(builder, loc, operand(0), operand(1));
  };
  switch (expr->op) {
  case ScalarOp::Constant:
    return emitConstant(expr, type);
  case ScalarOp::Scalar:
    return expr->value;
  case ScalarOp::Extent:
    return tensor::DimOp::create(builder, loc, expr->value, expr->ints[0]);
  case ScalarOp::Element: {
    Value source = tensors.lookup(expr->value);
    SmallVector<Value> indices;
    for (const Expr *index : expr->operands)
      indices.push_back(emitCast(get(index), builder.getIndexType()));
    return tensor::ExtractOp::create(builder, loc,
                                     source ? source : expr->value, indices);
  }
  case ScalarOp::Linear:
    return emitLinear(expr);
  case ScalarOp::MulI:
    return binary(arith::MulIOp());
  case ScalarOp::FloorDiv:
    return binary(arith::FloorDivSIOp());
  case ScalarOp::Mod: {
    if (expr->operands[0]->lo >= 0)
      return binary(arith::RemSIOp());
    Value quotient = binary(arith::FloorDivSIOp());
    Value multiple = arith::MulIOp::create(builder, loc, quotient, operand(1));
    return arith::SubIOp::create(builder, loc, operand(0), multiple);
  }
  case ScalarOp::DivS:
    return binary(arith::DivSIOp());
  case ScalarOp::RemS:
    return binary(arith::RemSIOp());
  case ScalarOp::MinI:
    return binary(arith::MinSIOp());
  case ScalarOp::MaxI:
    return binary(arith::MaxSIOp());
  case ScalarOp::AbsI:
    return unary(math::AbsIOp());
  case ScalarOp::FromInt:
    return arith::IndexCastOp::create(builder, loc, type, operand(0));
  case ScalarOp::FromUInt:
    return arith::IndexCastUIOp::create(builder, loc, type, operand(0));
  case ScalarOp::CmpI:
  case ScalarOp::CmpF:
    return emitComparison(expr);
  case ScalarOp::And:
    return binary(arith::AndIOp());
  case ScalarOp::Or:
    return binary(arith::OrIOp());
  case ScalarOp::Xor:
    return binary(arith::XOrIOp());
  case ScalarOp::Select:
    return arith::SelectOp::create(builder, loc, operand(0), operand(1),
                                   operand(2));
  case ScalarOp::AddF:
    return binary(arith::AddFOp());
  case ScalarOp::SubF:
    return binary(arith::SubFOp());
  case ScalarOp::MulF:
    return binary(arith::MulFOp());
  case ScalarOp::DivF:
    return binary(arith::DivFOp());
  case ScalarOp::MaxF:
    return binary(arith::MaximumFOp());
  case ScalarOp::MinF:
    return binary(arith::MinimumFOp());
  case ScalarOp::NegF:
    return unary(arith::NegFOp());
  case ScalarOp::AbsF:
    return unary(math::AbsFOp());
  case ScalarOp::Exp:
    return unary(math::ExpOp());
  case ScalarOp::Exp2:
    return unary(math::Exp2Op());
  case ScalarOp::Log:
    return unary(math::LogOp());
  case ScalarOp::Tanh:
    return unary(math::TanhOp());
  case ScalarOp::Floor:
    return unary(math::FloorOp());
  case ScalarOp::Cast:
    return emitCast(operand(0), type);
  case ScalarOp::IToF: {
    Value integer = arith::IndexCastOp::create(
        builder, loc, builder.getI64Type(), operand(0));
    return arith::SIToFPOp::create(builder, loc, type, integer);
  }
  case ScalarOp::FToI: {
    Value integer =
        arith::FPToSIOp::create(builder, loc, builder.getI64Type(), operand(0));
    return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                      integer);
  }
  case ScalarOp::Other:
    return emitOther(expr);
  case ScalarOp::Variable:
  case ScalarOp::Bound:
  case ScalarOp::Reduce:
    break;
  }
  llvm_unreachable("canEmit excludes variables that are not bound");
}
