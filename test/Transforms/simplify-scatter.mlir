// RUN: stof-opt %s --pass-pipeline='builtin.module(func.func(stof-simplify-scatter),canonicalize,cse)' --remarks-filter="stof-simplify-scatter" 2>&1 | FileCheck %s

// CHECK: remark: [Analysis] SimplifiedScatter | Category:stof-simplify-scatter | Remark="1 indices for 4 dimensions, 4 before"

// CHECK-DAG: #[[ZERO:.*]] = affine_map<(d0, d1, d2) -> (0)>
// CHECK-DAG: #[[CACHE:.*]] = affine_map<(d0, d1, d2)[s0] -> (d0, d1, s0, d2)>
// CHECK-DAG: #[[BOTH:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[COLUMNS:.*]] = affine_map<(d0, d1)[s0] -> (d0, s0)>
// CHECK-DAG: #[[NONE:.*]] = affine_map<(d0, d1) -> ()>
// CHECK-DAG: #[[SLICE:.*]] = affine_map<(d0, d1)[s0] -> (d0 + s0, d1)>
// CHECK-DAG: #[[ROWS:.*]] = affine_map<(d0, d1)[s0] -> (s0, d1)>
// CHECK-DAG: #[[ROW:.*]] = affine_map<(d0, d1) -> (d0)>

#id1 = affine_map<(i) -> (i)>
#id = affine_map<(b, h, p, x) -> (b, h, p, x)>
#b = affine_map<(b, h, p, x) -> (b)>
#h = affine_map<(b, h, p, x) -> (h)>
#p = affine_map<(b, h, p, x) -> (p)>
#x = affine_map<(b, h, p, x) -> (x)>
#flat = affine_map<(n) -> (n)>
#points = affine_map<(n)[s, t, u, v] -> (s, t, u, v)>

/// kc[:, :, pos] = k, each element an update of its own: all indices but one are coordinates.

// CHECK-LABEL: func @cache
// CHECK-SAME: (%[[K:.*]]: tensor<2x4x1x32xf32>, %[[POS:.*]]: tensor<1xi64>, %[[KC:.*]]: tensor<2x4x128x32xf32>)
// CHECK: %[[FLAT:.*]] = tensor.collapse_shape %[[K]] {{\[\[}}0], [1, 2], [3]]
// CHECK: stof.scatter %[[FLAT]] at(%[[POS]] : tensor<1xi64>) into %[[KC]] maps [#[[ZERO]]] position #[[CACHE]] unique
func.func @cache(%k: tensor<2x4x1x32xf32>, %pos: tensor<1xi64>, %kc: tensor<2x4x128x32xf32>) -> tensor<2x4x128x32xf32> {
  %e32 = tensor.empty() : tensor<32xi64>
  %i32 = linalg.generic {indexing_maps = [#id1], iterator_types = ["parallel"]} outs(%e32 : tensor<32xi64>) {
  ^bb0(%o: i64):
    %0 = linalg.index 0 : index
    %1 = arith.index_cast %0 : index to i64
    linalg.yield %1 : i64
  } -> tensor<32xi64>
  %i4 = tensor.extract_slice %i32[0] [4] [1] : tensor<32xi64> to tensor<4xi64>
  %i2 = tensor.extract_slice %i32[0] [2] [1] : tensor<32xi64> to tensor<2xi64>
  %e = tensor.empty() : tensor<2x4x1x32xi64>
  %bs = linalg.generic {indexing_maps = [#b, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%i2 : tensor<2xi64>) outs(%e : tensor<2x4x1x32xi64>) {
  ^bb0(%i: i64, %o: i64):
    linalg.yield %i : i64
  } -> tensor<2x4x1x32xi64>
  %hs = linalg.generic {indexing_maps = [#h, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%i4 : tensor<4xi64>) outs(%e : tensor<2x4x1x32xi64>) {
  ^bb0(%i: i64, %o: i64):
    linalg.yield %i : i64
  } -> tensor<2x4x1x32xi64>
  %ps = linalg.generic {indexing_maps = [#p, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%pos : tensor<1xi64>) outs(%e : tensor<2x4x1x32xi64>) {
  ^bb0(%i: i64, %o: i64):
    linalg.yield %i : i64
  } -> tensor<2x4x1x32xi64>
  %xs = linalg.generic {indexing_maps = [#x, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%i32 : tensor<32xi64>) outs(%e : tensor<2x4x1x32xi64>) {
  ^bb0(%i: i64, %o: i64):
    linalg.yield %i : i64
  } -> tensor<2x4x1x32xi64>
  %u = tensor.collapse_shape %k [[0, 1, 2, 3]] : tensor<2x4x1x32xf32> into tensor<256xf32>
  %fb = tensor.collapse_shape %bs [[0, 1, 2, 3]] : tensor<2x4x1x32xi64> into tensor<256xi64>
  %fh = tensor.collapse_shape %hs [[0, 1, 2, 3]] : tensor<2x4x1x32xi64> into tensor<256xi64>
  %fp = tensor.collapse_shape %ps [[0, 1, 2, 3]] : tensor<2x4x1x32xi64> into tensor<256xi64>
  %fx = tensor.collapse_shape %xs [[0, 1, 2, 3]] : tensor<2x4x1x32xi64> into tensor<256xi64>
  %y = stof.scatter %u at(%fb, %fh, %fp, %fx : tensor<256xi64>, tensor<256xi64>, tensor<256xi64>, tensor<256xi64>) into %kc
      maps [#flat, #flat, #flat, #flat] position #points unique {
  ^bb0(%a: f32, %o: f32):
    stof.yield %a : f32
  } : tensor<256xf32>, tensor<2x4x128x32xf32> -> tensor<2x4x128x32xf32>
  return %y : tensor<2x4x128x32xf32>
}

/// Quotients and remainders of the number of an update are coordinates of what the index was read from.

#plane = affine_map<(n)[s, t] -> (s, t)>

// CHECK-LABEL: func @digits
// CHECK-SAME: (%{{.*}}: tensor<32xf32>, %[[I:.*]]: tensor<8x4xi64>, %[[X:.*]]: tensor<8x16xf32>)
// CHECK: stof.scatter %{{.*}} at(%[[I]] : tensor<8x4xi64>) into %[[X]] maps [#[[BOTH]]] position #[[COLUMNS]] {
func.func @digits(%u: tensor<32xf32>, %i: tensor<8x4xi64>, %x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %c4 = arith.constant 4 : index
  %e = tensor.empty() : tensor<32xi64>
  %rc:2 = linalg.generic {indexing_maps = [#flat, #flat], iterator_types = ["parallel"]}
      outs(%e, %e : tensor<32xi64>, tensor<32xi64>) {
  ^bb0(%o: i64, %q: i64):
    %n = linalg.index 0 : index
    %c = arith.remsi %n, %c4 : index
    %r = arith.divsi %n, %c4 : index
    %at = tensor.extract %i[%r, %c] : tensor<8x4xi64>
    %row = arith.index_cast %r : index to i64
    linalg.yield %row, %at : i64, i64
  } -> (tensor<32xi64>, tensor<32xi64>)
  %y = stof.scatter %u at(%rc#0, %rc#1 : tensor<32xi64>, tensor<32xi64>) into %x maps [#flat, #flat] position #plane {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    stof.yield %s : f32
  } : tensor<32xf32>, tensor<8x16xf32> -> tensor<8x16xf32>
  return %y : tensor<8x16xf32>
}

/// Positions that count from a first one: a slice.

#row = affine_map<(p, x) -> (p)>
#rows = affine_map<(p, x)[s] -> (s, x)>
#first = affine_map<(p) -> ()>

// CHECK-LABEL: func @slice
// CHECK-SAME: (%[[U:.*]]: tensor<5x8xf32>, %[[START:.*]]: tensor<i64>, %[[X:.*]]: tensor<?x8xf32>)
// CHECK: stof.scatter %[[U]] at(%[[START]] : tensor<i64>) into %[[X]] maps [#[[NONE]]] position #[[SLICE]] unique {
func.func @slice(%u: tensor<5x8xf32>, %start: tensor<i64>, %x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %e = tensor.empty() : tensor<5xi64>
  %p = linalg.generic {indexing_maps = [#first, #id1], iterator_types = ["parallel"]}
      ins(%start : tensor<i64>) outs(%e : tensor<5xi64>) {
  ^bb0(%s: i64, %o: i64):
    %0 = linalg.index 0 : index
    %1 = arith.index_cast %0 : index to i64
    %2 = arith.addi %s, %1 : i64
    linalg.yield %2 : i64
  } -> tensor<5xi64>
  %y = stof.scatter %u at(%p : tensor<5xi64>) into %x maps [#row] position #rows unique {
  ^bb0(%a: f32, %o: f32):
    stof.yield %a : f32
  } : tensor<5x8xf32>, tensor<?x8xf32> -> tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}

/// An index that depends on data stays one.

// CHECK-LABEL: func @negative_computed
// CHECK: %[[I:.*]] = linalg.generic
// CHECK: stof.scatter %{{.*}} at(%[[I]] : tensor<5xi64>) into %{{.*}} maps [#[[ROW]]] position #[[ROWS]] unique {
func.func @negative_computed(%u: tensor<5x8xf32>, %d: tensor<5xi64>, %x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %e = tensor.empty() : tensor<5xi64>
  %p = linalg.generic {indexing_maps = [#id1, #id1], iterator_types = ["parallel"]}
      ins(%d : tensor<5xi64>) outs(%e : tensor<5xi64>) {
  ^bb0(%s: i64, %o: i64):
    %2 = arith.muli %s, %s : i64
    linalg.yield %2 : i64
  } -> tensor<5xi64>
  %y = stof.scatter %u at(%p : tensor<5xi64>) into %x maps [#row] position #rows unique {
  ^bb0(%a: f32, %o: f32):
    stof.yield %a : f32
  } : tensor<5x8xf32>, tensor<?x8xf32> -> tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}
