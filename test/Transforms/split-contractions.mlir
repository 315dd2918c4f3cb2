// RUN: stof-opt %s --pass-pipeline='builtin.module(func.func(stof-split-contractions))' -split-input-file | FileCheck %s
// RUN: stof-opt %s --pass-pipeline='builtin.module(func.func(stof-split-contractions))' -split-input-file -o %t \
// RUN:   --remarks-filter=stof-split-contractions 2>&1 | FileCheck %s --check-prefix=REMARK

/// Each slice has a matmul of its own, with a slice of the weights and of what
/// is added; where a slice is of rows of the weights, it is taken before they
/// are turned and extended.

#id = affine_map<(m, n) -> (m, n)>
#column = affine_map<(m, n) -> (n)>

// REMARK: [Passed] SplitContraction {{.*}}'linalg.matmul' into slices of 8, 4, 20
// CHECK-LABEL: func @unequal
// CHECK-SAME: (%[[X:.*]]: tensor<6x16xf32>, %[[W:.*]]: tensor<40x16xf16>, %[[B:.*]]: tensor<40xf32>)
// CHECK-DAG: %[[W0:.*]] = tensor.extract_slice %[[W]][0, 0] [8, 16] [1, 1]
// CHECK-DAG: %[[W1:.*]] = tensor.extract_slice %[[W]][8, 0] [4, 16] [1, 1]
// CHECK-DAG: %[[W2:.*]] = tensor.extract_slice %[[W]][15, 0] [20, 16] [1, 1]
// CHECK-DAG: %[[B2:.*]] = tensor.extract_slice %[[B]][15] [20] [1]
// CHECK-DAG: %[[T2:.*]] = linalg.transpose ins(%[[W2]] : tensor<20x16xf16>)
// CHECK-DAG: %[[F2:.*]] = linalg.generic {{.*}} ins(%[[T2]] : tensor<16x20xf16>)
// CHECK-DAG: %[[P2:.*]] = linalg.matmul ins(%[[X]], %[[F2]] : tensor<6x16xf32>, tensor<16x20xf32>)
// CHECK-DAG: linalg.generic {{.*}} ins(%[[P2]], %[[B2]] : tensor<6x20xf32>, tensor<20xf32>)
// CHECK: return %{{.*}}, %{{.*}}, %{{.*}} : tensor<2x3x8xf32>, tensor<2x3x4xf32>, tensor<2x3x20xf32>
func.func @unequal(%x: tensor<6x16xf32>, %w: tensor<40x16xf16>, %b: tensor<40xf32>)
    -> (tensor<2x3x8xf32>, tensor<2x3x4xf32>, tensor<2x3x20xf32>) {
  %zero = arith.constant 0.0 : f32
  %t_e = tensor.empty() : tensor<16x40xf16>
  %t = linalg.transpose ins(%w : tensor<40x16xf16>) outs(%t_e : tensor<16x40xf16>) permutation = [1, 0]
  %f_e = tensor.empty() : tensor<16x40xf32>
  %f = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%t : tensor<16x40xf16>) outs(%f_e : tensor<16x40xf32>) {
  ^bb0(%a: f16, %o: f32):
    %r = arith.extf %a : f16 to f32
    linalg.yield %r : f32
  } -> tensor<16x40xf32>
  %e = tensor.empty() : tensor<6x40xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%e : tensor<6x40xf32>) -> tensor<6x40xf32>
  %p = linalg.matmul ins(%x, %f : tensor<6x16xf32>, tensor<16x40xf32>) outs(%0 : tensor<6x40xf32>) -> tensor<6x40xf32>
  %y = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %b : tensor<6x40xf32>, tensor<40xf32>) outs(%e : tensor<6x40xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %r = arith.addf %a, %c : f32
    linalg.yield %r : f32
  } -> tensor<6x40xf32>
  %z = tensor.expand_shape %y [[0, 1], [2]] output_shape [2, 3, 40] : tensor<6x40xf32> into tensor<2x3x40xf32>
  %s0 = tensor.extract_slice %z[0, 0, 0] [2, 3, 8] [1, 1, 1] : tensor<2x3x40xf32> to tensor<2x3x8xf32>
  %s1 = tensor.extract_slice %z[0, 0, 8] [2, 3, 4] [1, 1, 1] : tensor<2x3x40xf32> to tensor<2x3x4xf32>
  %s2 = tensor.extract_slice %z[0, 0, 15] [2, 3, 20] [1, 1, 1] : tensor<2x3x40xf32> to tensor<2x3x20xf32>
  return %s0, %s1, %s2 : tensor<2x3x8xf32>, tensor<2x3x4xf32>, tensor<2x3x20xf32>
}

// -----

/// Columns that stand for a part, a head and a feature, of which the part comes
/// to the front and each is taken; lengths are not known.

// REMARK: [Passed] SplitContraction {{.*}}'linalg.matmul' into slices of 32, 32
// CHECK-LABEL: func @stacked
// CHECK-SAME: (%[[X:.*]]: tensor<?x16xf16>, %[[W:.*]]: tensor<16x64xf16>)
// CHECK-DAG: %[[W1:.*]] = tensor.extract_slice %[[W]][0, 32] [16, 32] [1, 1]
// CHECK-DAG: %[[P1:.*]] = linalg.matmul ins(%[[X]], %[[W1]] : tensor<?x16xf16>, tensor<16x32xf16>)
// CHECK-DAG: tensor.expand_shape %[[P1]] {{\[\[}}0], [1, 2, 3]] output_shape [%{{.*}}, 1, 4, 8]
// CHECK: tensor.collapse_shape {{.*}} : tensor<1x4x?x8xf32> into tensor<4x?x8xf32>
func.func @stacked(%x: tensor<?x16xf16>, %w: tensor<16x64xf16>) -> (tensor<4x?x8xf32>, tensor<4x?x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x16xf16>
  %e = tensor.empty(%n) : tensor<?x64xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%e : tensor<?x64xf32>) -> tensor<?x64xf32>
  %p = linalg.matmul ins(%x, %w : tensor<?x16xf16>, tensor<16x64xf16>) outs(%0 : tensor<?x64xf32>) -> tensor<?x64xf32>
  %h = tensor.expand_shape %p [[0], [1, 2, 3]] output_shape [%n, 2, 4, 8] : tensor<?x64xf32> into tensor<?x2x4x8xf32>
  %t_e = tensor.empty(%n) : tensor<2x4x?x8xf32>
  %t = linalg.transpose ins(%h : tensor<?x2x4x8xf32>) outs(%t_e : tensor<2x4x?x8xf32>) permutation = [1, 2, 0, 3]
  %s0 = tensor.extract_slice %t[0, 0, 0, 0] [1, 4, %n, 8] [1, 1, 1, 1] : tensor<2x4x?x8xf32> to tensor<4x?x8xf32>
  %s1 = tensor.extract_slice %t[1, 0, 0, 0] [1, 4, %n, 8] [1, 1, 1, 1] : tensor<2x4x?x8xf32> to tensor<4x?x8xf32>
  return %s0, %s1 : tensor<4x?x8xf32>, tensor<4x?x8xf32>
}

// -----

/// Every second column and those between, of elements of two matmuls.

#id = affine_map<(m, n) -> (m, n)>

// REMARK: [Passed] SplitContraction {{.*}}into slices of 8, 8
// REMARK: [Passed] SplitContraction {{.*}}into slices of 8, 8
// CHECK-LABEL: func @two_products
// CHECK-SAME: (%[[X:.*]]: tensor<4x16xf32>, %[[W:.*]]: tensor<16x16xf32>, %[[V:.*]]: tensor<16x16xf32>)
// CHECK-DAG: tensor.extract_slice %[[W]][0, 0] [16, 8] [1, 2]
// CHECK-DAG: tensor.extract_slice %[[W]][0, 1] [16, 8] [1, 2]
// CHECK-DAG: tensor.extract_slice %[[V]][0, 0] [16, 8] [1, 2]
// CHECK-DAG: tensor.extract_slice %[[V]][0, 1] [16, 8] [1, 2]
// CHECK-NOT: tensor<4x16xf32>)
func.func @two_products(%x: tensor<4x16xf32>, %w: tensor<16x16xf32>, %v: tensor<16x16xf32>)
    -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x16xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%e : tensor<4x16xf32>) -> tensor<4x16xf32>
  %p = linalg.matmul ins(%x, %w : tensor<4x16xf32>, tensor<16x16xf32>) outs(%0 : tensor<4x16xf32>) -> tensor<4x16xf32>
  %q = linalg.matmul ins(%x, %v : tensor<4x16xf32>, tensor<16x16xf32>) outs(%0 : tensor<4x16xf32>) -> tensor<4x16xf32>
  %y = linalg.mul ins(%p, %q : tensor<4x16xf32>, tensor<4x16xf32>) outs(%e : tensor<4x16xf32>) -> tensor<4x16xf32>
  %z = linalg.add ins(%y, %p : tensor<4x16xf32>, tensor<4x16xf32>) outs(%e : tensor<4x16xf32>) -> tensor<4x16xf32>
  %s0 = tensor.extract_slice %z[0, 0] [4, 8] [1, 2] : tensor<4x16xf32> to tensor<4x8xf32>
  %s1 = tensor.extract_slice %z[0, 1] [4, 8] [1, 2] : tensor<4x16xf32> to tensor<4x8xf32>
  return %s0, %s1 : tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

/// One row of each batch: fewer rows are multiplied. What is collapsed is cut
/// between rows of its inner dimension.

// REMARK: [Passed] SplitContraction {{.*}}'linalg.batch_matmul' into slices of 2
// CHECK-LABEL: func @batches
// CHECK-SAME: (%[[X:.*]]: tensor<6x3x8xf16>, %[[W:.*]]: tensor<6x8x5xf16>)
// CHECK: tensor.extract_slice %[[X]][2, 0, 0] [2, 3, 8] [1, 1, 1]
// CHECK: linalg.batch_matmul {{.*}} tensor<2x3x8xf16>, tensor<2x8x5xf16>
func.func @batches(%x: tensor<6x3x8xf16>, %w: tensor<6x8x5xf16>) -> tensor<6x5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6x3x5xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%e : tensor<6x3x5xf32>) -> tensor<6x3x5xf32>
  %p = linalg.batch_matmul ins(%x, %w : tensor<6x3x8xf16>, tensor<6x8x5xf16>) outs(%0 : tensor<6x3x5xf32>) -> tensor<6x3x5xf32>
  %c = tensor.collapse_shape %p [[0, 1], [2]] : tensor<6x3x5xf32> into tensor<18x5xf32>
  %s = tensor.extract_slice %c[6, 0] [6, 5] [1, 1] : tensor<18x5xf32> to tensor<6x5xf32>
  return %s : tensor<6x5xf32>
}

// -----

/// All of it is read.

// REMARK: [Missed] NotSplitContraction {{.*}}'func.return' uses the result unsliced{{.*}}'linalg.matmul'
// CHECK-LABEL: func @negative_whole
// CHECK: linalg.matmul {{.*}} tensor<8x16xf32>
func.func @negative_whole(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>, %0: tensor<4x16xf32>)
    -> (tensor<4x8xf32>, tensor<4x16xf32>) {
  %p = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x16xf32>) outs(%0 : tensor<4x16xf32>) -> tensor<4x16xf32>
  %s = tensor.extract_slice %p[0, 0] [4, 8] [1, 1] : tensor<4x16xf32> to tensor<4x8xf32>
  return %s, %p : tensor<4x8xf32>, tensor<4x16xf32>
}

// -----

// REMARK: [Missed] NotSplitContraction {{.*}}slices overlap
// CHECK-LABEL: func @negative_overlap
// CHECK: linalg.matmul {{.*}} tensor<8x16xf32>
func.func @negative_overlap(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>, %0: tensor<4x16xf32>)
    -> (tensor<4x8xf32>, tensor<4x4xf32>) {
  %p = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x16xf32>) outs(%0 : tensor<4x16xf32>) -> tensor<4x16xf32>
  %s0 = tensor.extract_slice %p[0, 0] [4, 8] [1, 1] : tensor<4x16xf32> to tensor<4x8xf32>
  %s1 = tensor.extract_slice %p[0, 1] [4, 4] [1, 4] : tensor<4x16xf32> to tensor<4x4xf32>
  return %s0, %s1 : tensor<4x8xf32>, tensor<4x4xf32>
}

// -----

// REMARK: [Missed] NotSplitContraction {{.*}}slices cut different dims
// CHECK-LABEL: func @negative_two_dimensions
// CHECK: linalg.matmul {{.*}} tensor<8x16xf32>
func.func @negative_two_dimensions(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>, %0: tensor<4x16xf32>)
    -> (tensor<4x8xf32>, tensor<1x16xf32>) {
  %p = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x16xf32>) outs(%0 : tensor<4x16xf32>) -> tensor<4x16xf32>
  %s0 = tensor.extract_slice %p[0, 0] [4, 8] [1, 1] : tensor<4x16xf32> to tensor<4x8xf32>
  %s1 = tensor.extract_slice %p[0, 0] [1, 16] [1, 1] : tensor<4x16xf32> to tensor<1x16xf32>
  return %s0, %s1 : tensor<4x8xf32>, tensor<1x16xf32>
}

// -----

// REMARK: [Missed] NotSplitContraction {{.*}}a slice cuts two dims
// CHECK-LABEL: func @negative_corner
// CHECK: linalg.matmul {{.*}} tensor<8x16xf32>
func.func @negative_corner(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>, %0: tensor<4x16xf32>) -> tensor<2x8xf32> {
  %p = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x16xf32>) outs(%0 : tensor<4x16xf32>) -> tensor<4x16xf32>
  %s = tensor.extract_slice %p[0, 0] [2, 8] [1, 1] : tensor<4x16xf32> to tensor<2x8xf32>
  return %s : tensor<2x8xf32>
}

// -----

// REMARK: [Missed] NotSplitContraction {{.*}}a slice has a dynamic offset, size or stride
// CHECK-LABEL: func @negative_offset
// CHECK: linalg.matmul {{.*}} tensor<8x16xf32>
func.func @negative_offset(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>, %0: tensor<4x16xf32>, %i: index) -> tensor<4x8xf32> {
  %p = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x16xf32>) outs(%0 : tensor<4x16xf32>) -> tensor<4x16xf32>
  %s = tensor.extract_slice %p[0, %i] [4, 8] [1, 1] : tensor<4x16xf32> to tensor<4x8xf32>
  return %s : tensor<4x8xf32>
}

// -----

// REMARK: [Missed] NotSplitContraction {{.*}}a slice is the whole tensor or empty
// CHECK-LABEL: func @negative_nothing
// CHECK: linalg.matmul {{.*}} tensor<8x16xf32>
func.func @negative_nothing(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>, %0: tensor<4x16xf32>) -> tensor<4x0xf32> {
  %p = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x16xf32>) outs(%0 : tensor<4x16xf32>) -> tensor<4x16xf32>
  %s = tensor.extract_slice %p[0, 0] [4, 0] [1, 1] : tensor<4x16xf32> to tensor<4x0xf32>
  return %s : tensor<4x0xf32>
}

// -----

/// Heads of two features each, of which the first is taken.

// REMARK: [Missed] NotSplitContraction {{.*}}a slice of expanded dims is no slice of their source
// CHECK-LABEL: func @negative_pieces
// CHECK: linalg.matmul {{.*}} tensor<8x16xf32>
func.func @negative_pieces(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>, %0: tensor<4x16xf32>) -> tensor<4x8x1xf32> {
  %p = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x16xf32>) outs(%0 : tensor<4x16xf32>) -> tensor<4x16xf32>
  %h = tensor.expand_shape %p [[0], [1, 2]] output_shape [4, 8, 2] : tensor<4x16xf32> into tensor<4x8x2xf32>
  %s = tensor.extract_slice %h[0, 0, 0] [4, 8, 1] [1, 1, 1] : tensor<4x8x2xf32> to tensor<4x8x1xf32>
  return %s : tensor<4x8x1xf32>
}

// -----

// REMARK: [Missed] NotSplitContraction {{.*}}a slice of collapsed dims is no slice of one of them
// CHECK-LABEL: func @negative_collapsed
// CHECK: linalg.batch_matmul {{.*}} tensor<6x8x5xf16>
func.func @negative_collapsed(%x: tensor<6x3x8xf16>, %w: tensor<6x8x5xf16>, %0: tensor<6x3x5xf32>) -> tensor<6x5xf32> {
  %p = linalg.batch_matmul ins(%x, %w : tensor<6x3x8xf16>, tensor<6x8x5xf16>) outs(%0 : tensor<6x3x5xf32>) -> tensor<6x3x5xf32>
  %c = tensor.collapse_shape %p [[0, 1], [2]] : tensor<6x3x5xf32> into tensor<18x5xf32>
  %s = tensor.extract_slice %c[7, 0] [6, 5] [1, 1] : tensor<18x5xf32> to tensor<6x5xf32>
  return %s : tensor<6x5xf32>
}

// -----

// REMARK: [Missed] NotSplitContraction {{.*}}a slice cuts collapsed dims of dynamic size
// CHECK-LABEL: func @negative_collapsed_dynamic
func.func @negative_collapsed_dynamic(%x: tensor<6x?x8xf16>, %w: tensor<6x8x5xf16>, %0: tensor<6x?x5xf32>) -> tensor<6x5xf32> {
  %p = linalg.batch_matmul ins(%x, %w : tensor<6x?x8xf16>, tensor<6x8x5xf16>) outs(%0 : tensor<6x?x5xf32>) -> tensor<6x?x5xf32>
  %c = tensor.collapse_shape %p [[0, 1], [2]] : tensor<6x?x5xf32> into tensor<?x5xf32>
  %s = tensor.extract_slice %c[6, 0] [6, 5] [1, 1] : tensor<?x5xf32> to tensor<6x5xf32>
  return %s : tensor<6x5xf32>
}

// -----

// REMARK: [Missed] NotSplitContraction {{.*}}a slice cuts expanded dims of dynamic size
// CHECK-LABEL: func @negative_divided_dynamic
func.func @negative_divided_dynamic(%x: tensor<?x8xf32>, %w: tensor<8x5xf32>, %0: tensor<?x5xf32>, %n: index) -> tensor<2x?x5xf32> {
  %p = linalg.matmul ins(%x, %w : tensor<?x8xf32>, tensor<8x5xf32>) outs(%0 : tensor<?x5xf32>) -> tensor<?x5xf32>
  %h = tensor.expand_shape %p [[0, 1], [2]] output_shape [4, %n, 5] : tensor<?x5xf32> into tensor<4x?x5xf32>
  %s = tensor.extract_slice %h[0, 0, 0] [2, %n, 5] [1, 1, 1] : tensor<4x?x5xf32> to tensor<2x?x5xf32>
  return %s : tensor<2x?x5xf32>
}

// -----

/// The whole is needed for each slice, or a slice of it twice.

#id = affine_map<(m, n) -> (m, n)>
#swap = affine_map<(m, n) -> (n, m)>
#row = affine_map<(m, n) -> (m, 0)>

// REMARK: [Missed] NotSplitContraction {{.*}}a slice depends on two slices of the result
// CHECK-LABEL: func @negative_two_places
// CHECK: linalg.matmul {{.*}} tensor<8x16xf32>
func.func @negative_two_places(%x: tensor<16x8xf32>, %w: tensor<8x16xf32>, %0: tensor<16x16xf32>) -> tensor<16x8xf32> {
  %p = linalg.matmul ins(%x, %w : tensor<16x8xf32>, tensor<8x16xf32>) outs(%0 : tensor<16x16xf32>) -> tensor<16x16xf32>
  %y = linalg.generic {indexing_maps = [#id, #swap, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %p : tensor<16x16xf32>, tensor<16x16xf32>) outs(%0 : tensor<16x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<16x16xf32>
  %s = tensor.extract_slice %y[0, 0] [16, 8] [1, 1] : tensor<16x16xf32> to tensor<16x8xf32>
  return %s : tensor<16x8xf32>
}

// REMARK: [Missed] NotSplitContraction {{.*}}an elementwise use needs the whole result for each slice
// CHECK-LABEL: func @negative_first_column
// CHECK: linalg.matmul {{.*}} tensor<8x16xf32>
func.func @negative_first_column(%x: tensor<16x8xf32>, %w: tensor<8x16xf32>, %0: tensor<16x16xf32>) -> tensor<16x8xf32> {
  %p = linalg.matmul ins(%x, %w : tensor<16x8xf32>, tensor<8x16xf32>) outs(%0 : tensor<16x16xf32>) -> tensor<16x16xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %p : tensor<16x16xf32>, tensor<16x16xf32>) outs(%0 : tensor<16x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<16x16xf32>
  %s = tensor.extract_slice %y[0, 0] [16, 8] [1, 1] : tensor<16x16xf32> to tensor<16x8xf32>
  return %s : tensor<16x8xf32>
}

// -----

#id = affine_map<(m, n) -> (m, n)>
#sum = affine_map<(m, n) -> (m + n)>
#flat = affine_map<(m, n) -> (m * 16 + n)>

// REMARK: [Missed] NotSplitContraction {{.*}}an elementwise use needs the whole result for each slice
// CHECK-LABEL: func @negative_broadcast
// CHECK: linalg.matmul {{.*}} tensor<8x16xf32>
func.func @negative_broadcast(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>, %0: tensor<4x16xf32>) -> tensor<4x16x3xf32> {
  %p = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x16xf32>) outs(%0 : tensor<4x16xf32>) -> tensor<4x16xf32>
  %e = tensor.empty() : tensor<4x16x6xf32>
  %y = linalg.broadcast ins(%p : tensor<4x16xf32>) outs(%e : tensor<4x16x6xf32>) dimensions = [2]
  %s = tensor.extract_slice %y[0, 0, 0] [4, 16, 3] [1, 1, 1] : tensor<4x16x6xf32> to tensor<4x16x3xf32>
  return %s : tensor<4x16x3xf32>
}

// REMARK: [Missed] NotSplitContraction {{.*}}an operation uses its index along the sliced dim
// CHECK-LABEL: func @negative_position
// CHECK: linalg.matmul {{.*}} tensor<8x16xf32>
func.func @negative_position(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>, %0: tensor<4x16xf32>) -> tensor<4x8xf32> {
  %p = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x16xf32>) outs(%0 : tensor<4x16xf32>) -> tensor<4x16xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<4x16xf32>) outs(%0 : tensor<4x16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 1 : index
    %n = arith.index_cast %i : index to i32
    %f = arith.sitofp %n : i32 to f32
    %r = arith.addf %a, %f : f32
    linalg.yield %r : f32
  } -> tensor<4x16xf32>
  %s = tensor.extract_slice %y[0, 0] [4, 8] [1, 1] : tensor<4x16xf32> to tensor<4x8xf32>
  return %s : tensor<4x8xf32>
}

// REMARK: [Missed] NotSplitContraction {{.*}}an operand index is not the sliced loop alone
// CHECK-LABEL: func @negative_diagonals
// CHECK: linalg.matmul {{.*}} tensor<8x16xf32>
func.func @negative_diagonals(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>, %0: tensor<4x16xf32>, %b: tensor<19xf32>) -> tensor<4x8xf32> {
  %p = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x16xf32>) outs(%0 : tensor<4x16xf32>) -> tensor<4x16xf32>
  %y = linalg.generic {indexing_maps = [#id, #sum, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %b : tensor<4x16xf32>, tensor<19xf32>) outs(%0 : tensor<4x16xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %r = arith.addf %a, %c : f32
    linalg.yield %r : f32
  } -> tensor<4x16xf32>
  %s = tensor.extract_slice %y[0, 0] [4, 8] [1, 1] : tensor<4x16xf32> to tensor<4x8xf32>
  return %s : tensor<4x8xf32>
}

// REMARK: [Missed] NotSplitContraction {{.*}}a slice cuts a dim that no loop indexes
// CHECK-LABEL: func @negative_flat
// CHECK: linalg.matmul {{.*}} tensor<8x16xf32>
func.func @negative_flat(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>, %0: tensor<4x16xf32>, %1: tensor<64xf32>) -> tensor<32xf32> {
  %p = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x16xf32>) outs(%0 : tensor<4x16xf32>) -> tensor<4x16xf32>
  %y = linalg.generic {indexing_maps = [#id, #flat], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<4x16xf32>) outs(%1 : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<64xf32>
  %s = tensor.extract_slice %y[0] [32] [1] : tensor<64xf32> to tensor<32xf32>
  return %s : tensor<32xf32>
}

// -----

/// Halves that are exchanged: one matmul is as good.

// REMARK: [Missed] NotSplitContraction {{.*}}slices are joined again after elementwise operations
// CHECK-LABEL: func @negative_rotation
// CHECK: linalg.matmul {{.*}} tensor<8x16xf32>
func.func @negative_rotation(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>, %0: tensor<4x16xf32>, %1: tensor<4x8xf32>) -> tensor<4x16xf32> {
  %p = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x16xf32>) outs(%0 : tensor<4x16xf32>) -> tensor<4x16xf32>
  %s0 = tensor.extract_slice %p[0, 0] [4, 8] [1, 1] : tensor<4x16xf32> to tensor<4x8xf32>
  %s1 = tensor.extract_slice %p[0, 8] [4, 8] [1, 1] : tensor<4x16xf32> to tensor<4x8xf32>
  %n = linalg.negf ins(%s1 : tensor<4x8xf32>) outs(%1 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %y = tensor.concat dim(1) %n, %s0 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x16xf32>
  return %y : tensor<4x16xf32>
}

// -----

/// What is put together with something else is not.

// REMARK: [Passed] SplitContraction {{.*}}into slices of 8, 8
// CHECK-LABEL: func @appended
// CHECK-COUNT-2: linalg.matmul {{.*}} tensor<8x8xf32>
// CHECK: tensor.concat
func.func @appended(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>, %0: tensor<4x16xf32>, %past: tensor<9x8xf32>)
    -> (tensor<4x8xf32>, tensor<13x8xf32>) {
  %p = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x16xf32>) outs(%0 : tensor<4x16xf32>) -> tensor<4x16xf32>
  %s0 = tensor.extract_slice %p[0, 0] [4, 8] [1, 1] : tensor<4x16xf32> to tensor<4x8xf32>
  %s1 = tensor.extract_slice %p[0, 8] [4, 8] [1, 1] : tensor<4x16xf32> to tensor<4x8xf32>
  %y = tensor.concat dim(0) %past, %s1 : (tensor<9x8xf32>, tensor<4x8xf32>) -> tensor<13x8xf32>
  return %s0, %y : tensor<4x8xf32>, tensor<13x8xf32>
}
