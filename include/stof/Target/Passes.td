#ifndef STOF_TARGET_PASSES_TD
#define STOF_TARGET_PASSES_TD

include "mlir/Pass/PassBase.td"

def SerializeKernelsPass : Pass<"stof-serialize-kernels", "::mlir::ModuleOp"> {
  let summary = "Replace modules of kernels by their PTX";
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
    says what each kernel needs of a multiprocessor; without one on PATH, that it
    is missing.

    Expects kernels in the LLVM and NVVM dialects (`stof-kernel-to-llvm`). A chip
    that is not known and PTX that needs functions from elsewhere are errors.
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"\"sm_80\"",
           "The architecture, as ptxas names it">,
    Option<"features", "features", "std::string", /*default=*/"\"\"",
           "Features of the backend, among them the version of PTX; empty is "
           "what the chip needs">,
    Option<"optLevel", "O", "int", /*default=*/"3",
           "How much LLVM optimises, 0 to 3">,
    Option<"resources", "resources", "bool", /*default=*/"false",
           "Ask ptxas what the kernels need">
  ];
  let dependentDialects = ["::mlir::gpu::GPUDialect",
                           "::mlir::NVVM::NVVMDialect"];
}

#endif // STOF_TARGET_PASSES_TD
