// RUN: stof-opt %s --pass-pipeline='builtin.module(func.func(stof-split-complex))' | FileCheck %s

#id = affine_map<(i) -> (i)>

/// A product is arithmetic of parts, each of which is computed separately.

// CHECK-LABEL: func @product
// CHECK-SAME: (%[[X:[^:]*]]: tensor<8x2xf32>, %[[Y:[^:]*]]: tensor<8xf32>
// CHECK-NOT: complex
// CHECK: %[[RE:.*]] = linalg.generic
// CHECK: tensor.extract %[[X]][%{{.*}}, %c0] : tensor<8x2xf32>
// CHECK: %[[IM:.*]] = linalg.generic
// CHECK: tensor.extract %[[X]][%{{.*}}, %c1] : tensor<8x2xf32>
// CHECK: linalg.generic {{.*}} ins(%[[RE]], %[[IM]], %[[Y]], %{{.*}} : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>)
// CHECK: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32, %[[C:.*]]: f32,
// CHECK: arith.mulf
// CHECK: arith.subf
// CHECK-NOT: arith.addf
// CHECK: linalg.yield
// CHECK: linalg.generic {{.*}} ins(%[[RE]], %[[IM]], %[[Y]]
// CHECK: arith.addf
// CHECK: linalg.yield
// CHECK: return
func.func @product(%x: tensor<8x2xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<8xcomplex<f32>>
  %r = tensor.empty() : tensor<8xf32>
  %z = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e : tensor<8xcomplex<f32>>) {
  ^bb0(%o: complex<f32>):
    %i = linalg.index 0 : index
    %a = tensor.extract %x[%i, %c0] : tensor<8x2xf32>
    %b = tensor.extract %x[%i, %c1] : tensor<8x2xf32>
    %n = complex.create %a, %b : complex<f32>
    linalg.yield %n : complex<f32>
  } -> tensor<8xcomplex<f32>>
  %p = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%z, %y : tensor<8xcomplex<f32>>, tensor<8xf32>) outs(%e : tensor<8xcomplex<f32>>) {
  ^bb0(%a: complex<f32>, %b: f32, %o: complex<f32>):
    %w = complex.create %b, %b : complex<f32>
    %n = complex.mul %a, %w : complex<f32>
    linalg.yield %n : complex<f32>
  } -> tensor<8xcomplex<f32>>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%p : tensor<8xcomplex<f32>>) outs(%r : tensor<8xf32>) {
  ^bb0(%a: complex<f32>, %o: f32):
    %n = complex.re %a : complex<f32>
    linalg.yield %n : f32
  } -> tensor<8xf32>
  return %s : tensor<8xf32>
}

/// Constants, fills and what moves elements.

// CHECK-LABEL: func @moved
// CHECK-NOT: complex
// CHECK: arith.constant dense<[1.000000e+00, 3.000000e+00]> : tensor<2xf64>
// CHECK: arith.constant dense<[2.000000e+00, 4.000000e+00]> : tensor<2xf64>
// CHECK: tensor.expand_shape %{{.*}} : tensor<2xf64> into tensor<2x1xf64>
// CHECK: tensor.expand_shape %{{.*}} : tensor<2xf64> into tensor<2x1xf64>
// CHECK: return
func.func @moved(%i: index) -> tensor<1xf64> {
  %k = arith.constant dense<[(1.0, 2.0), (3.0, 4.0)]> : tensor<2xcomplex<f64>>
  %w = tensor.expand_shape %k [[0, 1]] output_shape [2, 1] : tensor<2xcomplex<f64>> into tensor<2x1xcomplex<f64>>
  %c0 = arith.constant 0 : index
  %n = tensor.extract %w[%i, %c0] : tensor<2x1xcomplex<f64>>
  %r = complex.im %n : complex<f64>
  %t = tensor.from_elements %r : tensor<1xf64>
  return %t : tensor<1xf64>
}

/// A sum combines real parts with real parts.

// CHECK-LABEL: func @sum
// CHECK-NOT: complex
// CHECK: linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<f32>)
// CHECK: linalg.fill ins(%{{.*}} : f32) outs(%{{.*}} : tensor<f32>)
// CHECK: linalg.generic {{.*}} iterator_types = ["reduction"]}
// CHECK: ^bb0(%[[X:.*]]: f32, %{{.*}}: f32, %[[SOFAR:.*]]: f32):
// CHECK-NEXT: %[[NEXT:.*]] = arith.addf %[[SOFAR]], %[[X]] : f32
// CHECK-NEXT: linalg.yield %[[NEXT]]
// CHECK: linalg.generic {{.*}} iterator_types = ["reduction"]}
// CHECK: return
func.func @sum(%x: tensor<8xf32>) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %n = complex.create %zero, %zero : complex<f32>
  %e = tensor.empty() : tensor<complex<f32>>
  %0 = linalg.fill ins(%n : complex<f32>) outs(%e : tensor<complex<f32>>) -> tensor<complex<f32>>
  %s = linalg.generic {indexing_maps = [#id, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<8xf32>) outs(%0 : tensor<complex<f32>>) {
  ^bb0(%a: f32, %o: complex<f32>):
    %c = complex.create %a, %a : complex<f32>
    %r = complex.add %o, %c : complex<f32>
    linalg.yield %r : complex<f32>
  } -> tensor<complex<f32>>
  %v = tensor.extract %s[] : tensor<complex<f32>>
  %i = complex.im %v : complex<f32>
  %t = tensor.from_elements %i : tensor<f32>
  return %t : tensor<f32>
}
