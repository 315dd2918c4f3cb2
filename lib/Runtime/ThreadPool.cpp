//===----------------------------------------------------------------------===//
// The indices of a loop are distributed dynamically, in chunks that balance
// CTAs of unequal cost without contention on the shared counter.
//===----------------------------------------------------------------------===//

#include "ThreadPool.h"

#include "llvm/ADT/Twine.h"
#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <pthread.h>
#include <unistd.h>
#include <vector>

using namespace llvm;
using namespace stof::runtime;

/// Whether the current thread is inside the body of a loop.
static thread_local bool insideLoop = false;

/// The threads of one process and their current loop.
class ThreadPool::Team {
public:
  Team() : process(getpid()) {}
  ~Team();

  /// Starts `count` workers, or as many as possible; returns the error number
  /// of the last start. std::thread would terminate the process instead.
  int start(unsigned count);

  void parallelFor(int64_t count, Body body, void *closure);

  /// False in a forked process, where the threads do not exist and their locks
  /// can remain locked.
  bool isAlive() const { return process == getpid(); }

private:
  void work();
  /// Processes chunks of the current loop until none is left.
  void takeShare();

  const pid_t process;
  std::vector<pthread_t> workers;
  std::mutex oneLoop;

  std::mutex mutex;
  std::condition_variable started, finished;
  uint64_t generation = 0; ///< The number of the current loop.
  unsigned busy = 0;       ///< Workers that have not finished the current loop.
  bool stopping = false;

  int64_t count = 0, chunk = 1;
  std::atomic<int64_t> next{0};
  Body body = nullptr;
  void *closure = nullptr;
};

int ThreadPool::Team::start(unsigned count) {
  workers.reserve(count);
  int error = 0;
  while (workers.size() < count && error == 0) {
    pthread_t worker;
    error = pthread_create(
        &worker, nullptr,
        [](void *team) -> void * {
          static_cast<Team *>(team)->work();
          return nullptr;
        },
        this);
    if (error == 0)
      workers.push_back(worker);
  }
  return error;
}

ThreadPool::Team::~Team() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    stopping = true;
  }
  started.notify_all();
  for (pthread_t worker : workers)
    pthread_join(worker, nullptr);
}

void ThreadPool::Team::takeShare() {
  assert(!insideLoop && "nested loops are sequential");
  insideLoop = true;
  for (int64_t begin = next.fetch_add(chunk); begin < count;
       begin = next.fetch_add(chunk))
    for (int64_t i = begin, end = std::min(begin + chunk, count); i < end; ++i)
      body(closure, i);
  insideLoop = false;
}

void ThreadPool::Team::work() {
  uint64_t seen = 0;
  std::unique_lock<std::mutex> lock(mutex);
  while (true) {
    started.wait(lock, [&] { return stopping || generation != seen; });
    if (stopping)
      return;
    seen = generation;
    lock.unlock();
    takeShare();
    lock.lock();
    assert(busy > 0 && "each worker finishes a loop once");
    if (--busy == 0)
      finished.notify_one();
  }
}

void ThreadPool::Team::parallelFor(int64_t loopCount, Body loopBody,
                                   void *loopClosure) {
  constexpr int64_t chunksPerThread = 8;
  std::lock_guard<std::mutex> only(oneLoop);
  {
    std::lock_guard<std::mutex> lock(mutex);
    assert(busy == 0 && "loops run one after the other");
    int64_t threads = workers.size() + 1;
    count = loopCount;
    chunk = std::max<int64_t>(1, count / (chunksPerThread * threads));
    next = 0;
    body = loopBody;
    closure = loopClosure;
    busy = workers.size();
    ++generation;
  }
  started.notify_all();
  takeShare();
  std::unique_lock<std::mutex> lock(mutex);
  finished.wait(lock, [&] { return busy == 0; });
}

ThreadPool::ThreadPool(unsigned threads) : threads(threads) {}

Expected<std::unique_ptr<ThreadPool>> ThreadPool::create(unsigned threads) {
  assert(threads > 0 && "the caller of a loop is one of the threads");
  if (threads > mostThreads)
    return createStringError("expects at most " + Twine(mostThreads) +
                             " threads, but got " + Twine(threads));
  std::unique_ptr<ThreadPool> pool(new ThreadPool(threads));
  auto team = std::make_unique<Team>();
  if (int error = team->start(threads - 1))
    return createStringError("cannot start " + Twine(threads) + " threads: " +
                             std::generic_category().message(error));
  pool->team = team.release();
  return pool;
}

ThreadPool::~ThreadPool() {
  Team *last = team;
  // The team of a parent process is leaked: its threads cannot be joined.
  if (last && last->isAlive())
    delete last;
}

ThreadPool::Team &ThreadPool::getTeam() {
  Team *current = team;
  while (!current->isAlive()) {
    auto fresh = std::make_unique<Team>();
    // The result does not depend on the number of threads.
    (void)fresh->start(threads - 1);
    if (team.compare_exchange_strong(current, fresh.get()))
      current = fresh.release();
  }
  return *current;
}

void ThreadPool::parallelFor(int64_t count, Body body, void *closure) {
  if (!insideLoop && threads > 1 && count > 1)
    return getTeam().parallelFor(count, body, closure);
  for (int64_t i = 0; i < count; ++i)
    body(closure, i);
}
