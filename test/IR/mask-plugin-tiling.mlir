// REQUIRES: shared-mlir
// RUN: stof-opt %s --load-dialect-plugin=%test_lib/TestMasks.so --transform-interpreter --canonicalize --cse \
// RUN:   --split-input-file | FileCheck %s

/// A tile of an attention has the predicate of a mask of another dialect, at
/// shifted coordinates.

// CHECK-LABEL: func @queries
func.func @queries(%q: tensor<1x2x128x64xf16>, %ids: tensor<128xi32>) -> tensor<1x2x128x64xf16> {
  %m = test_masks.segments %ids : tensor<128xi32> -> !stof.mask<128x128>
  // CHECK: scf.for %[[I:[^ ]*]] =
  // CHECK: stof.mask captures(%{{.*}}, %[[I]] : tensor<128xi32>, index) {
  // CHECK: ^bb0(%{{.*}}: index, %{{.*}}: index, %[[ROW:.*]]: index, %[[KEY:.*]]: index, %[[IDS:.*]]: tensor<128xi32>, %[[AT:.*]]: index):
  // CHECK: %[[QUERY:[^ ]*]] = arith.addi %[[ROW]], %[[AT]] : index
  // CHECK-DAG: tensor.extract %[[IDS]][%[[QUERY]]]
  // CHECK-DAG: tensor.extract %[[IDS]][%[[KEY]]]
  // CHECK: } : !stof.mask<32x128>
  %r = stof.attention ins(%q, %q, %q : tensor<1x2x128x64xf16>, tensor<1x2x128x64xf16>, tensor<1x2x128x64xf16>)
      mask(%m : !stof.mask<128x128>) outs(%q : tensor<1x2x128x64xf16>) -> tensor<1x2x128x64xf16>
  return %r : tensor<1x2x128x64xf16>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["stof.attention"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %op tile_sizes [0, 0, 32] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

/// Heads leave a mask as it is that does not depend on them.

// CHECK-LABEL: func @heads
func.func @heads(%q: tensor<1x2x32x64xf16>) -> tensor<1x2x32x64xf16> {
  // CHECK: %[[M:.*]] = test_masks.checkerboard 8 : !stof.mask<32x32>
  // CHECK: scf.for
  // CHECK: stof.attention {{.*}} mask(%[[M]] : !stof.mask<32x32>)
  %m = test_masks.checkerboard 8 : !stof.mask<32x32>
  %r = stof.attention ins(%q, %q, %q : tensor<1x2x32x64xf16>, tensor<1x2x32x64xf16>, tensor<1x2x32x64xf16>)
      mask(%m : !stof.mask<32x32>) outs(%q : tensor<1x2x32x64xf16>) -> tensor<1x2x32x64xf16>
  return %r : tensor<1x2x32x64xf16>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["stof.attention"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %op tile_sizes [0, 1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
