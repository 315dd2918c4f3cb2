//===----------------------------------------------------------------------===//
// Loops over many elements in several threads.
//===----------------------------------------------------------------------===//

#ifndef STOF_TOOLS_STOF_RUN_PARALLELRANGES_H
#define STOF_TOOLS_STOF_RUN_PARALLELRANGES_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/ThreadPool.h"

#include <cstdint>

namespace stof::runtime {

/// Calls `body` for ranges of the numbers below `count`, each worth a thread;
/// `range` counts them.
void forRanges(
    int64_t count, llvm::ThreadPoolInterface &pool,
    llvm::function_ref<void(size_t range, int64_t begin, int64_t end)> body);

/// How many ranges there are.
size_t countRanges(int64_t count);

} // namespace stof::runtime

#endif // STOF_TOOLS_STOF_RUN_PARALLELRANGES_H
