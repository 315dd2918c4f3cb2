// RUN: stof-opt %s --stof-drop-assertions | FileCheck %s
// RUN: stof-opt %s --stof-drop-assertions=keep-sizes | FileCheck %s --check-prefix=KEPT
// RUN: stof-opt %s --stof-drop-assertions -o %t \
// RUN:   --remarks-filter-missed=stof-drop-assertions 2>&1 | FileCheck %s --check-prefix=REMARK

/// No assertion is left. Those on sizes are checks of the package, of the others
/// a remark speaks.

// CHECK-NOT: cf.assert

/// The host may keep those on sizes.

// KEPT-COUNT-1: cf.assert %{{.*}}, "the lengths differ"
// KEPT-NOT: cf.assert

// REMARK-NOT: the lengths differ
// REMARK: AssertionNotChecked {{.*}}'the first token is unknown' depends on values of tensors
// REMARK: AssertionNotChecked {{.*}}'a token is unknown' depends on values of tensors
// REMARK-NOT: the lengths differ

// CHECK-LABEL: func @lookup
func.func @lookup(%tokens: tensor<?xi64>, %other: tensor<?xi64>, %table: tensor<50xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c50 = arith.constant 50 : i64
  %length = tensor.dim %tokens, %c0 : tensor<?xi64>
  %others = tensor.dim %other, %c0 : tensor<?xi64>
  %equal = arith.cmpi eq, %length, %others : index
  cf.assert %equal, "the lengths differ"
  %first = tensor.extract %tokens[%c0] : tensor<?xi64>
  %known = arith.cmpi slt, %first, %c50 : i64
  cf.assert %known, "the first token is unknown"
  %init = tensor.empty(%length) : tensor<?xf32>
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%tokens : tensor<?xi64>) outs(%init : tensor<?xf32>) {
  ^bb0(%token: i64, %out: f32):
    %inside = arith.cmpi slt, %token, %c50 : i64
    cf.assert %inside, "a token is unknown"
    %at = arith.index_cast %token : i64 to index
    %row = tensor.extract %table[%at] : tensor<50xf32>
    linalg.yield %row : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
