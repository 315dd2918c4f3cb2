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
#include <map>
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
    /// The packages of schedules that are run again: the untuned one, which
    /// others are compared with, and the fastest one so far.
    std::map<size_t, std::string> packages = {};
    /// Gained microseconds of all launches in the last round, and the number of
    /// rounds without a gain since the last one with.
    double gain = 0;
    unsigned idle = 0;
    /// Whether the untuned schedule cannot be measured, so nothing can.
    bool isLost = false;
  };

  /// The schedules to measure for an entry, and those to compile for that.
  struct Share {
    Entry *entry;
    SmallVector<size_t> schedules, compiled;
  };
  using Round = std::vector<Share>;

  static constexpr unsigned firstShare = 6, fewestInRound = 8;
  /// For the runs of a schedule in a round, and in the end.
  static constexpr double roundMilliseconds = 10, lastMilliseconds = 100;

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
      if (!isFirst && count >= fewestWithRandom)
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
        round.push_back(makeShare(entry, std::move(schedules)));
    }
    isFirst = false;
    return round;
  }

  /// A share of `schedules`, of which those without a package are compiled, and
  /// before them the untuned one.
  static Share makeShare(Entry &entry, SmallVector<size_t> schedules) {
    Share share{&entry, std::move(schedules), {}};
    auto add = [&](size_t schedule) {
      if (entry.packages.count(schedule) == 0 &&
          !llvm::is_contained(share.compiled, schedule))
        share.compiled.push_back(schedule);
    };
    add(entry.kernel->report.untuned);
    llvm::for_each(share.schedules, add);
    return share;
  }

  std::vector<Candidate> listCandidates(const Round &round) {
    std::vector<Candidate> candidates;
    for (const Share &share : round) {
      const SearchKernel &kernel = *share.entry->kernel;
      for (size_t schedule : share.compiled)
        candidates.push_back({kernel.text,
                              kernel.report.schedules[schedule].schedule,
                              folder.name(numPackages++), ""});
    }
    return candidates;
  }

  /// Whether the device has a processor of its own, so that candidates can be
  /// compiled meanwhile.
  bool hasOwnProcessor() const {
    return search.measurer.getDevice().capability > 0;
  }

  /// Whether the times of an entry can be trusted while the host is busy, and
  /// launches take longer.
  bool runsLong(const Entry &entry) const {
    constexpr double least = 50;
    const SearchedKernel &report = entry.kernel->report;
    return hasOwnProcessor() &&
           timeOf(report.schedules[report.untuned]) >= least;
  }

  /// The threads that compile, of which one is left to the runner.
  unsigned countJobs() const {
    if (options.jobs > 0 || !hasOwnProcessor())
      return options.jobs;
    unsigned most = llvm::hardware_concurrency().compute_thread_count();
    return std::max(most, 2u) - 1;
  }

  /// Measures what takes long as soon as it is compiled, and then the rest.
  Error measure(const Round &chosen) {
    Round round;
    for (bool isLong : {true, false})
      llvm::copy_if(chosen, std::back_inserter(round), [&](const Share &share) {
        return runsLong(*share.entry) == isLong;
      });
    std::vector<Candidate> candidates = listCandidates(round);
    Compilation compilation(candidates, search.dialects, search.target,
                            options.compile, countJobs());
    size_t begin = 0;
    for (const Share &share : round) {
      if (options.isInterrupted())
        break;
      size_t count = share.compiled.size();
      compilation.wait(runsLong(*share.entry) ? begin + count
                                              : candidates.size());
      ArrayRef<Candidate> compiled = ArrayRef(candidates).slice(begin, count);
      begin += count;
      // An interrupt ends what compiles as well.
      if (options.isInterrupted())
        break;
      if (Error error = measure(share, compiled))
        return error;
    }
    return Error::success();
  }

  /// Adds the packages of `compiled`, which are those of the share.
  Error addPackages(const Share &share, ArrayRef<Candidate> compiled) {
    Entry &entry = *share.entry;
    for (auto [schedule, candidate] :
         llvm::zip_equal(share.compiled, compiled)) {
      if (candidate.failure.empty()) {
        entry.packages[schedule] = candidate.folder;
        continue;
      }
      if (schedule == entry.kernel->report.untuned) {
        lose(entry,
             "the untuned schedule cannot be compiled: " + candidate.failure);
        break;
      }
      if (Error error = record(entry, schedule, {.failure = candidate.failure}))
        return error;
    }
    return Error::success();
  }

  /// Removes the packages of an entry that are not run again.
  void removePackages(Entry &entry) {
    const SearchedKernel &report = entry.kernel->report;
    std::optional<size_t> fastest = findFastest(report);
    for (auto package = entry.packages.begin();
         package != entry.packages.end();) {
      bool isKept =
          package->first == report.untuned || package->first == fastest;
      if (!isKept)
        folder.remove(package->second);
      package = isKept ? std::next(package) : entry.packages.erase(package);
    }
  }

  Error measure(const Share &share, ArrayRef<Candidate> compiled) {
    Entry &entry = *share.entry;
    const SearchedKernel &report = entry.kernel->report;
    double before = bestTime(entry);
    if (Error error = addPackages(share, compiled))
      return error;
    if (entry.isLost)
      return Error::success();
    SmallVector<size_t> schedules;
    std::vector<std::string> packages;
    for (size_t schedule : share.schedules)
      if (auto found = entry.packages.find(schedule);
          found != entry.packages.end()) {
        schedules.push_back(schedule);
        packages.push_back(found->second);
      }
    MeasureLimits limits{roundMilliseconds, std::nullopt};
    if (std::isfinite(before))
      limits.best = before;
    Error failed = Error::success();
    Error error = search.measurer.measure(
        entry.packages.at(report.untuned), packages, limits,
        [&](size_t number, const Measurement &measurement) {
          failed = record(entry, schedules[number], measurement);
          return !failed && !options.isInterrupted();
        });
    removePackages(entry);
    // Other kernels may still be measured.
    if (error)
      lose(entry, llvm::toString(std::move(error)));
    if (failed)
      return failed;
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

  /// The untuned schedule and the fastest one of each kernel that has another
  /// one.
  Round listFastest() {
    Round round;
    for (Entry &entry : entries) {
      size_t untuned = entry.kernel->report.untuned;
      std::optional<size_t> fastest = findFastest(entry.kernel->report);
      if (!entry.isLost && fastest && *fastest != untuned)
        round.push_back(makeShare(entry, {untuned, *fastest}));
    }
    return round;
  }

  /// Measures the fastest schedule again with the untuned one, since the
  /// fastest of many is partly luck.
  Error confirm(const Share &share) {
    SearchedKernel &report = share.entry->kernel->report;
    std::vector<std::string> packages;
    for (size_t schedule : share.schedules) {
      auto package = share.entry->packages.find(schedule);
      if (package == share.entry->packages.end())
        return Error::success();
      packages.push_back(package->second);
    }
    // Kept, so that a later search chooses by the same times.
    Error failed = Error::success();
    Error error = search.measurer.measure(
        packages.front(), packages, {lastMilliseconds, std::nullopt},
        [&](size_t number, const Measurement &measurement) {
          if (!measurement.failure.empty())
            return true;
          TriedSchedule &schedule = report.schedules[share.schedules[number]];
          schedule.measured = measurement.microseconds;
          failed = llvm::joinErrors(
              std::move(failed),
              search.onMeasured(*share.entry->kernel,
                                {schedule.schedule, measurement}));
          return !failed;
        });
    return llvm::joinErrors(std::move(error), std::move(failed));
  }

  Error finish() {
    if (options.isInterrupted())
      return Error::success();
    Round round = listFastest();
    std::vector<Candidate> candidates = listCandidates(round);
    Compilation(candidates, search.dialects, search.target, options.compile,
                options.jobs)
        .wait(candidates.size());
    ArrayRef<Candidate> left = candidates;
    auto share = round.begin();
    for (Entry &entry : entries) {
      if (options.isInterrupted())
        break;
      if (share != round.end() && share->entry == &entry) {
        size_t count = share->compiled.size();
        if (Error error = addPackages(*share, left.take_front(count)))
          return error;
        if (Error error = confirm(*share))
          return error;
        left = left.drop_front(count);
        ++share;
      }
      if (!entry.isLost)
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
