// Conversion to f8E4M3FN.

#id = affine_map<(i) -> (i)>

func.func @narrow(%x: tensor<?xf32>) -> tensor<?xf8E4M3FN> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf8E4M3FN>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<?xf32>) outs(%e : tensor<?xf8E4M3FN>) {
  ^bb0(%a: f32, %o: f8E4M3FN):
    %r = arith.truncf %a : f32 to f8E4M3FN
    linalg.yield %r : f8E4M3FN
  } -> tensor<?xf8E4M3FN>
  return %y : tensor<?xf8E4M3FN>
}
