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

// -----

/// Kernels read slices of arguments where they lie, through reshapes as well.

#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>

// CHECK-LABEL: func @slice_in_place
// CHECK-NOT: tensor.extract %
// CHECK: %[[S:.*]] = tensor.extract_slice
// CHECK: %[[E:.*]] = tensor.expand_shape %[[S]]
// CHECK: linalg.generic {{.*}} ins(%[[E]]
// CHECK: %[[W:.*]] = tensor.extract_slice
// CHECK: linalg.matmul ins(%{{.*}}, %[[W]]
func.func @slice_in_place(%x: tensor<4x16xf32>, %w: tensor<8x9xf32>, %0: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %s = tensor.extract_slice %x[0, 2] [4, 8] [1, 1] : tensor<4x16xf32> to tensor<4x8xf32>
  %e = tensor.expand_shape %s [[0], [1, 2]] output_shape [4, 2, 4] : tensor<4x8xf32> into tensor<4x2x4xf32>
  %i = tensor.empty() : tensor<4x2x4xf32>
  %n = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%e : tensor<4x2x4xf32>) outs(%i : tensor<4x2x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.negf %a : f32
    linalg.yield %r : f32
  } -> tensor<4x2x4xf32>
  %y = tensor.collapse_shape %n [[0], [1, 2]] : tensor<4x2x4xf32> into tensor<4x8xf32>
  %v = tensor.extract_slice %w[0, 1] [8, 5] [1, 1] : tensor<8x9xf32> to tensor<8x5xf32>
  %p = linalg.matmul ins(%y, %v : tensor<4x8xf32>, tensor<8x5xf32>) outs(%0 : tensor<4x5xf32>) -> tensor<4x5xf32>
  return %p : tensor<4x5xf32>
}

// -----

/// Of what is computed only contractions read slices in place, extended or not:
/// for others an element is better computed where it is needed.

#id = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: func @slice_of_computed
// CHECK: %[[Y:.*]] = linalg.generic
// CHECK: %[[A:.*]] = tensor.extract_slice %[[Y]][0, 0]
// CHECK: %[[F:.*]] = linalg.generic {{.*}} ins(%[[A]] : tensor<4x8xf16>)
// CHECK: linalg.matmul ins(%[[F]]
// CHECK: tensor.extract %[[Y]]
func.func @slice_of_computed(%x: tensor<4x16xf16>, %w: tensor<8x5xf32>, %0: tensor<4x5xf32>) -> (tensor<4x5xf32>, tensor<4x8xf32>) {
  %i = tensor.empty() : tensor<4x16xf16>
  %y = linalg.negf ins(%x : tensor<4x16xf16>) outs(%i : tensor<4x16xf16>) -> tensor<4x16xf16>
  %a = tensor.extract_slice %y[0, 0] [4, 8] [1, 1] : tensor<4x16xf16> to tensor<4x8xf16>
  %j = tensor.empty() : tensor<4x8xf32>
  %f = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<4x8xf16>) outs(%j : tensor<4x8xf32>) {
  ^bb0(%e: f16, %o: f32):
    %r = arith.extf %e : f16 to f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  %p = linalg.matmul ins(%f, %w : tensor<4x8xf32>, tensor<8x5xf32>) outs(%0 : tensor<4x5xf32>) -> tensor<4x5xf32>
  %b = tensor.extract_slice %y[0, 8] [4, 8] [1, 1] : tensor<4x16xf16> to tensor<4x8xf16>
  %z = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%b, %b : tensor<4x8xf16>, tensor<4x8xf16>) outs(%j : tensor<4x8xf32>) {
  ^bb0(%e: f16, %g: f16, %o: f32):
    %m = arith.mulf %e, %g : f16
    %r = arith.extf %m : f16 to f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  return %p, %z : tensor<4x5xf32>, tensor<4x8xf32>
}

// -----

/// No strides show every row but one of two dimensions as one, and what is known
/// at run time is not known to be aligned.

// CHECK-LABEL: func @negative_in_place
// CHECK-NOT: tensor.extract_slice
// CHECK-COUNT-2: tensor.extract %
func.func @negative_in_place(%x: tensor<3x4x8xf32>, %w: tensor<8x5xf32>, %0: tensor<9x5xf32>, %v: tensor<20x5xf32>, %n: index)
    -> tensor<9x5xf32> {
  %s = tensor.extract_slice %x[0, 1, 0] [3, 3, 8] [1, 1, 1] : tensor<3x4x8xf32> to tensor<3x3x8xf32>
  %c = tensor.collapse_shape %s [[0, 1], [2]] : tensor<3x3x8xf32> into tensor<9x8xf32>
  %u = tensor.extract_slice %v[%n, 0] [8, 5] [1, 1] : tensor<20x5xf32> to tensor<8x5xf32>
  %p = linalg.matmul ins(%c, %u : tensor<9x8xf32>, tensor<8x5xf32>) outs(%0 : tensor<9x5xf32>) -> tensor<9x5xf32>
  return %p : tensor<9x5xf32>
}
