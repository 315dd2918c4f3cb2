// RUN: stof-opt %s --allow-unregistered-dialect --stof-verify-operations -split-input-file -verify-diagnostics
// RUN: stof-opt %s --allow-unregistered-dialect --stof-plan -split-input-file -verify-diagnostics
// RUN: stof-opt %s --allow-unregistered-dialect --stof-to-cpu -split-input-file -verify-diagnostics

/// A region of an unknown operation is not looked into by anybody.

func.func @sort(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{cannot be compiled: expects an operation of a known dialect, but got one that has a region and is of none}}
  %0 = "tm_tensor.sort"(%x) ({
  ^bb0(%a: f32):
    "tm_tensor.yield"(%a) : (f32) -> ()
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
