// RUN: stof-opt %s --pass-pipeline='builtin.module(func.func(stof-scatter-slices),canonicalize,cse)' | FileCheck %s

// CHECK-DAG: #[[NONE:.*]] = affine_map<(d0, d1, d2) -> ()>
// CHECK-DAG: #[[BEHIND:.*]] = affine_map<(d0, d1, d2)[s0] -> (d0, s0, d1 + 4, d2 * 2)>
// CHECK-DAG: #[[FRONT:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[LAYER:.*]] = affine_map<(d0, d1)[s0] -> (1, s0, d1 * 2 + 3)>

/// An offset of run time is an index; dimensions that the slice lacks have no coordinate.

// CHECK-LABEL: func @dynamic
// CHECK-SAME: (%[[K:.*]]: tensor<2x4x8xf32>, %[[POS:.*]]: tensor<1xi64>, %[[CACHE:.*]]: tensor<2x16x9x16xf32>
// CHECK: %[[P:.*]] = tensor.extract %[[POS]]
// CHECK: %[[AT:.*]] = linalg.generic {{.*}} iterator_types = []} outs(%{{.*}} : tensor<i64>)
// CHECK:   linalg.yield %[[P]]
// CHECK: stof.scatter %[[K]] at(%[[AT]] : tensor<i64>) into %[[CACHE]] maps [#[[NONE]]] position #[[BEHIND]] unique {
// CHECK: ^bb0(%[[NEW:.*]]: f32, %{{.*}}: f32):
// CHECK:   stof.yield %[[NEW]]
func.func @dynamic(%k: tensor<2x4x8xf32>, %pos: tensor<1xi64>, %cache: tensor<2x16x9x16xf32> {tf.aliasing_output = 0 : i32}) -> tensor<2x16x9x16xf32> {
  %c0 = arith.constant 0 : index
  %p = tensor.extract %pos[%c0] : tensor<1xi64>
  %i = arith.index_cast %p : i64 to index
  %y = tensor.insert_slice %k into %cache[0, %i, 4, 0] [2, 1, 4, 8] [1, 1, 1, 2] : tensor<2x4x8xf32> into tensor<2x16x9x16xf32>
  return %y : tensor<2x16x9x16xf32>
}

/// A prompt at known places, then another slice into the same, through a reshape.

// CHECK-LABEL: func @static
// CHECK: %[[FIRST:.*]] = stof.scatter %{{.*}} into %{{.*}} maps [] position #[[FRONT]] unique
// CHECK: %[[FLAT:.*]] = tensor.collapse_shape %[[FIRST]]
// CHECK: stof.scatter %{{.*}} into %[[FLAT]]
// CHECK-NOT: tensor.insert_slice
func.func @static(%a: tensor<3x4xf32>, %b: tensor<5xf32>, %x: tensor<9x4xf32> {tf.aliasing_output = 0 : i32}) -> tensor<9x4xf32> {
  %0 = tensor.insert_slice %a into %x[0, 0] [3, 4] [1, 1] : tensor<3x4xf32> into tensor<9x4xf32>
  %1 = tensor.collapse_shape %0 [[0, 1]] : tensor<9x4xf32> into tensor<36xf32>
  %2 = tensor.insert_slice %b into %1[20] [5] [1] : tensor<5xf32> into tensor<36xf32>
  %3 = tensor.expand_shape %2 [[0, 1]] output_shape [9, 4] : tensor<36xf32> into tensor<9x4xf32>
  return %3 : tensor<9x4xf32>
}

/// One layer of a cache for all: what else reads the layer sees it in the whole.

// CHECK-LABEL: func @layer
// CHECK-SAME: (%[[U:.*]]: tensor<3x4xf32>, %[[I:.*]]: tensor<3xi64>, %[[X:.*]]: tensor<2x9x16xf32>
// CHECK: %[[Y:.*]] = stof.scatter %[[U]] at(%[[I]] : tensor<3xi64>) into %[[X]] maps [#{{.*}}] position #[[LAYER]] unique
// CHECK: %[[S:.*]] = tensor.extract_slice %[[Y]][1, 0, 3] [1, 9, 4] [1, 1, 2]
// CHECK: return %[[S]], %[[Y]]
func.func @layer(%u: tensor<3x4xf32>, %i: tensor<3xi64>, %x: tensor<2x9x16xf32> {tf.aliasing_output = 1 : i32}) -> (tensor<9x4xf32>, tensor<2x9x16xf32>) {
  %s = tensor.extract_slice %x[1, 0, 3] [1, 9, 4] [1, 1, 2] : tensor<2x9x16xf32> to tensor<9x4xf32>
  %n = stof.scatter %u at(%i : tensor<3xi64>) into %s maps [affine_map<(a, b) -> (a)>] position affine_map<(a, b)[s] -> (s, b)> unique {
  ^bb0(%new: f32, %old: f32):
    stof.yield %new : f32
  } : tensor<3x4xf32>, tensor<9x4xf32> -> tensor<9x4xf32>
  %y = tensor.insert_slice %n into %x[1, 0, 3] [1, 9, 4] [1, 1, 2] : tensor<9x4xf32> into tensor<2x9x16xf32>
  return %n, %y : tensor<9x4xf32>, tensor<2x9x16xf32>
}

/// What lies outside of a part would be a place inside of the whole.

// CHECK-LABEL: func @negative_part
// CHECK: %[[N:.*]] = stof.scatter
// CHECK: stof.scatter %[[N]] into
func.func @negative_part(%u: tensor<3x4xf32>, %i: tensor<3xi64>, %x: tensor<9x4xf32> {tf.aliasing_output = 0 : i32}) -> tensor<9x4xf32> {
  %s = tensor.extract_slice %x[0, 0] [5, 4] [1, 1] : tensor<9x4xf32> to tensor<5x4xf32>
  %n = stof.scatter %u at(%i : tensor<3xi64>) into %s maps [affine_map<(a, b) -> (a)>] position affine_map<(a, b)[s] -> (s, b)> unique {
  ^bb0(%new: f32, %old: f32):
    stof.yield %new : f32
  } : tensor<3x4xf32>, tensor<5x4xf32> -> tensor<5x4xf32>
  %y = tensor.insert_slice %n into %x[0, 0] [5, 4] [1, 1] : tensor<5x4xf32> into tensor<9x4xf32>
  return %y : tensor<9x4xf32>
}

/// Where the tensor is kept, there is another, in one operation.

// CHECK-LABEL: func @negative_kept
// CHECK-NOT: stof.scatter
// CHECK: tensor.insert_slice
func.func @negative_kept(%a: tensor<3x4xf32>, %x: tensor<9x4xf32>) -> tensor<9x4xf32> {
  %0 = tensor.insert_slice %a into %x[0, 0] [3, 4] [1, 1] : tensor<3x4xf32> into tensor<9x4xf32>
  return %0 : tensor<9x4xf32>
}
