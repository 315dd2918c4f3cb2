// RUN: stof-opt %s --stof-merge-kernels | FileCheck %s
// RUN: stof-opt %s --stof-merge-kernels -o %t --remarks-filter-analyse=stof-merge-kernels 2>&1 | FileCheck %s --check-prefix=REMARK

/// The second kernel equals the first, the third adds another number and the
/// fourth has more threads.

// REMARK: MergedKernels {{.*}}3 of 4 kernels are different

module attributes {gpu.container_module} {
  // CHECK-LABEL: func @host
  // CHECK: gpu.launch_func @kernels::@first
  // CHECK: gpu.launch_func @kernels::@first
  // CHECK: gpu.launch_func @kernels::@third
  // CHECK: gpu.launch_func @kernels::@fourth
  func.func @host(%x: memref<8xf32>, %y: memref<8xf32>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@first blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8xf32>)
    gpu.launch_func @kernels::@second blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%y : memref<8xf32>)
    gpu.launch_func @kernels::@third blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%y : memref<8xf32>)
    gpu.launch_func @kernels::@fourth blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%y : memref<8xf32>)
    return
  }
  // CHECK-LABEL: gpu.module @kernels
  gpu.module @kernels {
    // CHECK: gpu.func @first
    gpu.func @first(%m: memref<8xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
      %i = gpu.block_id x
      %one = arith.constant 1.0 : f32
      memref.store %one, %m[%i] : memref<8xf32>
      gpu.return
    }
    // CHECK-NOT: gpu.func @second
    gpu.func @second(%m: memref<8xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
      %i = gpu.block_id x
      %one = arith.constant 1.0 : f32
      memref.store %one, %m[%i] : memref<8xf32>
      gpu.return
    }
    // CHECK: gpu.func @third
    gpu.func @third(%m: memref<8xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
      %i = gpu.block_id x
      %two = arith.constant 2.0 : f32
      memref.store %two, %m[%i] : memref<8xf32>
      gpu.return
    }
    // CHECK: gpu.func @fourth
    gpu.func @fourth(%m: memref<8xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      %i = gpu.block_id x
      %one = arith.constant 1.0 : f32
      memref.store %one, %m[%i] : memref<8xf32>
      gpu.return
    }
  }
}
