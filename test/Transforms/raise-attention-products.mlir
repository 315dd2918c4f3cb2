// RUN: stof-opt --stof-raise --split-input-file %s | FileCheck %s
// RUN: stof-opt --stof-raise --split-input-file --remarks-filter="stof.*" %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

/// Contractions that are written as a product of broadcast tensors and a sum.

#q = affine_map<(b, h, q, k, d) -> (b, h, q, d)>
#k = affine_map<(b, h, q, k, d) -> (b, h, k, d)>
#qkd = affine_map<(b, h, q, k, d) -> (b, h, q, k, d)>
#qk = affine_map<(b, h, q, k, d) -> (b, h, q, k)>
// CHECK-LABEL: func @broadcast_in_maps
// CHECK-SAME: %[[Q:.*]]: tensor<2x3x8x4xf32>, %[[K:.*]]: tensor<2x3x8x4xf32>, %[[V:.*]]: tensor<2x3x8x6xf32>
// CHECK-NOT: linalg.
// CHECK: %[[O:.*]] = stof.attention ins(%[[Q]], %[[K]], %[[V]] : {{.*}}) outs(%{{[^ ]*}} : tensor<2x3x8x6xf32>) -> tensor<2x3x8x6xf32>
// CHECK-NEXT: return %[[O]]
func.func @broadcast_in_maps(%q: tensor<2x3x8x4xf32>, %k: tensor<2x3x8x4xf32>, %v: tensor<2x3x8x6xf32>) -> tensor<2x3x8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %t_init = tensor.empty() : tensor<2x3x8x8x4xf32>
  %t = linalg.generic {indexing_maps = [#q, #k, #qkd], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%q, %k : tensor<2x3x8x4xf32>, tensor<2x3x8x4xf32>) outs(%t_init : tensor<2x3x8x8x4xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.mulf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<2x3x8x8x4xf32>
  %s_init = tensor.empty() : tensor<2x3x8x8xf32>
  %s_zero = linalg.fill ins(%zero : f32) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %s = linalg.generic {indexing_maps = [#qkd, #qk], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%t : tensor<2x3x8x8x4xf32>) outs(%s_zero : tensor<2x3x8x8xf32>) {
  ^bb0(%a: f32, %sum: f32):
    %0 = arith.addf %a, %sum : f32
    linalg.yield %0 : f32
  } -> tensor<2x3x8x8xf32>
  %w = linalg.softmax dimension(3) ins(%s : tensor<2x3x8x8xf32>) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %u_init = tensor.empty() : tensor<2x3x8x8x6xf32>
  %u = linalg.generic {indexing_maps = [#qk, #k, #qkd], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%w, %v : tensor<2x3x8x8xf32>, tensor<2x3x8x6xf32>) outs(%u_init : tensor<2x3x8x8x6xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.mulf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<2x3x8x8x6xf32>
  %o_init = tensor.empty() : tensor<2x3x8x6xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_init : tensor<2x3x8x6xf32>) -> tensor<2x3x8x6xf32>
  %o = linalg.reduce { arith.addf } ins(%u : tensor<2x3x8x8x6xf32>) outs(%o_zero : tensor<2x3x8x6xf32>) dimensions = [3]
  return %o : tensor<2x3x8x6xf32>
}

// -----

/// The same of tensors that are reshaped beforehand, with products rounded to f16
/// and a mask that the weights are multiplied by, which is no contraction.

#q = affine_map<(b, h, q, k, d) -> (b, h, q, 0, d)>
#k = affine_map<(b, h, q, k, d) -> (b, h, 0, k, d)>
#p = affine_map<(b, h, q, k, d) -> (b, h, q, k, 0)>
#qkd = affine_map<(b, h, q, k, d) -> (b, h, q, k, d)>
#s = affine_map<(b, h, q, k, d) -> (b, h, q, k)>
#id = affine_map<(b, h, q, k) -> (b, h, q, k)>
#row = affine_map<(b, h, q, k) -> (b, h, q, 0)>
#pad = affine_map<(b, h, q, k) -> (b, k)>
// CHECK-LABEL: func @reshaped
// CHECK-SAME: %[[Q:.*]]: tensor<2x3x8x4xf16>, %[[K:.*]]: tensor<2x3x9x4xf16>, %[[V:.*]]: tensor<2x3x9x4xf16>, %[[PAD:.*]]: tensor<2x9xi1>
// CHECK: %[[MASK:.*]] = stof.mask captures(%[[PAD]] : tensor<2x9xi1>)
// CHECK: stof.attention ins(%[[Q]], %[[K]], %[[V]] : {{.*}}) mask(%[[MASK]] : !stof.mask<8x9>) {{.*}} empty_rows(nan) -> tensor<2x3x8x4xf16>
// REMARK: remark: [Passed] RaisedAttention | {{.*}}Roundings="dropped to f16"
func.func @reshaped(%q: tensor<2x3x8x4xf16>, %k: tensor<2x3x9x4xf16>, %v: tensor<2x3x9x4xf16>, %pad: tensor<2x9xi1>) -> tensor<2x3x8x4xf16> {
  %zero = arith.constant 0.0 : f32
  %q5 = tensor.expand_shape %q [[0], [1], [2, 3], [4]] output_shape [2, 3, 8, 1, 4] : tensor<2x3x8x4xf16> into tensor<2x3x8x1x4xf16>
  %k5 = tensor.expand_shape %k [[0], [1, 2], [3], [4]] output_shape [2, 3, 1, 9, 4] : tensor<2x3x9x4xf16> into tensor<2x3x1x9x4xf16>
  %t_init = tensor.empty() : tensor<2x3x8x9x4xf16>
  %t = linalg.generic {indexing_maps = [#q, #k, #qkd], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%q5, %k5 : tensor<2x3x8x1x4xf16>, tensor<2x3x1x9x4xf16>) outs(%t_init : tensor<2x3x8x9x4xf16>) {
  ^bb0(%a: f16, %b: f16, %out: f16):
    %0 = arith.mulf %a, %b : f16
    linalg.yield %0 : f16
  } -> tensor<2x3x8x9x4xf16>
  %s_init = tensor.empty() : tensor<2x3x8x9xf32>
  %s_zero = linalg.fill ins(%zero : f32) outs(%s_init : tensor<2x3x8x9xf32>) -> tensor<2x3x8x9xf32>
  %s = linalg.generic {indexing_maps = [#qkd, #s], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%t : tensor<2x3x8x9x4xf16>) outs(%s_zero : tensor<2x3x8x9xf32>) {
  ^bb0(%a: f16, %sum: f32):
    %0 = arith.extf %a : f16 to f32
    %1 = arith.addf %0, %sum : f32
    linalg.yield %1 : f32
  } -> tensor<2x3x8x9xf32>
  %keep_init = tensor.empty() : tensor<2x9xf32>
  %keep = linalg.map ins(%pad : tensor<2x9xi1>) outs(%keep_init : tensor<2x9xf32>) (%a: i1, %out: f32) {
    %0 = arith.uitofp %a : i1 to f32
    linalg.yield %0 : f32
  }
  %e = linalg.generic {indexing_maps = [#id, #pad, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%s, %keep : tensor<2x3x8x9xf32>, tensor<2x9xf32>) outs(%s_init : tensor<2x3x8x9xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = math.exp %a : f32
    %1 = arith.mulf %0, %b : f32
    linalg.yield %1 : f32
  } -> tensor<2x3x8x9xf32>
  %d_init = tensor.empty() : tensor<2x3x8xf32>
  %d_zero = linalg.fill ins(%zero : f32) outs(%d_init : tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %d = linalg.reduce { arith.addf } ins(%e : tensor<2x3x8x9xf32>) outs(%d_zero : tensor<2x3x8xf32>) dimensions = [3]
  %d4 = tensor.expand_shape %d [[0], [1], [2, 3]] output_shape [2, 3, 8, 1] : tensor<2x3x8xf32> into tensor<2x3x8x1xf32>
  %w = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%e, %d4 : tensor<2x3x8x9xf32>, tensor<2x3x8x1xf32>) outs(%s_init : tensor<2x3x8x9xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.divf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<2x3x8x9xf32>
  %w5 = tensor.expand_shape %w [[0], [1], [2], [3, 4]] output_shape [2, 3, 8, 9, 1] : tensor<2x3x8x9xf32> into tensor<2x3x8x9x1xf32>
  %v5 = tensor.expand_shape %v [[0], [1, 2], [3], [4]] output_shape [2, 3, 1, 9, 4] : tensor<2x3x9x4xf16> into tensor<2x3x1x9x4xf16>
  %u_init = tensor.empty() : tensor<2x3x8x9x4xf32>
  %u = linalg.generic {indexing_maps = [#p, #k, #qkd], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%w5, %v5 : tensor<2x3x8x9x1xf32>, tensor<2x3x1x9x4xf16>) outs(%u_init : tensor<2x3x8x9x4xf32>) {
  ^bb0(%a: f32, %b: f16, %out: f32):
    %0 = arith.extf %b : f16 to f32
    %1 = arith.mulf %a, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<2x3x8x9x4xf32>
  %o_init = tensor.empty() : tensor<2x3x8x4xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_init : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  %o = linalg.reduce { arith.addf } ins(%u : tensor<2x3x8x9x4xf32>) outs(%o_zero : tensor<2x3x8x4xf32>) dimensions = [3]
  %r_init = tensor.empty() : tensor<2x3x8x4xf16>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%o : tensor<2x3x8x4xf32>) outs(%r_init : tensor<2x3x8x4xf16>) {
  ^bb0(%a: f32, %out: f16):
    %0 = arith.truncf %a : f32 to f16
    linalg.yield %0 : f16
  } -> tensor<2x3x8x4xf16>
  return %r : tensor<2x3x8x4xf16>
}
