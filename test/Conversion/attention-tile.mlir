// RUN: stof-opt %s --stof-plan-layout --split-input-file --mlir-print-local-scope | FileCheck %s --check-prefix=LAYOUT
// RUN: stof-opt %s --pass-pipeline='builtin.module(func.func(stof-plan-layout),stof-lower-to-tile{chip=sm_80})' --split-input-file | FileCheck %s

/// The layout and the kernel have the tile that an attention asks for: two MMA tiles of rows for each of two warps.

// LAYOUT-LABEL: func @causal
// LAYOUT: tile <queries = 64, keys = 32, warps = 2, holds_queries = true> layout <row_tile = 64, col_tile = 32,
// LAYOUT-SAME: census = {empty = 56 : i64, full = 56 : i64, longest = 16 : i64, nonzeros = 131328 : i64, partial = 16 : i64}

// CHECK-LABEL: gpu.func @causal_0_attention
// CHECK-SAME: known_block_size = array<i32: 64, 1, 1>
// CHECK-SAME: stof.schedule = {features = 64 : i64, kernel = "block-wise", keys = 32 : i64, queries = 64 : i64,{{.*}} value_features = 64 : i64, warps = 2 : i64}
// CHECK: tile.load {{.*}} -> !tile.fragment<64x64xf16,
func.func @causal(%q: tensor<1x2x512x64xf16>) -> tensor<1x2x512x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.cmpi sle, %j, %i : index
    stof.yield %keep : i1
  } : !stof.mask<512x512>
  %o = stof.attention ins(%q, %q, %q : tensor<1x2x512x64xf16>, tensor<1x2x512x64xf16>, tensor<1x2x512x64xf16>)
      mask(%m : !stof.mask<512x512>) tile <queries = 64, keys = 32, warps = 2, holds_queries = true>
      outs(%q : tensor<1x2x512x64xf16>) -> tensor<1x2x512x64xf16>
  return %o : tensor<1x2x512x64xf16>
}

// -----

/// Without a mask there is a tile, but no layout.

// LAYOUT-LABEL: func @dense
// LAYOUT: tile <queries = 16, keys = 128, warps = 1> outs

// CHECK-LABEL: gpu.func @dense_0_attention
// CHECK-SAME: keys = 128 : i64, queries = 16 : i64
func.func @dense(%q: tensor<1x2x512x64xf16>) -> tensor<1x2x512x64xf16> {
  %o = stof.attention ins(%q, %q, %q : tensor<1x2x512x64xf16>, tensor<1x2x512x64xf16>, tensor<1x2x512x64xf16>)
      tile <queries = 16, keys = 128, warps = 1> outs(%q : tensor<1x2x512x64xf16>) -> tensor<1x2x512x64xf16>
  return %o : tensor<1x2x512x64xf16>
}
