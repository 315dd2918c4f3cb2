// RUN: stof-opt %s --pass-pipeline='builtin.module(func.func(stof-fuse-elementwise),canonicalize,cse)' -split-input-file | FileCheck %s

/// A chain becomes one operation.

#id = affine_map<(d0) -> (d0)>

// CHECK-LABEL: func @chain
// CHECK: linalg.generic
// CHECK:   math.exp
// CHECK:   math.absf
// CHECK-NOT: linalg.generic
func.func @chain(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = math.exp %a : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%0 : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %3 = math.absf %a : f32
    linalg.yield %3 : f32
  } -> tensor<8xf32>
  return %2 : tensor<8xf32>
}

// -----

/// What two operations use is computed once.

#id = affine_map<(d0) -> (d0)>

// CHECK-LABEL: func @negative_two_users
// CHECK-COUNT-3: linalg.generic
func.func @negative_two_users(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = math.exp %a : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%0 : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %3 = math.absf %a : f32
    linalg.yield %3 : f32
  } -> tensor<8xf32>
  %4 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%0 : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %5 = math.floor %a : f32
    linalg.yield %5 : f32
  } -> tensor<8xf32>
  return %2, %4 : tensor<8xf32>, tensor<8xf32>
}

// -----

/// A contraction reads the transpose's input the other way round.

// CHECK: #[[ROWS:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK: #[[COLUMNS:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-LABEL: func @transposed_weight
// CHECK-SAME: (%[[X:.*]]: tensor<4x8xf32>, %[[W:.*]]: tensor<16x8xf32>
// CHECK-NOT: linalg.transpose
// CHECK: linalg.contract indexing_maps = [#[[ROWS]], #[[COLUMNS]], #{{.*}}] ins(%[[X]], %[[W]] :
func.func @transposed_weight(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>, %e: tensor<8x16xf32>, %init: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %t = linalg.transpose ins(%w : tensor<16x8xf32>) outs(%e : tensor<8x16xf32>) permutation = [1, 0]
  %y = linalg.matmul ins(%x, %t : tensor<4x8xf32>, tensor<8x16xf32>) outs(%init : tensor<4x16xf32>) -> tensor<4x16xf32>
  return %y : tensor<4x16xf32>
}

// -----

/// The operand of a contraction stays in memory.

#id = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: func @negative_operand_of_contraction
// CHECK: linalg.generic
// CHECK: linalg.matmul
func.func @negative_operand_of_contraction(%x: tensor<4x4xf32>, %e: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = math.exp %a : f32
    linalg.yield %1 : f32
  } -> tensor<4x4xf32>
  %2 = linalg.matmul ins(%0, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %2 : tensor<4x4xf32>
}

// -----

/// A contraction widens what it multiplies by itself.

#id = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>

// CHECK: #[[ROWS:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK: #[[COLUMNS:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-LABEL: func @extended
// CHECK-SAME: (%[[X:.*]]: tensor<4x8xf16>, %[[W:.*]]: tensor<16x8xf16>
// CHECK: linalg.contract indexing_maps = [#[[ROWS]], #[[COLUMNS]], #{{.*}}] ins(%[[X]], %[[W]] : tensor<4x8xf16>, tensor<16x8xf16>)
func.func @extended(%x: tensor<4x8xf16>, %w: tensor<16x8xf16>, %e: tensor<4x8xf32>, %f: tensor<8x16xf32>, %init: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x8xf16>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f16, %o: f32):
    %3 = arith.extf %a : f16 to f32
    linalg.yield %3 : f32
  } -> tensor<4x8xf32>
  %1 = linalg.generic {indexing_maps = [#swap, #id], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<16x8xf16>) outs(%f : tensor<8x16xf32>) {
  ^bb0(%a: f16, %o: f32):
    %3 = arith.extf %a : f16 to f32
    linalg.yield %3 : f32
  } -> tensor<8x16xf32>
  %2 = linalg.matmul ins(%0, %1 : tensor<4x8xf32>, tensor<8x16xf32>) outs(%init : tensor<4x16xf32>) -> tensor<4x16xf32>
  return %2 : tensor<4x16xf32>
}

// -----

/// One operand alone is not extended: operands are of one type.

#id = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: func @negative_one_extended
// CHECK: linalg.generic
// CHECK: linalg.matmul
func.func @negative_one_extended(%x: tensor<4x8xf16>, %w: tensor<8x16xf32>, %e: tensor<4x8xf32>, %init: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x8xf16>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f16, %o: f32):
    %3 = arith.extf %a : f16 to f32
    linalg.yield %3 : f32
  } -> tensor<4x8xf32>
  %2 = linalg.matmul ins(%0, %w : tensor<4x8xf32>, tensor<8x16xf32>) outs(%init : tensor<4x16xf32>) -> tensor<4x16xf32>
  return %2 : tensor<4x16xf32>
}

// -----

/// What is computed along with an extension is not one.

#id = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: func @negative_computed_along
// CHECK: %[[BOTH:.*]]:2 = linalg.generic
// CHECK: linalg.matmul ins(%[[BOTH]]#0, %[[BOTH]]#1 :
func.func @negative_computed_along(%x: tensor<4x4xf16>, %e: tensor<4x4xf32>, %init: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0:2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x4xf16>) outs(%e, %e : tensor<4x4xf32>, tensor<4x4xf32>) {
  ^bb0(%a: f16, %o: f32, %p: f32):
    %2 = arith.extf %a : f16 to f32
    %3 = math.exp %2 : f32
    linalg.yield %2, %3 : f32, f32
  } -> (tensor<4x4xf32>, tensor<4x4xf32>)
  %1 = linalg.matmul ins(%0#0, %0#1 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%init : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}

// -----

/// Heads that are laid side by side are read where they lie.

// CHECK: #[[X_MAP:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d1, d4)>
// CHECK: #[[W_MAP:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d3, d4, d2)>
// CHECK-LABEL: func @joined_heads
// CHECK-SAME: (%[[X:.*]]: tensor<2x4x64x32xf16>, %[[W:.*]]: tensor<128x48xf16>
// CHECK: %[[PARTS:.*]] = tensor.expand_shape %[[W]] {{\[\[}}0, 1], [2]] output_shape [4, 32, 48]
// CHECK: %[[START:.*]] = linalg.fill
// CHECK: %[[Y:.*]] = linalg.contract indexing_maps = [#[[X_MAP]], #[[W_MAP]], #{{.*}}] ins(%[[X]], %[[PARTS]] :
// CHECK: tensor.collapse_shape %[[Y]] {{\[\[}}0, 1], [2]]
func.func @joined_heads(%x: tensor<2x4x64x32xf16>, %w: tensor<128x48xf16>, %e: tensor<2x64x4x32xf16>) -> tensor<128x48xf32> {
  %zero = arith.constant 0.0 : f32
  %t = linalg.transpose ins(%x : tensor<2x4x64x32xf16>) outs(%e : tensor<2x64x4x32xf16>) permutation = [0, 2, 1, 3]
  %c = tensor.collapse_shape %t [[0, 1], [2, 3]] : tensor<2x64x4x32xf16> into tensor<128x128xf16>
  %f = tensor.empty() : tensor<128x48xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%f : tensor<128x48xf32>) -> tensor<128x48xf32>
  %y = linalg.matmul ins(%c, %w : tensor<128x128xf16>, tensor<128x48xf16>) outs(%0 : tensor<128x48xf32>) -> tensor<128x48xf32>
  return %y : tensor<128x48xf32>
}

// -----

/// Short ones would leave tiles half empty.

// CHECK-LABEL: func @negative_short
// CHECK: linalg.generic
// CHECK: linalg.matmul
func.func @negative_short(%x: tensor<2x4x6x32xf16>, %w: tensor<128x48xf16>, %e: tensor<2x6x4x32xf16>, %init: tensor<12x48xf32>) -> tensor<12x48xf32> {
  %t = linalg.transpose ins(%x : tensor<2x4x6x32xf16>) outs(%e : tensor<2x6x4x32xf16>) permutation = [0, 2, 1, 3]
  %c = tensor.collapse_shape %t [[0, 1], [2, 3]] : tensor<2x6x4x32xf16> into tensor<12x128xf16>
  %y = linalg.matmul ins(%c, %w : tensor<12x128xf16>, tensor<128x48xf16>) outs(%init : tensor<12x48xf32>) -> tensor<12x48xf32>
  return %y : tensor<12x48xf32>
}

// -----

/// Parts of a tensor that are put together otherwise are read where they lie.

#id = affine_map<(d0) -> (d0)>

// CHECK-LABEL: func @halves
// CHECK-SAME: (%[[X:.*]]: tensor<8xf32>)
// CHECK: linalg.generic
// CHECK:   scf.if
// CHECK:     %[[LATE:.*]] = tensor.extract %[[X]]
// CHECK:     arith.negf %[[LATE]]
// CHECK-NOT: linalg.generic
func.func @halves(%x: tensor<8xf32>) -> tensor<8xf32> {
  %c4 = arith.constant 4 : index
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e : tensor<4xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %at = arith.addi %i, %c4 : index
    %a = tensor.extract %x[%at] : tensor<8xf32>
    %n = arith.negf %a : f32
    linalg.yield %n : f32
  } -> tensor<4xf32>
  %f = tensor.empty() : tensor<8xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%f : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 0 : index
    %first = arith.cmpi slt, %i, %c4 : index
    %r = scf.if %first -> (f32) {
      %b = tensor.extract %0[%i] : tensor<4xf32>
      scf.yield %b : f32
    } else {
      scf.yield %a : f32
    }
    linalg.yield %r : f32
  } -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

/// A part is read where it is by all that put parts together, and what is
/// little work on every way is computed there.

#id = affine_map<(d0) -> (d0)>

// CHECK-LABEL: func @piece
// CHECK-SAME: (%[[X:.*]]: tensor<12xf32>)
// CHECK: linalg.generic
// CHECK-NOT: linalg.generic
// CHECK-COUNT-3: tensor.extract %[[X]]
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @piece(%x: tensor<12xf32>) -> tensor<12xf32> {
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %e = tensor.empty() : tensor<8xf32>
  %piece = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e : tensor<8xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %at = affine.apply affine_map<(d0) -> (d0 + 4)>(%i)
    %a = tensor.extract %x[%at] : tensor<12xf32>
    linalg.yield %a : f32
  } -> tensor<8xf32>
  %f = tensor.empty() : tensor<4xf32>
  %turned = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%f : tensor<4xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %low = arith.cmpi slt, %i, %c2 : index
    %r = scf.if %low -> (f32) {
      %a = tensor.extract %piece[%i] : tensor<8xf32>
      %n = arith.negf %a : f32
      scf.yield %n : f32
    } else {
      %a = tensor.extract %piece[%i] : tensor<8xf32>
      scf.yield %a : f32
    }
    linalg.yield %r : f32
  } -> tensor<4xf32>
  %g = tensor.empty() : tensor<12xf32>
  %1 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%g : tensor<12xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %first = arith.cmpi slt, %i, %c4 : index
    %r = scf.if %first -> (f32) {
      %b = tensor.extract %turned[%i] : tensor<4xf32>
      scf.yield %b : f32
    } else {
      %at = affine.apply affine_map<(d0) -> (d0 - 4)>(%i)
      %b = tensor.extract %piece[%at] : tensor<8xf32>
      scf.yield %b : f32
    }
    linalg.yield %r : f32
  } -> tensor<12xf32>
  return %1 : tensor<12xf32>
}

// -----

/// A part that is needed as a tensor, too, is one.

#id = affine_map<(d0) -> (d0)>

// CHECK-LABEL: func @negative_piece_returned
// CHECK: %[[PIECE:.*]] = linalg.generic
// CHECK: tensor.extract %[[PIECE]]
func.func @negative_piece_returned(%x: tensor<12xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %c7 = arith.constant 7 : index
  %e = tensor.empty() : tensor<8xf32>
  %piece = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e : tensor<8xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %at = affine.apply affine_map<(d0) -> (d0 + 4)>(%i)
    %a = tensor.extract %x[%at] : tensor<12xf32>
    linalg.yield %a : f32
  } -> tensor<8xf32>
  %turned = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e : tensor<8xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %at = arith.subi %c7, %i : index
    %a = tensor.extract %piece[%at] : tensor<8xf32>
    linalg.yield %a : f32
  } -> tensor<8xf32>
  return %piece, %turned : tensor<8xf32>, tensor<8xf32>
}

// -----

/// What is a lot of work is done once for each element.

#id = affine_map<(d0) -> (d0)>
#row = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: func @negative_work
// CHECK: math.exp
// CHECK: linalg.yield
// CHECK: linalg.generic
// CHECK:   tensor.extract
func.func @negative_work(%x: tensor<8xf32>, %at: tensor<4x4xindex>) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %n = math.exp %a : f32
    linalg.yield %n : f32
  } -> tensor<8xf32>
  %f = tensor.empty() : tensor<4x4xf32>
  %1 = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]} ins(%at : tensor<4x4xindex>) outs(%f : tensor<4x4xf32>) {
  ^bb0(%i: index, %o: f32):
    %b = tensor.extract %0[%i] : tensor<8xf32>
    linalg.yield %b : f32
  } -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}

// -----

/// So is what is a lot of work on one way.

#id = affine_map<(d0) -> (d0)>

// CHECK-LABEL: func @negative_work_on_a_way
// CHECK: math.exp
// CHECK: linalg.yield
// CHECK: linalg.generic
// CHECK:   tensor.extract
func.func @negative_work_on_a_way(%x: tensor<8xf32>) -> tensor<8xf32> {
  %c4 = arith.constant 4 : index
  %c7 = arith.constant 7 : index
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 0 : index
    %low = arith.cmpi slt, %i, %c4 : index
    %r = scf.if %low -> (f32) {
      %n = math.exp %a : f32
      scf.yield %n : f32
    } else {
      scf.yield %a : f32
    }
    linalg.yield %r : f32
  } -> tensor<8xf32>
  %1 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e : tensor<8xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %at = arith.subi %c7, %i : index
    %b = tensor.extract %0[%at] : tensor<8xf32>
    linalg.yield %b : f32
  } -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

/// An initial value that is read is an input like the others.

#all = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// CHECK-LABEL: func @read_init
// CHECK-SAME: (%[[A:.*]]: tensor<8x17xf32>, %[[B:.*]]: tensor<8x17xf32>, %[[INIT:.*]]: tensor<8xf32>)
// CHECK: linalg.generic {{.*}} ins(%[[A]], %[[B]] : tensor<8x17xf32>, tensor<8x17xf32>) outs(%[[INIT]] : tensor<8xf32>)
// CHECK:   arith.subf
// CHECK:   arith.mulf
// CHECK-NOT: linalg.generic
func.func @read_init(%a: tensor<8x17xf32>, %b: tensor<8x17xf32>, %init: tensor<8xf32>) -> tensor<8xf32> {
  %d = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<8x17xf32>) outs(%b : tensor<8x17xf32>) {
  ^bb0(%x: f32, %o: f32):
    %0 = arith.subf %o, %x : f32
    linalg.yield %0 : f32
  } -> tensor<8x17xf32>
  %s = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]} ins(%d : tensor<8x17xf32>) outs(%init : tensor<8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %0 = arith.mulf %x, %x : f32
    %1 = arith.addf %0, %o : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  return %s : tensor<8xf32>
}

// -----

/// Integers are extended as they were.

// CHECK-LABEL: func @unsigned
// CHECK-NOT: linalg.transpose
// CHECK: linalg.contract
// CHECK-SAME: cast = #linalg.type_fn<cast_unsigned>
func.func @unsigned(%x: tensor<4x8xi8>, %w: tensor<16x8xi8>, %e: tensor<8x16xi8>, %init: tensor<4x16xi32>) -> tensor<4x16xi32> {
  %t = linalg.transpose ins(%w : tensor<16x8xi8>) outs(%e : tensor<8x16xi8>) permutation = [1, 0]
  %y = linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%x, %t : tensor<4x8xi8>, tensor<8x16xi8>) outs(%init : tensor<4x16xi32>) -> tensor<4x16xi32>
  return %y : tensor<4x16xi32>
}

// CHECK-LABEL: func @unsigned_joined
// CHECK: linalg.contract
// CHECK-SAME: cast = #linalg.type_fn<cast_unsigned>
func.func @unsigned_joined(%x: tensor<2x4x64x32xi8>, %w: tensor<128x48xi8>, %e: tensor<2x64x4x32xi8>, %init: tensor<128x48xi32>) -> tensor<128x48xi32> {
  %t = linalg.transpose ins(%x : tensor<2x4x64x32xi8>) outs(%e : tensor<2x64x4x32xi8>) permutation = [0, 2, 1, 3]
  %c = tensor.collapse_shape %t [[0, 1], [2, 3]] : tensor<2x64x4x32xi8> into tensor<128x128xi8>
  %y = linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%c, %w : tensor<128x128xi8>, tensor<128x48xi8>) outs(%init : tensor<128x48xi32>) -> tensor<128x48xi32>
  return %y : tensor<128x48xi32>
}

// -----

/// The sums of leading elements of reversed rows. Reversed, a row has the size
/// of the loop of a sum, and is no result of the sums. An input that is not
/// used has this size no longer.

#id = affine_map<(d0, d1) -> (d0, d1)>
#summed = affine_map<(d0, d1, d2) -> (d0, d2)>
#sum = affine_map<(d0, d1, d2) -> (d0, d1)>

// CHECK-LABEL: func @size_of_sum
// CHECK: %[[REVERSED:.*]] = linalg.generic {{.*}} outs
// CHECK:   tensor.extract
// CHECK: linalg.generic {{.*}} ins(%[[REVERSED]] : tensor<2x5xi64>)
func.func @size_of_sum(%x: tensor<2x5xi64>, %init: tensor<2x5xi64>) -> tensor<2x5xi64> {
  %c4 = arith.constant 4 : index
  %e = tensor.empty() : tensor<2x5xi64>
  %reversed = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<2x5xi64>) outs(%e : tensor<2x5xi64>) {
  ^bb0(%unused: i64, %o: i64):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %at = arith.subi %c4, %j : index
    %0 = tensor.extract %x[%i, %at] : tensor<2x5xi64>
    linalg.yield %0 : i64
  } -> tensor<2x5xi64>
  %sums = linalg.generic {indexing_maps = [#summed, #sum], iterator_types = ["parallel", "parallel", "reduction"]} ins(%reversed : tensor<2x5xi64>) outs(%init : tensor<2x5xi64>) {
  ^bb0(%y: i64, %o: i64):
    %j = linalg.index 1 : index
    %k = linalg.index 2 : index
    %leads = arith.cmpi ule, %k, %j : index
    %0 = arith.addi %o, %y : i64
    %1 = arith.select %leads, %0, %o : i64
    linalg.yield %1 : i64
  } -> tensor<2x5xi64>
  return %sums : tensor<2x5xi64>
}
