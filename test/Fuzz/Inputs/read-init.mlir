// The same tensor is read as an operand and as what is updated.

#id = affine_map<(i, j) -> (i, j)>
func.func @same(%x: tensor<64x4xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %none = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %n = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<64x4xf32>) outs(%x : tensor<64x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.negf %out : f32
    linalg.yield %0 : f32
  } -> tensor<64x4xf32>
  %m = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%n : tensor<64x4xf32>) outs(%x : tensor<64x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %in : f32
    linalg.yield %0 : f32
  } -> tensor<64x4xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%m, %x : tensor<64x4xf32>, tensor<64x4xf32>) outs(%none : tensor<64x64xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %out, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<64x64xf32>
  return %s : tensor<64x64xf32>
}

// -----

// A constant of a type that does not say how many elements it has.

func.func @open(%x: tensor<4xf32>) -> tensor<4xf32> {
  %table = arith.constant dense_resource<table> : tensor<?xi64>
  %e = tensor.empty() : tensor<4xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%e : tensor<4xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %at = tensor.extract %table[%i] : tensor<?xi64>
    %j = arith.index_cast %at : i64 to index
    %v = tensor.extract %x[%j] : tensor<4xf32>
    linalg.yield %v : f32
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}

{-#
  dialect_resources: { builtin: { table: "0x0800000000000000000000000100000000000000" } }
#-}
