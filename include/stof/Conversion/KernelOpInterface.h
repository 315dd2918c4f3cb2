//===----------------------------------------------------------------------===//
// The interface of operations that kernels compute.
//===----------------------------------------------------------------------===//

#ifndef STOF_CONVERSION_KERNELOPINTERFACE_H
#define STOF_CONVERSION_KERNELOPINTERFACE_H

#include "stof/Conversion/KernelBuilder.h"
#include "stof/CostModel/CostModel.h"
#include "stof/Support/TargetInfo.h"

#include "mlir/IR/OpDefinition.h"

namespace stof {
/// A way to compute an operation, and the work of its kernels, if that is
/// known.
struct KernelSchedule {
  mlir::Attribute attribute;
  std::optional<KernelWork> work;
};
} // namespace stof

#include "stof/Conversion/KernelOpInterface.h.inc"

namespace stof {

/// Registers the interface for groups, attention, tile lists, scatters and
/// `linalg.copy`.
void registerKernelModels(mlir::DialectRegistry &registry);

} // namespace stof

#endif // STOF_CONVERSION_KERNELOPINTERFACE_H
