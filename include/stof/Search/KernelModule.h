//===----------------------------------------------------------------------===//
// One kernel operation as a module of its own, to be compiled and measured
// alone.
//===----------------------------------------------------------------------===//

#ifndef STOF_SEARCH_KERNELMODULE_H
#define STOF_SEARCH_KERNELMODULE_H

#include "stof/Conversion/KernelOpInterface.h"
#include "stof/Search/KernelSigner.h"

#include "mlir/IR/BuiltinOps.h"

namespace stof {

struct KernelModule {
  /// A function with the tensors that the operation reads as arguments and its
  /// results as results, and what its mask is made of. The operation has no
  /// schedule and no layout.
  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// As KernelSigner signs it: operations that are computed in the same way
  /// have the same.
  std::string signature;
  /// As describeKernel.
  std::string name;
};

/// What a kernel computes, for people, by its operations and their sizes:
/// `matmul 2048x8192x2048 f16 + 3 elementwise`, `attention 1x2x64x16 f32,
/// masked`. Other kernels may have the same.
std::string describeKernel(KernelOpInterface op);

/// The module of `op`, signed, or none and the `reason`: a size, a scalar or a
/// mask is known at run time only.
std::optional<KernelModule>
extractKernel(KernelOpInterface op, KernelSigner &signer, std::string &reason);

/// The SHA-256 of the text of `op`, which has no locations, and of `suffix`.
std::string signOperation(mlir::Operation *op, llvm::StringRef suffix = "");

/// The operation of the module.
KernelOpInterface findKernelOperation(mlir::ModuleOp module);

} // namespace stof

#endif // STOF_SEARCH_KERNELMODULE_H
