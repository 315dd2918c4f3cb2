// RUN: stof-opt %s --stof-bufferize-kernels --split-input-file | FileCheck %s

/// A group writes the buffer of the result that it is, also behind a reshape; its
/// region stays a function of tensors.

// CHECK-LABEL: func @group
// CHECK-SAME: (%[[X:.*]]: memref<4x8xf32>, %[[RESULT:.*]]: memref<32xf32>)
// CHECK-SAME: stof.inputs = 1 : i64, stof.results = 1 : i64
// CHECK-NOT: alloc
// CHECK: %[[ROWS:.*]] = memref.expand_shape %[[RESULT]]
// CHECK: stof.group ins(%[[X]] : memref<4x8xf32>) outs(%[[ROWS]] : memref<4x8xf32>) {
// CHECK-NEXT: ^bb0(%{{.*}}: tensor<4x8xf32>):
// CHECK: linalg.negf
// CHECK-SAME: tensor<4x8xf32>
// CHECK-NOT: bufferization
// CHECK: return
func.func @group(%x: tensor<4x8xf32>) -> tensor<32xf32> {
  %y = stof.group ins(%x : tensor<4x8xf32>) {
  ^bb0(%a: tensor<4x8xf32>):
    %e = tensor.empty() : tensor<4x8xf32>
    %0 = linalg.negf ins(%a : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
    stof.yield %0 : tensor<4x8xf32>
  } -> tensor<4x8xf32>
  %flat = tensor.collapse_shape %y [[0, 1]] : tensor<4x8xf32> into tensor<32xf32>
  return %flat : tensor<32xf32>
}

// -----

/// A result that is used again is in a buffer of its own, of the sizes that the
/// region says. A returned argument is copied.

// CHECK-LABEL: func @chain
// CHECK-SAME: (%[[X:.*]]: memref<?xf32>, %[[N:.*]]: index, %[[Y:.*]]: memref<?xf32>, %[[COPY:.*]]: memref<?xf32>)
// CHECK: %[[TEMPORARY:.*]] = memref.alloc(%[[N]]) : memref<?xf32>
// CHECK: stof.group ins(%[[X]], %[[N]] : memref<?xf32>, index) outs(%[[TEMPORARY]] : memref<?xf32>)
// CHECK: stof.group ins(%[[TEMPORARY]], %[[N]] : memref<?xf32>, index) outs(%[[Y]] : memref<?xf32>)
// CHECK: linalg.copy ins(%[[X]] : memref<?xf32>) outs(%[[COPY]] : memref<?xf32>)
func.func @chain(%x: tensor<?xf32>, %n: index) -> (tensor<?xf32>, tensor<?xf32>) {
  %y = stof.group ins(%x, %n : tensor<?xf32>, index) {
  ^bb0(%a: tensor<?xf32>, %size: index):
    %e = tensor.empty(%size) : tensor<?xf32>
    %0 = linalg.negf ins(%a : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    stof.yield %0 : tensor<?xf32>
  } -> tensor<?xf32>
  %z = stof.group ins(%y, %n : tensor<?xf32>, index) {
  ^bb0(%a: tensor<?xf32>, %size: index):
    %e = tensor.empty(%size) : tensor<?xf32>
    %0 = linalg.negf ins(%a : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    stof.yield %0 : tensor<?xf32>
  } -> tensor<?xf32>
  return %z, %x : tensor<?xf32>, tensor<?xf32>
}

// -----

/// A result that is returned as a tensor of unknown size has a buffer of the
/// sizes that are known.

// CHECK-LABEL: func @forgotten_size
// CHECK-SAME: (%[[X:.*]]: memref<4x8xf32>, %[[RESULT:.*]]: memref<?x8xf32>)
// CHECK: %[[FLAT:.*]] = memref.collapse_shape %[[RESULT]]
// CHECK: %[[KNOWN:.*]] = memref.cast %[[FLAT]] : memref<?xf32> to memref<32xf32>
// CHECK: %[[ROWS:.*]] = memref.expand_shape %[[KNOWN]] {{.*}} into memref<4x8xf32>
// CHECK: stof.group ins(%[[X]] : memref<4x8xf32>) outs(%[[ROWS]] : memref<4x8xf32>)
func.func @forgotten_size(%x: tensor<4x8xf32>) -> tensor<?x8xf32> {
  %y = stof.group ins(%x : tensor<4x8xf32>) {
  ^bb0(%a: tensor<4x8xf32>):
    %e = tensor.empty() : tensor<4x8xf32>
    %0 = linalg.negf ins(%a : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
    stof.yield %0 : tensor<4x8xf32>
  } -> tensor<4x8xf32>
  %rows = tensor.cast %y : tensor<4x8xf32> to tensor<?x8xf32>
  return %rows : tensor<?x8xf32>
}

/// The reverse: a size that only the result's type says.

// CHECK-LABEL: func @known_later
// CHECK-SAME: (%[[X:.*]]: memref<?x8xf32>, %[[RESULT:.*]]: memref<4x8xf32>)
// CHECK: %[[FLAT:.*]] = memref.collapse_shape %[[RESULT]]
// CHECK: %[[OPEN:.*]] = memref.cast %[[FLAT]] : memref<32xf32> to memref<?xf32>
// CHECK: %[[ROWS:.*]] = memref.expand_shape %[[OPEN]] {{.*}} into memref<?x8xf32>
// CHECK: stof.group ins(%[[X]] : memref<?x8xf32>) outs(%[[ROWS]] : memref<?x8xf32>)
func.func @known_later(%x: tensor<?x8xf32>) -> tensor<4x8xf32> {
  %y = stof.group ins(%x : tensor<?x8xf32>) {
  ^bb0(%a: tensor<?x8xf32>):
    %0 = linalg.negf ins(%a : tensor<?x8xf32>) outs(%a : tensor<?x8xf32>) -> tensor<?x8xf32>
    stof.yield %0 : tensor<?x8xf32>
  } -> tensor<?x8xf32>
  %rows = tensor.cast %y : tensor<?x8xf32> to tensor<4x8xf32>
  return %rows : tensor<4x8xf32>
}

// -----

/// A mask and a score read the buffers of what they captured.

!q = tensor<1x2x8x16xf16>

// CHECK-LABEL: func @attention
// CHECK-SAME: (%[[Q:.*]]: memref<1x2x8x16xf16>, %[[IDS:.*]]: memref<8xi32>, %[[SLOPES:.*]]: memref<2xf32>, %[[OUT:.*]]: memref<1x2x8x16xf16>)
// CHECK-NOT: alloc
// CHECK: %[[M:.*]] = stof.mask captures(%[[IDS]] : memref<8xi32>) {
// CHECK: memref.load
// CHECK: stof.attention ins(%[[Q]], %[[Q]], %[[Q]] :
// CHECK-SAME: mask(%[[M]] : !stof.mask<8x8>) captures(%[[SLOPES]] : memref<2xf32>) outs(%[[OUT]] : memref<1x2x8x16xf16>)
// CHECK: memref.load
// CHECK-NOT: tensor
func.func @attention(%q: !q, %ids: tensor<8xi32>, %slopes: tensor<2xf32>) -> !q {
  %m = stof.mask captures(%ids : tensor<8xi32>) {
  ^bb0(%b: index, %h: index, %i: index, %j: index, %doc: tensor<8xi32>):
    %x = tensor.extract %doc[%i] : tensor<8xi32>
    %y = tensor.extract %doc[%j] : tensor<8xi32>
    %keep = arith.cmpi eq, %x, %y : i32
    stof.yield %keep : i1
  } : !stof.mask<8x8>
  %e = tensor.empty() : !q
  %o = stof.attention ins(%q, %q, %q : !q, !q, !q) mask(%m : !stof.mask<8x8>) captures(%slopes : tensor<2xf32>) outs(%e : !q) score {
  ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %slope: tensor<2xf32>):
    %a = tensor.extract %slope[%h] : tensor<2xf32>
    %t = arith.addf %s, %a : f32
    stof.yield %t : f32
  } -> !q
  return %o : !q
}

// -----

/// A scatter updates a donated argument in place, and a copy of another.

#row = affine_map<(n, k) -> (n)>
#rows = affine_map<(n, k)[s] -> (s, k)>

// CHECK-LABEL: func @scatter
// CHECK-SAME: (%[[U:.*]]: memref<3x4xf32>, %[[I:.*]]: memref<3xi64>, %[[GIVEN:.*]]: memref<9x4xf32>, %[[KEPT:.*]]: memref<9x4xf32>, %{{.*}}: memref<9x4xf32>, %[[NEW:.*]]: memref<9x4xf32>)
// CHECK: stof.scatter %[[U]] at(%[[I]] : memref<3xi64>) into %[[GIVEN]]
// CHECK: linalg.copy ins(%[[KEPT]] : memref<9x4xf32>) outs(%[[NEW]] : memref<9x4xf32>)
// CHECK: stof.scatter %[[U]] at(%[[I]] : memref<3xi64>) into %[[NEW]]
// CHECK-NOT: linalg.copy
func.func @scatter(%u: tensor<3x4xf32>, %i: tensor<3xi64>, %given: tensor<9x4xf32> {tf.aliasing_output = 0 : i32}, %kept: tensor<9x4xf32>)
    -> (tensor<9x4xf32>, tensor<9x4xf32>) {
  %y = stof.scatter %u at(%i : tensor<3xi64>) into %given maps [#row] position #rows unique {
  ^bb0(%a: f32, %o: f32):
    stof.yield %a : f32
  } : tensor<3x4xf32>, tensor<9x4xf32> -> tensor<9x4xf32>
  %z = stof.scatter %u at(%i : tensor<3xi64>) into %kept maps [#row] position #rows unique {
  ^bb0(%a: f32, %o: f32):
    stof.yield %a : f32
  } : tensor<3x4xf32>, tensor<9x4xf32> -> tensor<9x4xf32>
  return %y, %z : tensor<9x4xf32>, tensor<9x4xf32>
}
