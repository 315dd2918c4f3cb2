// x.index_put((i, j), v, accumulate=True)
// Exported with torch 2.15.0, torch-mlir 20261001, in generic form.
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<9x4xf32>, tensor<3xi64>, tensor<3xi64>, tensor<3xf32>) -> tensor<9x4xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<9x4xf32>, %arg1: tensor<3xi64>, %arg2: tensor<3xi64>, %arg3: tensor<3xf32>):
    %0 = "tensor.expand_shape"(%arg1) <{reassociation = [[0, 1]], static_output_shape = array<i64: 3, 1>}> : (tensor<3xi64>) -> tensor<3x1xi64>
    %1 = "tensor.expand_shape"(%arg2) <{reassociation = [[0, 1]], static_output_shape = array<i64: 3, 1>}> : (tensor<3xi64>) -> tensor<3x1xi64>
    %2 = "tensor.concat"(%0, %1) <{dim = 1 : i64}> : (tensor<3x1xi64>, tensor<3x1xi64>) -> tensor<3x2xi64>
    %3 = "tensor.expand_shape"(%arg3) <{reassociation = [[0, 1, 2]], static_output_shape = array<i64: 3, 1, 1>}> : (tensor<3xf32>) -> tensor<3x1x1xf32>
    %4 = "tm_tensor.scatter"(%3, %2, %arg0) <{dimension_map = array<i64: 0, 1>, operandSegmentSizes = array<i32: 2, 1>, unique_indices = false}> ({
    ^bb0(%arg4: f32, %arg5: f32):
      %5 = "arith.addf"(%arg5, %arg4) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "tm_tensor.yield"(%5) : (f32) -> ()
    }) : (tensor<3x1x1xf32>, tensor<3x2xi64>, tensor<9x4xf32>) -> tensor<9x4xf32>
    "func.return"(%4) : (tensor<9x4xf32>) -> ()
  }) : () -> ()
}) : () -> ()
