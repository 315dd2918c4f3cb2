//===----------------------------------------------------------------------===//
// Construction and folding of size expressions.
//===----------------------------------------------------------------------===//

#include "stof/Target/SizeExpr.h"

#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace stof;
using Operator = SizeExpr::Operator;

static llvm::StringRef spell(Operator op) {
  switch (op) {
  case Operator::add:
    return "+";
  case Operator::subtract:
    return "-";
  case Operator::multiply:
    return "*";
  case Operator::floorDivide:
    return "floordiv";
  case Operator::ceilDivide:
    return "ceildiv";
  case Operator::modulo:
    return "mod";
  case Operator::minimum:
    return "min";
  case Operator::maximum:
    return "max";
  case Operator::equal:
    return "==";
  case Operator::lessOrEqual:
    return "<=";
  case Operator::both:
    return "and";
  }
  llvm_unreachable("all operators are spelled");
}

/// The value of `op` on integers; none on overflow or a non-positive divisor,
/// which is left to the runtime to report.
static std::optional<int64_t> compute(Operator op, int64_t lhs, int64_t rhs) {
  switch (op) {
  case Operator::add:
    return llvm::checkedAdd(lhs, rhs);
  case Operator::subtract:
    return llvm::checkedSub(lhs, rhs);
  case Operator::multiply:
    return llvm::checkedMul(lhs, rhs);
  case Operator::floorDivide:
  case Operator::ceilDivide:
  case Operator::modulo:
    if (rhs <= 0)
      return std::nullopt;
    if (op == Operator::floorDivide)
      return llvm::divideFloorSigned(lhs, rhs);
    return op == Operator::ceilDivide ? llvm::divideCeilSigned(lhs, rhs)
                                      : llvm::mod(lhs, rhs);
  case Operator::minimum:
    return std::min(lhs, rhs);
  case Operator::maximum:
    return std::max(lhs, rhs);
  case Operator::equal:
    return lhs == rhs;
  case Operator::lessOrEqual:
    return lhs <= rhs;
  case Operator::both:
    return lhs != 0 && rhs != 0;
  }
  llvm_unreachable("all operators are computed");
}

SizeExpr SizeExpr::symbol(llvm::StringRef name) {
  return SizeExpr(llvm::json::Value(name.str()));
}

/// The operands of `value` if it is a multiplication by a constant.
static std::optional<std::pair<SizeExpr, int64_t>>
matchMultiple(const SizeExpr &value) {
  std::optional<SizeExpr> lhs = value.operand(Operator::multiply, 0),
                          rhs = value.operand(Operator::multiply, 1);
  if (!rhs || !rhs->constant())
    return std::nullopt;
  return std::pair(*lhs, *rhs->constant());
}

/// Whether `value` is non-negative: symbols are sizes, so only subtractions can
/// be negative.
static bool isNonNegative(const llvm::json::Value &value) {
  if (std::optional<int64_t> constant = value.getAsInteger())
    return *constant >= 0;
  const llvm::json::Array *array = value.getAsArray();
  if (!array)
    return true;
  llvm::StringRef op = *(*array)[0].getAsString();
  if (op == spell(Operator::equal) || op == spell(Operator::lessOrEqual) ||
      op == spell(Operator::both))
    return true;
  if (op == spell(Operator::modulo))
    return true;
  if (op == spell(Operator::subtract))
    return false;
  bool lhs = isNonNegative((*array)[1]), rhs = isNonNegative((*array)[2]);
  return op == spell(Operator::maximum) ? lhs || rhs : lhs && rhs;
}

/// Folds `lhs op rhs` with a constant right side.
static std::optional<SizeExpr> simplifyRight(Operator op, const SizeExpr &lhs,
                                             int64_t rhs) {
  switch (op) {
  case Operator::add:
  case Operator::subtract:
    if (rhs == 0)
      return lhs;
    return std::nullopt;
  case Operator::multiply: {
    if (rhs == 0 || rhs == 1)
      return rhs == 0 ? SizeExpr(0) : lhs;
    auto multiple = matchMultiple(lhs);
    if (!multiple)
      return std::nullopt;
    std::optional<int64_t> factor = llvm::checkedMul(multiple->second, rhs);
    if (!factor)
      return std::nullopt;
    return multiple->first * SizeExpr(*factor);
  }
  case Operator::floorDivide:
  case Operator::ceilDivide: {
    if (rhs == 1)
      return lhs;
    auto multiple = matchMultiple(lhs);
    if (!multiple || rhs <= 0 || multiple->second <= 0)
      return std::nullopt;
    if (multiple->second % rhs == 0)
      return multiple->first * SizeExpr(multiple->second / rhs);
    if (rhs % multiple->second == 0)
      return SizeExpr::get(op, multiple->first, rhs / multiple->second);
    return std::nullopt;
  }
  case Operator::maximum:
    if (rhs <= 0 && isNonNegative(lhs.toJSON()))
      return lhs;
    return std::nullopt;
  case Operator::equal:
    if (rhs < 0 && isNonNegative(lhs.toJSON()))
      return SizeExpr(0);
    return std::nullopt;
  case Operator::lessOrEqual:
    if (rhs < 0 && isNonNegative(lhs.toJSON()))
      return SizeExpr(0);
    return std::nullopt;
  case Operator::both:
    return rhs == 0 ? SizeExpr(0) : lhs;
  default:
    return std::nullopt;
  }
}

std::optional<SizeExpr> SizeExpr::operand(Operator op, unsigned index) const {
  const llvm::json::Array *array = json.getAsArray();
  if (!array || (*array)[0].getAsString() != spell(op))
    return std::nullopt;
  return SizeExpr((*array)[1 + index]);
}

SizeExpr SizeExpr::get(Operator op, const SizeExpr &lhs, const SizeExpr &rhs) {
  std::optional<int64_t> left = lhs.constant(), right = rhs.constant();
  if (left && right)
    if (std::optional<int64_t> value = compute(op, *left, *right))
      return SizeExpr(*value);

  // Canonical form: the constant of a commutative operator is on the right.
  bool commutes = op == Operator::add || op == Operator::multiply ||
                  op == Operator::minimum || op == Operator::maximum ||
                  op == Operator::equal || op == Operator::both;
  if (left && !right && commutes)
    return get(op, rhs, lhs);
  if (right)
    if (std::optional<SizeExpr> simple = simplifyRight(op, lhs, *right))
      return *simple;
  if (left && *left <= 0 && op == Operator::lessOrEqual &&
      isNonNegative(rhs.json))
    return SizeExpr(1);

  if (lhs == rhs && (op == Operator::minimum || op == Operator::maximum))
    return lhs;
  if (lhs == rhs && (op == Operator::equal || op == Operator::lessOrEqual))
    return SizeExpr(1);
  if (lhs == rhs && op == Operator::subtract)
    return SizeExpr(0);
  return SizeExpr(
      llvm::json::Value(llvm::json::Array{spell(op), lhs.json, rhs.json}));
}
