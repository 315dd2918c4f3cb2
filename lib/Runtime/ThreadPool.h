//===----------------------------------------------------------------------===//
// Threads that wait for loops to share. They live as long as the pool, so a
// short loop costs a wake-up and not a start.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_RUNTIME_THREADPOOL_H
#define STOF_LIB_RUNTIME_THREADPOOL_H

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

namespace stof::runtime {

class ThreadPool {
public:
  using Body = void (*)(void *closure, int64_t index);

  /// The caller of a loop is one of the `threads`.
  explicit ThreadPool(unsigned threads);
  ~ThreadPool();

  /// Calls body(closure, i) for each 0 <= i < count and waits for all. A loop
  /// inside a body runs on the thread it is on; loops of several callers run
  /// one after the other.
  void parallelFor(int64_t count, Body body, void *closure);

  unsigned getThreadCount() const { return workers.size() + 1; }

private:
  void work();
  /// Takes indices of the current loop until none is left.
  void takeShare();

  std::vector<std::thread> workers;
  std::mutex oneLoop;

  std::mutex mutex;
  std::condition_variable started, finished;
  uint64_t generation = 0; ///< Counts loops, so that no worker runs one twice.
  unsigned busy = 0;       ///< Workers that have not finished the current loop.
  bool stopping = false;

  int64_t count = 0, chunk = 1;
  std::atomic<int64_t> next{0};
  Body body = nullptr;
  void *closure = nullptr;
};

} // namespace stof::runtime

#endif // STOF_LIB_RUNTIME_THREADPOOL_H
