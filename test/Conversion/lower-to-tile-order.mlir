// RUN: stof-opt %s --stof-lower-to-tile --canonicalize --cse -split-input-file | FileCheck %s

/// The order of row tiles is a function of the block's position.

// CHECK-LABEL: func @backwards
// CHECK: gpu.launch_func @backwards_kernels::@backwards_0_attention blocks in (%c4, %c3, %c2)
// CHECK-LABEL: gpu.func @backwards_0_attention
// CHECK: %[[BLOCK:.*]] = gpu.block_id x
// CHECK: %[[ROW:.*]] = arith.subi %c3{{.*}}, %[[BLOCK]] : index
// CHECK: %[[FIRST:.*]] = arith.muli %[[ROW]], %c64
// CHECK: tile.load %{{.*}}[%{{.*}}, %{{.*}}, %[[FIRST]], %c0]
func.func @backwards(%q: tensor<2x3x256x64xf16>, %init: tensor<2x3x256x64xf16>) -> tensor<2x3x256x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.cmpi ule, %j, %i : index
    stof.yield %keep : i1
  } : !stof.mask<256x256>
  %o = stof.attention ins(%q, %q, %q : tensor<2x3x256x64xf16>, tensor<2x3x256x64xf16>, tensor<2x3x256x64xf16>)
      mask(%m : !stof.mask<256x256>)
      layout <row_tile = 64, col_tile = 64, storage = closed_form,
              visited = [#stof.interval<to = affine_map<(d0, d1, d2) -> (d0 + 1)>>],
              partial = [#stof.interval<from = affine_map<(d0, d1, d2) -> (d0)>>]>
      schedule <reversed = true>
      outs(%init : tensor<2x3x256x64xf16>) -> tensor<2x3x256x64xf16>
  return %o : tensor<2x3x256x64xf16>
}

// -----

/// One row tile of all six heads, then the other three of each head.

// CHECK-LABEL: func @ahead
// CHECK: gpu.launch_func @ahead_kernels::@ahead_0_attention blocks in (%c24, %c1, %c1)
// CHECK-LABEL: gpu.func @ahead_0_attention
// CHECK: %[[BLOCK:.*]] = gpu.block_id x
// CHECK: %[[FRONT:.*]] = arith.divui %[[BLOCK]], %c6
// CHECK: %[[LATE:.*]] = arith.subi %[[BLOCK]], %c6
// CHECK: %[[EARLY:.*]] = arith.cmpi ult, %[[BLOCK]], %c6
// CHECK: %[[REST:.*]] = arith.remui %[[LATE]], %c3
// CHECK: %[[BEHIND:.*]] = arith.addi %[[REST]], %c1
// CHECK: %[[ROW:.*]] = arith.select %[[EARLY]], %[[FRONT]], %[[BEHIND]]
// CHECK: arith.muli %[[ROW]], %c64
func.func @ahead(%q: tensor<2x3x256x64xf16>, %init: tensor<2x3x256x64xf16>) -> tensor<2x3x256x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %c10 = arith.constant 10 : index
    %keep = arith.cmpi ult, %i, %c10 : index
    stof.yield %keep : i1
  } : !stof.mask<256x256>
  %o = stof.attention ins(%q, %q, %q : tensor<2x3x256x64xf16>, tensor<2x3x256x64xf16>, tensor<2x3x256x64xf16>)
      mask(%m : !stof.mask<256x256>)
      layout <row_tile = 64, col_tile = 64, storage = closed_form,
              visited = [#stof.interval<where = affine_map<(d0, d1, d2) -> (-d0)>>], partial = [#stof.interval]>
      schedule <ahead = 1>
      outs(%init : tensor<2x3x256x64xf16>) -> tensor<2x3x256x64xf16>
  return %o : tensor<2x3x256x64xf16>
}

// -----

/// The one row tile ahead is in three splits for each of six heads, then the other
/// three of each head. A split takes a third of the key tiles between the
/// first and the last that the row tile visits, stores its partial sums, and a second
/// kernel loads those of all splits and combines them.

// CHECK-LABEL: func @parts
// CHECK-DAG: %[[SUMS:.*]] = memref.alloc() : memref<2x3x1x3x64x64xf32>
// CHECK-DAG: %[[ROWS:.*]] = memref.alloc() : memref<2x3x1x3x2x64xf32>
// CHECK: gpu.launch_func @parts_kernels::@parts_0_attention blocks in (%c36, %c1, %c1)
// CHECK: gpu.launch_func @parts_kernels::@parts_1_combine blocks in (%c1, %c3, %c2)
// CHECK-LABEL: gpu.func @parts_0_attention
// CHECK-SAME: splits = 3
// CHECK: %[[BLOCK:.*]] = gpu.block_id x
// CHECK: %[[PLACE:.*]] = arith.divui %[[BLOCK]], %c3
// CHECK: %[[NUMBER:.*]] = arith.divui %[[PLACE]], %c6
// CHECK: %[[PART:.*]] = arith.remui %[[BLOCK]], %c3
// CHECK: %[[EARLY:.*]] = arith.cmpi ult, %[[BLOCK]], %c18
// CHECK: %[[CUT:.*]] = arith.select %[[EARLY]]
// CHECK: arith.select %[[EARLY]]
// CHECK: scf.while
// CHECK: scf.if %[[EARLY]] {
// CHECK: tile.store %{{.*}}[%{{.*}}, %{{.*}}, %[[NUMBER]], %[[PART]], %c0, %c0] along [4, 5] {{.*}} memref<2x3x1x3x64x64xf32>
// CHECK: tile.store %{{.*}}[%{{.*}}, %{{.*}}, %[[NUMBER]], %[[PART]], %c0, %c0] along [5] {{.*}} memref<2x3x1x3x2x64xf32>
// CHECK: tile.store %{{.*}}[%{{.*}}, %{{.*}}, %[[NUMBER]], %[[PART]], %c1, %c0] along [5]
// CHECK: } else {
// CHECK: tile.store {{.*}} along [2, 3]
// CHECK-LABEL: gpu.func @parts_1_combine
// CHECK-SAME: kernel = "combine", {{.*}}splits = 3
// CHECK: tile.load {{.*}}, %c0, %c0, %c0] along [5] : memref<2x3x1x3x2x64xf32>
// CHECK-COUNT-3: tile.load {{.*}} memref<2x3x1x3x64x64xf32>
// CHECK-COUNT-3: math.exp2
// CHECK: tile.store {{.*}} along [2, 3]
func.func @parts(%q: tensor<2x3x256x64xf16>, %init: tensor<2x3x256x64xf16>) -> tensor<2x3x256x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %c10 = arith.constant 10 : index
    %keep = arith.cmpi ult, %i, %c10 : index
    stof.yield %keep : i1
  } : !stof.mask<256x256>
  %o = stof.attention ins(%q, %q, %q : tensor<2x3x256x64xf16>, tensor<2x3x256x64xf16>, tensor<2x3x256x64xf16>)
      mask(%m : !stof.mask<256x256>)
      layout <row_tile = 64, col_tile = 64, storage = closed_form,
              visited = [#stof.interval<where = affine_map<(d0, d1, d2) -> (-d0)>>], partial = [#stof.interval]>
      schedule <ahead = 1, splits = 3>
      outs(%init : tensor<2x3x256x64xf16>) -> tensor<2x3x256x64xf16>
  return %o : tensor<2x3x256x64xf16>
}

// -----

/// All row tiles are ahead: nothing but parts is left, of one query as many rows
/// as there are.

// CHECK-LABEL: func @all_parts
// CHECK: memref.alloc() : memref<1x2x1x5x1x64xf32>
// CHECK: gpu.launch_func @all_parts_kernels::@all_parts_0_attention blocks in (%c10, %c1, %c1)
// CHECK-LABEL: gpu.func @all_parts_0_attention
// CHECK-NOT: scf.if
// CHECK: scf.for
// CHECK: gpu.return
func.func @all_parts(%q: tensor<1x2x1x64xf16>, %k: tensor<1x2x640x64xf16>) -> tensor<1x2x1x64xf16> {
  %o = stof.attention ins(%q, %k, %k : tensor<1x2x1x64xf16>, tensor<1x2x640x64xf16>, tensor<1x2x640x64xf16>)
      schedule <ahead = 1, splits = 5> outs(%q : tensor<1x2x1x64xf16>) -> tensor<1x2x1x64xf16>
  return %o : tensor<1x2x1x64xf16>
}

// -----

/// Of many columns, tiles are numbered in bands of 16 rows, so that CTAs that
/// run at once share both operands. The last band has the rows that are left.

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (n, k)>
#out = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: gpu.func @bands_0_contract
// CHECK-SAME: (%[[ROWS:.*]]: index, %{{.*}}: index
// CHECK-DAG: %[[PER_BAND:.*]] = arith.constant 2048 : index
// CHECK: %[[CTA:.*]] = gpu.block_id x
// CHECK: %[[BAND:.*]] = arith.divui %[[CTA]], %[[PER_BAND]]
// CHECK: %[[IN_BAND:.*]] = arith.remui %[[CTA]], %[[PER_BAND]]
// CHECK: %[[ABOVE:.*]] = arith.muli %[[BAND]], %c16
// CHECK: %[[LEFT:.*]] = arith.subi %[[ROWS]], %[[ABOVE]]
// CHECK: %[[HEIGHT:.*]] = arith.minui %[[LEFT]], %c16
// CHECK: %[[BELOW:.*]] = arith.remui %[[IN_BAND]], %[[HEIGHT]]
// CHECK: %[[ROW:.*]] = arith.addi %[[ABOVE]], %[[BELOW]]
// CHECK: %[[COLUMN:.*]] = arith.divui %[[IN_BAND]], %[[HEIGHT]]
// CHECK: %[[FIRST_COLUMN:.*]] = arith.muli %[[COLUMN]], %c64
// CHECK: %[[FIRST_ROW:.*]] = arith.muli %[[ROW]], %c64
// CHECK: tile.load %{{.*}}[%[[FIRST_ROW]], %{{.*}}] along [0, 1] : memref<?x64xf16>
// CHECK: tile.load %{{.*}}[%[[FIRST_COLUMN]], %{{.*}}] along [0, 1] : memref<8192x64xf16>
func.func @bands(%a: tensor<?x64xf16>, %w: tensor<8192x64xf16>, %o: tensor<?x8192xf32>) -> tensor<?x8192xf32> {
  %y = stof.group ins(%a, %w, %o : tensor<?x64xf16>, tensor<8192x64xf16>, tensor<?x8192xf32>) {
  ^bb0(%x: tensor<?x64xf16>, %v: tensor<8192x64xf16>, %s: tensor<?x8192xf32>):
    %0 = linalg.contract indexing_maps = [#lhs, #rhs, #out] ins(%x, %v : tensor<?x64xf16>, tensor<8192x64xf16>) outs(%s : tensor<?x8192xf32>) -> tensor<?x8192xf32>
    stof.yield %0 : tensor<?x8192xf32>
  } -> tensor<?x8192xf32>
  return %y : tensor<?x8192xf32>
}

// -----

/// Bands of constant height divide by constants. Those of a batch follow each
/// other.

#lhs = affine_map<(b, m, n, k) -> (b, m, k)>
#rhs = affine_map<(b, m, n, k) -> (b, n, k)>
#out = affine_map<(b, m, n, k) -> (b, m, n)>

// CHECK-LABEL: gpu.func @whole_bands_0_contract
// CHECK: %[[CTA:.*]] = gpu.block_id x
// CHECK: %[[NUMBER:.*]] = arith.remui %[[CTA]], %c4096
// CHECK: %[[BATCH:.*]] = arith.divui %[[CTA]], %c4096
// CHECK: arith.divui %[[NUMBER]], %c2048
// CHECK: %[[IN_BAND:.*]] = arith.remui %[[NUMBER]], %c2048
// CHECK-NOT: arith.minui
// CHECK: arith.remui %[[IN_BAND]], %c16
// CHECK: arith.divui %[[IN_BAND]], %c16
// CHECK: tile.load %{{.*}}[%[[BATCH]],
func.func @whole_bands(%a: tensor<3x2048x64xf16>, %w: tensor<3x8192x64xf16>, %o: tensor<3x2048x8192xf32>) -> tensor<3x2048x8192xf32> {
  %y = stof.group ins(%a, %w, %o : tensor<3x2048x64xf16>, tensor<3x8192x64xf16>, tensor<3x2048x8192xf32>) {
  ^bb0(%x: tensor<3x2048x64xf16>, %v: tensor<3x8192x64xf16>, %s: tensor<3x2048x8192xf32>):
    %0 = linalg.contract indexing_maps = [#lhs, #rhs, #out] ins(%x, %v : tensor<3x2048x64xf16>, tensor<3x8192x64xf16>) outs(%s : tensor<3x2048x8192xf32>) -> tensor<3x2048x8192xf32>
    stof.yield %0 : tensor<3x2048x8192xf32>
  } -> tensor<3x2048x8192xf32>
  return %y : tensor<3x2048x8192xf32>
}

// -----

/// With fewer columns, CTAs that run at once share both operands in rows.

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (n, k)>
#out = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: gpu.func @no_bands_0_contract
// CHECK: %[[CTA:.*]] = gpu.block_id x
// CHECK: arith.remui %[[CTA]], %c8
// CHECK: arith.divui %[[CTA]], %c8
func.func @no_bands(%a: tensor<8192x64xf16>, %w: tensor<512x64xf16>, %o: tensor<8192x512xf32>) -> tensor<8192x512xf32> {
  %y = stof.group ins(%a, %w, %o : tensor<8192x64xf16>, tensor<512x64xf16>, tensor<8192x512xf32>) {
  ^bb0(%x: tensor<8192x64xf16>, %v: tensor<512x64xf16>, %s: tensor<8192x512xf32>):
    %0 = linalg.contract indexing_maps = [#lhs, #rhs, #out] ins(%x, %v : tensor<8192x64xf16>, tensor<512x64xf16>) outs(%s : tensor<8192x512xf32>) -> tensor<8192x512xf32>
    stof.yield %0 : tensor<8192x512xf32>
  } -> tensor<8192x512xf32>
  return %y : tensor<8192x512xf32>
}
