//===----------------------------------------------------------------------===//
// Timing of replays of a call captured as a CUDA graph. All replays are queued
// with events in between: the launch overhead of each is hidden by the previous
// one.
//===----------------------------------------------------------------------===//

#include "CudaExecutable.h"
#include "CudaGraph.h"
#include "TimeRuns.h"

using namespace llvm;
using namespace stof::runtime;

namespace {

/// A stream, a graph of one call and the events around its replays.
class Stopwatch {
public:
  explicit Stopwatch(const CudaDriver &driver)
      : driver(driver), graph(driver) {}
  ~Stopwatch();

  /// Captures the work that `queue` adds to a stream.
  Error capture(function_ref<Error(void *stream)> queue);
  /// Appends the microseconds of each of `count` replays.
  Error measure(unsigned count, std::vector<double> &microseconds);

private:
  Error addEvents(size_t count);

  const CudaDriver &driver;
  CudaGraph graph;
  void *stream = nullptr;
  std::vector<void *> events;
};

} // namespace

Stopwatch::~Stopwatch() {
  for (void *event : events)
    consumeError(driver.eventDestroy(event));
  if (stream)
    consumeError(driver.streamDestroy(stream));
}

Error Stopwatch::capture(function_ref<Error(void *)> queue) {
  if (Error error = driver.streamCreate(&stream, cuda::streamNonBlocking))
    return error;
  return graph.capture(stream, queue);
}

Error Stopwatch::addEvents(size_t count) {
  while (events.size() < count) {
    void *event;
    if (Error error = driver.eventCreate(&event, 0))
      return error;
    events.push_back(event);
  }
  return Error::success();
}

Error Stopwatch::measure(unsigned count, std::vector<double> &microseconds) {
  if (Error error = addEvents(count + 1))
    return error;
  if (Error error = driver.eventRecord(events[0], stream))
    return error;
  for (unsigned i = 0; i < count; ++i) {
    if (Error error = graph.launch(stream))
      return error;
    if (Error error = driver.eventRecord(events[i + 1], stream))
      return error;
  }
  if (Error error = driver.streamSynchronize(stream))
    return error;
  for (unsigned i = 0; i < count; ++i) {
    float milliseconds;
    if (Error error =
            driver.eventElapsedTime(&milliseconds, events[i], events[i + 1]))
      return error;
    microseconds.push_back(milliseconds * 1e3);
  }
  return Error::success();
}

Expected<std::vector<double>> CudaExecutable::time(const Call &call,
                                                   const Buffers &buffers,
                                                   const TimingLimits &limits) {
  constexpr unsigned warmUps = 3;
  CudaContextScope scope(driver, device.getContext());
  if (Error error = scope.takeError())
    return std::move(error);
  Stopwatch stopwatch(driver);
  if (Error error = stopwatch.capture(
          [&](void *stream) { return runSteps(call, buffers, stream); }))
    return std::move(error);
  Expected<std::vector<double>> microseconds = timeRuns(
      limits, warmUps, [&](unsigned count, std::vector<double> &times) {
        return stopwatch.measure(count, times);
      });
  if (!microseconds)
    return microseconds;
  if (Error error = takeFailure())
    return std::move(error);
  return microseconds;
}
