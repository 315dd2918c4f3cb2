// RUN: stof-opt %s --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map dialect-filter=stof,bufferization,func" \
// RUN:   --split-input-file --verify-diagnostics | FileCheck %s

/// A group writes its destination in place; its region stays on tensors.

// CHECK-LABEL: func @group
// CHECK-SAME: (%[[X:.*]]: memref<4xf32>, %[[Y:.*]]: memref<4xf32>)
// CHECK-NOT: alloc
// CHECK: stof.group ins(%[[X]] : memref<4xf32>) outs(%[[Y]] : memref<4xf32>) {
// CHECK-NEXT: ^bb0(%{{.*}}: tensor<4xf32>):
// CHECK: linalg.negf {{.*}} -> tensor<4xf32>
// CHECK: stof.yield %{{.*}} : tensor<4xf32>
// CHECK: return %[[Y]]
func.func @group(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stof.group ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>) {
  ^bb0(%a: tensor<4xf32>):
    %e = tensor.empty() : tensor<4xf32>
    %n = linalg.negf ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    stof.yield %n : tensor<4xf32>
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func @list_tiles
// CHECK-SAME: %[[R:[^,]*]]: memref<1x1x1x3xi64>, %[[E:.*]]: memref<2xi64>)
// CHECK: stof.list_tiles mask(%{{.*}}) {{.*}} outs(%[[R]], %[[E]] : memref<1x1x1x3xi64>, memref<2xi64>)
// CHECK: return %[[R]], %[[E]]
func.func @list_tiles(%m: !stof.mask<8x8>, %n: index, %r: tensor<1x1x1x3xi64>, %e: tensor<2xi64>)
    -> (tensor<1x1x1x3xi64>, tensor<2xi64>) {
  %0, %1 = stof.list_tiles mask(%m : !stof.mask<8x8>) sizes(%n, %n, %n, %n)
      within <row_tile = 64, col_tile = 64, storage = closed_form>
      outs(%r, %e : tensor<1x1x1x3xi64>, tensor<2xi64>) -> tensor<1x1x1x3xi64>, tensor<2xi64>
  return %0, %1 : tensor<1x1x1x3xi64>, tensor<2xi64>
}

// -----

/// Where a result would be is for the creator of the group to say.

func.func @negative_no_destination(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{expects a destination for each result}}
  // expected-error @below {{failed to bufferize op}}
  %0 = stof.group ins(%x : tensor<4xf32>) {
  ^bb0(%a: tensor<4xf32>):
    stof.yield %a : tensor<4xf32>
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
