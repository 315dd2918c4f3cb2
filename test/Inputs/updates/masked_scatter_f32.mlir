// x.masked_scatter(m, s)
// Exported with torch 2.15.0, torch-mlir 20261001, in generic form.
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0) -> (d0)>
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<5x7xf32>, tensor<5x7xi1>, tensor<35xf32>) -> tensor<5x7xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<5x7xf32>, %arg1: tensor<5x7xi1>, %arg2: tensor<35xf32>):
    %0 = "arith.constant"() <{value = 1 : i64}> : () -> i64
    %1 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %2 = "arith.constant"() <{value = dense<0> : tensor<5x7xi64>}> : () -> tensor<5x7xi64>
    %3 = "tensor.empty"() : () -> tensor<5x7xi64>
    %4 = "linalg.generic"(%arg1, %2, %3) <{indexing_maps = [#map, #map, #map], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg19: i1, %arg20: i64, %arg21: i64):
      %24 = "arith.extui"(%arg19) : (i1) -> i64
      %25 = "arith.addi"(%24, %arg20) <{overflowFlags = #arith.overflow<none>}> : (i64, i64) -> i64
      "linalg.yield"(%25) : (i64) -> ()
    }) : (tensor<5x7xi1>, tensor<5x7xi64>, tensor<5x7xi64>) -> tensor<5x7xi64>
    %5 = "tensor.collapse_shape"(%4) <{reassociation = [[0, 1]]}> : (tensor<5x7xi64>) -> tensor<35xi64>
    %6 = "tensor.empty"() : () -> tensor<35xi64>
    %7 = "linalg.fill"(%1, %6) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg17: i64, %arg18: i64):
      "linalg.yield"(%arg17) : (i64) -> ()
    }) : (i64, tensor<35xi64>) -> tensor<35xi64>
    %8 = "tensor.empty"() : () -> tensor<i64>
    %9 = "linalg.fill"(%1, %8) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg15: i64, %arg16: i64):
      "linalg.yield"(%arg15) : (i64) -> ()
    }) : (i64, tensor<i64>) -> tensor<i64>
    %10:2 = "tm_tensor.scan"(%5, %7, %9) <{dimension = 0 : i64, inclusive = true, operandSegmentSizes = array<i32: 1, 2>}> ({
    ^bb0(%arg13: i64, %arg14: i64):
      %23 = "arith.addi"(%arg13, %arg14) <{overflowFlags = #arith.overflow<none>}> : (i64, i64) -> i64
      "tm_tensor.yield"(%23) : (i64) -> ()
    }) : (tensor<35xi64>, tensor<35xi64>, tensor<i64>) -> (tensor<35xi64>, tensor<i64>)
    %11 = "linalg.generic"(%10#0, %6) <{indexing_maps = [#map1, #map1], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg11: i64, %arg12: i64):
      %22 = "arith.subi"(%arg11, %0) <{overflowFlags = #arith.overflow<none>}> : (i64, i64) -> i64
      "linalg.yield"(%22) : (i64) -> ()
    }) : (tensor<35xi64>, tensor<35xi64>) -> tensor<35xi64>
    %12 = "linalg.generic"(%11, %6) <{indexing_maps = [#map1, #map1], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg9: i64, %arg10: i64):
      %21 = "arith.maxsi"(%arg9, %1) : (i64, i64) -> i64
      "linalg.yield"(%21) : (i64) -> ()
    }) : (tensor<35xi64>, tensor<35xi64>) -> tensor<35xi64>
    %13 = "tensor.empty"() : () -> tensor<35xf32>
    %14 = "linalg.generic"(%12, %13) <{indexing_maps = [#map1, #map1], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg7: i64, %arg8: f32):
      %19 = "arith.index_cast"(%arg7) : (i64) -> index
      %20 = "tensor.extract"(%arg2, %19) : (tensor<35xf32>, index) -> f32
      "linalg.yield"(%20) : (f32) -> ()
    }) : (tensor<35xi64>, tensor<35xf32>) -> tensor<35xf32>
    %15 = "tensor.expand_shape"(%14) <{reassociation = [[0, 1]], static_output_shape = array<i64: 5, 7>}> : (tensor<35xf32>) -> tensor<5x7xf32>
    %16 = "tensor.empty"() : () -> tensor<5x7xf32>
    %17 = "linalg.generic"(%arg1, %15, %arg0, %16) <{indexing_maps = [#map, #map, #map, #map], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 3, 1>}> ({
    ^bb0(%arg3: i1, %arg4: f32, %arg5: f32, %arg6: f32):
      %18 = "arith.select"(%arg3, %arg4, %arg5) : (i1, f32, f32) -> f32
      "linalg.yield"(%18) : (f32) -> ()
    }) : (tensor<5x7xi1>, tensor<5x7xf32>, tensor<5x7xf32>, tensor<5x7xf32>) -> tensor<5x7xf32>
    "func.return"(%17) : (tensor<5x7xf32>) -> ()
  }) : () -> ()
}) : () -> ()
