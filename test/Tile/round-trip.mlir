// RUN: stof-opt %s | FileCheck %s

#acc = #tile.mma<warps = [4, 1]>
#rows = #tile.slice<1, #acc>

/// One step of attention: scores, row maximum, weights. Layouts have names.

// CHECK: #[[ACC:.*]] = #tile.mma<warps = [4, 1]>
// CHECK: #[[ROWS:.*]] = #tile.slice<1, #[[ACC]]>

// CHECK-LABEL: gpu.func @step
gpu.module @kernels {
  gpu.func @step(%q: memref<2x4x?x16xf16>, %k: memref<2x4x?x16xf16>, %o: memref<2x4x?x64xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %q0 = gpu.block_id x
    // CHECK: tile.load %{{.*}}[%{{.*}}] along [2, 3] : memref<2x4x?x16xf16> -> !tile.shared<64x16xf16>
    %qs = tile.load %q[%c0, %c0, %q0, %c0] along [2, 3] : memref<2x4x?x16xf16> -> !tile.shared<64x16xf16>
    %ks = tile.load %k[%c0, %c0, %c0, %c0] along [2, 3] : memref<2x4x?x16xf16> -> !tile.shared<64x16xf16>
    // CHECK: tile.splat %{{.*}} : !tile.fragment<64x64xf32, #[[ACC]]>
    %init = tile.splat %zero : !tile.fragment<64x64xf32, #acc>
    // CHECK: tile.contract %{{.*}}, %{{.*}}, %{{.*}} transpose_rhs
    %s = tile.contract %qs, %ks, %init transpose_rhs
      : !tile.shared<64x16xf16>, !tile.shared<64x16xf16>, !tile.fragment<64x64xf32, #acc>
    // CHECK: tile.reduce %{{.*}} along 1 {
    %m = tile.reduce %s along 1 {
    ^bb0(%a: f32, %b: f32):
      %c = arith.maxnumf %a, %b : f32
      tile.yield %c : f32
    } : !tile.fragment<64x64xf32, #acc> -> !tile.fragment<64xf32, #rows>
    // CHECK: tile.map ins(%{{.*}}, %{{.*}} : !tile.fragment<64x64xf32, #[[ACC]]>, !tile.fragment<64xf32, #[[ROWS]]>) {
    %p = tile.map ins(%s, %m : !tile.fragment<64x64xf32, #acc>, !tile.fragment<64xf32, #rows>) {
    ^bb0(%r: index, %c: index, %x: f32, %y: f32):
      %d = arith.subf %x, %y : f32
      %e = math.exp2 %d : f32
      %h = arith.truncf %e : f32 to f16
      tile.yield %h : f16
    } -> !tile.fragment<64x64xf16, #acc>
    // CHECK: tile.store %{{.*}}, %{{.*}}[%{{.*}}] along [2, 3]
    tile.store %p, %o[%c0, %c0, %q0, %c0] along [2, 3] : !tile.fragment<64x64xf16, #acc>, memref<2x4x?x64xf16>
    gpu.return
  }
}

/// Loads that take a buffer, under a condition, and waiting for two at once.

// CHECK-LABEL: func @early
// CHECK: %[[E:.*]] = tile.empty : !tile.shared<64x16xf16>
// CHECK: %[[A:.*]] = tile.load %{{.*}} along [0, 1] over %[[E]] : memref<?x16xf16> -> !tile.shared<64x16xf16>
// CHECK: %[[B:.*]] = tile.load %{{.*}} along [0, 1] when %{{.*}} : memref<?x16xf16> -> !tile.shared<64x16xf16>
// CHECK: %{{.*}}:2 = tile.await %[[A]], %[[B]] : !tile.shared<64x16xf16>, !tile.shared<64x16xf16>
func.func @early(%m: memref<?x16xf16>, %i: index, %more: i1) {
  %e = tile.empty : !tile.shared<64x16xf16>
  %a = tile.load %m[%i, %i] along [0, 1] over %e : memref<?x16xf16> -> !tile.shared<64x16xf16>
  %b = tile.load %m[%i, %i] along [0, 1] when %more : memref<?x16xf16> -> !tile.shared<64x16xf16>
  %c:2 = tile.await %a, %b : !tile.shared<64x16xf16>, !tile.shared<64x16xf16>
  return
}

/// CTAs take numbers of a counter.

// CHECK-LABEL: func.func @counter(
// CHECK-SAME: %[[COUNTER:.*]]: memref<1xi32>)
// CHECK-NEXT: %{{.*}} = tile.claim %[[COUNTER]] : memref<1xi32>
func.func @counter(%counter: memref<1xi32>) -> index {
  %n = tile.claim %counter : memref<1xi32>
  return %n : index
}

/// What other threads hold is read by way of shared memory.

// CHECK-LABEL: gpu.func @swap
// CHECK: %[[S:.*]] = tile.convert
// CHECK: tile.extract %[[S]][%{{.*}}, %{{.*}}] : !tile.shared<64x64xf16>
gpu.module @swaps {
  gpu.func @swap(%x: !tile.fragment<64x64xf16, #acc>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c32 = arith.constant 32 : index
    %s = tile.convert %x : !tile.fragment<64x64xf16, #acc> -> !tile.shared<64x64xf16>
    %y = tile.map {
    ^bb0(%r: index, %c: index):
      %other = arith.xori %c, %c32 : index
      %e = tile.extract %s[%r, %other] : !tile.shared<64x64xf16>
      tile.yield %e : f16
    } -> !tile.fragment<64x64xf16, #acc>
    gpu.return
  }
}
