// RUN: stof-opt %s --pass-pipeline="builtin.module(gpu.module(gpu.func(stof-allocate-shared-memory)))" | FileCheck %s

#acc = #tile.mma<warps = [4, 1]>
#two = #tile.blocked<elements = [1, 4], lanes = [4, 8], warps = [2, 2]>

gpu.module @kernels {
  /// Operands that are in use together lie side by side.

  // CHECK-LABEL: gpu.func @side_by_side
  // CHECK-SAME: tile.shared_bytes = 16384 : i64
  gpu.func @side_by_side(%x: memref<64x64xf16>, %acc: !tile.fragment<64x64xf32, #acc>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    // CHECK: tile.load {{.*}} {tile.offset = 0 : i64}
    // CHECK: tile.load {{.*}} {tile.offset = 8192 : i64}
    %a = tile.load %x[%c0, %c0] along [0, 1] : memref<64x64xf16> -> !tile.shared<64x64xf16>
    %b = tile.load %x[%c0, %c0] along [0, 1] : memref<64x64xf16> -> !tile.shared<64x64xf16>
    %s = tile.contract %a, %b, %acc : !tile.shared<64x64xf16>, !tile.shared<64x64xf16>, !tile.fragment<64x64xf32, #acc>
    gpu.return
  }

  /// A tile that is no longer in use leaves its memory to the next.

  // CHECK-LABEL: gpu.func @one_after_the_other
  // CHECK-SAME: tile.shared_bytes = 8192 : i64
  gpu.func @one_after_the_other(%x: memref<64x64xf16>, %p: !tile.fragment<64x64xf16, #acc>, %acc: !tile.fragment<64x64xf32, #acc>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    // CHECK: tile.load {{.*}} {tile.offset = 0 : i64}
    // CHECK: tile.load {{.*}} {tile.offset = 0 : i64}
    %a = tile.load %x[%c0, %c0] along [0, 1] : memref<64x64xf16> -> !tile.shared<64x64xf16>
    %s = tile.contract %p, %a, %acc : !tile.fragment<64x64xf16, #acc>, !tile.shared<64x64xf16>, !tile.fragment<64x64xf32, #acc>
    %b = tile.load %x[%c0, %c0] along [0, 1] : memref<64x64xf16> -> !tile.shared<64x64xf16>
    %t = tile.contract %p, %b, %s : !tile.fragment<64x64xf16, #acc>, !tile.shared<64x64xf16>, !tile.fragment<64x64xf32, #acc>
    gpu.return
  }

  /// CTAs go one way or the other: a kernel has the memory of the larger
  /// branch, not of both.

  // CHECK-LABEL: gpu.func @branches
  // CHECK-SAME: tile.shared_bytes = 16384 : i64
  gpu.func @branches(%x: memref<64x64xf16>, %p: !tile.fragment<64x64xf16, #acc>, %acc: !tile.fragment<64x64xf32, #acc>, %first: i1) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    scf.if %first {
      // CHECK: tile.load {{.*}} {tile.offset = 0 : i64}
      // CHECK: tile.load {{.*}} {tile.offset = 8192 : i64}
      %a = tile.load %x[%c0, %c0] along [0, 1] : memref<64x64xf16> -> !tile.shared<64x64xf16>
      %b = tile.load %x[%c0, %c0] along [0, 1] : memref<64x64xf16> -> !tile.shared<64x64xf16>
      %s = tile.contract %a, %b, %acc : !tile.shared<64x64xf16>, !tile.shared<64x64xf16>, !tile.fragment<64x64xf32, #acc>
    } else {
      // CHECK: tile.load {{.*}} {tile.offset = 0 : i64}
      %a = tile.load %x[%c0, %c0] along [0, 1] : memref<64x64xf16> -> !tile.shared<64x64xf16>
      %s = tile.contract %p, %a, %acc : !tile.fragment<64x64xf16, #acc>, !tile.shared<64x64xf16>, !tile.fragment<64x64xf32, #acc>
    }
    gpu.return
  }

  /// What a loop uses from outside keeps its memory until the loop ends.

  // CHECK-LABEL: gpu.func @used_in_a_loop
  // CHECK-SAME: tile.shared_bytes = 16384 : i64
  gpu.func @used_in_a_loop(%x: memref<64x64xf16>, %acc: !tile.fragment<64x64xf32, #acc>, %n: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // CHECK: tile.load {{.*}} {tile.offset = 0 : i64}
    %a = tile.load %x[%c0, %c0] along [0, 1] : memref<64x64xf16> -> !tile.shared<64x64xf16>
    %s = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %acc) -> (!tile.fragment<64x64xf32, #acc>) {
      %t = tile.contract %a, %a, %sum : !tile.shared<64x64xf16>, !tile.shared<64x64xf16>, !tile.fragment<64x64xf32, #acc>
      // CHECK: tile.load {{.*}} {tile.offset = 8192 : i64}
      %b = tile.load %x[%i, %c0] along [0, 1] : memref<64x64xf16> -> !tile.shared<64x64xf16>
      %u = tile.contract %b, %b, %t : !tile.shared<64x64xf16>, !tile.shared<64x64xf16>, !tile.fragment<64x64xf32, #acc>
      scf.yield %u : !tile.fragment<64x64xf32, #acc>
    }
    gpu.return
  }

  /// Tiles that warpgroups can multiply start at whole windows of the exchange
  /// of their chunks, others at whole lines.

  // CHECK-LABEL: gpu.func @aligned
  // CHECK-SAME: tile.shared_bytes = 9216 : i64
  gpu.func @aligned(%x: memref<64x64xf16>, %y: memref<8x16xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    // CHECK: tile.load {{.*}} {tile.offset = 0 : i64} {{.*}} -> !tile.shared<8x16xf16>
    %a = tile.load %y[%c0, %c0] along [0, 1] : memref<8x16xf16> -> !tile.shared<8x16xf16>
    // CHECK: tile.load {{.*}} {tile.offset = 1024 : i64} {{.*}} -> !tile.shared<64x64xf16>
    %b = tile.load %x[%c0, %c0] along [0, 1] : memref<64x64xf16> -> !tile.shared<64x64xf16>
    // CHECK: tile.load {{.*}} {tile.offset = 256 : i64} {{.*}} -> !tile.shared<8x16xf16>
    %c = tile.load %y[%c0, %c0] along [0, 1] : memref<8x16xf16> -> !tile.shared<8x16xf16>
    %d = tile.load %y[%c0, %c0] along [0, 1] : memref<8x16xf16> -> !tile.shared<8x16xf16>
    tile.await %a, %b, %c, %d : !tile.shared<8x16xf16>, !tile.shared<64x64xf16>, !tile.shared<8x16xf16>, !tile.shared<8x16xf16>
    gpu.return
  }

  /// A reduction over warps and a change of layout need memory while they run.

  // CHECK-LABEL: gpu.func @for_a_while
  // CHECK-SAME: tile.shared_bytes = 16384 : i64
  gpu.func @for_a_while(%x: !tile.fragment<64x64xf32, #two>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    // CHECK: tile.reduce %{{.*}} along 1
    // CHECK: {tile.offset = 0 : i64}
    %m = tile.reduce %x along 1 {
    ^bb0(%a: f32, %b: f32):
      %c = arith.maxnumf %a, %b : f32
      tile.yield %c : f32
    } : !tile.fragment<64x64xf32, #two> -> !tile.fragment<64xf32, #tile.slice<1, #two>>
    // CHECK: tile.convert %{{.*}} {tile.offset = 0 : i64}
    %y = tile.convert %x : !tile.fragment<64x64xf32, #two> -> !tile.fragment<64x64xf32, #acc>
    gpu.return
  }

  /// A tile that takes the buffer of another needs none of its own; those that a
  /// loop carries keep theirs until the loop ends.

  // CHECK-LABEL: gpu.func @carried
  // CHECK-SAME: tile.shared_bytes = 24576 : i64
  gpu.func @carried(%x: memref<?x64xf16>, %p: !tile.fragment<64x64xf16, #acc>, %acc: !tile.fragment<64x64xf32, #acc>, %n: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    // CHECK: tile.empty {tile.offset = 0 : i64}
    // CHECK: tile.empty {tile.offset = 8192 : i64}
    // CHECK-NOT: tile.offset
    // CHECK: scf.for
    %e0 = tile.empty : !tile.shared<64x64xf16>
    %e1 = tile.empty : !tile.shared<64x64xf16>
    %k0 = tile.load %x[%c0, %c0] along [0, 1] over %e0 : memref<?x64xf16> -> !tile.shared<64x64xf16>
    %r:3 = scf.for %i = %c0 to %n step %c64 iter_args(%sum = %acc, %sent = %k0, %old = %e1) -> (!tile.fragment<64x64xf32, #acc>, !tile.shared<64x64xf16>, !tile.shared<64x64xf16>) {
      %k = tile.await %sent : !tile.shared<64x64xf16>
      %next = tile.load %x[%i, %c0] along [0, 1] over %old : memref<?x64xf16> -> !tile.shared<64x64xf16>
      %s = tile.contract %p, %k, %sum : !tile.fragment<64x64xf16, #acc>, !tile.shared<64x64xf16>, !tile.fragment<64x64xf32, #acc>
      // CHECK: tile.load {{.*}} {tile.offset = 16384 : i64}
      %b = tile.load %x[%i, %c0] along [0, 1] : memref<?x64xf16> -> !tile.shared<64x64xf16>
      %t = tile.contract %p, %b, %s : !tile.fragment<64x64xf16, #acc>, !tile.shared<64x64xf16>, !tile.fragment<64x64xf32, #acc>
      scf.yield %t, %next, %sent : !tile.fragment<64x64xf32, #acc>, !tile.shared<64x64xf16>, !tile.shared<64x64xf16>
    }
    // CHECK: tile.load {{.*}} {tile.offset = 0 : i64}
    %b = tile.load %x[%c0, %c0] along [0, 1] : memref<?x64xf16> -> !tile.shared<64x64xf16>
    gpu.return
  }

  /// A tile that leaves a loop may be in any of the buffers that the loop carries.

  // CHECK-LABEL: gpu.func @carried_out
  // CHECK-SAME: tile.shared_bytes = 24576 : i64
  gpu.func @carried_out(%x: memref<64x64xf16>, %n: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    // CHECK: tile.empty {tile.offset = 0 : i64}
    // CHECK: tile.empty {tile.offset = 8192 : i64}
    %e0 = tile.empty : !tile.shared<64x64xf16>
    %e1 = tile.empty : !tile.shared<64x64xf16>
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %e0, %t = %e1) -> (!tile.shared<64x64xf16>, !tile.shared<64x64xf16>) {
      scf.yield %t, %s : !tile.shared<64x64xf16>, !tile.shared<64x64xf16>
    }
    // CHECK: tile.load {{.*}} {tile.offset = 16384 : i64}
    %b = tile.load %x[%c0, %c0] along [0, 1] : memref<64x64xf16> -> !tile.shared<64x64xf16>
    tile.await %b, %r#0 : !tile.shared<64x64xf16>, !tile.shared<64x64xf16>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @negative_registers_only
  // CHECK-SAME: tile.shared_bytes = 0 : i64
  gpu.func @negative_registers_only(%x: memref<64x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    // CHECK-NOT: tile.offset
    %a = tile.load %x[%c0, %c0] along [0, 1] : memref<64x64xf32> -> !tile.fragment<64x64xf32, #acc>
    gpu.return
  }

  /// A channel keeps its memory to the end, stages and two barriers for each, since
  /// its roles do not wait for each other. A received tile has none of its own.

  // CHECK-LABEL: gpu.func @channels
  // CHECK-SAME: tile.shared_bytes = 43008 : i64
  gpu.func @channels(%x: memref<64x64xf16>, %p: !tile.fragment<64x64xf16, #acc>, %acc: !tile.fragment<64x64xf32, #acc>) kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %c0 = arith.constant 0 : index
    // CHECK: tile.channel from 1 to 4 {tile.offset = 0 : i64} : <<64x64xf16>, stages = 2>
    // CHECK: tile.channel from 1 to 4 {tile.offset = 17408 : i64} : <<64x64xf16>, stages = 2>
    %keys = tile.channel from 1 to 4 : <<64x64xf16>, stages = 2>
    %unused = tile.channel from 1 to 4 : <<64x64xf16>, stages = 2>
    tile.warp_specialize consumers 4 {
      // CHECK: tile.receive %{{.*}} at %c0 :
      %t = tile.receive %keys at %c0 : <<64x64xf16>, stages = 2>
      %s = tile.contract %p, %t, %acc : !tile.fragment<64x64xf16, #acc>, !tile.shared<64x64xf16>, !tile.fragment<64x64xf32, #acc>
      tile.release %keys at %c0 : <<64x64xf16>, stages = 2>
      // CHECK: tile.load {{.*}} {tile.offset = 34816 : i64}
      %a = tile.load %x[%c0, %c0] along [0, 1] : memref<64x64xf16> -> !tile.shared<64x64xf16>
      %u = tile.contract %p, %a, %s : !tile.fragment<64x64xf16, #acc>, !tile.shared<64x64xf16>, !tile.fragment<64x64xf32, #acc>
    } producers 1 {
      tile.send %x[%c0, %c0] along [0, 1] to %keys at %c0 : memref<64x64xf16> to <<64x64xf16>, stages = 2>
    }
    gpu.return
  }

  /// Producers run while consumers do: no tile of theirs is where one of consumers
  /// is, though these use their own one after the other.

  // CHECK-LABEL: gpu.func @roles
  // CHECK-SAME: tile.shared_bytes = 10240 : i64
  gpu.func @roles(%x: memref<64x64xf16>, %y: memref<16x64xf16>) kernel
      attributes {known_block_size = array<i32: 160, 1, 1>} {
    %c0 = arith.constant 0 : index
    tile.warp_specialize consumers 4 {
      // CHECK: tile.load {{.*}} {tile.offset = 0 : i64} {{.*}} -> !tile.shared<64x64xf16>
      // CHECK: tile.load {{.*}} {tile.offset = 0 : i64} {{.*}} -> !tile.shared<64x64xf16>
      %a = tile.load %x[%c0, %c0] along [0, 1] : memref<64x64xf16> -> !tile.shared<64x64xf16>
      %b = tile.load %x[%c0, %c0] along [0, 1] : memref<64x64xf16> -> !tile.shared<64x64xf16>
    } producers 1 {
      // CHECK: tile.load {{.*}} {tile.offset = 8192 : i64} {{.*}} -> !tile.shared<16x64xf16>
      %a = tile.load %y[%c0, %c0] along [0, 1] : memref<16x64xf16> -> !tile.shared<16x64xf16>
    }
    gpu.return
  }
}
