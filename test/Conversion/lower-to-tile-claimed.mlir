// RUN: stof-opt %s --stof-lower-to-tile=chip=sm_90a --canonicalize --cse -split-input-file | FileCheck %s

/// A kernel resets the counter of claimed row tiles, and those of all six heads are in
/// one order, the longest first. Runs of a long and a short one are for shares.

// CHECK-LABEL: func @longest
// CHECK: %[[COUNTER:.*]] = memref.alloc() : memref<1xi32>
// CHECK: gpu.launch_func @longest_kernels::@longest_0_reset blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%[[COUNTER]] : memref<1xi32>)
// CHECK: gpu.launch_func @longest_kernels::@longest_1_attention blocks in (%c24, %c1, %c1) {{.*}} %[[COUNTER]] : memref<1xi32>)
// CHECK-LABEL: gpu.func @longest_0_reset
// CHECK-SAME: (%[[COUNTER:.*]]: memref<1xi32>)
// CHECK-SAME: kernel = "reset"
// CHECK: memref.store %c0_i32, %[[COUNTER]][%c0] : memref<1xi32>
// CHECK-NEXT: gpu.return
// CHECK-LABEL: gpu.func @longest_1_attention
// CHECK-SAME: %{{.*}}: memref<1xi32> {tile.counter})
// CHECK-SAME: stof.schedule = {dynamic = 1 : i64,
// CHECK-NOT: run =
// CHECK: %[[TILE:.*]] = gpu.block_id x
// CHECK: %[[SECTION:.*]] = arith.divui %[[TILE]], %c24
// CHECK: %[[IN_SECTION:.*]] = arith.remui %[[TILE]], %c24
// CHECK: %[[FIRST:.*]] = arith.muli %[[SECTION]], %c6
// CHECK: %[[NUMBER:.*]] = arith.divui %[[IN_SECTION]], %c6
// CHECK: %[[OF:.*]] = arith.remui %[[IN_SECTION]], %c6
// CHECK: %[[HEADS:.*]] = arith.addi %[[FIRST]], %[[OF]]
// CHECK: %[[HEAD:.*]] = arith.remui %[[HEADS]], %c3
// CHECK: %[[BATCH:.*]] = arith.divui %[[HEADS]], %c3
// CHECK: %[[ROW:.*]] = arith.subi %c3, %[[NUMBER]]
// CHECK: %[[FIRST_ROW:.*]] = arith.muli %[[ROW]], %c64
// CHECK: tile.load %{{.*}}[%[[BATCH]], %[[HEAD]], %[[FIRST_ROW]], %c0]
func.func @longest(%q: tensor<2x3x256x64xf16>, %init: tensor<2x3x256x64xf16>) -> tensor<2x3x256x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.cmpi ule, %j, %i : index
    stof.yield %keep : i1
  } : !stof.mask<256x256>
  %o = stof.attention ins(%q, %q, %q : tensor<2x3x256x64xf16>, tensor<2x3x256x64xf16>, tensor<2x3x256x64xf16>)
      mask(%m : !stof.mask<256x256>) tile <queries = 64, keys = 64, warps = 4, producers = 1, resident = 3, dynamic = true>
      layout <row_tile = 64, col_tile = 64, storage = closed_form,
              visited = [#stof.interval<to = affine_map<(d0, d1, d2) -> (d0 + 1)>>],
              partial = [#stof.interval<from = affine_map<(d0, d1, d2) -> (d0)>>]>
      schedule <reversed = true>
      outs(%init : tensor<2x3x256x64xf16>) -> tensor<2x3x256x64xf16>
  return %o : tensor<2x3x256x64xf16>
}

// -----

/// The keys and values of 16 of these heads are in L2. Where a number of batches is
/// dynamic, the last section may have fewer.

// CHECK-LABEL: gpu.func @any_heads_1_attention
// CHECK-SAME: (%[[BATCHES:.*]]: index,
// CHECK: %[[TILE:.*]] = gpu.block_id x
// CHECK: %[[ALL:.*]] = arith.muli %[[BATCHES]], %c32
// CHECK: %[[SECTION:.*]] = arith.divui %[[TILE]], %c2048
// CHECK: %[[IN_SECTION:.*]] = arith.remui %[[TILE]], %c2048
// CHECK: %[[FIRST:.*]] = arith.muli %[[SECTION]], %c16
// CHECK: %[[LEFT:.*]] = arith.subi %[[ALL]], %[[FIRST]]
// CHECK: %[[HEADS:.*]] = arith.minui %[[LEFT]], %c16
// CHECK: arith.divui %[[IN_SECTION]], %[[HEADS]]
// CHECK: %[[OF:.*]] = arith.remui %[[IN_SECTION]], %[[HEADS]]
// CHECK: arith.addi %[[FIRST]], %[[OF]]
func.func @any_heads(%q: tensor<?x32x8192x64xf16>, %init: tensor<?x32x8192x64xf16>) -> tensor<?x32x8192x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.cmpi ule, %j, %i : index
    stof.yield %keep : i1
  } : !stof.mask<8192x8192>
  %o = stof.attention ins(%q, %q, %q : tensor<?x32x8192x64xf16>, tensor<?x32x8192x64xf16>, tensor<?x32x8192x64xf16>)
      mask(%m : !stof.mask<8192x8192>) tile <queries = 64, keys = 64, warps = 4, producers = 1, resident = 3, dynamic = true>
      layout <row_tile = 64, col_tile = 64, storage = closed_form,
              visited = [#stof.interval<to = affine_map<(d0, d1, d2) -> (d0 + 1)>>],
              partial = [#stof.interval<from = affine_map<(d0, d1, d2) -> (d0)>>]>
      schedule <reversed = true>
      outs(%init : tensor<?x32x8192x64xf16>) -> tensor<?x32x8192x64xf16>
  return %o : tensor<?x32x8192x64xf16>
}

// -----

/// Sections are even: of 20 heads, 8 of which are in L2, three have 7, 7 and 6.

// CHECK-LABEL: gpu.func @sections_1_attention
// CHECK: %[[TILE:.*]] = gpu.block_id x
// CHECK: %[[SECTION:.*]] = arith.divui %[[TILE]], %c448
// CHECK: %[[FIRST:.*]] = arith.muli %[[SECTION]], %c7
// CHECK: %[[LEFT:.*]] = arith.subi %c20, %[[FIRST]]
// CHECK: arith.minui %[[LEFT]], %c7
func.func @sections(%q: tensor<4x5x8192x128xf16>, %init: tensor<4x5x8192x128xf16>) -> tensor<4x5x8192x128xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.cmpi ule, %j, %i : index
    stof.yield %keep : i1
  } : !stof.mask<8192x8192>
  %o = stof.attention ins(%q, %q, %q : tensor<4x5x8192x128xf16>, tensor<4x5x8192x128xf16>, tensor<4x5x8192x128xf16>)
      mask(%m : !stof.mask<8192x8192>) tile <queries = 128, keys = 64, warps = 8, producers = 4, resident = 1, overlaps = true, dynamic = true>
      layout <row_tile = 128, col_tile = 64, storage = closed_form,
              visited = [#stof.interval<to = affine_map<(d0, d1, d2) -> (d0 * 2 + 2)>>],
              partial = [#stof.interval<from = affine_map<(d0, d1, d2) -> (d0 * 2)>>]>
      schedule <reversed = true>
      outs(%init : tensor<4x5x8192x128xf16>) -> tensor<4x5x8192x128xf16>
  return %o : tensor<4x5x8192x128xf16>
}

// -----

/// Row tiles of one length are claimed head by head.

// CHECK-LABEL: gpu.func @even_0_reset
// CHECK-LABEL: gpu.func @even_1_attention
// CHECK: %[[TILE:.*]] = gpu.block_id x
// CHECK: %[[ROW:.*]] = arith.remui %[[TILE]], %c4
// CHECK: arith.divui %[[TILE]], %c4
func.func @even(%q: tensor<2x3x256x64xf16>, %init: tensor<2x3x256x64xf16>) -> tensor<2x3x256x64xf16> {
  %o = stof.attention ins(%q, %q, %q : tensor<2x3x256x64xf16>, tensor<2x3x256x64xf16>, tensor<2x3x256x64xf16>)
      tile <queries = 64, keys = 64, warps = 4, producers = 1, resident = 3, dynamic = true>
      outs(%init : tensor<2x3x256x64xf16>) -> tensor<2x3x256x64xf16>
  return %o : tensor<2x3x256x64xf16>
}

// -----

/// The counter is reset before those row tiles that are split, too.

// CHECK-LABEL: func @parts
// CHECK-DAG: %[[SUMS:.*]] = memref.alloc() : memref<2x3x1x3x64x64xf32>
// CHECK-DAG: %[[COUNTER:.*]] = memref.alloc() : memref<1xi32>
// CHECK: gpu.launch_func @parts_kernels::@parts_0_reset {{.*}} args(%[[COUNTER]] : memref<1xi32>)
// CHECK: gpu.launch_func @parts_kernels::@parts_1_attention {{.*}} %[[COUNTER]] : memref<1xi32>
// CHECK: gpu.launch_func @parts_kernels::@parts_2_combine {{.*}} %[[SUMS]] :
func.func @parts(%q: tensor<2x3x256x64xf16>, %init: tensor<2x3x256x64xf16>) -> tensor<2x3x256x64xf16> {
  %o = stof.attention ins(%q, %q, %q : tensor<2x3x256x64xf16>, tensor<2x3x256x64xf16>, tensor<2x3x256x64xf16>)
      tile <queries = 64, keys = 64, warps = 4, producers = 1, resident = 3, dynamic = true>
      schedule <ahead = 1, splits = 3> outs(%init : tensor<2x3x256x64xf16>) -> tensor<2x3x256x64xf16>
  return %o : tensor<2x3x256x64xf16>
}
