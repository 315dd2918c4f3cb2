//===----------------------------------------------------------------------===//
// The runner is looked for next to the program, then in PATH.
//===----------------------------------------------------------------------===//

#include "../../lib/Search/FindRunner.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

#include <cstdlib>
#include <optional>

using namespace stof;

namespace {

class FindRunnerTest : public ::testing::Test {
protected:
  void SetUp() override {
    llvm::SmallString<128> path;
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("stof-runner", path));
    folder = std::string(path);
    if (const char *before = std::getenv("PATH"))
      searched = before;
    setPath((folder + "/path").c_str());
  }
  void TearDown() override {
    setPath(searched ? searched->c_str() : nullptr);
    EXPECT_FALSE(llvm::sys::fs::remove_directories(folder));
  }

  static void setPath(const char *value) {
    if (value)
      setenv("PATH", value, /*overwrite=*/1);
    else
      unsetenv("PATH");
  }

  std::string makeRunner(llvm::StringRef where) {
    std::string path = folder + "/" + where.str();
    EXPECT_FALSE(llvm::sys::fs::create_directories(path));
    path += "/stof-run";
    std::error_code error;
    llvm::raw_fd_ostream os(path, error);
    EXPECT_FALSE(error);
    EXPECT_FALSE(llvm::sys::fs::setPermissions(path, llvm::sys::fs::all_all));
    return path;
  }

  std::string find(llvm::StringRef given) {
    llvm::Expected<std::string> path =
        findRunner(given, folder + "/bin/stof-compile");
    return path ? *path : "error: " + llvm::toString(path.takeError());
  }

  std::string folder;
  std::optional<std::string> searched;
};

TEST_F(FindRunnerTest, TheNeighbourComesBeforeThePath) {
  std::string distant = makeRunner("path");
  EXPECT_EQ(find(""), distant);
  std::string neighbour = makeRunner("bin");
  EXPECT_EQ(find(""), neighbour);
}

TEST_F(FindRunnerTest, AGivenRunnerIsTaken) {
  std::string given = makeRunner("given");
  makeRunner("bin");
  EXPECT_EQ(find(given), given);
  EXPECT_EQ(find("none"),
            "error: expects a program to measure with, but got 'none'");
}

TEST_F(FindRunnerTest, WithoutARunnerNothingIsFound) {
  EXPECT_EQ(find(""), "error: expects stof-run at '" + folder +
                          "/bin/stof-run' or in PATH, but it is in neither");
}

} // namespace
