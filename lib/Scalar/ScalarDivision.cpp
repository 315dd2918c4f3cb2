//===----------------------------------------------------------------------===//
// Scalar expressions: division and modulo. Index arithmetic that undoes itself
// (a dimension collapsed, then expanded) folds; ranges decide the rest.
//===----------------------------------------------------------------------===//

#include "IntegerSums.h"
#include "stof/Scalar/ScalarFunctions.h"

#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace stof;

//===----------------------------------------------------------------------===//
// Division
//===----------------------------------------------------------------------===//

/// `expr / factor` if `factor` is a factor of the product `expr`, else null.
static const Expr *cancel(ExprContext &context, const Expr *expr,
                          const Expr *factor, unsigned depth = 0) {
  constexpr unsigned deepest = 8;
  if (expr == factor)
    return context.integer(1);
  if (expr->op != ScalarOp::MulI || depth > deepest)
    return nullptr;
  for (unsigned side : {0, 1})
    if (const Expr *quotient =
            cancel(context, expr->operands[side], factor, depth + 1))
      return context.mul(quotient, expr->operands[1 - side]);
  return nullptr;
}

/// Splits `expr` into `multiple * divisor + rest` for a divisor that is not a
/// constant; false if 0 <= rest < divisor cannot be proved.
static bool splitBySize(ExprContext &context, const Expr *expr,
                        const Expr *divisor, const Expr *&multiple,
                        const Expr *&rest) {
  Sum sum = Sum::of(expr), left;
  left.constant = sum.constant;
  multiple = context.integer(0);
  // A divisor with a constant factor, such as 4 * s.
  const Expr *symbol = divisor;
  int64_t scale = 1;
  if (divisor->op == ScalarOp::Linear && divisor->operands.size() == 1 &&
      divisor->ints.back() == 0 && divisor->ints[0] > 0) {
    symbol = divisor->operands[0];
    scale = divisor->ints[0];
  }
  for (auto [term, factor] : sum.terms) {
    const Expr *quotient = cancel(context, term, symbol);
    if (quotient && factor % scale == 0)
      multiple = context.linear({multiple, quotient}, {1, factor / scale}, 0);
    else
      left.terms.push_back({term, factor});
  }
  rest = left.build(context);
  if (rest->getInt() == 0 && divisor->lo > 0)
    return true;
  if (rest->getInt() == 0 && multiple->getInt() != 0)
    return true; // Division by a size of zero is undefined.
  return (rest->op == ScalarOp::Variable || rest->op == ScalarOp::Bound) &&
         rest->operands[0] == divisor;
}

/// Splits `expr` into `scale * outer + inner` with 0 <= inner < scale, for the
/// largest scale that divides `divisor`; false if none was found.
static bool splitByFactor(ExprContext &context, const Expr *expr,
                          int64_t divisor, int64_t &scale, const Expr *&outer,
                          const Expr *&inner) {
  Sum sum = Sum::of(expr);
  SmallVector<int64_t> scales;
  for (auto [term, factor] : sum.terms)
    if (int64_t size = std::gcd(factor, divisor); size > 1)
      scales.push_back(size);
  llvm::sort(scales, std::greater<>());
  for (int64_t candidate : scales) {
    Sum high, low;
    for (auto [term, factor] : sum.terms)
      if (factor % candidate == 0)
        high.terms.push_back({term, factor / candidate});
      else
        low.terms.push_back({term, factor});
    int64_t remainder = llvm::mod(sum.constant, candidate);
    low.constant = remainder;
    high.constant = (sum.constant - remainder) / candidate;
    inner = low.build(context);
    if (inner->lo < 0 || inner->hi >= candidate)
      continue;
    scale = candidate;
    outer = high.build(context);
    return true;
  }
  return false;
}

const Expr *ExprContext::floorDiv(const Expr *lhs, const Expr *rhs) {
  std::optional<int64_t> divisor = rhs->getInt();
  if (!divisor) {
    const Expr *multiple, *rest;
    if (splitBySize(*this, lhs, rhs, multiple, rest))
      return multiple;
    return unique(ScalarOp::FloorDiv, indexType, {lhs, rhs});
  }
  if (*divisor == 1)
    return lhs;
  bool known = IntegerRange::of(lhs).isKnown();
  if (*divisor <= 0 || !known)
    return unique(ScalarOp::FloorDiv, indexType, {lhs, rhs});
  if (int64_t first = llvm::divideFloorSigned(lhs->lo, *divisor);
      first == llvm::divideFloorSigned(lhs->hi, *divisor))
    return integer(first);
  if (lhs->op == ScalarOp::FloorDiv)
    if (std::optional<int64_t> inner = lhs->operands[1]->getInt();
        inner && *inner > 0 && fits(Wide(*inner) * *divisor))
      return floorDiv(lhs->operands[0], integer(*inner * *divisor));
  if (lhs->op == ScalarOp::Mod)
    if (std::optional<int64_t> inner = lhs->operands[1]->getInt();
        inner && *inner > 0 && *inner % *divisor == 0)
      return mod(floorDiv(lhs->operands[0], rhs), integer(*inner / *divisor));

  int64_t scale;
  const Expr *outer, *inner;
  if (splitByFactor(*this, lhs, *divisor, scale, outer, inner)) {
    if (scale == *divisor)
      return outer;
    return floorDiv(outer, integer(*divisor / scale));
  }
  // Multiples of the divisor are moved out of the division.
  Sum sum = Sum::of(lhs), out, left;
  for (auto [term, factor] : sum.terms)
    (factor % *divisor == 0 ? out : left)
        .terms.push_back(
            {term, factor % *divisor == 0 ? factor / *divisor : factor});
  left.constant = llvm::mod(sum.constant, *divisor);
  out.constant = (sum.constant - left.constant) / *divisor;
  if (!out.terms.empty() || out.constant != 0)
    return add(out.build(*this), floorDiv(left.build(*this), rhs));
  return unique(ScalarOp::FloorDiv, indexType, {lhs, rhs});
}

const Expr *ExprContext::mod(const Expr *lhs, const Expr *rhs) {
  std::optional<int64_t> divisor = rhs->getInt();
  if (!divisor) {
    const Expr *multiple, *rest;
    if (splitBySize(*this, lhs, rhs, multiple, rest))
      return rest;
    return unique(ScalarOp::Mod, indexType, {lhs, rhs});
  }
  bool known = IntegerRange::of(lhs).isKnown();
  if (*divisor <= 0)
    return unique(ScalarOp::Mod, indexType, {lhs, rhs});
  if (*divisor == 1)
    return integer(0);
  if (!known)
    return unique(ScalarOp::Mod, indexType, {lhs, rhs});
  if (lhs->lo >= 0 && lhs->hi < *divisor)
    return lhs;
  if (lhs->op == ScalarOp::Mod)
    if (std::optional<int64_t> inner = lhs->operands[1]->getInt();
        inner && *inner > 0 && *inner % *divisor == 0)
      return mod(lhs->operands[0], rhs);

  int64_t scale;
  const Expr *outer, *inner;
  if (splitByFactor(*this, lhs, *divisor, scale, outer, inner)) {
    if (scale == *divisor)
      return inner;
    return linear({mod(outer, integer(*divisor / scale)), inner}, {scale, 1},
                  0);
  }
  Sum sum = Sum::of(lhs), left;
  for (auto [term, factor] : sum.terms)
    if (factor % *divisor != 0)
      left.terms.push_back({term, factor});
  left.constant = llvm::mod(sum.constant, *divisor);
  const Expr *reduced = left.build(*this);
  if (reduced != lhs)
    return mod(reduced, rhs);
  return unique(ScalarOp::Mod, indexType, {lhs, rhs});
}

const Expr *ExprContext::divS(const Expr *lhs, const Expr *rhs) {
  if (lhs->lo >= 0 && rhs->lo >= 0)
    return floorDiv(lhs, rhs);
  if (std::optional<int64_t> a = lhs->getInt(), b = rhs->getInt(); a && b)
    if (std::optional<int64_t> quotient =
            evaluateInteger(ScalarOp::DivS, {*a, *b}))
      return integer(*quotient);
  return unique(ScalarOp::DivS, indexType, {lhs, rhs});
}

const Expr *ExprContext::remS(const Expr *lhs, const Expr *rhs) {
  if (lhs->lo >= 0 && rhs->lo >= 0)
    return mod(lhs, rhs);
  if (std::optional<int64_t> a = lhs->getInt(), b = rhs->getInt(); a && b)
    if (std::optional<int64_t> remainder =
            evaluateInteger(ScalarOp::RemS, {*a, *b}))
      return integer(*remainder);
  return unique(ScalarOp::RemS, indexType, {lhs, rhs});
}
