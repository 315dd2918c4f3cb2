// RUN: stof-opt %s --canonicalize --split-input-file | FileCheck %s

/// A captured value that the predicate ignores is dropped, one captured twice
/// is captured once, a constant moves inside.

// CHECK-LABEL: func @captures
// CHECK-SAME: (%{{.*}}: index, %[[WIDTH:.*]]: index)
func.func @captures(%unused: index, %width: index) -> !stof.mask<8x8> {
  %two = arith.constant 2 : index
  // CHECK: stof.mask captures(%[[WIDTH]] : index) {
  // CHECK-NEXT: ^bb0(%{{.*}}: index, %{{.*}}: index, %[[Q:.*]]: index, %[[K:.*]]: index, %[[W:[^ ]*]]: index):
  // CHECK-DAG: %[[TWO:.*]] = arith.constant 2 : index
  // CHECK-DAG: %[[LOW:.*]] = arith.addi %[[Q]], %[[W]]
  // CHECK-DAG: %[[HIGH:.*]] = arith.addi %[[LOW]], %[[W]]
  // CHECK: arith.muli %[[HIGH]], %[[TWO]]
  %m = stof.mask captures(%unused, %width, %two, %width : index, index, index, index) {
  ^bb0(%b: index, %h: index, %q: index, %k: index, %u: index, %w: index, %c: index, %v: index):
    %low = arith.addi %q, %w : index
    %high = arith.addi %low, %v : index
    %scaled = arith.muli %high, %c : index
    %keep = arith.cmpi sle, %k, %scaled : index
    stof.yield %keep : i1
  } : !stof.mask<8x8>
  return %m : !stof.mask<8x8>
}

// -----

/// Captured tensors stay captured, whatever they hold.

// CHECK-LABEL: func @negative_constant_tensor
func.func @negative_constant_tensor() -> !stof.mask<2x2> {
  %ids = arith.constant dense<[1, 2]> : tensor<2xi32>
  // CHECK: stof.mask captures(%{{.*}} : tensor<2xi32>)
  %m = stof.mask captures(%ids : tensor<2xi32>) {
  ^bb0(%b: index, %h: index, %q: index, %k: index, %doc: tensor<2xi32>):
    %x = tensor.extract %doc[%q] : tensor<2xi32>
    %y = tensor.extract %doc[%k] : tensor<2xi32>
    %keep = arith.cmpi eq, %x, %y : i32
    stof.yield %keep : i1
  } : !stof.mask<2x2>
  return %m : !stof.mask<2x2>
}

// -----

/// A comparison of a float with itself is false for NaN and stays.

// CHECK-LABEL: func @negative_nan_is_not_equal
func.func @negative_nan_is_not_equal(%x: f32) -> !stof.mask<2x2> {
  // CHECK: stof.mask captures(%{{.*}} : f32)
  // CHECK: arith.cmpf oeq
  %m = stof.mask captures(%x : f32) {
  ^bb0(%b: index, %h: index, %q: index, %k: index, %y: f32):
    %keep = arith.cmpf oeq, %y, %y : f32
    stof.yield %keep : i1
  } : !stof.mask<2x2>
  return %m : !stof.mask<2x2>
}

// -----

/// A score that is yielded as it came is no score region, and captures nothing.

// CHECK-LABEL: func @identity_score
func.func @identity_score(%q: tensor<1x2x8x4xf16>, %slopes: tensor<2xf32>) -> tensor<1x2x8x4xf16> {
  // CHECK-NOT: captures
  // CHECK-NOT: score
  // CHECK: return
  %r = stof.attention ins(%q, %q, %q : tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>)
      captures(%slopes : tensor<2xf32>) outs(%q : tensor<1x2x8x4xf16>) score {
  ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %slope: tensor<2xf32>):
    %x = tensor.extract %slope[%h] : tensor<2xf32>
    stof.yield %s : f32
  } -> tensor<1x2x8x4xf16>
  return %r : tensor<1x2x8x4xf16>
}

// -----

/// What a score region captures is simplified as a mask's is.

// CHECK-LABEL: func @score_captures
func.func @score_captures(%q: tensor<1x2x8x4xf16>, %unused: f32) -> tensor<1x2x8x4xf16> {
  %cap = arith.constant 5.0 : f32
  // CHECK: stof.attention
  // CHECK-NOT: captures
  // CHECK: score {
  // CHECK: %[[CAP:.*]] = arith.constant 5.0
  // CHECK: arith.minimumf %{{.*}}, %[[CAP]]
  %r = stof.attention ins(%q, %q, %q : tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>)
      captures(%cap, %unused : f32, f32) outs(%q : tensor<1x2x8x4xf16>) score {
  ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %c: f32, %u: f32):
    %x = arith.minimumf %s, %c : f32
    stof.yield %x : f32
  } -> tensor<1x2x8x4xf16>
  return %r : tensor<1x2x8x4xf16>
}

// -----

/// A score times zero is not zero where the score is NaN.

// CHECK-LABEL: func @negative_times_zero
func.func @negative_times_zero(%q: tensor<1x2x8x4xf16>) -> tensor<1x2x8x4xf16> {
  // CHECK: arith.mulf
  %r = stof.attention ins(%q, %q, %q : tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>)
      outs(%q : tensor<1x2x8x4xf16>) score {
  ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index):
    %zero = arith.constant 0.0 : f32
    %x = arith.mulf %s, %zero : f32
    stof.yield %x : f32
  } -> tensor<1x2x8x4xf16>
  return %r : tensor<1x2x8x4xf16>
}

// -----

/// A scale that is known is an attribute, multiplied with the one that is there.

// CHECK-LABEL: func @constant_scale
func.func @constant_scale(%q: tensor<1x2x8x4xf16>) -> tensor<1x2x8x4xf16> {
  %half = arith.constant 0.5 : f32
  // CHECK: stof.attention {{.*}} scale 1.250000e-01 ->
  %r = stof.attention ins(%q, %q, %q : tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>)
      outs(%q : tensor<1x2x8x4xf16>) scale 0.25 times %half -> tensor<1x2x8x4xf16>
  return %r : tensor<1x2x8x4xf16>
}

// CHECK-LABEL: func @negative_scale_at_run_time
func.func @negative_scale_at_run_time(%q: tensor<1x2x8x4xf16>, %s: f32) -> tensor<1x2x8x4xf16> {
  // CHECK: stof.attention {{.*}} scale 2.500000e-01 times
  %r = stof.attention ins(%q, %q, %q : tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>)
      outs(%q : tensor<1x2x8x4xf16>) scale 0.25 times %s -> tensor<1x2x8x4xf16>
  return %r : tensor<1x2x8x4xf16>
}

// -----

/// A group takes what it uses and yields what is used.

// CHECK-LABEL: func @group
// CHECK-SAME: (%[[X:.*]]: tensor<4xf32>, %{{.*}}: tensor<4xf32>)
func.func @group(%x: tensor<4xf32>, %unused: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: stof.group ins(%[[X]] : tensor<4xf32>) {
  // CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<4xf32>):
  // CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[A]], %[[A]]
  // CHECK-NEXT: stof.yield %[[SUM]] : tensor<4xf32>
  // CHECK-NEXT: } {kept = 1 : i32} -> tensor<4xf32>
  %y:2 = stof.group ins(%x, %unused, %x : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  ^bb0(%a: tensor<4xf32>, %u: tensor<4xf32>, %b: tensor<4xf32>):
    %dead = arith.mulf %a, %u : tensor<4xf32>
    %sum = arith.addf %a, %b : tensor<4xf32>
    stof.yield %dead, %sum : tensor<4xf32>, tensor<4xf32>
  } {kept = 1 : i32} -> tensor<4xf32>, tensor<4xf32>
  return %y#1 : tensor<4xf32>
}

/// A group without a used result is gone.

// CHECK-LABEL: func @unused_group
// CHECK-NEXT: return
func.func @unused_group(%x: tensor<4xf32>) {
  %y = stof.group ins(%x : tensor<4xf32>) {
  ^bb0(%a: tensor<4xf32>):
    stof.yield %a : tensor<4xf32>
  } -> tensor<4xf32>
  return
}

// -----

/// Attention takes tensors with the sizes that are known of them, as any
/// operation in destination style does.

// CHECK-LABEL: func @casts
// CHECK-SAME: (%[[Q:.*]]: tensor<1x2x64x16xf32>, %[[INIT:.*]]: tensor<1x2x64x16xf32>)
// CHECK-NEXT: %[[OUT:.*]] = stof.attention ins(%[[Q]], %[[Q]], %[[Q]] : {{.*}}) outs(%[[INIT]] : tensor<1x2x64x16xf32>) -> tensor<1x2x64x16xf32>
// CHECK-NEXT: return %[[OUT]]
func.func @casts(%q: tensor<1x2x64x16xf32>, %init: tensor<1x2x64x16xf32>) -> tensor<1x2x64x16xf32> {
  %c = tensor.cast %q : tensor<1x2x64x16xf32> to tensor<1x2x?x16xf32>
  %i = tensor.cast %init : tensor<1x2x64x16xf32> to tensor<1x2x?x16xf32>
  %o = stof.attention ins(%c, %c, %c : tensor<1x2x?x16xf32>, tensor<1x2x?x16xf32>, tensor<1x2x?x16xf32>)
      outs(%i : tensor<1x2x?x16xf32>) -> tensor<1x2x?x16xf32>
  %r = tensor.cast %o : tensor<1x2x?x16xf32> to tensor<1x2x64x16xf32>
  return %r : tensor<1x2x64x16xf32>
}

// -----

/// A score goes with its attention.

// CHECK-LABEL: func @casts_with_score
// CHECK: stof.attention ins(%{{.*}} : tensor<1x2x64x16xf32>, tensor<1x2x64x16xf32>, tensor<1x2x64x16xf32>)
// CHECK-SAME: mask({{.*}}) captures(%{{.*}} : f32) outs(%{{.*}} : tensor<1x2x?x16xf32>) scale 2.500000e-01 score {
// CHECK: arith.addf
func.func @casts_with_score(%q: tensor<1x2x64x16xf32>, %init: tensor<1x2x?x16xf32>, %m: !stof.mask<?x64>, %x: f32)
    -> tensor<1x2x?x16xf32> {
  %c = tensor.cast %q : tensor<1x2x64x16xf32> to tensor<1x?x?x16xf32>
  %o = stof.attention ins(%c, %c, %c : tensor<1x?x?x16xf32>, tensor<1x?x?x16xf32>, tensor<1x?x?x16xf32>)
      mask(%m : !stof.mask<?x64>) captures(%x : f32) outs(%init : tensor<1x2x?x16xf32>) scale 0.25 score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %a: f32):
        %t = arith.addf %s, %a : f32
        stof.yield %t : f32
      } -> tensor<1x2x?x16xf32>
  return %o : tensor<1x2x?x16xf32>
}
