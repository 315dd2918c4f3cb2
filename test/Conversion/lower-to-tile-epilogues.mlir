// RUN: stof-opt %s --stof-lower-to-tile | FileCheck %s

/// What reads at other columns finds them in shared memory: a tile holds whole
/// heads of 80, and heads are counted by the grid.

#lhs = affine_map<(d0, d1, d2) -> (d0, d2)>
#rhs = affine_map<(d0, d1, d2) -> (d1, d2)>
#out = affine_map<(d0, d1, d2) -> (d0, d1)>
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>

// CHECK: #[[MMA:.*]] = #tile.mma<warps = [2, 2]>
// CHECK: #[[WIDE:.*]] = #tile.mma<warps = [2, 4]>
// CHECK-LABEL: gpu.func @rotation_0
// CHECK-SAME: columns = 80 : i64
// CHECK: %[[SUMS:.*]] = scf.for
// CHECK:   tile.contract {{.*}} !tile.fragment<64x80xf32, #[[MMA]]>
// CHECK: %[[HALF:.*]] = tile.map ins(%[[SUMS]]
// CHECK: %[[SHARED:.*]] = tile.convert %[[HALF]] : !tile.fragment<64x80xf16, #[[MMA]]> -> !tile.shared<64x80xf16>
// CHECK: tile.map ins(%[[HALF]]
// CHECK: ^bb0(%[[R:.*]]: index, %{{.*}}: index, %{{.*}}: f16):
// CHECK:   scf.if
// CHECK:     tile.extract %[[SHARED]][%[[R]], %{{.*}}] : !tile.shared<64x80xf16>
// CHECK:   } else {
// CHECK:     tile.extract %[[SHARED]][%[[R]], %{{.*}}] : !tile.shared<64x80xf16>
func.func @rotation(%x: tensor<70x32xf16>, %w: tensor<240x32xf16>) -> tensor<70x3x80xf16> {
  %y = stof.group ins(%x, %w : tensor<70x32xf16>, tensor<240x32xf16>) {
  ^bb0(%a: tensor<70x32xf16>, %b: tensor<240x32xf16>):
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<70x240xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<70x240xf32>) -> tensor<70x240xf32>
    %0 = linalg.contract indexing_maps = [#lhs, #rhs, #out] ins(%a, %b : tensor<70x32xf16>, tensor<240x32xf16>) outs(%f : tensor<70x240xf32>) -> tensor<70x240xf32>
    %g = tensor.empty() : tensor<70x240xf16>
    %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<70x240xf32>) outs(%g : tensor<70x240xf16>) {
    ^bb1(%u: f32, %o: f16):
      %t = arith.truncf %u : f32 to f16
      linalg.yield %t : f16
    } -> tensor<70x240xf16>
    %2 = tensor.expand_shape %1 [[0], [1, 2]] output_shape [70, 3, 80] : tensor<70x240xf16> into tensor<70x3x80xf16>
    %h = tensor.empty() : tensor<70x3x80xf16>
    %3 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2 : tensor<70x3x80xf16>) outs(%h : tensor<70x3x80xf16>) {
    ^bb1(%u: f16, %o: f16):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %k = linalg.index 2 : index
      %c40 = arith.constant 40 : index
      %low = arith.cmpi slt, %k, %c40 : index
      %m = scf.if %low -> (f16) {
        %up = arith.addi %k, %c40 : index
        %v = tensor.extract %2[%i, %j, %up] : tensor<70x3x80xf16>
        %n = arith.negf %v : f16
        scf.yield %n : f16
      } else {
        %down = arith.subi %k, %c40 : index
        %v = tensor.extract %2[%i, %j, %down] : tensor<70x3x80xf16>
        scf.yield %v : f16
      }
      %s = arith.addf %u, %m : f16
      linalg.yield %s : f16
    } -> tensor<70x3x80xf16>
    stof.yield %3 : tensor<70x3x80xf16>
  } -> tensor<70x3x80xf16>
  return %y : tensor<70x3x80xf16>
}

/// Two matmuls load one tile of the rows that they share.

// CHECK-LABEL: gpu.func @gated_0
// CHECK: %[[SUMS:.*]]:2 = scf.for
// CHECK:   %[[X:.*]] = tile.load {{.*}} -> !tile.shared<64x32xf16>
// CHECK:   %[[G:.*]] = tile.load {{.*}} -> !tile.shared<64x32xf16>
// CHECK:   tile.contract %[[X]], %[[G]]
// CHECK:   %[[U:.*]] = tile.load {{.*}} -> !tile.shared<64x32xf16>
// CHECK:   tile.contract %[[X]], %[[U]]
// CHECK: %[[A:.*]] = tile.convert %[[SUMS]]#0
// CHECK: %[[B:.*]] = tile.convert %[[SUMS]]#1
// CHECK: tile.map ins(%[[A]], %[[B]]
func.func @gated(%x: tensor<70x64xf16>, %g: tensor<96x64xf16>, %u: tensor<96x64xf16>) -> tensor<70x96xf16> {
  %y = stof.group ins(%x, %g, %u : tensor<70x64xf16>, tensor<96x64xf16>, tensor<96x64xf16>) {
  ^bb0(%a: tensor<70x64xf16>, %b: tensor<96x64xf16>, %c: tensor<96x64xf16>):
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<70x96xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<70x96xf32>) -> tensor<70x96xf32>
    %0 = linalg.contract indexing_maps = [#lhs, #rhs, #out] ins(%a, %b : tensor<70x64xf16>, tensor<96x64xf16>) outs(%f : tensor<70x96xf32>) -> tensor<70x96xf32>
    %1 = linalg.contract indexing_maps = [#lhs, #rhs, #out] ins(%a, %c : tensor<70x64xf16>, tensor<96x64xf16>) outs(%f : tensor<70x96xf32>) -> tensor<70x96xf32>
    %h = tensor.empty() : tensor<70x96xf16>
    %2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%0, %1 : tensor<70x96xf32>, tensor<70x96xf32>) outs(%h : tensor<70x96xf16>) {
    ^bb1(%v: f32, %w: f32, %o: f16):
      %t = math.tanh %v : f32
      %s = arith.mulf %t, %w : f32
      %q = arith.truncf %s : f32 to f16
      linalg.yield %q : f16
    } -> tensor<70x96xf16>
    stof.yield %2 : tensor<70x96xf16>
  } -> tensor<70x96xf16>
  return %y : tensor<70x96xf16>
}

/// A tile holds the whole rows that are combined; 8 warps share it, and the
/// columns that stick out do not count.

// CHECK-LABEL: gpu.func @norm_0
// CHECK-SAME: block_k = 32 : i64, columns = 224 : i64
// CHECK: %[[SUMS:.*]] = scf.for
// CHECK: %[[SQUARES:.*]] = tile.map ins(%[[SUMS]]
// CHECK:   %[[EXISTS:.*]] = arith.cmpi slt, %{{.*}}, %c200
// CHECK:   arith.select %[[EXISTS]]
// CHECK: tile.reduce %{{.*}} along 1
// CHECK: !tile.fragment<64x224xf32, #[[WIDE]]>
// CHECK: tile.store
func.func @norm(%x: tensor<70x64xf16>, %w: tensor<200x64xf16>) -> tensor<70x200xf32> {
  %y = stof.group ins(%x, %w : tensor<70x64xf16>, tensor<200x64xf16>) {
  ^bb0(%a: tensor<70x64xf16>, %b: tensor<200x64xf16>):
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<70x200xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<70x200xf32>) -> tensor<70x200xf32>
    %0 = linalg.contract indexing_maps = [#lhs, #rhs, #out] ins(%a, %b : tensor<70x64xf16>, tensor<200x64xf16>) outs(%f : tensor<70x200xf32>) -> tensor<70x200xf32>
    %g = tensor.empty() : tensor<70xf32>
    %h = linalg.fill ins(%zero : f32) outs(%g : tensor<70xf32>) -> tensor<70xf32>
    %1 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%0 : tensor<70x200xf32>) outs(%h : tensor<70xf32>) {
    ^bb1(%u: f32, %o: f32):
      %s = arith.mulf %u, %u : f32
      %t = arith.addf %s, %o : f32
      linalg.yield %t : f32
    } -> tensor<70xf32>
    %2 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%0, %1 : tensor<70x200xf32>, tensor<70xf32>) outs(%e : tensor<70x200xf32>) {
    ^bb1(%u: f32, %v: f32, %o: f32):
      %r = math.rsqrt %v : f32
      %t = arith.mulf %u, %r : f32
      linalg.yield %t : f32
    } -> tensor<70x200xf32>
    stof.yield %2 : tensor<70x200xf32>
  } -> tensor<70x200xf32>
  return %y : tensor<70x200xf32>
}
