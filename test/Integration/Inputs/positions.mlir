// Positions of a length known at run time read a table of 256 rows.
func.func @main(%tokens: tensor<?xi64>, %table: tensor<256x8xf32>) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : i64
  %n = tensor.dim %tokens, %c0 : tensor<?xi64>
  %e = tensor.empty(%n) : tensor<?xi64>
  %positions = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%e : tensor<?xi64>) {
  ^bb0(%out: i64):
    %i = linalg.index 0 : index
    %p = arith.index_cast %i : index to i64
    linalg.yield %p : i64
  } -> tensor<?xi64>
  %init = tensor.empty(%n) : tensor<?x8xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%positions : tensor<?xi64>) outs(%init : tensor<?x8xf32>) {
  ^bb0(%p: i64, %out: f32):
    %ok = arith.cmpi slt, %p, %c256 : i64
    cf.assert %ok, "index must be smaller than dim size"
    %at = arith.index_cast %p : i64 to index
    %j = linalg.index 1 : index
    %element = tensor.extract %table[%at, %j] : tensor<256x8xf32>
    linalg.yield %element : f32
  } -> tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}
