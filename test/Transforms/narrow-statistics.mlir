// RUN: stof-opt %s --stof-narrow-statistics --canonicalize --split-input-file | FileCheck %s
// RUN: stof-opt %s --stof-narrow-statistics --remarks-filter="stof-narrow-statistics" --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: stof-opt %s --stof-plan --split-input-file | FileCheck %s --check-prefix=PLAN
// RUN: stof-opt %s --stof-plan=keep-doubles --split-input-file | FileCheck %s --check-prefix=KEEP

/// A mean that is summed in f64 and rounded to f32 is summed in f32; the
/// division goes with it.

#row = affine_map<(d0, d1) -> (d0)>
#all = affine_map<(d0, d1) -> (d0, d1)>
#one = affine_map<(d0) -> (d0)>

// REMARK: remark: [Passed] Narrowed | Category:stof-narrow-statistics | Remark="what is f64 only on the way, by {{[0-9]+}} operations in f32"
// PLAN-LABEL: func.func @mean
// PLAN-NOT: f64
// PLAN: return
// KEEP-LABEL: func.func @mean
// KEEP: f64
// CHECK-LABEL: func.func @mean
// CHECK-NOT: f64
// CHECK-NOT: arith.extf
// CHECK: arith.divf %{{.*}}, %cst{{.*}} : f32
// CHECK-NOT: arith.truncf
// CHECK: return
func.func @mean(%x: tensor<8x768xf32>) -> tensor<8xf32> {
  %zero = arith.constant 0.0 : f64
  %count = arith.constant 768.0 : f64
  %e = tensor.empty() : tensor<8x768xf64>
  %w = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x768xf32>) outs(%e : tensor<8x768xf64>) {
  ^bb0(%in: f32, %out: f64):
    %0 = arith.extf %in : f32 to f64
    linalg.yield %0 : f64
  } -> tensor<8x768xf64>
  %r = tensor.empty() : tensor<8xf64>
  %f = linalg.fill ins(%zero : f64) outs(%r : tensor<8xf64>) -> tensor<8xf64>
  %s = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]} ins(%w : tensor<8x768xf64>) outs(%f : tensor<8xf64>) {
  ^bb0(%in: f64, %out: f64):
    %0 = arith.addf %in, %out : f64
    linalg.yield %0 : f64
  } -> tensor<8xf64>
  %m = tensor.empty() : tensor<8xf32>
  %y = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]} ins(%s : tensor<8xf64>) outs(%m : tensor<8xf32>) {
  ^bb0(%in: f64, %out: f32):
    %0 = arith.divf %in, %count : f64
    %1 = arith.truncf %0 : f64 to f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

/// A comparison with a number that f32 has as well says the same of f32.

#one = affine_map<(d0) -> (d0)>

// CHECK-LABEL: func.func @compared
// CHECK-NOT: f64
// CHECK: arith.cmpf oeq, %{{.*}}, %{{.*}} : f32
func.func @compared(%x: tensor<8xf32>) -> tensor<8xi1> {
  %low = arith.constant 0xFFF0000000000000 : f64
  %e = tensor.empty() : tensor<8xi1>
  %y = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xi1>) {
  ^bb0(%in: f32, %out: i1):
    %0 = arith.extf %in : f32 to f64
    %1 = arith.cmpf oeq, %0, %low : f64
    linalg.yield %1 : i1
  } -> tensor<8xi1>
  return %y : tensor<8xi1>
}

// -----

/// With one that f32 has not, it need not.

#one = affine_map<(d0) -> (d0)>

// CHECK-LABEL: func.func @negative_compared
// CHECK: arith.cmpf ogt, %{{.*}}, %{{.*}} : f64
func.func @negative_compared(%x: tensor<8xf32>) -> tensor<8xi1> {
  %tenth = arith.constant 0.1 : f64
  %e = tensor.empty() : tensor<8xi1>
  %y = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xi1>) {
  ^bb0(%in: f32, %out: i1):
    %0 = arith.extf %in : f32 to f64
    %1 = arith.cmpf ogt, %0, %tenth : f64
    linalg.yield %1 : i1
  } -> tensor<8xi1>
  return %y : tensor<8xi1>
}

// -----

/// Integers divided by way of f64, results of f64 and constants that f32 has no
/// room for stay as they are.

#one = affine_map<(d0) -> (d0)>

// CHECK-LABEL: func.func @negative_integers
// CHECK: arith.divf %{{.*}}, %{{.*}} : f64
func.func @negative_integers(%x: tensor<8xi64>) -> tensor<8xi64> {
  %three = arith.constant 3.0 : f64
  %e = tensor.empty() : tensor<8xi64>
  %y = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]} ins(%x : tensor<8xi64>) outs(%e : tensor<8xi64>) {
  ^bb0(%in: i64, %out: i64):
    %0 = arith.sitofp %in : i64 to f64
    %1 = arith.divf %0, %three : f64
    %2 = math.floor %1 : f64
    %3 = arith.fptosi %2 : f64 to i64
    linalg.yield %3 : i64
  } -> tensor<8xi64>
  return %y : tensor<8xi64>
}

// CHECK-LABEL: func.func @negative_result
// CHECK: arith.extf
func.func @negative_result(%x: tensor<8xf32>) -> tensor<8xf64> {
  %e = tensor.empty() : tensor<8xf64>
  %y = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf64>) {
  ^bb0(%in: f32, %out: f64):
    %0 = arith.extf %in : f32 to f64
    linalg.yield %0 : f64
  } -> tensor<8xf64>
  return %y : tensor<8xf64>
}

// CHECK-LABEL: func.func @negative_range
// CHECK: arith.mulf %{{.*}}, %{{.*}} : f64
func.func @negative_range(%x: tensor<8xf32>) -> tensor<8xf32> {
  %large = arith.constant 1.0e+300 : f64
  %small = arith.constant 1.0e-300 : f64
  %e = tensor.empty() : tensor<8xf32>
  %y = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.extf %in : f32 to f64
    %1 = arith.mulf %0, %large : f64
    %2 = arith.mulf %1, %small : f64
    %3 = arith.truncf %2 : f64 to f32
    linalg.yield %3 : f32
  } -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// CHECK-LABEL: func.func @negative_underflow
// CHECK: arith.maximumf %{{.*}}, %{{.*}} : f64
func.func @negative_underflow(%x: tensor<8xf32>) -> tensor<8xf32> {
  %small = arith.constant 1.0e-300 : f64
  %e = tensor.empty() : tensor<8xf32>
  %y = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.extf %in : f32 to f64
    %1 = arith.maximumf %0, %small : f64
    %2 = arith.divf %0, %1 : f64
    %3 = arith.truncf %2 : f64 to f32
    linalg.yield %3 : f32
  } -> tensor<8xf32>
  return %y : tensor<8xf32>
}
