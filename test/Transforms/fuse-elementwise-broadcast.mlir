// RUN: stof-opt %s --pass-pipeline='builtin.module(func.func(stof-fuse-elementwise),canonicalize,cse)' -split-input-file | FileCheck %s

/// A weight that is transposed and copied for every batch is read where it
/// lies, by one matmul of all rows.

#copy = affine_map<(d0, d1, d2) -> (d1, d2)>
#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>

// CHECK: #[[ROWS:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK: #[[WEIGHT:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK: #[[RESULT:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-LABEL: func @copied_weight
// CHECK-SAME: %[[X:.*]]: tensor<8x512x64xf16>, %[[W:.*]]: tensor<32x64xf16>
// CHECK: %[[ALL:.*]] = tensor.collapse_shape %[[X]] {{\[\[}}0, 1], [2]]
// CHECK: %[[ZERO:.*]] = linalg.fill {{.*}} outs({{.*}} : tensor<4096x32xf32>)
// CHECK: %[[Y:.*]] = linalg.contract indexing_maps = [#[[ROWS]], #[[WEIGHT]], #[[RESULT]]] ins(%[[ALL]], %[[W]] : {{.*}}) outs(%[[ZERO]] :
// CHECK: tensor.expand_shape %[[Y]] {{\[\[}}0, 1], [2]]
func.func @copied_weight(%x: tensor<8x512x64xf16>, %w: tensor<32x64xf16>) -> tensor<8x512x32xf32> {
  %c0 = arith.constant 0.0 : f32
  %t0 = tensor.empty() : tensor<64x32xf16>
  %t = linalg.transpose ins(%w : tensor<32x64xf16>) outs(%t0 : tensor<64x32xf16>) permutation = [1, 0]
  %b0 = tensor.empty() : tensor<8x64x32xf16>
  %b = linalg.generic {indexing_maps = [#copy, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t : tensor<64x32xf16>) outs(%b0 : tensor<8x64x32xf16>) {
  ^bb0(%a: f16, %o: f16):
    linalg.yield %a : f16
  } -> tensor<8x64x32xf16>
  %y0 = tensor.empty() : tensor<8x512x32xf32>
  %z = linalg.fill ins(%c0 : f32) outs(%y0 : tensor<8x512x32xf32>) -> tensor<8x512x32xf32>
  %y = linalg.batch_matmul ins(%x, %b : tensor<8x512x64xf16>, tensor<8x64x32xf16>) outs(%z : tensor<8x512x32xf32>) -> tensor<8x512x32xf32>
  return %y : tensor<8x512x32xf32>
}

// -----

/// Lengths may be known at run time.

#copy = affine_map<(d0, d1, d2) -> (d1, d2)>
#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>

// CHECK-LABEL: func @copied_for_some_batches
// CHECK-SAME: %[[X:.*]]: tensor<?x?x64xf32>, %[[W:.*]]: tensor<64x32xf32>
// CHECK-NOT: linalg.generic
// CHECK: %[[ALL:.*]] = tensor.collapse_shape %[[X]] {{\[\[}}0, 1], [2]] : tensor<?x?x64xf32> into tensor<?x64xf32>
// CHECK: linalg.contract {{.*}} ins(%[[ALL]], %[[W]] :
// CHECK: tensor.expand_shape {{.*}} : tensor<?x32xf32> into tensor<?x?x32xf32>
func.func @copied_for_some_batches(%x: tensor<?x?x64xf32>, %w: tensor<64x32xf32>, %b0: tensor<?x64x32xf32>, %z: tensor<?x?x32xf32>) -> tensor<?x?x32xf32> {
  %b = linalg.generic {indexing_maps = [#copy, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w : tensor<64x32xf32>) outs(%b0 : tensor<?x64x32xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<?x64x32xf32>
  %y = linalg.batch_matmul ins(%x, %b : tensor<?x?x64xf32>, tensor<?x64x32xf32>) outs(%z : tensor<?x?x32xf32>) -> tensor<?x?x32xf32>
  return %y : tensor<?x?x32xf32>
}

// -----

/// A copy along what is summed over is no operand of a contraction.

#copy = affine_map<(d0, d1) -> (d1)>
#id = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: func @negative_copied_along_the_sum
// CHECK: linalg.generic
// CHECK: linalg.matmul
func.func @negative_copied_along_the_sum(%x: tensor<16x64xf32>, %w: tensor<32xf32>, %z: tensor<16x32xf32>) -> tensor<16x32xf32> {
  %b0 = tensor.empty() : tensor<64x32xf32>
  %b = linalg.generic {indexing_maps = [#copy, #id], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<32xf32>) outs(%b0 : tensor<64x32xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<64x32xf32>
  %y = linalg.matmul ins(%x, %b : tensor<16x64xf32>, tensor<64x32xf32>) outs(%z : tensor<16x32xf32>) -> tensor<16x32xf32>
  return %y : tensor<16x32xf32>
}

// -----

/// A batch that both operands are copied for stays one: a kernel has to make it.

#copy = affine_map<(d0, d1, d2) -> (d1, d2)>
#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>

// CHECK-LABEL: func @negative_both_copied
// CHECK: %[[B:.*]] = linalg.generic
// CHECK: linalg.contract {{.*}} ins({{.*}} : {{.*}}, {{.*}})
func.func @negative_both_copied(%x: tensor<16x64xf32>, %w: tensor<64x32xf32>, %z: tensor<8x16x32xf32>) -> tensor<8x16x32xf32> {
  %a0 = tensor.empty() : tensor<8x16x64xf32>
  %a = linalg.generic {indexing_maps = [#copy, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<16x64xf32>) outs(%a0 : tensor<8x16x64xf32>) {
  ^bb0(%e: f32, %o: f32):
    linalg.yield %e : f32
  } -> tensor<8x16x64xf32>
  %b0 = tensor.empty() : tensor<8x64x32xf32>
  %b = linalg.generic {indexing_maps = [#copy, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w : tensor<64x32xf32>) outs(%b0 : tensor<8x64x32xf32>) {
  ^bb0(%e: f32, %o: f32):
    linalg.yield %e : f32
  } -> tensor<8x64x32xf32>
  %y = linalg.batch_matmul ins(%a, %b : tensor<8x16x64xf32>, tensor<8x64x32xf32>) outs(%z : tensor<8x16x32xf32>) -> tensor<8x16x32xf32>
  return %y : tensor<8x16x32xf32>
}

// -----

/// What is computed on the way is not folded.

#copy = affine_map<(d0, d1, d2) -> (d1, d2)>
#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>

// CHECK-LABEL: func @negative_computed
// CHECK: linalg.generic
// CHECK: arith.negf
// CHECK: linalg.batch_matmul
func.func @negative_computed(%x: tensor<8x16x64xf32>, %w: tensor<64x32xf32>, %z: tensor<8x16x32xf32>) -> tensor<8x16x32xf32> {
  %b0 = tensor.empty() : tensor<8x64x32xf32>
  %b = linalg.generic {indexing_maps = [#copy, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w : tensor<64x32xf32>) outs(%b0 : tensor<8x64x32xf32>) {
  ^bb0(%e: f32, %o: f32):
    %n = arith.negf %e : f32
    linalg.yield %n : f32
  } -> tensor<8x64x32xf32>
  %y = linalg.batch_matmul ins(%x, %b : tensor<8x16x64xf32>, tensor<8x64x32xf32>) outs(%z : tensor<8x16x32xf32>) -> tensor<8x16x32xf32>
  return %y : tensor<8x16x32xf32>
}

// -----

/// Rows of a slice do not follow each other in memory: they stay two loops.

#copy = affine_map<(d0, d1, d2) -> (d1, d2)>
#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>

// CHECK-LABEL: func @rows_in_a_piece
// CHECK: %[[PIECE:.*]] = tensor.extract_slice
// CHECK-NOT: tensor.collapse_shape
// CHECK: linalg.contract {{.*}} ins(%[[PIECE]], %{{.*}} : tensor<8x16x64xf32>, tensor<64x32xf32>)
func.func @rows_in_a_piece(%all: tensor<8x48x64xf32>, %w: tensor<64x32xf32>, %z: tensor<8x16x32xf32>) -> tensor<8x16x32xf32> {
  %x = tensor.extract_slice %all[0, 3, 0] [8, 16, 64] [1, 1, 1] : tensor<8x48x64xf32> to tensor<8x16x64xf32>
  %b0 = tensor.empty() : tensor<8x64x32xf32>
  %b = linalg.generic {indexing_maps = [#copy, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w : tensor<64x32xf32>) outs(%b0 : tensor<8x64x32xf32>) {
  ^bb0(%e: f32, %o: f32):
    linalg.yield %e : f32
  } -> tensor<8x64x32xf32>
  %y = linalg.batch_matmul ins(%x, %b : tensor<8x16x64xf32>, tensor<8x64x32xf32>) outs(%z : tensor<8x16x32xf32>) -> tensor<8x16x32xf32>
  return %y : tensor<8x16x32xf32>
}

// -----

/// A group yields what one of its operations computes, no reshape of it.

#rows = affine_map<(b, m, n, k) -> (b, m, k)>
#weight = affine_map<(b, m, n, k) -> (k, n)>
#result = affine_map<(b, m, n, k) -> (b, m, n)>

// CHECK-LABEL: func @negative_in_a_group
// CHECK-NOT: tensor.collapse_shape
// CHECK: %[[Y:.*]] = linalg.contract
// CHECK-NEXT: stof.yield %[[Y]]
func.func @negative_in_a_group(%x: tensor<8x16x64xf32>, %w: tensor<64x32xf32>, %z: tensor<8x16x32xf32>) -> tensor<8x16x32xf32> {
  %g = stof.group ins(%x, %w, %z : tensor<8x16x64xf32>, tensor<64x32xf32>, tensor<8x16x32xf32>) {
  ^bb0(%a: tensor<8x16x64xf32>, %b: tensor<64x32xf32>, %c: tensor<8x16x32xf32>):
    %y = linalg.contract indexing_maps = [#rows, #weight, #result] ins(%a, %b : tensor<8x16x64xf32>, tensor<64x32xf32>) outs(%c : tensor<8x16x32xf32>) -> tensor<8x16x32xf32>
    stof.yield %y : tensor<8x16x32xf32>
  } -> tensor<8x16x32xf32>
  return %g : tensor<8x16x32xf32>
}

// -----

/// What lies in memory stays as it is.

#rows = affine_map<(b, m, n, k) -> (b, m, k)>
#weight = affine_map<(b, m, n, k) -> (k, n)>
#result = affine_map<(b, m, n, k) -> (b, m, n)>

// CHECK-LABEL: func @negative_in_memory
// CHECK-SAME: %[[X:.*]]: memref<8x16x64xf32>, %[[W:.*]]: memref<64x32xf32>, %[[Y:.*]]: memref<8x16x32xf32>
// CHECK-NEXT: linalg.contract {{.*}} ins(%[[X]], %[[W]] : {{.*}}) outs(%[[Y]] :
func.func @negative_in_memory(%x: memref<8x16x64xf32>, %w: memref<64x32xf32>, %y: memref<8x16x32xf32>) {
  linalg.contract indexing_maps = [#rows, #weight, #result] ins(%x, %w : memref<8x16x64xf32>, memref<64x32xf32>) outs(%y : memref<8x16x32xf32>)
  return
}
