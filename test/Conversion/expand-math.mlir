// RUN: stof-opt %s --stof-expand-math | FileCheck %s
// RUN: stof-opt %s --stof-expand-math="exp2" | FileCheck %s --check-prefix=EXP2

/// The whole part of the exponent becomes bits, the rest goes to exp2.

// CHECK-LABEL: func @exp
// CHECK:       math.roundeven
// CHECK-COUNT-2: math.fma
// CHECK:       %[[POWER:.*]] = math.exp2
// CHECK:       %[[SCALE:.*]] = arith.bitcast %{{.*}} : i32 to f32
// CHECK:       arith.mulf %[[POWER]], %[[SCALE]] : f32
// EXP2-LABEL: func @exp
// EXP2-NOT:   math.exp2
func.func @exp(%x: f32) -> f32 {
  %y = math.exp %x : f32
  return %y : f32
}

/// Narrow floats are computed in f32 and rounded once.

// CHECK-LABEL: func @narrow
// CHECK:       %[[WIDE:.*]] = arith.extf %{{.*}} : bf16 to f32
// CHECK:       %[[ROOT:.*]] = math.rsqrt %[[WIDE]] : f32
// CHECK:       arith.truncf %[[ROOT]] : f32 to bf16
func.func @narrow(%x: bf16) -> bf16 {
  %y = math.rsqrt %x : bf16
  return %y : bf16
}

/// Vectors are expanded as scalars are.

// CHECK-LABEL: func @vectors
// CHECK-NOT:   math.sin
// CHECK:       arith.extf %{{.*}} : vector<4xf32> to vector<4xf64>
func.func @vectors(%x: vector<4xf32>) -> vector<4xf32> {
  %y = math.sin %x : vector<4xf32>
  return %y : vector<4xf32>
}

/// A small constant power is products.

// CHECK-LABEL: func @square
// CHECK-SAME:  %[[X:.*]]: f32
// CHECK-NEXT:  %[[Y:.*]] = arith.mulf %[[X]], %[[X]] : f32
// CHECK-NEXT:  return %[[Y]]
func.func @square(%x: f32) -> f32 {
  %two = arith.constant 2.0 : f32
  %y = math.powf %x, %two : f32
  return %y : f32
}

/// Rounding down is rounding to zero, corrected where signs differ.

// CHECK-LABEL: func @floor_division
// CHECK:       arith.divsi
// CHECK:       arith.select
func.func @floor_division(%x: index, %y: index) -> index {
  %z = arith.floordivsi %x, %y : index
  return %z : index
}

/// What has an instruction stays: these, and exp2 unless asked.

// CHECK-LABEL: func @negative_instructions
// CHECK:       math.exp2
// CHECK:       math.sqrt
// CHECK:       math.floor %{{.*}} : f16
// EXP2-LABEL: func @negative_instructions
// EXP2-NOT:   math.exp2
func.func @negative_instructions(%x: f32, %h: f16) -> (f32, f32, f16) {
  %a = math.exp2 %x : f32
  %b = math.sqrt %x : f32
  %c = math.floor %h : f16
  return %a, %b, %c : f32, f32, f16
}

/// Devices have no functions of f64: they become series.

// CHECK-LABEL: func @power_of_f64
// CHECK-NOT:   math.{{exp|log|pow}}
// CHECK:       return %{{.*}} : f64
func.func @power_of_f64(%x: f64, %e: f64) -> f64 {
  %y = math.powf %x, %e : f64
  return %y : f64
}

// CHECK-LABEL: func @sine_of_f64
// CHECK-NOT:   f32
// CHECK-NOT:   math.sin
// CHECK:       return %{{.*}} : f64
func.func @sine_of_f64(%x: f64) -> f64 {
  %y = math.sin %x : f64
  return %y : f64
}

// CHECK-LABEL: func @root_of_f64
// CHECK:       %[[ROOT:.*]] = math.sqrt %{{.*}} : f64
// CHECK:       arith.divf %{{.*}}, %[[ROOT]] : f64
func.func @root_of_f64(%x: f64) -> f64 {
  %y = math.rsqrt %x : f64
  return %y : f64
}

// CHECK-LABEL: func @negative_f64
// CHECK-NEXT:  math.erf
func.func @negative_f64(%x: f64) -> f64 {
  %y = math.erf %x : f64
  return %y : f64
}

/// Functions of 16-bit floats need not be exact to 24 bits: one power and one
/// polynomial, and a series near 0.

// CHECK-LABEL: func @narrow_erf
// CHECK: %[[WIDE:.*]] = arith.extf %{{.*}} : f16 to f32
// CHECK: math.exp2
// CHECK-NOT: math.exp2
// CHECK-NOT: arith.divf
// CHECK: %[[FAR:.*]] = arith.select
// CHECK: arith.truncf %{{.*}} : f32 to f16
func.func @narrow_erf(%x: f16) -> f16 {
  %y = math.erf %x : f16
  return %y : f16
}

// CHECK-LABEL: func @narrow_quotient
// CHECK: %[[ROOT:.*]] = arith.constant 1.41{{.*}} : f32
// CHECK-NOT: math.sqrt
// CHECK: arith.divf %{{.*}}, %[[ROOT]] fastmath<afn> : f32
func.func @narrow_quotient(%x: f16) -> f16 {
  %two = arith.constant 2.0 : f16
  %root = math.sqrt %two : f16
  %y = arith.divf %x, %root : f16
  return %y : f16
}

/// A divisor of bf16 may be too large for an approximate quotient.

// CHECK-LABEL: func @negative_quotient
// CHECK: arith.divf %{{.*}}, %{{.*}} : bf16
func.func @negative_quotient(%x: bf16, %z: bf16) -> bf16 {
  %y = arith.divf %x, %z : bf16
  return %y : bf16
}
