// RUN: stof-opt %s --pass-pipeline='builtin.module(func.func(stof-split-k{factor=4}))' -split-input-file | FileCheck %s

/// What the sum begins with comes last, and its type is the result's; batches and
/// transposed operands stay what they are.

#lhs = affine_map<(b, m, n, k) -> (b, k, m)>
#rhs = affine_map<(b, m, n, k) -> (k, b, n)>
#out = affine_map<(b, m, n, k) -> (b, n, m)>

// CHECK-LABEL: func @from_operand
// CHECK-SAME: (%[[X:.*]]: tensor<2x12x5xf16>, %[[W:.*]]: tensor<12x2x7xf16>, %[[INIT:.*]]: tensor<2x7x5xf16>)
// CHECK-DAG: %[[LEFT:.*]] = tensor.expand_shape %[[X]] {{\[\[}}0], [1, 2], [3]] output_shape [2, 4, 3, 5]
// CHECK-DAG: %[[RIGHT:.*]] = tensor.expand_shape %[[W]] {{\[\[}}0, 1], [2], [3]] output_shape [4, 3, 2, 7]
// CHECK: linalg.contract {{.*}} ins(%[[LEFT]], %[[RIGHT]] : {{.*}}) outs(%{{.*}} : tensor<4x2x7x5xf32>)
// CHECK: linalg.generic {{.*}} outs(%[[INIT]] : tensor<2x7x5xf16>)
// CHECK: ^bb0(%{{.*}}: f32, %{{.*}}: f32, %{{.*}}: f32, %{{.*}}: f32, %[[START:.*]]: f16):
// CHECK-COUNT-3: arith.addf
// CHECK: %[[WIDE:.*]] = arith.extf %[[START]]
// CHECK: %[[ALL:.*]] = arith.addf %{{.*}}, %[[WIDE]]
// CHECK: %[[CUT:.*]] = arith.truncf %[[ALL]]
// CHECK: linalg.yield %[[CUT]]
func.func @from_operand(%x: tensor<2x12x5xf16>, %w: tensor<12x2x7xf16>, %init: tensor<2x7x5xf16>) -> tensor<2x7x5xf16> {
  %p = linalg.contract indexing_maps = [#lhs, #rhs, #out]
      ins(%x, %w : tensor<2x12x5xf16>, tensor<12x2x7xf16>) outs(%init : tensor<2x7x5xf16>) -> tensor<2x7x5xf16>
  return %p : tensor<2x7x5xf16>
}

// -----

/// Of several loops that are summed over, the first in the left operand that can
/// be divided is.

#lhs = affine_map<(m, n, h, k) -> (h, m, k)>
#rhs = affine_map<(m, n, h, k) -> (n, h, k)>
#out = affine_map<(m, n, h, k) -> (m, n)>

// CHECK-LABEL: func @heads
// CHECK-SAME: (%[[X:.*]]: tensor<3x5x8xf32>, %[[W:.*]]: tensor<7x3x8xf32>)
// CHECK-DAG: tensor.expand_shape %[[X]] {{\[\[}}0], [1], [2, 3]] output_shape [3, 5, 4, 2]
// CHECK-DAG: tensor.expand_shape %[[W]] {{\[\[}}0], [1], [2, 3]] output_shape [7, 3, 4, 2]
// CHECK: linalg.contract {{.*}} -> tensor<4x5x7xf32>
func.func @heads(%x: tensor<3x5x8xf32>, %w: tensor<7x3x8xf32>) -> tensor<5x7xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x7xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%e : tensor<5x7xf32>) -> tensor<5x7xf32>
  %p = linalg.contract indexing_maps = [#lhs, #rhs, #out]
      ins(%x, %w : tensor<3x5x8xf32>, tensor<7x3x8xf32>) outs(%0 : tensor<5x7xf32>) -> tensor<5x7xf32>
  return %p : tensor<5x7xf32>
}

// -----

/// Nothing is divided that is no multiple, that has no elements, or that is of
/// integers or of sizes that are not known.

// CHECK-LABEL: func @negative_open_operand
// CHECK-NOT: tensor.extract_slice
// CHECK: return
func.func @negative_open_operand(%a: tensor<2x8xf32>, %b: tensor<?x3xf32>, %ab: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<2x8xf32>, tensor<?x3xf32>) outs(%ab : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func @negative_parts
// CHECK-NOT: tensor.extract_slice
// CHECK: return
func.func @negative_parts(%a: tensor<2x6xf32>, %b: tensor<6x3xf32>, %ab: tensor<2x3xf32>, %c: tensor<2x0xf32>, %d: tensor<0x3xf32>,
                          %i: tensor<2x8xi32>, %j: tensor<8x3xi32>, %ij: tensor<2x3xi32>, %x: tensor<?x8xf32>, %y: tensor<8x3xf32>,
                          %xy: tensor<?x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xi32>, tensor<?x3xf32>) {
  %0 = linalg.matmul ins(%a, %b : tensor<2x6xf32>, tensor<6x3xf32>) outs(%ab : tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = linalg.matmul ins(%c, %d : tensor<2x0xf32>, tensor<0x3xf32>) outs(%ab : tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = linalg.matmul ins(%i, %j : tensor<2x8xi32>, tensor<8x3xi32>) outs(%ij : tensor<2x3xi32>) -> tensor<2x3xi32>
  %3 = linalg.matmul ins(%x, %y : tensor<?x8xf32>, tensor<8x3xf32>) outs(%xy : tensor<?x3xf32>) -> tensor<?x3xf32>
  return %0, %1, %2, %3 : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xi32>, tensor<?x3xf32>
}
