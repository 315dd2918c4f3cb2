// REQUIRES: assertions
// RUN: stof-opt %s --transform-interpreter --debug-only=stof-attention-tiling --mlir-disable-threading -o /dev/null 2>&1 | FileCheck %s

/// Fusion that is tried and fails is no error of the attention; the log has the
/// reason.

// CHECK: expects a tile of heads to be whole GQA groups of 2 heads or to be inside one, but got 3 heads
func.func @f(%q: tensor<1x12x16x4xf32>, %k: tensor<1x6x16x4xf32>) -> tensor<1x12x16x4xf32> {
  %o = stof.attention ins(%q, %k, %k : tensor<1x12x16x4xf32>, tensor<1x6x16x4xf32>, tensor<1x6x16x4xf32>)
      outs(%q : tensor<1x12x16x4xf32>) -> tensor<1x12x16x4xf32>
  %r = linalg.exp ins(%o : tensor<1x12x16x4xf32>) outs(%q : tensor<1x12x16x4xf32>) -> tensor<1x12x16x4xf32>
  return %r : tensor<1x12x16x4xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %consumer = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    %attention = transform.structured.match ops{["stof.attention"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_forall %consumer tile_sizes [0, 3] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %fused, %new = transform.structured.fuse_into_containing_op %attention into %loop : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
