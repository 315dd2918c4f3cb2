//===----------------------------------------------------------------------===//
// Native code for x86-64, made in this process: no compiler, assembler or
// linker of the machine is used.
//===----------------------------------------------------------------------===//

#ifndef STOF_TARGET_NATIVEOBJECT_H
#define STOF_TARGET_NATIVEOBJECT_H

#include "stof/Target/Package.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace stof {

struct NativeOptions {
  /// The processor to compile for, as LLVM names it (`x86-64-v3`, `znver4`);
  /// empty is the processor of this machine.
  std::string cpu;
  /// 0 to 3, as -O0 to -O3.
  unsigned optimize = 3;
};

/// The processor of `options` and those of its features that native code may
/// need. Fails with a diagnostic at `loc` if LLVM does not know it.
mlir::FailureOr<PackagedProcessor>
describeProcessor(mlir::Location loc, const NativeOptions &options);

/// Compiles `module`, which is in the LLVM dialect, into an ELF shared object
/// and returns its bytes. The object exports what `exported` names and needs
/// nothing of its process but memory functions of the C library
/// (`malloc`, `free`, `memcpy`, ...), and `write` and `abort` where checks
/// fail.
///
/// Fails with a diagnostic if LLVM does not know the processor, or at the
/// declaration of a function that is needed and is not one of those.
mlir::FailureOr<std::string>
compileNativeObject(mlir::ModuleOp module, llvm::ArrayRef<std::string> exported,
                    const NativeOptions &options);

} // namespace stof

#endif // STOF_TARGET_NATIVEOBJECT_H
