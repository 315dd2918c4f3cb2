// RUN: stof-opt %s --inline | FileCheck %s

/// A library function that builds a mask and one that attends under it leave no
/// trace of the call.

// CHECK-LABEL: func @layer
func.func @layer(%q: tensor<1x2x8x4xf16>) -> tensor<1x2x8x4xf16> {
  // CHECK-NOT: call
  // CHECK: %[[M:.*]] = stof.mask
  // CHECK: %[[O:.*]] = stof.attention {{.*}} mask(%[[M]]
  // CHECK: %[[G:.*]] = stof.group ins(%[[O]]
  // CHECK-NEXT: ^bb0(%[[X:.*]]: tensor<1x2x8x4xf16>):
  // CHECK-NEXT: arith.negf %[[X]]
  // CHECK-NOT: call
  // CHECK: return %[[G]]
  %m = func.call @causal() : () -> !stof.mask<8x8>
  %o = func.call @attend(%q, %m) : (tensor<1x2x8x4xf16>, !stof.mask<8x8>) -> tensor<1x2x8x4xf16>
  %g = stof.group ins(%o : tensor<1x2x8x4xf16>) {
  ^bb0(%x: tensor<1x2x8x4xf16>):
    %n = func.call @negate(%x) : (tensor<1x2x8x4xf16>) -> tensor<1x2x8x4xf16>
    stof.yield %n : tensor<1x2x8x4xf16>
  } -> tensor<1x2x8x4xf16>
  return %g : tensor<1x2x8x4xf16>
}

func.func private @causal() -> !stof.mask<8x8> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %q: index, %k: index):
    %keep = arith.cmpi ule, %k, %q : index
    stof.yield %keep : i1
  } : !stof.mask<8x8>
  return %m : !stof.mask<8x8>
}

func.func private @attend(%q: tensor<1x2x8x4xf16>, %m: !stof.mask<8x8>) -> tensor<1x2x8x4xf16> {
  %r = stof.attention ins(%q, %q, %q : tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>)
      mask(%m : !stof.mask<8x8>) outs(%q : tensor<1x2x8x4xf16>) -> tensor<1x2x8x4xf16>
  return %r : tensor<1x2x8x4xf16>
}

func.func private @negate(%x: tensor<1x2x8x4xf16>) -> tensor<1x2x8x4xf16> {
  %n = arith.negf %x : tensor<1x2x8x4xf16>
  return %n : tensor<1x2x8x4xf16>
}
