// RUN: stof-opt %s --pass-pipeline="builtin.module(gpu.module(gpu.func(stof-allocate-shared-memory,stof-insert-barriers)))" | FileCheck %s

#acc = #tile.mma<warps = [4, 1]>
#two = #tile.blocked<elements = [1, 4], lanes = [4, 8], warps = [2, 2]>

gpu.module @kernels {
  /// The matmul waits for the first operand while the second is under way.

  // CHECK-LABEL: gpu.func @waits_for_the_older
  gpu.func @waits_for_the_older(%x: memref<64x64xf16>, %p: !tile.fragment<64x64xf16, #acc>, %acc: !tile.fragment<64x64xf32, #acc>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    // CHECK: %[[A:.*]] = tile.load
    // CHECK-NEXT: %[[B:.*]] = tile.load
    // CHECK-NEXT: nvvm.cp.async.wait.group 1
    // CHECK-NEXT: gpu.barrier
    // CHECK-NEXT: tile.contract %{{.*}}, %[[A]]
    // CHECK-NEXT: nvvm.cp.async.wait.group 0
    // CHECK-NEXT: gpu.barrier
    // CHECK-NEXT: tile.contract %{{.*}}, %[[B]]
    // CHECK-NEXT: gpu.return
    %a = tile.load %x[%c0, %c0] along [0, 1] : memref<64x64xf16> -> !tile.shared<64x64xf16>
    %b = tile.load %x[%c0, %c0] along [0, 1] : memref<64x64xf16> -> !tile.shared<64x64xf16>
    %s = tile.contract %p, %a, %acc : !tile.fragment<64x64xf16, #acc>, !tile.shared<64x64xf16>, !tile.fragment<64x64xf32, #acc>
    %t = tile.contract %p, %b, %s : !tile.fragment<64x64xf16, #acc>, !tile.shared<64x64xf16>, !tile.fragment<64x64xf32, #acc>
    gpu.return
  }

  /// wgmma reads as soon as it is fenced, so the barrier is before the fence, and
  /// until it is waited for: the next load of its tile needs another one.

  // CHECK-LABEL: gpu.func @wgmma
  // CHECK: scf.for
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: tile.load
  // CHECK-NEXT: nvvm.cp.async.wait.group 0
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: tile.wgmma_fence
  // CHECK-NEXT: tile.wgmma
  // CHECK-NEXT: tile.wgmma_commit
  // CHECK-NEXT: tile.wgmma_wait
  // CHECK-NEXT: scf.yield
  gpu.func @wgmma(%x: memref<?x64xf16>, %acc: !tile.fragment<64x64xf32, #acc>, %n: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %r = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %acc) -> (!tile.fragment<64x64xf32, #acc>) {
      %a = tile.load %x[%i, %c0] along [0, 1] : memref<?x64xf16> -> !tile.shared<64x64xf16>
      %f = tile.wgmma_fence %sum reads %a : !tile.shared<64x64xf16> -> !tile.in_flight<64x64xf32, #acc>
      %j = tile.wgmma %a, %a, %f : !tile.shared<64x64xf16>, !tile.shared<64x64xf16>, !tile.in_flight<64x64xf32, #acc>
      %g = tile.wgmma_commit %j : !tile.in_flight<64x64xf32, #acc>
      %s = tile.wgmma_wait %g : !tile.in_flight<64x64xf32, #acc>
      scf.yield %s : !tile.fragment<64x64xf32, #acc>
    }
    gpu.return
  }

  /// In a loop the next load must not overwrite what the last matmul reads.

  // CHECK-LABEL: gpu.func @loop
  gpu.func @loop(%x: memref<?x64xf16>, %p: !tile.fragment<64x64xf16, #acc>, %acc: !tile.fragment<64x64xf32, #acc>, %n: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    // CHECK: scf.for
    // CHECK-NEXT: gpu.barrier
    // CHECK-NEXT: tile.load
    // CHECK-NEXT: nvvm.cp.async.wait.group 0
    // CHECK-NEXT: gpu.barrier
    // CHECK-NEXT: tile.contract
    // CHECK-NEXT: scf.yield
    %r = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %acc) -> (!tile.fragment<64x64xf32, #acc>) {
      %a = tile.load %x[%i, %c0] along [0, 1] : memref<?x64xf16> -> !tile.shared<64x64xf16>
      %s = tile.contract %p, %a, %sum : !tile.fragment<64x64xf16, #acc>, !tile.shared<64x64xf16>, !tile.fragment<64x64xf32, #acc>
      scf.yield %s : !tile.fragment<64x64xf32, #acc>
    }
    gpu.return
  }

  /// What was loaded before the loop is older than what the loop loads: waiting
  /// for the first of the loop's loads waits for it, but not for the second.

  // CHECK-LABEL: gpu.func @loaded_before_the_loop
  gpu.func @loaded_before_the_loop(%x: memref<?x64xf16>, %acc: !tile.fragment<64x64xf32, #acc>, %n: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %q = tile.load %x[%c0, %c0] along [0, 1] : memref<?x64xf16> -> !tile.shared<64x64xf16>
    // CHECK: scf.for
    // CHECK: %[[K:.*]] = tile.load
    // CHECK: %[[V:.*]] = tile.load
    // CHECK-NEXT: nvvm.cp.async.wait.group 1
    // CHECK-NEXT: gpu.barrier
    // CHECK-NEXT: tile.contract %{{.*}}, %[[K]]
    // CHECK-NEXT: nvvm.cp.async.wait.group 0
    // CHECK-NEXT: gpu.barrier
    // CHECK-NEXT: tile.contract %{{.*}}, %[[V]]
    %r = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %acc) -> (!tile.fragment<64x64xf32, #acc>) {
      %k = tile.load %x[%i, %c0] along [0, 1] : memref<?x64xf16> -> !tile.shared<64x64xf16>
      %v = tile.load %x[%i, %c0] along [0, 1] : memref<?x64xf16> -> !tile.shared<64x64xf16>
      %s = tile.contract %q, %k, %sum : !tile.shared<64x64xf16>, !tile.shared<64x64xf16>, !tile.fragment<64x64xf32, #acc>
      %t = tile.contract %q, %v, %s : !tile.shared<64x64xf16>, !tile.shared<64x64xf16>, !tile.fragment<64x64xf32, #acc>
      scf.yield %t : !tile.fragment<64x64xf32, #acc>
    }
    gpu.return
  }

  /// A loop that loads two iterations ahead waits for the oldest only, once, and
  /// need not wait before it takes the buffer that it used last. What it loaded in
  /// vain is complete before the buffer is used again.

  // CHECK-LABEL: gpu.func @carried
  // CHECK: scf.for
  // CHECK-NEXT: nvvm.cp.async.wait.group 1
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: tile.await
  // CHECK-NEXT: tile.load
  // CHECK-NEXT: tile.contract
  // CHECK-NEXT: scf.yield
  // CHECK: nvvm.cp.async.wait.group 0
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: tile.load
  gpu.func @carried(%x: memref<?x64xf16>, %p: !tile.fragment<64x64xf16, #acc>, %acc: !tile.fragment<64x64xf32, #acc>, %n: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %e0 = tile.empty : !tile.shared<64x64xf16>
    %e1 = tile.empty : !tile.shared<64x64xf16>
    %e2 = tile.empty : !tile.shared<64x64xf16>
    %k0 = tile.load %x[%c0, %c0] along [0, 1] over %e0 : memref<?x64xf16> -> !tile.shared<64x64xf16>
    %k1 = tile.load %x[%c64, %c0] along [0, 1] over %e1 : memref<?x64xf16> -> !tile.shared<64x64xf16>
    %r:4 = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %acc, %sent = %k0, %later = %k1, %old = %e2) -> (!tile.fragment<64x64xf32, #acc>, !tile.shared<64x64xf16>, !tile.shared<64x64xf16>, !tile.shared<64x64xf16>) {
      %k = tile.await %sent : !tile.shared<64x64xf16>
      %next = tile.load %x[%i, %c0] along [0, 1] over %old : memref<?x64xf16> -> !tile.shared<64x64xf16>
      %s = tile.contract %p, %k, %sum : !tile.fragment<64x64xf16, #acc>, !tile.shared<64x64xf16>, !tile.fragment<64x64xf32, #acc>
      scf.yield %s, %later, %next, %sent : !tile.fragment<64x64xf32, #acc>, !tile.shared<64x64xf16>, !tile.shared<64x64xf16>, !tile.shared<64x64xf16>
    }
    %b = tile.load %x[%c0, %c0] along [0, 1] : memref<?x64xf16> -> !tile.shared<64x64xf16>
    gpu.return
  }

  /// As above by an scf.while, one iteration ahead; what the loop is left with may
  /// be in either buffer.

  // CHECK-LABEL: gpu.func @carried_by_while
  // CHECK: scf.condition
  // CHECK: ^bb0
  // CHECK-NEXT: nvvm.cp.async.wait.group 0
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: tile.contract
  // CHECK-NEXT: tile.load
  // CHECK-NEXT: scf.yield
  // CHECK: nvvm.cp.async.wait.group 0
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: tile.contract
  gpu.func @carried_by_while(%x: memref<?x64xf16>, %p: !tile.fragment<64x64xf16, #acc>, %acc: !tile.fragment<64x64xf32, #acc>, %flag: i1) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %e0 = tile.empty : !tile.shared<64x64xf16>
    %e1 = tile.empty : !tile.shared<64x64xf16>
    %k0 = tile.load %x[%c0, %c0] along [0, 1] over %e0 : memref<?x64xf16> -> !tile.shared<64x64xf16>
    %r:3 = scf.while (%sum = %acc, %sent = %k0, %old = %e1) : (!tile.fragment<64x64xf32, #acc>, !tile.shared<64x64xf16>, !tile.shared<64x64xf16>) -> (!tile.shared<64x64xf16>, !tile.fragment<64x64xf32, #acc>, !tile.shared<64x64xf16>) {
      scf.condition(%flag) %old, %sum, %sent : !tile.shared<64x64xf16>, !tile.fragment<64x64xf32, #acc>, !tile.shared<64x64xf16>
    } do {
    ^bb0(%old: !tile.shared<64x64xf16>, %sum: !tile.fragment<64x64xf32, #acc>, %sent: !tile.shared<64x64xf16>):
      %s = tile.contract %p, %sent, %sum : !tile.fragment<64x64xf16, #acc>, !tile.shared<64x64xf16>, !tile.fragment<64x64xf32, #acc>
      %next = tile.load %x[%c0, %c0] along [0, 1] over %old : memref<?x64xf16> -> !tile.shared<64x64xf16>
      scf.yield %s, %next, %sent : !tile.fragment<64x64xf32, #acc>, !tile.shared<64x64xf16>, !tile.shared<64x64xf16>
    }
    %t = tile.contract %p, %r#2, %r#1 : !tile.fragment<64x64xf16, #acc>, !tile.shared<64x64xf16>, !tile.fragment<64x64xf32, #acc>
    gpu.return
  }

  /// Elements that other threads stored are read after a barrier.

  // CHECK-LABEL: gpu.func @through_global_memory
  gpu.func @through_global_memory(%x: memref<64x64xf32>, %t: !tile.fragment<64x64xf32, #acc>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    // CHECK: tile.store
    // CHECK-NEXT: gpu.barrier
    // CHECK-NEXT: tile.load
    tile.store %t, %x[%c0, %c0] along [0, 1] : !tile.fragment<64x64xf32, #acc>, memref<64x64xf32>
    %a = tile.load %x[%c0, %c0] along [0, 1] : memref<64x64xf32> -> !tile.fragment<64x64xf32, #two>
    gpu.return
  }

  /// Iterations store to the same memory, one after another. The tiles of a CTA are those of as many CTAs: none of them
  /// touches what another one stores.

  // CHECK-LABEL: gpu.func @stores_of_iterations
  gpu.func @stores_of_iterations(%n: index, %x: memref<?x64xf32>, %y: memref<?x64xf32>, %t: !tile.fragment<64x64xf32, #acc>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // CHECK: scf.for
    // CHECK-NEXT: gpu.barrier
    // CHECK-NEXT: tile.store
    scf.for %i = %c0 to %n step %c1 {
      tile.store %t, %x[%i, %c0] along [0, 1] : !tile.fragment<64x64xf32, #acc>, memref<?x64xf32>
    }
    // CHECK: scf.for
    // CHECK-NEXT: tile.store
    // CHECK-NEXT: } {tile.tiles}
    scf.for %i = %c0 to %n step %c1 {
      tile.store %t, %y[%i, %c0] along [0, 1] : !tile.fragment<64x64xf32, #acc>, memref<?x64xf32>
    } {tile.tiles}
    gpu.return
  }

  /// The second reduction writes where threads may still read the first's.

  // CHECK-LABEL: gpu.func @reductions_share_a_place
  gpu.func @reductions_share_a_place(%x: !tile.fragment<64x64xf32, #two>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    // CHECK-NEXT: tile.reduce
    // CHECK: gpu.barrier
    // CHECK-NEXT: tile.reduce
    %m = tile.reduce %x along 1 {
    ^bb0(%a: f32, %b: f32):
      %c = arith.maxnumf %a, %b : f32
      tile.yield %c : f32
    } : !tile.fragment<64x64xf32, #two> -> !tile.fragment<64xf32, #tile.slice<1, #two>>
    %s = tile.reduce %x along 1 {
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tile.yield %c : f32
    } : !tile.fragment<64x64xf32, #two> -> !tile.fragment<64xf32, #tile.slice<1, #two>>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @negative_distinct_buffers
  gpu.func @negative_distinct_buffers(%x: memref<64x64xf32>, %y: memref<64x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    // CHECK-NOT: gpu.barrier
    // CHECK: gpu.return
    %a = tile.load %x[%c0, %c0] along [0, 1] : memref<64x64xf32> -> !tile.fragment<64x64xf32, #acc>
    tile.store %a, %y[%c0, %c0] along [0, 1] : !tile.fragment<64x64xf32, #acc>, memref<64x64xf32>
    %b = tile.load %x[%c0, %c0] along [0, 1] : memref<64x64xf32> -> !tile.fragment<64x64xf32, #acc>
    gpu.return
  }

  /// An element of a shared tile is read when all threads have written theirs,
  /// and the next tile waits until it has been.

  // CHECK-LABEL: gpu.func @elements
  gpu.func @elements(%x: !tile.fragment<64x64xf16, #acc>, %p: i1) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    // CHECK: %[[S:.*]] = tile.convert
    // CHECK-NEXT: gpu.barrier
    // CHECK-NEXT: tile.map
    // CHECK: tile.extract %[[S]]
    // CHECK: gpu.barrier
    // CHECK-NEXT: %[[T:.*]] = tile.convert
    // CHECK-NEXT: gpu.barrier
    // CHECK-NEXT: tile.extract %[[T]]
    %s = tile.convert %x : !tile.fragment<64x64xf16, #acc> -> !tile.shared<64x64xf16>
    %y = tile.map {
    ^bb0(%r: index, %c: index):
      %a = scf.if %p -> f16 {
        %e = tile.extract %s[%c, %r] : !tile.shared<64x64xf16>
        scf.yield %e : f16
      } else {
        %z = arith.constant 0.0 : f16
        scf.yield %z : f16
      }
      tile.yield %a : f16
    } -> !tile.fragment<64x64xf16, #acc>
    %t = tile.convert %y : !tile.fragment<64x64xf16, #acc> -> !tile.shared<64x64xf16>
    %f = tile.extract %t[%c0, %c0] : !tile.shared<64x64xf16>
    gpu.return
  }

  /// A tile that a branch or a selection chooses is in the buffer of either: both
  /// have arrived before it is used, and both are in use until then.

  // CHECK-LABEL: gpu.func @chosen
  gpu.func @chosen(%x: memref<64x64xf16>, %p: !tile.fragment<64x64xf16, #acc>, %acc: !tile.fragment<64x64xf32, #acc>, %which: i1) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    // CHECK: tile.load {{.*}} {tile.offset = 0 : i64}
    // CHECK: tile.load {{.*}} {tile.offset = 8192 : i64}
    // CHECK: %[[BRANCH:.*]] = scf.if
    // CHECK: tile.load {{.*}} {tile.offset = 16384 : i64}
    // CHECK-NEXT: %[[CHOSEN:.*]] = arith.select %{{.*}}, %[[BRANCH]]
    // CHECK-NEXT: nvvm.cp.async.wait.group 0
    // CHECK-NEXT: gpu.barrier
    // CHECK-NEXT: tile.contract %{{.*}}, %[[CHOSEN]]
    // CHECK: tile.load {{.*}} {tile.offset = 0 : i64}
    %a = tile.load %x[%c0, %c0] along [0, 1] : memref<64x64xf16> -> !tile.shared<64x64xf16>
    %b = tile.load %x[%c0, %c0] along [0, 1] : memref<64x64xf16> -> !tile.shared<64x64xf16>
    %branch = scf.if %which -> !tile.shared<64x64xf16> {
      scf.yield %a : !tile.shared<64x64xf16>
    } else {
      scf.yield %b : !tile.shared<64x64xf16>
    }
    %c = tile.load %x[%c0, %c0] along [0, 1] : memref<64x64xf16> -> !tile.shared<64x64xf16>
    %chosen = arith.select %which, %branch, %c : !tile.shared<64x64xf16>
    %s = tile.contract %p, %chosen, %acc : !tile.fragment<64x64xf16, #acc>, !tile.shared<64x64xf16>, !tile.fragment<64x64xf32, #acc>
    %d = tile.load %x[%c0, %c0] along [0, 1] : memref<64x64xf16> -> !tile.shared<64x64xf16>
    gpu.return
  }

  /// The threads of a role wait for each other at a barrier of their own. Tiles of
  /// channels need none, nor does what comes before the roles: there all meet, when
  /// their copies are complete.

  // CHECK-LABEL: gpu.func @roles
  // CHECK: tile.load
  // CHECK-NEXT: nvvm.cp.async.wait.group 0
  // CHECK-NEXT: tile.warp_specialize consumers 4 {
  // CHECK-NEXT:   %[[T:.*]] = tile.receive
  // CHECK-NEXT:   tile.contract %{{.*}}, %[[T]]
  // CHECK-NEXT:   tile.release
  // CHECK-NEXT:   tile.convert
  // CHECK-DAG:    %[[ID:.*]] = arith.constant 1 : i32
  // CHECK-DAG:    %[[THREADS:.*]] = arith.constant 128 : i32
  // CHECK-NEXT:   nvvm.barrier id = %[[ID]] number_of_threads = %[[THREADS]]
  // CHECK-NEXT:   tile.extract
  // CHECK:      } producers 1 {
  // CHECK:        tile.convert
  // CHECK-DAG:    %[[ID:.*]] = arith.constant 2 : i32
  // CHECK-DAG:    %[[THREADS:.*]] = arith.constant 32 : i32
  // CHECK-NEXT:   nvvm.barrier id = %[[ID]] number_of_threads = %[[THREADS]]
  // CHECK-NEXT:   tile.extract
  // CHECK-NEXT:   tile.send
  // CHECK-NEXT: }
  // CHECK-NOT: gpu.barrier
  // CHECK: gpu.return
  gpu.func @roles(%x: memref<64x64xf16>, %p: !tile.fragment<64x64xf16, #acc>, %q: !tile.fragment<16x64xf16, #tile.mma<warps = [1, 1]>>, %acc: !tile.fragment<64x64xf32, #acc>) kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %c0 = arith.constant 0 : index
    %keys = tile.channel from 1 to 4 : <<64x64xf16>, stages = 2>
    %a = tile.load %x[%c0, %c0] along [0, 1] : memref<64x64xf16> -> !tile.shared<64x64xf16>
    tile.warp_specialize consumers 4 {
      %t = tile.receive %keys at %c0 : <<64x64xf16>, stages = 2>
      %s = tile.contract %p, %t, %acc : !tile.fragment<64x64xf16, #acc>, !tile.shared<64x64xf16>, !tile.fragment<64x64xf32, #acc>
      tile.release %keys at %c0 : <<64x64xf16>, stages = 2>
      %u = tile.convert %p : !tile.fragment<64x64xf16, #acc> -> !tile.shared<64x64xf16>
      %e = tile.extract %u[%c0, %c0] : !tile.shared<64x64xf16>
    } producers 1 {
      %u = tile.convert %q : !tile.fragment<16x64xf16, #tile.mma<warps = [1, 1]>> -> !tile.shared<16x64xf16>
      %e = tile.extract %u[%c0, %c0] : !tile.shared<16x64xf16>
      tile.send %x[%c0, %c0] along [0, 1] to %keys at %c0 : memref<64x64xf16> to <<64x64xf16>, stages = 2>
    }
    gpu.return
  }
}
