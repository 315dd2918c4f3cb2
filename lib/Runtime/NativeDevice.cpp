//===----------------------------------------------------------------------===//
// Loading of shared objects and calls of their steps, in sequence; a step is
// parallelized over the pool.
//===----------------------------------------------------------------------===//

#include "NativeDevice.h"

#include "TimeRuns.h"
#include "stof/Support/MemoryFile.h"
#include "stof/Support/NativeAbi.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/TargetParser/Host.h"
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <thread>

using namespace llvm;
using namespace stof;
using namespace stof::runtime;

static constexpr size_t alignment = 256;

namespace {

struct CloseLibrary {
  void operator()(void *library) const { dlclose(library); }
};

/// A loaded shared object. The loader knows it by the path of its file, which
/// therefore stays open as long if it is in memory.
struct Library {
  std::optional<MemoryFile> file;
  std::unique_ptr<void, CloseLibrary> handle;
};

struct FreeMemory {
  void operator()(void *memory) const { std::free(memory); }
};

class NativeExecutable : public Executable {
public:
  NativeExecutable(ThreadPool &pool, const Target &target)
      : pool(pool), target(target) {}

  Error load(const Package &package, const Function &function);
  Error run(const Call &call, const Buffers &buffers, void *stream) override;
  std::unique_ptr<PreparedCall> prepare(Call call) override;
  // Runs are synchronous.
  Error synchronize() override { return Error::success(); }
  Expected<std::unique_ptr<Graph>> capture(const Call &call,
                                           const Buffers &buffers) override;
  Expected<std::vector<double>> time(const Call &call, const Buffers &buffers,
                                     const TimingLimits &limits) override;

private:
  Expected<void *> open(const Package &package, StringRef file);
  Error loadStep(const Package &package, const Function &function,
                 const NativeStep &step);
  uint64_t getWord(const BoundParameter &parameter, const Buffers &buffers,
                   int32_t &status) const;

  ThreadPool &pool;
  const Target &target;
  StringMap<Library> libraries;
  std::vector<stof_native_step> steps;
  std::vector<std::unique_ptr<void, FreeMemory>> constants;
};

} // namespace

Expected<void *> NativeExecutable::open(const Package &package,
                                        StringRef file) {
  Library &library = libraries[file];
  if (library.handle)
    return library.handle.get();
  // Verifies the hash before the library is loaded.
  Expected<std::unique_ptr<MemoryBuffer>> contents = package.read(file);
  if (!contents)
    return contents.takeError();
  std::string path = package.getPath(file);
  std::string loaded = path;
  if (package.isArchive()) {
    Expected<MemoryFile> copy =
        MemoryFile::create(file, (*contents)->getBuffer());
    if (!copy)
      return copy.takeError();
    library.file.emplace(std::move(*copy));
    loaded = library.file->getPath();
  }
  library.handle.reset(dlopen(loaded.c_str(), RTLD_NOW | RTLD_LOCAL));
  if (!library.handle)
    return createStringError("cannot load '" + path + "': " + dlerror());
  return library.handle.get();
}

/// A copy of `count` bytes with the alignment that kernels require.
static void *copyAligned(const char *bytes, size_t count) {
  size_t rounded = alignTo(std::max<size_t>(count, 1), alignment);
  void *memory = std::aligned_alloc(alignment, rounded);
  if (memory && count)
    std::memcpy(memory, bytes, count);
  return memory;
}

Error NativeExecutable::loadStep(const Package &package,
                                 const Function &function,
                                 const NativeStep &step) {
  Expected<void *> library = open(package, step.module);
  if (!library)
    return library.takeError();
  std::string path = package.getPath(step.module);
  void *address = dlsym(*library, step.symbol.c_str());
  if (!address)
    return createStringError("expects a function '" + Twine(step.symbol) +
                             "' in '" + path + "', but it has none");
  std::string name = STOF_NATIVE_COUNT + step.symbol;
  const auto *count =
      static_cast<const uint64_t *>(dlsym(*library, name.c_str()));
  if (!count)
    return createStringError("expects a number '" + Twine(name) + "' in '" +
                             path + "', but it has none");
  if (*count != step.parameters.size())
    return createStringError("expects " + Twine(*count) + " parameters for '" +
                             step.symbol + "' of '" + path + "', but got " +
                             Twine(step.parameters.size()));
  name = STOF_NATIVE_CONTRACT + step.symbol;
  if (const auto *contract =
          static_cast<const char *>(dlsym(*library, name.c_str())))
    if (Error error =
            package.checkContract(function, target, step.module, contract))
      return error;
  steps.push_back(reinterpret_cast<stof_native_step>(address));
  return Error::success();
}

/// Fails if the host CPU lacks required features.
static Error checkProcessor(const Target &target) {
  if (!target.processor)
    return Error::success();
  StringMap<bool> here = sys::getHostCPUFeatures();
  std::vector<std::string> missing;
  for (const std::string &feature : target.processor->features)
    if (!here.lookup(feature))
      missing.push_back(feature);
  if (missing.empty())
    return Error::success();
  return createStringError("expects a CPU with " + join(missing, ", ") +
                           ", as the package was compiled for " +
                           target.processor->name + ", but got " +
                           sys::getHostCPUName());
}

Error NativeExecutable::load(const Package &package, const Function &function) {
  if (Error error = checkProcessor(target))
    return error;
  for (const Step &step : target.steps)
    if (Error error = loadStep(package, function, std::get<NativeStep>(step)))
      return error;
  for (auto [index, constant] : enumerate(function.constants)) {
    constants.emplace_back();
    if (!target.readsConstant(index))
      continue;
    Expected<std::unique_ptr<MemoryBuffer>> file = package.read(constant.file);
    if (!file)
      return file.takeError();
    constants.back().reset(copyAligned(
        (*file)->getBufferStart() + constant.offset, constant.bytes));
    if (!constants.back())
      return createStringError("cannot allocate " + Twine(constant.bytes) +
                               " bytes for " + constant.name);
  }
  return Error::success();
}

uint64_t NativeExecutable::getWord(const BoundParameter &parameter,
                                   const Buffers &buffers,
                                   int32_t &status) const {
  if (const auto *scalar = std::get_if<BoundScalar>(&parameter))
    return scalar->bits;
  // The reader of the manifest rejects tensor maps in native steps.
  const auto &buffer = std::get<BoundBuffer>(parameter);
  void *base;
  if (buffer.kind == BufferRef::Kind::Constant)
    base = constants[buffer.index].get();
  else if (buffer.kind == BufferRef::Kind::Status)
    base = &status;
  else
    base = buffers.find(buffer.kind, buffer.index);
  return reinterpret_cast<uint64_t>(base) + buffer.offset;
}

Error NativeExecutable::run(const Call &call, const Buffers &buffers, void *) {
  stof_native_api api{
      &pool,
      [](void *context, int64_t count, ThreadPool::Body body, void *closure) {
        static_cast<ThreadPool *>(context)->parallelFor(count, body, closure);
      }};
  int32_t status = 0;
  assert(call.target == &target && "expects a call of this target");
  assert(call.steps.size() == steps.size() && "each step has a function");
  SmallVector<uint64_t, 16> words;
  for (auto [step, bound] : zip(steps, call.steps)) {
    words.clear();
    for (const BoundParameter &parameter : bound.parameters)
      words.push_back(getWord(parameter, buffers, status));
    step(words.data(), &api);
  }
  return explainStatus(call.function->name, target, status);
}

namespace {

/// A native run lays out its parameters in its own frame, in nanoseconds.
class NativePreparedCall : public PreparedCall {
public:
  NativePreparedCall(NativeExecutable &executable, Call call)
      : PreparedCall(std::move(call)), executable(executable) {}

  Error run(const Buffers &buffers, void *stream) override {
    return executable.run(call, buffers, stream);
  }

private:
  NativeExecutable &executable;
};

/// A call bound to its addresses.
class NativeGraph : public Graph {
public:
  NativeGraph(NativeExecutable &executable, const Call &call,
              const Buffers &buffers)
      : executable(executable), call(call), inputs(buffers.inputs),
        results(buffers.results), workspace(buffers.workspace) {}

  Error replay(void *stream) override {
    return executable.run(call, {inputs, results, workspace}, stream);
  }

private:
  NativeExecutable &executable;
  Call call;
  std::vector<void *> inputs, results;
  void *workspace;
};

} // namespace

std::unique_ptr<PreparedCall> NativeExecutable::prepare(Call call) {
  return std::make_unique<NativePreparedCall>(*this, std::move(call));
}

Expected<std::unique_ptr<Graph>>
NativeExecutable::capture(const Call &call, const Buffers &buffers) {
  return std::make_unique<NativeGraph>(*this, call, buffers);
}

Expected<std::vector<double>>
NativeExecutable::time(const Call &call, const Buffers &buffers,
                       const TimingLimits &limits) {
  using Clock = std::chrono::steady_clock;
  auto measure = [&](unsigned count,
                     std::vector<double> &microseconds) -> Error {
    for (unsigned i = 0; i < count; ++i) {
      Clock::time_point start = Clock::now();
      if (Error error = run(call, buffers, nullptr))
        return error;
      microseconds.push_back(
          std::chrono::duration<double, std::micro>(Clock::now() - start)
              .count());
    }
    return Error::success();
  };
  return timeRuns(limits, /*warmUps=*/1, measure);
}

Expected<std::unique_ptr<Device>>
stof::runtime::openNativeDevice(unsigned threads) {
  if (threads == 0)
    threads = std::clamp(std::thread::hardware_concurrency(), 1u,
                         ThreadPool::mostThreads);
  Expected<std::unique_ptr<ThreadPool>> pool = ThreadPool::create(threads);
  if (!pool)
    return pool.takeError();
  return std::make_unique<NativeDevice>(std::move(*pool));
}

std::string NativeDevice::describe() const {
  unsigned threads = pool->getThreadCount();
  return std::to_string(threads) + (threads == 1 ? " thread" : " threads");
}

std::string NativeDevice::getModel() const {
  return sys::getHostCPUName().str();
}

unsigned NativeDevice::rateTarget(const Target &target) const {
  return target.isCpu();
}

Expected<std::unique_ptr<Executable>>
NativeDevice::load(const Package &package, const Function &function,
                   const Target &target) {
  auto executable = std::make_unique<NativeExecutable>(*pool, target);
  if (Error error = executable->load(package, function))
    return std::move(error);
  return executable;
}

Expected<void *> NativeDevice::allocate(int64_t bytes) {
  size_t rounded = alignTo(std::max<int64_t>(bytes, 1), alignment);
  if (void *memory = std::aligned_alloc(alignment, rounded))
    return memory;
  return make_error<OutOfMemory>("cannot allocate " + std::to_string(bytes) +
                                 " bytes");
}

void NativeDevice::release(void *memory) { std::free(memory); }

Error NativeDevice::fill(void *memory, uint8_t byte, int64_t bytes) {
  if (bytes)
    std::memset(memory, byte, bytes);
  return Error::success();
}

Error NativeDevice::copyIn(void *memory, const void *host, int64_t bytes) {
  if (bytes)
    std::memcpy(memory, host, bytes);
  return Error::success();
}

Error NativeDevice::copyOut(void *host, const void *memory, int64_t bytes) {
  if (bytes)
    std::memcpy(host, memory, bytes);
  return Error::success();
}
