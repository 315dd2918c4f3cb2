// Rows of a table at tokens that the source asserts to be in it, as torch-mlir writes an embedding.
func.func @main(%tokens: tensor<2x33xi64>, %table: tensor<50x24xf32>) -> tensor<2x33x24xf32> {
  %c0 = arith.constant 0 : i64
  %c50 = arith.constant 50 : i64
  %init = tensor.empty() : tensor<2x33x24xf32>
  %0 = linalg.generic {
      indexing_maps = [affine_map<(b, s, d) -> (b, s)>, affine_map<(b, s, d) -> (b, s, d)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%tokens : tensor<2x33xi64>) outs(%init : tensor<2x33x24xf32>) {
  ^bb0(%token: i64, %out: f32):
    %row = arith.index_cast %token : i64 to index
    %column = linalg.index 2 : index
    %below = arith.cmpi slt, %token, %c50 : i64
    cf.assert %below, "index must be smaller than dim size"
    %above = arith.cmpi sge, %token, %c0 : i64
    cf.assert %above, "index must be larger or equal to 0"
    %element = tensor.extract %table[%row, %column] : tensor<50x24xf32>
    linalg.yield %element : f32
  } -> tensor<2x33x24xf32>
  return %0 : tensor<2x33x24xf32>
}
