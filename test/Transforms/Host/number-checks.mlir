// RUN: stof-opt %s --stof-number-checks | FileCheck %s
// RUN: stof-opt %s --stof-number-checks --stof-merge-kernels | FileCheck %s --check-prefix=MERGED

/// Checks are counted over the launches of a function; a kernel counts its own,
/// so that equal ones stay equal.

// CHECK: func @main(%{{.*}}: memref<8xi64>, %[[STATUS:.*]]: memref<1xi32> {stof.status}) attributes {stof.assertions = [#{{.*}}, #{{.*}}, #{{.*}}, #{{.*}}]}
// CHECK: %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK: gpu.launch_func @kernels::@first {{.*}} args(%{{.*}} : memref<8xi64>, %[[STATUS]] : memref<1xi32>, %[[ZERO]] : i32)
// CHECK: gpu.launch_func @kernels::@plain {{.*}} args(%{{.*}} : memref<8xi64>)
// CHECK: %[[TWO:.*]] = arith.constant 2 : i32
// CHECK: gpu.launch_func @kernels::@second {{.*}} args(%{{.*}} : memref<8xi64>, %[[STATUS]] : memref<1xi32>, %[[TWO]] : i32)

// CHECK: gpu.func @first(%{{.*}}: memref<8xi64>, %[[WORD:.*]]: memref<1xi32>, %[[BEFORE:.*]]: i32) kernel
// CHECK: %[[C1:.*]] = arith.constant 1 : i32
// CHECK: %[[NUMBER:.*]] = arith.addi %[[BEFORE]], %[[C1]]
// CHECK: stof.check %{{.*}} if %{{.*}}, "too large" report %[[NUMBER]] to %[[WORD]] : index, memref<1xi32>
// CHECK: arith.constant 2 : i32
// CHECK: stof.check %{{.*}} if %{{.*}}, "negative" report
// CHECK: gpu.func @plain(%{{.*}}: memref<8xi64>) kernel

// MERGED-COUNT-2: gpu.launch_func @kernels::@first
// MERGED-NOT: gpu.func @second
module attributes {gpu.container_module} {
  func.func @main(%x: memref<8xi64>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@first blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8xi64>)
    gpu.launch_func @kernels::@plain blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8xi64>)
    gpu.launch_func @kernels::@second blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8xi64>)
    return
  }
  gpu.module @kernels {
    gpu.func @first(%x: memref<8xi64>) kernel {
      %c0 = arith.constant 0 : index
      %c8 = arith.constant 8 : index
      %i = gpu.block_id x
      %below = arith.cmpi slt, %i, %c8 : index
      %above = arith.cmpi sge, %i, %c0 : index
      %a = stof.check %i if %below, "too large" : index
      %b = stof.check %a if %above, "negative" : index
      %v = memref.load %x[%b] : memref<8xi64>
      memref.store %v, %x[%c0] : memref<8xi64>
      gpu.return
    }
    gpu.func @plain(%x: memref<8xi64>) kernel {
      gpu.return
    }
    gpu.func @second(%x: memref<8xi64>) kernel {
      %c0 = arith.constant 0 : index
      %c8 = arith.constant 8 : index
      %i = gpu.block_id x
      %below = arith.cmpi slt, %i, %c8 : index
      %above = arith.cmpi sge, %i, %c0 : index
      %a = stof.check %i if %below, "too large" : index
      %b = stof.check %a if %above, "negative" : index
      %v = memref.load %x[%b] : memref<8xi64>
      memref.store %v, %x[%c0] : memref<8xi64>
      gpu.return
    }
  }

  /// Without kernels a function reports by itself; one without checks is left.

  // CHECK: func @alone(%{{.*}}: memref<8xi64>, %{{.*}}: index, %{{.*}}: i1, %[[STATUS:.*]]: memref<1xi32> {stof.status})
  // CHECK: %[[ONE:.*]] = arith.constant 1 : i32
  // CHECK: stof.check %{{.*}} if %{{.*}}, "outside" report %[[ONE]] to %[[STATUS]]
  func.func @alone(%x: memref<8xi64>, %i: index, %ok: i1) {
    %a = stof.check %i if %ok, "outside" : index
    %v = memref.load %x[%a] : memref<8xi64>
    memref.store %v, %x[%a] : memref<8xi64>
    return
  }

  // CHECK: func @none(%{{.*}}: memref<8xi64>) {
  func.func @none(%x: memref<8xi64>) {
    return
  }
}
