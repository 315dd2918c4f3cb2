// RUN: stof-opt %s --stof-recover-sizes --split-input-file --verify-diagnostics

/// A range of positions of which one is left may have been anything.

// expected-note @below {{torch-mlir keeps the size with fewer decompositions (decomposition_table={})}}
func.func @positions(%x: tensor<?x?xi64>) -> tensor<?x?xi64> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  %b = tensor.dim %x, %c0 : tensor<?x?xi64>
  %e = tensor.empty() : tensor<1xi64>
  // expected-error @below {{expects dimension 0 to be arg0 dimension 1, which is dynamic, but got size 1: the exporter lost the size, and it cannot be recovered here}}
  %range = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%e : tensor<1xi64>) {
  ^bb0(%out: i64):
    linalg.yield %zero : i64
  } -> tensor<1xi64>
  %cast = tensor.cast %x : tensor<?x?xi64> to tensor<?x1xi64>
  %init = tensor.empty(%b) : tensor<?x1xi64>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%cast, %range : tensor<?x1xi64>, tensor<1xi64>) outs(%init : tensor<?x1xi64>) {
  ^bb0(%a: i64, %p: i64, %out: i64):
    %sum = arith.addi %a, %p : i64
    linalg.yield %sum : i64
  } -> tensor<?x1xi64>
  %1 = tensor.cast %0 : tensor<?x1xi64> to tensor<?x?xi64>
  return %1 : tensor<?x?xi64>
}

// -----

/// So may a place in a table that is read at 0 alone.

// expected-note @below {{torch-mlir keeps the size}}
func.func @place(%x: tensor<?x?xf32>, %table: tensor<16xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %b = tensor.dim %x, %c0 : tensor<?x?xf32>
  %cast = tensor.cast %x : tensor<?x?xf32> to tensor<?x1xf32>
  %init = tensor.empty(%b) : tensor<?x1xf32>
  // expected-error @below {{expects dimension 1 to be arg0 dimension 1, which is dynamic, but got size 1}}
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%cast : tensor<?x1xf32>) outs(%init : tensor<?x1xf32>) {
  ^bb0(%a: f32, %out: f32):
    %p = tensor.extract %table[%c0] : tensor<16xf32>
    %sum = arith.addf %a, %p : f32
    linalg.yield %sum : f32
  } -> tensor<?x1xf32>
  %1 = tensor.cast %0 : tensor<?x1xf32> to tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

// -----

// expected-note @below {{torch-mlir keeps the size}}
func.func @constant(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %b = tensor.dim %x, %c0 : tensor<?x?xf32>
  // expected-error @below {{expects dimension 0 to be arg0 dimension 1, which is dynamic, but got size 1: the exporter lost the size, and it cannot be recovered here}}
  %range = arith.constant dense<[0.5]> : tensor<1xf32>
  %cast = tensor.cast %x : tensor<?x?xf32> to tensor<?x1xf32>
  %init = tensor.empty(%b) : tensor<?x1xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%cast, %range : tensor<?x1xf32>, tensor<1xf32>) outs(%init : tensor<?x1xf32>) {
  ^bb0(%a: f32, %p: f32, %out: f32):
    %sum = arith.addf %a, %p : f32
    linalg.yield %sum : f32
  } -> tensor<?x1xf32>
  %1 = tensor.cast %0 : tensor<?x1xf32> to tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

// -----

/// Read as one that is broadcast, it is 1.

// expected-note @below {{torch-mlir keeps the size}}
func.func @broadcast(%x: tensor<?x?xf32>, %y: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %cast = tensor.cast %x : tensor<?x?xf32> to tensor<?x1xf32>
  // expected-error @below {{expects dimension 1 to be arg0 dimension 1, which is dynamic, but got size 1}}
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, 0)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%cast : tensor<?x1xf32>) outs(%y : tensor<?x4xf32>) {
  ^bb0(%a: f32, %out: f32):
    linalg.yield %a : f32
  } -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// -----

func.func @no_neighbour(%x: tensor<4x?x16xf32>) -> tensor<4x16xf32> {
  %cast = tensor.cast %x : tensor<4x?x16xf32> to tensor<4x1x16xf32>
  // expected-error @below {{expects a dynamic dimension next to the one whose size the exporter lost, but got 'tensor<4x?x16xf32>' and 'tensor<4x16xf32>'}}
  %0 = tensor.collapse_shape %cast [[0], [1, 2]] : tensor<4x1x16xf32> into tensor<4x16xf32>
  return %0 : tensor<4x16xf32>
}
