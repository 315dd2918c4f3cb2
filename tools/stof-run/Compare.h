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
  /// max |result - golden| / max |golden|, of the finite golden elements.
  double error;
  double tolerance;

  bool holds() const { return error <= tolerance; }
};

/// The tolerance for a result of `dtype`: the error of a few roundings.
double getDefaultTolerance(DType dtype);

/// The error of a result: the largest difference (Difference.h) relative to the
/// largest golden element.
double getError(double difference, double magnitude);

/// Compares each result with the golden tensor of its name, which can have
/// another dtype but not another shape. Missing golden tensors and a golden
/// `resultN` without a result are errors; other tensors are ignored.
llvm::Expected<std::vector<Comparison>>
compareResults(llvm::ArrayRef<HostTensor> results,
               llvm::ArrayRef<HostTensor> golden,
               std::optional<double> tolerance);

} // namespace stof::runtime

#endif // STOF_TOOLS_STOF_RUN_COMPARE_H
