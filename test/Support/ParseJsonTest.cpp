//===----------------------------------------------------------------------===//
// What LLVM's parser would accept, or not survive, in an untrusted file.
//===----------------------------------------------------------------------===//

#include "stof/Support/ParseJson.h"

#include "gtest/gtest.h"

using namespace stof;

namespace {

std::string getError(llvm::StringRef text, bool wholeNumbers = false) {
  llvm::Expected<llvm::json::Value> value = parseJson(text, wholeNumbers);
  return value ? "" : llvm::toString(value.takeError());
}

TEST(ParseJsonTest, ValuesAreThoseOfTheText) {
  llvm::Expected<llvm::json::Value> value =
      parseJson(R"({"a": [1, -2.5, "]}", null], "b": {"a": true}})");
  ASSERT_TRUE(static_cast<bool>(value));
  EXPECT_EQ(*value, llvm::json::Value(llvm::json::Object{
                        {"a", llvm::json::Array{1, -2.5, "]}", nullptr}},
                        {"b", llvm::json::Object{{"a", true}}}}));
}

TEST(ParseJsonTest, DeepNestingIsAnErrorRatherThanACrash) {
  EXPECT_EQ(getError(std::string(100, '[') + std::string(100, ']')), "");
  EXPECT_EQ(getError(std::string(1 << 20, '[')),
            "more than 128 levels of nesting");
}

TEST(ParseJsonTest, KeysOfAnObjectDiffer) {
  EXPECT_EQ(getError(R"([{"a": 1}, {"a": 2}])"), "");
  EXPECT_EQ(getError(R"({"a": 1, "b": {"a": 1}, "\u0061": 2})"),
            "the duplicate key 'a'");
}

TEST(ParseJsonTest, NumbersCanBeHeldToIntegers) {
  EXPECT_EQ(getError("[4.0]"), "");
  EXPECT_EQ(getError("[4.0]", /*wholeNumbers=*/true),
            "the number 4.0 instead of an integer");
  EXPECT_EQ(getError("[\"4.0\", -4]", /*wholeNumbers=*/true), "");
}

TEST(ParseJsonTest, StringsWithoutAnEndAreErrors) {
  EXPECT_NE(getError("[\"abc\\"), "");
}

} // namespace
