// RUN: stof-opt --stof-import-attention --stof-raise-attention --remarks-filter=stof-raise-attention --split-input-file %s -o /dev/null 2>&1 | FileCheck %s --allow-empty

/// A softmax whose weights no contraction multiplies, as routers have it, is
/// named at its exponential.

// CHECK: softmaxes.mlir:[[@LINE+2]]:14: remark: [Missed] RaisedAttention | {{.*}}Reason="the weights of this softmax are not contracted over its keys"
func.func @router(%logits: tensor<8x16xf32>, %init: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %weights = linalg.softmax dimension(1) ins(%logits : tensor<8x16xf32>) outs(%init : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %weights : tensor<8x16xf32>
}

// -----

/// So is one whose sum has exponentials of its own, and whose quotient is a
/// product with the inverse of the sum.

#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
// CHECK: softmaxes.mlir:[[@LINE+6]]:10: remark: [Missed] RaisedAttention
// CHECK-NOT: remark:
func.func @inverse_of_sum(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8xf32>) -> tensor<8xf32>
  %sum = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x16xf32>) outs(%init : tensor<8xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %e = math.exp %a : f32
    %s = arith.addf %acc, %e : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  %whole = tensor.empty() : tensor<8x16xf32>
  %weights = linalg.generic {indexing_maps = [#ij, #i, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum : tensor<8x16xf32>, tensor<8xf32>) outs(%whole : tensor<8x16xf32>) {
  ^bb0(%a: f32, %s: f32, %out: f32):
    %one = arith.constant 1.0 : f32
    %inverse = arith.divf %one, %s : f32
    %e = math.exp %a : f32
    %w = arith.mulf %e, %inverse : f32
    linalg.yield %w : f32
  } -> tensor<8x16xf32>
  return %weights : tensor<8x16xf32>
}

// -----

/// The mean of exponentials is no softmax, and the logarithm of their sum is
/// none.

#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
#r = affine_map<(i) -> (i)>
// CHECK-NOT: remark:
func.func @negative_mean_and_logarithm(%x: tensor<8x16xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8xf32>) -> tensor<8xf32>
  %sum = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x16xf32>) outs(%init : tensor<8xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %e = math.exp %a : f32
    %s = arith.addf %acc, %e : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  %both:2 = linalg.generic {indexing_maps = [#r, #r, #r], iterator_types = ["parallel"]}
      ins(%sum : tensor<8xf32>) outs(%empty, %empty : tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%s: f32, %out0: f32, %out1: f32):
    %keys = arith.constant 16.0 : f32
    %mean = arith.divf %s, %keys : f32
    %log = math.log %s : f32
    linalg.yield %mean, %log : f32, f32
  } -> (tensor<8xf32>, tensor<8xf32>)
  return %both#0, %both#1 : tensor<8xf32>, tensor<8xf32>
}

// -----

/// A softmax that is raised is not named, also where its weights are returned.

#q = affine_map<(b, h, q, k, d) -> (b, h, q, d)>
#k = affine_map<(b, h, q, k, d) -> (b, h, k, d)>
#s = affine_map<(b, h, q, k, d) -> (b, h, q, k)>
#p = affine_map<(b, h, q, e, k) -> (b, h, q, k)>
#v = affine_map<(b, h, q, e, k) -> (b, h, k, e)>
#o = affine_map<(b, h, q, e, k) -> (b, h, q, e)>
// CHECK: remark: [Passed] RaisedAttention
// CHECK-NOT: remark: [Missed]
func.func @negative_weights_returned(
    %query: tensor<1x2x8x4xf32>, %key: tensor<1x2x8x4xf32>, %value: tensor<1x2x8x4xf32>,
    %scores0: tensor<1x2x8x8xf32>, %out0: tensor<1x2x8x4xf32>) -> (tensor<1x2x8x4xf32>, tensor<1x2x8x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %scoreInit = linalg.fill ins(%zero : f32) outs(%scores0 : tensor<1x2x8x8xf32>) -> tensor<1x2x8x8xf32>
  %score = linalg.contract indexing_maps = [#q, #k, #s]
      ins(%query, %key : tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>) outs(%scoreInit : tensor<1x2x8x8xf32>) -> tensor<1x2x8x8xf32>
  %weights = linalg.softmax dimension(3) ins(%score : tensor<1x2x8x8xf32>) outs(%scores0 : tensor<1x2x8x8xf32>) -> tensor<1x2x8x8xf32>
  %outInit = linalg.fill ins(%zero : f32) outs(%out0 : tensor<1x2x8x4xf32>) -> tensor<1x2x8x4xf32>
  %out = linalg.contract indexing_maps = [#p, #v, #o]
      ins(%weights, %value : tensor<1x2x8x8xf32>, tensor<1x2x8x4xf32>) outs(%outInit : tensor<1x2x8x4xf32>) -> tensor<1x2x8x4xf32>
  return %out, %weights : tensor<1x2x8x4xf32>, tensor<1x2x8x8xf32>
}
