// Scatters in place: a cache at positions, some of them outside, and points that
// meet, which several threads share by their places.

#position = affine_map<(b, h, p, x) -> (p)>
#cache = affine_map<(b, h, p, x)[s] -> (b, h, s, x)>
#point = affine_map<(n) -> (n)>
#plane = affine_map<(n)[s, t] -> (s, t)>
#row = affine_map<(n, k) -> (n)>
#rows = affine_map<(n, k)[s] -> (s, k)>

func.func @scatters(%cache: tensor<2x3x?x24xf16> {tf.aliasing_output = 0 : i32}, %k: tensor<2x3x?x24xf16>, %pos: tensor<?xi64>,
                    %plane: tensor<5x6xf32> {tf.aliasing_output = 1 : i32}, %w: tensor<300xf32>, %r: tensor<300xi64>, %c: tensor<300xi32>,
                    %counts: tensor<7x3xi64> {tf.aliasing_output = 2 : i32}, %n: tensor<40x3xi64>, %i: tensor<40xi64>)
    -> (tensor<2x3x?x24xf16>, tensor<5x6xf32>, tensor<7x3xi64>) {
  %0 = stof.scatter %k at(%pos : tensor<?xi64>) into %cache maps [#position] position #cache unique {
  ^bb0(%u: f16, %o: f16):
    stof.yield %u : f16
  } : tensor<2x3x?x24xf16>, tensor<2x3x?x24xf16> -> tensor<2x3x?x24xf16>
  %1 = stof.scatter %w at(%r, %c : tensor<300xi64>, tensor<300xi32>) into %plane maps [#point, #point] position #plane {
  ^bb0(%u: f32, %o: f32):
    %half = arith.constant 0.5 : f32
    %h = arith.mulf %o, %half : f32
    %s = arith.addf %h, %u : f32
    stof.yield %s : f32
  } : tensor<300xf32>, tensor<5x6xf32> -> tensor<5x6xf32>
  %2 = stof.scatter %n at(%i : tensor<40xi64>) into %counts maps [#row] position #rows {
  ^bb0(%u: i64, %o: i64):
    %s = arith.addi %o, %u : i64
    stof.yield %s : i64
  } : tensor<40x3xi64>, tensor<7x3xi64> -> tensor<7x3xi64>
  return %0, %1, %2 : tensor<2x3x?x24xf16>, tensor<5x6xf32>, tensor<7x3xi64>
}
