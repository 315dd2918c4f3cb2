// A layer that torch-mlir exported: its weight and bias are arguments, and so is a buffer that it adds to.
#map = affine_map<(d0, d1) -> (d1)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0) -> (d0)>
#map3 = affine_map<(d0, d1) -> (d0, 0)>
#map4 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map5 = affine_map<(d0, d1, d2) -> ()>
#map6 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map7 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map8 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map9 = affine_map<(d0, d1, d2) -> (d2)>
module {
  func.func @main(%arg0: tensor<2x6x8xf32>, %arg1: tensor<24x8xf32>, %arg2: tensor<24xf32>, %arg3: tensor<8xf32> {tf.aliasing_output = 0 : i32}) -> (tensor<8xf32>, tensor<2x6x8xf32>) {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %true = arith.constant true
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant dense<0xFF800000> : tensor<f32>
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<2x6x8xf32> into tensor<12x8xf32>
    %0 = tensor.empty() : tensor<8x24xf32>
    %transposed = linalg.transpose ins(%arg1 : tensor<24x8xf32>) outs(%0 : tensor<8x24xf32>) permutation = [1, 0] 
    %1 = tensor.empty() : tensor<12x24xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<12x24xf32>) -> tensor<12x24xf32>
    %3 = linalg.matmul ins(%collapsed, %transposed : tensor<12x8xf32>, tensor<8x24xf32>) outs(%2 : tensor<12x24xf32>) -> tensor<12x24xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg2 : tensor<24xf32>) outs(%1 : tensor<12x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<12x24xf32>
    %5 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%3, %4 : tensor<12x24xf32>, tensor<12x24xf32>) outs(%1 : tensor<12x24xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %34 = arith.addf %in, %in_7 : f32
      linalg.yield %34 : f32
    } -> tensor<12x24xf32>
    %expanded = tensor.expand_shape %5 [[0, 1], [2]] output_shape [2, 6, 24] : tensor<12x24xf32> into tensor<2x6x24xf32>
    %extracted_slice = tensor.extract_slice %expanded[0, 0, 0] [2, 6, 8] [1, 1, 1] : tensor<2x6x24xf32> to tensor<2x6x8xf32>
    %extracted_slice_2 = tensor.extract_slice %expanded[0, 0, 8] [2, 6, 8] [1, 1, 1] : tensor<2x6x24xf32> to tensor<2x6x8xf32>
    %extracted_slice_3 = tensor.extract_slice %expanded[0, 0, 16] [2, 6, 8] [1, 1, 1] : tensor<2x6x24xf32> to tensor<2x6x8xf32>
    %6 = tensor.empty() : tensor<6xi64>
    %7 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%6 : tensor<6xi64>) {
    ^bb0(%out: i64):
      %34 = linalg.index 0 : index
      %35 = arith.index_cast %34 : index to i64
      linalg.yield %35 : i64
    } -> tensor<6xi64>
    %expanded_4 = tensor.expand_shape %7 [[0, 1]] output_shape [6, 1] : tensor<6xi64> into tensor<6x1xi64>
    %8 = tensor.empty() : tensor<6x6xi1>
    %9 = linalg.generic {indexing_maps = [#map3, #map, #map1], iterator_types = ["parallel", "parallel"]} ins(%expanded_4, %7 : tensor<6x1xi64>, tensor<6xi64>) outs(%8 : tensor<6x6xi1>) {
    ^bb0(%in: i64, %in_7: i64, %out: i1):
      %34 = arith.cmpi sge, %in, %in_7 : i64
      linalg.yield %34 : i1
    } -> tensor<6x6xi1>
    %10 = tensor.empty() : tensor<2x8x6xf32>
    %transposed_5 = linalg.transpose ins(%extracted_slice_2 : tensor<2x6x8xf32>) outs(%10 : tensor<2x8x6xf32>) permutation = [0, 2, 1] 
    %11 = tensor.empty() : tensor<2x6x6xf32>
    %12 = linalg.fill ins(%cst : f32) outs(%11 : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
    %13 = linalg.batch_matmul ins(%extracted_slice, %transposed_5 : tensor<2x6x8xf32>, tensor<2x8x6xf32>) outs(%12 : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
    %14 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<6x6xi1>) outs(%8 : tensor<6x6xi1>) {
    ^bb0(%in: i1, %out: i1):
      %34 = arith.xori %in, %true : i1
      linalg.yield %34 : i1
    } -> tensor<6x6xi1>
    %15 = linalg.generic {indexing_maps = [#map4, #map5, #map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14, %cst_1, %13 : tensor<6x6xi1>, tensor<f32>, tensor<2x6x6xf32>) outs(%11 : tensor<2x6x6xf32>) {
    ^bb0(%in: i1, %in_7: f32, %in_8: f32, %out: f32):
      %34 = arith.select %in, %in_7, %in_8 : f32
      linalg.yield %34 : f32
    } -> tensor<2x6x6xf32>
    %16 = tensor.empty() : tensor<2x6xi64>
    %17 = linalg.fill ins(%c0_i64 : i64) outs(%16 : tensor<2x6xi64>) -> tensor<2x6xi64>
    %18 = tensor.empty() : tensor<2x6xf32>
    %19 = linalg.fill ins(%cst_0 : f32) outs(%18 : tensor<2x6xf32>) -> tensor<2x6xf32>
    %20:2 = linalg.generic {indexing_maps = [#map6, #map7, #map7], iterator_types = ["parallel", "parallel", "reduction"]} ins(%15 : tensor<2x6x6xf32>) outs(%19, %17 : tensor<2x6xf32>, tensor<2x6xi64>) {
    ^bb0(%in: f32, %out: f32, %out_7: i64):
      %34 = linalg.index 2 : index
      %35 = arith.index_cast %34 : index to i64
      %36 = arith.maximumf %in, %out : f32
      %37 = arith.cmpf ogt, %in, %out : f32
      %38 = arith.select %37, %35, %out_7 : i64
      linalg.yield %36, %38 : f32, i64
    } -> (tensor<2x6xf32>, tensor<2x6xi64>)
    %expanded_6 = tensor.expand_shape %20#0 [[0], [1, 2]] output_shape [2, 6, 1] : tensor<2x6xf32> into tensor<2x6x1xf32>
    %21 = linalg.generic {indexing_maps = [#map6, #map8, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15, %expanded_6 : tensor<2x6x6xf32>, tensor<2x6x1xf32>) outs(%11 : tensor<2x6x6xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %34 = arith.subf %in, %in_7 : f32
      linalg.yield %34 : f32
    } -> tensor<2x6x6xf32>
    %22 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21 : tensor<2x6x6xf32>) outs(%11 : tensor<2x6x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %34 = math.exp %in : f32
      linalg.yield %34 : f32
    } -> tensor<2x6x6xf32>
    %23 = tensor.empty() : tensor<2x6x1xf32>
    %24 = linalg.fill ins(%cst : f32) outs(%23 : tensor<2x6x1xf32>) -> tensor<2x6x1xf32>
    %25 = linalg.generic {indexing_maps = [#map6, #map8], iterator_types = ["parallel", "parallel", "reduction"]} ins(%22 : tensor<2x6x6xf32>) outs(%24 : tensor<2x6x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %34 = arith.addf %in, %out : f32
      linalg.yield %34 : f32
    } -> tensor<2x6x1xf32>
    %26 = linalg.generic {indexing_maps = [#map6, #map8, #map6], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22, %25 : tensor<2x6x6xf32>, tensor<2x6x1xf32>) outs(%11 : tensor<2x6x6xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %34 = arith.divf %in, %in_7 : f32
      linalg.yield %34 : f32
    } -> tensor<2x6x6xf32>
    %27 = tensor.empty() : tensor<2x6x8xf32>
    %28 = linalg.fill ins(%cst : f32) outs(%27 : tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
    %29 = linalg.batch_matmul ins(%26, %extracted_slice_3 : tensor<2x6x6xf32>, tensor<2x6x8xf32>) outs(%28 : tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
    %30 = tensor.empty() : tensor<8xf32>
    %31 = linalg.fill ins(%cst : f32) outs(%30 : tensor<8xf32>) -> tensor<8xf32>
    %32 = linalg.generic {indexing_maps = [#map6, #map9], iterator_types = ["reduction", "reduction", "parallel"]} ins(%29 : tensor<2x6x8xf32>) outs(%31 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %34 = arith.addf %in, %out : f32
      linalg.yield %34 : f32
    } -> tensor<8xf32>
    %33 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel"]} ins(%arg3, %32 : tensor<8xf32>, tensor<8xf32>) outs(%30 : tensor<8xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %34 = arith.addf %in, %in_7 : f32
      linalg.yield %34 : f32
    } -> tensor<8xf32>
    return %33, %29 : tensor<8xf32>, tensor<2x6x8xf32>
  }
}

