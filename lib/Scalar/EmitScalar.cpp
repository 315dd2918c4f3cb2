//===----------------------------------------------------------------------===//
// Emits scalar expressions as operations, operands first.
//===----------------------------------------------------------------------===//

#include "stof/Scalar/EmitScalar.h"

#include "stof/Scalar/ScalarVisitor.h"

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
  SmallVector<const Expr *> open{root};
  DenseSet<const Expr *> seen;
  while (!open.empty()) {
    const Expr *expr = open.pop_back_val();
    if (known.contains(expr) || !seen.insert(expr).second)
      continue;
    if (expr->op == ScalarOp::Variable || expr->op == ScalarOp::Bound ||
        expr->op == ScalarOp::Reduce)
      return false;
    llvm::append_range(open, expr->operands);
  }
  return true;
}

/// Emits a node whose operands are emitted.
class ScalarEmitter::NodeEmitter : public ScalarVisitor<NodeEmitter, Value> {
public:
  explicit NodeEmitter(ScalarEmitter &emitter)
      : emitter(emitter), builder(emitter.builder), loc(emitter.loc) {}

  Value visitExpr(const Expr *) {
    llvm_unreachable("canEmit excludes variables that are not bound");
  }

  // Leaves.
  Value visitConstant(const Expr *expr);
  Value visitScalar(const Expr *expr) { return expr->value; }
  Value visitExtent(const Expr *expr) {
    return tensor::DimOp::create(builder, loc, expr->value, expr->ints[0]);
  }
  Value visitElement(const Expr *expr);

  // What one operation computes.
#define STOF_SCALAR_CREATE(Name, Arity, Operation)                             \
  Value visit##Name(const Expr *expr) {                                        \
    return create<Operation>(expr, std::make_index_sequence<Arity>());         \
  }
#define STOF_SCALAR_INTEGER_OP(Name, Mnemonic, Arity, Property, Make,          \
                               Operation)                                      \
  STOF_SCALAR_CREATE(Name, Arity, Operation)
#define STOF_SCALAR_LOGIC(Name, Mnemonic, Property, Make, Operation)           \
  STOF_SCALAR_CREATE(Name, 2, Operation)
#define STOF_SCALAR_FLOAT(Name, Mnemonic, Arity, Property, Operation)          \
  STOF_SCALAR_CREATE(Name, Arity, Operation)
#include "stof/Scalar/ScalarOps.def"
#undef STOF_SCALAR_CREATE

  // What several operations compute, or one of several.
  Value visitLinear(const Expr *expr);
  Value visitMod(const Expr *expr);
  Value visitFromInt(const Expr *expr) {
    return arith::IndexCastOp::create(builder, loc, getType(expr),
                                      operand(expr, 0));
  }
  Value visitFromUInt(const Expr *expr) {
    return arith::IndexCastUIOp::create(builder, loc, getType(expr),
                                        operand(expr, 0));
  }
  Value visitCmpI(const Expr *expr);
  Value visitCmpF(const Expr *expr) {
    return arith::CmpFOp::create(builder, loc, expr->getFloatPredicate(),
                                 operand(expr, 0), operand(expr, 1));
  }
  Value visitSelect(const Expr *expr) {
    return arith::SelectOp::create(builder, loc, operand(expr, 0),
                                   operand(expr, 1), operand(expr, 2));
  }
  Value visitCast(const Expr *expr) {
    return emitCast(operand(expr, 0), getType(expr));
  }
  Value visitIToF(const Expr *expr);
  Value visitFToI(const Expr *expr);
  Value visitOther(const Expr *expr);

private:
  template <typename Operation, size_t... Numbers>
  Value create(const Expr *expr, std::index_sequence<Numbers...>) {
    return Operation::create(builder, loc, operand(expr, Numbers)...);
  }
  Value get(const Expr *expr) { return emitter.known.lookup(expr); }
  Value operand(const Expr *expr, unsigned number) {
    return get(expr->operands[number]);
  }
  Type getType(const Expr *expr) const;
  Value emitCast(Value value, Type type);

  ScalarEmitter &emitter;
  OpBuilder &builder;
  Location loc;
};

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
    known[expr] = NodeEmitter(*this).visit(expr);
    stack.pop_back();
  }
  return known[root];
}

Type ScalarEmitter::NodeEmitter::getType(const Expr *expr) const {
  return isa<Float128Type>(expr->type) ? Type(builder.getF32Type())
                                       : expr->type;
}

Value ScalarEmitter::NodeEmitter::visitConstant(const Expr *expr) {
  Type type = getType(expr);
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

Value ScalarEmitter::NodeEmitter::visitElement(const Expr *expr) {
  Value source = emitter.tensors.lookup(expr->value);
  SmallVector<Value> indices;
  for (const Expr *index : expr->operands)
    indices.push_back(emitCast(get(index), builder.getIndexType()));
  return tensor::ExtractOp::create(builder, loc, source ? source : expr->value,
                                   indices);
}

/// Casts between integer types and index, or between float types.
Value ScalarEmitter::NodeEmitter::emitCast(Value value, Type type) {
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

Value ScalarEmitter::NodeEmitter::visitLinear(const Expr *expr) {
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
  assert(sum && "a sum has terms");
  if (rest > 0)
    sum = arith::AddIOp::create(builder, loc, sum, constant(rest));
  else if (rest < 0)
    sum = arith::SubIOp::create(builder, loc, sum, constant(-rest));
  return sum;
}

Value ScalarEmitter::NodeEmitter::visitMod(const Expr *expr) {
  Value dividend = operand(expr, 0), divisor = operand(expr, 1);
  if (expr->operands[0]->lo >= 0)
    return arith::RemSIOp::create(builder, loc, dividend, divisor);
  Value quotient = arith::FloorDivSIOp::create(builder, loc, dividend, divisor);
  Value multiple = arith::MulIOp::create(builder, loc, quotient, divisor);
  return arith::SubIOp::create(builder, loc, dividend, multiple);
}

Value ScalarEmitter::NodeEmitter::visitCmpI(const Expr *expr) {
  Value lhs = get(expr->operands[0]), rhs = get(expr->operands[1]);
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
    if (known && llvm::isIntN(width, *known)) {
      Value constant = arith::ConstantOp::create(
          builder, loc, builder.getIntegerAttr(type, *known));
      lhs = a ? a : constant;
      rhs = a ? constant : b;
    }
  }
  return arith::CmpIOp::create(builder, loc, expr->getIntPredicate(), lhs, rhs);
}

Value ScalarEmitter::NodeEmitter::visitIToF(const Expr *expr) {
  Value integer = arith::IndexCastOp::create(builder, loc, builder.getI64Type(),
                                             operand(expr, 0));
  return arith::SIToFPOp::create(builder, loc, getType(expr), integer);
}

Value ScalarEmitter::NodeEmitter::visitFToI(const Expr *expr) {
  Value integer = arith::FPToSIOp::create(builder, loc, builder.getI64Type(),
                                          operand(expr, 0));
  return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                    integer);
}

Value ScalarEmitter::NodeEmitter::visitOther(const Expr *expr) {
  NamedAttrList attributes(expr->getAttributes());
  auto checkLoc =
      dyn_cast_if_present<LocationAttr>(attributes.erase(checkLocationName));
  OperationState state(checkLoc ? Location(checkLoc) : loc,
                       expr->getName().getValue());
  state.addAttributes(attributes);
  state.addTypes(getType(expr));
  for (const Expr *operand : expr->operands)
    state.addOperands(get(operand));
  return builder.create(state)->getResult(0);
}
