#ifndef STOF_CONVERSION_PASSES_TD
#define STOF_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def LowerToTilePass : Pass<"stof-lower-to-tile", "::mlir::ModuleOp"> {
  let summary = "Turn functions on tensors into host functions and tile kernels";
  let description = [{
    Each group and each attention becomes a kernel in the tile dialect, a buffer
    for its results and a launch; reshapes become views; results of the function
    become further arguments, which the kernels write.

    ```mlir
    func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
      %y = stof.group ins(%x : tensor<8xf32>) {...} -> tensor<8xf32>
      return %y : tensor<8xf32>
    }
      ==>
    func.func @main(%x: memref<8xf32>, %result: memref<8xf32>) {
      gpu.launch_func @main_kernels::@main_0_generic blocks in (...) threads in (...)
        args(%x : memref<8xf32>, %result : memref<8xf32>)
      return
    }
    gpu.module @main_kernels { gpu.func @main_0_generic(...) kernel {...} }
    ```

    Expects groups (`stof-form-groups`), reshapes, constants and arithmetic on
    sizes. Anything else that computes on tensors is an error that names it.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::gpu::GPUDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::stof::tile::TileDialect"
  ];
}

#endif // STOF_CONVERSION_PASSES_TD
