// RUN: stof-opt %s --stof-report-assertions -split-input-file -verify-diagnostics | FileCheck %s

/// What does not hold is written to the standard error, and the process ends; a
/// message that several assertions have is there once.

// CHECK: llvm.func @write(i32, !llvm.ptr, i64) -> i64
// CHECK: llvm.func @abort()
// CHECK: llvm.func internal @stof_stop(%[[TEXT:.*]]: !llvm.ptr, %[[LENGTH:.*]]: i64) {
// CHECK:   %[[ERRORS:.*]] = llvm.mlir.constant(2 : i32)
// CHECK:   llvm.call @write(%[[ERRORS]], %[[TEXT]], %[[LENGTH]])
// CHECK:   llvm.call @abort()
// CHECK:   llvm.unreachable
// CHECK: llvm.mlir.global internal constant @[[FAR:.*]]("too far\0A")
// CHECK-NOT: too far
// CHECK: llvm.mlir.global internal constant @[[NEAR:.*]]("too near\0A")

// CHECK-LABEL: func @assertions
// CHECK-SAME: %[[FIRST:.*]]: i1, %[[SECOND:.*]]: i1
func.func @assertions(%first: i1, %second: i1) {
  // CHECK: %[[FAILS:.*]] = arith.xori %[[FIRST]], %{{.*}} : i1
  // CHECK: scf.if %[[FAILS]] {
  // CHECK:   %[[ADDRESS:.*]] = llvm.mlir.addressof @[[FAR]]
  // CHECK:   %[[SIZE:.*]] = llvm.mlir.constant(8 : i64)
  // CHECK:   llvm.call @stof_stop(%[[ADDRESS]], %[[SIZE]])
  // CHECK: }
  cf.assert %first, "too far"
  // CHECK: addressof @[[NEAR]]
  cf.assert %second, "too near"
  // CHECK: addressof @[[FAR]]
  cf.assert %second, "too far"
  return
}

// -----

/// Nothing is declared where nothing is asserted.

// CHECK-LABEL: func @abort
// CHECK-NOT: llvm
func.func @abort() {
  return
}

// -----

// expected-error @below {{expects 'abort' to be the C library function, which failed assertions call}}
func.func @abort(%first: i1) {
  cf.assert %first, "too far"
  return
}
