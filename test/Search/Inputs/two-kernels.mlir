// An attention with several schedules, and a matmul with an epilogue.
!heads = tensor<1x2x64x16xf32>

func.func @main(%q: !heads, %k: !heads, %w: tensor<16x16xf32>) -> tensor<128x16xf32> {
  %e = tensor.empty() : !heads
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.cmpi ule, %j, %i : index
    stof.yield %keep : i1
  } : !stof.mask<?x?>
  %o = stof.attention ins(%q, %k, %q : !heads, !heads, !heads) mask(%m : !stof.mask<?x?>) outs(%e : !heads) -> !heads
  %rows = tensor.collapse_shape %o [[0, 1, 2], [3]] : !heads into tensor<128x16xf32>
  %init = tensor.empty() : tensor<128x16xf32>
  %zero = arith.constant 0.0 : f32
  %fill = linalg.fill ins(%zero : f32) outs(%init : tensor<128x16xf32>) -> tensor<128x16xf32>
  %product = linalg.matmul ins(%rows, %w : tensor<128x16xf32>, tensor<16x16xf32>) outs(%fill : tensor<128x16xf32>) -> tensor<128x16xf32>
  %abs = linalg.abs ins(%product : tensor<128x16xf32>) outs(%init : tensor<128x16xf32>) -> tensor<128x16xf32>
  return %abs : tensor<128x16xf32>
}
