// RUN: rm -rf %t && mkdir %t
// RUN: stof-compile %s -o %t/single --target=sm_80 --remarks=%t/remarks
// RUN: not grep f64 %t/single/mean.sm_80.ptx
// RUN: grep "f64 intermediates are computed in f32" %t/remarks
// RUN: stof-compile %s -o %t/double --target=sm_80 --keep-doubles
// RUN: grep add.f64 %t/double/mean.sm_80.ptx

/// A sum that is f64 on the way is computed in f32, and a remark says so, unless
/// one asks for what the model says.

#row = affine_map<(d0, d1) -> (d0)>
#all = affine_map<(d0, d1) -> (d0, d1)>
#one = affine_map<(d0) -> (d0)>
func.func @mean(%x: tensor<8x768xf32>) -> tensor<8xf32> {
  %zero = arith.constant 0.0 : f64
  %count = arith.constant 768.0 : f64
  %r = tensor.empty() : tensor<8xf64>
  %f = linalg.fill ins(%zero : f64) outs(%r : tensor<8xf64>) -> tensor<8xf64>
  %s = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x768xf32>) outs(%f : tensor<8xf64>) {
  ^bb0(%in: f32, %out: f64):
    %w = arith.extf %in : f32 to f64
    %0 = arith.addf %w, %out : f64
    linalg.yield %0 : f64
  } -> tensor<8xf64>
  %m = tensor.empty() : tensor<8xf32>
  %y = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]} ins(%s : tensor<8xf64>) outs(%m : tensor<8xf32>) {
  ^bb0(%in: f64, %out: f32):
    %0 = arith.divf %in, %count : f64
    %1 = arith.truncf %0 : f64 to f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  return %y : tensor<8xf32>
}
