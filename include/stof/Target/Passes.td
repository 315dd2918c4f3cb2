#ifndef STOF_TARGET_PASSES_TD
#define STOF_TARGET_PASSES_TD

include "mlir/Pass/PassBase.td"

def SerializeKernelsPass : Pass<"stof-serialize-kernels", "::mlir::ModuleOp"> {
  let summary = "Serialize modules of kernels to PTX";
  let description = [{
    Each `gpu.module` becomes a `gpu.binary` of the same name with one object of
    PTX for `chip`.

    ```mlir
    gpu.module @kernels {
      llvm.func @scale(...) attributes {gpu.kernel, nvvm.kernel} {...}
    }
    ==>
    gpu.binary @kernels [#gpu.object<#nvvm.target<chip = "sm_80">, assembly = "...">]
    ```

    With `resources` the PTX is also assembled by the ptxas on PATH, and a remark
    states the SM resources of each kernel, or that there is no ptxas.

    Expects kernels in the LLVM and NVVM dialects (`stof-kernel-to-llvm`). An
    unknown chip and PTX with calls of external functions are errors.
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"\"sm_80\"",
           "The architecture in ptxas spelling">,
    Option<"features", "features", "std::string", /*default=*/"\"\"",
           "Features of the backend, including the PTX version; empty for those "
           "that the chip requires">,
    Option<"optLevel", "O", "int", /*default=*/"3",
           "The LLVM optimization level, 0 to 3">,
    Option<"resources", "resources", "bool", /*default=*/"false",
           "Report registers, spills and shared memory, as computed by ptxas">
  ];
  let dependentDialects = ["::mlir::gpu::GPUDialect",
                           "::mlir::NVVM::NVVMDialect"];
}

#endif // STOF_TARGET_PASSES_TD
