// RUN: stof-opt %s --stof-lower-to-tile --canonicalize --cse -split-input-file | FileCheck %s

/// A kernel is given the whole of which it reads a slice. What is no view of one
/// slice has dimensions of its own: heads have a larger stride than their features.

#lhs = affine_map<(s, h, d, k) -> (s, k)>
#rhs = affine_map<(s, h, d, k) -> (k, h, d)>
#out = affine_map<(s, h, d, k) -> (s, h, d)>

// CHECK-LABEL: func.func @heads
// CHECK-SAME: (%[[X:.*]]: memref<48x64xf16>, %[[W:.*]]: memref<64x12x32xf16>, %[[Y:.*]]: memref<40x12x16xf32>)
// CHECK-NOT: memref.subview
// CHECK: gpu.launch_func {{.*}} args({{.*}}%[[X]] : memref<48x64xf16>, %[[W]] : memref<64x12x32xf16>)
// CHECK: gpu.func @heads_0_contract({{.*}}, %[[X:.*]]: memref<48x64xf16>, %[[W:.*]]: memref<64x12x32xf16>)
// CHECK-DAG: %[[LHS:.*]] = memref.subview %[[X]][8, 0] [40, 64] [1, 1] : memref<48x64xf16> to memref<40x64xf16, strided<[64, 1], offset: 512>>
// CHECK-DAG: %[[RHS:.*]] = memref.subview %[[W]][0, 0, 16] [64, 12, 16] [1, 1, 1] : memref<64x12x32xf16> to memref<64x12x16xf16, strided<[384, 32, 1], offset: 16>>
// CHECK-DAG: tile.load %[[LHS]][%{{.*}}, %{{.*}}] along [0, 1]
// CHECK-DAG: tile.load %[[RHS]][%{{.*}}, %{{.*}}, %{{.*}}] along [0, 2]
func.func @heads(%x: tensor<48x64xf16>, %w: tensor<64x12x32xf16>) -> tensor<40x12x16xf32> {
  %a = tensor.extract_slice %x[8, 0] [40, 64] [1, 1] : tensor<48x64xf16> to tensor<40x64xf16>
  %b = tensor.extract_slice %w[0, 0, 16] [64, 12, 16] [1, 1, 1] : tensor<64x12x32xf16> to tensor<64x12x16xf16>
  %y = stof.group ins(%a, %b : tensor<40x64xf16>, tensor<64x12x16xf16>) {
  ^bb0(%l: tensor<40x64xf16>, %r: tensor<64x12x16xf16>):
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<40x12x16xf32>
    %0 = linalg.fill ins(%zero : f32) outs(%e : tensor<40x12x16xf32>) -> tensor<40x12x16xf32>
    %p = linalg.contract indexing_maps = [#lhs, #rhs, #out]
        ins(%l, %r : tensor<40x64xf16>, tensor<64x12x16xf16>) outs(%0 : tensor<40x12x16xf32>) -> tensor<40x12x16xf32>
    stof.yield %p : tensor<40x12x16xf32>
  } -> tensor<40x12x16xf32>
  return %y : tensor<40x12x16xf32>
}

// -----

/// A slice of a slice, reshaped, of elements one of which is taken at a place
/// that is computed.

#id = affine_map<(i, j) -> (i, j)>

// CHECK-LABEL: func.func @nested
// CHECK: gpu.func @nested_0_generic(%[[X:.*]]: memref<6x64xf32>, %{{.*}}: memref<4x16xf32>)
// CHECK: %[[S:.*]] = memref.subview %[[X]][1, 8] [4, 32] [1, 1]
// CHECK: %[[D:.*]] = memref.expand_shape %[[S]] {{\[\[}}0], [1, 2]] output_shape [4, 2, 16]
// CHECK: %[[N:.*]] = memref.subview %[[D]][0, 1, 0] [4, 1, 16] [1, 1, 1]
// CHECK-SAME: to memref<4x16xf32, strided<[64, 1], offset: 88>>
// CHECK: memref.load %[[N]][
func.func @nested(%x: tensor<6x64xf32>) -> tensor<4x16xf32> {
  %s = tensor.extract_slice %x[1, 8] [4, 32] [1, 1] : tensor<6x64xf32> to tensor<4x32xf32>
  %d = tensor.expand_shape %s [[0], [1, 2]] output_shape [4, 2, 16] : tensor<4x32xf32> into tensor<4x2x16xf32>
  %n = tensor.extract_slice %d[0, 1, 0] [4, 1, 16] [1, 1, 1] : tensor<4x2x16xf32> to tensor<4x16xf32>
  %y = stof.group ins(%n : tensor<4x16xf32>) {
  ^bb0(%a: tensor<4x16xf32>):
    %e = tensor.empty() : tensor<4x16xf32>
    %c15 = arith.constant 15 : index
    %u = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%a : tensor<4x16xf32>) outs(%e : tensor<4x16xf32>) {
    ^bb0(%f: f32, %o: f32):
      %r = math.absf %f : f32
      linalg.yield %r : f32
    } -> tensor<4x16xf32>
    %v = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%u : tensor<4x16xf32>) outs(%e : tensor<4x16xf32>) {
    ^bb0(%f: f32, %o: f32):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %k = arith.subi %c15, %j : index
      %g = tensor.extract %a[%i, %k] : tensor<4x16xf32>
      %r = arith.addf %f, %g : f32
      linalg.yield %r : f32
    } -> tensor<4x16xf32>
    stof.yield %v : tensor<4x16xf32>
  } -> tensor<4x16xf32>
  return %y : tensor<4x16xf32>
}

// -----

/// Attention loads keys where they lie in a tensor that holds more, and says their length.

// CHECK-LABEL: func.func @keys
// CHECK: gpu.launch_func {{.*}}%{{.*}} : memref<2x3x1x2x64x16xf32>
// CHECK: gpu.func @keys_0_attention({{.*}}%[[CACHE:.*]]: memref<2x3x1x2x64x16xf32>
// CHECK-SAME: key_length = 64
// CHECK-SAME: query = 0
// CHECK: %[[K:.*]] = memref.subview %[[CACHE]][0, 1, 0, 0, 0, 0] [1, 1, 1, 2, 64, 16]
// CHECK: tile.load %[[K]][
func.func @keys(%q: tensor<1x2x32x16xf32>, %cache: tensor<2x3x1x2x64x16xf32>) -> tensor<1x2x32x16xf32> {
  %k = tensor.extract_slice %cache[0, 1, 0, 0, 0, 0] [1, 1, 1, 2, 64, 16] [1, 1, 1, 1, 1, 1]
      : tensor<2x3x1x2x64x16xf32> to tensor<1x2x64x16xf32>
  %v = tensor.extract_slice %cache[1, 1, 0, 0, 0, 0] [1, 1, 1, 2, 64, 16] [1, 1, 1, 1, 1, 1]
      : tensor<2x3x1x2x64x16xf32> to tensor<1x2x64x16xf32>
  %e = tensor.empty() : tensor<1x2x32x16xf32>
  %o = stof.attention ins(%q, %k, %v : tensor<1x2x32x16xf32>, tensor<1x2x64x16xf32>, tensor<1x2x64x16xf32>)
      outs(%e : tensor<1x2x32x16xf32>) -> tensor<1x2x32x16xf32>
  return %o : tensor<1x2x32x16xf32>
}
