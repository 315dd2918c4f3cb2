//===----------------------------------------------------------------------===//
// Chains of symbolic links are followed to what they name, existing or not.
//===----------------------------------------------------------------------===//

#include "stof/Support/Links.h"

#include "gtest/gtest.h"

using namespace stof;

namespace {

class LinksTest : public ::testing::Test {
protected:
  void SetUp() override {
    llvm::SmallString<128> path;
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("stof-links", path));
    folder = std::string(path);
  }
  void TearDown() override { llvm::sys::fs::remove_directories(folder); }

  std::string at(llvm::StringRef name) const {
    return folder + "/" + name.str();
  }
  void link(llvm::StringRef to, llvm::StringRef name) {
    ASSERT_EQ(symlink(to.str().c_str(), at(name).c_str()), 0);
  }
  std::string follow(llvm::StringRef name) {
    llvm::Expected<std::string> target = followLinks(at(name));
    return target ? *target : "error: " + llvm::toString(target.takeError());
  }

  std::string folder;
};

TEST_F(LinksTest, OtherPathsAreTheirOwnTarget) {
  EXPECT_EQ(follow("nothing"), at("nothing"));
}

TEST_F(LinksTest, ChainsEndAtATargetThatNeedNotExist) {
  link("second", "first");
  link(at("third"), "second");
  EXPECT_EQ(follow("first"), at("third"));
}

TEST_F(LinksTest, CyclesAreErrors) {
  link("second", "first");
  link("first", "second");
  EXPECT_NE(follow("first").find("Too many levels of symbolic links"),
            std::string::npos)
      << follow("first");
}

} // namespace
