// RUN: stof-opt %s --stof-lower-to-tile --canonicalize --cse -split-input-file | FileCheck %s

/// The tiles of a mask of run-time data are listed by two kernels. In the first
/// each of eight warps of a block asks the mask for the pairs of one tile, if the
/// closed form around the mask leaves it. In the second a block for each row tile
/// stores the entries of the partial tiles, then those of the full ones.

#diagonal = affine_map<(d0, d1, d2) -> (d0 + 1)>
// CHECK-LABEL: func @documents
// CHECK-SAME: %[[IDS:[^ ]*]]: memref<?xi32>, %[[R:[^ ]*]]: memref<1x1x?x3xi64>, %[[E:[^ ]*]]: memref<?xi64>)
// CHECK: memref.alloc(%[[N:.*]], %[[N]]) : memref<1x1x?x?xi8>
// CHECK: gpu.launch_func @documents_kernels::@documents_0_flags blocks in (%{{.*}}, %c1, %c1) threads in (%c256, %c1, %c1)
// CHECK: %[[ROWS:.*]] = memref.dim %[[R]], %c2
// CHECK: gpu.launch_func @documents_kernels::@documents_1_tiles blocks in (%[[ROWS]], %c1, %c1) threads in (%c32, %c1, %c1)
// CHECK-SAME: %[[R]] : memref<1x1x?x3xi64>, %[[E]] : memref<?xi64>)
// CHECK-NOT: gpu.launch_func
// CHECK-LABEL: gpu.func @documents_0_flags
// CHECK-SAME: stof.schedule = {kernel = "tile-flags", keys = 64 : i64, queries = 64 : i64, tiles = 8 : i64, warps = 8 : i64}
// CHECK: %[[BLOCK:.*]] = gpu.block_id x
// CHECK: %[[ROW:.*]] = arith.divui %[[BLOCK]], %[[GROUPS:.*]] : index
// CHECK: arith.remui %[[BLOCK]], %[[GROUPS]] : index
// CHECK: %[[FLAGS:.*]] = tile.map {
// CHECK:   scf.if
// CHECK:   scf.for
// CHECK:     memref.load
// CHECK:     memref.load
// CHECK:     arith.cmpi eq
// CHECK: } -> !tile.fragment<8x32xi32, #{{.*}}>
// CHECK: tile.reduce %[[FLAGS]] along 1
// CHECK: tile.store %{{.*}} along [3] {{.*}} memref<1x1x?x?xi8>
// CHECK-LABEL: gpu.func @documents_1_tiles
// CHECK-SAME: stof.schedule = {kernel = "tile-list", warps = 1 : i64}
// CHECK: %[[FULL:[^ ]*]] = scf.for %{{.*}} iter_args(%{{[^ ]*}} = %[[BASE:[^)]*]])
// CHECK:   memref.load %{{.*}} : memref<1x1x?x?xi8>
// CHECK:   arith.cmpi eq, %{{.*}}, %c3_i32
// CHECK:   scf.if %{{.*}} {
// CHECK:     memref.store %{{.*}} : memref<?xi64>
// CHECK: %[[END:[^ ]*]] = scf.for %{{.*}} iter_args(%{{[^ ]*}} = %[[FULL]])
// CHECK:   arith.cmpi eq, %{{.*}}, %c1_i32
// CHECK:     memref.store %{{.*}} : memref<?xi64>
// CHECK: %[[FIRST_OF_ROW:.*]] = arith.index_cast %[[BASE]]
// CHECK: memref.store %[[FIRST_OF_ROW]], %[[R2:.*]][{{.*}}, %c0] : memref<1x1x?x3xi64>
// CHECK: %[[FULL_OF_ROW:.*]] = arith.index_cast %[[FULL]]
// CHECK: memref.store %[[FULL_OF_ROW]], %[[R2]][{{.*}}, %c1] : memref<1x1x?x3xi64>
// CHECK: %[[END_OF_ROW:.*]] = arith.index_cast %[[END]]
// CHECK: memref.store %[[END_OF_ROW]], %[[R2]][{{.*}}, %c2] : memref<1x1x?x3xi64>
func.func @documents(%ids: tensor<?xi32>) -> (tensor<1x1x?x3xi64>, tensor<?xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %ids, %c0 : tensor<?xi32>
  %m = stof.mask captures(%ids : tensor<?xi32>) {
  ^bb0(%b: index, %h: index, %q: index, %k: index, %of: tensor<?xi32>):
    %of_q = tensor.extract %of[%q] : tensor<?xi32>
    %of_k = tensor.extract %of[%k] : tensor<?xi32>
    %keep = arith.cmpi eq, %of_q, %of_k : i32
    stof.yield %keep : i1
  } : !stof.mask<?x?>
  %ranges, %entries = stof.list_tiles mask(%m : !stof.mask<?x?>) sizes(%c1, %c1, %n, %n)
      within <row_tile = 64, col_tile = 64, storage = closed_form,
              visited = [#stof.interval<to = #diagonal>], partial = [#stof.interval]>
      -> tensor<1x1x?x3xi64>, tensor<?xi64>
  return %ranges, %entries : tensor<1x1x?x3xi64>, tensor<?xi64>
}
