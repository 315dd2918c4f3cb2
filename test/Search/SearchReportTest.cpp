//===----------------------------------------------------------------------===//
// The figures of a search, its JSON and its page.
//===----------------------------------------------------------------------===//

#include "stof/Search/SearchReport.h"

#include "llvm/Support/raw_ostream.h"

#include "gtest/gtest.h"

using namespace stof;

static TriedSchedule getTried(std::optional<double> predicted,
                              std::optional<double> measured = std::nullopt) {
  TriedSchedule tried;
  tried.schedule = "#stof.thread_tile<elements = 8>";
  tried.predicted = predicted;
  tried.bound = "HBM";
  tried.measured = measured;
  return tried;
}

/// A kernel whose second schedule was chosen.
static SearchedKernel getKernel(std::string name, TriedSchedule untuned,
                                TriedSchedule chosen, size_t places = 1) {
  SearchedKernel kernel;
  kernel.signature = "5e1f";
  kernel.name = std::move(name);
  kernel.places.assign(places, "@model at model.mlir:3:8");
  kernel.schedules = {std::move(untuned), std::move(chosen)};
  kernel.chosen = 1;
  kernel.reason = "the least measured time";
  return kernel;
}

static SearchReport getReport(std::vector<SearchedKernel> kernels) {
  SearchReport report;
  report.target = "sm_90a";
  report.device = {"NVIDIA H100 80GB HBM3", "13.0"};
  report.compiler = "1.0";
  report.budget = 64;
  report.measured = 4;
  report.seconds = 12.5;
  report.kernels = std::move(kernels);
  return report;
}

static std::vector<std::string> rank(const SearchReport &report) {
  std::vector<std::string> names;
  for (const SearchedKernel *kernel : report.rankKernels())
    names.push_back(kernel->name);
  return names;
}

static std::string printPage(const SearchReport &report) {
  std::string page;
  llvm::raw_string_ostream os(page);
  report.printPage(os);
  return page;
}

static bool contains(llvm::StringRef page, llvm::StringRef text) {
  return page.contains(text);
}

namespace {

//===----------------------------------------------------------------------===//
// Figures
//===----------------------------------------------------------------------===//

TEST(SearchReportTest, AGainIsMeasuredWhereBothTimesAre) {
  SearchedKernel kernel = getKernel("both", getTried(9, 6), getTried(8, 4));
  EXPECT_TRUE(kernel.getGain()->isMeasured);
  EXPECT_DOUBLE_EQ(kernel.getGain()->getFactor(), 1.5);
  kernel.schedules[0].measured.reset();
  EXPECT_FALSE(kernel.getGain()->isMeasured);
  EXPECT_DOUBLE_EQ(kernel.getGain()->getFactor(), 9.0 / 8);
  kernel.schedules[0].predicted.reset();
  EXPECT_FALSE(kernel.getGain());
}

TEST(SearchReportTest, ATimeOfZeroHasNoGain) {
  EXPECT_FALSE(getKernel("none", getTried({}, 6), getTried({}, 0)).getGain());
}

TEST(SearchReportTest, AKernelWithoutSchedulesHasNoGain) {
  SearchedKernel kernel;
  kernel.name = "none";
  EXPECT_FALSE(kernel.getGain());
  EXPECT_FALSE(kernel.judgePredictions());
  EXPECT_TRUE(
      contains(printPage(getReport({kernel})), "No schedule has a time."));
}

TEST(SearchReportTest, KernelsAreRankedByWhatTheySaveInAllPlaces) {
  SearchReport report =
      getReport({getKernel("slower", getTried(1, 1), getTried(1, 2)),
                 getKernel("same, short", getTried(5, 5), getTried(5, 5)),
                 getKernel("same, long", getTried(5, 9), getTried(5, 9)),
                 getKernel("once", getTried(9, 9), getTried(5, 4)),
                 getKernel("often", getTried(5, 5), getTried(4, 4), 6),
                 getKernel("unknown", getTried({}), getTried({}))});
  EXPECT_EQ(rank(report),
            (std::vector<std::string>{"often", "once", "same, long",
                                      "same, short", "unknown", "slower"}));
}

TEST(SearchReportTest, TheTotalHasMeasuredGainsOnly) {
  std::vector<SearchedKernel> kernels = {
      getKernel("a", getTried(9, 8), getTried(9, 4), 2),
      getKernel("b", getTried(9, 1), getTried(9, 2)),
      getKernel("c", getTried(9), getTried(3))};
  std::optional<SearchTotal> total = getReport(kernels).getTotal();
  EXPECT_TRUE(total->isMeasured);
  EXPECT_EQ(total->kernels, 2u);
  EXPECT_DOUBLE_EQ(total->untuned, 17);
  EXPECT_DOUBLE_EQ(total->chosen, 10);
  EXPECT_DOUBLE_EQ(total->meanGain, 1);
  kernels.erase(kernels.begin(), kernels.begin() + 2);
  total = getReport(kernels).getTotal();
  EXPECT_FALSE(total->isMeasured);
  EXPECT_DOUBLE_EQ(total->meanGain, 3);
  EXPECT_FALSE(getReport({}).getTotal());
}

TEST(SearchReportTest, PredictionsAreJudgedByMeasurements) {
  SearchedKernel kernel = getKernel("k", getTried(1, 4), getTried(2, 2));
  EXPECT_FALSE(kernel.judgePredictions()->rankCorrelation);
  kernel.schedules.push_back(getTried(3, 6));
  kernel.schedules.push_back(getTried(4));
  std::optional<PredictionQuality> quality = kernel.judgePredictions();
  EXPECT_EQ(quality->count, 3u);
  EXPECT_DOUBLE_EQ(*quality->rankCorrelation, 0.5);
  EXPECT_DOUBLE_EQ(quality->bias, 2);
  EXPECT_EQ(quality->place, 2u);
  EXPECT_DOUBLE_EQ(quality->regret, 2);
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

TEST(SearchReportTest, TheJSONOfAnEmptyReportHasNoDevice) {
  SearchReport report;
  report.target = "cpu";
  llvm::json::Object object = report.toJSON();
  EXPECT_EQ(*object.get("device"), llvm::json::Value(nullptr));
  EXPECT_EQ(*object.get("total"), llvm::json::Value(nullptr));
  EXPECT_TRUE(object.getArray("kernels")->empty());
}

TEST(SearchReportTest, TheJSONHasWhatTheSearchFound) {
  SearchedKernel kernel =
      getKernel("k", getTried(9, 8.00049), getTried(8, 4), 3);
  kernel.schedules.push_back(getTried(10));
  kernel.schedules.back().failure = "bad\xFF result";
  std::string text;
  llvm::raw_string_ostream(text)
      << llvm::json::Value(getReport({kernel}).toJSON());
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(text);
  ASSERT_TRUE(static_cast<bool>(parsed));
  llvm::json::Object &object = *parsed->getAsObject();
  EXPECT_EQ(object.getBoolean("interrupted"), false);
  EXPECT_EQ(object.getInteger("budget"), 64);
  llvm::json::Object &found =
      *object.getArray("kernels")->front().getAsObject();
  EXPECT_EQ(found.getInteger("chosen"), 1);
  EXPECT_EQ(found.getObject("gain")->getString("times"), "measured");
  EXPECT_EQ(found.getObject("gain")->getNumber("factor"), 2);
  EXPECT_EQ(found.getObject("gain")->getNumber("saved_us"), 12.001);
  llvm::json::Object &failed =
      *found.getArray("schedules")->back().getAsObject();
  EXPECT_EQ(*failed.get("measured_us"), llvm::json::Value(nullptr));
  EXPECT_EQ(failed.getString("failure"), "bad\xEF\xBF\xBD result");
}

//===----------------------------------------------------------------------===//
// Pages
//===----------------------------------------------------------------------===//

TEST(SearchReportTest, ThePageOfAnEmptyReportSaysSo) {
  SearchReport report;
  report.target = "cpu";
  EXPECT_TRUE(contains(printPage(report),
                       "There are no kernels with a choice of schedules."));
}

TEST(SearchReportTest, WithoutMeasurementsPredictedTimesAreDrawn) {
  std::string page =
      printPage(getReport({getKernel("k", getTried(9), getTried(3))}));
  EXPECT_TRUE(contains(page, "Nothing was measured"));
  EXPECT_TRUE(contains(page, "Predicted times of the fastest schedules"));
  EXPECT_FALSE(contains(page, "predicted (\u00B5s)"));
}

TEST(SearchReportTest, MeasuredTimesNeedNoPredictions) {
  std::string page =
      printPage(getReport({getKernel("k", getTried({}, 9), getTried({}, 3))}));
  EXPECT_FALSE(contains(page, "Nothing was measured"));
  EXPECT_TRUE(contains(page, "Measured times of the fastest schedules"));
}

TEST(SearchReportTest, ManySchedulesAreDrawnOnlyInPart) {
  SearchedKernel kernel = getKernel("k", getTried(1), getTried(99));
  for (int number = 2; number < 40; ++number)
    kernel.schedules.push_back(getTried(number));
  std::string page = printPage(getReport({kernel}));
  // Twelve, and the chosen one.
  EXPECT_EQ(llvm::StringRef(page).count("<rect"), 13u);
}

TEST(SearchReportTest, RankCorrelationsAreOfThreeMeasurementsOrMore) {
  SearchedKernel kernel = getKernel("k", getTried(2, 9), getTried(1, 3));
  EXPECT_TRUE(contains(printPage(getReport({kernel})),
                       "2 measured schedules: no rank correlation."));
  kernel.schedules.push_back(getTried(3, 10));
  EXPECT_TRUE(contains(printPage(getReport({kernel})),
                       "Rank correlation 1.00 over 3 measured schedules."));
}

TEST(SearchReportTest, FailuresAreCountedAndNamed) {
  SearchedKernel kernel = getKernel("k", getTried(9, 9), getTried(3, 3));
  kernel.schedules.push_back(getTried(5));
  kernel.schedules.back().failure = "hangs";
  std::string page = printPage(getReport({kernel}));
  EXPECT_TRUE(contains(page, "2 of 3, 1 failed"));
  EXPECT_TRUE(contains(page, "<td>hangs</td>"));
}

TEST(SearchReportTest, AnInterruptedSearchSaysSo) {
  SearchReport report = getReport({});
  EXPECT_FALSE(contains(printPage(report), "interrupted"));
  report.isInterrupted = true;
  EXPECT_TRUE(contains(printPage(report), "The search was interrupted."));
}

TEST(SearchReportTest, ClocksThatDifferAreSaid) {
  SearchedKernel kernel = getKernel("k", getTried(9, 9), getTried(3, 3));
  kernel.schedules[0].clockMHz = 1980;
  kernel.schedules[1].clockMHz = 1960;
  EXPECT_FALSE(contains(printPage(getReport({kernel})), "the clock&#39;s"));
  kernel.schedules[1].clockMHz = 1400;
  EXPECT_TRUE(contains(printPage(getReport({kernel})), "the clock&#39;s"));
}

TEST(SearchReportTest, WhatTheChosenScheduleChangesIsMarked) {
  SearchedKernel kernel = getKernel("k", getTried(9, 9), getTried(3, 3));
  kernel.schedules[0].schedule = "[#t<rows = 64, warps = 4, stages = 4>]";
  kernel.schedules[1].schedule = "[#t<rows = 64, warps = 8, stages = 4>]";
  std::string page = printPage(getReport({kernel}));
  EXPECT_TRUE(contains(page, "rows = 64, <mark>warps = 8</mark>, stages = 4"));
  EXPECT_TRUE(contains(page, "rows = 64, <mark>warps = 4</mark>, stages = 4"));
}

TEST(SearchReportTest, TextIsEscaped) {
  SearchedKernel kernel = getKernel("<b>&\"'", getTried(9, 9), getTried(3, 3));
  kernel.reason = "a\x1B[1m b\xFF \xEF\xBF\xBF";
  std::string page = printPage(getReport({kernel}));
  EXPECT_FALSE(contains(page, "<b>"));
  EXPECT_TRUE(contains(page, "&#60;b&#62;&#38;&#34;&#39;"));
  EXPECT_TRUE(contains(page, "a\xEF\xBF\xBD[1m b\xEF\xBF\xBD \xEF\xBF\xBD"));
}

TEST(SearchReportTest, StyleSheetsNeedNoEscapes) {
  // HTML would not read them back.
  EXPECT_FALSE(contains(
      llvm::StringRef(printPage(getReport({}))).split("</style>").first, "&"));
}

TEST(SearchReportTest, SchemesAreDrawnByGroups) {
  SearchReport report = getReport({});
  report.schemes.push_back({"model", "00110", "00010", 20, 16, 5});
  std::string page = printPage(report);
  EXPECT_TRUE(contains(page, "3 \u2192 3 groups of 5 operations"));
  EXPECT_TRUE(contains(page, "1.25\u00D7"));
  // Each has a boundary of its own.
  EXPECT_EQ(llvm::StringRef(page).count("class=\"moved untuned\""), 1u);
  EXPECT_EQ(llvm::StringRef(page).count("class=\"moved chosen\""), 1u);
}

/// Both are left in the temporary folder for search-report.test.
TEST(SearchReportTest, ReportsAreWritten) {
  SearchedKernel kernel =
      getKernel("<group> & \"rows\"", getTried(9, 9), getTried(3, 3), 7);
  kernel.schedules.push_back(getTried(5, 4));
  kernel.schedules.push_back(getTried(6));
  kernel.schedules.back().failure = "stops at \x1B<0>";
  SearchReport report =
      getReport({kernel, getKernel("predicted", getTried(9), getTried(3))});
  report.schemes.push_back({"model", "00110", "00010", 20, 16, 5});
  auto write = [](llvm::StringRef name, llvm::StringRef text) {
    std::error_code error;
    llvm::raw_fd_ostream os(::testing::TempDir() + name.str(), error);
    ASSERT_FALSE(error) << error.message();
    os << text;
  };
  write("search.html", printPage(report));
  std::string json;
  llvm::raw_string_ostream(json) << llvm::json::Value(report.toJSON());
  write("search.json", json);
}

} // namespace
