// RUN: stof-opt %s --stof-plan-layout -split-input-file | FileCheck %s

/// Row tiles of a causal mask grow: the last ones start first.

// CHECK-LABEL: func @causal
// CHECK: stof.attention {{.*}} schedule <reversed = true> outs
func.func @causal(%q: tensor<1x2x4096x64xf16>, %init: tensor<1x2x4096x64xf16>) -> tensor<1x2x4096x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.cmpi ule, %j, %i : index
    stof.yield %keep : i1
  } : !stof.mask<4096x4096>
  %o = stof.attention ins(%q, %q, %q : tensor<1x2x4096x64xf16>, tensor<1x2x4096x64xf16>, tensor<1x2x4096x64xf16>)
      mask(%m : !stof.mask<4096x4096>) outs(%init : tensor<1x2x4096x64xf16>) -> tensor<1x2x4096x64xf16>
  return %o : tensor<1x2x4096x64xf16>
}

// -----

/// Two row tiles that attend to everything among short ones start before all
/// others, for all heads.

// CHECK-LABEL: func @global_rows
// CHECK: stof.attention {{.*}} schedule <ahead = 2> outs
func.func @global_rows(%q: tensor<1x2x4096x64xf16>, %init: tensor<1x2x4096x64xf16>) -> tensor<1x2x4096x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %c100 = arith.constant 100 : index
    %global = arith.cmpi ult, %i, %c100 : index
    %d = arith.subi %i, %j : index
    %far = arith.constant 30 : index
    %near = arith.constant -30 : index
    %above = arith.cmpi sge, %d, %near : index
    %below = arith.cmpi sle, %d, %far : index
    %band = arith.andi %above, %below : i1
    %keep = arith.ori %global, %band : i1
    stof.yield %keep : i1
  } : !stof.mask<4096x4096>
  %o = stof.attention ins(%q, %q, %q : tensor<1x2x4096x64xf16>, tensor<1x2x4096x64xf16>, tensor<1x2x4096x64xf16>)
      mask(%m : !stof.mask<4096x4096>) outs(%init : tensor<1x2x4096x64xf16>) -> tensor<1x2x4096x64xf16>
  return %o : tensor<1x2x4096x64xf16>
}

// -----

/// Rows of one length keep their natural order.

// CHECK-LABEL: func @band
// CHECK-NOT: schedule
func.func @band(%q: tensor<1x2x4096x64xf16>, %init: tensor<1x2x4096x64xf16>) -> tensor<1x2x4096x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %d = arith.subi %i, %j : index
    %far = arith.constant 200 : index
    %near = arith.constant -200 : index
    %above = arith.cmpi sge, %d, %near : index
    %below = arith.cmpi sle, %d, %far : index
    %keep = arith.andi %above, %below : i1
    stof.yield %keep : i1
  } : !stof.mask<4096x4096>
  %o = stof.attention ins(%q, %q, %q : tensor<1x2x4096x64xf16>, tensor<1x2x4096x64xf16>, tensor<1x2x4096x64xf16>)
      mask(%m : !stof.mask<4096x4096>) outs(%init : tensor<1x2x4096x64xf16>) -> tensor<1x2x4096x64xf16>
  return %o : tensor<1x2x4096x64xf16>
}
