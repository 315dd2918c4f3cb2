// REQUIRES: shared-mlir
// RUN: stof-opt %s --load-dialect-plugin=%test_lib/TestMasks.so --stof-plan-layout --stof-lower-to-tile | FileCheck %s

/// A kernel evaluates the predicate of a mask that a plugin defines, in i32 like
/// those of stof, and the list of its tiles is made by the same kernels.

// CHECK-LABEL: gpu.func @segments_0_flags
// CHECK: %[[QUERY:.*]] = memref.load %[[IDS:.*]][%{{.*}}] : memref<512xi32>
// CHECK: %[[KEY:.*]] = memref.load %[[IDS]][%{{.*}}] : memref<512xi32>
// CHECK: arith.cmpi eq, %[[QUERY]], %[[KEY]] : i32
// CHECK-LABEL: gpu.func @segments_2_attention
// CHECK: memref.load %{{.*}} : memref<512xi32>
func.func @segments(%q: tensor<1x1x512x64xf16>, %ids: tensor<512xi32>) -> tensor<1x1x512x64xf16> {
  %out = tensor.empty() : tensor<1x1x512x64xf16>
  %m = test_masks.segments %ids : tensor<512xi32> -> !stof.mask<512x512>
  %o = stof.attention ins(%q, %q, %q : tensor<1x1x512x64xf16>, tensor<1x1x512x64xf16>, tensor<1x1x512x64xf16>)
      mask(%m : !stof.mask<512x512>) outs(%out : tensor<1x1x512x64xf16>) -> tensor<1x1x512x64xf16>
  return %o : tensor<1x1x512x64xf16>
}

// CHECK-LABEL: gpu.func @checkerboard_0_attention
// CHECK: arith.remui %{{.*}}, %{{.*}} : i32
func.func @checkerboard(%q: tensor<1x1x512x64xf16>) -> tensor<1x1x512x64xf16> {
  %out = tensor.empty() : tensor<1x1x512x64xf16>
  %m = test_masks.checkerboard 8 : !stof.mask<512x512>
  %o = stof.attention ins(%q, %q, %q : tensor<1x1x512x64xf16>, tensor<1x1x512x64xf16>, tensor<1x1x512x64xf16>)
      mask(%m : !stof.mask<512x512>) outs(%out : tensor<1x1x512x64xf16>) -> tensor<1x1x512x64xf16>
  return %o : tensor<1x1x512x64xf16>
}
