// A score that captures a slice: of fewer dimensions than the tensors that attention loads in tiles.

func.func @biased(%q: tensor<1x2x20x16xf32>, %k: tensor<1x2x70x16xf32>, %biases: tensor<75xf32>) -> tensor<1x2x20x16xf32> {
  %init = tensor.empty() : tensor<1x2x20x16xf32>
  %slice = tensor.extract_slice %biases[3] [70] [1] : tensor<75xf32> to tensor<70xf32>
  %o = stof.attention ins(%q, %k, %k : tensor<1x2x20x16xf32>, tensor<1x2x70x16xf32>, tensor<1x2x70x16xf32>)
      captures(%slice : tensor<70xf32>) outs(%init : tensor<1x2x20x16xf32>) scale 0.25 score {
  ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %of: tensor<70xf32>):
    %bias = tensor.extract %of[%j] : tensor<70xf32>
    %biased = arith.addf %s, %bias : f32
    stof.yield %biased : f32
  } -> tensor<1x2x20x16xf32>
  return %o : tensor<1x2x20x16xf32>
}
