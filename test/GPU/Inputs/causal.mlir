// Attention whose keys and values come by tensor maps on sm_90a.
func.func @main(%q: tensor<1x12x1024x64xf16>, %k: tensor<1x12x1024x64xf16>, %v: tensor<1x12x1024x64xf16>) -> tensor<1x12x1024x64xf16> {
  %init = tensor.empty() : tensor<1x12x1024x64xf16>
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %p = arith.cmpi ule, %j, %i : index
    stof.yield %p : i1
  } : !stof.mask<1024x1024>
  %out = stof.attention ins(%q, %k, %v : tensor<1x12x1024x64xf16>, tensor<1x12x1024x64xf16>, tensor<1x12x1024x64xf16>)
      mask(%m : !stof.mask<1024x1024>) outs(%init : tensor<1x12x1024x64xf16>) scale 0.125 -> tensor<1x12x1024x64xf16>
  return %out : tensor<1x12x1024x64xf16>
}
