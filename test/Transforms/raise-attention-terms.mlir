// RUN: stof-opt --stof-raise --split-input-file %s | FileCheck %s
// RUN: stof-opt --stof-raise --remarks-filter="stof.*" --split-input-file %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

/// The difference of two softmaxes, one times a factor of the head: an attention
/// for each, of the same values.

#q = affine_map<(b, h, q, k, d) -> (b, h, q, d)>
#k = affine_map<(b, h, q, k, d) -> (b, h, k, d)>
#s = affine_map<(b, h, q, k, d) -> (b, h, q, k)>
#p = affine_map<(b, h, q, e, k) -> (b, h, q, k)>
#v = affine_map<(b, h, q, e, k) -> (b, h, k, e)>
#o = affine_map<(b, h, q, e, k) -> (b, h, q, e)>
#id = affine_map<(b, h, q, k) -> (b, h, q, k)>
#head = affine_map<(b, h, q, k) -> (h)>

// CHECK-LABEL: func @differential
// CHECK-SAME: (%[[Q0:[^:]*]]: tensor<2x3x8x4xf32>, %[[K0:[^:]*]]: tensor<2x3x8x4xf32>, %[[Q1:[^:]*]]: tensor<2x3x8x4xf32>, %[[K1:[^:]*]]: tensor<2x3x8x4xf32>, %[[V:[^:]*]]: tensor<2x3x8x6xf32>, %[[L:[^:]*]]: tensor<3xf32>)
// CHECK-DAG: %[[A:.*]] = stof.attention ins(%[[Q0]], %[[K0]], %[[V]] :
// CHECK-DAG: %[[B:.*]] = stof.attention ins(%[[Q1]], %[[K1]], %[[V]] :
// CHECK: %[[SUM:.*]] = linalg.generic {{.*}} ins(%[[A]], %[[B]] : tensor<2x3x8x6xf32>, tensor<2x3x8x6xf32>)
// CHECK-NEXT: ^bb0(%[[X:.*]]: f32, %[[Y:.*]]: f32, %{{.*}}: f32):
// CHECK-DAG:   %[[HEAD:.*]] = linalg.index 1
// CHECK-DAG:   %[[FACTOR:.*]] = tensor.extract %[[L]][%[[HEAD]]]
// CHECK:       arith.addf %[[X]], %{{.*}}
// CHECK: return %[[SUM]]
// REMARK: remark: [Passed] SummedAttention | Category:stof-raise-attention | Attentions=2
func.func @differential(%q0: tensor<2x3x8x4xf32>, %k0: tensor<2x3x8x4xf32>, %q1: tensor<2x3x8x4xf32>, %k1: tensor<2x3x8x4xf32>,
                        %v: tensor<2x3x8x6xf32>, %lambda: tensor<3xf32>) -> tensor<2x3x8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %s_init = tensor.empty() : tensor<2x3x8x8xf32>
  %s_zero = linalg.fill ins(%zero : f32) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %s0 = linalg.contract indexing_maps = [#q, #k, #s]
      ins(%q0, %k0 : tensor<2x3x8x4xf32>, tensor<2x3x8x4xf32>) outs(%s_zero : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %s1 = linalg.contract indexing_maps = [#q, #k, #s]
      ins(%q1, %k1 : tensor<2x3x8x4xf32>, tensor<2x3x8x4xf32>) outs(%s_zero : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %w0 = linalg.softmax dimension(3) ins(%s0 : tensor<2x3x8x8xf32>) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %w1 = linalg.softmax dimension(3) ins(%s1 : tensor<2x3x8x8xf32>) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %w = linalg.generic {indexing_maps = [#id, #id, #head, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%w0, %w1, %lambda : tensor<2x3x8x8xf32>, tensor<2x3x8x8xf32>, tensor<3xf32>) outs(%s_init : tensor<2x3x8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %l: f32, %out: f32):
    %m = arith.mulf %l, %b : f32
    %x = arith.subf %a, %m : f32
    linalg.yield %x : f32
  } -> tensor<2x3x8x8xf32>
  %o_init = tensor.empty() : tensor<2x3x8x6xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_init : tensor<2x3x8x6xf32>) -> tensor<2x3x8x6xf32>
  %o = linalg.contract indexing_maps = [#p, #v, #o]
      ins(%w, %v : tensor<2x3x8x8xf32>, tensor<2x3x8x6xf32>) outs(%o_zero : tensor<2x3x8x6xf32>) -> tensor<2x3x8x6xf32>
  return %o : tensor<2x3x8x6xf32>
}

// -----

/// Weights that are scaled are an attention that is.

#q = affine_map<(b, h, q, k, d) -> (b, h, q, d)>
#k = affine_map<(b, h, q, k, d) -> (b, h, k, d)>
#s = affine_map<(b, h, q, k, d) -> (b, h, q, k)>
#p = affine_map<(b, h, q, e, k) -> (b, h, q, k)>
#v = affine_map<(b, h, q, e, k) -> (b, h, k, e)>
#o = affine_map<(b, h, q, e, k) -> (b, h, q, e)>
#id = affine_map<(b, h, q, k) -> (b, h, q, k)>

// CHECK-LABEL: func @scaled
// CHECK: stof.attention
// CHECK: linalg.generic
// CHECK:   arith.mulf %{{.*}}, %{{.*}} : f32
// REMARK: remark: [Passed] SummedAttention | Category:stof-raise-attention | Attentions=1
func.func @scaled(%q: tensor<2x3x8x4xf32>, %k: tensor<2x3x8x4xf32>, %v: tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %s_init = tensor.empty() : tensor<2x3x8x8xf32>
  %s_zero = linalg.fill ins(%zero : f32) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %s = linalg.contract indexing_maps = [#q, #k, #s]
      ins(%q, %k : tensor<2x3x8x4xf32>, tensor<2x3x8x4xf32>) outs(%s_zero : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %w = linalg.softmax dimension(3) ins(%s : tensor<2x3x8x8xf32>) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %p = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%w : tensor<2x3x8x8xf32>) outs(%s_init : tensor<2x3x8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %c = arith.constant 1.25 : f32
    %x = arith.mulf %in, %c : f32
    linalg.yield %x : f32
  } -> tensor<2x3x8x8xf32>
  %o_init = tensor.empty() : tensor<2x3x8x4xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_init : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  %o = linalg.contract indexing_maps = [#p, #v, #o]
      ins(%p, %v : tensor<2x3x8x8xf32>, tensor<2x3x8x4xf32>) outs(%o_zero : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  return %o : tensor<2x3x8x4xf32>
}

// -----

/// A factor of the key belongs to no attention, nor do heads that are mixed before
/// or after the softmax.

#q = affine_map<(b, h, q, k, d) -> (b, h, q, d)>
#k = affine_map<(b, h, q, k, d) -> (b, h, k, d)>
#s = affine_map<(b, h, q, k, d) -> (b, h, q, k)>
#p = affine_map<(b, h, q, e, k) -> (b, h, q, k)>
#v = affine_map<(b, h, q, e, k) -> (b, h, k, e)>
#o = affine_map<(b, h, q, e, k) -> (b, h, q, e)>
#id = affine_map<(b, h, q, k) -> (b, h, q, k)>
#key = affine_map<(b, h, q, k) -> (k)>
#from = affine_map<(b, h, q, k, g) -> (b, g, q, k)>
#weight = affine_map<(b, h, q, k, g) -> (h, g)>
#to = affine_map<(b, h, q, k, g) -> (b, h, q, k)>

// CHECK-LABEL: func @negative_factor_of_key
// CHECK-NOT: stof.attention
// CHECK-LABEL: func @negative_mixed_before
// CHECK-NOT: stof.attention
// CHECK-LABEL: func @negative_mixed_after
// CHECK-NOT: stof.attention
func.func @negative_factor_of_key(%q: tensor<2x3x8x4xf32>, %k: tensor<2x3x8x4xf32>, %v: tensor<2x3x8x4xf32>, %f: tensor<8xf32>) -> tensor<2x3x8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %s_init = tensor.empty() : tensor<2x3x8x8xf32>
  %s_zero = linalg.fill ins(%zero : f32) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %s = linalg.contract indexing_maps = [#q, #k, #s]
      ins(%q, %k : tensor<2x3x8x4xf32>, tensor<2x3x8x4xf32>) outs(%s_zero : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %w = linalg.softmax dimension(3) ins(%s : tensor<2x3x8x8xf32>) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %p = linalg.generic {indexing_maps = [#id, #key, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%w, %f : tensor<2x3x8x8xf32>, tensor<8xf32>) outs(%s_init : tensor<2x3x8x8xf32>) {
  ^bb0(%in: f32, %c: f32, %out: f32):
    %x = arith.mulf %in, %c : f32
    linalg.yield %x : f32
  } -> tensor<2x3x8x8xf32>
  %o_init = tensor.empty() : tensor<2x3x8x4xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_init : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  // REMARK: remark: [Missed] RaisedAttention | {{.*}}Reason="
  %o = linalg.contract indexing_maps = [#p, #v, #o]
      ins(%p, %v : tensor<2x3x8x8xf32>, tensor<2x3x8x4xf32>) outs(%o_zero : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  return %o : tensor<2x3x8x4xf32>
}

func.func @negative_mixed_before(%q: tensor<2x3x8x4xf32>, %k: tensor<2x3x8x4xf32>, %v: tensor<2x3x8x4xf32>, %m: tensor<3x3xf32>) -> tensor<2x3x8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %s_init = tensor.empty() : tensor<2x3x8x8xf32>
  %s_zero = linalg.fill ins(%zero : f32) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %s = linalg.contract indexing_maps = [#q, #k, #s]
      ins(%q, %k : tensor<2x3x8x4xf32>, tensor<2x3x8x4xf32>) outs(%s_zero : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %x = linalg.contract indexing_maps = [#from, #weight, #to]
      ins(%s, %m : tensor<2x3x8x8xf32>, tensor<3x3xf32>) outs(%s_zero : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %w = linalg.softmax dimension(3) ins(%x : tensor<2x3x8x8xf32>) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %o_init = tensor.empty() : tensor<2x3x8x4xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_init : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  // REMARK: remark: [Missed] RaisedAttention | {{.*}}the scores are sums of other scores, as where heads are mixed
  %o = linalg.contract indexing_maps = [#p, #v, #o]
      ins(%w, %v : tensor<2x3x8x8xf32>, tensor<2x3x8x4xf32>) outs(%o_zero : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  return %o : tensor<2x3x8x4xf32>
}

func.func @negative_mixed_after(%q: tensor<2x3x8x4xf32>, %k: tensor<2x3x8x4xf32>, %v: tensor<2x3x8x4xf32>, %m: tensor<3x3xf32>) -> tensor<2x3x8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %s_init = tensor.empty() : tensor<2x3x8x8xf32>
  %s_zero = linalg.fill ins(%zero : f32) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %s = linalg.contract indexing_maps = [#q, #k, #s]
      ins(%q, %k : tensor<2x3x8x4xf32>, tensor<2x3x8x4xf32>) outs(%s_zero : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %w = linalg.softmax dimension(3) ins(%s : tensor<2x3x8x8xf32>) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  // REMARK: remark: [Missed] RaisedAttention | {{.*}}, as where heads are mixed
  %x = linalg.contract indexing_maps = [#from, #weight, #to]
      ins(%w, %m : tensor<2x3x8x8xf32>, tensor<3x3xf32>) outs(%s_zero : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %o_init = tensor.empty() : tensor<2x3x8x4xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_init : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  %o = linalg.contract indexing_maps = [#p, #v, #o]
      ins(%x, %v : tensor<2x3x8x8xf32>, tensor<2x3x8x4xf32>) outs(%o_zero : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  return %o : tensor<2x3x8x4xf32>
}
