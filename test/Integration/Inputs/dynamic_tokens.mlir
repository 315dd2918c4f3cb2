// Exported by torch 2.15.0, torch-mlir 20261001, output linalg-on-tensors, with decomposition_table={}.
// Batch and length are dynamic.
//   %arg0 ids: 3x5xint64
//   %arg1 tok.weight: 11x8xfloat32
//   %arg2 pos.weight: 16x8xfloat32
//   %arg3 ln.weight: 8xfloat32
//   %arg4 ln.bias: 8xfloat32
//   %arg5 qkv.weight: 24x8xfloat32
//   %arg6 qkv.bias: 24xfloat32
//   %arg7 o.weight: 8x8xfloat32
//   %arg8 o.bias: 8xfloat32
//   %arg9 head.weight: 11x8xfloat32
//   %arg10 head.bias: 11xfloat32
#map = affine_map<(d0, d1, d2) -> (d0, d1)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0) -> (d0)>
#map3 = affine_map<(d0, d1) -> (d0)>
#map4 = affine_map<(d0, d1) -> (d0, d1)>
#map5 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map6 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map7 = affine_map<(d0, d1, d2) -> (d2)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map9 = affine_map<()[s0] -> (s0 * 2)>
module {
  func.func @main(%arg0: tensor<?x?xi64>, %arg1: tensor<11x8xf32>, %arg2: tensor<16x8xf32>, %arg3: tensor<8xf32>, %arg4: tensor<8xf32>, %arg5: tensor<24x8xf32>, %arg6: tensor<24xf32>, %arg7: tensor<8x8xf32>, %arg8: tensor<8xf32>, %arg9: tensor<11x8xf32>, %arg10: tensor<11xf32>) -> tensor<?x?x11xf32> {
    %true = arith.constant true
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %c2 = arith.constant 2 : index
    %c0 = arith.constant 0 : index
    %c1_i64 = arith.constant 1 : i64
    %c0_i64 = arith.constant 0 : i64
    %c2_i64 = arith.constant 2 : i64
    %c11 = arith.constant 11 : index
    %c16 = arith.constant 16 : index
    %cst_1 = arith.constant 1.000000e-05 : f64
    %cst_2 = arith.constant 8.000000e+00 : f32
    %c8_i64 = arith.constant 8 : i64
    %dim = tensor.dim %arg0, %c0 : tensor<?x?xi64>
    %0 = arith.index_cast %dim : index to i64
    %dim_3 = tensor.dim %arg0, %c1 : tensor<?x?xi64>
    %1 = arith.index_cast %dim_3 : index to i64
    %2 = tensor.empty(%dim, %dim_3) : tensor<?x?x8xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<?x?xi64>) outs(%2 : tensor<?x?x8xf32>) {
    ^bb0(%in: i64, %out: f32):
      %90 = arith.index_cast %in : i64 to index
      %91 = linalg.index 2 : index
      %92 = arith.cmpi slt, %90, %c11 : index
      cf.assert %92, "index must be smaller than dim size"
      %93 = arith.cmpi sge, %in, %c0_i64 : i64
      cf.assert %93, "index must be larger or equal to 0"
      %extracted = tensor.extract %arg1[%90, %91] : tensor<11x8xf32>
      linalg.yield %extracted : f32
    } -> tensor<?x?x8xf32>
    %4 = tensor.empty(%dim_3) : tensor<?xi64>
    %5 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel"]} outs(%4 : tensor<?xi64>) {
    ^bb0(%out: i64):
      %90 = linalg.index 0 : index
      %91 = arith.index_cast %90 : index to i64
      linalg.yield %91 : i64
    } -> tensor<?xi64>
    %6 = tensor.empty(%dim_3) : tensor<?x8xf32>
    %7 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<?xi64>) outs(%6 : tensor<?x8xf32>) {
    ^bb0(%in: i64, %out: f32):
      %90 = arith.index_cast %in : i64 to index
      %91 = linalg.index 1 : index
      %92 = arith.cmpi slt, %90, %c16 : index
      cf.assert %92, "index must be smaller than dim size"
      %93 = arith.cmpi sge, %in, %c0_i64 : i64
      cf.assert %93, "index must be larger or equal to 0"
      %extracted = tensor.extract %arg2[%90, %91] : tensor<16x8xf32>
      linalg.yield %extracted : f32
    } -> tensor<?x8xf32>
    %8 = linalg.generic {indexing_maps = [#map1, #map5, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3, %7 : tensor<?x?x8xf32>, tensor<?x8xf32>) outs(%2 : tensor<?x?x8xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %90 = arith.addf %in, %in_26 : f32
      linalg.yield %90 : f32
    } -> tensor<?x?x8xf32>
    %9 = tensor.empty(%dim, %dim_3) : tensor<?x?x1xf32>
    %10 = linalg.fill ins(%cst_0 : f32) outs(%9 : tensor<?x?x1xf32>) -> tensor<?x?x1xf32>
    %11 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%8 : tensor<?x?x8xf32>) outs(%10 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %90 = arith.addf %in, %out : f32
      linalg.yield %90 : f32
    } -> tensor<?x?x1xf32>
    %12 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<?x?x1xf32>) outs(%9 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %90 = arith.divf %in, %cst_2 : f32
      linalg.yield %90 : f32
    } -> tensor<?x?x1xf32>
    %13 = arith.cmpi sge, %0, %c0_i64 : i64
    cf.assert %13, "unimplemented: dynamic negative broadcast sizes"
    %14 = arith.cmpi sge, %1, %c0_i64 : i64
    cf.assert %14, "unimplemented: dynamic negative broadcast sizes"
    %15 = tensor.empty(%dim, %dim_3) : tensor<?x?x8xf32>
    %16 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel", "parallel", "parallel"]} outs(%15 : tensor<?x?x8xf32>) {
    ^bb0(%out: f32):
      %90 = linalg.index 0 : index
      %91 = linalg.index 1 : index
      %92 = arith.cmpi eq, %dim, %c1 : index
      %93 = arith.select %92, %c0, %90 : index
      %94 = arith.cmpi eq, %dim_3, %c1 : index
      %95 = arith.select %94, %c0, %91 : index
      %extracted = tensor.extract %12[%93, %95, %c0] : tensor<?x?x1xf32>
      linalg.yield %extracted : f32
    } -> tensor<?x?x8xf32>
    cf.assert %true, "mismatched size for broadcast"
    cf.assert %true, "mismatched size for broadcast"
    %17 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %16 : tensor<?x?x8xf32>, tensor<?x?x8xf32>) outs(%2 : tensor<?x?x8xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %90 = arith.subf %in, %in_26 : f32
      linalg.yield %90 : f32
    } -> tensor<?x?x8xf32>
    %18 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17, %17 : tensor<?x?x8xf32>, tensor<?x?x8xf32>) outs(%2 : tensor<?x?x8xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %90 = arith.mulf %in, %in_26 : f32
      linalg.yield %90 : f32
    } -> tensor<?x?x8xf32>
    %19 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%18 : tensor<?x?x8xf32>) outs(%10 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %90 = arith.addf %in, %out : f32
      linalg.yield %90 : f32
    } -> tensor<?x?x1xf32>
    %20 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19 : tensor<?x?x1xf32>) outs(%9 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %90 = arith.divf %in, %cst_2 : f32
      linalg.yield %90 : f32
    } -> tensor<?x?x1xf32>
    %21 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20 : tensor<?x?x1xf32>) outs(%9 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %90 = arith.truncf %cst_1 : f64 to f32
      %91 = arith.addf %in, %90 : f32
      linalg.yield %91 : f32
    } -> tensor<?x?x1xf32>
    %22 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21 : tensor<?x?x1xf32>) outs(%9 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %90 = math.rsqrt %in : f32
      linalg.yield %90 : f32
    } -> tensor<?x?x1xf32>
    cf.assert %13, "unimplemented: dynamic negative broadcast sizes"
    cf.assert %14, "unimplemented: dynamic negative broadcast sizes"
    %23 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel", "parallel", "parallel"]} outs(%15 : tensor<?x?x8xf32>) {
    ^bb0(%out: f32):
      %90 = linalg.index 0 : index
      %91 = linalg.index 1 : index
      %92 = arith.cmpi eq, %dim, %c1 : index
      %93 = arith.select %92, %c0, %90 : index
      %94 = arith.cmpi eq, %dim_3, %c1 : index
      %95 = arith.select %94, %c0, %91 : index
      %extracted = tensor.extract %22[%93, %95, %c0] : tensor<?x?x1xf32>
      linalg.yield %extracted : f32
    } -> tensor<?x?x8xf32>
    cf.assert %true, "mismatched size for broadcast"
    cf.assert %true, "mismatched size for broadcast"
    %24 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17, %23 : tensor<?x?x8xf32>, tensor<?x?x8xf32>) outs(%2 : tensor<?x?x8xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %90 = arith.mulf %in, %in_26 : f32
      linalg.yield %90 : f32
    } -> tensor<?x?x8xf32>
    %25 = linalg.generic {indexing_maps = [#map1, #map7, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%24, %arg3 : tensor<?x?x8xf32>, tensor<8xf32>) outs(%2 : tensor<?x?x8xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %90 = arith.mulf %in, %in_26 : f32
      linalg.yield %90 : f32
    } -> tensor<?x?x8xf32>
    %26 = linalg.generic {indexing_maps = [#map1, #map7, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%25, %arg4 : tensor<?x?x8xf32>, tensor<8xf32>) outs(%2 : tensor<?x?x8xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %90 = arith.addf %in, %in_26 : f32
      linalg.yield %90 : f32
    } -> tensor<?x?x8xf32>
    %27 = tensor.empty() : tensor<8x24xf32>
    %transposed = linalg.transpose ins(%arg5 : tensor<24x8xf32>) outs(%27 : tensor<8x24xf32>) permutation = [1, 0] 
    %28 = arith.cmpi sge, %0, %c0_i64 : i64
    cf.assert %28, "negative values not allowed in new dimensions"
    %29 = tensor.empty(%dim) : tensor<?x8x24xf32>
    %30 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed : tensor<8x24xf32>) outs(%29 : tensor<?x8x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<?x8x24xf32>
    %31 = tensor.empty(%dim, %dim_3) : tensor<?x?x24xf32>
    %32 = linalg.fill ins(%cst_0 : f32) outs(%31 : tensor<?x?x24xf32>) -> tensor<?x?x24xf32>
    %33 = linalg.batch_matmul ins(%26, %30 : tensor<?x?x8xf32>, tensor<?x8x24xf32>) outs(%32 : tensor<?x?x24xf32>) -> tensor<?x?x24xf32>
    %34 = linalg.generic {indexing_maps = [#map1, #map7, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%33, %arg6 : tensor<?x?x24xf32>, tensor<24xf32>) outs(%31 : tensor<?x?x24xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %90 = arith.addf %in, %in_26 : f32
      linalg.yield %90 : f32
    } -> tensor<?x?x24xf32>
    %extracted_slice = tensor.extract_slice %34[0, 0, 0] [%dim, %dim_3, 8] [1, 1, 1] : tensor<?x?x24xf32> to tensor<?x?x8xf32>
    %extracted_slice_4 = tensor.extract_slice %34[0, 0, 8] [%dim, %dim_3, 8] [1, 1, 1] : tensor<?x?x24xf32> to tensor<?x?x8xf32>
    %extracted_slice_5 = tensor.extract_slice %34[0, 0, 16] [%dim, %dim_3, 8] [1, 1, 1] : tensor<?x?x24xf32> to tensor<?x?x8xf32>
    %35 = arith.cmpi slt, %0, %c0_i64 : i64
    %36 = arith.select %35, %c1_i64, %0 : i64
    %37 = arith.extui %35 : i1 to i64
    %38 = arith.muli %36, %1 : i64
    %39 = arith.addi %37, %c1_i64 : i64
    %40 = arith.cmpi slt, %1, %c0_i64 : i64
    %41 = arith.select %40, %36, %38 : i64
    %42 = arith.select %40, %39, %37 : i64
    %43 = arith.muli %41, %c2_i64 : i64
    %44 = arith.addi %42, %c1_i64 : i64
    %45 = arith.cmpi sle, %44, %c1_i64 : i64
    cf.assert %45, "must have at most one inferred (negative) dimension"
    %46 = arith.muli %0, %1 : i64
    %47 = arith.muli %46, %c8_i64 : i64
    %48 = arith.divsi %47, %43 : i64
    %49 = arith.select %35, %48, %0 : i64
    %50 = arith.select %40, %48, %1 : i64
    %from_elements = tensor.from_elements %49, %50, %c2_i64, %48 : tensor<4xi64>
    %reshape = tensor.reshape %extracted_slice(%from_elements) : (tensor<?x?x8xf32>, tensor<4xi64>) -> tensor<?x?x2x4xf32>
    %51 = arith.index_cast %49 : i64 to index
    %52 = arith.index_cast %50 : i64 to index
    %53 = tensor.empty(%51, %52) : tensor<?x2x?x4xf32>
    %transposed_6 = linalg.transpose ins(%reshape : tensor<?x?x2x4xf32>) outs(%53 : tensor<?x2x?x4xf32>) permutation = [0, 2, 1, 3] 
    cf.assert %45, "must have at most one inferred (negative) dimension"
    %reshape_7 = tensor.reshape %extracted_slice_4(%from_elements) : (tensor<?x?x8xf32>, tensor<4xi64>) -> tensor<?x?x2x4xf32>
    %transposed_8 = linalg.transpose ins(%reshape_7 : tensor<?x?x2x4xf32>) outs(%53 : tensor<?x2x?x4xf32>) permutation = [0, 2, 1, 3] 
    cf.assert %45, "must have at most one inferred (negative) dimension"
    %reshape_9 = tensor.reshape %extracted_slice_5(%from_elements) : (tensor<?x?x8xf32>, tensor<4xi64>) -> tensor<?x?x2x4xf32>
    %transposed_10 = linalg.transpose ins(%reshape_9 : tensor<?x?x2x4xf32>) outs(%53 : tensor<?x2x?x4xf32>) permutation = [0, 2, 1, 3] 
    %dim_11 = tensor.dim %transposed_6, %c0 : tensor<?x2x?x4xf32>
    %dim_12 = tensor.dim %transposed_6, %c2 : tensor<?x2x?x4xf32>
    %dim_13 = tensor.dim %transposed_8, %c2 : tensor<?x2x?x4xf32>
    %54 = tensor.empty(%dim_11, %dim_12, %dim_13) : tensor<?x2x?x?xf32>
    %55 = linalg.fill ins(%cst_0 : f32) outs(%54 : tensor<?x2x?x?xf32>) -> tensor<?x2x?x?xf32>
    %56 = linalg.generic {indexing_maps = [#map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%55 : tensor<?x2x?x?xf32>) {
    ^bb0(%out: f32):
      %90 = linalg.index 2 : index
      %91 = linalg.index 3 : index
      %92 = arith.cmpi sge, %90, %91 : index
      %93 = arith.select %92, %cst_0, %cst : f32
      linalg.yield %93 : f32
    } -> tensor<?x2x?x?xf32>
    %collapsed = tensor.collapse_shape %transposed_6 [[0, 1], [2], [3]] : tensor<?x2x?x4xf32> into tensor<?x?x4xf32>
    %collapsed_14 = tensor.collapse_shape %transposed_8 [[0, 1], [2], [3]] : tensor<?x2x?x4xf32> into tensor<?x?x4xf32>
    %collapsed_15 = tensor.collapse_shape %transposed_10 [[0, 1], [2], [3]] : tensor<?x2x?x4xf32> into tensor<?x?x4xf32>
    %collapsed_16 = tensor.collapse_shape %56 [[0, 1], [2], [3]] : tensor<?x2x?x?xf32> into tensor<?x?x?xf32>
    %57 = affine.apply #map9()[%dim_11]
    %58 = tensor.empty(%57, %dim_12) : tensor<?x?x4xf32>
    %59 = linalg.fill ins(%cst_0 : f32) outs(%58 : tensor<?x?x4xf32>) -> tensor<?x?x4xf32>
    %60 = "tm_tensor.attention"(%collapsed, %collapsed_14, %collapsed_15, %collapsed_16, %59) <{operandSegmentSizes = array<i32: 4, 1>}> : (tensor<?x?x4xf32>, tensor<?x?x4xf32>, tensor<?x?x4xf32>, tensor<?x?x?xf32>, tensor<?x?x4xf32>) -> tensor<?x?x4xf32>
    %dim_17 = tensor.dim %60, %c0 : tensor<?x?x4xf32>
    %dim_18 = tensor.dim %60, %c1 : tensor<?x?x4xf32>
    %61 = arith.divsi %dim_17, %c2 : index
    %expanded = tensor.expand_shape %60 [[0, 1], [2], [3]] output_shape [%61, 2, %dim_18, 4] : tensor<?x?x4xf32> into tensor<?x2x?x4xf32>
    %dim_19 = tensor.dim %expanded, %c0 : tensor<?x2x?x4xf32>
    %dim_20 = tensor.dim %expanded, %c2 : tensor<?x2x?x4xf32>
    %62 = tensor.empty(%dim_19, %dim_20) : tensor<?x?x2x4xf32>
    %transposed_21 = linalg.transpose ins(%expanded : tensor<?x2x?x4xf32>) outs(%62 : tensor<?x?x2x4xf32>) permutation = [0, 2, 1, 3] 
    cf.assert %45, "must have at most one inferred (negative) dimension"
    %63 = arith.index_cast %dim_19 : index to i64
    %64 = arith.index_cast %dim_20 : index to i64
    %65 = arith.muli %63, %64 : i64
    %66 = arith.muli %65, %c8_i64 : i64
    %67 = arith.divsi %66, %41 : i64
    %68 = arith.select %35, %67, %0 : i64
    %69 = arith.select %40, %67, %1 : i64
    %from_elements_22 = tensor.from_elements %68, %69, %67 : tensor<3xi64>
    %reshape_23 = tensor.reshape %transposed_21(%from_elements_22) : (tensor<?x?x2x4xf32>, tensor<3xi64>) -> tensor<?x?x8xf32>
    %70 = tensor.empty() : tensor<8x8xf32>
    %transposed_24 = linalg.transpose ins(%arg7 : tensor<8x8xf32>) outs(%70 : tensor<8x8xf32>) permutation = [1, 0] 
    %71 = arith.index_cast %68 : i64 to index
    %72 = arith.index_cast %69 : i64 to index
    %73 = arith.cmpi sge, %68, %c0_i64 : i64
    cf.assert %73, "negative values not allowed in new dimensions"
    %74 = tensor.empty(%71) : tensor<?x8x8xf32>
    %75 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_24 : tensor<8x8xf32>) outs(%74 : tensor<?x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<?x8x8xf32>
    %76 = tensor.empty(%71, %72) : tensor<?x?x8xf32>
    %77 = linalg.fill ins(%cst_0 : f32) outs(%76 : tensor<?x?x8xf32>) -> tensor<?x?x8xf32>
    %78 = linalg.batch_matmul ins(%reshape_23, %75 : tensor<?x?x8xf32>, tensor<?x8x8xf32>) outs(%77 : tensor<?x?x8xf32>) -> tensor<?x?x8xf32>
    %79 = linalg.generic {indexing_maps = [#map1, #map7, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%78, %arg8 : tensor<?x?x8xf32>, tensor<8xf32>) outs(%76 : tensor<?x?x8xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %90 = arith.addf %in, %in_26 : f32
      linalg.yield %90 : f32
    } -> tensor<?x?x8xf32>
    %80 = arith.cmpi eq, %dim, %71 : index
    cf.assert %80, "mismatched size for broadcast"
    %81 = arith.cmpi eq, %dim_3, %72 : index
    cf.assert %81, "mismatched size for broadcast"
    %82 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %79 : tensor<?x?x8xf32>, tensor<?x?x8xf32>) outs(%2 : tensor<?x?x8xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %90 = arith.addf %in, %in_26 : f32
      linalg.yield %90 : f32
    } -> tensor<?x?x8xf32>
    %83 = tensor.empty() : tensor<8x11xf32>
    %transposed_25 = linalg.transpose ins(%arg9 : tensor<11x8xf32>) outs(%83 : tensor<8x11xf32>) permutation = [1, 0] 
    cf.assert %28, "negative values not allowed in new dimensions"
    %84 = tensor.empty(%dim) : tensor<?x8x11xf32>
    %85 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_25 : tensor<8x11xf32>) outs(%84 : tensor<?x8x11xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<?x8x11xf32>
    %86 = tensor.empty(%dim, %dim_3) : tensor<?x?x11xf32>
    %87 = linalg.fill ins(%cst_0 : f32) outs(%86 : tensor<?x?x11xf32>) -> tensor<?x?x11xf32>
    %88 = linalg.batch_matmul ins(%82, %85 : tensor<?x?x8xf32>, tensor<?x8x11xf32>) outs(%87 : tensor<?x?x11xf32>) -> tensor<?x?x11xf32>
    %89 = linalg.generic {indexing_maps = [#map1, #map7, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%88, %arg10 : tensor<?x?x11xf32>, tensor<11xf32>) outs(%86 : tensor<?x?x11xf32>) {
    ^bb0(%in: f32, %in_26: f32, %out: f32):
      %90 = arith.addf %in, %in_26 : f32
      linalg.yield %90 : f32
    } -> tensor<?x?x11xf32>
    return %89 : tensor<?x?x11xf32>
  }
}

