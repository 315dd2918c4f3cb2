// Scores of some 1e38 that are equal: the weights are as well, and log2(e) in a score leaves it no last digits.
func.func @main(%q: tensor<1x2x24x16xf32>, %v: tensor<1x2x24x16xf32>) -> tensor<1x2x24x16xf32> {
  %k = arith.constant dense<-5.0e+36> : tensor<1x2x24x16xf32>
  %init = tensor.empty() : tensor<1x2x24x16xf32>
  %out = stof.attention ins(%q, %k, %v : tensor<1x2x24x16xf32>, tensor<1x2x24x16xf32>, tensor<1x2x24x16xf32>)
      outs(%init : tensor<1x2x24x16xf32>) scale 0.3 -> tensor<1x2x24x16xf32>
  return %out : tensor<1x2x24x16xf32>
}
