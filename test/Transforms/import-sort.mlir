// RUN: stof-opt %s --pass-pipeline='builtin.module(func.func(stof-import-sort))' --allow-unregistered-dialect | FileCheck %s
// RUN: stof-opt %s --pass-pipeline='builtin.module(func.func(stof-import-sort))' --allow-unregistered-dialect \
// RUN:   --remarks-filter=stof-import-sort -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

/// The three greatest of each row: ranks, the sources of three places, and the
/// elements there. NaN is before all numbers.

// CHECK-DAG: #[[OWN:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-DAG: #[[OTHER:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-LABEL: func @greatest
// CHECK-SAME: (%[[X:[^:]*]]: tensor<?x16xf32>
// CHECK: %[[RANKS:.*]] = linalg.generic {indexing_maps = [#[[OWN]], #[[OTHER]], #[[OWN]]], iterator_types = ["parallel", "parallel", "reduction"]}
// CHECK-SAME: ins(%[[X]], %[[X]]
// CHECK: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32, %[[COUNT:.*]]: i32):
// CHECK: %[[EARLIER:.*]] = arith.cmpi slt
// CHECK: %[[DIFFER:.*]] = arith.cmpf ugt, %[[A]], %[[B]]
// CHECK: %[[NUMBER:.*]] = arith.cmpf ord, %[[B]], %[[B]]
// CHECK: %[[AFTER:.*]] = arith.andi %[[DIFFER]], %[[NUMBER]]
// CHECK: arith.xori %[[AFTER]]
// CHECK: arith.cmpf ugt, %[[B]], %[[A]]
// CHECK: arith.addi %[[COUNT]]
// CHECK: tensor.empty(%{{.*}}) : tensor<?x3xi32>
// CHECK: %[[SOURCES:.*]] = linalg.generic {indexing_maps = [#[[OTHER]], #[[OWN]]], iterator_types = ["parallel", "parallel", "reduction"]}
// CHECK-SAME: ins(%[[RANKS]]
// CHECK: arith.maxui
// CHECK: -> tensor<?x3xi32>
// CHECK: %[[ROW:.*]] = linalg.index 0
// CHECK: %[[PLACE:.*]] = linalg.index 1
// CHECK: %[[SOURCE:.*]] = tensor.extract %[[SOURCES]][%[[ROW]], %[[PLACE]]]
// CHECK: %[[AT:.*]] = arith.index_cast %[[SOURCE]] : i32 to index
// CHECK: tensor.extract %[[X]][%[[ROW]], %[[AT]]]
/// Positions are not read.
// CHECK: %[[SOURCE:.*]] = tensor.extract %[[SOURCES]]
// CHECK-NEXT: %[[AT:.*]] = arith.index_cast %[[SOURCE]] : i32 to index
// CHECK-NEXT: %[[POSITION:.*]] = arith.index_cast %[[AT]] : index to i64
// CHECK-NEXT: linalg.yield %[[POSITION]]
func.func @greatest(%x: tensor<?x16xf32>) -> (tensor<?x3xf32>, tensor<?x3xi64>) {
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %x, %c0 : tensor<?x16xf32>
  %e = tensor.empty(%rows) : tensor<?x16xi64>
  %p = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      outs(%e : tensor<?x16xi64>) {
  ^bb0(%o: i64):
    %j = linalg.index 1 : index
    %n = arith.index_cast %j : index to i64
    linalg.yield %n : i64
  } -> tensor<?x16xi64>
  %y:2 = "tm_tensor.sort"(%x, %p) <{dimension = 1 : i64, operandSegmentSizes = array<i32: 0, 2>}> ({
  ^bb0(%a: f32, %b: f32, %c: i64, %d: i64):
    %r = arith.cmpf oge, %a, %b : f32
    "tm_tensor.yield"(%r) : (i1) -> ()
  }) : (tensor<?x16xf32>, tensor<?x16xi64>) -> (tensor<?x16xf32>, tensor<?x16xi64>)
  %v = tensor.extract_slice %y#0[0, 0] [%rows, 3] [1, 1] : tensor<?x16xf32> to tensor<?x3xf32>
  %s = tensor.extract_slice %y#1[0, 0] [%rows, 2] [1, 1] : tensor<?x16xi64> to tensor<?x2xi64>
  %t = tensor.extract_slice %y#1[0, 0] [%rows, 3] [1, 1] : tensor<?x16xi64> to tensor<?x3xi64>
  return %v, %t : tensor<?x3xf32>, tensor<?x3xi64>
}

/// Integers by the region in both directions.

// CHECK-LABEL: func @integers
// CHECK: ^bb0(%[[A:.*]]: i64, %[[B:.*]]: i64, %{{.*}}: i32):
// CHECK: %[[THERE:.*]] = arith.cmpi sle, %[[A]], %[[B]]
// CHECK: %[[BACK:.*]] = arith.cmpi sle, %[[B]], %[[A]]
// CHECK: %[[NEVER:.*]] = arith.constant false
// CHECK: arith.select %[[BACK]], %[[NEVER]], %[[THERE]]
func.func @integers(%x: tensor<16x4xi64>) -> tensor<16x4xi64> {
  %y = "tm_tensor.sort"(%x) <{dimension = 0 : i64, operandSegmentSizes = array<i32: 0, 1>}> ({
  ^bb0(%a: i64, %b: i64):
    %r = arith.cmpi sle, %a, %b : i64
    "tm_tensor.yield"(%r) : (i1) -> ()
  }) : (tensor<16x4xi64>) -> tensor<16x4xi64>
  return %y : tensor<16x4xi64>
}

/// A long row of which 5 elements are used: runs of 256 are ranked, 5 of each are
/// kept, and pairs are merged by bisection.

// CHECK-LABEL: func @runs
// CHECK: tensor.empty() : tensor<2x3x256xf32>
// CHECK: -> tensor<2x3x256xi32>
// CHECK: -> tensor<2x3x5xi32>
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<2x2x5xi32>)
// CHECK: scf.for
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<2x1x5xi32>)
// CHECK: tensor.collapse_shape %{{.*}} {{\[\[}}0], [1, 2]] : tensor<2x1x5xi32> into tensor<2x5xi32>
// REMARK: remark: [Analysis] SortedInRuns
// REMARK-SAME: Length=700
// REMARK-SAME: a row is sorted in runs, which are merged in pairs
// REMARK-SAME: Runs=3, Used=5
func.func @runs(%x: tensor<2x700xf32>) -> tensor<2x5xf32> {
  %y = "tm_tensor.sort"(%x) <{dimension = 1 : i64, operandSegmentSizes = array<i32: 0, 1>}> ({
  ^bb0(%a: f32, %b: f32):
    %r = arith.cmpf oge, %a, %b : f32
    "tm_tensor.yield"(%r) : (i1) -> ()
  }) : (tensor<2x700xf32>) -> tensor<2x700xf32>
  %v = tensor.extract_slice %y[0, 0] [2, 5] [1, 1] : tensor<2x700xf32> to tensor<2x5xf32>
  return %v : tensor<2x5xf32>
}

/// All of it is needed where anything else than the first elements is used.

// CHECK-LABEL: func @last
// CHECK: tensor<2x16xi32>
// CHECK: tensor.extract_slice %{{.*}}[0, 14] [2, 2] [1, 1] : tensor<2x16xf32> to tensor<2x2xf32>
func.func @last(%x: tensor<2x16xf32>) -> tensor<2x2xf32> {
  %y = "tm_tensor.sort"(%x) <{dimension = 1 : i64, operandSegmentSizes = array<i32: 0, 1>}> ({
  ^bb0(%a: f32, %b: f32):
    %r = arith.cmpf ole, %a, %b : f32
    "tm_tensor.yield"(%r) : (i1) -> ()
  }) : (tensor<2x16xf32>) -> tensor<2x16xf32>
  %v = tensor.extract_slice %y[0, 14] [2, 2] [1, 1] : tensor<2x16xf32> to tensor<2x2xf32>
  return %v : tensor<2x2xf32>
}

// CHECK-LABEL: func @open
// CHECK: -> tensor<?xi32>
// REMARK: remark: [Analysis] RankedWhole
// REMARK-SAME: a row is sorted by comparing all pairs of its elements: its length is unknown
func.func @open(%x: tensor<?xf32>) -> tensor<?xf32> {
  %y = "tm_tensor.sort"(%x) <{dimension = 0 : i64, operandSegmentSizes = array<i32: 0, 1>}> ({
  ^bb0(%a: f32, %b: f32):
    %r = arith.cmpf olt, %a, %b : f32
    "tm_tensor.yield"(%r) : (i1) -> ()
  }) : (tensor<?xf32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}

// CHECK-LABEL: func @one
// CHECK-SAME: (%[[X:[^:]*]]: tensor<4x1xf32>
// CHECK-NEXT: return %[[X]]
func.func @one(%x: tensor<4x1xf32>) -> tensor<4x1xf32> {
  %y = "tm_tensor.sort"(%x) <{dimension = 1 : i64, operandSegmentSizes = array<i32: 0, 1>}> ({
  ^bb0(%a: f32, %b: f32):
    %r = arith.cmpf olt, %a, %b : f32
    "tm_tensor.yield"(%r) : (i1) -> ()
  }) : (tensor<4x1xf32>) -> tensor<4x1xf32>
  return %y : tensor<4x1xf32>
}
