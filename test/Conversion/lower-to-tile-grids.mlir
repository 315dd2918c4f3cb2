// RUN: stof-opt %s --stof-lower-to-tile --canonicalize --cse -split-input-file -verify-diagnostics | FileCheck %s

/// A grid has at most 65535 blocks along y and z; one with more becomes a line,
/// row tiles fastest.

// CHECK-LABEL: func @many_batches
// CHECK-DAG: %[[BLOCKS:.*]] = arith.constant 280000 : index
// CHECK: gpu.launch_func @many_batches_kernels::@many_batches_0_attention blocks in (%[[BLOCKS]], %c1, %c1)
// CHECK-LABEL: gpu.func @many_batches_0_attention
// CHECK-SAME: known_grid_size = array<i32: 280000, 1, 1>
// CHECK: %[[BLOCK:.*]] = gpu.block_id x
// CHECK: %[[TILE:.*]] = arith.remui %[[BLOCK]], %c2
// CHECK: %[[REST:.*]] = arith.divui %[[BLOCK]], %c2
// CHECK: %[[HEAD:.*]] = arith.remui %[[REST]], %c2
// CHECK: %[[BATCH:.*]] = arith.divui %[[REST]], %c2
// CHECK-NOT: gpu.block_id
// CHECK: %[[QUERY:.*]] = arith.muli %[[TILE]], %c128
// CHECK: tile.load %{{.*}}[%[[BATCH]], %[[HEAD]], %[[QUERY]], %c0]
func.func @many_batches(%q: tensor<70000x2x256x16xf16>) -> tensor<70000x2x256x16xf16> {
  %e = tensor.empty() : tensor<70000x2x256x16xf16>
  %o = stof.attention ins(%q, %q, %q : tensor<70000x2x256x16xf16>, tensor<70000x2x256x16xf16>, tensor<70000x2x256x16xf16>)
    outs(%e : tensor<70000x2x256x16xf16>) -> tensor<70000x2x256x16xf16>
  return %o : tensor<70000x2x256x16xf16>
}

// -----

/// Sizes of run time are arguments of the kernel.

// CHECK-LABEL: func @many_heads
// CHECK: gpu.launch_func @many_heads_kernels::@many_heads_0_attention blocks in (%{{.*}}, %c1, %c1)
// CHECK-LABEL: gpu.func @many_heads_0_attention
// CHECK-NOT: known_grid_size
// CHECK: %[[BLOCK:.*]] = gpu.block_id x
// CHECK: arith.remui %[[BLOCK]], %[[TILES:arg[0-9]+]]
// CHECK: %[[REST:.*]] = arith.divui %[[BLOCK]], %[[TILES]]
// CHECK: arith.remui %[[REST]], %c65536
// CHECK: arith.divui %[[REST]], %c65536
func.func @many_heads(%q: tensor<?x65536x?x16xf16>, %e: tensor<?x65536x?x16xf16>) -> tensor<?x65536x?x16xf16> {
  %o = stof.attention ins(%q, %q, %q : tensor<?x65536x?x16xf16>, tensor<?x65536x?x16xf16>, tensor<?x65536x?x16xf16>)
    outs(%e : tensor<?x65536x?x16xf16>) -> tensor<?x65536x?x16xf16>
  return %o : tensor<?x65536x?x16xf16>
}

// -----

// CHECK-LABEL: func @negative_most_batches
// CHECK: gpu.launch_func {{.*}} blocks in (%c2, %c2, %c65535)
func.func @negative_most_batches(%q: tensor<65535x2x256x16xf16>) -> tensor<65535x2x256x16xf16> {
  %e = tensor.empty() : tensor<65535x2x256x16xf16>
  %o = stof.attention ins(%q, %q, %q : tensor<65535x2x256x16xf16>, tensor<65535x2x256x16xf16>, tensor<65535x2x256x16xf16>)
    outs(%e : tensor<65535x2x256x16xf16>) -> tensor<65535x2x256x16xf16>
  return %o : tensor<65535x2x256x16xf16>
}

// -----

func.func @too_many(%q: tensor<1048576x2048x64x16xf16>) -> tensor<1048576x2048x64x16xf16> {
  %e = tensor.empty() : tensor<1048576x2048x64x16xf16>
  // expected-error @below {{cannot be compiled: expects at most 2147483647 CTAs, but got 2147483648}}
  %o = stof.attention ins(%q, %q, %q : tensor<1048576x2048x64x16xf16>, tensor<1048576x2048x64x16xf16>, tensor<1048576x2048x64x16xf16>)
    outs(%e : tensor<1048576x2048x64x16xf16>) -> tensor<1048576x2048x64x16xf16>
  return %o : tensor<1048576x2048x64x16xf16>
}
