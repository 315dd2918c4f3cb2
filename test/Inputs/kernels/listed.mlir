// Attention whose tables say which pairs count, not the mask.

func.func @listed(%q: tensor<1x2x128x64xf16>, %k: tensor<1x1x256x64xf16>, %v: tensor<1x1x256x64xf16>,
                  %ranges: tensor<1x1x2x3xi64>, %entries: tensor<9xi64>, %bitmaps: tensor<8x64x2xi32>)
    -> tensor<1x2x128x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.cmpi sge, %i, %j : index
    stof.yield %keep : i1
  } : !stof.mask<128x256>
  %o = tensor.empty() : tensor<1x2x128x64xf16>
  %r = stof.attention ins(%q, %k, %v : tensor<1x2x128x64xf16>, tensor<1x1x256x64xf16>, tensor<1x1x256x64xf16>)
      mask(%m : !stof.mask<128x256>)
      layout <row_tile = 64, col_tile = 64, storage = tables>
        from(%ranges, %entries, %bitmaps : tensor<1x1x2x3xi64>, tensor<9xi64>, tensor<8x64x2xi32>)
      outs(%o : tensor<1x2x128x64xf16>) scale 0.125 -> tensor<1x2x128x64xf16>
  return %r : tensor<1x2x128x64xf16>
}
