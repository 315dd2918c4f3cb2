// RUN: stof-opt --stof-import-attention --allow-unregistered-dialect --split-input-file %s | FileCheck %s
// RUN: stof-opt --stof-raise --allow-unregistered-dialect --split-input-file %s | FileCheck %s --check-prefix=RAISE
// RUN: stof-opt --stof-import-attention --allow-unregistered-dialect --remarks-filter="stof.*" --split-input-file %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

/// torch-mlir's attention, not decomposed: its mask is added.

// CHECK-LABEL: func @tm_tensor
// RAISE-LABEL: func @tm_tensor
// REMARK: remark: [Passed] ImportedAttention | {{.*}}tm_tensor.attention
func.func @tm_tensor(%q: tensor<6x8x4xf16>, %k: tensor<6x8x4xf16>, %v: tensor<6x8x4xf16>, %mask: tensor<6x8x8xf16>) -> tensor<6x8x4xf16> {
  %init = tensor.empty() : tensor<6x8x4xf16>
  // CHECK-NOT: tm_tensor
  // CHECK: math.exp
  // RAISE: stof.attention {{.*}} captures(%{{.*}} : tensor<6x8x8xf16>) {{.*}} scale 5.000000e-01 score
  %0 = "tm_tensor.attention"(%q, %k, %v, %mask, %init) <{operandSegmentSizes = array<i32: 4, 1>}> : (tensor<6x8x4xf16>, tensor<6x8x4xf16>, tensor<6x8x4xf16>, tensor<6x8x8xf16>, tensor<6x8x4xf16>) -> tensor<6x8x4xf16>
  return %0 : tensor<6x8x4xf16>
}

// -----

/// A pair of scalar functions, one on tensors of rank zero; grouped heads.

func.func private @after(%b: tensor<i32>, %h: tensor<i32>, %q: tensor<i32>, %k: tensor<i32>) -> tensor<i1> {
  %init = tensor.empty() : tensor<i1>
  %0 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []}
      ins(%q, %k : tensor<i32>, tensor<i32>) outs(%init : tensor<i1>) {
  ^bb0(%i: i32, %j: i32, %out: i1):
    %keep = arith.cmpi sge, %i, %j : i32
    linalg.yield %keep : i1
  } -> tensor<i1>
  return %0 : tensor<i1>
}
func.func private @cap(%s: f32, %b: i64, %h: i64, %q: i64, %k: i64) -> f32 {
  %c = arith.constant 20.0 : f32
  %0 = arith.divf %s, %c : f32
  %1 = math.tanh %0 : f32
  %2 = arith.mulf %1, %c : f32
  return %2 : f32
}
// CHECK-LABEL: func @flex_symbols
// RAISE-LABEL: func @flex_symbols
func.func @flex_symbols(%q: tensor<2x8x8x4xf32>, %k: tensor<2x2x8x4xf32>, %v: tensor<2x2x8x4xf32>) -> tensor<2x8x8x4xf32> {
  // CHECK: linalg.broadcast
  // CHECK: math.tanh
  // CHECK: arith.select
  // RAISE: stof.mask {
  // RAISE:   arith.cmpi sle
  // RAISE: stof.attention ins({{.*}} : tensor<2x8x8x4xf32>, tensor<2x2x8x4xf32>, tensor<2x2x8x4xf32>) {{.*}} score {
  // RAISE:   math.tanh
  %0 = "torch.hop_flex_attention"(%q, %k, %v) {mask_mod_fn = @after, score_mod_fn = @cap} : (tensor<2x8x8x4xf32>, tensor<2x2x8x4xf32>, tensor<2x2x8x4xf32>) -> tensor<2x8x8x4xf32>
  return %0 : tensor<2x8x8x4xf32>
}

// -----

/// The functions as regions.

// RAISE-LABEL: func @flex_regions
func.func @flex_regions(%q: tensor<2x2x8x4xf32>, %k: tensor<2x2x8x4xf32>, %v: tensor<2x2x8x4xf32>) -> tensor<2x2x8x4xf32> {
  // RAISE: stof.mask {
  // RAISE: stof.attention {{.*}} scale 2.500000e-01
  %0 = "some.flex_attention"(%q, %k, %v) ({
  ^bb0(%b: i32, %h: i32, %i: i32, %j: i32):
    %keep = arith.cmpi sge, %i, %j : i32
    "some.yield"(%keep) : (i1) -> ()
  }) {scale = 0.25 : f64} : (tensor<2x2x8x4xf32>, tensor<2x2x8x4xf32>, tensor<2x2x8x4xf32>) -> tensor<2x2x8x4xf32>
  return %0 : tensor<2x2x8x4xf32>
}

// -----

/// A function that calls another is more than an expression: it stays.

func.func private @other(i64) -> i1
func.func private @calls(%b: i64, %h: i64, %q: i64, %k: i64) -> i1 {
  %0 = func.call @other(%k) : (i64) -> i1
  return %0 : i1
}
// CHECK-LABEL: func @negative_call
// REMARK: remark: [Missed] ImportedAttention | {{.*}}more than an expression of the score and the coordinates
func.func @negative_call(%q: tensor<2x2x8x4xf32>, %k: tensor<2x2x8x4xf32>, %v: tensor<2x2x8x4xf32>) -> tensor<2x2x8x4xf32> {
  // CHECK: torch.hop_flex_attention
  %0 = "torch.hop_flex_attention"(%q, %k, %v) {mask_mod_fn = @calls} : (tensor<2x2x8x4xf32>, tensor<2x2x8x4xf32>, tensor<2x2x8x4xf32>) -> tensor<2x2x8x4xf32>
  return %0 : tensor<2x2x8x4xf32>
}

// -----

/// What ends a region of an unknown dialect may be no terminator, or nothing.

// CHECK-LABEL: func @negative_ends
// REMARK: remark: [Missed] ImportedAttention | {{.*}}more than an expression of the score and the coordinates
// REMARK: remark: [Missed] ImportedAttention | {{.*}}more than an expression of the score and the coordinates
func.func @negative_ends(%q: tensor<2x2x8x4xf32>) -> (tensor<2x2x8x4xf32>, tensor<2x2x8x4xf32>) {
  // CHECK: some.flex_attention
  %0 = "some.flex_attention"(%q, %q, %q) ({
  ^bb0(%b: i32, %h: i32, %i: i32, %j: i32):
    %keep = arith.cmpi sge, %i, %j : i32
    %number = arith.extui %keep : i1 to i32
  }) : (tensor<2x2x8x4xf32>, tensor<2x2x8x4xf32>, tensor<2x2x8x4xf32>) -> tensor<2x2x8x4xf32>
  // CHECK: some.flex_attention
  %1 = "some.flex_attention"(%q, %q, %q) ({
  ^bb0(%b: i32, %h: i32, %i: i32, %j: i32):
  }) : (tensor<2x2x8x4xf32>, tensor<2x2x8x4xf32>, tensor<2x2x8x4xf32>) -> tensor<2x2x8x4xf32>
  return %0, %1 : tensor<2x2x8x4xf32>, tensor<2x2x8x4xf32>
}

// -----

/// Softmax alone is written out for the passes that follow.

// CHECK-LABEL: func @softmax
func.func @softmax(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // CHECK-NOT: linalg.softmax
  // CHECK: math.exp
  %init = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.softmax dimension(1) ins(%x : tensor<4x8xf32>) outs(%init : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
