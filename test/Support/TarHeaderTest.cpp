//===----------------------------------------------------------------------===//
// Headers of tar archives are read as they are written, of files of any size.
//===----------------------------------------------------------------------===//

#include "stof/Support/TarHeader.h"

#include "gtest/gtest.h"

using namespace stof;

TEST(TarHeaderTest, FilesOfAllSizes) {
  for (uint64_t bytes : {UINT64_C(0), UINT64_C(511), UINT64_C(077777777777),
                         UINT64_C(0100000000000), UINT64_MAX}) {
    TarHeader header = TarHeader::createFile("manifest.json", bytes);
    EXPECT_TRUE(header.isValid());
    EXPECT_EQ(header.getSize(), bytes);
    EXPECT_EQ(header.getName(), "manifest.json");
    EXPECT_EQ(header.type, TarHeader::File);
  }
}

TEST(TarHeaderTest, NamesOfAllLengths) {
  std::string name(sizeof(TarHeader::name), 'x');
  TarHeader header = TarHeader::createFile(name, 1);
  EXPECT_TRUE(header.isValid());
  EXPECT_EQ(header.getName(), name);
}

TEST(TarHeaderTest, AChangedByteIsSeen) {
  TarHeader header = TarHeader::createFile("manifest.json", 1);
  ++header.name[0];
  EXPECT_FALSE(header.isValid());
  EXPECT_FALSE(TarHeader().isValid());
}

TEST(TarHeaderTest, NumbersOfOtherPrograms) {
  TarHeader header = TarHeader::createFile("manifest.json", 0);
  std::memcpy(header.size, "      1750 ", sizeof(header.size));
  EXPECT_EQ(header.getSize(), 01750u);
  std::memcpy(header.size, "12345678    ", sizeof(header.size));
  EXPECT_EQ(header.getSize(), std::nullopt);
  std::memcpy(header.size, "\x80\0\0\1\0\0\0\0\0\0\0\1", sizeof(header.size));
  EXPECT_EQ(header.getSize(), std::nullopt);
}
