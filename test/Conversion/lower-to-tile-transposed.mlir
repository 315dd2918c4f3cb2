// RUN: stof-opt %s --stof-to-tile=chip=sm_80 -split-input-file | FileCheck %s

/// Attention reads and writes arguments and results of a function where they
/// are, though their heads are behind their positions.

// CHECK-LABEL: func.func @positions_first
// CHECK-SAME: (%[[Q:.*]]: memref<?x?x4x64xf16>, %[[K:.*]]: memref<2x70x2x64xf16>, %[[V:.*]]: memref<2x2x70x32xf16>, %[[O:.*]]: memref<?x?x128xf16>, %{{.*}}: memref<?xi8>)
// CHECK-SAME: stof.workspace_bound = 0
// CHECK: %[[QUERIES:.*]] = memref.dim %[[Q]], %c1
// CHECK: %[[QUERY:.*]] = memref.cast %[[Q]]
// CHECK: %[[FLAT:.*]] = memref.collapse_shape %[[O]]
// CHECK: %[[RESULT:.*]] = memref.expand_shape %[[FLAT]] {{.*}} output_shape [2, %[[QUERIES]], 4, 32]
// CHECK: gpu.launch_func {{.*}} args({{.*}}%[[QUERY]] : memref<2x?x4x64xf16>, %[[K]] : memref<2x70x2x64xf16>, %[[V]] : memref<2x2x70x32xf16>, %[[RESULT]] : memref<2x?x4x32xf16>)
// CHECK-NEXT: return
// CHECK: gpu.func @positions_first_0_attention
// CHECK-SAME: query_dim = 1
// CHECK-NOT: memref.transpose
// CHECK: tile.load %{{.*}}[%[[BATCH:.*]], %[[ROW:.*]], %[[HEAD:.*]], %c0{{.*}}] along [1, 3] : memref<2x?x4x64xf16>
// CHECK: tile.load %{{.*}} along [1, 3] : memref<2x70x2x64xf16>
// CHECK: tile.load %{{.*}} along [2, 3] : memref<2x2x70x32xf16>
// CHECK: tile.store %{{.*}}[%[[BATCH]], %[[ROW]], %[[HEAD]], %c0{{.*}}] along [1, 3] {{.*}} memref<2x?x4x32xf16>
func.func @positions_first(%q: tensor<?x?x4x64xf16>, %k: tensor<2x70x2x64xf16>, %v: tensor<2x2x70x32xf16>) -> tensor<?x?x128xf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = tensor.dim %q, %c0 : tensor<?x?x4x64xf16>
  %s = tensor.dim %q, %c1 : tensor<?x?x4x64xf16>
  %0 = tensor.empty(%b, %s) : tensor<?x4x?x64xf16>
  %1 = tensor.empty() : tensor<2x2x70x64xf16>
  %heads = linalg.transpose ins(%q : tensor<?x?x4x64xf16>) outs(%0 : tensor<?x4x?x64xf16>) permutation = [0, 2, 1, 3]
  %keys = linalg.transpose ins(%k : tensor<2x70x2x64xf16>) outs(%1 : tensor<2x2x70x64xf16>) permutation = [0, 2, 1, 3]
  %rows = tensor.cast %heads : tensor<?x4x?x64xf16> to tensor<2x4x?x64xf16>
  %2 = tensor.empty(%s) : tensor<2x4x?x32xf16>
  %3 = stof.attention ins(%rows, %keys, %v : tensor<2x4x?x64xf16>, tensor<2x2x70x64xf16>, tensor<2x2x70x32xf16>)
      outs(%2 : tensor<2x4x?x32xf16>) scale 0.125 -> tensor<2x4x?x32xf16>
  %4 = tensor.empty(%s) : tensor<2x?x4x32xf16>
  %5 = linalg.transpose ins(%3 : tensor<2x4x?x32xf16>) outs(%4 : tensor<2x?x4x32xf16>) permutation = [0, 2, 1, 3]
  %6 = tensor.collapse_shape %5 [[0], [1], [2, 3]] : tensor<2x?x4x32xf16> into tensor<2x?x128xf16>
  %7 = tensor.cast %6 : tensor<2x?x128xf16> to tensor<?x?x128xf16>
  return %7 : tensor<?x?x128xf16>
}

// -----

/// Each page of a cache that is stored so has an index, where positions are.

// CHECK-LABEL: gpu.func @pages_0_attention
// CHECK-NOT: memref.transpose
// CHECK: tile.load %{{.*}}[%c0{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %c0{{.*}}] along [1, 3] blocks 2 : memref<1x256x2x64xf16> -> !tile.shared<32x64xf16>
// CHECK: tile.load %{{.*}} along [1, 3] blocks 2 : memref<1x256x2x64xf16>
func.func @pages(%q: tensor<3x8x1x64xf16>, %k: tensor<1x256x2x64xf16>, %v: tensor<1x256x2x64xf16>,
                 %pointers: tensor<3x2xi32>, %list: tensor<?xi32>, %lengths: tensor<3x1xi32>) -> tensor<3x8x1x64xf16> {
  %0 = tensor.empty() : tensor<1x2x256x64xf16>
  %keys = linalg.transpose ins(%k : tensor<1x256x2x64xf16>) outs(%0 : tensor<1x2x256x64xf16>) permutation = [0, 2, 1, 3]
  %values = linalg.transpose ins(%v : tensor<1x256x2x64xf16>) outs(%0 : tensor<1x2x256x64xf16>) permutation = [0, 2, 1, 3]
  %m = stof.block_mask %pointers, %list lengths(%lengths : tensor<3x1xi32>) block(1, 16) : tensor<3x2xi32>, tensor<?xi32> -> !stof.mask<1x256>
  %init = tensor.empty() : tensor<3x8x1x64xf16>
  %out = stof.attention ins(%q, %keys, %values : tensor<3x8x1x64xf16>, tensor<1x2x256x64xf16>, tensor<1x2x256x64xf16>)
      mask(%m : !stof.mask<1x256>) outs(%init : tensor<3x8x1x64xf16>) scale 0.125 -> tensor<3x8x1x64xf16>
  return %out : tensor<3x8x1x64xf16>
}
