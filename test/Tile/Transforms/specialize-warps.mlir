// RUN: stof-opt %s --stof-specialize-warps=producers=1 --canonicalize | FileCheck %s
// RUN: stof-opt %s --stof-specialize-warps=producers=1 --remarks-filter=stof-specialize-warps -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: stof-opt %s --stof-specialize-warps="producers=4 stages=3" | FileCheck %s --check-prefix=FOUR
// RUN: stof-opt %s --stof-specialize-warps="producers=1 stages=4 capacity=50000" | FileCheck %s --check-prefix=SMALL
// RUN: stof-opt %s --stof-specialize-warps="producers=1 capacity=15000" --remarks-filter=stof-specialize-warps -o /dev/null 2>&1 | FileCheck %s --check-prefix=NONE

#acc = #tile.mma<warps = [4, 1]>
#rows = #tile.slice<1, #acc>
!sum = !tile.fragment<64x64xf32, #acc>
!operand = !tile.fragment<64x64xf16, #acc>
!tile = !tile.shared<64x64xf16>

gpu.module @kernels {
  /// Consumers count the tiles that they receive, and release each after its last
  /// use; the producer warp sends those of the same points. What is neither a
  /// scalar nor a load stays with consumers.

  // CHECK-LABEL: gpu.func @counted
  // CHECK-SAME: (%[[X:.*]]: memref<?x64xf16>, %[[Y:.*]]: memref<?x64xf16>, %[[N:.*]]: index, %[[P:.*]]: !tile.fragment<64x64xf16, #{{.*}}>, %[[ACC:.*]]: !tile.fragment<64x64xf32, #{{.*}}>, %[[OUT:.*]]: memref<64x64xf32>) kernel
  // CHECK-SAME: known_block_size = array<i32: 160, 1, 1>
  // CHECK: %[[A:.*]] = tile.channel from 1 to 4 : <<64x64xf16>, stages = 2>
  // CHECK-NEXT: %[[B:.*]] = tile.channel from 1 to 4 : <<64x64xf16>, stages = 2>
  // CHECK-NEXT: tile.warp_specialize consumers 4 {
  // CHECK-NEXT:   %[[R:.*]]:2 = scf.for %{{.*}} = %c0 to %[[N]] step %c64 iter_args(%[[SUM:.*]] = %[[ACC]], %[[I:.*]] = %c0)
  // CHECK-NEXT:     %[[AI:.*]] = tile.receive %[[A]] at %[[I]] : <<64x64xf16>, stages = 2>
  // CHECK-NEXT:     %[[S:.*]] = tile.contract %[[P]], %[[AI]], %[[SUM]]
  // CHECK-NEXT:     tile.release %[[A]] at %[[I]]
  // CHECK-NEXT:     %[[BI:.*]] = tile.receive %[[B]] at %[[I]]
  // CHECK-NEXT:     %[[T:.*]] = tile.contract %[[P]], %[[BI]], %[[S]]
  // CHECK-NEXT:     tile.release %[[B]] at %[[I]]
  // CHECK-NEXT:     %[[I1:.*]] = arith.addi %[[I]], %c1
  // CHECK-NEXT:     scf.yield %[[T]], %[[I1]]
  // CHECK-NEXT:   }
  // CHECK-NEXT:   tile.store %[[R]]#0, %[[OUT]]
  // CHECK-NEXT: } producers 1 {
  // CHECK-NEXT:   scf.while (%[[J:.*]] = %c0, %[[K:.*]] = %c0)
  // CHECK-NEXT:     %[[MORE:.*]] = arith.cmpi slt, %[[J]], %[[N]]
  // CHECK-NEXT:     scf.condition(%[[MORE]]) %[[J]], %[[K]]
  // CHECK:        ^bb0(%[[J:.*]]: index, %[[K:.*]]: index):
  // CHECK-NEXT:     tile.send %[[X]][%[[J]], %c0] along [0, 1] to %[[A]] at %[[K]]
  // CHECK-NEXT:     tile.send %[[Y]][%[[J]], %c0] along [0, 1] to %[[B]] at %[[K]]
  // CHECK-NEXT:     %[[J1:.*]] = arith.addi %[[J]], %c64
  // CHECK-NEXT:     %[[K1:.*]] = arith.addi %[[K]], %c1
  // CHECK-NEXT:     scf.yield %[[J1]], %[[K1]]
  // CHECK-NEXT:   }
  // CHECK-NEXT: }
  // CHECK-NEXT: gpu.return
  // REMARK: remark: [Passed] Producers | {{.*}}Stages=2, Warps=1

  /// Roles of whole warpgroups exchange registers.

  // FOUR-LABEL: gpu.func @counted
  // FOUR-SAME: known_block_size = array<i32: 256, 1, 1>
  // FOUR-COUNT-2: tile.channel from 4 to 4 : <<64x64xf16>, stages = 3>
  // FOUR: tile.warp_specialize consumers 4 registers 240 {
  // FOUR: } producers 4 registers 40 {

  /// There are as many stages as fit: three of two tiles would leave no room for
  /// their barriers.

  // SMALL-LABEL: gpu.func @counted
  // SMALL-COUNT-2: tile.channel from 1 to 4 : <<64x64xf16>, stages = 2>
  // NONE: remark: [Missed] Producers | {{.*}}its tiles exceed the shared memory of a CTA
  gpu.func @counted(%x: memref<?x64xf16>, %y: memref<?x64xf16>, %n: index, %p: !operand, %acc: !sum, %out: memref<64x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %r = scf.for %j = %c0 to %n step %c64 iter_args(%sum = %acc) -> (!sum) {
      %a = tile.load %x[%j, %c0] along [0, 1] : memref<?x64xf16> -> !tile
      %s = tile.contract %p, %a, %sum : !operand, !tile, !sum
      %b = tile.load %y[%j, %c0] along [0, 1] : memref<?x64xf16> -> !tile
      %t = tile.contract %p, %b, %s : !operand, !tile, !sum
      scf.yield %t : !sum
    }
    tile.store %r, %out[%c0, %c0] along [0, 1] : !sum, memref<64x64xf32>
    gpu.return
  }

  /// A loop over a list: the producer warp reads the list, and consumers have no
  /// more use for it. What all threads can compute is computed before.

  // CHECK-LABEL: gpu.func @listed
  // CHECK-SAME: (%[[X:.*]]: memref<?x64xf16>, %[[LIST:.*]]: memref<?xindex>, %[[N:.*]]: index,
  // CHECK: %[[A:.*]] = tile.channel
  // CHECK-NEXT: %[[K0:.*]] = memref.load %[[LIST]][%c0]
  // CHECK-NEXT: tile.warp_specialize consumers 4 {
  // CHECK-NEXT:   scf.while (%{{.*}} = %c0, %{{.*}} = %{{.*}}, %{{.*}} = %c0) : (index, !tile.fragment<{{.*}}>, index)
  // CHECK:          tile.receive %[[A]]
  // CHECK-NOT:      memref.load
  // CHECK: } producers 1 {
  // CHECK-NEXT:   scf.while (%[[AT:.*]] = %c0, %[[K:.*]] = %[[K0]], %[[I:.*]] = %c0) : (index, index, index)
  // CHECK-NEXT:     arith.cmpi ult, %[[AT]], %[[N]]
  // CHECK:        ^bb0(%[[AT:.*]]: index, %[[K:.*]]: index, %[[I:.*]]: index):
  // CHECK-NEXT:     tile.send %[[X]][%[[K]], %c0] along [0, 1] to %[[A]] at %[[I]]
  // CHECK-NEXT:     %[[AT1:.*]] = arith.addi %[[AT]], %c1
  // CHECK-NEXT:     %[[K1:.*]] = memref.load %[[LIST]][%[[AT1]]]
  // CHECK-NEXT:     %[[I1:.*]] = arith.addi %[[I]], %c1
  // CHECK-NEXT:     scf.yield %[[AT1]], %[[K1]], %[[I1]]
  // REMARK: remark: [Passed] Producers
  gpu.func @listed(%x: memref<?x64xf16>, %list: memref<?xindex>, %n: index, %p: !operand, %acc: !sum) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %k0 = memref.load %list[%c0] : memref<?xindex>
    %r:3 = scf.while (%at = %c0, %k = %k0, %sum = %acc) : (index, index, !sum) -> (index, index, !sum) {
      %more = arith.cmpi ult, %at, %n : index
      scf.condition(%more) %at, %k, %sum : index, index, !sum
    } do {
    ^bb0(%at: index, %k: index, %sum: !sum):
      %a = tile.load %x[%k, %c0] along [0, 1] : memref<?x64xf16> -> !tile
      %s = tile.contract %p, %a, %sum : !operand, !tile, !sum
      %at1 = arith.addi %at, %c1 : index
      %k1 = memref.load %list[%at1] : memref<?xindex>
      scf.yield %at1, %k1, %s : index, index, !sum
    }
    gpu.return
  }

  /// Two loops share the channel, and go on counting. A load outside of loops has
  /// a channel of its own, of one stage.

  // CHECK-LABEL: gpu.func @two_loops
  // CHECK-SAME: (%[[X:.*]]: memref<?x64xf16>, %[[Q:.*]]: memref<64x64xf16>, %[[N:.*]]: index, %[[M:.*]]: index,
  // CHECK: %[[A:.*]] = tile.channel from 1 to 4 : <<64x64xf16>, stages = 2>
  // CHECK-NEXT: %[[ONCE:.*]] = tile.channel from 1 to 4 : <<64x64xf16>, stages = 1>
  // CHECK-NEXT: tile.warp_specialize consumers 4 {
  // CHECK-NEXT:   %[[QUERIES:.*]] = tile.receive %[[ONCE]] at %c0
  // CHECK-NEXT:   %[[FIRST:.*]]:2 = scf.for {{.*}} to %[[N]] step %c64
  // CHECK-NEXT:     %[[T:.*]] = tile.receive %[[A]] at
  // CHECK-NEXT:     tile.contract %[[QUERIES]], %[[T]]
  // CHECK:        scf.for {{.*}} = %[[N]] to %[[M]] step %c64 iter_args(%{{.*}} = %[[FIRST]]#0, %[[I:.*]] = %[[FIRST]]#1)
  // CHECK-NEXT:     tile.receive %[[A]] at %[[I]]
  // CHECK-NOT:    tile.release %[[ONCE]]
  // CHECK: } producers 1 {
  // CHECK-NEXT:   tile.send %[[Q]][%c0, %c0] along [0, 1] to %[[ONCE]] at %c0
  // CHECK-NEXT:   %[[SENT:.*]]:2 = scf.while
  // CHECK:          tile.send %[[X]]{{.*}} to %[[A]]
  // CHECK:        scf.while (%{{.*}} = %[[N]], %{{.*}} = %[[SENT]]#1)
  // CHECK:          tile.send %[[X]]{{.*}} to %[[A]]
  // CHECK: gpu.return
  // REMARK: remark: [Passed] Producers
  gpu.func @two_loops(%x: memref<?x64xf16>, %q: memref<64x64xf16>, %n: index, %m: index, %acc: !sum) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %queries = tile.load %q[%c0, %c0] along [0, 1] : memref<64x64xf16> -> !tile
    %r = scf.for %j = %c0 to %n step %c64 iter_args(%sum = %acc) -> (!sum) {
      %a = tile.load %x[%j, %c0] along [0, 1] : memref<?x64xf16> -> !tile
      %s = tile.contract %queries, %a, %sum : !tile, !tile, !sum
      scf.yield %s : !sum
    }
    %t = scf.for %j = %n to %m step %c64 iter_args(%sum = %r) -> (!sum) {
      %a = tile.load %x[%j, %c0] along [0, 1] : memref<?x64xf16> -> !tile
      %s = tile.contract %queries, %a, %sum transpose_rhs : !tile, !tile, !sum
      scf.yield %s : !sum
    }
    gpu.return
  }

  /// A loop with other tiles, and a load that follows from tiles, stay with
  /// consumers, which wait for the latter once.

  // CHECK-LABEL: gpu.func @others
  // CHECK-COUNT-1: tile.channel
  // CHECK-NOT: tile.channel
  // CHECK: tile.warp_specialize consumers 4 {
  // CHECK:   %[[LOADED:.*]] = tile.load
  // CHECK:   %[[HERE:.*]] = tile.await %[[LOADED]]
  // CHECK:   scf.for
  // CHECK:     tile.receive
  // CHECK:     tile.contract %[[HERE]],
  // CHECK:   scf.for
  // CHECK:     tile.load
  // CHECK: } producers 1 {
  // CHECK-COUNT-1: tile.send
  // CHECK-NOT: tile.send
  // CHECK: gpu.return
  // REMARK: remark: [Passed] Producers
  gpu.func @others(%x: memref<?x64xf16>, %y: memref<?x64xf16>, %z: memref<?x64xf16>, %flags: !tile.fragment<64xi1, #rows>, %acc: !sum, %n: index, %out: memref<64x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %any = tile.any %flags : !tile.fragment<64xi1, #rows>
    %which = arith.select %any, %c0, %c64 : index
    %b = tile.load %y[%which, %c0] along [0, 1] : memref<?x64xf16> -> !tile
    %r = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %acc) -> (!sum) {
      %a = tile.load %x[%i, %c0] along [0, 1] : memref<?x64xf16> -> !tile
      %s = tile.contract %b, %a, %sum : !tile, !tile, !sum
      scf.yield %s : !sum
    }
    %t = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %r) -> (!sum) {
      %a = tile.load %z[%i, %c0] along [0, 1] : memref<?x64xf16> -> !tile.shared<64x32xf16>
      %s = tile.contract %a, %a, %sum transpose_rhs : !tile.shared<64x32xf16>, !tile.shared<64x32xf16>, !sum
      scf.yield %s : !sum
    }
    tile.store %t, %out[%c0, %c0] along [0, 1] : !sum, memref<64x64xf32>
    gpu.return
  }

  /// A tile is in use as long as a selection that may be it.

  // CHECK-LABEL: gpu.func @selected
  // CHECK: %[[A:.*]] = tile.receive %[[X:.*]] at
  // CHECK-NEXT: %[[B:.*]] = tile.receive %[[Y:.*]] at
  // CHECK-NEXT: %[[T:.*]] = arith.select %{{.*}}, %[[A]], %[[B]]
  // CHECK-NEXT: tile.contract %{{.*}}, %[[T]]
  // CHECK-NEXT: tile.release %[[Y]]
  // CHECK-NEXT: tile.release %[[X]]
  // REMARK: remark: [Passed] Producers
  gpu.func @selected(%x: memref<?x64xf16>, %y: memref<?x64xf16>, %which: i1, %p: !operand, %acc: !sum, %n: index, %out: memref<64x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %r = scf.for %j = %c0 to %n step %c64 iter_args(%sum = %acc) -> (!sum) {
      %a = tile.load %x[%j, %c0] along [0, 1] : memref<?x64xf16> -> !tile
      %b = tile.load %y[%j, %c0] along [0, 1] : memref<?x64xf16> -> !tile
      %t = arith.select %which, %a, %b : !tile
      %s = tile.contract %p, %t, %sum : !operand, !tile, !sum
      scf.yield %s : !sum
    }
    tile.store %r, %out[%c0, %c0] along [0, 1] : !sum, memref<64x64xf32>
    gpu.return
  }

  /// Producers do not wait for what consumers write, so they load none of it.

  // CHECK-LABEL: gpu.func @written
  // CHECK-COUNT-1: tile.channel
  // CHECK-NOT: tile.channel
  // CHECK: tile.warp_specialize consumers 4 {
  // CHECK:   tile.receive
  // CHECK:   tile.store
  // CHECK:   scf.for
  // CHECK:     tile.load
  // CHECK: } producers 1 {
  // CHECK-COUNT-1: tile.send
  // CHECK-NOT: tile.send
  // CHECK: gpu.return
  // REMARK: remark: [Passed] Producers
  gpu.func @written(%x: memref<?x64xf16>, %p: !operand, %acc: !sum, %n: index, %out: memref<64x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %r = scf.for %j = %c0 to %n step %c64 iter_args(%sum = %acc) -> (!sum) {
      %a = tile.load %x[%j, %c0] along [0, 1] : memref<?x64xf16> -> !tile
      %s = tile.contract %p, %a, %sum : !operand, !tile, !sum
      scf.yield %s : !sum
    }
    tile.store %p, %x[%c0, %c0] along [0, 1] : !operand, memref<?x64xf16>
    %t = scf.for %j = %c0 to %n step %c64 iter_args(%sum = %r) -> (!sum) {
      %a = tile.load %x[%j, %c0] along [0, 1] : memref<?x64xf16> -> !tile
      %s = tile.contract %p, %a, %sum : !operand, !tile, !sum
      scf.yield %s : !sum
    }
    tile.store %t, %out[%c0, %c0] along [0, 1] : !sum, memref<64x64xf32>
    gpu.return
  }

  /// Where a tile lies may follow from tiles.

  // CHECK-LABEL: gpu.func @negative_from_tiles
  // CHECK-SAME: known_block_size = array<i32: 128, 1, 1>
  // CHECK-NOT: tile.warp_specialize
  // CHECK: gpu.return
  // REMARK: remark: [Missed] Producers | {{.*}}producer warps cannot know which tiles its loops load
  gpu.func @negative_from_tiles(%x: memref<?x64xf16>, %p: !operand, %flags: !tile.fragment<64xi1, #rows>, %acc: !sum, %n: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %r:2 = scf.for %i = %c0 to %n step %c64 iter_args(%at = %c0, %sum = %acc) -> (index, !sum) {
      %a = tile.load %x[%at, %c0] along [0, 1] : memref<?x64xf16> -> !tile
      %s = tile.contract %p, %a, %sum : !operand, !tile, !sum
      %any = tile.any %flags : !tile.fragment<64xi1, #rows>
      %next = arith.select %any, %i, %at : index
      scf.yield %next, %s : index, !sum
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @negative_no_size
  // CHECK-NOT: tile.warp_specialize
  // CHECK: gpu.return
  // REMARK: remark: [Missed] Producers | {{.*}}the number of its threads is unknown
  gpu.func @negative_no_size(%x: memref<?x64xf16>) kernel {
    gpu.return
  }
}
