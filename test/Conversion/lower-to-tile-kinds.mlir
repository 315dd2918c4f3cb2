// RUN: stof-opt %s --stof-to-tile=chip=sm_90a -split-input-file | FileCheck %s
// RUN: stof-opt %s --stof-to-tile=chip=sm_90a --remarks-filter=stof-emit-kernels -split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

/// Where iterations overlap, partial and full tiles have a mainloop each. The tile on
/// the diagonal comes first; those before it evaluate no mask, and no branch is between
/// their products.

// CHECK-LABEL: gpu.func @causal_0_attention
// CHECK: scf.while
// CHECK: do {
// CHECK: tile.contract
// CHECK: tile.map
// CHECK: arith.cmpi sge
// CHECK: tile.contract
// CHECK: scf.while
// CHECK: do {
// CHECK: tile.contract
// CHECK-NOT: scf.if
// CHECK-NOT: arith.cmpi
// CHECK: tile.contract
// CHECK-NOT: scf.while
// CHECK: tile.store
// REMARK: remark: [Passed] TileKinds | {{.*}}FullIntervals=1, PartialIntervals=1
func.func @causal(%q: tensor<1x1x512x64xf16>) -> tensor<1x1x512x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.cmpi sge, %i, %j : index
    stof.yield %keep : i1
  } : !stof.mask<512x512>
  %e = tensor.empty() : tensor<1x1x512x64xf16>
  %o = stof.attention ins(%q, %q, %q : tensor<1x1x512x64xf16>, tensor<1x1x512x64xf16>, tensor<1x1x512x64xf16>)
      mask(%m : !stof.mask<512x512>) tile <queries = 64, keys = 64, warps = 4, producers = 1, overlaps = true>
      outs(%e : tensor<1x1x512x64xf16>) -> tensor<1x1x512x64xf16>
  return %o : tensor<1x1x512x64xf16>
}

// -----

/// Partial tiles on both sides of full ones share a mainloop, in which each side has its
/// own test.

// CHECK-LABEL: gpu.func @window_0_attention
// CHECK: scf.while
// CHECK: scf.if
// CHECK: arith.cmpi slt, {{.*}} : i32
// CHECK: } else {
// CHECK: arith.cmpi sge, {{.*}} : i32
// CHECK: scf.while
// CHECK: tile.contract
// CHECK-NOT: scf.if
// CHECK: tile.contract
// CHECK-NOT: scf.while
// CHECK: tile.store
// REMARK: remark: [Passed] TileKinds | {{.*}}FullIntervals=1, PartialIntervals=2
func.func @window(%q: tensor<1x1x512x64xf16>) -> tensor<1x1x512x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %width = arith.constant 200 : index
    %distance = arith.subi %i, %j : index
    %near = arith.cmpi slt, %distance, %width : index
    %causal = arith.cmpi sge, %i, %j : index
    %keep = arith.andi %near, %causal : i1
    stof.yield %keep : i1
  } : !stof.mask<512x512>
  %e = tensor.empty() : tensor<1x1x512x64xf16>
  %o = stof.attention ins(%q, %q, %q : tensor<1x1x512x64xf16>, tensor<1x1x512x64xf16>, tensor<1x1x512x64xf16>)
      mask(%m : !stof.mask<512x512>) tile <queries = 64, keys = 64, warps = 4, producers = 1, overlaps = true>
      outs(%e : tensor<1x1x512x64xf16>) -> tensor<1x1x512x64xf16>
  return %o : tensor<1x1x512x64xf16>
}

// -----

/// One mainloop serves both kinds if iterations do not overlap.

// CHECK-LABEL: gpu.func @negative_apart_0_attention
// CHECK: scf.while
// CHECK: scf.if
// CHECK-NOT: scf.while
// CHECK: tile.store
// REMARK-NOT: TileKinds
func.func @negative_apart(%q: tensor<1x1x512x64xf16>) -> tensor<1x1x512x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.cmpi sge, %i, %j : index
    stof.yield %keep : i1
  } : !stof.mask<512x512>
  %e = tensor.empty() : tensor<1x1x512x64xf16>
  %o = stof.attention ins(%q, %q, %q : tensor<1x1x512x64xf16>, tensor<1x1x512x64xf16>, tensor<1x1x512x64xf16>)
      mask(%m : !stof.mask<512x512>) tile <queries = 64, keys = 64, warps = 4, producers = 1>
      outs(%e : tensor<1x1x512x64xf16>) -> tensor<1x1x512x64xf16>
  return %o : tensor<1x1x512x64xf16>
}

// -----

/// Tiles of either kind in many intervals stay in one mainloop: each interval would take
/// instructions of every iteration.

// CHECK-LABEL: gpu.func @negative_scattered_0_attention
// CHECK: scf.while
// CHECK: scf.if
// CHECK-NOT: scf.while
// CHECK: tile.store
// REMARK: remark: [Missed] TileKinds | {{.*}}FullIntervals=5, PartialIntervals=4, Reason="either kind of tiles is in too many intervals for a mainloop of its own"
func.func @negative_scattered(%q: tensor<1x1x1024x64xf16>) -> tensor<1x1x1024x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %zero = arith.constant 0 : index
    %three = arith.constant 3 : index
    %rest = arith.remsi %j, %three : index
    %keep = arith.cmpi ne, %rest, %zero : index
    stof.yield %keep : i1
  } : !stof.mask<1024x1024>
  %e = tensor.empty() : tensor<1x1x1024x64xf16>
  %o = stof.attention ins(%q, %q, %q : tensor<1x1x1024x64xf16>, tensor<1x1x1024x64xf16>, tensor<1x1x1024x64xf16>)
      mask(%m : !stof.mask<1024x1024>) tile <queries = 64, keys = 64, warps = 4, producers = 1, overlaps = true>
      layout <row_tile = 64, col_tile = 64, storage = closed_form, visited = [#stof.interval],
              partial = [#stof.interval<from = affine_map<(d0, d1, d2) -> (1)>, to = affine_map<(d0, d1, d2) -> (2)>>,
                         #stof.interval<from = affine_map<(d0, d1, d2) -> (3)>, to = affine_map<(d0, d1, d2) -> (4)>>,
                         #stof.interval<from = affine_map<(d0, d1, d2) -> (6)>, to = affine_map<(d0, d1, d2) -> (7)>>,
                         #stof.interval<from = affine_map<(d0, d1, d2) -> (9)>, to = affine_map<(d0, d1, d2) -> (10)>>]>
      outs(%e : tensor<1x1x1024x64xf16>) -> tensor<1x1x1024x64xf16>
  return %o : tensor<1x1x1024x64xf16>
}

// -----

/// In a tile list the partial tiles are ahead of the full ones: each kind has a mainloop,
/// and only that of partial tiles reads bitmaps.

// CHECK-LABEL: gpu.func @listed_0_attention
// CHECK-DAG: %[[FIRST:.*]] = memref.load %{{.*}}[%c0, %c0, %{{.*}}, %c0] : memref<1x1x8x3xi64>
// CHECK-DAG: %[[FULL:.*]] = memref.load %{{.*}}[%c0, %c0, %{{.*}}, %c1] : memref<1x1x8x3xi64>
// CHECK: scf.while
// CHECK: do {
// CHECK: tile.contract
// CHECK-NOT: scf.if
// CHECK: memref.load %{{.*}} : memref<?x64x2xi32>
// CHECK: tile.contract
// CHECK: memref.load %{{.*}}[%c0, %c0, %{{.*}}, %c2] : memref<1x1x8x3xi64>
// CHECK: scf.while
// CHECK: do {
// CHECK: tile.contract
// CHECK-NOT: scf.if
// CHECK-NOT: memref<?x64x2xi32>
// CHECK: tile.contract
// CHECK-NOT: scf.while
// CHECK: tile.store
// REMARK: remark: [Passed] TileKinds | {{.*}}Storage=tables
func.func @listed(%q: tensor<1x1x512x64xf16>, %ranges: tensor<1x1x8x3xi64>, %entries: tensor<?xi64>,
                  %bitmaps: tensor<?x64x2xi32>) -> tensor<1x1x512x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.cmpi sge, %i, %j : index
    stof.yield %keep : i1
  } : !stof.mask<512x512>
  %e = tensor.empty() : tensor<1x1x512x64xf16>
  %o = stof.attention ins(%q, %q, %q : tensor<1x1x512x64xf16>, tensor<1x1x512x64xf16>, tensor<1x1x512x64xf16>)
      mask(%m : !stof.mask<512x512>) tile <queries = 64, keys = 64, warps = 4, producers = 1, overlaps = true>
      layout <row_tile = 64, col_tile = 64, storage = tables>
        from(%ranges, %entries, %bitmaps : tensor<1x1x8x3xi64>, tensor<?xi64>, tensor<?x64x2xi32>)
      outs(%e : tensor<1x1x512x64xf16>) -> tensor<1x1x512x64xf16>
  return %o : tensor<1x1x512x64xf16>
}
