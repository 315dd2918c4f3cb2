// torch.slice_scatter(x, k, 2, 3, 5)
// Exported with torch 2.15.0, torch-mlir 20261001, in generic form.
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x4x16x8xf32>, tensor<2x4x2x8xf32>) -> tensor<2x4x16x8xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x4x16x8xf32>, %arg1: tensor<2x4x2x8xf32>):
    %0 = "tensor.insert_slice"(%arg1, %arg0) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>, static_offsets = array<i64: 0, 0, 3, 0>, static_sizes = array<i64: 2, 4, 2, 8>, static_strides = array<i64: 1, 1, 1, 1>}> : (tensor<2x4x2x8xf32>, tensor<2x4x16x8xf32>) -> tensor<2x4x16x8xf32>
    "func.return"(%0) : (tensor<2x4x16x8xf32>) -> ()
  }) : () -> ()
}) : () -> ()
