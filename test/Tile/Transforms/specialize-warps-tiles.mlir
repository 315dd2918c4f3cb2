// RUN: stof-opt %s --stof-specialize-warps="producers=1 stages=3" --canonicalize | FileCheck %s
// RUN: stof-opt %s --stof-specialize-warps="producers=1 stages=3" --remarks-filter=stof-specialize-warps -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

/// Kernels in which a CTA computes tile after tile, as stof-persist-ctas leaves them.

#acc = #tile.mma<warps = [4, 1]>
!sum = !tile.fragment<64x64xf32, #acc>
!operand = !tile.fragment<64x64xf16, #acc>
!tile = !tile.shared<64x64xf16>

gpu.module @kernels {
  /// Both roles have the loop over tiles, and each computes where its tile lies. The
  /// stages are counted on from one tile to the next: a producer warp is ahead by as
  /// many as there are, whichever tile they are of.

  // CHECK-LABEL: gpu.func @product
  // CHECK-SAME: (%[[X:.*]]: memref<?x?xf16>, %[[Y:.*]]: memref<?x?xf16>, %[[N:.*]]: index, %[[WIDE:.*]]: index, %[[TILES:.*]]: index, %[[ACC:.*]]: !tile.fragment<64x64xf32, #{{.*}}>, %[[OUT:.*]]: memref<?x?xf32>) kernel
  // CHECK-SAME: known_block_size = array<i32: 160, 1, 1>
  // CHECK: %[[A:.*]] = tile.channel from 1 to 4 : <<64x64xf16>, stages = 3>
  // CHECK-NEXT: %[[B:.*]] = tile.channel from 1 to 4 : <<64x64xf16>, stages = 3>
  // CHECK-DAG: %[[FIRST:.*]] = gpu.block_id x
  // CHECK-DAG: %[[STEP:.*]] = gpu.grid_dim x
  // CHECK: tile.warp_specialize consumers 4 {
  // CHECK-NEXT:   {{.*}}scf.for %[[T:.*]] = %[[FIRST]] to %[[TILES]] step %[[STEP]] iter_args(%[[BEGUN:.*]] = %c0, %{{.*}} = %c0)
  // CHECK-NEXT:     %[[COLUMN:.*]] = arith.remui %[[T]], %[[WIDE]]
  // CHECK-NEXT:     %[[ROW:.*]] = arith.divui %[[T]], %[[WIDE]]
  // CHECK-NEXT:     %[[I:.*]] = arith.muli %[[ROW]], %c64
  // CHECK-NEXT:     %[[J:.*]] = arith.muli %[[COLUMN]], %c64
  // CHECK-NEXT:     %[[R:.*]]:2 = scf.for %{{.*}} = %c0 to %[[N]] step %c64 iter_args(%[[SUM:.*]] = %[[ACC]], %[[K:.*]] = %[[BEGUN]])
  // CHECK-NEXT:       %[[AK:.*]] = tile.receive %[[A]] at %[[K]]
  // CHECK-NEXT:       %[[BK:.*]] = tile.receive %[[B]] at %[[K]]
  // CHECK-NEXT:       %[[S:.*]] = tile.contract %[[AK]], %[[BK]], %[[SUM]]
  // CHECK-NEXT:       tile.release %[[B]] at %[[K]]
  // CHECK-NEXT:       tile.release %[[A]] at %[[K]]
  // CHECK-NEXT:       %[[K1:.*]] = arith.addi %[[K]], %c1
  // CHECK-NEXT:       scf.yield %[[S]], %[[K1]]
  // CHECK-NEXT:     }
  // CHECK-NEXT:     tile.store %[[R]]#0, %[[OUT]][%[[I]], %[[J]]]
  // CHECK:          scf.yield %[[R]]#1,
  // CHECK-NEXT:   }
  // CHECK-NEXT: } producers 1 {
  // CHECK-NEXT:   {{.*}}scf.for %[[T:.*]] = %[[FIRST]] to %[[TILES]] step %[[STEP]] iter_args(%[[BEGUN:.*]] = %c0, %{{.*}} = %c0)
  // CHECK-NEXT:     %[[COLUMN:.*]] = arith.remui %[[T]], %[[WIDE]]
  // CHECK-NEXT:     %[[ROW:.*]] = arith.divui %[[T]], %[[WIDE]]
  // CHECK-NEXT:     %[[I:.*]] = arith.muli %[[ROW]], %c64
  // CHECK-NEXT:     %[[J:.*]] = arith.muli %[[COLUMN]], %c64
  // CHECK-NEXT:     %[[SENT:.*]]:2 = scf.while (%{{.*}} = %c0, %{{.*}} = %[[BEGUN]])
  // CHECK:          ^bb0(%[[D:.*]]: index, %[[K:.*]]: index):
  // CHECK-NEXT:       tile.send %[[X]][%[[I]], %[[D]]] along [0, 1] to %[[A]] at %[[K]]
  // CHECK-NEXT:       tile.send %[[Y]][%[[D]], %[[J]]] along [0, 1] to %[[B]] at %[[K]]
  // CHECK:          }
  // CHECK:          scf.yield %[[SENT]]#1,
  // CHECK-NEXT:   }
  // CHECK-NEXT: }
  // CHECK-NEXT: gpu.return
  // REMARK: remark: [Passed] Producers | {{.*}}Stages=3, Warps=1
  gpu.func @product(%x: memref<?x?xf16>, %y: memref<?x?xf16>, %n: index, %wide: index, %tiles: index, %acc: !sum, %out: memref<?x?xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
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

  /// What is loaded once for each tile, such as queries, has the number of the tile
  /// among those of its CTA, and is released after its last use: a loop, or several.
  /// All loops of a tile count on.

  // CHECK-LABEL: gpu.func @once
  // CHECK-SAME: (%[[X:.*]]: memref<?x64xf16>, %[[Q:.*]]: memref<?x64xf16>, %[[N:.*]]: index, %[[M:.*]]: index, %[[TILES:.*]]: index,
  // CHECK: %[[A:.*]] = tile.channel from 1 to 4 : <<64x64xf16>, stages = 3>
  // CHECK-NEXT: %[[ONCE:.*]] = tile.channel from 1 to 4 : <<64x64xf16>, stages = 1>
  // CHECK: tile.warp_specialize consumers 4 {
  // CHECK-NEXT:   {{.*}}scf.for %[[T:.*]] = %{{.*}} to %[[TILES]] step %{{.*}} iter_args(%[[BEGUN:.*]] = %c0, %[[NUMBER:.*]] = %c0)
  // CHECK-NEXT:     %[[I:.*]] = arith.muli %[[T]], %c64
  // CHECK-NEXT:     %[[QUERIES:.*]] = tile.receive %[[ONCE]] at %[[NUMBER]]
  // CHECK-NEXT:     %[[R:.*]]:2 = scf.for {{.*}} to %[[N]] step %c64 iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %[[BEGUN]])
  // CHECK:            tile.contract %[[QUERIES]],
  // CHECK-NOT:      tile.release %[[ONCE]]
  // CHECK:          %[[S:.*]]:2 = scf.for {{.*}} = %[[N]] to %[[M]] step %c64 iter_args(%{{.*}} = %[[R]]#0, %{{.*}} = %[[R]]#1)
  // CHECK:            tile.contract %[[QUERIES]],
  // CHECK:          }
  // CHECK-NEXT:     tile.release %[[ONCE]] at %[[NUMBER]]
  // CHECK-NEXT:     tile.store %[[S]]#0, %{{.*}}[%[[I]], %c0]
  // CHECK-NEXT:     %[[NEXT:.*]] = arith.addi %[[NUMBER]], %c1
  // CHECK-NEXT:     scf.yield %[[S]]#1, %[[NEXT]]
  // CHECK: } producers 1 {
  // CHECK-NEXT:   {{.*}}scf.for %[[T:.*]] = %{{.*}} to %[[TILES]] step %{{.*}} iter_args(%[[BEGUN:.*]] = %c0, %[[NUMBER:.*]] = %c0)
  // CHECK-NEXT:     %[[I:.*]] = arith.muli %[[T]], %c64
  // CHECK-NEXT:     tile.send %[[Q]][%[[I]], %c0] along [0, 1] to %[[ONCE]] at %[[NUMBER]]
  // CHECK-NEXT:     %[[R:.*]]:2 = scf.while (%{{.*}} = %c0, %{{.*}} = %[[BEGUN]])
  // CHECK:            tile.send %[[X]]{{.*}} to %[[A]]
  // CHECK:          %[[S:.*]]:2 = scf.while (%{{.*}} = %[[N]], %{{.*}} = %[[R]]#1)
  // CHECK:            tile.send %[[X]]{{.*}} to %[[A]]
  // CHECK:          %[[NEXT:.*]] = arith.addi %[[NUMBER]], %c1
  // CHECK-NEXT:     scf.yield %[[S]]#1, %[[NEXT]]
  // CHECK: gpu.return
  // REMARK: remark: [Passed] Producers
  gpu.func @once(%x: memref<?x64xf16>, %q: memref<?x64xf16>, %n: index, %m: index, %tiles: index, %acc: !sum, %out: memref<?x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %first = gpu.block_id x
    %step = gpu.grid_dim x
    scf.for %t = %first to %tiles step %step {
      %i = arith.muli %t, %c64 : index
      %queries = tile.load %q[%i, %c0] along [0, 1] : memref<?x64xf16> -> !tile
      %r = scf.for %j = %c0 to %n step %c64 iter_args(%sum = %acc) -> (!sum) {
        %a = tile.load %x[%j, %c0] along [0, 1] : memref<?x64xf16> -> !tile
        %s = tile.contract %queries, %a, %sum : !tile, !tile, !sum
        scf.yield %s : !sum
      }
      %u = scf.for %j = %n to %m step %c64 iter_args(%sum = %r) -> (!sum) {
        %a = tile.load %x[%j, %c0] along [0, 1] : memref<?x64xf16> -> !tile
        %s = tile.contract %queries, %a, %sum transpose_rhs : !tile, !tile, !sum
        scf.yield %s : !sum
      }
      tile.store %u, %out[%i, %c0] along [0, 1] : !sum, memref<?x64xf32>
    } {tile.tiles}
    gpu.return
  }

  /// The tables of a tile are read by both roles.

  // CHECK-LABEL: gpu.func @bounds
  // CHECK-SAME: (%[[X:.*]]: memref<?x64xf16>, %[[TABLE:.*]]: memref<?xindex>,
  // CHECK: tile.warp_specialize consumers 4 {
  // CHECK-NEXT:   {{.*}}scf.for %[[T:.*]] = %{{.*}} to %{{.*}} step
  // CHECK-NEXT:     %[[END:.*]] = memref.load %[[TABLE]][%[[T]]]
  // CHECK-NEXT:     scf.for %{{.*}} = %c0 to %[[END]] step %c64
  // CHECK: } producers 1 {
  // CHECK-NEXT:   {{.*}}scf.for %[[T:.*]] = %{{.*}} to %{{.*}} step
  // CHECK-NEXT:     %[[END:.*]] = memref.load %[[TABLE]][%[[T]]]
  // CHECK-NEXT:     scf.while
  // CHECK-NEXT:       arith.cmpi slt, %{{.*}}, %[[END]]
  // CHECK: gpu.return
  // REMARK: remark: [Passed] Producers
  gpu.func @bounds(%x: memref<?x64xf16>, %table: memref<?xindex>, %p: !operand, %tiles: index, %acc: !sum, %out: memref<?x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %first = gpu.block_id x
    %step = gpu.grid_dim x
    scf.for %t = %first to %tiles step %step {
      %end = memref.load %table[%t] : memref<?xindex>
      %r = scf.for %j = %c0 to %end step %c64 iter_args(%sum = %acc) -> (!sum) {
        %a = tile.load %x[%j, %c0] along [0, 1] : memref<?x64xf16> -> !tile
        %s = tile.contract %p, %a, %sum : !operand, !tile, !sum
        scf.yield %s : !sum
      }
      tile.store %r, %out[%t, %c0] along [0, 1] : !sum, memref<?x64xf32>
    } {tile.tiles}
    gpu.return
  }

  /// Tiles that a CTA claims: a producer warp does so when it has sent what the last
  /// one needs, and both roles receive the number. They release it in the iteration
  /// that receives it, so that the next one is claimed when all know this one.

  // CHECK-LABEL: gpu.func @claimed
  // CHECK-SAME: (%[[X:.*]]: memref<?x?xf16>, %[[N:.*]]: index, %[[TILES:.*]]: index, %[[COUNTER:.*]]: memref<1xi32>,
  // CHECK: %[[A:.*]] = tile.channel from 1 to 4 : <<64x64xf16>, stages = 3>
  // CHECK: %[[CLAIMS:.*]] = tile.channel from 1 to 5 : <<1x1xi32>, stages = 1>
  // CHECK-DAG: %[[FIRST:.*]] = gpu.block_id x
  // CHECK-DAG: %[[CTAS:.*]] = gpu.grid_dim x
  // CHECK: tile.warp_specialize consumers 4 {
  // CHECK-NEXT:   {{.*}}scf.while (%[[OF:.*]] = %[[FIRST]], %[[BEGUN:.*]] = %c0, %[[NUMBER:.*]] = %c0)
  // CHECK-NEXT:     %[[LEFT:.*]] = arith.cmpi ult, %[[OF]], %[[TILES]]
  // CHECK-NEXT:     scf.condition(%[[LEFT]]) %[[OF]], %[[BEGUN]], %[[NUMBER]]
  // CHECK-NEXT:   } do {
  // CHECK-NEXT:   ^bb0(%[[T:.*]]: index, %[[BEGUN:.*]]: index, %[[NUMBER:.*]]: index):
  // CHECK-NEXT:     %[[I:.*]] = arith.muli %[[T]], %c64
  // CHECK-NEXT:     %[[R:.*]]:2 = scf.for %{{.*}} = %c0 to %[[N]] step %c64 iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %[[BEGUN]])
  // CHECK:            tile.receive %[[A]]
  // CHECK:            tile.release %[[A]]
  // CHECK:          tile.store %[[R]]#0, %{{.*}}[%[[I]], %c0]
  // CHECK-NEXT:     %[[CLAIMED:.*]] = tile.receive_claim %[[CLAIMS]] at %[[NUMBER]]
  // CHECK-NEXT:     tile.release %[[CLAIMS]] at %[[NUMBER]]
  // CHECK-NEXT:     %[[NEXT:.*]] = arith.addi %[[CLAIMED]], %[[CTAS]]
  // CHECK-NEXT:     %[[ONE_MORE:.*]] = arith.addi %[[NUMBER]], %c1
  // CHECK-NEXT:     scf.yield %[[NEXT]], %[[R]]#1, %[[ONE_MORE]]
  // CHECK-NEXT:   }
  // CHECK-NEXT: } producers 1 {
  // CHECK-NEXT:   {{.*}}scf.while (%[[OF:.*]] = %[[FIRST]], %[[BEGUN:.*]] = %c0, %[[NUMBER:.*]] = %c0)
  // CHECK-NEXT:     %[[LEFT:.*]] = arith.cmpi ult, %[[OF]], %[[TILES]]
  // CHECK-NEXT:     scf.condition(%[[LEFT]]) %[[OF]], %[[BEGUN]], %[[NUMBER]]
  // CHECK-NEXT:   } do {
  // CHECK-NEXT:   ^bb0(%[[T:.*]]: index, %[[BEGUN:.*]]: index, %[[NUMBER:.*]]: index):
  // CHECK-NEXT:     %[[I:.*]] = arith.muli %[[T]], %c64
  // CHECK-NEXT:     %[[SENT:.*]]:2 = scf.while (%{{.*}} = %c0, %{{.*}} = %[[BEGUN]])
  // CHECK:            tile.send %[[X]][%[[I]], %{{.*}}] along [0, 1] to %[[A]]
  // CHECK:          }
  // CHECK-NEXT:     tile.send_claim %[[COUNTER]] to %[[CLAIMS]] at %[[NUMBER]] : memref<1xi32> to
  // CHECK-NEXT:     %[[CLAIMED:.*]] = tile.receive_claim %[[CLAIMS]] at %[[NUMBER]]
  // CHECK-NEXT:     tile.release %[[CLAIMS]] at %[[NUMBER]]
  // CHECK-NEXT:     %[[NEXT:.*]] = arith.addi %[[CLAIMED]], %[[CTAS]]
  // CHECK-NEXT:     %[[ONE_MORE:.*]] = arith.addi %[[NUMBER]], %c1
  // CHECK-NEXT:     scf.yield %[[NEXT]], %[[SENT]]#1, %[[ONE_MORE]]
  // CHECK: gpu.return
  // REMARK: remark: [Passed] Producers
  gpu.func @claimed(%x: memref<?x?xf16>, %n: index, %tiles: index, %counter: memref<1xi32>, %p: !operand, %acc: !sum, %out: memref<?x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %first = gpu.block_id x
    %ctas = gpu.grid_dim x
    %end = scf.while (%of = %first) : (index) -> index {
      %left = arith.cmpi ult, %of, %tiles : index
      scf.condition(%left) %of : index
    } do {
    ^bb0(%t: index):
      %i = arith.muli %t, %c64 : index
      %r = scf.for %j = %c0 to %n step %c64 iter_args(%sum = %acc) -> (!sum) {
        %a = tile.load %x[%i, %j] along [0, 1] : memref<?x?xf16> -> !tile
        %s = tile.contract %p, %a, %sum : !operand, !tile, !sum
        scf.yield %s : !sum
      }
      tile.store %r, %out[%i, %c0] along [0, 1] : !sum, memref<?x64xf32>
      %claimed = tile.claim %counter : memref<1xi32>
      %next = arith.addi %claimed, %ctas : index
      scf.yield %next : index
    } attributes {tile.tiles}
    gpu.return
  }

  /// A tile of a single step has no loop whose loads could go ahead.

  // CHECK-LABEL: gpu.func @negative_one_step
  // CHECK-NOT: tile.warp_specialize
  // CHECK: gpu.return
  // REMARK: remark: [Missed] Producers | {{.*}}producer warps cannot know which tiles its loops load
  gpu.func @negative_one_step(%x: memref<?x64xf16>, %p: !operand, %tiles: index, %acc: !sum, %out: memref<?x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %first = gpu.block_id x
    %step = gpu.grid_dim x
    scf.for %t = %first to %tiles step %step {
      %a = tile.load %x[%t, %c0] along [0, 1] : memref<?x64xf16> -> !tile
      %s = tile.contract %p, %a, %acc : !operand, !tile, !sum
      tile.store %s, %out[%t, %c0] along [0, 1] : !sum, memref<?x64xf32>
    } {tile.tiles}
    gpu.return
  }

  /// Not any loop is one over tiles: only that which the attribute names.

  // CHECK-LABEL: gpu.func @negative_other_loop
  // CHECK-NOT: tile.warp_specialize
  // CHECK: gpu.return
  // REMARK: remark: [Missed] Producers | {{.*}}producer warps cannot know which tiles its loops load
  gpu.func @negative_other_loop(%x: memref<?x64xf16>, %p: !operand, %n: index, %tiles: index, %acc: !sum, %out: memref<?x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %first = gpu.block_id x
    %step = gpu.grid_dim x
    scf.for %t = %first to %tiles step %step {
      %r = scf.for %j = %c0 to %n step %c64 iter_args(%sum = %acc) -> (!sum) {
        %a = tile.load %x[%j, %c0] along [0, 1] : memref<?x64xf16> -> !tile
        %s = tile.contract %p, %a, %sum : !operand, !tile, !sum
        scf.yield %s : !sum
      }
      tile.store %r, %out[%t, %c0] along [0, 1] : !sum, memref<?x64xf32>
    }
    gpu.return
  }
}
