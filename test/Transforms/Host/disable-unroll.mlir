// RUN: stof-opt %s --pass-pipeline='builtin.module(gpu.module(gpu.func(stof-disable-unroll)))' | FileCheck %s
// RUN: stof-opt %s --stof-to-ptx | FileCheck %s --check-prefix=PTX

gpu.module @kernels {
  /// Loops around a barrier stay loops, all of them.

  // CHECK-DAG: #[[UNROLL:.*]] = #llvm.loop_unroll<disable = true>
  // CHECK-DAG: #[[KEPT:.*]] = #llvm.loop_annotation<unroll = #[[UNROLL]]>
  // CHECK-LABEL: gpu.func @together
  // CHECK: scf.for
  // CHECK: scf.for
  // CHECK: gpu.barrier
  // CHECK: } {llvm.loop_annotation = #[[KEPT]]}
  // CHECK: } {llvm.loop_annotation = #[[KEPT]]}
  // PTX-LABEL: .entry together
  // PTX: .pragma \22nounroll\22;
  // PTX: bar.sync
  gpu.func @together(%x: memref<24x24xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c24 = arith.constant 24 : index
    scf.for %i = %c0 to %c24 step %c1 {
      scf.for %j = %c0 to %c24 step %c1 {
        %e = memref.load %x[%i, %j] : memref<24x24xf32>
        gpu.barrier
        memref.store %e, %x[%j, %i] : memref<24x24xf32>
      }
    }
    gpu.return
  }

  /// A thread's own loop is left to the assembler.

  // CHECK-LABEL: gpu.func @negative_alone
  // CHECK-NOT: llvm.loop_annotation
  gpu.func @negative_alone(%x: memref<?xf32>, %y: memref<f32>, %n: index) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0.0 : f32
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%sofar = %zero) -> f32 {
      %e = memref.load %x[%i] : memref<?xf32>
      %next = arith.addf %sofar, %e : f32
      scf.yield %next : f32
    }
    memref.store %sum, %y[] : memref<f32>
    gpu.return
  }
}
