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

// -----

/// Constants that a mask may have, but not their products with a stride,
// CHECK-LABEL: func @wide_lattice
// CHECK: stof.attention {{.*}} storage = run_time
func.func @wide_lattice(%q: tensor<1x2x?x64xf16>, %init: tensor<1x2x?x64xf16>) -> tensor<1x2x?x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %s = arith.constant 1073741824 : index
    %r = arith.constant 3 : index
    %rest = arith.remui %j, %s : index
    %on = arith.cmpi eq, %rest, %r : index
    %c = arith.constant 134217728 : index
    %d = arith.constant 134217727 : index
    %x = arith.muli %j, %c : index
    %y = arith.muli %i, %d : index
    %large = arith.cmpi sge, %x, %y : index
    %keep = arith.andi %large, %on : i1
    stof.yield %keep : i1
  } : !stof.mask<?x?>
  %o = stof.attention ins(%q, %q, %q : tensor<1x2x?x64xf16>, tensor<1x2x?x64xf16>, tensor<1x2x?x64xf16>)
      mask(%m : !stof.mask<?x?>) outs(%init : tensor<1x2x?x64xf16>) -> tensor<1x2x?x64xf16>
  return %o : tensor<1x2x?x64xf16>
}

// -----

/// or with the number of a local variable: such tiles are listed.
// CHECK-LABEL: func @wide_blocks
// CHECK: stof.attention {{.*}} storage = tables, census = {empty = 10 : i64, full = 10 : i64, longest = 5 : i64, nonzeros = 51360 : i64, partial = 5 : i64}
func.func @wide_blocks(%q: tensor<1x2x320x64xf16>, %init: tensor<1x2x320x64xf16>) -> tensor<1x2x320x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %three = arith.constant 3 : index
    %c = arith.constant 1099511627776 : index
    %d = arith.constant 1099511627775 : index
    %block = arith.divui %j, %three : index
    %x = arith.muli %block, %c : index
    %y = arith.muli %i, %d : index
    %z = arith.muli %j, %d : index
    %large = arith.cmpi sle, %x, %y : index
    %past = arith.cmpi sle, %z, %y : index
    %keep = arith.andi %large, %past : i1
    stof.yield %keep : i1
  } : !stof.mask<320x320>
  %o = stof.attention ins(%q, %q, %q : tensor<1x2x320x64xf16>, tensor<1x2x320x64xf16>, tensor<1x2x320x64xf16>)
      mask(%m : !stof.mask<320x320>) outs(%init : tensor<1x2x320x64xf16>) -> tensor<1x2x320x64xf16>
  return %o : tensor<1x2x320x64xf16>
}
