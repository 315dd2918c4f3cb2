// RUN: stof-opt %s --pass-pipeline="builtin.module(gpu.module(gpu.func(stof-use-warpgroups,stof-pipeline-loads)))" | FileCheck %s --check-prefixes=CHECK,LATE
// RUN: stof-opt %s --pass-pipeline="builtin.module(gpu.module(gpu.func(stof-pipeline-loads)))" | FileCheck %s --check-prefixes=CHECK,FIRST
// RUN: stof-opt %s --pass-pipeline="builtin.module(gpu.module(gpu.func(stof-pipeline-loads{scheduled-capacity=20000})))" | FileCheck %s --check-prefix=SMALL

/// Loads are issued behind matmuls that are under way meanwhile, those of
/// warpgroups, and in front of others. As many places as the schedule asks for
/// may take the room that there is for it.

#acc = #tile.mma<warps = [4, 1]>

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @product
  // CHECK-SAME: stages = 3 : i64
  // CHECK: scf.for
  // CHECK-NEXT: %[[HERE:.*]]:2 = tile.await
  // LATE-NEXT: tile.wgmma_fence %{{.*}} reads %[[HERE]]#0, %[[HERE]]#1
  // LATE: %[[SUM:.*]] = tile.wgmma_wait
  // CHECK: tile.load %{{.*}} over
  // CHECK: tile.load %{{.*}} over
  // FIRST-NEXT: %[[SUM:.*]] = tile.contract %[[HERE]]#0, %[[HERE]]#1
  // CHECK-NEXT: scf.yield %[[SUM]]

  // SMALL-LABEL: gpu.func @product
  // SMALL-NOT: tile.await
  // SMALL: gpu.return
  gpu.func @product(%x: memref<?x64xf16>, %y: memref<?x64xf16>, %acc: !tile.fragment<64x64xf32, #acc>, %n: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, stof.schedule = {kernel = "product", stages = 3 : i64}} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %r = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %acc) -> (!tile.fragment<64x64xf32, #acc>) {
      %a = tile.load %x[%i, %c0] along [0, 1] : memref<?x64xf16> -> !tile.shared<64x64xf16>
      %b = tile.load %y[%i, %c0] along [0, 1] : memref<?x64xf16> -> !tile.shared<64x64xf16>
      %t = tile.contract %a, %b, %sum transpose_rhs : !tile.shared<64x64xf16>, !tile.shared<64x64xf16>, !tile.fragment<64x64xf32, #acc>
      scf.yield %t : !tile.fragment<64x64xf32, #acc>
    }
    gpu.return
  }

  /// What computes with matmuls waits for them at once: loads come first.

  // CHECK-LABEL: gpu.func @used
  // CHECK: scf.for
  // CHECK-NEXT: tile.await
  // CHECK: tile.load %{{.*}} over
  // CHECK: tile.{{contract|wgmma_wait}}
  // CHECK-NEXT: tile.map
  gpu.func @used(%x: memref<?x64xf16>, %y: memref<64x64xf16>, %acc: !tile.fragment<64x64xf32, #acc>, %n: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %b = tile.load %y[%c0, %c0] along [0, 1] : memref<64x64xf16> -> !tile.shared<64x64xf16>
    %r = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %acc) -> (!tile.fragment<64x64xf32, #acc>) {
      %a = tile.load %x[%i, %c0] along [0, 1] : memref<?x64xf16> -> !tile.shared<64x64xf16>
      %t = tile.contract %a, %b, %acc transpose_rhs : !tile.shared<64x64xf16>, !tile.shared<64x64xf16>, !tile.fragment<64x64xf32, #acc>
      %s = tile.map ins(%t, %sum : !tile.fragment<64x64xf32, #acc>, !tile.fragment<64x64xf32, #acc>) {
      ^bb0(%row: index, %column: index, %one: f32, %other: f32):
        %m = arith.maximumf %one, %other : f32
        tile.yield %m : f32
      } -> !tile.fragment<64x64xf32, #acc>
      scf.yield %s : !tile.fragment<64x64xf32, #acc>
    }
    gpu.return
  }
}
