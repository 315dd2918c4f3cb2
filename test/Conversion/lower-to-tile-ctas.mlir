// RUN: stof-opt %s --stof-to-tile=chip=sm_90a | FileCheck %s

/// The schedule of a kernel of one warpgroup says how many of its CTAs the
/// registers of an SM have to suffice for. A score takes some of them.

// CHECK-LABEL: gpu.func @four_0_attention
// CHECK-SAME: stof.schedule = {ctas_per_sm = 4 : i64,
func.func @four(%q: tensor<16x12x4096x64xf16>, %k: tensor<16x12x4096x64xf16>, %v: tensor<16x12x4096x64xf16>) -> tensor<16x12x4096x64xf16> {
  %causal = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.cmpi ule, %j, %i : index
    stof.yield %keep : i1
  } : !stof.mask<4096x4096>
  %init = tensor.empty() : tensor<16x12x4096x64xf16>
  %out = stof.attention ins(%q, %k, %v : tensor<16x12x4096x64xf16>, tensor<16x12x4096x64xf16>, tensor<16x12x4096x64xf16>)
      mask(%causal : !stof.mask<4096x4096>) tile <queries = 64, keys = 64, warps = 4, producers = 1>
      outs(%init : tensor<16x12x4096x64xf16>) scale 0.125 -> tensor<16x12x4096x64xf16>
  return %out : tensor<16x12x4096x64xf16>
}

// CHECK-LABEL: gpu.func @three_0_attention
// CHECK-SAME: stof.schedule = {ctas_per_sm = 3 : i64,
func.func @three(%q: tensor<16x12x4096x64xf16>, %k: tensor<16x12x4096x64xf16>, %v: tensor<16x12x4096x64xf16>) -> tensor<16x12x4096x64xf16> {
  %causal = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.cmpi ule, %j, %i : index
    stof.yield %keep : i1
  } : !stof.mask<4096x4096>
  %init = tensor.empty() : tensor<16x12x4096x64xf16>
  %out = stof.attention ins(%q, %k, %v : tensor<16x12x4096x64xf16>, tensor<16x12x4096x64xf16>, tensor<16x12x4096x64xf16>)
      mask(%causal : !stof.mask<4096x4096>) tile <queries = 64, keys = 64, warps = 4, producers = 1>
      outs(%init : tensor<16x12x4096x64xf16>) scale 0.125 score {
  ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index):
    %t = math.tanh %s : f32
    stof.yield %t : f32
  } -> tensor<16x12x4096x64xf16>
  return %out : tensor<16x12x4096x64xf16>
}

/// Persistent CTAs have a number of their own.

// CHECK-LABEL: gpu.func @persistent_0_attention
// CHECK-NOT: ctas_per_sm
func.func @persistent(%q: tensor<16x12x4096x64xf16>, %k: tensor<16x12x4096x64xf16>, %v: tensor<16x12x4096x64xf16>) -> tensor<16x12x4096x64xf16> {
  %init = tensor.empty() : tensor<16x12x4096x64xf16>
  %out = stof.attention ins(%q, %k, %v : tensor<16x12x4096x64xf16>, tensor<16x12x4096x64xf16>, tensor<16x12x4096x64xf16>)
      tile <queries = 64, keys = 64, warps = 4, producers = 1, resident = 4>
      outs(%init : tensor<16x12x4096x64xf16>) scale 0.125 -> tensor<16x12x4096x64xf16>
  return %out : tensor<16x12x4096x64xf16>
}
