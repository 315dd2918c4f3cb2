// RUN: stof-opt %s --pass-pipeline="builtin.module(gpu.module(gpu.func(stof-pipeline-loads)))" | FileCheck %s
// RUN: stof-opt %s --pass-pipeline="builtin.module(gpu.module(gpu.func(stof-pipeline-loads{stages=3})))" | FileCheck %s --check-prefix=THREE
// RUN: stof-opt %s --pass-pipeline="builtin.module(gpu.module(gpu.func(stof-pipeline-loads{capacity=28672})))" | FileCheck %s --check-prefix=SMALL

#acc = #tile.mma<warps = [4, 1]>

gpu.module @kernels {
  /// Both operands are loaded an iteration ahead, the first before the loop. The
  /// schedule says so.

  // CHECK-LABEL: gpu.func @counted
  // CHECK-SAME: (%[[X:.*]]: memref<?x64xf16>, %[[Y:.*]]: memref<?x64xf16>, %{{.*}}: !tile.fragment<64x64xf16, #{{.*}}>, %{{.*}}: !tile.fragment<64x64xf32, #{{.*}}>, %[[N:.*]]: index)
  // CHECK-SAME: stof.schedule = {kernel = "product", stages = 2 : i64}
  // CHECK: %[[ANY:.*]] = arith.cmpi slt, %c0, %[[N]]
  // CHECK-DAG: tile.load %[[X]][%c0, %c0] along [0, 1] when %[[ANY]] over %[[X0:.*]] : memref
  // CHECK-DAG: tile.load %[[Y]][%c0, %c0] along [0, 1] when %[[ANY]] over %[[Y0:.*]] : memref
  // CHECK: scf.for %[[I:.*]] = %c0 to %[[N]] step %c64 iter_args(%[[SUM:.*]] = %{{.*}}, %[[X_SENT:.*]] = %{{.*}}, %[[X_OLD:.*]] = %{{.*}}, %[[Y_SENT:.*]] = %{{.*}}, %[[Y_OLD:.*]] = %{{[a-z0-9]*}})
  // CHECK-NEXT: %[[HERE:.*]]:2 = tile.await %[[X_SENT]], %[[Y_SENT]]
  // CHECK-NEXT: %[[NEXT:.*]] = arith.addi %[[I]], %c64
  // CHECK-NEXT: %[[MORE:.*]] = arith.cmpi slt, %[[NEXT]], %[[N]]
  // CHECK-NEXT: %[[XN:.*]] = tile.load %[[X]][%[[NEXT]], %c0] along [0, 1] when %[[MORE]] over %[[X_OLD]]
  // CHECK-NEXT: %[[YN:.*]] = tile.load %[[Y]][%[[NEXT]], %c0] along [0, 1] when %[[MORE]] over %[[Y_OLD]]
  // CHECK-NEXT: %[[S:.*]] = tile.contract %{{.*}}, %[[HERE]]#0, %[[SUM]]
  // CHECK-NEXT: %[[T:.*]] = tile.contract %{{.*}}, %[[HERE]]#1, %[[S]]
  // CHECK-NEXT: scf.yield %[[T]], %[[XN]], %[[X_SENT]], %[[YN]], %[[Y_SENT]]

  /// Two iterations ahead if there is a third stage.

  // THREE-LABEL: gpu.func @counted
  // THREE: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[X0:.*]] = %{{.*}}, %[[X1:.*]] = %{{.*}}, %[[X2:.*]] = %{{.*}}, %[[Y0:.*]] = %{{.*}}, %[[Y1:.*]] = %{{.*}}, %[[Y2:.*]] = %{{[a-z0-9]*}})
  // THREE: tile.await %[[X0]], %[[Y0]]
  // THREE: %[[XN:.*]] = tile.load {{.*}} over %[[X2]]
  // THREE: %[[YN:.*]] = tile.load {{.*}} over %[[Y2]]
  // THREE: scf.yield %{{.*}}, %[[X1]], %[[XN]], %[[X0]], %[[Y1]], %[[YN]], %[[Y0]]

  /// Where one of them does not fit twice it comes early in its own iteration.

  // SMALL-LABEL: gpu.func @counted
  // SMALL: scf.for %[[I:.*]] = %c0 to %{{.*}} step %c64 iter_args(%{{.*}} = %{{.*}}, %[[X_SENT:.*]] = %{{.*}}, %[[X_OLD:.*]] = %{{[a-z0-9]*}})
  // SMALL-NEXT: %[[XI:.*]] = tile.await %[[X_SENT]]
  // SMALL-NEXT: %[[YI:.*]] = tile.load %{{.*}}[%[[I]], %c0] along [0, 1] : memref
  // SMALL: tile.load {{.*}} over %[[X_OLD]]
  // SMALL-NEXT: tile.contract %{{.*}}, %[[XI]]
  // SMALL-NEXT: tile.contract %{{.*}}, %[[YI]]
  gpu.func @counted(%x: memref<?x64xf16>, %y: memref<?x64xf16>, %p: !tile.fragment<64x64xf16, #acc>, %acc: !tile.fragment<64x64xf32, #acc>, %n: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, stof.schedule = {kernel = "product"}} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %r = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %acc) -> (!tile.fragment<64x64xf32, #acc>) {
      %a = tile.load %x[%i, %c0] along [0, 1] : memref<?x64xf16> -> !tile.shared<64x64xf16>
      %s = tile.contract %p, %a, %sum : !tile.fragment<64x64xf16, #acc>, !tile.shared<64x64xf16>, !tile.fragment<64x64xf32, #acc>
      %b = tile.load %y[%i, %c0] along [0, 1] : memref<?x64xf16> -> !tile.shared<64x64xf16>
      %t = tile.contract %p, %b, %s : !tile.fragment<64x64xf16, #acc>, !tile.shared<64x64xf16>, !tile.fragment<64x64xf32, #acc>
      scf.yield %t : !tile.fragment<64x64xf32, #acc>
    }
    gpu.return
  }

  /// A loop over a list: the next entry is read first. It is read once, so that no
  /// more than the next can be known: three stages are as good as two.

  // CHECK-LABEL: gpu.func @listed
  // CHECK-SAME: %[[X:[a-z0-9]*]]: memref<?x64xf16>
  // CHECK-SAME: %[[LIST:[a-z0-9]*]]: memref<?xindex>
  // CHECK-SAME: %[[N:[a-z0-9]*]]: index
  // CHECK: %[[K0:.*]] = memref.load %[[LIST]][%c0]
  // CHECK: tile.load %[[X]][%[[K0]], %c0] along [0, 1] when %{{.*}} over
  // CHECK: scf.while
  // CHECK: ^bb0(%[[AT:.*]]: index, %[[K:.*]]: index, %{{.*}}: !tile.fragment<{{.*}}>, %[[SENT:.*]]: !tile.shared<64x64xf16>, %[[OLD:.*]]: !tile.shared<64x64xf16>):
  // CHECK-NEXT: tile.await %[[SENT]]
  // CHECK-NEXT: %[[AT1:.*]] = arith.addi %[[AT]], %c1
  // CHECK-NEXT: %[[K1:.*]] = memref.load %[[LIST]][%[[AT1]]]
  // CHECK-NEXT: %[[MORE:.*]] = arith.cmpi ult, %[[AT1]], %[[N]]
  // CHECK-NEXT: %[[NEXT:.*]] = tile.load %[[X]][%[[K1]], %c0] along [0, 1] when %[[MORE]] over %[[OLD]]
  // CHECK-NEXT: tile.contract
  // CHECK-NEXT: scf.yield %[[AT1]], %[[K1]], %{{.*}}, %[[NEXT]], %[[SENT]]
  // THREE-LABEL: gpu.func @listed
  // THREE: ^bb0(%{{.*}}: index, %{{.*}}: index, %{{.*}}: !tile.fragment<{{.*}}>, %{{.*}}: !tile.shared<64x64xf16>, %{{.*}}: !tile.shared<64x64xf16>):
  gpu.func @listed(%x: memref<?x64xf16>, %list: memref<?xindex>, %n: index, %p: !tile.fragment<64x64xf16, #acc>, %acc: !tile.fragment<64x64xf32, #acc>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %k0 = memref.load %list[%c0] : memref<?xindex>
    %r:3 = scf.while (%at = %c0, %k = %k0, %sum = %acc) : (index, index, !tile.fragment<64x64xf32, #acc>) -> (index, index, !tile.fragment<64x64xf32, #acc>) {
      %more = arith.cmpi ult, %at, %n : index
      scf.condition(%more) %at, %k, %sum : index, index, !tile.fragment<64x64xf32, #acc>
    } do {
    ^bb0(%at: index, %k: index, %sum: !tile.fragment<64x64xf32, #acc>):
      %a = tile.load %x[%k, %c0] along [0, 1] : memref<?x64xf16> -> !tile.shared<64x64xf16>
      %s = tile.contract %p, %a, %sum : !tile.fragment<64x64xf16, #acc>, !tile.shared<64x64xf16>, !tile.fragment<64x64xf32, #acc>
      %at1 = arith.addi %at, %c1 : index
      %k1 = memref.load %list[%at1] : memref<?xindex>
      scf.yield %at1, %k1, %s : index, index, !tile.fragment<64x64xf32, #acc>
    }
    gpu.return
  }

  /// Where a table says which tile comes next, it is only asked about points that
  /// the loop reaches; both loads share the answer.

  // CHECK-LABEL: gpu.func @looked_up
  // CHECK-SAME: %[[X:[a-z0-9]*]]: memref<?x64xf16>
  // CHECK-SAME: %[[TABLE:[a-z0-9]*]]: memref<?xindex>
  // CHECK: scf.for %[[I:[a-z0-9]*]] =
  // CHECK: tile.await
  // CHECK: %[[NEXT:.*]] = arith.addi %[[I]], %c1
  // CHECK: %[[MORE:.*]] = arith.cmpi slt, %[[NEXT]],
  // CHECK: %[[K:.*]] = scf.if %[[MORE]] -> (index) {
  // CHECK:   memref.load %[[TABLE]][%[[NEXT]]]
  // CHECK: } else {
  // CHECK:   scf.yield
  // CHECK: tile.load %[[X]][%[[K]], %c0] along [0, 1] when %[[MORE]]
  // CHECK-NEXT: tile.load %[[X]][%[[K]], %c64] along [0, 1] when %[[MORE]]
  gpu.func @looked_up(%x: memref<?x64xf16>, %table: memref<?xindex>, %n: index, %p: !tile.fragment<64x64xf16, #acc>, %acc: !tile.fragment<64x64xf32, #acc>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %acc) -> (!tile.fragment<64x64xf32, #acc>) {
      %tile = memref.load %table[%i] : memref<?xindex>
      %k = arith.muli %tile, %c64 : index
      %a = tile.load %x[%k, %c0] along [0, 1] : memref<?x64xf16> -> !tile.shared<64x64xf16>
      %b = tile.load %x[%k, %c64] along [0, 1] : memref<?x64xf16> -> !tile.shared<64x64xf16>
      %s = tile.contract %p, %a, %sum : !tile.fragment<64x64xf16, #acc>, !tile.shared<64x64xf16>, !tile.fragment<64x64xf32, #acc>
      %t = tile.contract %p, %b, %s : !tile.fragment<64x64xf16, #acc>, !tile.shared<64x64xf16>, !tile.fragment<64x64xf32, #acc>
      scf.yield %t : !tile.fragment<64x64xf32, #acc>
    }
    gpu.return
  }

  /// Where the tile lies follows from tiles, or the loop writes memory that it
  /// may read, or the loop ends when a tile says so.

  // CHECK-LABEL: gpu.func @negative_from_tiles
  // CHECK-NOT: tile.await
  gpu.func @negative_from_tiles(%x: memref<?x64xf16>, %p: !tile.fragment<64x64xf16, #acc>, %flags: !tile.fragment<64xi1, #tile.slice<1, #acc>>, %acc: !tile.fragment<64x64xf32, #acc>, %n: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %r:2 = scf.for %i = %c0 to %n step %c64 iter_args(%at = %c0, %sum = %acc) -> (index, !tile.fragment<64x64xf32, #acc>) {
      %a = tile.load %x[%at, %c0] along [0, 1] : memref<?x64xf16> -> !tile.shared<64x64xf16>
      %s = tile.contract %p, %a, %sum : !tile.fragment<64x64xf16, #acc>, !tile.shared<64x64xf16>, !tile.fragment<64x64xf32, #acc>
      %any = tile.any %flags : !tile.fragment<64xi1, #tile.slice<1, #acc>>
      %next = arith.select %any, %i, %at : index
      scf.yield %next, %s : index, !tile.fragment<64x64xf32, #acc>
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @negative_writes
  // CHECK-NOT: tile.await
  gpu.func @negative_writes(%x: memref<?x64xf16>, %p: !tile.fragment<64x64xf16, #acc>, %n: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0.0 : f32
    %none = tile.splat %zero : !tile.fragment<64x64xf32, #acc>
    scf.for %i = %c0 to %n step %c64 {
      %a = tile.load %x[%i, %c0] along [0, 1] : memref<?x64xf16> -> !tile.shared<64x64xf16>
      %s = tile.contract %p, %a, %none : !tile.fragment<64x64xf16, #acc>, !tile.shared<64x64xf16>, !tile.fragment<64x64xf32, #acc>
      %h = tile.map ins(%s : !tile.fragment<64x64xf32, #acc>) {
      ^bb0(%row: index, %column: index, %e: f32):
        %t = arith.truncf %e : f32 to f16
        tile.yield %t : f16
      } -> !tile.fragment<64x64xf16, #acc>
      tile.store %h, %x[%i, %c0] along [0, 1] : !tile.fragment<64x64xf16, #acc>, memref<?x64xf16>
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @negative_end_from_tiles
  // CHECK-NOT: tile.await
  gpu.func @negative_end_from_tiles(%x: memref<?x64xf16>, %p: !tile.fragment<64x64xf16, #acc>, %flags: !tile.fragment<64xi1, #tile.slice<1, #acc>>, %acc: !tile.fragment<64x64xf32, #acc>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %r:2 = scf.while (%i = %c0, %sum = %acc) : (index, !tile.fragment<64x64xf32, #acc>) -> (index, !tile.fragment<64x64xf32, #acc>) {
      %more = tile.any %flags : !tile.fragment<64xi1, #tile.slice<1, #acc>>
      scf.condition(%more) %i, %sum : index, !tile.fragment<64x64xf32, #acc>
    } do {
    ^bb0(%i: index, %sum: !tile.fragment<64x64xf32, #acc>):
      %a = tile.load %x[%i, %c0] along [0, 1] : memref<?x64xf16> -> !tile.shared<64x64xf16>
      %s = tile.contract %p, %a, %sum : !tile.fragment<64x64xf16, #acc>, !tile.shared<64x64xf16>, !tile.fragment<64x64xf32, #acc>
      %next = arith.addi %i, %c64 : index
      scf.yield %next, %s : index, !tile.fragment<64x64xf32, #acc>
    }
    gpu.return
  }

  /// As many places as the kernel's schedule asks for.

  // CHECK-LABEL: gpu.func @scheduled
  // CHECK-SAME: stof.schedule = {stages = 4 : i64}
  // CHECK-COUNT-4: tile.empty
  // CHECK-NOT: tile.empty
  // CHECK: gpu.return
  gpu.func @scheduled(%x: memref<?x64xf16>, %p: !tile.fragment<64x64xf16, #acc>, %acc: !tile.fragment<64x64xf32, #acc>, %n: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>, stof.schedule = {stages = 4 : i64}} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %r = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %acc) -> (!tile.fragment<64x64xf32, #acc>) {
      %a = tile.load %x[%i, %c0] along [0, 1] : memref<?x64xf16> -> !tile.shared<64x64xf16>
      %s = tile.contract %p, %a, %sum : !tile.fragment<64x64xf16, #acc>, !tile.shared<64x64xf16>, !tile.fragment<64x64xf32, #acc>
      scf.yield %s : !tile.fragment<64x64xf32, #acc>
    }
    gpu.return
  }

  /// A loop leaves room for the tiles of the loop around it: where there are 28 KiB,
  /// the inner one has its tile twice, in addition to the one that waits for its end.

  // SMALL-LABEL: gpu.func @nested
  // SMALL: scf.for %[[I:.*]] = %c0 to
  // SMALL:   %[[Y:.*]] = tile.load %{{.*}}[%[[I]], %c0]
  // SMALL:   tile.load %{{.*}} when
  // SMALL:   scf.for %{{.*}} = %c0 to {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[SENT:.*]] = %{{.*}}, %[[OLD:.*]] = %{{[a-z0-9]*}})
  // SMALL:     tile.await %[[SENT]]
  // SMALL:     tile.load {{.*}} over %[[OLD]]
  // SMALL:   tile.contract %{{.*}}, %[[Y]]
  gpu.func @nested(%x: memref<?x64xf16>, %y: memref<?x64xf16>, %p: !tile.fragment<64x64xf16, #acc>, %acc: !tile.fragment<64x64xf32, #acc>, %n: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %r = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %acc) -> (!tile.fragment<64x64xf32, #acc>) {
      %b = tile.load %y[%i, %c0] along [0, 1] : memref<?x64xf16> -> !tile.shared<64x64xf16>
      %q = scf.for %k = %c0 to %n step %c64 iter_args(%part = %acc) -> (!tile.fragment<64x64xf32, #acc>) {
        %a = tile.load %x[%k, %c0] along [0, 1] : memref<?x64xf16> -> !tile.shared<64x64xf16>
        %s = tile.contract %p, %a, %part : !tile.fragment<64x64xf16, #acc>, !tile.shared<64x64xf16>, !tile.fragment<64x64xf32, #acc>
        scf.yield %s : !tile.fragment<64x64xf32, #acc>
      }
      %t = tile.contract %p, %b, %q : !tile.fragment<64x64xf16, #acc>, !tile.shared<64x64xf16>, !tile.fragment<64x64xf32, #acc>
      scf.yield %t : !tile.fragment<64x64xf32, #acc>
    }
    gpu.return
  }

  /// Channels take room from the loads that stay with consumers: in 28 KiB there
  /// are two stages of 8 KiB without a channel of 16 KiB, none with it.

  // CHECK-LABEL: gpu.func @next_to_a_channel
  // CHECK: tile.await
  // SMALL-LABEL: gpu.func @next_to_a_channel
  // SMALL-NOT: tile.await
  // SMALL: gpu.return
  gpu.func @next_to_a_channel(%x: memref<?x64xf16>, %p: !tile.fragment<64x64xf16, #acc>, %acc: !tile.fragment<64x64xf32, #acc>, %n: index) kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %keys = tile.channel from 1 to 4 : <<64x64xf16>, stages = 2>
    tile.warp_specialize consumers 4 {
      %r = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %acc) -> (!tile.fragment<64x64xf32, #acc>) {
        %a = tile.load %x[%i, %c0] along [0, 1] : memref<?x64xf16> -> !tile.shared<64x64xf16>
        %s = tile.contract %p, %a, %sum : !tile.fragment<64x64xf16, #acc>, !tile.shared<64x64xf16>, !tile.fragment<64x64xf32, #acc>
        scf.yield %s : !tile.fragment<64x64xf32, #acc>
      }
    } producers 1 {
    }
    gpu.return
  }
}
