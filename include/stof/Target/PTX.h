//===----------------------------------------------------------------------===//
// Kernels as PTX. Needs neither a GPU nor a CUDA toolkit.
//===----------------------------------------------------------------------===//

#ifndef STOF_TARGET_PTX_H
#define STOF_TARGET_PTX_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include <string>

namespace stof {

/// Options of code generation.
struct PTXOptions {
  /// The architecture in ptxas spelling: sm_80, sm_90a, ...
  std::string chip = "sm_80";
  /// Features of the backend, including the PTX version; empty for those that
  /// the chip requires.
  std::string features;
  /// The LLVM optimization level, 0 to 3.
  int optLevel = 3;
};

/// The features of the backend for `chip`, which must be known. The PTX version
/// is the oldest that suffices, since a driver reads its own and all older
/// ones.
std::string getPTXFeatures(llvm::StringRef chip);

/// Translates a module of kernels in the LLVM and NVVM dialects to PTX. Fails
/// with an error at the module if the chip is unknown or the PTX calls an
/// external function. The translations to LLVM IR must be registered with the
/// context (mlir::registerAllGPUToLLVMIRTranslations).
mlir::FailureOr<std::string> emitPTX(mlir::gpu::GPUModuleOp module,
                                     const PTXOptions &options);

} // namespace stof

#endif // STOF_TARGET_PTX_H
