// cache[:, :, pos % 16] = k
// Exported with torch 2.15.0, torch-mlir 20261001, in generic form.
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d1, d2)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d2)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d3)>
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x4x16x8xf32>, tensor<2x4x1x8xf32>, tensor<1xi64>) -> tensor<2x4x16x8xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x4x16x8xf32>, %arg1: tensor<2x4x1x8xf32>, %arg2: tensor<1xi64>):
    %0 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %1 = "arith.constant"() <{value = 16 : i64}> : () -> i64
    %2 = "tensor.empty"() : () -> tensor<1xi64>
    %3 = "linalg.generic"(%arg2, %2) <{indexing_maps = [#map, #map], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg16: i64, %arg17: i64):
      %35 = "arith.remsi"(%arg16, %1) : (i64, i64) -> i64
      %36 = "arith.cmpi"(%35, %0) <{predicate = 1 : i64}> : (i64, i64) -> i1
      %37 = "arith.cmpi"(%35, %0) <{predicate = 2 : i64}> : (i64, i64) -> i1
      %38 = "arith.andi"(%36, %37) : (i1, i1) -> i1
      %39 = "arith.addi"(%35, %1) <{overflowFlags = #arith.overflow<none>}> : (i64, i64) -> i64
      %40 = "arith.select"(%38, %39, %35) : (i1, i64, i64) -> i64
      "linalg.yield"(%40) : (i64) -> ()
    }) : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
    %4 = "tensor.empty"() : () -> tensor<8xi64>
    %5 = "linalg.generic"(%4) <{indexing_maps = [#map], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 0, 1>}> ({
    ^bb0(%arg15: i64):
      %33 = "linalg.index"() <{dim = 0 : i64}> : () -> index
      %34 = "arith.index_cast"(%33) : (index) -> i64
      "linalg.yield"(%34) : (i64) -> ()
    }) : (tensor<8xi64>) -> tensor<8xi64>
    %6 = "tensor.empty"() : () -> tensor<4xi64>
    %7 = "linalg.generic"(%6) <{indexing_maps = [#map], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 0, 1>}> ({
    ^bb0(%arg14: i64):
      %31 = "linalg.index"() <{dim = 0 : i64}> : () -> index
      %32 = "arith.index_cast"(%31) : (index) -> i64
      "linalg.yield"(%32) : (i64) -> ()
    }) : (tensor<4xi64>) -> tensor<4xi64>
    %8 = "tensor.empty"() : () -> tensor<2xi64>
    %9 = "linalg.generic"(%8) <{indexing_maps = [#map], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 0, 1>}> ({
    ^bb0(%arg13: i64):
      %29 = "linalg.index"() <{dim = 0 : i64}> : () -> index
      %30 = "arith.index_cast"(%29) : (index) -> i64
      "linalg.yield"(%30) : (i64) -> ()
    }) : (tensor<2xi64>) -> tensor<2xi64>
    %10 = "tensor.empty"() : () -> tensor<2x4x1x8xi64>
    %11 = "tensor.expand_shape"(%9) <{reassociation = [[0, 1]], static_output_shape = array<i64: 2, 1>}> : (tensor<2xi64>) -> tensor<2x1xi64>
    %12 = "linalg.generic"(%11, %10) <{indexing_maps = [#map1, #map2], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg11: i64, %arg12: i64):
      "linalg.yield"(%arg11) : (i64) -> ()
    }) : (tensor<2x1xi64>, tensor<2x4x1x8xi64>) -> tensor<2x4x1x8xi64>
    %13 = "tensor.collapse_shape"(%12) <{reassociation = [[0, 1, 2, 3]]}> : (tensor<2x4x1x8xi64>) -> tensor<64xi64>
    %14 = "tensor.expand_shape"(%7) <{reassociation = [[0, 1]], static_output_shape = array<i64: 4, 1>}> : (tensor<4xi64>) -> tensor<4x1xi64>
    %15 = "linalg.generic"(%14, %10) <{indexing_maps = [#map3, #map2], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg9: i64, %arg10: i64):
      "linalg.yield"(%arg9) : (i64) -> ()
    }) : (tensor<4x1xi64>, tensor<2x4x1x8xi64>) -> tensor<2x4x1x8xi64>
    %16 = "tensor.collapse_shape"(%15) <{reassociation = [[0, 1, 2, 3]]}> : (tensor<2x4x1x8xi64>) -> tensor<64xi64>
    %17 = "linalg.generic"(%3, %10) <{indexing_maps = [#map4, #map2], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg7: i64, %arg8: i64):
      "linalg.yield"(%arg7) : (i64) -> ()
    }) : (tensor<1xi64>, tensor<2x4x1x8xi64>) -> tensor<2x4x1x8xi64>
    %18 = "tensor.collapse_shape"(%17) <{reassociation = [[0, 1, 2, 3]]}> : (tensor<2x4x1x8xi64>) -> tensor<64xi64>
    %19 = "linalg.generic"(%5, %10) <{indexing_maps = [#map5, #map2], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg5: i64, %arg6: i64):
      "linalg.yield"(%arg5) : (i64) -> ()
    }) : (tensor<8xi64>, tensor<2x4x1x8xi64>) -> tensor<2x4x1x8xi64>
    %20 = "tensor.collapse_shape"(%19) <{reassociation = [[0, 1, 2, 3]]}> : (tensor<2x4x1x8xi64>) -> tensor<64xi64>
    %21 = "tensor.expand_shape"(%13) <{reassociation = [[0, 1]], static_output_shape = array<i64: 64, 1>}> : (tensor<64xi64>) -> tensor<64x1xi64>
    %22 = "tensor.expand_shape"(%16) <{reassociation = [[0, 1]], static_output_shape = array<i64: 64, 1>}> : (tensor<64xi64>) -> tensor<64x1xi64>
    %23 = "tensor.expand_shape"(%18) <{reassociation = [[0, 1]], static_output_shape = array<i64: 64, 1>}> : (tensor<64xi64>) -> tensor<64x1xi64>
    %24 = "tensor.expand_shape"(%20) <{reassociation = [[0, 1]], static_output_shape = array<i64: 64, 1>}> : (tensor<64xi64>) -> tensor<64x1xi64>
    %25 = "tensor.concat"(%21, %22, %23, %24) <{dim = 1 : i64}> : (tensor<64x1xi64>, tensor<64x1xi64>, tensor<64x1xi64>, tensor<64x1xi64>) -> tensor<64x4xi64>
    %26 = "tensor.collapse_shape"(%arg1) <{reassociation = [[0, 1, 2, 3]]}> : (tensor<2x4x1x8xf32>) -> tensor<64xf32>
    %27 = "tensor.expand_shape"(%26) <{reassociation = [[0, 1, 2, 3, 4]], static_output_shape = array<i64: 64, 1, 1, 1, 1>}> : (tensor<64xf32>) -> tensor<64x1x1x1x1xf32>
    %28 = "tm_tensor.scatter"(%27, %25, %arg0) <{dimension_map = array<i64: 0, 1, 2, 3>, operandSegmentSizes = array<i32: 2, 1>, unique_indices = true}> ({
    ^bb0(%arg3: f32, %arg4: f32):
      "tm_tensor.yield"(%arg3) : (f32) -> ()
    }) : (tensor<64x1x1x1x1xf32>, tensor<64x4xi64>, tensor<2x4x16x8xf32>) -> tensor<2x4x16x8xf32>
    "func.return"(%28) : (tensor<2x4x16x8xf32>) -> ()
  }) : () -> ()
}) : () -> ()
