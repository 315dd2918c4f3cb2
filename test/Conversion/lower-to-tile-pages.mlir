// RUN: stof-opt %s --stof-plan=chip=sm_90a --stof-to-tile=chip=sm_90a --split-input-file | FileCheck %s
// RUN: stof-opt %s --stof-plan=chip=sm_90a --split-input-file --remarks-filter=stof-plan-layout -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

/// One query of each sequence, four heads of a group: a CTA has a group and
/// a sequence, whose pages it finds in the table. A tile has two of them, each
/// loaded from where it is; the second one may be missing.

// CHECK-LABEL: gpu.func @decode_0_attention
// CHECK-SAME: (%{{.*}}: memref<64x8x4x128xf16>, %[[K:.*]]: memref<1x8x524288x128xf16>, %[[V:.*]]: memref<1x8x524288x128xf16>, %[[ROWS:.*]]: memref<64x2xi32>, %[[PAGES:.*]]: memref<?xi32>, %[[LENGTHS:.*]]: memref<64x1xi32>,
// CHECK-SAME: storage = "page-table"
// CHECK: %[[HEAD:.*]] = gpu.block_id y
// CHECK: %[[SEQUENCE:.*]] = gpu.block_id z
// CHECK: memref.load %[[ROWS]][%[[SEQUENCE]], %c0]
// CHECK: %[[BEGIN:.*]] = arith.minsi
// CHECK: memref.load %[[LENGTHS]][%[[SEQUENCE]], %c0]
// CHECK: %[[LENGTH:.*]] = arith.minsi
// CHECK: scf.for %[[KEY:.*]] = %c0 to %[[LENGTH]] step %c32
// CHECK:   %[[PAGE:.*]] = arith.divui %[[KEY]], %c16
// CHECK:   %[[AT:.*]] = arith.addi %[[BEGIN]], %[[PAGE]]
// CHECK:   memref.load %[[PAGES]][%[[AT]]]
// CHECK:   %[[FIRST:.*]] = arith.muli %{{.*}}, %c16
// CHECK:   %[[EXISTS:.*]] = arith.cmpi slt, %{{.*}}, %[[LENGTH]]
// CHECK:   %[[READ:.*]] = arith.select %[[EXISTS]], %{{.*}}, %[[AT]]
// CHECK:   memref.load %[[PAGES]][%[[READ]]]
// CHECK:   %[[SECOND:.*]] = arith.select %[[EXISTS]], %{{.*}}, %c524288
// CHECK:   %[[CUT:.*]] = arith.cmpi sgt, %{{.*}}, %[[LENGTH]]
// CHECK:   tile.load %[[K]][%c0, %[[HEAD]], %[[FIRST]], %[[SECOND]], %c0] along [2, 3] blocks 2 : {{.*}} -> !tile.shared<32x128xf16>
// CHECK:   scf.if %[[CUT]]
// CHECK:   tile.load %[[V]][%c0, %[[HEAD]], %[[FIRST]], %[[SECOND]], %c0] along [2, 3] blocks 2

// REMARK: [Analysis] PlannedLayout | {{.*}}ColTile=32, {{.*}}RowTile=16, Storage=page_table
func.func @decode(%q: tensor<64x32x1x128xf16>, %k: tensor<1x8x524288x128xf16>, %v: tensor<1x8x524288x128xf16>,
                  %rows: tensor<64x2xi32>, %pages: tensor<?xi32>, %lengths: tensor<64x1xi32>) -> tensor<64x32x1x128xf16> {
  %m = stof.block_mask %rows, %pages lengths(%lengths : tensor<64x1xi32>) block(1, 16) : tensor<64x2xi32>, tensor<?xi32> -> !stof.mask<1x524288>
  %e = tensor.empty() : tensor<64x32x1x128xf16>
  %o = stof.attention ins(%q, %k, %v : tensor<64x32x1x128xf16>, tensor<1x8x524288x128xf16>, tensor<1x8x524288x128xf16>)
    mask(%m : !stof.mask<1x524288>) outs(%e : tensor<64x32x1x128xf16>) -> tensor<64x32x1x128xf16>
  return %o : tensor<64x32x1x128xf16>
}

// -----

/// A tile in a page is one block. The keys of one sequence are shared among
/// CTAs.

// CHECK-LABEL: gpu.func @split_0_attention
// CHECK-SAME: splits = 32
// CHECK: arith.ceildivui %[[LENGTH:.*]], %c128
// CHECK: scf.for %[[KEY:[^ ]*]] =
// CHECK:   %[[IN_PAGE:.*]] = arith.remui %[[KEY]], %c256
// CHECK:   %[[FIRST:.*]] = arith.addi %{{.*}}, %[[IN_PAGE]]
// CHECK:   tile.load %{{.*}}[%{{.*}}, %{{.*}}, %[[FIRST]], %c0] along [2, 3] : {{.*}} -> !tile.shared<128x128xf16>
// CHECK: gpu.func @split_1_combine
func.func @split(%q: tensor<1x8x1x128xf16>, %k: tensor<1x8x8192x128xf16>,
                 %rows: tensor<2xi32>, %pages: tensor<?xi32>, %lengths: tensor<1xi32>) -> tensor<1x8x1x128xf16> {
  %m = stof.block_mask %rows, %pages lengths(%lengths : tensor<1xi32>) block(1, 256) : tensor<2xi32>, tensor<?xi32> -> !stof.mask<1x8192>
  %e = tensor.empty() : tensor<1x8x1x128xf16>
  %o = stof.attention ins(%q, %k, %k : tensor<1x8x1x128xf16>, tensor<1x8x8192x128xf16>, tensor<1x8x8192x128xf16>)
    mask(%m : !stof.mask<1x8192>) outs(%e : tensor<1x8x1x128xf16>) -> tensor<1x8x1x128xf16>
  return %o : tensor<1x8x1x128xf16>
}

// -----

/// Otherwise a kernel lists the tiles of the table first.

// REMARK: [Missed] PlannedLayout | {{.*}}Reason="its tiles are listed at run time, since its row tiles have queries of several sequences"
// REMARK: Storage=run_time
// REMARK: Reason="its tiles are listed at run time, since pages and key tiles do not divide each other"
// REMARK: Reason="its tiles are listed at run time, since its pages are short"
// REMARK: Reason="its tiles are listed at run time, since fully masked rows need all keys"
// REMARK: Reason="its tiles are listed at run time, since its scores depend on where keys are"
func.func @refused(%q: tensor<1x8x4x64xf16>, %k: tensor<1x8x512x64xf16>, %rows: tensor<5xi32>, %row: tensor<2xi32>, %pages: tensor<?xi32>,
                   %lengths: tensor<4xi32>, %length: tensor<1xi32>)
    -> (tensor<1x8x4x64xf16>, tensor<1x8x4x64xf16>, tensor<1x8x4x64xf16>, tensor<1x8x4x64xf16>, tensor<1x8x4x64xf16>) {
  %m0 = stof.block_mask %rows, %pages lengths(%lengths : tensor<4xi32>) block(1, 16) : tensor<5xi32>, tensor<?xi32> -> !stof.mask<4x512>
  %e = tensor.empty() : tensor<1x8x4x64xf16>
  %0 = stof.attention ins(%q, %k, %k : tensor<1x8x4x64xf16>, tensor<1x8x512x64xf16>, tensor<1x8x512x64xf16>)
    mask(%m0 : !stof.mask<4x512>) outs(%e : tensor<1x8x4x64xf16>) -> tensor<1x8x4x64xf16>
  %m1 = stof.block_mask %row, %pages lengths(%length : tensor<1xi32>) block(4, 48) : tensor<2xi32>, tensor<?xi32> -> !stof.mask<4x512>
  %1 = stof.attention ins(%q, %k, %k : tensor<1x8x4x64xf16>, tensor<1x8x512x64xf16>, tensor<1x8x512x64xf16>)
    mask(%m1 : !stof.mask<4x512>) outs(%e : tensor<1x8x4x64xf16>) -> tensor<1x8x4x64xf16>
  %m2 = stof.block_mask %row, %pages lengths(%length : tensor<1xi32>) block(4, 1) : tensor<2xi32>, tensor<?xi32> -> !stof.mask<4x512>
  %2 = stof.attention ins(%q, %k, %k : tensor<1x8x4x64xf16>, tensor<1x8x512x64xf16>, tensor<1x8x512x64xf16>)
    mask(%m2 : !stof.mask<4x512>) outs(%e : tensor<1x8x4x64xf16>) -> tensor<1x8x4x64xf16>
  %m3 = stof.block_mask %row, %pages lengths(%length : tensor<1xi32>) block(4, 16) : tensor<2xi32>, tensor<?xi32> -> !stof.mask<4x512>
  %3 = stof.attention ins(%q, %k, %k : tensor<1x8x4x64xf16>, tensor<1x8x512x64xf16>, tensor<1x8x512x64xf16>)
    mask(%m3 : !stof.mask<4x512>) outs(%e : tensor<1x8x4x64xf16>) empty_rows(mean) -> tensor<1x8x4x64xf16>
  %4 = stof.attention ins(%q, %k, %k : tensor<1x8x4x64xf16>, tensor<1x8x512x64xf16>, tensor<1x8x512x64xf16>)
    mask(%m3 : !stof.mask<4x512>) outs(%e : tensor<1x8x4x64xf16>)
    score {
    ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index):
      %t = math.tanh %s : f32
      stof.yield %t : f32
    } -> tensor<1x8x4x64xf16>
  return %0, %1, %2, %3, %4 : tensor<1x8x4x64xf16>, tensor<1x8x4x64xf16>, tensor<1x8x4x64xf16>, tensor<1x8x4x64xf16>, tensor<1x8x4x64xf16>
}
