// RUN: stof-opt --stof-raise --split-input-file %s | FileCheck %s

/// A scale that is an argument is an operand, next to its known factor.

#q = affine_map<(b, h, q, k, d) -> (b, h, q, d)>
#k = affine_map<(b, h, q, k, d) -> (b, h, k, d)>
#s = affine_map<(b, h, q, k, d) -> (b, h, q, k)>
#p = affine_map<(b, h, q, e, k) -> (b, h, q, k)>
#v = affine_map<(b, h, q, e, k) -> (b, h, k, e)>
#o = affine_map<(b, h, q, e, k) -> (b, h, q, e)>
#id = affine_map<(b, h, q, k) -> (b, h, q, k)>
// CHECK-LABEL: func @argument
// CHECK-SAME: %[[SCALE:[^:]*]]: f32)
// CHECK: stof.attention {{.*}} scale 5.000000e-01 times %[[SCALE]] ->
func.func @argument(%q: tensor<2x3x8x4xf32>, %k: tensor<2x3x8x4xf32>, %v: tensor<2x3x8x4xf32>, %scale: f32) -> tensor<2x3x8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %s_init = tensor.empty() : tensor<2x3x8x8xf32>
  %s_zero = linalg.fill ins(%zero : f32) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %qk = linalg.contract indexing_maps = [#q, #k, #s]
      ins(%q, %k : tensor<2x3x8x4xf32>, tensor<2x3x8x4xf32>) outs(%s_zero : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%qk : tensor<2x3x8x8xf32>) outs(%s_init : tensor<2x3x8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %half = arith.constant 0.5 : f32
    %h = arith.mulf %in, %half : f32
    %r = arith.mulf %h, %scale : f32
    linalg.yield %r : f32
  } -> tensor<2x3x8x8xf32>
  %p = linalg.softmax dimension(3) ins(%s : tensor<2x3x8x8xf32>) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %o_init = tensor.empty() : tensor<2x3x8x4xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_init : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  %o = linalg.contract indexing_maps = [#p, #v, #o]
      ins(%p, %v : tensor<2x3x8x8xf32>, tensor<2x3x8x4xf32>) outs(%o_zero : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  return %o : tensor<2x3x8x4xf32>
}

// -----

/// What scores are divided by is a scale as well.

#q = affine_map<(b, h, q, k, d) -> (b, h, q, d)>
#k = affine_map<(b, h, q, k, d) -> (b, h, k, d)>
#s = affine_map<(b, h, q, k, d) -> (b, h, q, k)>
#p = affine_map<(b, h, q, e, k) -> (b, h, q, k)>
#v = affine_map<(b, h, q, e, k) -> (b, h, k, e)>
#o = affine_map<(b, h, q, e, k) -> (b, h, q, e)>
#id = affine_map<(b, h, q, k) -> (b, h, q, k)>
// CHECK-LABEL: func @divisor
// CHECK-SAME: %[[T:[^:]*]]: f16)
// CHECK: %[[WIDE:.*]] = arith.extf %[[T]] : f16 to f32
// CHECK: %[[TIMES:.*]] = arith.divf %{{.*}}, %[[WIDE]] : f32
// CHECK: stof.attention {{.*}} times %[[TIMES]] ->
func.func @divisor(%q: tensor<2x3x8x4xf32>, %k: tensor<2x3x8x4xf32>, %v: tensor<2x3x8x4xf32>, %t: f16) -> tensor<2x3x8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %s_init = tensor.empty() : tensor<2x3x8x8xf32>
  %s_zero = linalg.fill ins(%zero : f32) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %qk = linalg.contract indexing_maps = [#q, #k, #s]
      ins(%q, %k : tensor<2x3x8x4xf32>, tensor<2x3x8x4xf32>) outs(%s_zero : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%qk : tensor<2x3x8x8xf32>) outs(%s_init : tensor<2x3x8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %wide = arith.extf %t : f16 to f32
    %r = arith.divf %in, %wide : f32
    linalg.yield %r : f32
  } -> tensor<2x3x8x8xf32>
  %p = linalg.softmax dimension(3) ins(%s : tensor<2x3x8x8xf32>) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %o_init = tensor.empty() : tensor<2x3x8x4xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_init : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  %o = linalg.contract indexing_maps = [#p, #v, #o]
      ins(%p, %v : tensor<2x3x8x8xf32>, tensor<2x3x8x4xf32>) outs(%o_zero : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  return %o : tensor<2x3x8x4xf32>
}

// -----

/// A scale in a tensor is read in the score: a scalar would be read ahead of the
/// kernel.

#q = affine_map<(b, h, q, k, d) -> (b, h, q, d)>
#k = affine_map<(b, h, q, k, d) -> (b, h, k, d)>
#s = affine_map<(b, h, q, k, d) -> (b, h, q, k)>
#p = affine_map<(b, h, q, e, k) -> (b, h, q, k)>
#v = affine_map<(b, h, q, e, k) -> (b, h, k, e)>
#o = affine_map<(b, h, q, e, k) -> (b, h, q, e)>
#id = affine_map<(b, h, q, k) -> (b, h, q, k)>
#none = affine_map<(b, h, q, k) -> ()>
// CHECK-LABEL: func @negative_element
// CHECK-SAME: %[[T:[^:]*]]: tensor<f16>)
// CHECK-NOT: times
// CHECK: stof.attention {{.*}} captures(%[[T]] : tensor<f16>) {{.*}} score {
func.func @negative_element(%q: tensor<2x3x8x4xf32>, %k: tensor<2x3x8x4xf32>, %v: tensor<2x3x8x4xf32>, %t: tensor<f16>) -> tensor<2x3x8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %s_init = tensor.empty() : tensor<2x3x8x8xf32>
  %s_zero = linalg.fill ins(%zero : f32) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %qk = linalg.contract indexing_maps = [#q, #k, #s]
      ins(%q, %k : tensor<2x3x8x4xf32>, tensor<2x3x8x4xf32>) outs(%s_zero : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %s = linalg.generic {indexing_maps = [#id, #none, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%qk, %t : tensor<2x3x8x8xf32>, tensor<f16>) outs(%s_init : tensor<2x3x8x8xf32>) {
  ^bb0(%in: f32, %temperature: f16, %out: f32):
    %wide = arith.extf %temperature : f16 to f32
    %r = arith.divf %in, %wide : f32
    linalg.yield %r : f32
  } -> tensor<2x3x8x8xf32>
  %p = linalg.softmax dimension(3) ins(%s : tensor<2x3x8x8xf32>) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %o_init = tensor.empty() : tensor<2x3x8x4xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_init : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  %o = linalg.contract indexing_maps = [#p, #v, #o]
      ins(%p, %v : tensor<2x3x8x8xf32>, tensor<2x3x8x4xf32>) outs(%o_zero : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  return %o : tensor<2x3x8x4xf32>
}

// -----

/// A scale of each head is a score.

#q = affine_map<(b, h, q, k, d) -> (b, h, q, d)>
#k = affine_map<(b, h, q, k, d) -> (b, h, k, d)>
#s = affine_map<(b, h, q, k, d) -> (b, h, q, k)>
#p = affine_map<(b, h, q, e, k) -> (b, h, q, k)>
#v = affine_map<(b, h, q, e, k) -> (b, h, k, e)>
#o = affine_map<(b, h, q, e, k) -> (b, h, q, e)>
#id = affine_map<(b, h, q, k) -> (b, h, q, k)>
#head = affine_map<(b, h, q, k) -> (h)>
// CHECK-LABEL: func @negative_of_the_head
// CHECK-NOT: times
// CHECK: stof.attention {{.*}} captures(%{{.*}} : tensor<3xf32>) {{.*}} score {
func.func @negative_of_the_head(%q: tensor<2x3x8x4xf32>, %k: tensor<2x3x8x4xf32>, %v: tensor<2x3x8x4xf32>, %t: tensor<3xf32>) -> tensor<2x3x8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %s_init = tensor.empty() : tensor<2x3x8x8xf32>
  %s_zero = linalg.fill ins(%zero : f32) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %qk = linalg.contract indexing_maps = [#q, #k, #s]
      ins(%q, %k : tensor<2x3x8x4xf32>, tensor<2x3x8x4xf32>) outs(%s_zero : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %s = linalg.generic {indexing_maps = [#id, #head, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%qk, %t : tensor<2x3x8x8xf32>, tensor<3xf32>) outs(%s_init : tensor<2x3x8x8xf32>) {
  ^bb0(%in: f32, %scale: f32, %out: f32):
    %r = arith.mulf %in, %scale : f32
    linalg.yield %r : f32
  } -> tensor<2x3x8x8xf32>
  %p = linalg.softmax dimension(3) ins(%s : tensor<2x3x8x8xf32>) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %o_init = tensor.empty() : tensor<2x3x8x4xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_init : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  %o = linalg.contract indexing_maps = [#p, #v, #o]
      ins(%p, %v : tensor<2x3x8x8xf32>, tensor<2x3x8x4xf32>) outs(%o_zero : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  return %o : tensor<2x3x8x4xf32>
}

// -----

/// What scales more than the product is a score.

#q = affine_map<(b, h, q, k, d) -> (b, h, q, d)>
#k = affine_map<(b, h, q, k, d) -> (b, h, k, d)>
#s = affine_map<(b, h, q, k, d) -> (b, h, q, k)>
#p = affine_map<(b, h, q, e, k) -> (b, h, q, k)>
#v = affine_map<(b, h, q, e, k) -> (b, h, k, e)>
#o = affine_map<(b, h, q, e, k) -> (b, h, q, e)>
#id = affine_map<(b, h, q, k) -> (b, h, q, k)>
// CHECK-LABEL: func @negative_of_the_masked
// CHECK-NOT: times
// CHECK: stof.attention {{.*}} captures(%{{.*}} : f32) {{.*}} score {
func.func @negative_of_the_masked(%q: tensor<2x3x8x4xf32>, %k: tensor<2x3x8x4xf32>, %v: tensor<2x3x8x4xf32>, %scale: f32) -> tensor<2x3x8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %s_init = tensor.empty() : tensor<2x3x8x8xf32>
  %s_zero = linalg.fill ins(%zero : f32) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %qk = linalg.contract indexing_maps = [#q, #k, #s]
      ins(%q, %k : tensor<2x3x8x4xf32>, tensor<2x3x8x4xf32>) outs(%s_zero : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%qk : tensor<2x3x8x8xf32>) outs(%s_init : tensor<2x3x8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    %keep = arith.cmpi ule, %j, %i : index
    %low = arith.constant -7.0 : f32
    %x = arith.select %keep, %in, %low : f32
    %r = arith.mulf %x, %scale : f32
    linalg.yield %r : f32
  } -> tensor<2x3x8x8xf32>
  %p = linalg.softmax dimension(3) ins(%s : tensor<2x3x8x8xf32>) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %o_init = tensor.empty() : tensor<2x3x8x4xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_init : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  %o = linalg.contract indexing_maps = [#p, #v, #o]
      ins(%p, %v : tensor<2x3x8x8xf32>, tensor<2x3x8x4xf32>) outs(%o_zero : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  return %o : tensor<2x3x8x4xf32>
}

// -----

/// A factor of the values is none of the scores: it stays with the values.

#q = affine_map<(b, h, q, k, d) -> (b, h, q, d)>
#k = affine_map<(b, h, q, k, d) -> (b, h, k, d)>
#s = affine_map<(b, h, q, k, d) -> (b, h, q, k)>
#p = affine_map<(b, h, q, e, k) -> (b, h, q, k)>
#v = affine_map<(b, h, q, e, k) -> (b, h, k, e)>
#o = affine_map<(b, h, q, e, k) -> (b, h, q, e)>
#id = affine_map<(b, h, q, k) -> (b, h, q, k)>
// CHECK-LABEL: func @values
// CHECK-SAME: %[[Q:[^:]*]]: tensor<2x3x8x4xf32>, %[[K:[^:]*]]: tensor<2x3x8x4xf32>, %[[V:[^:]*]]: tensor<2x3x8x4xf32>)
// CHECK: %[[HALVES:.*]] = linalg.generic {{.*}} ins(%[[V]] :
// CHECK:   arith.mulf
// CHECK: stof.attention ins(%[[Q]], %[[K]], %[[HALVES]] :
// CHECK-NOT: scale
// CHECK-SAME: ->
func.func @values(%q: tensor<2x3x8x4xf32>, %k: tensor<2x3x8x4xf32>, %v: tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %s_init = tensor.empty() : tensor<2x3x8x8xf32>
  %s_zero = linalg.fill ins(%zero : f32) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %s = linalg.contract indexing_maps = [#q, #k, #s]
      ins(%q, %k : tensor<2x3x8x4xf32>, tensor<2x3x8x4xf32>) outs(%s_zero : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %p = linalg.softmax dimension(3) ins(%s : tensor<2x3x8x8xf32>) outs(%s_init : tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %o_init = tensor.empty() : tensor<2x3x8x4xf32>
  %halves = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%v : tensor<2x3x8x4xf32>) outs(%o_init : tensor<2x3x8x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %half = arith.constant 0.5 : f32
    %r = arith.mulf %in, %half : f32
    linalg.yield %r : f32
  } -> tensor<2x3x8x4xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_init : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  %o = linalg.contract indexing_maps = [#p, #v, #o]
      ins(%p, %halves : tensor<2x3x8x8xf32>, tensor<2x3x8x4xf32>) outs(%o_zero : tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  return %o : tensor<2x3x8x4xf32>
}
