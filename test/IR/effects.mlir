// RUN: stof-opt %s --cse --canonicalize | FileCheck %s

!q = tensor<1x2x8x4xf16>
!buffer = memref<1x2x8x4xf16>

/// Masks that say the same are one mask, so attentions share it.

// CHECK-LABEL: func @equal_masks
func.func @equal_masks(%q: !q, %w: index) -> (!q, !q) {
  // CHECK: %[[BAND:.*]] = stof.mask
  // CHECK-NOT: = stof.mask
  // CHECK-COUNT-2: stof.attention {{.*}} mask(%[[BAND]] :
  %one = stof.mask captures(%w : index) {
  ^bb0(%b: index, %h: index, %i: index, %j: index, %width: index):
    %d = arith.subi %i, %j : index
    %keep = arith.cmpi ult, %d, %width : index
    stof.yield %keep : i1
  } : !stof.mask<8x8>
  %x = stof.attention ins(%q, %q, %q : !q, !q, !q) mask(%one : !stof.mask<8x8>) outs(%q : !q) -> !q
  %other = stof.mask captures(%w : index) {
  ^bb0(%b: index, %h: index, %i: index, %j: index, %width: index):
    %d = arith.subi %i, %j : index
    %keep = arith.cmpi ult, %d, %width : index
    stof.yield %keep : i1
  } : !stof.mask<8x8>
  %y = stof.attention ins(%x, %q, %q : !q, !q, !q) mask(%other : !stof.mask<8x8>) outs(%q : !q) -> !q
  return %x, %y : !q, !q
}

/// Masks that differ in one predicate stay two.

// CHECK-LABEL: func @negative_different_masks
func.func @negative_different_masks() -> (!stof.mask<8x8>, !stof.mask<8x8>) {
  // CHECK-COUNT-2: stof.mask {
  %one = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.cmpi ult, %i, %j : index
    stof.yield %keep : i1
  } : !stof.mask<8x8>
  %other = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.cmpi ule, %i, %j : index
    stof.yield %keep : i1
  } : !stof.mask<8x8>
  return %one, %other : !stof.mask<8x8>, !stof.mask<8x8>
}

/// An attention on tensors is what its operands say: it is computed once, and
/// not at all if it is unused.

// CHECK-LABEL: func @pure_on_tensors
func.func @pure_on_tensors(%q: !q, %m: !stof.mask<8x8>) -> (!q, !q) {
  // CHECK: %[[ONE:.*]] = stof.attention
  // CHECK-NOT: stof.attention
  // CHECK: return %[[ONE]], %[[ONE]]
  %one = stof.attention ins(%q, %q, %q : !q, !q, !q) mask(%m : !stof.mask<8x8>) outs(%q : !q) -> !q
  %same = stof.attention ins(%q, %q, %q : !q, !q, !q) mask(%m : !stof.mask<8x8>) outs(%q : !q) -> !q
  %unused = stof.attention ins(%one, %q, %q : !q, !q, !q) mask(%m : !stof.mask<8x8>) outs(%q : !q) -> !q
  return %one, %same : !q, !q
}

/// On buffers it writes its destination.

// CHECK-LABEL: func @writes_buffers
func.func @writes_buffers(%q: !buffer, %o: !buffer) {
  // CHECK-COUNT-2: stof.attention
  stof.attention ins(%q, %q, %q : !buffer, !buffer, !buffer) outs(%o : !buffer)
  stof.attention ins(%o, %q, %q : !buffer, !buffer, !buffer) outs(%o : !buffer)
  return
}

/// A mask that reads a buffer reads it in the attention: a write between two
/// attentions makes them two.

// CHECK-LABEL: func @mask_reads_buffer
func.func @mask_reads_buffer(%q: !q, %seen: memref<8xi1>, %off: i1) -> (!q, !q) {
  %c0 = arith.constant 0 : index
  // CHECK: %[[M:.*]] = stof.mask captures
  // CHECK: stof.attention {{.*}} mask(%[[M]]
  // CHECK: memref.store
  // CHECK: stof.attention {{.*}} mask(%[[M]]
  %m = stof.mask captures(%seen : memref<8xi1>) {
  ^bb0(%b: index, %h: index, %i: index, %j: index, %buffer: memref<8xi1>):
    %keep = memref.load %buffer[%j] : memref<8xi1>
    stof.yield %keep : i1
  } : !stof.mask<8x8>
  %before = stof.attention ins(%q, %q, %q : !q, !q, !q) mask(%m : !stof.mask<8x8>) outs(%q : !q) -> !q
  memref.store %off, %seen[%c0] : memref<8xi1>
  %after = stof.attention ins(%q, %q, %q : !q, !q, !q) mask(%m : !stof.mask<8x8>) outs(%q : !q) -> !q
  return %before, %after : !q, !q
}

/// A group is worth its results on tensors, and its writes on buffers.

// CHECK-LABEL: func @groups
// CHECK-NOT: -> tensor
// CHECK: stof.group ins(%{{.*}} : memref<4xf32>)
// CHECK-NOT: stof.group
func.func @groups(%x: tensor<4xf32>, %b: memref<4xf32>, %c: memref<4xf32>) {
  %y = stof.group ins(%x : tensor<4xf32>) {
  ^bb0(%a: tensor<4xf32>):
    stof.yield %a : tensor<4xf32>
  } -> tensor<4xf32>
  stof.group ins(%b : memref<4xf32>) outs(%c : memref<4xf32>) {
  ^bb0(%a: tensor<4xf32>):
    stof.yield %a : tensor<4xf32>
  }
  return
}
