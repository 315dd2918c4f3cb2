// Attention whose keys are in pages, of which each sequence lists its own.

func.func @pages(%q0: tensor<3x2x4x64xf16>, %k0: tensor<1x2x256x64xf16>, %v0: tensor<1x2x256x64xf16>,
                 %rows0: tensor<3x2xi32>, %pages0: tensor<?xi32>, %lengths0: tensor<3x1xi32>,
                 %q1: tensor<3x2x4x64xf16>, %k1: tensor<1x2x256x64xf16>, %v1: tensor<1x2x256x64xf16>,
                 %rows1: tensor<3x2xi32>, %pages1: tensor<?xi32>, %lengths1: tensor<3x1xi32>,
                 %q2: tensor<1x2x48x64xf16>, %k2: tensor<1x2x256x64xf16>, %v2: tensor<1x2x256x64xf16>,
                 %rows2: tensor<4xi32>, %pages2: tensor<?xi32>, %lengths2: tensor<3xi32>)
    -> (tensor<3x2x4x64xf16>, tensor<3x2x4xf32>,
        tensor<3x2x4x64xf16>, tensor<3x2x4xf32>,
        tensor<1x2x48x64xf16>, tensor<1x2x48xf32>) {
  // Four query heads of a group, in tiles of two pages.
  %m0 = stof.block_mask %rows0, %pages0 lengths(%lengths0 : tensor<3x1xi32>) block(4, 16) : tensor<3x2xi32>, tensor<?xi32> -> !stof.mask<4x256>
  %o0 = tensor.empty() : tensor<3x2x4x64xf16>
  %l0 = tensor.empty() : tensor<3x2x4xf32>
  %r0:2 = stof.attention ins(%q0, %k0, %v0 : tensor<3x2x4x64xf16>, tensor<1x2x256x64xf16>, tensor<1x2x256x64xf16>)
      mask(%m0 : !stof.mask<4x256>) tile <queries = 16, keys = 32, warps = 1> schedule <ahead = 0>
      outs(%o0 : tensor<3x2x4x64xf16>, lse %l0 : tensor<3x2x4xf32>) scale 0.125
      -> tensor<3x2x4x64xf16>, tensor<3x2x4xf32>
  // Pages of two tiles.
  %m1 = stof.block_mask %rows1, %pages1 lengths(%lengths1 : tensor<3x1xi32>) block(4, 64) : tensor<3x2xi32>, tensor<?xi32> -> !stof.mask<4x256>
  %o1 = tensor.empty() : tensor<3x2x4x64xf16>
  %l1 = tensor.empty() : tensor<3x2x4xf32>
  %r1:2 = stof.attention ins(%q1, %k1, %v1 : tensor<3x2x4x64xf16>, tensor<1x2x256x64xf16>, tensor<1x2x256x64xf16>)
      mask(%m1 : !stof.mask<4x256>) tile <queries = 16, keys = 32, warps = 1> schedule <ahead = 0>
      outs(%o1 : tensor<3x2x4x64xf16>, lse %l1 : tensor<3x2x4xf32>) scale 0.125
      -> tensor<3x2x4x64xf16>, tensor<3x2x4xf32>
  // Sixteen queries of each sequence, one sequence after another.
  %m2 = stof.block_mask %rows2, %pages2 lengths(%lengths2 : tensor<3xi32>) block(16, 8) : tensor<4xi32>, tensor<?xi32> -> !stof.mask<48x256>
  %o2 = tensor.empty() : tensor<1x2x48x64xf16>
  %l2 = tensor.empty() : tensor<1x2x48xf32>
  %r2:2 = stof.attention ins(%q2, %k2, %v2 : tensor<1x2x48x64xf16>, tensor<1x2x256x64xf16>, tensor<1x2x256x64xf16>)
      mask(%m2 : !stof.mask<48x256>) tile <queries = 16, keys = 64, warps = 1> schedule <ahead = 0>
      outs(%o2 : tensor<1x2x48x64xf16>, lse %l2 : tensor<1x2x48xf32>) scale 0.125
      -> tensor<1x2x48x64xf16>, tensor<1x2x48xf32>
  return %r0#0, %r0#1, %r1#0, %r1#1, %r2#0, %r2#1
      : tensor<3x2x4x64xf16>, tensor<3x2x4xf32>,
        tensor<3x2x4x64xf16>, tensor<3x2x4xf32>,
        tensor<1x2x48x64xf16>, tensor<1x2x48xf32>
}
