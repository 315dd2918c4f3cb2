// x.scatter_reduce(1, i, s, reduce='mean')
// Exported with torch 2.15.0, torch-mlir 20261001, in generic form.
#map = affine_map<(d0) -> (d0, 0)>
#map1 = affine_map<(d0) -> (d0)>
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<5x7xf32>, tensor<5x3xi64>, tensor<5x3xf32>) -> tensor<5x7xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<5x7xf32>, %arg1: tensor<5x3xi64>, %arg2: tensor<5x3xf32>):
    %0 = "arith.constant"() <{value = 5 : index}> : () -> index
    %1 = "arith.constant"() <{value = 3 : index}> : () -> index
    %2 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %3 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %4 = "arith.constant"() <{value = 1.000000e+00 : f32}> : () -> f32
    %5 = "tensor.empty"() : () -> tensor<15x1xi64>
    %6 = "linalg.fill"(%2, %5) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg19: i64, %arg20: i64):
      "linalg.yield"(%arg19) : (i64) -> ()
    }) : (i64, tensor<15x1xi64>) -> tensor<15x1xi64>
    %7 = "tensor.empty"() : () -> tensor<15xf32>
    %8 = "linalg.fill"(%3, %7) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg17: f32, %arg18: f32):
      "linalg.yield"(%arg17) : (f32) -> ()
    }) : (f32, tensor<15xf32>) -> tensor<15xf32>
    %9:3 = "linalg.generic"(%6, %6, %8) <{indexing_maps = [#map, #map, #map1], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 0, 3>}> ({
    ^bb0(%arg14: i64, %arg15: i64, %arg16: f32):
      %22 = "linalg.index"() <{dim = 0 : i64}> : () -> index
      %23 = "arith.remsi"(%22, %1) : (index, index) -> index
      %24 = "arith.divsi"(%22, %1) : (index, index) -> index
      %25 = "arith.remsi"(%24, %0) : (index, index) -> index
      %26 = "tensor.extract"(%arg1, %25, %23) : (tensor<5x3xi64>, index, index) -> i64
      %27 = "tensor.extract"(%arg2, %25, %23) : (tensor<5x3xf32>, index, index) -> f32
      %28 = "arith.index_cast"(%25) : (index) -> i64
      "linalg.yield"(%28, %26, %27) : (i64, i64, f32) -> ()
    }) : (tensor<15x1xi64>, tensor<15x1xi64>, tensor<15xf32>) -> (tensor<15x1xi64>, tensor<15x1xi64>, tensor<15xf32>)
    %10 = "tensor.empty"() : () -> tensor<15x2xi64>
    %11 = "linalg.fill"(%2, %10) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg12: i64, %arg13: i64):
      "linalg.yield"(%arg12) : (i64) -> ()
    }) : (i64, tensor<15x2xi64>) -> tensor<15x2xi64>
    %12 = "tensor.insert_slice"(%9#0, %11) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 15, 1>, static_strides = array<i64: 1, 1>}> : (tensor<15x1xi64>, tensor<15x2xi64>) -> tensor<15x2xi64>
    %13 = "tensor.insert_slice"(%9#1, %12) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>, static_offsets = array<i64: 0, 1>, static_sizes = array<i64: 15, 1>, static_strides = array<i64: 1, 1>}> : (tensor<15x1xi64>, tensor<15x2xi64>) -> tensor<15x2xi64>
    %14 = "tensor.empty"() : () -> tensor<5x7xf32>
    %15 = "linalg.fill"(%4, %14) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg10: f32, %arg11: f32):
      "linalg.yield"(%arg10) : (f32) -> ()
    }) : (f32, tensor<5x7xf32>) -> tensor<5x7xf32>
    %16 = "tm_tensor.scatter"(%9#2, %13, %arg0) <{dimension_map = array<i64: 0, 1>, operandSegmentSizes = array<i32: 2, 1>, unique_indices = false}> ({
    ^bb0(%arg8: f32, %arg9: f32):
      %21 = "arith.addf"(%arg8, %arg9) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "tm_tensor.yield"(%21) : (f32) -> ()
    }) : (tensor<15xf32>, tensor<15x2xi64>, tensor<5x7xf32>) -> tensor<5x7xf32>
    %17 = "tm_tensor.scatter"(%9#2, %13, %15) <{dimension_map = array<i64: 0, 1>, operandSegmentSizes = array<i32: 2, 1>, unique_indices = false}> ({
    ^bb0(%arg6: f32, %arg7: f32):
      %20 = "arith.addf"(%arg7, %4) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "tm_tensor.yield"(%20) : (f32) -> ()
    }) : (tensor<15xf32>, tensor<15x2xi64>, tensor<5x7xf32>) -> tensor<5x7xf32>
    %18 = "linalg.map"(%16, %17, %14) ({
    ^bb0(%arg3: f32, %arg4: f32, %arg5: f32):
      %19 = "arith.divf"(%arg3, %arg4) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%19) : (f32) -> ()
    }) : (tensor<5x7xf32>, tensor<5x7xf32>, tensor<5x7xf32>) -> tensor<5x7xf32>
    "func.return"(%18) : (tensor<5x7xf32>) -> ()
  }) : () -> ()
}) : () -> ()
