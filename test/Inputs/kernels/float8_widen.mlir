// Conversion from f8E5M2.

#id = affine_map<(i) -> (i)>

func.func @widen(%x: tensor<256xf8E5M2>) -> tensor<256xf16> {
  %e = tensor.empty() : tensor<256xf16>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<256xf8E5M2>) outs(%e : tensor<256xf16>) {
  ^bb0(%a: f8E5M2, %o: f16):
    %r = arith.extf %a : f8E5M2 to f16
    linalg.yield %r : f16
  } -> tensor<256xf16>
  return %y : tensor<256xf16>
}
