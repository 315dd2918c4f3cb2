// RUN: stof-opt %s --stof-lower-to-tile -split-input-file | FileCheck %s

/// A result is computed in the buffer that the caller gives for it, also behind
/// a reshape.

// CHECK-LABEL: func @absolute
// CHECK-SAME: (%[[X:.*]]: memref<4x8xf32>, %[[RESULT:.*]]: memref<32xf32>)
// CHECK-SAME: stof.inputs = 1 : i64, stof.results = 1 : i64
// CHECK-NOT: memref.alloc
// CHECK: %[[ROWS:.*]] = memref.expand_shape %[[RESULT]]
// CHECK: gpu.launch_func @absolute_kernels::@absolute_0_generic
// CHECK-SAME: args(%{{.*}} : memref<1x32xf32>, %{{.*}} : memref<1x32xf32>)
// CHECK: return

// CHECK: gpu.module @absolute_kernels
// CHECK: gpu.func @absolute_0_generic(%[[SOURCE:.*]]: memref<1x32xf32>, %[[TARGET:.*]]: memref<1x32xf32>) kernel
// CHECK-SAME: known_block_size = array<i32: 128, 1, 1>
// CHECK:   %[[TILE:.*]] = tile.load %[[SOURCE]]
// CHECK:   %[[ABS:.*]] = tile.map ins(%[[TILE]]
// CHECK:     math.absf
// CHECK:   tile.store %[[ABS]], %[[TARGET]]
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @absolute(%x: tensor<4x8xf32>) -> tensor<32xf32> {
  %y = stof.group ins(%x : tensor<4x8xf32>) {
  ^bb0(%a: tensor<4x8xf32>):
    %e = tensor.empty() : tensor<4x8xf32>
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1 = math.absf %in : f32
      linalg.yield %1 : f32
    } -> tensor<4x8xf32>
    stof.yield %0 : tensor<4x8xf32>
  } -> tensor<4x8xf32>
  %flat = tensor.collapse_shape %y [[0, 1]] : tensor<4x8xf32> into tensor<32xf32>
  return %flat : tensor<32xf32>
}

// -----

/// An argument that is returned is copied, a constant is a global.

// CHECK: memref.global "private" constant @identity_constant : memref<2xf32> = dense<[1.000000e+00, 2.000000e+00]>
// CHECK-LABEL: func @identity
// CHECK-SAME: (%[[X:.*]]: memref<?xf32>, %[[FIRST:.*]]: memref<?xf32>, %[[SECOND:.*]]: memref<2xf32>)
// CHECK: %[[TABLE:.*]] = memref.get_global @identity_constant
// CHECK: gpu.launch_func @identity_kernels::@identity_0_copy
// CHECK-SAME: args(%[[X]] : memref<?xf32>, %[[FIRST]] : memref<?xf32>)
// CHECK: gpu.launch_func @identity_kernels::@identity_1_copy
// CHECK-SAME: args(%[[TABLE]] : memref<2xf32>, %[[SECOND]] : memref<2xf32>)
// CHECK: gpu.func @identity_0_copy
// CHECK:   %[[MOVED:.*]] = tile.load
// CHECK:   tile.store %[[MOVED]]
func.func @identity(%x: tensor<?xf32>) -> (tensor<?xf32>, tensor<2xf32>) {
  %c = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  return %x, %c : tensor<?xf32>, tensor<2xf32>
}

// -----

/// A size is a value of the host, and an argument of the kernels that need it.

#id = affine_map<(d0) -> (d0)>

// CHECK-LABEL: func @dynamic
// CHECK-SAME: (%[[X:.*]]: memref<?xf16>,
// CHECK: %[[SIZE:.*]] = memref.dim %[[X]]
// CHECK: affine.apply
// CHECK: gpu.launch_func @dynamic_kernels::@dynamic_0_generic blocks in (%{{[0-9]+}},
// CHECK-SAME: %{{.*}} : index
func.func @dynamic(%x: tensor<?xf16>) -> tensor<?xf16> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf16>
  %y = stof.group ins(%x, %n : tensor<?xf16>, index) {
  ^bb0(%a: tensor<?xf16>, %size: index):
    %e = tensor.empty(%size) : tensor<?xf16>
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : tensor<?xf16>) outs(%e : tensor<?xf16>) {
    ^bb0(%in: f16, %out: f16):
      %1 = math.absf %in : f16
      linalg.yield %1 : f16
    } -> tensor<?xf16>
    stof.yield %0 : tensor<?xf16>
  } -> tensor<?xf16>
  return %y : tensor<?xf16>
}

// -----

/// A reshape to sizes known at run time is a view as well.

// CHECK-LABEL: func @reshape
// CHECK-SAME: (%[[X:.*]]: memref<4x?xf32>, %[[N:.*]]: index,
// CHECK: %[[FLAT:.*]] = memref.collapse_shape %[[X]]
// CHECK: memref.expand_shape %[[FLAT]] {{.*}} output_shape [%[[N]], 4]
func.func @reshape(%x: tensor<4x?xf32>, %n: index) -> tensor<?x4xf32> {
  %c4 = arith.constant 4 : index
  %shape = tensor.from_elements %n, %c4 : tensor<2xindex>
  %y = tensor.reshape %x(%shape) : (tensor<4x?xf32>, tensor<2xindex>) -> tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}
