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
