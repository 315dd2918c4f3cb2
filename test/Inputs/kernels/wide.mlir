// Attention of heads that no block has memory for: scores are summed in steps of
// their features, and blocks share the features of V.

func.func @wide(%q: tensor<1x2x70x272xf16>, %k: tensor<1x1x40x272xf16>, %v: tensor<1x1x40x264xf16>,
                %r: tensor<1x1x5x328xf32>, %s: tensor<1x1x37x328xf32>, %t: tensor<1x1x37x140xf32>)
    -> (tensor<1x2x70x264xf16>, tensor<1x1x5x140xf32>) {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.cmpi ule, %j, %i : index
    stof.yield %keep : i1
  } : !stof.mask<70x40>
  %o = tensor.empty() : tensor<1x2x70x264xf16>
  %x = stof.attention ins(%q, %k, %v : tensor<1x2x70x272xf16>, tensor<1x1x40x272xf16>, tensor<1x1x40x264xf16>)
      mask(%m : !stof.mask<70x40>) outs(%o : tensor<1x2x70x264xf16>) scale 0.0625 -> tensor<1x2x70x264xf16>
  %p = tensor.empty() : tensor<1x1x5x140xf32>
  %y = stof.attention ins(%r, %s, %t : tensor<1x1x5x328xf32>, tensor<1x1x37x328xf32>, tensor<1x1x37x140xf32>)
      outs(%p : tensor<1x1x5x140xf32>) scale 0.0625 -> tensor<1x1x5x140xf32>
  return %x, %y : tensor<1x2x70x264xf16>, tensor<1x1x5x140xf32>
}
