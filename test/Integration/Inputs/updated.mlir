// Rows of a table are replaced where indices say, as torch-mlir writes index_put.
func.func @main(%at: tensor<7xi64>, %rows: tensor<7x24xf32>, %table: tensor<50x24xf32>) -> tensor<50x24xf32> {
  %updates = tensor.expand_shape %rows [[0, 1], [2]] output_shape [7, 1, 24] : tensor<7x24xf32> into tensor<7x1x24xf32>
  %indices = tensor.expand_shape %at [[0, 1]] output_shape [7, 1] : tensor<7xi64> into tensor<7x1xi64>
  %new = "tm_tensor.scatter"(%updates, %indices, %table) <{dimension_map = array<i64: 0>, operandSegmentSizes = array<i32: 2, 1>, unique_indices = false}> ({
  ^bb0(%update: f32, %old: f32):
    "tm_tensor.yield"(%update) : (f32) -> ()
  }) : (tensor<7x1x24xf32>, tensor<7x1xi64>, tensor<50x24xf32>) -> tensor<50x24xf32>
  return %new : tensor<50x24xf32>
}
