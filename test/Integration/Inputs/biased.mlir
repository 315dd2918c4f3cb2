// A mask that looks up the kind of each key, and a score that looks up a bias of each kind.
func.func @main(%q: tensor<1x2x20x16xf32>, %k: tensor<1x2x70x16xf32>, %kinds: tensor<70xi64>, %keep: tensor<5xi1>,
                %bias: tensor<5xf32>) -> tensor<1x2x20x16xf32> {
  %mask = stof.mask captures(%kinds, %keep : tensor<70xi64>, tensor<5xi1>) {
  ^bb0(%b: index, %h: index, %i: index, %j: index, %kinds_: tensor<70xi64>, %keep_: tensor<5xi1>):
    %kind = tensor.extract %kinds_[%j] : tensor<70xi64>
    %at = arith.index_cast %kind : i64 to index
    %kept = tensor.extract %keep_[%at] : tensor<5xi1>
    stof.yield %kept : i1
  } : !stof.mask<20x70>
  %init = tensor.empty() : tensor<1x2x20x16xf32>
  %0 = stof.attention ins(%q, %k, %k : tensor<1x2x20x16xf32>, tensor<1x2x70x16xf32>, tensor<1x2x70x16xf32>)
      mask(%mask : !stof.mask<20x70>) captures(%kinds, %bias : tensor<70xi64>, tensor<5xf32>)
      outs(%init : tensor<1x2x20x16xf32>) scale 2.500000e-01
      score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %kinds_: tensor<70xi64>, %bias_: tensor<5xf32>):
        %kind = tensor.extract %kinds_[%j] : tensor<70xi64>
        %at = arith.index_cast %kind : i64 to index
        %more = tensor.extract %bias_[%at] : tensor<5xf32>
        %biased = arith.addf %s, %more : f32
        stof.yield %biased : f32
      } -> tensor<1x2x20x16xf32>
  return %0 : tensor<1x2x20x16xf32>
}
