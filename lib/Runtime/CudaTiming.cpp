//===----------------------------------------------------------------------===//
// Timing of replays of a call captured as a CUDA graph. All replays are queued
// with events in between: the launch overhead of each is hidden by the previous
// one. Short calls are several in a graph, as the beginning of a graph takes
// about two microseconds, more or less from one graph to another.
//===----------------------------------------------------------------------===//

#include "CudaExecutable.h"
#include "CudaGraph.h"
#include "TimeRuns.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

using namespace llvm;
using namespace stof::runtime;

namespace {

/// A stream, a graph of calls and the events around its replays.
class Stopwatch {
public:
  /// `queue` adds the work of one call to a stream.
  Stopwatch(const CudaDriver &driver, function_ref<Error(void *stream)> queue)
      : driver(driver), queue(queue) {}
  ~Stopwatch();

  /// Captures one call.
  Error start();
  /// Captures as many calls as are not short, by the times so far.
  Error lengthen();
  /// Appends the microseconds of a call, in each of `count` replays.
  Error measure(unsigned count, std::vector<double> &microseconds);

private:
  Error capture(unsigned count);
  Error addEvents(size_t count);

  const CudaDriver &driver;
  function_ref<Error(void *stream)> queue;
  std::unique_ptr<CudaGraph> graph;
  unsigned calls = 0; ///< In the graph.
  double least = std::numeric_limits<double>::infinity();
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

Error Stopwatch::capture(unsigned count) {
  calls = count;
  graph = std::make_unique<CudaGraph>(driver);
  return graph->capture(stream, [&](void *stream) -> Error {
    for (unsigned i = 0; i < count; ++i)
      if (Error error = queue(stream))
        return error;
    return Error::success();
  });
}

Error Stopwatch::start() {
  if (Error error = driver.streamCreate(&stream, cuda::streamNonBlocking))
    return error;
  return capture(1);
}

Error Stopwatch::lengthen() {
  // What a call without kernels takes is below the resolution of events.
  constexpr double shortGraph = 32, shortest = 1;
  if (calls > 1 || least >= shortGraph)
    return Error::success();
  double fitting = shortGraph / std::max(least, shortest);
  return capture(static_cast<unsigned>(std::ceil(fitting)));
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
    if (Error error = graph->launch(stream))
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
    microseconds.push_back(milliseconds * 1e3 / calls);
    least = std::min(least, microseconds.back());
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
  auto queue = [&](void *stream) { return runSteps(call, buffers, stream); };
  Stopwatch stopwatch(driver, queue);
  if (Error error = stopwatch.start())
    return std::move(error);
  Expected<std::vector<double>> microseconds =
      timeRuns(limits, warmUps,
               [&](unsigned count, std::vector<double> &times) -> Error {
                 // Warm-ups, one at a time, have told how long a call takes.
                 if (count > 1)
                   if (Error error = stopwatch.lengthen())
                     return error;
                 return stopwatch.measure(count, times);
               });
  if (!microseconds)
    return microseconds;
  if (Error error = takeFailure())
    return std::move(error);
  return microseconds;
}
