// REQUIRES: shared-mlir
// RUN: stof-opt %s --load-dialect-plugin=%test_lib/TestMasks.so --stof-plan-layout --remarks-filter="stof.*" \
// RUN:   -o /dev/null 2>&1 | FileCheck %s

/// The tiles of a mask that a plugin defines are found in its predicate: full and
/// empty ones at compile time,

// CHECK: remark: [Analysis] PlannedLayout | Category:stof-plan-layout | ColTile=64, Empty=8, Full=8, Nonzeros=32768, Partial=0, RowTile=64, Set="(floor(q / 64) + floor(k / 64) = 2 n2 for some n2)", Storage=tables
func.func @tiles(%q: tensor<1x1x256x64xf16>) -> tensor<1x1x256x64xf16> {
  %m = test_masks.checkerboard 64 : !stof.mask<256x256>
  %o = stof.attention ins(%q, %q, %q : tensor<1x1x256x64xf16>, tensor<1x1x256x64xf16>, tensor<1x1x256x64xf16>)
      mask(%m : !stof.mask<256x256>) outs(%q : tensor<1x1x256x64xf16>) -> tensor<1x1x256x64xf16>
  return %o : tensor<1x1x256x64xf16>
}

/// partial ones as well,

// CHECK: remark: [Analysis] PlannedLayout {{.*}} Empty=0, Full=0, Partial=16, RowTile=64, {{.*}}, Storage=closed_form
func.func @partial_tiles(%q: tensor<1x1x256x64xf16>) -> tensor<1x1x256x64xf16> {
  %m = test_masks.checkerboard 8 : !stof.mask<256x256>
  %o = stof.attention ins(%q, %q, %q : tensor<1x1x256x64xf16>, tensor<1x1x256x64xf16>, tensor<1x1x256x64xf16>)
      mask(%m : !stof.mask<256x256>) outs(%q : tensor<1x1x256x64xf16>) -> tensor<1x1x256x64xf16>
  return %o : tensor<1x1x256x64xf16>
}

/// and those of data at run time, among the tiles that the rest of the predicate
/// leaves.

// CHECK: remark: [Analysis] PlannedLayout {{.*}} Set="k <= q", Storage=run_time
func.func @segments(%q: tensor<1x1x512x64xf16>, %ids: tensor<512xi32>) -> tensor<1x1x512x64xf16> {
  %m = test_masks.segments %ids : tensor<512xi32> -> !stof.mask<512x512>
  %o = stof.attention ins(%q, %q, %q : tensor<1x1x512x64xf16>, tensor<1x1x512x64xf16>, tensor<1x1x512x64xf16>)
      mask(%m : !stof.mask<512x512>) outs(%q : tensor<1x1x512x64xf16>) -> tensor<1x1x512x64xf16>
  return %o : tensor<1x1x512x64xf16>
}
