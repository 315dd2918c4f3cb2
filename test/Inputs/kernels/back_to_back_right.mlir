// Back-to-back matmuls; the accumulators are the right operand.

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (n, k)>
#out = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(i, j) -> (i, j)>

// The columns of a right operand, in f32: g max(a^T b, 1).
func.func @right(%g: tensor<35x40xf32>, %a: tensor<24x40xf32>, %b: tensor<24x50xf32>) -> tensor<35x50xf32>
    attributes {stof.scheme = #stof.scheme<"000">} {
  %zero = arith.constant 0.0 : f32
  %s_e = tensor.empty() : tensor<40x50xf32>
  %s_0 = linalg.fill ins(%zero : f32) outs(%s_e : tensor<40x50xf32>) -> tensor<40x50xf32>
  %s = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, #out]
      ins(%a, %b : tensor<24x40xf32>, tensor<24x50xf32>) outs(%s_0 : tensor<40x50xf32>) -> tensor<40x50xf32>
  %t = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<40x50xf32>) outs(%s_e : tensor<40x50xf32>) {
  ^bb0(%e: f32, %o: f32):
    %one = arith.constant 1.0 : f32
    %m = arith.maximumf %e, %one : f32
    linalg.yield %m : f32
  } -> tensor<40x50xf32>
  %v_e = tensor.empty() : tensor<35x50xf32>
  %v_0 = linalg.fill ins(%zero : f32) outs(%v_e : tensor<35x50xf32>) -> tensor<35x50xf32>
  %v = linalg.contract indexing_maps = [#lhs, affine_map<(m, n, k) -> (k, n)>, #out]
      ins(%g, %t : tensor<35x40xf32>, tensor<40x50xf32>) outs(%v_0 : tensor<35x50xf32>) -> tensor<35x50xf32>
  return %v : tensor<35x50xf32>
}
