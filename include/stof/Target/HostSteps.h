//===----------------------------------------------------------------------===//
// Host functions read as steps: what a runtime without a compiler follows.
//===----------------------------------------------------------------------===//

#ifndef STOF_TARGET_HOSTSTEPS_H
#define STOF_TARGET_HOSTSTEPS_H

#include "stof/Target/Package.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace stof {

/// The bytes of all constants of a package, one file for all functions.
struct ConstantsFile {
  static constexpr llvm::StringLiteral name = "constants.bin";
  std::string bytes;
};

/// Reads `host` as launches of kernels of the file `module` and returns its
/// target section, named `target`. `host` is a function on contiguous buffers:
/// those of `function`, then possibly a status word, which is marked
/// (stof/IR/StatusWord.h), and a workspace of bytes. Its operations are
/// launches, views and aliases of buffers, constants, arithmetic on sizes, and
/// assertions on them, which are added to the checks of `function`; constants
/// are added to it and to `constants`.
///
/// Each launch has one step. A buffer is passed as its address, then its
/// dynamic sizes; an integer of any width as i64 or i32. The dynamic shared
/// memory is the attribute `tile.shared_bytes` of the kernel plus what the
/// launch asks for.
///
/// Fails with a diagnostic at an operation that steps cannot express.
mlir::FailureOr<PackagedTarget> describeSteps(mlir::func::FuncOp host,
                                              llvm::StringRef target,
                                              llvm::StringRef module,
                                              PackagedFunction &function,
                                              ConstantsFile &constants);

/// The target section of `host`, a function on buffers as above, where all of
/// it is one function `stof_HOST` of the shared object `module`. Its operations
/// may be any; of a workspace only the views in its body are looked at.
mlir::FailureOr<PackagedTarget> describeNativeStep(mlir::func::FuncOp host,
                                                   llvm::StringRef target,
                                                   llvm::StringRef module,
                                                   PackagedFunction &function);

/// The place in a file that `loc` is about, FILE:LINE:COLUMN, or `unknown`.
std::string printPlace(mlir::Location loc);

} // namespace stof

#endif // STOF_TARGET_HOSTSTEPS_H
