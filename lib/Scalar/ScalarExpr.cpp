//===----------------------------------------------------------------------===//
// Scalar expressions: identity, leaves, reductions and printing.
//===----------------------------------------------------------------------===//

#include "stof/Scalar/ScalarExpr.h"

#include "stof/Scalar/ScalarFunctions.h"
#include "stof/Scalar/ScalarRange.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace stof;

/// Sizes of dimensions are assumed not to exceed this, as is usual for code
/// that computes indices in 32 bits.
static constexpr int64_t largestExtent = (int64_t(1) << 31) - 1;

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

arith::CmpIPredicate Expr::getIntPredicate() const {
  assert(op == ScalarOp::CmpI && "expects a comparison of integers");
  return static_cast<arith::CmpIPredicate>(
      mlir::cast<IntegerAttr>(attr).getInt());
}

arith::CmpFPredicate Expr::getFloatPredicate() const {
  assert(op == ScalarOp::CmpF && "expects a comparison of floats");
  return static_cast<arith::CmpFPredicate>(
      mlir::cast<IntegerAttr>(attr).getInt());
}

std::optional<int64_t> Expr::getInt() const {
  if (op != ScalarOp::Constant || !isIndex())
    return std::nullopt;
  return mlir::cast<IntegerAttr>(attr).getInt();
}

std::optional<bool> Expr::getBool() const {
  if (op != ScalarOp::Constant || !isPredicate())
    return std::nullopt;
  return !mlir::cast<IntegerAttr>(attr).getValue().isZero();
}

std::optional<APFloat> Expr::getFloat() const {
  if (op != ScalarOp::Constant || !isFloat())
    return std::nullopt;
  return cast<FloatAttr>(attr).getValue();
}

StringAttr Expr::getName() const {
  return mlir::cast<StringAttr>(mlir::cast<ArrayAttr>(attr)[0]);
}

DictionaryAttr Expr::getAttributes() const {
  return mlir::cast<DictionaryAttr>(mlir::cast<ArrayAttr>(attr)[1]);
}

bool Expr::isFloatValue(double expected) const {
  std::optional<APFloat> known = getFloat();
  if (!known)
    return false;
  bool inexact;
  APFloat value = *known;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &inexact);
  return value.convertToDouble() == expected;
}

static bool isOfKind(Type type, ScalarKind kind) {
  switch (kind) {
  case ScalarKind::Index:
    return type.isIndex();
  case ScalarKind::Integer:
    return type.isIntOrIndex();
  case ScalarKind::Truth:
    return type.isInteger(1);
  case ScalarKind::Float:
    return isa<FloatType>(type);
  case ScalarKind::Any:
    return true;
  }
  llvm_unreachable("all kinds are handled");
}

bool Expr::isWellTyped() const {
  const ScalarOpInfo &info = getInfo(op);
  return operands.size() == info.arity.value_or(operands.size()) &&
         isOfKind(type, info.result) &&
         llvm::all_of(operands, [&](const Expr *operand) {
           return isOfKind(operand->type, info.operands);
         });
}

static void profile(llvm::FoldingSetNodeID &id, ScalarOp op, Type type,
                    ArrayRef<const Expr *> operands, ArrayRef<int64_t> ints,
                    Attribute attr, Value value) {
  id.AddInteger(unsigned(op));
  id.AddPointer(type.getAsOpaquePointer());
  id.AddPointer(attr.getAsOpaquePointer());
  id.AddPointer(value.getAsOpaquePointer());
  for (const Expr *operand : operands)
    id.AddPointer(operand);
  for (int64_t value : ints)
    id.AddInteger(value);
}

void Expr::Profile(llvm::FoldingSetNodeID &id) const {
  profile(id, op, type, operands, ints, attr, value);
}

ExprContext::ExprContext(MLIRContext *context)
    : context(context), indexType(IndexType::get(context)),
      boolType(IntegerType::get(context, 1)),
      realType(Float128Type::get(context)) {}

const Expr *ExprContext::unique(ScalarOp op, Type type,
                                ArrayRef<const Expr *> operands,
                                ArrayRef<int64_t> ints, Attribute attr,
                                Value value, IntegerRange range) {
  llvm::FoldingSetNodeID id;
  profile(id, op, type, operands, ints, attr, value);
  void *position;
  if (Expr *known = nodes.FindNodeOrInsertPos(id, position))
    return known;
  Expr *node = new (allocator.Allocate<Expr>()) Expr();
  node->op = op;
  node->type = type;
  node->operands = operands.copy(allocator);
  node->ints = ints.copy(allocator);
  node->attr = attr;
  node->value = value;
  node->lo = range.lo;
  node->hi = range.hi;
  node->id = nextId++;
  for (const Expr *operand : operands) {
    node->height = std::max(node->height, operand->height + 1);
    node->level = std::max(node->level, operand->level);
  }
  if (op == ScalarOp::Reduce)
    node->level = std::max(node->level, ints[1]);
  if (node->isIndex() && isIntegerFunction(node)) {
    IntegerRange inferred = inferRange(
        node, llvm::map_to_vector<4>(node->operands, IntegerRange::of));
    node->lo = inferred.lo;
    node->hi = inferred.hi;
  }
  assert(node->isWellTyped() && "operands and type fit the operation");
  nodes.InsertNode(node, position);
  return node;
}

//===----------------------------------------------------------------------===//
// Leaves
//===----------------------------------------------------------------------===//

const Expr *ExprContext::integer(int64_t value) {
  return unique(ScalarOp::Constant, indexType, {}, {},
                IntegerAttr::get(indexType, value));
}

const Expr *ExprContext::boolean(bool value) {
  return unique(ScalarOp::Constant, boolType, {}, {},
                IntegerAttr::get(boolType, value));
}

const Expr *ExprContext::real(const APFloat &value, Type type) {
  APFloat converted = value;
  bool inexact;
  converted.convert(mlir::cast<FloatType>(type).getFloatSemantics(),
                    APFloat::rmNearestTiesToEven, &inexact);
  return unique(ScalarOp::Constant, type, {}, {},
                FloatAttr::get(type, converted));
}

const Expr *ExprContext::real(double value, Type type) {
  return real(APFloat(value), type ? type : realType);
}

const Expr *ExprContext::constant(TypedAttr value) {
  Type type = value.getType();
  if (auto known = dyn_cast<FloatAttr>(value))
    return real(known.getValue(), type);
  auto known = dyn_cast<IntegerAttr>(value);
  if (!known || (!type.isIndex() && type.getIntOrFloatBitWidth() > 64))
    return nullptr;
  if (type.isInteger(1))
    return boolean(!known.getValue().isZero());
  return integer(known.getValue().getSExtValue());
}

const Expr *ExprContext::variable(const Expr *extent) {
  int64_t last = extent->hi == Expr::maxInt ? largestExtent : extent->hi;
  return unique(ScalarOp::Variable, indexType, {extent}, {nextVariable++}, {},
                {}, {0, std::max<int64_t>(last - 1, 0)});
}

const Expr *ExprContext::scalar(Value value) {
  return unique(ScalarOp::Scalar, value.getType(), {}, {}, {}, value);
}

const Expr *ExprContext::extent(Value tensor, unsigned dim) {
  auto type = mlir::cast<ShapedType>(tensor.getType());
  if (!type.isDynamicDim(dim))
    return integer(type.getDimSize(dim));
  return unique(ScalarOp::Extent, indexType, {}, {int64_t(dim)}, {}, tensor,
                {0, largestExtent});
}

const Expr *ExprContext::element(Value tensor, ArrayRef<const Expr *> indices) {
  Type type = mlir::cast<ShapedType>(tensor.getType()).getElementType();
  return unique(ScalarOp::Element, type, indices, {}, {}, tensor);
}

const Expr *ExprContext::other(Type type, StringAttr name,
                               DictionaryAttr attributes,
                               ArrayRef<const Expr *> operands) {
  Attribute attr = ArrayAttr::get(
      context, {name, attributes ? attributes : DictionaryAttr::get(context)});
  return unique(ScalarOp::Other, type, operands, {}, attr);
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

void stof::walkExpr(const Expr *root, function_ref<void(const Expr *)> visit) {
  SmallPtrSet<const Expr *, 32> seen;
  SmallVector<std::pair<const Expr *, unsigned>> stack;
  if (seen.insert(root).second)
    stack.push_back({root, 0});
  while (!stack.empty()) {
    auto &[node, next] = stack.back();
    if (next == node->operands.size()) {
      visit(node);
      stack.pop_back();
      continue;
    }
    const Expr *operand = node->operands[next++];
    if (seen.insert(operand).second)
      stack.push_back({operand, 0});
  }
}

bool ExprContext::dependsOn(const Expr *root, const Expr *variable) {
  bool found = false;
  walkExpr(root, [&](const Expr *node) { found |= node == variable; });
  return found;
}

const Expr *ExprContext::reduce(ReduceKind kind, const Expr *body,
                                ArrayRef<const Expr *> bound) {
  assert(llvm::all_of(bound,
                      [](const Expr *variable) {
                        return variable->op == ScalarOp::Variable ||
                               variable->op == ScalarOp::Bound;
                      }) &&
         "expects variables");
  // A variable of extent 1 is 0.
  ExprMap single;
  SmallVector<const Expr *> left;
  for (const Expr *variable : bound)
    if (variable->operands[0]->getInt() == 1)
      single[variable] = integer(0);
    else
      left.push_back(variable);
  if (!single.empty())
    body = substitute(body, single);
  if (left.empty())
    return body;

  // An idempotent reduction of an invariant body over at least one value is
  // the body.
  bool idempotent = kind != ReduceKind::Add && kind != ReduceKind::Mul;
  bool nonEmpty = llvm::all_of(
      left, [](const Expr *variable) { return variable->operands[0]->lo > 0; });
  bool depends = llvm::any_of(
      left, [&](const Expr *variable) { return dependsOn(body, variable); });
  if (idempotent && nonEmpty && !depends)
    return body;

  // Bound variables are named by the number of reductions nested inside, which
  // makes equal reductions one node.
  int64_t level = body->level + 1;
  ExprMap renamed;
  SmallVector<const Expr *> operands{nullptr};
  for (const auto &[position, variable] : llvm::enumerate(left)) {
    const Expr *name =
        unique(ScalarOp::Bound, indexType, {variable->operands[0]},
               {level, int64_t(position)}, {}, {}, IntegerRange::of(variable));
    renamed[variable] = name;
    operands.push_back(name);
  }
  operands[0] = substitute(body, renamed);
  return unique(ScalarOp::Reduce, body->type, operands, {int64_t(kind), level});
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

llvm::raw_ostream &stof::operator<<(llvm::raw_ostream &os, const Expr &expr) {
  if (expr.op == ScalarOp::Constant)
    return os << expr.attr;
  os << getInfo(expr.op).mnemonic;
  if (!expr.ints.empty()) {
    os << '<';
    llvm::interleaveComma(expr.ints, os);
    os << '>';
  }
  if (expr.attr && expr.op == ScalarOp::Other)
    os << expr.attr;
  else if (expr.attr)
    os << '{' << mlir::cast<IntegerAttr>(expr.attr).getInt() << '}';
  if (expr.op == ScalarOp::Cast)
    os << ':' << expr.type;
  if (expr.op == ScalarOp::Variable || expr.op == ScalarOp::Bound ||
      expr.operands.empty())
    return os;
  os << '(';
  llvm::interleaveComma(expr.operands, os,
                        [&](const Expr *operand) { os << *operand; });
  return os << ')';
}
