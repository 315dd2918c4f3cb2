//===----------------------------------------------------------------------===//
// The elements of a tensor that are neither infinite nor NaN.
//===----------------------------------------------------------------------===//

#ifndef STOF_TOOLS_STOF_RUN_FINITEELEMENTS_H
#define STOF_TOOLS_STOF_RUN_FINITEELEMENTS_H

#include "stof/Runtime/Safetensors.h"
#include "llvm/Support/ThreadPool.h"

#include <cstdint>

namespace stof::runtime {

struct FiniteElements {
  int64_t count = 0;
  double magnitude = 0; ///< The largest absolute value.
};

FiniteElements findFiniteElements(const HostTensor &tensor,
                                  llvm::ThreadPoolInterface &pool);

} // namespace stof::runtime

#endif // STOF_TOOLS_STOF_RUN_FINITEELEMENTS_H
