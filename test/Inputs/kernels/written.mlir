// Tensors that slices are written into: side by side, between one another, and
// into what was there.

#id = affine_map<(i, j) -> (i, j)>

func.func @written(%a: tensor<13x24xf16>, %b: tensor<13x7xf16>, %c: tensor<13x9xf32>, %d: tensor<13x9xf32>,
                   %e: tensor<13x20xf32>, %f: tensor<13x5xf32>) -> (tensor<13x31xf16>, tensor<13x18xf32>, tensor<13x20xf32>) {
  %0 = tensor.empty() : tensor<13x31xf16>
  %1 = tensor.insert_slice %b into %0[0, 24] [13, 7] [1, 1] : tensor<13x7xf16> into tensor<13x31xf16>
  %2 = tensor.insert_slice %a into %1[0, 0] [13, 24] [1, 1] : tensor<13x24xf16> into tensor<13x31xf16>
  %3 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%2 : tensor<13x31xf16>) outs(%0 : tensor<13x31xf16>) {
  ^bb0(%x: f16, %o: f16):
    %y = arith.negf %x : f16
    linalg.yield %y : f16
  } -> tensor<13x31xf16>
  %4 = tensor.empty() : tensor<13x18xf32>
  %5 = tensor.insert_slice %c into %4[0, 0] [13, 9] [1, 2] : tensor<13x9xf32> into tensor<13x18xf32>
  %6 = tensor.insert_slice %d into %5[0, 1] [13, 9] [1, 2] : tensor<13x9xf32> into tensor<13x18xf32>
  %7 = tensor.insert_slice %f into %e[0, 3] [13, 5] [1, 3] : tensor<13x5xf32> into tensor<13x20xf32>
  %8 = tensor.insert_slice %f into %7[0, 0] [13, 5] [1, 1] : tensor<13x5xf32> into tensor<13x20xf32>
  return %3, %6, %8 : tensor<13x31xf16>, tensor<13x18xf32>, tensor<13x20xf32>
}
