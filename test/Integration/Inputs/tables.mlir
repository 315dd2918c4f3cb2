func.func @main(%q: tensor<1x1x64x16xf16>, %k: tensor<1x1x128x16xf16>, %v: tensor<1x1x128x16xf16>,
                %ranges: tensor<1x1x1x3xi64>, %entries: tensor<3xi64>) -> tensor<1x1x64x16xf16> {
  %init = tensor.empty() : tensor<1x1x64x16xf16>
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.cmpi sle, %j, %i : index
    stof.yield %keep : i1
  } : !stof.mask<64x128>
  %o = stof.attention ins(%q, %k, %v : tensor<1x1x64x16xf16>, tensor<1x1x128x16xf16>, tensor<1x1x128x16xf16>)
      mask(%m : !stof.mask<64x128>)
      layout <row_tile = 64, col_tile = 64, storage = run_time>
      from(%ranges, %entries : tensor<1x1x1x3xi64>, tensor<3xi64>)
      outs(%init : tensor<1x1x64x16xf16>) -> tensor<1x1x64x16xf16>
  return %o : tensor<1x1x64x16xf16>
}
