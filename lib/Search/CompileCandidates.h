//===----------------------------------------------------------------------===//
// Compilation of candidates to packages, in parallel, while others that are
// compiled can be measured.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_SEARCH_COMPILECANDIDATES_H
#define STOF_LIB_SEARCH_COMPILECANDIDATES_H

#include "stof/Search/Search.h"

#include "llvm/Support/ThreadPool.h"

#include <atomic>

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

class Compilation {
public:
  /// Begins to compile `candidates` for `target`, in their order and in up to
  /// `jobs` threads, each in a context of its own with the dialects of
  /// `context`. What is referred to must outlive the compilation.
  Compilation(llvm::MutableArrayRef<Candidate> candidates,
              mlir::MLIRContext &context, llvm::StringRef target,
              const CompileKernel &compile, unsigned jobs);
  /// Leaves out the candidates that have not begun.
  ~Compilation();

  /// Waits until the first `count` candidates are compiled.
  void wait(size_t count) const;

private:
  mlir::DialectRegistry registry;
  std::atomic<bool> isOver = false;
  std::vector<std::shared_future<void>> compiled;
  llvm::DefaultThreadPool pool;
};

} // namespace stof

#endif // STOF_LIB_SEARCH_COMPILECANDIDATES_H
