// REQUIRES: shared-mlir
// RUN: mlir-opt %s --load-dialect-plugin=%stof_lib/stof-plugin.so --load-pass-plugin=%stof_lib/stof-plugin.so \
// RUN:   --pass-pipeline="builtin.module(canonicalize, func.func(stof-form-groups))" | FileCheck %s

/// The stock mlir-opt reads the dialect, canonicalises it and runs its passes.

// CHECK-LABEL: func @plugin
// CHECK-SAME: (%[[X:.*]]: tensor<1x2x8x4xf32>)
func.func @plugin(%x: tensor<1x2x8x4xf32>) -> tensor<1x2x8x4xf32> {
  // CHECK-NOT: stof.mask
  // CHECK: %[[O:.*]] = stof.attention ins(%[[X]]
  // CHECK: stof.group ins(%[[O]]
  // CHECK: linalg.generic
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %q: index, %k: index):
    %keep = arith.constant true
    stof.yield %keep : i1
  } : !stof.mask<8x8>
  %o = stof.attention ins(%x, %x, %x : tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>)
      mask(%m : !stof.mask<8x8>) outs(%x : tensor<1x2x8x4xf32>) -> tensor<1x2x8x4xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(b, h, q, d) -> (b, h, q, d)>, affine_map<(b, h, q, d) -> (b, h, q, d)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]
    } ins(%o : tensor<1x2x8x4xf32>) outs(%x : tensor<1x2x8x4xf32>) {
  ^bb0(%a: f32, %old: f32):
    %n = arith.negf %a : f32
    linalg.yield %n : f32
  } -> tensor<1x2x8x4xf32>
  return %r : tensor<1x2x8x4xf32>
}

/// It folds casts into attention, as into all operations in destination style.

// CHECK-LABEL: func @plugin_folds_casts
// CHECK-SAME: (%[[X:.*]]: tensor<1x2x8x4xf32>)
// CHECK: stof.attention ins(%[[X]], %[[X]], %[[X]] : {{.*}}) outs(%[[X]] : tensor<1x2x8x4xf32>)
func.func @plugin_folds_casts(%x: tensor<1x2x8x4xf32>) -> tensor<1x2x?x4xf32> {
  %c = tensor.cast %x : tensor<1x2x8x4xf32> to tensor<1x2x?x4xf32>
  %o = stof.attention ins(%c, %c, %c : tensor<1x2x?x4xf32>, tensor<1x2x?x4xf32>, tensor<1x2x?x4xf32>)
      outs(%c : tensor<1x2x?x4xf32>) -> tensor<1x2x?x4xf32>
  return %o : tensor<1x2x?x4xf32>
}
