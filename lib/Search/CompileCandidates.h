//===----------------------------------------------------------------------===//
// Compilation of candidates to packages, in parallel.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_SEARCH_COMPILECANDIDATES_H
#define STOF_LIB_SEARCH_COMPILECANDIDATES_H

#include "stof/Search/Search.h"

namespace stof {

/// A kernel with a schedule.
struct Candidate {
  /// The module (KernelModule.h) and the schedule, as text.
  llvm::StringRef module, schedule;
  /// The package to write.
  std::string folder;
  /// The error; empty if it was compiled.
  std::string failure;
};

/// Compiles `candidates` for `target` in up to `jobs` threads, each in a
/// context of its own with the dialects of `context`.
void compileCandidates(llvm::MutableArrayRef<Candidate> candidates,
                       mlir::MLIRContext &context, llvm::StringRef target,
                       const CompileKernel &compile, unsigned jobs);

} // namespace stof

#endif // STOF_LIB_SEARCH_COMPILECANDIDATES_H
