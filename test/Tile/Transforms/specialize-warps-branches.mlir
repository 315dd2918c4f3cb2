// RUN: stof-opt %s --stof-specialize-warps="producers=1 stages=3" --canonicalize | FileCheck %s
// RUN: stof-opt %s --stof-specialize-warps="producers=1 stages=3" --remarks-filter=stof-specialize-warps -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

/// Kernels whose mainloops are in the branches of a group, of which each tile takes one.

#acc = #tile.mma<warps = [4, 1]>
!sum = !tile.fragment<64x64xf32, #acc>
!tile = !tile.shared<64x64xf16>

gpu.module @kernels {
  /// Both roles branch alike, and the mainloops of all branches share two channels. What places a tile moves out of its
  /// branch, as producers need it too; the epilogue stays. K tiles are counted on from whichever branch a tile took.

  // CHECK-LABEL: gpu.func @parts
  // CHECK-SAME: (%[[X:.*]]: memref<?x128xf16>, %[[V:.*]]: memref<?x128xf16>, %[[W:.*]]: memref<?x128xf16>, %[[TILES:.*]]: index, %[[ACC:.*]]: !tile
  // CHECK: %[[A:.*]] = tile.channel from 1 to 4 : <<64x64xf16>, stages = 3>
  // CHECK-NEXT: %[[B:.*]] = tile.channel from 1 to 4 : <<64x64xf16>, stages = 3>
  // CHECK-NOT: tile.channel
  // CHECK: tile.warp_specialize consumers 4 {
  // CHECK-NEXT:   scf.for %[[T:.*]] = %{{.*}} to %[[TILES]] step %{{.*}} iter_args(%[[BEGUN:[a-z0-9]+]] = %c0, %{{.*}} = %c0)
  // CHECK-NEXT:     %[[FIRST:.*]] = arith.cmpi ult, %[[T]], %c5
  // CHECK-NEXT:     arith.muli %[[T]], %c64
  // CHECK-NEXT:     arith.subi %[[T]], %c5
  // CHECK-NEXT:     arith.muli
  // CHECK-NEXT:     %[[R:.*]] = scf.if %[[FIRST]] -> (index) {
  // CHECK-NEXT:       %[[S:.*]]:2 = scf.for %{{.*}} iter_args(%{{.*}} = %[[ACC]], %[[K:.*]] = %[[BEGUN]])
  // CHECK-NEXT:         tile.receive %[[A]] at %[[K]]
  // CHECK-NEXT:         tile.receive %[[B]] at %[[K]]
  // CHECK:            tile.store %[[S]]#0
  // CHECK-NEXT:       scf.yield %[[S]]#1
  // CHECK-NEXT:     } else {
  // CHECK-NEXT:       %[[S:.*]]:2 = scf.for %{{.*}} iter_args(%{{.*}} = %[[ACC]], %[[K:.*]] = %[[BEGUN]])
  // CHECK-NEXT:         tile.receive %[[A]] at %[[K]]
  // CHECK-NEXT:         tile.receive %[[B]] at %[[K]]
  // CHECK:            tile.store %[[S]]#0
  // CHECK-NEXT:       scf.yield %[[S]]#1
  // CHECK-NEXT:     }
  // CHECK:          scf.yield %[[R]]
  // CHECK-NEXT:   } {tile.tiles}
  // CHECK-NEXT: } producers 1 {
  // CHECK-NEXT:   scf.for %[[T:.*]] = %{{.*}} to %[[TILES]] step %{{.*}} iter_args(%[[BEGUN:[a-z0-9]+]] = %c0, %{{.*}} = %c0)
  // CHECK:          %[[R:.*]] = scf.if %{{.*}} -> (index) {
  // CHECK-NEXT:       %[[S:.*]]:2 = scf.while (%{{.*}} = %c0, %{{.*}} = %[[BEGUN]])
  // CHECK:              tile.send %[[X]]{{.*}} to %[[A]]
  // CHECK-NEXT:         tile.send %[[V]]{{.*}} to %[[B]]
  // CHECK:            scf.yield %[[S]]#1
  // CHECK-NEXT:     } else {
  // CHECK:              tile.send %[[X]]{{.*}} to %[[A]]
  // CHECK-NEXT:         tile.send %[[W]]{{.*}} to %[[B]]
  // CHECK:          scf.yield %[[R]]
  // CHECK: gpu.return
  // REMARK: remark: [Passed] Producers | {{.*}}Stages=3, Warps=1
  gpu.func @parts(%x: memref<?x128xf16>, %v: memref<?x128xf16>, %w: memref<?x128xf16>, %tiles: index, %acc: !sum, %first_out: memref<?x64xf32>, %second_out: memref<?x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, stof.schedule = {kernel = "branches"}} {
    %c0 = arith.constant 0 : index
    %c5 = arith.constant 5 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %first = gpu.block_id x
    %step = gpu.grid_dim x
    scf.for %t = %first to %tiles step %step {
      %is_first = arith.cmpi ult, %t, %c5 : index
      scf.if %is_first {
        %i = arith.muli %t, %c64 : index
        %r = scf.for %k = %c0 to %c128 step %c64 iter_args(%sum = %acc) -> (!sum) {
          %a = tile.load %x[%i, %k] along [0, 1] : memref<?x128xf16> -> !tile
          %b = tile.load %v[%c0, %k] along [0, 1] : memref<?x128xf16> -> !tile
          %s = tile.contract %a, %b, %sum transpose_rhs : !tile, !tile, !sum
          scf.yield %s : !sum
        }
        tile.store %r, %first_out[%i, %c0] along [0, 1] : !sum, memref<?x64xf32>
      } else {
        %n = arith.subi %t, %c5 : index
        %i = arith.muli %n, %c64 : index
        %r = scf.for %k = %c0 to %c128 step %c64 iter_args(%sum = %acc) -> (!sum) {
          %a = tile.load %x[%i, %k] along [0, 1] : memref<?x128xf16> -> !tile
          %b = tile.load %w[%c0, %k] along [0, 1] : memref<?x128xf16> -> !tile
          %s = tile.contract %a, %b, %sum transpose_rhs : !tile, !tile, !sum
          scf.yield %s : !sum
        }
        tile.store %r, %second_out[%i, %c0] along [0, 1] : !sum, memref<?x64xf32>
      }
    } {tile.tiles}
    gpu.return
  }

  /// Groups take a turn in either branch, and count the K tiles of one branch for each tile of others.

  // CHECK-LABEL: gpu.func @turns
  // CHECK: tile.warp_specialize consumers 4 groups 2 {
  // CHECK-NEXT: %[[GROUP:.*]] = tile.consumer_group
  // CHECK:      %[[BEFORE:.*]] = arith.muli %[[GROUP]], %c2
  // CHECK:      scf.for %{{.*}} iter_args(%[[BEGUN:.*]] = %[[BEFORE]]
  // CHECK:        %[[R:.*]] = scf.if
  // CHECK-NEXT:     tile.begin_turn
  // CHECK-NEXT:     scf.for
  // CHECK:          tile.end_turn
  // CHECK-NEXT:     tile.store
  // CHECK:        } else {
  // CHECK-NEXT:     tile.begin_turn
  // CHECK-NEXT:     scf.for
  // CHECK:          tile.end_turn
  // CHECK-NEXT:     tile.store
  // CHECK:        arith.addi %[[R]], %c2
  // CHECK: } producers 1 {
  // CHECK: gpu.return
  // REMARK: remark: [Passed] Producers | {{.*}}Stages=3, Warps=1
  gpu.func @turns(%x: memref<?x128xf16>, %v: memref<?x128xf16>, %w: memref<?x128xf16>, %tiles: index, %acc: !sum, %first_out: memref<?x64xf32>, %second_out: memref<?x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, stof.schedule = {kernel = "branches", groups = 2 : i64}} {
    %c0 = arith.constant 0 : index
    %c5 = arith.constant 5 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %first = gpu.block_id x
    %step = gpu.grid_dim x
    scf.for %t = %first to %tiles step %step {
      %is_first = arith.cmpi ult, %t, %c5 : index
      scf.if %is_first {
        %r = scf.for %k = %c0 to %c128 step %c64 iter_args(%sum = %acc) -> (!sum) {
          %a = tile.load %x[%t, %k] along [0, 1] : memref<?x128xf16> -> !tile
          %s = tile.contract %a, %a, %sum transpose_rhs : !tile, !tile, !sum
          scf.yield %s : !sum
        }
        tile.store %r, %first_out[%t, %c0] along [0, 1] : !sum, memref<?x64xf32>
      } else {
        %r = scf.for %k = %c0 to %c128 step %c64 iter_args(%sum = %acc) -> (!sum) {
          %a = tile.load %v[%t, %k] along [0, 1] : memref<?x128xf16> -> !tile
          %s = tile.contract %a, %a, %sum transpose_rhs : !tile, !tile, !sum
          scf.yield %s : !sum
        }
        tile.store %r, %second_out[%t, %c0] along [0, 1] : !sum, memref<?x64xf32>
      }
    } {tile.tiles}
    gpu.return
  }

  /// A group does not know which branch the tiles of others take.

  // CHECK-LABEL: gpu.func @negative_lengths
  // CHECK: tile.warp_specialize consumers 4 {{{$}}
  // CHECK-NOT: _turn
  // CHECK: gpu.return
  // REMARK: remark: [Missed] Groups | {{.*}}its branches differ in the iterations of their mainloops
  // REMARK: remark: [Passed] Producers
  gpu.func @negative_lengths(%x: memref<?x128xf16>, %v: memref<?x64xf16>, %tiles: index, %acc: !sum, %first_out: memref<?x64xf32>, %second_out: memref<?x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, stof.schedule = {kernel = "branches", groups = 2 : i64}} {
    %c0 = arith.constant 0 : index
    %c5 = arith.constant 5 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %first = gpu.block_id x
    %step = gpu.grid_dim x
    scf.for %t = %first to %tiles step %step {
      %is_first = arith.cmpi ult, %t, %c5 : index
      scf.if %is_first {
        %r = scf.for %k = %c0 to %c128 step %c64 iter_args(%sum = %acc) -> (!sum) {
          %a = tile.load %x[%t, %k] along [0, 1] : memref<?x128xf16> -> !tile
          %s = tile.contract %a, %a, %sum transpose_rhs : !tile, !tile, !sum
          scf.yield %s : !sum
        }
        tile.store %r, %first_out[%t, %c0] along [0, 1] : !sum, memref<?x64xf32>
      } else {
        %r = scf.for %k = %c0 to %c64 step %c64 iter_args(%sum = %acc) -> (!sum) {
          %a = tile.load %v[%t, %k] along [0, 1] : memref<?x64xf16> -> !tile
          %s = tile.contract %a, %a, %sum transpose_rhs : !tile, !tile, !sum
          scf.yield %s : !sum
        }
        tile.store %r, %second_out[%t, %c0] along [0, 1] : !sum, memref<?x64xf32>
      }
    } {tile.tiles}
    gpu.return
  }

  /// Whether a tile is computed at all is a branch too; a condition that is computed from what the kernel has loaded is
  /// none that producers know.

  // CHECK-LABEL: gpu.func @condition
  // CHECK: tile.warp_specialize
  // CHECK-NEXT: scf.if %[[P:.*]] {
  // CHECK:      } producers 1 {
  // CHECK-NEXT: scf.if %[[P]] {
  // CHECK: gpu.return
  // CHECK-LABEL: gpu.func @negative_condition
  // CHECK-NOT: tile.warp_specialize
  // CHECK: gpu.return
  // REMARK: remark: [Passed] Producers
  // REMARK: remark: [Missed] Producers | {{.*}}producer warps cannot know which tiles its loops load
  gpu.func @condition(%x: memref<?x128xf16>, %p: i1, %acc: !sum, %out: memref<?x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, stof.schedule = {kernel = "branches"}} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    scf.if %p {
      %r = scf.for %k = %c0 to %c128 step %c64 iter_args(%sum = %acc) -> (!sum) {
        %a = tile.load %x[%c0, %k] along [0, 1] : memref<?x128xf16> -> !tile
        %s = tile.contract %a, %a, %sum transpose_rhs : !tile, !tile, !sum
        scf.yield %s : !sum
      }
      tile.store %r, %out[%c0, %c0] along [0, 1] : !sum, memref<?x64xf32>
    }
    gpu.return
  }
  gpu.func @negative_condition(%x: memref<?x128xf16>, %q: memref<1xi1>, %acc: !sum, %out: memref<?x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, stof.schedule = {kernel = "branches"}} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    tile.store %acc, %out[%c64, %c0] along [0, 1] : !sum, memref<?x64xf32>
    %p = memref.load %q[%c0] : memref<1xi1>
    scf.if %p {
      %r = scf.for %k = %c0 to %c128 step %c64 iter_args(%sum = %acc) -> (!sum) {
        %a = tile.load %x[%c0, %k] along [0, 1] : memref<?x128xf16> -> !tile
        %s = tile.contract %a, %a, %sum transpose_rhs : !tile, !tile, !sum
        scf.yield %s : !sum
      }
      tile.store %r, %out[%c0, %c0] along [0, 1] : !sum, memref<?x64xf32>
    }
    gpu.return
  }
}
