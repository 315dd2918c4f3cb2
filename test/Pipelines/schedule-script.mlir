// RUN: stof-opt %s --transform-interpreter --canonicalize --stof-lower-to-tile=chip=sm_80 | FileCheck %s
// RUN: sed 's/columns = 64, k = 32/columns = 32, k = 64/' %s | stof-opt --transform-interpreter --canonicalize --stof-lower-to-tile=chip=sm_80 | FileCheck %s --check-prefix=EDITED

/// A transform script chooses schedules: what shares a kernel, and tiles. Another tile in the script changes just that.

// CHECK-DAG: gpu.func @main_0_attention{{.*}} keys = 32 : i64, queries = 64 : i64,
// CHECK-DAG: gpu.func @main_1_matmul{{.*}} stof.schedule = {block_k = 32 : i64, columns = 64 : i64, {{.*}} rows = 64 : i64, stages = 5 : i64
// CHECK-DAG: gpu.func @main_2_generic{{.*}} kernel = "elementwise"

// EDITED-DAG: gpu.func @main_0_attention{{.*}} keys = 32 : i64, queries = 64 : i64,
// EDITED-DAG: gpu.func @main_1_matmul{{.*}} stof.schedule = {block_k = 64 : i64, columns = 32 : i64, {{.*}} rows = 64 : i64, stages = 5 : i64
// EDITED-DAG: gpu.func @main_2_generic{{.*}} kernel = "elementwise"

module attributes {transform.with_named_sequence} {
  func.func @main(%q: tensor<1x1x512x64xf16>, %w: tensor<64x64xf16>) -> tensor<512x64xf16> {
    %e = tensor.empty() : tensor<1x1x512x64xf16>
    %o = stof.attention ins(%q, %q, %q : tensor<1x1x512x64xf16>, tensor<1x1x512x64xf16>, tensor<1x1x512x64xf16>)
        outs(%e : tensor<1x1x512x64xf16>) -> tensor<1x1x512x64xf16>
    %rows = tensor.collapse_shape %o [[0, 1, 2], [3]] : tensor<1x1x512x64xf16> into tensor<512x64xf16>
    %init = tensor.empty() : tensor<512x64xf16>
    %zero = arith.constant 0.0 : f16
    %fill = linalg.fill ins(%zero : f16) outs(%init : tensor<512x64xf16>) -> tensor<512x64xf16>
    %product = linalg.matmul ins(%rows, %w : tensor<512x64xf16>, tensor<64x64xf16>) outs(%fill : tensor<512x64xf16>) -> tensor<512x64xf16>
    %exp = linalg.exp ins(%product : tensor<512x64xf16>) outs(%init : tensor<512x64xf16>) -> tensor<512x64xf16>
    return %exp : tensor<512x64xf16>
  }

  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %main = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // The attention, the matmul and the exponential have a kernel each.
    %grouped = transform.apply_registered_pass "stof-form-groups" with options = {"scheme" = "010", "chip" = "sm_80"} to %main
        : (!transform.any_op) -> !transform.any_op
    %groups = transform.structured.match ops{["stof.group"]} in %grouped : (!transform.any_op) -> !transform.any_op
    %matmul, %exp = transform.split_handle %groups : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %tiles = transform.param.constant [#stof.matmul_tile<rows = 64, columns = 64, k = 32, row_warps = 2, column_warps = 2, stages = 5>] -> !transform.any_param
    transform.annotate %matmul "tiles" = %tiles : !transform.any_op, !transform.any_param
    %attention = transform.structured.match ops{["stof.attention"]} in %grouped : (!transform.any_op) -> !transform.any_op
    %tile = transform.param.constant #stof.attention_tile<queries = 64, keys = 32, warps = 4> -> !transform.any_param
    transform.annotate %attention "tile" = %tile : !transform.any_op, !transform.any_param
    transform.yield
  }
}
