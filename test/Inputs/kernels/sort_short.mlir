// The greatest of short rows: ranks, sources, values.

func.func @short(%x: tensor<13x60xf32>) -> tensor<13x6xf32> {
  %y = "tm_tensor.sort"(%x) <{dimension = 1 : i64, operandSegmentSizes = array<i32: 0, 1>}> ({
  ^bb0(%a: f32, %b: f32):
    %r = arith.cmpf oge, %a, %b : f32
    "tm_tensor.yield"(%r) : (i1) -> ()
  }) : (tensor<13x60xf32>) -> tensor<13x60xf32>
  %v = tensor.extract_slice %y[0, 0] [13, 6] [1, 1] : tensor<13x60xf32> to tensor<13x6xf32>
  return %v : tensor<13x6xf32>
}
