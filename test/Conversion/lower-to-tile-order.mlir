// RUN: stof-opt %s --stof-lower-to-tile --canonicalize --cse -split-input-file | FileCheck %s

/// The order of row tiles is a function of the block's position.

// CHECK-LABEL: func @backwards
// CHECK: gpu.launch_func @backwards_kernels::@backwards_0_attention blocks in (%c4, %c3, %c2)
// CHECK-LABEL: gpu.func @backwards_0_attention
// CHECK: %[[BLOCK:.*]] = gpu.block_id x
// CHECK: %[[ROW:.*]] = arith.subi %c3{{.*}}, %[[BLOCK]] : index
// CHECK: %[[FIRST:.*]] = arith.muli %[[ROW]], %c64
// CHECK: tile.load %{{.*}}[%{{.*}}, %{{.*}}, %[[FIRST]], %c0]
func.func @backwards(%q: tensor<2x3x256x64xf16>, %init: tensor<2x3x256x64xf16>) -> tensor<2x3x256x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.cmpi ule, %j, %i : index
    stof.yield %keep : i1
  } : !stof.mask<256x256>
  %o = stof.attention ins(%q, %q, %q : tensor<2x3x256x64xf16>, tensor<2x3x256x64xf16>, tensor<2x3x256x64xf16>)
      mask(%m : !stof.mask<256x256>)
      layout <row_tile = 64, col_tile = 64, storage = closed_form,
              visited = [#stof.interval<to = affine_map<(d0, d1, d2) -> (d0 + 1)>>],
              partial = [#stof.interval<from = affine_map<(d0, d1, d2) -> (d0)>>]>
      schedule <reversed = true>
      outs(%init : tensor<2x3x256x64xf16>) -> tensor<2x3x256x64xf16>
  return %o : tensor<2x3x256x64xf16>
}

// -----

/// One row tile of all six heads, then the other three of each head.

// CHECK-LABEL: func @ahead
// CHECK: gpu.launch_func @ahead_kernels::@ahead_0_attention blocks in (%c24, %c1, %c1)
// CHECK-LABEL: gpu.func @ahead_0_attention
// CHECK: %[[BLOCK:.*]] = gpu.block_id x
// CHECK: %[[LATE:.*]] = arith.subi %[[BLOCK]], %c6
// CHECK: %[[EARLY:.*]] = arith.cmpi ult, %[[BLOCK]], %c6
// CHECK: %[[REST:.*]] = arith.remui %[[LATE]], %c3
// CHECK: %[[BEHIND:.*]] = arith.addi %[[REST]], %c1
// CHECK: %[[FRONT:.*]] = arith.divui %[[BLOCK]], %c6
// CHECK: %[[ROW:.*]] = arith.select %[[EARLY]], %[[FRONT]], %[[BEHIND]]
// CHECK: arith.muli %[[ROW]], %c64
func.func @ahead(%q: tensor<2x3x256x64xf16>, %init: tensor<2x3x256x64xf16>) -> tensor<2x3x256x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %c10 = arith.constant 10 : index
    %keep = arith.cmpi ult, %i, %c10 : index
    stof.yield %keep : i1
  } : !stof.mask<256x256>
  %o = stof.attention ins(%q, %q, %q : tensor<2x3x256x64xf16>, tensor<2x3x256x64xf16>, tensor<2x3x256x64xf16>)
      mask(%m : !stof.mask<256x256>)
      layout <row_tile = 64, col_tile = 64, storage = closed_form,
              visited = [#stof.interval<where = affine_map<(d0, d1, d2) -> (-d0)>>], partial = [#stof.interval]>
      schedule <ahead = 1>
      outs(%init : tensor<2x3x256x64xf16>) -> tensor<2x3x256x64xf16>
  return %o : tensor<2x3x256x64xf16>
}
