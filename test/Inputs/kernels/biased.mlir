// Attention to whose scores a table is added: of f16, of bf16 with a part of the keys in each block, of f32 with its
// log-sum-exp under a mask.

func.func @biased(%q16: tensor<1x2x70x64xf16>, %k16: tensor<1x1x150x64xf16>, %v16: tensor<1x1x150x64xf16>,
                  %t16: tensor<70x150xf32>, %qb: tensor<1x2x34x64xbf16>, %kb: tensor<1x1x150x64xbf16>,
                  %vb: tensor<1x1x150x64xbf16>, %tb: tensor<34x150xbf16>, %q: tensor<1x1x90x32xf32>,
                  %k: tensor<1x1x90x32xf32>, %v: tensor<1x1x90x32xf32>, %t: tensor<90x90xf32>)
    -> (tensor<1x2x70x64xf16>, tensor<1x2x34x64xbf16>, tensor<1x1x90x32xf32>, tensor<1x1x90xf32>) {
  %o16 = tensor.empty() : tensor<1x2x70x64xf16>
  %r16 = stof.attention ins(%q16, %k16, %v16 : tensor<1x2x70x64xf16>, tensor<1x1x150x64xf16>, tensor<1x1x150x64xf16>)
      captures(%t16 : tensor<70x150xf32>) outs(%o16 : tensor<1x2x70x64xf16>) scale 0.125 empty_rows(nan)
      score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %bias: tensor<70x150xf32>):
        %x = tensor.extract %bias[%i, %j] : tensor<70x150xf32>
        %sum = arith.addf %s, %x : f32
        stof.yield %sum : f32
      } -> tensor<1x2x70x64xf16>
  %ob = tensor.empty() : tensor<1x2x34x64xbf16>
  %rb = stof.attention ins(%qb, %kb, %vb : tensor<1x2x34x64xbf16>, tensor<1x1x150x64xbf16>, tensor<1x1x150x64xbf16>)
      schedule <ahead = 1, splits = 3>
      captures(%tb : tensor<34x150xbf16>) outs(%ob : tensor<1x2x34x64xbf16>) scale 0.125
      score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %bias: tensor<34x150xbf16>):
        %x = tensor.extract %bias[%i, %j] : tensor<34x150xbf16>
        %wide = arith.extf %x : bf16 to f32
        %sum = arith.addf %s, %wide : f32
        stof.yield %sum : f32
      } -> tensor<1x2x34x64xbf16>
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.cmpi sle, %j, %i : index
    stof.yield %keep : i1
  } : !stof.mask<90x90>
  %o = tensor.empty() : tensor<1x1x90x32xf32>
  %l = tensor.empty() : tensor<1x1x90xf32>
  %r:2 = stof.attention ins(%q, %k, %v : tensor<1x1x90x32xf32>, tensor<1x1x90x32xf32>, tensor<1x1x90x32xf32>)
      mask(%m : !stof.mask<90x90>)
      captures(%t : tensor<90x90xf32>) outs(%o : tensor<1x1x90x32xf32>, lse %l : tensor<1x1x90xf32>) scale 0.25
      score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %bias: tensor<90x90xf32>):
        %x = tensor.extract %bias[%i, %j] : tensor<90x90xf32>
        %sum = arith.addf %s, %x : f32
        stof.yield %sum : f32
      } -> tensor<1x1x90x32xf32>, tensor<1x1x90xf32>
  return %r16, %rb, %r#0, %r#1 : tensor<1x2x70x64xf16>, tensor<1x2x34x64xbf16>, tensor<1x1x90x32xf32>, tensor<1x1x90xf32>
}
