//===----------------------------------------------------------------------===//
// Each loop is a counter that the threads advance by chunks: small enough to
// even out blocks of unlike cost, large enough to keep the counter cool.
//===----------------------------------------------------------------------===//

#include "ThreadPool.h"

#include <algorithm>

using namespace stof::runtime;

/// True on a thread that is inside a loop's body.
static thread_local bool insideLoop = false;

ThreadPool::ThreadPool(unsigned threads) {
  for (unsigned i = 1; i < threads; ++i)
    workers.emplace_back([this] { work(); });
}

ThreadPool::~ThreadPool() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    stopping = true;
  }
  started.notify_all();
  for (std::thread &worker : workers)
    worker.join();
}

void ThreadPool::takeShare() {
  insideLoop = true;
  for (int64_t begin = next.fetch_add(chunk); begin < count;
       begin = next.fetch_add(chunk))
    for (int64_t i = begin, end = std::min(begin + chunk, count); i < end; ++i)
      body(closure, i);
  insideLoop = false;
}

void ThreadPool::work() {
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
    if (--busy == 0)
      finished.notify_one();
  }
}

void ThreadPool::parallelFor(int64_t loopCount, Body loopBody,
                             void *loopClosure) {
  if (insideLoop || workers.empty() || loopCount <= 1) {
    for (int64_t i = 0; i < loopCount; ++i)
      loopBody(loopClosure, i);
    return;
  }
  constexpr int64_t chunksPerThread = 8;
  std::lock_guard<std::mutex> only(oneLoop);
  {
    std::lock_guard<std::mutex> lock(mutex);
    count = loopCount;
    chunk = std::max<int64_t>(1, count / (chunksPerThread * getThreadCount()));
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
