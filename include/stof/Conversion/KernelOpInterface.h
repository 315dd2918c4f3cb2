//===----------------------------------------------------------------------===//
// The interface of operations that kernels compute.
//===----------------------------------------------------------------------===//

#ifndef STOF_CONVERSION_KERNELOPINTERFACE_H
#define STOF_CONVERSION_KERNELOPINTERFACE_H

#include "stof/Conversion/KernelBuilder.h"
#include "stof/Support/TargetInfo.h"

#include "mlir/IR/OpDefinition.h"

#include "stof/Conversion/KernelOpInterface.h.inc"

namespace stof {

/// Registers the interface for groups, attention, tile lists, scatters and
/// `linalg.copy`.
void registerKernelModels(mlir::DialectRegistry &registry);

} // namespace stof

#endif // STOF_CONVERSION_KERNELOPINTERFACE_H
