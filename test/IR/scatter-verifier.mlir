// RUN: stof-opt %s -verify-diagnostics -split-input-file

#id = affine_map<(n, k) -> (n)>
#rows = affine_map<(n, k)[s] -> (s, k)>

/// (S1) One element type, tensors or buffers.

func.func @s1_element(%u: tensor<3x4xf16>, %i: tensor<3xi64>, %x: tensor<9x4xf32>) {
  // expected-error @below {{expects updates of the element type of the original, 'f32', but got 'f16'}}
  %y = stof.scatter %u at(%i : tensor<3xi64>) into %x maps [#id] position #rows {
  ^bb0(%a: f32, %b: f32):
    stof.yield %a : f32
  } : tensor<3x4xf16>, tensor<9x4xf32> -> tensor<9x4xf32>
  return
}

// -----

#id = affine_map<(n, k) -> (n)>
#rows = affine_map<(n, k)[s] -> (s, k)>
func.func @s1_buffers(%u: memref<3x4xf32>, %i: tensor<3xi64>, %x: memref<9x4xf32>) {
  // expected-error @below {{expects all operands to be buffers, but got 'tensor<3xi64>'}}
  stof.scatter %u at(%i : tensor<3xi64>) into %x maps [#id] position #rows {
  ^bb0(%a: f32, %b: f32):
    stof.yield %a : f32
  } : memref<3x4xf32>, memref<9x4xf32>
  return
}

// -----

/// (S2) A map for each index, of coordinates.

#id = affine_map<(n, k) -> (n)>
#rows = affine_map<(n, k)[s] -> (s, k)>
func.func @s2_number(%u: tensor<3x4xf32>, %i: tensor<3xi64>, %x: tensor<9x4xf32>) {
  // expected-error @below {{expects a map for each of 1 indices, but got 2}}
  %y = stof.scatter %u at(%i : tensor<3xi64>) into %x maps [#id, #id] position #rows {
  ^bb0(%a: f32, %b: f32):
    stof.yield %a : f32
  } : tensor<3x4xf32>, tensor<9x4xf32> -> tensor<9x4xf32>
  return
}

// -----

#sum = affine_map<(n, k) -> (n + k)>
#rows = affine_map<(n, k)[s] -> (s, k)>
func.func @s2_sum(%u: tensor<3x4xf32>, %i: tensor<3xi64>, %x: tensor<9x4xf32>) {
  // expected-error @below {{expects the map of index 0 to take 2 coordinates to 1 of them or 0, but got affine_map<(d0, d1) -> (d0 + d1)>}}
  %y = stof.scatter %u at(%i : tensor<3xi64>) into %x maps [#sum] position #rows {
  ^bb0(%a: f32, %b: f32):
    stof.yield %a : f32
  } : tensor<3x4xf32>, tensor<9x4xf32> -> tensor<9x4xf32>
  return
}

// -----

/// (S3) A coordinate for each dimension of the original.

#id = affine_map<(n, k) -> (n)>
#row = affine_map<(n, k)[s] -> (s)>
func.func @s3_position(%u: tensor<3x4xf32>, %i: tensor<3xi64>, %x: tensor<9x4xf32>) {
  // expected-error @below {{expects a position of 2 coordinates from 2 coordinates and 1 indices, but got affine_map<(d0, d1)[s0] -> (s0)>}}
  %y = stof.scatter %u at(%i : tensor<3xi64>) into %x maps [#id] position #row {
  ^bb0(%a: f32, %b: f32):
    stof.yield %a : f32
  } : tensor<3x4xf32>, tensor<9x4xf32> -> tensor<9x4xf32>
  return
}

// -----

/// (S4) An index for each update.

#id = affine_map<(n, k) -> (n)>
#rows = affine_map<(n, k)[s] -> (s, k)>
func.func @s4_size(%u: tensor<3x4xf32>, %i: tensor<2xi64>, %x: tensor<9x4xf32>) {
  // expected-error @below {{expects dimension 0 of index 0 to have 3 elements, but got 2}}
  %y = stof.scatter %u at(%i : tensor<2xi64>) into %x maps [#id] position #rows {
  ^bb0(%a: f32, %b: f32):
    stof.yield %a : f32
  } : tensor<3x4xf32>, tensor<9x4xf32> -> tensor<9x4xf32>
  return
}

// -----

/// (S5) The combination takes two elements, yields one and does nothing else.

#id = affine_map<(n, k) -> (n)>
#rows = affine_map<(n, k)[s] -> (s, k)>
func.func @s5_arguments(%u: tensor<3x4xf32>, %i: tensor<3xi64>, %x: tensor<9x4xf32>) {
  // expected-error @below {{expects the combination to take 2 arguments, but got 1}}
  %y = stof.scatter %u at(%i : tensor<3xi64>) into %x maps [#id] position #rows {
  ^bb0(%a: f32):
    stof.yield %a : f32
  } : tensor<3x4xf32>, tensor<9x4xf32> -> tensor<9x4xf32>
  return
}

// -----

#id = affine_map<(n, k) -> (n)>
#rows = affine_map<(n, k)[s] -> (s, k)>
func.func private @log(f32)
func.func @s5_effects(%u: tensor<3x4xf32>, %i: tensor<3xi64>, %x: tensor<9x4xf32>) {
  // expected-error @below {{expects the combination to be free of side effects, but it has 'func.call'}}
  %y = stof.scatter %u at(%i : tensor<3xi64>) into %x maps [#id] position #rows {
  ^bb0(%a: f32, %b: f32):
    // expected-note @below {{has side effects}}
    func.call @log(%a) : (f32) -> ()
    stof.yield %a : f32
  } : tensor<3x4xf32>, tensor<9x4xf32> -> tensor<9x4xf32>
  return
}

// -----

/// (S6) The result is the original, updated.

#id = affine_map<(n, k) -> (n)>
#rows = affine_map<(n, k)[s] -> (s, k)>
func.func @s6_type(%u: tensor<3x4xf32>, %i: tensor<3xi64>, %x: tensor<9x4xf32>) {
  // expected-error @below {{expects a result of the type of the original, 'tensor<9x4xf32>', but got 'tensor<?x4xf32>'}}
  %y = stof.scatter %u at(%i : tensor<3xi64>) into %x maps [#id] position #rows {
  ^bb0(%a: f32, %b: f32):
    stof.yield %a : f32
  } : tensor<3x4xf32>, tensor<9x4xf32> -> tensor<?x4xf32>
  return
}

// -----

#id = affine_map<(n, k) -> (n)>
#rows = affine_map<(n, k)[s] -> (s, k)>
func.func @s6_none(%u: tensor<3x4xf32>, %i: tensor<3xi64>, %x: tensor<9x4xf32>) {
  // expected-error @below {{expects a result on tensors and none on buffers}}
  stof.scatter %u at(%i : tensor<3xi64>) into %x maps [#id] position #rows {
  ^bb0(%a: f32, %b: f32):
    stof.yield %a : f32
  } : tensor<3x4xf32>, tensor<9x4xf32>
  return
}
