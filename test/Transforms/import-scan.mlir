// RUN: stof-opt %s --pass-pipeline='builtin.module(func.func(stof-import-scan))' --allow-unregistered-dialect | FileCheck %s

/// A cumulative sum along the rows: each element adds those up to its own place.

// CHECK: #[[READ:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK: #[[WRITE:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-LABEL: func @cumulative_sum
// CHECK-SAME: (%[[X:[^:]*]]: tensor<4x?xi64>
// CHECK: %[[ZERO:.*]] = arith.constant 0 : i64
// CHECK: %[[START:.*]] = linalg.fill ins(%[[ZERO]]
// CHECK: linalg.generic {indexing_maps = [#[[READ]], #[[WRITE]]], iterator_types = ["parallel", "parallel", "reduction"]}
// CHECK-SAME: ins(%[[X]] : {{.*}}) outs(%[[START]]
// CHECK: ^bb0(%[[ELEMENT:.*]]: i64, %[[SOFAR:.*]]: i64):
// CHECK:   %[[AT:.*]] = linalg.index 1
// CHECK:   %[[FROM:.*]] = linalg.index 2
// CHECK:   %[[BEFORE:.*]] = arith.cmpi ule, %[[FROM]], %[[AT]]
// CHECK:   %[[SUM:.*]] = arith.addi %[[SOFAR]], %[[ELEMENT]]
// CHECK:   arith.select %[[BEFORE]], %[[SUM]], %[[SOFAR]]
func.func @cumulative_sum(%x: tensor<4x?xi64>, %out: tensor<4x?xi64>, %acc: tensor<4xi64>) -> tensor<4x?xi64> {
  %y:2 = "tm_tensor.scan"(%x, %out, %acc) <{dimension = 1 : i64, inclusive = true, operandSegmentSizes = array<i32: 1, 2>}> ({
  ^bb0(%a: i64, %b: i64):
    %s = arith.addi %a, %b : i64
    "tm_tensor.yield"(%s) : (i64) -> ()
  }) : (tensor<4x?xi64>, tensor<4x?xi64>, tensor<4xi64>) -> (tensor<4x?xi64>, tensor<4xi64>)
  return %y#0 : tensor<4x?xi64>
}
