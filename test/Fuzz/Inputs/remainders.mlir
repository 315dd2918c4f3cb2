// A mask of congruences with a divisor each: its set has as many divisions.

func.func @main(%q: tensor<1x1x64x16xf32>) -> tensor<1x1x64x16xf32> {
  %mask = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %t0 = arith.cmpi ule, %j, %i : index
    %k1 = arith.constant 3 : index
    %a1 = arith.remui %i, %k1 : index
    %b1 = arith.remui %j, %k1 : index
    %e1 = arith.cmpi ule, %b1, %a1 : index
    %t1 = arith.select %e1, %t0, %e1 : i1
    %k2 = arith.constant 4 : index
    %a2 = arith.remui %i, %k2 : index
    %b2 = arith.remui %j, %k2 : index
    %e2 = arith.cmpi ule, %b2, %a2 : index
    %t2 = arith.select %e2, %t1, %e2 : i1
    %k3 = arith.constant 5 : index
    %a3 = arith.remui %i, %k3 : index
    %b3 = arith.remui %j, %k3 : index
    %e3 = arith.cmpi ule, %b3, %a3 : index
    %t3 = arith.select %e3, %t2, %e3 : i1
    %k4 = arith.constant 6 : index
    %a4 = arith.remui %i, %k4 : index
    %b4 = arith.remui %j, %k4 : index
    %e4 = arith.cmpi ule, %b4, %a4 : index
    %t4 = arith.select %e4, %t3, %e4 : i1
    %k5 = arith.constant 7 : index
    %a5 = arith.remui %i, %k5 : index
    %b5 = arith.remui %j, %k5 : index
    %e5 = arith.cmpi ule, %b5, %a5 : index
    %t5 = arith.select %e5, %t4, %e5 : i1
    %k6 = arith.constant 8 : index
    %a6 = arith.remui %i, %k6 : index
    %b6 = arith.remui %j, %k6 : index
    %e6 = arith.cmpi ule, %b6, %a6 : index
    %t6 = arith.select %e6, %t5, %e6 : i1
    %k7 = arith.constant 9 : index
    %a7 = arith.remui %i, %k7 : index
    %b7 = arith.remui %j, %k7 : index
    %e7 = arith.cmpi ule, %b7, %a7 : index
    %t7 = arith.select %e7, %t6, %e7 : i1
    %k8 = arith.constant 10 : index
    %a8 = arith.remui %i, %k8 : index
    %b8 = arith.remui %j, %k8 : index
    %e8 = arith.cmpi ule, %b8, %a8 : index
    %t8 = arith.select %e8, %t7, %e8 : i1
    %k9 = arith.constant 11 : index
    %a9 = arith.remui %i, %k9 : index
    %b9 = arith.remui %j, %k9 : index
    %e9 = arith.cmpi ule, %b9, %a9 : index
    %t9 = arith.select %e9, %t8, %e9 : i1
    %k10 = arith.constant 12 : index
    %a10 = arith.remui %i, %k10 : index
    %b10 = arith.remui %j, %k10 : index
    %e10 = arith.cmpi ule, %b10, %a10 : index
    %t10 = arith.select %e10, %t9, %e10 : i1
    %k11 = arith.constant 13 : index
    %a11 = arith.remui %i, %k11 : index
    %b11 = arith.remui %j, %k11 : index
    %e11 = arith.cmpi ule, %b11, %a11 : index
    %t11 = arith.select %e11, %t10, %e11 : i1
    %k12 = arith.constant 14 : index
    %a12 = arith.remui %i, %k12 : index
    %b12 = arith.remui %j, %k12 : index
    %e12 = arith.cmpi ule, %b12, %a12 : index
    %t12 = arith.select %e12, %t11, %e12 : i1
    stof.yield %t12 : i1
  } : !stof.mask<64x64>
  %e = tensor.empty() : tensor<1x1x64x16xf32>
  %o = stof.attention ins(%q, %q, %q : tensor<1x1x64x16xf32>, tensor<1x1x64x16xf32>, tensor<1x1x64x16xf32>) mask(%mask : !stof.mask<64x64>) outs(%e : tensor<1x1x64x16xf32>) -> tensor<1x1x64x16xf32>
  return %o : tensor<1x1x64x16xf32>
}
