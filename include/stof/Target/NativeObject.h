//===----------------------------------------------------------------------===//
// Native code for x86-64, generated in-process: no installed compiler,
// assembler or linker is used.
//===----------------------------------------------------------------------===//

#ifndef STOF_TARGET_NATIVEOBJECT_H
#define STOF_TARGET_NATIVEOBJECT_H

#include "stof/Target/Package.h"

#include "mlir/IR/BuiltinOps.h"

#include "llvm/Support/CodeGen.h"

#include <string>

namespace stof {

struct NativeOptions {
  /// The LLVM name of the CPU to compile for (`x86-64-v3`, `znver4`); empty for
  /// the host CPU.
  std::string cpu;
  llvm::CodeGenOptLevel optimizationLevel = llvm::CodeGenOptLevel::Aggressive;
};

/// The CPU of `options` and its features that native code can require. Fails
/// with a diagnostic at `loc` if LLVM does not support it.
mlir::FailureOr<PackagedProcessor>
describeProcessor(mlir::Location loc, const NativeOptions &options);

/// Compiles `module`, which is in the LLVM dialect, into an ELF shared object
/// and returns its bytes. The object exports the symbols in `exported` and
/// imports memory functions of the C library only (`malloc`, `free`, `memcpy`,
/// ...), and `write` and `abort` for failed checks.
///
/// Fails with a diagnostic if LLVM does not support the CPU, or at the
/// declaration of any other imported function.
mlir::FailureOr<std::string>
compileNativeObject(mlir::ModuleOp module, llvm::ArrayRef<std::string> exported,
                    const NativeOptions &options);

} // namespace stof

#endif // STOF_TARGET_NATIVEOBJECT_H
