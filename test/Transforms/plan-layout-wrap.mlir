// RUN: stof-opt %s --stof-plan-layout -split-input-file | FileCheck %s

/// What constants make wrap around 64 bits is no set of pairs: it is asked in code,
/// which wraps as arith says.

/// A bound that is no number of positions,
// CHECK-LABEL: func @least_integer
// CHECK: stof.attention {{.*}} storage = run_time
func.func @least_integer(%q: tensor<1x2x320x64xf16>, %init: tensor<1x2x320x64xf16>) -> tensor<1x2x320x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %c = arith.constant -9223372036854775808 : index
    %keep = arith.cmpi sge, %j, %c : index
    stof.yield %keep : i1
  } : !stof.mask<320x320>
  %o = stof.attention ins(%q, %q, %q : tensor<1x2x320x64xf16>, tensor<1x2x320x64xf16>, tensor<1x2x320x64xf16>)
      mask(%m : !stof.mask<320x320>) outs(%init : tensor<1x2x320x64xf16>) -> tensor<1x2x320x64xf16>
  return %o : tensor<1x2x320x64xf16>
}

// -----

/// A product that wraps,
// CHECK-LABEL: func @large_factor
// CHECK: stof.attention {{.*}} storage = run_time
func.func @large_factor(%q: tensor<1x2x320x64xf16>, %init: tensor<1x2x320x64xf16>) -> tensor<1x2x320x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %c = arith.constant 4611686018427387904 : index
    %x = arith.muli %j, %c : index
    %keep = arith.cmpi sge, %x, %i : index
    stof.yield %keep : i1
  } : !stof.mask<320x320>
  %o = stof.attention ins(%q, %q, %q : tensor<1x2x320x64xf16>, tensor<1x2x320x64xf16>, tensor<1x2x320x64xf16>)
      mask(%m : !stof.mask<320x320>) outs(%init : tensor<1x2x320x64xf16>) -> tensor<1x2x320x64xf16>
  return %o : tensor<1x2x320x64xf16>
}

// -----

/// A difference that wraps though its sides do not,
// CHECK-LABEL: func @far_apart
// CHECK: stof.attention {{.*}} storage = run_time
func.func @far_apart(%q: tensor<1x2x320x64xf16>, %init: tensor<1x2x320x64xf16>) -> tensor<1x2x320x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %c = arith.constant 4611686018427387904 : index
    %d = arith.constant -4611686018427387914 : index
    %x = arith.addi %j, %c : index
    %keep = arith.cmpi slt, %x, %d : index
    stof.yield %keep : i1
  } : !stof.mask<320x320>
  %o = stof.attention ins(%q, %q, %q : tensor<1x2x320x64xf16>, tensor<1x2x320x64xf16>, tensor<1x2x320x64xf16>)
      mask(%m : !stof.mask<320x320>) outs(%init : tensor<1x2x320x64xf16>) -> tensor<1x2x320x64xf16>
  return %o : tensor<1x2x320x64xf16>
}

// -----

/// but not what stays far below.
// CHECK-LABEL: func @moderate_factor
// CHECK: stof.attention {{.*}} storage = closed_form, visited = [#stof.interval<to = #{{.*}}>], partial = [#stof.interval<from = #{{.*}}>]
func.func @moderate_factor(%q: tensor<1x2x320x64xf16>, %init: tensor<1x2x320x64xf16>) -> tensor<1x2x320x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %c = arith.constant 1000000 : index
    %x = arith.muli %j, %c : index
    %y = arith.muli %i, %c : index
    %keep = arith.cmpi sle, %x, %y : index
    stof.yield %keep : i1
  } : !stof.mask<320x320>
  %o = stof.attention ins(%q, %q, %q : tensor<1x2x320x64xf16>, tensor<1x2x320x64xf16>, tensor<1x2x320x64xf16>)
      mask(%m : !stof.mask<320x320>) outs(%init : tensor<1x2x320x64xf16>) -> tensor<1x2x320x64xf16>
  return %o : tensor<1x2x320x64xf16>
}
