// RUN: stof-opt %s --stof-list-schedules=chip=sm_90a -o /dev/null | FileCheck %s \
// RUN:   --implicit-check-not='rows = 64, columns = 64, k = 64, row_warps = 4, column_warps = 1, stages = 6, producers = 1, resident' \
// RUN:   --implicit-check-not='rows = 64, columns = 64, k = 64, row_warps = 4, column_warps = 1, stages = 8, producers = 1, resident = 1, groups'

/// Persistent CTAs share tiles if not all of them run at once: 192 of 64 x 32 do not on 132 SMs, 96 of 64 x 64 do.
/// Then the kernel is the one without persistent CTAs, whatever its groups, and is listed once: without `resident` if
/// there is a tile of so many stages and producers without, else with it.

// CHECK-DAG: rows = 64, columns = 64, k = 64, row_warps = 4, column_warps = 1, stages = 6, producers = 1>
// CHECK-DAG: rows = 64, columns = 64, k = 64, row_warps = 4, column_warps = 1, stages = 8, producers = 1, resident = 1>
// CHECK-DAG: rows = 64, columns = 32, {{.*}}, resident = 1>
func.func @matmul(%a: tensor<512x768xf16>, %b: tensor<768x768xf16>, %c: tensor<512x768xf16>) -> tensor<512x768xf16> {
  %y = stof.group ins(%a, %b, %c : tensor<512x768xf16>, tensor<768x768xf16>, tensor<512x768xf16>) {
  ^bb0(%l: tensor<512x768xf16>, %r: tensor<768x768xf16>, %o: tensor<512x768xf16>):
    %0 = linalg.contract
        indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
        ins(%l, %r : tensor<512x768xf16>, tensor<768x768xf16>) outs(%o : tensor<512x768xf16>) -> tensor<512x768xf16>
    stof.yield %0 : tensor<512x768xf16>
  } -> tensor<512x768xf16>
  return %y : tensor<512x768xf16>
}
