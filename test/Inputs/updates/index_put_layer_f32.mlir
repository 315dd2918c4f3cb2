// caches[0, 1, :, :, pos] = k, and twice that layer
// Exported with torch 2.15.0, torch-mlir 20261001, in generic form.
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d1, d2)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d2)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d3)>
#map6 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map7 = affine_map<(d0, d1, d2, d3, d4) -> (d1, d2, d3, d4)>
#map8 = affine_map<(d0, d1, d2, d3, d4) -> (d0, 0, 0, 0, 0)>
#map9 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d4, d5)>
#map10 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, d2, d3, d4, d5)>
#map11 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, 0, 0, 0, 0, 0)>
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x2x2x4x16x8xf32>, tensor<2x4x1x8xf32>, tensor<1xi64>) -> (tensor<2x2x2x4x16x8xf32>, tensor<2x4x16x8xf32>), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x2x2x4x16x8xf32>, %arg1: tensor<2x4x1x8xf32>, %arg2: tensor<1xi64>):
    %0 = "arith.constant"() <{value = 1 : i64}> : () -> i64
    %1 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %2 = "arith.constant"() <{value = 2.000000e+00 : f32}> : () -> f32
    %3 = "tensor.extract_slice"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0, 0, 0, 0, 0>, static_sizes = array<i64: 1, 2, 2, 4, 16, 8>, static_strides = array<i64: 1, 1, 1, 1, 1, 1>}> : (tensor<2x2x2x4x16x8xf32>) -> tensor<1x2x2x4x16x8xf32>
    %4 = "tensor.collapse_shape"(%3) <{reassociation = [[0, 1], [2], [3], [4], [5]]}> : (tensor<1x2x2x4x16x8xf32>) -> tensor<2x2x4x16x8xf32>
    %5 = "tensor.extract_slice"(%4) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 1, 0, 0, 0, 0>, static_sizes = array<i64: 1, 2, 4, 16, 8>, static_strides = array<i64: 1, 1, 1, 1, 1>}> : (tensor<2x2x4x16x8xf32>) -> tensor<1x2x4x16x8xf32>
    %6 = "tensor.collapse_shape"(%5) <{reassociation = [[0, 1], [2], [3], [4]]}> : (tensor<1x2x4x16x8xf32>) -> tensor<2x4x16x8xf32>
    %7 = "tensor.empty"() : () -> tensor<8xi64>
    %8 = "linalg.generic"(%7) <{indexing_maps = [#map], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 0, 1>}> ({
    ^bb0(%arg33: i64):
      %59 = "linalg.index"() <{dim = 0 : i64}> : () -> index
      %60 = "arith.index_cast"(%59) : (index) -> i64
      "linalg.yield"(%60) : (i64) -> ()
    }) : (tensor<8xi64>) -> tensor<8xi64>
    %9 = "tensor.empty"() : () -> tensor<4xi64>
    %10 = "linalg.generic"(%9) <{indexing_maps = [#map], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 0, 1>}> ({
    ^bb0(%arg32: i64):
      %57 = "linalg.index"() <{dim = 0 : i64}> : () -> index
      %58 = "arith.index_cast"(%57) : (index) -> i64
      "linalg.yield"(%58) : (i64) -> ()
    }) : (tensor<4xi64>) -> tensor<4xi64>
    %11 = "tensor.empty"() : () -> tensor<2xi64>
    %12 = "linalg.generic"(%11) <{indexing_maps = [#map], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 0, 1>}> ({
    ^bb0(%arg31: i64):
      %55 = "linalg.index"() <{dim = 0 : i64}> : () -> index
      %56 = "arith.index_cast"(%55) : (index) -> i64
      "linalg.yield"(%56) : (i64) -> ()
    }) : (tensor<2xi64>) -> tensor<2xi64>
    %13 = "tensor.empty"() : () -> tensor<2x4x1x8xi64>
    %14 = "tensor.expand_shape"(%12) <{reassociation = [[0, 1]], static_output_shape = array<i64: 2, 1>}> : (tensor<2xi64>) -> tensor<2x1xi64>
    %15 = "linalg.generic"(%14, %13) <{indexing_maps = [#map1, #map2], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg29: i64, %arg30: i64):
      "linalg.yield"(%arg29) : (i64) -> ()
    }) : (tensor<2x1xi64>, tensor<2x4x1x8xi64>) -> tensor<2x4x1x8xi64>
    %16 = "tensor.collapse_shape"(%15) <{reassociation = [[0, 1, 2, 3]]}> : (tensor<2x4x1x8xi64>) -> tensor<64xi64>
    %17 = "tensor.expand_shape"(%10) <{reassociation = [[0, 1]], static_output_shape = array<i64: 4, 1>}> : (tensor<4xi64>) -> tensor<4x1xi64>
    %18 = "linalg.generic"(%17, %13) <{indexing_maps = [#map3, #map2], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg27: i64, %arg28: i64):
      "linalg.yield"(%arg27) : (i64) -> ()
    }) : (tensor<4x1xi64>, tensor<2x4x1x8xi64>) -> tensor<2x4x1x8xi64>
    %19 = "tensor.collapse_shape"(%18) <{reassociation = [[0, 1, 2, 3]]}> : (tensor<2x4x1x8xi64>) -> tensor<64xi64>
    %20 = "linalg.generic"(%arg2, %13) <{indexing_maps = [#map4, #map2], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg25: i64, %arg26: i64):
      "linalg.yield"(%arg25) : (i64) -> ()
    }) : (tensor<1xi64>, tensor<2x4x1x8xi64>) -> tensor<2x4x1x8xi64>
    %21 = "tensor.collapse_shape"(%20) <{reassociation = [[0, 1, 2, 3]]}> : (tensor<2x4x1x8xi64>) -> tensor<64xi64>
    %22 = "linalg.generic"(%8, %13) <{indexing_maps = [#map5, #map2], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg23: i64, %arg24: i64):
      "linalg.yield"(%arg23) : (i64) -> ()
    }) : (tensor<8xi64>, tensor<2x4x1x8xi64>) -> tensor<2x4x1x8xi64>
    %23 = "tensor.collapse_shape"(%22) <{reassociation = [[0, 1, 2, 3]]}> : (tensor<2x4x1x8xi64>) -> tensor<64xi64>
    %24 = "tensor.expand_shape"(%16) <{reassociation = [[0, 1]], static_output_shape = array<i64: 64, 1>}> : (tensor<64xi64>) -> tensor<64x1xi64>
    %25 = "tensor.expand_shape"(%19) <{reassociation = [[0, 1]], static_output_shape = array<i64: 64, 1>}> : (tensor<64xi64>) -> tensor<64x1xi64>
    %26 = "tensor.expand_shape"(%21) <{reassociation = [[0, 1]], static_output_shape = array<i64: 64, 1>}> : (tensor<64xi64>) -> tensor<64x1xi64>
    %27 = "tensor.expand_shape"(%23) <{reassociation = [[0, 1]], static_output_shape = array<i64: 64, 1>}> : (tensor<64xi64>) -> tensor<64x1xi64>
    %28 = "tensor.concat"(%24, %25, %26, %27) <{dim = 1 : i64}> : (tensor<64x1xi64>, tensor<64x1xi64>, tensor<64x1xi64>, tensor<64x1xi64>) -> tensor<64x4xi64>
    %29 = "tensor.collapse_shape"(%arg1) <{reassociation = [[0, 1, 2, 3]]}> : (tensor<2x4x1x8xf32>) -> tensor<64xf32>
    %30 = "tensor.expand_shape"(%29) <{reassociation = [[0, 1, 2, 3, 4]], static_output_shape = array<i64: 64, 1, 1, 1, 1>}> : (tensor<64xf32>) -> tensor<64x1x1x1x1xf32>
    %31 = "tm_tensor.scatter"(%30, %28, %6) <{dimension_map = array<i64: 0, 1, 2, 3>, operandSegmentSizes = array<i32: 2, 1>, unique_indices = true}> ({
    ^bb0(%arg21: f32, %arg22: f32):
      "tm_tensor.yield"(%arg21) : (f32) -> ()
    }) : (tensor<64x1x1x1x1xf32>, tensor<64x4xi64>, tensor<2x4x16x8xf32>) -> tensor<2x4x16x8xf32>
    %32 = "tensor.expand_shape"(%12) <{reassociation = [[0, 1, 2, 3, 4]], static_output_shape = array<i64: 2, 1, 1, 1, 1>}> : (tensor<2xi64>) -> tensor<2x1x1x1x1xi64>
    %33 = "tensor.empty"() : () -> tensor<2x1x1x1x1xi1>
    %34 = "linalg.generic"(%32, %33) <{indexing_maps = [#map6, #map6], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg19: i64, %arg20: i1):
      %54 = "arith.cmpi"(%arg19, %0) <{predicate = 0 : i64}> : (i64, i64) -> i1
      "linalg.yield"(%54) : (i1) -> ()
    }) : (tensor<2x1x1x1x1xi64>, tensor<2x1x1x1x1xi1>) -> tensor<2x1x1x1x1xi1>
    %35 = "tensor.empty"() : () -> tensor<2x2x4x16x8xf32>
    %36 = "linalg.generic"(%31, %35) <{indexing_maps = [#map7, #map6], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg17: f32, %arg18: f32):
      "linalg.yield"(%arg17) : (f32) -> ()
    }) : (tensor<2x4x16x8xf32>, tensor<2x2x4x16x8xf32>) -> tensor<2x2x4x16x8xf32>
    %37 = "linalg.generic"(%34, %36, %4, %35) <{indexing_maps = [#map8, #map6, #map6, #map6], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 3, 1>}> ({
    ^bb0(%arg13: i1, %arg14: f32, %arg15: f32, %arg16: f32):
      %53 = "arith.select"(%arg13, %arg14, %arg15) : (i1, f32, f32) -> f32
      "linalg.yield"(%53) : (f32) -> ()
    }) : (tensor<2x1x1x1x1xi1>, tensor<2x2x4x16x8xf32>, tensor<2x2x4x16x8xf32>, tensor<2x2x4x16x8xf32>) -> tensor<2x2x4x16x8xf32>
    %38 = "tensor.expand_shape"(%12) <{reassociation = [[0, 1, 2, 3, 4, 5]], static_output_shape = array<i64: 2, 1, 1, 1, 1, 1>}> : (tensor<2xi64>) -> tensor<2x1x1x1x1x1xi64>
    %39 = "tensor.empty"() : () -> tensor<2x1x1x1x1x1xi1>
    %40 = "linalg.generic"(%38, %39) <{indexing_maps = [#map9, #map9], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg11: i64, %arg12: i1):
      %52 = "arith.cmpi"(%arg11, %1) <{predicate = 0 : i64}> : (i64, i64) -> i1
      "linalg.yield"(%52) : (i1) -> ()
    }) : (tensor<2x1x1x1x1x1xi64>, tensor<2x1x1x1x1x1xi1>) -> tensor<2x1x1x1x1x1xi1>
    %41 = "tensor.empty"() : () -> tensor<2x2x2x4x16x8xf32>
    %42 = "linalg.generic"(%37, %41) <{indexing_maps = [#map10, #map9], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg9: f32, %arg10: f32):
      "linalg.yield"(%arg9) : (f32) -> ()
    }) : (tensor<2x2x4x16x8xf32>, tensor<2x2x2x4x16x8xf32>) -> tensor<2x2x2x4x16x8xf32>
    %43 = "linalg.generic"(%40, %42, %arg0, %41) <{indexing_maps = [#map11, #map9, #map9, #map9], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 3, 1>}> ({
    ^bb0(%arg5: i1, %arg6: f32, %arg7: f32, %arg8: f32):
      %51 = "arith.select"(%arg5, %arg6, %arg7) : (i1, f32, f32) -> f32
      "linalg.yield"(%51) : (f32) -> ()
    }) : (tensor<2x1x1x1x1x1xi1>, tensor<2x2x2x4x16x8xf32>, tensor<2x2x2x4x16x8xf32>, tensor<2x2x2x4x16x8xf32>) -> tensor<2x2x2x4x16x8xf32>
    %44 = "tensor.extract_slice"(%43) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0, 0, 0, 0, 0>, static_sizes = array<i64: 1, 2, 2, 4, 16, 8>, static_strides = array<i64: 1, 1, 1, 1, 1, 1>}> : (tensor<2x2x2x4x16x8xf32>) -> tensor<1x2x2x4x16x8xf32>
    %45 = "tensor.collapse_shape"(%44) <{reassociation = [[0, 1], [2], [3], [4], [5]]}> : (tensor<1x2x2x4x16x8xf32>) -> tensor<2x2x4x16x8xf32>
    %46 = "tensor.extract_slice"(%45) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 1, 0, 0, 0, 0>, static_sizes = array<i64: 1, 2, 4, 16, 8>, static_strides = array<i64: 1, 1, 1, 1, 1>}> : (tensor<2x2x4x16x8xf32>) -> tensor<1x2x4x16x8xf32>
    %47 = "tensor.collapse_shape"(%46) <{reassociation = [[0, 1], [2], [3], [4]]}> : (tensor<1x2x4x16x8xf32>) -> tensor<2x4x16x8xf32>
    %48 = "tensor.empty"() : () -> tensor<2x4x16x8xf32>
    %49 = "linalg.generic"(%47, %48) <{indexing_maps = [#map2, #map2], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg3: f32, %arg4: f32):
      %50 = "arith.mulf"(%arg3, %2) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%50) : (f32) -> ()
    }) : (tensor<2x4x16x8xf32>, tensor<2x4x16x8xf32>) -> tensor<2x4x16x8xf32>
    "func.return"(%43, %49) : (tensor<2x2x2x4x16x8xf32>, tensor<2x4x16x8xf32>) -> ()
  }) : () -> ()
}) : () -> ()
