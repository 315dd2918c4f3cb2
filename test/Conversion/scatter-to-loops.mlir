// RUN: stof-opt %s --stof-scatter-to-loops -canonicalize | FileCheck %s

#row = affine_map<(n, k) -> (n)>
#rows = affine_map<(n, k)[s] -> (s, k)>

/// Only what may lie outside is compared; old elements are read where they take part.

// CHECK-LABEL: func @replace
// CHECK-SAME: (%[[U:.*]]: memref<3x4xf32>, %[[I:.*]]: memref<3xi32>, %[[X:.*]]: memref<8x4xf32>)
// CHECK: scf.for %[[N:.*]] = %c0 to %c3 step %c1 {
// CHECK:   scf.for %[[K:.*]] = %c0 to %c4 step %c1 {
// CHECK:     %[[LOADED:.*]] = memref.load %[[I]][%[[N]]]
// CHECK:     %[[S:.*]] = arith.index_cast %[[LOADED]]
// CHECK:     %[[INSIDE:.*]] = arith.cmpi ult, %[[S]], %c8
// CHECK-NEXT: scf.if %[[INSIDE]] {
// CHECK-NEXT:   %[[NEW:.*]] = memref.load %[[U]][%[[N]], %[[K]]]
// CHECK-NEXT:   memref.store %[[NEW]], %[[X]][%[[S]], %[[K]]]
func.func @replace(%u: memref<3x4xf32>, %i: memref<3xi32>, %x: memref<8x4xf32>) {
  stof.scatter %u at(%i : memref<3xi32>) into %x maps [#row] position #rows {
  ^bb0(%a: f32, %o: f32):
    stof.yield %a : f32
  } : memref<3x4xf32>, memref<8x4xf32>
  return
}

// CHECK-LABEL: func @add
// CHECK-SAME: (%[[U:.*]]: memref<3x?xf32>, %{{.*}}: memref<3xindex>, %[[X:.*]]: memref<8x4xf32>)
// CHECK: %[[COLUMNS:.*]] = memref.dim %[[U]], %c1
// CHECK: scf.for %{{.*}} = %c0 to %c3
// CHECK:   scf.for %[[K:.*]] = %c0 to %[[COLUMNS]]
// CHECK:     %[[A:.*]] = arith.cmpi ult, %[[S:.*]], %c8
// CHECK:     %[[B:.*]] = arith.cmpi ult, %[[K]], %c4
// CHECK:     %[[INSIDE:.*]] = arith.andi %[[A]], %[[B]]
// CHECK:     scf.if %[[INSIDE]] {
// CHECK:       %[[NEW:.*]] = memref.load %[[U]]
// CHECK:       %[[OLD:.*]] = memref.load %[[X]][%[[S]], %[[K]]]
// CHECK:       %[[SUM:.*]] = arith.addf %[[NEW]], %[[OLD]]
// CHECK:       memref.store %[[SUM]], %[[X]][%[[S]], %[[K]]]
func.func @add(%u: memref<3x?xf32>, %i: memref<3xindex>, %x: memref<8x4xf32>) {
  stof.scatter %u at(%i : memref<3xindex>) into %x maps [#row] position #rows {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    stof.yield %s : f32
  } : memref<3x?xf32>, memref<8x4xf32>
  return
}

/// Where places count from the end, negative ones do so before they are compared.

// CHECK-LABEL: func @wrapped
// CHECK-SAME: %[[X:[^:, ]*]]: memref<?x4xf32>)
// CHECK: %[[S:.*]] = arith.index_cast
// CHECK: %[[NEGATIVE:.*]] = arith.cmpi slt, %[[S]], %c0
// CHECK: %[[SIZE:.*]] = memref.dim %[[X]], %c0
// CHECK: %[[END:.*]] = arith.addi %[[S]], %[[SIZE]]
// CHECK: %[[AT:.*]] = arith.select %[[NEGATIVE]], %[[END]], %[[S]]
// CHECK: arith.cmpi ult, %[[AT]]
// CHECK: memref.store %{{.*}}, %[[X]][%[[AT]], %{{.*}}]
func.func @wrapped(%u: memref<3x4xf32>, %i: memref<3xi64>, %x: memref<?x4xf32>) {
  stof.scatter %u at(%i : memref<3xi64>) into %x maps [#row] position #rows wrapped {
  ^bb0(%a: f32, %o: f32):
    stof.yield %a : f32
  } : memref<3x4xf32>, memref<?x4xf32>
  return
}

/// An update that has to lie inside is one that a check lets through.

// CHECK-LABEL: func @checked
// CHECK: %[[INSIDE:.*]] = arith.cmpi ult
// CHECK: %[[TAKEN:.*]] = stof.check %true if %[[INSIDE]], "an update must be inside the tensor that it is written to" : i1
// CHECK: scf.if %[[TAKEN]]
func.func @checked(%u: memref<3x4xf32>, %i: memref<3xi64>, %x: memref<?x4xf32>) {
  stof.scatter %u at(%i : memref<3xi64>) into %x maps [#row] position #rows checked {
  ^bb0(%a: f32, %o: f32):
    stof.yield %a : f32
  } : memref<3x4xf32>, memref<?x4xf32>
  return
}
