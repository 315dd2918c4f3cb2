// A slice of all of a dynamic dimension of a matmul, spelt with a static size.

func.func @columns(%x: tensor<?x8xf32>, %w: tensor<8x?xf32>, %init: tensor<?x?xf32>) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %x, %c0 : tensor<?x8xf32>
  %p = linalg.matmul ins(%x, %w : tensor<?x8xf32>, tensor<8x?xf32>) outs(%init : tensor<?x?xf32>) -> tensor<?x?xf32>
  %s = tensor.extract_slice %p[0, 0] [%rows, 8] [1, 1] : tensor<?x?xf32> to tensor<?x8xf32>
  return %s : tensor<?x8xf32>
}

// -----

// A slice of static columns that begins where an argument says.

func.func @rows(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>, %init: tensor<4x16xf32>, %from: tensor<i64>) -> tensor<4x8xf32> {
  %first = tensor.extract %from[] : tensor<i64>
  %i = arith.index_cast %first : i64 to index
  %p = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x16xf32>) outs(%init : tensor<4x16xf32>) -> tensor<4x16xf32>
  %s = tensor.extract_slice %p[0, %i] [4, 8] [1, 1] : tensor<4x16xf32> to tensor<4x8xf32>
  return %s : tensor<4x8xf32>
}
