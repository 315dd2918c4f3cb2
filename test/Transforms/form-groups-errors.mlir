// RUN: stof-opt %s --pass-pipeline='builtin.module(func.func(stof-form-groups))' -verify-diagnostics=only-expected -split-input-file
// RUN: not stof-opt %s --pass-pipeline='builtin.module(func.func(stof-form-groups{scheme=012}))' -split-input-file 2>&1 | FileCheck %s

/// A scheme that cannot be used is refused, with the operation and the reason.

// CHECK: error: 'func.func' op expects a scheme of bits 0 and 1, or 0xDIGITS:LENGTH, but got '012'

// expected-error @below {{expects a scheme of 1 bits, one for each operation, but got 2}}
func.func @length(%a: tensor<8x8xf32>, %init: tensor<8x8xf32>) -> tensor<8x8xf32> attributes {stof.scheme = #stof.scheme<"00">} {
  %0 = linalg.matmul ins(%a, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

// expected-error @below {{expects attribute 'stof.scheme' to be a #stof.scheme, but got "00"}}
func.func @kind(%a: tensor<8x8xf32>) -> tensor<8x8xf32> attributes {stof.scheme = "00"} {
  return %a : tensor<8x8xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>

// expected-error @below {{cannot be grouped by the scheme '00': 'stof.attention': attention has a kernel of its own}}
func.func @attention(%q: tensor<1x1x8x16xf16>, %o: tensor<1x1x8x16xf16>) -> tensor<128xf16> attributes {stof.scheme = #stof.scheme<"00">} {
  // expected-note @below {{the operation is here}}
  %r = stof.attention ins(%q, %q, %q : tensor<1x1x8x16xf16>, tensor<1x1x8x16xf16>, tensor<1x1x8x16xf16>)
    outs(%o : tensor<1x1x8x16xf16>) -> tensor<1x1x8x16xf16>
  %f = tensor.collapse_shape %r [[0, 1, 2, 3]] : tensor<1x1x8x16xf16> into tensor<128xf16>
  %e = tensor.empty() : tensor<128xf16>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%f : tensor<128xf16>) outs(%e : tensor<128xf16>) {
  ^bb0(%x: f16, %out: f16):
    %3 = math.absf %x : f16
    linalg.yield %3 : f16
  } -> tensor<128xf16>
  return %2 : tensor<128xf16>
}

// -----

/// What is between two operations and no part of the group separates them.

#id = affine_map<(d0) -> (d0)>

// expected-error @below {{'tensor.reshape' uses a result of the group and defines an operand of it}}
func.func @between(%x: tensor<8xf32>, %shape: tensor<2xindex>) -> tensor<?x4xf32> attributes {stof.scheme = #stof.scheme<"00">} {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %4 = math.absf %a : f32
    linalg.yield %4 : f32
  } -> tensor<8xf32>
  // expected-note @below {{the operation is here}}
  %1 = tensor.reshape %0(%shape) : (tensor<8xf32>, tensor<2xindex>) -> tensor<?x4xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%1 : tensor<?x4xf32>) {
  ^bb0(%o: f32):
    %4 = math.exp %o : f32
    linalg.yield %4 : f32
  } -> tensor<?x4xf32>
  return %2 : tensor<?x4xf32>
}

// -----

/// Nor may one part of a group need what another computes in between.

#id = affine_map<(d0) -> (d0)>

// expected-error @below {{'tensor.extract' uses a result of the group and defines an operand of it}}
func.func @through_a_number(%x: tensor<8xf32>, %y: tensor<5xf32>) -> (tensor<8xf32>, tensor<5xf32>) attributes {stof.scheme = #stof.scheme<"00">} {
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<8xf32>
  %f = tensor.empty() : tensor<5xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %4 = math.absf %a : f32
    linalg.yield %4 : f32
  } -> tensor<8xf32>
  // expected-note @below {{the operation is here}}
  %1 = tensor.extract %0[%c0] : tensor<8xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%y : tensor<5xf32>) outs(%f : tensor<5xf32>) {
  ^bb0(%a: f32, %o: f32):
    %4 = arith.addf %a, %1 : f32
    linalg.yield %4 : f32
  } -> tensor<5xf32>
  return %0, %2 : tensor<8xf32>, tensor<5xf32>
}
