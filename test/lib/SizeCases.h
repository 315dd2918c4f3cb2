//===----------------------------------------------------------------------===//
// Random size expressions for unit tests, with what they must evaluate to.
//===----------------------------------------------------------------------===//

#ifndef STOF_TEST_LIB_SIZECASES_H
#define STOF_TEST_LIB_SIZECASES_H

#include "stof/Support/SizeOperator.h"

#include "llvm/ADT/ArrayRef.h"

#include <array>
#include <functional>
#include <random>

namespace stof::test {

/// The symbols of the expressions; the last is a number and can be negative.
constexpr llvm::StringLiteral sizeSymbols[] = {"n", "m", "c0"};
using SizePoint = std::array<int64_t, 3>;

/// Calls `visit` with 60 points.
inline void
forEachSizePoint(llvm::function_ref<void(const SizePoint &)> visit) {
  for (int64_t n : {0, 1, 2, 5, 16})
    for (int64_t m : {0, 3, 8})
      for (int64_t c : {-7, -1, 0, 4})
        visit({n, m, c});
}

/// An expression, and its value at a point.
template <typename Expr>
struct SizeCase {
  Expr expr;
  std::function<int64_t(const SizePoint &)> value;
};

/// Makes expressions of `depth` levels of operators with `Expr::get`. Divisors
/// are constants, and `And` has operands that are 1 or 0.
template <typename Expr>
SizeCase<Expr> makeSizeCase(std::mt19937 &random, unsigned depth) {
  auto pick = [&](int64_t count) {
    return static_cast<int64_t>(random() % count);
  };
  if (depth == 0) {
    size_t symbol = pick(4);
    if (symbol < std::size(sizeSymbols))
      return {Expr::symbol(sizeSymbols[symbol]),
              [=](const SizePoint &point) { return point[symbol]; }};
    int64_t number = pick(9) - 4;
    return {Expr(number), [=](const SizePoint &) { return number; }};
  }
  auto op = static_cast<SizeOperator>(pick(std::size(sizeOperatorSpellings)));
  SizeCase<Expr> lhs = makeSizeCase<Expr>(random, depth - 1), rhs = lhs;
  if (isDivision(op)) {
    int64_t divisor = 1 + pick(5);
    rhs = {Expr(divisor), [=](const SizePoint &) { return divisor; }};
  } else {
    rhs = makeSizeCase<Expr>(random, depth - 1);
  }
  if (op == SizeOperator::And)
    for (SizeCase<Expr> *side : {&lhs, &rhs})
      *side = {Expr::get(SizeOperator::LessOrEqual, side->expr, 1),
               [inner = side->value](const SizePoint &point) -> int64_t {
                 return inner(point) <= 1;
               }};
  return {Expr::get(op, lhs.expr, rhs.expr),
          [op, l = lhs.value, r = rhs.value](const SizePoint &point) {
            return *evaluate(op, l(point), r(point));
          }};
}

} // namespace stof::test

#endif // STOF_TEST_LIB_SIZECASES_H
