// RUN: stof-opt %s --transform-interpreter --canonicalize --cse --mlir-print-local-scope --split-input-file | FileCheck %s

/// A tile of queries is an attention whose mask adds the tile's place to the
/// query, and nothing to the coordinates that the predicate ignores.

// CHECK-LABEL: func @queries
// CHECK-SAME: (%[[Q:.*]]: tensor<2x4x128x64xf16>, %[[K:[^ ]*]]: tensor
func.func @queries(%q: tensor<2x4x128x64xf16>, %k: tensor<2x4x96x64xf16>, %v: tensor<2x4x96x32xf16>,
                   %o: tensor<2x4x128x32xf16>, %l: tensor<2x4x128xf32>) -> (tensor<2x4x128x32xf16>, tensor<2x4x128xf32>) {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.cmpi ule, %j, %i : index
    stof.yield %keep : i1
  } : !stof.mask<128x96>
  // CHECK: scf.for %[[I:[^ ]*]] = %{{.*}} iter_args(%[[OUT:[^ ]*]] = %{{.*}}, %[[LSE:[^ ]*]] = %{{[^)]*}})
  // CHECK: %[[M:[^ ]*]] = stof.mask captures(%[[I]] : index)
  // CHECK: ^bb0(%{{.*}}: index, %{{.*}}: index, %[[ROW:.*]]: index, %[[COL:.*]]: index, %[[AT:.*]]: index):
  // CHECK: %[[GLOBAL:[^ ]*]] = arith.addi %[[ROW]], %[[AT]] : index
  // CHECK: arith.cmpi ule, %[[COL]], %[[GLOBAL]] : index
  // CHECK: } : !stof.mask<32x96>
  // CHECK-DAG: %[[QT:[^ ]*]] = tensor.extract_slice %[[Q]][0, 0, %[[I]], 0] [2, 4, 32, 64] [1, 1, 1, 1]
  // CHECK-DAG: %[[OT:[^ ]*]] = tensor.extract_slice %[[OUT]][0, 0, %[[I]], 0] [2, 4, 32, 32] [1, 1, 1, 1]
  // CHECK-DAG: %[[LT:[^ ]*]] = tensor.extract_slice %[[LSE]][0, 0, %[[I]]] [2, 4, 32] [1, 1, 1]
  // CHECK: %[[R:.*]]:2 = stof.attention ins(%[[QT]], %[[K]], %{{.*}} : tensor<2x4x32x64xf16>, tensor<2x4x96x64xf16>, tensor<2x4x96x32xf16>)
  // CHECK-SAME: mask(%[[M]] : !stof.mask<32x96>) outs(%[[OT]] : tensor<2x4x32x32xf16>, lse %[[LT]] : tensor<2x4x32xf32>)
  // CHECK-SAME: scale 1.250000e-01 empty_rows(mean)
  // CHECK-DAG: tensor.insert_slice %[[R]]#0 into %[[OUT]][0, 0, %[[I]], 0]
  // CHECK-DAG: tensor.insert_slice %[[R]]#1 into %[[LSE]][0, 0, %[[I]]]
  %r:2 = stof.attention ins(%q, %k, %v : tensor<2x4x128x64xf16>, tensor<2x4x96x64xf16>, tensor<2x4x96x32xf16>)
      mask(%m : !stof.mask<128x96>) outs(%o : tensor<2x4x128x32xf16>, lse %l : tensor<2x4x128xf32>)
      scale 0.125 empty_rows(mean) -> tensor<2x4x128x32xf16>, tensor<2x4x128xf32>
  return %r#0, %r#1 : tensor<2x4x128x32xf16>, tensor<2x4x128xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["stof.attention"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %op tile_sizes [0, 0, 32] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

/// The mask of fully masked rows is tiled like the other one.

// CHECK-LABEL: func @two_masks
func.func @two_masks(%q: tensor<2x4x128x64xf16>, %o: tensor<2x4x128x64xf16>) -> tensor<2x4x128x64xf16> {
  %keeps = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.cmpi ult, %j, %i : index
    stof.yield %keep : i1
  } : !stof.mask<128x128>
  %others = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.cmpi ule, %j, %i : index
    stof.yield %keep : i1
  } : !stof.mask<128x128>
  // CHECK: scf.for %[[I:[^ ]*]] =
  // CHECK: %[[M:[^ ]*]] = stof.mask captures(%[[I]] : index)
  // CHECK: arith.cmpi ult
  // CHECK: %[[OTHER:[^ ]*]] = stof.mask captures(%[[I]] : index)
  // CHECK: arith.cmpi ule
  // CHECK: stof.attention {{.*}} mask(%[[M]] : !stof.mask<32x128>) {{.*}} empty_rows(mean over %[[OTHER]] : !stof.mask<32x128>)
  %r = stof.attention ins(%q, %q, %q : tensor<2x4x128x64xf16>, tensor<2x4x128x64xf16>, tensor<2x4x128x64xf16>)
      mask(%keeps : !stof.mask<128x128>) outs(%o : tensor<2x4x128x64xf16>)
      empty_rows(mean over %others : !stof.mask<128x128>) -> tensor<2x4x128x64xf16>
  return %r : tensor<2x4x128x64xf16>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["stof.attention"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %op tile_sizes [0, 0, 32] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

/// Batch and heads tile as well; the score sees where it is, sinks are cut with
/// the heads, and a tile of one head reads the one key head of its group.

// CHECK-LABEL: func @one_head
// CHECK-SAME: (%{{.*}}: tensor<2x8x16x4xf32>, %[[K:.*]]: tensor<2x2x16x4xf32>, %[[SINKS:.*]]: tensor<8xf32>, %[[SLOPES:.*]]: tensor<8xf32>
func.func @one_head(%q: tensor<2x8x16x4xf32>, %k: tensor<2x2x16x4xf32>, %sinks: tensor<8xf32>, %slopes: tensor<8xf32>,
                    %s: f32) -> tensor<2x8x16x4xf32> {
  // CHECK: scf.forall (%[[B:.*]], %[[H:.*]]) in (2, 8)
  // CHECK-DAG: %[[KH:[^ ]*]] = affine.apply affine_map<(d0) -> (d0 floordiv 4)>(%[[H]])
  // CHECK-DAG: %[[KT:[^ ]*]] = tensor.extract_slice %[[K]][%[[B]], %[[KH]], 0, 0] [1, 1, 16, 4] [1, 1, 1, 1]
  // CHECK-DAG: %[[ST:[^ ]*]] = tensor.extract_slice %[[SINKS]][%[[H]]] [1] [1]
  // CHECK: stof.attention ins(%{{.*}}, %[[KT]], %[[KT]] : tensor<1x1x16x4xf32>, tensor<1x1x16x4xf32>, tensor<1x1x16x4xf32>)
  // CHECK-SAME: sinks(%[[ST]] : tensor<1xf32>) captures(%[[SLOPES]], %[[H]] : tensor<8xf32>, index)
  // CHECK-SAME: times %{{.*}} score {
  // CHECK: ^bb0(%[[X:.*]]: f32, %{{.*}}: index, %[[LOCAL:.*]]: index, %{{.*}}: index, %{{.*}}: index, %[[SLOPE:.*]]: tensor<8xf32>, %[[AT:.*]]: index):
  // CHECK: %[[GLOBAL:[^ ]*]] = arith.addi %[[LOCAL]], %[[AT]] : index
  // CHECK: tensor.extract %[[SLOPE]][%[[GLOBAL]]]
  %r = stof.attention ins(%q, %k, %k : tensor<2x8x16x4xf32>, tensor<2x2x16x4xf32>, tensor<2x2x16x4xf32>)
      sinks(%sinks : tensor<8xf32>) captures(%slopes : tensor<8xf32>) outs(%q : tensor<2x8x16x4xf32>) times %s score {
  ^bb0(%x: f32, %b: index, %h: index, %i: index, %j: index, %slope: tensor<8xf32>):
    %a = tensor.extract %slope[%h] : tensor<8xf32>
    %y = arith.addf %x, %a : f32
    stof.yield %y : f32
  } -> tensor<2x8x16x4xf32>
  return %r : tensor<2x8x16x4xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["stof.attention"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_forall %op tile_sizes [1, 1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

/// A tile of whole groups reads as many key heads; the last tile may have fewer.

// CHECK-LABEL: func @whole_groups
// CHECK-SAME: (%{{.*}}: tensor<1x12x16x4xf32>, %[[K:.*]]: tensor<1x6x16x4xf32>)
func.func @whole_groups(%q: tensor<1x12x16x4xf32>, %k: tensor<1x6x16x4xf32>) -> tensor<1x12x16x4xf32> {
  // CHECK: scf.for %[[H:[^ ]*]] = %{{.*}} to %{{.*}} step %{{.*}}
  // CHECK: %[[N:[^ ]*]] = affine.min affine_map<(d0) -> (-d0 + 12, 8)>(%[[H]])
  // CHECK-DAG: %[[KH:[^ ]*]] = affine.apply affine_map<(d0) -> (d0 floordiv 2)>(%[[H]])
  // CHECK-DAG: %[[KN:[^ ]*]] = affine.apply affine_map<(d0) -> (d0 floordiv 2)>(%[[N]])
  // CHECK: tensor.extract_slice %[[K]][0, %[[KH]], 0, 0] [1, %[[KN]], 16, 4] [1, 1, 1, 1]
  // CHECK: stof.attention
  %r = stof.attention ins(%q, %k, %k : tensor<1x12x16x4xf32>, tensor<1x6x16x4xf32>, tensor<1x6x16x4xf32>)
      outs(%q : tensor<1x12x16x4xf32>) -> tensor<1x12x16x4xf32>
  return %r : tensor<1x12x16x4xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["stof.attention"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %op tile_sizes [0, 8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

/// Nothing needs to be static but what the grouping of heads is read from.

// CHECK-LABEL: func @dynamic
// CHECK-SAME: (%[[Q:.*]]: tensor<?x8x?x?xf16>, %[[K:[^ ]*]]: tensor
func.func @dynamic(%q: tensor<?x8x?x?xf16>, %k: tensor<?x2x?x?xf16>, %v: tensor<?x2x?x?xf16>, %width: index,
                   %o: tensor<?x8x?x?xf16>) -> tensor<?x8x?x?xf16> {
  %m = stof.mask captures(%width : index) {
  ^bb0(%b: index, %h: index, %i: index, %j: index, %w: index):
    %d = arith.subi %i, %j : index
    %keep = arith.cmpi ule, %d, %w : index
    stof.yield %keep : i1
  } : !stof.mask<?x?>
  // CHECK: scf.for %[[B:.*]] =
  // CHECK: scf.for %[[I:[^ ]*]] =
  // CHECK: %[[M:[^ ]*]] = stof.mask captures(%{{.*}}, %[[I]] : index, index)
  // CHECK: } : !stof.mask<?x?>
  // CHECK: stof.attention ins(%{{.*}} : tensor<1x8x?x?xf16>, tensor<1x2x?x?xf16>, tensor<1x2x?x?xf16>) mask(%[[M]]
  %r = stof.attention ins(%q, %k, %v : tensor<?x8x?x?xf16>, tensor<?x2x?x?xf16>, tensor<?x2x?x?xf16>)
      mask(%m : !stof.mask<?x?>) outs(%o : tensor<?x8x?x?xf16>) -> tensor<?x8x?x?xf16>
  return %r : tensor<?x8x?x?xf16>
}

/// One key head serves any tile of heads, and heads that are not cut may be of
/// any number.

// CHECK-LABEL: func @one_key_head
func.func @one_key_head(%q: tensor<1x?x?x4xf16>, %k: tensor<1x1x?x4xf16>) -> tensor<1x?x?x4xf16> {
  // CHECK: stof.attention {{.*}} tensor<1x1x?x4xf16>, tensor<1x1x?x4xf16>)
  %r = stof.attention ins(%q, %k, %k : tensor<1x?x?x4xf16>, tensor<1x1x?x4xf16>, tensor<1x1x?x4xf16>)
      outs(%q : tensor<1x?x?x4xf16>) -> tensor<1x?x?x4xf16>
  return %r : tensor<1x?x?x4xf16>
}

// CHECK-LABEL: func @uncut_heads
func.func @uncut_heads(%q: tensor<1x?x?x4xf16>, %k: tensor<1x?x?x4xf16>) -> tensor<1x?x?x4xf16> {
  // CHECK: scf.for
  // CHECK: stof.attention {{.*}} tensor<1x?x?x4xf16>, tensor<1x?x?x4xf16>)
  %r = stof.attention ins(%q, %k, %k : tensor<1x?x?x4xf16>, tensor<1x?x?x4xf16>, tensor<1x?x?x4xf16>)
      outs(%q : tensor<1x?x?x4xf16>) -> tensor<1x?x?x4xf16>
  return %r : tensor<1x?x?x4xf16>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["stof.attention"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loops:2 = transform.structured.tile_using_for %op tile_sizes [1, 0, 32] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

/// A list of key blocks is cut where a block of queries starts.

// CHECK-LABEL: func @listed_blocks
// CHECK-SAME: %[[ROWS:[^ ]*]]: tensor<5xi32>, %[[COLS:.*]]: tensor<?xi32>
func.func @listed_blocks(%q: tensor<1x2x256x4xf16>, %rows: tensor<5xi32>, %cols: tensor<?xi32>) -> tensor<1x2x256x4xf16> {
  %m = stof.block_mask %rows, %cols block(64, 64) : tensor<5xi32>, tensor<?xi32> -> !stof.mask<256x256>
  // CHECK: scf.for %[[I:[^ ]*]] =
  // CHECK: %[[FIRST:[^ ]*]] = affine.apply affine_map<(d0) -> (d0 floordiv 64)>(%[[I]])
  // CHECK: %[[PART:[^ ]*]] = tensor.extract_slice %[[ROWS]][%[[FIRST]]] [3] [1]
  // CHECK: stof.block_mask %[[PART]], %[[COLS]] block(64, 64) : tensor<3xi32>, tensor<?xi32> -> !stof.mask<128x256>
  %r = stof.attention ins(%q, %q, %q : tensor<1x2x256x4xf16>, tensor<1x2x256x4xf16>, tensor<1x2x256x4xf16>)
      mask(%m : !stof.mask<256x256>) outs(%q : tensor<1x2x256x4xf16>) -> tensor<1x2x256x4xf16>
  return %r : tensor<1x2x256x4xf16>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["stof.attention"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %op tile_sizes [0, 0, 128] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

/// Batches take their lists with them, but not the keys that all share.

// CHECK-LABEL: func @pages
// CHECK-SAME: (%{{.*}}: tensor<8x2x1x4xf16>, %[[K:.*]]: tensor<1x2x256x4xf16>, %[[ROWS:[^ ]*]]: tensor<8x2xi32>, %[[COLS:.*]]: tensor<?xi32>, %[[LENGTHS:.*]]: tensor<8x1xi32>)
func.func @pages(%q: tensor<8x2x1x4xf16>, %k: tensor<1x2x256x4xf16>, %rows: tensor<8x2xi32>, %cols: tensor<?xi32>, %lengths: tensor<8x1xi32>) -> tensor<8x2x1x4xf16> {
  %m = stof.block_mask %rows, %cols lengths(%lengths : tensor<8x1xi32>) block(1, 16) : tensor<8x2xi32>, tensor<?xi32> -> !stof.mask<1x256>
  // CHECK: scf.for %[[B:[^ ]*]] =
  // CHECK-DAG: %[[PART:[^ ]*]] = tensor.extract_slice %[[ROWS]][%[[B]], 0] [4, 2] [1, 1]
  // CHECK-DAG: %[[OF_PART:[^ ]*]] = tensor.extract_slice %[[LENGTHS]][%[[B]], 0] [4, 1] [1, 1]
  // CHECK: stof.block_mask %[[PART]], %[[COLS]] lengths(%[[OF_PART]] : tensor<4x1xi32>) block(1, 16) : tensor<4x2xi32>, tensor<?xi32> -> !stof.mask<1x256>
  // CHECK: stof.attention ins(%{{.*}}, %[[K]], %[[K]] : tensor<4x2x1x4xf16>, tensor<1x2x256x4xf16>, tensor<1x2x256x4xf16>)
  %r = stof.attention ins(%q, %k, %k : tensor<8x2x1x4xf16>, tensor<1x2x256x4xf16>, tensor<1x2x256x4xf16>)
      mask(%m : !stof.mask<1x256>) outs(%q : tensor<8x2x1x4xf16>) -> tensor<8x2x1x4xf16>
  return %r : tensor<8x2x1x4xf16>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["stof.attention"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %op tile_sizes [4, 0, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

/// Buffers are cut by subviews.

// CHECK-LABEL: func @buffers
// CHECK-SAME: (%[[Q:.*]]: memref<1x2x16x4xf32>, %[[O:.*]]: memref<1x2x16x4xf32>)
func.func @buffers(%q: memref<1x2x16x4xf32>, %o: memref<1x2x16x4xf32>) {
  // CHECK: scf.for %[[I:[^ ]*]] =
  // CHECK-DAG: memref.subview %[[Q]][0, 0, %[[I]], 0]
  // CHECK-DAG: memref.subview %[[O]][0, 0, %[[I]], 0]
  // CHECK: stof.attention
  stof.attention ins(%q, %q, %q : memref<1x2x16x4xf32>, memref<1x2x16x4xf32>, memref<1x2x16x4xf32>)
      outs(%o : memref<1x2x16x4xf32>)
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["stof.attention"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %op tile_sizes [0, 0, 8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
