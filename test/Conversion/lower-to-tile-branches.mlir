// RUN: stof-opt %s --stof-lower-to-tile -split-input-file | FileCheck %s

/// Matmuls of one operand: a CTA finds its branch by its number, and the
/// operand is passed once.

#id = affine_map<(i, j) -> (i, j)>

// CHECK-LABEL: func @projections
// CHECK: %[[BLOCKS:.*]] = arith.constant 10 : index
// CHECK: gpu.launch_func @projections_kernels::@projections_0_matmul blocks in (%[[BLOCKS]],

// CHECK: gpu.func @projections_0_matmul(%{{.*}}: memref<128x192xf32>, %[[X:[a-z0-9]*]]: memref<128x32xf16>, %[[V:[a-z0-9]*]]: memref<32x192xf16>,
// CHECK-SAME: %{{[a-z0-9]*}}: memref<128x96xf32>, %[[W:[a-z0-9]*]]: memref<32x96xf16>) kernel
// CHECK-SAME: stof.ops = ["linalg.matmul", "linalg.generic", "linalg.matmul"]
// CHECK-SAME: branch0 = "contraction, block_k 32, columns 64, row_warps 2, rows 64", branch1 = "contraction, block_k 32, columns 64, row_warps 2, rows 64"
// CHECK-SAME: kernel = "branches", stages = 2
// CHECK: %[[BLOCK:.*]] = gpu.block_id x
// CHECK: %[[END:.*]] = arith.constant 6 : index
// CHECK: %[[FIRST:.*]] = arith.cmpi ult, %[[BLOCK]], %[[END]] : index
// CHECK: scf.if %[[FIRST]] {
// CHECK:   %[[TILES:.*]] = arith.constant 3 : index
// CHECK:   arith.remui %[[BLOCK]], %[[TILES]]
// CHECK:   scf.for
// CHECK:     tile.load %[[X]]
// CHECK:     tile.load %[[V]]
// CHECK:   math.exp
// CHECK:   tile.store
// CHECK: } else {
// CHECK:   %[[BEGIN:.*]] = arith.constant 6 : index
// CHECK:   %[[NUMBER:.*]] = arith.subi %[[BLOCK]], %[[BEGIN]]
// CHECK:   arith.remui %[[NUMBER]]
// CHECK:   scf.for
// CHECK:     tile.load %[[X]]
// CHECK:     tile.load %[[W]]
// CHECK:   tile.store
// CHECK-NOT: math.exp
// CHECK: }
// CHECK: gpu.return
func.func @projections(%x: tensor<128x32xf16>, %v: tensor<32x192xf16>, %w: tensor<32x96xf16>) -> (tensor<128x192xf32>, tensor<128x96xf32>) {
  %r:2 = stof.group ins(%x, %v, %w : tensor<128x32xf16>, tensor<32x192xf16>, tensor<32x96xf16>) {
  ^bb0(%x_: tensor<128x32xf16>, %v_: tensor<32x192xf16>, %w_: tensor<32x96xf16>):
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<128x192xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<128x192xf32>) -> tensor<128x192xf32>
    %0 = linalg.matmul ins(%x_, %v_ : tensor<128x32xf16>, tensor<32x192xf16>) outs(%f : tensor<128x192xf32>) -> tensor<128x192xf32>
    %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<128x192xf32>) outs(%e : tensor<128x192xf32>) {
    ^bb1(%u: f32, %old: f32):
      %n = math.exp %u : f32
      linalg.yield %n : f32
    } -> tensor<128x192xf32>
    %g = tensor.empty() : tensor<128x96xf32>
    %h = linalg.fill ins(%zero : f32) outs(%g : tensor<128x96xf32>) -> tensor<128x96xf32>
    %2 = linalg.matmul ins(%x_, %w_ : tensor<128x32xf16>, tensor<32x96xf16>) outs(%h : tensor<128x96xf32>) -> tensor<128x96xf32>
    stof.yield %1, %2 : tensor<128x192xf32>, tensor<128x96xf32>
  } -> tensor<128x192xf32>, tensor<128x96xf32>
  return %r#0, %r#1 : tensor<128x192xf32>, tensor<128x96xf32>
}

// -----

/// The host adds up blocks that it cannot count before. Rows come before
/// elements, whose tiles lie over as many warps.

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// CHECK-LABEL: func @rows_and_elements
// CHECK-SAME: (%[[X:[a-z0-9]*]]: memref<?x64xf32>, %[[Y:[a-z0-9]*]]: memref<?x?xf32>
// CHECK: %[[ROWS:.*]] = memref.dim %[[X]]
// CHECK: %[[HEIGHT:.*]] = memref.dim %[[Y]]
// CHECK: %[[WIDTH:.*]] = memref.dim %[[Y]]
// CHECK: %[[ALL:.*]] = affine.apply #{{.*}}()[%[[ROWS]], %[[HEIGHT]], %[[WIDTH]]]
// CHECK: gpu.launch_func {{.*}} blocks in (%[[ALL]],

// CHECK: gpu.func @rows_and_elements_0_generic(%[[END:[a-z0-9]*]]: index
// CHECK-SAME: branch0 = "rows, {{.*}}branch1 = "elementwise,
// CHECK: %[[BLOCK:.*]] = gpu.block_id x
// CHECK: %[[FIRST:.*]] = arith.cmpi ult, %[[BLOCK]], %[[END]] : index
// CHECK: scf.if %[[FIRST]] {
// CHECK:   tile.reduce
// CHECK: } else {
// CHECK:   arith.subi %[[BLOCK]], %[[END]]
// CHECK:   math.absf
// CHECK: }
func.func @rows_and_elements(%x: tensor<?x64xf32>, %y: tensor<?x?xf32>, %i: tensor<?xf32>) -> (tensor<?xf32>, tensor<?x?xf32>) {
  %r:2 = stof.group ins(%x, %y, %i : tensor<?x64xf32>, tensor<?x?xf32>, tensor<?xf32>) {
  ^bb0(%x_: tensor<?x64xf32>, %y_: tensor<?x?xf32>, %i_: tensor<?xf32>):
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y_ : tensor<?x?xf32>) outs(%y_ : tensor<?x?xf32>) {
    ^bb1(%u: f32, %old: f32):
      %n = math.absf %u : f32
      linalg.yield %n : f32
    } -> tensor<?x?xf32>
    %1 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x_ : tensor<?x64xf32>) outs(%i_ : tensor<?xf32>) {
    ^bb1(%u: f32, %old: f32):
      %n = arith.addf %u, %old : f32
      linalg.yield %n : f32
    } -> tensor<?xf32>
    stof.yield %1, %0 : tensor<?xf32>, tensor<?x?xf32>
  } -> tensor<?xf32>, tensor<?x?xf32>
  return %r#0, %r#1 : tensor<?xf32>, tensor<?x?xf32>
}
