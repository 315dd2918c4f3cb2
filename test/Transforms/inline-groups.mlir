// RUN: stof-opt %s --stof-inline-groups | FileCheck %s

/// A group leaves what is in it, also where it holds another.

// CHECK-LABEL: func @nested
// CHECK-SAME: (%[[X:.*]]: tensor<8xf32>)
// CHECK-NOT: stof.group
// CHECK: %[[INNER:.*]] = math.exp %[[X]]
// CHECK: %[[OUTER:.*]] = math.sqrt %[[INNER]]
// CHECK: return %[[OUTER]]
func.func @nested(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = stof.group ins(%x : tensor<8xf32>) {
  ^bb0(%a: tensor<8xf32>):
    %z = stof.group ins(%a : tensor<8xf32>) {
    ^bb0(%b: tensor<8xf32>):
      %0 = math.exp %b : tensor<8xf32>
      stof.yield %0 : tensor<8xf32>
    } -> tensor<8xf32>
    %1 = math.sqrt %z : tensor<8xf32>
    stof.yield %1 : tensor<8xf32>
  } -> tensor<8xf32>
  return %y : tensor<8xf32>
}
