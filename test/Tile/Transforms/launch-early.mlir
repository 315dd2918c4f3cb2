// RUN: stof-opt %s --pass-pipeline="builtin.module(gpu.module(gpu.func(stof-launch-early)))" | FileCheck %s
// RUN: stof-opt %s --pass-pipeline="builtin.module(gpu.module(gpu.func(stof-launch-early,stof-launch-early)))" | FileCheck %s

/// A kernel waits for those before it, ahead of everything else and once.

gpu.module @kernels {
// CHECK: gpu.func @add
// CHECK-SAME: kernel attributes {tile.programmatic}
// CHECK-NEXT: nvvm.griddepcontrol wait
// CHECK-NEXT: gpu.thread_id x
// CHECK-NOT: nvvm.griddepcontrol
// CHECK: gpu.return
gpu.func @add(%x: memref<64xf32>) kernel {
  %i = gpu.thread_id x
  %v = memref.load %x[%i] : memref<64xf32>
  %sum = arith.addf %v, %v : f32
  memref.store %sum, %x[%i] : memref<64xf32>
  gpu.return
}

/// A function that kernels call is part of them.

// CHECK: gpu.func @double
// CHECK-NOT: nvvm.griddepcontrol
// CHECK: gpu.return
gpu.func @double(%x: f32) -> f32 {
  %sum = arith.addf %x, %x : f32
  gpu.return %sum : f32
}
}
