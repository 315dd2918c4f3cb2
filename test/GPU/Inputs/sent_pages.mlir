// As pages.mlir, where a producer warp has the hardware copy page by page.

func.func @sent_pages(%q: tensor<3x2x40x64xf16>, %k: tensor<1x2x256x64xf16>, %v: tensor<1x2x256x128xf16>,
                      %rows: tensor<3x2xi32>, %pages: tensor<?xi32>, %lengths: tensor<3x1xi32>)
    -> (tensor<3x2x40x128xf16>, tensor<3x2x40xf32>) {
  %m = stof.block_mask %rows, %pages lengths(%lengths : tensor<3x1xi32>) block(40, 16) : tensor<3x2xi32>, tensor<?xi32> -> !stof.mask<40x256>
  %o = tensor.empty() : tensor<3x2x40x128xf16>
  %l = tensor.empty() : tensor<3x2x40xf32>
  %r:2 = stof.attention ins(%q, %k, %v : tensor<3x2x40x64xf16>, tensor<1x2x256x64xf16>, tensor<1x2x256x128xf16>)
      mask(%m : !stof.mask<40x256>) tile <queries = 64, keys = 64, warps = 4, producers = 1> schedule <ahead = 0>
      outs(%o : tensor<3x2x40x128xf16>, lse %l : tensor<3x2x40xf32>) scale 0.125
      -> tensor<3x2x40x128xf16>, tensor<3x2x40xf32>
  return %r#0, %r#1 : tensor<3x2x40x128xf16>, tensor<3x2x40xf32>
}
