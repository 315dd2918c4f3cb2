// RUN: stof-opt %s --pass-pipeline='builtin.module(func.func(stof-form-groups))' | FileCheck %s

/// What another block reads is a result of its group.

#id = affine_map<(d0) -> (d0)>

// CHECK-LABEL: func @blocks
// CHECK: %[[SUM:.*]] = stof.group
// CHECK:   arith.addf
// CHECK: cf.cond_br
// CHECK: stof.group ins(%[[SUM]]
// CHECK:   math.exp
func.func @blocks(%x: tensor<8xf32>, %c: i1) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %2 = arith.addf %a, %a : f32
    linalg.yield %2 : f32
  } -> tensor<8xf32>
  cf.cond_br %c, ^then, ^else
^then:
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%0 : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %2 = math.exp %a : f32
    linalg.yield %2 : f32
  } -> tensor<8xf32>
  return %1 : tensor<8xf32>
^else:
  return %x : tensor<8xf32>
}
