// RUN: stof-opt %s --stof-recover-sizes --canonicalize --cse --split-input-file | FileCheck %s
// RUN: stof-opt %s --stof-recover-sizes --split-input-file -o %t --remarks-filter-passed=stof-recover-sizes 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK

/// A matmul of the rows of a tensor of two dynamic sizes, as torch-mlir writes
/// it: the second size is cast to 1, and the rows counted as the first alone.

// REMARK: RecoveredSize {{.*}}arg0 dimension 1 is made dynamic: the exporter took it to be 1

// CHECK-LABEL: func @linear(
// CHECK-SAME: %[[X:.*]]: tensor<?x?x16xf32>
// CHECK: %[[S:.*]] = tensor.dim %[[X]], %c1
// CHECK: %[[ROWS:.*]] = tensor.collapse_shape %[[X]] {{\[}}[0, 1], [2]] : tensor<?x?x16xf32> into tensor<?x16xf32>
// CHECK: %[[B:.*]] = tensor.dim %[[X]], %c0
// CHECK: %[[N:.*]] = arith.muli %[[B]], %[[S]]
// CHECK: tensor.empty(%[[N]]) : tensor<?x8xf32>
// CHECK: linalg.fill
// CHECK: linalg.matmul
// CHECK-NOT: mismatched size for broadcast
// CHECK: cf.assert %{{.*}}, "too long"
func.func @linear(%x: tensor<?x?x16xf32>, %w: tensor<16x8xf32>) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %b = tensor.dim %x, %c0 : tensor<?x?x16xf32>
  %s = tensor.dim %x, %c1 : tensor<?x?x16xf32>
  %n = arith.muli %b, %s : index
  %cast = tensor.cast %x : tensor<?x?x16xf32> to tensor<?x1x16xf32>
  %rows = tensor.collapse_shape %cast [[0], [1, 2]] : tensor<?x1x16xf32> into tensor<?x16xf32>
  %e = tensor.empty(%b) : tensor<?x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>
  %0 = linalg.matmul ins(%rows, %w : tensor<?x16xf32>, tensor<16x8xf32>) outs(%f : tensor<?x8xf32>) -> tensor<?x8xf32>
  %same = arith.cmpi eq, %b, %n : index
  cf.assert %same, "mismatched size for broadcast"
  %1 = linalg.exp ins(%0 : tensor<?x8xf32>) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>
  %fits = arith.cmpi sle, %s, %c64 : index
  cf.assert %fits, "too long"
  return %1 : tensor<?x8xf32>
}

// -----

/// What is as long as the lost size is so wherever it was made.

// REMARK: RecoveredSize {{.*}}arg0 dimension 1 is made dynamic: the exporter took it to be 1

// CHECK-LABEL: func @spread(
// CHECK: %[[S:.*]] = tensor.dim %{{.*}}, %c1
// CHECK: tensor.empty(%[[S]]) : tensor<?xf32>
// CHECK: linalg.generic
// CHECK: tensor.expand_shape %{{.*}} {{\[}}[0, 1], [2]] output_shape [%{{.*}}, %[[S]], 4] : tensor<?x4xf32> into tensor<?x?x4xf32>
func.func @spread(%x: tensor<?x?xf32>, %y: tensor<?x4xf32>, %z: tensor<f32>) -> (tensor<?x?xf32>, tensor<?x?x4xf32>) {
  %c0 = arith.constant 0 : index
  %b = tensor.dim %x, %c0 : tensor<?x?xf32>
  %e = tensor.empty() : tensor<1xf32>
  %row = linalg.generic {indexing_maps = [affine_map<(i) -> ()>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%z : tensor<f32>) outs(%e : tensor<1xf32>) {
  ^bb0(%a: f32, %out: f32):
    linalg.yield %a : f32
  } -> tensor<1xf32>
  %cast = tensor.cast %x : tensor<?x?xf32> to tensor<?x1xf32>
  %init = tensor.empty(%b) : tensor<?x1xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%cast, %row : tensor<?x1xf32>, tensor<1xf32>) outs(%init : tensor<?x1xf32>) {
  ^bb0(%a: f32, %p: f32, %out: f32):
    %sum = arith.addf %a, %p : f32
    linalg.yield %sum : f32
  } -> tensor<?x1xf32>
  %wide = tensor.expand_shape %y [[0], [1, 2]] output_shape [%b, 1, 4] : tensor<?x4xf32> into tensor<?x1x4xf32>
  %three = tensor.empty(%b) : tensor<?x1x4xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j)>, affine_map<(i, j, k) -> (i, j, k)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%wide, %0 : tensor<?x1x4xf32>, tensor<?x1xf32>) outs(%three : tensor<?x1x4xf32>) {
  ^bb0(%a: f32, %p: f32, %out: f32):
    %sum = arith.addf %a, %p : f32
    linalg.yield %sum : f32
  } -> tensor<?x1x4xf32>
  %2 = tensor.cast %0 : tensor<?x1xf32> to tensor<?x?xf32>
  %3 = tensor.cast %1 : tensor<?x1x4xf32> to tensor<?x?x4xf32>
  return %2, %3 : tensor<?x?xf32>, tensor<?x?x4xf32>
}

// -----

/// A size that is lost before a view is lost after it, as a group of its own.

// REMARK: RecoveredSize {{.*}}arg0 dimension 1 is made dynamic: the exporter took it to be 1

// CHECK-LABEL: func @views(
// CHECK-SAME: %[[X:.*]]: tensor<?x?x2x4xf32>
// CHECK: tensor.collapse_shape %[[X]] {{\[}}[0], [1], [2, 3]] : tensor<?x?x2x4xf32> into tensor<?x?x8xf32>
// CHECK: linalg.exp {{.*}} -> tensor<?x?x8xf32>
// CHECK: tensor.expand_shape %{{.*}} {{\[}}[0], [1], [2, 3]] output_shape {{.*}} : tensor<?x?x8xf32> into tensor<?x?x4x2xf32>
func.func @views(%x: tensor<?x?x2x4xf32>) -> tensor<?x?x4x2xf32> {
  %c0 = arith.constant 0 : index
  %b = tensor.dim %x, %c0 : tensor<?x?x2x4xf32>
  %cast = tensor.cast %x : tensor<?x?x2x4xf32> to tensor<?x1x2x4xf32>
  %few = tensor.collapse_shape %cast [[0], [1], [2, 3]] : tensor<?x1x2x4xf32> into tensor<?x1x8xf32>
  %e = tensor.empty(%b) : tensor<?x1x8xf32>
  %0 = linalg.exp ins(%few : tensor<?x1x8xf32>) outs(%e : tensor<?x1x8xf32>) -> tensor<?x1x8xf32>
  %many = tensor.expand_shape %0 [[0], [1], [2, 3]] output_shape [%b, 1, 4, 2] : tensor<?x1x8xf32> into tensor<?x1x4x2xf32>
  %1 = tensor.cast %many : tensor<?x1x4x2xf32> to tensor<?x?x4x2xf32>
  return %1 : tensor<?x?x4x2xf32>
}

// -----

/// What the function's type says to be 1 is 1.

// REMARK-NOT: RecoveredSize

// CHECK-LABEL: func @declared
// CHECK: tensor.cast %{{.*}} : tensor<?xf32> to tensor<1xf32>
func.func @declared(%x: tensor<?xf32>) -> tensor<1xf32> {
  %cast = tensor.cast %x : tensor<?xf32> to tensor<1xf32>
  %e = tensor.empty() : tensor<1xf32>
  %0 = linalg.exp ins(%cast : tensor<1xf32>) outs(%e : tensor<1xf32>) -> tensor<1xf32>
  return %0 : tensor<1xf32>
}
