// Back-to-back matmuls; the accumulators are the left operand.

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (n, k)>
#out = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(i, j) -> (i, j)>

// The rows of a left operand: max(x u, 1) w.
func.func @left(%x: tensor<70x136xf16>, %u: tensor<100x136xf16>, %w: tensor<66x100xf16>) -> tensor<70x66xf16>
    attributes {stof.scheme = #stof.scheme<"0000">} {
  %zero = arith.constant 0.0 : f32
  %p_e = tensor.empty() : tensor<70x100xf32>
  %p_0 = linalg.fill ins(%zero : f32) outs(%p_e : tensor<70x100xf32>) -> tensor<70x100xf32>
  %p = linalg.contract indexing_maps = [#lhs, #rhs, #out]
      ins(%x, %u : tensor<70x136xf16>, tensor<100x136xf16>) outs(%p_0 : tensor<70x100xf32>) -> tensor<70x100xf32>
  %y_e = tensor.empty() : tensor<70x100xf16>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<70x100xf32>) outs(%y_e : tensor<70x100xf16>) {
  ^bb0(%e: f32, %o: f16):
    %one = arith.constant 1.0 : f32
    %m = arith.maximumf %e, %one : f32
    %r = arith.truncf %m : f32 to f16
    linalg.yield %r : f16
  } -> tensor<70x100xf16>
  %q_e = tensor.empty() : tensor<70x66xf32>
  %q_0 = linalg.fill ins(%zero : f32) outs(%q_e : tensor<70x66xf32>) -> tensor<70x66xf32>
  %q = linalg.contract indexing_maps = [#lhs, #rhs, #out]
      ins(%y, %w : tensor<70x100xf16>, tensor<66x100xf16>) outs(%q_0 : tensor<70x66xf32>) -> tensor<70x66xf32>
  %z_e = tensor.empty() : tensor<70x66xf16>
  %z = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%q : tensor<70x66xf32>) outs(%z_e : tensor<70x66xf16>) {
  ^bb0(%e: f32, %o: f16):
    %r = arith.truncf %e : f32 to f16
    linalg.yield %r : f16
  } -> tensor<70x66xf16>
  return %z : tensor<70x66xf16>
}
