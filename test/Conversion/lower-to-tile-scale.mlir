// RUN: stof-opt %s --stof-lower-to-tile | FileCheck %s

/// A scale and log2(e) are one factor, which multiplies a score within the
/// exponential.

// CHECK-LABEL: gpu.func @folded_0_attention
// CHECK-DAG: %[[FACTOR:.*]] = arith.constant 0.180336878 : f32
// CHECK: math.fma %{{.*}}, %[[FACTOR]], %{{.*}} : f32
func.func @folded(%q: tensor<1x2x64x16xf32>) -> tensor<1x2x64x16xf32> {
  %init = tensor.empty() : tensor<1x2x64x16xf32>
  %o = stof.attention ins(%q, %q, %q : tensor<1x2x64x16xf32>, tensor<1x2x64x16xf32>, tensor<1x2x64x16xf32>)
      outs(%init : tensor<1x2x64x16xf32>) scale 0.125 -> tensor<1x2x64x16xf32>
  return %o : tensor<1x2x64x16xf32>
}

/// Where their product is infinite, a score is multiplied by one after the other.

// CHECK-LABEL: gpu.func @steep_0_attention
// CHECK-DAG: %[[SCALE:.*]] = arith.constant 3.000000e+38 : f32
// CHECK-DAG: %[[LOG2E:.*]] = arith.constant 1.44269502 : f32
// CHECK: %[[SCALED:.*]] = arith.mulf %{{.*}}, %[[SCALE]] : f32
// CHECK: arith.mulf %[[SCALED]], %[[LOG2E]] : f32
func.func @steep(%q: tensor<1x2x64x16xf32>) -> tensor<1x2x64x16xf32> {
  %init = tensor.empty() : tensor<1x2x64x16xf32>
  %o = stof.attention ins(%q, %q, %q : tensor<1x2x64x16xf32>, tensor<1x2x64x16xf32>, tensor<1x2x64x16xf32>)
      outs(%init : tensor<1x2x64x16xf32>) scale 3.0e38 -> tensor<1x2x64x16xf32>
  return %o : tensor<1x2x64x16xf32>
}
