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

/// Values that are repeated for groups of queries are gathered where they have a head
/// of their own: a size of one, which only the run knows, would be repeated as well.

// CHECK-LABEL: func @repeated_and_stretched_values
// CHECK:       %[[V:.*]] = linalg.generic
// CHECK:         tensor.extract %arg2[%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}] : tensor<2x2x?x4xf32>
// CHECK:         -> tensor<2x2x?x4xf32>
// CHECK:       stof.attention ins(%arg0, %arg1, %[[V]] : tensor<2x4x8x4xf32>, tensor<2x2x?x4xf32>, tensor<2x2x?x4xf32>)
func.func @repeated_and_stretched_values(%q: tensor<2x4x8x4xf32>, %k: tensor<2x2x?x4xf32>, %v: tensor<2x2x?x4xf32>) -> tensor<2x4x8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %k, %c2 : tensor<2x2x?x4xf32>
  %m = tensor.dim %v, %c2 : tensor<2x2x?x4xf32>
  %r_init = tensor.empty(%n) : tensor<2x2x2x?x4xf32>
  %k_each = linalg.generic {indexing_maps = [affine_map<(b, h, g, j, d) -> (b, h, j, d)>, affine_map<(b, h, g, j, d) -> (b, h, g, j, d)>],
                            iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%k : tensor<2x2x?x4xf32>) outs(%r_init : tensor<2x2x2x?x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x2x2x?x4xf32>
  %v_each = linalg.generic {indexing_maps = [affine_map<(b, h, g, j, d) -> (b, h, g, j, d)>],
                            iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      outs(%r_init : tensor<2x2x2x?x4xf32>) {
  ^bb0(%out: f32):
    %b = linalg.index 0 : index
    %h = linalg.index 1 : index
    %j = linalg.index 3 : index
    %d = linalg.index 4 : index
    %single = arith.cmpi eq, %m, %c1 : index
    %at = arith.select %single, %c0, %j : index
    %x = tensor.extract %v[%b, %h, %at, %d] : tensor<2x2x?x4xf32>
    linalg.yield %x : f32
  } -> tensor<2x2x2x?x4xf32>
  %k_all = tensor.collapse_shape %k_each [[0], [1, 2], [3], [4]] : tensor<2x2x2x?x4xf32> into tensor<2x4x?x4xf32>
  %v_all = tensor.collapse_shape %v_each [[0], [1, 2], [3], [4]] : tensor<2x2x2x?x4xf32> into tensor<2x4x?x4xf32>
  %s_init = tensor.empty(%n) : tensor<2x4x8x?xf32>
  %s_zero = linalg.fill ins(%zero : f32) outs(%s_init : tensor<2x4x8x?xf32>) -> tensor<2x4x8x?xf32>
  %s = linalg.contract indexing_maps = [affine_map<(b, h, q, k, d) -> (b, h, q, d)>, affine_map<(b, h, q, k, d) -> (b, h, k, d)>, affine_map<(b, h, q, k, d) -> (b, h, q, k)>]
      ins(%q, %k_all : tensor<2x4x8x4xf32>, tensor<2x4x?x4xf32>) outs(%s_zero : tensor<2x4x8x?xf32>) -> tensor<2x4x8x?xf32>
  %p = linalg.softmax dimension(3) ins(%s : tensor<2x4x8x?xf32>) outs(%s_init : tensor<2x4x8x?xf32>) -> tensor<2x4x8x?xf32>
  %o_init = tensor.empty() : tensor<2x4x8x4xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_init : tensor<2x4x8x4xf32>) -> tensor<2x4x8x4xf32>
  %o = linalg.contract indexing_maps = [affine_map<(b, h, q, e, k) -> (b, h, q, k)>, affine_map<(b, h, q, e, k) -> (b, h, k, e)>, affine_map<(b, h, q, e, k) -> (b, h, q, e)>]
      ins(%p, %v_all : tensor<2x4x8x?xf32>, tensor<2x4x?x4xf32>) outs(%o_zero : tensor<2x4x8x4xf32>) -> tensor<2x4x8x4xf32>
  return %o : tensor<2x4x8x4xf32>
}
