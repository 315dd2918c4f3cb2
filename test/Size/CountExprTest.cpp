//===----------------------------------------------------------------------===//
// Expressions of sizes have the values that they are written with.
//===----------------------------------------------------------------------===//

#include "stof/Size/CountExpr.h"

#include "../lib/SizeCases.h"

#include "gtest/gtest.h"

using namespace stof;
using namespace stof::test;

namespace {

/// The value of `expr` where the symbols are those of `point`.
std::optional<int64_t> evaluate(const CountExpr &expr, const SizePoint &point) {
  std::optional<CountExpr> known = CountExpr::normalize(
      expr.toSizeExpr(), [&](llvm::StringRef name) -> std::optional<CountExpr> {
        return point[llvm::find(sizeSymbols, name) - std::begin(sizeSymbols)];
      });
  return known ? known->constant() : std::nullopt;
}

TEST(CountExprTest, ExpressionsKeepTheirValue) {
  unsigned compared = 0;
  for (unsigned seed = 0; seed < 1500; ++seed) {
    std::mt19937 random(seed);
    SizeCase<CountExpr> made = makeSizeCase<CountExpr>(random, 1 + seed % 3);
    if (made.expr.isTooLarge())
      continue;
    forEachSizePoint([&](const SizePoint &point) {
      ASSERT_EQ(evaluate(made.expr, point), made.value(point))
          << made.expr.toSizeExpr().print() << " of seed " << seed;
      ++compared;
    });
  }
  EXPECT_GT(compared, 50000u);
}

TEST(CountExprTest, NormalFormsAreNormal) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    std::mt19937 random(seed);
    CountExpr expr = makeSizeCase<CountExpr>(random, 2).expr;
    if (!expr.isTooLarge()) {
      EXPECT_EQ(CountExpr::normalize(expr.toSizeExpr()), expr)
          << expr.toSizeExpr().print() << " of seed " << seed;
    }
  }
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
    EXPECT_EQ(evaluate(triangle, {size, 0, 0}), size * (size + 1) / 2);
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
