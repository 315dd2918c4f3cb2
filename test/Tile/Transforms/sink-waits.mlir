// RUN: stof-opt %s --pass-pipeline="builtin.module(gpu.module(gpu.func(stof-sink-waits)))" | FileCheck %s
// RUN: stof-opt %s --pass-pipeline="builtin.module(gpu.module(gpu.func(stof-sink-waits)))" --remarks-filter=stof-sink-waits -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

#acc = #tile.mma<warps = [4, 1]>
#rows = #tile.slice<1, #acc>
!sum = !tile.fragment<64x64xf32, #acc>
!in_flight = !tile.in_flight<64x64xf32, #acc>
!tile = !tile.shared<64x64xf16>

gpu.module @kernels {
  /// Loads are issued while wgmma is in flight, up to the end of an iteration.

  // CHECK-LABEL: gpu.func @loads
  // CHECK: scf.for
  // CHECK: tile.wgmma_commit
  // CHECK-NEXT: tile.load
  // CHECK-NEXT: tile.load
  // CHECK-NEXT: %[[SUM:.*]] = tile.wgmma_wait
  // CHECK-NEXT: scf.yield %[[SUM]]
  // REMARK: remark: [Passed] OverlappedLoads | {{.*}}Loads=2
  gpu.func @loads(%x: memref<?x64xf16>, %a: !tile, %acc: !sum, %n: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %r = scf.for %i = %c0 to %n step %c64 iter_args(%s = %acc) -> (!sum) {
      %f = tile.wgmma_fence %s reads %a : !tile -> !in_flight
      %j = tile.wgmma %a, %a, %f : !tile, !tile, !in_flight
      %g = tile.wgmma_commit %j : !in_flight
      %d = tile.wgmma_wait %g : !in_flight
      %b = tile.load %x[%i, %c0] along [0, 1] : memref<?x64xf16> -> !tile
      %c = tile.load %x[%i, %c0] along [0, 1] : memref<?x64xf16> -> !tile
      scf.yield %d : !sum
    }
    gpu.return
  }

  /// A barrier waits, since other threads may overwrite the operands after it.

  // CHECK-LABEL: gpu.func @barrier
  // CHECK: tile.wgmma_commit
  // CHECK-NEXT: tile.load
  // CHECK-NEXT: tile.wgmma_wait
  // CHECK-NEXT: gpu.barrier
  // REMARK: remark: [Passed] OverlappedLoads | {{.*}}Loads=1
  gpu.func @barrier(%x: memref<64x64xf16>, %a: !tile, %acc: !sum) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %f = tile.wgmma_fence %acc reads %a : !tile -> !in_flight
    %j = tile.wgmma %a, %a, %f : !tile, !tile, !in_flight
    %g = tile.wgmma_commit %j : !in_flight
    %d = tile.wgmma_wait %g : !in_flight
    %b = tile.load %x[%c0, %c0] along [0, 1] : memref<64x64xf16> -> !tile
    gpu.barrier
    gpu.return
  }

  /// Two sums are in flight at once. The first user waits.

  // CHECK-LABEL: gpu.func @two_sums
  // CHECK: tile.wgmma_commit
  // CHECK-NEXT: tile.wgmma_fence
  // CHECK-NEXT: tile.wgmma
  // CHECK-NEXT: %[[LAST:.*]] = tile.wgmma_commit
  // CHECK-NEXT: %[[ONE:.*]] = tile.wgmma_wait
  // CHECK-NEXT: %[[OTHER:.*]] = tile.wgmma_wait %[[LAST]]
  // CHECK-NEXT: tile.map ins(%[[ONE]], %[[OTHER]]
  // REMARK-NOT: remark
  gpu.func @two_sums(%a: !tile, %acc: !sum) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %f0 = tile.wgmma_fence %acc reads %a : !tile -> !in_flight
    %j0 = tile.wgmma %a, %a, %f0 : !tile, !tile, !in_flight
    %g0 = tile.wgmma_commit %j0 : !in_flight
    %d0 = tile.wgmma_wait %g0 : !in_flight
    %f1 = tile.wgmma_fence %acc reads %a : !tile -> !in_flight
    %j1 = tile.wgmma %a, %a, %f1 transpose_lhs : !tile, !tile, !in_flight
    %g1 = tile.wgmma_commit %j1 : !in_flight
    %d1 = tile.wgmma_wait %g1 : !in_flight
    %m = tile.map ins(%d0, %d1 : !sum, !sum) {
    ^bb0(%r: index, %c: index, %x: f32, %y: f32):
      %z = arith.addf %x, %y : f32
      tile.yield %z : f32
    } -> !sum
    gpu.return
  }

  /// What goes through shared memory synchronises threads.

  // CHECK-LABEL: gpu.func @negative_shared_memory
  // CHECK: tile.wgmma_commit
  // CHECK-NEXT: tile.wgmma_wait
  // CHECK-NEXT: tile.convert
  gpu.func @negative_shared_memory(%a: !tile, %acc: !sum, %p: !tile.fragment<64x64xf16, #acc>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %f = tile.wgmma_fence %acc reads %a : !tile -> !in_flight
    %j = tile.wgmma %a, %a, %f : !tile, !tile, !in_flight
    %g = tile.wgmma_commit %j : !in_flight
    %d = tile.wgmma_wait %g : !in_flight
    %s = tile.convert %p : !tile.fragment<64x64xf16, #acc> -> !tile
    gpu.return
  }

  /// All threads meet in a vote.

  // CHECK-LABEL: gpu.func @negative_vote
  // CHECK: tile.wgmma_commit
  // CHECK-NEXT: tile.wgmma_wait
  // CHECK-NEXT: tile.any
  gpu.func @negative_vote(%a: !tile, %acc: !sum, %p: !tile.fragment<64xi1, #rows>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %f = tile.wgmma_fence %acc reads %a : !tile -> !in_flight
    %j = tile.wgmma %a, %a, %f : !tile, !tile, !in_flight
    %g = tile.wgmma_commit %j : !in_flight
    %d = tile.wgmma_wait %g : !in_flight
    %s = tile.any %p : !tile.fragment<64xi1, #rows>
    gpu.return
  }
}
