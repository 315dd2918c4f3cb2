// RUN: stof-opt %s --pass-pipeline='builtin.module(func.func(stof-join-slices))' -split-input-file | FileCheck %s
// RUN: stof-opt %s --pass-pipeline='builtin.module(func.func(stof-join-slices))' --remarks-filter="stof.*" -split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

/// Two slices that fill a tensor are a concatenation, whatever was in it.

// CHECK-LABEL: func @halves
// CHECK-SAME: (%[[A:.*]]: tensor<2x64x32xf32>, %[[B:.*]]: tensor<2x64x16xf32>, %{{.*}}: tensor<2x64x48xf32>)
// CHECK-NEXT: %[[JOINED:.*]] = tensor.concat dim(2) %[[A]], %[[B]] :
// CHECK-NEXT: return %[[JOINED]]
func.func @halves(%a: tensor<2x64x32xf32>, %b: tensor<2x64x16xf32>, %x: tensor<2x64x48xf32>) -> tensor<2x64x48xf32> {
  %1 = tensor.insert_slice %b into %x[0, 0, 32] [2, 64, 16] [1, 1, 1] : tensor<2x64x16xf32> into tensor<2x64x48xf32>
  %2 = tensor.insert_slice %a into %1[0, 0, 0] [2, 64, 32] [1, 1, 1] : tensor<2x64x32xf32> into tensor<2x64x48xf32>
  return %2 : tensor<2x64x48xf32>
}

// -----

/// Slices that lie between one another are concatenated along a dimension of their own.

// CHECK-LABEL: func @interleaved
// CHECK-SAME: (%[[A:.*]]: tensor<4x?xf16>, %[[B:.*]]: tensor<4x?xf16>
// CHECK-DAG: %[[EVEN:.*]] = tensor.expand_shape %[[A]] {{\[\[}}0], [1, 2]] {{.*}} : tensor<4x?xf16> into tensor<4x?x1xf16>
// CHECK-DAG: %[[ODD:.*]] = tensor.expand_shape %[[B]]
// CHECK: %[[PAIRS:.*]] = tensor.concat dim(2) %[[EVEN]], %[[ODD]] : {{.*}} -> tensor<4x?x2xf16>
// CHECK: tensor.collapse_shape %[[PAIRS]] {{\[\[}}0], [1, 2]]
func.func @interleaved(%a: tensor<4x?xf16>, %b: tensor<4x?xf16>) -> tensor<4x?xf16> {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %a, %c1 : tensor<4x?xf16>
  %whole = arith.muli %n, %c2 : index
  %0 = tensor.empty(%whole) : tensor<4x?xf16>
  %1 = tensor.insert_slice %a into %0[0, 0] [4, %n] [1, 2] : tensor<4x?xf16> into tensor<4x?xf16>
  %2 = tensor.insert_slice %b into %1[0, 1] [4, %n] [1, 2] : tensor<4x?xf16> into tensor<4x?xf16>
  return %2 : tensor<4x?xf16>
}

// -----

/// Of slices of unknown sizes one begins where the other ends.

// CHECK-LABEL: func @dynamic
// CHECK-SAME: (%[[A:.*]]: tensor<?x8xf32>, %[[B:.*]]: tensor<?x8xf32>
// CHECK: tensor.concat dim(0) %[[A]], %[[B]]
func.func @dynamic(%a: tensor<?x8xf32>, %b: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?x8xf32>
  %m = tensor.dim %b, %c0 : tensor<?x8xf32>
  %all = arith.addi %n, %m : index
  %0 = tensor.empty(%all) : tensor<?x8xf32>
  %1 = tensor.insert_slice %a into %0[0, 0] [%n, 8] [1, 1] : tensor<?x8xf32> into tensor<?x8xf32>
  %2 = tensor.insert_slice %b into %1[%n, 0] [%m, 8] [1, 1] : tensor<?x8xf32> into tensor<?x8xf32>
  return %2 : tensor<?x8xf32>
}

// -----

/// Rows above two blocks, and columns of lower rank: concatenations in both dimensions. What is written twice counts once.

// CHECK-LABEL: func @blocks
// CHECK-SAME: (%[[TOP:.*]]: tensor<2x4xf32>, %[[LEFT:.*]]: tensor<3x3xf32>, %[[COLUMN:.*]]: tensor<3xf32>)
// CHECK: %[[RIGHT:.*]] = tensor.expand_shape %[[COLUMN]] {{\[\[}}0, 1]] output_shape [3, 1]
// CHECK: %[[BELOW:.*]] = tensor.concat dim(1) %[[LEFT]], %[[RIGHT]] : {{.*}} -> tensor<3x4xf32>
// CHECK: tensor.concat dim(0) %[[TOP]], %[[BELOW]] : {{.*}} -> tensor<5x4xf32>
// CHECK-NOT: tensor.insert_slice
func.func @blocks(%top: tensor<2x4xf32>, %left: tensor<3x3xf32>, %column: tensor<3xf32>) -> tensor<5x4xf32> {
  %0 = tensor.empty() : tensor<5x4xf32>
  %1 = tensor.insert_slice %left into %0[2, 1] [3, 3] [1, 1] : tensor<3x3xf32> into tensor<5x4xf32>
  %2 = tensor.insert_slice %top into %1[0, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<5x4xf32>
  %3 = tensor.insert_slice %left into %2[2, 0] [3, 3] [1, 1] : tensor<3x3xf32> into tensor<5x4xf32>
  %4 = tensor.insert_slice %column into %3[2, 3] [3, 1] [1, 1] : tensor<3xf32> into tensor<5x4xf32>
  %5 = tensor.insert_slice %left into %4[2, 0] [3, 3] [1, 1] : tensor<3x3xf32> into tensor<5x4xf32>
  return %5 : tensor<5x4xf32>
}

// -----

/// A column is read of what was there before the next one was written.

// CHECK-LABEL: func @beside
// CHECK-SAME: (%[[X:.*]]: tensor<8x4xf32>, %[[COLUMN:.*]]: tensor<8x1xf32>)
// CHECK: tensor.extract_slice %[[X]][0, 0] [8, 2] [1, 2]
func.func @beside(%x: tensor<8x4xf32>, %column: tensor<8x1xf32>) -> (tensor<8x4xf32>, tensor<8x2xf32>) {
  %0 = tensor.insert_slice %column into %x[0, 3] [8, 1] [1, 1] : tensor<8x1xf32> into tensor<8x4xf32>
  %1 = tensor.insert_slice %column into %0[0, 1] [8, 1] [1, 1] : tensor<8x1xf32> into tensor<8x4xf32>
  %2 = tensor.extract_slice %1[0, 0] [8, 2] [1, 2] : tensor<8x4xf32> to tensor<8x2xf32>
  return %1, %2 : tensor<8x4xf32>, tensor<8x2xf32>
}

// -----

/// What nothing has written is zero if it may be read, and a remark says so.

// REMARK: remark: [Analysis] UndefinedElements | {{.*}}unwritten elements may be read; they are taken to be zero
// CHECK-LABEL: func @negative_gap
// CHECK: %[[EMPTY:.*]] = tensor.empty() : tensor<8x4xf32>
// CHECK: %[[ZEROS:.*]] = linalg.fill {{.*}} outs(%[[EMPTY]] :
// CHECK: tensor.insert_slice %{{.*}} into %[[ZEROS]]
func.func @negative_gap(%a: tensor<3x4xf32>, %b: tensor<4x4xf32>) -> tensor<8x4xf32> {
  %0 = tensor.empty() : tensor<8x4xf32>
  %1 = tensor.insert_slice %a into %0[0, 0] [3, 4] [1, 1] : tensor<3x4xf32> into tensor<8x4xf32>
  %2 = tensor.insert_slice %b into %1[4, 0] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<8x4xf32>
  return %2 : tensor<8x4xf32>
}

// -----

/// Slices that overlap in parts, a stride that is not known, and one element too few of every second.

// CHECK-LABEL: func @negative_others
// CHECK-NOT: tensor.concat
func.func @negative_others(%a: tensor<5xf32>, %b: tensor<4xf32>, %x: tensor<8xf32>, %y: tensor<9xf32>, %stride: index)
    -> (tensor<8xf32>, tensor<8xf32>, tensor<9xf32>) {
  %0 = tensor.insert_slice %a into %x[0] [5] [1] : tensor<5xf32> into tensor<8xf32>
  %1 = tensor.insert_slice %b into %0[4] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %2 = tensor.insert_slice %b into %x[0] [4] [%stride] : tensor<4xf32> into tensor<8xf32>
  %3 = tensor.insert_slice %b into %2[1] [4] [2] : tensor<4xf32> into tensor<8xf32>
  %4 = tensor.insert_slice %a into %y[0] [5] [2] : tensor<5xf32> into tensor<9xf32>
  %5 = tensor.insert_slice %b into %4[1] [4] [2] : tensor<4xf32> into tensor<9xf32>
  return %1, %3, %5 : tensor<8xf32>, tensor<8xf32>, tensor<9xf32>
}

// -----

/// A tensor that is only taken for its shape, or written as a whole, stays as it is.

#id = affine_map<(i) -> (i)>
// CHECK-LABEL: func @negative_shapes
// CHECK-NOT: linalg.fill
func.func @negative_shapes(%x: tensor<1x1x8x8xf32>, %init: tensor<1x1x7x7xf32>, %y: tensor<4xf32>) -> (tensor<1x1x7x7xf32>, tensor<4xf32>) {
  %window = tensor.empty() : tensor<2x2xf32>
  %0 = linalg.pooling_nchw_max ins(%x, %window : tensor<1x1x8x8xf32>, tensor<2x2xf32>) outs(%init : tensor<1x1x7x7xf32>) -> tensor<1x1x7x7xf32>
  %1 = tensor.empty() : tensor<2x2xf32>
  %2 = tensor.collapse_shape %1 [[0, 1]] : tensor<2x2xf32> into tensor<4xf32>
  %3 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%y : tensor<4xf32>) outs(%2 : tensor<4xf32>) {
  ^bb0(%e: f32, %o: f32):
    linalg.yield %e : f32
  } -> tensor<4xf32>
  return %0, %3 : tensor<1x1x7x7xf32>, tensor<4xf32>
}
