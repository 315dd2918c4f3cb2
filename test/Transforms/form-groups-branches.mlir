// RUN: stof-opt %s --pass-pipeline='builtin.module(func.func(stof-form-groups))' -split-input-file | FileCheck %s
// RUN: stof-opt %s --pass-pipeline='builtin.module(func.func(stof-form-groups))' -split-input-file -o /dev/null \
// RUN:   --remarks-filter='stof-form-groups' 2>&1 | FileCheck %s --check-prefix=REMARK

/// Matmuls between which no data flows share a launch, each with what follows
/// it, and read what they have in common once.

#id = affine_map<(d0, d1) -> (d0, d1)>

// REMARK: Fused {{.*}}BytesSaved=256, Remark="linalg.matmul with linalg.matmul"
// REMARK: Fused {{.*}}BytesSaved=384, Remark="linalg.matmul, linalg.matmul with linalg.generic"
// REMARK: FormedGroup {{.*}}Branches=2, ComputeIntensive=2, MemoryIntensive=1

// CHECK-LABEL: func @projections
// CHECK-SAME: (%[[X:[a-z0-9]*]]: {{.*}}stof.scheme = #stof.scheme<"000">
// CHECK: stof.group ins(%[[X]], {{.*}}) {
// CHECK:   %[[ONE:.*]] = linalg.matmul
// CHECK:   %[[TWO:.*]] = linalg.matmul
// CHECK:   %[[GATED:.*]] = linalg.generic {{.*}} ins(%[[TWO]]
// CHECK:   stof.yield %[[ONE]], %[[GATED]]
// CHECK-NOT: stof.group
func.func @projections(%x: tensor<8x8xf32>, %v: tensor<8x4xf32>, %w: tensor<8x6xf32>, %i: tensor<8x4xf32>, %j: tensor<8x6xf32>) -> (tensor<8x4xf32>, tensor<8x6xf32>) {
  %e = tensor.empty() : tensor<8x6xf32>
  %0 = linalg.matmul ins(%x, %v : tensor<8x8xf32>, tensor<8x4xf32>) outs(%i : tensor<8x4xf32>) -> tensor<8x4xf32>
  %1 = linalg.matmul ins(%x, %w : tensor<8x8xf32>, tensor<8x6xf32>) outs(%j : tensor<8x6xf32>) -> tensor<8x6xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<8x6xf32>) outs(%e : tensor<8x6xf32>) {
  ^bb0(%a: f32, %o: f32):
    %3 = math.exp %a : f32
    linalg.yield %3 : f32
  } -> tensor<8x6xf32>
  return %0, %2 : tensor<8x4xf32>, tensor<8x6xf32>
}

// -----

/// Operations on the same elements remain one branch: one pass over them
/// is enough.

#id = affine_map<(d0) -> (d0)>

// REMARK: FormedGroup {{.*}}Branches=1, ComputeIntensive=0, MemoryIntensive=2

// CHECK-LABEL: func @angles
// CHECK-COUNT-1: stof.group
// CHECK-NOT: stof.group
func.func @angles(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %2 = math.sin %a : f32
    linalg.yield %2 : f32
  } -> tensor<8xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %2 = math.cos %a : f32
    linalg.yield %2 : f32
  } -> tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// -----

/// What needs no matmul comes before it, not between it and what needs both;
/// what matmuls multiply comes a stage earlier.

#id = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: func @stages
// CHECK: stof.group
// CHECK:   math.absf
// CHECK:   math.sin
// CHECK: stof.group
// CHECK:   linalg.matmul
// CHECK:   arith.mulf
// CHECK: stof.group
// CHECK:   linalg.matmul
// CHECK:   arith.addf
func.func @stages(%x: tensor<8x8xf32>, %w: tensor<8x8xf32>, %i: tensor<8x8xf32>, %t: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) attributes {stof.scheme = #stof.scheme<"001100">} {
  %e = tensor.empty() : tensor<8x8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %6 = math.absf %a : f32
    linalg.yield %6 : f32
  } -> tensor<8x8xf32>
  %1 = linalg.matmul ins(%0, %w : tensor<8x8xf32>, tensor<8x8xf32>) outs(%i : tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %6 = math.sin %a : f32
    linalg.yield %6 : f32
  } -> tensor<8x8xf32>
  %3 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%1, %2 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %6 = arith.mulf %a, %b : f32
    linalg.yield %6 : f32
  } -> tensor<8x8xf32>
  %4 = linalg.matmul ins(%w, %0 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%i : tensor<8x8xf32>) -> tensor<8x8xf32>
  %5 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%4, %2 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %6 = arith.addf %a, %b : f32
    linalg.yield %6 : f32
  } -> tensor<8x8xf32>
  return %3, %5 : tensor<8x8xf32>, tensor<8x8xf32>
}

// -----

/// A long pass over memory is faster alone than in a kernel with a matmul.

#id = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: func @negative_long
// CHECK-SAME: stof.scheme = #stof.scheme<"01">
func.func @negative_long(%x: tensor<64x64xf32>, %i: tensor<64x64xf32>, %t: tensor<8192x8192xf32>) -> (tensor<64x64xf32>, tensor<8192x8192xf32>) {
  %e = tensor.empty() : tensor<8192x8192xf32>
  %0 = linalg.matmul ins(%x, %x : tensor<64x64xf32>, tensor<64x64xf32>) outs(%i : tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<8192x8192xf32>) outs(%e : tensor<8192x8192xf32>) {
  ^bb0(%a: f32, %o: f32):
    %2 = math.absf %a : f32
    linalg.yield %2 : f32
  } -> tensor<8192x8192xf32>
  return %0, %1 : tensor<64x64xf32>, tensor<8192x8192xf32>
}

// -----

/// They remain one branch next to another.

#id = affine_map<(d0) -> (d0)>

// REMARK: FormedGroup {{.*}}Branches=2, ComputeIntensive=1, MemoryIntensive=2

// CHECK-LABEL: func @angles_and_product
// CHECK-COUNT-1: stof.group
// CHECK-NOT: stof.group
func.func @angles_and_product(%x: tensor<8xf32>, %w: tensor<8x8xf32>, %i: tensor<8x8xf32>) -> (tensor<8xf32>, tensor<8x8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %3 = math.sin %a : f32
    linalg.yield %3 : f32
  } -> tensor<8xf32>
  %1 = linalg.matmul ins(%w, %w : tensor<8x8xf32>, tensor<8x8xf32>) outs(%i : tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %3 = math.cos %a : f32
    linalg.yield %3 : f32
  } -> tensor<8xf32>
  return %0, %1, %2 : tensor<8xf32>, tensor<8x8xf32>, tensor<8xf32>
}
