// RUN: stof-opt %s --stof-lower-to-tile="chip=sm_86" -split-input-file | FileCheck %s
// RUN: stof-opt %s --stof-lower-to-tile="chip=sm_86" --remarks-filter="stof.*" -split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: stof-opt %s --stof-lower-to-tile -split-input-file | FileCheck %s --check-prefix=WHOLE
// RUN: stof-opt %s --stof-to-nvvm="chip=sm_86" -split-input-file | FileCheck %s --check-prefix=NVVM

/// Scores are summed in steps over the features, for which queries are loaded as
/// keys are; blocks share the features of V. A processor takes all at once.

// CHECK-LABEL: gpu.func @channels_0_attention
// CHECK-SAME: stof.schedule = {features = 64 : i64, head_dim_slices = 49 : i64, {{.*}}value_features = 128 : i64, value_slices = 25 : i64
// CHECK: scf.for
// CHECK:   %[[SCORES:.*]] = scf.for %[[FIRST:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[SUMS:.*]] = %{{.*}})
// CHECK:     %[[QUERIES:.*]] = tile.load %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}, %[[FIRST]]] {{.*}} -> !tile.shared<32x64xf32>
// CHECK:     %[[KEYS:.*]] = tile.load %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}, %[[FIRST]]] {{.*}} -> !tile.shared<16x64xf32>
// CHECK:     tile.contract %[[QUERIES]], %[[KEYS]], %[[SUMS]] transpose_rhs
// CHECK:   tile.map ins(%[[SCORES]]
// CHECK:   tile.contract
// REMARK: remark: [Analysis] WideHeads | Category:stof-emit-kernels | HeadDimSlices=49, Reason="the shared memory of a CTA does not fit {{.*}}ValueSlices=25
// WHOLE-LABEL: gpu.func @channels_0_attention
// WHOLE-SAME: features = 3136 : i64, {{.*}}value_features = 3136 : i64
// WHOLE: tile.load {{.*}} -> !tile.shared<32x3136xf32>
// NVVM: llvm.func @channels_0_attention
func.func @channels(%q: tensor<1x3x32x3136xf32>) -> tensor<1x3x32x3136xf32> {
  %e = tensor.empty() : tensor<1x3x32x3136xf32>
  %o = stof.attention ins(%q, %q, %q : tensor<1x3x32x3136xf32>, tensor<1x3x32x3136xf32>, tensor<1x3x32x3136xf32>)
      outs(%e : tensor<1x3x32x3136xf32>) -> tensor<1x3x32x3136xf32>
  return %o : tensor<1x3x32x3136xf32>
}

// -----

/// Registers hold sums of half of these features of V.

// CHECK-LABEL: gpu.func @halves_0_attention
// CHECK-SAME: stof.schedule = {features = 128 : i64, {{.*}}queries = 64 : i64, value_features = 240 : i64, value_slices = 2 : i64
// REMARK: remark: [Analysis] WideHeads | Category:stof-emit-kernels | HeadDimSlices=1, {{.*}}ValueSlices=2
// NVVM: llvm.func @halves_0_attention
func.func @halves(%q: tensor<1x3x70x128xf16>, %v: tensor<1x3x70x480xf16>) -> tensor<1x3x70x480xf16> {
  %e = tensor.empty() : tensor<1x3x70x480xf16>
  %o = stof.attention ins(%q, %q, %v : tensor<1x3x70x128xf16>, tensor<1x3x70x128xf16>, tensor<1x3x70x480xf16>)
      outs(%e : tensor<1x3x70x480xf16>) -> tensor<1x3x70x480xf16>
  return %o : tensor<1x3x70x480xf16>
}

// -----

/// Tiles of a given layout take as many features as there is memory for
/// on any chip.

// CHECK-LABEL: gpu.func @large_tiles_0_attention
// CHECK-SAME: features = 64 : i64, head_dim_slices = 4 : i64, {{.*}}keys = 128 : i64, queries = 128 : i64
// NVVM: llvm.func @large_tiles_0_attention
#diagonal = affine_map<(d0, d1, d2) -> (d0 + 1)>
#begin = affine_map<(d0, d1, d2) -> (d0)>
func.func @large_tiles(%q: tensor<1x1x512x256xf32>, %v: tensor<1x1x512x64xf32>) -> tensor<1x1x512x64xf32> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.cmpi sge, %i, %j : index
    stof.yield %keep : i1
  } : !stof.mask<512x512>
  %e = tensor.empty() : tensor<1x1x512x64xf32>
  %o = stof.attention ins(%q, %q, %v : tensor<1x1x512x256xf32>, tensor<1x1x512x256xf32>, tensor<1x1x512x64xf32>)
      mask(%m : !stof.mask<512x512>)
      layout <row_tile = 128, col_tile = 128, storage = closed_form, visited = [#stof.interval<to = #diagonal>],
              partial = [#stof.interval<from = #begin>]>
      outs(%e : tensor<1x1x512x64xf32>) -> tensor<1x1x512x64xf32>
  return %o : tensor<1x1x512x64xf32>
}

// -----

/// Of f32 a block holds 128 features of V; two blocks of each head share them,
/// and each computes the scores.

// CHECK-LABEL: gpu.func @features_0_attention
// CHECK-SAME: features = 256 : i64, {{.*}} value_features = 128 : i64
// CHECK: %[[NUMBER:.*]] = gpu.block_id y
// CHECK: %[[PART:.*]] = arith.remui %[[NUMBER]], %c2
// CHECK: %[[FIRST:.*]] = arith.muli %[[PART]], %c128
// CHECK: tile.load {{.*}}, %[[FIRST]]] along [2, 3] : {{.*}} -> !tile.shared<16x128xf32>
// CHECK: tile.store {{.*}}, %[[FIRST]]] along [2, 3] : !tile.fragment<64x128xf32
func.func @features(%q: tensor<2x3x200x136xf32>) -> tensor<2x3x200x136xf32> {
  %o = stof.attention ins(%q, %q, %q : tensor<2x3x200x136xf32>, tensor<2x3x200x136xf32>, tensor<2x3x200x136xf32>)
      outs(%q : tensor<2x3x200x136xf32>) -> tensor<2x3x200x136xf32>
  return %o : tensor<2x3x200x136xf32>
}
