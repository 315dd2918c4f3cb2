//===----------------------------------------------------------------------===//
// Size expressions: what is folded, written and read again keeps its value.
//===----------------------------------------------------------------------===//

#include "stof/Size/SizeExpr.h"

#include "../lib/SizeCases.h"
#include "stof/Runtime/Expression.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/MLIRContext.h"

#include "gtest/gtest.h"

using namespace stof;
using namespace stof::test;

namespace {

constexpr unsigned numCases = 1500;

SizeCase<SizeExpr> makeCase(unsigned seed) {
  std::mt19937 random(seed);
  return makeSizeCase<SizeExpr>(random, 1 + seed % 3);
}

/// The value that a run computes from the manifest.
int64_t run(const SizeExpr &expr, const SizePoint &point) {
  std::vector<std::string> symbols(std::begin(sizeSymbols),
                                   std::end(sizeSymbols));
  auto parsed =
      llvm::cantFail(runtime::Expression::parse(expr.toJSON(), symbols));
  return llvm::cantFail(parsed.evaluate(point));
}

TEST(SizeOperatorTest, OperatorsAreTheArithmeticTheySay) {
  for (int64_t lhs = -9; lhs <= 9; ++lhs)
    for (int64_t rhs = -9; rhs <= 9; ++rhs) {
      auto value = [&](SizeOperator op) { return evaluate(op, lhs, rhs); };
      EXPECT_EQ(value(SizeOperator::Add), lhs + rhs);
      EXPECT_EQ(value(SizeOperator::Subtract), lhs - rhs);
      EXPECT_EQ(value(SizeOperator::Multiply), lhs * rhs);
      EXPECT_EQ(value(SizeOperator::Minimum), lhs < rhs ? lhs : rhs);
      EXPECT_EQ(value(SizeOperator::Maximum), lhs < rhs ? rhs : lhs);
      EXPECT_EQ(value(SizeOperator::Equal), lhs == rhs);
      EXPECT_EQ(value(SizeOperator::LessOrEqual), lhs <= rhs);
      EXPECT_EQ(value(SizeOperator::And), lhs && rhs);
      std::optional<int64_t> floor = value(SizeOperator::FloorDivide),
                             ceil = value(SizeOperator::CeilDivide),
                             rest = value(SizeOperator::Modulo);
      EXPECT_EQ(floor.has_value(), rhs > 0);
      if (!floor)
        continue;
      EXPECT_EQ(*floor * rhs + *rest, lhs);
      EXPECT_TRUE(0 <= *rest && *rest < rhs);
      EXPECT_EQ(*ceil, *floor + (*rest != 0));
    }
  EXPECT_EQ(evaluate(SizeOperator::Add, INT64_MAX, 1), std::nullopt);
}

TEST(SizeOperatorTest, OperatorsAreReadAsTheyAreSpelt) {
  for (llvm::StringRef spelling : sizeOperatorSpellings)
    EXPECT_EQ(spell(*parseSizeOperator(spelling)), spelling);
  EXPECT_EQ(parseSizeOperator("or"), std::nullopt);
}

TEST(SizeExprTest, RunsComputeWhatIsFolded) {
  for (unsigned seed = 0; seed < numCases; ++seed) {
    SizeCase<SizeExpr> made = makeCase(seed);
    forEachSizePoint([&](const SizePoint &point) {
      // Folding takes sizes to be nonnegative, and c0 to be any number.
      ASSERT_EQ(run(made.expr, point), made.value(point))
          << made.expr.print() << " of seed " << seed;
    });
  }
}

TEST(SizeExprTest, ExpressionsAreReadAsTheyAreWritten) {
  mlir::MLIRContext context;
  for (unsigned seed = 0; seed < numCases; ++seed) {
    SizeExpr expr = makeCase(seed).expr;
    if (seed % 2)
      expr = SizeExpr::sum("i0", SizeExpr::symbol("n"), expr);
    EXPECT_EQ(SizeExpr::parse(expr.toJSON()), expr);
    EXPECT_EQ(SizeExpr::parse(expr.toAttribute(&context)), expr);
    EXPECT_EQ(SizeExpr::parse(llvm::cantFail(llvm::json::parse(expr.getKey()))),
              expr);
  }
}

TEST(SizeExprTest, OtherJSONIsNoExpression) {
  for (llvm::StringRef text :
       {"null", "1.5", "[]", R"(["+", 1])", R"(["or", 1, 2])",
        R"(["+", 1, 2, 3])", R"(["sum", 1, 2, 3])", R"(["*", 1, [2]])"})
    EXPECT_EQ(SizeExpr::parse(llvm::cantFail(llvm::json::parse(text))),
              std::nullopt)
        << text.str();
}

TEST(SizeExprTest, ConstantsAreFolded) {
  SizeExpr n = SizeExpr::symbol("n"), c = SizeExpr::symbol("c0");
  auto get = [](SizeOperator op, const SizeExpr &lhs, const SizeExpr &rhs) {
    return SizeExpr::get(op, lhs, rhs).print();
  };
  EXPECT_EQ(get(SizeOperator::Add, 2, 3), "5");
  EXPECT_EQ(get(SizeOperator::Multiply, 4, n), "n * 4");
  EXPECT_EQ(get(SizeOperator::Multiply, n * 4, 2), "n * 8");
  EXPECT_EQ(get(SizeOperator::FloorDivide, n * 8, 2), "n * 4");
  EXPECT_EQ(get(SizeOperator::CeilDivide, n * 2, 8), "ceildiv(n, 4)");
  EXPECT_EQ(get(SizeOperator::Maximum, n, 0), "n");
  EXPECT_EQ(get(SizeOperator::Maximum, c, 0), "max(c0, 0)");
  EXPECT_EQ(get(SizeOperator::LessOrEqual, 0, n), "1");
  EXPECT_EQ(get(SizeOperator::Equal, n, n), "1");
  EXPECT_EQ(get(SizeOperator::Subtract, n, n), "0");
  EXPECT_EQ(get(SizeOperator::And, n, 0), "0");
  // A run reports these.
  EXPECT_EQ(get(SizeOperator::FloorDivide, 1, 0), "floordiv(1, 0)");
  EXPECT_EQ(get(SizeOperator::Add, INT64_MAX, 1), "9223372036854775807 + 1");
}

TEST(SizeExprTest, TextHasParenthesesWhereNeeded) {
  SizeExpr n = SizeExpr::symbol("n"), m = SizeExpr::symbol("m");
  auto subtract = [](const SizeExpr &lhs, const SizeExpr &rhs) {
    return SizeExpr::create(SizeOperator::Subtract, lhs, rhs);
  };
  EXPECT_EQ(((n + m) * n).print(), "(n + m) * n");
  EXPECT_EQ((n * m + n).print(), "n * m + n");
  EXPECT_EQ(subtract(n, subtract(m, n)).print(), "n - (m - n)");
  EXPECT_EQ(subtract(subtract(n, m), n).print(), "n - m - n");
  SizeExpr same = SizeExpr::create(SizeOperator::Equal, n, m);
  EXPECT_EQ(SizeExpr::create(SizeOperator::Equal, same, 0).print(),
            "(n == m) == 0");
  SizeExpr least = SizeExpr::create(SizeOperator::Minimum, n, m);
  EXPECT_EQ(SizeExpr::create(SizeOperator::Minimum, least, 7).print(),
            "min(n, m, 7)");
  EXPECT_EQ(SizeExpr::sum("i0", n, m).print(), "sum(i0 < n: m)");
}

TEST(SizeExprTest, TheIndexOfASumIsNoSymbol) {
  SizeExpr index = SizeExpr::symbol("i0"), n = SizeExpr::symbol("n");
  std::vector<std::string> names;
  (index + SizeExpr::sum("i0", n, index))
      .forEachSymbol(
          [&](llvm::StringRef name) { names.push_back(name.str()); });
  EXPECT_EQ(names, (std::vector<std::string>{"i0", "n"}));
}

} // namespace
