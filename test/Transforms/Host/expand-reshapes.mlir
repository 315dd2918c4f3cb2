// RUN: stof-opt %s --stof-expand-reshapes | FileCheck %s

// CHECK-LABEL: func @square
// CHECK-SAME: (%[[X:.*]]: memref<?xf32>, %[[N:.*]]: index)
// CHECK: %[[ROW:.*]] = affine.apply {{.*}}[%[[N]]]
// CHECK: memref.reinterpret_cast %[[X]] to offset: [0], sizes: [2, %[[N]], %[[N]]], strides: [%[[ROW]], %[[N]], 1] : memref<?xf32> to memref<2x?x?xf32>
func.func @square(%x: memref<?xf32>, %n: index) -> memref<2x?x?xf32> {
  %0 = memref.expand_shape %x [[0, 1, 2]] output_shape [2, %n, %n] : memref<?xf32> into memref<2x?x?xf32>
  return %0 : memref<2x?x?xf32>
}

// CHECK-LABEL: func @negative_strided
// CHECK: memref.expand_shape
func.func @negative_strided(%x: memref<8xf32, strided<[2]>>) -> memref<2x4xf32, strided<[8, 2]>> {
  %0 = memref.expand_shape %x [[0, 1]] output_shape [2, 4] : memref<8xf32, strided<[2]>> into memref<2x4xf32, strided<[8, 2]>>
  return %0 : memref<2x4xf32, strided<[8, 2]>>
}
