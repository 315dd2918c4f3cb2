// RUN: stof-opt %s --pass-pipeline="builtin.module(gpu.module(gpu.func(stof-sink-waits)))" | FileCheck %s
// RUN: stof-opt %s --pass-pipeline="builtin.module(gpu.module(gpu.func(stof-sink-waits)))" --remarks-filter=stof-sink-waits -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

#acc = #tile.mma<warps = [4, 1]>
#rows = #tile.slice<1, #acc>
!sum = !tile.fragment<64x64xf32, #acc>
!in_flight = !tile.in_flight<64x64xf32, #acc>
!operand = !tile.fragment<64x64xf16, #acc>
!tile = !tile.shared<64x64xf16>
!channel = !tile.channel<<64x64xf16>, stages = 2>
#wide = #tile.mma<warps = [8, 1]>
!wide_sum = !tile.fragment<128x128xf32, #wide>
!wide_in_flight = !tile.in_flight<128x128xf32, #wide>
!wide_tile = !tile.shared<128x64xf16>

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
  // CHECK-NEXT: %[[ONE:.*]] = tile.wgmma_wait %{{.*}} pending 1 :
  // CHECK-NEXT: %[[OTHER:.*]] = tile.wgmma_wait %[[LAST]] :
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

  /// A release stays behind the wait for wgmma that reads its tile, others are
  /// passed. Receiving a tile is waiting only, so wgmma can be in flight.

  // CHECK-LABEL: gpu.func @releases
  // CHECK-SAME: (%[[A:.*]]: !tile.channel<{{.*}}>, %[[B:.*]]: !tile.channel<
  // CHECK: %[[SENT:.*]] = tile.wgmma_commit
  // CHECK-NEXT: tile.release %[[B]] at %c0
  // CHECK-NEXT: tile.receive %[[B]] at %c1
  // CHECK-NEXT: %[[SUM:.*]] = tile.wgmma_wait %[[SENT]] :
  // CHECK-NEXT: tile.release %[[A]] at %c0
  // CHECK-NEXT: tile.map ins(%[[SUM]]
  gpu.func @releases(%a: !channel, %b: !channel, %acc: !sum) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = tile.receive %a at %c0 : <<64x64xf16>, stages = 2>
    %f = tile.wgmma_fence %acc -> !in_flight
    %j = tile.wgmma %t, %t, %f : !tile, !tile, !in_flight
    %g = tile.wgmma_commit %j : !in_flight
    %d = tile.wgmma_wait %g : !in_flight
    tile.release %a at %c0 : <<64x64xf16>, stages = 2>
    tile.release %b at %c0 : <<64x64xf16>, stages = 2>
    %u = tile.receive %b at %c1 : <<64x64xf16>, stages = 2>
    %m = tile.map ins(%d : !sum) {
    ^bb0(%row: index, %column: index, %x: f32):
      tile.yield %x : f32
    } -> !sum
    gpu.return
  }

  /// A selection may be either tile: the wait is before both releases.

  // CHECK-LABEL: gpu.func @selected
  // CHECK: tile.wgmma_commit
  // CHECK-NEXT: tile.wgmma_wait
  // CHECK-NEXT: tile.release
  // CHECK-NEXT: tile.release
  gpu.func @selected(%a: !channel, %b: !channel, %which: i1, %acc: !sum) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %t = tile.receive %a at %c0 : <<64x64xf16>, stages = 2>
    %u = tile.receive %b at %c0 : <<64x64xf16>, stages = 2>
    %v = arith.select %which, %t, %u : !tile
    %f = tile.wgmma_fence %acc -> !in_flight
    %j = tile.wgmma %v, %v, %f : !tile, !tile, !in_flight
    %g = tile.wgmma_commit %j : !in_flight
    %d = tile.wgmma_wait %g : !in_flight
    tile.release %a at %c0 : <<64x64xf16>, stages = 2>
    tile.release %b at %c0 : <<64x64xf16>, stages = 2>
    gpu.return
  }

  /// A wait leaves in flight what has been committed after its own group: the
  /// first product is waited for while the second one goes on.

  // CHECK-LABEL: gpu.func @pending
  // CHECK: %[[FIRST:.*]] = tile.wgmma_commit
  // CHECK: %[[SECOND:.*]] = tile.wgmma_commit
  // CHECK-NEXT: %[[ONE:.*]] = tile.wgmma_wait %[[FIRST]] pending 1 :
  // CHECK-NEXT: tile.map ins(%[[ONE]]
  // CHECK: %[[OTHER:.*]] = tile.wgmma_wait %[[SECOND]] :
  // CHECK-NEXT: tile.map ins(%[[OTHER]]
  gpu.func @pending(%a: !tile, %acc: !sum) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %f0 = tile.wgmma_fence %acc -> !in_flight
    %j0 = tile.wgmma %a, %a, %f0 : !tile, !tile, !in_flight
    %g0 = tile.wgmma_commit %j0 : !in_flight
    %d0 = tile.wgmma_wait %g0 : !in_flight
    %f1 = tile.wgmma_fence %acc -> !in_flight
    %j1 = tile.wgmma %a, %a, %f1 transpose_lhs : !tile, !tile, !in_flight
    %g1 = tile.wgmma_commit %j1 : !in_flight
    %d1 = tile.wgmma_wait %g1 : !in_flight
    %m = tile.map ins(%d0 : !sum) {
    ^bb0(%row: index, %column: index, %x: f32):
      tile.yield %x : f32
    } -> !sum
    %n = tile.map ins(%d1 : !sum) {
    ^bb0(%row: index, %column: index, %x: f32):
      tile.yield %x : f32
    } -> !sum
    gpu.return
  }

  /// The next lhs takes the registers of one that a loop carries: it is computed
  /// when wgmma has read this one, what it follows from before.

  // CHECK-LABEL: gpu.func @carried_operand
  // CHECK: tile.wgmma_commit
  // CHECK-NEXT: %[[SCALED:.*]] = tile.map ins(%{{.*}} : !tile.fragment<64x64xf32,
  // CHECK: %[[SUM:.*]] = tile.wgmma_wait
  // CHECK-NEXT: %[[NEXT:.*]] = tile.map ins(%[[SCALED]] :
  // CHECK: scf.yield %[[NEXT]], %[[SUM]]
  gpu.func @carried_operand(%a: !tile, %p: !operand, %x: !sum, %acc: !sum, %n: index) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%now = %p, %s = %acc) -> (!operand, !sum) {
      %f = tile.wgmma_fence %s -> !in_flight
      %j = tile.wgmma %now, %a, %f : !operand, !tile, !in_flight
      %g = tile.wgmma_commit %j : !in_flight
      %d = tile.wgmma_wait %g : !in_flight
      %scaled = tile.map ins(%x : !sum) {
      ^bb0(%row: index, %column: index, %e: f32):
        %y = arith.addf %e, %e : f32
        tile.yield %y : f32
      } -> !sum
      %next = tile.map ins(%scaled : !sum) {
      ^bb0(%row: index, %column: index, %e: f32):
        %y = arith.truncf %e : f32 to f16
        tile.yield %y : f16
      } -> !operand
      scf.yield %next, %d : !operand, !sum
    }
    gpu.return
  }

  /// A branch that uses the sum waits before it.

  // CHECK-LABEL: gpu.func @used_in_a_branch
  // CHECK: tile.wgmma_commit
  // CHECK-NEXT: arith.addi
  // CHECK-NEXT: %[[SUM:.*]] = tile.wgmma_wait
  // CHECK-NEXT: scf.if
  // CHECK-NEXT:   scf.yield %[[SUM]]
  gpu.func @used_in_a_branch(%a: !tile, %acc: !sum, %which: i1, %n: index) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %f = tile.wgmma_fence %acc -> !in_flight
    %j = tile.wgmma %a, %a, %f : !tile, !tile, !in_flight
    %g = tile.wgmma_commit %j : !in_flight
    %d = tile.wgmma_wait %g : !in_flight
    %m = arith.addi %n, %n : index
    %r = scf.if %which -> !sum {
      scf.yield %d : !sum
    } else {
      scf.yield %acc : !sum
    }
    gpu.return
  }

  /// Neither does a wait pass a branch in which threads meet.

  // CHECK-LABEL: gpu.func @branch_with_barrier
  // CHECK: tile.wgmma_commit
  // CHECK-NEXT: tile.wgmma_wait
  // CHECK-NEXT: scf.if
  gpu.func @branch_with_barrier(%a: !tile, %acc: !sum, %p: i1, %f: i1, %x: !tile.fragment<64xi1, #rows>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tile.wgmma_fence %acc reads %a : !tile -> !in_flight
    %j = tile.wgmma %a, %a, %s : !tile, !tile, !in_flight
    %g = tile.wgmma_commit %j : !in_flight
    %d = tile.wgmma_wait %g : !in_flight
    %any = scf.if %p -> (i1) {
      %met = tile.any %x : !tile.fragment<64xi1, #rows>
      scf.yield %met : i1
    } else {
      scf.yield %f : i1
    }
    gpu.return
  }

  /// wgmma stays in flight over the end of the turn of its warpgroup, not over that of
  /// a group.

  // CHECK-LABEL: gpu.func @turns
  // CHECK: tile.wgmma_commit
  // CHECK-NEXT: tile.end_turn of warpgroups
  // CHECK-NEXT: tile.wgmma_wait
  // CHECK: tile.wgmma_commit
  // CHECK-NEXT: tile.wgmma_wait
  // CHECK-NEXT: tile.end_turn
  gpu.func @turns(%a: !wide_tile, %acc: !wide_sum, %x: memref<128x128xf32>) kernel attributes {known_block_size = array<i32: 288, 1, 1>} {
    %c0 = arith.constant 0 : index
    tile.warp_specialize consumers 8 {
      %f = tile.wgmma_fence %acc reads %a : !wide_tile -> !wide_in_flight
      %j = tile.wgmma %a, %a, %f transpose_rhs : !wide_tile, !wide_tile, !wide_in_flight
      %g = tile.wgmma_commit %j : !wide_in_flight
      %d = tile.wgmma_wait %g : !wide_in_flight
      tile.end_turn of warpgroups
      %f2 = tile.wgmma_fence %d reads %a : !wide_tile -> !wide_in_flight
      %j2 = tile.wgmma %a, %a, %f2 transpose_rhs : !wide_tile, !wide_tile, !wide_in_flight
      %g2 = tile.wgmma_commit %j2 : !wide_in_flight
      %d2 = tile.wgmma_wait %g2 : !wide_in_flight
      tile.end_turn
      tile.store %d2, %x[%c0, %c0] along [0, 1] : !wide_sum, memref<128x128xf32>
    } producers 1 {
    }
    gpu.return
  }
}
