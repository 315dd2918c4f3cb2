// RUN: stof-opt %s --stof-expand-float8 -verify-diagnostics -split-input-file

// expected-error @below {{cannot be compiled: expects floats of 8 bits to be f8E4M3FN or f8E5M2}}
func.func @other(%x: f8E4M3FNUZ) -> f32 {
  %r = arith.extf %x : f8E4M3FNUZ to f32
  return %r : f32
}

// -----

func.func @function(%x: f8E4M3FN) -> f8E4M3FN {
  // expected-error @below {{cannot be compiled: does not support floats of 8 bits}}
  %r = math.exp %x : f8E4M3FN
  return %r : f8E4M3FN
}

// -----

func.func @rounding(%x: f32) -> f8E4M3FN {
  // expected-error @below {{cannot be compiled: expects rounding to the nearest, ties to even}}
  %r = arith.truncf %x toward_zero : f32 to f8E4M3FN
  return %r : f8E4M3FN
}

// -----

func.func @tensor(%x: tensor<4xf32>) -> tensor<4xf8E4M3FN> {
  // expected-error @below {{cannot be compiled: expects a conversion of scalars, but got 'tensor<4xf8E4M3FN>'}}
  %r = arith.truncf %x : tensor<4xf32> to tensor<4xf8E4M3FN>
  return %r : tensor<4xf8E4M3FN>
}
