// What a loader of packages meets: dynamic sizes, a constant, attention, an input that a result takes over, an index.

func.func @main(%x: tensor<?x8xf32>, %k: tensor<1x2x?x8xf32>) -> (tensor<?x8xf32>, tensor<1x2x?x8xf32>) {
  %weights = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<8xf32>
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %rows = tensor.dim %x, %c0 : tensor<?x8xf32>
  %init = tensor.empty(%rows) : tensor<?x8xf32>
  %sums = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]
    } ins(%x, %weights : tensor<?x8xf32>, tensor<8xf32>) outs(%init : tensor<?x8xf32>) {
  ^bb0(%a: f32, %b: f32, %old: f32):
    %sum = arith.addf %a, %b : f32
    linalg.yield %sum : f32
  } -> tensor<?x8xf32>
  %causal = stof.mask {
  ^bb0(%batch: index, %head: index, %query: index, %key: index):
    %keep = arith.cmpi ule, %key, %query : index
    stof.yield %keep : i1
  } : !stof.mask<?x?>
  %keys = tensor.dim %k, %c2 : tensor<1x2x?x8xf32>
  %empty = tensor.empty(%keys) : tensor<1x2x?x8xf32>
  %out = stof.attention ins(%k, %k, %k : tensor<1x2x?x8xf32>, tensor<1x2x?x8xf32>, tensor<1x2x?x8xf32>)
      mask(%causal : !stof.mask<?x?>) outs(%empty : tensor<1x2x?x8xf32>) scale 0.01 -> tensor<1x2x?x8xf32>
  return %sums, %out : tensor<?x8xf32>, tensor<1x2x?x8xf32>
}

func.func @update(%cache: tensor<4x8xf32> {tf.aliasing_output = 0 : i32}, %row: tensor<1x8xf32>) -> tensor<4x8xf32> {
  %new = tensor.insert_slice %row into %cache[2, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<4x8xf32>
  return %new : tensor<4x8xf32>
}

func.func @read(%table: tensor<?x8xf32>, %numbers: tensor<2xf32>) -> tensor<2x8xf32> {
  %init = tensor.empty() : tensor<2x8xf32>
  %rows = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]
    } ins(%numbers : tensor<2xf32>) outs(%init : tensor<2x8xf32>) {
  ^bb0(%number: f32, %old: f32):
    %integer = arith.fptosi %number : f32 to i64
    %row = arith.index_cast %integer : i64 to index
    %column = linalg.index 1 : index
    %element = tensor.extract %table[%row, %column] : tensor<?x8xf32>
    linalg.yield %element : f32
  } -> tensor<2x8xf32>
  return %rows : tensor<2x8xf32>
}
