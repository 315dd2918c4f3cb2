//===----------------------------------------------------------------------===//
// Where a package runs. A device loads the steps of a target that suits it and
// hands out memory; who runs a call need not know which kind of device it is.
//===----------------------------------------------------------------------===//

#ifndef STOF_RUNTIME_DEVICE_H
#define STOF_RUNTIME_DEVICE_H

#include "stof/Runtime/Call.h"
#include "stof/Runtime/Package.h"

namespace stof::runtime {

/// Addresses in the device's memory for one run of a call, each aligned to 16
/// bytes; the workspace is aligned to 256.
struct Buffers {
  llvm::ArrayRef<void *> inputs;
  llvm::ArrayRef<void *> results;
  void *workspace;
};

/// A check that failed: the data of a run is not what the source asserts.
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

/// What a status word that a run of `function` leaves says: success for 0.
llvm::Error explainStatus(llvm::StringRef function, const Target &target,
                          int32_t status);

/// A call captured on buffers that stay where they are, to be run again without
/// the work of preparing it. It must not outlive the executable or the buffers.
class Graph {
public:
  virtual ~Graph();

  /// Runs the call again: on a GPU one launch on `stream`, in order with what
  /// is queued there and with earlier replays; on the CPU it is done on return.
  /// Fails as `Executable::run` does.
  virtual llvm::Error replay(void *stream) = 0;
};

/// The steps of one target, loaded on a device that outlives them. Its end
/// waits for runs that are under way.
class Executable {
public:
  virtual ~Executable();

  /// Runs `call`, which was bound to this target. On a GPU the steps are queued
  /// on `stream` (a CUstream, null for the default one) and may still be under
  /// way on return; on the CPU they are done and `stream` means nothing. A
  /// check that failed is a CheckFailure: on the CPU of this run; on a GPU of
  /// an earlier one, which is told once, and nothing is queued.
  virtual llvm::Error run(const Call &call, const Buffers &buffers,
                          void *stream) = 0;

  /// Waits for what is queued on the device; tells of a check that failed as
  /// `run` does.
  virtual llvm::Error synchronize() = 0;

  /// Captures `call` without running it.
  virtual llvm::Expected<std::unique_ptr<Graph>>
  capture(const Call &call, const Buffers &buffers) = 0;

  /// Microseconds that each of `repeat` runs took, back to back after a
  /// warm-up: replays of a graph on a GPU, calls on the CPU.
  virtual llvm::Expected<std::vector<double>>
  time(const Call &call, const Buffers &buffers, unsigned repeat) = 0;
};

class Device {
public:
  virtual ~Device();

  /// `cuda:0` or `cpu`.
  virtual std::string getName() const = 0;
  /// What it is, for people: `NVIDIA H200, compute capability 9.0`.
  virtual std::string describe() const = 0;

  /// How well a target suits this device, more is better; 0 if it cannot run.
  virtual unsigned rateTarget(const Target &target) const = 0;

  virtual llvm::Expected<std::unique_ptr<Executable>>
  load(const Package &package, const Function &function,
       const Target &target) = 0;

  /// Memory of at least `bytes` bytes, aligned to 256, until `release`.
  virtual llvm::Expected<void *> allocate(int64_t bytes) = 0;
  virtual void release(void *memory) = 0;
  /// These wait for everything queued on the default stream.
  virtual llvm::Error fill(void *memory, uint8_t byte, int64_t bytes) = 0;
  virtual llvm::Error copyIn(void *memory, const void *host, int64_t bytes) = 0;
  virtual llvm::Error copyOut(void *host, const void *memory,
                              int64_t bytes) = 0;
};

/// Opens `cpu`, with that many threads (0: one per hardware thread), or
/// `cuda:N`. More threads than the system has room for are an error.
llvm::Expected<std::unique_ptr<Device>> openDevice(llvm::StringRef name,
                                                   unsigned threads);

/// The target of `function` that suits `device` best, or an error that lists
/// the targets there are.
llvm::Expected<const Target *> chooseTarget(const Function &function,
                                            const Device &device);

} // namespace stof::runtime

#endif // STOF_RUNTIME_DEVICE_H
