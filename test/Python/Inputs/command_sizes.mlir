#map = affine_map<(i, j) -> (i, j)>
func.func @add(%x: tensor<?x32xf32>, %y: tensor<?x32xf32>, %n: tensor<4xi64>) -> (tensor<?x32xf32>, tensor<4xi64>) {
  %zero = arith.constant 0 : index
  %size = tensor.dim %x, %zero : tensor<?x32xf32>
  %init = tensor.empty(%size) : tensor<?x32xf32>
  %sum = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<?x32xf32>, tensor<?x32xf32>) outs(%init : tensor<?x32xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<?x32xf32>
  return %sum, %n : tensor<?x32xf32>, tensor<4xi64>
}
