// RUN: stof-opt %s --pass-pipeline='builtin.module(func.func(stof-form-groups))' -split-input-file | FileCheck %s
// RUN: stof-opt %s --pass-pipeline='builtin.module(func.func(stof-form-groups))' -split-input-file -o %t \
// RUN:   --remarks-filter-analyse=stof-form-groups 2>&1 | FileCheck %s --check-prefix=REMARK

/// A matmul, its initial value and what finishes it share a group.

#id = affine_map<(d0, d1) -> (d0, d1)>

// REMARK: FormedGroup {{.*}}ComputeIntensive=1, MemoryIntensive=1, Remark="a group of linalg.matmul, linalg.generic"

// CHECK-LABEL: func @product_with_epilogue
// CHECK-SAME: (%[[A:.*]]: tensor<4x8xf32>, %[[B:.*]]: tensor<8x4xf32>) -> tensor<4x4xf32>
// CHECK-SAME: stof.scheme = #stof.scheme<"00">
// CHECK: stof.group ins(%[[A]], %[[B]] : tensor<4x8xf32>, tensor<8x4xf32>) {
// CHECK:   linalg.fill
// CHECK:   %[[PRODUCT:.*]] = linalg.matmul
// CHECK:   %[[DONE:.*]] = linalg.generic {{.*}} ins(%[[PRODUCT]]
// CHECK:   stof.yield %[[DONE]]
func.func @product_with_epilogue(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>) -> tensor<4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%0 : tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %3 = math.absf %x : f32
    linalg.yield %3 : f32
  } -> tensor<4x4xf32>
  return %2 : tensor<4x4xf32>
}

// -----

/// What is used outside as well is a result; a reshape between operations is
/// inside, and outside for those who use it there.

#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>

// REMARK: FormedGroup {{.*}}a group of linalg.matmul, linalg.generic

// CHECK-LABEL: func @residual
// CHECK-SAME: stof.scheme = #stof.scheme<"00">
// CHECK: %[[BOTH:.*]]:2 = stof.group
// CHECK:   %[[PRODUCT:.*]] = linalg.matmul
// CHECK:   %[[INSIDE:.*]] = tensor.expand_shape %[[PRODUCT]]
// CHECK:   %[[SUM:.*]] = linalg.generic {{.*}} ins(%[[INSIDE]]
// CHECK:   stof.yield %[[PRODUCT]], %[[SUM]]
// CHECK: %[[OUTSIDE:.*]] = tensor.expand_shape %[[BOTH]]#0
// CHECK: return %[[OUTSIDE]], %[[BOTH]]#1
func.func @residual(%a: tensor<6x8xf32>, %b: tensor<8x4xf32>, %init: tensor<6x4xf32>, %x: tensor<2x3x4xf32>) -> (tensor<2x3x4xf32>, tensor<2x3x4xf32>) {
  %0 = linalg.matmul ins(%a, %b : tensor<6x8xf32>, tensor<8x4xf32>) outs(%init : tensor<6x4xf32>) -> tensor<6x4xf32>
  %1 = tensor.expand_shape %0 [[0, 1], [2]] output_shape [2, 3, 4] : tensor<6x4xf32> into tensor<2x3x4xf32>
  %e = tensor.empty() : tensor<2x3x4xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %x : tensor<2x3x4xf32>, tensor<2x3x4xf32>) outs(%e : tensor<2x3x4xf32>) {
  ^bb0(%u: f32, %v: f32, %o: f32):
    %3 = arith.addf %u, %v : f32
    linalg.yield %3 : f32
  } -> tensor<2x3x4xf32>
  return %1, %2 : tensor<2x3x4xf32>, tensor<2x3x4xf32>
}

// -----

/// A scalar read from a tensor is read inside, a size comes from outside.

#id = affine_map<(d0) -> (d0)>

// CHECK-LABEL: func @scalars
// CHECK-SAME: (%[[X:.*]]: tensor<?xf32>, %[[TABLE:.*]]: tensor<4xf32>)
// CHECK: %[[SIZE:.*]] = tensor.dim %[[X]]
// CHECK: stof.group ins(%[[X]], %[[SIZE]], %[[TABLE]], %{{.*}} : tensor<?xf32>, index, tensor<4xf32>, index) {
// CHECK:   tensor.extract
// CHECK:   linalg.generic
func.func @scalars(%x: tensor<?xf32>, %table: tensor<4xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %at = arith.remui %n, %n : index
  %scale = tensor.extract %table[%at] : tensor<4xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %3 = arith.mulf %a, %scale : f32
    linalg.yield %3 : f32
  } -> tensor<?xf32>
  return %2 : tensor<?xf32>
}

// -----

/// Attention is a kernel of its own.

// CHECK-LABEL: func @attention
// CHECK-NOT: stof.group
// CHECK: stof.attention
func.func @attention(%q: tensor<1x1x8x16xf16>, %o: tensor<1x1x8x16xf16>) -> tensor<1x1x8x16xf16> {
  %r = stof.attention ins(%q, %q, %q : tensor<1x1x8x16xf16>, tensor<1x1x8x16xf16>, tensor<1x1x8x16xf16>)
    outs(%o : tensor<1x1x8x16xf16>) -> tensor<1x1x8x16xf16>
  return %r : tensor<1x1x8x16xf16>
}

// -----

/// What has groups already keeps them and the scheme that made them.

#id = affine_map<(d0) -> (d0)>

// CHECK-LABEL: func @again
// CHECK-SAME: stof.scheme = #stof.scheme<"00">
// CHECK-COUNT-1: stof.group
// CHECK-NOT: stof.group
func.func @again(%x: tensor<8xf32>) -> tensor<8xf32> attributes {stof.scheme = #stof.scheme<"00">} {
  %y = stof.group ins(%x : tensor<8xf32>) {
  ^bb0(%a: tensor<8xf32>):
    %e = tensor.empty() : tensor<8xf32>
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1 = arith.negf %in : f32
      linalg.yield %1 : f32
    } -> tensor<8xf32>
    %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%0 : tensor<8xf32>) outs(%e : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %3 = math.absf %in : f32
      linalg.yield %3 : f32
    } -> tensor<8xf32>
    stof.yield %2 : tensor<8xf32>
  } -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

/// A matrix and its transpose, flattened, have no common loops: the matrix is in
/// memory before both are read.

#id = affine_map<(d0, d1) -> (d0, d1)>
#transposed = affine_map<(d0, d1) -> (d1, d0)>
#flat = affine_map<(d0) -> (d0)>

// CHECK-LABEL: func @negative_flattened_transpose
// CHECK: %[[EXP:.*]] = stof.group
// CHECK: math.exp
// CHECK: %[[FLAT:.*]] = tensor.collapse_shape %[[EXP]]
// CHECK: stof.group ins(%[[EXP]], %[[FLAT]] :
// CHECK: arith.negf
// CHECK: arith.addf
func.func @negative_flattened_transpose(%x: tensor<8x8xf32>) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<8x8xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%i: f32, %o: f32):
    %r = math.exp %i : f32
    linalg.yield %r : f32
  } -> tensor<8x8xf32>
  %c = linalg.generic {indexing_maps = [#transposed, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%i: f32, %o: f32):
    %r = arith.negf %i : f32
    linalg.yield %r : f32
  } -> tensor<8x8xf32>
  %b = tensor.collapse_shape %a [[0, 1]] : tensor<8x8xf32> into tensor<64xf32>
  %d = tensor.collapse_shape %c [[0, 1]] : tensor<8x8xf32> into tensor<64xf32>
  %e1 = tensor.empty() : tensor<64xf32>
  %s = linalg.generic {indexing_maps = [#flat, #flat, #flat], iterator_types = ["parallel"]} ins(%b, %d : tensor<64xf32>, tensor<64xf32>) outs(%e1 : tensor<64xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %r = arith.addf %i, %j : f32
    linalg.yield %r : f32
  } -> tensor<64xf32>
  return %s : tensor<64xf32>
}
