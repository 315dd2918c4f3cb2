//===----------------------------------------------------------------------===//
// Measurements of packages in a child process: a kernel that hangs or faults
// ends the child, not the search.
//===----------------------------------------------------------------------===//

#ifndef STOF_SEARCH_MEASURER_H
#define STOF_SEARCH_MEASURER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <optional>
#include <string>

namespace stof {

struct MeasureOptions {
  /// The program `stof-run`; empty for that next to the running program, or
  /// else in PATH.
  std::string runner;
  /// `cuda:N` or `cpu`.
  std::string device = "cuda:0";
  /// The runs at most whose median is taken.
  unsigned repeat = 30;
  /// Seeds the inputs of packages.
  unsigned seed = 0;
  /// Seconds without an answer after which a package hangs. The start of the
  /// child and the loading of packages may take a multiple.
  double patience = 10;
};

/// What measurements are comparable on.
struct MeasuredDevice {
  /// As the driver spells it: `NVIDIA H100 80GB HBM3`; LLVM's name of a CPU.
  std::string name;
  /// The version of CUDA that the driver implements, such as `13.0`; empty for
  /// a CPU.
  std::string driver;
  /// The compute capability: 90 for 9.0; 0 for a CPU.
  unsigned capability = 0;
};

struct Measurement {
  /// The median.
  double microseconds = 0;
  /// Of the SMs after the runs; 0 if unknown.
  unsigned clockMHz = 0;
  /// Why there is no time; empty if there is.
  std::string failure;
};

/// What measurements may cost.
struct MeasureLimits {
  /// For the runs of a package, of which there are a few in any case.
  double milliseconds;
  /// The least microseconds of packages before, if there are any. One that runs
  /// long and takes much more is timed less exactly.
  std::optional<double> best;
};

class Measurer {
public:
  virtual ~Measurer();

  virtual const MeasuredDevice &getDevice() const = 0;

  /// Times the functions of `packages`, each a folder with one function. A
  /// package whose results differ from those of `reference` on the same
  /// inputs, that faults or that hangs has a failure. `onMeasured` is called
  /// for each package in order and returns whether to go on. Fails if nothing
  /// can be measured any more.
  virtual llvm::Error
  measure(llvm::StringRef reference, llvm::ArrayRef<std::string> packages,
          const MeasureLimits &limits,
          llvm::function_ref<bool(size_t, const Measurement &)> onMeasured) = 0;
};

/// Starts the child process. Fails if there is no runner or no such device.
llvm::Expected<std::unique_ptr<Measurer>>
startMeasurer(const MeasureOptions &options);

} // namespace stof

#endif // STOF_SEARCH_MEASURER_H
