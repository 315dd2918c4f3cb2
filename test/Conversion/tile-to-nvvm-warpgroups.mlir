// RUN: stof-opt %s --stof-tile-to-nvvm=warpgroups=true --canonicalize --cse | FileCheck %s
// RUN: stof-opt %s --stof-tile-to-nvvm | FileCheck %s --check-prefix=WARPS

/// Where warpgroups multiply nothing else does, and without them warps do.

// WARPS-NOT: wgmma

#acc = #tile.mma<warps = [8, 1]>
#one = #tile.mma<warps = [4, 1]>

gpu.module @kernels {
  /// Each of two warpgroups multiplies 64 rows with all columns: four steps of
  /// 16 along rows of 128 bytes. The sums are waited for.

  // CHECK-LABEL: gpu.func @two_groups
  gpu.func @two_groups(%x: memref<128x64xf16>, %w: memref<128x64xf16>, %y: memref<128x128xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    // CHECK: %[[WARP:.*]] = arith.shrui %{{.*}}, %c5_i32
    // CHECK: %[[GROUP:.*]] = arith.shrui %[[WARP]], %c2_i32
    // CHECK: %[[ROWS:.*]] = arith.muli %[[GROUP]], %c8192_i32
    // CHECK: %[[A:.*]] = llvm.getelementptr %{{.*}}[%[[ROWS]]] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
    // CHECK: %[[AT:.*]] = llvm.ptrtoint %[[A]] : !llvm.ptr<3> to i64
    // CHECK: arith.shrui %[[AT]], %c4_i64
    // CHECK: %[[LHS:.*]] = arith.ori
    // CHECK: %[[RHS:.*]] = arith.ori
    // CHECK: llvm.inline_asm has_side_effects "{{.*}}fence.proxy.async.shared::cta;\0Awgmma.fence.sync.aligned;
    // CHECK-SAME: \0Aadd.s64 lhs, $128, 0;\0Aadd.s64 rhs, $129, 0;\0Awgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {$0, {{[^}]*}}, $63}, lhs, rhs, accumulate, 1, 1, 0, 0;
    // CHECK-SAME: \0Aadd.s64 lhs, $128, 2;\0Aadd.s64 rhs, $129, 2;
    // CHECK-SAME: add.s64 lhs, $128, 4;
    // CHECK-SAME: add.s64 lhs, $128, 6;
    // CHECK-SAME: wgmma.commit_group.sync.aligned;\0A}",
    // CHECK-SAME: l,l,~{memory}" {{.*}}%[[LHS]], %[[RHS]]
    // CHECK: llvm.inline_asm has_side_effects "wgmma.wait_group.sync.aligned 0;"
    %s = tile.splat %zero : !tile.fragment<128x128xf32, #acc>
    %a = tile.load %x[%c0, %c0] along [0, 1] {tile.offset = 0 : i64} : memref<128x64xf16> -> !tile.shared<128x64xf16>
    %b = tile.load %w[%c0, %c0] along [0, 1] {tile.offset = 16384 : i64} : memref<128x64xf16> -> !tile.shared<128x64xf16>
    %r = tile.contract %a, %b, %s transpose_rhs : !tile.shared<128x64xf16>, !tile.shared<128x64xf16>, !tile.fragment<128x128xf32, #acc>
    tile.store %r, %y[%c0, %c0] along [0, 1] : !tile.fragment<128x128xf32, #acc>, memref<128x128xf32>
    gpu.return
  }

  /// What lies the other way round is read so, if a row of it takes 128 bytes:
  /// steps have a stride of 16 such rows.

  // CHECK-LABEL: gpu.func @transposed
  gpu.func @transposed(%x: memref<64x64xbf16>, %y: memref<64x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    // CHECK: add.s64 rhs, $65, 128;\0Awgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {{[^}]*}}}, lhs, rhs, accumulate, 1, 1, 1, 1;
    %s = tile.splat %zero : !tile.fragment<64x64xf32, #one>
    %a = tile.load %x[%c0, %c0] along [0, 1] {tile.offset = 0 : i64} : memref<64x64xbf16> -> !tile.shared<64x64xbf16>
    %r = tile.contract %a, %a, %s transpose_lhs : !tile.shared<64x64xbf16>, !tile.shared<64x64xbf16>, !tile.fragment<64x64xf32, #one>
    tile.store %r, %y[%c0, %c0] along [0, 1] : !tile.fragment<64x64xf32, #one>, memref<64x64xf32>
    gpu.return
  }

  /// A row of more than 128 bytes lies in panels, whose distance matmuls know:
  /// 8192 bytes, 512 times 16.

  // CHECK-LABEL: gpu.func @panels
  // CHECK: %[[LHS:.*]] = arith.ori %{{.*}}, %c4611686293338849280_i64
  // CHECK: %[[RHS:.*]] = arith.ori %{{.*}}, %c4611686293338849280_i64
  // CHECK: wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {{[^}]*}}}, lhs, rhs, accumulate, 1, 1, 0, 1;
  gpu.func @panels(%x: memref<64x64xf16>, %w: memref<64x128xf16>, %y: memref<64x128xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %s = tile.splat %zero : !tile.fragment<64x128xf32, #one>
    %a = tile.load %x[%c0, %c0] along [0, 1] {tile.offset = 0 : i64} : memref<64x64xf16> -> !tile.shared<64x64xf16>
    %b = tile.load %w[%c0, %c0] along [0, 1] {tile.offset = 8192 : i64} : memref<64x128xf16> -> !tile.shared<64x128xf16>
    %r = tile.contract %a, %b, %s : !tile.shared<64x64xf16>, !tile.shared<64x128xf16>, !tile.fragment<64x128xf32, #one>
    tile.store %r, %y[%c0, %c0] along [0, 1] : !tile.fragment<64x128xf32, #one>, memref<64x128xf32>
    gpu.return
  }

  /// Rows of less than 128 bytes are left to warps.

  // CHECK-LABEL: gpu.func @negative_short_rows
  // CHECK-NOT: wgmma
  // CHECK: nvvm.mma.sync
  gpu.func @negative_short_rows(%x: memref<64x32xf16>, %y: memref<64x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %s = tile.splat %zero : !tile.fragment<64x64xf32, #one>
    %a = tile.load %x[%c0, %c0] along [0, 1] {tile.offset = 0 : i64} : memref<64x32xf16> -> !tile.shared<64x32xf16>
    %r = tile.contract %a, %a, %s transpose_rhs : !tile.shared<64x32xf16>, !tile.shared<64x32xf16>, !tile.fragment<64x64xf32, #one>
    tile.store %r, %y[%c0, %c0] along [0, 1] : !tile.fragment<64x64xf32, #one>, memref<64x64xf32>
    gpu.return
  }

  /// Loads are issued while matmuls are under way; a barrier waits for them, as
  /// other threads may overwrite what they read.

  // CHECK-LABEL: gpu.func @under_way
  gpu.func @under_way(%x: memref<64x64xf16>, %y: memref<64x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %s = tile.splat %zero : !tile.fragment<64x64xf32, #one>
    %a = tile.load %x[%c0, %c0] along [0, 1] {tile.offset = 0 : i64} : memref<64x64xf16> -> !tile.shared<64x64xf16>
    // CHECK: wgmma.commit_group
    %r = tile.contract %a, %a, %s transpose_rhs : !tile.shared<64x64xf16>, !tile.shared<64x64xf16>, !tile.fragment<64x64xf32, #one>
    // CHECK: cp.async
    // CHECK: wgmma.wait_group
    // CHECK: gpu.barrier
    %b = tile.load %x[%c0, %c0] along [0, 1] {tile.offset = 8192 : i64} : memref<64x64xf16> -> !tile.shared<64x64xf16>
    gpu.barrier
    // CHECK: wgmma.commit_group
    // CHECK: wgmma.wait_group
    %t = tile.contract %b, %b, %r transpose_rhs : !tile.shared<64x64xf16>, !tile.shared<64x64xf16>, !tile.fragment<64x64xf32, #one>
    tile.store %t, %y[%c0, %c0] along [0, 1] : !tile.fragment<64x64xf32, #one>, memref<64x64xf32>
    gpu.return
  }
}
