//===----------------------------------------------------------------------===//
// NVIDIA's assembler, which is optional: it reports the SM resources of kernels
// and produces machine code.
//===----------------------------------------------------------------------===//

#ifndef STOF_TARGET_PTXAS_H
#define STOF_TARGET_PTXAS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace stof {

/// The resources of one kernel, as reported by ptxas.
struct KernelResources {
  std::string kernel;
  /// Registers per thread.
  int64_t registers = 0;
  /// Bytes of register spills per thread.
  int64_t spillStores = 0, spillLoads = 0;
  /// Bytes of static shared memory.
  int64_t sharedBytes = 0;
};

/// A module assembled by ptxas.
struct Assembled {
  std::vector<char> cubin;
  std::vector<KernelResources> kernels;
};

/// The path of the ptxas on PATH, if any.
std::optional<std::string> findPtxas();

/// Assembles `ptx` for `chip` with the program at `ptxas`. An error includes
/// the output of ptxas.
llvm::Expected<Assembled> assemble(llvm::StringRef ptx, llvm::StringRef chip,
                                   llvm::StringRef ptxas);

/// Parses the output of `ptxas -v`.
std::vector<KernelResources> parseResources(llvm::StringRef output);

} // namespace stof

#endif // STOF_TARGET_PTXAS_H
