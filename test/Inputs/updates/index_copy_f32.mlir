// cache.index_copy(2, pos, k)
// Exported with torch 2.15.0, torch-mlir 20261001, in generic form.
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d1)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d2)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d3)>
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x4x16x8xf32>, tensor<2xi64>, tensor<2x4x2x8xf32>) -> tensor<2x4x16x8xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x4x16x8xf32>, %arg1: tensor<2xi64>, %arg2: tensor<2x4x2x8xf32>):
    %0 = "tensor.empty"() : () -> tensor<8xi64>
    %1 = "linalg.generic"(%0) <{indexing_maps = [#map], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 0, 1>}> ({
    ^bb0(%arg15: i64):
      %27 = "linalg.index"() <{dim = 0 : i64}> : () -> index
      %28 = "arith.index_cast"(%27) : (index) -> i64
      "linalg.yield"(%28) : (i64) -> ()
    }) : (tensor<8xi64>) -> tensor<8xi64>
    %2 = "tensor.empty"() : () -> tensor<4xi64>
    %3 = "linalg.generic"(%2) <{indexing_maps = [#map], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 0, 1>}> ({
    ^bb0(%arg14: i64):
      %25 = "linalg.index"() <{dim = 0 : i64}> : () -> index
      %26 = "arith.index_cast"(%25) : (index) -> i64
      "linalg.yield"(%26) : (i64) -> ()
    }) : (tensor<4xi64>) -> tensor<4xi64>
    %4 = "tensor.empty"() : () -> tensor<2xi64>
    %5 = "linalg.generic"(%4) <{indexing_maps = [#map], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 0, 1>}> ({
    ^bb0(%arg13: i64):
      %23 = "linalg.index"() <{dim = 0 : i64}> : () -> index
      %24 = "arith.index_cast"(%23) : (index) -> i64
      "linalg.yield"(%24) : (i64) -> ()
    }) : (tensor<2xi64>) -> tensor<2xi64>
    %6 = "tensor.empty"() : () -> tensor<2x4x2x8xi64>
    %7 = "linalg.generic"(%5, %6) <{indexing_maps = [#map1, #map2], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg11: i64, %arg12: i64):
      "linalg.yield"(%arg11) : (i64) -> ()
    }) : (tensor<2xi64>, tensor<2x4x2x8xi64>) -> tensor<2x4x2x8xi64>
    %8 = "tensor.collapse_shape"(%7) <{reassociation = [[0, 1, 2, 3]]}> : (tensor<2x4x2x8xi64>) -> tensor<128xi64>
    %9 = "linalg.generic"(%3, %6) <{indexing_maps = [#map3, #map2], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg9: i64, %arg10: i64):
      "linalg.yield"(%arg9) : (i64) -> ()
    }) : (tensor<4xi64>, tensor<2x4x2x8xi64>) -> tensor<2x4x2x8xi64>
    %10 = "tensor.collapse_shape"(%9) <{reassociation = [[0, 1, 2, 3]]}> : (tensor<2x4x2x8xi64>) -> tensor<128xi64>
    %11 = "linalg.generic"(%arg1, %6) <{indexing_maps = [#map4, #map2], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg7: i64, %arg8: i64):
      "linalg.yield"(%arg7) : (i64) -> ()
    }) : (tensor<2xi64>, tensor<2x4x2x8xi64>) -> tensor<2x4x2x8xi64>
    %12 = "tensor.collapse_shape"(%11) <{reassociation = [[0, 1, 2, 3]]}> : (tensor<2x4x2x8xi64>) -> tensor<128xi64>
    %13 = "linalg.generic"(%1, %6) <{indexing_maps = [#map5, #map2], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg5: i64, %arg6: i64):
      "linalg.yield"(%arg5) : (i64) -> ()
    }) : (tensor<8xi64>, tensor<2x4x2x8xi64>) -> tensor<2x4x2x8xi64>
    %14 = "tensor.collapse_shape"(%13) <{reassociation = [[0, 1, 2, 3]]}> : (tensor<2x4x2x8xi64>) -> tensor<128xi64>
    %15 = "tensor.expand_shape"(%8) <{reassociation = [[0, 1]], static_output_shape = array<i64: 128, 1>}> : (tensor<128xi64>) -> tensor<128x1xi64>
    %16 = "tensor.expand_shape"(%10) <{reassociation = [[0, 1]], static_output_shape = array<i64: 128, 1>}> : (tensor<128xi64>) -> tensor<128x1xi64>
    %17 = "tensor.expand_shape"(%12) <{reassociation = [[0, 1]], static_output_shape = array<i64: 128, 1>}> : (tensor<128xi64>) -> tensor<128x1xi64>
    %18 = "tensor.expand_shape"(%14) <{reassociation = [[0, 1]], static_output_shape = array<i64: 128, 1>}> : (tensor<128xi64>) -> tensor<128x1xi64>
    %19 = "tensor.concat"(%15, %16, %17, %18) <{dim = 1 : i64}> : (tensor<128x1xi64>, tensor<128x1xi64>, tensor<128x1xi64>, tensor<128x1xi64>) -> tensor<128x4xi64>
    %20 = "tensor.collapse_shape"(%arg2) <{reassociation = [[0, 1, 2, 3]]}> : (tensor<2x4x2x8xf32>) -> tensor<128xf32>
    %21 = "tensor.expand_shape"(%20) <{reassociation = [[0, 1, 2, 3, 4]], static_output_shape = array<i64: 128, 1, 1, 1, 1>}> : (tensor<128xf32>) -> tensor<128x1x1x1x1xf32>
    %22 = "tm_tensor.scatter"(%21, %19, %arg0) <{dimension_map = array<i64: 0, 1, 2, 3>, operandSegmentSizes = array<i32: 2, 1>, unique_indices = true}> ({
    ^bb0(%arg3: f32, %arg4: f32):
      "tm_tensor.yield"(%arg3) : (f32) -> ()
    }) : (tensor<128x1x1x1x1xf32>, tensor<128x4xi64>, tensor<2x4x16x8xf32>) -> tensor<2x4x16x8xf32>
    "func.return"(%22) : (tensor<2x4x16x8xf32>) -> ()
  }) : () -> ()
}) : () -> ()
