// RUN: stof-opt %s --pass-pipeline='builtin.module(func.func(stof-form-groups{chip=sm_90a}))' | FileCheck %s

/// The first of back-to-back matmuls is computed again for each tile that multiplies
/// it. With few columns that costs less than a kernel; with many it does not.

// CHECK-LABEL: @narrow
// CHECK: stof.group
// CHECK:   linalg.contract
// CHECK:   linalg.contract
// CHECK: return
func.func @narrow(%x: tensor<1024x512xf16>, %u: tensor<64x512xf16>, %w: tensor<64x64xf16>) -> tensor<1024x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1024x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1024x64xf32>) -> tensor<1024x64xf32>
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%x, %u : tensor<1024x512xf16>, tensor<64x512xf16>) outs(%f : tensor<1024x64xf32>) -> tensor<1024x64xf32>
  %h = tensor.empty() : tensor<1024x64xf16>
  %1 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
    ins(%0 : tensor<1024x64xf32>) outs(%h : tensor<1024x64xf16>) {
  ^bb0(%a: f32, %o: f16):
    %3 = arith.truncf %a : f32 to f16
    linalg.yield %3 : f16
  } -> tensor<1024x64xf16>
  %2 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%1, %w : tensor<1024x64xf16>, tensor<64x64xf16>) outs(%f : tensor<1024x64xf32>) -> tensor<1024x64xf32>
  return %2 : tensor<1024x64xf32>
}

// CHECK-LABEL: @wide
// CHECK: %[[FIRST:.*]] = stof.group
// CHECK: stof.group ins({{.*}}%[[FIRST]]
func.func @wide(%x: tensor<1024x768xf16>, %u: tensor<3072x768xf16>, %w: tensor<768x3072xf16>) -> tensor<1024x768xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1024x3072xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1024x3072xf32>) -> tensor<1024x3072xf32>
  %0 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%x, %u : tensor<1024x768xf16>, tensor<3072x768xf16>) outs(%f : tensor<1024x3072xf32>) -> tensor<1024x3072xf32>
  %h = tensor.empty() : tensor<1024x3072xf16>
  %1 = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
    ins(%0 : tensor<1024x3072xf32>) outs(%h : tensor<1024x3072xf16>) {
  ^bb0(%a: f32, %o: f16):
    %3 = arith.truncf %a : f32 to f16
    linalg.yield %3 : f16
  } -> tensor<1024x3072xf16>
  %last = tensor.empty() : tensor<1024x768xf32>
  %start = linalg.fill ins(%zero : f32) outs(%last : tensor<1024x768xf32>) -> tensor<1024x768xf32>
  %2 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%1, %w : tensor<1024x3072xf16>, tensor<768x3072xf16>) outs(%start : tensor<1024x768xf32>) -> tensor<1024x768xf32>
  return %2 : tensor<1024x768xf32>
}
