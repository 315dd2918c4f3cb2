func.func @attention(%q: tensor<1x8x?x64xf16>, %k: tensor<1x8x?x64xf16>, %v: tensor<1x8x?x64xf16>,
                     %init: tensor<1x8x?x64xf16>) -> tensor<1x8x?x64xf16> {
  %causal = stof.mask {
  ^bb0(%batch: index, %head: index, %query: index, %key: index):
    %keep = arith.cmpi ule, %key, %query : index
    stof.yield %keep : i1
  } : !stof.mask<?x?>
  %out = stof.attention ins(%q, %k, %v : tensor<1x8x?x64xf16>, tensor<1x8x?x64xf16>, tensor<1x8x?x64xf16>)
      mask(%causal : !stof.mask<?x?>) outs(%init : tensor<1x8x?x64xf16>) scale 0.125 -> tensor<1x8x?x64xf16>
  return %out : tensor<1x8x?x64xf16>
}
