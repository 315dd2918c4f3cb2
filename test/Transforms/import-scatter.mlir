// RUN: stof-opt %s --pass-pipeline='builtin.module(func.func(stof-import-scatter))' --allow-unregistered-dialect | FileCheck %s

// RUN: stof-opt %s --pass-pipeline='builtin.module(func.func(stof-import-scatter{checked}))' --allow-unregistered-dialect | FileCheck %s --check-prefix=CHECKED

// CHECKED-COUNT-3: wrapped checked {
// CHECK-DAG: #[[FIRST:.*]] = affine_map<(d0, d1, d2, d3) -> (d0)>
// CHECK-DAG: #[[TWO:.*]] = affine_map<(d0, d1, d2, d3)[s0, s1] -> (d1 + s1, d2 + s0, d3)>
// CHECK-DAG: #[[ONLY:.*]] = affine_map<(d0) -> (d0)>
// CHECK-DAG: #[[POINT:.*]] = affine_map<(d0)[s0, s1] -> (s0, s1)>

/// Columns that were put together are taken as they were; those of a tensor are slices of it.

// CHECK-LABEL: func @columns
// CHECK-SAME: (%[[U:.*]]: tensor<3x1x1x4xf32>, %[[A:.*]]: tensor<3xi64>, %[[B:.*]]: tensor<3xi64>, %[[X:.*]]: tensor<8x16x4xf32>)
// CHECK: stof.scatter %[[U]] at(%[[A]], %[[B]] : tensor<3xi64>, tensor<3xi64>) into %[[X]] maps [#[[FIRST]], #[[FIRST]]] position #[[TWO]] unique wrapped {
// CHECK: ^bb0(%[[NEW:.*]]: f32, %{{.*}}: f32):
// CHECK:   stof.yield %[[NEW]]
func.func @columns(%u: tensor<3x1x1x4xf32>, %a: tensor<3xi64>, %b: tensor<3xi64>, %x: tensor<8x16x4xf32>) -> tensor<8x16x4xf32> {
  %0 = tensor.expand_shape %a [[0, 1]] output_shape [3, 1] : tensor<3xi64> into tensor<3x1xi64>
  %1 = tensor.expand_shape %b [[0, 1]] output_shape [3, 1] : tensor<3xi64> into tensor<3x1xi64>
  %i = tensor.concat dim(1) %0, %1 : (tensor<3x1xi64>, tensor<3x1xi64>) -> tensor<3x2xi64>
  %y = "tm_tensor.scatter"(%u, %i, %x) <{dimension_map = array<i64: 1, 0>, operandSegmentSizes = array<i32: 2, 1>, unique_indices = true}> ({
  ^bb0(%new: f32, %old: f32):
    "tm_tensor.yield"(%new) : (f32) -> ()
  }) : (tensor<3x1x1x4xf32>, tensor<3x2xi64>, tensor<8x16x4xf32>) -> tensor<8x16x4xf32>
  return %y : tensor<8x16x4xf32>
}

// CHECK-LABEL: func @slices
// CHECK-SAME: (%[[U:.*]]: tensor<?xf32>, %[[I:.*]]: tensor<?x2xi32>
// CHECK: %[[A:.*]] = tensor.extract_slice %[[I]][0, 0] [%{{.*}}, 1] [1, 1] : tensor<?x2xi32> to tensor<?xi32>
// CHECK: %[[B:.*]] = tensor.extract_slice %[[I]][0, 1] [%{{.*}}, 1] [1, 1] : tensor<?x2xi32> to tensor<?xi32>
// CHECK: stof.scatter %[[U]] at(%[[A]], %[[B]] : {{.*}}) into %{{.*}} maps [#[[ONLY]], #[[ONLY]]] position #[[POINT]] wrapped {
// CHECK: ^bb0(%[[NEW:.*]]: f32, %[[OLD:.*]]: f32):
// CHECK:   %[[HALF:.*]] = arith.constant 5.000000e-01
// CHECK:   arith.mulf %[[NEW]], %[[HALF]]
// CHECK:   arith.addf %[[OLD]],
func.func @slices(%u: tensor<?xf32>, %i: tensor<?x2xi32>, %x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %half = arith.constant 0.5 : f32
  %y = "tm_tensor.scatter"(%u, %i, %x) <{dimension_map = array<i64: 0, 1>, operandSegmentSizes = array<i32: 2, 1>, unique_indices = false}> ({
  ^bb0(%new: f32, %old: f32):
    %h = arith.mulf %new, %half : f32
    %s = arith.addf %old, %h : f32
    "tm_tensor.yield"(%s) : (f32) -> ()
  }) : (tensor<?xf32>, tensor<?x2xi32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  return %y : tensor<8x16xf32>
}

/// Columns that were inserted one after the other.

// CHECK-LABEL: func @inserted
// CHECK-SAME: (%[[U:.*]]: tensor<3xf32>, %[[A:.*]]: tensor<3x1xi64>, %[[B:.*]]: tensor<3x1xi64>
// CHECK-DAG: %[[CA:.*]] = tensor.collapse_shape %[[A]]
// CHECK-DAG: %[[CB:.*]] = tensor.collapse_shape %[[B]]
// CHECK: stof.scatter %[[U]] at(%[[CA]], %[[CB]] :
func.func @inserted(%u: tensor<3xf32>, %a: tensor<3x1xi64>, %b: tensor<3x1xi64>, %x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %e = tensor.empty() : tensor<3x2xi64>
  %0 = tensor.insert_slice %a into %e[0, 0] [3, 1] [1, 1] : tensor<3x1xi64> into tensor<3x2xi64>
  %i = tensor.insert_slice %b into %0[0, 1] [3, 1] [1, 1] : tensor<3x1xi64> into tensor<3x2xi64>
  %y = "tm_tensor.scatter"(%u, %i, %x) <{dimension_map = array<i64: 0, 1>, operandSegmentSizes = array<i32: 2, 1>, unique_indices = false}> ({
  ^bb0(%new: f32, %old: f32):
    "tm_tensor.yield"(%new) : (f32) -> ()
  }) : (tensor<3xf32>, tensor<3x2xi64>, tensor<8x16xf32>) -> tensor<8x16xf32>
  return %y : tensor<8x16xf32>
}
