// RUN: stof-opt %s --stof-plan-layout --mlir-print-local-scope | FileCheck %s

/// Of a length of the run, each class has other keys at the end: its bounds there
/// are said with the number of the class, and ask nothing that the end tells.

// CHECK-LABEL: func @length
func.func @length(%q: tensor<1x1x?x64xf16>) -> tensor<1x1x?x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %c0 = arith.constant 0 : index
    %stride = arith.constant 4 : index
    %width = arith.constant 256 : index
    %distance = arith.subi %i, %j : index
    %far = math.absi %distance : index
    %near = arith.cmpi sle, %far, %width : index
    %rest = arith.remsi %far, %stride : index
    %on = arith.cmpi eq, %rest, %c0 : index
    %keep = arith.andi %near, %on : i1
    stof.yield %keep : i1
  } : !stof.mask<?x?>
  // CHECK: visited = [#stof.interval<from = affine_map<(d0, d1, d2)[s0] -> (d0 floordiv 4 - 1)>, to = affine_map<(d0, d1, d2)[s0] -> (d0 floordiv 4 + 2)>>]
  // CHECK-SAME: partial = [#stof.interval<from = affine_map<(d0, d1, d2)[s0] -> (d0 floordiv 4 + 1)>>
  // CHECK-SAME: #stof.interval<to = affine_map<(d0, d1, d2)[s0] -> ((-(d0 mod 4) + s0 - 5) floordiv 256, d0 floordiv 4)>>
  // CHECK-SAME: #stof.interval<from = affine_map<(d0, d1, d2)[s0] -> ((-(d0 mod 4) + s0 + 3) floordiv 256)>>]
  // CHECK-SAME: row_stride = 4
  %o = stof.attention ins(%q, %q, %q : tensor<1x1x?x64xf16>, tensor<1x1x?x64xf16>, tensor<1x1x?x64xf16>)
      mask(%m : !stof.mask<?x?>) outs(%q : tensor<1x1x?x64xf16>) -> tensor<1x1x?x64xf16>
  return %o : tensor<1x1x?x64xf16>
}
