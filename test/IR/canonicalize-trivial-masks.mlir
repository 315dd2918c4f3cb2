// RUN: stof-opt %s --canonicalize | FileCheck %s

!q = tensor<1x2x8x4xf16>
!rows = tensor<1x2x8xf32>

/// A mask that keeps every key is no mask, so no row is empty.

// CHECK-LABEL: func @full_mask
func.func @full_mask(%q: !q) -> !q {
  // CHECK-NOT: = stof.mask
  // CHECK: stof.attention
  // CHECK-NOT: mask(
  // CHECK-NOT: empty_rows
  // CHECK: return
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.cmpi eq, %i, %i : index
    stof.yield %keep : i1
  } : !stof.mask<8x8>
  %r = stof.attention ins(%q, %q, %q : !q, !q, !q) mask(%m : !stof.mask<8x8>)
      outs(%q : !q) empty_rows(nan) -> !q
  return %r : !q
}

// CHECK-LABEL: func @no_mask_no_empty_rows
func.func @no_mask_no_empty_rows(%q: !q) -> !q {
  // CHECK-NOT: empty_rows
  // CHECK: return
  %r = stof.attention ins(%q, %q, %q : !q, !q, !q) outs(%q : !q) empty_rows(mean) -> !q
  return %r : !q
}

/// A mask that keeps nothing, with rows that then count as unmasked, is no mask.

// CHECK-LABEL: func @empty_mask_unmasked
func.func @empty_mask_unmasked(%q: !q) -> !q {
  // CHECK-NOT: mask(
  // CHECK: return
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.constant false
    stof.yield %keep : i1
  } : !stof.mask<8x8>
  %r = stof.attention ins(%q, %q, %q : !q, !q, !q) mask(%m : !stof.mask<8x8>)
      outs(%q : !q) empty_rows(unmasked) -> !q
  return %r : !q
}

// CHECK-LABEL: func @empty_mask_zero
func.func @empty_mask_zero(%q: !q) -> !q {
  // CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<1x2x8x4xf16>
  // CHECK: return %[[ZERO]]
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.cmpi ult, %i, %i : index
    stof.yield %keep : i1
  } : !stof.mask<8x8>
  %r = stof.attention ins(%q, %q, %q : !q, !q, !q) mask(%m : !stof.mask<8x8>)
      outs(%q : !q) -> !q
  return %r : !q
}

// CHECK-LABEL: func @empty_mask_nan_of_any_length
func.func @empty_mask_nan_of_any_length(%q: tensor<1x2x?x4xf16>, %m: !stof.mask<?x?>) -> tensor<1x2x?x4xf16> {
  // CHECK-DAG: %[[NAN:.*]] = arith.constant 0x7E00 : f16
  // CHECK-DAG: %[[LENGTH:.*]] = tensor.dim
  // CHECK: tensor.splat %[[NAN]][%[[LENGTH]]] : tensor<1x2x?x4xf16>
  %none = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.constant false
    stof.yield %keep : i1
  } : !stof.mask<?x?>
  %r = stof.attention ins(%q, %q, %q : tensor<1x2x?x4xf16>, tensor<1x2x?x4xf16>, tensor<1x2x?x4xf16>)
      mask(%none : !stof.mask<?x?>) outs(%q : tensor<1x2x?x4xf16>) empty_rows(nan) -> tensor<1x2x?x4xf16>
  return %r : tensor<1x2x?x4xf16>
}

/// The mean of all values, a log-sum-exp or a sink is no constant.

// CHECK-LABEL: func @negative_empty_mask
func.func @negative_empty_mask(%q: !q, %l: !rows, %s: tensor<2xf32>) -> (!q, !q, !rows, !q) {
  // CHECK: stof.mask
  // CHECK-COUNT-3: stof.attention {{.*}} mask(
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.constant false
    stof.yield %keep : i1
  } : !stof.mask<8x8>
  %mean = stof.attention ins(%q, %q, %q : !q, !q, !q) mask(%m : !stof.mask<8x8>)
      outs(%q : !q) empty_rows(mean) -> !q
  %with_lse:2 = stof.attention ins(%q, %q, %q : !q, !q, !q) mask(%m : !stof.mask<8x8>)
      outs(%q : !q, lse %l : !rows) -> !q, !rows
  %with_sinks = stof.attention ins(%q, %q, %q : !q, !q, !q) mask(%m : !stof.mask<8x8>) sinks(%s : tensor<2xf32>)
      outs(%q : !q) empty_rows(unmasked) -> !q
  return %mean, %with_lse#0, %with_lse#1, %with_sinks : !q, !q, !rows, !q
}

/// The mean over a mask that keeps all keys is over all keys.

// CHECK-LABEL: func @full_mask_of_empty_rows
func.func @full_mask_of_empty_rows(%q: !q, %m: !stof.mask<8x8>) -> !q {
  // CHECK-NOT: stof.mask {
  // CHECK: stof.attention {{.*}} empty_rows(mean) ->
  %all = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.constant true
    stof.yield %keep : i1
  } : !stof.mask<8x8>
  %r = stof.attention ins(%q, %q, %q : !q, !q, !q) mask(%m : !stof.mask<8x8>)
      outs(%q : !q) empty_rows(mean over %all : !stof.mask<8x8>) -> !q
  return %r : !q
}

/// Under a full mask, no row is fully masked, and the other mask is unused as well.

// CHECK-LABEL: func @full_mask_no_other
func.func @full_mask_no_other(%q: !q, %other: !stof.mask<8x8>) -> !q {
  // CHECK-NOT: mask(
  // CHECK-NOT: empty_rows
  // CHECK: return
  %all = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.constant true
    stof.yield %keep : i1
  } : !stof.mask<8x8>
  %r = stof.attention ins(%q, %q, %q : !q, !q, !q) mask(%all : !stof.mask<8x8>)
      outs(%q : !q) empty_rows(mean over %other : !stof.mask<8x8>) -> !q
  return %r : !q
}

/// Unless a score may be minus infinity: the other mask needs the first one.

// CHECK-LABEL: func @negative_full_mask_with_scores
func.func @negative_full_mask_with_scores(%q: !q, %other: !stof.mask<8x8>, %x: f32) -> !q {
  // CHECK: stof.attention {{.*}} mask({{.*}} empty_rows(mean over
  %all = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.constant true
    stof.yield %keep : i1
  } : !stof.mask<8x8>
  %r = stof.attention ins(%q, %q, %q : !q, !q, !q) mask(%all : !stof.mask<8x8>) captures(%x : f32)
      outs(%q : !q) empty_rows(mean over %other : !stof.mask<8x8>) score {
  ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %c: f32):
    %y = arith.addf %s, %c : f32
    stof.yield %y : f32
  } -> !q
  return %r : !q
}

/// A softmax over the other mask is not one over all keys.

// CHECK-LABEL: func @negative_empty_mask_over_another
func.func @negative_empty_mask_over_another(%q: !q, %other: !stof.mask<8x8>) -> !q {
  // CHECK: stof.attention {{.*}} mask({{.*}} empty_rows(unmasked over
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.constant false
    stof.yield %keep : i1
  } : !stof.mask<8x8>
  %r = stof.attention ins(%q, %q, %q : !q, !q, !q) mask(%m : !stof.mask<8x8>)
      outs(%q : !q) empty_rows(unmasked over %other : !stof.mask<8x8>) -> !q
  return %r : !q
}

/// On buffers the result is written, not replaced.

// CHECK-LABEL: func @negative_empty_mask_on_buffers
func.func @negative_empty_mask_on_buffers(%q: memref<1x2x8x4xf16>, %o: memref<1x2x8x4xf16>) {
  // CHECK: stof.attention {{.*}} mask(
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.constant false
    stof.yield %keep : i1
  } : !stof.mask<8x8>
  stof.attention ins(%q, %q, %q : memref<1x2x8x4xf16>, memref<1x2x8x4xf16>, memref<1x2x8x4xf16>)
      mask(%m : !stof.mask<8x8>) outs(%o : memref<1x2x8x4xf16>)
  return
}
