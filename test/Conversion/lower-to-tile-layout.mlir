// RUN: stof-opt %s --stof-lower-to-tile --canonicalize --cse -split-input-file | FileCheck %s

/// The mainloop iterates over visited tiles; the mask is evaluated where a
/// tile is partial alone.

// CHECK-DAG: #[[AFTER:.*]] = affine_map<()[s0] -> (s0 + 1)>
// CHECK-LABEL: gpu.func @causal_0_attention
// CHECK-DAG: %[[ROW:.*]] = gpu.block_id  x
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C8:.*]] = arith.constant 8 : index
// CHECK-DAG: %[[C32:.*]] = arith.constant 32 : index
// CHECK: tile.load {{.*}} -> !tile.shared<16x16xf16>
// CHECK: %[[END:.*]] = affine.apply #[[AFTER]]()[%[[ROW]]]
// CHECK: %[[ANY:.*]] = arith.cmpi sgt, %[[END]], %[[C0]]
// CHECK: %[[FIRST:.*]] = arith.select %[[ANY]], %[[C0]], %[[C8]]
// CHECK: %[[START:.*]] = arith.minsi %[[FIRST]], %[[C8]]
// CHECK: scf.while (%[[AT:.*]] = %[[START]],
// CHECK:   %[[MORE:.*]] = arith.cmpi slt, %[[AT]], %[[C8]]
// CHECK:   scf.condition(%[[MORE]])
// CHECK: do {
// CHECK:   ^bb0(%[[TILE:[^ ]*]]: index,
// CHECK:   %[[KEY:.*]] = arith.muli %[[TILE]], %[[C32]]
// CHECK:   %[[ON_DIAGONAL:.*]] = arith.cmpi sge, %[[TILE]], %[[ROW]]
// CHECK:   tile.load %{{[^ ]*}}[%{{.*}}, %{{.*}}, %[[KEY]], %{{.*}}] {{.*}} -> !tile.shared<32x16xf16>
// CHECK:   tile.contract
// CHECK:   scf.if {{.*}} -> (!tile.fragment<16x32xf32,
// CHECK:     arith.cmpi sle
// CHECK:   } else {
// CHECK-NOT: arith.cmpi
// CHECK:   tile.contract
// CHECK:   %[[NEXT:.*]] = arith.addi %[[TILE]], %{{.*}} : index
// CHECK:   %[[FROM:.*]] = arith.maxsi %[[NEXT]], %[[C0]]
// CHECK:   %[[INSIDE:.*]] = arith.cmpi slt, %[[FROM]], %[[END]]
// CHECK:   %[[AHEAD:.*]] = arith.select %[[INSIDE]], %[[FROM]], %[[C8]]
// CHECK:   %[[THEN:.*]] = arith.minsi %[[AHEAD]], %[[C8]]
// CHECK:   scf.yield %[[THEN]],
func.func @causal(%q: tensor<1x1x256x16xf16>) -> tensor<1x1x256x16xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.cmpi sle, %j, %i : index
    stof.yield %keep : i1
  } : !stof.mask<256x256>
  %e = tensor.empty() : tensor<1x1x256x16xf16>
  %o = stof.attention ins(%q, %q, %q : tensor<1x1x256x16xf16>, tensor<1x1x256x16xf16>, tensor<1x1x256x16xf16>)
      mask(%m : !stof.mask<256x256>)
      layout <row_tile = 16, col_tile = 32, storage = closed_form,
              visited = [#stof.interval<to = affine_map<(d0, d1, d2) -> (d0 + 1)>>],
              partial = [#stof.interval<from = affine_map<(d0, d1, d2) -> (d0)>>]>
      outs(%e : tensor<1x1x256x16xf16>) -> tensor<1x1x256x16xf16>
  return %o : tensor<1x1x256x16xf16>
}

// -----

/// Without a partial tile the mask is never asked. Of two intervals the next tile
/// is the nearer one; an interval that does not hold for a row tile ends at 0.

// CHECK-LABEL: gpu.func @guarded_0_attention
// CHECK: arith.cmpi sge
// CHECK: arith.select
// CHECK: scf.while
// CHECK: do {
// CHECK-NOT: scf.if
// CHECK:   tile.contract
// CHECK-NOT: arith.cmpi
// CHECK:   tile.contract
// CHECK:   %[[ONE:.*]] = arith.select {{.*}} : index
// CHECK:   %[[NEAR:.*]] = arith.minsi %[[ONE]],
// CHECK:   %[[OTHER:.*]] = arith.select {{.*}} : index
// CHECK:   %[[NEAREST:.*]] = arith.minsi %{{.*}}, %[[OTHER]]
// CHECK:   scf.yield %[[NEAREST]],
func.func @guarded(%q: tensor<1x1x256x16xf16>) -> tensor<1x1x256x16xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.cmpi sle, %j, %i : index
    stof.yield %keep : i1
  } : !stof.mask<256x256>
  %e = tensor.empty() : tensor<1x1x256x16xf16>
  %o = stof.attention ins(%q, %q, %q : tensor<1x1x256x16xf16>, tensor<1x1x256x16xf16>, tensor<1x1x256x16xf16>)
      mask(%m : !stof.mask<256x256>)
      layout <row_tile = 16, col_tile = 32, storage = closed_form,
              visited = [#stof.interval<to = affine_map<(d0, d1, d2) -> (d0 - 1)>, where = affine_map<(d0, d1, d2) -> (d0 - 3)>>,
                         #stof.interval<from = affine_map<(d0, d1, d2) -> (d0 + 2)>>]>
      outs(%e : tensor<1x1x256x16xf16>) -> tensor<1x1x256x16xf16>
  return %o : tensor<1x1x256x16xf16>
}

// -----

/// Symbols are arguments of the kernel, or elements that it loads once, before
/// the mainloop, for its batch.

// CHECK-LABEL: gpu.func @symbols_0_attention
// CHECK-SAME: %[[LENGTHS:[^ ]*]]: memref<4xi32>
// CHECK: %[[BATCH:.*]] = gpu.block_id  z
// CHECK: %[[LENGTH:.*]] = memref.load %[[LENGTHS]][%[[BATCH]]]
// CHECK: %[[N:.*]] = arith.index_cast %[[LENGTH]] : i32 to index
// CHECK: affine.apply #{{.*}}()[%[[N]]]
// CHECK: scf.while
func.func @symbols(%q: tensor<4x1x256x16xf16>, %lengths: tensor<4xi32>, %w: index) -> tensor<4x1x256x16xf16> {
  %m = stof.mask captures(%lengths : tensor<4xi32>) {
  ^bb0(%b: index, %h: index, %i: index, %j: index, %n: tensor<4xi32>):
    %length = tensor.extract %n[%b] : tensor<4xi32>
    %last = arith.index_cast %length : i32 to index
    %keep = arith.cmpi slt, %j, %last : index
    stof.yield %keep : i1
  } : !stof.mask<256x256>
  %e = tensor.empty() : tensor<4x1x256x16xf16>
  %o = stof.attention ins(%q, %q, %q : tensor<4x1x256x16xf16>, tensor<4x1x256x16xf16>, tensor<4x1x256x16xf16>)
      mask(%m : !stof.mask<256x256>)
      layout <row_tile = 16, col_tile = 32, storage = closed_form,
              visited = [#stof.interval<from = affine_map<(d0, d1, d2)[n, w] -> (d0 - w)>, to = affine_map<(d0, d1, d2)[n, w] -> (n ceildiv 32)>>],
              symbols = [affine_map<(b, h) -> (b)>, affine_map<(b, h) -> ()>]>
        from(%lengths, %w : tensor<4xi32>, index)
      outs(%e : tensor<4x1x256x16xf16>) -> tensor<4x1x256x16xf16>
  return %o : tensor<4x1x256x16xf16>
}

// -----

/// Tables are read entry by entry: the tile, whether it is partial, and where its
/// bitmap lies are in one. A row reads its word of the bitmap, of which each thread
/// of a fragment has eight adjacent bits.

// CHECK-LABEL: gpu.func @tables_0_attention
// CHECK-SAME: %[[RANGES:[^ ]*]]: memref<1x2x16x3xi64>, %[[ENTRIES:[^ ]*]]: memref<?xi64>, %[[BITMAPS:[^ ]*]]: memref<?x16x1xi32>
// CHECK-DAG: %[[HEAD:.*]] = gpu.block_id  y
// CHECK-DAG: %[[ROW:.*]] = gpu.block_id  x
// CHECK: %[[BEGIN:.*]] = memref.load %[[RANGES]][%c0, %[[HEAD]], %[[ROW]], %c0]
// CHECK: %[[FIRST:.*]] = arith.index_cast %[[BEGIN]]
// CHECK: %[[STOP:.*]] = memref.load %[[RANGES]][%c0, %[[HEAD]], %[[ROW]], %c2]
// CHECK: %[[END:.*]] = arith.index_cast %[[STOP]]
// CHECK: scf.while (%[[AT:.*]] = %[[FIRST]],
// CHECK:   arith.cmpi slt, %[[AT]], %[[END]]
// CHECK: do {
// CHECK:   ^bb0(%[[POSITION:[^ ]*]]: index,
// CHECK:   %[[LOADED:.*]] = memref.load %[[ENTRIES]][%[[POSITION]]]
// CHECK:   %[[ENTRY:.*]] = arith.index_cast %[[LOADED]] : i64 to index
// CHECK:   %[[LOW:.*]] = arith.andi %[[ENTRY]], %c4294967295
// CHECK:   %[[TILE:.*]] = arith.shrui %[[LOW]], %c1
// CHECK:   arith.muli %[[TILE]], %c32
// CHECK:   %[[BITMAP:.*]] = arith.shrui %[[ENTRY]], %c32
// CHECK:   scf.if
// CHECK:     %[[WORD:.*]] = memref.load %[[BITMAPS]][%[[BITMAP]],
// CHECK:     ^bb0(%{{.*}}: index, %[[COLUMN:.*]]: index, %{{.*}}: f32, %[[BITS:.*]]: i32):
// CHECK:     %[[Y:.*]] = arith.index_cast %[[COLUMN]] : index to i32
// CHECK:     %[[PAIR:.*]] = arith.divui %[[Y]], %c2_i32
// CHECK:     %[[THREAD:.*]] = arith.remui %[[PAIR]], %c4_i32
// CHECK:     %[[FIRST:.*]] = arith.muli %[[THREAD]], %c8_i32
// CHECK:     %[[OCTET:.*]] = arith.divui %[[Y]], %c8_i32
// CHECK:     %[[BEFORE:.*]] = arith.muli %[[OCTET]], %c2_i32
// CHECK:     %[[ODD:.*]] = arith.remui %[[Y]], %c2_i32
// CHECK:     %[[BIT:.*]] = arith.addi %[[BEFORE]], %[[ODD]]
// CHECK:     %[[OF_THREAD:.*]] = arith.shrui %[[BITS]],
// CHECK:     %[[LOWEST:.*]] = arith.shrui %[[OF_THREAD]],
// CHECK:     arith.trunci %[[LOWEST]] : i32 to i1
// CHECK:   } else {
// CHECK:   %[[NEXT:.*]] = arith.addi %[[POSITION]], %c1
// CHECK:   scf.yield %[[NEXT]],
func.func @tables(%q: tensor<4x2x256x16xf16>, %ranges: tensor<1x2x16x3xi64>, %entries: tensor<?xi64>,
                  %bitmaps: tensor<?x16x1xi32>) -> tensor<4x2x256x16xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.cmpi sle, %j, %i : index
    stof.yield %keep : i1
  } : !stof.mask<256x256>
  %e = tensor.empty() : tensor<4x2x256x16xf16>
  %o = stof.attention ins(%q, %q, %q : tensor<4x2x256x16xf16>, tensor<4x2x256x16xf16>, tensor<4x2x256x16xf16>)
      mask(%m : !stof.mask<256x256>)
      layout <row_tile = 16, col_tile = 32, storage = tables>
        from(%ranges, %entries, %bitmaps : tensor<1x2x16x3xi64>, tensor<?xi64>, tensor<?x16x1xi32>)
      outs(%e : tensor<4x2x256x16xf16>) -> tensor<4x2x256x16xf16>
  return %o : tensor<4x2x256x16xf16>
}

// -----

/// A mask that keeps nothing reads nothing.

// CHECK-LABEL: gpu.func @nothing_0_attention
// CHECK-NOT: scf.while
// CHECK-NOT: tile.contract
// CHECK: tile.store
func.func @nothing(%q: tensor<1x1x8x16xf16>) -> tensor<1x1x8x16xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %c9 = arith.constant 9 : index
    %keep = arith.cmpi sge, %j, %c9 : index
    stof.yield %keep : i1
  } : !stof.mask<8x8>
  %e = tensor.empty() : tensor<1x1x8x16xf16>
  %o = stof.attention ins(%q, %q, %q : tensor<1x1x8x16xf16>, tensor<1x1x8x16xf16>, tensor<1x1x8x16xf16>)
      mask(%m : !stof.mask<8x8>)
      layout <row_tile = 16, col_tile = 16, storage = closed_form, partial = [#stof.interval]>
      outs(%e : tensor<1x1x8x16xf16>) -> tensor<1x1x8x16xf16>
  return %o : tensor<1x1x8x16xf16>
}

// -----

/// With a row stride a row tile has the queries of one residue, and reads the keys
/// that have the distance to them; results go where the queries are. Coordinates
/// of the mask are those of all positions. 39 queries have 20 and 19 of a residue:
/// four row tiles, of which the last begins with 33.

// CHECK-LABEL: func @rows
// CHECK: gpu.launch_func {{.*}} blocks in (%[[C4:[^,]*]], %{{[^,]*}}, %{{[^)]*}})
// CHECK-LABEL: gpu.func @rows_0_attention
// CHECK-SAME: (%[[Q:[^:]*]]: memref<1x1x39x16xf16>, %[[O:[^:]*]]: memref<1x1x39x16xf16>)
// CHECK-DAG: %[[BLOCK:.*]] = gpu.block_id  x
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[C2:.*]] = arith.constant 2 : index
// CHECK-DAG: %[[C16:.*]] = arith.constant 16 : index
// CHECK-DAG: %[[CLASS:.*]] = arith.remui %[[BLOCK]], %[[C2]]
// CHECK-DAG: %[[NUMBER:.*]] = arith.divui %[[BLOCK]], %[[C2]]
// CHECK: %[[SIZE:.*]] = arith.ceildivui %{{.*}}, %[[C2]]
// CHECK: %[[FIRST:.*]] = arith.muli %[[NUMBER]], %[[C16]]
// CHECK: %[[ROWS:.*]] = memref.subview %[[Q]][0, 0, %[[CLASS]], 0] [1, 1, %[[SIZE]], 16] [1, 1, 2, 1]
// CHECK: tile.load %[[ROWS]][%{{[^,]*}}, %{{[^,]*}}, %[[FIRST]], %{{[^]]*}}]
// CHECK: %[[SHIFTED:.*]] = arith.addi %[[CLASS]], %[[C1]]
// CHECK: %[[OTHER:.*]] = arith.remui %[[SHIFTED]], %[[C2]]
// CHECK: %[[KEYS:.*]] = memref.subview %[[Q]][0, 0, %[[OTHER]], 0]
// CHECK: scf.while
// CHECK: tile.load %[[KEYS]]
// CHECK: %[[RESULTS:.*]] = memref.subview %[[O]][0, 0, %[[CLASS]], 0] [1, 1, %[[SIZE]], 16] [1, 1, 2, 1]
// CHECK: tile.store %{{[^,]*}}, %[[RESULTS]][%{{[^,]*}}, %{{[^,]*}}, %[[FIRST]], %{{[^]]*}}]
func.func @rows(%q: tensor<1x1x39x16xf16>) -> tensor<1x1x39x16xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %sum = arith.addi %i, %j : index
    %rest = arith.remui %sum, %c2 : index
    %keep = arith.cmpi eq, %rest, %c1 : index
    stof.yield %keep : i1
  } : !stof.mask<39x39>
  %e = tensor.empty() : tensor<1x1x39x16xf16>
  %o = stof.attention ins(%q, %q, %q : tensor<1x1x39x16xf16>, tensor<1x1x39x16xf16>, tensor<1x1x39x16xf16>)
      mask(%m : !stof.mask<39x39>)
      layout <row_tile = 16, col_tile = 16, storage = closed_form, visited = [#stof.interval],
              partial = [#stof.interval<from = affine_map<(d0, d1, d2) -> (1)>>], row_stride = 2, residue = 1>
      outs(%e : tensor<1x1x39x16xf16>) -> tensor<1x1x39x16xf16>
  return %o : tensor<1x1x39x16xf16>
}
