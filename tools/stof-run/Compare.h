//===----------------------------------------------------------------------===//
// Comparison of results with golden tensors by a single number: the largest
// difference, relative to the largest golden element.
//===----------------------------------------------------------------------===//

#ifndef STOF_TOOLS_STOF_RUN_COMPARE_H
#define STOF_TOOLS_STOF_RUN_COMPARE_H

#include "stof/Runtime/Safetensors.h"

namespace stof::runtime {

struct Comparison {
  std::string result;
  /// max |result - golden| / max |golden|; infinite if only one of two elements
  /// is NaN or infinite. Two NaNs or equal infinities have no difference.
  double error;
  double tolerance;

  bool holds() const { return error <= tolerance; }
};

/// The tolerance for a result of `dtype`: the error of a few roundings.
double getDefaultTolerance(DType dtype);

/// Compares each result with the golden tensor of its name, which can have
/// another dtype but not another shape. Missing golden tensors and a golden
/// `resultN` without a result are errors; other tensors are ignored.
llvm::Expected<std::vector<Comparison>>
compareResults(llvm::ArrayRef<HostTensor> results,
               llvm::ArrayRef<HostTensor> golden,
               std::optional<double> tolerance);

} // namespace stof::runtime

#endif // STOF_TOOLS_STOF_RUN_COMPARE_H
