//===----------------------------------------------------------------------===//
// The largest difference of two tensors, or of parts of them.
//===----------------------------------------------------------------------===//

#ifndef STOF_TOOLS_STOF_RUN_DIFFERENCE_H
#define STOF_TOOLS_STOF_RUN_DIFFERENCE_H

#include "stof/Runtime/Safetensors.h"
#include "llvm/Support/ThreadPool.h"

namespace stof::runtime {

/// max |result - golden| of as many elements of both; infinite if only one of
/// two elements is NaN or infinite. Two NaNs or equal infinities have no
/// difference.
double findLargestDifference(const HostTensor &result, const HostTensor &golden,
                             llvm::ThreadPoolInterface &pool);

} // namespace stof::runtime

#endif // STOF_TOOLS_STOF_RUN_DIFFERENCE_H
