//===----------------------------------------------------------------------===//
// Results against golden tensors, judged by one number a person can read: the
// largest difference, relative to the largest golden element.
//===----------------------------------------------------------------------===//

#ifndef STOF_TOOLS_STOF_RUN_COMPARE_H
#define STOF_TOOLS_STOF_RUN_COMPARE_H

#include "stof/Runtime/Safetensors.h"

namespace stof::runtime {

struct Comparison {
  std::string result;
  /// max |result - golden| / max |golden|; infinite where one of two elements
  /// alone is NaN or infinite. Equal NaNs and infinities differ by nothing.
  double error;
  double tolerance;

  bool holds() const { return error <= tolerance; }
};

/// The error that a result of `dtype` may have after a few roundings.
double getDefaultTolerance(DType dtype);

/// Compares each result with the golden tensor of its name, which may have
/// another dtype but not another shape. A result without one is an error, and
/// so is a golden `resultN` without a result; other tensors are left alone.
llvm::Expected<std::vector<Comparison>>
compareResults(llvm::ArrayRef<HostTensor> results,
               const SafetensorsFile &golden, std::optional<double> tolerance);

} // namespace stof::runtime

#endif // STOF_TOOLS_STOF_RUN_COMPARE_H
