//===----------------------------------------------------------------------===//
// Kernels as PTX. Needs neither a GPU nor a CUDA toolkit.
//===----------------------------------------------------------------------===//

#ifndef STOF_TARGET_PTX_H
#define STOF_TARGET_PTX_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include <string>

namespace stof {

/// What PTX is made for.
struct PTXOptions {
  /// The architecture, as ptxas names it: sm_80, sm_90a, ...
  std::string chip = "sm_80";
  /// Of the backend, among them the version of PTX; empty is what the chip
  /// needs.
  std::string features;
  /// How much LLVM optimises, 0 to 3.
  int optLevel = 3;
};

/// The shared memory in bytes that a block on `chip` can have at most; 0 if the
/// chip is not known.
int64_t getSharedMemoryCapacity(llvm::StringRef chip);

/// The features of the backend for `chip`, which is known: an old version of
/// PTX, as a driver reads its own and all older ones.
std::string getPTXFeatures(llvm::StringRef chip);

/// Translates a module of kernels in the LLVM and NVVM dialects to PTX. Fails
/// with an error at the module if the chip is not known or PTX is left that
/// needs a function from elsewhere. The module's context must know the
/// translations to LLVM IR (mlir::registerAllGPUToLLVMIRTranslations).
mlir::FailureOr<std::string> emitPTX(mlir::gpu::GPUModuleOp module,
                                     const PTXOptions &options);

} // namespace stof

#endif // STOF_TARGET_PTX_H
