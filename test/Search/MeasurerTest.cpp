//===----------------------------------------------------------------------===//
// Measurements through a child process, whatever becomes of it. The child is a
// script that does with a package what its name says.
//===----------------------------------------------------------------------===//

#include "stof/Search/Measurer.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

#include <csignal>
#include <unistd.h>

using namespace stof;

namespace {

constexpr const char *script = R"sh(#!/bin/sh
[ "$1 $2" = "--serve --device=test" ] || { echo "expects a device 'test'" >&2; exit 1; }
echo $$ >> "$0.starts"
[ -e "$0.mute" ] && sleep 100
[ -e "$0.confused" ] && echo '{"done": true}'
[ -e "$0.old" ] && echo '{"device": "Test GPU", "driver": "13.0"}'
echo '{"device": "Test GPU", "driver": "13.0", "capability": 90}'
while read -r request; do
  echo "$request" >> "$0.requests"
  case "$request" in
    *'"reference":"dead"'*) exit 2;;
    *'"reference":"dynamic"'*) echo '{"error": "expects static sizes"}'; continue;;
  esac
  list=$(echo "$request" | sed 's/.*"packages":\[\([^]]*\)\].*/\1/' | tr -d '"' | tr , ' ')
  case " $list " in *' bomb '*) kill -ABRT $$;; esac
  case " $list " in *' swamp '*) sleep 100;; esac
  index=0
  for package in $list; do
    echo "{\"begin\": $index}"
    case "$package" in
      hang) sleep 100;;
      crash) kill -SEGV $$;;
      exit) echo 'first words' >&2; echo 'stof-run: error: last words' >&2; exit 3;;
      garbage) echo 'Hello, World';;
      disorder) echo '{"index": 7, "microseconds": [1]}';;
      timeless) echo "{\"index\": $index, \"microseconds\": []}";;
      wrong) echo "{\"index\": $index, \"error\": \"result0 differs\"}";;
      chatty) head -c 1000000 /dev/zero | tr '\0' . >&2
              echo "{\"index\": $index, \"microseconds\": [1]}";;
      fault) echo "{\"index\": $index, \"error\": \"illegal address\"}"; exit 1;;
      *) echo "{\"index\": $index, \"microseconds\": [3, 1, 2.5, 4], \"clock_mhz\": 1980}";;
    esac
    index=$((index + 1))
  done
  echo '{"done": true}'
done
)sh";

class MeasurerTest : public ::testing::Test {
protected:
  void SetUp() override {
    llvm::SmallString<128> path;
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("stof-measure", path));
    folder = std::string(path);
    options.runner = folder + "/runner";
    options.device = "test";
    options.patience = 2;
    write("", script);
    ASSERT_FALSE(
        llvm::sys::fs::setPermissions(options.runner, llvm::sys::fs::all_all));
  }
  void TearDown() override {
    EXPECT_FALSE(llvm::sys::fs::remove_directories(folder));
  }

  /// Writes a file with the path of the runner and `suffix`.
  void write(llvm::StringRef suffix, llvm::StringRef text) {
    std::error_code error;
    llvm::raw_fd_ostream os(options.runner + suffix.str(), error);
    ASSERT_FALSE(error);
    os << text;
  }

  /// The lines of such a file.
  std::vector<std::string> read(llvm::StringRef suffix) {
    auto file = llvm::MemoryBuffer::getFile(options.runner + suffix.str());
    if (!file)
      return {};
    llvm::SmallVector<llvm::StringRef> lines;
    (*file)->getBuffer().rtrim().split(lines, '\n');
    return {lines.begin(), lines.end()};
  }

  /// The message of a start that fails.
  std::string failToStart() {
    llvm::Expected<std::unique_ptr<Measurer>> measurer = startMeasurer(options);
    return measurer ? "" : llvm::toString(measurer.takeError());
  }

  /// What becomes of each package, or of all: times, failures, an error.
  std::vector<std::string> measure(std::vector<std::string> packages,
                                   std::string reference = "reference",
                                   size_t most = 100) {
    if (!measurer)
      if (llvm::Error error = startMeasurer(options).moveInto(measurer))
        return {"error: " + llvm::toString(std::move(error))};
    std::vector<std::string> results;
    llvm::Error error =
        measurer->measure(reference, packages, limits,
                          [&](size_t index, const Measurement &measurement) {
                            EXPECT_EQ(index, results.size());
                            results.push_back(measurement.failure);
                            if (measurement.failure.empty())
                              llvm::raw_string_ostream(results.back())
                                  << measurement.microseconds << " us at "
                                  << measurement.clockMHz;
                            return results.size() < most;
                          });
    if (error)
      results.push_back("error: " + llvm::toString(std::move(error)));
    return results;
  }

  std::string folder;
  MeasureOptions options;
  MeasureLimits limits{/*milliseconds=*/20, /*best=*/std::nullopt};
  std::unique_ptr<Measurer> measurer;
};

using Results = std::vector<std::string>;
const std::string time = "2.750000e+00 us at 1980";

TEST_F(MeasurerTest, TheDeviceIsThatOfTheRunner) {
  measure({});
  EXPECT_EQ(measurer->getDevice().name, "Test GPU");
  EXPECT_EQ(measurer->getDevice().driver, "13.0");
  EXPECT_EQ(measurer->getDevice().capability, 90u);
}

TEST_F(MeasurerTest, TheMedianIsTaken) {
  EXPECT_EQ(measure({"a", "b"}), Results({time, time}));
}

TEST_F(MeasurerTest, ARequestHasTheOptions) {
  options.repeat = 5;
  options.seed = 7;
  measure({"a"});
  EXPECT_EQ(read(".requests"),
            Results({R"({"milliseconds":20,"packages":["a"],)"
                     R"("reference":"reference","repeat":5,"seed":7})"}));
}

TEST_F(MeasurerTest, ARequestHasTheBestTime) {
  limits.best = 12.5;
  measure({"a"});
  EXPECT_EQ(read(".requests"),
            Results({R"({"best":12.5,"milliseconds":20,"packages":["a"],)"
                     R"("reference":"reference","repeat":30,"seed":0})"}));
}

TEST_F(MeasurerTest, OneProcessServesAllRequests) {
  measure({"a"});
  measure({"b", "wrong"});
  EXPECT_EQ(read(".starts").size(), 1u);
}

TEST_F(MeasurerTest, AnErrorOfAPackageIsItsFailure) {
  EXPECT_EQ(measure({"a", "wrong", "b"}),
            Results({time, "result0 differs", time}));
}

TEST_F(MeasurerTest, AHangIsTheFailureOfThePackage) {
  EXPECT_EQ(measure({"a", "hang", "b"}),
            Results({time, "hangs: no answer in 2 s", time}));
  EXPECT_EQ(read(".starts").size(), 2u);
}

TEST_F(MeasurerTest, ASignalIsTheFailureOfThePackage) {
  EXPECT_EQ(
      measure({"crash", "b"}),
      Results({"ends the process: signal 11 (Segmentation fault)", time}));
}

TEST_F(MeasurerTest, AnExitComesWithTheLastWords) {
  EXPECT_EQ(
      measure({"a", "exit"}),
      Results({time,
               "ends the process: exit code 3: stof-run: error: last words"}));
}

TEST_F(MeasurerTest, AProcessThatEndsAfterAnErrorIsReplaced) {
  EXPECT_EQ(measure({"fault", "b", "fault"}),
            Results({"illegal address", time, "illegal address"}));
  EXPECT_EQ(measure({"c"}), Results({time}));
}

TEST_F(MeasurerTest, AnswersAreTheRunnersAlone) {
  EXPECT_EQ(
      measure({"garbage", "b"}),
      Results({"expects an answer of stof-run, but got 'Hello, World'", time}));
  EXPECT_EQ(measure({"timeless"}),
            Results({"expects an answer of stof-run, but got '{\"index\": 0, "
                     "\"microseconds\": []}'"}));
  EXPECT_EQ(measure({"disorder", "b"}),
            Results({"answers out of order", time}));
}

TEST_F(MeasurerTest, WordsOnStandardErrorBlockNoOne) {
  EXPECT_EQ(measure({"chatty", "b"}), Results({"1.000000e+00 us at 0", time}));
}

TEST_F(MeasurerTest, ThePackageThatEndsTheLoadingIsFound) {
  EXPECT_EQ(
      measure({"a", "b", "c", "bomb", "d", "e"}),
      Results({time, time, time, "loading ends the process: signal 6 (Aborted)",
               time, time}));
}

TEST_F(MeasurerTest, ThePackageThatLoadsForEverIsFound) {
  options.patience = 0.5;
  EXPECT_EQ(measure({"swamp", "b"}),
            Results({"loading hangs: no answer in 1.5 s", time}));
}

TEST_F(MeasurerTest, AReferenceThatEndsTheProcessIsAnError) {
  EXPECT_EQ(measure({"a", "b"}, "dead"),
            Results({"error: cannot measure with reference 'dead': ends the "
                     "process: exit code 2"}));
}

TEST_F(MeasurerTest, ARefusedRequestIsAnError) {
  EXPECT_EQ(measure({"a"}, "dynamic"),
            Results({"error: cannot measure with reference 'dynamic': expects "
                     "static sizes"}));
  EXPECT_EQ(measure({"a"}), Results({time}));
}

TEST_F(MeasurerTest, PathsAreUnicode) {
  EXPECT_EQ(measure({"\xff"}),
            Results({"error: expects paths in UTF-8, but got '\xff'"}));
}

TEST_F(MeasurerTest, AMeasurementCanBeTheLast) {
  EXPECT_EQ(measure({"a", "b", "hang"}, "reference", 2), Results({time, time}));
  EXPECT_EQ(measure({"hang", "b"}, "reference", 1),
            Results({"hangs: no answer in 2 s"}));
  EXPECT_EQ(measure({"a"}), Results({time}));
}

TEST_F(MeasurerTest, ARequestMayBeLong) {
  std::vector<std::string> packages(3, std::string(100000, 'p'));
  EXPECT_EQ(measure(packages), Results({time, time, time}));
}

TEST_F(MeasurerTest, TheProcessHasAGroupOfItsOwnAndEndsWithTheMeasurer) {
  measure({"a"});
  pid_t process;
  ASSERT_TRUE(llvm::to_integer(read(".starts").front(), process));
  EXPECT_EQ(getpgid(process), process);
  measurer.reset();
  EXPECT_EQ(kill(process, 0), -1);
}

TEST_F(MeasurerTest, ARunnerWithoutTheDeviceIsAnError) {
  options.device = "cuda:9";
  EXPECT_EQ(failToStart(), "cannot measure on cuda:9: '" + options.runner +
                               "' ends the process: exit code 1: expects a "
                               "device 'test'");
}

TEST_F(MeasurerTest, ARunnerThatSaysNothingIsAnError) {
  options.patience = 0.1;
  write(".mute", "");
  EXPECT_EQ(failToStart(), "cannot measure on test: '" + options.runner +
                               "' hangs: no answer in 0.6 s");
}

TEST_F(MeasurerTest, ARunnerThatTellsNoDeviceIsAnError) {
  write(".confused", "");
  EXPECT_EQ(failToStart(), "expects '" + options.runner +
                               "' to tell its device first, but it did not");
}

TEST_F(MeasurerTest, ARunnerThatTellsNoCapabilityIsAnError) {
  write(".old", "");
  EXPECT_EQ(failToStart(),
            "cannot measure on test: '" + options.runner +
                "' expects an answer of stof-run, but got '{\"device\": \"Test "
                "GPU\", \"driver\": \"13.0\"}'");
}

TEST_F(MeasurerTest, AProgramThatIsNoneIsAnError) {
  options.runner = folder + "/none";
  EXPECT_EQ(failToStart(), "expects a program to measure with, but got '" +
                               options.runner + "'");
  options.runner = folder + "/runner";
  write("", "#!" + folder + "/none\n");
  EXPECT_EQ(failToStart(),
            "cannot start '" + options.runner + "': No such file or directory");
}

TEST_F(MeasurerTest, ARunnerThatIsGoneIsAnError) {
  measure({"a"});
  write("", "#!" + folder + "/none\n");
  EXPECT_EQ(measure({"a", "crash", "b"}),
            Results({time, "ends the process: signal 11 (Segmentation fault)",
                     "error: cannot start '" + options.runner +
                         "': No such file or directory"}));
}

} // namespace
