//===----------------------------------------------------------------------===//
// A run of a program on host tensors: inputs are matched by name and copied to
// the device, results are copied back.
//===----------------------------------------------------------------------===//

#ifndef STOF_RUNTIME_HOSTRUN_H
#define STOF_RUNTIME_HOSTRUN_H

#include "stof/Runtime/Program.h"
#include "stof/Runtime/Safetensors.h"
#include "llvm/ADT/StringMap.h"

namespace stof::runtime {

/// Device memory in which programs run one after the other, all on the same
/// inputs, which are copied to it once.
class RunMemory {
public:
  /// Memory of `device`, which must outlive it.
  explicit RunMemory(Device &device) : device(device) {}
  ~RunMemory();
  RunMemory(const RunMemory &) = delete;
  RunMemory &operator=(const RunMemory &) = delete;

  /// Whether there are inputs that the next run does not copy.
  bool hasInputs() const;
  /// Has the next run copy all inputs.
  void forgetInputs();
  /// The bytes that are allocated.
  int64_t countBytes() const;

private:
  friend class HostRun;

  struct Block {
    void *address = nullptr;
    int64_t bytes = 0;
    bool isInput = false; ///< Whether it holds an input.
  };

  /// Makes `block` one of at least `bytes` bytes.
  llvm::Error allocate(Block &block, int64_t bytes);
  /// The same, of bytes 0xFF.
  llvm::Error poison(Block &block, int64_t bytes);

  Device &device;
  llvm::StringMap<Block> tensors; ///< By name: `arg0`, `result0`.
  Block workspace;
};

class HostRun {
public:
  /// Binds `inputs` to the inputs of the program's function. Missing and
  /// unknown inputs and those of another dtype or shape are errors. Results and
  /// workspace are initialized to bytes 0xFF, a NaN in every floating type, in
  /// order to expose unwritten elements.
  static llvm::Expected<std::unique_ptr<HostRun>>
  create(std::shared_ptr<Program> program, llvm::ArrayRef<HostTensor> inputs);
  /// The same in `memory`, which must outlive the run and in which there is one
  /// run at a time, all of them on `inputs`. A donated input is copied again
  /// for the next one.
  static llvm::Expected<std::unique_ptr<HostRun>>
  create(std::shared_ptr<Program> program, llvm::ArrayRef<HostTensor> inputs,
         RunMemory &memory);
  HostRun(const HostRun &) = delete;
  HostRun &operator=(const HostRun &) = delete;

  const Call &getCall() const { return call; }

  /// Runs the call once and fetches the results.
  llvm::Error run();

  /// Runs the call once.
  llvm::Error execute();

  /// Fetches bytes of result number `index`, from byte `offset` on.
  llvm::Error fetch(size_t index, int64_t offset,
                    llvm::MutableArrayRef<char> bytes) const;

  /// The results of the last `run`, owned by this object.
  llvm::ArrayRef<HostTensor> getResults() const { return results; }

  /// The microseconds of further runs; see Executable::time. A donated input
  /// holds the result of the previous run.
  llvm::Expected<std::vector<double>> time(const TimingLimits &limits);

private:
  HostRun(std::shared_ptr<Program> program, Call call)
      : program(std::move(program)), call(std::move(call)) {}
  llvm::Error allocateBuffers(llvm::ArrayRef<const HostTensor *> inputs,
                              RunMemory &memory);
  llvm::Error explain(llvm::Error error) const;
  Buffers getBuffers() const { return {inputMemory, resultMemory, workspace}; }

  std::shared_ptr<Program> program;
  Call call;
  std::unique_ptr<RunMemory> ownMemory; ///< Null if the memory is given.
  std::vector<void *> inputMemory, resultMemory;
  void *workspace = nullptr;
  std::vector<std::vector<char>> resultBytes;
  std::vector<HostTensor> results;
};

} // namespace stof::runtime

#endif // STOF_RUNTIME_HOSTRUN_H
