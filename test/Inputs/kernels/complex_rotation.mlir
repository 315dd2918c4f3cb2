// Pairs that are turned as complex numbers.

#id = affine_map<(i) -> (i)>
#pair = affine_map<(i, j) -> (i)>
#all = affine_map<(i, j) -> (i, j)>

func.func @rotate(%x: tensor<70x2xf32>, %f: tensor<70xf32>) -> tensor<70x2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<70xcomplex<f32>>
  %z = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%f : tensor<70xf32>) outs(%e : tensor<70xcomplex<f32>>) {
  ^bb0(%angle: f32, %o: complex<f32>):
    %i = linalg.index 0 : index
    %a = tensor.extract %x[%i, %c0] : tensor<70x2xf32>
    %b = tensor.extract %x[%i, %c1] : tensor<70x2xf32>
    %n = complex.create %a, %b : complex<f32>
    %c = math.cos %angle : f32
    %s = math.sin %angle : f32
    %t = complex.create %c, %s : complex<f32>
    %p = complex.mul %n, %t : complex<f32>
    linalg.yield %p : complex<f32>
  } -> tensor<70xcomplex<f32>>
  %r = tensor.empty() : tensor<70x2xf32>
  %y = linalg.generic {indexing_maps = [#pair, #all], iterator_types = ["parallel", "parallel"]}
      ins(%z : tensor<70xcomplex<f32>>) outs(%r : tensor<70x2xf32>) {
  ^bb0(%p: complex<f32>, %o: f32):
    %a = complex.re %p : complex<f32>
    %b = complex.im %p : complex<f32>
    %k = linalg.index 1 : index
    %first = arith.cmpi eq, %k, %c0 : index
    %w = arith.select %first, %a, %b : f32
    linalg.yield %w : f32
  } -> tensor<70x2xf32>
  return %y : tensor<70x2xf32>
}
