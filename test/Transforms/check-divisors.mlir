// RUN: stof-opt %s --stof-check-divisors | FileCheck %s

/// A divisor that data decide is asked whether it is zero; what fails divides by
/// one.

// CHECK-LABEL: func @remainder
// CHECK: ^bb0(%[[X:.*]]: i32, %[[BY:.*]]: i32, %{{.*}}: i32):
// CHECK: %[[HOLDS:.*]] = arith.cmpi ne, %[[BY]], %c0_i32 : i32
// CHECK: %[[CHECKED:.*]] = stof.check %[[BY]] if %[[HOLDS]], "divisor must not be zero" : i32
// CHECK: %[[DIVISOR:.*]] = arith.maxui %[[CHECKED]], %c1_i32 : i32
// CHECK: arith.remui %[[X]], %[[DIVISOR]] : i32
func.func @remainder(%x: tensor<9xi32>, %by: tensor<9xi32>, %init: tensor<9xi32>) -> tensor<9xi32> {
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x, %by : tensor<9xi32>, tensor<9xi32>) outs(%init : tensor<9xi32>) {
  ^bb0(%a: i32, %b: i32, %out: i32):
    %rest = arith.remui %a, %b : i32
    linalg.yield %rest : i32
  } -> tensor<9xi32>
  return %0 : tensor<9xi32>
}

/// The least number divided by -1 is no number of its type.

// CHECK-LABEL: func @quotient
// CHECK: linalg.generic
// CHECK: ^bb0(%[[X:.*]]: i64, %[[BY:.*]]: i64, %{{.*}}: i64):
// CHECK-DAG: %[[ZERO:.*]] = arith.cmpi ne, %[[BY]], %c0_i64 : i64
// CHECK-DAG: %[[ONE:.*]] = arith.cmpi ne, %[[BY]], %c-1_i64 : i64
// CHECK-DAG: %[[LEAST:.*]] = arith.cmpi ne, %[[X]], %c-9223372036854775808_i64 : i64
// CHECK: %[[FITS:.*]] = arith.ori %[[ONE]], %[[LEAST]] : i1
// CHECK: %[[HOLDS:.*]] = arith.andi %[[ZERO]], %[[FITS]] : i1
// CHECK: stof.check %[[BY]] if %[[HOLDS]], "divisor must not be zero, nor the quotient overflow" : i64
func.func @quotient(%x: tensor<9xi64>, %by: tensor<9xi64>, %init: tensor<9xi64>) -> tensor<9xi64> {
  %0 = linalg.div ins(%x, %by : tensor<9xi64>, tensor<9xi64>) outs(%init : tensor<9xi64>) -> tensor<9xi64>
  return %0 : tensor<9xi64>
}

/// A constant, a divisor of a range without zero and one that sizes make are left
/// alone.

// CHECK-LABEL: func @proven
// CHECK-NOT: stof.check
// CHECK: return
func.func @proven(%x: tensor<?xi32>, %by: tensor<?xi32>, %init: tensor<?xi32>) -> (tensor<?xi32>, index) {
  %c0 = arith.constant 0 : index
  %c7 = arith.constant 7 : index
  %three = arith.constant 3 : i32
  %0 = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x, %by : tensor<?xi32>, tensor<?xi32>) outs(%init : tensor<?xi32>) {
  ^bb0(%a: i32, %b: i32, %out: i32):
    %third = arith.divsi %a, %three : i32
    %above = arith.maxsi %b, %three : i32
    %rest = arith.remsi %third, %above : i32
    linalg.yield %rest : i32
  } -> tensor<?xi32>
  %n = tensor.dim %x, %c0 : tensor<?xi32>
  %parts = arith.divui %c7, %n : index
  return %0, %parts : tensor<?xi32>, index
}

/// Predicates divide as bodies do.

// CHECK-LABEL: func @mask
// CHECK: stof.check %{{.*}} if %{{.*}}, "divisor must not be zero" : index
func.func @mask(%stride: tensor<index>) -> !stof.mask<64x64> {
  %m = stof.mask captures(%stride : tensor<index>) {
  ^bb0(%b: index, %h: index, %i: index, %j: index, %of: tensor<index>):
    %period = tensor.extract %of[] : tensor<index>
    %rest = arith.remui %j, %period : index
    %first = arith.cmpi eq, %rest, %i : index
    stof.yield %first : i1
  } : !stof.mask<64x64>
  return %m : !stof.mask<64x64>
}
