//===----------------------------------------------------------------------===//
// Operators of sizes are read as they are spelt, and compute what plain
// arithmetic does.
//===----------------------------------------------------------------------===//

#include "stof/Support/SizeOperator.h"

#include "gtest/gtest.h"

#include <limits>

using namespace stof;

namespace {

TEST(SizeOperatorTest, SpellingsAreReadBack) {
  for (llvm::StringRef spelling : sizeOperatorSpellings) {
    std::optional<SizeOperator> op = parseSizeOperator(spelling);
    ASSERT_TRUE(op);
    EXPECT_EQ(spell(*op), spelling);
  }
  EXPECT_FALSE(parseSizeOperator("xor"));
}

TEST(SizeOperatorTest, CommutativeOperatorsIgnoreTheOrder) {
  for (llvm::StringRef spelling : sizeOperatorSpellings) {
    SizeOperator op = *parseSizeOperator(spelling);
    bool isSymmetric = true;
    for (int64_t lhs = -5; lhs <= 5; ++lhs)
      for (int64_t rhs = -5; rhs <= 5; ++rhs)
        isSymmetric &= evaluate(op, lhs, rhs) == evaluate(op, rhs, lhs);
    EXPECT_EQ(isSymmetric, isCommutative(op)) << spelling.str();
  }
}

TEST(SizeOperatorTest, DivisionsFitTogether) {
  for (int64_t lhs = -20; lhs <= 20; ++lhs)
    for (int64_t rhs = 1; rhs <= 7; ++rhs) {
      int64_t quotient = *evaluate(SizeOperator::FloorDivide, lhs, rhs);
      int64_t rest = *evaluate(SizeOperator::Modulo, lhs, rhs);
      EXPECT_EQ(quotient * rhs + rest, lhs);
      EXPECT_TRUE(rest >= 0 && rest < rhs);
      EXPECT_EQ(*evaluate(SizeOperator::CeilDivide, lhs, rhs),
                quotient + (rest != 0));
    }
}

TEST(SizeOperatorTest, WhatIsUndefinedHasNoValue) {
  constexpr int64_t most = std::numeric_limits<int64_t>::max();
  EXPECT_FALSE(evaluate(SizeOperator::Add, most, 1));
  EXPECT_FALSE(evaluate(SizeOperator::Subtract, -2, most));
  EXPECT_FALSE(evaluate(SizeOperator::Multiply, most, 2));
  for (llvm::StringRef spelling : sizeOperatorSpellings) {
    SizeOperator op = *parseSizeOperator(spelling);
    EXPECT_EQ(evaluate(op, 1, 0).has_value(), !isDivision(op));
  }
}

} // namespace
