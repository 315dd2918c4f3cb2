// RUN: stof-opt %s --stof-lower-checks -split-input-file -verify-diagnostics | FileCheck %s

/// A processor branches around the store.

// CHECK-LABEL: func @branch
// CHECK-SAME: (%[[I:.*]]: index, %[[OK:.*]]: i1, %[[NUMBER:.*]]: i32, %[[STATUS:.*]]: memref<1xi32>)
func.func @branch(%i: index, %ok: i1, %number: i32, %status: memref<1xi32>) -> index {
  // CHECK: %[[YES:.*]] = arith.constant true
  // CHECK: %[[FAILS:.*]] = arith.xori %[[OK]], %[[YES]]
  // CHECK: scf.if %[[FAILS]] {
  // CHECK:   memref.store %[[NUMBER]], %[[STATUS]]
  // CHECK: }
  // CHECK: %[[NONE:.*]] = arith.constant 0 : index
  // CHECK: %[[CHECKED:.*]] = arith.select %[[OK]], %[[I]], %[[NONE]]
  // CHECK: return %[[CHECKED]]
  %0 = stof.check %i if %ok, "index out of range" report %number to %status : index, memref<1xi32>
  return %0 : index
}

// -----

/// A thread of a GPU has an instruction for it.

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @predicated
  // CHECK: %[[ADDRESS:.*]] = arith.index_cast %{{.*}} : index to i64
  // CHECK-NOT: scf.if
  // CHECK: llvm.inline_asm has_side_effects "@$2 st.global.b32 [$0], $1;", "l,r,b" %[[ADDRESS]], %{{.*}}, %{{.*}} : (i64, i32, i1) -> ()
  // CHECK: arith.select
  gpu.func @predicated(%x: memref<8xi64>, %ok: i1, %number: i32, %status: memref<1xi32>) kernel {
    %i = gpu.block_id x
    %0 = stof.check %i if %ok, "index out of range" report %number to %status : index, memref<1xi32>
    %v = memref.load %x[%0] : memref<8xi64>
    memref.store %v, %x[%i] : memref<8xi64>
    gpu.return
  }
}

// -----

func.func @without(%i: index, %ok: i1) -> index {
  // expected-error @below {{expects a number and a status word to report it to, but got none}}
  %0 = stof.check %i if %ok, "index out of range" : index
  return %0 : index
}
