// Attention whose keys are shared among CTAs, which meet in a workspace.
func.func @main(%q: tensor<1x8x1x64xf16>, %k: tensor<1x8x4096x64xf16>, %v: tensor<1x8x4096x64xf16>) -> tensor<1x8x1x64xf16> {
  %init = tensor.empty() : tensor<1x8x1x64xf16>
  %out = stof.attention ins(%q, %k, %v : tensor<1x8x1x64xf16>, tensor<1x8x4096x64xf16>, tensor<1x8x4096x64xf16>)
      outs(%init : tensor<1x8x1x64xf16>) scale 0.125 -> tensor<1x8x1x64xf16>
  return %out : tensor<1x8x1x64xf16>
}
