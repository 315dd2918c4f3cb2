// RUN: stof-opt %s --stof-lower-to-tile | FileCheck %s

/// A tensor without contents that something reads is memory, whatever is in it;
/// as a mere destination of an attention it is none.

// CHECK-LABEL: func @read
// CHECK-SAME: (%[[N:.*]]: index, %[[RESULT:.*]]: memref<?x8xf32>)
func.func @read(%n: index) -> tensor<?x8xf32> {
  // CHECK: %[[EMPTY:.*]] = memref.alloc(%[[N]]) : memref<?x4x2xf32>
  // CHECK: %[[FLAT:.*]] = memref.collapse_shape %[[EMPTY]] {{\[\[}}0], [1, 2]]
  // CHECK-DAG: memref.collapse_shape %[[FLAT]]
  // CHECK-DAG: memref.collapse_shape %[[RESULT]]
  // CHECK: gpu.launch_func
  %e = tensor.empty(%n) : tensor<?x4x2xf32>
  %flat = tensor.collapse_shape %e [[0], [1, 2]] : tensor<?x4x2xf32> into tensor<?x8xf32>
  return %flat : tensor<?x8xf32>
}

// CHECK-LABEL: func @negative_destination
func.func @negative_destination(%q: tensor<1x2x64x64xf16>) -> tensor<1x2x64x64xf16> {
  // CHECK-NOT: memref.alloc
  // CHECK: gpu.launch_func
  %e = tensor.empty() : tensor<1x2x64x64xf16>
  %o = stof.attention ins(%q, %q, %q : tensor<1x2x64x64xf16>, tensor<1x2x64x64xf16>, tensor<1x2x64x64xf16>)
      outs(%e : tensor<1x2x64x64xf16>) -> tensor<1x2x64x64xf16>
  return %o : tensor<1x2x64x64xf16>
}
