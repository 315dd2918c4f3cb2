//===----------------------------------------------------------------------===//
// From a model to a package, for one or more targets.
//===----------------------------------------------------------------------===//

#ifndef STOF_PIPELINES_COMPILE_H
#define STOF_PIPELINES_COMPILE_H

#include "stof/Pipelines/Report.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/Timing.h"

#include <functional>
#include <string>

namespace stof {

struct CompileOptions {
  /// The folder to write.
  std::string output;
  /// GPUs as ptxas names them (`sm_80`, `sm_90a`), and `cpu`, or
  /// `cpu-reference` for the path that kernels are tested against.
  llvm::SmallVector<std::string> targets{"sm_90a", "sm_80", "cpu"};
  /// The one function to compile; empty is all public functions.
  std::string function;
  /// The processor that the cpu target is for, as LLVM names it; empty is that
  /// of this machine.
  std::string cpu;
  /// Whether kernels check that they access memory inside their buffers: an
  /// access outside ends the process with a message, or is a trap on a GPU.
  bool checkBounds = false;
  /// Whether what the source asserts or takes for granted is checked: of sizes
  /// when a function is called, of indices that depend on data where it reads
  /// and writes. A check that fails is an error of the call or the run.
  bool assertions = true;
  /// Whether what is f64 only on the way (means, variances) is computed in f64,
  /// not in f32.
  bool keepDoubles = false;
  /// Whether layouts and schedules that the model has already are believed.
  /// They are the plan's own otherwise: one that contradicts its mask would be
  /// a wrong result.
  bool keepPlans = false;
  /// Where the time of each target, its passes and its assembler is counted;
  /// null counts none.
  mlir::TimingScope *timing = nullptr;
  /// Told of what is on disk only until the package is in its place; see
  /// writePackage.
  std::function<void(llvm::StringRef path, bool isFolder)> onTemporary =
      [](llvm::StringRef, bool) {};
};

/// Compiles the public functions of `module`, which are on tensors, and writes
/// them as one package. Changes `module`. Fails with diagnostics at the
/// locations of the source, and then leaves nothing behind. The kernels are
/// added to `report`; what was missed is, where `collectRemarks` was asked to.
mlir::LogicalResult compilePackage(mlir::ModuleOp module,
                                   const CompileOptions &options,
                                   Report &report);

} // namespace stof

#endif // STOF_PIPELINES_COMPILE_H
