//===----------------------------------------------------------------------===//
// Inputs of a function from a seed, the same on all machines.
//===----------------------------------------------------------------------===//

#ifndef STOF_TOOLS_STOF_RUN_RANDOMINPUTS_H
#define STOF_TOOLS_STOF_RUN_RANDOMINPUTS_H

#include "stof/Runtime/Manifest.h"
#include "stof/Runtime/Safetensors.h"
#include "llvm/Support/ThreadPool.h"

#include <memory>

namespace stof::runtime {

/// Tensors with the memory of their elements.
struct OwnedTensors {
  std::vector<std::unique_ptr<char[]>> memory;
  std::vector<HostTensor> tensors;

  /// Adds a tensor of `bytes` bytes, which are returned to be written.
  llvm::MutableArrayRef<char> add(std::string name, DType dtype,
                                  std::vector<int64_t> shape, size_t bytes);
};

/// What floats are drawn from: [-1, 1), or (0.25, 1], where logarithms, roots
/// and reciprocals are finite.
enum class FloatRange { Signed, Positive };

/// Floats are uniform in `range`, rounded to their type; an `I1` is 0 or 1.
/// Integers are 0, which is in bounds wherever they are indices. All inputs of
/// a dtype repeat the same million elements, each from another one on: large
/// inputs take no longer than a copy. Fails if a size is dynamic.
llvm::Expected<OwnedTensors> makeRandomInputs(const Function &function,
                                              uint64_t seed, FloatRange range,
                                              llvm::ThreadPoolInterface &pool);

} // namespace stof::runtime

#endif // STOF_TOOLS_STOF_RUN_RANDOMINPUTS_H
