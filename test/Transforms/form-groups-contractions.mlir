// RUN: stof-opt %s --pass-pipeline='builtin.module(func.func(stof-form-groups))' -split-input-file | FileCheck %s
// RUN: stof-opt %s --pass-pipeline='builtin.module(func.func(stof-form-groups))' -split-input-file -o /dev/null \
// RUN:   --remarks-filter='stof-form-groups' 2>&1 | FileCheck %s --check-prefix=REMARK

/// A rotation shares the kernel of the matmul that it reads. What turns it is
/// needed elsewhere as well, and so computed before.

#lhs = affine_map<(d0, d1, d2) -> (d0, d2)>
#rhs = affine_map<(d0, d1, d2) -> (d1, d2)>
#out = affine_map<(d0, d1, d2) -> (d0, d1)>
#id = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d1)>
#line = affine_map<(d0) -> (d0)>

// CHECK-LABEL: func @rotation
// CHECK-SAME: #stof.scheme<"011">
// CHECK: stof.group
// CHECK:   math.cos
// CHECK: stof.group
// CHECK:   %[[PRODUCT:.*]] = linalg.contract
// CHECK:   tensor.extract %[[PRODUCT]]
// CHECK: return
func.func @rotation(%x: tensor<700x64xf32>, %w: tensor<64x64xf32>, %angles: tensor<64xf32>, %init: tensor<700x64xf32>) -> (tensor<64xf32>, tensor<700x64xf32>) {
  %e = tensor.empty() : tensor<700x64xf32>
  %0 = linalg.contract indexing_maps = [#lhs, #rhs, #out] ins(%x, %w : tensor<700x64xf32>, tensor<64x64xf32>) outs(%init : tensor<700x64xf32>) -> tensor<700x64xf32>
  %f = tensor.empty() : tensor<64xf32>
  %1 = linalg.generic {indexing_maps = [#line, #line], iterator_types = ["parallel"]} ins(%angles : tensor<64xf32>) outs(%f : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %3 = math.cos %a : f32
    linalg.yield %3 : f32
  } -> tensor<64xf32>
  %2 = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]} ins(%0, %1 : tensor<700x64xf32>, tensor<64xf32>) outs(%e : tensor<700x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c1 = arith.constant 1 : index
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %n = arith.xori %j, %c1 : index
    %3 = tensor.extract %0[%i, %n] : tensor<700x64xf32>
    %4 = arith.mulf %3, %b : f32
    %5 = arith.addf %4, %a : f32
    linalg.yield %5 : f32
  } -> tensor<700x64xf32>
  return %1, %2 : tensor<64xf32>, tensor<700x64xf32>
}

// -----

/// A residual is needed by all that comes between: it is listed where that
/// begins, not where it ends.

#lhs = affine_map<(d0, d1, d2) -> (d0, d2)>
#rhs = affine_map<(d0, d1, d2) -> (d1, d2)>
#out = affine_map<(d0, d1, d2) -> (d0, d1)>
#id = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: func @residual
// CHECK-SAME: #stof.scheme<"0011">
// CHECK: stof.group
// CHECK:   math.absf
// CHECK:   math.floor
// CHECK: stof.group
// CHECK:   linalg.contract
// CHECK:   arith.addf
func.func @residual(%x: tensor<70x64xf32>, %w: tensor<64x64xf32>, %init: tensor<70x64xf32>) -> tensor<70x64xf32> {
  %e = tensor.empty() : tensor<70x64xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<70x64xf32>) outs(%e : tensor<70x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %4 = math.absf %a : f32
    linalg.yield %4 : f32
  } -> tensor<70x64xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<70x64xf32>) outs(%e : tensor<70x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %4 = math.floor %a : f32
    linalg.yield %4 : f32
  } -> tensor<70x64xf32>
  %2 = linalg.contract indexing_maps = [#lhs, #rhs, #out] ins(%1, %w : tensor<70x64xf32>, tensor<64x64xf32>) outs(%init : tensor<70x64xf32>) -> tensor<70x64xf32>
  %3 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%0, %2 : tensor<70x64xf32>, tensor<70x64xf32>) outs(%e : tensor<70x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %4 = arith.addf %a, %b : f32
    linalg.yield %4 : f32
  } -> tensor<70x64xf32>
  return %3 : tensor<70x64xf32>
}

// -----

/// Rows of a small matmul are combined by its kernel. Where a few rows would
/// read all of a great operand again and again, another kernel does it.

#lhs = affine_map<(d0, d1, d2) -> (d0, d2)>
#rhs = affine_map<(d0, d1, d2) -> (d1, d2)>
#out = affine_map<(d0, d1, d2) -> (d0, d1)>
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// CHECK-LABEL: func @small_row
// CHECK-SAME: #stof.scheme<"00">
func.func @small_row(%x: tensor<4096x64xf16>, %w: tensor<64x64xf16>, %init: tensor<4096x64xf32>, %sums: tensor<4096xf32>) -> (tensor<4096x64xf32>, tensor<4096xf32>) {
  %0 = linalg.contract indexing_maps = [#lhs, #rhs, #out] ins(%x, %w : tensor<4096x64xf16>, tensor<64x64xf16>) outs(%init : tensor<4096x64xf32>) -> tensor<4096x64xf32>
  %1 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%0 : tensor<4096x64xf32>) outs(%sums : tensor<4096xf32>) {
  ^bb0(%a: f32, %o: f32):
    %2 = arith.addf %a, %o : f32
    linalg.yield %2 : f32
  } -> tensor<4096xf32>
  return %0, %1 : tensor<4096x64xf32>, tensor<4096xf32>
}

// REMARK: [Missed] NotFused {{.*}}Reason="the joint kernel is predicted to be slower", Remark="linalg.contract with linalg.generic"
// CHECK-LABEL: func @great_row
// CHECK-SAME: #stof.scheme<"01">
func.func @great_row(%x: tensor<4096x1024xf16>, %w: tensor<1024x1024xf16>, %init: tensor<4096x1024xf32>, %sums: tensor<4096xf32>) -> (tensor<4096x1024xf32>, tensor<4096xf32>) {
  %0 = linalg.contract indexing_maps = [#lhs, #rhs, #out] ins(%x, %w : tensor<4096x1024xf16>, tensor<1024x1024xf16>) outs(%init : tensor<4096x1024xf32>) -> tensor<4096x1024xf32>
  %1 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%0 : tensor<4096x1024xf32>) outs(%sums : tensor<4096xf32>) {
  ^bb0(%a: f32, %o: f32):
    %2 = arith.addf %a, %o : f32
    linalg.yield %2 : f32
  } -> tensor<4096xf32>
  return %0, %1 : tensor<4096x1024xf32>, tensor<4096xf32>
}

// -----

/// A sum of products whose accumulator an operation without uses reads is a group as well.

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#result = affine_map<(m, n, k) -> (m, n)>

// CHECK-LABEL: func @read_accumulator
func.func @read_accumulator(%a: tensor<16x64xf16>, %b: tensor<64x16xf16>, %init: tensor<16x16xf32>) -> tensor<16x16xf32> {
  // CHECK: stof.group
  // CHECK: linalg.generic
  %0 = linalg.generic {indexing_maps = [#lhs, #rhs, #result], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<16x64xf16>, tensor<64x16xf16>) outs(%init : tensor<16x16xf32>) {
  ^bb0(%x: f16, %y: f16, %o: f32):
    %x1 = arith.extf %x : f16 to f32
    %y1 = arith.extf %y : f16 to f32
    %p = arith.mulf %x1, %y1 : f32
    %s = arith.addf %o, %p : f32
    %unused = arith.addf %o, %o : f32
    linalg.yield %s : f32
  } -> tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}
