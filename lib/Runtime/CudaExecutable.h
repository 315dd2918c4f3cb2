//===----------------------------------------------------------------------===//
// The kernels of a GPU target, loaded into the context of a device.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_RUNTIME_CUDAEXECUTABLE_H
#define STOF_LIB_RUNTIME_CUDAEXECUTABLE_H

#include "CudaDevice.h"
#include "llvm/ADT/StringMap.h"
#include <array>
#include <atomic>
#include <mutex>
#include <vector>

namespace stof::runtime {

/// A launch of a kernel and what it passes: `node.parameters` are addresses of
/// words and tensor maps here.
struct CudaKernelLaunch {
  CudaKernelNode node{};
  std::array<int64_t, 3> cluster{};
  /// Whether the kernel waits for those before it by itself.
  bool programmatic = false;
  std::vector<uint64_t> words;
  std::vector<CudaTensorMap> maps;
  std::vector<void *> pointers;
};

/// The error of a step, with the name of its kernel.
llvm::Error explainStep(const BoundStep &bound, llvm::Error error);

class CudaExecutable : public Executable {
public:
  CudaExecutable(CudaDevice &device, const Target &target)
      : device(device), driver(device.getDriver()), target(target) {}
  /// Waits for all work of the context, which can include kernels of the
  /// program.
  ~CudaExecutable() override;

  llvm::Error load(const Package &package, const Function &function);
  llvm::Error run(const Call &call, const Buffers &buffers,
                  void *stream) override;
  std::unique_ptr<PreparedCall> prepare(Call call) override;
  llvm::Error synchronize() override;
  /// The failed check of an earlier run, if any. It is reported once.
  llvm::Error takeFailure();
  llvm::Expected<std::unique_ptr<Graph>>
  capture(const Call &call, const Buffers &buffers) override;
  llvm::Expected<std::vector<double>> time(const Call &call,
                                           const Buffers &buffers,
                                           const TimingLimits &limits) override;

  /// Launches the kernels of `call` one by one.
  llvm::Error runSteps(const Call &call, const Buffers &buffers, void *stream);
  /// The launch of step `index` of `call`, verified and with its parameters.
  llvm::Expected<CudaKernelLaunch> makeLaunch(const Call &call, size_t index,
                                              const Buffers &buffers);
  /// Writes the parameters of `bound` into `launch`.
  llvm::Error writeParameters(const BoundStep &bound, const Buffers &buffers,
                              CudaKernelLaunch &launch) const;

private:
  struct Kernel {
    void *function;
    int64_t sharedBytes; ///< The current limit of dynamic shared memory.
  };

  struct Module {
    void *handle;
    /// The number of parameters of each kernel in the PTX.
    llvm::StringMap<size_t> parameters;
  };

  llvm::Expected<const Module *> loadModule(const Package &package,
                                            const Function &function,
                                            llvm::StringRef file);
  llvm::Error loadConstants(const Package &package, const Function &function);
  llvm::Error allocateStatus();
  llvm::Error loadKernel(const KernelStep &step, const Module &module);
  llvm::Error checkParameters(const KernelStep &step, const Module &module,
                              void *function) const;
  llvm::Error launch(const CudaKernelLaunch &launch, void *stream) const;
  llvm::Error allowSharedBytes(const KernelStep &step, Kernel &kernel,
                               int64_t bytes);
  uint64_t getAddress(const BoundBuffer &buffer, const Buffers &buffers) const;
  llvm::Expected<CudaTensorMap> encode(const BoundTensorMap &map,
                                       const Buffers &buffers) const;

  CudaDevice &device;
  const CudaDriver &driver;
  const Target &target;
  llvm::StringMap<Module> modules;
  std::vector<Kernel> kernels; ///< One for each step of the target.
  std::vector<void *> constants;
  std::string name; ///< The name of the function.
  /// The status word of all runs, in host memory that is mapped to the device;
  /// null if no kernel has checks.
  std::atomic<int32_t> *status = nullptr;
  uint64_t statusAddress = 0; ///< Its device address.
  std::mutex attributes;      ///< Guards the `sharedBytes` of the kernels.
};

} // namespace stof::runtime

#endif // STOF_LIB_RUNTIME_CUDAEXECUTABLE_H
