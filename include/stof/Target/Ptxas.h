//===----------------------------------------------------------------------===//
// NVIDIA's assembler, where there is one: it is never required, but tells what
// a kernel needs of a multiprocessor.
//===----------------------------------------------------------------------===//

#ifndef STOF_TARGET_PTXAS_H
#define STOF_TARGET_PTXAS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace stof {

/// What ptxas says of one kernel.
struct KernelResources {
  std::string kernel;
  /// Registers of a thread.
  int64_t registers = 0;
  /// Bytes that a thread stores to and loads from memory for want of registers.
  int64_t spillStores = 0, spillLoads = 0;
  /// Bytes of shared memory that do not depend on the launch.
  int64_t sharedBytes = 0;
};

/// A module as ptxas assembled it.
struct Assembled {
  std::vector<char> cubin;
  std::vector<KernelResources> kernels;
};

/// The path of ptxas, looked for on PATH.
std::optional<std::string> findPtxas();

/// Assembles `ptx` for `chip` with the program at `ptxas`. The error has what
/// ptxas printed.
llvm::Expected<Assembled> assemble(llvm::StringRef ptx, llvm::StringRef chip,
                                   llvm::StringRef ptxas);

/// Reads what `ptxas -v` prints.
std::vector<KernelResources> parseResources(llvm::StringRef output);

} // namespace stof

#endif // STOF_TARGET_PTXAS_H
