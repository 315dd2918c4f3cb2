// RUN: stof-opt %s --pass-pipeline='builtin.module(func.func(stof-form-groups))' -verify-diagnostics=only-expected -split-input-file

/// A scheme may put a matmul into the kernel of another that multiplies what is
/// computed of it, if that takes tiles of it.

#id = affine_map<(d0, d1) -> (d0, d1)>

func.func @chained(%x: tensor<8x8xf32>, %init: tensor<8x8xf32>) -> tensor<8x8xf32> attributes {stof.scheme = #stof.scheme<"000">} {
  %e = tensor.empty() : tensor<8x8xf32>
  %0 = linalg.matmul ins(%x, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %3 = math.absf %a : f32
    linalg.yield %3 : f32
  } -> tensor<8x8xf32>
  %2 = linalg.matmul ins(%1, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}

// -----

/// Both operands of the last.

func.func @both_sides(%x: tensor<8x8xf32>, %init: tensor<8x8xf32>) -> tensor<8x8xf32> attributes {stof.scheme = #stof.scheme<"000">} {
  %0 = linalg.matmul ins(%x, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%x, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = linalg.matmul ins(%0, %1 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}

// -----

// expected-error @below {{cannot be grouped by the scheme '000': 'linalg.matmul': its operand depends on 'linalg.matmul', and its result feeds another contraction}}
func.func @three(%x: tensor<8x8xf32>, %init: tensor<8x8xf32>) -> tensor<8x8xf32> attributes {stof.scheme = #stof.scheme<"000">} {
  %0 = linalg.matmul ins(%x, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-note @below {{the operation is here}}
  %1 = linalg.matmul ins(%0, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = linalg.matmul ins(%1, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}

// -----

// expected-error @below {{cannot be grouped by the scheme '00': 'linalg.matmul': it is a producer, but its result is used outside of the group}}
func.func @needed_outside(%x: tensor<8x8xf32>, %init: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) attributes {stof.scheme = #stof.scheme<"00">} {
  // expected-note @below {{the operation is here}}
  %0 = linalg.matmul ins(%x, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = linalg.matmul ins(%0, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0, %1 : tensor<8x8xf32>, tensor<8x8xf32>
}

// -----

/// The rows of the last are batches of the first, which makes one row for each.

// expected-error @below {{cannot be grouped by the scheme '00': 'linalg.contract': tiles of its operand do not map to rows and columns of 'linalg.contract'}}
func.func @rows_apart(%x: tensor<8x6x4xf32>, %y: tensor<8x6x5xf32>, %w: tensor<4x5x8xf32>, %init: tensor<8x4x5xf32>, %last: tensor<8x8xf32>) -> tensor<8x8xf32> attributes {stof.scheme = #stof.scheme<"00">} {
  %0 = linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (b, k, m)>, affine_map<(b, m, n, k) -> (b, k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>]
    ins(%x, %y : tensor<8x6x4xf32>, tensor<8x6x5xf32>) outs(%init : tensor<8x4x5xf32>) -> tensor<8x4x5xf32>
  // expected-note @below {{the operation is here}}
  %1 = linalg.contract indexing_maps = [affine_map<(m, n, k, l) -> (m, k, l)>, affine_map<(m, n, k, l) -> (k, l, n)>, affine_map<(m, n, k, l) -> (m, n)>]
    ins(%0, %w : tensor<8x4x5xf32>, tensor<4x5x8xf32>) outs(%last : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// -----

/// So many columns belong together that a tile has 16 rows, too few for all
/// warps to multiply tiles of the first.

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// expected-error @below {{cannot be grouped by the scheme '000': 'linalg.matmul': its full-N tile has too few rows for tiles of 'linalg.matmul'}}
func.func @few_rows(%x: tensor<64x64xf32>, %w: tensor<64x1024xf32>, %init: tensor<64x64xf32>, %last: tensor<64x1024xf32>, %sums: tensor<64xf32>) -> tensor<64xf32> attributes {stof.scheme = #stof.scheme<"000">} {
  %0 = linalg.matmul ins(%x, %x : tensor<64x64xf32>, tensor<64x64xf32>) outs(%init : tensor<64x64xf32>) -> tensor<64x64xf32>
  // expected-note @below {{the operation is here}}
  %1 = linalg.matmul ins(%0, %w : tensor<64x64xf32>, tensor<64x1024xf32>) outs(%last : tensor<64x1024xf32>) -> tensor<64x1024xf32>
  %2 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<64x1024xf32>) outs(%sums : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %3 = arith.addf %a, %o : f32
    linalg.yield %3 : f32
  } -> tensor<64xf32>
  return %2 : tensor<64xf32>
}
