// Matmuls with slices of weights that are read where they lie: rows and columns
// of them, from offsets that leave whole vectors, halves of them and single
// elements aligned.

#lhs = affine_map<(m, n, k) -> (m, k)>
#rows = affine_map<(m, n, k) -> (n, k)>
#columns = affine_map<(m, n, k) -> (k, n)>
#out = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (j)>

func.func @slices(%x: tensor<70x40xf16>, %w: tensor<61x40xf16>, %v: tensor<40x96xf16>, %b: tensor<96xf16>,
                  %y: tensor<33x24xf32>, %u: tensor<24x52xf32>)
    -> (tensor<70x27xf32>, tensor<70x34xf32>, tensor<70x32xf32>, tensor<70x4xf32>, tensor<70x53xf32>,
        tensor<33x17xf32>, tensor<33x16xf32>) attributes {stof.scheme = #stof.scheme<"001100110010">} {
  %zero = arith.constant 0.0 : f32
  %p_e = tensor.empty() : tensor<70x61xf32>
  %p_0 = linalg.fill ins(%zero : f32) outs(%p_e : tensor<70x61xf32>) -> tensor<70x61xf32>
  %p = linalg.contract indexing_maps = [#lhs, #rows, #out]
      ins(%x, %w : tensor<70x40xf16>, tensor<61x40xf16>) outs(%p_0 : tensor<70x61xf32>) -> tensor<70x61xf32>
  %n = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<70x61xf32>) outs(%p_e : tensor<70x61xf32>) {
  ^bb0(%e: f32, %o: f32):
    %r = arith.negf %e : f32
    linalg.yield %r : f32
  } -> tensor<70x61xf32>
  %p0 = tensor.extract_slice %n[0, 0] [70, 27] [1, 1] : tensor<70x61xf32> to tensor<70x27xf32>
  %p1 = tensor.extract_slice %n[0, 27] [70, 34] [1, 1] : tensor<70x61xf32> to tensor<70x34xf32>

  %q_e = tensor.empty() : tensor<70x96xf32>
  %q_0 = linalg.fill ins(%zero : f32) outs(%q_e : tensor<70x96xf32>) -> tensor<70x96xf32>
  %q_p = linalg.contract indexing_maps = [#lhs, #columns, #out]
      ins(%x, %v : tensor<70x40xf16>, tensor<40x96xf16>) outs(%q_0 : tensor<70x96xf32>) -> tensor<70x96xf32>
  %q = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%q_p, %b : tensor<70x96xf32>, tensor<96xf16>) outs(%q_e : tensor<70x96xf32>) {
  ^bb0(%e: f32, %f: f16, %o: f32):
    %g = arith.extf %f : f16 to f32
    %r = arith.addf %e, %g : f32
    linalg.yield %r : f32
  } -> tensor<70x96xf32>
  %q0 = tensor.extract_slice %q[0, 8] [70, 32] [1, 1] : tensor<70x96xf32> to tensor<70x32xf32>
  %q1 = tensor.extract_slice %q[0, 2] [70, 4] [1, 1] : tensor<70x96xf32> to tensor<70x4xf32>
  %q2 = tensor.extract_slice %q[0, 43] [70, 53] [1, 1] : tensor<70x96xf32> to tensor<70x53xf32>

  %r_e = tensor.empty() : tensor<33x52xf32>
  %r_0 = linalg.fill ins(%zero : f32) outs(%r_e : tensor<33x52xf32>) -> tensor<33x52xf32>
  %r_p = linalg.contract indexing_maps = [#lhs, #columns, #out]
      ins(%y, %u : tensor<33x24xf32>, tensor<24x52xf32>) outs(%r_0 : tensor<33x52xf32>) -> tensor<33x52xf32>
  %r0 = tensor.extract_slice %r_p[0, 2] [33, 17] [1, 1] : tensor<33x52xf32> to tensor<33x17xf32>
  %r1 = tensor.extract_slice %r_p[0, 20] [33, 16] [1, 2] : tensor<33x52xf32> to tensor<33x16xf32>
  return %p0, %p1, %q0, %q1, %q2, %r0, %r1
      : tensor<70x27xf32>, tensor<70x34xf32>, tensor<70x32xf32>, tensor<70x4xf32>, tensor<70x53xf32>,
        tensor<33x17xf32>, tensor<33x16xf32>
}
