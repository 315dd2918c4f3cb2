//===----------------------------------------------------------------------===//
// The interface of devices: a device loads the steps of a target and allocates
// memory. Calls run through it on GPUs and the CPU alike.
//===----------------------------------------------------------------------===//

#ifndef STOF_RUNTIME_DEVICE_H
#define STOF_RUNTIME_DEVICE_H

#include "stof/Runtime/Call.h"
#include "stof/Runtime/Package.h"

#include <limits>

namespace stof::runtime {

/// Addresses in device memory for one run of a call, each aligned to 16 bytes;
/// the workspace is aligned to 256.
struct Buffers {
  llvm::ArrayRef<void *> inputs;
  llvm::ArrayRef<void *> results;
  void *workspace;

  /// An input, a result or the workspace.
  void *find(BufferRef::Kind kind, unsigned index) const;
};

/// A failed check: the data of a run violates an assertion of the source.
class CheckFailure : public llvm::ErrorInfo<CheckFailure> {
public:
  static char ID;

  explicit CheckFailure(std::string message) : message(std::move(message)) {}
  void log(llvm::raw_ostream &os) const override { os << message; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }

private:
  std::string message;
};

/// How often a call is run for its time.
struct TimingLimits {
  /// The runs at most.
  unsigned repeat = 1;
  /// The microseconds that all runs take, but for a few that there always are.
  double total = std::numeric_limits<double>::infinity();
  /// If `repeat` runs would exceed the total: a call that takes more
  /// microseconds than this twice is not run again, and has one time.
  double slow = std::numeric_limits<double>::infinity();
};

/// Memory that a device does not have.
class OutOfMemory : public llvm::ErrorInfo<OutOfMemory> {
public:
  static char ID;

  explicit OutOfMemory(std::string message) : message(std::move(message)) {}
  void log(llvm::raw_ostream &os) const override { os << message; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }

private:
  std::string message;
};

/// The error for the status word after a run of `function`; success for 0.
llvm::Error explainStatus(llvm::StringRef function, const Target &target,
                          int32_t status);

/// A call that runs repeatedly, on the same or other buffers: what does not
/// depend on addresses is prepared once. The executable must outlive it.
class PreparedCall {
public:
  explicit PreparedCall(Call call) : call(std::move(call)) {}
  virtual ~PreparedCall();

  const Call &getCall() const { return call; }

  /// Runs the call as `Executable::run` does. Threads may run it at once.
  virtual llvm::Error run(const Buffers &buffers, void *stream) = 0;

protected:
  const Call call;
};

/// A call captured on fixed buffers, which is replayed without the overhead of
/// its preparation. The executable and the buffers must outlive it.
class Graph {
public:
  virtual ~Graph();

  /// Runs the call again: on a GPU one launch on `stream`, in order with
  /// earlier work there and with earlier replays; on the CPU synchronously.
  /// Fails as `Executable::run` does.
  virtual llvm::Error replay(void *stream) = 0;
};

/// The steps of one target, loaded on a device, which must outlive them. The
/// destructor waits for pending runs.
class Executable {
public:
  virtual ~Executable();

  /// Runs `call`, which was bound to this target. On a GPU the steps are queued
  /// on `stream` (a CUstream, null for the default one) and run asynchronously;
  /// on the CPU they run synchronously and `stream` is ignored. A failed check
  /// is a CheckFailure: on the CPU that of this run; on a GPU that of an
  /// earlier run, which is reported once, and nothing is queued.
  virtual llvm::Error run(const Call &call, const Buffers &buffers,
                          void *stream) = 0;

  /// Prepares repeated runs of `call`.
  virtual std::unique_ptr<PreparedCall> prepare(Call call) = 0;

  /// Waits for all work of the device; reports a failed check as `run` does.
  virtual llvm::Error synchronize() = 0;

  /// Captures `call` without running it.
  virtual llvm::Expected<std::unique_ptr<Graph>>
  capture(const Call &call, const Buffers &buffers) = 0;

  /// The microseconds of each run within `limits`, back to back after a
  /// warm-up: replays of a graph on a GPU, calls on the CPU.
  virtual llvm::Expected<std::vector<double>>
  time(const Call &call, const Buffers &buffers,
       const TimingLimits &limits) = 0;
};

class Device {
public:
  virtual ~Device();

  /// Takes hold of the device. Until then it can only be asked what it is.
  virtual llvm::Error activate() = 0;

  /// `cuda:0` or `cpu`.
  virtual std::string getName() const = 0;
  /// A description for messages: `NVIDIA H200, compute capability 9.0`.
  virtual std::string describe() const = 0;
  /// What the device is: `NVIDIA H200`, or LLVM's name of the CPU: `znver4`.
  virtual std::string getModel() const = 0;
  /// The version of CUDA that the driver implements: `13.0`; empty for the CPU.
  virtual llvm::Expected<std::string> getDriverVersion() const = 0;
  /// The compute capability: 90 for 9.0; 0 for the CPU.
  virtual unsigned getCapability() const = 0;
  /// The present clock of the SMs, if it is known.
  virtual std::optional<unsigned> getClockMHz() = 0;

  /// A rating of a target for this device, higher is better; 0 if it cannot
  /// run.
  virtual unsigned rateTarget(const Target &target) const = 0;

  virtual llvm::Expected<std::unique_ptr<Executable>>
  load(const Package &package, const Function &function,
       const Target &target) = 0;

  /// The bytes that can be allocated, if that is known.
  virtual std::optional<int64_t> getFreeBytes() const = 0;
  /// Memory of at least `bytes` bytes, aligned to 256, until `release`. Fails
  /// with OutOfMemory.
  virtual llvm::Expected<void *> allocate(int64_t bytes) = 0;
  virtual void release(void *memory) = 0;
  /// The same of the host, which the device copies to and from at full speed.
  virtual llvm::Expected<void *> allocateOnHost(int64_t bytes) = 0;
  virtual void releaseOnHost(void *memory) = 0;
  /// These are synchronous with the default stream.
  virtual llvm::Error fill(void *memory, uint8_t byte, int64_t bytes) = 0;
  virtual llvm::Error copyIn(void *memory, const void *host, int64_t bytes) = 0;
  virtual llvm::Error copyOut(void *host, const void *memory,
                              int64_t bytes) = 0;
};

/// The bytes of the host that can be allocated, if that is known.
std::optional<int64_t> getFreeHostBytes();

/// Finds `cpu`, with `threads` threads (0: one per hardware thread), or
/// `cuda:N`. It is an error if the threads cannot be started.
llvm::Expected<std::unique_ptr<Device>> findDevice(llvm::StringRef name,
                                                   unsigned threads);

/// Finds a device and activates it.
llvm::Expected<std::unique_ptr<Device>> openDevice(llvm::StringRef name,
                                                   unsigned threads);

/// The best target of `function` for `device`, or an error that lists the
/// targets.
llvm::Expected<const Target *> chooseTarget(const Function &function,
                                            const Device &device);

} // namespace stof::runtime

#endif // STOF_RUNTIME_DEVICE_H
