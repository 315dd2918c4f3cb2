// RUN: stof-opt %s --stof-lower-to-tile | FileCheck %s

/// A scale and log2(e) are one factor, which multiplies a score within the
/// exponential.

// CHECK-LABEL: gpu.func @folded_0_attention
// CHECK-DAG: %[[FACTOR:.*]] = arith.constant 0.180336878 : f32
// CHECK: math.fma %{{.*}}, %[[FACTOR]], %{{.*}} : f32
func.func @folded(%q: tensor<1x2x64x16xf16>) -> tensor<1x2x64x16xf16> {
  %init = tensor.empty() : tensor<1x2x64x16xf16>
  %o = stof.attention ins(%q, %q, %q : tensor<1x2x64x16xf16>, tensor<1x2x64x16xf16>, tensor<1x2x64x16xf16>)
      outs(%init : tensor<1x2x64x16xf16>) scale 0.125 -> tensor<1x2x64x16xf16>
  return %o : tensor<1x2x64x16xf16>
}

/// Of a scale that makes scores infinite with log2(e), the latter multiplies what
/// is left of them once the largest is subtracted.

// CHECK-LABEL: gpu.func @steep_0_attention
// CHECK: %[[SCALE:.*]] = arith.constant -2.000000e+38 : f32
// CHECK: arith.mulf %{{.*}}, %[[SCALE]] : f32
// CHECK: %[[BELOW:.*]] = arith.subf
// CHECK: %[[LOG2E:.*]] = arith.constant 1.44269502 : f32
// CHECK: %[[POWER:.*]] = arith.mulf %[[BELOW]], %[[LOG2E]] : f32
// CHECK: math.exp2 %[[POWER]]
func.func @steep(%q: tensor<1x2x64x16xf16>) -> tensor<1x2x64x16xf16> {
  %init = tensor.empty() : tensor<1x2x64x16xf16>
  %o = stof.attention ins(%q, %q, %q : tensor<1x2x64x16xf16>, tensor<1x2x64x16xf16>, tensor<1x2x64x16xf16>)
      outs(%init : tensor<1x2x64x16xf16>) scale -2.0e38 -> tensor<1x2x64x16xf16>
  return %o : tensor<1x2x64x16xf16>
}

/// In f32 so it is with any scale: scores that are equal stay equal.

// CHECK-LABEL: gpu.func @natural_0_attention
// CHECK: %[[SCALE:.*]] = arith.constant 1.250000e-01 : f32
// CHECK: arith.mulf %{{.*}}, %[[SCALE]] : f32
// CHECK: %[[BELOW:.*]] = arith.subf
// CHECK: %[[LOG2E:.*]] = arith.constant 1.44269502 : f32
// CHECK: %[[POWER:.*]] = arith.mulf %[[BELOW]], %[[LOG2E]] : f32
// CHECK: math.exp2 %[[POWER]]
// CHECK-NOT: math.fma %{{.*}}, %[[LOG2E]]
func.func @natural(%q: tensor<1x2x64x16xf32>) -> tensor<1x2x64x16xf32> {
  %init = tensor.empty() : tensor<1x2x64x16xf32>
  %o = stof.attention ins(%q, %q, %q : tensor<1x2x64x16xf32>, tensor<1x2x64x16xf32>, tensor<1x2x64x16xf32>)
      outs(%init : tensor<1x2x64x16xf32>) scale 0.125 -> tensor<1x2x64x16xf32>
  return %o : tensor<1x2x64x16xf32>
}
