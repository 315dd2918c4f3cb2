// RUN: stof-opt %s --stof-lower-to-tile=chip=sm_90a | FileCheck %s

/// Where accumulators leave few registers, the epilogue is evaluated on some columns after others: so few of the residual
/// are in registers at a time.

// CHECK-LABEL: gpu.func @residual_0_contract
// CHECK: %[[FIRST:.*]] = arith.muli %{{.*}}, %{{.*}} : index
// CHECK: %[[NEXT:.*]] = arith.addi %[[FIRST]], %c32{{.*}} : index
// CHECK: %[[LAST:.*]] = arith.addi %[[FIRST]], %c160{{.*}} : index
// CHECK: %[[R:.*]] = scf.for
// CHECK: %[[PART:.*]] = tile.slice %[[R]] from 0 : !tile.fragment<128x192xf32, #mma> -> !tile.fragment<128x32xf32, #mma>
// CHECK-NEXT: tile.convert %[[PART]] : !tile.fragment<128x32xf32, #mma> -> !tile.fragment<128x32xf32, #mma_runs>
// CHECK-NEXT: tile.load %[[C:.*]][%{{.*}}, %[[FIRST]]]
// CHECK: tile.store %{{.*}}[%{{.*}}, %[[FIRST]]]
// CHECK-NEXT: tile.slice %[[R]] from 32
// CHECK: tile.load %[[C]][%{{.*}}, %[[NEXT]]]
// CHECK: tile.store %{{.*}}[%{{.*}}, %[[NEXT]]]
// CHECK: tile.slice %[[R]] from 160
// CHECK: tile.load %[[C]][%{{.*}}, %[[LAST]]]
// CHECK: tile.store
// CHECK-NOT: tile.store
#l = affine_map<(i, j, k) -> (i, k)>
#r = affine_map<(i, j, k) -> (j, k)>
#o = affine_map<(i, j, k) -> (i, j)>
#id = affine_map<(i, j) -> (i, j)>
func.func @residual(%x: tensor<512x128xf16>, %w: tensor<384x128xf16>, %c: tensor<512x384xf16>) -> tensor<512x384xf16> {
  %q = stof.group ins(%x, %w, %c : tensor<512x128xf16>, tensor<384x128xf16>, tensor<512x384xf16>)
      tiles [#stof.matmul_tile<rows = 128, columns = 192, k = 64, row_warps = 4, column_warps = 1, stages = 4, producers = 4, resident = 1, groups = 2>] {
  ^bb0(%a: tensor<512x128xf16>, %b: tensor<384x128xf16>, %d: tensor<512x384xf16>):
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<512x384xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<512x384xf32>) -> tensor<512x384xf32>
    %p = linalg.contract indexing_maps = [#l, #r, #o] ins(%a, %b : tensor<512x128xf16>, tensor<384x128xf16>) outs(%f : tensor<512x384xf32>) -> tensor<512x384xf32>
    %g = tensor.empty() : tensor<512x384xf16>
    %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%p, %d : tensor<512x384xf32>, tensor<512x384xf16>) outs(%g : tensor<512x384xf16>) {
    ^bb0(%t: f32, %u: f16, %o: f16):
      %v = arith.truncf %t : f32 to f16
      %y = arith.addf %v, %u : f16
      linalg.yield %y : f16
    } -> tensor<512x384xf16>
    stof.yield %s : tensor<512x384xf16>
  } -> tensor<512x384xf16>
  return %q : tensor<512x384xf16>
}

/// A rotation of the elements of a row reads other columns of its head, which are in no other part.

// CHECK-LABEL: gpu.func @rotation_0_contract
// CHECK-SAME: row_warps = 4 : i64, rows = 128 : i64
// CHECK-NOT: tile.slice %
// CHECK: tile.convert %{{.*}} -> !tile.shared<128x128xf16>
// CHECK: tile.extract
// CHECK-NOT: tile.slice %
// CHECK: gpu.return
#all = affine_map<(i, h, d) -> (i, h, d)>
func.func @rotation(%x: tensor<512x128xf16>, %w: tensor<256x128xf16>) -> tensor<512x2x128xf16> {
  %y = stof.group ins(%x, %w : tensor<512x128xf16>, tensor<256x128xf16>)
      tiles [#stof.matmul_tile<rows = 128, columns = 128, k = 64, row_warps = 4, column_warps = 1, stages = 4, producers = 4, resident = 1, groups = 2>] {
  ^bb0(%a: tensor<512x128xf16>, %b: tensor<256x128xf16>):
    %zero = arith.constant 0.0 : f32
    %c64 = arith.constant 64 : index
    %e = tensor.empty() : tensor<512x256xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<512x256xf32>) -> tensor<512x256xf32>
    %p = linalg.contract indexing_maps = [#l, #r, #o] ins(%a, %b : tensor<512x128xf16>, tensor<256x128xf16>) outs(%f : tensor<512x256xf32>) -> tensor<512x256xf32>
    %g = tensor.empty() : tensor<512x256xf16>
    %n = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<512x256xf32>) outs(%g : tensor<512x256xf16>) {
    ^bb0(%t: f32, %out: f16):
      %v = arith.truncf %t : f32 to f16
      linalg.yield %v : f16
    } -> tensor<512x256xf16>
    %h = tensor.expand_shape %n [[0], [1, 2]] output_shape [512, 2, 128] : tensor<512x256xf16> into tensor<512x2x128xf16>
    %i = tensor.empty() : tensor<512x2x128xf16>
    %s = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%h : tensor<512x2x128xf16>) outs(%i : tensor<512x2x128xf16>) {
    ^bb0(%t: f16, %out: f16):
      %row = linalg.index 0 : index
      %head = linalg.index 1 : index
      %column = linalg.index 2 : index
      %is_low = arith.cmpi slt, %column, %c64 : index
      %other = scf.if %is_low -> (f16) {
        %up = arith.addi %column, %c64 : index
        %u = tensor.extract %h[%row, %head, %up] : tensor<512x2x128xf16>
        %m = arith.negf %u : f16
        scf.yield %m : f16
      } else {
        %down = arith.subi %column, %c64 : index
        %u = tensor.extract %h[%row, %head, %down] : tensor<512x2x128xf16>
        scf.yield %u : f16
      }
      %sum = arith.addf %t, %other : f16
      linalg.yield %sum : f16
    } -> tensor<512x2x128xf16>
    stof.yield %s : tensor<512x2x128xf16>
  } -> tensor<512x2x128xf16>
  return %y : tensor<512x2x128xf16>
}
