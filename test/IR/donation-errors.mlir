// RUN: stof-opt %s --stof-bufferize -verify-diagnostics -split-input-file

/// The attribute is the number of a result that exists, has the type of the argument and is named once.

// expected-error @below {{expects 'tf.aliasing_output' of argument 0 to be the number of one of 1 results, but got 1 : i32}}
func.func @number(%x: tensor<8xf32> {tf.aliasing_output = 1 : i32}) -> tensor<8xf32> {
  return %x : tensor<8xf32>
}

// -----

// expected-error @below {{expects at most one argument for result 0, but got 0 and 1}}
func.func @twice(%x: tensor<8xf32> {tf.aliasing_output = 0 : i32}, %y: tensor<8xf32> {tf.aliasing_output = 0 : i32}) -> tensor<8xf32> {
  return %x : tensor<8xf32>
}

// -----

// expected-error @below {{expects argument 0 of the type of result 0, 'tensor<8xf32>', but got 'tensor<9xf32>'}}
func.func @type(%x: tensor<9xf32> {tf.aliasing_output = 0 : i32}, %y: tensor<8xf32>) -> tensor<8xf32> {
  return %y : tensor<8xf32>
}
