// RUN: stof-opt %s --pass-pipeline='builtin.module(func.func(stof-pack-heads),canonicalize)' -split-input-file | FileCheck %s
// RUN: stof-opt %s --pass-pipeline='builtin.module(func.func(stof-pack-heads))' --remarks-filter="stof-pack.*" -split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

/// Of one query, the four heads of a group are the rows of their key head.

// CHECK-LABEL: func @one_query
// CHECK-SAME: %[[Q:[a-z0-9]*]]: tensor<2x32x1x128xf16>, %[[K:[a-z0-9]*]]: tensor<2x8x4096x128xf16>, %[[V:[a-z0-9]*]]: tensor<2x8x4096x128xf16>, %[[INIT:.*]]: tensor
// CHECK: %[[GROUPS:.*]] = tensor.expand_shape %[[Q]] {{\[\[}}0], [1, 2], [3], [4]] output_shape [2, 8, 4, 1, 128]
// CHECK: %[[ROWS:.*]] = tensor.collapse_shape %[[GROUPS]] {{\[\[}}0], [1], [2, 3], [4]]
// CHECK: %[[INITS:.*]] = tensor.collapse_shape %{{.*}} {{\[\[}}0], [1], [2, 3], [4]]
// CHECK: %[[O:.*]] = stof.attention ins(%[[ROWS]], %[[K]], %[[V]] : tensor<2x8x4x128xf16>, tensor<2x8x4096x128xf16>, tensor<2x8x4096x128xf16>)
// CHECK-SAME: outs(%[[INITS]] : tensor<2x8x4x128xf16>) scale 1.250000e-01
// CHECK: %[[DIVIDED:.*]] = tensor.expand_shape %[[O]] {{\[\[}}0], [1], [2, 3], [4]] output_shape [2, 8, 4, 1, 128]
// CHECK: tensor.collapse_shape %[[DIVIDED]] {{\[\[}}0], [1, 2], [3], [4]] : {{.*}} into tensor<2x32x1x128xf16>
// REMARK: remark: [Passed] PackedHeads | {{.*}}Heads=4, Queries=1
func.func @one_query(%q: tensor<2x32x1x128xf16>, %k: tensor<2x8x4096x128xf16>, %v: tensor<2x8x4096x128xf16>, %init: tensor<2x32x1x128xf16>) -> tensor<2x32x1x128xf16> {
  %o = stof.attention ins(%q, %k, %v : tensor<2x32x1x128xf16>, tensor<2x8x4096x128xf16>, tensor<2x8x4096x128xf16>)
      outs(%init : tensor<2x32x1x128xf16>) scale 0.125 -> tensor<2x32x1x128xf16>
  return %o : tensor<2x32x1x128xf16>
}

// -----

/// The mask of one query is the same for all rows. Batches and keys may be dynamic.

// CHECK-LABEL: func @one_query_masked
// CHECK: %[[M:.*]] = stof.mask captures(%{{.*}} : index) {
// CHECK-NEXT: ^bb0(%{{.*}}: index, %{{.*}}: index, %{{.*}}: index, %[[K:.*]]: index, %[[N:.*]]: index):
// CHECK-NEXT: %[[KEEP:.*]] = arith.cmpi slt, %[[K]], %[[N]]
// CHECK-NEXT: stof.yield %[[KEEP]]
// CHECK-NEXT: } : !stof.mask<8x?>
// CHECK: stof.attention {{.*}} mask(%[[M]] : !stof.mask<8x?>) {{.*}} empty_rows(nan) -> tensor<?x1x8x64xf16>
func.func @one_query_masked(%q: tensor<?x8x1x64xf16>, %k: tensor<?x1x?x64xf16>, %v: tensor<?x1x?x64xf16>, %init: tensor<?x8x1x64xf16>, %length: index) -> tensor<?x8x1x64xf16> {
  %m = stof.mask captures(%length : index) {
  ^bb0(%b: index, %h: index, %i: index, %j: index, %n: index):
    %end = arith.addi %i, %n : index
    %keep = arith.cmpi slt, %j, %end : index
    stof.yield %keep : i1
  } : !stof.mask<1x?>
  %o = stof.attention ins(%q, %k, %v : tensor<?x8x1x64xf16>, tensor<?x1x?x64xf16>, tensor<?x1x?x64xf16>) mask(%m : !stof.mask<1x?>)
      outs(%init : tensor<?x8x1x64xf16>) empty_rows(nan) -> tensor<?x8x1x64xf16>
  return %o : tensor<?x8x1x64xf16>
}

// -----

/// The mask of fully masked rows is that of packed rows as well.

// CHECK-LABEL: func @two_masks
// CHECK: %[[M:.*]] = stof.mask {
// CHECK: arith.cmpi ult
// CHECK: %[[OTHER:.*]] = stof.mask {
// CHECK: arith.remui
// CHECK: arith.cmpi ule
// CHECK: } : !stof.mask<8x16>
// CHECK: stof.attention {{.*}} mask(%[[M]] : !stof.mask<8x16>) {{.*}} empty_rows(mean over %[[OTHER]] : !stof.mask<8x16>)
func.func @two_masks(%q: tensor<1x8x2x64xf16>, %k: tensor<1x2x16x64xf16>, %init: tensor<1x8x2x64xf16>) -> tensor<1x8x2x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.cmpi ult, %j, %i : index
    stof.yield %keep : i1
  } : !stof.mask<2x16>
  %other = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.cmpi ule, %j, %i : index
    stof.yield %keep : i1
  } : !stof.mask<2x16>
  %o = stof.attention ins(%q, %k, %k : tensor<1x8x2x64xf16>, tensor<1x2x16x64xf16>, tensor<1x2x16x64xf16>) mask(%m : !stof.mask<2x16>)
      outs(%init : tensor<1x8x2x64xf16>) empty_rows(mean over %other : !stof.mask<2x16>) -> tensor<1x8x2x64xf16>
  return %o : tensor<1x8x2x64xf16>
}

// -----

/// A mask of fully masked rows that depends on the query head is refused.

// CHECK-LABEL: func @negative_other_mask_of_heads
// CHECK: stof.attention {{.*}} outs(%{{.*}} : tensor<1x8x2x64xf16>)
// REMARK: remark: [Missed] PackedHeads | {{.*}}its mask depends on the query head
func.func @negative_other_mask_of_heads(%q: tensor<1x8x2x64xf16>, %k: tensor<1x2x16x64xf16>, %init: tensor<1x8x2x64xf16>) -> tensor<1x8x2x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.cmpi ult, %j, %i : index
    stof.yield %keep : i1
  } : !stof.mask<2x16>
  %other = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.cmpi ule, %j, %h : index
    stof.yield %keep : i1
  } : !stof.mask<2x16>
  %o = stof.attention ins(%q, %k, %k : tensor<1x8x2x64xf16>, tensor<1x2x16x64xf16>, tensor<1x2x16x64xf16>) mask(%m : !stof.mask<2x16>)
      outs(%init : tensor<1x8x2x64xf16>) empty_rows(mean over %other : !stof.mask<2x16>) -> tensor<1x8x2x64xf16>
  return %o : tensor<1x8x2x64xf16>
}

// -----

/// Of several queries, a row gives the query modulo their number, and the score region reads the slope of its head.

// CHECK-LABEL: func @queries
// CHECK: stof.mask {
// CHECK-NEXT: ^bb0(%{{.*}}: index, %{{.*}}: index, %[[ROW:.*]]: index, %[[K:.*]]: index):
// CHECK: %[[Q:.*]] = arith.remui %[[ROW]], %c5
// CHECK: arith.cmpi sle, %[[K]],
// CHECK: } : !stof.mask<15x300>
// CHECK: stof.attention ins({{[^:]*}} : tensor<1x4x15x64xf16>,
// CHECK-SAME: captures(%{{[^ ]*}} : tensor<12xf32>) outs({{.*}}, lse %{{[^ ]*}} : tensor<1x4x15xf32>)
// CHECK: ^bb0(%{{.*}}: f32, %{{.*}}: index, %[[HEAD:.*]]: index, %[[ROW:.*]]: index, %{{.*}}: index, %[[SLOPE:.*]]: tensor<12xf32>):
// CHECK: %[[FIRST:.*]] = arith.muli %[[HEAD]], %c3
// CHECK: %[[WITHIN:.*]] = arith.divui %[[ROW]], %c5
// CHECK: %[[OF:.*]] = arith.addi %[[FIRST]], %[[WITHIN]]
// CHECK: tensor.extract %[[SLOPE]][%[[OF]]]
// CHECK: tensor.collapse_shape %{{.*}} {{\[\[}}0], [1, 2], [3]] : tensor<1x4x3x5xf32> into tensor<1x12x5xf32>
// REMARK: remark: [Passed] PackedHeads | {{.*}}Heads=3, Queries=5
func.func @queries(%q: tensor<1x12x5x64xf16>, %k: tensor<1x4x300x64xf16>, %v: tensor<1x4x300x64xf16>, %init: tensor<1x12x5x64xf16>, %lse: tensor<1x12x5xf32>, %slopes: tensor<12xf32>) -> (tensor<1x12x5x64xf16>, tensor<1x12x5xf32>) {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %c295 = arith.constant 295 : index
    %end = arith.addi %i, %c295 : index
    %keep = arith.cmpi sle, %j, %end : index
    stof.yield %keep : i1
  } : !stof.mask<5x300>
  %o:2 = stof.attention ins(%q, %k, %v : tensor<1x12x5x64xf16>, tensor<1x4x300x64xf16>, tensor<1x4x300x64xf16>) mask(%m : !stof.mask<5x300>)
      captures(%slopes : tensor<12xf32>) outs(%init : tensor<1x12x5x64xf16>, lse %lse : tensor<1x12x5xf32>)
      score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %slope: tensor<12xf32>):
        %of = tensor.extract %slope[%h] : tensor<12xf32>
        %biased = arith.addf %s, %of : f32
        stof.yield %biased : f32
      } -> tensor<1x12x5x64xf16>, tensor<1x12x5xf32>
  return %o#0, %o#1 : tensor<1x12x5x64xf16>, tensor<1x12x5xf32>
}

// -----

/// A key head has a sink for each of its query heads, in order.

// CHECK-LABEL: func @sinks
// CHECK-SAME: %[[SINKS:[a-z0-9]*]]: tensor<8xf32>, %[[PARTS:[a-z0-9]*]]: tensor<8x2xf32>
// CHECK: %[[OF_HEADS:.*]] = tensor.expand_shape %[[SINKS]] {{\[\[}}0, 1]] {{.*}} : tensor<8xf32> into tensor<2x4xf32>
// CHECK: stof.attention {{.*}} sinks(%[[OF_HEADS]] : tensor<2x4xf32>)
// CHECK: %[[OF_GROUPS:.*]] = tensor.expand_shape %[[PARTS]] {{\[\[}}0, 1], [2]] output_shape [2, 4, 2]
// CHECK: %[[OF_PARTS:.*]] = tensor.collapse_shape %[[OF_GROUPS]] {{\[\[}}0], [1, 2]] : tensor<2x4x2xf32> into tensor<2x8xf32>
// CHECK: stof.attention {{.*}} sinks(%[[OF_PARTS]] : tensor<2x8xf32>)
func.func @sinks(%q: tensor<1x8x4x64xf16>, %k: tensor<1x2x96x64xf16>, %init: tensor<1x8x4x64xf16>, %sinks: tensor<8xf32>, %parts: tensor<8x2xf32>) -> (tensor<1x8x4x64xf16>, tensor<1x8x4x64xf16>) {
  %0 = stof.attention ins(%q, %k, %k : tensor<1x8x4x64xf16>, tensor<1x2x96x64xf16>, tensor<1x2x96x64xf16>)
      sinks(%sinks : tensor<8xf32>) outs(%init : tensor<1x8x4x64xf16>) -> tensor<1x8x4x64xf16>
  %1 = stof.attention ins(%q, %k, %k : tensor<1x8x4x64xf16>, tensor<1x2x96x64xf16>, tensor<1x2x96x64xf16>)
      sinks(%parts : tensor<8x2xf32>) outs(%init : tensor<1x8x4x64xf16>) -> tensor<1x8x4x64xf16>
  return %0, %1 : tensor<1x8x4x64xf16>, tensor<1x8x4x64xf16>
}

// -----

/// A list of blocks that all queries are in is one for all rows.

// CHECK-LABEL: func @blocks
// CHECK: stof.block_mask %{{.*}}, %{{.*}} block(8, 64) : tensor<2xi32>, tensor<?xi32> -> !stof.mask<8x512>
// CHECK: stof.attention {{.*}} tensor<1x2x8x64xf16>
func.func @blocks(%q: tensor<1x8x2x64xf16>, %k: tensor<1x2x512x64xf16>, %init: tensor<1x8x2x64xf16>, %rows: tensor<2xi32>, %columns: tensor<?xi32>) -> tensor<1x8x2x64xf16> {
  %m = stof.block_mask %rows, %columns block(64, 64) : tensor<2xi32>, tensor<?xi32> -> !stof.mask<2x512>
  %o = stof.attention ins(%q, %k, %k : tensor<1x8x2x64xf16>, tensor<1x2x512x64xf16>, tensor<1x2x512x64xf16>) mask(%m : !stof.mask<2x512>)
      outs(%init : tensor<1x8x2x64xf16>) -> tensor<1x8x2x64xf16>
  return %o : tensor<1x8x2x64xf16>
}

// -----

/// 60 queries fill tiles of 64 rows; without groups, there is nothing to pack, nor to say.

// CHECK-LABEL: func @filled
// CHECK-NOT: tensor.expand_shape
// CHECK: return
// REMARK: remark: [Missed] PackedHeads | {{.*}}Reason="the 60 queries of a head fill its tiles"
// REMARK-NOT: remark
func.func @filled(%q: tensor<1x8x60x64xf16>, %k: tensor<1x2x60x64xf16>, %init: tensor<1x8x60x64xf16>, %one: tensor<1x8x1x64xf16>) -> (tensor<1x8x60x64xf16>, tensor<1x8x1x64xf16>) {
  %0 = stof.attention ins(%q, %k, %k : tensor<1x8x60x64xf16>, tensor<1x2x60x64xf16>, tensor<1x2x60x64xf16>)
      outs(%init : tensor<1x8x60x64xf16>) -> tensor<1x8x60x64xf16>
  %1 = stof.attention ins(%one, %q, %q : tensor<1x8x1x64xf16>, tensor<1x8x60x64xf16>, tensor<1x8x60x64xf16>)
      outs(%one : tensor<1x8x1x64xf16>) -> tensor<1x8x1x64xf16>
  return %0, %1 : tensor<1x8x60x64xf16>, tensor<1x8x1x64xf16>
}

// -----

/// With a dynamic number of heads or queries, rows have no static place.

// CHECK-LABEL: func @dynamic(
// CHECK-NOT: tensor.expand_shape
// CHECK: return
// REMARK: remark: [Missed] PackedHeads | {{.*}}Reason="its numbers of heads and of queries are not static"
// REMARK: remark: [Missed] PackedHeads | {{.*}}Reason="its numbers of heads and of queries are not static"
func.func @dynamic(%q: tensor<1x8x?x64xf16>, %h: tensor<1x?x1x64xf16>, %k: tensor<1x2x60x64xf16>) -> (tensor<1x8x?x64xf16>, tensor<1x?x1x64xf16>) {
  %0 = stof.attention ins(%q, %k, %k : tensor<1x8x?x64xf16>, tensor<1x2x60x64xf16>, tensor<1x2x60x64xf16>)
      outs(%q : tensor<1x8x?x64xf16>) -> tensor<1x8x?x64xf16>
  %1 = stof.attention ins(%h, %k, %k : tensor<1x?x1x64xf16>, tensor<1x2x60x64xf16>, tensor<1x2x60x64xf16>)
      outs(%h : tensor<1x?x1x64xf16>) -> tensor<1x?x1x64xf16>
  return %0, %1 : tensor<1x8x?x64xf16>, tensor<1x?x1x64xf16>
}

// -----

/// All operands that are reshaped have to have static numbers of both.

// CHECK-LABEL: func @partly_dynamic
// CHECK-NOT: tensor.expand_shape
// CHECK: return
// REMARK: remark: [Missed] PackedHeads | {{.*}}Reason="its numbers of heads and of queries are not static"
// REMARK: remark: [Missed] PackedHeads | {{.*}}Reason="its numbers of heads and of queries are not static"
// REMARK: remark: [Missed] PackedHeads | {{.*}}Reason="its numbers of heads and of queries are not static"
func.func @partly_dynamic(%q: tensor<1x8x1x64xf16>, %k: tensor<1x2x60x64xf16>, %init: tensor<1x?x1x64xf16>, %lse: tensor<1x8x?xf32>, %sinks: tensor<?xf32>) -> (tensor<1x?x1x64xf16>, tensor<1x8x1x64xf16>, tensor<1x8x1x64xf16>) {
  %0 = stof.attention ins(%q, %k, %k : tensor<1x8x1x64xf16>, tensor<1x2x60x64xf16>, tensor<1x2x60x64xf16>)
      outs(%init : tensor<1x?x1x64xf16>) -> tensor<1x?x1x64xf16>
  %1:2 = stof.attention ins(%q, %k, %k : tensor<1x8x1x64xf16>, tensor<1x2x60x64xf16>, tensor<1x2x60x64xf16>)
      outs(%q : tensor<1x8x1x64xf16>, lse %lse : tensor<1x8x?xf32>) -> tensor<1x8x1x64xf16>, tensor<1x8x?xf32>
  %2 = stof.attention ins(%q, %k, %k : tensor<1x8x1x64xf16>, tensor<1x2x60x64xf16>, tensor<1x2x60x64xf16>)
      sinks(%sinks : tensor<?xf32>) outs(%q : tensor<1x8x1x64xf16>) -> tensor<1x8x1x64xf16>
  return %0, %1#0, %2 : tensor<1x?x1x64xf16>, tensor<1x8x1x64xf16>, tensor<1x8x1x64xf16>
}

// -----

/// A tile of several heads would visit the keys of all of them.

// CHECK-LABEL: func @mask_by_head
// CHECK-NOT: tensor.expand_shape
// CHECK: return
// REMARK: remark: [Missed] PackedHeads | {{.*}}Reason="its mask depends on the query head"
func.func @mask_by_head(%q: tensor<1x8x1x64xf16>, %k: tensor<1x2x512x64xf16>) -> tensor<1x8x1x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %c64 = arith.constant 64 : index
    %end = arith.muli %h, %c64 : index
    %keep = arith.cmpi sle, %j, %end : index
    stof.yield %keep : i1
  } : !stof.mask<1x512>
  %o = stof.attention ins(%q, %k, %k : tensor<1x8x1x64xf16>, tensor<1x2x512x64xf16>, tensor<1x2x512x64xf16>) mask(%m : !stof.mask<1x512>)
      outs(%q : tensor<1x8x1x64xf16>) -> tensor<1x8x1x64xf16>
  return %o : tensor<1x8x1x64xf16>
}

// -----

/// Nor can masks without a definition, lists of blocks of queries, given tiles and buffers be those of packed rows.

// CHECK-LABEL: func @refused
// CHECK-NOT: tensor.expand_shape
// CHECK: return
// REMARK: remark: [Missed] PackedHeads | {{.*}}Reason="its mask is not defined by a mask operation"
// REMARK: remark: [Missed] PackedHeads | {{.*}}Reason="its mask is a list of blocks, which divide the queries"
// REMARK: remark: [Missed] PackedHeads | {{.*}}Reason="its tiles or their order are given"
// REMARK: remark: [Missed] PackedHeads | {{.*}}Reason="it is on buffers"
func.func @refused(%q: tensor<1x8x2x64xf16>, %k: tensor<1x2x512x64xf16>, %m: !stof.mask<2x512>, %rows: tensor<3xi32>, %columns: tensor<?xi32>, %buffer: memref<1x8x2x64xf16>, %keys: memref<1x2x512x64xf16>) -> (tensor<1x8x2x64xf16>, tensor<1x8x2x64xf16>, tensor<1x8x2x64xf16>) {
  %0 = stof.attention ins(%q, %k, %k : tensor<1x8x2x64xf16>, tensor<1x2x512x64xf16>, tensor<1x2x512x64xf16>) mask(%m : !stof.mask<2x512>)
      outs(%q : tensor<1x8x2x64xf16>) -> tensor<1x8x2x64xf16>
  %blocks = stof.block_mask %rows, %columns block(1, 64) : tensor<3xi32>, tensor<?xi32> -> !stof.mask<2x512>
  %1 = stof.attention ins(%q, %k, %k : tensor<1x8x2x64xf16>, tensor<1x2x512x64xf16>, tensor<1x2x512x64xf16>) mask(%blocks : !stof.mask<2x512>)
      outs(%q : tensor<1x8x2x64xf16>) -> tensor<1x8x2x64xf16>
  %2 = stof.attention ins(%q, %k, %k : tensor<1x8x2x64xf16>, tensor<1x2x512x64xf16>, tensor<1x2x512x64xf16>)
      tile <queries = 16, keys = 64, warps = 1> outs(%q : tensor<1x8x2x64xf16>) -> tensor<1x8x2x64xf16>
  stof.attention ins(%buffer, %keys, %keys : memref<1x8x2x64xf16>, memref<1x2x512x64xf16>, memref<1x2x512x64xf16>)
      outs(%buffer : memref<1x8x2x64xf16>)
  return %0, %1, %2 : tensor<1x8x2x64xf16>, tensor<1x8x2x64xf16>, tensor<1x8x2x64xf16>
}
