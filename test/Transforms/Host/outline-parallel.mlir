// RUN: stof-opt %s --stof-outline-parallel -split-input-file -verify-diagnostics | FileCheck %s

/// The closure holds what is not constant; the index counts the inner loop first.

// CHECK-LABEL: func @f
// CHECK-SAME: (%[[X:.*]]: memref<?xf32>, %[[N:.*]]: index, %[[API:.*]]: !llvm.ptr)
// CHECK-DAG: %[[CLOSURE:.*]] = llvm.alloca %{{.*}} x !llvm.struct<(struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>, i64)>
// CHECK: %[[COUNT:.*]] = arith.index_cast {{.*}} : index to i64
// CHECK: %[[CONTEXT:.*]] = llvm.load
// CHECK: %[[PARALLEL_FOR:.*]] = llvm.load
// CHECK: %[[BODY:.*]] = constant @f_parallel
// CHECK: llvm.call %[[PARALLEL_FOR]](%[[CONTEXT]], %[[COUNT]], %{{.*}}, %[[CLOSURE]])
// CHECK-NOT: scf.parallel

// CHECK-LABEL: func private @f_parallel
// CHECK-SAME: (%{{.*}}: !llvm.ptr, %[[INDEX:.*]]: i64)
// CHECK: %[[ALL:.*]] = arith.index_cast %[[INDEX]]
// CHECK: arith.remui %[[ALL]]
// CHECK: %[[OUTER:.*]] = arith.divui %[[ALL]]
// CHECK: memref.store
func.func @f(%x: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  scf.parallel (%i, %j) = (%c0, %c0) to (%n, %c4) step (%c1, %c1) {
    %row = arith.muli %i, %c4 : index
    %at = arith.addi %row, %j : index
    memref.store %zero, %x[%at] : memref<?xf32>
  }
  return
}

// -----

func.func @sum(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  // expected-error @below {{expects a loop without results, but got 'f32'}}
  %0 = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%zero) -> f32 {
    scf.reduce(%zero : f32) {
    ^bb0(%a: f32, %b: f32):
      %sum = arith.addf %a, %b : f32
      scf.reduce.return %sum : f32
    }
  }
  return
}

// -----

func.func @unknown(%x: !stof.mask<4x4>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @below {{expects values that a closure can hold, but got '!stof.mask<4x4>'}}
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    func.call @use(%x) : (!stof.mask<4x4>) -> ()
  }
  return
}
func.func private @use(!stof.mask<4x4>)
