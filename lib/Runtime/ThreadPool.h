//===----------------------------------------------------------------------===//
// Persistent threads for parallel loops: a loop costs a wake-up of threads, not
// their start.
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

  /// Starts the threads; the caller of a loop is one of the `threads`. It is an
  /// error if there are more than `mostThreads` or they cannot be started.
  static llvm::Expected<std::unique_ptr<ThreadPool>> create(unsigned threads);
  ~ThreadPool();

  /// Calls body(closure, i) for each 0 <= i < count and waits for all. Nested
  /// loops are sequential, on the current thread; loops of several callers run
  /// one after the other. A forked process starts threads of its own at its
  /// first loop; if that fails, the caller runs its loops alone.
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
