// RUN: stof-opt --stof-raise --split-input-file %s | FileCheck %s

/// The plain form: named contractions, a transposed key, collapsed heads, a scale
/// on the scores, a maximum with an argmax left over, a division before the
/// second contraction.

#qk = affine_map<(b, q, k) -> (b, q, k)>
#row = affine_map<(b, q, k) -> (b, q)>
// CHECK-LABEL: func @collapsed_heads
// CHECK-SAME: %[[Q:.*]]: tensor<2x3x8x4xf32>, %[[K:.*]]: tensor<2x3x8x4xf32>, %[[V:.*]]: tensor<2x3x8x4xf32>
func.func @collapsed_heads(%q: tensor<2x3x8x4xf32>, %k: tensor<2x3x8x4xf32>, %v: tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0xFF800000 : f32
  %two = arith.constant 2.0 : f32
  %c0 = arith.constant 0 : i64
  %kt_init = tensor.empty() : tensor<2x3x4x8xf32>
  %kt = linalg.transpose ins(%k : tensor<2x3x8x4xf32>) outs(%kt_init : tensor<2x3x4x8xf32>) permutation = [0, 1, 3, 2]
  %q3 = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<2x3x8x4xf32> into tensor<6x8x4xf32>
  %k3 = tensor.collapse_shape %kt [[0, 1], [2], [3]] : tensor<2x3x4x8xf32> into tensor<6x4x8xf32>
  %v3 = tensor.collapse_shape %v [[0, 1], [2], [3]] : tensor<2x3x8x4xf32> into tensor<6x8x4xf32>
  %s_init = tensor.empty() : tensor<6x8x8xf32>
  %s_zero = linalg.fill ins(%zero : f32) outs(%s_init : tensor<6x8x8xf32>) -> tensor<6x8x8xf32>
  %qk = linalg.batch_matmul ins(%q3, %k3 : tensor<6x8x4xf32>, tensor<6x4x8xf32>) outs(%s_zero : tensor<6x8x8xf32>) -> tensor<6x8x8xf32>
  %s = linalg.generic {indexing_maps = [#qk, #qk], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%qk : tensor<6x8x8xf32>) outs(%s_init : tensor<6x8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.divf %in, %two : f32
    linalg.yield %0 : f32
  } -> tensor<6x8x8xf32>
  %m_init = tensor.empty() : tensor<6x8xf32>
  %m_none = linalg.fill ins(%none : f32) outs(%m_init : tensor<6x8xf32>) -> tensor<6x8xf32>
  %i_init = tensor.empty() : tensor<6x8xi64>
  %i_zero = linalg.fill ins(%c0 : i64) outs(%i_init : tensor<6x8xi64>) -> tensor<6x8xi64>
  %m:2 = linalg.generic {indexing_maps = [#qk, #row, #row], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%s : tensor<6x8x8xf32>) outs(%m_none, %i_zero : tensor<6x8xf32>, tensor<6x8xi64>) {
  ^bb0(%in: f32, %max: f32, %arg: i64):
    %i = linalg.index 2 : index
    %j = arith.index_cast %i : index to i64
    %0 = arith.maximumf %in, %max : f32
    %1 = arith.cmpf ogt, %in, %max : f32
    %2 = arith.select %1, %j, %arg : i64
    linalg.yield %0, %2 : f32, i64
  } -> (tensor<6x8xf32>, tensor<6x8xi64>)
  %e = linalg.generic {indexing_maps = [#qk, #row, #qk], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s, %m#0 : tensor<6x8x8xf32>, tensor<6x8xf32>) outs(%s_init : tensor<6x8x8xf32>) {
  ^bb0(%in: f32, %max: f32, %out: f32):
    %0 = arith.subf %in, %max : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  } -> tensor<6x8x8xf32>
  %d_zero = linalg.fill ins(%zero : f32) outs(%m_init : tensor<6x8xf32>) -> tensor<6x8xf32>
  %d = linalg.generic {indexing_maps = [#qk, #row], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%e : tensor<6x8x8xf32>) outs(%d_zero : tensor<6x8xf32>) {
  ^bb0(%in: f32, %sum: f32):
    %0 = arith.addf %in, %sum : f32
    linalg.yield %0 : f32
  } -> tensor<6x8xf32>
  %p = linalg.generic {indexing_maps = [#qk, #row, #qk], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%e, %d : tensor<6x8x8xf32>, tensor<6x8xf32>) outs(%s_init : tensor<6x8x8xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %0 = arith.divf %in, %sum : f32
    linalg.yield %0 : f32
  } -> tensor<6x8x8xf32>
  %o_init = tensor.empty() : tensor<6x8x4xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_init : tensor<6x8x4xf32>) -> tensor<6x8x4xf32>
  // CHECK-NOT: linalg.generic
  // CHECK: %[[O:.*]] = stof.attention ins(%[[Q]], %[[K]], %[[V]] : {{.*}}) outs(%{{.*}}) scale 5.000000e-01 -> tensor<2x3x8x4xf32>
  // CHECK: return %[[O]]
  %o = linalg.batch_matmul ins(%p, %v3 : tensor<6x8x8xf32>, tensor<6x8x4xf32>) outs(%o_zero : tensor<6x8x4xf32>) -> tensor<6x8x4xf32>
  %result = tensor.expand_shape %o [[0, 1], [2], [3]] output_shape [2, 3, 8, 4] : tensor<6x8x4xf32> into tensor<2x3x8x4xf32>
  return %result : tensor<2x3x8x4xf32>
}

// -----

/// One head alone, with the power of two, the sum after the second contraction and
/// log2(e) in the scale.

#id = affine_map<(q, k) -> (q, k)>
#row = affine_map<(q, k) -> (q)>
// CHECK-LABEL: func @divided_after
func.func @divided_after(%q: tensor<8x4xf32>, %k: tensor<10x4xf32>, %v: tensor<10x6xf32>) -> tensor<8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %log2e = arith.constant 1.44269504 : f32
  %s_init = tensor.empty() : tensor<8x10xf32>
  %s_zero = linalg.fill ins(%zero : f32) outs(%s_init : tensor<8x10xf32>) -> tensor<8x10xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(q, k, d) -> (q, d)>, affine_map<(q, k, d) -> (k, d)>, affine_map<(q, k, d) -> (q, k)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<8x4xf32>, tensor<10x4xf32>) outs(%s_zero : tensor<8x10xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %out, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<8x10xf32>
  %e = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<8x10xf32>) outs(%s_init : tensor<8x10xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.mulf %in, %log2e : f32
    %1 = math.exp2 %0 : f32
    linalg.yield %1 : f32
  } -> tensor<8x10xf32>
  %d_init = tensor.empty() : tensor<8xf32>
  %d_zero = linalg.fill ins(%zero : f32) outs(%d_init : tensor<8xf32>) -> tensor<8xf32>
  %d = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%e : tensor<8x10xf32>) outs(%d_zero : tensor<8xf32>) {
  ^bb0(%in: f32, %sum: f32):
    %0 = arith.addf %in, %sum : f32
    linalg.yield %0 : f32
  } -> tensor<8xf32>
  %o_init = tensor.empty() : tensor<8x6xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_init : tensor<8x6xf32>) -> tensor<8x6xf32>
  %o = linalg.matmul ins(%e, %v : tensor<8x10xf32>, tensor<10x6xf32>) outs(%o_zero : tensor<8x6xf32>) -> tensor<8x6xf32>
  // CHECK: stof.attention ins({{.*}} : tensor<1x1x8x4xf32>, tensor<1x1x10x4xf32>, tensor<1x1x10x6xf32>) outs({{.*}}) -> tensor<1x1x8x6xf32>
  // CHECK-NOT: math.exp2
  %result = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%o, %d : tensor<8x6xf32>, tensor<8xf32>) outs(%o_init : tensor<8x6xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %0 = arith.divf %in, %sum : f32
    linalg.yield %0 : f32
  } -> tensor<8x6xf32>
  return %result : tensor<8x6xf32>
}

// -----

/// Heads that share their keys, in five dimensions: the group is recovered.

#s = affine_map<(b, h, g, q, k, d) -> (b, h, g, q, k)>
// CHECK-LABEL: func @grouped_heads
func.func @grouped_heads(%q: tensor<2x2x4x8x4xf16>, %k: tensor<2x2x8x4xf16>, %v: tensor<2x2x8x4xf16>) -> tensor<2x2x4x8x4xf16> {
  %zero = arith.constant 0.0 : f32
  %s_init = tensor.empty() : tensor<2x2x4x8x8xf32>
  %s_zero = linalg.fill ins(%zero : f32) outs(%s_init : tensor<2x2x4x8x8xf32>) -> tensor<2x2x4x8x8xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(b, h, g, q, k, d) -> (b, h, g, q, d)>, affine_map<(b, h, g, q, k, d) -> (b, h, k, d)>, #s],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<2x2x4x8x4xf16>, tensor<2x2x8x4xf16>) outs(%s_zero : tensor<2x2x4x8x8xf32>) {
  ^bb0(%a: f16, %b: f16, %out: f32):
    %0 = arith.extf %a : f16 to f32
    %1 = arith.extf %b : f16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %out, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<2x2x4x8x8xf32>
  %p = linalg.softmax dimension(4) ins(%s : tensor<2x2x4x8x8xf32>) outs(%s_init : tensor<2x2x4x8x8xf32>) -> tensor<2x2x4x8x8xf32>
  %o_init = tensor.empty() : tensor<2x2x4x8x4xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_init : tensor<2x2x4x8x4xf32>) -> tensor<2x2x4x8x4xf32>
  %o = linalg.generic {indexing_maps = [affine_map<(b, h, g, q, e, k) -> (b, h, g, q, k)>, affine_map<(b, h, g, q, e, k) -> (b, h, k, e)>, affine_map<(b, h, g, q, e, k) -> (b, h, g, q, e)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%p, %v : tensor<2x2x4x8x8xf32>, tensor<2x2x8x4xf16>) outs(%o_zero : tensor<2x2x4x8x4xf32>) {
  ^bb0(%a: f32, %b: f16, %out: f32):
    %0 = arith.extf %b : f16 to f32
    %1 = arith.mulf %a, %0 : f32
    %2 = arith.addf %out, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<2x2x4x8x4xf32>
  %r_init = tensor.empty() : tensor<2x2x4x8x4xf16>
  // CHECK: stof.attention ins({{.*}} : tensor<2x8x8x4xf16>, tensor<2x2x8x4xf16>, tensor<2x2x8x4xf16>)
  // CHECK-SAME: -> tensor<2x8x8x4xf16>
  // CHECK: tensor.expand_shape {{.*}} into tensor<2x2x4x8x4xf16>
  %r = linalg.generic {indexing_maps = [affine_map<(a, b, c, d, e) -> (a, b, c, d, e)>, affine_map<(a, b, c, d, e) -> (a, b, c, d, e)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%o : tensor<2x2x4x8x4xf32>) outs(%r_init : tensor<2x2x4x8x4xf16>) {
  ^bb0(%in: f32, %out: f16):
    %0 = arith.truncf %in : f32 to f16
    linalg.yield %0 : f16
  } -> tensor<2x2x4x8x4xf16>
  return %r : tensor<2x2x4x8x4xf16>
}

// -----

/// An attention sink: a column of one logit for each head that is cut off again
/// after the softmax joins the denominator alone.

// CHECK-LABEL: func @sink_column
// CHECK-SAME: {{.*}}%[[LOGITS:[a-z0-9]+]]: tensor<3xf32>
func.func @sink_column(%q: tensor<2x3x8x4xf32>, %k: tensor<2x3x8x4xf32>, %v: tensor<2x3x8x4xf32>, %sinks: tensor<3xf32>) -> tensor<2x3x8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %s_init = tensor.empty() : tensor<2x3x8x8xf32>
  %s_zero = linalg.fill ins(%zero : f32) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %s = linalg.contract indexing_maps = [affine_map<(b, h, q, k, d) -> (b, h, q, d)>, affine_map<(b, h, q, k, d) -> (b, h, k, d)>, affine_map<(b, h, q, k, d) -> (b, h, q, k)>]
      ins(%q, %k : tensor<2x3x8x4xf32>, tensor<2x3x8x4xf32>) outs(%s_zero : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %c_init = tensor.empty() : tensor<2x3x8x1xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(b, h, q, k) -> (h)>, affine_map<(b, h, q, k) -> (b, h, q, k)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%sinks : tensor<3xf32>) outs(%c_init : tensor<2x3x8x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<2x3x8x1xf32>
  %all = tensor.concat dim(3) %s, %c : (tensor<2x3x8x8xf32>, tensor<2x3x8x1xf32>) -> tensor<2x3x8x9xf32>
  %p_init = tensor.empty() : tensor<2x3x8x9xf32>
  %p_all = linalg.softmax dimension(3) ins(%all : tensor<2x3x8x9xf32>) outs(%p_init : tensor<2x3x8x9xf32>) -> tensor<2x3x8x9xf32>
  %p = tensor.extract_slice %p_all[0, 0, 0, 0] [2, 3, 8, 8] [1, 1, 1, 1] : tensor<2x3x8x9xf32> to tensor<2x3x8x8xf32>
  %o_init = tensor.empty() : tensor<2x3x8x4xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_init : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  // CHECK: %[[SINKS:.*]] = linalg.generic
  // CHECK:   tensor.extract %[[LOGITS]]
  // CHECK: stof.attention {{.*}} sinks(%[[SINKS]] : tensor<3xf32>)
  %o = linalg.contract indexing_maps = [affine_map<(b, h, q, e, k) -> (b, h, q, k)>, affine_map<(b, h, q, e, k) -> (b, h, k, e)>, affine_map<(b, h, q, e, k) -> (b, h, q, e)>]
      ins(%p, %v : tensor<2x3x8x8xf32>, tensor<2x3x8x4xf32>) outs(%o_zero : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  return %o : tensor<2x3x8x4xf32>
}
