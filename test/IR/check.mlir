// RUN: stof-opt %s | FileCheck %s
// RUN: stof-opt %s --emit-bytecode | stof-opt | FileCheck %s
// RUN: stof-opt %s --canonicalize --cse | FileCheck %s --check-prefix=SIMPLE

/// A check is a value, with a condition and what is said.

// CHECK-LABEL: func @values
func.func @values(%i: index, %token: i64, %ok: i1, %number: i32, %status: memref<1xi32>) -> (index, i64, index) {
  // CHECK: stof.check %{{.*}} if %{{.*}}, "index out of range" : index
  %0 = stof.check %i if %ok, "index out of range" : index
  // CHECK: stof.check %{{.*}} if %{{.*}}, "a \22token\22" : i64
  %1 = stof.check %token if %ok, "a \"token\"" : i64
  // CHECK: stof.check %{{.*}} if %{{.*}}, "index out of range" report %{{.*}} to %{{.*}} : index, memref<1xi32>
  %2 = stof.check %i if %ok, "index out of range" report %number to %status : index, memref<1xi32>
  return %0, %1, %2 : index, i64, index
}

/// Equal checks are one, what holds is none, and what is unused is not checked.

// SIMPLE-LABEL: func @equal
// SIMPLE: %[[ONE:.*]] = stof.check
// SIMPLE-NOT: stof.check
// SIMPLE: return %[[ONE]], %[[ONE]] : index, index
func.func @equal(%i: index, %ok: i1) -> (index, index) {
  %0 = stof.check %i if %ok, "index out of range" : index
  %1 = stof.check %i if %ok, "index out of range" : index
  %2 = stof.check %0 if %ok, "index out of range" : index
  return %1, %2 : index, index
}

// SIMPLE-LABEL: func @known
// SIMPLE-SAME: (%[[I:.*]]: index, %{{.*}}: i1)
// SIMPLE-NOT: stof.check
// SIMPLE: return %[[I]]
func.func @known(%i: index, %ok: i1) -> index {
  %true = arith.constant true
  %0 = stof.check %i if %true, "index out of range" : index
  %1 = stof.check %i if %ok, "nobody reads at this" : index
  return %0 : index
}

/// It is not asked where it was not, before a loop that may have no iteration.

// SIMPLE-LABEL: func @loop
// SIMPLE: scf.for
// SIMPLE-NEXT: stof.check
func.func @loop(%i: index, %ok: i1, %n: index, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %j = %c0 to %n step %c1 {
    %at = stof.check %i if %ok, "index out of range" : index
    %element = memref.load %x[%at] : memref<?xf32>
    memref.store %element, %x[%j] : memref<?xf32>
  }
  return
}
