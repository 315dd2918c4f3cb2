// RUN: stof-opt %s --stof-to-tile=chip=sm_90a -split-input-file | FileCheck %s

/// Weights of heads that lie between others are read where they lie, one head
/// at a time.

// CHECK-LABEL: gpu.func @interleaved_0_contract
// CHECK-SAME: %[[W:[^:]*]]: memref<1024x16x3x64xf16>)
// CHECK: %[[HEADS:.*]] = memref.subview %[[W]]
// CHECK: tile.load %{{.*}} along [0, 1] : memref<8192x1024xf16> -> !tile.shared<128x64xf16>
// CHECK: tile.load %[[HEADS]][%{{.*}}, %{{.*}}, %c0] along [0, 2]
func.func @interleaved(%x: tensor<8192x1024xf16>, %w: tensor<1024x16x3x64xf16>) -> tensor<16x8192x64xf16> {
  %keys = tensor.extract_slice %w[0, 0, 1, 0] [1024, 16, 1, 64] [1, 1, 1, 1] : tensor<1024x16x3x64xf16> to tensor<1024x16x64xf16>
  %e = tensor.empty() : tensor<16x8192x64xf16>
  %zero = arith.constant 0.0 : f16
  %f = linalg.fill ins(%zero : f16) outs(%e : tensor<16x8192x64xf16>) -> tensor<16x8192x64xf16>
  %p = linalg.contract indexing_maps = [affine_map<(h, m, n, k) -> (m, k)>, affine_map<(h, m, n, k) -> (k, h, n)>, affine_map<(h, m, n, k) -> (h, m, n)>]
    ins(%x, %keys : tensor<8192x1024xf16>, tensor<1024x16x64xf16>) outs(%f : tensor<16x8192x64xf16>) -> tensor<16x8192x64xf16>
  return %p : tensor<16x8192x64xf16>
}

// -----

/// A tensor that is read both ways is loaded both ways, also where a square has
/// one shape for both.

// CHECK-LABEL: gpu.func @mirrored_0_generic
// CHECK: tile.load %[[X:.*]][%[[ROW:.*]], %[[COLUMN:.*]]] along [0, 1]
// CHECK: tile.load %[[X]][%[[COLUMN]], %[[ROW]]] along [1, 0]
func.func @mirrored(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %e = tensor.empty() : tensor<64x64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%x, %x : tensor<64x64xf32>, tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

// -----

/// The same of matmuls.

// CHECK-LABEL: gpu.func @both_ways_0_matmul
// CHECK: %[[ROWS:.*]] = tile.load %[[X:.*]][%[[ROW:.*]], %[[AT:.*]]] along [0, 1]
// CHECK: tile.contract %[[ROWS]], %{{.*}}, %{{.*}} :
// CHECK: %[[COLUMNS:.*]] = tile.load %[[X]][%[[AT]], %[[ROW]]] along [0, 1]
// CHECK: tile.contract %[[COLUMNS]], %{{.*}}, %{{.*}} transpose_lhs
func.func @both_ways(%x: tensor<512x512xf16>, %w: tensor<512x64xf16>, %init: tensor<512x64xf32>) -> tensor<512x64xf32> attributes {stof.scheme = #stof.scheme<"000">} {
  %e = tensor.empty() : tensor<512x64xf32>
  %p = linalg.matmul ins(%x, %w : tensor<512x512xf16>, tensor<512x64xf16>) outs(%init : tensor<512x64xf32>) -> tensor<512x64xf32>
  %q = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%x, %w : tensor<512x512xf16>, tensor<512x64xf16>) outs(%init : tensor<512x64xf32>) -> tensor<512x64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%p, %q : tensor<512x64xf32>, tensor<512x64xf32>) outs(%e : tensor<512x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.mulf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<512x64xf32>
  return %r : tensor<512x64xf32>
}

// -----

/// A division by a number that is not zero may be computed anywhere: its other
/// operands are loaded as tiles.

// CHECK-LABEL: gpu.func @constant_divisor_0_generic
// CHECK: tile.load %{{.*}} along [0, 1] : memref<1x1560xf32> -> !tile.fragment
func.func @constant_divisor(%x: tensor<65x24xf32>) -> tensor<65x24xf32> {
  %e = tensor.empty() : tensor<65x24xf32>
  %c2 = arith.constant 2 : index
  %c0 = arith.constant 0 : index
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%x : tensor<65x24xf32>) outs(%e : tensor<65x24xf32>) {
  ^bb0(%a: f32, %o: f32):
    %j = linalg.index 1 : index
    %rest = arith.remui %j, %c2 : index
    %even = arith.cmpi eq, %rest, %c0 : index
    %n = arith.negf %a : f32
    %s = arith.select %even, %a, %n : f32
    linalg.yield %s : f32
  } -> tensor<65x24xf32>
  return %r : tensor<65x24xf32>
}
