// RUN: stof-opt %s --stof-lower-to-tile | FileCheck %s

/// What a matmul multiplies may be computed of another one, which is summed up
/// for each tile that is multiplied.

#id = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d1)>

// CHECK-LABEL: gpu.func @mlp_0_contract
// CHECK-SAME: (%{{.*}}: memref<64x48xf32>, %[[X:.*]]: memref<64x72xf16>, %[[U:.*]]: memref<100x72xf16>, %[[BIAS:.*]]: memref<100xf32>, %[[W:.*]]: memref<48x100xf16>)
// CHECK: scf.for %[[AT:.*]] = %c0{{.*}} to %c100{{.*}} iter_args(%[[SUM:.*]] = %{{[0-9]+}})
// CHECK:   %[[ZERO:.*]] = tile.splat
// CHECK:   %[[P:.*]] = scf.for %[[K:.*]] = %c0{{.*}} to %c72{{.*}} iter_args(%[[PART:.*]] = %[[ZERO]]) -> (!tile.fragment<64x32xf32, #[[LAYOUT:.*]]>)
// CHECK:     %[[A:.*]] = tile.load %[[X]][%[[ROW:.*]], %[[K]]] along [0, 1]
// CHECK:     %[[B:.*]] = tile.load %[[U]][%[[AT]], %[[K]]] along [0, 1]
// CHECK:     tile.contract %[[A]], %[[B]], %[[PART]] transpose_rhs
// CHECK:   tile.load %[[BIAS]][%[[AT]]] along [0] : memref<100xf32> -> !tile.fragment<32xf32, #{{.*}}>
// CHECK:   %[[Y:.*]] = tile.map ins(%[[P]]
// CHECK:     arith.addf
// CHECK:   %[[Z:.*]] = tile.map ins(%[[Y]]
// CHECK:     arith.cmpi slt, %{{.*}}, %c100
// CHECK:     arith.select
// CHECK:   %[[SHARED:.*]] = tile.convert %[[Z]] : !tile.fragment<64x32xf16, #[[LAYOUT]]> -> !tile.shared<64x32xf16>
// CHECK:   %[[RHS:.*]] = tile.load %[[W]][%{{.*}}, %[[AT]]] along [0, 1]
// CHECK:   tile.contract %[[SHARED]], %[[RHS]], %[[SUM]] transpose_rhs
func.func @mlp(%x: tensor<64x72xf16>, %u: tensor<100x72xf16>, %bias: tensor<100xf32>, %w: tensor<48x100xf16>, %init: tensor<64x48xf32>) -> tensor<64x48xf32> {
  %r = stof.group ins(%x, %u, %bias, %w, %init : tensor<64x72xf16>, tensor<100x72xf16>, tensor<100xf32>, tensor<48x100xf16>, tensor<64x48xf32>) {
  ^bb0(%x_: tensor<64x72xf16>, %u_: tensor<100x72xf16>, %bias_: tensor<100xf32>, %w_: tensor<48x100xf16>, %init_: tensor<64x48xf32>):
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<64x100xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x100xf32>) -> tensor<64x100xf32>
    %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x_, %u_ : tensor<64x72xf16>, tensor<100x72xf16>) outs(%f : tensor<64x100xf32>) -> tensor<64x100xf32>
    %h = tensor.empty() : tensor<64x100xf16>
    %1 = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]} ins(%0, %bias_ : tensor<64x100xf32>, tensor<100xf32>) outs(%h : tensor<64x100xf16>) {
    ^bb1(%a: f32, %b: f32, %o: f16):
      %3 = arith.addf %a, %b : f32
      %4 = arith.truncf %3 : f32 to f16
      linalg.yield %4 : f16
    } -> tensor<64x100xf16>
    %g = linalg.fill ins(%zero : f32) outs(%init_ : tensor<64x48xf32>) -> tensor<64x48xf32>
    %2 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%1, %w_ : tensor<64x100xf16>, tensor<48x100xf16>) outs(%g : tensor<64x48xf32>) -> tensor<64x48xf32>
    stof.yield %2 : tensor<64x48xf32>
  } -> tensor<64x48xf32>
  return %r : tensor<64x48xf32>
}
