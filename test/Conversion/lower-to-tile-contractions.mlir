// RUN: stof-opt %s --split-input-file --stof-lower-to-tile=chip=sm_90a | FileCheck %s --check-prefixes=CHECK,HOPPER
// RUN: stof-opt %s --split-input-file --stof-lower-to-tile=chip=sm_80 | FileCheck %s --check-prefixes=CHECK,AMPERE
// RUN: stof-opt %s --split-input-file --stof-lower-to-tile | FileCheck %s --check-prefixes=CHECK,CPU

/// Many rows take large tiles; warpgroups multiply where there are some, in
/// persistent CTAs with warps that load. A processor takes one shape for all.

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (n, k)>
#out = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: gpu.func @many_rows_0_contract
// HOPPER-SAME: stof.schedule = {block_k = 64 : i64, columns = 192 : i64, groups = 2 : i64, kernel = "contraction", producers = 4 : i64, resident = 1 : i64, row_warps = 4 : i64, rows = 128 : i64, stages = 4 : i64, warps = 4 : i64}
// HOPPER-SAME: warpgroups
// AMPERE-SAME: stof.schedule = {block_k = 64 : i64, columns = 128 : i64, kernel = "contraction", row_warps = 2 : i64, rows = 128 : i64, stages = 3 : i64, warps = 4 : i64}
// CPU-SAME: stof.schedule = {block_k = 32 : i64, columns = 64 : i64, kernel = "contraction", row_warps = 2 : i64, rows = 64 : i64, stages = 2 : i64, warps = 4 : i64}
func.func @many_rows(%a: tensor<4096x768xf16>, %w: tensor<3072x768xf16>) -> tensor<4096x3072xf32> {
  %y = stof.group ins(%a, %w : tensor<4096x768xf16>, tensor<3072x768xf16>) {
  ^bb0(%x: tensor<4096x768xf16>, %v: tensor<3072x768xf16>):
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<4096x3072xf32>
    %0 = linalg.fill ins(%zero : f32) outs(%e : tensor<4096x3072xf32>) -> tensor<4096x3072xf32>
    %1 = linalg.contract indexing_maps = [#lhs, #rhs, #out] ins(%x, %v : tensor<4096x768xf16>, tensor<3072x768xf16>) outs(%0 : tensor<4096x3072xf32>) -> tensor<4096x3072xf32>
    stof.yield %1 : tensor<4096x3072xf32>
  } -> tensor<4096x3072xf32>
  return %y : tensor<4096x3072xf32>
}

// -----

/// Few rows take small tiles, so that all SMs have some; those of
/// warps deep steps.

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (n, k)>
#out = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: gpu.func @few_rows_0_contract
// HOPPER-SAME: block_k = 128 : i64, columns = 32 : i64, {{.*}} rows = 32 : i64, stages = 4 : i64
// AMPERE-SAME: block_k = 128 : i64, columns = 32 : i64, {{.*}} rows = 32 : i64, stages = 4 : i64
func.func @few_rows(%a: tensor<128x768xf16>, %w: tensor<768x768xf16>) -> tensor<128x768xf32> {
  %y = stof.group ins(%a, %w : tensor<128x768xf16>, tensor<768x768xf16>) {
  ^bb0(%x: tensor<128x768xf16>, %v: tensor<768x768xf16>):
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<128x768xf32>
    %0 = linalg.fill ins(%zero : f32) outs(%e : tensor<128x768xf32>) -> tensor<128x768xf32>
    %1 = linalg.contract indexing_maps = [#lhs, #rhs, #out] ins(%x, %v : tensor<128x768xf16>, tensor<768x768xf16>) outs(%0 : tensor<128x768xf32>) -> tensor<128x768xf32>
    stof.yield %1 : tensor<128x768xf32>
  } -> tensor<128x768xf32>
  return %y : tensor<128x768xf32>
}

// -----

/// The columns of the right operand may lie next to each other.

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#out = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: gpu.func @columns_first_0_contract
// HOPPER-SAME: block_k = 64 : i64, columns = 192 : i64, {{.*}} row_warps = 4 : i64, rows = 128 : i64
func.func @columns_first(%a: tensor<8192x768xf16>, %w: tensor<768x768xf16>) -> tensor<8192x768xf32> {
  %y = stof.group ins(%a, %w : tensor<8192x768xf16>, tensor<768x768xf16>) {
  ^bb0(%x: tensor<8192x768xf16>, %v: tensor<768x768xf16>):
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8192x768xf32>
    %0 = linalg.fill ins(%zero : f32) outs(%e : tensor<8192x768xf32>) -> tensor<8192x768xf32>
    %1 = linalg.contract indexing_maps = [#lhs, #rhs, #out] ins(%x, %v : tensor<8192x768xf16>, tensor<768x768xf16>) outs(%0 : tensor<8192x768xf32>) -> tensor<8192x768xf32>
    stof.yield %1 : tensor<8192x768xf32>
  } -> tensor<8192x768xf32>
  return %y : tensor<8192x768xf32>
}

// -----

/// f32 takes half of the depth; warpgroups do not multiply it with the precision
/// that is promised.

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (n, k)>
#out = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: gpu.func @single_0_contract
// HOPPER-SAME: block_k = 16 : i64, columns = 64 : i64, {{.*}} row_warps = 2 : i64, rows = 64 : i64
// AMPERE-SAME: block_k = 16 : i64, columns = 64 : i64, {{.*}} row_warps = 2 : i64, rows = 64 : i64
func.func @single(%a: tensor<8192x768xf32>, %w: tensor<768x768xf32>) -> tensor<8192x768xf32> {
  %y = stof.group ins(%a, %w : tensor<8192x768xf32>, tensor<768x768xf32>) {
  ^bb0(%x: tensor<8192x768xf32>, %v: tensor<768x768xf32>):
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8192x768xf32>
    %0 = linalg.fill ins(%zero : f32) outs(%e : tensor<8192x768xf32>) -> tensor<8192x768xf32>
    %1 = linalg.contract indexing_maps = [#lhs, #rhs, #out] ins(%x, %v : tensor<8192x768xf32>, tensor<768x768xf32>) outs(%0 : tensor<8192x768xf32>) -> tensor<8192x768xf32>
    stof.yield %1 : tensor<8192x768xf32>
  } -> tensor<8192x768xf32>
  return %y : tensor<8192x768xf32>
}

// -----

/// Heads are not adjacent in memory; a tile has the columns of two of them, as they follow
/// each other in the weights. Each is finished and stored by itself, in halves, since
/// accumulators leave few registers.

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (n, k)>
#out = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(h, s, d) -> (h, s, d)>
#turned = affine_map<(h, s, d) -> (s, h, d)>

// CHECK-LABEL: gpu.func @heads_0_contract
// HOPPER-SAME: columns = 192 : i64, {{.*}} row_warps = 4 : i64, rows = 128 : i64
// HOPPER: %[[HEADS:.*]] = arith.muli %{{.*}}, %c3{{[_0-9]*}} : index
// HOPPER: %[[NEXT:.*]] = arith.addi %[[HEADS]], %c1{{[_0-9]*}} : index
// HOPPER: %[[LAST:.*]] = arith.addi %[[HEADS]], %c2{{[_0-9]*}} : index
// HOPPER: %[[FIRST:.*]] = arith.muli %[[HEADS]], %c64{{[_0-9]*}} : index
// HOPPER: tile.load %{{.*}}[%[[FIRST]], %{{.*}}] along [0, 1] {{.*}} -> !tile.shared<192x64xf16>
// HOPPER: tile.slice %[[SUMS:.*]] from 0 : {{.*}} -> !tile.fragment<128x32xf32
// HOPPER: tile.store %{{.*}}, %[[Y:.*]][%[[HEADS]], %{{.*}}, %{{.*}}] along [1, 2]
// HOPPER: tile.slice %[[SUMS]] from 32
// HOPPER: tile.store %{{.*}}, %[[Y]][%[[HEADS]], %{{.*}}, %{{.*}}] along [1, 2]
// HOPPER: tile.slice %[[SUMS]] from 64
// HOPPER: tile.store %{{.*}}, %[[Y]][%[[NEXT]], %{{.*}}, %{{.*}}] along [1, 2]
// HOPPER: tile.slice %[[SUMS]] from 128
// HOPPER: tile.store %{{.*}}, %[[Y]][%[[LAST]], %{{.*}}, %{{.*}}] along [1, 2]
// HOPPER: tile.slice %[[SUMS]] from 160
// HOPPER: tile.store %{{.*}}, %[[Y]][%{{.*}}, %{{.*}}, %{{.*}}] along [1, 2]
// AMPERE-NOT: tile.slice
// CPU-NOT: tile.slice
func.func @heads(%a: tensor<8192x768xf16>, %w: tensor<768x768xf16>) -> tensor<12x8192x64xf16> {
  %y = stof.group ins(%a, %w : tensor<8192x768xf16>, tensor<768x768xf16>) {
  ^bb0(%x: tensor<8192x768xf16>, %v: tensor<768x768xf16>):
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8192x768xf32>
    %0 = linalg.fill ins(%zero : f32) outs(%e : tensor<8192x768xf32>) -> tensor<8192x768xf32>
    %1 = linalg.contract indexing_maps = [#lhs, #rhs, #out] ins(%x, %v : tensor<8192x768xf16>, tensor<768x768xf16>) outs(%0 : tensor<8192x768xf32>) -> tensor<8192x768xf32>
    %2 = tensor.expand_shape %1 [[0], [1, 2]] output_shape [8192, 12, 64] : tensor<8192x768xf32> into tensor<8192x12x64xf32>
    %h = tensor.empty() : tensor<12x8192x64xf16>
    %3 = linalg.generic {indexing_maps = [#turned, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2 : tensor<8192x12x64xf32>) outs(%h : tensor<12x8192x64xf16>) {
    ^bb0(%s: f32, %out: f16):
      %4 = arith.truncf %s : f32 to f16
      linalg.yield %4 : f16
    } -> tensor<12x8192x64xf16>
    stof.yield %3 : tensor<12x8192x64xf16>
  } -> tensor<12x8192x64xf16>
  return %y : tensor<12x8192x64xf16>
}
