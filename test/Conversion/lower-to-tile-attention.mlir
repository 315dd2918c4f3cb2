// RUN: stof-opt %s --stof-lower-to-tile --canonicalize --cse -split-input-file | FileCheck %s

/// Grouped heads, a mask that captures a tensor, lengths that fill no tile: the
/// whole algorithm in one loop.

// CHECK-LABEL: func @masked
// CHECK: gpu.launch_func @masked_kernels::@masked_0_attention blocks in (%c2, %c4, %c2)
// CHECK-LABEL: gpu.func @masked_0_attention
// CHECK-SAME: %[[Q:[^ ]*]]: memref<2x4x100x24xf16>, %{{[^ ]*}}: index, %[[K:[^ ]*]]: memref<2x2x?x24xf16>, %[[V:[^ ]*]]: memref<2x2x?x40xf16>
// CHECK-SAME: %[[LENGTHS:[^ ]*]]: memref<2xindex>, %[[O:[^ ]*]]: memref<2x4x100x40xf16>) kernel
// CHECK-SAME: stof.schedule = {features = 32 : i64, kernel = "block-wise", keys = 64 : i64, queries = 64 : i64, value_features = 48 : i64, warps = 4 : i64}
// CHECK: %[[HEAD:.*]] = gpu.block_id y
// CHECK: %[[KEY_HEAD:.*]] = arith.divui %[[HEAD]], %c2
// CHECK: %[[TQ:.*]] = tile.load %[[Q]]{{.*}} -> !tile.shared<64x32xf16>
// CHECK: %[[WALK:.*]]:3 = scf.for
// CHECK:   %[[TK:.*]] = tile.load %[[K]][%{{.*}}, %[[KEY_HEAD]],
// CHECK:   %[[S:.*]] = tile.contract %[[TQ]], %[[TK]], %{{.*}} transpose_rhs
// CHECK:   %[[X:.*]] = tile.map ins(%[[S]]
// CHECK:     memref.load %[[LENGTHS]]
// CHECK:     arith.select
// CHECK:   tile.reduce %[[X]] along 1
// CHECK:     arith.maxnumf
// CHECK:   %[[P:.*]] = tile.map ins(%[[X]],
// CHECK:     math.exp2
// CHECK:   tile.reduce %[[P]] along 1
// CHECK:     arith.addf
// CHECK:   %[[H:.*]] = tile.map ins(%[[P]] :
// CHECK:     arith.truncf
// CHECK:   %[[TV:.*]] = tile.load %[[V]]
// CHECK:   tile.contract %[[H]], %[[TV]]
// CHECK: %[[OUT:.*]] = tile.map ins(%[[WALK]]#2,
// CHECK: tile.store %[[OUT]], %[[O]]
func.func @masked(%q: tensor<2x4x100x24xf16>, %k: tensor<2x2x?x24xf16>, %v: tensor<2x2x?x40xf16>,
                  %lengths: tensor<2xindex>) -> tensor<2x4x100x40xf16> {
  %m = stof.mask captures(%lengths : tensor<2xindex>) {
  ^bb0(%b: index, %h: index, %i: index, %j: index, %n: tensor<2xindex>):
    %length = tensor.extract %n[%b] : tensor<2xindex>
    %keep = arith.cmpi slt, %j, %length : index
    stof.yield %keep : i1
  } : !stof.mask<100x?>
  %e = tensor.empty() : tensor<2x4x100x40xf16>
  %o = stof.attention ins(%q, %k, %v : tensor<2x4x100x24xf16>, tensor<2x2x?x24xf16>, tensor<2x2x?x40xf16>)
    mask(%m : !stof.mask<100x?>) outs(%e : tensor<2x4x100x40xf16>) scale 0.2 -> tensor<2x4x100x40xf16>
  return %o : tensor<2x4x100x40xf16>
}

// -----

/// Keys that fill their tiles and no mask: nothing is compared.

// CHECK-LABEL: gpu.func @dense_0_attention
// CHECK-NOT: arith.cmpi
// CHECK: gpu.return
func.func @dense(%q: tensor<1x1x128x64xf16>) -> tensor<1x1x128x64xf16> {
  %e = tensor.empty() : tensor<1x1x128x64xf16>
  %o = stof.attention ins(%q, %q, %q : tensor<1x1x128x64xf16>, tensor<1x1x128x64xf16>, tensor<1x1x128x64xf16>)
    outs(%e : tensor<1x1x128x64xf16>) -> tensor<1x1x128x64xf16>
  return %o : tensor<1x1x128x64xf16>
}

// -----

/// A second mainloop serves fully masked rows, if there are any in the CTA.

// CHECK-LABEL: gpu.func @mean_0_attention
// CHECK: scf.for
// CHECK: %[[ANY:.*]] = tile.any
// CHECK: scf.if %[[ANY]]
// CHECK:   scf.for
func.func @mean(%q: tensor<1x1x128x64xf16>, %m: tensor<128xi1>) -> tensor<1x1x128x64xf16> {
  %mask = stof.mask captures(%m : tensor<128xi1>) {
  ^bb0(%b: index, %h: index, %i: index, %j: index, %keys: tensor<128xi1>):
    %keep = tensor.extract %keys[%j] : tensor<128xi1>
    stof.yield %keep : i1
  } : !stof.mask<128x128>
  %e = tensor.empty() : tensor<1x1x128x64xf16>
  %o = stof.attention ins(%q, %q, %q : tensor<1x1x128x64xf16>, tensor<1x1x128x64xf16>, tensor<1x1x128x64xf16>)
    mask(%mask : !stof.mask<128x128>) outs(%e : tensor<1x1x128x64xf16>) empty_rows(mean) -> tensor<1x1x128x64xf16>
  return %o : tensor<1x1x128x64xf16>
}

// -----

/// It is over the keys of the mask of these rows, which it evaluates.

// CHECK-LABEL: gpu.func @mean_over_0_attention
// CHECK: scf.for
// CHECK: %[[ANY:.*]] = tile.any %[[EMPTY:[^ ]*]]
// CHECK: scf.if %[[ANY]]
// CHECK:   scf.for
// CHECK:     tile.contract
// CHECK:     tile.map ins(%{{.*}}, %[[EMPTY]] :
// CHECK:     ^bb0(%{{.*}}: index, %{{.*}}: index, %{{.*}}: f32, %[[MARKED:.*]]: i1):
// CHECK:       %[[BEFORE:.*]] = arith.cmpi slt
// CHECK:       %[[KEEP:.*]] = arith.andi %[[MARKED]], %[[BEFORE]] : i1
// CHECK:       arith.select %[[KEEP]]
func.func @mean_over(%q: tensor<1x1x128x64xf16>, %m: tensor<128xi1>) -> tensor<1x1x128x64xf16> {
  %mask = stof.mask captures(%m : tensor<128xi1>) {
  ^bb0(%b: index, %h: index, %i: index, %j: index, %keys: tensor<128xi1>):
    %keep = tensor.extract %keys[%j] : tensor<128xi1>
    stof.yield %keep : i1
  } : !stof.mask<128x128>
  %other = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.cmpi ult, %j, %i : index
    stof.yield %keep : i1
  } : !stof.mask<128x128>
  %e = tensor.empty() : tensor<1x1x128x64xf16>
  %o = stof.attention ins(%q, %q, %q : tensor<1x1x128x64xf16>, tensor<1x1x128x64xf16>, tensor<1x1x128x64xf16>)
    mask(%mask : !stof.mask<128x128>) outs(%e : tensor<1x1x128x64xf16>)
    empty_rows(mean over %other : !stof.mask<128x128>) -> tensor<1x1x128x64xf16>
  return %o : tensor<1x1x128x64xf16>
}

// -----

/// The score region sees the scaled product; a sink is a logit seen before the
/// first key; the log-sum-exp is a second result. What the region yields is taken
/// to base 2 as a difference from the largest: on its own it might be infinite.

// CHECK-LABEL: gpu.func @score_0_attention
// CHECK-DAG: %[[LOG2_E:.*]] = arith.constant 1.44269{{.*}} : f32
// CHECK: %[[SINK:.*]] = memref.load
// CHECK: tile.splat %[[SINK]]
// CHECK: scf.for
// CHECK:   %[[SCORE:.*]] = math.tanh
// CHECK-NEXT: tile.yield %[[SCORE]]
// CHECK:   %[[FADE:.*]] = arith.subf
// CHECK-NEXT: arith.mulf %[[FADE]], %[[LOG2_E]]
// CHECK:   %[[BELOW:.*]] = arith.subf
// CHECK-NEXT: %[[EXPONENT:.*]] = arith.mulf %[[BELOW]], %[[LOG2_E]]
// CHECK-NEXT: math.exp2 %[[EXPONENT]]
// CHECK: math.log2
// CHECK-NEXT: math.fma
// CHECK: tile.store %{{.*}} : !tile.fragment<64xf32, #{{.*}}>, memref<1x2x128xf32>
func.func @score(%q: tensor<1x2x128x64xf32>, %sinks: tensor<2xf32>) -> (tensor<1x2x128x64xf32>, tensor<1x2x128xf32>) {
  %e = tensor.empty() : tensor<1x2x128x64xf32>
  %l = tensor.empty() : tensor<1x2x128xf32>
  %o:2 = stof.attention ins(%q, %q, %q : tensor<1x2x128x64xf32>, tensor<1x2x128x64xf32>, tensor<1x2x128x64xf32>)
    sinks(%sinks : tensor<2xf32>) outs(%e : tensor<1x2x128x64xf32>, lse %l : tensor<1x2x128xf32>) score {
  ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index):
    %t = math.tanh %s : f32
    stof.yield %t : f32
  } -> tensor<1x2x128x64xf32>, tensor<1x2x128xf32>
  return %o#0, %o#1 : tensor<1x2x128x64xf32>, tensor<1x2x128xf32>
}

// -----

/// A caller's list of blocks is searched for the key's block.

// CHECK-LABEL: gpu.func @blocks_0_attention
// CHECK: scf.for
// CHECK:   scf.for {{.*}} -> (i1)
// CHECK:     arith.ori
func.func @blocks(%q: tensor<1x1x128x64xf16>, %rows: tensor<3xi32>, %columns: tensor<?xi32>) -> tensor<1x1x128x64xf16> {
  %mask = stof.block_mask %rows, %columns block(64, 64) : tensor<3xi32>, tensor<?xi32> -> !stof.mask<128x128>
  %e = tensor.empty() : tensor<1x1x128x64xf16>
  %o = stof.attention ins(%q, %q, %q : tensor<1x1x128x64xf16>, tensor<1x1x128x64xf16>, tensor<1x1x128x64xf16>)
    mask(%mask : !stof.mask<128x128>) outs(%e : tensor<1x1x128x64xf16>) -> tensor<1x1x128x64xf16>
  return %o : tensor<1x1x128x64xf16>
}

/// With a sink a fully masked row is recognized by its sum, so that the sink
/// joins after the last key; the mean of all values has no part of it.

// CHECK-LABEL: gpu.func @sink_and_mean_0_attention
// CHECK-NOT: memref.load
// CHECK: tile.contract
// CHECK: %[[ANY:.*]] = tile.any
// CHECK: scf.if %[[ANY]]
// CHECK: %[[SINK:.*]] = memref.load %{{.*}} : memref<2xf32>
// CHECK: tile.map
// CHECK: tile.store
func.func @sink_and_mean(%q: tensor<1x2x8x16xf16>, %sinks: tensor<2xf32>) -> tensor<1x2x8x16xf16> {
  %e = tensor.empty() : tensor<1x2x8x16xf16>
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.cmpi ult, %j, %i : index
    stof.yield %keep : i1
  } : !stof.mask<8x8>
  %o = stof.attention ins(%q, %q, %q : tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
      mask(%m : !stof.mask<8x8>) sinks(%sinks : tensor<2xf32>) outs(%e : tensor<1x2x8x16xf16>)
      empty_rows(mean) -> tensor<1x2x8x16xf16>
  return %o : tensor<1x2x8x16xf16>
}

// -----

/// Positions of known lengths take 32 bits, also beyond the last key, and are
/// compared with constants; what is not known to be small stays an index.

// CHECK-LABEL: gpu.func @narrow_0_attention
// CHECK-SAME: memref<1x1x100x16xf16>, %[[W:[^ ]*]]: index
// CHECK: tile.map
// CHECK: ^bb0(%[[R:.*]]: index, %[[C:.*]]: index, %[[E:.*]]: f32):
// CHECK: %[[ROW:.*]] = arith.index_cast %[[R]] : index to i32
// CHECK: %[[Q:.*]] = arith.addi %{{.*}}, %[[ROW]] overflow<nsw> : i32
// CHECK: %[[COLUMN:.*]] = arith.index_cast %[[C]] : index to i32
// CHECK: %[[K:.*]] = arith.addi %{{.*}}, %[[COLUMN]] overflow<nsw> : i32
// CHECK: %[[EXISTS:.*]] = arith.cmpi slt, %[[K]], %c100_i32 : i32
// CHECK: %[[D:.*]] = arith.subi %[[Q]], %[[K]] overflow<nsw> : i32
// CHECK: %[[NEAR:.*]] = arith.addi %[[D]], %c9_i32 overflow<nsw> : i32
// CHECK: arith.cmpi ule, %[[NEAR]], %c18_i32 : i32
// CHECK: arith.cmpi sge, %[[D]], %c0_i32 : i32
// CHECK: arith.remui %[[K]], %c3_i32 : i32
// CHECK: %[[WIDE:.*]] = arith.index_cast %[[Q]] : i32 to index
// CHECK: arith.cmpi slt, %[[WIDE]], %[[W]] : index
func.func @narrow(%q: tensor<1x1x100x16xf16>, %w: index) -> tensor<1x1x100x16xf16> {
  %m = stof.mask captures(%w : index) {
  ^bb0(%b: index, %h: index, %i: index, %j: index, %wide: index):
    %c3 = arith.constant 3 : index
    %c1 = arith.constant 1 : index
    %c9 = arith.constant 9 : i64
    %d = arith.subi %i, %j : index
    %d64 = arith.index_cast %d : index to i64
    %a = math.absi %d64 : i64
    %near = arith.cmpi sle, %a, %c9 : i64
    %causal = arith.cmpi uge, %i, %j : index
    %rest = arith.remui %j, %c3 : index
    %third = arith.cmpi eq, %rest, %c1 : index
    %early = arith.cmpi slt, %i, %wide : index
    %0 = arith.andi %near, %causal : i1
    %1 = arith.ori %third, %early : i1
    %keep = arith.ori %0, %1 : i1
    stof.yield %keep : i1
  } : !stof.mask<100x100>
  %e = tensor.empty() : tensor<1x1x100x16xf16>
  %o = stof.attention ins(%q, %q, %q : tensor<1x1x100x16xf16>, tensor<1x1x100x16xf16>, tensor<1x1x100x16xf16>)
    mask(%m : !stof.mask<100x100>) outs(%e : tensor<1x1x100x16xf16>) -> tensor<1x1x100x16xf16>
  return %o : tensor<1x1x100x16xf16>
}

// -----

/// A magnitude of 2^30 - 1 takes 32 bits, a larger one does not.

// CHECK-LABEL: gpu.func @limits_0_attention
// CHECK: tile.map
// CHECK-DAG: arith.subi %{{.*}}, %c1073741823_i32 overflow<nsw> : i32
// CHECK-DAG: arith.subi %{{.*}}, %c1073741823 : index
func.func @limits(%q: tensor<1x1x100x16xf16>) -> tensor<1x1x100x16xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %most = arith.constant 1073741823 : index
    %narrow = arith.subi %i, %most : index
    %low = arith.remsi %narrow, %c3 : index
    %wide = arith.subi %low, %most : index
    %keep = arith.cmpi slt, %wide, %j : index
    stof.yield %keep : i1
  } : !stof.mask<100x100>
  %e = tensor.empty() : tensor<1x1x100x16xf16>
  %o = stof.attention ins(%q, %q, %q : tensor<1x1x100x16xf16>, tensor<1x1x100x16xf16>, tensor<1x1x100x16xf16>)
    mask(%m : !stof.mask<100x100>) outs(%e : tensor<1x1x100x16xf16>) -> tensor<1x1x100x16xf16>
  return %o : tensor<1x1x100x16xf16>
}
