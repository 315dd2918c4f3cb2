// RUN: stof-opt %s --stof-lower-to-tile --canonicalize --cse -split-input-file | FileCheck %s

/// A matmul loops over K tiles and ends with its epilogue. The
/// right operand is read in the order in which it lies in memory.

#lhs = affine_map<(d0, d1, d2) -> (d0, d2)>
#rhs = affine_map<(d0, d1, d2) -> (d1, d2)>
#out = affine_map<(d0, d1, d2) -> (d0, d1)>
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>

// CHECK-LABEL: gpu.func @linear_0_contract
// CHECK-SAME: %[[BIAS:.*]]: memref<80xf32>, %[[Y:.*]]: memref<100x80xf16>, %[[A:.*]]: memref<100x48xf16>, %[[B:.*]]: memref<80x48xf16>
// CHECK: %[[SUM:.*]] = scf.for %[[K:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[ACC:.*]] =
// CHECK:   %[[TA:.*]] = tile.load %[[A]][%[[ROW:.*]], %[[K]]] along [0, 1] {{.*}} -> !tile.shared<64x32xf16>
// CHECK:   %[[TB:.*]] = tile.load %[[B]][%[[COLUMN:.*]], %[[K]]] along [0, 1] {{.*}} -> !tile.shared<64x32xf16>
// CHECK:   tile.contract %[[TA]], %[[TB]], %[[ACC]] transpose_rhs
// CHECK: %[[RUNS:.*]] = tile.convert %[[SUM]] : {{.*}} -> !tile.fragment<64x64xf32, #mma_runs>
// CHECK: %[[ADDED:.*]] = tile.load %[[BIAS]][%[[COLUMN]]] along [0] {{.*}} -> !tile.fragment<64xf32, #slice>
// CHECK: %[[DONE:.*]] = tile.map ins(%[[RUNS]], %[[ADDED]]
// CHECK:   arith.addf
// CHECK:   arith.truncf
// CHECK: tile.store %[[DONE]], %[[Y]][%[[ROW]], %[[COLUMN]]] along [0, 1]
func.func @linear(%a: tensor<100x48xf16>, %w: tensor<80x48xf16>, %bias: tensor<80xf32>) -> tensor<100x80xf16> {
  %y = stof.group ins(%a, %w, %bias : tensor<100x48xf16>, tensor<80x48xf16>, tensor<80xf32>) {
  ^bb0(%x: tensor<100x48xf16>, %v: tensor<80x48xf16>, %c: tensor<80xf32>):
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<100x80xf32>
    %h = tensor.empty() : tensor<100x80xf16>
    %0 = linalg.fill ins(%zero : f32) outs(%e : tensor<100x80xf32>) -> tensor<100x80xf32>
    %1 = linalg.contract indexing_maps = [#lhs, #rhs, #out] ins(%x, %v : tensor<100x48xf16>, tensor<80x48xf16>) outs(%0 : tensor<100x80xf32>) -> tensor<100x80xf32>
    %2 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%1, %c : tensor<100x80xf32>, tensor<80xf32>) outs(%h : tensor<100x80xf16>) {
    ^bb0(%s: f32, %b: f32, %out: f16):
      %3 = arith.addf %s, %b : f32
      %4 = arith.truncf %3 : f32 to f16
      linalg.yield %4 : f16
    } -> tensor<100x80xf16>
    stof.yield %2 : tensor<100x80xf16>
  } -> tensor<100x80xf16>
  return %y : tensor<100x80xf16>
}

// -----

/// A sum over rows has a warp for each row, which it holds; the square is
/// computed on the way.

#in = affine_map<(d0, d1) -> (d0, d1)>
#out = affine_map<(d0, d1) -> (d0)>

// CHECK: #[[LAYOUT:.*]] = #tile.blocked<elements = [1, 4], lanes = [1, 32], warps = [4, 1]>
// CHECK-LABEL: gpu.func @squares_0_generic
// CHECK-SAME: (%[[X:.*]]: memref<10x700xf32>, %[[START:[^ ]*]]: memref<10xf32>, %[[Y:[^ ]*]]: memref<10xf32>)
// CHECK: %[[TILE:.*]] = tile.load %[[X]][%[[ROW:.*]], %{{.*}}] along [0, 1] {{.*}} -> !tile.fragment<4x768xf32, #[[LAYOUT]]>
// CHECK: %[[PARTIAL:.*]] = tile.map ins(%[[TILE]]
// CHECK:   arith.mulf
// CHECK:   arith.cmpi slt, %{{.*}}, %c700
// CHECK:   arith.select
// CHECK: %[[ROWS:.*]] = tile.reduce %[[PARTIAL]] along 1
// CHECK: %[[FIRST:.*]] = tile.load %[[START]][%[[ROW]]] along [0]
// CHECK: %[[SUMS:.*]] = tile.map ins(%[[FIRST]], %[[ROWS]]
// CHECK: tile.store %[[SUMS]], %[[Y]][%[[ROW]]] along [0]
func.func @squares(%x: tensor<10x700xf32>, %start: tensor<10xf32>) -> tensor<10xf32> {
  %y = stof.group ins(%x, %start : tensor<10x700xf32>, tensor<10xf32>) {
  ^bb0(%a: tensor<10x700xf32>, %b: tensor<10xf32>):
    %0 = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<10x700xf32>) outs(%b : tensor<10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1 = arith.mulf %in, %in : f32
      %2 = arith.addf %out, %1 : f32
      linalg.yield %2 : f32
    } -> tensor<10xf32>
    stof.yield %0 : tensor<10xf32>
  } -> tensor<10xf32>
  return %y : tensor<10xf32>
}

// -----

/// A reduction of two results has no better kernel than a loop for each.

#in = affine_map<(d0, d1) -> (d0, d1)>
#out = affine_map<(d0, d1) -> (d0)>

// CHECK-LABEL: gpu.func @argmax_0_generic
// CHECK: tile.map {
// CHECK:   scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) -> (f32, i64)
// CHECK: -> !tile.fragment<{{.*}}xf32, #{{.*}}>, !tile.fragment<{{.*}}xi64, #{{.*}}>
func.func @argmax(%x: tensor<10x7xf32>) -> (tensor<10xf32>, tensor<10xi64>) {
  %y:2 = stof.group ins(%x : tensor<10x7xf32>) {
  ^bb0(%a: tensor<10x7xf32>):
    %low = arith.constant 0xFF800000 : f32
    %zero = arith.constant 0 : i64
    %e = tensor.empty() : tensor<10xf32>
    %p = tensor.empty() : tensor<10xi64>
    %m = linalg.fill ins(%low : f32) outs(%e : tensor<10xf32>) -> tensor<10xf32>
    %i = linalg.fill ins(%zero : i64) outs(%p : tensor<10xi64>) -> tensor<10xi64>
    %0:2 = linalg.generic {indexing_maps = [#in, #out, #out], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<10x7xf32>) outs(%m, %i : tensor<10xf32>, tensor<10xi64>) {
    ^bb0(%in: f32, %max: f32, %at: i64):
      %1 = linalg.index 1 : index
      %2 = arith.index_cast %1 : index to i64
      %3 = arith.maximumf %in, %max : f32
      %4 = arith.cmpf ogt, %in, %max : f32
      %5 = arith.select %4, %2, %at : i64
      linalg.yield %3, %5 : f32, i64
    } -> (tensor<10xf32>, tensor<10xi64>)
    stof.yield %0#0, %0#1 : tensor<10xf32>, tensor<10xi64>
  } -> tensor<10xf32>, tensor<10xi64>
  return %y#0, %y#1 : tensor<10xf32>, tensor<10xi64>
}

// -----

/// An unused result is not stored.

#in = affine_map<(d0, d1) -> (d0, d1)>
#out = affine_map<(d0, d1) -> (d0)>

// CHECK-LABEL: func @position_of_maximum
// CHECK-NOT: memref.alloc
// CHECK: gpu.launch_func {{.*}} args(%{{[^,]*}} : memref<10x7xf32>, %{{[^,]*}} : memref<1x10xi64>)
func.func @position_of_maximum(%x: tensor<10x7xf32>) -> tensor<10xi64> {
  %y = stof.group ins(%x : tensor<10x7xf32>) {
  ^bb0(%a: tensor<10x7xf32>):
    %low = arith.constant 0xFF800000 : f32
    %zero = arith.constant 0 : i64
    %e = tensor.empty() : tensor<10xf32>
    %p = tensor.empty() : tensor<10xi64>
    %m = linalg.fill ins(%low : f32) outs(%e : tensor<10xf32>) -> tensor<10xf32>
    %i = linalg.fill ins(%zero : i64) outs(%p : tensor<10xi64>) -> tensor<10xi64>
    %0:2 = linalg.generic {indexing_maps = [#in, #out, #out], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<10x7xf32>) outs(%m, %i : tensor<10xf32>, tensor<10xi64>) {
    ^bb0(%in: f32, %max: f32, %at: i64):
      %1 = linalg.index 1 : index
      %2 = arith.index_cast %1 : index to i64
      %3 = arith.maximumf %in, %max : f32
      %4 = arith.cmpf ogt, %in, %max : f32
      %5 = arith.select %4, %2, %at : i64
      linalg.yield %3, %5 : f32, i64
    } -> (tensor<10xf32>, tensor<10xi64>)
    stof.yield %0#1 : tensor<10xi64>
  } -> tensor<10xi64>
  return %y : tensor<10xi64>
}
