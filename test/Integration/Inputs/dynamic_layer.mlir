// Exported by torch 2.15.0, torch-mlir 20261001, output linalg-on-tensors, decomposed: the length is lost.
// Batch and length are dynamic.
//   %arg0 x: 3x5x8xfloat32
//   %arg1 ln.weight: 8xfloat32
//   %arg2 ln.bias: 8xfloat32
//   %arg3 qkv.weight: 24x8xfloat32
//   %arg4 qkv.bias: 24xfloat32
//   %arg5 o.weight: 8x8xfloat32
//   %arg6 o.bias: 8xfloat32
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1) -> (d1)>
#map4 = affine_map<(d0, d1) -> (d0, d1)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map6 = affine_map<(d0, d1) -> ()>
#map7 = affine_map<(d0) -> (d0)>
#map8 = affine_map<(d0, d1) -> (0, d1)>
#map9 = affine_map<(d0, d1) -> (d0, 0)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map12 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map13 = affine_map<(d0, d1, d2, d3) -> ()>
#map14 = affine_map<(d0, d1, d2) -> (d1, d2)>
module {
  func.func @main(%arg0: tensor<?x?x8xf32>, %arg1: tensor<8xf32>, %arg2: tensor<8xf32>, %arg3: tensor<24x8xf32>, %arg4: tensor<24xf32>, %arg5: tensor<8x8xf32>, %arg6: tensor<8xf32>) -> tensor<?x?x8xf32> {
    %c24_i64 = arith.constant 24 : i64
    %c8_i64 = arith.constant 8 : i64
    %c2_i64 = arith.constant 2 : i64
    %c1_i64 = arith.constant 1 : i64
    %c0_i64 = arith.constant 0 : i64
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %cst = arith.constant 0.000000e+00 : f64
    %cst_0 = arith.constant 0.000000e+00 : f32
    %c4_i64 = arith.constant 4 : i64
    %cst_1 = arith.constant 0xFF800000 : f32
    %true = arith.constant true
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_3 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_4 = arith.constant dense<true> : tensor<i1>
    %cst_5 = arith.constant 0xFFF0000000000000 : f64
    %cst_6 = arith.constant 0.70710678118654757 : f64
    %cst_7 = arith.constant 1.000000e-05 : f64
    %cst_8 = arith.constant 8.000000e+00 : f64
    %cst_9 = arith.constant 8.000000e+00 : f32
    %dim = tensor.dim %arg0, %c0 : tensor<?x?x8xf32>
    %0 = arith.index_cast %dim : index to i64
    %dim_10 = tensor.dim %arg0, %c1 : tensor<?x?x8xf32>
    %1 = arith.index_cast %dim_10 : index to i64
    %2 = tensor.empty(%dim, %dim_10) : tensor<?x?x8xf64>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<?x?x8xf32>) outs(%2 : tensor<?x?x8xf64>) {
    ^bb0(%in: f32, %out: f64):
      %219 = arith.extf %in : f32 to f64
      linalg.yield %219 : f64
    } -> tensor<?x?x8xf64>
    %4 = tensor.empty(%dim, %dim_10) : tensor<?x?x1xf64>
    %5 = linalg.fill ins(%cst : f64) outs(%4 : tensor<?x?x1xf64>) -> tensor<?x?x1xf64>
    %6 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%3 : tensor<?x?x8xf64>) outs(%5 : tensor<?x?x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %219 = arith.addf %in, %out : f64
      linalg.yield %219 : f64
    } -> tensor<?x?x1xf64>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<?x?x1xf64>) outs(%4 : tensor<?x?x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %219 = arith.divf %in, %cst_8 : f64
      linalg.yield %219 : f64
    } -> tensor<?x?x1xf64>
    %8 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3, %7 : tensor<?x?x8xf64>, tensor<?x?x1xf64>) outs(%2 : tensor<?x?x8xf64>) {
    ^bb0(%in: f64, %in_41: f64, %out: f64):
      %219 = arith.subf %in, %in_41 : f64
      linalg.yield %219 : f64
    } -> tensor<?x?x8xf64>
    %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %8 : tensor<?x?x8xf64>, tensor<?x?x8xf64>) outs(%2 : tensor<?x?x8xf64>) {
    ^bb0(%in: f64, %in_41: f64, %out: f64):
      %219 = arith.mulf %in, %in_41 : f64
      linalg.yield %219 : f64
    } -> tensor<?x?x8xf64>
    %10 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%9 : tensor<?x?x8xf64>) outs(%5 : tensor<?x?x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %219 = arith.addf %in, %out : f64
      linalg.yield %219 : f64
    } -> tensor<?x?x1xf64>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10 : tensor<?x?x1xf64>) outs(%4 : tensor<?x?x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %219 = arith.divf %in, %cst_8 : f64
      linalg.yield %219 : f64
    } -> tensor<?x?x1xf64>
    %12 = tensor.empty(%dim, %dim_10) : tensor<?x?x1xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<?x?x1xf64>) outs(%12 : tensor<?x?x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %219 = arith.truncf %in : f64 to f32
      linalg.yield %219 : f32
    } -> tensor<?x?x1xf32>
    %14 = linalg.fill ins(%cst_0 : f32) outs(%12 : tensor<?x?x1xf32>) -> tensor<?x?x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0 : tensor<?x?x8xf32>) outs(%14 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %219 = arith.addf %in, %out : f32
      linalg.yield %219 : f32
    } -> tensor<?x?x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<?x?x1xf32>) outs(%12 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %219 = arith.divf %in, %cst_9 : f32
      linalg.yield %219 : f32
    } -> tensor<?x?x1xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<?x?x1xf32>) outs(%12 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %219 = arith.truncf %cst_7 : f64 to f32
      %220 = arith.addf %in, %219 : f32
      linalg.yield %220 : f32
    } -> tensor<?x?x1xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17 : tensor<?x?x1xf32>) outs(%12 : tensor<?x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %219 = math.rsqrt %in : f32
      linalg.yield %219 : f32
    } -> tensor<?x?x1xf32>
    %19 = tensor.empty(%dim, %dim_10) : tensor<?x?x8xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %16 : tensor<?x?x8xf32>, tensor<?x?x1xf32>) outs(%19 : tensor<?x?x8xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %219 = arith.subf %in, %in_41 : f32
      linalg.yield %219 : f32
    } -> tensor<?x?x8xf32>
    %21 = tensor.empty(%dim) : tensor<?x1x8xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20, %18 : tensor<?x?x8xf32>, tensor<?x?x1xf32>) outs(%21 : tensor<?x1x8xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %219 = arith.mulf %in, %in_41 : f32
      linalg.yield %219 : f32
    } -> tensor<?x1x8xf32>
    %23 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22, %arg1 : tensor<?x1x8xf32>, tensor<8xf32>) outs(%21 : tensor<?x1x8xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %219 = arith.mulf %in, %in_41 : f32
      linalg.yield %219 : f32
    } -> tensor<?x1x8xf32>
    %24 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%23, %arg2 : tensor<?x1x8xf32>, tensor<8xf32>) outs(%21 : tensor<?x1x8xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %219 = arith.addf %in, %in_41 : f32
      linalg.yield %219 : f32
    } -> tensor<?x1x8xf32>
    %25 = arith.muli %0, %1 : i64
    %collapsed = tensor.collapse_shape %24 [[0], [1, 2]] : tensor<?x1x8xf32> into tensor<?x8xf32>
    %26 = tensor.empty() : tensor<8x24xf32>
    %transposed = linalg.transpose ins(%arg3 : tensor<24x8xf32>) outs(%26 : tensor<8x24xf32>) permutation = [1, 0] 
    %27 = tensor.empty(%dim) : tensor<?x24xf32>
    %28 = linalg.fill ins(%cst_0 : f32) outs(%27 : tensor<?x24xf32>) -> tensor<?x24xf32>
    %29 = linalg.matmul ins(%collapsed, %transposed : tensor<?x8xf32>, tensor<8x24xf32>) outs(%28 : tensor<?x24xf32>) -> tensor<?x24xf32>
    %30 = arith.cmpi sge, %25, %c0_i64 : i64
    cf.assert %30, "negative values not allowed in new dimensions"
    %31 = arith.index_cast %25 : i64 to index
    %32 = tensor.empty(%31) : tensor<?x24xf32>
    %33 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%arg4 : tensor<24xf32>) outs(%32 : tensor<?x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<?x24xf32>
    %34 = arith.cmpi eq, %dim, %31 : index
    cf.assert %34, "mismatched size for broadcast"
    %35 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%29, %33 : tensor<?x24xf32>, tensor<?x24xf32>) outs(%27 : tensor<?x24xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %219 = arith.addf %in, %in_41 : f32
      linalg.yield %219 : f32
    } -> tensor<?x24xf32>
    %36 = arith.cmpi slt, %0, %c0_i64 : i64
    %37 = arith.select %36, %c1_i64, %0 : i64
    %38 = arith.extui %36 : i1 to i64
    %39 = arith.muli %37, %1 : i64
    %40 = arith.addi %38, %c1_i64 : i64
    %41 = arith.cmpi slt, %1, %c0_i64 : i64
    %42 = arith.select %41, %37, %39 : i64
    %43 = arith.select %41, %40, %38 : i64
    %44 = arith.muli %42, %c24_i64 : i64
    %45 = arith.cmpi sle, %43, %c1_i64 : i64
    cf.assert %45, "must have at most one inferred (negative) dimension"
    %46 = arith.muli %0, %c24_i64 : i64
    %47 = arith.divsi %46, %44 : i64
    %48 = arith.select %36, %47, %0 : i64
    %49 = arith.select %41, %47, %1 : i64
    %from_elements = tensor.from_elements %48, %49, %c24_i64 : tensor<3xi64>
    %reshape = tensor.reshape %35(%from_elements) : (tensor<?x24xf32>, tensor<3xi64>) -> tensor<?x?x24xf32>
    %50 = arith.index_cast %48 : i64 to index
    %51 = arith.index_cast %49 : i64 to index
    %extracted_slice = tensor.extract_slice %reshape[0, 0, 0] [%50, %51, 8] [1, 1, 1] : tensor<?x?x24xf32> to tensor<?x?x8xf32>
    %extracted_slice_11 = tensor.extract_slice %reshape[0, 0, 8] [%50, %51, 8] [1, 1, 1] : tensor<?x?x24xf32> to tensor<?x?x8xf32>
    %extracted_slice_12 = tensor.extract_slice %reshape[0, 0, 16] [%50, %51, 8] [1, 1, 1] : tensor<?x?x24xf32> to tensor<?x?x8xf32>
    %52 = arith.muli %42, %c2_i64 : i64
    %53 = arith.addi %43, %c1_i64 : i64
    %54 = arith.cmpi sle, %53, %c1_i64 : i64
    cf.assert %54, "must have at most one inferred (negative) dimension"
    %55 = arith.muli %48, %49 : i64
    %56 = arith.muli %55, %c8_i64 : i64
    %57 = arith.divsi %56, %52 : i64
    %58 = arith.select %36, %57, %0 : i64
    %59 = arith.select %41, %57, %1 : i64
    %from_elements_13 = tensor.from_elements %58, %59, %c2_i64, %57 : tensor<4xi64>
    %reshape_14 = tensor.reshape %extracted_slice(%from_elements_13) : (tensor<?x?x8xf32>, tensor<4xi64>) -> tensor<?x?x2x4xf32>
    %60 = arith.index_cast %58 : i64 to index
    %61 = arith.index_cast %59 : i64 to index
    %62 = tensor.empty(%60, %61) : tensor<?x2x?x4xf32>
    %transposed_15 = linalg.transpose ins(%reshape_14 : tensor<?x?x2x4xf32>) outs(%62 : tensor<?x2x?x4xf32>) permutation = [0, 2, 1, 3] 
    cf.assert %54, "must have at most one inferred (negative) dimension"
    %reshape_16 = tensor.reshape %extracted_slice_11(%from_elements_13) : (tensor<?x?x8xf32>, tensor<4xi64>) -> tensor<?x?x2x4xf32>
    cf.assert %54, "must have at most one inferred (negative) dimension"
    %reshape_17 = tensor.reshape %extracted_slice_12(%from_elements_13) : (tensor<?x?x8xf32>, tensor<4xi64>) -> tensor<?x?x2x4xf32>
    %transposed_18 = linalg.transpose ins(%reshape_17 : tensor<?x?x2x4xf32>) outs(%62 : tensor<?x2x?x4xf32>) permutation = [0, 2, 1, 3] 
    %63 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_15 : tensor<?x2x?x4xf32>) outs(%62 : tensor<?x2x?x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %219 = arith.truncf %cst_6 : f64 to f32
      %220 = arith.mulf %in, %219 : f32
      linalg.yield %220 : f32
    } -> tensor<?x2x?x4xf32>
    %64 = arith.cmpi sge, %1, %c0_i64 : i64
    cf.assert %64, "negative values not allowed in new dimensions"
    cf.assert %64, "negative values not allowed in new dimensions"
    %65 = tensor.empty(%dim_10, %dim_10) : tensor<?x?xi1>
    %66 = linalg.generic {indexing_maps = [#map6, #map4], iterator_types = ["parallel", "parallel"]} ins(%cst_4 : tensor<i1>) outs(%65 : tensor<?x?xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<?x?xi1>
    %67 = tensor.empty(%dim_10) : tensor<?xi64>
    %68 = linalg.generic {indexing_maps = [#map7], iterator_types = ["parallel"]} outs(%67 : tensor<?xi64>) {
    ^bb0(%out: i64):
      %219 = linalg.index 0 : index
      %220 = arith.index_cast %219 : index to i64
      linalg.yield %220 : i64
    } -> tensor<?xi64>
    %expanded = tensor.expand_shape %68 [[0, 1]] output_shape [1, %dim_10] : tensor<?xi64> into tensor<1x?xi64>
    %expanded_19 = tensor.expand_shape %68 [[0, 1]] output_shape [%dim_10, 1] : tensor<?xi64> into tensor<?x1xi64>
    %69 = tensor.empty(%dim_10, %dim_10) : tensor<?x?xi64>
    %70 = linalg.generic {indexing_maps = [#map8, #map9, #map4], iterator_types = ["parallel", "parallel"]} ins(%expanded, %expanded_19 : tensor<1x?xi64>, tensor<?x1xi64>) outs(%69 : tensor<?x?xi64>) {
    ^bb0(%in: i64, %in_41: i64, %out: i64):
      %219 = arith.subi %in, %in_41 : i64
      linalg.yield %219 : i64
    } -> tensor<?x?xi64>
    %71 = tensor.empty(%dim_10, %dim_10) : tensor<?x?xi1>
    %72 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%70 : tensor<?x?xi64>) outs(%71 : tensor<?x?xi1>) {
    ^bb0(%in: i64, %out: i1):
      %219 = arith.cmpi sle, %in, %c0_i64 : i64
      linalg.yield %219 : i1
    } -> tensor<?x?xi1>
    cf.assert %true, "mismatched size for broadcast"
    cf.assert %true, "mismatched size for broadcast"
    %73 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%72, %66 : tensor<?x?xi1>, tensor<?x?xi1>) outs(%71 : tensor<?x?xi1>) {
    ^bb0(%in: i1, %in_41: i1, %out: i1):
      %219 = arith.andi %in, %in_41 : i1
      linalg.yield %219 : i1
    } -> tensor<?x?xi1>
    %74 = tensor.empty(%dim_10, %dim_10) : tensor<?x?xf32>
    %75 = linalg.generic {indexing_maps = [#map4, #map6, #map6, #map4], iterator_types = ["parallel", "parallel"]} ins(%73, %cst_2, %cst_3 : tensor<?x?xi1>, tensor<f32>, tensor<f32>) outs(%74 : tensor<?x?xf32>) {
    ^bb0(%in: i1, %in_41: f32, %in_42: f32, %out: f32):
      %219 = arith.select %in, %in_41, %in_42 : f32
      linalg.yield %219 : f32
    } -> tensor<?x?xf32>
    %76 = tensor.empty(%60, %61) : tensor<?x2x4x?xf32>
    %transposed_20 = linalg.transpose ins(%reshape_16 : tensor<?x?x2x4xf32>) outs(%76 : tensor<?x2x4x?xf32>) permutation = [0, 2, 3, 1] 
    %77 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_20 : tensor<?x2x4x?xf32>) outs(%76 : tensor<?x2x4x?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %219 = arith.truncf %cst_6 : f64 to f32
      %220 = arith.mulf %in, %219 : f32
      linalg.yield %220 : f32
    } -> tensor<?x2x4x?xf32>
    %78 = arith.muli %0, %c2_i64 : i64
    %79 = arith.cmpi sge, %0, %c0_i64 : i64
    cf.assert %79, "unimplemented: dynamic negative broadcast sizes"
    %80 = arith.cmpi sge, %1, %c0_i64 : i64
    cf.assert %80, "unimplemented: dynamic negative broadcast sizes"
    %81 = tensor.empty(%dim, %dim_10) : tensor<?x2x?x4xf32>
    %82 = linalg.generic {indexing_maps = [#map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%81 : tensor<?x2x?x4xf32>) {
    ^bb0(%out: f32):
      %219 = linalg.index 0 : index
      %220 = linalg.index 1 : index
      %221 = linalg.index 2 : index
      %222 = linalg.index 3 : index
      %223 = arith.cmpi eq, %60, %c1 : index
      %224 = arith.select %223, %c0, %219 : index
      %225 = arith.cmpi eq, %61, %c1 : index
      %226 = arith.select %225, %c0, %221 : index
      %extracted = tensor.extract %63[%224, %220, %226, %222] : tensor<?x2x?x4xf32>
      linalg.yield %extracted : f32
    } -> tensor<?x2x?x4xf32>
    %83 = arith.cmpi slt, %78, %c0_i64 : i64
    %84 = arith.select %83, %c1_i64, %78 : i64
    %85 = arith.extui %83 : i1 to i64
    %86 = arith.muli %84, %1 : i64
    %87 = arith.addi %85, %c1_i64 : i64
    %88 = arith.select %41, %84, %86 : i64
    %89 = arith.select %41, %87, %85 : i64
    %90 = arith.muli %88, %c4_i64 : i64
    %91 = arith.cmpi sle, %89, %c1_i64 : i64
    cf.assert %91, "must have at most one inferred (negative) dimension"
    %92 = arith.muli %78, %1 : i64
    %93 = arith.muli %92, %c4_i64 : i64
    %94 = arith.divsi %93, %90 : i64
    %95 = arith.select %83, %94, %78 : i64
    %96 = arith.select %41, %94, %1 : i64
    %from_elements_21 = tensor.from_elements %95, %96, %c4_i64 : tensor<3xi64>
    %reshape_22 = tensor.reshape %82(%from_elements_21) : (tensor<?x2x?x4xf32>, tensor<3xi64>) -> tensor<?x?x4xf32>
    cf.assert %79, "unimplemented: dynamic negative broadcast sizes"
    cf.assert %80, "unimplemented: dynamic negative broadcast sizes"
    %97 = tensor.empty(%dim, %dim_10) : tensor<?x2x4x?xf32>
    %98 = linalg.generic {indexing_maps = [#map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%97 : tensor<?x2x4x?xf32>) {
    ^bb0(%out: f32):
      %219 = linalg.index 0 : index
      %220 = linalg.index 1 : index
      %221 = linalg.index 2 : index
      %222 = linalg.index 3 : index
      %223 = arith.cmpi eq, %60, %c1 : index
      %224 = arith.select %223, %c0, %219 : index
      %225 = arith.cmpi eq, %61, %c1 : index
      %226 = arith.select %225, %c0, %222 : index
      %extracted = tensor.extract %77[%224, %220, %221, %226] : tensor<?x2x4x?xf32>
      linalg.yield %extracted : f32
    } -> tensor<?x2x4x?xf32>
    %99 = arith.muli %84, %c4_i64 : i64
    %100 = arith.muli %99, %1 : i64
    %101 = arith.select %41, %99, %100 : i64
    cf.assert %91, "must have at most one inferred (negative) dimension"
    %102 = arith.muli %0, %c8_i64 : i64
    %103 = arith.muli %102, %1 : i64
    %104 = arith.divsi %103, %101 : i64
    %105 = arith.select %83, %104, %78 : i64
    %106 = arith.select %41, %104, %1 : i64
    %from_elements_23 = tensor.from_elements %105, %c4_i64, %106 : tensor<3xi64>
    %reshape_24 = tensor.reshape %98(%from_elements_23) : (tensor<?x2x4x?xf32>, tensor<3xi64>) -> tensor<?x4x?xf32>
    %107 = arith.index_cast %95 : i64 to index
    %108 = arith.index_cast %96 : i64 to index
    %109 = arith.index_cast %106 : i64 to index
    %110 = arith.cmpi eq, %95, %105 : i64
    cf.assert %110, "mismatching contracting dimension"
    %111 = tensor.empty(%107, %108, %109) : tensor<?x?x?xf32>
    %112 = linalg.fill ins(%cst_0 : f32) outs(%111 : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
    %113 = linalg.batch_matmul ins(%reshape_22, %reshape_24 : tensor<?x?x4xf32>, tensor<?x4x?xf32>) outs(%112 : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
    %114 = arith.muli %37, %c2_i64 : i64
    %115 = arith.muli %114, %1 : i64
    %116 = arith.select %41, %114, %115 : i64
    %117 = arith.muli %116, %1 : i64
    %118 = arith.select %41, %114, %117 : i64
    %119 = arith.select %41, %53, %38 : i64
    %120 = arith.cmpi sle, %119, %c1_i64 : i64
    cf.assert %120, "must have at most one inferred (negative) dimension"
    %121 = arith.muli %95, %96 : i64
    %122 = arith.muli %121, %106 : i64
    %123 = arith.divsi %122, %118 : i64
    %124 = arith.select %36, %123, %0 : i64
    %125 = arith.select %41, %123, %1 : i64
    %from_elements_25 = tensor.from_elements %124, %c2_i64, %125, %125 : tensor<4xi64>
    %reshape_26 = tensor.reshape %113(%from_elements_25) : (tensor<?x?x?xf32>, tensor<4xi64>) -> tensor<?x2x?x?xf32>
    %126 = arith.index_cast %124 : i64 to index
    %127 = arith.index_cast %125 : i64 to index
    %128 = arith.cmpi eq, %127, %dim_10 : index
    cf.assert %128, "mismatched size for broadcast"
    cf.assert %128, "mismatched size for broadcast"
    %129 = tensor.empty(%126, %127, %127) : tensor<?x2x?x?xf32>
    %130 = linalg.generic {indexing_maps = [#map5, #map10, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%reshape_26, %75 : tensor<?x2x?x?xf32>, tensor<?x?xf32>) outs(%129 : tensor<?x2x?x?xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %219 = arith.addf %in, %in_41 : f32
      linalg.yield %219 : f32
    } -> tensor<?x2x?x?xf32>
    %131 = tensor.empty(%126, %127) : tensor<?x2x?xi64>
    %132 = linalg.fill ins(%c0_i64 : i64) outs(%131 : tensor<?x2x?xi64>) -> tensor<?x2x?xi64>
    %133 = tensor.empty(%126, %127) : tensor<?x2x?xf32>
    %134 = linalg.fill ins(%cst_1 : f32) outs(%133 : tensor<?x2x?xf32>) -> tensor<?x2x?xf32>
    %135:2 = linalg.generic {indexing_maps = [#map5, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%130 : tensor<?x2x?x?xf32>) outs(%134, %132 : tensor<?x2x?xf32>, tensor<?x2x?xi64>) {
    ^bb0(%in: f32, %out: f32, %out_41: i64):
      %219 = linalg.index 3 : index
      %220 = arith.index_cast %219 : index to i64
      %221 = arith.maximumf %in, %out : f32
      %222 = arith.cmpf ogt, %in, %out : f32
      %223 = arith.select %222, %220, %out_41 : i64
      linalg.yield %221, %223 : f32, i64
    } -> (tensor<?x2x?xf32>, tensor<?x2x?xi64>)
    %expanded_27 = tensor.expand_shape %135#0 [[0], [1], [2, 3]] output_shape [%126, 2, %127, 1] : tensor<?x2x?xf32> into tensor<?x2x?x1xf32>
    %136 = linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%130, %expanded_27 : tensor<?x2x?x?xf32>, tensor<?x2x?x1xf32>) outs(%129 : tensor<?x2x?x?xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %219 = arith.subf %in, %in_41 : f32
      linalg.yield %219 : f32
    } -> tensor<?x2x?x?xf32>
    %137 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%136 : tensor<?x2x?x?xf32>) outs(%129 : tensor<?x2x?x?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %219 = math.exp %in : f32
      linalg.yield %219 : f32
    } -> tensor<?x2x?x?xf32>
    %138 = tensor.empty(%126, %127) : tensor<?x2x?x1xf32>
    %139 = linalg.fill ins(%cst_0 : f32) outs(%138 : tensor<?x2x?x1xf32>) -> tensor<?x2x?x1xf32>
    %140 = linalg.generic {indexing_maps = [#map5, #map12], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%137 : tensor<?x2x?x?xf32>) outs(%139 : tensor<?x2x?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %219 = arith.addf %in, %out : f32
      linalg.yield %219 : f32
    } -> tensor<?x2x?x1xf32>
    %141 = linalg.generic {indexing_maps = [#map5, #map12, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%137, %140 : tensor<?x2x?x?xf32>, tensor<?x2x?x1xf32>) outs(%129 : tensor<?x2x?x?xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %219 = arith.divf %in, %in_41 : f32
      linalg.yield %219 : f32
    } -> tensor<?x2x?x?xf32>
    %142 = tensor.empty(%126, %127, %127) : tensor<?x2x?x?xi1>
    %143 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%130 : tensor<?x2x?x?xf32>) outs(%142 : tensor<?x2x?x?xi1>) {
    ^bb0(%in: f32, %out: i1):
      %219 = arith.extf %in : f32 to f64
      %220 = arith.cmpf oeq, %219, %cst_5 : f64
      linalg.yield %220 : i1
    } -> tensor<?x2x?x?xi1>
    %144 = tensor.empty(%126, %127) : tensor<?x2x?x1xi1>
    %145 = linalg.fill ins(%true : i1) outs(%144 : tensor<?x2x?x1xi1>) -> tensor<?x2x?x1xi1>
    %146 = linalg.generic {indexing_maps = [#map5, #map12], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%143 : tensor<?x2x?x?xi1>) outs(%145 : tensor<?x2x?x1xi1>) {
    ^bb0(%in: i1, %out: i1):
      %219 = arith.andi %in, %out : i1
      linalg.yield %219 : i1
    } -> tensor<?x2x?x1xi1>
    %147 = arith.cmpi sge, %124, %c0_i64 : i64
    cf.assert %147, "negative values not allowed in new dimensions"
    %148 = arith.index_cast %124 : i64 to index
    %149 = arith.cmpi sge, %125, %c0_i64 : i64
    cf.assert %149, "negative values not allowed in new dimensions"
    %150 = arith.index_cast %125 : i64 to index
    cf.assert %149, "negative values not allowed in new dimensions"
    %151 = tensor.empty(%148, %150, %150) : tensor<?x2x?x?xf32>
    %152 = linalg.generic {indexing_maps = [#map13, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_2 : tensor<f32>) outs(%151 : tensor<?x2x?x?xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<?x2x?x?xf32>
    %153 = arith.cmpi eq, %126, %148 : index
    cf.assert %153, "mismatched size for broadcast"
    %154 = arith.cmpi eq, %127, %150 : index
    cf.assert %154, "mismatched size for broadcast"
    %155 = arith.cmpi eq, %150, %127 : index
    cf.assert %155, "mismatched size for broadcast"
    %156 = tensor.empty(%126, %127, %150) : tensor<?x2x?x?xf32>
    %157 = linalg.generic {indexing_maps = [#map12, #map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%146, %152, %141 : tensor<?x2x?x1xi1>, tensor<?x2x?x?xf32>, tensor<?x2x?x?xf32>) outs(%156 : tensor<?x2x?x?xf32>) {
    ^bb0(%in: i1, %in_41: f32, %in_42: f32, %out: f32):
      %219 = arith.select %in, %in_41, %in_42 : f32
      linalg.yield %219 : f32
    } -> tensor<?x2x?x?xf32>
    cf.assert %79, "unimplemented: dynamic negative broadcast sizes"
    cf.assert %80, "unimplemented: dynamic negative broadcast sizes"
    cf.assert %80, "unimplemented: dynamic negative broadcast sizes"
    %158 = tensor.empty(%dim, %dim_10, %dim_10) : tensor<?x2x?x?xf32>
    %159 = linalg.generic {indexing_maps = [#map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%158 : tensor<?x2x?x?xf32>) {
    ^bb0(%out: f32):
      %219 = linalg.index 0 : index
      %220 = linalg.index 1 : index
      %221 = linalg.index 2 : index
      %222 = linalg.index 3 : index
      %223 = arith.cmpi eq, %126, %c1 : index
      %224 = arith.select %223, %c0, %219 : index
      %225 = arith.cmpi eq, %127, %c1 : index
      %226 = arith.select %225, %c0, %221 : index
      %227 = arith.cmpi eq, %150, %c1 : index
      %228 = arith.select %227, %c0, %222 : index
      %extracted = tensor.extract %157[%224, %220, %226, %228] : tensor<?x2x?x?xf32>
      linalg.yield %extracted : f32
    } -> tensor<?x2x?x?xf32>
    %160 = arith.muli %88, %1 : i64
    %161 = arith.addi %89, %c1_i64 : i64
    %162 = arith.select %41, %84, %160 : i64
    %163 = arith.select %41, %161, %85 : i64
    %164 = arith.cmpi sle, %163, %c1_i64 : i64
    cf.assert %164, "must have at most one inferred (negative) dimension"
    %165 = arith.muli %92, %1 : i64
    %166 = arith.divsi %165, %162 : i64
    %167 = arith.select %83, %166, %78 : i64
    %168 = arith.select %41, %166, %1 : i64
    %from_elements_28 = tensor.from_elements %167, %168, %168 : tensor<3xi64>
    %reshape_29 = tensor.reshape %159(%from_elements_28) : (tensor<?x2x?x?xf32>, tensor<3xi64>) -> tensor<?x?x?xf32>
    cf.assert %79, "unimplemented: dynamic negative broadcast sizes"
    cf.assert %80, "unimplemented: dynamic negative broadcast sizes"
    %169 = linalg.generic {indexing_maps = [#map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%81 : tensor<?x2x?x4xf32>) {
    ^bb0(%out: f32):
      %219 = linalg.index 0 : index
      %220 = linalg.index 1 : index
      %221 = linalg.index 2 : index
      %222 = linalg.index 3 : index
      %223 = arith.cmpi eq, %60, %c1 : index
      %224 = arith.select %223, %c0, %219 : index
      %225 = arith.cmpi eq, %61, %c1 : index
      %226 = arith.select %225, %c0, %221 : index
      %extracted = tensor.extract %transposed_18[%224, %220, %226, %222] : tensor<?x2x?x4xf32>
      linalg.yield %extracted : f32
    } -> tensor<?x2x?x4xf32>
    cf.assert %91, "must have at most one inferred (negative) dimension"
    %reshape_30 = tensor.reshape %169(%from_elements_21) : (tensor<?x2x?x4xf32>, tensor<3xi64>) -> tensor<?x?x4xf32>
    %170 = arith.index_cast %167 : i64 to index
    %171 = arith.index_cast %168 : i64 to index
    %172 = arith.cmpi eq, %167, %95 : i64
    cf.assert %172, "mismatching contracting dimension"
    %173 = arith.cmpi eq, %168, %96 : i64
    cf.assert %173, "mismatching contracting dimension"
    %174 = tensor.empty(%170, %171) : tensor<?x?x4xf32>
    %175 = linalg.fill ins(%cst_0 : f32) outs(%174 : tensor<?x?x4xf32>) -> tensor<?x?x4xf32>
    %176 = linalg.batch_matmul ins(%reshape_29, %reshape_30 : tensor<?x?x?xf32>, tensor<?x?x4xf32>) outs(%175 : tensor<?x?x4xf32>) -> tensor<?x?x4xf32>
    %177 = arith.muli %116, %c4_i64 : i64
    cf.assert %45, "must have at most one inferred (negative) dimension"
    %178 = arith.muli %167, %168 : i64
    %179 = arith.muli %178, %c4_i64 : i64
    %180 = arith.divsi %179, %177 : i64
    %181 = arith.select %36, %180, %0 : i64
    %182 = arith.select %41, %180, %1 : i64
    %from_elements_31 = tensor.from_elements %181, %c2_i64, %182, %c4_i64 : tensor<4xi64>
    %reshape_32 = tensor.reshape %176(%from_elements_31) : (tensor<?x?x4xf32>, tensor<4xi64>) -> tensor<?x2x?x4xf32>
    %183 = arith.index_cast %181 : i64 to index
    %184 = arith.index_cast %182 : i64 to index
    %185 = tensor.empty(%183, %184) : tensor<?x?x2x4xf32>
    %transposed_33 = linalg.transpose ins(%reshape_32 : tensor<?x2x?x4xf32>) outs(%185 : tensor<?x?x2x4xf32>) permutation = [0, 2, 1, 3] 
    cf.assert %54, "must have at most one inferred (negative) dimension"
    %186 = arith.muli %181, %182 : i64
    %187 = arith.muli %186, %c8_i64 : i64
    %188 = arith.divsi %187, %42 : i64
    %189 = arith.select %36, %188, %0 : i64
    %190 = arith.select %41, %188, %1 : i64
    %from_elements_34 = tensor.from_elements %189, %190, %188 : tensor<3xi64>
    %reshape_35 = tensor.reshape %transposed_33(%from_elements_34) : (tensor<?x?x2x4xf32>, tensor<3xi64>) -> tensor<?x?x8xf32>
    %191 = tensor.empty() : tensor<8x8xf32>
    %transposed_36 = linalg.transpose ins(%arg5 : tensor<8x8xf32>) outs(%191 : tensor<8x8xf32>) permutation = [1, 0] 
    cf.assert %79, "unimplemented: dynamic negative broadcast sizes"
    cf.assert %80, "unimplemented: dynamic negative broadcast sizes"
    %192 = tensor.empty(%dim, %dim_10) : tensor<?x?x8xf32>
    %193 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel"]} outs(%192 : tensor<?x?x8xf32>) {
    ^bb0(%out: f32):
      %219 = linalg.index 0 : index
      %220 = linalg.index 1 : index
      %221 = linalg.index 2 : index
      %222 = arith.index_cast %189 : i64 to index
      %223 = arith.cmpi eq, %222, %c1 : index
      %224 = arith.select %223, %c0, %219 : index
      %225 = arith.index_cast %190 : i64 to index
      %226 = arith.cmpi eq, %225, %c1 : index
      %227 = arith.select %226, %c0, %220 : index
      %extracted = tensor.extract %reshape_35[%224, %227, %221] : tensor<?x?x8xf32>
      linalg.yield %extracted : f32
    } -> tensor<?x?x8xf32>
    %194 = arith.muli %42, %c8_i64 : i64
    cf.assert %45, "must have at most one inferred (negative) dimension"
    %195 = arith.muli %25, %c8_i64 : i64
    %196 = arith.divsi %195, %194 : i64
    %197 = arith.select %36, %196, %0 : i64
    %198 = arith.select %41, %196, %1 : i64
    %from_elements_37 = tensor.from_elements %197, %198, %c8_i64 : tensor<3xi64>
    %reshape_38 = tensor.reshape %193(%from_elements_37) : (tensor<?x?x8xf32>, tensor<3xi64>) -> tensor<?x?x8xf32>
    cf.assert %79, "negative values not allowed in new dimensions"
    %199 = tensor.empty(%dim) : tensor<?x8x8xf32>
    %200 = linalg.generic {indexing_maps = [#map14, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_36 : tensor<8x8xf32>) outs(%199 : tensor<?x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<?x8x8xf32>
    %201 = arith.index_cast %197 : i64 to index
    %202 = arith.index_cast %198 : i64 to index
    %203 = arith.cmpi eq, %197, %0 : i64
    cf.assert %203, "mismatching contracting dimension"
    %204 = tensor.empty(%201, %202) : tensor<?x?x8xf32>
    %205 = linalg.fill ins(%cst_0 : f32) outs(%204 : tensor<?x?x8xf32>) -> tensor<?x?x8xf32>
    %206 = linalg.batch_matmul ins(%reshape_38, %200 : tensor<?x?x8xf32>, tensor<?x8x8xf32>) outs(%205 : tensor<?x?x8xf32>) -> tensor<?x?x8xf32>
    cf.assert %45, "must have at most one inferred (negative) dimension"
    %207 = arith.muli %197, %198 : i64
    %208 = arith.muli %207, %c8_i64 : i64
    %209 = arith.divsi %208, %194 : i64
    %210 = arith.select %36, %209, %0 : i64
    %211 = arith.select %41, %209, %1 : i64
    %from_elements_39 = tensor.from_elements %210, %211, %c8_i64 : tensor<3xi64>
    %reshape_40 = tensor.reshape %206(%from_elements_39) : (tensor<?x?x8xf32>, tensor<3xi64>) -> tensor<?x?x8xf32>
    %212 = arith.index_cast %210 : i64 to index
    %213 = arith.index_cast %211 : i64 to index
    %214 = tensor.empty(%212, %213) : tensor<?x?x8xf32>
    %215 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%reshape_40, %arg6 : tensor<?x?x8xf32>, tensor<8xf32>) outs(%214 : tensor<?x?x8xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %219 = arith.addf %in, %in_41 : f32
      linalg.yield %219 : f32
    } -> tensor<?x?x8xf32>
    %216 = arith.cmpi eq, %dim, %212 : index
    cf.assert %216, "mismatched size for broadcast"
    %217 = arith.cmpi eq, %dim_10, %213 : index
    cf.assert %217, "mismatched size for broadcast"
    %218 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %215 : tensor<?x?x8xf32>, tensor<?x?x8xf32>) outs(%19 : tensor<?x?x8xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %219 = arith.addf %in, %in_41 : f32
      linalg.yield %219 : f32
    } -> tensor<?x?x8xf32>
    return %218 : tensor<?x?x8xf32>
  }
}
