//===----------------------------------------------------------------------===//
// What texts of schedules that ship say, and which are refused.
//===----------------------------------------------------------------------===//

#include "stof/Search/ShippedSchedules.h"

#include "stof/Search/TuningLines.h"
#include "llvm/Support/FormatVariadic.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace stof;
using llvm::toString;
using testing::HasSubstr;

static constexpr llvm::StringLiteral h100 = "NVIDIA H100 80GB HBM3";

/// The beginning of a line for kernel `signature` on `device`.
static std::string keyOf(llvm::StringRef signature, llvm::StringRef device,
                         llvm::StringRef driver = "13.0") {
  return llvm::formatv(R"({{"signature":"{0}","device":"{1}","driver":"{2}",)"
                       R"("target":"sm_90a","compiler":"1",)",
                       signature, device, driver);
}

static std::string measured(llvm::StringRef key, llvm::StringRef schedule,
                            double microseconds) {
  return llvm::formatv(
      "{0}\"schedule\":\"{1}\",\"microseconds\":{2},\"clock_mhz\":0}\n", key,
      schedule, microseconds);
}

/// The error of a text, of which nothing is added.
static std::string refuse(const std::string &text) {
  ShippedSchedules shipped;
  std::string error = toString(
      shipped.addText("name", measured(keyOf("k", h100), "#s<1>", 1) + text));
  EXPECT_FALSE(shipped.find("k", "sm_90a", h100));
  return error;
}

namespace {

TEST(ShippedSchedulesTest, AKernelHasTheBestScheduleOfItsDevice) {
  ShippedSchedules shipped;
  std::string text = measured(keyOf("k", h100), "#s<1>", 20) + "\n" +
                     measured(keyOf("k", h100), "#s<2>", 10) +
                     keyOf("k", h100) + "\"finished\":16}\n" +
                     measured(keyOf("k", "NVIDIA H200"), "#s<3>", 9);
  ASSERT_FALSE(static_cast<bool>(shipped.addText("text", text)));
  const ShippedSearch *search = shipped.find("k", "sm_90a", h100);
  ASSERT_TRUE(search);
  EXPECT_EQ(search->schedules.size(), 2u);
  EXPECT_EQ(search->findBest()->schedule, "#s<2>");
  EXPECT_EQ(search->finished, 16u);
  EXPECT_EQ(shipped.find("k", "sm_90a", "NVIDIA H200")->finished, 0u);
  EXPECT_FALSE(shipped.find("k", "sm_90", h100));
  EXPECT_FALSE(shipped.find("k", "sm_90a", "H100"));
  EXPECT_FALSE(shipped.find("other", "sm_90a", h100));
}

TEST(ShippedSchedulesTest, SearchesHoldForAllDrivers) {
  ShippedSchedules shipped;
  std::string text = measured(keyOf("k", h100, "12.8"), "#s<1>", 20) +
                     measured(keyOf("k", h100, "13.0"), "#s<2>", 10);
  ASSERT_FALSE(static_cast<bool>(shipped.addText("text", text)));
  EXPECT_EQ(shipped.find("k", "sm_90a", h100)->schedules.size(), 2u);
}

TEST(ShippedSchedulesTest, WithoutATimeNoScheduleIsBest) {
  ShippedSchedules shipped;
  std::string text = keyOf("k", h100) +
                     R"("schedule":"#s<1>","failure":"hangs","clock_mhz":0})";
  ASSERT_FALSE(static_cast<bool>(shipped.addText("text", text)));
  EXPECT_FALSE(shipped.find("k", "sm_90a", h100)->findBest());
}

TEST(ShippedSchedulesTest, TheFirstTextDecides) {
  ShippedSchedules shipped;
  ASSERT_FALSE(static_cast<bool>(
      shipped.addText("user", measured(keyOf("k", h100), "#s<1>", 20))));
  ASSERT_FALSE(static_cast<bool>(
      shipped.addText("more", measured(keyOf("k", h100), "#s<2>", 10) +
                                  measured(keyOf("l", h100), "#s<2>", 10))));
  EXPECT_EQ(shipped.find("k", "sm_90a", h100)->findBest()->schedule, "#s<1>");
  EXPECT_TRUE(shipped.find("l", "sm_90a", h100));
}

TEST(ShippedSchedulesTest, ADeviceIsFoundByWordsOfItsName) {
  ShippedSchedules shipped;
  std::string text = measured(keyOf("k", "NVIDIA H100 PCIe"), "#s<1>", 20) +
                     measured(keyOf("k", h100), "#s<1>", 10);
  ASSERT_FALSE(static_cast<bool>(shipped.addText("text", text)));
  EXPECT_EQ(shipped.findDevice("sm_90a", "H100"), h100);
  EXPECT_EQ(shipped.findDevice("sm_90a", "H100 PCIe"), "NVIDIA H100 PCIe");
  EXPECT_EQ(shipped.findDevice("sm_90a", h100), h100);
  EXPECT_EQ(shipped.findDevice("sm_90a", "H10"), "");
  EXPECT_EQ(shipped.findDevice("sm_90a", ""), "");
  EXPECT_EQ(shipped.findDevice("sm_80", "H100"), "");
}

TEST(ShippedSchedulesTest, ATextIsRefusedAtTheLineThatIsWrong) {
  EXPECT_THAT(refuse("{\"signature\":\"k\",}"),
              HasSubstr("name:2: expects a JSON object, but got [1:"));
  EXPECT_EQ(refuse("\n[]"),
            "name:3: expects a JSON object, but got another value");
  EXPECT_THAT(refuse(keyOf("k", h100) + R"("finished":1,"time":2})"),
              HasSubstr("name:2: expects no keys but signature, device, "
                        "driver, target, compiler, finished, but got 'time'"));
  EXPECT_EQ(refuse(keyOf("k", h100) + R"("schedule":1})"),
            "name:2: expects a string 'schedule', but got 1");
  EXPECT_EQ(refuse(measured(keyOf("k", h100), "#s<2>", -1)),
            "name:2: expects a positive time, but got -1.000000 us");
}

TEST(ShippedSchedulesTest, WhatTheCompilerShipsIsInOrder) {
  ShippedSchedules shipped;
  EXPECT_EQ(toString(shipped.addBuiltIn()), "");
  EXPECT_EQ(shipped.findDevice("sm_90a", "H100"), h100);
}

TEST(TuningLinesTest, ReadingEndsWhereALineIsNotTaken) {
  unsigned taken = 0;
  llvm::Error error = readTuningLines(
      "name",
      measured(keyOf("k", h100), "#s<1>", 1) + keyOf("k", h100) +
          "\"finished\":16}\n" + measured(keyOf("k", h100), "#s<2>", 1),
      [&](llvm::StringRef, const TuningLine &line) {
        ++taken;
        return line.finished ? llvm::createStringError("enough")
                             : llvm::Error::success();
      });
  EXPECT_EQ(toString(std::move(error)), "name:2: enough");
  EXPECT_EQ(taken, 2u);
}

} // namespace
