// Attention whose queries see every third key of a window: the row tiles are of
// every third query.

func.func @dilated(%q: tensor<1x2x230x64xf16>, %k: tensor<1x1x250x64xf16>, %v: tensor<1x1x250x64xf16>)
    -> (tensor<1x2x230x64xf16>, tensor<1x2x230xf32>) {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %c0 = arith.constant 0 : index
    %residue = arith.constant 1 : index
    %stride = arith.constant 3 : index
    %low = arith.constant -40 : index
    %high = arith.constant 400 : index
    %distance = arith.subi %i, %j : index
    %more = arith.cmpi sge, %distance, %low : index
    %less = arith.cmpi sle, %distance, %high : index
    %near = arith.andi %more, %less : i1
    %shifted = arith.subi %distance, %residue : index
    %rest = arith.remsi %shifted, %stride : index
    %on = arith.cmpi eq, %rest, %c0 : index
    %keep = arith.andi %near, %on : i1
    stof.yield %keep : i1
  } : !stof.mask<230x250>
  %o = tensor.empty() : tensor<1x2x230x64xf16>
  %l = tensor.empty() : tensor<1x2x230xf32>
  %r:2 = stof.attention ins(%q, %k, %v : tensor<1x2x230x64xf16>, tensor<1x1x250x64xf16>, tensor<1x1x250x64xf16>)
      mask(%m : !stof.mask<230x250>) tile <queries = 64, keys = 64, warps = 4>
      outs(%o : tensor<1x2x230x64xf16>, lse %l : tensor<1x2x230xf32>) scale 0.125
      -> tensor<1x2x230x64xf16>, tensor<1x2x230xf32>
  return %r#0, %r#1 : tensor<1x2x230x64xf16>, tensor<1x2x230xf32>
}
