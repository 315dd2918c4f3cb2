// RUN: stof-opt %s --stof-emit-entry-points -split-input-file -verify-diagnostics | FileCheck %s

/// A buffer is a pointer, then its dynamic sizes; the strides follow from them.

// CHECK-LABEL: func private @f_0
// CHECK-LABEL: func @stof_f
// CHECK-SAME: (%[[PARAMETERS:.*]]: !llvm.ptr, %[[API:.*]]: !llvm.ptr)
// CHECK: llvm.getelementptr %[[PARAMETERS]][0]
// CHECK: llvm.load {{.*}} -> !llvm.ptr
// CHECK: llvm.getelementptr %[[PARAMETERS]][1]
// CHECK: %[[SIZE:.*]] = llvm.load {{.*}} -> i64
// CHECK: %[[STRIDE:.*]] = llvm.mul %{{.*}}, %[[SIZE]]
// CHECK: llvm.getelementptr %[[PARAMETERS]][2]
// CHECK: call @f_0({{.*}}) : (memref<4x?xf32>, memref<2xf32>) -> ()
// CHECK: llvm.mlir.global external constant @parameters_of_stof_f(3 : i64)
func.func @f(%x: memref<4x?xf32>, %y: memref<2xf32>) {
  return
}

// -----

/// The runtime's table is passed on to a function that takes it.

// CHECK-LABEL: func @stof_g
// CHECK-SAME: (%{{.*}}: !llvm.ptr, %[[API:.*]]: !llvm.ptr)
// CHECK: call @g_0({{.*}}, %[[API]])
// CHECK: llvm.mlir.global external constant @parameters_of_stof_g(1 : i64)
func.func @g(%x: memref<2xf32>, %api: !llvm.ptr) {
  return
}

// -----

/// Functions give up names that entries need, or that the C library has.

// CHECK-LABEL: func private @h_0
// CHECK: func @stof_h(
// CHECK: call @h_0
// CHECK: func private @[[OTHER:stof_h_[0-9]+]]
// CHECK: func @stof_stof_h(
// CHECK: call @[[OTHER]]
// CHECK: func private @[[FREE:free_[0-9]+]]
// CHECK: func @stof_free(
// CHECK: func private @stof_free_{{[0-9]+}}
func.func @h(%x: memref<2xf32>) {
  return
}
func.func @stof_h(%x: memref<2xf32>) {
  return
}
func.func @free(%x: memref<2xf32>) {
  return
}
func.func private @stof_free(%x: memref<2xf32>) {
  return
}

// -----

// CHECK-LABEL: func private @negative_private
// CHECK-NOT: stof_
func.func private @negative_private(%x: memref<2xf32>) {
  return
}

// -----

// expected-error @below {{expects argument 0 to be a contiguous buffer, but got 'memref<4xf32, strided<[2]>>'}}
func.func @strided(%x: memref<4xf32, strided<[2]>>) {
  return
}

// -----

// expected-error @below {{expects results to be passed as buffers, but got '() -> index'}}
func.func @result() -> index {
  %c0 = arith.constant 0 : index
  return %c0 : index
}
