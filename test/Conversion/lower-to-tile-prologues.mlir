// RUN: stof-opt %s --stof-lower-to-tile | FileCheck %s

/// What a matmul multiplies may be computed where it is multiplied: a tile for
/// each step, in the order in which the operand would lie in memory, and zero
/// beyond the end of what is summed over.

#id = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d1)>

// CHECK-LABEL: gpu.func @scaled_0_contract
// CHECK-SAME: (%{{.*}}: memref<64x48xf32>, %[[X:.*]]: memref<64x100xf16>, %[[S:.*]]: memref<100xf16>, %[[W:.*]]: memref<48x100xf16>)
// CHECK: scf.for %[[AT:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[SUM:.*]] = %{{.*}})
// CHECK:   %[[A:.*]] = tile.load %[[X]][%[[ROW:.*]], %[[AT]]] along [0, 1] : memref<64x100xf16> -> !tile.fragment<64x32xf16, #[[LAYOUT:.*]]>
// CHECK:   %[[B:.*]] = tile.load %[[S]][%[[AT]]] along [0]
// CHECK:   %[[Y:.*]] = tile.map ins(%[[A]], %[[B]]
// CHECK:     arith.mulf
// CHECK:   %[[Z:.*]] = tile.map ins(%[[Y]]
// CHECK:     arith.cmpi slt, %{{.*}}, %c100
// CHECK:     arith.select
// CHECK:   %[[SHARED:.*]] = tile.convert %[[Z]] : !tile.fragment<64x32xf16, #[[LAYOUT]]> -> !tile.shared<64x32xf16>
// CHECK:   %[[RHS:.*]] = tile.load %[[W]][%{{.*}}, %[[AT]]] along [0, 1] : memref<48x100xf16> -> !tile.shared<64x32xf16>
// CHECK:   tile.contract %[[SHARED]], %[[RHS]], %[[SUM]] transpose_rhs
func.func @scaled(%x: tensor<64x100xf16>, %s: tensor<100xf16>, %w: tensor<48x100xf16>, %init: tensor<64x48xf32>) -> tensor<64x48xf32> {
  %r = stof.group ins(%x, %s, %w, %init : tensor<64x100xf16>, tensor<100xf16>, tensor<48x100xf16>, tensor<64x48xf32>) {
  ^bb0(%x_: tensor<64x100xf16>, %s_: tensor<100xf16>, %w_: tensor<48x100xf16>, %init_: tensor<64x48xf32>):
    %zero = arith.constant 0.0 : f32
    %f = linalg.fill ins(%zero : f32) outs(%init_ : tensor<64x48xf32>) -> tensor<64x48xf32>
    %e = tensor.empty() : tensor<64x100xf16>
    %0 = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]} ins(%x_, %s_ : tensor<64x100xf16>, tensor<100xf16>) outs(%e : tensor<64x100xf16>) {
    ^bb1(%a: f16, %b: f16, %o: f16):
      %2 = arith.mulf %a, %b : f16
      linalg.yield %2 : f16
    } -> tensor<64x100xf16>
    %1 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%0, %w_ : tensor<64x100xf16>, tensor<48x100xf16>) outs(%f : tensor<64x48xf32>) -> tensor<64x48xf32>
    stof.yield %1 : tensor<64x48xf32>
  } -> tensor<64x48xf32>
  return %r : tensor<64x48xf32>
}
