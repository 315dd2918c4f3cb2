//===----------------------------------------------------------------------===//
// The sizes of warps and MMA tiles fit together.
//===----------------------------------------------------------------------===//

#include "stof/Support/WarpShape.h"

#include "gtest/gtest.h"

using namespace stof;

namespace {

TEST(WarpShapeTest, EachLaneHoldsAsManyElementsOfATile) {
  EXPECT_EQ(mmaRows * mmaColumns % lanesPerWarp, 0);
  EXPECT_EQ(mmaRows * mmaDepth % lanesPerWarp, 0);
  EXPECT_EQ(mmaDepth * mmaColumns % lanesPerWarp, 0);
}

} // namespace
