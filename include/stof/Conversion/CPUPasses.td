#ifndef STOF_CONVERSION_CPUPASSES_TD
#define STOF_CONVERSION_CPUPASSES_TD

include "mlir/Pass/PassBase.td"

// Kernels to functions of the CPU; a part of Passes.td.

def TileToCPUPass : Pass<"stof-tile-to-cpu", "::mlir::ModuleOp"> {
  let summary = "Run tile kernels on processor cores, a thread block on each";
  let description = [{
    A kernel becomes a function that computes one thread block, whose position it
    is given; a launch becomes parallel loops over the positions. Tiles become
    tensors and their operations linalg on them: what a kernel skips is skipped
    here as well. How a tile lies over threads is not looked at.

    ```mlir
    gpu.launch_func @kernels::@k blocks in (%n, %c1, %c1) threads in (...) args(%x : memref<?xf32>)
    ...
    gpu.func @k(%x: memref<?xf32>) kernel {
      %i = gpu.block_id x
      %t = tile.load %x[%i] along [0] : memref<?xf32> -> !tile.fragment<64xf32, ...>
    ==>
    scf.parallel (%z, %y, %i) = (%c0, %c0, %c0) to (%c1, %c1, %n) step (%c1, %c1, %c1) {
      func.call @k(%x, %i, %y, %z) : (memref<?xf32>, index, index, index) -> ()
    }
    ...
    func.func private @k(%x: memref<?xf32>, %i: index, %j: index, %k: index) {
      %t = ... : tensor<64xf32>
    ```

    Expects kernels as `stof-lower-to-tile` writes them: of the gpu dialect, only
    the position of the block. Loops may carry tiles; `scf.while` may not.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
    "::mlir::func::FuncDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

def ScatterToLoopsPass : Pass<"stof-scatter-to-loops"> {
  let summary = "Expand scatters on buffers to loops";
  let description = [{
    Replaces each `stof.scatter` on buffers by loops over its updates, in their
    order, with a branch around what lies outside.

    ```mlir
    stof.scatter %u at(%i : memref<3xi64>) into %x maps [(n, k) -> (n)]
        position (n, k)[s] -> (s, k) {...} : memref<3x4xf32>, memref<8x4xf32>
    ==>
    scf.for %n = %c0 to %c3 step %c1 {
      scf.for %k = %c0 to %c4 step %c1 {
        %s = memref.load %i[%n] : memref<3xi64>
        ...
        scf.if %inside {
          memref.store %combined, %x[%s_, %k] : memref<8x4xf32>
        }
    ```
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"
  ];
}

#endif // STOF_CONVERSION_CPUPASSES_TD
