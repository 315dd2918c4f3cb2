// RUN: stof-opt %s --pass-pipeline='builtin.module(func.func(stof-generalize-tensor-ops))' -split-input-file | FileCheck %s

/// An element of a slice is read where the slice takes it.

// CHECK-LABEL: func @slice
// CHECK-SAME: (%[[X:.*]]: tensor<4x16xf32>)
// CHECK: linalg.generic
// CHECK:   %[[ROW:.*]] = linalg.index 0
// CHECK:   %[[COLUMN:.*]] = linalg.index 1
// CHECK:   %[[FROM:.*]] = affine.apply {{.*}}[%[[COLUMN]]]
// CHECK:   tensor.extract %[[X]][%[[ROW]], %[[FROM]]]
func.func @slice(%x: tensor<4x16xf32>) -> tensor<4x7xf32> {
  %s = tensor.extract_slice %x[0, 2] [4, 7] [1, 2] : tensor<4x16xf32> to tensor<4x7xf32>
  return %s : tensor<4x7xf32>
}

// -----

/// A dimension that the slice drops is read at its offset.

// CHECK-LABEL: func @slice_of_lower_rank
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel"]
// CHECK: tensor.extract %{{.*}}[%{{.*}}, %{{.*}}] : tensor<4x16xf32>
func.func @slice_of_lower_rank(%x: tensor<4x16xf32>) -> tensor<16xf32> {
  %s = tensor.extract_slice %x[3, 0] [1, 16] [1, 1] : tensor<4x16xf32> to tensor<16xf32>
  return %s : tensor<16xf32>
}

// -----

/// Each part of a concatenation is read only where it lies.

// CHECK-LABEL: func @concat
// CHECK-SAME: (%[[A:.*]]: tensor<2x3xf32>, %[[B:.*]]: tensor<2x?xf32>)
// CHECK: linalg.generic
// CHECK:   scf.if %{{.*}} -> (f32) {
// CHECK:     tensor.extract %[[A]]
// CHECK:   } else {
// CHECK:     tensor.extract %[[B]]
func.func @concat(%a: tensor<2x3xf32>, %b: tensor<2x?xf32>) -> tensor<2x?xf32> {
  %c = tensor.concat dim(1) %a, %b : (tensor<2x3xf32>, tensor<2x?xf32>) -> tensor<2x?xf32>
  return %c : tensor<2x?xf32>
}

// -----

/// Padding is not read from memory.

// CHECK-LABEL: func @pad
// CHECK-SAME: (%[[X:.*]]: tensor<5xf32>, %[[PADDING:.*]]: f32)
// CHECK: linalg.generic
// CHECK:   scf.if
// CHECK:     tensor.extract %[[X]]
// CHECK:   } else {
// CHECK:     scf.yield %[[PADDING]]
func.func @pad(%x: tensor<5xf32>, %padding: f32) -> tensor<8xf32> {
  %p = tensor.pad %x low[1] high[2] {
  ^bb0(%i: index):
    tensor.yield %padding : f32
  } : tensor<5xf32> to tensor<8xf32>
  return %p : tensor<8xf32>
}

// -----

/// Inside the slice the source is read, around it the destination.

// CHECK-LABEL: func @insert
// CHECK-SAME: (%[[SOURCE:.*]]: tensor<2xf32>, %[[DEST:.*]]: tensor<8xf32>)
// CHECK: linalg.generic
// CHECK:   scf.if
// CHECK:     tensor.extract %[[SOURCE]]
// CHECK:   } else {
// CHECK:     tensor.extract %[[DEST]]
func.func @insert(%source: tensor<2xf32>, %dest: tensor<8xf32>) -> tensor<8xf32> {
  %r = tensor.insert_slice %source into %dest[3] [2] [1] : tensor<2xf32> into tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

/// Splats and generated tensors are what they yield.

// CHECK-LABEL: func @splat_and_generate
// CHECK-SAME: (%[[VALUE:.*]]: f32
// CHECK: linalg.generic
// CHECK:   linalg.yield %[[VALUE]] : f32
// CHECK: linalg.generic
// CHECK:   %[[I:.*]] = linalg.index 0
// CHECK:   linalg.yield %[[I]] : index
func.func @splat_and_generate(%value: f32, %n: index) -> (tensor<?x4xf32>, tensor<?xindex>) {
  %s = tensor.splat %value[%n] : tensor<?x4xf32>
  %g = tensor.generate %n {
  ^bb0(%i: index):
    tensor.yield %i : index
  } : tensor<?xindex>
  return %s, %g : tensor<?x4xf32>, tensor<?xindex>
}

// -----

/// A contraction and a fill keep their names, other operations lose them.

// CHECK-LABEL: func @named
// CHECK: linalg.generic
// CHECK:   math.exp
// CHECK: linalg.fill
// CHECK: linalg.matmul
func.func @named(%x: tensor<4x4xf32>, %e: tensor<4x4xf32>, %zero: f32) -> tensor<4x4xf32> {
  %0 = linalg.exp ins(%x : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = linalg.matmul ins(%0, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%1 : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %2 : tensor<4x4xf32>
}
