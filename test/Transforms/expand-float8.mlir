// RUN: stof-opt %s --stof-expand-float8 | FileCheck %s
// RUN: stof-opt %s --stof-expand-float8 --canonicalize | FileCheck %s --check-prefix=CANONICAL

#id = affine_map<(i) -> (i)>

/// Arguments and results hold bytes; a conversion is integer arithmetic.

// CHECK-LABEL: func @narrow
// CHECK-SAME: (%{{.*}}: tensor<8xf32>) -> tensor<8xi8>
// CHECK-NOT: f8E4M3FN
// CHECK: ^bb0(%[[X:.*]]: f32, %{{.*}}: i8):
// CHECK: arith.bitcast %[[X]] : f32 to i32
// CHECK: arith.minui %{{.*}}, %{{.*}} : i32
// CHECK: %[[BYTE:.*]] = arith.trunci %{{.*}} : i32 to i8
// CHECK: linalg.yield %[[BYTE]] : i8
func.func @narrow(%x: tensor<8xf32>) -> tensor<8xf8E4M3FN> {
  %e = tensor.empty() : tensor<8xf8E4M3FN>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<8xf32>) outs(%e : tensor<8xf8E4M3FN>) {
  ^bb0(%a: f32, %o: f8E4M3FN):
    %r = arith.truncf %a to_nearest_even : f32 to f8E4M3FN
    linalg.yield %r : f8E4M3FN
  } -> tensor<8xf8E4M3FN>
  return %y : tensor<8xf8E4M3FN>
}

/// Doubles are rounded once.

// CHECK-LABEL: func @from_double
// CHECK: arith.bitcast %{{.*}} : f64 to i64
// CHECK: arith.trunci %{{.*}} : i64 to i8
func.func @from_double(%x: f64) -> f8E5M2 {
  %r = arith.truncf %x : f64 to f8E5M2
  return %r : f8E5M2
}

// CHECK-LABEL: func @widen
// CHECK-SAME: (%[[X:.*]]: i8) -> f16
// CHECK: arith.extui %[[X]] : i8 to i32
// CHECK: %[[WIDE:.*]] = arith.bitcast %{{.*}} : i32 to f32
// CHECK: arith.truncf %[[WIDE]] : f32 to f16
func.func @widen(%x: f8E5M2) -> f16 {
  %r = arith.extf %x : f8E5M2 to f16
  return %r : f16
}

/// Constants keep their bytes; a product reads its operands widened.

// CANONICAL-LABEL: func @product
// CANONICAL-SAME: (%[[X:.*]]: tensor<4x2xi8>)
// CANONICAL: arith.constant dense<{{\[\[}}60, -72], [1, 0]]> : tensor<2x2xi8>
// CANONICAL: %[[LHS:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]} ins(%[[X]] : tensor<4x2xi8>) outs(%{{.*}} : tensor<4x2xf32>)
// CANONICAL: %[[RHS:.*]] = linalg.generic {{.*}} ins(%{{.*}} : tensor<2x2xi8>) outs(%{{.*}} : tensor<2x2xf32>)
// CANONICAL: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[LHS]], %[[RHS]] : tensor<4x2xf32>, tensor<2x2xf32>)
// CANONICAL-NEXT: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32, %[[C:.*]]: f32):
// CANONICAL-NEXT: %[[P:.*]] = arith.mulf %[[A]], %[[B]] : f32
// CANONICAL-NEXT: arith.addf %[[C]], %[[P]] : f32
func.func @product(%x: tensor<4x2xf8E4M3FN>) -> tensor<4x2xf32> {
  %w = arith.constant dense<[[1.0, -0.5], [1.525878906e-05, 0.0]]> : tensor<2x2xf8E5M2>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x2xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%e : tensor<4x2xf32>) -> tensor<4x2xf32>
  %y = linalg.matmul ins(%x, %w : tensor<4x2xf8E4M3FN>, tensor<2x2xf8E5M2>) outs(%0 : tensor<4x2xf32>) -> tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}

/// Other arithmetic is done in f32.

// CHECK-LABEL: func @negate
// CHECK: arith.negf %{{.*}} : f32
// CHECK: arith.trunci
func.func @negate(%x: f8E4M3FN) -> f8E4M3FN {
  %r = arith.negf %x : f8E4M3FN
  return %r : f8E4M3FN
}
