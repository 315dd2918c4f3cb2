//===----------------------------------------------------------------------===//
// Expressions of sizes, computed as far as they are known.
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

/// The value of `op` on integers; none on overflow or a divisor that is not
/// positive, which the runtime then reports.
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

SizeExpr SizeExpr::get(Operator op, const SizeExpr &lhs, const SizeExpr &rhs) {
  std::optional<int64_t> left = lhs.constant(), right = rhs.constant();
  if (left && right)
    if (std::optional<int64_t> value = compute(op, *left, *right))
      return SizeExpr(*value);

  bool divides = op == Operator::floorDivide || op == Operator::ceilDivide;
  if ((op == Operator::add && left == 0) ||
      (op == Operator::multiply && left == 1) ||
      (op == Operator::both && left && *left != 0))
    return rhs;
  if (((op == Operator::add || op == Operator::subtract) && right == 0) ||
      ((op == Operator::multiply || divides) && right == 1))
    return lhs;
  if (lhs == rhs && (op == Operator::minimum || op == Operator::maximum))
    return lhs;
  if (lhs == rhs && (op == Operator::equal || op == Operator::lessOrEqual))
    return SizeExpr(1);
  if (lhs == rhs && op == Operator::subtract)
    return SizeExpr(0);
  return SizeExpr(
      llvm::json::Value(llvm::json::Array{spell(op), lhs.json, rhs.json}));
}
