// RUN: stof-opt %s --stof-import-pad | FileCheck %s

/// What is cut off on one side and added on the other has the type of its source,
/// and is not its source.

// CHECK-LABEL: func @shifted
// CHECK: %[[KEPT:.*]] = tensor.extract_slice %{{.*}}[1, 0] [4, 5] [1, 1] : tensor<5x6xf32> to tensor<4x5xf32>
// CHECK: tensor.pad %[[KEPT]] low[0, 1] high[1, 0]
// CHECK: tensor<4x5xf32> to tensor<5x6xf32>
func.func @shifted(%x: tensor<5x6xf32>, %filler: f32) -> tensor<5x6xf32> {
  %p = tensor.pad %x low[-1, 1] high[1, -1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %filler : f32
  } : tensor<5x6xf32> to tensor<5x6xf32>
  return %p : tensor<5x6xf32>
}

/// Of a dynamic size as much as there is is kept; an amount that is no constant
/// is left alone.

// CHECK-LABEL: func @dynamic
// CHECK: %[[N:.*]] = tensor.dim %{{.*}}, %{{.*}} : tensor<?x6xf32>
// CHECK: %[[LEFT:.*]] = affine.apply #{{.*}}()[%[[N]]]
// CHECK: %[[KEPT:.*]] = tensor.extract_slice %{{.*}}[3, 0] [%[[LEFT]], 6] [1, 1] : tensor<?x6xf32> to tensor<?x6xf32>
// CHECK: tensor.pad %[[KEPT]] low[0, %{{.*}}] high[0, 0]
func.func @dynamic(%x: tensor<?x6xf32>, %filler: f32, %more: index) -> tensor<?x?xf32> {
  %p = tensor.pad %x low[-3, %more] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %filler : f32
  } : tensor<?x6xf32> to tensor<?x?xf32>
  return %p : tensor<?x?xf32>
}

/// Padding that only adds is left alone.

// CHECK-LABEL: func @plain
// CHECK-NOT: tensor.extract_slice
// CHECK: tensor.pad %{{.*}} low[1] high[0]
func.func @plain(%x: tensor<5xf32>, %filler: f32) -> tensor<6xf32> {
  %p = tensor.pad %x low[1] high[0] {
  ^bb0(%i: index):
    tensor.yield %filler : f32
  } : tensor<5xf32> to tensor<6xf32>
  return %p : tensor<6xf32>
}
