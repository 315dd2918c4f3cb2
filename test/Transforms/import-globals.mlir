// RUN: stof-opt %s --stof-import-globals | FileCheck %s

/// What changes is an argument before the call and a result after it, of each
/// function that has to do with it; loads see the last store.

// CHECK-NOT: ml_program
ml_program.global private mutable @global_seed(dense<0> : tensor<i64>) : tensor<i64>
ml_program.global private mutable @steps(dense<0> : tensor<2xi32>) : tensor<2xi32>
ml_program.global private @table(dense<[1, 2]> : tensor<2xi32>) : tensor<?xi32>

// CHECK-LABEL: func @random
// CHECK-SAME: (%[[X:[^:]*]]: tensor<2xi32>, %[[SEED:[^:]*]]: tensor<i64> {stof.global = "global_seed"}, %[[STEPS:[^:]*]]: tensor<2xi32> {stof.global = "steps"})
// CHECK-SAME: -> (tensor<2xi32>, tensor<i64>, tensor<i64> {stof.global = "global_seed"}, tensor<2xi32> {stof.global = "steps"})
// CHECK: %[[OLD:.*]] = tensor.extract %[[SEED]][]
// CHECK: %[[NEXT:.*]] = tensor.insert %{{.*}} into %[[SEED]][]
// CHECK: return %[[STEPS]], %[[NEXT]], %[[NEXT]], %[[X]]
func.func @random(%x: tensor<2xi32>) -> (tensor<2xi32>, tensor<i64>) {
  %seed = ml_program.global_load @global_seed : tensor<i64>
  %old = tensor.extract %seed[] : tensor<i64>
  %new = arith.muli %old, %old : i64
  %next = tensor.insert %new into %seed[] : tensor<i64>
  ml_program.global_store @global_seed = %next : tensor<i64>
  %steps = ml_program.global_load @steps : tensor<2xi32>
  ml_program.global_store @steps = %x : tensor<2xi32>
  %after = ml_program.global_load @global_seed : tensor<i64>
  return %steps, %after : tensor<2xi32>, tensor<i64>
}

/// What does not change is a constant.

// CHECK-LABEL: func @constant() -> (tensor<?xi32>, tensor<?xi32>)
// CHECK: %[[FIRST:.*]] = arith.constant dense<[1, 2]> : tensor<2xi32>
// CHECK: tensor.cast %[[FIRST]] : tensor<2xi32> to tensor<?xi32>
// CHECK: arith.constant dense<[1, 2]> : tensor<2xi32>
func.func @constant() -> (tensor<?xi32>, tensor<?xi32>) {
  %a = ml_program.global_load @table : tensor<?xi32>
  %b = ml_program.global_load_const @table : tensor<?xi32>
  return %a, %b : tensor<?xi32>, tensor<?xi32>
}
