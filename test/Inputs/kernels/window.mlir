// Attention that tests of a pair what its tile does not imply.

func.func @window(%q: tensor<1x2x230x64xf16>, %k: tensor<1x1x230x64xf16>, %v: tensor<1x1x230x64xf16>)
    -> tensor<1x2x230x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %width = arith.constant 100 : index
    %distance = arith.subi %i, %j : index
    %apart = math.absi %distance : index
    %keep = arith.cmpi slt, %apart, %width : index
    stof.yield %keep : i1
  } : !stof.mask<230x230>
  %o = tensor.empty() : tensor<1x2x230x64xf16>
  %r = stof.attention ins(%q, %k, %v : tensor<1x2x230x64xf16>, tensor<1x1x230x64xf16>, tensor<1x1x230x64xf16>)
      mask(%m : !stof.mask<230x230>) tile <queries = 64, keys = 64, warps = 4>
      outs(%o : tensor<1x2x230x64xf16>) scale 0.125 -> tensor<1x2x230x64xf16>
  return %r : tensor<1x2x230x64xf16>
}
