// RUN: stof-opt %s --stof-import-globals -verify-diagnostics -split-input-file

ml_program.global private mutable @seed(dense<0> : tensor<i64>) : tensor<i64>
func.func @nested(%c: i1, %x: tensor<i64>) -> tensor<i64> {
  scf.if %c {
    // expected-error @below {{cannot be compiled: expects a mutable global to be accessed outside of control flow}}
    ml_program.global_store @seed = %x : tensor<i64>
  }
  return %x : tensor<i64>
}

// -----

ml_program.global private mutable @seed(dense<0> : tensor<i64>) : tensor<i64>
func.func private @recursive(%x: tensor<i64>) -> tensor<i64> {
  // expected-error @below {{cannot be compiled: expects a mutable global to be accessed by a public function, but 'recursive' could not be inlined}}
  ml_program.global_store @seed = %x : tensor<i64>
  %y = func.call @recursive(%x) : (tensor<i64>) -> tensor<i64>
  return %y : tensor<i64>
}

// -----

ml_program.global private @table(#ml_program.extern<tensor<4xi32>>) : tensor<4xi32>
func.func @no_value() -> tensor<4xi32> {
  // expected-error @below {{cannot be compiled: expects a global with a value, but @table has none}}
  %t = ml_program.global_load @table : tensor<4xi32>
  return %t : tensor<4xi32>
}

// -----

ml_program.global private mutable @number(0 : i64) : i64
func.func @scalar() -> i64 {
  // expected-error @below {{cannot be compiled: expects a global of a ranked tensor, but got 'i64'}}
  %t = ml_program.global_load @number : i64
  return %t : i64
}

// -----

ml_program.global private mutable @seed(dense<0> : tensor<i64>) : tensor<i64>
func.func @tokens() -> tensor<i64> {
  // expected-error @below {{cannot be compiled: expects globals to be loaded and stored in order}}
  %t, %token = ml_program.global_load_graph @seed ordering(() -> !ml_program.token) : tensor<i64>
  return %t : tensor<i64>
}
