// RUN: stof-opt %s --stof-bufferize -canonicalize -split-input-file -verify-diagnostics | FileCheck %s

/// The result is computed in its buffer.

// CHECK-LABEL: func @exponential
// CHECK-SAME: (%[[X:.*]]: memref<4x?xf32>, %[[Y:.*]]: memref<4x?xf32>)
// CHECK-SAME: attributes {stof.inputs = 1 : i64, stof.results = 1 : i64}
// CHECK-NOT: memref.alloc
// CHECK: linalg.exp ins(%[[X]] : memref<4x?xf32>) outs(%[[Y]] : memref<4x?xf32>)
// CHECK-NOT: linalg.copy
// CHECK: return{{$}}
func.func @exponential(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c1 : tensor<4x?xf32>
  %init = tensor.empty(%n) : tensor<4x?xf32>
  %0 = linalg.exp ins(%x : tensor<4x?xf32>) outs(%init : tensor<4x?xf32>) -> tensor<4x?xf32>
  return %0 : tensor<4x?xf32>
}

// -----

/// An input is never written, also where the program computes in its place.

// CHECK-LABEL: func @in_place
// CHECK-SAME: (%[[X:.*]]: memref<8xf32>, %[[Y:.*]]: memref<8xf32>)
// CHECK-NOT: outs(%[[X]]
// CHECK: linalg.copy {{.*}}outs(%[[Y]]
func.func @in_place(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = linalg.exp ins(%x : tensor<8xf32>) outs(%x : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

/// What is returned twice is written twice.

// CHECK-LABEL: func @same
// CHECK-SAME: (%[[X:.*]]: memref<8xf32>, %[[Y:.*]]: memref<8xf32>, %[[Z:.*]]: memref<8xf32>)
// CHECK: linalg.copy ins(%[[X]] {{.*}}outs(%[[Y]]
// CHECK: linalg.copy ins(%[[X]] {{.*}}outs(%[[Z]]
func.func @same(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  return %x, %x : tensor<8xf32>, tensor<8xf32>
}

// -----

// CHECK-LABEL: func @negative_no_tensors
// CHECK-SAME: (%{{.*}}: memref<8xf32>, %{{.*}}: index) {
func.func @negative_no_tensors(%x: memref<8xf32>, %i: index) {
  return
}

// -----

// expected-error @below {{expects argument 1 to be a ranked tensor, but got 'f32'}}
func.func @scalar(%x: tensor<8xf32>, %s: f32) -> tensor<8xf32> {
  return %x : tensor<8xf32>
}

// -----

// expected-error @below {{expects result 0 to be a ranked tensor, but got 'index'}}
func.func @scalar_result(%x: tensor<8xf32>) -> index {
  %c0 = arith.constant 0 : index
  return %c0 : index
}

// -----

// expected-error @below {{expects a body of one block, but got 2}}
func.func @blocks(%x: tensor<8xf32>) -> tensor<8xf32> {
  cf.br ^next
^next:
  return %x : tensor<8xf32>
}

// -----

/// Two results that begin with one value are computed in two buffers.

// CHECK-LABEL: func @two_results_of_one_init
// CHECK-SAME: (%[[X:.*]]: memref<4x6xf32>, %[[W:.*]]: memref<3x5xf32>, %[[Y:.*]]: memref<4x5xf32>, %[[Z:.*]]: memref<4x5xf32>)
// CHECK-DAG: linalg.fill {{.*}} outs(%[[Y]]
// CHECK-DAG: linalg.fill {{.*}} outs(%[[Z]]
// CHECK: linalg.matmul {{.*}} outs(%[[Y]]
// CHECK: linalg.matmul {{.*}} outs(%[[Z]]
// CHECK-NOT: linalg.copy {{.*}} outs(%[[Z]]
func.func @two_results_of_one_init(%x: tensor<4x6xf32>, %w: tensor<3x5xf32>) -> (tensor<4x5xf32>, tensor<4x5xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x5xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  %a = tensor.extract_slice %x[0, 0] [4, 3] [1, 1] : tensor<4x6xf32> to tensor<4x3xf32>
  %y = linalg.matmul ins(%a, %w : tensor<4x3xf32>, tensor<3x5xf32>) outs(%0 : tensor<4x5xf32>) -> tensor<4x5xf32>
  %b = tensor.extract_slice %x[0, 3] [4, 3] [1, 1] : tensor<4x6xf32> to tensor<4x3xf32>
  %z = linalg.matmul ins(%b, %w : tensor<4x3xf32>, tensor<3x5xf32>) outs(%0 : tensor<4x5xf32>) -> tensor<4x5xf32>
  return %y, %z : tensor<4x5xf32>, tensor<4x5xf32>
}

// -----

/// An unused initial value is left to others.

// CHECK-LABEL: func @nobody_uses_init
func.func @nobody_uses_init(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %x : tensor<4xf32>
}

// -----

/// An argument that is given away is updated where it lies; its result needs no buffer.

#row = affine_map<(n, k) -> (n)>
#rows = affine_map<(n, k)[s] -> (s, k)>

// CHECK-LABEL: func @update
// CHECK-SAME: (%[[U:.*]]: memref<3x4xf32>, %[[I:.*]]: memref<3xi64>, %[[X:.*]]: memref<9x4xf32>, %{{.*}}: memref<9x4xf32>)
// CHECK-NOT: copy
// CHECK: stof.scatter %[[U]] at(%[[I]] : memref<3xi64>) into %[[X]]
// CHECK-NOT: copy
// CHECK: return
func.func @update(%u: tensor<3x4xf32>, %i: tensor<3xi64>, %x: tensor<9x4xf32> {tf.aliasing_output = 0 : i32}) -> tensor<9x4xf32> {
  %y = stof.scatter %u at(%i : tensor<3xi64>) into %x maps [#row] position #rows unique {
  ^bb0(%a: f32, %o: f32):
    stof.yield %a : f32
  } : tensor<3x4xf32>, tensor<9x4xf32> -> tensor<9x4xf32>
  return %y : tensor<9x4xf32>
}

// -----

/// Arguments that change places go by way of others.

// CHECK-LABEL: func @swap
// CHECK-SAME: (%[[A:[^:]*]]: memref<8xf32>, %[[B:[^:]*]]: memref<8xf32>,
// CHECK: linalg.copy ins(%[[B]] {{.*}}outs(%[[B2:.*]] :
// CHECK: linalg.copy ins(%[[A]] {{.*}}outs(%[[A2:.*]] :
// CHECK: linalg.copy ins(%[[B2]] {{.*}}outs(%[[A]] :
// CHECK: linalg.copy ins(%[[A2]] {{.*}}outs(%[[B]] :
func.func @swap(%a: tensor<8xf32> {tf.aliasing_output = 0 : i32}, %b: tensor<8xf32> {tf.aliasing_output = 1 : i32})
    -> (tensor<8xf32>, tensor<8xf32>) {
  return %b, %a : tensor<8xf32>, tensor<8xf32>
}

// -----

/// What a group computes is on buffers only once the group is inlined.

func.func @negative_group(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{keeps its body on tensors: expects to be inlined before its operations are bufferized}}
  %0 = stof.group ins(%x : tensor<4xf32>) {
  ^bb0(%a: tensor<4xf32>):
    %e = tensor.empty() : tensor<4xf32>
    // expected-error @below {{failed to bufferize op}}
    %n = linalg.negf ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    stof.yield %n : tensor<4xf32>
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
