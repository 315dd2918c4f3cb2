// RUN: stof-opt %s --stof-attach-assertions | FileCheck %s

/// An assertion on what an index is computed from is a check of the index.

// CHECK-LABEL: func @lookup
func.func @lookup(%tokens: tensor<9xi64>, %table: tensor<50x4xf32>, %init: tensor<9x4xf32>) -> tensor<9x4xf32> {
  %c0 = arith.constant 0 : i64
  %c50 = arith.constant 50 : i64
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%tokens : tensor<9xi64>) outs(%init : tensor<9x4xf32>) {
  // CHECK: ^bb0(%[[TOKEN:.*]]: i64,
  ^bb0(%token: i64, %out: f32):
    // CHECK: %[[AT:.*]] = arith.index_cast %[[TOKEN]]
    // CHECK: %[[COLUMN:.*]] = linalg.index 1
    // CHECK: %[[BELOW:.*]] = arith.cmpi slt
    // CHECK: %[[ABOVE:.*]] = arith.cmpi sge
    // CHECK-NOT: cf.assert
    // CHECK: %[[FIRST:.*]] = stof.check %[[AT]] if %[[BELOW]], "too large" : index
    // CHECK: %[[BOTH:.*]] = stof.check %[[FIRST]] if %[[ABOVE]], "negative" : index
    // CHECK: tensor.extract %{{.*}}[%[[BOTH]], %[[COLUMN]]]
    %at = arith.index_cast %token : i64 to index
    %column = linalg.index 1 : index
    %below = arith.cmpi slt, %token, %c50 : i64
    cf.assert %below, "too large"
    %above = arith.cmpi sge, %token, %c0 : i64
    cf.assert %above, "negative"
    %row = tensor.extract %table[%at, %column] : tensor<50x4xf32>
    linalg.yield %row : f32
  } -> tensor<9x4xf32>
  return %0 : tensor<9x4xf32>
}

/// A negative index that counts from the end is data all the same.

// CHECK-LABEL: func @from_the_end
// CHECK: %[[WRAPPED:.*]] = arith.select
// CHECK: %[[AT:.*]] = arith.index_cast %[[WRAPPED]]
// CHECK: stof.check %[[AT]] if %{{.*}}, "outside" : index
func.func @from_the_end(%at: tensor<1xi64>, %table: tensor<50xf32>, %init: tensor<1xf32>) -> tensor<1xf32> {
  %c0 = arith.constant 0 : i64
  %c50 = arith.constant 50 : i64
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%at : tensor<1xi64>) outs(%init : tensor<1xf32>) {
  ^bb0(%i: i64, %out: f32):
    %negative = arith.cmpi slt, %i, %c0 : i64
    %sum = arith.addi %i, %c50 : i64
    %wrapped = arith.select %negative, %sum, %i : i64
    %below = arith.cmpi slt, %i, %c50 : i64
    cf.assert %below, "outside"
    %index = arith.index_cast %wrapped : i64 to index
    %element = tensor.extract %table[%index] : tensor<50xf32>
    linalg.yield %element : f32
  } -> tensor<1xf32>
  return %0 : tensor<1xf32>
}

/// Sizes are the host's. What no read depends on stays, as does what is known
/// behind the read alone.

// CHECK-LABEL: func @others
// CHECK: cf.assert %{{.*}}, "lengths differ"
// CHECK: tensor.extract
// CHECK-NOT: stof.check
// CHECK: cf.assert %{{.*}}, "behind"
// CHECK: cf.assert %{{.*}}, "of no index"
func.func @others(%a: tensor<?xi64>, %b: tensor<?xf32>, %init: tensor<?xf32>) -> tensor<?xf32> {
  %zero = arith.constant 0 : index
  %c0 = arith.constant 0 : i64
  %n = tensor.dim %a, %zero : tensor<?xi64>
  %m = tensor.dim %b, %zero : tensor<?xf32>
  %equal = arith.cmpi eq, %n, %m : index
  cf.assert %equal, "lengths differ"
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]}
      ins(%a, %b : tensor<?xi64>, tensor<?xf32>) outs(%init : tensor<?xf32>) {
  ^bb0(%i: i64, %x: f32, %out: f32):
    %nothing = arith.constant 0.0 : f32
    %at = arith.index_cast %i : i64 to index
    %element = tensor.extract %b[%at] : tensor<?xf32>
    %above = arith.cmpi sge, %i, %c0 : i64
    cf.assert %above, "behind"
    %positive = arith.cmpf ogt, %x, %nothing : f32
    cf.assert %positive, "of no index"
    linalg.yield %element : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
