//===----------------------------------------------------------------------===//
// Files in memory have a path while they are open.
//===----------------------------------------------------------------------===//

#include "stof/Support/MemoryFile.h"

#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"

using namespace stof;

TEST(MemoryFileTest, IsReadByItsPath) {
  std::string path;
  {
    llvm::Expected<MemoryFile> file = MemoryFile::create("a file", "bytes");
    ASSERT_TRUE(bool(file));
    MemoryFile moved = std::move(*file);
    path = moved.getPath();
    llvm::Expected<std::string> bytes = moved.read();
    ASSERT_TRUE(bool(bytes));
    EXPECT_EQ(*bytes, "bytes");
    EXPECT_TRUE(llvm::sys::fs::exists(path));
  }
  EXPECT_FALSE(llvm::sys::fs::exists(path));
}

TEST(MemoryFileTest, AnErrorHasItsName) {
  constexpr size_t tooLong = 300;
  llvm::Expected<MemoryFile> file =
      MemoryFile::create(std::string(tooLong, 'x'));
  ASSERT_FALSE(bool(file));
  EXPECT_EQ(llvm::toString(file.takeError()).substr(0, 13), "cannot hold x");
}
