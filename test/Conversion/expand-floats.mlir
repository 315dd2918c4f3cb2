// RUN: stof-opt %s --stof-expand-floats | FileCheck %s

/// A function of f32 becomes arithmetic, one of f16 the same in f32.

// CHECK-LABEL: func @functions
// CHECK-NOT: math.{{exp|erf|tanh|log|sin|cos|powf|rsqrt}}
// CHECK: return
func.func @functions(%x: f32, %h: f16) -> (f32, f16) {
  %0 = math.exp %x : f32
  %1 = math.erf %0 : f32
  %2 = math.tanh %1 : f32
  %3 = math.log %2 : f32
  %4 = math.sin %3 : f32
  %5 = math.cos %4 : f32
  %6 = math.powf %5, %x : f32
  %7 = math.rsqrt %6 : f32
  %8 = math.exp %h : f16
  return %7, %8 : f32, f16
}

/// Each operation on bf16 rounds: between two there are shifts, not nothing.

// CHECK-LABEL: func @rounds
// CHECK: arith.addf {{.*}} : f32
// CHECK: arith.shrui
// CHECK: arith.trunci {{.*}} : i32 to i16
// CHECK: arith.shli
// CHECK: arith.mulf {{.*}} : f32
// CHECK: arith.shrui
// CHECK: return {{.*}} : bf16
func.func @rounds(%a: bf16, %b: bf16) -> bf16 {
  %0 = arith.addf %a, %b : bf16
  %1 = arith.mulf %0, %b : bf16
  return %1 : bf16
}

// CHECK-LABEL: func @logarithm_of_f64
// CHECK-NOT: math.log
// CHECK: return {{.*}} : f64
func.func @logarithm_of_f64(%x: f64) -> f64 {
  %0 = math.log %x : f64
  return %0 : f64
}
