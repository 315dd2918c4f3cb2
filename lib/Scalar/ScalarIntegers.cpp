//===----------------------------------------------------------------------===//
// Scalar expressions: integers. Sums are sorted lists of factor times term, in
// which index arithmetic that undoes itself cancels. Results have ranges, by
// which divisions and comparisons fold.
//===----------------------------------------------------------------------===//

#include "IntegerSums.h"

#include "mlir/Support/LLVM.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace stof;

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// `factor * n * (x floordiv n) + factor * (x mod n)` is `factor * x`.
static bool
joinQuotients(SmallVectorImpl<std::pair<const Expr *, int64_t>> &terms) {
  for (auto &[rest, factor] : terms) {
    if (rest->op != ScalarOp::Mod)
      continue;
    std::optional<int64_t> divisor = rest->operands[1]->getInt();
    if (!divisor || !fits(Wide(*divisor) * factor))
      continue;
    for (auto &[quotient, scaled] : terms)
      if (quotient->op == ScalarOp::FloorDiv &&
          quotient->operands[0] == rest->operands[0] &&
          quotient->operands[1] == rest->operands[1] &&
          scaled == *divisor * factor) {
        rest = rest->operands[0];
        scaled = 0;
        return true;
      }
  }
  return false;
}

const Expr *ExprContext::linear(ArrayRef<const Expr *> exprs,
                                ArrayRef<int64_t> factors, int64_t constant) {
  assert(exprs.size() == factors.size() && "expects a factor for each term");
  SmallVector<std::pair<const Expr *, int64_t>> terms;
  Wide total = constant;
  auto append = [&](const Expr *expr, int64_t factor) {
    Sum sum = Sum::of(expr);
    for (auto [term, inner] : sum.terms) {
      if (!fits(Wide(inner) * factor))
        return false;
      terms.push_back({term, inner * factor});
    }
    total += Wide(sum.constant) * factor;
    return true;
  };
  for (auto [expr, factor] : llvm::zip(exprs, factors))
    if (!append(expr, factor))
      terms.push_back({expr, factor});

  for (bool changed = true; changed;) {
    llvm::sort(terms, [](auto &lhs, auto &rhs) {
      return lhs.first->id < rhs.first->id;
    });
    SmallVector<std::pair<const Expr *, int64_t>> merged;
    for (auto [term, factor] : terms) {
      if (factor == 0)
        continue;
      if (!merged.empty() && merged.back().first == term &&
          fits(Wide(merged.back().second) + factor)) {
        merged.back().second += factor;
        if (merged.back().second == 0)
          merged.pop_back();
      } else {
        merged.push_back({term, factor});
      }
    }
    terms = std::move(merged);
    changed = joinQuotients(terms);
    if (changed) {
      // A joined term may itself be a sum.
      SmallVector<std::pair<const Expr *, int64_t>> open = std::move(terms);
      terms.clear();
      for (auto [term, factor] : open)
        if (factor != 0 && !append(term, factor))
          terms.push_back({term, factor});
    }
  }
  // 64-bit arithmetic wraps, and so does the constant.
  int64_t wrapped = int64_t(uint64_t(total));
  if (terms.empty())
    return integer(wrapped);
  if (terms.size() == 1 && terms[0].second == 1 && wrapped == 0)
    return terms[0].first;

  SmallVector<const Expr *> operands;
  SmallVector<int64_t> ints;
  for (auto [term, factor] : terms) {
    operands.push_back(term);
    ints.push_back(factor);
  }
  ints.push_back(wrapped);
  return unique(ScalarOp::Linear, indexType, operands, ints);
}

const Expr *ExprContext::add(const Expr *lhs, const Expr *rhs) {
  return linear({lhs, rhs}, {1, 1}, 0);
}

const Expr *ExprContext::sub(const Expr *lhs, const Expr *rhs) {
  return linear({lhs, rhs}, {1, -1}, 0);
}

const Expr *ExprContext::mul(const Expr *lhs, const Expr *rhs) {
  if (lhs->getInt())
    std::swap(lhs, rhs);
  if (std::optional<int64_t> factor = rhs->getInt())
    return linear({lhs}, {*factor}, 0);
  // The other factor is moved into a select of constants, as in a condition
  // times a number.
  if (rhs->op == ScalarOp::Select && rhs->operands[1]->getInt() &&
      rhs->operands[2]->getInt())
    std::swap(lhs, rhs);
  if (lhs->op == ScalarOp::Select && lhs->operands[1]->getInt() &&
      lhs->operands[2]->getInt())
    return select(lhs->operands[0], mul(lhs->operands[1], rhs),
                  mul(lhs->operands[2], rhs));
  // Short sums are expanded, which lets sizes cancel.
  constexpr unsigned shortSum = 8;
  if (rhs->op == ScalarOp::Linear)
    std::swap(lhs, rhs);
  if (lhs->op == ScalarOp::Linear && lhs->operands.size() <= shortSum &&
      rhs->op != ScalarOp::Linear) {
    SmallVector<const Expr *> terms;
    SmallVector<int64_t> factors;
    for (auto [term, factor] : llvm::zip(lhs->operands, lhs->ints)) {
      terms.push_back(mul(term, rhs));
      factors.push_back(factor);
    }
    terms.push_back(rhs);
    factors.push_back(lhs->ints.back());
    return linear(terms, factors, 0);
  }
  if (lhs->id > rhs->id)
    std::swap(lhs, rhs);
  return unique(ScalarOp::MulI, indexType, {lhs, rhs});
}

//===----------------------------------------------------------------------===//
// Minimum, maximum, magnitude and typed integers
//===----------------------------------------------------------------------===//

const Expr *ExprContext::minMax(ScalarOp op, const Expr *lhs, const Expr *rhs) {
  bool isMin = op == ScalarOp::MinI;
  if (lhs == rhs)
    return lhs;
  if (lhs->hi <= rhs->lo)
    return isMin ? lhs : rhs;
  if (rhs->hi <= lhs->lo)
    return isMin ? rhs : lhs;
  if (lhs->id > rhs->id)
    std::swap(lhs, rhs);
  return unique(op, indexType, {lhs, rhs});
}

const Expr *ExprContext::minI(const Expr *lhs, const Expr *rhs) {
  return minMax(ScalarOp::MinI, lhs, rhs);
}

const Expr *ExprContext::maxI(const Expr *lhs, const Expr *rhs) {
  return minMax(ScalarOp::MaxI, lhs, rhs);
}

const Expr *ExprContext::absI(const Expr *operand) {
  if (operand->lo >= 0)
    return operand;
  if (operand->hi <= 0)
    return linear({operand}, {-1}, 0);
  // |a - b| and |b - a| are one node: the first factor is positive.
  if (operand->op == ScalarOp::Linear && operand->ints[0] < 0 &&
      IntegerRange::of(operand).isKnown())
    operand = linear({operand}, {-1}, 0);
  return unique(ScalarOp::AbsI, indexType, {operand});
}

const Expr *ExprContext::fromInt(const Expr *typed, bool isSigned) {
  if (typed->isIndex())
    return typed;
  if (typed->isPredicate())
    return select(typed, integer(isSigned ? -1 : 1), integer(0));
  return unique(isSigned ? ScalarOp::FromInt : ScalarOp::FromUInt, indexType,
                {typed});
}
