// RUN: stof-opt %s --pass-pipeline='builtin.module(func.func(stof-split-complex))' -verify-diagnostics -split-input-file

// expected-error @below {{cannot be compiled: expects argument 1 to be real, with the parts of a complex number as last dimension, but got 'tensor<4xcomplex<f32>>'}}
func.func @argument(%x: tensor<4xf32>, %y: tensor<4xcomplex<f32>>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error @below {{cannot be compiled: expects result 0 to be real, with the parts of a complex number as last dimension, but got 'tensor<4xcomplex<f32>>'}}
func.func @result() -> tensor<4xcomplex<f32>> {
  %e = tensor.empty() : tensor<4xcomplex<f32>>
  return %e : tensor<4xcomplex<f32>>
}

// -----

func.func @product_of_all(%x: tensor<8xf32>) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %n = complex.create %zero, %zero : complex<f32>
  %e = tensor.empty() : tensor<complex<f32>>
  %0 = linalg.fill ins(%n : complex<f32>) outs(%e : tensor<complex<f32>>) -> tensor<complex<f32>>
  // expected-error @below {{cannot be compiled: expects the parts of complex numbers to be combined separately}}
  %s = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<8xf32>) outs(%0 : tensor<complex<f32>>) {
  ^bb0(%a: f32, %o: complex<f32>):
    %c = complex.create %a, %a : complex<f32>
    %r = complex.mul %o, %c : complex<f32>
    linalg.yield %r : complex<f32>
  } -> tensor<complex<f32>>
  %v = tensor.extract %s[] : tensor<complex<f32>>
  %i = complex.im %v : complex<f32>
  %t = tensor.from_elements %i : tensor<f32>
  return %t : tensor<f32>
}

// -----

func.func @loop(%x: tensor<8xf32>, %n: index) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %z = complex.create %zero, %zero : complex<f32>
  // expected-error @below {{cannot be compiled: does not support complex numbers}}
  %v = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> complex<f32> {
    scf.yield %s : complex<f32>
  }
  %i = complex.im %v : complex<f32>
  %t = tensor.from_elements %i : tensor<f32>
  return %t : tensor<f32>
}

// -----

func.func @unknown_elements(%i: index) -> tensor<f32> {
  // expected-error @below {{cannot be compiled: expects complex elements known at compile time}}
  %k = arith.constant dense_resource<absent> : tensor<4xcomplex<f32>>
  %n = tensor.extract %k[%i] : tensor<4xcomplex<f32>>
  %r = complex.im %n : complex<f32>
  %t = tensor.from_elements %r : tensor<f32>
  return %t : tensor<f32>
}
