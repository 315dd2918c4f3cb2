//===----------------------------------------------------------------------===//
// A row of the table of targets is consistent, and what follows from it does
// not depend on its name.
//===----------------------------------------------------------------------===//

#include "stof/Support/TargetInfo.h"

#include "gtest/gtest.h"

using namespace stof;

namespace {

class TargetInfoTest : public ::testing::TestWithParam<TargetInfo> {};

TEST_P(TargetInfoTest, NamesAreThoseOfArchitectures) {
  std::optional<Architecture> parsed = Architecture::parse(GetParam().name);
  ASSERT_TRUE(parsed);
  EXPECT_TRUE(parsed->runsOn(parsed->capability));
  EXPECT_EQ(findTarget(GetParam().name)->name, GetParam().name);
}

TEST_P(TargetInfoTest, TheCommonSharedMemoryIsThere) {
  EXPECT_LE(getCommonSharedBytes(), GetParam().getSharedBytes());
}

TEST_P(TargetInfoTest, FiguresAreItsOwnOrStandIn) {
  EXPECT_EQ(GetParam().hasOwnFigures(),
            GetParam().figures == &GetParam().getFigures());
  EXPECT_GT(GetParam().getFigures().sms, 0);
}

TEST_P(TargetInfoTest, EveryTargetMultipliesByWarps) {
  EXPECT_TRUE(GetParam().supports(MmaKind::Warps));
  EXPECT_TRUE(GetParam().supports(MmaKind::Single));
  EXPECT_EQ(GetParam().supports(MmaKind::Warpgroups), GetParam().hasWgmma);
}

std::string getName(const ::testing::TestParamInfo<TargetInfo> &info) {
  return info.param.name.str();
}
INSTANTIATE_TEST_SUITE_P(All, TargetInfoTest, ::testing::ValuesIn(targets),
                         getName);

TEST(TargetInfo, ConsumerGPUsHaveLessSharedMemory) {
  for (llvm::StringRef name : {"sm_89", "sm_120"}) {
    const TargetInfo *target = findTarget(name);
    ASSERT_NE(target, nullptr) << name.str();
    EXPECT_EQ(target->getSharedBytes(), 99 << 10) << name.str();
    EXPECT_FALSE(target->hasWgmma) << name.str();
  }
}

TEST(TargetInfo, GridsWaitForOthersFromHopperOn) {
  for (llvm::StringRef name : {"sm_90", "sm_90a", "sm_120"})
    EXPECT_TRUE(findTarget(name)->hasGridDependencies()) << name.str();
  for (llvm::StringRef name : {"sm_80", "sm_89"})
    EXPECT_FALSE(findTarget(name)->hasGridDependencies()) << name.str();
}

TEST(TargetInfo, OtherNamesAreNoTargets) {
  for (llvm::StringRef name : {"", "sm_", "sm_75", "sm_90b", "gfx942", "SM_90"})
    EXPECT_EQ(findTarget(name), nullptr) << name.str();
}

TEST(TargetInfo, CodeReachesLaterCapabilities) {
  EXPECT_TRUE(Architecture::parse("sm_80")->runsOn(90));
  EXPECT_FALSE(Architecture::parse("sm_90")->runsOn(80));
  EXPECT_FALSE(Architecture::parse("sm_90a")->runsOn(100));
  EXPECT_TRUE(Architecture::parse("sm_100f")->runsOn(103));
  EXPECT_FALSE(Architecture::parse("sm_100f")->runsOn(110));
}

} // namespace
