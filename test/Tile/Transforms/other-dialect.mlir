// REQUIRES: shared-mlir
// RUN: stof-opt %s --load-dialect-plugin=%test_lib/TestTiles.so --pass-pipeline='builtin.module(gpu.module(gpu.func(stof-allocate-shared-memory,stof-insert-barriers)))' | FileCheck %s
// RUN: stof-opt %s --load-dialect-plugin=%test_lib/TestTiles.so --pass-pipeline='builtin.module(gpu.module(gpu.func(stof-pipeline-loads)))' | FileCheck %s --check-prefix=LOADS
// RUN: stof-opt %s --load-dialect-plugin=%test_lib/TestTiles.so --stof-to-ptx=chip=sm_80 | FileCheck %s --check-prefix=PTX

/// Operations that a plugin defines: each gets its shared memory, the barriers
/// around it and its code.

#line = #tile.blocked<elements = [2], lanes = [32], warps = [4]>
#tile = #tile.blocked<elements = [1, 4], lanes = [4, 8], warps = [4, 1]>

gpu.module @kernels {
  /// Both operations exchange elements in one place. The barrier between them
  /// lets all threads read the first result before the second overwrites it;
  /// the barriers within are part of the code.

  // CHECK-LABEL: gpu.func @reverse
  // CHECK-SAME: tile.shared_bytes = 1024 : i64
  // CHECK-NOT: gpu.barrier
  // CHECK: test_tiles.reverse %{{.*}} {tile.offset = 0 : i64}
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: test_tiles.reverse %{{.*}} {tile.offset = 0 : i64}
  // CHECK-NOT: gpu.barrier
  // CHECK: gpu.return
  // PTX: .entry reverse(
  // PTX: st.shared.v2.b32
  // PTX: bar.sync
  // PTX-COUNT-2: ld.shared.b32
  // PTX: bar.sync
  // PTX: st.shared.v2.b32
  // PTX: bar.sync
  // PTX-COUNT-2: ld.shared.b32
  // PTX: st.global.v2.b32
  gpu.func @reverse(%x: memref<256xf32>, %once: memref<256xf32>, %twice: memref<256xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %v = tile.load %x[%c0] along [0] : memref<256xf32> -> !tile.fragment<256xf32, #line>
    %r = test_tiles.reverse %v : !tile.fragment<256xf32, #line>
    %s = test_tiles.reverse %r : !tile.fragment<256xf32, #line>
    tile.store %r, %once[%c0] along [0] : !tile.fragment<256xf32, #line>, memref<256xf32>
    tile.store %s, %twice[%c0] along [0] : !tile.fragment<256xf32, #line>, memref<256xf32>
    gpu.return
  }

  /// The source has arrived before it is read, and the result is written before
  /// other threads read it. It has a buffer of its own, next to that of the source.
  /// A loop loads the next source while threads copy.

  // CHECK-LABEL: gpu.func @transpose
  // CHECK-SAME: tile.shared_bytes = 8192 : i64
  // CHECK: tile.load {{.*}} {tile.offset = 0 : i64}
  // CHECK-NEXT: nvvm.cp.async.wait.group 0
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: test_tiles.transpose %{{.*}} {tile.offset = 4096 : i64}
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: tile.map
  // LOADS-LABEL: gpu.func @transpose
  // LOADS: %[[SOURCE:.*]] = tile.await
  // LOADS: tile.load {{.*}} over
  // LOADS: test_tiles.transpose %[[SOURCE]]
  // PTX: .entry transpose(
  // PTX: cp.async.cg.shared.global
  // PTX: cp.async.wait_group \090;\0A\09bar.sync
  // PTX: ld.shared.b16
  // PTX: st.shared.b16
  // PTX: bar.sync
  // PTX: ld.shared.b16
  gpu.func @transpose(%x: memref<?x64xf16>, %y: memref<64x?xf16>, %n: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant 0.0 : f16
    %none = tile.splat %zero : !tile.fragment<64x32xf16, #tile>
    %sum = scf.for %i = %c0 to %n step %c32 iter_args(%before = %none) -> (!tile.fragment<64x32xf16, #tile>) {
      %s = tile.load %x[%i, %c0] along [0, 1] : memref<?x64xf16> -> !tile.shared<32x64xf16>
      %t = test_tiles.transpose %s : !tile.shared<32x64xf16> -> !tile.shared<64x32xf16>
      %after = tile.map ins(%before : !tile.fragment<64x32xf16, #tile>) {
      ^bb0(%row: index, %column: index, %b: f16):
        %e = tile.extract %t[%row, %column] : !tile.shared<64x32xf16>
        %a = arith.addf %b, %e : f16
        tile.yield %a : f16
      } -> !tile.fragment<64x32xf16, #tile>
      scf.yield %after : !tile.fragment<64x32xf16, #tile>
    }
    tile.store %sum, %y[%c0, %c0] along [0, 1] : !tile.fragment<64x32xf16, #tile>, memref<64x?xf16>
    gpu.return
  }
}
