func.func @main(%q: tensor<1x1x?x16xf16>) -> tensor<1x1x?x16xf16> {
  %c2 = arith.constant 2 : index
  %n = tensor.dim %q, %c2 : tensor<1x1x?x16xf16>
  %init = tensor.empty(%n) : tensor<1x1x?x16xf16>
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %s = arith.constant 64 : index
    %r = arith.constant 63 : index
    %x = arith.remui %j, %s : index
    %on = arith.cmpi eq, %x, %r : index
    %d = arith.subi %i, %j : index
    %c8 = arith.constant 8 : index
    %e = math.absi %d : index
    %near = arith.cmpi slt, %e, %c8 : index
    %keep = arith.ori %near, %on : i1
    stof.yield %keep : i1
  } : !stof.mask<?x?>
  %o = stof.attention ins(%q, %q, %q : tensor<1x1x?x16xf16>, tensor<1x1x?x16xf16>, tensor<1x1x?x16xf16>)
      mask(%m : !stof.mask<?x?>)
      outs(%init : tensor<1x1x?x16xf16>) -> tensor<1x1x?x16xf16>
  return %o : tensor<1x1x?x16xf16>
}
