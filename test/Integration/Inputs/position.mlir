// A row at a position that the function reads and asserts to be in the table.
func.func @main(%pos: tensor<1xi64>, %table: tensor<50x24xf32>, %x: tensor<24xf32>) -> tensor<24xf32> {
  %c0 = arith.constant 0 : index
  %c50 = arith.constant 50 : i64
  %p = tensor.extract %pos[%c0] : tensor<1xi64>
  %ok = arith.cmpi slt, %p, %c50 : i64
  cf.assert %ok, "position must be in the table"
  %at = arith.index_cast %p : i64 to index
  %init = tensor.empty() : tensor<24xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d) -> (d)>, affine_map<(d) -> (d)>], iterator_types = ["parallel"]}
      ins(%x : tensor<24xf32>) outs(%init : tensor<24xf32>) {
  ^bb0(%in: f32, %out: f32):
    %column = linalg.index 0 : index
    %element = tensor.extract %table[%at, %column] : tensor<50x24xf32>
    %s = arith.addf %element, %in : f32
    linalg.yield %s : f32
  } -> tensor<24xf32>
  return %0 : tensor<24xf32>
}
