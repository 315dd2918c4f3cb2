// REQUIRES: assertions
// RUN: stof-opt %s --pass-pipeline='builtin.module(func.func(stof-form-groups))' --split-input-file --debug-only=stof-form-groups -o %t 2>&1 | FileCheck %s

/// The log has every sequence that is planned, once, and the gain of those that
/// have a kernel.

// CHECK:      [stof-form-groups{{.*}} linalg.matmul: a kernel of 1 branch
// CHECK-NEXT: [stof-form-groups{{.*}} linalg.generic: a kernel of 1 branch
// CHECK-NEXT: [stof-form-groups{{.*}} linalg.matmul, linalg.generic: a kernel of 1 branch
// CHECK-NEXT: [stof-form-groups{{.*}} linalg.matmul with linalg.generic: a gain of {{[0-9]+\.[0-9]}} us
// CHECK-NEXT: [stof-form-groups{{.*}} linalg.matmul with linalg.generic: share a kernel
func.func @epilogue(%a: tensor<16x8xf16>, %b: tensor<8x32xf16>, %c: tensor<16x32xf16>) -> tensor<16x32xf16> {
  %e = tensor.empty() : tensor<16x32xf16>
  %0 = linalg.matmul ins(%a, %b : tensor<16x8xf16>, tensor<8x32xf16>) outs(%c : tensor<16x32xf16>) -> tensor<16x32xf16>
  %1 = linalg.exp ins(%0 : tensor<16x32xf16>) outs(%e : tensor<16x32xf16>) -> tensor<16x32xf16>
  return %1 : tensor<16x32xf16>
}

// -----

/// A sequence without a kernel has the reason and its operation.

// CHECK:      linalg.matmul, linalg.generic: no kernel, since 'linalg.generic': it reduces dims other than the columns of 'linalg.matmul'
// CHECK-NOT:  share a kernel
func.func @column_reduction(%a: tensor<16x8xf16>, %b: tensor<8x32xf16>, %c: tensor<16x32xf16>, %d: tensor<32xf16>) -> tensor<32xf16> {
  %0 = linalg.matmul ins(%a, %b : tensor<16x8xf16>, tensor<8x32xf16>) outs(%c : tensor<16x32xf16>) -> tensor<16x32xf16>
  %1 = linalg.reduce {arith.addf} ins(%0 : tensor<16x32xf16>) outs(%d : tensor<32xf16>) dimensions = [0]
  return %1 : tensor<32xf16>
}
