//===----------------------------------------------------------------------===//
// Threads that wait for loops to share. They live as long as the pool, so a
// short loop costs a wake-up and not a start.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_RUNTIME_THREADPOOL_H
#define STOF_LIB_RUNTIME_THREADPOOL_H

#include "llvm/Support/Error.h"
#include <atomic>
#include <cstdint>
#include <memory>

namespace stof::runtime {

class ThreadPool {
public:
  using Body = void (*)(void *closure, int64_t index);

  static constexpr unsigned mostThreads = 4096;

  /// Starts the threads; the caller of a loop is one of the `threads`. More
  /// than `mostThreads`, or than the system has room for, is an error.
  static llvm::Expected<std::unique_ptr<ThreadPool>> create(unsigned threads);
  ~ThreadPool();

  /// Calls body(closure, i) for each 0 <= i < count and waits for all. A loop
  /// inside a body runs on the thread it is on; loops of several callers run
  /// one after the other. A process that was forked starts threads of its own
  /// at its first loop; where it cannot, its loops have the caller alone.
  void parallelFor(int64_t count, Body body, void *closure);

  unsigned getThreadCount() const { return threads; }

private:
  class Team;

  explicit ThreadPool(unsigned threads);
  /// The threads of this process.
  Team &getTeam();

  unsigned threads;
  std::atomic<Team *> team{nullptr};
};

} // namespace stof::runtime

#endif // STOF_LIB_RUNTIME_THREADPOOL_H
