// RUN: stof-opt %s --allow-unregistered-dialect --stof-verify-operations -split-input-file -verify-diagnostics
// RUN: stof-opt %s --allow-unregistered-dialect --stof-plan -split-input-file -verify-diagnostics
// RUN: stof-opt %s --allow-unregistered-dialect --stof-to-cpu -split-input-file -verify-diagnostics

/// A region of an unknown operation is not looked into by anybody.

func.func @fold(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{cannot be compiled: expects an operation of a known dialect, but got an unregistered one with a region}}
  %0 = "tm_tensor.fold"(%x) ({
  ^bb0(%a: f32):
    "tm_tensor.yield"(%a) : (f32) -> ()
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

/// Dimensions are those that there are.

func.func @no_dimension(%x: tensor<?x4xf32>) -> index {
  %c2 = arith.constant 2 : index
  // expected-error @below {{cannot be compiled: expects a dimension of its source}}
  %n = tensor.dim %x, %c2 : tensor<?x4xf32>
  return %n : index
}

// -----

func.func @behind_the_last(%x: memref<?x4xf32>) -> index {
  %c = arith.constant 2 : index
  // expected-error @below {{cannot be compiled: expects a dimension of its source}}
  %n = memref.dim %x, %c : memref<?x4xf32>
  return %n : index
}

// -----

func.func @out_of_order(%x: tensor<6xf32>) -> tensor<2x3xf32> {
  // expected-error @below {{cannot be compiled: expects all dimensions in order in its reassociation}}
  %y = tensor.expand_shape %x [[4294967296, 1]] output_shape [2, 3] : tensor<6xf32> into tensor<2x3xf32>
  return %y : tensor<2x3xf32>
}

// -----

/// More dimensions than anyone means.

// expected-error @below {{cannot be compiled: expects at most 64 dimensions, but got 65}}
func.func @many_dimensions(%x: tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>) {
  return
}

// -----

/// The sizes of a constant are those that it has, and its bytes as many.

func.func @short_constant() -> tensor<8xi8> {
  // expected-error @below {{cannot be compiled: expects a constant of 8 bytes, but got a resource of 2}}
  %0 = arith.constant dense_resource<few> : tensor<8xi8>
  return %0 : tensor<8xi8>
}

{-#
  dialect_resources: {
    builtin: {
      few: "0x010000000102"
    }
  }
#-}

// -----

/// A name of which a loader would see one letter.

// expected-error @below {{cannot be compiled: expects a name without the character 0}}
func.func @"f\00g"(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

func.func @open_constant() -> tensor<?xi8> {
  // expected-error @below {{cannot be compiled: expects a constant of static sizes, but got tensor<?xi8>}}
  %0 = arith.constant dense_resource<bytes> : tensor<?xi8>
  return %0 : tensor<?xi8>
}

{-#
  dialect_resources: {
    builtin: {
      bytes: "0x0100000001020304"
    }
  }
#-}
