// Matmuls of few tiles with split-K, and what adds the partial sums up: a
// norm of rows, and one row from an initial value. Parts of the third and the last
// are of whole heads, those of one query in the last.

#lhs = affine_map<(m, n, k) -> (m, k)>
#rows = affine_map<(m, n, k) -> (n, k)>
#columns = affine_map<(m, n, k) -> (k, n)>
#out = affine_map<(m, n, k) -> (m, n)>
#heads = affine_map<(m, n, h, k) -> (h, m, k)>
#weights = affine_map<(m, n, h, k) -> (n, h, k)>
#of_heads = affine_map<(m, n, h, k) -> (m, n)>
#one_query = affine_map<(m, n, h, q, k) -> (m, h, q, k)>
#one_weights = affine_map<(m, n, h, q, k) -> (n, q, h, k)>
#of_one = affine_map<(m, n, h, q, k) -> (m, n)>
#id = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (j)>
#row = affine_map<(i, j) -> (i)>

func.func @split_k(%x: tensor<13x4096xf16>, %w: tensor<40x4096xf16>, %b: tensor<40xf16>,
                 %y: tensor<1x1024xf32>, %u: tensor<1024x21xf32>, %c: tensor<1x21xf32>,
                 %z: tensor<16x5x192xbf16>, %v: tensor<9x16x192xbf16>,
                 %d: tensor<1x32x1x128xf16>, %i: tensor<23x1x32x128xf16>)
    -> (tensor<13x40xf16>, tensor<1x21xf32>, tensor<5x9xf32>, tensor<1x23xf32>) {
  %zero = arith.constant 0.0 : f32
  %p_e = tensor.empty() : tensor<13x40xf32>
  %p_0 = linalg.fill ins(%zero : f32) outs(%p_e : tensor<13x40xf32>) -> tensor<13x40xf32>
  %p = linalg.contract indexing_maps = [#lhs, #rows, #out]
      ins(%x, %w : tensor<13x4096xf16>, tensor<40x4096xf16>) outs(%p_0 : tensor<13x40xf32>) -> tensor<13x40xf32>
  %a = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %b : tensor<13x40xf32>, tensor<40xf16>) outs(%p_e : tensor<13x40xf32>) {
  ^bb0(%e: f32, %f: f16, %o: f32):
    %g = arith.extf %f : f16 to f32
    %r = arith.addf %e, %g : f32
    linalg.yield %r : f32
  } -> tensor<13x40xf32>
  %s_e = tensor.empty() : tensor<13xf32>
  %s_0 = linalg.fill ins(%zero : f32) outs(%s_e : tensor<13xf32>) -> tensor<13xf32>
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<13x40xf32>) outs(%s_0 : tensor<13xf32>) {
  ^bb0(%e: f32, %o: f32):
    %g = arith.mulf %e, %e : f32
    %r = arith.addf %g, %o : f32
    linalg.yield %r : f32
  } -> tensor<13xf32>
  %n_e = tensor.empty() : tensor<13x40xf16>
  %n = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a, %s : tensor<13x40xf32>, tensor<13xf32>) outs(%n_e : tensor<13x40xf16>) {
  ^bb0(%e: f32, %f: f32, %o: f16):
    %g = math.rsqrt %f : f32
    %h = arith.mulf %e, %g : f32
    %r = arith.truncf %h : f32 to f16
    linalg.yield %r : f16
  } -> tensor<13x40xf16>

  %q = linalg.contract indexing_maps = [#lhs, #columns, #out]
      ins(%y, %u : tensor<1x1024xf32>, tensor<1024x21xf32>) outs(%c : tensor<1x21xf32>) -> tensor<1x21xf32>

  %t_e = tensor.empty() : tensor<5x9xf32>
  %t_0 = linalg.fill ins(%zero : f32) outs(%t_e : tensor<5x9xf32>) -> tensor<5x9xf32>
  %t = linalg.contract indexing_maps = [#heads, #weights, #of_heads]
      ins(%z, %v : tensor<16x5x192xbf16>, tensor<9x16x192xbf16>) outs(%t_0 : tensor<5x9xf32>) -> tensor<5x9xf32>

  %l_e = tensor.empty() : tensor<1x23xf32>
  %l_0 = linalg.fill ins(%zero : f32) outs(%l_e : tensor<1x23xf32>) -> tensor<1x23xf32>
  %l = linalg.contract indexing_maps = [#one_query, #one_weights, #of_one]
      ins(%d, %i : tensor<1x32x1x128xf16>, tensor<23x1x32x128xf16>) outs(%l_0 : tensor<1x23xf32>) -> tensor<1x23xf32>
  return %n, %q, %t, %l : tensor<13x40xf16>, tensor<1x21xf32>, tensor<5x9xf32>, tensor<1x23xf32>
}
