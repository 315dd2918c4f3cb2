// RUN: stof-opt %s -verify-diagnostics -split-input-file

/// (K1) A launch without kernels computes nothing.

func.func @k1_no_kernel(%x: memref<4xf32>, %y: memref<4xf32>) {
  // expected-error @below {{expects at least one kernel}}
  stof.launch [] {
    linalg.copy ins(%x : memref<4xf32>) outs(%y : memref<4xf32>)
  }
  return
}

// -----

/// (K2) Kernels compute one operation, on buffers.

func.func @k2_two_operations(%x: memref<4xf32>, %y: memref<4xf32>) {
  // expected-error @below {{expects one operation, but got 2}}
  stof.launch [@kernels::@copy] {
    linalg.copy ins(%x : memref<4xf32>) outs(%y : memref<4xf32>)
    linalg.copy ins(%x : memref<4xf32>) outs(%y : memref<4xf32>)
  }
  return
}

// -----

func.func @k2_results(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  // expected-error @below {{expects an operation on buffers, but got results ('tensor<4xf32>')}}
  stof.launch [@kernels::@copy] {
    %0 = linalg.copy ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>) -> tensor<4xf32>
  }
  return
}
