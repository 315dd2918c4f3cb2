// A table of a length known at run time, read without an assertion; then its rows go through a matmul.
func.func @main(%tokens: tensor<?xi32>, %table: tensor<?x16xf32>, %weight: tensor<16x8xf32>) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %tokens, %c0 : tensor<?xi32>
  %init = tensor.empty(%n) : tensor<?x16xf32>
  %rows = linalg.generic {
      indexing_maps = [affine_map<(s, d) -> (s)>, affine_map<(s, d) -> (s, d)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%tokens : tensor<?xi32>) outs(%init : tensor<?x16xf32>) {
  ^bb0(%token: i32, %out: f32):
    %row = arith.index_cast %token : i32 to index
    %column = linalg.index 1 : index
    %element = tensor.extract %table[%row, %column] : tensor<?x16xf32>
    linalg.yield %element : f32
  } -> tensor<?x16xf32>
  %empty = tensor.empty(%n) : tensor<?x8xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x8xf32>) -> tensor<?x8xf32>
  %0 = linalg.matmul ins(%rows, %weight : tensor<?x16xf32>, tensor<16x8xf32>) outs(%zeros : tensor<?x8xf32>) -> tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}
