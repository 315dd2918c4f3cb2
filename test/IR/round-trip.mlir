// RUN: stof-opt %s | FileCheck %s
// RUN: stof-opt %s --emit-bytecode | stof-opt | FileCheck %s

/// A mask is a predicate over four coordinates and what it captures.

// CHECK-LABEL: func @band
// CHECK-SAME: (%[[WIDTH:.*]]: index)
func.func @band(%width: index) -> !stof.mask<128x?> {
  // CHECK: stof.mask captures(%[[WIDTH]] : index) {
  // CHECK: ^bb0(%{{[^ ,]*}}: index, %{{[^ ,]*}}: index, %[[Q:.*]]: index, %[[K:.*]]: index, %[[W:.*]]: index):
  // CHECK: stof.yield %{{[^ ,]*}} : i1
  // CHECK: } : !stof.mask<128x?>
  %m = stof.mask captures(%width : index) {
  ^bb0(%b: index, %h: index, %q: index, %k: index, %w: index):
    %d = arith.subi %q, %k : index
    %keep = arith.cmpi sle, %d, %w : index
    stof.yield %keep : i1
  } : !stof.mask<128x?>
  return %m : !stof.mask<128x?>
}

// CHECK-LABEL: func @blocks
func.func @blocks(%rows: tensor<3xi32>, %cols: tensor<?xi32>) -> !stof.mask<128x128> {
  // CHECK: stof.block_mask %{{[^ ,]*}}, %{{[^ ,]*}} block(64, 64) : tensor<3xi32>, tensor<?xi32> -> !stof.mask<128x128>
  %m = stof.block_mask %rows, %cols block(64, 64) : tensor<3xi32>, tensor<?xi32> -> !stof.mask<128x128>
  return %m : !stof.mask<128x128>
}

// CHECK-LABEL: func @pages
func.func @pages(%rows: tensor<8x2xi32>, %cols: tensor<?xi32>, %lengths: tensor<8x1xi32>) -> !stof.mask<1x128> {
  // CHECK: stof.block_mask %{{[^ ,]*}}, %{{[^ ,]*}} lengths(%{{[^ ,]*}} : tensor<8x1xi32>) block(1, 16) : tensor<8x2xi32>, tensor<?xi32> -> !stof.mask<1x128>
  %m = stof.block_mask %rows, %cols lengths(%lengths : tensor<8x1xi32>) block(1, 16) : tensor<8x2xi32>, tensor<?xi32> -> !stof.mask<1x128>
  return %m : !stof.mask<1x128>
}

/// Everything an attention may say, in one.

// CHECK-LABEL: func @attention
func.func @attention(%q: tensor<2x8x?x64xf16>, %k: tensor<2x2x?x64xf16>, %v: tensor<2x2x?x32xf16>,
                     %m: !stof.mask<?x?>, %sinks: tensor<8xf32>, %slopes: tensor<8xf32>, %s: f32,
                     %o: tensor<2x8x?x32xf16>, %l: tensor<2x8x?xf32>) -> (tensor<2x8x?x32xf16>, tensor<2x8x?xf32>) {
  // CHECK: stof.attention ins(%{{[^ ,]*}}, %{{[^ ,]*}}, %{{[^ ,]*}} : tensor<2x8x?x64xf16>, tensor<2x2x?x64xf16>, tensor<2x2x?x32xf16>)
  // CHECK-SAME: mask(%{{[^ ,]*}} : !stof.mask<?x?>) sinks(%{{[^ ,]*}} : tensor<8xf32>)
  // CHECK-SAME: captures(%{{[^ ,]*}} : tensor<8xf32>)
  // CHECK-SAME: outs(%{{[^ ,]*}} : tensor<2x8x?x32xf16>, lse %{{[^ ,]*}} : tensor<2x8x?xf32>)
  // CHECK-SAME: scale 1.250000e-01 times %{{[^ ,]*}} empty_rows(mean) score {
  // CHECK: } -> tensor<2x8x?x32xf16>, tensor<2x8x?xf32>
  %r:2 = stof.attention ins(%q, %k, %v : tensor<2x8x?x64xf16>, tensor<2x2x?x64xf16>, tensor<2x2x?x32xf16>)
      mask(%m : !stof.mask<?x?>) sinks(%sinks : tensor<8xf32>) captures(%slopes : tensor<8xf32>)
      outs(%o : tensor<2x8x?x32xf16>, lse %l : tensor<2x8x?xf32>)
      scale 0.125 times %s empty_rows(mean) score {
  ^bb0(%x: f32, %b: index, %h: index, %i: index, %j: index, %slope: tensor<8xf32>):
    %a = tensor.extract %slope[%h] : tensor<8xf32>
    %y = arith.addf %x, %a : f32
    stof.yield %y : f32
  } -> tensor<2x8x?x32xf16>, tensor<2x8x?xf32>
  return %r#0, %r#1 : tensor<2x8x?x32xf16>, tensor<2x8x?xf32>
}

// CHECK-LABEL: func @empty_rows_over_a_mask
func.func @empty_rows_over_a_mask(%q: tensor<1x2x8x4xf16>, %m: !stof.mask<8x8>, %other: !stof.mask<?x8>) -> tensor<1x2x8x4xf16> {
  // CHECK: stof.attention {{.*}} mask(%{{[^ ,]*}} : !stof.mask<8x8>) outs(%{{[^ ,]*}} : tensor<1x2x8x4xf16>)
  // CHECK-SAME: empty_rows(unmasked over %{{[^ ,]*}} : !stof.mask<?x8>) -> tensor<1x2x8x4xf16>
  %r = stof.attention ins(%q, %q, %q : tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>)
      mask(%m : !stof.mask<8x8>) outs(%q : tensor<1x2x8x4xf16>)
      empty_rows(unmasked over %other : !stof.mask<?x8>) -> tensor<1x2x8x4xf16>
  return %r : tensor<1x2x8x4xf16>
}

// CHECK-LABEL: func @group
func.func @group(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: stof.group ins(%{{[^ ,]*}} : tensor<4xf32>) {
  // CHECK: } -> tensor<4xf32>
  %y = stof.group ins(%x : tensor<4xf32>) {
  ^bb0(%a: tensor<4xf32>):
    %n = math.absf %a : tensor<4xf32>
    stof.yield %n : tensor<4xf32>
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}

/// A layout in each of its storages.

// CHECK-LABEL: func @layouts
func.func @layouts(%q: tensor<4x2x64x8xf16>, %m: !stof.mask<64x64>, %w: index, %lengths: tensor<4xi32>,
                   %ranges: tensor<1x2x4x3xi64>, %entries: tensor<?xi64>, %bitmaps: tensor<?x16x1xi32>) {
  // CHECK: layout <row_tile = 16, col_tile = 32, storage = closed_form, visited = [#stof.interval<from = #[[FROM:.*]], to = #[[TO:.*]], where = #[[WHERE:.*]]>, #stof.interval], partial = [#stof.interval<to = #{{.*}}>], symbols = [#{{.*}}, #{{.*}}]>
  // CHECK-SAME: from(%{{[^ ,]*}}, %{{[^ ,]*}} : index, tensor<4xi32>) outs
  %closed = stof.attention ins(%q, %q, %q : tensor<4x2x64x8xf16>, tensor<4x2x64x8xf16>, tensor<4x2x64x8xf16>)
      mask(%m : !stof.mask<64x64>)
      layout <row_tile = 16, col_tile = 32, storage = closed_form,
              visited = [#stof.interval<from = affine_map<(t, b, h)[w, n] -> ((t * 16 - w) floordiv 32)>,
                                        to = affine_map<(t, b, h)[w, n] -> (t + 1, n ceildiv 32)>,
                                        where = affine_map<(t, b, h)[w, n] -> (h - b)>>, #stof.interval],
              partial = [#stof.interval<to = affine_map<(t, b, h)[w, n] -> (t)>>],
              symbols = [affine_map<(b, h) -> ()>, affine_map<(b, h) -> (b)>]>
        from(%w, %lengths : index, tensor<4xi32>)
      outs(%q : tensor<4x2x64x8xf16>) -> tensor<4x2x64x8xf16>
  // CHECK: layout <row_tile = 16, col_tile = 32, storage = tables> from(%{{[^ ,]*}}, %{{[^ ,]*}}, %{{[^ ,]*}} : tensor<1x2x4x3xi64>, tensor<?xi64>, tensor<?x16x1xi32>) schedule <reversed = true> outs
  %tables = stof.attention ins(%q, %q, %q : tensor<4x2x64x8xf16>, tensor<4x2x64x8xf16>, tensor<4x2x64x8xf16>)
      mask(%m : !stof.mask<64x64>)
      layout <row_tile = 16, col_tile = 32, storage = tables>
        from(%ranges, %entries, %bitmaps : tensor<1x2x4x3xi64>, tensor<?xi64>, tensor<?x16x1xi32>)
      schedule <reversed = true>
      outs(%q : tensor<4x2x64x8xf16>) -> tensor<4x2x64x8xf16>
  // CHECK: layout <row_tile = 16, col_tile = 32, storage = run_time> from
  %run_time = stof.attention ins(%q, %q, %q : tensor<4x2x64x8xf16>, tensor<4x2x64x8xf16>, tensor<4x2x64x8xf16>)
      mask(%m : !stof.mask<64x64>)
      layout <row_tile = 16, col_tile = 32, storage = run_time> from(%ranges, %entries : tensor<1x2x4x3xi64>, tensor<?xi64>)
      outs(%q : tensor<4x2x64x8xf16>) -> tensor<4x2x64x8xf16>
  // CHECK: layout <row_tile = 16, col_tile = 32, storage = closed_form, lattices = [#stof.lattice<stride = 8, offset = 3, visited = [#stof.interval], partial = [#stof.interval]>], census = {empty = 8 : i64}> outs
  %lattices = stof.attention ins(%q, %q, %q : tensor<4x2x64x8xf16>, tensor<4x2x64x8xf16>, tensor<4x2x64x8xf16>)
      mask(%m : !stof.mask<64x64>)
      layout <row_tile = 16, col_tile = 32, storage = closed_form,
              lattices = [#stof.lattice<stride = 8, offset = 3, visited = [#stof.interval], partial = [#stof.interval]>],
              census = {empty = 8 : i64}>
      outs(%q : tensor<4x2x64x8xf16>) -> tensor<4x2x64x8xf16>
  // CHECK: layout <row_tile = 16, col_tile = 32, storage = closed_form, visited = [#stof.interval], row_stride = 2, residue = 1> outs
  %rows = stof.attention ins(%q, %q, %q : tensor<4x2x64x8xf16>, tensor<4x2x64x8xf16>, tensor<4x2x64x8xf16>)
      mask(%m : !stof.mask<64x64>)
      layout <row_tile = 16, col_tile = 32, storage = closed_form, visited = [#stof.interval], row_stride = 2, residue = 1>
      outs(%q : tensor<4x2x64x8xf16>) -> tensor<4x2x64x8xf16>
  // CHECK: stof.list_tiles mask(%{{[^ ]*}} : !stof.mask<64x64>) sizes(%[[W:[^ ,]*]], %[[W]], %[[W]], %[[W]])
  // CHECK-SAME: within <row_tile = 16, col_tile = 32, storage = closed_form, visited = [#stof.interval<to = #{{.*}}>], symbols = [#{{.*}}]>
  // CHECK-SAME: from(%[[W]] : index) -> tensor<1x1x4x3xi64>, tensor<9xi64>
  %r, %e = stof.list_tiles mask(%m : !stof.mask<64x64>) sizes(%w, %w, %w, %w)
      within <row_tile = 16, col_tile = 32, storage = closed_form,
              visited = [#stof.interval<to = affine_map<(t, b, h)[n] -> (n)>>], symbols = [affine_map<(b, h) -> ()>]>
        from(%w : index) -> tensor<1x1x4x3xi64>, tensor<9xi64>
  return
}

// CHECK: func private @schedules() attributes {cut = #stof.schedule<ahead = 2, splits = 4>, first = #stof.schedule<ahead = 2>, last = #stof.schedule<reversed = true>}
func.func private @schedules() attributes {cut = #stof.schedule<ahead = 2, splits = 4>, first = #stof.schedule<ahead = 2>, last = #stof.schedule<reversed = true, ahead = 0, splits = 1>}

// CHECK: func private @schemes() attributes {bits = #stof.scheme<"0110">, digits = #stof.scheme<"00011010">, none = #stof.scheme<"">, short = #stof.scheme<"110">}
func.func private @schemes() attributes {bits = #stof.scheme<"0110">, digits = #stof.scheme<"0x1A:8">, none = #stof.scheme<"">, short = #stof.scheme<"0x6:3">}

/// On buffers, results are destinations; the region stays on tensors.

// CHECK-LABEL: func @group_on_buffers
func.func @group_on_buffers(%x: memref<4xf32>, %y: memref<?xf32>) {
  // CHECK: stof.group ins(%{{[^ ,]*}} : memref<4xf32>) outs(%{{[^ ,]*}} : memref<?xf32>) {
  // CHECK-NEXT: ^bb0(%{{.*}}: tensor<4xf32>):
  stof.group ins(%x : memref<4xf32>) outs(%y : memref<?xf32>) {
  ^bb0(%a: tensor<4xf32>):
    stof.yield %a : tensor<4xf32>
  }
  return
}

// CHECK-LABEL: func @launch
func.func @launch(%m: !stof.mask<8x8>, %n: index, %r: memref<1x1x1x3xi64>, %e: memref<2xi64>, %flags: memref<1x1x1x1xi8>) {
  // CHECK: stof.launch [@kernels::@flags, @kernels::@tiles] temporaries(%{{[^ ,]*}} : memref<1x1x1x1xi8>) {
  // CHECK-NEXT: stof.list_tiles mask(%{{.*}} : !stof.mask<8x8>) sizes(%{{.*}}) within <row_tile = 64, col_tile = 64, storage = closed_form> outs(%{{.*}}, %{{.*}} : memref<1x1x1x3xi64>, memref<2xi64>)
  stof.launch [@kernels::@flags, @kernels::@tiles] temporaries(%flags : memref<1x1x1x1xi8>) {
    stof.list_tiles mask(%m : !stof.mask<8x8>) sizes(%n, %n, %n, %n)
        within <row_tile = 64, col_tile = 64, storage = closed_form> outs(%r, %e : memref<1x1x1x3xi64>, memref<2xi64>)
  }
  return
}
