//===----------------------------------------------------------------------===//
// Rounds of measurements for the schedules of kernels.
//===----------------------------------------------------------------------===//

#include "MeasureRounds.h"

#include "CompileCandidates.h"
#include "TemporaryFolder.h"
#include "stof/Search/EstimateTimes.h"

#include "llvm/ADT/STLExtras.h"

#include <chrono>
#include <cmath>
#include <random>

using namespace mlir;
using namespace stof;
using llvm::Error;

/// Measured microseconds, else predicted ones, else none.
static double timeOf(const TriedSchedule &schedule) {
  return schedule.measured ? *schedule.measured
                           : schedule.predicted.value_or(0);
}

namespace {

class Rounds {
public:
  Rounds(const MeasureContext &search, ArrayRef<SearchKernel *> kernels,
         const TemporaryFolder &folder)
      : search(search), options(search.options), folder(folder),
        random(options.measuring.seed), begin(Clock::now()),
        budget(options.budget * kernels.size()) {
    for (SearchKernel *kernel : kernels) {
      Entry &entry = entries.emplace_back(Entry{kernel});
      const SearchedKernel &report = kernel->report;
      const std::string &known = report.schedules[report.untuned].failure;
      if (!known.empty())
        lose(entry, "the untuned schedule cannot be measured: " + known);
    }
  }

  Error run(unsigned &numMeasured) {
    Error failed = Error::success();
    while (!failed && !isOver()) {
      Round round = choose();
      if (round.empty())
        break;
      failed = measure(round);
    }
    numMeasured = measured;
    return failed ? std::move(failed) : finish();
  }

private:
  using Clock = std::chrono::steady_clock;

  /// A kernel, and how its search goes.
  struct Entry {
    SearchKernel *kernel;
    /// The package of the untuned schedule, once it is compiled.
    std::string reference = {};
    /// Gained microseconds of all launches in the last round, and the number of
    /// rounds without a gain since the last one with.
    double gain = 0;
    unsigned idle = 0;
    /// Whether the untuned schedule cannot be measured, so nothing can.
    bool isLost = false;
  };

  /// The schedules to measure for an entry.
  struct Share {
    Entry *entry;
    SmallVector<size_t> schedules;
  };
  using Round = std::vector<Share>;

  static constexpr unsigned firstShare = 6, fewestInRound = 8;

  bool isOver() const { return measured >= budget || options.isInterrupted(); }

  static bool isTried(const TriedSchedule &schedule) {
    return schedule.measured || !schedule.failure.empty();
  }

  /// The schedules of `entry` to measure next, at most `count`.
  SmallVector<size_t> choose(Entry &entry, unsigned count) {
    const SearchedKernel &report = entry.kernel->report;
    SmallVector<size_t> left;
    for (size_t i = 0; i < report.schedules.size(); ++i)
      if (!isTried(report.schedules[i]))
        left.push_back(i);
    std::vector<double> times = estimateTimes(report.schedules);
    llvm::sort(left, [&](size_t lhs, size_t rhs) {
      // All others are compared with the untuned one.
      return std::tuple(lhs != report.untuned, times[lhs], lhs) <
             std::tuple(rhs != report.untuned, times[rhs], rhs);
    });
    constexpr unsigned fewestWithRandom = 4;
    if (left.size() > count) {
      if (count >= fewestWithRandom)
        std::swap(left[count - 1],
                  left[count - 1 + random() % (left.size() - count + 1)]);
      left.truncate(count);
    }
    return left;
  }

  /// What a round may gain of all launches, in microseconds: as much as the
  /// last one, and a little of the time that they take; less if it gained
  /// nothing.
  static double weigh(const Entry &entry) {
    constexpr double hope = 0.01;
    double best = bestTime(entry);
    double taken = std::isfinite(best) ? best * entry.kernel->launches : 0;
    return (entry.gain + hope * taken) / (1 + entry.idle);
  }

  /// Shares about half of the measurements that are left.
  Round choose() {
    unsigned left = budget - measured, sharers = 0;
    double weights = 0;
    for (const Entry &entry : entries) {
      sharers += !entry.isLost;
      weights += entry.isLost ? 0 : weigh(entry);
    }
    unsigned weighed = std::max(left / 2, fewestInRound);
    weighed -= std::min(weighed, sharers);
    Round round;
    for (Entry &entry : entries) {
      if (entry.isLost || left == 0)
        continue;
      unsigned count = firstShare;
      if (!isFirst && weights > 0)
        count = 1 + static_cast<unsigned>(weighed * weigh(entry) / weights);
      SmallVector<size_t> schedules = choose(entry, std::min(count, left));
      left -= schedules.size();
      if (!schedules.empty())
        round.push_back({&entry, std::move(schedules)});
    }
    isFirst = false;
    return round;
  }

  /// Compiles the schedules of a round, and the untuned one of kernels whose
  /// package is missing.
  std::vector<Candidate> compile(const Round &round) {
    std::vector<Candidate> candidates;
    auto add = [&](const SearchKernel &kernel, size_t schedule) {
      candidates.push_back({kernel.text,
                            kernel.report.schedules[schedule].schedule,
                            folder.name(numPackages++), ""});
    };
    for (const Share &share : round) {
      if (share.entry->reference.empty())
        add(*share.entry->kernel, share.entry->kernel->report.untuned);
      for (size_t schedule : share.schedules)
        add(*share.entry->kernel, schedule);
    }
    compileCandidates(candidates, search.dialects, search.target,
                      options.compile, options.jobs);
    return candidates;
  }

  Error measure(const Round &round) {
    std::vector<Candidate> candidates = compile(round);
    ArrayRef<Candidate> left = candidates;
    for (const Share &share : round) {
      if (share.entry->reference.empty()) {
        share.entry->reference = left.front().folder;
        if (!left.front().failure.empty())
          lose(*share.entry, "the untuned schedule cannot be compiled: " +
                                 left.front().failure);
        left = left.drop_front();
      }
      ArrayRef<Candidate> compiled = left.take_front(share.schedules.size());
      left = left.drop_front(share.schedules.size());
      if (share.entry->isLost || options.isInterrupted())
        continue;
      if (Error error = measure(share, compiled))
        return error;
    }
    return Error::success();
  }

  Error measure(const Share &share, ArrayRef<Candidate> compiled) {
    Entry &entry = *share.entry;
    double before = bestTime(entry);
    SmallVector<size_t> schedules;
    std::vector<std::string> packages;
    Error failed = Error::success();
    for (auto [schedule, candidate] :
         llvm::zip_equal(share.schedules, compiled))
      if (candidate.failure.empty()) {
        schedules.push_back(schedule);
        packages.push_back(candidate.folder);
      } else if (Error error =
                     record(entry, schedule, {.failure = candidate.failure})) {
        failed = llvm::joinErrors(std::move(failed), std::move(error));
      }
    if (failed)
      return failed;
    Error error = search.measurer.measure(
        entry.reference, packages,
        [&](size_t number, const Measurement &measurement) {
          failed = record(entry, schedules[number], measurement);
          return !failed && !options.isInterrupted();
        });
    for (const std::string &package : packages)
      folder.remove(package);
    // Other kernels may still be measured.
    if (error)
      lose(entry, llvm::toString(std::move(error)));
    if (failed)
      return failed;
    const SearchedKernel &report = entry.kernel->report;
    // The first round gains on the untuned schedule, which is part of it.
    if (!std::isfinite(before))
      before = report.schedules[report.untuned].measured.value_or(0);
    double gained = std::max(0.0, before - bestTime(entry));
    entry.gain = gained * entry.kernel->launches;
    entry.idle = gained > measurementNoise * before ? 0 : entry.idle + 1;
    return Error::success();
  }

  static double bestTime(const Entry &entry) {
    std::optional<size_t> best = findFastest(entry.kernel->report);
    return best ? *entry.kernel->report.schedules[*best].measured
                : std::numeric_limits<double>::infinity();
  }

  void lose(Entry &entry, std::string reason) {
    entry.isLost = true;
    entry.kernel->report.reason = std::move(reason);
  }

  Error record(Entry &entry, size_t number, const Measurement &measurement) {
    SearchedKernel &report = entry.kernel->report;
    TriedSchedule &schedule = report.schedules[number];
    if (measurement.failure.empty()) {
      schedule.measured = measurement.microseconds;
      schedule.clockMHz = measurement.clockMHz;
    } else {
      schedule.failure = measurement.failure;
      if (number == report.untuned)
        lose(entry,
             "the untuned schedule cannot be measured: " + measurement.failure);
    }
    ++measured;
    showProgress();
    return search.onMeasured(*entry.kernel, {schedule.schedule, measurement});
  }

  void showProgress() {
    SearchProgress progress{measured, budget};
    for (const Entry &entry : entries) {
      const SearchedKernel &report = entry.kernel->report;
      double untuned = timeOf(report.schedules[report.untuned]);
      progress.untunedMicroseconds += untuned * entry.kernel->launches;
      std::optional<size_t> best = findFastest(report);
      progress.bestMicroseconds +=
          (best ? *report.schedules[*best].measured : untuned) *
          entry.kernel->launches;
    }
    std::chrono::duration<double> past = Clock::now() - begin;
    progress.secondsLeft = past.count() * (budget - measured) / measured;
    options.onProgress(progress);
  }

  /// Measures the fastest schedule of each kernel again with the untuned one,
  /// since the fastest of many is partly luck.
  Error confirm(Entry &entry) {
    SearchedKernel &report = entry.kernel->report;
    std::optional<size_t> best = findFastest(report);
    if (!best || *best == report.untuned)
      return Error::success();
    const size_t order[] = {report.untuned, *best};
    std::vector<Candidate> candidates;
    std::vector<std::string> packages;
    for (size_t schedule : order)
      candidates.push_back(
          {entry.kernel->text, report.schedules[schedule].schedule,
           packages.emplace_back(folder.name(numPackages++)), ""});
    compileCandidates(candidates, search.dialects, search.target,
                      options.compile, options.jobs);
    // Kept, so that a later search chooses by the same times.
    Error failed = Error::success();
    Error error = search.measurer.measure(
        packages.front(), packages,
        [&](size_t number, const Measurement &measurement) {
          if (!measurement.failure.empty())
            return true;
          TriedSchedule &schedule = report.schedules[order[number]];
          schedule.measured = measurement.microseconds;
          failed = llvm::joinErrors(
              std::move(failed),
              search.onMeasured(*entry.kernel,
                                {schedule.schedule, measurement}));
          return !failed;
        });
    return llvm::joinErrors(std::move(error), std::move(failed));
  }

  Error finish() {
    for (Entry &entry : entries) {
      if (options.isInterrupted())
        break;
      if (entry.isLost)
        continue;
      if (Error error = confirm(entry))
        return error;
      if (Error error = search.onFinished(*entry.kernel))
        return error;
    }
    return Error::success();
  }

  const MeasureContext &search;
  const SearchOptions &options;
  const TemporaryFolder &folder;
  std::mt19937 random;
  Clock::time_point begin;
  std::vector<Entry> entries;
  unsigned budget, measured = 0, numPackages = 0;
  bool isFirst = true;
};

} // namespace

Error stof::measureRounds(const MeasureContext &context,
                          ArrayRef<SearchKernel *> kernels,
                          unsigned &numMeasured) {
  llvm::Expected<TemporaryFolder> folder = TemporaryFolder::create();
  if (!folder)
    return folder.takeError();
  return Rounds(context, kernels, *folder).run(numMeasured);
}
