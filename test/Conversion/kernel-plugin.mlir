// REQUIRES: shared-mlir
// RUN: stof-opt %s --load-dialect-plugin=%test_lib/TestKernels.so --stof-bufferize-kernels --stof-outline-kernels | FileCheck %s
// RUN: stof-opt %s --load-dialect-plugin=%test_lib/TestKernels.so --stof-lower-to-tile | FileCheck %s --check-prefix=TILE
// RUN: stof-opt %s --load-dialect-plugin=%test_lib/TestKernels.so --stof-to-nvvm | FileCheck %s --check-prefix=NVVM

/// An operation of another dialect becomes a kernel, which no pass has a case for.

// CHECK-LABEL: func @main
// CHECK-SAME: (%[[X:.*]]: memref<?xf32>, %[[Y:.*]]: memref<?xf32>)
// CHECK: %[[N:.*]] = memref.dim %[[X]]
// CHECK: %[[ONCE:.*]] = memref.alloc(%[[N]]) : memref<?xf32>
// CHECK: stof.launch [@main_kernels::@main_0_negate] {
// CHECK-NEXT: test_kernels.negate %[[X]] into %[[ONCE]] : memref<?xf32>, memref<?xf32>
// CHECK: stof.launch [@main_kernels::@main_1_negate] {
// CHECK-NEXT: test_kernels.negate %[[ONCE]] into %[[Y]] : memref<?xf32>, memref<?xf32>

// TILE-LABEL: func @main
// TILE: gpu.launch_func @main_kernels::@main_0_negate
// TILE: gpu.launch_func @main_kernels::@main_1_negate
// TILE: gpu.func @main_0_negate(%[[SOURCE:.*]]: memref<?xf32>, %[[TARGET:.*]]: memref<?xf32>) kernel
// TILE-SAME: stof.ops = ["test_kernels.negate"], stof.schedule = {elements = 128 : i64, kernel = "negate", warps = 4 : i64}
// TILE: %[[TILE:.*]] = tile.load %[[SOURCE]]
// TILE: arith.negf
// TILE: tile.store %{{.*}}, %[[TARGET]]

// NVVM: llvm.func @main_0_negate
// NVVM: llvm.fneg
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %once = test_kernels.negate %x into %e : tensor<?xf32>, tensor<?xf32> -> tensor<?xf32>
  %twice = test_kernels.negate %once into %e : tensor<?xf32>, tensor<?xf32> -> tensor<?xf32>
  return %twice : tensor<?xf32>
}

/// What an operation adds to is copied to its destination first.

// CHECK-LABEL: func @added
// CHECK-SAME: (%[[X:.*]]: memref<8xf32>, %[[Y:.*]]: memref<8xf32>, %[[SUM:.*]]: memref<8xf32>)
// CHECK: linalg.copy ins(%[[Y]] : memref<8xf32>) outs(%[[SUM]] : memref<8xf32>)
// CHECK: test_kernels.negate %[[X]] into %[[SUM]] added

// TILE-LABEL: func @added
func.func @added(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %sum = test_kernels.negate %x into %y added : tensor<8xf32>, tensor<8xf32> -> tensor<8xf32>
  return %sum : tensor<8xf32>
}
