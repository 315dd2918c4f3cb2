// RUN: stof-opt %s | FileCheck %s
// RUN: stof-opt %s --stof-tile-to-cpu -canonicalize | FileCheck %s --check-prefix=CPU
// RUN: stof-opt %s --pass-pipeline='builtin.module(gpu.module(gpu.func(stof-allocate-shared-memory,stof-insert-barriers),stof-tile-to-nvvm),canonicalize)' | FileCheck %s --check-prefix=NVVM

/// Each element of the layout is visited once: in loops on the CPU, by the threads that hold them on a GPU, which wait
/// for what others wrote.

// CHECK: #[[LAYOUT:.*]] = #tile.blocked<elements = [2], lanes = [32], warps = [1]>
// CHECK-LABEL: gpu.func @visit
// CHECK: tile.visit [64] as #[[LAYOUT]] {
// CHECK: ^bb0(%[[I:.*]]: index):
// CHECK:   memref.store

// CPU-LABEL: func private @visit
// CPU-SAME: (%[[TO:.*]]: memref<64xindex>, %[[OUT:.*]]: memref<?xf32>, %[[VALUE:.*]]: f32,
// CPU: scf.for %[[I:.*]] = %c0 to %c64 step %c1 {
// CPU:   %[[AT:.*]] = memref.load %[[TO]][%[[I]]]
// CPU:   memref.store %[[VALUE]], %[[OUT]][%[[AT]]]

// NVVM-LABEL: gpu.func @visit
// NVVM-SAME: (%[[TO:.*]]: memref<64xindex>, %[[OUT:.*]]: memref<?xf32>, %[[VALUE:.*]]: f32
// NVVM-COUNT-2: memref.store %[[VALUE]], %[[OUT]][
// NVVM-NOT: memref.store
// NVVM: gpu.barrier
// NVVM-COUNT-2: memref.store

gpu.module @kernels {
  gpu.func @visit(%to: memref<64xindex>, %out: memref<?xf32>, %value: f32) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    tile.visit [64] as #tile.blocked<elements = [2], lanes = [32], warps = [1]> {
    ^bb0(%i: index):
      %at = memref.load %to[%i] : memref<64xindex>
      memref.store %value, %out[%at] : memref<?xf32>
      tile.yield
    }
    tile.visit [64] as #tile.blocked<elements = [2], lanes = [32], warps = [1]> {
    ^bb0(%i: index):
      memref.store %value, %out[%i] : memref<?xf32>
      tile.yield
    }
    gpu.return
  }
}
