//===----------------------------------------------------------------------===//
// A program run on tensors in files: the inputs are matched by name and copied
// to the device, the results are copied back.
//===----------------------------------------------------------------------===//

#ifndef STOF_RUNTIME_HOSTRUN_H
#define STOF_RUNTIME_HOSTRUN_H

#include "stof/Runtime/Program.h"
#include "stof/Runtime/Safetensors.h"

namespace stof::runtime {

class HostRun {
public:
  /// Binds `inputs` to the inputs of the program's function. One that is
  /// missing, one that the function does not take, and one of another dtype or
  /// shape is an error that names it. Results and workspace start as bytes
  /// 0xFF, which is NaN in every floating type, so that an element that no
  /// kernel writes shows.
  static llvm::Expected<std::unique_ptr<HostRun>>
  create(std::shared_ptr<Program> program, llvm::ArrayRef<HostTensor> inputs);
  ~HostRun();
  HostRun(const HostRun &) = delete;
  HostRun &operator=(const HostRun &) = delete;

  const Call &getCall() const { return call; }

  /// Runs the call once and fetches the results.
  llvm::Error run();

  /// The results of the last run; they live as long as this object.
  llvm::ArrayRef<HostTensor> getResults() const { return results; }

  /// Microseconds of each of `repeat` further runs; see Executable::time. An
  /// input whose buffer a result takes over goes on from what the last run left
  /// in it.
  llvm::Expected<std::vector<double>> time(unsigned repeat);

private:
  HostRun(std::shared_ptr<Program> program, Call call)
      : program(std::move(program)), call(std::move(call)) {}
  llvm::Error allocateBuffers(llvm::ArrayRef<const HostTensor *> inputs);
  llvm::Expected<void *> allocate(int64_t bytes);
  llvm::Expected<void *> allocatePoisoned(int64_t bytes);
  Buffers getBuffers() const { return {inputMemory, resultMemory, workspace}; }

  std::shared_ptr<Program> program;
  Call call;
  std::vector<void *> memory; ///< Everything allocated on the device.
  std::vector<void *> inputMemory, resultMemory;
  void *workspace = nullptr;
  std::vector<std::vector<char>> resultBytes;
  std::vector<HostTensor> results;
};

} // namespace stof::runtime

#endif // STOF_RUNTIME_HOSTRUN_H
