// RUN: stof-opt %s --stof-lower-to-tile --canonicalize --cse -split-input-file -verify-diagnostics | FileCheck %s

/// The tiles of a mask of run-time data are listed by a kernel: a block for each
/// row tile goes over the key tiles that the closed form around the mask leaves,
/// asks the mask for each pair of them, and writes down those that keep one.

#diagonal = affine_map<(d0, d1, d2) -> (d0 + 1)>
// CHECK-LABEL: func @documents
// CHECK-SAME: %[[IDS:[^ ]*]]: memref<?xi32>, %[[R:[^ ]*]]: memref<1x1x?x2xi64>, %[[E:[^ ]*]]: memref<?xi64>)
// CHECK: gpu.launch_func @documents_kernels::@documents_0_tiles blocks in (%{{.*}}, %c1, %c1) threads in (%c512, %c1, %c1)
// CHECK-LABEL: gpu.func @documents_0_tiles
// CHECK-SAME: stof.schedule = {kernel = "tile-list", keys = 64 : i64, queries = 64 : i64, warps = 16 : i64}
// CHECK: %[[ROW:.*]] = gpu.block_id x
// CHECK: %[[BASE:.*]] = arith.muli %[[ROW]], %{{.*}} : index
// CHECK: %[[WALK:.*]]:2 = scf.while
// CHECK:   %[[FLAGS:.*]]:2 = tile.map {
// CHECK:     memref.load
// CHECK:     memref.load
// CHECK:     arith.cmpi eq
// CHECK:   } -> !tile.fragment<64x64xi1, #{{.*}}>, !tile.fragment<64x64xi1, #{{.*}}>
// CHECK:   %[[KEPT:.*]] = tile.any %[[FLAGS]]#0
// CHECK:   %[[DROPPED:.*]] = tile.any %[[FLAGS]]#1
// CHECK:   scf.if %{{.*}} {
// CHECK:     memref.store %{{.*}} : memref<?xi64>
// CHECK: memref.store %{{.*}} : memref<1x1x?x2xi64>
// CHECK: memref.store %{{.*}} : memref<1x1x?x2xi64>
func.func @documents(%ids: tensor<?xi32>) -> (tensor<1x1x?x2xi64>, tensor<?xi64>) {
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
      -> tensor<1x1x?x2xi64>, tensor<?xi64>
  return %ranges, %entries : tensor<1x1x?x2xi64>, tensor<?xi64>
}

// -----

/// The rows and keys of a tile are divided among warps in whole squares.
// CHECK-NOT: @odd_tiles
func.func @odd_tiles(%n: index) -> (tensor<1x1x3x2xi64>, tensor<?xi64>) {
  %row_ptr = arith.constant dense<0> : tensor<3xi32>
  %col_idx = arith.constant dense<0> : tensor<1xi32>
  %blocks = stof.block_mask %row_ptr, %col_idx block(50, 50) : tensor<3xi32>, tensor<1xi32> -> !stof.mask<100x100>
  // expected-error @below {{'stof.list_tiles' op cannot be compiled: expects a layout in tiles of multiples of 16, but got 40 x 64}}
  %ranges, %entries = stof.list_tiles mask(%blocks : !stof.mask<100x100>) sizes(%n, %n, %n, %n)
      within <row_tile = 40, col_tile = 64, storage = closed_form, visited = [#stof.interval], partial = [#stof.interval]>
      -> tensor<1x1x3x2xi64>, tensor<?xi64>
  return %ranges, %entries : tensor<1x1x3x2xi64>, tensor<?xi64>
}
