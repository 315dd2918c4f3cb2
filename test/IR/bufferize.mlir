// RUN: stof-opt %s --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" \
// RUN:   --canonicalize --cse --canonicalize --split-input-file | FileCheck %s

/// An attention writes into its destination, and its regions are called with the
/// buffers of what they captured.

// CHECK-LABEL: func @attention
// CHECK-SAME: (%[[Q:.*]]: memref<1x2x8x4xf16>, %[[IDS:.*]]: memref<8xi32>, %[[SLOPES:.*]]: memref<2xf32>, %[[SINKS:.*]]: memref<2xf32>,
// CHECK-SAME:  %[[OUT:.*]]: memref<1x2x8x4xf16>, %[[LSE:.*]]: memref<1x2x8xf32>)
func.func @attention(%q: tensor<1x2x8x4xf16>, %ids: tensor<8xi32>, %slopes: tensor<2xf32>, %sinks: tensor<2xf32>,
                     %out: tensor<1x2x8x4xf16>, %lse: tensor<1x2x8xf32>) -> (tensor<1x2x8x4xf16>, tensor<1x2x8xf32>) {
  // CHECK-NOT: alloc
  // CHECK-NOT: copy
  // CHECK: %[[M:.*]] = stof.mask captures(%[[IDS]] : memref<8xi32>) {
  // CHECK: ^bb0(%{{.*}}: index, %{{.*}}: index, %[[I:.*]]: index, %[[J:.*]]: index, %[[DOC:.*]]: memref<8xi32>):
  // CHECK-DAG: memref.load %[[DOC]][%[[I]]]
  // CHECK-DAG: memref.load %[[DOC]][%[[J]]]
  %m = stof.mask captures(%ids : tensor<8xi32>) {
  ^bb0(%b: index, %h: index, %i: index, %j: index, %doc: tensor<8xi32>):
    %x = tensor.extract %doc[%i] : tensor<8xi32>
    %y = tensor.extract %doc[%j] : tensor<8xi32>
    %keep = arith.cmpi eq, %x, %y : i32
    stof.yield %keep : i1
  } : !stof.mask<8x8>
  // CHECK: stof.attention ins(%[[Q]], %[[Q]], %[[Q]] : memref<1x2x8x4xf16>, memref<1x2x8x4xf16>, memref<1x2x8x4xf16>)
  // CHECK-SAME: mask(%[[M]] : !stof.mask<8x8>) sinks(%[[SINKS]] : memref<2xf32>) captures(%[[SLOPES]] : memref<2xf32>)
  // CHECK-SAME: outs(%[[OUT]] : memref<1x2x8x4xf16>, lse %[[LSE]] : memref<1x2x8xf32>) scale 5.000000e-01 empty_rows(mean) score {
  // CHECK: ^bb0(%{{.*}}: f32, %{{.*}}: index, %[[H:.*]]: index, %{{.*}}: index, %{{.*}}: index, %[[SLOPE:.*]]: memref<2xf32>):
  // CHECK: memref.load %[[SLOPE]][%[[H]]]
  // CHECK: return %[[OUT]], %[[LSE]]
  %r:2 = stof.attention ins(%q, %q, %q : tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>)
      mask(%m : !stof.mask<8x8>) sinks(%sinks : tensor<2xf32>) captures(%slopes : tensor<2xf32>)
      outs(%out : tensor<1x2x8x4xf16>, lse %lse : tensor<1x2x8xf32>) scale 0.5 empty_rows(mean) score {
  ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %slope: tensor<2xf32>):
    %a = tensor.extract %slope[%h] : tensor<2xf32>
    %y = arith.addf %s, %a : f32
    stof.yield %y : f32
  } -> tensor<1x2x8x4xf16>, tensor<1x2x8xf32>
  return %r#0, %r#1 : tensor<1x2x8x4xf16>, tensor<1x2x8xf32>
}

// -----

/// A destination that is read later is not overwritten: the result gets memory
/// of its own, without a copy, for an attention never reads its destination.

// CHECK-LABEL: func @destination_in_use
// CHECK-SAME: (%[[Q:.*]]: memref<1x2x?x4xf16>)
func.func @destination_in_use(%q: tensor<1x2x?x4xf16>) -> tensor<1x2x?x4xf16> {
  // CHECK: %[[OUT:.*]] = memref.alloc(%{{.*}}) {{.*}} : memref<1x2x?x4xf16>
  // CHECK-NOT: copy
  // CHECK: stof.attention ins(%[[Q]], %[[Q]], %[[Q]] {{.*}} outs(%[[OUT]] :
  // CHECK: return %[[OUT]]
  %r = stof.attention ins(%q, %q, %q : tensor<1x2x?x4xf16>, tensor<1x2x?x4xf16>, tensor<1x2x?x4xf16>)
      outs(%q : tensor<1x2x?x4xf16>) -> tensor<1x2x?x4xf16>
  return %r : tensor<1x2x?x4xf16>
}

// -----

/// Lists of blocks are buffers as well.

// CHECK-LABEL: func @listed_blocks
// CHECK-SAME: (%[[Q:.*]]: memref<1x2x128x4xf16>, %[[ROWS:.*]]: memref<3xi32>, %[[COLS:.*]]: memref<?xi32>, %[[OUT:.*]]: memref<1x2x128x4xf16>)
func.func @listed_blocks(%q: tensor<1x2x128x4xf16>, %rows: tensor<3xi32>, %cols: tensor<?xi32>, %out: tensor<1x2x128x4xf16>) -> tensor<1x2x128x4xf16> {
  // CHECK: stof.block_mask %[[ROWS]], %[[COLS]] block(64, 64) : memref<3xi32>, memref<?xi32> -> !stof.mask<128x128>
  %m = stof.block_mask %rows, %cols block(64, 64) : tensor<3xi32>, tensor<?xi32> -> !stof.mask<128x128>
  %r = stof.attention ins(%q, %q, %q : tensor<1x2x128x4xf16>, tensor<1x2x128x4xf16>, tensor<1x2x128x4xf16>)
      mask(%m : !stof.mask<128x128>) outs(%out : tensor<1x2x128x4xf16>) -> tensor<1x2x128x4xf16>
  return %r : tensor<1x2x128x4xf16>
}

// -----

/// A captured number in a tensor of no dimensions is a buffer of none.

// CHECK-LABEL: func @captured_number
func.func @captured_number(%n: tensor<i32>) -> !stof.mask<8x8> {
  // CHECK: stof.mask captures(%{{.*}} : memref<i32>)
  // CHECK: memref.load %{{.*}}[] : memref<i32>
  %m = stof.mask captures(%n : tensor<i32>) {
  ^bb0(%b: index, %h: index, %i: index, %j: index, %length: tensor<i32>):
    %x = tensor.extract %length[] : tensor<i32>
    %y = arith.index_cast %x : i32 to index
    %keep = arith.cmpi slt, %j, %y : index
    stof.yield %keep : i1
  } : !stof.mask<8x8>
  return %m : !stof.mask<8x8>
}

// -----

/// A tensor that changes between the making of a mask and its use is copied for
/// the mask, which is evaluated only in the attention.

// CHECK-LABEL: func @captured_tensor_changes
// CHECK-SAME: (%{{.*}}: memref<1x2x8x4xf16>, %[[SEEN:.*]]: memref<8xi1>, %{{.*}}: i1
func.func @captured_tensor_changes(%q: tensor<1x2x8x4xf16>, %seen: tensor<8xi1>, %off: i1,
                                   %out: tensor<1x2x8x4xf16>) -> (tensor<1x2x8x4xf16>, tensor<8xi1>) {
  // CHECK: %[[COPY:.*]] = memref.alloc() {{.*}} : memref<8xi1>
  // CHECK: memref.copy %[[SEEN]], %[[COPY]]
  // CHECK: stof.mask captures(%[[COPY]] : memref<8xi1>)
  // CHECK: memref.store %{{.*}}, %[[SEEN]]
  // CHECK: stof.attention
  %c0 = arith.constant 0 : index
  %m = stof.mask captures(%seen : tensor<8xi1>) {
  ^bb0(%b: index, %h: index, %i: index, %j: index, %now: tensor<8xi1>):
    %keep = tensor.extract %now[%j] : tensor<8xi1>
    stof.yield %keep : i1
  } : !stof.mask<8x8>
  %later = tensor.insert %off into %seen[%c0] : tensor<8xi1>
  %r = stof.attention ins(%q, %q, %q : tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>)
      mask(%m : !stof.mask<8x8>) outs(%out : tensor<1x2x8x4xf16>) -> tensor<1x2x8x4xf16>
  return %r, %later : tensor<1x2x8x4xf16>, tensor<8xi1>
}

/// What was written before the mask, or is written after its last use, costs no
/// copy.

// CHECK-LABEL: func @negative_captured_tensor_changes
func.func @negative_captured_tensor_changes(%q: tensor<1x2x8x4xf16>, %seen: tensor<8xi1>, %off: i1,
                                            %out: tensor<1x2x8x4xf16>) -> (tensor<1x2x8x4xf16>, tensor<8xi1>) {
  // CHECK-NOT: alloc
  // CHECK-NOT: copy
  // CHECK: return
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %before = tensor.insert %off into %seen[%c1] : tensor<8xi1>
  %m = stof.mask captures(%before : tensor<8xi1>) {
  ^bb0(%b: index, %h: index, %i: index, %j: index, %now: tensor<8xi1>):
    %keep = tensor.extract %now[%j] : tensor<8xi1>
    stof.yield %keep : i1
  } : !stof.mask<8x8>
  %r = stof.attention ins(%q, %q, %q : tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>)
      mask(%m : !stof.mask<8x8>) outs(%out : tensor<1x2x8x4xf16>) -> tensor<1x2x8x4xf16>
  %later = tensor.insert %off into %before[%c0] : tensor<8xi1>
  return %r, %later : tensor<1x2x8x4xf16>, tensor<8xi1>
}

/// In a loop, too: each turn makes its mask after the write of the turn before.

// CHECK-LABEL: func @negative_changes_in_a_loop
func.func @negative_changes_in_a_loop(%q: tensor<1x2x8x4xf16>, %seen: tensor<8xi1>, %off: i1,
                                      %out: tensor<1x2x8x4xf16>) -> (tensor<1x2x8x4xf16>, tensor<8xi1>) {
  // CHECK-NOT: alloc
  // CHECK-NOT: copy
  // CHECK: return
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r:2 = scf.for %n = %c0 to %c8 step %c1 iter_args(%o = %out, %now = %seen) -> (tensor<1x2x8x4xf16>, tensor<8xi1>) {
    %m = stof.mask captures(%now : tensor<8xi1>) {
    ^bb0(%b: index, %h: index, %i: index, %j: index, %flags: tensor<8xi1>):
      %keep = tensor.extract %flags[%j] : tensor<8xi1>
      stof.yield %keep : i1
    } : !stof.mask<8x8>
    %t = stof.attention ins(%q, %q, %q : tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>)
        mask(%m : !stof.mask<8x8>) outs(%o : tensor<1x2x8x4xf16>) -> tensor<1x2x8x4xf16>
    %next = tensor.insert %off into %now[%n] : tensor<8xi1>
    scf.yield %t, %next : tensor<1x2x8x4xf16>, tensor<8xi1>
  }
  return %r#0, %r#1 : tensor<1x2x8x4xf16>, tensor<8xi1>
}

/// A mask that is handed on may be used after any later write.

// CHECK-LABEL: func @handed_on
// CHECK-SAME: (%[[SEEN:.*]]: memref<8xi1>
func.func @handed_on(%seen: tensor<8xi1>, %off: i1) -> (!stof.mask<8x8>, tensor<8xi1>) {
  // CHECK: %[[COPY:.*]] = memref.alloc()
  // CHECK: stof.mask captures(%[[COPY]] : memref<8xi1>)
  %c0 = arith.constant 0 : index
  %m = stof.mask captures(%seen : tensor<8xi1>) {
  ^bb0(%b: index, %h: index, %i: index, %j: index, %now: tensor<8xi1>):
    %keep = tensor.extract %now[%j] : tensor<8xi1>
    stof.yield %keep : i1
  } : !stof.mask<8x8>
  %later = tensor.insert %off into %seen[%c0] : tensor<8xi1>
  return %m, %later : !stof.mask<8x8>, tensor<8xi1>
}

// -----

/// Tiled, fused and bufferized, no tile is copied.

// CHECK-LABEL: func @tiled
func.func @tiled(%q: tensor<1x2x64x4xf16>, %k: tensor<1x2x64x4xf16>, %out: tensor<1x2x64x4xf16>) -> tensor<1x2x64x4xf16> {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  // CHECK-NOT: alloc
  // CHECK: scf.for
  // CHECK: memref.subview
  // CHECK: stof.attention {{.*}} memref<1x2x16x4xf16, strided<
  // CHECK-NOT: copy
  // CHECK: return
  %r = scf.for %i = %c0 to %c64 step %c16 iter_args(%o = %out) -> (tensor<1x2x64x4xf16>) {
    %qt = tensor.extract_slice %q[0, 0, %i, 0] [1, 2, 16, 4] [1, 1, 1, 1] : tensor<1x2x64x4xf16> to tensor<1x2x16x4xf16>
    %ot = tensor.extract_slice %o[0, 0, %i, 0] [1, 2, 16, 4] [1, 1, 1, 1] : tensor<1x2x64x4xf16> to tensor<1x2x16x4xf16>
    %t = stof.attention ins(%qt, %k, %k : tensor<1x2x16x4xf16>, tensor<1x2x64x4xf16>, tensor<1x2x64x4xf16>)
        outs(%ot : tensor<1x2x16x4xf16>) -> tensor<1x2x16x4xf16>
    %next = tensor.insert_slice %t into %o[0, 0, %i, 0] [1, 2, 16, 4] [1, 1, 1, 1] : tensor<1x2x16x4xf16> into tensor<1x2x64x4xf16>
    scf.yield %next : tensor<1x2x64x4xf16>
  }
  return %r : tensor<1x2x64x4xf16>
}
