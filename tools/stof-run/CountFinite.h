//===----------------------------------------------------------------------===//
// How many elements of a tensor are finite.
//===----------------------------------------------------------------------===//

#ifndef STOF_TOOLS_STOF_RUN_COUNTFINITE_H
#define STOF_TOOLS_STOF_RUN_COUNTFINITE_H

#include "stof/Runtime/Safetensors.h"

#include <cstdint>

namespace stof::runtime {

/// The number of elements that are neither infinite nor NaN.
int64_t countFinite(const HostTensor &tensor);

} // namespace stof::runtime

#endif // STOF_TOOLS_STOF_RUN_COUNTFINITE_H
