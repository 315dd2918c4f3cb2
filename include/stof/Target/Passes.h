//===----------------------------------------------------------------------===//
// The passes of this folder, documented in Passes.td.
//===----------------------------------------------------------------------===//

#ifndef STOF_TARGET_PASSES_H
#define STOF_TARGET_PASSES_H

#include "mlir/Pass/Pass.h"

namespace stof {

#define GEN_PASS_DECL
#include "stof/Target/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "stof/Target/Passes.h.inc"

} // namespace stof

#endif // STOF_TARGET_PASSES_H
