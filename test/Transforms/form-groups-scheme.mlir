// RUN: stof-opt %s --pass-pipeline='builtin.module(func.func(stof-form-groups))' -split-input-file | FileCheck %s --check-prefixes=CHECK,GREEDY
// RUN: stof-opt %s --pass-pipeline='builtin.module(func.func(stof-form-groups{scheme=0010}))' -split-input-file | FileCheck %s --check-prefixes=CHECK,MIDDLE
// RUN: stof-opt %s --pass-pipeline='builtin.module(func.func(stof-form-groups{scheme=0xd:4}))' -split-input-file | FileCheck %s --check-prefixes=CHECK,MIDDLE
// RUN: stof-opt %s --pass-pipeline='builtin.module(func.func(stof-form-groups{scheme=0101}))' -split-input-file | FileCheck %s --check-prefixes=CHECK,SINGLE
// RUN: stof-opt %s --pass-pipeline='builtin.module(func.func(stof-form-groups))' -split-input-file -o /dev/null \
// RUN:   --remarks-filter='stof-form-groups' 2>&1 | FileCheck %s --check-prefix=REMARK

/// A scheme says where the list of operations is cut. Its complement says the
/// same.

#id = affine_map<(d0, d1) -> (d0, d1)>

// REMARK-DAG: [Passed] Fused {{.*}}BytesSaved=512, Remark="linalg.matmul with linalg.generic"

// GREEDY-LABEL: func @two_products
// GREEDY-SAME: stof.scheme = #stof.scheme<"0000">
// GREEDY: stof.group
// GREEDY:   linalg.matmul
// GREEDY:   math.absf
// GREEDY:   linalg.matmul
// GREEDY:   math.exp
// GREEDY-NOT: stof.group
// GREEDY: return

// MIDDLE-LABEL: func @two_products
// MIDDLE-SAME: stof.scheme = #stof.scheme<"0010">
// MIDDLE-COUNT-3: stof.group
// MIDDLE-NOT: stof.group
// MIDDLE: return

// SINGLE-LABEL: func @two_products
// SINGLE-SAME: stof.scheme = #stof.scheme<"0101">
// SINGLE-COUNT-4: stof.group
func.func @two_products(%a: tensor<8x8xf32>, %init: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %e = tensor.empty() : tensor<8x8xf32>
  %0 = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %3 = math.absf %x : f32
    linalg.yield %3 : f32
  } -> tensor<8x8xf32>
  %2 = linalg.matmul ins(%1, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  %3 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %4 = math.exp %x : f32
    linalg.yield %4 : f32
  } -> tensor<8x8xf32>
  return %3 : tensor<8x8xf32>
}

// -----

/// An operation comes directly before what needs it, and a scheme is read from
/// the function.

#id = affine_map<(d0) -> (d0)>

// CHECK-LABEL: func @order
// CHECK: stof.group
// CHECK: math.absf
// CHECK: math.exp
// CHECK: return
func.func @order(%x: tensor<8xf32>, %y: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) attributes {stof.scheme = #stof.scheme<"0011">} {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %4 = math.absf %a : f32
    linalg.yield %4 : f32
  } -> tensor<8xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%y : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %4 = math.sqrt %a : f32
    linalg.yield %4 : f32
  } -> tensor<8xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%0 : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %4 = math.exp %a : f32
    linalg.yield %4 : f32
  } -> tensor<8xf32>
  %3 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%1 : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %4 = math.floor %a : f32
    linalg.yield %4 : f32
  } -> tensor<8xf32>
  return %2, %3 : tensor<8xf32>, tensor<8xf32>
}
