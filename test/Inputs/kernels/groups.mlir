// Kernels of groups, one for each template, of sizes at which tiles stick out:
// rows in registers and rows in a loop, a matmul with an epilogue,
// and elements in two orders.

#id = affine_map<(i, j) -> (i, j)>
#swap = affine_map<(i, j) -> (j, i)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>
#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (n, k)>
#out = affine_map<(m, n, k) -> (m, n)>
#bshd = affine_map<(b, s, h, d) -> (b, s, h, d)>
#bhsd = affine_map<(b, s, h, d) -> (b, h, s, d)>

func.func @groups(%x: tensor<5x77xf16>, %z: tensor<5x77xf16>, %g: tensor<77xf16>, %u: tensor<?x?xf32>,
                  %a: tensor<70x29xf16>, %w: tensor<33x29xf16>, %b: tensor<33xf32>,
                  %p: tensor<19x37xf32>, %q: tensor<37x19xf32>)
    -> (tensor<5x77xf16>, tensor<5x77xf16>, tensor<?x?xf32>, tensor<2x3x35x11xf16>, tensor<70x33xf32>,
        tensor<19x37xf32>, tensor<37x19xf32>) attributes {stof.scheme = #stof.scheme<"000111100111">} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %count = arith.constant 77.0 : f32
  %one = arith.constant 1.0 : f32

  // A residual and its norm.
  %norm_h = tensor.empty() : tensor<5x77xf16>
  %norm_r = tensor.empty() : tensor<5xf32>
  %norm_0 = linalg.fill ins(%zero : f32) outs(%norm_r : tensor<5xf32>) -> tensor<5xf32>
  %y = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %z : tensor<5x77xf16>, tensor<5x77xf16>) outs(%norm_h : tensor<5x77xf16>) {
  ^bb0(%e: f16, %f: f16, %o: f16):
    %r = arith.addf %e, %f : f16
    linalg.yield %r : f16
  } -> tensor<5x77xf16>
  %squares = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%y : tensor<5x77xf16>) outs(%norm_0 : tensor<5xf32>) {
  ^bb0(%e: f16, %o: f32):
    %v = arith.extf %e : f16 to f32
    %s = arith.mulf %v, %v : f32
    %r = arith.addf %s, %o : f32
    linalg.yield %r : f32
  } -> tensor<5xf32>
  %norm = linalg.generic {indexing_maps = [#id, #row, #column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y, %squares, %g : tensor<5x77xf16>, tensor<5xf32>, tensor<77xf16>) outs(%norm_h : tensor<5x77xf16>) {
  ^bb0(%e: f16, %s: f32, %f: f16, %o: f16):
    %v = arith.extf %e : f16 to f32
    %mean = arith.divf %s, %count : f32
    %scale = math.rsqrt %mean : f32
    %n = arith.mulf %v, %scale : f32
    %t = arith.truncf %n : f32 to f16
    %r = arith.mulf %t, %f : f16
    linalg.yield %r : f16
  } -> tensor<5x77xf16>

  // A softmax of rows of any length.
  %rows = tensor.dim %u, %c0 : tensor<?x?xf32>
  %columns = tensor.dim %u, %c1 : tensor<?x?xf32>
  %soft_e = tensor.empty(%rows, %columns) : tensor<?x?xf32>
  %soft_r = tensor.empty(%rows) : tensor<?xf32>
  %soft_0 = linalg.fill ins(%zero : f32) outs(%soft_r : tensor<?xf32>) -> tensor<?xf32>
  %soft_1 = linalg.fill ins(%low : f32) outs(%soft_r : tensor<?xf32>) -> tensor<?xf32>
  %most = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%u : tensor<?x?xf32>) outs(%soft_1 : tensor<?xf32>) {
  ^bb0(%e: f32, %o: f32):
    %r = arith.maximumf %e, %o : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  %power = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%u, %most : tensor<?x?xf32>, tensor<?xf32>) outs(%soft_e : tensor<?x?xf32>) {
  ^bb0(%e: f32, %m: f32, %o: f32):
    %d = arith.subf %e, %m : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<?x?xf32>
  %total = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%power : tensor<?x?xf32>) outs(%soft_0 : tensor<?xf32>) {
  ^bb0(%e: f32, %o: f32):
    %r = arith.addf %e, %o : f32
    linalg.yield %r : f32
  } -> tensor<?xf32>
  %softmax = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%power, %total : tensor<?x?xf32>, tensor<?xf32>) outs(%soft_e : tensor<?x?xf32>) {
  ^bb0(%e: f32, %t: f32, %o: f32):
    %r = arith.divf %e, %t : f32
    linalg.yield %r : f32
  } -> tensor<?x?xf32>

  // A matmul with a bias; what follows is split into heads.
  %sums = tensor.empty() : tensor<70x33xf32>
  %start = linalg.fill ins(%zero : f32) outs(%sums : tensor<70x33xf32>) -> tensor<70x33xf32>
  %product = linalg.contract indexing_maps = [#lhs, #rhs, #out]
      ins(%a, %w : tensor<70x29xf16>, tensor<33x29xf16>) outs(%start : tensor<70x33xf32>) -> tensor<70x33xf32>
  %biased = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%product, %b : tensor<70x33xf32>, tensor<33xf32>) outs(%sums : tensor<70x33xf32>) {
  ^bb0(%e: f32, %f: f32, %o: f32):
    %r = arith.addf %e, %f : f32
    linalg.yield %r : f32
  } -> tensor<70x33xf32>
  %apart = tensor.expand_shape %biased [[0, 1], [2, 3]] output_shape [2, 35, 3, 11] : tensor<70x33xf32> into tensor<2x35x3x11xf32>
  %heads_e = tensor.empty() : tensor<2x3x35x11xf16>
  %heads = linalg.generic {indexing_maps = [#bshd, #bhsd], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%apart : tensor<2x35x3x11xf32>) outs(%heads_e : tensor<2x3x35x11xf16>) {
  ^bb0(%e: f32, %o: f16):
    %r = arith.truncf %e : f32 to f16
    linalg.yield %r : f16
  } -> tensor<2x3x35x11xf16>

  // A matrix with another one's transpose, both ways round.
  %sum_e = tensor.empty() : tensor<19x37xf32>
  %turned_e = tensor.empty() : tensor<37x19xf32>
  %sum = linalg.generic {indexing_maps = [#id, #swap, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %q : tensor<19x37xf32>, tensor<37x19xf32>) outs(%sum_e : tensor<19x37xf32>) {
  ^bb0(%e: f32, %f: f32, %o: f32):
    %r = arith.addf %e, %f : f32
    linalg.yield %r : f32
  } -> tensor<19x37xf32>
  %turned = linalg.generic {indexing_maps = [#swap, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sum : tensor<19x37xf32>) outs(%turned_e : tensor<37x19xf32>) {
  ^bb0(%e: f32, %o: f32):
    %r = arith.addf %e, %one : f32
    linalg.yield %r : f32
  } -> tensor<37x19xf32>
  return %y, %norm, %softmax, %heads, %biased, %sum, %turned
      : tensor<5x77xf16>, tensor<5x77xf16>, tensor<?x?xf32>, tensor<2x3x35x11xf16>, tensor<70x33xf32>,
        tensor<19x37xf32>, tensor<37x19xf32>
}
