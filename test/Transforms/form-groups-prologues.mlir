// RUN: stof-opt %s --pass-pipeline='builtin.module(func.func(stof-form-groups))' -verify-diagnostics=only-expected -split-input-file

/// A scheme may put a matmul into the kernel that computes what it multiplies,
/// if nothing else needs that.

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

func.func @both_sides(%x: tensor<8x8xf32>, %init: tensor<8x8xf32>) -> tensor<8x8xf32> attributes {stof.scheme = #stof.scheme<"000">} {
  %e = tensor.empty() : tensor<8x8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %3 = math.absf %a : f32
    linalg.yield %3 : f32
  } -> tensor<8x8xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %3 = math.exp %a : f32
    linalg.yield %3 : f32
  } -> tensor<8x8xf32>
  %2 = linalg.matmul ins(%0, %1 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// expected-error @below {{cannot be grouped by the scheme '000': 'linalg.matmul': its right operand has a producer, but its epilogue needs a full-N tile}}
func.func @computed_columns(%x: tensor<64x32xf32>, %w: tensor<32x136xf32>, %init: tensor<64x136xf32>, %sums: tensor<64xf32>) -> tensor<64xf32> attributes {stof.scheme = #stof.scheme<"000">} {
  %e = tensor.empty() : tensor<32x136xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<32x136xf32>) outs(%e : tensor<32x136xf32>) {
  ^bb0(%a: f32, %o: f32):
    %3 = math.absf %a : f32
    linalg.yield %3 : f32
  } -> tensor<32x136xf32>
  // expected-note @below {{the operation is here}}
  %1 = linalg.matmul ins(%x, %0 : tensor<64x32xf32>, tensor<32x136xf32>) outs(%init : tensor<64x136xf32>) -> tensor<64x136xf32>
  %2 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<64x136xf32>) outs(%sums : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %3 = arith.addf %a, %o : f32
    linalg.yield %3 : f32
  } -> tensor<64xf32>
  return %2 : tensor<64xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>

// expected-error @below {{cannot be grouped by the scheme '00': 'linalg.generic': it is a producer, but its result is used outside of the group}}
func.func @needed_outside(%x: tensor<8x8xf32>, %init: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) attributes {stof.scheme = #stof.scheme<"00">} {
  %e = tensor.empty() : tensor<8x8xf32>
  // expected-note @below {{the operation is here}}
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %3 = math.absf %a : f32
    linalg.yield %3 : f32
  } -> tensor<8x8xf32>
  %1 = linalg.matmul ins(%0, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0, %1 : tensor<8x8xf32>, tensor<8x8xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// expected-error @below {{cannot be grouped by the scheme '0000': 'linalg.generic': it reads the result of a producer, which exists only in the mainloop}}
func.func @needed_after(%x: tensor<8x8xf32>, %s: tensor<8xf32>, %init: tensor<8x8xf32>) -> tensor<8x8xf32> attributes {stof.scheme = #stof.scheme<"0000">} {
  %e = tensor.empty() : tensor<8x8xf32>
  %r = tensor.empty() : tensor<8xf32>
  %rows = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%s : tensor<8xf32>) outs(%r : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %3 = math.exp %a : f32
    linalg.yield %3 : f32
  } -> tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %rows : tensor<8x8xf32>, tensor<8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %3 = arith.mulf %a, %b : f32
    linalg.yield %3 : f32
  } -> tensor<8x8xf32>
  %1 = linalg.matmul ins(%0, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-note @below {{the operation is here}}
  %2 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%1, %rows : tensor<8x8xf32>, tensor<8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %3 = arith.divf %a, %b : f32
    linalg.yield %3 : f32
  } -> tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// expected-error @below {{cannot be grouped by the scheme '000': 'linalg.generic': its reduction would be repeated for each tile of 'linalg.matmul'}}
func.func @reduction(%x: tensor<8x8xf32>, %sums: tensor<8xf32>, %init: tensor<8x8xf32>) -> tensor<8x8xf32> attributes {stof.scheme = #stof.scheme<"000">} {
  %e = tensor.empty() : tensor<8x8xf32>
  // expected-note @below {{the operation is here}}
  %0 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x8xf32>) outs(%sums : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %3 = arith.addf %a, %o : f32
    linalg.yield %3 : f32
  } -> tensor<8xf32>
  %1 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %0 : tensor<8x8xf32>, tensor<8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %3 = arith.mulf %a, %b : f32
    linalg.yield %3 : f32
  } -> tensor<8x8xf32>
  %2 = linalg.matmul ins(%1, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>

// expected-error @below {{cannot be grouped by the scheme '000': 'linalg.generic': it reads the result of 'linalg.generic' at computed indices}}
func.func @other_place(%x: tensor<8x8xf32>, %init: tensor<8x8xf32>) -> tensor<8x8xf32> attributes {stof.scheme = #stof.scheme<"000">} {
  %e = tensor.empty() : tensor<8x8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %3 = math.absf %a : f32
    linalg.yield %3 : f32
  } -> tensor<8x8xf32>
  // expected-note @below {{the operation is here}}
  %1 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<8x8xf32>) {
  ^bb0(%o: f32):
    %one = arith.constant 1 : index
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = arith.xori %j, %one : index
    %3 = tensor.extract %0[%i, %k] : tensor<8x8xf32>
    linalg.yield %3 : f32
  } -> tensor<8x8xf32>
  %2 = linalg.matmul ins(%1, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}

// -----

/// What is computed outside of the mainloop has no elements in it, not even those at
/// a producer's own indices.

#id = affine_map<(d0, d1) -> (d0, d1)>
#one = affine_map<(d0) -> (d0)>

// expected-error @below {{cannot be grouped by the scheme '000': 'linalg.generic': it reads the result of 'linalg.generic' at computed indices}}
func.func @own_column(%x: tensor<16x8xf32>, %w: tensor<8x32xf32>, %b: tensor<32xf32>, %init: tensor<16x32xf32>) -> tensor<16x32xf32> attributes {stof.scheme = #stof.scheme<"000">} {
  %e = tensor.empty() : tensor<8x32xf32>
  %r = tensor.empty() : tensor<32xf32>
  %0 = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]} ins(%b : tensor<32xf32>) outs(%r : tensor<32xf32>) {
  ^bb0(%a: f32, %o: f32):
    %3 = math.exp %a : f32
    linalg.yield %3 : f32
  } -> tensor<32xf32>
  // expected-note @below {{the operation is here}}
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<8x32xf32>) outs(%e : tensor<8x32xf32>) {
  ^bb0(%a: f32, %o: f32):
    %j = linalg.index 1 : index
    %g = tensor.extract %0[%j] : tensor<32xf32>
    %3 = arith.addf %a, %g : f32
    linalg.yield %3 : f32
  } -> tensor<8x32xf32>
  %2 = linalg.matmul ins(%x, %1 : tensor<16x8xf32>, tensor<8x32xf32>) outs(%init : tensor<16x32xf32>) -> tensor<16x32xf32>
  return %2 : tensor<16x32xf32>
}
