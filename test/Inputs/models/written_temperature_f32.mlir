// written_temperature_f32: scores divided by a temperature that is an argument
// Written by hand, from test/Transforms/raise-attention-scale.mlir.
#q = affine_map<(b, h, q, k, d) -> (b, h, q, d)>
#k = affine_map<(b, h, q, k, d) -> (b, h, k, d)>
#s = affine_map<(b, h, q, k, d) -> (b, h, q, k)>
#p = affine_map<(b, h, q, e, k) -> (b, h, q, k)>
#v = affine_map<(b, h, q, e, k) -> (b, h, k, e)>
#o = affine_map<(b, h, q, e, k) -> (b, h, q, e)>
#id = affine_map<(b, h, q, k) -> (b, h, q, k)>
#none = affine_map<(b, h, q, k) -> ()>
func.func @main(%q: tensor<2x3x8x4xf32>, %k: tensor<2x3x8x4xf32>, %v: tensor<2x3x8x4xf32>, %t: tensor<f16>) -> tensor<2x3x8x4xf32> {
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
