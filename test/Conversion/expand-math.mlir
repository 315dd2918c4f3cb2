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

/// What is rounded to 16 bits afterwards need not be exact to 24 bits either:
/// the sum with 1 is a power, or two minus it, for each sign of x.

// CHECK-LABEL: func @rounded_gelu
// CHECK-SAME:  %[[X:.*]]: f32
// CHECK-NOT:   arith.divf
// CHECK:       %[[U:.*]] = arith.mulf %[[X]], %{{.*}} : f32
// CHECK-NEXT:  %[[T:.*]] = math.absf %[[U]]
// CHECK-COUNT-6: math.fma
// CHECK-NEXT:  %[[P:.*]] = arith.mulf
// CHECK-NEXT:  %[[REST:.*]] = math.exp2 %[[P]]
// CHECK-NEXT:  %[[SIGN:.*]] = arith.cmpf olt, %[[U]]
// CHECK-NEXT:  %[[ABOVE:.*]] = arith.subf %{{.*}}, %[[REST]]
// CHECK-NEXT:  %[[SUM:.*]] = arith.select %[[SIGN]], %[[REST]], %[[ABOVE]]
// CHECK-NEXT:  %[[Y:.*]] = arith.mulf %[[X]], %[[SUM]]
// CHECK-NEXT:  arith.truncf %[[Y]] : f32 to f16
func.func @rounded_gelu(%x: f32) -> f16 {
  %root = arith.constant 0.707106781 : f32
  %one = arith.constant 1.0 : f32
  %u = arith.mulf %x, %root : f32
  %e = math.erf %u : f32
  %s = arith.addf %e, %one : f32
  %y = arith.mulf %x, %s : f32
  %h = arith.truncf %y : f32 to f16
  return %h : f16
}

/// 1 + tanh(x) is one quotient. Elements of a vector are rounded with it.

// CHECK-LABEL: func @rounded_tanh
// CHECK:       %[[POWER:.*]] = math.exp2
// CHECK-NEXT:  %[[SUM:.*]] = arith.addf %[[POWER]]
// CHECK-NEXT:  %[[Y:.*]] = arith.divf %{{.*}}, %[[SUM]] fastmath<afn> : f32
// CHECK-NEXT:  vector.from_elements %[[Y]], %[[Y]]
// CHECK-NEXT:  arith.truncf
func.func @rounded_tanh(%x: f32) -> vector<2xbf16> {
  %one = arith.constant 1.0 : f32
  %t = math.tanh %x : f32
  %s = arith.addf %one, %t : f32
  %v = vector.from_elements %s, %s : vector<2xf32>
  %h = arith.truncf %v : vector<2xf32> to vector<2xbf16>
  return %h : vector<2xbf16>
}

/// A power joins a positive constant without cancellation. The quotient is that
/// of PTX for divisors of all sizes.

// CHECK-LABEL: func @rounded_silu
// CHECK-SAME:  %[[X:.*]]: f32
// CHECK-NOT:   math.roundeven
// CHECK:       %[[POWER:.*]] = math.exp2
// CHECK-NEXT:  %[[SUM:.*]] = arith.addf %[[POWER]]
// CHECK-NEXT:  %[[Y:.*]] = llvm.call_intrinsic "llvm.nvvm.div.full"(%[[X]], %[[SUM]])
// CHECK-NEXT:  arith.truncf %[[Y]] : f32 to bf16
func.func @rounded_silu(%x: f32) -> bf16 {
  %one = arith.constant 1.0 : f32
  %n = arith.negf %x : f32
  %e = math.exp %n : f32
  %s = arith.addf %e, %one : f32
  %y = arith.divf %x, %s : f32
  %h = arith.truncf %y : f32 to bf16
  return %h : bf16
}

// CHECK-LABEL: func @rounded_vectors
// CHECK:       math.exp2 %{{.*}} : vector<2xf32>
// CHECK:       %[[SUM:.*]] = arith.select {{.*}} : vector<2xi1>, vector<2xf32>
// CHECK:       %[[X:.*]]:2 = vector.to_elements
// CHECK:       %[[S:.*]]:2 = vector.to_elements %[[SUM]]
// CHECK:       %[[A:.*]] = llvm.call_intrinsic "llvm.nvvm.div.full"(%[[X]]#0, %[[S]]#0)
// CHECK:       %[[B:.*]] = llvm.call_intrinsic "llvm.nvvm.div.full"(%[[X]]#1, %[[S]]#1)
// CHECK:       vector.from_elements %[[A]], %[[B]]
func.func @rounded_vectors(%x: vector<2xf32>) -> vector<2xf16> {
  %one = arith.constant dense<1.0> : vector<2xf32>
  %e = math.erf %x : vector<2xf32>
  %s = arith.addf %e, %one : vector<2xf32>
  %y = arith.divf %x, %s : vector<2xf32>
  %h = arith.truncf %y : vector<2xf32> to vector<2xf16>
  return %h : vector<2xf16>
}

// CHECK-LABEL: func @rounded_erf
// CHECK:       math.exp2
// CHECK-NOT:   arith.divf
// CHECK:       arith.negf
// CHECK:       arith.truncf
func.func @rounded_erf(%x: f32, %c: i1) -> f16 {
  %e = math.erf %x : f32
  %n = arith.negf %e : f32
  %s = arith.select %c, %e, %n : f32
  %h = arith.truncf %s : f32 to f16
  return %h : f16
}

// CHECK-LABEL: func @rounded_constant_quotient
// CHECK:       %[[C:.*]] = arith.constant 2.5{{0*}}e-01 : f32
// CHECK:       arith.mulf %{{.*}}, %[[C]] : f32
func.func @rounded_constant_quotient(%x: f32) -> f16 {
  %four = arith.constant 4.0 : f32
  %y = arith.divf %x, %four : f32
  %h = arith.truncf %y : f32 to f16
  return %h : f16
}

/// A result that is also returned as f32 keeps its accuracy.

// CHECK-LABEL: func @negative_returned
// CHECK-NOT:   math.exp2
// CHECK:       arith.divf {{.*}} : f32
// CHECK-NOT:   math.exp2
// CHECK:       arith.addf
// CHECK:       arith.truncf
func.func @negative_returned(%x: f32) -> (f16, f32) {
  %one = arith.constant 1.0 : f32
  %e = math.erf %x : f32
  %s = arith.addf %e, %one : f32
  %y = arith.mulf %x, %s : f32
  %h = arith.truncf %y : f32 to f16
  return %h, %y : f16, f32
}

// CHECK-LABEL: func @negative_stored
// CHECK:       arith.divf %{{.*}}, %{{.*}} : f32
func.func @negative_stored(%x: f32, %z: f32, %m: memref<f32>) -> f16 {
  %y = arith.divf %x, %z : f32
  memref.store %y, %m[] : memref<f32>
  %h = arith.truncf %y : f32 to f16
  return %h : f16
}

// CHECK-LABEL: func @negative_yielded
// CHECK:       arith.divf %{{.*}}, %{{.*}} : f32
func.func @negative_yielded(%x: f32, %z: f32, %c: i1) -> f16 {
  %r = scf.if %c -> f32 {
    %y = arith.divf %x, %z : f32
    scf.yield %y : f32
  } else {
    scf.yield %z : f32
  }
  %h = arith.truncf %r : f32 to f16
  return %h : f16
}

/// A sum may cancel, and so may that of a power and a negative constant.

// CHECK-LABEL: func @negative_sums
// CHECK:       arith.divf %{{.*}}, %{{.*}} : f32
// CHECK:       math.roundeven
func.func @negative_sums(%x: f32, %z: f32) -> (f16, f16) {
  %minus = arith.constant -1.0 : f32
  %y = arith.divf %x, %z : f32
  %a = arith.addf %y, %x : f32
  %h = arith.truncf %a : f32 to f16
  %e = math.exp %x : f32
  %b = arith.addf %e, %minus : f32
  %k = arith.truncf %b : f32 to f16
  return %h, %k : f16, f16
}

/// A product may scale a power that was flushed to 0 back to a normal number.

// CHECK-LABEL: func @negative_scaled_power
// CHECK:       math.roundeven
func.func @negative_scaled_power(%x: f32) -> bf16 {
  %large = arith.constant 1.0e+30 : f32
  %e = math.exp %x : f32
  %y = arith.mulf %e, %large : f32
  %h = arith.truncf %y : f32 to bf16
  return %h : bf16
}

/// The eighth power has eight times the relative error.

// CHECK-LABEL: func @negative_high_power
// CHECK:       arith.divf %{{.*}}, %{{.*}} : f32
func.func @negative_high_power(%x: f32, %z: f32) -> f16 {
  %y = arith.divf %x, %z : f32
  %y2 = arith.mulf %y, %y : f32
  %y4 = arith.mulf %y2, %y2 : f32
  %y8 = arith.mulf %y4, %y4 : f32
  %h = arith.truncf %y8 : f32 to f16
  return %h : f16
}

// CHECK-LABEL: func @negative_tf32
// CHECK:       arith.divf %{{.*}}, %{{.*}} : f32
func.func @negative_tf32(%x: f32, %z: f32) -> tf32 {
  %y = arith.divf %x, %z : f32
  %h = arith.truncf %y : f32 to tf32
  return %h : tf32
}
