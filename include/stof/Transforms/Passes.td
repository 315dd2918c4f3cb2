#ifndef STOF_TRANSFORMS_PASSES_TD
#define STOF_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

#endif // STOF_TRANSFORMS_PASSES_TD
