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

def PlanMemoryPass : Pass<"stof-plan-memory", "::mlir::func::FuncOp"> {
  let summary = "Place all intermediate buffers in one workspace";
  let description = [{
    Replaces each `memref.alloc` of a host function by a view of one workspace,
    which becomes the last argument. Buffers that are never alive together share
    memory: those of static size are placed largest first, each at the lowest
    offset where it fits beside its contemporaries; those of dynamic size follow,
    in slots that buffers of equal size take turns in. Offsets are multiples of
    256 bytes, a boolean takes a byte.

    ```mlir
    func.func @main(%x: memref<8xf32>, %result: memref<8xf32>) {
      %a = memref.alloc() : memref<8xf32>
      ...
      ==>
    func.func @main(%x: memref<8xf32>, %result: memref<8xf32>, %workspace: memref<?xi8>) {
      %offset = arith.constant 0 : index
      %a = memref.view %workspace[%offset][] : memref<?xi8> to memref<8xf32>
    ```

    Expects one block, as `stof-lower-to-tile` leaves it. A function without that
    pass's attributes is left alone. A remark states the bytes of the workspace
    and how many there would be without sharing.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::memref::MemRefDialect"
  ];
}

#endif // STOF_CONVERSION_PASSES_TD
