//===----------------------------------------------------------------------===//
// Names that assemblers, linkers and C take.
//===----------------------------------------------------------------------===//

#include "stof/Support/SymbolName.h"

#include "gtest/gtest.h"

using namespace stof;

TEST(SymbolNameTest, IdentifiersStay) {
  EXPECT_EQ(sanitizeSymbolName("main_2"), "main_2");
}

TEST(SymbolNameTest, OtherCharactersBecomeUnderscores) {
  EXPECT_EQ(sanitizeSymbolName("a.b-c$"), "a_b_c_");
}

TEST(SymbolNameTest, NoNameBeginsWithADigitOrIsEmpty) {
  EXPECT_EQ(sanitizeSymbolName("0"), "_0");
  EXPECT_EQ(sanitizeSymbolName(""), "_");
}

TEST(SymbolNameTest, LongNamesAreCut) {
  EXPECT_EQ(sanitizeSymbolName(std::string(200, 'x')),
            std::string(maxSymbolLength, 'x'));
  EXPECT_EQ(sanitizeSymbolName(std::string(200, '1')).size(), maxSymbolLength);
}
