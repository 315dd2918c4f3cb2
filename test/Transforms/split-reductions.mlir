// RUN: stof-opt %s --pass-pipeline='builtin.module(func.func(stof-split-reductions))' -split-input-file | FileCheck %s

/// Each row first, then the rows.

#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#none = affine_map<(d0, d1, d2) -> ()>

// CHECK-DAG: #[[ROWS:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-DAG: #[[MATRIX:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[ONE:.*]] = affine_map<(d0, d1) -> ()>
// CHECK-LABEL: func @maximum
// CHECK-SAME: (%[[X:.*]]: tensor<4x128x64xf32>, %[[INIT:.*]]: tensor<f32>)
// CHECK: %[[LOW:.*]] = arith.constant 0xFFC00000 : f32
// CHECK: %[[START:.*]] = linalg.fill ins(%[[LOW]]
// CHECK: %[[PARTS:.*]] = linalg.generic {indexing_maps = [#{{.*}}, #[[ROWS]]], iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[X]] : {{.*}}) outs(%[[START]]
// CHECK:   math.absf
// CHECK:   arith.maxnumf
// CHECK: linalg.generic {indexing_maps = [#[[MATRIX]], #[[ONE]]], iterator_types = ["reduction", "reduction"]} ins(%[[PARTS]] : {{.*}}) outs(%[[INIT]]
// CHECK-NOT: math.absf
// CHECK:   arith.maxnumf
func.func @maximum(%x: tensor<4x128x64xf32>, %init: tensor<f32>) -> tensor<f32> {
  %0 = linalg.generic {indexing_maps = [#all, #none], iterator_types = ["reduction", "reduction", "reduction"]} ins(%x : tensor<4x128x64xf32>) outs(%init : tensor<f32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = math.absf %a : f32
    %2 = arith.maxnumf %1, %o : f32
    linalg.yield %2 : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

/// Little is combined at once, and so are many rows.

#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#none = affine_map<(d0, d1, d2) -> ()>
#first = affine_map<(d0, d1, d2) -> (d0)>

// CHECK-LABEL: func @negative_little
// CHECK-COUNT-2: linalg.generic
// CHECK-NOT: linalg.generic
func.func @negative_little(%x: tensor<4x8x64xf32>, %init: tensor<f32>, %y: tensor<64x128x64xf32>, %rows: tensor<64xf32>) -> (tensor<f32>, tensor<64xf32>) {
  %0 = linalg.generic {indexing_maps = [#all, #none], iterator_types = ["reduction", "reduction", "reduction"]} ins(%x : tensor<4x8x64xf32>) outs(%init : tensor<f32>) {
  ^bb0(%a: f32, %o: f32):
    %2 = arith.addf %a, %o : f32
    linalg.yield %2 : f32
  } -> tensor<f32>
  %1 = linalg.generic {indexing_maps = [#all, #first], iterator_types = ["parallel", "reduction", "reduction"]} ins(%y : tensor<64x128x64xf32>) outs(%rows : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %2 = arith.addf %a, %o : f32
    linalg.yield %2 : f32
  } -> tensor<64xf32>
  return %0, %1 : tensor<f32>, tensor<64xf32>
}
