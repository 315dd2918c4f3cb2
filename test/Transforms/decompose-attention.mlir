// RUN: stof-opt %s --stof-decompose-attention -split-input-file -verify-diagnostics | FileCheck %s

/// Without a mask: products in f32, scale, maximum, powers, their sum, weighted
/// values. Two query heads on one key head meet through the map of the keys.

// CHECK-DAG: #[[KEYS:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1 floordiv 2, d3, d4)>
// CHECK-LABEL: func @grouped
// CHECK-SAME: (%[[Q:.*]]: tensor<1x4x8x16xf16>, %[[K:.*]]: tensor<1x2x8x16xf16>, %[[V:.*]]: tensor<1x2x8x16xf16>
// CHECK-NOT: stof.
// CHECK: %[[PRODUCTS:.*]] = linalg.generic {{.*}}"parallel", "reduction"]} ins(%[[Q]], %[[K]] :
// CHECK:   arith.extf {{.*}} : f16 to f32
// CHECK: %[[SCORES:.*]] = linalg.generic {{.*}} ins(%[[PRODUCTS]] :
// CHECK:   arith.mulf {{.*}}%[[SCALE:.*]] : f32
// CHECK: %[[LARGEST:.*]] = linalg.generic {{.*}} ins(%[[SCORES]] :
// CHECK:   arith.maximumf
// CHECK: %[[POWERS:.*]] = linalg.generic {{.*}} ins(%[[SCORES]], %[[LARGEST]] :
// CHECK:   math.exp
// CHECK: %[[TOTAL:.*]] = linalg.generic {{.*}} ins(%[[POWERS]] :
// CHECK: %[[SUMS:.*]] = linalg.generic {{.*}} ins(%[[POWERS]], %[[TOTAL]], %[[V]] :
// CHECK: linalg.generic {{.*}} ins(%[[SUMS]] :
// CHECK:   arith.truncf {{.*}} : f32 to f16
func.func @grouped(%q: tensor<1x4x8x16xf16>, %k: tensor<1x2x8x16xf16>, %v: tensor<1x2x8x16xf16>,
                   %init: tensor<1x4x8x16xf16>) -> tensor<1x4x8x16xf16> {
  %0 = stof.attention ins(%q, %k, %v : tensor<1x4x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
      outs(%init : tensor<1x4x8x16xf16>) scale 0.25 -> tensor<1x4x8x16xf16>
  return %0 : tensor<1x4x8x16xf16>
}

// -----

/// The predicate is written where each pair is asked; the mask itself goes.

// CHECK-LABEL: func @masked
// CHECK-NOT: stof.mask
// CHECK: %[[USED:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<1x2x?x?xi1>)
// CHECK:   %[[QUERY:.*]] = linalg.index 2
// CHECK:   %[[KEY:.*]] = linalg.index 3
// CHECK:   arith.cmpi sle, %[[KEY]], %[[QUERY]]
// CHECK: linalg.generic {{.*}} ins(%[[USED]] : tensor<1x2x?x?xi1>) outs(%{{.*}} : tensor<1x2x?xi1>)
// CHECK:   arith.ori
func.func @masked(%q: tensor<1x2x?x16xf32>, %k: tensor<1x2x?x16xf32>, %v: tensor<1x2x?x16xf32>,
                  %init: tensor<1x2x?x16xf32>) -> tensor<1x2x?x16xf32> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.cmpi sle, %j, %i : index
    stof.yield %keep : i1
  } : !stof.mask<?x?>
  %0 = stof.attention ins(%q, %k, %v : tensor<1x2x?x16xf32>, tensor<1x2x?x16xf32>, tensor<1x2x?x16xf32>)
      mask(%m : !stof.mask<?x?>) outs(%init : tensor<1x2x?x16xf32>) -> tensor<1x2x?x16xf32>
  return %0 : tensor<1x2x?x16xf32>
}

// -----

/// A block list is searched for the key's block.

// CHECK-LABEL: func @listed
// CHECK-SAME: %[[ROWS:[^ ,]*]]: tensor<3xi32>, %[[COLUMNS:[^ ,]*]]: tensor<?xi32>
// CHECK: tensor.extract %[[ROWS]]
// CHECK: tensor.extract %[[ROWS]]
// CHECK: scf.for
// CHECK:   tensor.extract %[[COLUMNS]]
func.func @listed(%q: tensor<1x1x8x4xf32>, %rows: tensor<3xi32>, %columns: tensor<?xi32>) -> tensor<1x1x8x4xf32> {
  %m = stof.block_mask %rows, %columns block(4, 2) : tensor<3xi32>, tensor<?xi32> -> !stof.mask<8x8>
  %init = tensor.empty() : tensor<1x1x8x4xf32>
  %0 = stof.attention ins(%q, %q, %q : tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>)
      mask(%m : !stof.mask<8x8>) outs(%init : tensor<1x1x8x4xf32>) -> tensor<1x1x8x4xf32>
  return %0 : tensor<1x1x8x4xf32>
}

// -----

/// A list with lengths counts the keys of its blocks; the keys are those of all
/// batches.

// CHECK-LABEL: func @pages
// CHECK-SAME: (%{{.*}}: tensor<3x1x1x4xf32>, %{{.*}}: tensor<1x1x8x4xf32>, %[[ROWS:.*]]: tensor<3x2xi32>, %[[COLUMNS:.*]]: tensor<?xi32>, %[[LENGTHS:.*]]: tensor<3x1xi32>)
// CHECK: %[[B:.*]] = linalg.index 0
// CHECK: tensor.extract %[[ROWS]][%[[B]], %{{.*}}]
// CHECK: tensor.extract %[[LENGTHS]][%[[B]], %{{.*}}]
// CHECK: scf.for
// CHECK:   tensor.extract %[[COLUMNS]]
func.func @pages(%q: tensor<3x1x1x4xf32>, %k: tensor<1x1x8x4xf32>, %rows: tensor<3x2xi32>, %columns: tensor<?xi32>, %lengths: tensor<3x1xi32>) -> tensor<3x1x1x4xf32> {
  %m = stof.block_mask %rows, %columns lengths(%lengths : tensor<3x1xi32>) block(1, 2) : tensor<3x2xi32>, tensor<?xi32> -> !stof.mask<1x8>
  %init = tensor.empty() : tensor<3x1x1x4xf32>
  %0 = stof.attention ins(%q, %k, %k : tensor<3x1x1x4xf32>, tensor<1x1x8x4xf32>, tensor<1x1x8x4xf32>)
      mask(%m : !stof.mask<1x8>) outs(%init : tensor<3x1x1x4xf32>) -> tensor<3x1x1x4xf32>
  return %0 : tensor<3x1x1x4xf32>
}

// -----

/// How many query heads share a key head may be known at run time only.

// CHECK-LABEL: func @unknown_heads
// CHECK: %[[SHARE:.*]] = arith.divui
// CHECK: linalg.generic
// CHECK:   arith.divui %{{.*}}, %[[SHARE]]
// CHECK:   tensor.extract
func.func @unknown_heads(%q: tensor<1x?x8x4xf32>, %k: tensor<1x?x8x4xf32>) -> tensor<1x?x8x4xf32> {
  %0 = stof.attention ins(%q, %k, %k : tensor<1x?x8x4xf32>, tensor<1x?x8x4xf32>, tensor<1x?x8x4xf32>)
      outs(%q : tensor<1x?x8x4xf32>) -> tensor<1x?x8x4xf32>
  return %0 : tensor<1x?x8x4xf32>
}

// -----

// CHECK-LABEL: func @negative_buffers
// CHECK: stof.attention
func.func @negative_buffers(%q: memref<1x2x8x16xf32>, %o: memref<1x2x8x16xf32>) {
  stof.attention ins(%q, %q, %q : memref<1x2x8x16xf32>, memref<1x2x8x16xf32>, memref<1x2x8x16xf32>)
      outs(%o : memref<1x2x8x16xf32>)
  return
}

// -----

/// A fully masked row uses the keys of the other mask, if their scores are above
/// minus infinity.

// CHECK-LABEL: func @other_keys
// CHECK: %[[SCORES:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<1x2x8x8xf32>)
// CHECK: arith.addf
// CHECK: %[[USED:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<1x2x8x8xi1>)
// CHECK:   arith.cmpi ult
// CHECK: %[[HAS_KEY:.*]] = linalg.generic {{.*}} ins(%[[USED]], %{{.*}} :
// CHECK:   arith.ori
// CHECK: linalg.generic {{.*}} ins(%[[USED]], %[[HAS_KEY]], %{{.*}} :
// CHECK:   %[[OTHER:.*]] = arith.cmpi ule
// CHECK:   %[[SEEN:.*]] = arith.cmpf une
// CHECK:   %[[INSTEAD:.*]] = arith.andi %[[OTHER]], %[[SEEN]]
// CHECK:   arith.select %{{.*}}, %{{.*}}, %[[INSTEAD]]
func.func @other_keys(%q: tensor<1x2x8x16xf32>, %bias: tensor<8xf32>) -> tensor<1x2x8x16xf32> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.cmpi ult, %j, %i : index
    stof.yield %keep : i1
  } : !stof.mask<8x8>
  %other = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.cmpi ule, %j, %i : index
    stof.yield %keep : i1
  } : !stof.mask<8x8>
  %0 = stof.attention ins(%q, %q, %q : tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>)
      mask(%m : !stof.mask<8x8>) captures(%bias : tensor<8xf32>) outs(%q : tensor<1x2x8x16xf32>)
      empty_rows(unmasked over %other : !stof.mask<8x8>) score {
  ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %t: tensor<8xf32>):
    %x = tensor.extract %t[%j] : tensor<8xf32>
    %r = arith.addf %s, %x : f32
    stof.yield %r : f32
  } -> tensor<1x2x8x16xf32>
  return %0 : tensor<1x2x8x16xf32>
}

// -----

func.func @unknown_mask(%q: tensor<1x2x8x16xf32>, %m: !stof.mask<8x8>) -> tensor<1x2x8x16xf32> {
  // expected-error @below {{expects a mask defined by a mask operation, but got <block argument> of type '!stof.mask<8x8>' at index: 1}}
  %0 = stof.attention ins(%q, %q, %q : tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>)
      mask(%m : !stof.mask<8x8>) outs(%q : tensor<1x2x8x16xf32>) -> tensor<1x2x8x16xf32>
  return %0 : tensor<1x2x8x16xf32>
}

// -----

func.func @unknown_mask_of_empty_rows(%q: tensor<1x2x8x16xf32>, %other: !stof.mask<8x8>) -> tensor<1x2x8x16xf32> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.cmpi ult, %j, %i : index
    stof.yield %keep : i1
  } : !stof.mask<8x8>
  // expected-error @below {{expects a mask defined by a mask operation, but got <block argument> of type '!stof.mask<8x8>' at index: 1}}
  %0 = stof.attention ins(%q, %q, %q : tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>, tensor<1x2x8x16xf32>)
      mask(%m : !stof.mask<8x8>) outs(%q : tensor<1x2x8x16xf32>) empty_rows(mean over %other : !stof.mask<8x8>) -> tensor<1x2x8x16xf32>
  return %0 : tensor<1x2x8x16xf32>
}
