// RUN: stof-opt %s --stof-list-schedules="chip=sm_90a most=1" -o /dev/null | FileCheck %s

/// The schedule in use is listed at its place, also if it is not among the `most` that are fastest.

// CHECK-LABEL: @matmul for sm_90a
// CHECK-NEXT: us bound
// CHECK-NEXT: {{^ .*}} k = 64,
// CHECK-NEXT: {{^\*.*}} [#stof.matmul_tile<rows = 32, columns = 32, k = 64, row_warps = 2, column_warps = 2, stages = 3>]
// CHECK-NOT: matmul_tile
func.func @matmul(%a: tensor<512x768xf16>, %b: tensor<768x768xf16>, %c: tensor<512x768xf16>) -> tensor<512x768xf16> {
  %y = stof.group ins(%a, %b, %c : tensor<512x768xf16>, tensor<768x768xf16>, tensor<512x768xf16>)
      tiles [#stof.matmul_tile<rows = 32, columns = 32, k = 64, row_warps = 2, column_warps = 2, stages = 3>] {
  ^bb0(%l: tensor<512x768xf16>, %r: tensor<768x768xf16>, %o: tensor<512x768xf16>):
    %0 = linalg.contract
        indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
        ins(%l, %r : tensor<512x768xf16>, tensor<768x768xf16>) outs(%o : tensor<512x768xf16>) -> tensor<512x768xf16>
    stof.yield %0 : tensor<512x768xf16>
  } -> tensor<512x768xf16>
  return %y : tensor<512x768xf16>
}
