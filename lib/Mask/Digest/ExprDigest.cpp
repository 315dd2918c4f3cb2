//===----------------------------------------------------------------------===//
// The canonical text of expressions.
//===----------------------------------------------------------------------===//

#include "ExprDigest.h"

#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/Support/SHA256.h"

using namespace mlir;
using namespace stof;
using arith::CmpIPredicate;

Literal stof::normalizeComparison(ExprContext &context, const Expr *expr) {
  if (expr->op != ScalarOp::CmpI)
    return {expr, false};
  const Expr *lhs = expr->operands[0], *rhs = expr->operands[1];
  auto literal = [&](CmpIPredicate predicate, bool swap, bool isNegated) {
    return Literal{context.cmpI(predicate, swap ? rhs : lhs, swap ? lhs : rhs),
                   isNegated};
  };
  switch (expr->getIntPredicate()) {
  case CmpIPredicate::eq:
  case CmpIPredicate::slt:
  case CmpIPredicate::ult:
    return {expr, false};
  case CmpIPredicate::ne:
    return literal(CmpIPredicate::eq, false, true);
  case CmpIPredicate::sge:
    return literal(CmpIPredicate::slt, false, true);
  case CmpIPredicate::sgt:
    return literal(CmpIPredicate::slt, true, false);
  case CmpIPredicate::sle:
    return literal(CmpIPredicate::slt, true, true);
  case CmpIPredicate::uge:
    return literal(CmpIPredicate::ult, false, true);
  case CmpIPredicate::ugt:
    return literal(CmpIPredicate::ult, true, false);
  case CmpIPredicate::ule:
    return literal(CmpIPredicate::ult, true, true);
  }
  llvm_unreachable("all predicates are normalised");
}

/// The hash of `text`.
static std::string shorten(StringRef text) {
  return llvm::toHex(llvm::SHA256::hash(llvm::arrayRefFromStringRef(text)),
                     /*LowerCase=*/true);
}

/// Whether the operands of `expr` can be exchanged.
static bool isSymmetric(const Expr *expr) {
  if (expr->op != ScalarOp::CmpI)
    return isCommutative(expr->op);
  return expr->getIntPredicate() == CmpIPredicate::eq ||
         expr->getIntPredicate() == CmpIPredicate::ne;
}

std::string ExprDigest::writeValue(Value value, bool numbered) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto constant = value.getDefiningOp<arith::ConstantOp>()) {
    os << constant.getType();
    auto resource = dyn_cast<DenseResourceElementsAttr>(constant.getValue());
    if (AsmResourceBlob *blob =
            resource ? resource.getRawHandle().getBlob() : nullptr)
      os << StringRef(blob->getData().data(), blob->getData().size());
    else
      os << constant.getValue();
    return shorten(text);
  }
  os << value.getType();
  if (numbered)
    os << '#' << numbers.try_emplace(value, numbers.size()).first->second;
  return text;
}

std::string ExprDigest::write(const Expr *expr, bool numbered) {
  std::string text;
  llvm::raw_string_ostream os(text);
  const std::pair<const Expr *, char> names[] = {
      {mask.batch, 'b'}, {mask.head, 'h'}, {mask.query, 'q'}, {mask.key, 'k'}};
  for (auto [coordinate, name] : names)
    if (expr == coordinate) {
      os << name;
      return text;
    }
  os << unsigned(expr->op);
  if (expr->attr)
    os << ' ' << expr->attr;
  if (expr->value)
    os << ' ' << writeValue(expr->value, numbered);
  // The terms of a sum are sorted together with their factors.
  bool isSum = expr->op == ScalarOp::Linear;
  ArrayRef<int64_t> ints = expr->ints;
  SmallVector<std::pair<std::string, unsigned>> order;
  for (auto [position, operand] : llvm::enumerate(expr->operands)) {
    std::string kind = describeKind(operand);
    if (isSum)
      kind += "*" + std::to_string(ints[position]);
    order.push_back({kind, position});
  }
  if (isSum || isSymmetric(expr))
    llvm::sort(order);
  if (isSum)
    os << ' ' << ints.back();
  else if (expr->op != ScalarOp::Variable)
    llvm::interleave(ints, os, " ");
  os << '(';
  for (const auto &[kind, position] : order) {
    os << (numbered ? describe(expr->operands[position]) : kind) << ',';
    if (isSum)
      os << ints[position] << ',';
  }
  os << ')';
  return text;
}

std::string ExprDigest::describeKind(const Expr *expr) {
  if (auto known = kinds.find(expr); known != kinds.end())
    return known->second;
  std::string kind = shorten(write(expr, /*numbered=*/false));
  kinds[expr] = kind;
  return kind;
}

std::string ExprDigest::describe(const Expr *expr) {
  if (auto known = texts.find(expr); known != texts.end())
    return known->second;
  std::string text = shorten(write(expr, /*numbered=*/true));
  texts[expr] = text;
  return text;
}
