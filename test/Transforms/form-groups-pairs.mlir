// RUN: stof-opt %s --pass-pipeline='builtin.module(func.func(stof-form-groups))' | FileCheck %s

/// A rotation that reads both parts of each pair of columns, at places that do not
/// depend on where it writes, shares the kernel of the matmul.

// CHECK-LABEL: func @rotation
// CHECK: stof.group
// CHECK: linalg.contract
// CHECK: tensor.expand_shape
// CHECK: linalg.generic
// CHECK: tensor.extract
// CHECK-NOT: stof.group
// CHECK: return
func.func @rotation(%x: tensor<64x32xf32>, %w: tensor<32x64xf32>, %c: tensor<64x8xf32>) -> tensor<64x4x8x2xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %pe = tensor.empty() : tensor<64x64xf32>
  %p0 = linalg.fill ins(%zero : f32) outs(%pe : tensor<64x64xf32>) -> tensor<64x64xf32>
  %p = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x, %w : tensor<64x32xf32>, tensor<32x64xf32>) outs(%p0 : tensor<64x64xf32>) -> tensor<64x64xf32>
  %q = tensor.expand_shape %p [[0], [1, 2, 3]] output_shape [64, 4, 8, 2] : tensor<64x64xf32> into tensor<64x4x8x2xf32>
  %e = tensor.empty() : tensor<64x4x8x2xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, h, j, k) -> (i, j)>, affine_map<(i, h, j, k) -> (i, h, j, k)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c : tensor<64x8xf32>) outs(%e : tensor<64x4x8x2xf32>) {
  ^bb0(%angle: f32, %o: f32):
    %i = linalg.index 0 : index
    %h = linalg.index 1 : index
    %j = linalg.index 2 : index
    %k = linalg.index 3 : index
    %a = tensor.extract %q[%i, %h, %j, %c0] : tensor<64x4x8x2xf32>
    %b = tensor.extract %q[%i, %h, %j, %c1] : tensor<64x4x8x2xf32>
    %s = arith.mulf %a, %angle : f32
    %t = arith.mulf %b, %angle : f32
    %first = arith.cmpi eq, %k, %c0 : index
    %r = arith.select %first, %s, %t : f32
    linalg.yield %r : f32
  } -> tensor<64x4x8x2xf32>
  return %y : tensor<64x4x8x2xf32>
}
