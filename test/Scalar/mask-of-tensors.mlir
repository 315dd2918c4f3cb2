// RUN: stof-opt %s --stof-raise | FileCheck %s

/// A mask that reaches attention as a tensor of truth values is a comparison of
/// two coordinates; lib/Scalar/README.md shows it.

// CHECK: stof.mask
// CHECK-NEXT: ^bb0(%{{.*}}: index, %{{.*}}: index, %[[I:.*]]: index, %[[J:.*]]: index):
// CHECK-NEXT: %[[KEEP:.*]] = arith.cmpi sle, %[[J]], %[[I]] : index
// CHECK-NEXT: stof.yield %[[KEEP]] : i1

#matrix = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>
#shared = affine_map<(h, i, j) -> (i, j)>
#scores = affine_map<(h, i, j) -> (h, i, j)>
func.func @tensors(%q: tensor<2x8x4xf32>, %k: tensor<2x4x8xf32>, %v: tensor<2x8x4xf32>) -> tensor<2x8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0xFF800000 : f32
  // Position numbers, as an exporter makes them, and their comparison.
  %numbers_init = tensor.empty() : tensor<8xi64>
  %numbers = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%numbers_init : tensor<8xi64>) {
  ^bb0(%out: i64):
    %i = linalg.index 0 : index
    %0 = arith.index_cast %i : index to i64
    linalg.yield %0 : i64
  } -> tensor<8xi64>
  %mask_init = tensor.empty() : tensor<8x8xi1>
  %mask = linalg.generic {indexing_maps = [#row, #column, #matrix], iterator_types = ["parallel", "parallel"]}
      ins(%numbers, %numbers : tensor<8xi64>, tensor<8xi64>) outs(%mask_init : tensor<8x8xi1>) {
  ^bb0(%i: i64, %j: i64, %out: i1):
    %0 = arith.cmpi sle, %j, %i : i64
    linalg.yield %0 : i1
  } -> tensor<8x8xi1>
  %init = tensor.empty() : tensor<2x8x8xf32>
  %start = linalg.fill ins(%zero : f32) outs(%init : tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
  %qk = linalg.batch_matmul ins(%q, %k : tensor<2x8x4xf32>, tensor<2x4x8xf32>) outs(%start : tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
  %s = linalg.generic {indexing_maps = [#shared, #scores, #scores], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%mask, %qk : tensor<8x8xi1>, tensor<2x8x8xf32>) outs(%init : tensor<2x8x8xf32>) {
  ^bb0(%keep: i1, %score: f32, %out: f32):
    %0 = arith.select %keep, %score, %none : f32
    linalg.yield %0 : f32
  } -> tensor<2x8x8xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<2x8x8xf32>) outs(%init : tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
  %o_init = tensor.empty() : tensor<2x8x4xf32>
  %o_start = linalg.fill ins(%zero : f32) outs(%o_init : tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
  %o = linalg.batch_matmul ins(%p, %v : tensor<2x8x8xf32>, tensor<2x8x4xf32>) outs(%o_start : tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
  return %o : tensor<2x8x4xf32>
}
