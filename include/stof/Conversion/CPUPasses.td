#ifndef STOF_CONVERSION_CPUPASSES_TD
#define STOF_CONVERSION_CPUPASSES_TD

include "mlir/Pass/PassBase.td"

// Passes that lower kernels to the CPU; included by Passes.td.

def TileToCPUPass : Pass<"stof-tile-to-cpu", "::mlir::ModuleOp"> {
  let summary = "Lower tile kernels to CPU functions, one call per CTA";
  let description = [{
    A kernel becomes a function that computes one CTA and takes the CTA's
    coordinates as its last arguments; a launch becomes parallel loops over the
    grid. Tiles become tensors, and tile operations become linalg operations, so
    tiles that a kernel skips are skipped here as well. Distributed layouts are
    ignored.

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

    Expects kernels as emitted by `stof-emit-kernels`, which use no operation of
    the gpu dialect but `gpu.block_id` and `gpu.return`. `scf.for` and `scf.while`
    may carry tiles.
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
    Replaces each `stof.scatter` on buffers by a loop nest over its updates, in
    order. A branch skips updates that are out of bounds.

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
