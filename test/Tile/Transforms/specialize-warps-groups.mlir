// RUN: stof-opt %s --stof-specialize-warps="producers=1 stages=3" --canonicalize | FileCheck %s
// RUN: stof-opt %s --stof-specialize-warps="producers=1 stages=3" --remarks-filter=stof-specialize-warps -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

/// Kernels whose configuration asks for groups of consumer warps, which compute the
/// tiles of a CTA in turn.

#acc = #tile.mma<warps = [4, 1]>
#split = #tile.mma<warps = [2, 2]>
!sum = !tile.fragment<64x64xf32, #acc>
!tile = !tile.shared<64x64xf16>

gpu.module @kernels {
  /// Group g of three has tiles g, g + 3, ... of those of the CTA. It counts the K tiles
  /// of the others too, before its first tile and after each. Only the mainloop is a turn:
  /// other groups multiply while one stores. Producers do not know of groups, and
  /// receivers are the warps of one.

  // CHECK-LABEL: gpu.func @product
  // CHECK-SAME: (%{{.*}}: memref<?x?xf16>, %{{.*}}: memref<?x?xf16>, %[[N:.*]]: index, %[[WIDE:.*]]: index, %[[TILES:.*]]: index, %[[ACC:.*]]: !tile.fragment<64x64xf32, #{{.*}}>, %[[OUT:.*]]: memref<?x?xf32>) kernel
  // CHECK-SAME: known_block_size = array<i32: 416, 1, 1>
  // CHECK: %[[A:.*]] = tile.channel from 1 to 4 : <<64x64xf16>, stages = 3>
  // CHECK-NEXT: %[[B:.*]] = tile.channel from 1 to 4 : <<64x64xf16>, stages = 3>
  // CHECK-DAG: %[[FIRST:.*]] = gpu.block_id x
  // CHECK-DAG: %[[STEP:.*]] = gpu.grid_dim x
  // CHECK: tile.warp_specialize consumers 4 groups 3 {
  // CHECK-NEXT:   %[[GROUP:.*]] = tile.consumer_group
  // CHECK-NEXT:   %[[SKIPPED:.*]] = arith.muli %[[GROUP]], %[[STEP]]
  // CHECK-NEXT:   %[[OWN:.*]] = arith.addi %[[FIRST]], %[[SKIPPED]]
  // CHECK-NEXT:   %[[STRIDE:.*]] = arith.muli %[[STEP]], %c3
  // CHECK-NEXT:   %[[UP:.*]] = arith.addi %[[N]], %c63
  // CHECK-NEXT:   %[[SOME:.*]] = arith.maxsi %[[UP]], %c0
  // CHECK-NEXT:   %[[COUNT:.*]] = arith.divui %[[SOME]], %c64
  // CHECK-NEXT:   %[[BEFORE:.*]] = arith.muli %[[GROUP]], %[[COUNT]]
  // CHECK-NEXT:   %[[OTHERS:.*]] = arith.muli %[[COUNT]], %c2
  // CHECK-NEXT:   {{.*}}scf.for %[[T:.*]] = %[[OWN]] to %[[TILES]] step %[[STRIDE]] iter_args(%[[BEGUN:.*]] = %[[BEFORE]], %[[NUMBER:.*]] = %[[GROUP]])
  // CHECK-NEXT:     %[[COLUMN:.*]] = arith.remui %[[T]], %[[WIDE]]
  // CHECK-NEXT:     %[[ROW:.*]] = arith.divui %[[T]], %[[WIDE]]
  // CHECK-NEXT:     %[[I:.*]] = arith.muli %[[ROW]], %c64
  // CHECK-NEXT:     %[[J:.*]] = arith.muli %[[COLUMN]], %c64
  // CHECK-NEXT:     tile.begin_turn
  // CHECK-NEXT:     %[[R:.*]]:2 = scf.for %{{.*}} = %c0 to %[[N]] step %c64 iter_args(%{{.*}} = %[[ACC]], %[[K:.*]] = %[[BEGUN]])
  // CHECK-NEXT:       tile.receive %[[A]] at %[[K]]
  // CHECK-NEXT:       tile.receive %[[B]] at %[[K]]
  // CHECK:          }
  // CHECK-NEXT:     tile.end_turn
  // CHECK-NEXT:     tile.store %[[R]]#0, %[[OUT]][%[[I]], %[[J]]]
  // CHECK-NEXT:     %[[NEXT:.*]] = arith.addi %[[R]]#1, %[[OTHERS]]
  // CHECK-NEXT:     %[[LATER:.*]] = arith.addi %[[NUMBER]], %c3
  // CHECK-NEXT:     scf.yield %[[NEXT]], %[[LATER]]
  // CHECK-NEXT:   } {tile.tiles}
  // CHECK-NEXT: } producers 1 {
  // CHECK-NEXT:   {{.*}}scf.for %{{.*}} = %[[FIRST]] to %[[TILES]] step %[[STEP]] iter_args(%[[BEGUN:.*]] = %c0, %{{.*}} = %c0)
  // CHECK-NOT:      turn
  // CHECK:          %[[SENT:.*]]:2 = scf.while (%{{.*}} = %c0, %{{.*}} = %[[BEGUN]])
  // CHECK:          scf.yield %[[SENT]]#1,
  // CHECK: gpu.return
  // REMARK: remark: [Passed] Producers | {{.*}}Stages=3, Warps=1
  gpu.func @product(%x: memref<?x?xf16>, %y: memref<?x?xf16>, %n: index, %wide: index, %tiles: index, %acc: !sum, %out: memref<?x?xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, stof.schedule = {kernel = "product", groups = 3 : i64}} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %first = gpu.block_id x
    %step = gpu.grid_dim x
    scf.for %t = %first to %tiles step %step {
      %column = arith.remui %t, %wide : index
      %row = arith.divui %t, %wide : index
      %i = arith.muli %row, %c64 : index
      %j = arith.muli %column, %c64 : index
      %r = scf.for %k = %c0 to %n step %c64 iter_args(%sum = %acc) -> (!sum) {
        %a = tile.load %x[%i, %k] along [0, 1] : memref<?x?xf16> -> !tile
        %b = tile.load %y[%k, %j] along [0, 1] : memref<?x?xf16> -> !tile
        %s = tile.contract %a, %b, %sum : !tile, !tile, !sum
        scf.yield %s : !sum
      }
      tile.store %r, %out[%i, %j] along [0, 1] : !sum, memref<?x?xf32>
    } {tile.tiles}
    gpu.return
  }

  /// What is loaded once for each tile is received in turn as well. Its numbers are those
  /// of tiles; K tiles are those of all loops of a tile, two and three.

  // CHECK-LABEL: gpu.func @once
  // CHECK-SAME: known_block_size = array<i32: 288, 1, 1>
  // CHECK: %[[A:.*]] = tile.channel from 1 to 4 : <<64x64xf16>, stages = 3>
  // CHECK-NEXT: %[[ONCE:.*]] = tile.channel from 1 to 4 : <<64x64xf16>, stages = 1>
  // CHECK: tile.warp_specialize consumers 4 groups 2 {
  // CHECK-NEXT:   %[[GROUP:.*]] = tile.consumer_group
  // CHECK:        %[[BEFORE:.*]] = arith.muli %[[GROUP]], %c5
  // CHECK-NEXT:   {{.*}}scf.for {{.*}} iter_args(%[[BEGUN:.*]] = %[[BEFORE]], %[[NUMBER:.*]] = %[[GROUP]])
  // CHECK-NEXT:     arith.muli
  // CHECK-NEXT:     tile.begin_turn
  // CHECK-NEXT:     %[[QUERIES:.*]] = tile.receive %[[ONCE]] at %[[NUMBER]]
  // CHECK-NEXT:     %[[R:.*]]:2 = scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %[[BEGUN]])
  // CHECK-NOT:      tile.end_turn
  // CHECK:          %[[S:.*]]:2 = scf.for {{.*}} iter_args(%{{.*}} = %[[R]]#0, %{{.*}} = %[[R]]#1)
  // CHECK:          }
  // CHECK-NEXT:     tile.end_turn
  // CHECK-NEXT:     tile.release %[[ONCE]] at %[[NUMBER]]
  // CHECK-NEXT:     tile.store
  // CHECK-NEXT:     %[[NEXT:.*]] = arith.addi %[[S]]#1, %c5
  // CHECK-NEXT:     %[[LATER:.*]] = arith.addi %[[NUMBER]], %c2
  // CHECK-NEXT:     scf.yield %[[NEXT]], %[[LATER]]
  // CHECK: } producers 1 {
  // CHECK: gpu.return
  // REMARK: remark: [Passed] Producers
  gpu.func @once(%x: memref<?x64xf16>, %q: memref<?x64xf16>, %tiles: index, %acc: !sum, %out: memref<?x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, stof.schedule = {kernel = "product", groups = 2 : i64}} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c96 = arith.constant 96 : index
    %c256 = arith.constant 256 : index
    %first = gpu.block_id x
    %step = gpu.grid_dim x
    scf.for %t = %first to %tiles step %step {
      %i = arith.muli %t, %c64 : index
      %queries = tile.load %q[%i, %c0] along [0, 1] : memref<?x64xf16> -> !tile
      %r = scf.for %j = %c0 to %c96 step %c64 iter_args(%sum = %acc) -> (!sum) {
        %a = tile.load %x[%j, %c0] along [0, 1] : memref<?x64xf16> -> !tile
        %s = tile.contract %queries, %a, %sum : !tile, !tile, !sum
        scf.yield %s : !sum
      }
      %u = scf.for %j = %c96 to %c256 step %c64 iter_args(%sum = %r) -> (!sum) {
        %a = tile.load %x[%j, %c0] along [0, 1] : memref<?x64xf16> -> !tile
        %s = tile.contract %queries, %a, %sum transpose_rhs : !tile, !tile, !sum
        scf.yield %s : !sum
      }
      tile.store %u, %out[%i, %c0] along [0, 1] : !sum, memref<?x64xf32>
    } {tile.tiles}
    gpu.return
  }

  /// There is nothing to share.

  // CHECK-LABEL: gpu.func @negative_one_tile
  // CHECK-SAME: known_block_size = array<i32: 160, 1, 1>
  // CHECK: tile.warp_specialize consumers 4 {{{$}}
  // CHECK-NOT: _turn
  // CHECK: gpu.return
  // REMARK: remark: [Missed] Groups | {{.*}}its CTAs have one tile each
  // REMARK: remark: [Passed] Producers
  gpu.func @negative_one_tile(%x: memref<?x64xf16>, %n: index, %acc: !sum, %out: memref<64x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, stof.schedule = {kernel = "product", groups = 2 : i64}} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %r = scf.for %k = %c0 to %n step %c64 iter_args(%sum = %acc) -> (!sum) {
      %a = tile.load %x[%k, %c0] along [0, 1] : memref<?x64xf16> -> !tile
      %s = tile.contract %a, %a, %sum : !tile, !tile, !sum
      scf.yield %s : !sum
    }
    tile.store %r, %out[%c0, %c0] along [0, 1] : !sum, memref<64x64xf32>
    gpu.return
  }

  /// How many K tiles others receive is not known to a group.

  // CHECK-LABEL: gpu.func @negative_bounds
  // CHECK-SAME: known_block_size = array<i32: 160, 1, 1>
  // CHECK: tile.warp_specialize consumers 4 {{{$}}
  // CHECK-NOT: _turn
  // CHECK: gpu.return
  // REMARK: remark: [Missed] Groups | {{.*}}its tiles differ in the iterations of their mainloops
  // REMARK: remark: [Passed] Producers
  gpu.func @negative_bounds(%x: memref<?x64xf16>, %ends: memref<?xindex>, %tiles: index, %acc: !sum, %out: memref<?x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, stof.schedule = {kernel = "product", groups = 2 : i64}} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %first = gpu.block_id x
    %step = gpu.grid_dim x
    scf.for %t = %first to %tiles step %step {
      %end = memref.load %ends[%t] : memref<?xindex>
      %r = scf.for %k = %c0 to %end step %c64 iter_args(%sum = %acc) -> (!sum) {
        %a = tile.load %x[%k, %c0] along [0, 1] : memref<?x64xf16> -> !tile
        %s = tile.contract %a, %a, %sum : !tile, !tile, !sum
        scf.yield %s : !sum
      }
      tile.store %r, %out[%t, %c0] along [0, 1] : !sum, memref<?x64xf32>
    } {tile.tiles}
    gpu.return
  }

  /// Which tile is the second next one is not known to a group.

  // CHECK-LABEL: gpu.func @negative_claimed
  // CHECK-SAME: known_block_size = array<i32: 160, 1, 1>
  // CHECK: tile.channel from 1 to 5 : <<1x1xi32>, stages = 1>
  // CHECK: tile.warp_specialize consumers 4 {{{$}}
  // CHECK-NOT: _turn
  // CHECK: gpu.return
  // REMARK: remark: [Missed] Groups | {{.*}}its CTAs claim their tiles
  // REMARK: remark: [Passed] Producers
  gpu.func @negative_claimed(%x: memref<?x64xf16>, %n: index, %tiles: index, %counter: memref<1xi32>, %acc: !sum, %out: memref<?x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, stof.schedule = {kernel = "product", groups = 2 : i64}} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %first = gpu.block_id x
    %end = scf.while (%of = %first) : (index) -> index {
      %left = arith.cmpi ult, %of, %tiles : index
      scf.condition(%left) %of : index
    } do {
    ^bb0(%t: index):
      %r = scf.for %k = %c0 to %n step %c64 iter_args(%sum = %acc) -> (!sum) {
        %a = tile.load %x[%k, %c0] along [0, 1] : memref<?x64xf16> -> !tile
        %s = tile.contract %a, %a, %sum : !tile, !tile, !sum
        scf.yield %s : !sum
      }
      tile.store %r, %out[%t, %c0] along [0, 1] : !sum, memref<?x64xf32>
      %next = tile.claim %counter : memref<1xi32>
      scf.yield %next : index
    } attributes {tile.tiles}
    gpu.return
  }

  /// A conversion through shared memory has one place there, for all groups.

  // CHECK-LABEL: gpu.func @negative_temporary
  // CHECK-SAME: known_block_size = array<i32: 160, 1, 1>
  // CHECK: tile.warp_specialize consumers 4 {{{$}}
  // CHECK-NOT: _turn
  // CHECK: gpu.return
  // REMARK: remark: [Missed] Groups | {{.*}}its groups would share temporary memory
  // REMARK: remark: [Passed] Producers
  gpu.func @negative_temporary(%x: memref<?x64xf16>, %n: index, %tiles: index, %acc: !tile.fragment<64x64xf32, #split>, %out: memref<?x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, stof.schedule = {kernel = "product", groups = 2 : i64}} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %first = gpu.block_id x
    %step = gpu.grid_dim x
    scf.for %t = %first to %tiles step %step {
      %r = scf.for %k = %c0 to %n step %c64 iter_args(%sum = %acc) -> (!tile.fragment<64x64xf32, #split>) {
        %a = tile.load %x[%k, %c0] along [0, 1] : memref<?x64xf16> -> !tile
        %s = tile.contract %a, %a, %sum : !tile, !tile, !tile.fragment<64x64xf32, #split>
        scf.yield %s : !tile.fragment<64x64xf32, #split>
      }
      %u = tile.convert %r : !tile.fragment<64x64xf32, #split> -> !sum
      tile.store %u, %out[%t, %c0] along [0, 1] : !sum, memref<?x64xf32>
    } {tile.tiles}
    gpu.return
  }

  /// So has a tile that consumers load themselves, since it differs from those of the first mainloop.

  // CHECK-LABEL: gpu.func @negative_loaded_by_consumers
  // CHECK-SAME: known_block_size = array<i32: 160, 1, 1>
  // CHECK: tile.warp_specialize consumers 4 {{{$}}
  // CHECK-NOT: _turn
  // CHECK: tile.load %{{.*}} -> !tile.shared<32x64xf16>
  // CHECK: gpu.return
  // REMARK: remark: [Missed] Groups | {{.*}}its groups would share temporary memory
  // REMARK: remark: [Passed] Producers
  gpu.func @negative_loaded_by_consumers(%x: memref<?x64xf16>, %n: index, %tiles: index, %acc: !sum, %other: !tile.fragment<64x32xf32, #acc>, %out: memref<?x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, stof.schedule = {kernel = "product", groups = 2 : i64}} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %first = gpu.block_id x
    %step = gpu.grid_dim x
    scf.for %t = %first to %tiles step %step {
      %r = scf.for %k = %c0 to %n step %c64 iter_args(%sum = %acc) -> (!sum) {
        %a = tile.load %x[%k, %c0] along [0, 1] : memref<?x64xf16> -> !tile
        %s = tile.contract %a, %a, %sum : !tile, !tile, !sum
        scf.yield %s : !sum
      }
      %p = tile.map ins(%r : !sum) {
      ^bb0(%i: index, %j: index, %e: f32):
        %h = arith.truncf %e : f32 to f16
        tile.yield %h : f16
      } -> !tile.fragment<64x64xf16, #acc>
      %u = scf.for %k = %c0 to %n step %c32 iter_args(%sum = %other) -> (!tile.fragment<64x32xf32, #acc>) {
        %b = tile.load %x[%k, %c0] along [0, 1] : memref<?x64xf16> -> !tile.shared<32x64xf16>
        %s = tile.contract %p, %b, %sum transpose_rhs : !tile.fragment<64x64xf16, #acc>, !tile.shared<32x64xf16>, !tile.fragment<64x32xf32, #acc>
        scf.yield %s : !tile.fragment<64x32xf32, #acc>
      }
      tile.store %u, %out[%t, %c0] along [0, 1] : !tile.fragment<64x32xf32, #acc>, memref<?x64xf32>
    } {tile.tiles}
    gpu.return
  }
}
