// A cast of sizes in front of an attention without a score region, on its operands and on what it begins with.

func.func @casts(%q: tensor<1x2x64x16xf32>, %init: tensor<1x2x64x16xf32>) -> tensor<1x2x64x16xf32> {
  %c = tensor.cast %q : tensor<1x2x64x16xf32> to tensor<1x2x?x16xf32>
  %i = tensor.cast %init : tensor<1x2x64x16xf32> to tensor<1x2x?x16xf32>
  %o = stof.attention ins(%c, %c, %c : tensor<1x2x?x16xf32>, tensor<1x2x?x16xf32>, tensor<1x2x?x16xf32>)
      outs(%i : tensor<1x2x?x16xf32>) -> tensor<1x2x?x16xf32>
  %r = tensor.cast %o : tensor<1x2x?x16xf32> to tensor<1x2x64x16xf32>
  return %r : tensor<1x2x64x16xf32>
}

// -----

// The same where the function that attends is inlined.

func.func private @causal(%q: tensor<1x2x?x16xf16>, %init: tensor<1x2x?x16xf16>) -> tensor<1x2x?x16xf16> {
  %mask = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.cmpi ule, %j, %i : index
    stof.yield %keep : i1
  } : !stof.mask<?x?>
  %out = stof.attention ins(%q, %q, %q : tensor<1x2x?x16xf16>, tensor<1x2x?x16xf16>, tensor<1x2x?x16xf16>)
      mask(%mask : !stof.mask<?x?>) outs(%init : tensor<1x2x?x16xf16>) scale 0.25 -> tensor<1x2x?x16xf16>
  return %out : tensor<1x2x?x16xf16>
}
func.func @main(%q: tensor<1x2x64x16xf16>) -> tensor<1x2x64x16xf16> {
  %c = tensor.cast %q : tensor<1x2x64x16xf16> to tensor<1x2x?x16xf16>
  %o = func.call @causal(%c, %c) : (tensor<1x2x?x16xf16>, tensor<1x2x?x16xf16>) -> tensor<1x2x?x16xf16>
  %r = tensor.cast %o : tensor<1x2x?x16xf16> to tensor<1x2x64x16xf16>
  return %r : tensor<1x2x64x16xf16>
}

// -----

// An exponential that is shifted by no maximum, of scores that are not a number.

func.func @not_a_number(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %nan = arith.constant 0xFFC00000 : f32
  %zero = arith.constant 0.0 : f32
  %row = tensor.empty() : tensor<4xf32>
  %init = tensor.empty() : tensor<4x8xf32>
  %m0 = linalg.fill ins(%nan : f32) outs(%row : tensor<4xf32>) -> tensor<4xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xf32>) outs(%m0 : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.maximumf %a, %o : f32
    linalg.yield %r : f32
  } -> tensor<4xf32>
  %e = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%x, %m : tensor<4x8xf32>, tensor<4xf32>) outs(%init : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %d = arith.subf %a, %b : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  return %e : tensor<4x8xf32>
}
