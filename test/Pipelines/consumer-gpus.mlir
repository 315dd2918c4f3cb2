// RUN: rm -rf %t && stof-compile %s -o %t --target=sm_89,sm_120
// RUN: FileCheck %s --check-prefix=ADA < %t/model.sm_89.ptx
// RUN: FileCheck %s --check-prefix=BLACKWELL < %t/model.sm_120.ptx
// RUN: FileCheck %s < %t/manifest.json

/// A consumer GPU has 100 KiB of shared memory per SM, 99 of them for one CTA:
/// the kernels of large matmuls and of attention with wide heads fit.

// ADA: .target sm_89
// BLACKWELL: .target sm_120
// CHECK-COUNT-2: "shared_bytes": 98304
func.func @model(%x: tensor<4096x4096xf16>, %w: tensor<4096x4096xf16>, %q: tensor<1x8x1024x512xf32>, %k: tensor<1x8x1024x512xf32>, %v: tensor<1x8x1024x512xf32>) -> (tensor<4096x4096xf16>, tensor<1x8x1024x512xf32>) {
  %zero = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<4096x4096xf16>
  %fill = linalg.fill ins(%zero : f16) outs(%e : tensor<4096x4096xf16>) -> tensor<4096x4096xf16>
  %y = linalg.matmul ins(%x, %w : tensor<4096x4096xf16>, tensor<4096x4096xf16>) outs(%fill : tensor<4096x4096xf16>) -> tensor<4096x4096xf16>
  %o = tensor.empty() : tensor<1x8x1024x512xf32>
  %a = stof.attention ins(%q, %k, %v : tensor<1x8x1024x512xf32>, tensor<1x8x1024x512xf32>, tensor<1x8x1024x512xf32>) outs(%o : tensor<1x8x1024x512xf32>) scale 0.04419417 -> tensor<1x8x1024x512xf32>
  return %y, %a : tensor<4096x4096xf16>, tensor<1x8x1024x512xf32>
}
