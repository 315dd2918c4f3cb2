//===----------------------------------------------------------------------===//
// The interface of operations that kernels compute.
//===----------------------------------------------------------------------===//

#ifndef STOF_CONVERSION_KERNELOPINTERFACE_H
#define STOF_CONVERSION_KERNELOPINTERFACE_H

#include "stof/Conversion/KernelBuilder.h"
#include "stof/CostModel/CostModel.h"
#include "stof/Support/TargetInfo.h"

#include "mlir/IR/OpDefinition.h"

#include <optional>
#include <vector>

namespace stof {
/// A way to compute an operation.
struct KernelSchedule {
  mlir::Attribute attribute;
  /// The work of each kernel; empty if it is unknown.
  std::vector<KernelWork> works;

  /// The time of all kernels, and what bounds the first; nothing if their work
  /// is unknown.
  std::optional<Prediction> predict(const CostModel &model) const;
};
} // namespace stof

#include "stof/Conversion/KernelOpInterface.h.inc"

namespace stof {

/// Registers the interface for groups, attention, tile lists, scatters and
/// `linalg.copy`.
void registerKernelModels(mlir::DialectRegistry &registry);

} // namespace stof

#endif // STOF_CONVERSION_KERNELOPINTERFACE_H
