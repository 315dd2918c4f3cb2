// What finishes matmuls and has to do with other columns or other matmuls.

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (n, k)>
#out = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#shd = affine_map<(h, s, d) -> (s, h, d)>
#sd = affine_map<(h, s, d) -> (s, d)>
#hs = affine_map<(h, s, d) -> (h, s)>
#hsd = affine_map<(h, s, d) -> (h, s, d)>

func.func @epilogues(%x: tensor<70x72xf16>, %w: tensor<160x72xf16>, %angle: tensor<70x80xf16>,
                     %gate: tensor<66x72xf16>, %up: tensor<66x72xf16>,
                     %v: tensor<200x72xf16>, %z: tensor<70x200xf32>,
                     %y: tensor<19x24xf32>, %u: tensor<64x24xf32>)
    -> (tensor<2x70x80xf16>, tensor<70x66xf16>, tensor<70x200xf16>, tensor<2x19x32xf32>)
    attributes {stof.scheme = #stof.scheme<"00011100001111">} {
  %zero = arith.constant 0.0 : f32
  %c1 = arith.constant 1 : index
  %c40 = arith.constant 40 : index

  // Heads of 80, of which one half turns with the other.
  %heads_e = tensor.empty() : tensor<70x160xf32>
  %heads_0 = linalg.fill ins(%zero : f32) outs(%heads_e : tensor<70x160xf32>) -> tensor<70x160xf32>
  %heads = linalg.contract indexing_maps = [#lhs, #rhs, #out]
      ins(%x, %w : tensor<70x72xf16>, tensor<160x72xf16>) outs(%heads_0 : tensor<70x160xf32>) -> tensor<70x160xf32>
  %apart = tensor.expand_shape %heads [[0], [1, 2]] output_shape [70, 2, 80] : tensor<70x160xf32> into tensor<70x2x80xf32>
  %turned_e = tensor.empty() : tensor<2x70x80xf16>
  %half = linalg.generic {indexing_maps = [#shd, #hsd], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%apart : tensor<70x2x80xf32>) outs(%turned_e : tensor<2x70x80xf16>) {
  ^bb0(%e: f32, %o: f16):
    %r = arith.truncf %e : f32 to f16
    linalg.yield %r : f16
  } -> tensor<2x70x80xf16>
  %turned = linalg.generic {indexing_maps = [#hsd, #sd, #hsd], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%half, %angle : tensor<2x70x80xf16>, tensor<70x80xf16>) outs(%turned_e : tensor<2x70x80xf16>) {
  ^bb0(%e: f16, %a: f16, %o: f16):
    %h = linalg.index 0 : index
    %s = linalg.index 1 : index
    %d = linalg.index 2 : index
    %low = arith.cmpi slt, %d, %c40 : index
    %m = scf.if %low -> (f16) {
      %n = arith.addi %d, %c40 : index
      %f = tensor.extract %half[%h, %s, %n] : tensor<2x70x80xf16>
      %g = arith.negf %f : f16
      scf.yield %g : f16
    } else {
      %n = arith.subi %d, %c40 : index
      %f = tensor.extract %half[%h, %s, %n] : tensor<2x70x80xf16>
      scf.yield %f : f16
    }
    %p = arith.mulf %m, %a : f16
    %r = arith.addf %p, %e : f16
    linalg.yield %r : f16
  } -> tensor<2x70x80xf16>

  // A gate and what it lets through.
  %gated_e = tensor.empty() : tensor<70x66xf32>
  %gated_0 = linalg.fill ins(%zero : f32) outs(%gated_e : tensor<70x66xf32>) -> tensor<70x66xf32>
  %first = linalg.contract indexing_maps = [#lhs, #rhs, #out]
      ins(%x, %gate : tensor<70x72xf16>, tensor<66x72xf16>) outs(%gated_0 : tensor<70x66xf32>) -> tensor<70x66xf32>
  %second = linalg.contract indexing_maps = [#lhs, #rhs, #out]
      ins(%x, %up : tensor<70x72xf16>, tensor<66x72xf16>) outs(%gated_0 : tensor<70x66xf32>) -> tensor<70x66xf32>
  %gated_h = tensor.empty() : tensor<70x66xf16>
  %gated = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%first, %second : tensor<70x66xf32>, tensor<70x66xf32>) outs(%gated_h : tensor<70x66xf16>) {
  ^bb0(%e: f32, %f: f32, %o: f16):
    %m = arith.maximumf %e, %zero : f32
    %p = arith.mulf %m, %f : f32
    %r = arith.truncf %p : f32 to f16
    linalg.yield %r : f16
  } -> tensor<70x66xf16>

  // A sum with a residual, divided by the root of its squares.
  %wide_e = tensor.empty() : tensor<70x200xf32>
  %wide_0 = linalg.fill ins(%zero : f32) outs(%wide_e : tensor<70x200xf32>) -> tensor<70x200xf32>
  %wide = linalg.contract indexing_maps = [#lhs, #rhs, #out]
      ins(%x, %v : tensor<70x72xf16>, tensor<200x72xf16>) outs(%wide_0 : tensor<70x200xf32>) -> tensor<70x200xf32>
  %sum = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%wide, %z : tensor<70x200xf32>, tensor<70x200xf32>) outs(%wide_e : tensor<70x200xf32>) {
  ^bb0(%e: f32, %f: f32, %o: f32):
    %r = arith.addf %e, %f : f32
    linalg.yield %r : f32
  } -> tensor<70x200xf32>
  %squares_e = tensor.empty() : tensor<70xf32>
  %squares_0 = linalg.fill ins(%zero : f32) outs(%squares_e : tensor<70xf32>) -> tensor<70xf32>
  %squares = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%sum : tensor<70x200xf32>) outs(%squares_0 : tensor<70xf32>) {
  ^bb0(%e: f32, %o: f32):
    %p = arith.mulf %e, %e : f32
    %r = arith.addf %p, %o : f32
    linalg.yield %r : f32
  } -> tensor<70xf32>
  %norm_e = tensor.empty() : tensor<70x200xf16>
  %norm = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sum, %squares : tensor<70x200xf32>, tensor<70xf32>) outs(%norm_e : tensor<70x200xf16>) {
  ^bb0(%e: f32, %f: f32, %o: f16):
    %p = math.rsqrt %f : f32
    %q = arith.mulf %e, %p : f32
    %r = arith.truncf %q : f32 to f16
    linalg.yield %r : f16
  } -> tensor<70x200xf16>

  // Heads divided by their greatest element, neighbours then added.
  %pairs_e = tensor.empty() : tensor<19x64xf32>
  %pairs_0 = linalg.fill ins(%zero : f32) outs(%pairs_e : tensor<19x64xf32>) -> tensor<19x64xf32>
  %pairs = linalg.contract indexing_maps = [#lhs, #rhs, #out]
      ins(%y, %u : tensor<19x24xf32>, tensor<64x24xf32>) outs(%pairs_0 : tensor<19x64xf32>) -> tensor<19x64xf32>
  %both = tensor.expand_shape %pairs [[0], [1, 2]] output_shape [19, 2, 32] : tensor<19x64xf32> into tensor<19x2x32xf32>
  %most_e = tensor.empty() : tensor<2x19xf32>
  %least = arith.constant 0xFF800000 : f32
  %most_0 = linalg.fill ins(%least : f32) outs(%most_e : tensor<2x19xf32>) -> tensor<2x19xf32>
  %most = linalg.generic {indexing_maps = [#shd, #hs], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%both : tensor<19x2x32xf32>) outs(%most_0 : tensor<2x19xf32>) {
  ^bb0(%e: f32, %o: f32):
    %r = arith.maximumf %e, %o : f32
    linalg.yield %r : f32
  } -> tensor<2x19xf32>
  %scaled_e = tensor.empty() : tensor<2x19x32xf32>
  %scaled = linalg.generic {indexing_maps = [#shd, #hs, #hsd], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%both, %most : tensor<19x2x32xf32>, tensor<2x19xf32>) outs(%scaled_e : tensor<2x19x32xf32>) {
  ^bb0(%e: f32, %f: f32, %o: f32):
    %r = arith.divf %e, %f : f32
    linalg.yield %r : f32
  } -> tensor<2x19x32xf32>
  %added = linalg.generic {indexing_maps = [#hsd, #hsd], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%scaled : tensor<2x19x32xf32>) outs(%scaled_e : tensor<2x19x32xf32>) {
  ^bb0(%e: f32, %o: f32):
    %h = linalg.index 0 : index
    %s = linalg.index 1 : index
    %d = linalg.index 2 : index
    %n = arith.xori %d, %c1 : index
    %f = tensor.extract %scaled[%h, %s, %n] : tensor<2x19x32xf32>
    %r = arith.addf %e, %f : f32
    linalg.yield %r : f32
  } -> tensor<2x19x32xf32>
  return %turned, %gated, %norm, %added : tensor<2x70x80xf16>, tensor<70x66xf16>, tensor<70x200xf16>, tensor<2x19x32xf32>
}
