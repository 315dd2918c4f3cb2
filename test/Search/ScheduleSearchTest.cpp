//===----------------------------------------------------------------------===//
// Rounds of measurements, on a device whose times are given.
//===----------------------------------------------------------------------===//

#include "stof/Search/ScheduleSearch.h"

#include "stof/Conversion/KernelOpInterface.h"
#include "stof/IR/Stof.h"
#include "stof/InitAll.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/FormatVariadic.h"

#include "gtest/gtest.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>

using namespace stof;

static std::string scheduleOf(unsigned keys) {
  return llvm::formatv(
      "#stof.attention_tile<queries = 16, keys = {0}, warps = 1>", 16 * keys);
}

namespace {

constexpr llvm::StringLiteral attention = R"(
func.func @kernel(%q: tensor<1x1x64x16xf32>) -> tensor<1x1x64x16xf32> {
  %e = tensor.empty() : tensor<1x1x64x16xf32>
  %o = stof.attention ins(%q, %q, %q : tensor<1x1x64x16xf32>, tensor<1x1x64x16xf32>, tensor<1x1x64x16xf32>)
      outs(%e : tensor<1x1x64x16xf32>) -> tensor<1x1x64x16xf32>
  return %o : tensor<1x1x64x16xf32>
})";

/// A device whose times are those of the schedule, by the number of its name.
class GivenTimes : public Measurer {
public:
  const MeasuredDevice &getDevice() const override { return device; }

  llvm::Error
  measure(llvm::StringRef reference, llvm::ArrayRef<std::string> packages,
          const MeasureLimits &limits,
          llvm::function_ref<bool(size_t, const Measurement &)> onMeasured)
      override {
    std::lock_guard<std::mutex> lock(mutex);
    if (failing == schedules.at(reference.str()))
      return llvm::createStringError("the reference ends the process");
    asked.push_back(limits);
    for (auto [number, package] : llvm::enumerate(packages)) {
      const std::string &schedule = schedules.at(package);
      measured.push_back(schedule);
      compiledBefore.push_back(compiled.size());
      changed.notify_all();
      Measurement measurement;
      if (schedule == wrong)
        measurement.failure = "differs from the reference";
      else
        measurement.microseconds = times.at(schedule);
      if (!onMeasured(number, measurement))
        break;
    }
    return llvm::Error::success();
  }

  MeasuredDevice device{"device", "1.0", 0};
  std::map<std::string, double> times;
  std::string failing, wrong;
  /// What was measured, in order; how much was compiled before each; and the
  /// limits.
  std::vector<std::string> measured;
  std::vector<size_t> compiledBefore;
  std::vector<MeasureLimits> asked;

  /// Keeps the schedule of a package. That of `late` is compiled some time
  /// after another one is measured, or after a while.
  void add(const std::string &package, const std::string &schedule) {
    if (schedule == late) {
      std::unique_lock<std::mutex> lock(mutex);
      changed.wait_for(lock, std::chrono::seconds(20),
                       [&] { return !measured.empty(); });
      lock.unlock();
      std::this_thread::sleep_for(lateness);
    }
    std::lock_guard<std::mutex> lock(mutex);
    compiled.push_back(schedule);
    schedules[package] = schedule;
  }

  std::string late;
  std::chrono::seconds lateness{0};
  std::vector<std::string> compiled;

private:
  std::map<std::string, std::string> schedules;
  std::mutex mutex;
  std::condition_variable changed;
};

/// A database that keeps the last time of each schedule.
struct KeptTimes : TuningDatabase {
  llvm::Expected<std::vector<TunedSchedule>> find(const TuningKey &,
                                                  OnIgnored) override {
    std::vector<TunedSchedule> found;
    for (const auto &[schedule, microseconds] : times) {
      TunedSchedule &tuned = found.emplace_back();
      tuned.schedule = schedule;
      tuned.measurement.microseconds = microseconds;
    }
    return found;
  }
  llvm::Error add(const TuningKey &, const TunedSchedule &tuned) override {
    times[tuned.schedule] = tuned.measurement.microseconds;
    return llvm::Error::success();
  }
  llvm::Error finish(const TuningKey &, unsigned count) override {
    finished = count;
    return llvm::Error::success();
  }
  llvm::Expected<std::optional<unsigned>>
  findFinished(const TuningKey &) override {
    return finished;
  }
  llvm::Expected<std::vector<TuningKey>> findKeys(OnIgnored) override {
    return std::vector<TuningKey>();
  }
  llvm::Error merge(llvm::StringRef, OnIgnored) override {
    return llvm::Error::success();
  }

  std::map<std::string, double> times;
  std::optional<unsigned> finished;
};

struct ScheduleSearchTest : testing::Test {
  ScheduleSearchTest() : context(makeRegistry()) {
    options.jobs = 1;
    options.compile = [this](mlir::ModuleOp module, llvm::StringRef,
                             llvm::StringRef folder) {
      module.walk([&](AttentionOp op) {
        device.add(folder.str(), llvm::formatv("{0}", op->getAttr("tile")));
      });
      return mlir::success();
    };
  }

  static const mlir::DialectRegistry &makeRegistry() {
    static const mlir::DialectRegistry *registry = [] {
      auto *made = new mlir::DialectRegistry;
      made->insert<mlir::func::FuncDialect, mlir::tensor::TensorDialect>();
      registerAllDialects(*made);
      registerKernelModels(*made);
      return made;
    }();
    return *registry;
  }

  /// A kernel with the given times, which are also predicted unless `predicted`
  /// says otherwise; the first schedule is the untuned one.
  SearchKernel add(unsigned first, std::vector<double> times) {
    SearchKernel kernel;
    kernel.text = attention;
    kernel.launches = 1;
    kernel.report.signature = "kernel" + std::to_string(first);
    for (auto [number, time] : llvm::enumerate(times)) {
      TriedSchedule schedule;
      schedule.schedule = scheduleOf(first + number);
      schedule.predicted = 10.0 + number;
      device.times[schedule.schedule] = time;
      kernel.report.schedules.push_back(std::move(schedule));
    }
    return kernel;
  }

  llvm::Error run(llvm::MutableArrayRef<SearchKernel> kernels) {
    ScheduleSearch search(options, context, "cpu", &device, database,
                          [](const std::string &) {});
    llvm::Error error = search.run(kernels);
    measured = search.getNumMeasured();
    return error;
  }

  SearchOptions options;
  mlir::MLIRContext context;
  GivenTimes device;
  TuningDatabase *database = nullptr;
  unsigned measured = 0;
};

TEST_F(ScheduleSearchTest, TheFastestMeasuredScheduleIsChosen) {
  SearchKernel kernel = add(1, {10, 12, 4, 9});
  ASSERT_FALSE(static_cast<bool>(run(kernel)));
  EXPECT_EQ(kernel.report.chosen, 2u);
  EXPECT_EQ(kernel.report.reason, "measured to be 2.50x as fast");
  EXPECT_EQ(measured, 4u);
}

TEST_F(ScheduleSearchTest, AGainWithinNoiseIsNone) {
  SearchKernel kernel = add(1, {10, 9.95});
  ASSERT_FALSE(static_cast<bool>(run(kernel)));
  EXPECT_EQ(kernel.report.chosen, 0u);
}

TEST_F(ScheduleSearchTest, TheBudgetIsKept) {
  options.budget = 3;
  SearchKernel kernels[] = {add(1, std::vector<double>(8, 10)),
                            add(20, std::vector<double>(8, 10))};
  ASSERT_FALSE(static_cast<bool>(run(kernels)));
  EXPECT_EQ(measured, 6u);
}

TEST_F(ScheduleSearchTest, AKernelThatGainsIsMeasuredMore) {
  options.budget = 12;
  std::vector<double> falling, constant(30, 100);
  for (unsigned i = 0; i < 30; ++i)
    falling.push_back(100 - 3 * i);
  SearchKernel kernels[] = {add(1, falling), add(40, constant)};
  ASSERT_FALSE(static_cast<bool>(run(kernels)));
  EXPECT_GT(kernels[0].report.countMeasured(),
            kernels[1].report.countMeasured());
}

TEST_F(ScheduleSearchTest, OnlyLaterRoundsDrawAtRandom) {
  constexpr unsigned first = 6, both = 14;
  auto countPredicted = [&](unsigned budget, unsigned seed) {
    options.budget = budget;
    options.measuring.seed = seed;
    SearchKernel kernel = add(1, std::vector<double>(40, 10));
    EXPECT_FALSE(static_cast<bool>(run(kernel)));
    EXPECT_EQ(measured, budget);
    return llvm::count_if(
        llvm::ArrayRef(kernel.report.schedules).take_front(budget),
        [](const TriedSchedule &schedule) { return schedule.measured; });
  };
  for (unsigned seed = 0; seed < 4; ++seed) {
    EXPECT_EQ(countPredicted(first, seed), first) << seed;
    EXPECT_EQ(countPredicted(both, seed), both - 1) << seed;
  }
}

TEST_F(ScheduleSearchTest, AScheduleThatDiffersIsDropped) {
  SearchKernel kernel = add(1, {10, 1, 8});
  device.wrong = scheduleOf(2);
  ASSERT_FALSE(static_cast<bool>(run(kernel)));
  EXPECT_EQ(kernel.report.chosen, 2u);
  EXPECT_EQ(kernel.report.schedules[1].failure, "differs from the reference");
}

TEST_F(ScheduleSearchTest, AKernelWhoseReferenceFailsDoesNotEndTheSearch) {
  SearchKernel kernels[] = {add(1, {10, 5}), add(20, {10, 5})};
  device.failing = scheduleOf(1);
  ASSERT_FALSE(static_cast<bool>(run(kernels)));
  EXPECT_EQ(kernels[0].report.chosen, 0u);
  EXPECT_EQ(kernels[0].report.reason, "the reference ends the process");
  EXPECT_EQ(kernels[1].report.chosen, 1u);
}

TEST_F(ScheduleSearchTest, AKnownFailureOfTheUntunedScheduleIsNotTriedAgain) {
  SearchKernel kernel = add(1, {10, 5});
  kernel.report.schedules[0].failure = "hangs";
  ASSERT_FALSE(static_cast<bool>(run(kernel)));
  EXPECT_TRUE(device.measured.empty());
  EXPECT_EQ(kernel.report.chosen, 0u);
}

TEST_F(ScheduleSearchTest, WhatIsKnownIsConfirmed) {
  SearchKernel kernel = add(1, {10, 9});
  kernel.report.schedules[0].measured = 10;
  kernel.report.schedules[1].measured = 3;
  ASSERT_FALSE(static_cast<bool>(run(kernel)));
  EXPECT_EQ(measured, 0u);
  EXPECT_EQ(device.measured.size(), 2u);
  EXPECT_EQ(kernel.report.schedules[1].measured, 9);
}

TEST_F(ScheduleSearchTest, ALaterSearchChoosesByTheLastComparison) {
  KeptTimes kept;
  database = &kept;
  // Luck: another run of the fastest takes longer than the untuned one.
  SearchKernel kernel = add(1, {10, 12});
  kept.times = {{scheduleOf(1), 10}, {scheduleOf(2), 3}};
  ASSERT_FALSE(static_cast<bool>(run(kernel)));
  EXPECT_EQ(kernel.report.chosen, 0u);
  SearchKernel again = add(1, {10, 12});
  ASSERT_FALSE(static_cast<bool>(run(again)));
  EXPECT_EQ(again.report.chosen, 0u);
  EXPECT_EQ(device.measured.size(), 2u);
}

TEST_F(ScheduleSearchTest, AnInterruptKeepsWhatWasMeasured) {
  unsigned asked = 0;
  SearchKernel kernel = add(1, {10, 4, 3, 2});
  options.isInterrupted = [&] { return device.measured.size() >= 2; };
  options.onProgress = [&](const SearchProgress &) { ++asked; };
  ASSERT_FALSE(static_cast<bool>(run(kernel)));
  EXPECT_EQ(asked, 2u);
  EXPECT_EQ(kernel.report.chosen, 1u);
}

TEST_F(ScheduleSearchTest, NothingIsCompiledTwice) {
  SearchKernel kernel = add(1, {10, 12, 4, 9, 8, 7, 6, 3});
  ASSERT_FALSE(static_cast<bool>(run(kernel)));
  EXPECT_EQ(kernel.report.chosen, 7u);
  EXPECT_EQ(device.measured.size(), 10u);
  EXPECT_EQ(device.compiled.size(), 8u);
}

TEST_F(ScheduleSearchTest, WhatIsKnownIsCompiledInOrderToBeComparedWith) {
  SearchKernel kernel = add(1, {10, 9, 8});
  kernel.report.schedules[0].measured = 10;
  kernel.report.schedules[1].measured = 9;
  ASSERT_FALSE(static_cast<bool>(run(kernel)));
  using Schedules = std::vector<std::string>;
  EXPECT_EQ(device.compiled, Schedules({scheduleOf(1), scheduleOf(3)}));
  EXPECT_EQ(device.measured,
            Schedules({scheduleOf(3), scheduleOf(1), scheduleOf(3)}));
}

TEST_F(ScheduleSearchTest, TimesOfRoundsMayBeLessExactThanTheLast) {
  SearchKernel kernel = add(1, {10, 12, 4, 9, 8, 7, 6, 5});
  ASSERT_FALSE(static_cast<bool>(run(kernel)));
  ASSERT_EQ(device.asked.size(), 3u);
  EXPECT_EQ(device.asked[0].best, std::nullopt);
  EXPECT_EQ(device.asked[1].best, 4);
  EXPECT_EQ(device.asked[2].best, std::nullopt);
  EXPECT_EQ(device.asked[0].milliseconds, device.asked[1].milliseconds);
  EXPECT_LT(device.asked[1].milliseconds, device.asked[2].milliseconds);
}

TEST_F(ScheduleSearchTest, AGpuMeasuresLongKernelsWhileOthersAreCompiled) {
  device.device.capability = 90;
  SearchKernel kernels[] = {add(1, {10, 11}), add(20, {90, 80})};
  kernels[1].report.schedules[0].predicted = 90;
  device.late = scheduleOf(2);
  ASSERT_FALSE(static_cast<bool>(run(kernels)));
  std::vector<std::string> first(device.measured.begin(),
                                 device.measured.begin() + 4);
  EXPECT_EQ(first, std::vector<std::string>({scheduleOf(20), scheduleOf(21),
                                             scheduleOf(1), scheduleOf(2)}));
  EXPECT_LT(device.compiledBefore[0], 4u);
  EXPECT_EQ(device.compiledBefore[2], 4u);
}

TEST_F(ScheduleSearchTest, ACpuMeasuresWhenNothingIsCompiled) {
  SearchKernel kernels[] = {add(1, {100, 110}), add(20, {100, 110})};
  for (SearchKernel &kernel : kernels)
    kernel.report.schedules[0].predicted = 100;
  ASSERT_FALSE(static_cast<bool>(run(kernels)));
  EXPECT_EQ(device.compiledBefore, std::vector<size_t>(4, 4));
}

TEST_F(ScheduleSearchTest, WhatHasNotBegunIsNotCompiledAfterAnInterrupt) {
  device.device.capability = 90;
  SearchKernel kernels[] = {add(1, {100, 90}), add(20, {100, 90, 80, 70})};
  for (SearchKernel &kernel : kernels)
    kernel.report.schedules[0].predicted = 100;
  device.late = scheduleOf(20);
  // The search ends while a candidate is compiled.
  device.lateness = std::chrono::seconds(1);
  std::atomic<bool> isInterrupted = false;
  options.isInterrupted = [&] { return isInterrupted.load(); };
  options.onProgress = [&](const SearchProgress &) { isInterrupted = true; };
  ASSERT_FALSE(static_cast<bool>(run(kernels)));
  EXPECT_EQ(device.measured, std::vector<std::string>({scheduleOf(1)}));
  EXPECT_LE(device.compiled.size(), 3u);
}

TEST_F(ScheduleSearchTest, WithoutADeviceTheModelChooses) {
  SearchKernel kernel = add(1, {10, 5, 5});
  kernel.report.untuned = 2;
  ScheduleSearch search(options, context, "cpu", /*measurer=*/nullptr,
                        /*database=*/nullptr, [](const std::string &) {});
  ASSERT_FALSE(static_cast<bool>(search.run(kernel)));
  EXPECT_EQ(kernel.report.chosen, 0u);
  EXPECT_EQ(kernel.report.reason, "predicted to be the fastest");
}

} // namespace
