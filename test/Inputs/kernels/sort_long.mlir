// The least of long rows: runs are ranked and merged.

func.func @long(%x: tensor<2x600xf32>) -> tensor<2x300xf32> {
  %y = "tm_tensor.sort"(%x) <{dimension = 1 : i64, operandSegmentSizes = array<i32: 0, 1>}> ({
  ^bb0(%a: f32, %b: f32):
    %r = arith.cmpf ole, %a, %b : f32
    "tm_tensor.yield"(%r) : (i1) -> ()
  }) : (tensor<2x600xf32>) -> tensor<2x600xf32>
  %v = tensor.extract_slice %y[0, 0] [2, 300] [1, 1] : tensor<2x600xf32> to tensor<2x300xf32>
  return %v : tensor<2x300xf32>
}
