// x.scatter_reduce(1, i, s, reduce='amax', include_self=False)
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
    %4 = "arith.constant"() <{value = 0xFF800000 : f32}> : () -> f32
    %5 = "tensor.empty"() : () -> tensor<15x1xi64>
    %6 = "linalg.fill"(%2, %5) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg16: i64, %arg17: i64):
      "linalg.yield"(%arg16) : (i64) -> ()
    }) : (i64, tensor<15x1xi64>) -> tensor<15x1xi64>
    %7 = "tensor.empty"() : () -> tensor<15xf32>
    %8 = "linalg.fill"(%3, %7) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg14: f32, %arg15: f32):
      "linalg.yield"(%arg14) : (f32) -> ()
    }) : (f32, tensor<15xf32>) -> tensor<15xf32>
    %9:3 = "linalg.generic"(%6, %6, %8) <{indexing_maps = [#map, #map, #map1], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 0, 3>}> ({
    ^bb0(%arg11: i64, %arg12: i64, %arg13: f32):
      %18 = "linalg.index"() <{dim = 0 : i64}> : () -> index
      %19 = "arith.remsi"(%18, %1) : (index, index) -> index
      %20 = "arith.divsi"(%18, %1) : (index, index) -> index
      %21 = "arith.remsi"(%20, %0) : (index, index) -> index
      %22 = "tensor.extract"(%arg1, %21, %19) : (tensor<5x3xi64>, index, index) -> i64
      %23 = "tensor.extract"(%arg2, %21, %19) : (tensor<5x3xf32>, index, index) -> f32
      %24 = "arith.index_cast"(%21) : (index) -> i64
      "linalg.yield"(%24, %22, %23) : (i64, i64, f32) -> ()
    }) : (tensor<15x1xi64>, tensor<15x1xi64>, tensor<15xf32>) -> (tensor<15x1xi64>, tensor<15x1xi64>, tensor<15xf32>)
    %10 = "tensor.empty"() : () -> tensor<15x2xi64>
    %11 = "linalg.fill"(%2, %10) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg9: i64, %arg10: i64):
      "linalg.yield"(%arg9) : (i64) -> ()
    }) : (i64, tensor<15x2xi64>) -> tensor<15x2xi64>
    %12 = "tensor.insert_slice"(%9#0, %11) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 15, 1>, static_strides = array<i64: 1, 1>}> : (tensor<15x1xi64>, tensor<15x2xi64>) -> tensor<15x2xi64>
    %13 = "tensor.insert_slice"(%9#1, %12) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>, static_offsets = array<i64: 0, 1>, static_sizes = array<i64: 15, 1>, static_strides = array<i64: 1, 1>}> : (tensor<15x1xi64>, tensor<15x2xi64>) -> tensor<15x2xi64>
    %14 = "linalg.fill"(%4, %7) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg7: f32, %arg8: f32):
      "linalg.yield"(%arg7) : (f32) -> ()
    }) : (f32, tensor<15xf32>) -> tensor<15xf32>
    %15 = "tm_tensor.scatter"(%14, %13, %arg0) <{dimension_map = array<i64: 0, 1>, operandSegmentSizes = array<i32: 2, 1>, unique_indices = false}> ({
    ^bb0(%arg5: f32, %arg6: f32):
      "tm_tensor.yield"(%arg5) : (f32) -> ()
    }) : (tensor<15xf32>, tensor<15x2xi64>, tensor<5x7xf32>) -> tensor<5x7xf32>
    %16 = "tm_tensor.scatter"(%9#2, %13, %15) <{dimension_map = array<i64: 0, 1>, operandSegmentSizes = array<i32: 2, 1>, unique_indices = false}> ({
    ^bb0(%arg3: f32, %arg4: f32):
      %17 = "arith.maximumf"(%arg3, %arg4) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "tm_tensor.yield"(%17) : (f32) -> ()
    }) : (tensor<15xf32>, tensor<15x2xi64>, tensor<5x7xf32>) -> tensor<5x7xf32>
    "func.return"(%16) : (tensor<5x7xf32>) -> ()
  }) : () -> ()
}) : () -> ()
