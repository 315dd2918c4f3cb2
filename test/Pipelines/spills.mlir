// REQUIRES: ptxas
// RUN: rm -rf %t && stof-compile %s -o %t --target=sm_80 --report=%t.json
// RUN: FileCheck %s --input-file=%t.json --implicit-check-not='"spills": {{[1-9]}}'

/// A loop of known length with tiles in shared memory is not unrolled, so that
/// rows stored element by element have the registers for their addresses.

#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (n, k)>
#y = affine_map<(m, n, k) -> (m, n)>
// CHECK: "spills": 0
func.func @vocabulary(%x: tensor<512x768xf16>, %w: tensor<50257x768xf16>) -> tensor<512x50257xf16> {
  %zero = arith.constant 0.0 : f16
  %init = tensor.empty() : tensor<512x50257xf16>
  %start = linalg.fill ins(%zero : f16) outs(%init : tensor<512x50257xf16>) -> tensor<512x50257xf16>
  %y = linalg.contract indexing_maps = [#x, #w, #y]
      ins(%x, %w : tensor<512x768xf16>, tensor<50257x768xf16>) outs(%start : tensor<512x50257xf16>) -> tensor<512x50257xf16>
  return %y : tensor<512x50257xf16>
}

/// A row takes as many warps as have the registers for it.

#full = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>
// CHECK: "spills": 0
func.func @norm(%x: tensor<64x4096xf16>, %z: tensor<64x4096xf16>, %g: tensor<4096xf16>) -> (tensor<64x4096xf16>, tensor<64x4096xf16>) {
  %zero = arith.constant 0.0 : f64
  %count = arith.constant 4096.0 : f64
  %e = tensor.empty() : tensor<64x4096xf16>
  %d = tensor.empty() : tensor<64x4096xf64>
  %r = tensor.empty() : tensor<64xf64>
  %start = linalg.fill ins(%zero : f64) outs(%r : tensor<64xf64>) -> tensor<64xf64>
  %h = linalg.generic {indexing_maps = [#full, #full, #full], iterator_types = ["parallel", "parallel"]}
      ins(%x, %z : tensor<64x4096xf16>, tensor<64x4096xf16>) outs(%e : tensor<64x4096xf16>) {
  ^bb0(%a: f16, %b: f16, %o: f16):
    %s = arith.addf %a, %b : f16
    linalg.yield %s : f16
  } -> tensor<64x4096xf16>
  %w = linalg.generic {indexing_maps = [#full, #full], iterator_types = ["parallel", "parallel"]}
      ins(%h : tensor<64x4096xf16>) outs(%d : tensor<64x4096xf64>) {
  ^bb0(%a: f16, %o: f64):
    %s = arith.extf %a : f16 to f64
    linalg.yield %s : f64
  } -> tensor<64x4096xf64>
  %sum = linalg.generic {indexing_maps = [#full, #row], iterator_types = ["parallel", "reduction"]}
      ins(%w : tensor<64x4096xf64>) outs(%start : tensor<64xf64>) {
  ^bb0(%a: f64, %o: f64):
    %s = arith.addf %a, %o : f64
    linalg.yield %s : f64
  } -> tensor<64xf64>
  %squares = linalg.generic {indexing_maps = [#full, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%w, %sum : tensor<64x4096xf64>, tensor<64xf64>) outs(%start : tensor<64xf64>) {
  ^bb0(%a: f64, %b: f64, %o: f64):
    %mean = arith.divf %b, %count : f64
    %c = arith.subf %a, %mean : f64
    %q = arith.mulf %c, %c : f64
    %s = arith.addf %q, %o : f64
    linalg.yield %s : f64
  } -> tensor<64xf64>
  %y = linalg.generic {indexing_maps = [#full, #row, #row, #column, #full], iterator_types = ["parallel", "parallel"]}
      ins(%w, %sum, %squares, %g : tensor<64x4096xf64>, tensor<64xf64>, tensor<64xf64>, tensor<4096xf16>) outs(%e : tensor<64x4096xf16>) {
  ^bb0(%a: f64, %b: f64, %q: f64, %f: f16, %o: f16):
    %mean = arith.divf %b, %count : f64
    %c = arith.subf %a, %mean : f64
    %n = arith.truncf %c : f64 to f32
    %m = arith.divf %q, %count : f64
    %v = arith.truncf %m : f64 to f32
    %scale = math.rsqrt %v : f32
    %t = arith.mulf %n, %scale : f32
    %k = arith.truncf %t : f32 to f16
    %s = arith.mulf %k, %f : f16
    linalg.yield %s : f16
  } -> tensor<64x4096xf16>
  return %h, %y : tensor<64x4096xf16>, tensor<64x4096xf16>
}

/// Where one block would hold too many features of f32, several share them.

// CHECK: "spills": 0
func.func @features(%q: tensor<1x2x200x136xf32>) -> tensor<1x2x200x136xf32> {
  %o = stof.attention ins(%q, %q, %q : tensor<1x2x200x136xf32>, tensor<1x2x200x136xf32>, tensor<1x2x200x136xf32>)
      outs(%q : tensor<1x2x200x136xf32>) -> tensor<1x2x200x136xf32>
  return %o : tensor<1x2x200x136xf32>
}
