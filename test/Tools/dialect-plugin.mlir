// REQUIRES: shared-mlir
// RUN: rm -rf %t && mkdir %t
// RUN: stof-compile %s --load-dialect-plugin=%test_lib/TestMasks.so -o %t/model --target=sm_80,sm_90a
// RUN: cat %t/model/checkerboard.sm_80.ptx %t/model/checkerboard.sm_90a.ptx | FileCheck %s
// RUN: not stof-compile %s --load-dialect-plugin=%t/none.so -o %t/none 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not stof-compile %s -o %t/none 2>&1 | FileCheck %s --check-prefix=UNKNOWN

/// stof-compile takes the operations of a plugin, whose masks become PTX.

// CHECK: .target sm_80
// CHECK: mma.sync
// CHECK: .target sm_90a
// CHECK: wgmma.mma_async
// NONE: stof-compile: error: {{.*}}none.so
// UNKNOWN: error: Dialect `test_masks' not found for custom op 'test_masks.checkerboard'
func.func @checkerboard(%q: tensor<1x8x1024x64xf16>) -> tensor<1x8x1024x64xf16> {
  %out = tensor.empty() : tensor<1x8x1024x64xf16>
  %m = test_masks.checkerboard 8 : !stof.mask<1024x1024>
  %o = stof.attention ins(%q, %q, %q : tensor<1x8x1024x64xf16>, tensor<1x8x1024x64xf16>, tensor<1x8x1024x64xf16>)
      mask(%m : !stof.mask<1024x1024>) outs(%out : tensor<1x8x1024x64xf16>) -> tensor<1x8x1024x64xf16>
  return %o : tensor<1x8x1024x64xf16>
}
