// RUN: stof-opt %s --stof-to-tile="chip=sm_90a" | FileCheck %s

/// The rows of key heads are views of the operands: a step of decoding takes one kernel, with a CTA for each key head,
/// and no memory in addition.

// CHECK-LABEL: func.func @one_query
// CHECK-NOT: memref.alloc
// CHECK: gpu.launch_func {{.*}} blocks in (%c1, %c8, %c64) threads in (%c32, %c1, %c1)
// CHECK-NOT: gpu.launch_func
// CHECK: gpu.func @one_query_0_attention(%{{.*}}: memref<64x8x4x128xf16>, %{{.*}}: memref<64x8x8192x128xf16>,
func.func @one_query(%q: tensor<64x32x1x128xf16>, %k: tensor<64x8x8192x128xf16>, %v: tensor<64x8x8192x128xf16>) -> tensor<64x32x1x128xf16> {
  %init = tensor.empty() : tensor<64x32x1x128xf16>
  %o = stof.attention ins(%q, %k, %v : tensor<64x32x1x128xf16>, tensor<64x8x8192x128xf16>, tensor<64x8x8192x128xf16>)
      outs(%init : tensor<64x32x1x128xf16>) scale 0.08838834764831845 -> tensor<64x32x1x128xf16>
  return %o : tensor<64x32x1x128xf16>
}

/// The keys of a single sequence are shared among CTAs. The kernel that combines their results has a CTA for 16 features
/// of a key head, and loads sixteen of them at once.

// CHECK-LABEL: gpu.func @one_sequence_0_attention
// CHECK-LABEL: gpu.func @one_sequence_1_combine
// CHECK-SAME: known_grid_size = array<i32: 1, 64, 1>
// CHECK: scf.for %{{.*}} = %c0 to %c32 step %c16
// CHECK-COUNT-16: tile.load {{.*}} memref<1x8x1x32x4x128xf32> -> !tile.fragment<16x16xf32
// CHECK: math.exp2
func.func @one_sequence(%q: tensor<1x32x1x128xf16>, %k: tensor<1x8x32768x128xf16>, %v: tensor<1x8x32768x128xf16>) -> tensor<1x32x1x128xf16> {
  %init = tensor.empty() : tensor<1x32x1x128xf16>
  %o = stof.attention ins(%q, %k, %v : tensor<1x32x1x128xf16>, tensor<1x8x32768x128xf16>, tensor<1x8x32768x128xf16>)
      outs(%init : tensor<1x32x1x128xf16>) scale 0.08838834764831845 -> tensor<1x32x1x128xf16>
  return %o : tensor<1x32x1x128xf16>
}
