//===----------------------------------------------------------------------===//
// Launch plans: host functions as steps for a runtime without a compiler.
//===----------------------------------------------------------------------===//

#ifndef STOF_TARGET_LAUNCHPLAN_H
#define STOF_TARGET_LAUNCHPLAN_H

#include "stof/Target/Package.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace stof {

/// The bytes of all constants of a package, one file for all functions.
struct ConstantsFile {
  static constexpr llvm::StringLiteral name = "constants.bin";
  std::string bytes;
};

/// Reads `host` as launches of kernels in the file `module` and returns its
/// target section, named `target`. `host` is a function on contiguous buffers:
/// those of `function`, then optionally a status word, which is marked
/// (stof/IR/StatusWord.h), and a workspace of bytes. Its operations are
/// launches, views and aliases of buffers, constants, arithmetic on sizes, and
/// assertions on sizes, which are added to the checks of `function`; constants
/// are added to it and to `constants`.
///
/// Each launch has one step. A buffer is passed as its address, then its
/// dynamic sizes; an integer of any width as i64 or i32. The dynamic shared
/// memory is the attribute `tile.shared_bytes` of the kernel plus that of the
/// launch. Kernels that wait for the previous step are marked
/// `tile.programmatic`.
///
/// Fails with a diagnostic at an operation that steps cannot express.
mlir::FailureOr<PackagedTarget> describeSteps(mlir::func::FuncOp host,
                                              llvm::StringRef target,
                                              llvm::StringRef module,
                                              PackagedFunction &function,
                                              ConstantsFile &constants);

/// The target section of `host`, a function on buffers as above, compiled as
/// the one function `stof_HOST` of the shared object `module`. Its operations
/// are arbitrary; the size of the workspace is that of its views in the body.
mlir::FailureOr<PackagedTarget> describeNativeStep(mlir::func::FuncOp host,
                                                   llvm::StringRef target,
                                                   llvm::StringRef module,
                                                   PackagedFunction &function);

/// The position of `loc` in a file as FILE:LINE:COLUMN, or `unknown`.
std::string printPlace(mlir::Location loc);

} // namespace stof

#endif // STOF_TARGET_LAUNCHPLAN_H
