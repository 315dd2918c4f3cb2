//===----------------------------------------------------------------------===//
// Compilation of a model to a package, for one or more targets.
//===----------------------------------------------------------------------===//

#ifndef STOF_PIPELINES_COMPILE_H
#define STOF_PIPELINES_COMPILE_H

#include "stof/Pipelines/Report.h"
#include "stof/Target/Package.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/Timing.h"

#include "llvm/Support/CodeGen.h"

#include <functional>
#include <string>

namespace stof {

class SearchSession;

struct CompileOptions {
  /// The folder that compilePackage writes.
  std::string output;
  /// GPUs in ptxas spelling (`sm_80`, `sm_90a`), and `cpu`, or `cpu-reference`
  /// for the reference path of tests.
  llvm::SmallVector<std::string> targets{"sm_90a", "sm_80", "cpu"};
  /// The only function to compile; empty for all public functions.
  std::string function;
  /// The LLVM name of the CPU of the cpu target; empty for the host CPU.
  std::string cpu;
  /// How much LLVM optimizes the code of the cpu target.
  llvm::CodeGenOptLevel optimizationLevel = llvm::CodeGenOptLevel::Aggressive;
  /// Whether kernels check the bounds of memory accesses: one out of bounds
  /// ends the process with a message, or is a trap on a GPU.
  bool checkBounds = false;
  /// Whether explicit and implicit assertions of the source are checked: on
  /// sizes when a function is called, on indices that depend on data at reads
  /// and writes. A failed check is an error of the call or the run.
  bool assertions = true;
  /// Whether intermediate f64 values (means, variances) are computed in f64
  /// instead of f32.
  bool keepDoubles = false;
  /// Whether layouts and schedules in the model are trusted. By default they
  /// are errors: one that contradicts its mask would give wrong results.
  bool keepPlans = false;
  /// The search that chooses schemes and schedules for each target in turn;
  /// null for the first choice of the cost model.
  SearchSession *search = nullptr;
  /// The timer of targets, passes and assemblers; null for none.
  mlir::TimingScope *timing = nullptr;
  /// Called with the paths of temporary files; see writePackage.
  std::function<void(llvm::StringRef path, bool isFolder)> onTemporary =
      [](llvm::StringRef, bool) {};
};

/// Compiles the public functions of `module`, which are on tensors, to one
/// package. Modifies `module`. Fails with diagnostics at locations of the
/// source. Kernels are added to `report`; remarks are added by
/// `collectRemarks`.
mlir::FailureOr<Package> compileToMemory(mlir::ModuleOp module,
                                         const CompileOptions &options,
                                         Report &report);

/// The same, and writes the package to a folder. If it fails, it leaves no
/// files.
mlir::LogicalResult compilePackage(mlir::ModuleOp module,
                                   const CompileOptions &options,
                                   Report &report);

/// Compiles a module with one function for one target, as candidates of a
/// search are (CompileKernel in Search/Search.h).
mlir::LogicalResult compileKernel(mlir::ModuleOp module, llvm::StringRef target,
                                  llvm::StringRef folder);

} // namespace stof

#endif // STOF_PIPELINES_COMPILE_H
