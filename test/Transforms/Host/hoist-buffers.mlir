// RUN: stof-opt %s --pass-pipeline='builtin.module(func.func(stof-hoist-buffers))' -split-input-file -verify-diagnostics | FileCheck %s

/// A loop allocates nothing.

// CHECK-LABEL: func @loop
// CHECK-NEXT: %[[T:.*]] = memref.alloc() : memref<8xf32>
// CHECK: scf.for
// CHECK-NOT: memref.alloc
// CHECK: memref.dealloc %[[T]]
// CHECK-NEXT: return
func.func @loop(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    %t = memref.alloc() : memref<8xf32>
    linalg.fill ins(%zero : f32) outs(%t : memref<8xf32>)
  }
  return
}

// -----

func.func @dynamic(%n: index) {
  // expected-error @below {{expects a buffer of static size, but got 'memref<?xf32>'}}
  %t = memref.alloc(%n) : memref<?xf32>
  return
}
