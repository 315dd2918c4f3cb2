//===----------------------------------------------------------------------===//
// The search of a module, on a device whose times are given: what is measured
// of kernels decides between schemes.
//===----------------------------------------------------------------------===//

#include "stof/Search/Search.h"

#include "SearchModules.h"
#include "stof/Search/KernelModule.h"
#include "stof/Search/TuningDatabase.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <map>
#include <mutex>

using namespace stof;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

namespace {

// The kernels of scheme 011, which the model chooses for `dividedRows`, and of
// the moves from there: expand makes 000, seize makes 001.
constexpr llvm::StringLiteral product = "matmul 4096x128x4096 f16",
                              rows = "reduction + elementwise 4096x128 f16",
                              all = "matmul 4096x128x4096 f16 + reduction + "
                                    "elementwise",
                              sums = "matmul 4096x128x4096 f16 + reduction",
                              quotient = "elementwise 4096x128 f16";

/// What a device does with kernels, by name.
struct GivenKernels {
  std::map<std::string, double> times = {
      {product.str(), 50}, {rows.str(), 30},      {all.str(), 200},
      {sums.str(), 200},   {quotient.str(), 200},
  };
  std::map<std::string, std::string> failures;
  /// The kernels in the order of measurement.
  std::vector<std::string> measured;

  void add(const std::string &package, const std::string &kernel) {
    std::lock_guard<std::mutex> lock(mutex);
    packages[package] = kernel;
  }
  std::string find(const std::string &package) {
    std::lock_guard<std::mutex> lock(mutex);
    return packages.at(package);
  }

private:
  /// The kernel of each package. Some are measured while others are compiled.
  std::map<std::string, std::string> packages;
  std::mutex mutex;
};

class GivenDevice : public Measurer {
public:
  GivenDevice(GivenKernels &kernels, MeasuredDevice device)
      : kernels(kernels), device(std::move(device)) {}

  const MeasuredDevice &getDevice() const override { return device; }

  llvm::Error measure(llvm::StringRef, llvm::ArrayRef<std::string> packages,
                      const MeasureLimits &,
                      llvm::function_ref<bool(size_t, const Measurement &)>
                          onMeasured) override {
    for (auto [number, package] : llvm::enumerate(packages)) {
      const std::string kernel = kernels.find(package);
      kernels.measured.push_back(kernel);
      Measurement measurement;
      measurement.microseconds = kernels.times.at(kernel);
      auto failure = kernels.failures.find(kernel);
      if (failure != kernels.failures.end())
        measurement = {0, 0, failure->second};
      if (!onMeasured(number, measurement))
        break;
    }
    return llvm::Error::success();
  }

private:
  GivenKernels &kernels;
  MeasuredDevice device;
};

/// A tuning database for one test.
struct KeptDatabase {
  KeptDatabase() {
    EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("stof-search", folder));
    path = (folder + "/tuning.db").str();
  }
  ~KeptDatabase() { EXPECT_FALSE(llvm::sys::fs::remove_directories(folder)); }

  /// The microseconds of what it has whose schedule begins with `kind`,
  /// failures left out.
  std::vector<double> listTimes(llvm::StringRef kind = "") const {
    std::vector<double> times;
    auto ignore = [](const std::string &reason) { ADD_FAILURE() << reason; };
    auto database = llvm::cantFail(openTuningDatabase(path));
    for (const TuningKey &key : llvm::cantFail(database->findKeys(ignore)))
      for (const TunedSchedule &found :
           llvm::cantFail(database->find(key, ignore)))
        if (found.measurement.failure.empty() &&
            llvm::StringRef(found.schedule).starts_with(kind))
          times.push_back(found.measurement.microseconds);
    return times;
  }

  llvm::SmallString<128> folder;
  std::string path;
};

struct ModuleSearchTest : testing::Test {
  ModuleSearchTest() : context(makeSearchRegistry()) {
    options.jobs = 1;
    options.measuring.device = "";
    options.compile = [this](mlir::ModuleOp module, llvm::StringRef,
                             llvm::StringRef folder) {
      kernels.add(folder.str(), describeKernel(findKernelOperation(module)));
      return mlir::success();
    };
    options.openMeasurer = [this](const MeasureOptions &measuring)
        -> llvm::Expected<std::unique_ptr<Measurer>> {
      opened = measuring.device;
      return std::make_unique<GivenDevice>(kernels, device);
    };
  }

  /// Searches, and returns the chosen scheme.
  std::string search() {
    auto module =
        mlir::parseSourceString<mlir::ModuleOp>(dividedRows, &context);
    SearchSession session(options);
    mlir::PassManager passes(&context);
    passes.addPass(createSearchPass(session, /*chip=*/""));
    if (failed(passes.run(*module)) || session.reports.size() != 1)
      return "failed";
    report = session.reports.front();
    return report.schemes.size() == 1 ? report.schemes.front().chosen : "none";
  }

  /// The kernels that the module has after the search.
  std::vector<std::string> listUsed() const {
    std::vector<std::string> names;
    for (const SearchedKernel &kernel : report.kernels)
      if (!kernel.places.empty())
        names.push_back(kernel.name);
    return names;
  }

  mlir::MLIRContext context;
  SearchOptions options;
  GivenKernels kernels;
  MeasuredDevice device{"device", "1.0", 0};
  std::string opened;
  SearchReport report;
};

TEST_F(ModuleSearchTest, TheKernelsOfAlternativesAreMeasured) {
  EXPECT_EQ(search(), "011");
  EXPECT_EQ(opened, "cpu");
  EXPECT_EQ(report.device.name, "device");
  for (llvm::StringRef kernel : {product, rows, all, sums, quotient})
    EXPECT_TRUE(llvm::is_contained(kernels.measured, kernel)) << kernel.str();
}

TEST_F(ModuleSearchTest, AMoveIsMadeIfItsKernelsTakeLessThanThoseItRemoves) {
  kernels.times[all.str()] = 79;
  EXPECT_EQ(search(), "000");
  EXPECT_THAT(listUsed(), ElementsAre(all));
}

TEST_F(ModuleSearchTest, AMoveIsNotMadeIfItsKernelsTakeMore) {
  kernels.times[all.str()] = 81;
  EXPECT_EQ(search(), "011");
  EXPECT_THAT(listUsed(), UnorderedElementsAre(product, rows));
}

TEST_F(ModuleSearchTest, AGainWithinTheErrorOfTimesIsNone) {
  kernels.times[all.str()] = 79.9;
  EXPECT_EQ(search(), "011");
}

TEST_F(ModuleSearchTest, TheSumOfTwoKernelsIsCompared) {
  kernels.times[sums.str()] = 52;
  kernels.times[quotient.str()] = 27;
  EXPECT_EQ(search(), "001");
  kernels.times[quotient.str()] = 29;
  EXPECT_EQ(search(), "011");
}

TEST_F(ModuleSearchTest, OfTwoMovesThatGainThatWhichGainsMoreIsMade) {
  kernels.times[all.str()] = 70;
  kernels.times[sums.str()] = 40;
  kernels.times[quotient.str()] = 20;
  EXPECT_EQ(search(), "001");
  kernels.times[all.str()] = 50;
  EXPECT_EQ(search(), "000");
}

TEST_F(ModuleSearchTest, AKernelThatHangsIsNotChosen) {
  kernels.times[all.str()] = 1;
  kernels.failures[all.str()] = "hangs: no answer in 10 s";
  EXPECT_EQ(search(), "011");
}

TEST_F(ModuleSearchTest, AKernelOfWrongNumbersIsNotChosen) {
  kernels.times[sums.str()] = 1;
  kernels.times[quotient.str()] = 1;
  kernels.failures[quotient.str()] = "result0 differs from the reference";
  EXPECT_EQ(search(), "011");
}

TEST_F(ModuleSearchTest, NothingIsComparedWithAKernelThatFails) {
  kernels.times[all.str()] = 1;
  kernels.failures[rows.str()] = "ends the process: signal 11";
  EXPECT_EQ(search(), "011");
}

TEST_F(ModuleSearchTest, ASchemeIsKeptWithTheTimeOfItsKernels) {
  KeptDatabase kept;
  options.database = kept.path;
  EXPECT_EQ(search(), "011");
  EXPECT_THAT(kept.listTimes("#stof.scheme"), ElementsAre(80));
}

TEST_F(ModuleSearchTest, ASchemeWithoutTimesIsNotKept) {
  KeptDatabase kept;
  options.database = kept.path;
  for (const auto &[kernel, time] : kernels.times)
    kernels.failures[kernel] = "ends the process: signal 11";
  EXPECT_EQ(search(), "011");
  EXPECT_THAT(kept.listTimes(), IsEmpty());
}

TEST_F(ModuleSearchTest, ASchemeWithAKernelWithoutTimeIsNotKept) {
  KeptDatabase kept;
  options.database = kept.path;
  kernels.failures[rows.str()] = "ends the process: signal 11";
  EXPECT_EQ(search(), "011");
  EXPECT_THAT(kept.listTimes(), Contains(50));
  EXPECT_THAT(kept.listTimes("#stof.scheme"), IsEmpty());
}

TEST_F(ModuleSearchTest, TheBudgetIsKept) {
  options.budget = 1;
  search();
  EXPECT_EQ(report.budget, 5u);
  EXPECT_LE(report.measured, report.budget);
}

TEST_F(ModuleSearchTest, WhatWasNotMeasuredUntilAnInterruptIsNotChosen) {
  kernels.times[all.str()] = 1;
  options.isInterrupted = [&] { return !kernels.measured.empty(); };
  EXPECT_EQ(search(), "011");
  EXPECT_EQ(report.measured, 1u);
  EXPECT_TRUE(report.isInterrupted);
}

TEST_F(ModuleSearchTest, WithoutADeviceTheModelChooses) {
  options.openMeasurer =
      [](const MeasureOptions &) -> llvm::Expected<std::unique_ptr<Measurer>> {
    return llvm::createStringError("there is no device");
  };
  EXPECT_EQ(search(), "011");
  EXPECT_EQ(report.notMeasured, "there is no device");
  EXPECT_TRUE(kernels.measured.empty());
}

TEST_F(ModuleSearchTest, ADeviceOfAnotherTargetIsNotMeasuredOn) {
  device = {"some GPU", "13.0", 90};
  EXPECT_EQ(search(), "011");
  EXPECT_EQ(report.notMeasured, "some GPU is no device of the target cpu");
  EXPECT_TRUE(kernels.measured.empty());
}

} // namespace
