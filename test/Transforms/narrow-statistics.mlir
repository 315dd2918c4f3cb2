// RUN: stof-opt %s --stof-narrow-statistics --canonicalize --split-input-file | FileCheck %s
// RUN: stof-opt %s --stof-narrow-statistics --remarks-filter="stof-narrow-statistics" --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: stof-opt %s --stof-plan --split-input-file | FileCheck %s --check-prefix=PLAN
// RUN: stof-opt %s --stof-plan=keep-doubles --split-input-file | FileCheck %s --check-prefix=KEEP

/// A mean that is summed in f64 and rounded to f32 is summed in f32; the
/// division goes with it.

#row = affine_map<(d0, d1) -> (d0)>
#all = affine_map<(d0, d1) -> (d0, d1)>
#one = affine_map<(d0) -> (d0)>

// REMARK: remark: [Passed] Narrowed | Category:stof-narrow-statistics | Remark="f64 intermediates are computed in f32, by {{[0-9]+}} operations"
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

// CHECK-LABEL: func.func @negative_wider
// CHECK: arith.mulf %{{.*}}, %{{.*}} : f64
// CHECK: arith.mulf %{{.*}}, %{{.*}} : f64
// CHECK: arith.extf %{{.*}} : f64 to f128
func.func @negative_wider(%x: tensor<8xf128>, %z: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf128>) {
  %e = tensor.empty() : tensor<8xf32>
  %f = tensor.empty() : tensor<8xf128>
  %y:2 = linalg.generic {indexing_maps = [#one, #one, #one, #one], iterator_types = ["parallel"]} ins(%x, %z : tensor<8xf128>, tensor<8xf32>) outs(%e, %f : tensor<8xf32>, tensor<8xf128>) {
  ^bb0(%in: f128, %single: f32, %out: f32, %wide: f128):
    %0 = arith.truncf %in : f128 to f64
    %1 = arith.mulf %0, %0 : f64
    %2 = arith.truncf %1 : f64 to f32
    %3 = arith.extf %single : f32 to f64
    %4 = arith.mulf %3, %3 : f64
    %5 = arith.extf %4 : f64 to f128
    linalg.yield %2, %5 : f32, f128
  } -> (tensor<8xf32>, tensor<8xf128>)
  return %y#0, %y#1 : tensor<8xf32>, tensor<8xf128>
}

// -----

/// A constant is narrowed for those that are narrowed, and stays for the rest.

#one = affine_map<(d0) -> (d0)>

// CHECK-LABEL: func.func @constants
// CHECK-DAG: arith.constant dense<2.000000e+00> : tensor<4xf64>
// CHECK-DAG: arith.constant dense<3.000000e+00> : tensor<4xf32>
// CHECK: ^bb0(%{{.*}}: f32, %{{.*}}: f64, %{{.*}}: f32, %{{.*}}: f64, %{{.*}}: f64, %{{.*}}: i1):
func.func @constants(%x: tensor<4xf32>, %y: tensor<4xf64>) -> (tensor<4xf64>, tensor<4xi1>) {
  %two = arith.constant dense<2.0> : tensor<4xf64>
  %three = arith.constant dense<3.0> : tensor<4xf64>
  %e = tensor.empty() : tensor<4xf64>
  %g = tensor.empty() : tensor<4xf64>
  %f = tensor.empty() : tensor<4xi1>
  %w = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf64>) {
  ^bb0(%in: f32, %out: f64):
    %0 = arith.extf %in : f32 to f64
    linalg.yield %0 : f64
  } -> tensor<4xf64>
  %r:2 = linalg.generic {indexing_maps = [#one, #one, #one, #one, #one, #one], iterator_types = ["parallel"]} ins(%w, %two, %three, %y : tensor<4xf64>, tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) outs(%g, %f : tensor<4xf64>, tensor<4xi1>) {
  ^bb0(%a: f64, %b: f64, %c: f64, %d: f64, %o: f64, %p: i1):
    %0 = arith.cmpf ogt, %a, %c : f64
    %1 = arith.mulf %b, %d : f64
    linalg.yield %1, %0 : f64, i1
  } -> (tensor<4xf64>, tensor<4xi1>)
  return %r#0, %r#1 : tensor<4xf64>, tensor<4xi1>
}

/// What a body gives may be a constant.

// CHECK-LABEL: func.func @given
// CHECK-DAG: %[[SINGLE:.*]] = arith.constant 5.000000e+00 : f32
// CHECK-DAG: %[[DOUBLE:.*]] = arith.constant 7.000000e+00 : f64
// CHECK: linalg.yield %[[SINGLE]], %[[DOUBLE]] : f32, f64
func.func @given(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf64>) {
  %five = arith.constant 5.0 : f64
  %seven = arith.constant 7.0 : f64
  %e = tensor.empty() : tensor<4xf64>
  %g = tensor.empty() : tensor<4xf64>
  %f = tensor.empty() : tensor<4xf32>
  %w:2 = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]} outs(%e, %g : tensor<4xf64>, tensor<4xf64>) {
  ^bb0(%out: f64, %kept: f64):
    linalg.yield %five, %seven : f64, f64
  } -> (tensor<4xf64>, tensor<4xf64>)
  %r = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = ["parallel"]} ins(%w#0, %x : tensor<4xf64>, tensor<4xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%a: f64, %b: f32, %o: f32):
    %0 = arith.extf %b : f32 to f64
    %1 = arith.mulf %a, %0 : f64
    %2 = arith.truncf %1 : f64 to f32
    linalg.yield %2 : f32
  } -> tensor<4xf32>
  return %r, %w#1 : tensor<4xf32>, tensor<4xf64>
}

/// Only the bodies of linalg operations are followed.

// CHECK-LABEL: func.func @negative_loop
// CHECK: scf.for {{.*}} -> (f64, f32)
// CHECK:   arith.truncf %{{.*}} : f64 to f32
func.func @negative_loop(%x: tensor<8xf32>) -> tensor<8xf32> {
  %one = arith.constant 1.0 : f64
  %two = arith.constant 2.0 : f64
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %e = tensor.empty() : tensor<8xf32>
  %r = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %l:2 = scf.for %k = %c0 to %c4 step %c1 iter_args(%next = %one, %sum = %zero) -> (f64, f32) {
      %0 = arith.truncf %next : f64 to f32
      %1 = arith.addf %sum, %0 : f32
      scf.yield %two, %1 : f64, f32
    }
    linalg.yield %l#1 : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}
