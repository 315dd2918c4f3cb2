//===----------------------------------------------------------------------===//
// The outcome of a step is a value or a reason.
//===----------------------------------------------------------------------===//

#include "stof/Fusion/PlanResult.h"

#include "gtest/gtest.h"

using namespace stof;

namespace {

TEST(PlanResultTest, AValueIsTrue) {
  PlanResult<int> result(0);
  ASSERT_TRUE(result);
  EXPECT_EQ(*result, 0);
}

TEST(PlanResultTest, ARefusalHasAReason) {
  PlanResult<int> result(Refusal(nullptr, llvm::Twine("number ") + "1"));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.getRefusal().reason, "number 1");
  EXPECT_EQ(result.getRefusal().op, nullptr);
}

} // namespace
