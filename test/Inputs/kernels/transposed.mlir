// Attention on tensors with positions before heads in memory, which are read
// and written where they are; the second with row tiles of every third query,
// and keys with heads first.

func.func @transposed(%q: tensor<2x130x2x64xf16>, %k: tensor<2x150x1x64xf16>, %v: tensor<2x150x1x64xf16>,
                      %q1: tensor<1x230x2x64xf16>, %k1: tensor<1x2x250x64xf16>, %v1: tensor<1x2x250x64xf16>)
    -> (tensor<2x130x2x64xf16>, tensor<1x230x2x64xf16>) {
  %qe = tensor.empty() : tensor<2x2x130x64xf16>
  %ke = tensor.empty() : tensor<2x1x150x64xf16>
  %qh = linalg.transpose ins(%q : tensor<2x130x2x64xf16>) outs(%qe : tensor<2x2x130x64xf16>) permutation = [0, 2, 1, 3]
  %kh = linalg.transpose ins(%k : tensor<2x150x1x64xf16>) outs(%ke : tensor<2x1x150x64xf16>) permutation = [0, 2, 1, 3]
  %vh = linalg.transpose ins(%v : tensor<2x150x1x64xf16>) outs(%ke : tensor<2x1x150x64xf16>) permutation = [0, 2, 1, 3]
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.cmpi ule, %j, %i : index
    stof.yield %keep : i1
  } : !stof.mask<130x150>
  %r = stof.attention ins(%qh, %kh, %vh : tensor<2x2x130x64xf16>, tensor<2x1x150x64xf16>, tensor<2x1x150x64xf16>)
      mask(%m : !stof.mask<130x150>) tile <queries = 64, keys = 64, warps = 4>
      outs(%qe : tensor<2x2x130x64xf16>) scale 0.125 -> tensor<2x2x130x64xf16>
  %oe = tensor.empty() : tensor<2x130x2x64xf16>
  %o = linalg.transpose ins(%r : tensor<2x2x130x64xf16>) outs(%oe : tensor<2x130x2x64xf16>) permutation = [0, 2, 1, 3]

  %qe1 = tensor.empty() : tensor<1x2x230x64xf16>
  %qh1 = linalg.transpose ins(%q1 : tensor<1x230x2x64xf16>) outs(%qe1 : tensor<1x2x230x64xf16>) permutation = [0, 2, 1, 3]
  %m1 = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %c0 = arith.constant 0 : index
    %stride = arith.constant 3 : index
    %distance = arith.subi %i, %j : index
    %rest = arith.remsi %distance, %stride : index
    %keep = arith.cmpi eq, %rest, %c0 : index
    stof.yield %keep : i1
  } : !stof.mask<230x250>
  %r1 = stof.attention ins(%qh1, %k1, %v1 : tensor<1x2x230x64xf16>, tensor<1x2x250x64xf16>, tensor<1x2x250x64xf16>)
      mask(%m1 : !stof.mask<230x250>) tile <queries = 64, keys = 64, warps = 4>
      outs(%qe1 : tensor<1x2x230x64xf16>) scale 0.125 -> tensor<1x2x230x64xf16>
  %oe1 = tensor.empty() : tensor<1x230x2x64xf16>
  %o1 = linalg.transpose ins(%r1 : tensor<1x2x230x64xf16>) outs(%oe1 : tensor<1x230x2x64xf16>) permutation = [0, 2, 1, 3]
  return %o, %o1 : tensor<2x130x2x64xf16>, tensor<1x230x2x64xf16>
}
