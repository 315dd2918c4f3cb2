// RUN: stof-opt %s --stof-list-schedules=chip=sm_80 -o /dev/null | FileCheck %s
// RUN: stof-opt %s --stof-list-schedules=chip=sm_80 -o /dev/null | FileCheck %s --check-prefix=SPILLS

/// With 32 rows a warp, a thread holds 128 accumulators and, for each key, a score and half a register of operands. A
/// tile that takes more than 200 registers is not listed: one of 64 keys, or one of 16 keys that also holds queries, in
/// 64 registers.

// CHECK-LABEL: @attention
// CHECK-DAG: queries = 32, keys = 32, warps = 1>
// CHECK-DAG: queries = 32, keys = 16, warps = 1>
// CHECK-DAG: queries = 16, keys = 64, warps = 1>
// SPILLS-NOT: queries = 32, keys = 64, warps = 1>
// SPILLS-NOT: queries = 32, keys = 16, warps = 1, holds_queries
func.func @attention(%q: tensor<1x1x256x128xf16>) -> tensor<1x1x256x128xf16> {
  %o = stof.attention ins(%q, %q, %q : tensor<1x1x256x128xf16>, tensor<1x1x256x128xf16>, tensor<1x1x256x128xf16>)
      outs(%q : tensor<1x1x256x128xf16>) -> tensor<1x1x256x128xf16>
  return %o : tensor<1x1x256x128xf16>
}
