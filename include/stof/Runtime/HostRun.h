//===----------------------------------------------------------------------===//
// A run of a program on host tensors: inputs are matched by name and copied to
// the device, results are copied back.
//===----------------------------------------------------------------------===//

#ifndef STOF_RUNTIME_HOSTRUN_H
#define STOF_RUNTIME_HOSTRUN_H

#include "stof/Runtime/Program.h"
#include "stof/Runtime/Safetensors.h"

namespace stof::runtime {

class HostRun {
public:
  /// Binds `inputs` to the inputs of the program's function. Missing and
  /// unknown inputs and those of another dtype or shape are errors. Results and
  /// workspace are initialized to bytes 0xFF, a NaN in every floating type, in
  /// order to expose unwritten elements.
  static llvm::Expected<std::unique_ptr<HostRun>>
  create(std::shared_ptr<Program> program, llvm::ArrayRef<HostTensor> inputs);
  ~HostRun();
  HostRun(const HostRun &) = delete;
  HostRun &operator=(const HostRun &) = delete;

  const Call &getCall() const { return call; }

  /// Runs the call once and fetches the results.
  llvm::Error run();

  /// The results of the last run, owned by this object.
  llvm::ArrayRef<HostTensor> getResults() const { return results; }

  /// The microseconds of further runs; see Executable::time. A donated input
  /// holds the result of the previous run.
  llvm::Expected<std::vector<double>> time(const TimingLimits &limits);

private:
  HostRun(std::shared_ptr<Program> program, Call call)
      : program(std::move(program)), call(std::move(call)) {}
  llvm::Error allocateBuffers(llvm::ArrayRef<const HostTensor *> inputs);
  llvm::Expected<void *> allocate(int64_t bytes);
  llvm::Expected<void *> allocatePoisoned(int64_t bytes);
  Buffers getBuffers() const { return {inputMemory, resultMemory, workspace}; }

  std::shared_ptr<Program> program;
  Call call;
  std::vector<void *> memory; ///< All allocations on the device.
  std::vector<void *> inputMemory, resultMemory;
  void *workspace = nullptr;
  std::vector<std::vector<char>> resultBytes;
  std::vector<HostTensor> results;
};

} // namespace stof::runtime

#endif // STOF_RUNTIME_HOSTRUN_H
