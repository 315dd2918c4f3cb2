// RUN: stof-opt %s --pass-pipeline='builtin.module(func.func(stof-split-k{chip=sm_90a}))' -split-input-file | FileCheck %s
// RUN: stof-opt %s --pass-pipeline='builtin.module(func.func(stof-split-k{chip=sm_90a}))' -split-input-file -o %t \
// RUN:   --remarks-filter=stof-split-k 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: stof-opt %s --pass-pipeline='builtin.module(func.func(stof-split-k))' -split-input-file | FileCheck %s --check-prefix=PROCESSOR

/// A processor has few cores: nothing is split for it.

// PROCESSOR-NOT: tensor.extract_slice

/// One tile of many steps: parts are computed side by side, and added up.

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (n, k)>
#out = affine_map<(m, n, k) -> (m, n)>

// REMARK: remark: [Passed] SplitK | {{.*}}'linalg.contract' split-K by 16: {{.*}} us instead of {{.*}} us
// CHECK-DAG: #[[LHS:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>
// CHECK-DAG: #[[RHS:.*]] = affine_map<(d0, d1, d2, d3) -> (d1, d3, d2)>
// CHECK-DAG: #[[OUT:.*]] = affine_map<(d0, d1, d2, d3) -> (d3, d0, d1)>
// CHECK-LABEL: func @few_tiles
// CHECK-SAME: (%[[X:.*]]: tensor<16x4096xf16>, %[[W:.*]]: tensor<64x4096xf16>)
// CHECK-DAG: %[[LEFT:.*]] = tensor.expand_shape %[[X]] {{\[\[}}0], [1, 2]] output_shape [16, 16, 256]
// CHECK-DAG: %[[RIGHT:.*]] = tensor.expand_shape %[[W]] {{\[\[}}0], [1, 2]] output_shape [64, 16, 256]
// CHECK: %[[ZERO:.*]] = linalg.fill
// CHECK: %[[PARTS:.*]] = linalg.contract indexing_maps = [#[[LHS]], #[[RHS]], #[[OUT]]] ins(%[[LEFT]], %[[RIGHT]] : {{.*}}) outs(%[[ZERO]] : tensor<16x16x64xf32>)
// CHECK: %[[FIRST:.*]] = tensor.extract_slice %[[PARTS]][0, 0, 0] [1, 16, 64] [1, 1, 1] : tensor<16x16x64xf32> to tensor<16x64xf32>
// CHECK: %[[LAST:.*]] = tensor.extract_slice %[[PARTS]][15, 0, 0] [1, 16, 64] [1, 1, 1]
// CHECK: %[[SUM:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]} ins(%[[FIRST]], {{.*}}, %[[LAST]] :
// CHECK-COUNT-15: arith.addf
// CHECK: return %[[SUM]] : tensor<16x64xf32>
func.func @few_tiles(%x: tensor<16x4096xf16>, %w: tensor<64x4096xf16>) -> tensor<16x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x64xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%e : tensor<16x64xf32>) -> tensor<16x64xf32>
  %y = linalg.contract indexing_maps = [#lhs, #rhs, #out]
      ins(%x, %w : tensor<16x4096xf16>, tensor<64x4096xf16>) outs(%0 : tensor<16x64xf32>) -> tensor<16x64xf32>
  return %y : tensor<16x64xf32>
}

// -----

/// A norm of rows that no tile holds has a kernel of its own, which adds up the
/// parts as well: that takes no further launch.

#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>

// REMARK: remark: [Passed] SplitK | {{.*}}'linalg.matmul' split-K by 4
// CHECK-LABEL: func @norm_reads_parts
// CHECK: linalg.contract {{.*}} -> tensor<4x128x768xf32>
func.func @norm_reads_parts(%x: tensor<128x3072xf16>, %w: tensor<3072x768xf16>, %z: tensor<128x768xf32>)
    -> (tensor<128x768xf32>, tensor<128xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x768xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%e : tensor<128x768xf32>) -> tensor<128x768xf32>
  %p = linalg.matmul ins(%x, %w : tensor<128x3072xf16>, tensor<3072x768xf16>) outs(%0 : tensor<128x768xf32>) -> tensor<128x768xf32>
  %y = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %z : tensor<128x768xf32>, tensor<128x768xf32>) outs(%e : tensor<128x768xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<128x768xf32>
  %s_e = tensor.empty() : tensor<128xf32>
  %s_0 = linalg.fill ins(%zero : f32) outs(%s_e : tensor<128xf32>) -> tensor<128xf32>
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%y : tensor<128x768xf32>) outs(%s_0 : tensor<128xf32>) {
  ^bb0(%a: f32, %o: f32):
    %q = arith.mulf %a, %a : f32
    %r = arith.addf %q, %o : f32
    linalg.yield %r : f32
  } -> tensor<128xf32>
  return %y, %s : tensor<128x768xf32>, tensor<128xf32>
}

// -----

/// The same matmul by itself does not gain as much as a launch takes.

// REMARK: remark: [Missed] NotSplitK | {{.*}}Reason="split-K by {{[0-9]+}} would take {{.*}} us instead of {{.*}} us", Remark='linalg.matmul'
// CHECK-LABEL: func @negative_launch
// CHECK: linalg.matmul
func.func @negative_launch(%x: tensor<128x3072xf16>, %w: tensor<3072x768xf16>) -> tensor<128x768xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x768xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%e : tensor<128x768xf32>) -> tensor<128x768xf32>
  %p = linalg.matmul ins(%x, %w : tensor<128x3072xf16>, tensor<3072x768xf16>) outs(%0 : tensor<128x768xf32>) -> tensor<128x768xf32>
  return %p : tensor<128x768xf32>
}

// -----

/// Matmuls of one operand are split alike, as one kernel computes them.

// REMARK: remark: [Passed] SplitK | {{.*}}'linalg.matmul' split-K by 16: [[TIMES:.*]]"
// REMARK: remark: [Passed] SplitK | {{.*}}'linalg.matmul' split-K by 16: [[TIMES]]"
// CHECK-LABEL: func @of_one_operand
// CHECK: linalg.contract {{.*}} -> tensor<16x1x512xf32>
// CHECK: linalg.contract {{.*}} -> tensor<16x1x256xf32>
func.func @of_one_operand(%x: tensor<1x4096xf16>, %v: tensor<4096x512xf16>, %w: tensor<4096x256xf16>)
    -> (tensor<1x512xf32>, tensor<1x256xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x512xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%e : tensor<1x512xf32>) -> tensor<1x512xf32>
  %p = linalg.matmul ins(%x, %v : tensor<1x4096xf16>, tensor<4096x512xf16>) outs(%0 : tensor<1x512xf32>) -> tensor<1x512xf32>
  %f = tensor.empty() : tensor<1x256xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%f : tensor<1x256xf32>) -> tensor<1x256xf32>
  %q = linalg.matmul ins(%x, %w : tensor<1x4096xf16>, tensor<4096x256xf16>) outs(%1 : tensor<1x256xf32>) -> tensor<1x256xf32>
  return %p, %q : tensor<1x512xf32>, tensor<1x256xf32>
}

// -----

/// Many tiles need no parts, and there is nothing to say.

// CHECK-LABEL: func @negative_many_tiles
// CHECK: linalg.matmul
func.func @negative_many_tiles(%x: tensor<2048x3072xf16>, %w: tensor<3072x768xf16>) -> tensor<2048x768xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2048x768xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%e : tensor<2048x768xf32>) -> tensor<2048x768xf32>
  %p = linalg.matmul ins(%x, %w : tensor<2048x3072xf16>, tensor<3072x768xf16>) outs(%0 : tensor<2048x768xf32>) -> tensor<2048x768xf32>
  return %p : tensor<2048x768xf32>
}

// -----

/// Rows may be few or many; where columns are many, parts would not pay for any.

// REMARK: remark: [Missed] NotSplitK | {{.*}}Reason="its sizes are dynamic", Remark='linalg.matmul'
// REMARK-NOT: its sizes are not known
// CHECK-LABEL: func @negative_unknown
// CHECK-COUNT-2: linalg.matmul
func.func @negative_unknown(%x: tensor<?x4096xf16>, %w: tensor<4096x64xf16>, %v: tensor<4096x16384xf16>,
                            %0: tensor<?x64xf32>, %1: tensor<?x16384xf32>) -> (tensor<?x64xf32>, tensor<?x16384xf32>) {
  %p = linalg.matmul ins(%x, %w : tensor<?x4096xf16>, tensor<4096x64xf16>) outs(%0 : tensor<?x64xf32>) -> tensor<?x64xf32>
  %q = linalg.matmul ins(%x, %v : tensor<?x4096xf16>, tensor<4096x16384xf16>) outs(%1 : tensor<?x16384xf32>) -> tensor<?x16384xf32>
  return %p, %q : tensor<?x64xf32>, tensor<?x16384xf32>
}

// -----

/// A part is a number of whole steps.

// REMARK: remark: [Missed] NotSplitK | {{.*}}Reason="no split-K factor divides K into whole K tiles", Remark='linalg.matmul'
// CHECK-LABEL: func @negative_steps
// CHECK: linalg.matmul
func.func @negative_steps(%x: tensor<1x5000xf16>, %w: tensor<5000x64xf16>, %0: tensor<1x64xf32>) -> tensor<1x64xf32> {
  %p = linalg.matmul ins(%x, %w : tensor<1x5000xf16>, tensor<5000x64xf16>) outs(%0 : tensor<1x64xf32>) -> tensor<1x64xf32>
  return %p : tensor<1x64xf32>
}

// -----

/// The heads of one query: a loop of one value is among those that are summed
/// over, and one of the others is divided.

#lhs = affine_map<(m, n, h, q, d) -> (m, h, q, d)>
#rhs = affine_map<(m, n, h, q, d) -> (n, q, h, d)>
#out = affine_map<(m, n, h, q, d) -> (m, n)>

// REMARK: remark: [Passed] SplitK | {{.*}}'linalg.contract' split-K by 16
// CHECK-LABEL: func @one_query
// CHECK-SAME: (%[[X:.*]]: tensor<1x32x1x128xf16>, %[[W:.*]]: tensor<64x1x32x128xf16>)
// CHECK-DAG: tensor.expand_shape %[[X]] {{\[\[}}0], [1, 2], [3], [4]] output_shape [1, 16, 2, 1, 128]
// CHECK-DAG: tensor.expand_shape %[[W]] {{\[\[}}0], [1], [2, 3], [4]] output_shape [64, 1, 16, 2, 128]
// CHECK: linalg.contract {{.*}} outs(%{{.*}} : tensor<16x1x64xf32>)
func.func @one_query(%x: tensor<1x32x1x128xf16>, %w: tensor<64x1x32x128xf16>) -> tensor<1x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x64xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%e : tensor<1x64xf32>) -> tensor<1x64xf32>
  %y = linalg.contract indexing_maps = [#lhs, #rhs, #out]
      ins(%x, %w : tensor<1x32x1x128xf16>, tensor<64x1x32x128xf16>) outs(%0 : tensor<1x64xf32>) -> tensor<1x64xf32>
  return %y : tensor<1x64xf32>
}
