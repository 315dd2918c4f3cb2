// One kernel of branches between which no data flows: two matmuls of one operand,
// the softmax of rows whose number is not known, and elements of as many.

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>
#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (n, k)>
#out = affine_map<(m, n, k) -> (m, n)>

func.func @branches(%x: tensor<70x40xf16>, %v: tensor<66x40xf16>, %w: tensor<5x40xf16>, %b: tensor<66xf32>,
                    %u: tensor<?x130xf32>, %p: tensor<?x37xf32>)
    -> (tensor<70x66xf16>, tensor<70x5xf32>, tensor<?x130xf32>, tensor<?x37xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32

  // A matmul, its bias and its gate.
  %sums = tensor.empty() : tensor<70x66xf32>
  %start = linalg.fill ins(%zero : f32) outs(%sums : tensor<70x66xf32>) -> tensor<70x66xf32>
  %wide = linalg.contract indexing_maps = [#lhs, #rhs, #out]
      ins(%x, %v : tensor<70x40xf16>, tensor<66x40xf16>) outs(%start : tensor<70x66xf32>) -> tensor<70x66xf32>
  %halves = tensor.empty() : tensor<70x66xf16>
  %gated = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%wide, %b : tensor<70x66xf32>, tensor<66xf32>) outs(%halves : tensor<70x66xf16>) {
  ^bb0(%e: f32, %f: f32, %o: f16):
    %s = arith.addf %e, %f : f32
    %t = math.tanh %s : f32
    %r = arith.truncf %t : f32 to f16
    linalg.yield %r : f16
  } -> tensor<70x66xf16>

  // Another one, which is narrow.
  %few = tensor.empty() : tensor<70x5xf32>
  %begin = linalg.fill ins(%zero : f32) outs(%few : tensor<70x5xf32>) -> tensor<70x5xf32>
  %narrow = linalg.contract indexing_maps = [#lhs, #rhs, #out]
      ins(%x, %w : tensor<70x40xf16>, tensor<5x40xf16>) outs(%begin : tensor<70x5xf32>) -> tensor<70x5xf32>

  // The softmax of rows.
  %count = tensor.dim %u, %c0 : tensor<?x130xf32>
  %soft_e = tensor.empty(%count) : tensor<?x130xf32>
  %soft_r = tensor.empty(%count) : tensor<?xf32>
  %soft_0 = linalg.fill ins(%zero : f32) outs(%soft_r : tensor<?xf32>) -> tensor<?xf32>
  %soft_1 = linalg.fill ins(%low : f32) outs(%soft_r : tensor<?xf32>) -> tensor<?xf32>
  %most = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%u : tensor<?x130xf32>) outs(%soft_1 : tensor<?xf32>) {
  ^bb0(%e: f32, %o: f32):
    %r = arith.maximumf %e, %o : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  %power = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%u, %most : tensor<?x130xf32>, tensor<?xf32>) outs(%soft_e : tensor<?x130xf32>) {
  ^bb0(%e: f32, %f: f32, %o: f32):
    %d = arith.subf %e, %f : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<?x130xf32>
  %total = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%power : tensor<?x130xf32>) outs(%soft_0 : tensor<?xf32>) {
  ^bb0(%e: f32, %o: f32):
    %r = arith.addf %e, %o : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  %softmax = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%power, %total : tensor<?x130xf32>, tensor<?xf32>) outs(%soft_e : tensor<?x130xf32>) {
  ^bb0(%e: f32, %f: f32, %o: f32):
    %r = arith.divf %e, %f : f32
    linalg.yield %r : f32
  } -> tensor<?x130xf32>

  // Elements.
  %rows = tensor.dim %p, %c0 : tensor<?x37xf32>
  %turned_e = tensor.empty(%rows) : tensor<?x37xf32>
  %turned = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<?x37xf32>) outs(%turned_e : tensor<?x37xf32>) {
  ^bb0(%e: f32, %o: f32):
    %r = arith.negf %e : f32
    linalg.yield %r : f32
  } -> tensor<?x37xf32>
  return %gated, %narrow, %softmax, %turned
      : tensor<70x66xf16>, tensor<70x5xf32>, tensor<?x130xf32>, tensor<?x37xf32>
}
