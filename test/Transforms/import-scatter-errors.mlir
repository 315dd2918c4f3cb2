// RUN: stof-opt %s --pass-pipeline='builtin.module(func.func(stof-import-scatter))' --allow-unregistered-dialect -verify-diagnostics -split-input-file

/// All parts have to be there.

func.func @formed(%u: tensor<3x1x4xf32>, %i: tensor<3x1xi64>, %x: tensor<9x4xf32>, %f: f32) -> tensor<9x4xf32> {
  // expected-error @below {{expects updates, indices of rank 2 and an original of ranked tensors, a dimension map, whether indices are unique, and a result of the type of the original}}
  %y = "tm_tensor.scatter"(%u, %i, %x) <{operandSegmentSizes = array<i32: 2, 1>}> ({
  ^bb0(%new: f32, %old: f32):
    "tm_tensor.yield"(%new) : (f32) -> ()
  }) : (tensor<3x1x4xf32>, tensor<3x1xi64>, tensor<9x4xf32>) -> tensor<9x4xf32>
  return %y : tensor<9x4xf32>
}

// -----

/// Indices are integers.

func.func @integers(%u: tensor<3x1x4xf32>, %i: tensor<3x1xf32>, %x: tensor<9x4xf32>, %f: f32) -> tensor<9x4xf32> {
  // expected-error @below {{expects indices of signless integers, but got 'f32'}}
  %y = "tm_tensor.scatter"(%u, %i, %x) <{dimension_map = array<i64: 0>, operandSegmentSizes = array<i32: 2, 1>, unique_indices = true}> ({
  ^bb0(%new: f32, %old: f32):
    "tm_tensor.yield"(%new) : (f32) -> ()
  }) : (tensor<3x1x4xf32>, tensor<3x1xf32>, tensor<9x4xf32>) -> tensor<9x4xf32>
  return %y : tensor<9x4xf32>
}

// -----

/// A column for each dimension that is indexed.

func.func @depth(%u: tensor<3x1x4xf32>, %i: tensor<3x1xi64>, %x: tensor<9x4xf32>, %f: f32) -> tensor<9x4xf32> {
  // expected-error @below {{expects a column of indices for each of the 2 dimensions that the map names, but got 'tensor<3x1xi64>'}}
  %y = "tm_tensor.scatter"(%u, %i, %x) <{dimension_map = array<i64: 0, 1>, operandSegmentSizes = array<i32: 2, 1>, unique_indices = true}> ({
  ^bb0(%new: f32, %old: f32):
    "tm_tensor.yield"(%new) : (f32) -> ()
  }) : (tensor<3x1x4xf32>, tensor<3x1xi64>, tensor<9x4xf32>) -> tensor<9x4xf32>
  return %y : tensor<9x4xf32>
}

// -----

/// Each dimension is indexed once.

func.func @twice(%u: tensor<3x1x4xf32>, %i: tensor<3x2xi64>, %x: tensor<9x4xf32>, %f: f32) -> tensor<9x4xf32> {
  // expected-error @below {{expects a map that names dimensions of the original once each, but got 0}}
  %y = "tm_tensor.scatter"(%u, %i, %x) <{dimension_map = array<i64: 0, 0>, operandSegmentSizes = array<i32: 2, 1>, unique_indices = true}> ({
  ^bb0(%new: f32, %old: f32):
    "tm_tensor.yield"(%new) : (f32) -> ()
  }) : (tensor<3x1x4xf32>, tensor<3x2xi64>, tensor<9x4xf32>) -> tensor<9x4xf32>
  return %y : tensor<9x4xf32>
}

// -----

/// A window has no more dimensions than the original.

func.func @windows(%u: tensor<3x1x1x4xf32>, %i: tensor<3x1xi64>, %x: tensor<9x4xf32>, %f: f32) -> tensor<9x4xf32> {
  // expected-error @below {{expects windows of at most 2 dimensions, but got 3}}
  %y = "tm_tensor.scatter"(%u, %i, %x) <{dimension_map = array<i64: 0>, operandSegmentSizes = array<i32: 2, 1>, unique_indices = true}> ({
  ^bb0(%new: f32, %old: f32):
    "tm_tensor.yield"(%new) : (f32) -> ()
  }) : (tensor<3x1x1x4xf32>, tensor<3x1xi64>, tensor<9x4xf32>) -> tensor<9x4xf32>
  return %y : tensor<9x4xf32>
}

// -----

/// What windows lack is indexed.

func.func @lacks(%u: tensor<3x4xf32>, %i: tensor<3x1xi64>, %x: tensor<9x4xf32>, %f: f32) -> tensor<9x4xf32> {
  // expected-error @below {{expects dimension 0 to be indexed, since windows lack it}}
  %y = "tm_tensor.scatter"(%u, %i, %x) <{dimension_map = array<i64: 1>, operandSegmentSizes = array<i32: 2, 1>, unique_indices = true}> ({
  ^bb0(%new: f32, %old: f32):
    "tm_tensor.yield"(%new) : (f32) -> ()
  }) : (tensor<3x4xf32>, tensor<3x1xi64>, tensor<9x4xf32>) -> tensor<9x4xf32>
  return %y : tensor<9x4xf32>
}

// -----

/// The region is from two elements to one.

func.func @region(%u: tensor<3x1x4xf32>, %i: tensor<3x1xi64>, %x: tensor<9x4xf32>, %f: f32) -> tensor<9x4xf32> {
  // expected-error @below {{expects a region from two elements to one of 'f32'}}
  %y = "tm_tensor.scatter"(%u, %i, %x) <{dimension_map = array<i64: 0>, operandSegmentSizes = array<i32: 2, 1>, unique_indices = true}> ({
  ^bb0(%new: f32):
    "tm_tensor.yield"(%new) : (f32) -> ()
  }) : (tensor<3x1x4xf32>, tensor<3x1xi64>, tensor<9x4xf32>) -> tensor<9x4xf32>
  return %y : tensor<9x4xf32>
}

// -----

/// Of what is around it, the region uses constants alone.

func.func @captured(%u: tensor<3x1x4xf32>, %i: tensor<3x1xi64>, %x: tensor<9x4xf32>, %f: f32) -> tensor<9x4xf32> {
  // expected-error @below {{expects a region that captures constants only, but got <block argument>}}
  %y = "tm_tensor.scatter"(%u, %i, %x) <{dimension_map = array<i64: 0>, operandSegmentSizes = array<i32: 2, 1>, unique_indices = true}> ({
  ^bb0(%new: f32, %old: f32):
    %s = arith.addf %new, %f : f32
    "tm_tensor.yield"(%s) : (f32) -> ()
  }) : (tensor<3x1x4xf32>, tensor<3x1xi64>, tensor<9x4xf32>) -> tensor<9x4xf32>
  return %y : tensor<9x4xf32>
}
