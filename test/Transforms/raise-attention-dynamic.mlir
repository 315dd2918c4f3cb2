// RUN: stof-opt --stof-raise %s | FileCheck %s

/// Heads of an unknown number, collapsed with the batch: the extent of the
/// collapsed dimension is the product of what went into it.

#q = affine_map<(b, q, k, d) -> (b, q, d)>
#k = affine_map<(b, q, k, d) -> (b, k, d)>
#s = affine_map<(b, q, k, d) -> (b, q, k)>
// CHECK-LABEL: func @dynamic_heads
func.func @dynamic_heads(%q: tensor<2x?x8x4xf32>, %k: tensor<2x?x8x4xf32>, %v: tensor<2x?x8x4xf32>) -> tensor<?x8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %heads = tensor.dim %q, %c1 : tensor<2x?x8x4xf32>
  %batch = arith.muli %heads, %c2 : index
  %q3 = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<2x?x8x4xf32> into tensor<?x8x4xf32>
  %k3 = tensor.collapse_shape %k [[0, 1], [2], [3]] : tensor<2x?x8x4xf32> into tensor<?x8x4xf32>
  %v3 = tensor.collapse_shape %v [[0, 1], [2], [3]] : tensor<2x?x8x4xf32> into tensor<?x8x4xf32>
  %s_init = tensor.empty(%batch) : tensor<?x8x8xf32>
  %s_zero = linalg.fill ins(%zero : f32) outs(%s_init : tensor<?x8x8xf32>) -> tensor<?x8x8xf32>
  %s = linalg.contract indexing_maps = [#q, #k, #s]
      ins(%q3, %k3 : tensor<?x8x4xf32>, tensor<?x8x4xf32>) outs(%s_zero : tensor<?x8x8xf32>) -> tensor<?x8x8xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<?x8x8xf32>) outs(%s_init : tensor<?x8x8xf32>) -> tensor<?x8x8xf32>
  %o_init = tensor.empty(%batch) : tensor<?x8x4xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_init : tensor<?x8x4xf32>) -> tensor<?x8x4xf32>
  // CHECK: %[[HEADS:.*]] = tensor.dim
  // CHECK: %[[BATCH:.*]] = arith.muli %[[HEADS]], %c2
  // CHECK: tensor.expand_shape {{.*}} output_shape [1, %[[BATCH]], 8, 4]
  // CHECK: stof.attention
  %o = linalg.batch_matmul ins(%p, %v3 : tensor<?x8x8xf32>, tensor<?x8x4xf32>) outs(%o_zero : tensor<?x8x4xf32>) -> tensor<?x8x4xf32>
  return %o : tensor<?x8x4xf32>
}
