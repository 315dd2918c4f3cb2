// RUN: stof-opt %s --stof-lower-to-tile=chip=sm_90a | FileCheck %s

/// Where accumulators leave few registers, the epilogue is evaluated on some columns after others: so few of the residual
/// are in registers at a time.

// CHECK-LABEL: gpu.func @residual_0_contract
// CHECK: %[[FIRST:.*]] = arith.muli %{{.*}}, %{{.*}} : index
// CHECK: %[[NEXT:.*]] = arith.addi %[[FIRST]], %c32{{.*}} : index
// CHECK: %[[LAST:.*]] = arith.addi %[[FIRST]], %c160{{.*}} : index
// CHECK: %[[R:.*]] = scf.for
// CHECK: %[[PART:.*]] = tile.slice %[[R]] from 0 : !tile.fragment<128x192xf32, #mma> -> !tile.fragment<128x32xf32, #mma>
// CHECK-NEXT: tile.convert %[[PART]] : !tile.fragment<128x32xf32, #mma> -> !tile.fragment<128x32xf32, #mma_runs>
// CHECK-NEXT: tile.load %[[C:.*]][%{{.*}}, %[[FIRST]]]
// CHECK: tile.store %{{.*}}[%{{.*}}, %[[FIRST]]]
// CHECK-NEXT: tile.slice %[[R]] from 32
// CHECK: tile.load %[[C]][%{{.*}}, %[[NEXT]]]
// CHECK: tile.store %{{.*}}[%{{.*}}, %[[NEXT]]]
// CHECK: tile.slice %[[R]] from 160
// CHECK: tile.load %[[C]][%{{.*}}, %[[LAST]]]
// CHECK: tile.store
// CHECK-NOT: tile.store
#l = affine_map<(i, j, k) -> (i, k)>
#r = affine_map<(i, j, k) -> (j, k)>
#o = affine_map<(i, j, k) -> (i, j)>
#id = affine_map<(i, j) -> (i, j)>
func.func @residual(%x: tensor<512x128xf16>, %w: tensor<384x128xf16>, %c: tensor<512x384xf16>) -> tensor<512x384xf16> {
  %q = stof.group ins(%x, %w, %c : tensor<512x128xf16>, tensor<384x128xf16>, tensor<512x384xf16>)
      tiles [#stof.matmul_tile<rows = 128, columns = 192, k = 64, row_warps = 4, column_warps = 1, stages = 4, producers = 4, resident = 1, groups = 2>] {
  ^bb0(%a: tensor<512x128xf16>, %b: tensor<384x128xf16>, %d: tensor<512x384xf16>):
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<512x384xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<512x384xf32>) -> tensor<512x384xf32>
    %p = linalg.contract indexing_maps = [#l, #r, #o] ins(%a, %b : tensor<512x128xf16>, tensor<384x128xf16>) outs(%f : tensor<512x384xf32>) -> tensor<512x384xf32>
    %g = tensor.empty() : tensor<512x384xf16>
    %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%p, %d : tensor<512x384xf32>, tensor<512x384xf16>) outs(%g : tensor<512x384xf16>) {
    ^bb0(%t: f32, %u: f16, %o: f16):
      %v = arith.truncf %t : f32 to f16
      %y = arith.addf %v, %u : f16
      linalg.yield %y : f16
    } -> tensor<512x384xf16>
    stof.yield %s : tensor<512x384xf16>
  } -> tensor<512x384xf16>
  return %q : tensor<512x384xf16>
}
