//===----------------------------------------------------------------------===//
// Expressions of sizes have the values that they are written with.
//===----------------------------------------------------------------------===//

#include "stof/Size/CountExpr.h"

#include "gtest/gtest.h"

#include <random>

using namespace stof;

namespace {

/// The value of `expr` where n, m and c0 are `n`, `m` and `c`.
std::optional<int64_t> evaluate(const CountExpr &expr, int64_t n, int64_t m,
                                int64_t c) {
  std::optional<CountExpr> known = CountExpr::parse(
      expr.toJSON(), [&](llvm::StringRef name) -> std::optional<CountExpr> {
        if (name == "n")
          return CountExpr(n);
        if (name == "m")
          return CountExpr(m);
        if (name == "c0")
          return CountExpr(c);
        return std::nullopt;
      });
  return known ? known->constant() : std::nullopt;
}

int64_t floorDivide(int64_t value, int64_t divisor) {
  int64_t quotient = value / divisor;
  return quotient * divisor > value ? quotient - 1 : quotient;
}

/// An expression, and what it must evaluate to.
struct Case {
  CountExpr expr;
  std::function<int64_t(int64_t n, int64_t m, int64_t c)> value;
};

Case make(std::mt19937 &random, unsigned depth) {
  auto pick = [&](int64_t count) {
    return static_cast<int64_t>(random() % count);
  };
  if (depth == 0) {
    switch (pick(4)) {
    case 0:
      return {CountExpr::symbol("n"),
              [](int64_t n, int64_t, int64_t) { return n; }};
    case 1:
      return {CountExpr::symbol("m"),
              [](int64_t, int64_t m, int64_t) { return m; }};
    case 2:
      return {CountExpr::symbol("c0"),
              [](int64_t, int64_t, int64_t c) { return c; }};
    default:
      int64_t number = pick(9) - 4;
      return {CountExpr(number),
              [=](int64_t, int64_t, int64_t) { return number; }};
    }
  }
  Case lhs = make(random, depth - 1);
  auto l = lhs.value;
  if (pick(4) == 0) {
    int64_t divisor = 1 + pick(5);
    return {CountExpr::floorDivide(lhs.expr, divisor),
            [=](int64_t n, int64_t m, int64_t c) {
              return floorDivide(l(n, m, c), divisor);
            }};
  }
  Case rhs = make(random, depth - 1);
  auto r = rhs.value;
  switch (pick(6)) {
  case 0:
    return {lhs.expr + rhs.expr, [=](int64_t n, int64_t m, int64_t c) {
              return l(n, m, c) + r(n, m, c);
            }};
  case 1:
    return {lhs.expr - rhs.expr, [=](int64_t n, int64_t m, int64_t c) {
              return l(n, m, c) - r(n, m, c);
            }};
  case 2:
    return {lhs.expr * rhs.expr, [=](int64_t n, int64_t m, int64_t c) {
              return l(n, m, c) * r(n, m, c);
            }};
  case 3:
    return {CountExpr::minimum(lhs.expr, rhs.expr),
            [=](int64_t n, int64_t m, int64_t c) {
              return std::min(l(n, m, c), r(n, m, c));
            }};
  case 4:
    return {CountExpr::maximum(lhs.expr, rhs.expr),
            [=](int64_t n, int64_t m, int64_t c) {
              return std::max(l(n, m, c), r(n, m, c));
            }};
  default:
    return {CountExpr::isNonNegative(lhs.expr),
            [=](int64_t n, int64_t m, int64_t c) -> int64_t {
              return l(n, m, c) >= 0;
            }};
  }
}

TEST(CountExprTest, ExpressionsKeepTheirValue) {
  unsigned compared = 0;
  for (unsigned seed = 0; seed < 1500; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    Case made = make(random, 1 + seed % 3);
    if (made.expr.isTooLarge())
      continue;
    for (int64_t n : {0, 1, 2, 5, 16})
      for (int64_t m : {0, 3, 8})
        for (int64_t c : {-7, -1, 0, 4}) {
          ASSERT_EQ(evaluate(made.expr, n, m, c), made.value(n, m, c))
              << "n " << n << ", m " << m << ", c0 " << c;
          ++compared;
        }
  }
  EXPECT_GT(compared, 50000u);
}

TEST(CountExprTest, EqualTermsCancel) {
  CountExpr n = CountExpr::symbol("n");
  EXPECT_EQ((n + 3) * (n - 3) - n * n, CountExpr(-9));
  EXPECT_EQ((n - n).constant(), 0);
  EXPECT_EQ(n.constant(), std::nullopt);
}

TEST(CountExprTest, SizesAreNotNegative) {
  CountExpr n = CountExpr::symbol("n"), c = CountExpr::symbol("c0");
  EXPECT_EQ(CountExpr::maximum(n, 0), n);
  EXPECT_EQ(CountExpr::minimum(n, 0), CountExpr(0));
  EXPECT_FALSE(CountExpr::maximum(c, 0) == c);
  EXPECT_EQ(CountExpr::isNonNegative(n), CountExpr(1));
}

TEST(CountExprTest, SumsOfAffineTermsAreClosed) {
  CountExpr n = CountExpr::symbol("n"), i = CountExpr::symbol("i0");
  CountExpr triangle = CountExpr::sum("i0", n, i + 1);
  for (int64_t size : {0, 1, 2, 9})
    EXPECT_EQ(evaluate(triangle, size, 0, 0), size * (size + 1) / 2);
}

TEST(CountExprTest, QuotientsWithoutRemainderAreExact) {
  CountExpr n = CountExpr::symbol("n"), m = CountExpr::symbol("m");
  EXPECT_EQ(CountExpr::divideExactly(n * m * 6, n * 2), m * 3);
  EXPECT_EQ(CountExpr::divideExactly(n * m + m, n), std::nullopt);
  EXPECT_EQ(CountExpr::floorDivide(n * 4 + 3, 4), n);
  EXPECT_EQ(CountExpr::ceilDivide(n * 4 + 1, 4), n + 1);
}

TEST(CountExprTest, NumbersThatAreTooLargeAreSaidToBe) {
  CountExpr large = CountExpr(int64_t(1) << 40);
  EXPECT_TRUE((large * large).isTooLarge());
  EXPECT_FALSE(large.isTooLarge());
}

} // namespace
