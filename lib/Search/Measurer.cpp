//===----------------------------------------------------------------------===//
// The conversation with stof-run --serve, and what follows from its silence or
// its end.
//===----------------------------------------------------------------------===//

#include "stof/Search/Measurer.h"

#include "ChildProcess.h"
#include "FindRunner.h"
#include "RunnerAnswer.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <variant>

using namespace llvm;
using namespace stof;

Measurer::~Measurer() = default;

namespace {

using OnMeasured = function_ref<bool(size_t, const Measurement &)>;

/// How far a request came.
struct Progress {
  /// The packages that were answered, from the first on.
  size_t answered = 0;
  /// Whether the next one has begun.
  bool isInFlight = false;
  /// Whether no more answers are wanted.
  bool isStopped = false;
  /// What happened to the process; empty if it lives.
  std::string death;
};

class ChildMeasurer : public Measurer {
public:
  ChildMeasurer(MeasureOptions options, std::string runner)
      : options(std::move(options)), runner(std::move(runner)) {}

  /// Starts the process, unless it runs, and asks for its device.
  Error start();

  const MeasuredDevice &getDevice() const override { return device; }
  Error measure(StringRef reference, ArrayRef<std::string> packages,
                const MeasureLimits &limits, OnMeasured onMeasured) override;

private:
  Expected<RunnerAnswer> receive(double seconds);
  Expected<Progress> request(StringRef reference,
                             ArrayRef<std::string> packages,
                             const MeasureLimits &limits,
                             OnMeasured onMeasured);
  Error converse(size_t count, Progress &progress, OnMeasured onMeasured);
  Error checkReference(StringRef reference);

  MeasureOptions options;
  std::string runner;
  MeasuredDevice device;
  std::unique_ptr<ChildProcess> child; ///< Null unless it is usable.
};

} // namespace

/// The next answer. A failure is what happened to the process, of which nothing
/// is left.
Expected<RunnerAnswer> ChildMeasurer::receive(double seconds) {
  std::string line, failure;
  switch (child->readLine(line, seconds)) {
  case ChildProcess::Outcome::Line: {
    Expected<RunnerAnswer> answer = parseAnswer(line);
    if (answer)
      return answer;
    failure = toString(answer.takeError());
    break;
  }
  case ChildProcess::Outcome::Silence:
    raw_string_ostream(failure)
        << "hangs: no answer in " << format("%g", seconds) << " s";
    break;
  case ChildProcess::Outcome::End:
    failure = "ends the process: " + child->explainEnd();
    break;
  }
  child->kill();
  child.reset();
  return createStringError(failure);
}

Error ChildMeasurer::start() {
  // A driver initialises all GPUs of the machine.
  constexpr double patienceForDrivers = 6;
  if (child)
    return Error::success();
  if (Error error =
          ChildProcess::start({runner, "--serve", "--device=" + options.device})
              .moveInto(child))
    return error;
  Expected<RunnerAnswer> answer =
      receive(patienceForDrivers * options.patience);
  if (!answer)
    return createStringError("cannot measure on " + options.device + ": '" +
                             runner + "' " + toString(answer.takeError()));
  const auto *opened = std::get_if<MeasuredDevice>(&*answer);
  if (!opened) {
    child.reset();
    return createStringError("expects '" + runner +
                             "' to tell its device first, but it did not");
  }
  device = *opened;
  return Error::success();
}

/// Notes an answer to a request of `count` packages; false if it is out of
/// order.
static bool note(const RunnerAnswer &answer, size_t count, Progress &progress,
                 OnMeasured onMeasured) {
  auto isNext = [&](size_t index) {
    return index == progress.answered && index < count;
  };
  if (const auto *begin = std::get_if<BeginAnswer>(&answer)) {
    if (!isNext(begin->index))
      return false;
    progress.isInFlight = true;
    return true;
  }
  if (const auto *measured = std::get_if<MeasuredAnswer>(&answer)) {
    if (!isNext(measured->index))
      return false;
    ++progress.answered;
    progress.isInFlight = false;
    progress.isStopped = !onMeasured(measured->index, measured->measurement);
    return true;
  }
  return std::holds_alternative<DoneAnswer>(answer) &&
         progress.answered == count;
}

/// Follows the answers to a request of `count` packages. Fails if the request
/// is refused.
Error ChildMeasurer::converse(size_t count, Progress &progress,
                              OnMeasured onMeasured) {
  // The reference runs and all packages are loaded before the first answer.
  double seconds = options.patience * static_cast<double>(count + 2);
  for (;;) {
    Expected<RunnerAnswer> answer = receive(seconds);
    seconds = options.patience;
    if (!answer) {
      progress.death = toString(answer.takeError());
      return Error::success();
    }
    if (const auto *refused = std::get_if<RefusedAnswer>(&*answer))
      return createStringError(refused->reason);
    bool isInOrder = note(*answer, count, progress, onMeasured);
    if (isInOrder && std::holds_alternative<DoneAnswer>(*answer))
      return Error::success();
    if (isInOrder && !progress.isStopped)
      continue;
    // What else it has to say is not of interest.
    child->kill();
    child.reset();
    if (!isInOrder)
      progress.death = "answers out of order";
    return Error::success();
  }
}

Expected<Progress> ChildMeasurer::request(StringRef reference,
                                          ArrayRef<std::string> packages,
                                          const MeasureLimits &limits,
                                          OnMeasured onMeasured) {
  if (Error error = start())
    return std::move(error);
  json::Object wanted{{"reference", reference},
                      {"packages", json::Array(packages)},
                      {"repeat", options.repeat},
                      {"milliseconds", limits.milliseconds},
                      {"seed", options.seed}};
  if (limits.best)
    wanted["best"] = *limits.best;
  std::string text;
  raw_string_ostream(text) << json::Value(std::move(wanted)) << "\n";
  child->write(text);
  Progress progress;
  if (Error error = converse(packages.size(), progress, onMeasured))
    return createStringError("cannot measure with reference '" + reference +
                             "': " + toString(std::move(error)));
  return progress;
}

/// Fails if the process ends without any package to blame.
Error ChildMeasurer::checkReference(StringRef reference) {
  Expected<Progress> progress =
      request(reference, {}, {/*milliseconds=*/1, /*best=*/std::nullopt},
              [](size_t, const Measurement &) { return true; });
  if (!progress)
    return progress.takeError();
  if (progress->death.empty())
    return Error::success();
  return createStringError("cannot measure with reference '" + reference +
                           "': " + progress->death);
}

Error ChildMeasurer::measure(StringRef reference,
                             ArrayRef<std::string> packages,
                             const MeasureLimits &limits,
                             OnMeasured onMeasured) {
  SmallVector<StringRef> paths(packages.begin(), packages.end());
  paths.push_back(reference);
  for (StringRef path : paths)
    if (!json::isUTF8(path))
      return createStringError("expects paths in UTF-8, but got '" + path +
                               "'");
  // At most this many at once. A process that ends while packages are loaded
  // does not say which of them is to blame.
  size_t next = 0, most = packages.size();
  while (next < packages.size()) {
    ArrayRef<std::string> batch = packages.drop_front(next).take_front(most);
    Expected<Progress> progress = request(
        reference, batch, limits, [&](size_t index, const Measurement &result) {
          return onMeasured(next + index, result);
        });
    if (!progress)
      return progress.takeError();
    if (progress->isStopped)
      return Error::success();
    next += progress->answered;
    most = packages.size();
    if (progress->isInFlight) {
      if (!onMeasured(next++, {0, 0, progress->death}))
        return Error::success();
    } else if (!progress->death.empty() && progress->answered == 0) {
      if (Error error = checkReference(reference))
        return error;
      most = std::max<size_t>(batch.size() / 2, 1);
      if (batch.size() == 1 &&
          !onMeasured(next++, {0, 0, "loading " + progress->death}))
        return Error::success();
    }
  }
  return Error::success();
}

Expected<std::unique_ptr<Measurer>>
stof::startMeasurer(const MeasureOptions &options) {
  // The address of a function of the program, where the system has no better
  // way to find its file.
  auto *own = reinterpret_cast<void *>(&startMeasurer);
  Expected<std::string> runner = findRunner(
      options.runner, sys::fs::getMainExecutable(/*argv0=*/nullptr, own));
  if (!runner)
    return runner.takeError();
  auto measurer = std::make_unique<ChildMeasurer>(options, *runner);
  if (Error error = measurer->start())
    return std::move(error);
  return measurer;
}
