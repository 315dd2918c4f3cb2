#ifndef STOF_CONVERSION_PASSES_TD
#define STOF_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

#endif // STOF_CONVERSION_PASSES_TD
