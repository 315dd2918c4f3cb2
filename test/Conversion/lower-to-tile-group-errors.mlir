// RUN: stof-opt %s --stof-lower-to-tile -verify-diagnostics=only-expected -split-input-file

/// A group that no kernel computes is named with the reason.

func.func @no_operation(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{cannot be compiled: it contains no computation}}
  %y = stof.group ins(%x : tensor<4xf32>) {
  ^bb0(%a: tensor<4xf32>):
    stof.yield %a : tensor<4xf32>
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

#id = affine_map<(i) -> (i)>
#double = affine_map<(i) -> (i * 2)>

func.func @strided_result(%x: tensor<4xf32>, %into: tensor<7xf32>) -> tensor<7xf32> {
  %y = stof.group ins(%x, %into : tensor<4xf32>, tensor<7xf32>) {
  ^bb0(%a: tensor<4xf32>, %b: tensor<7xf32>):
    // expected-error @below {{cannot be compiled: expects its result to be indexed by its loops, but got affine_map<(d0) -> (d0 * 2)>}}
    %p = linalg.generic {indexing_maps = [#id, #double], iterator_types = ["parallel"]} ins(%a : tensor<4xf32>) outs(%b : tensor<7xf32>) {
    ^bb1(%u: f32, %old: f32):
      linalg.yield %u : f32
    } -> tensor<7xf32>
    stof.yield %p : tensor<7xf32>
  } -> tensor<7xf32>
  return %y : tensor<7xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#first = affine_map<(i, j) -> (i)>

func.func @overwritten_result(%x: tensor<4x4xf32>) -> tensor<4xf32> {
  %y = stof.group ins(%x : tensor<4x4xf32>) {
  ^bb0(%a: tensor<4x4xf32>):
    %e = tensor.empty() : tensor<4xf32>
    // expected-error @below {{cannot be compiled: its result does not depend on parallel loop 1}}
    %p = linalg.generic {indexing_maps = [#id, #first], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<4x4xf32>) outs(%e : tensor<4xf32>) {
    ^bb1(%u: f32, %old: f32):
      linalg.yield %u : f32
    } -> tensor<4xf32>
    stof.yield %p : tensor<4xf32>
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

#id = affine_map<(i) -> (i)>

func.func @reads_nothing(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = stof.group ins(%x : tensor<4xf32>) {
  ^bb0(%a: tensor<4xf32>):
    %e = tensor.empty() : tensor<4xf32>
    // expected-error @below {{cannot be compiled: it reads uninitialized elements of 'tensor.empty'}}
    %p = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) {
    ^bb1(%u: f32, %old: f32):
      %s = arith.addf %u, %old : f32
      linalg.yield %s : f32
    } -> tensor<4xf32>
    stof.yield %p : tensor<4xf32>
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @sums_onto_nothing(%x: tensor<64x64xf16>) -> tensor<64x64xf32> {
  %y = stof.group ins(%x : tensor<64x64xf16>) {
  ^bb0(%a: tensor<64x64xf16>):
    %e = tensor.empty() : tensor<64x64xf32>
    // expected-error @below {{cannot be compiled: it reads uninitialized elements of 'tensor.empty'}}
    %p = linalg.matmul ins(%a, %a : tensor<64x64xf16>, tensor<64x64xf16>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
    stof.yield %p : tensor<64x64xf32>
  } -> tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#first = affine_map<(i, j) -> (i)>

func.func @row_sum_onto_nothing(%x: tensor<4x64xf32>) -> tensor<4xf32> {
  %y = stof.group ins(%x : tensor<4x64xf32>) {
  ^bb0(%a: tensor<4x64xf32>):
    %e = tensor.empty() : tensor<4xf32>
    // expected-error @below {{cannot be compiled: it reads uninitialized elements of 'tensor.empty'}}
    %p = linalg.generic {indexing_maps = [#id, #first], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<4x64xf32>) outs(%e : tensor<4xf32>) {
    ^bb1(%u: f32, %old: f32):
      %s = arith.addf %u, %old : f32
      linalg.yield %s : f32
    } -> tensor<4xf32>
    stof.yield %p : tensor<4xf32>
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

#id = affine_map<(i) -> (i)>

func.func @size_of_the_kernel(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @below {{cannot be compiled: the sizes of result 0 are not known to the host}}
  %y = stof.group ins(%x : tensor<?xf32>) {
  ^bb0(%a: tensor<?xf32>):
    %c0 = arith.constant 0 : index
    %n = tensor.dim %a, %c0 : tensor<?xf32>
    %e = tensor.empty(%n) : tensor<?xf32>
    %p = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : tensor<?xf32>) outs(%e : tensor<?xf32>) {
    ^bb1(%u: f32, %old: f32):
      linalg.yield %u : f32
    } -> tensor<?xf32>
    stof.yield %p : tensor<?xf32>
  } -> tensor<?xf32>
  return %y : tensor<?xf32>
}

// -----

#sum = affine_map<(i, w) -> (i + w)>
#window = affine_map<(i, w) -> (w)>
#first = affine_map<(i, w) -> (i)>

func.func @window_of_no_operand(%x: tensor<?xf32>, %init: tensor<?xf32>) -> tensor<?xf32> {
  %y = stof.group ins(%x, %init : tensor<?xf32>, tensor<?xf32>) {
  ^bb0(%a: tensor<?xf32>, %b: tensor<?xf32>):
    %c0 = arith.constant 0 : index
    %size = tensor.dim %b, %c0 : tensor<?xf32>
    %w = tensor.empty(%size) : tensor<?xf32>
    // expected-error @below {{cannot be compiled: the extent of a loop is not the size of an operand}}
    %p = linalg.generic {indexing_maps = [#sum, #window, #first], iterator_types = ["parallel", "reduction"]}
        ins(%a, %w : tensor<?xf32>, tensor<?xf32>) outs(%b : tensor<?xf32>) {
    ^bb1(%u: f32, %unused: f32, %old: f32):
      %s = arith.addf %u, %old : f32
      linalg.yield %s : f32
    } -> tensor<?xf32>
    stof.yield %p : tensor<?xf32>
  } -> tensor<?xf32>
  return %y : tensor<?xf32>
}

// -----

func.func @vector_constant(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{cannot be compiled: expects a ranked tensor, but got 'vector<4xf32>'}}
  %c = arith.constant dense<0.0> : vector<4xf32>
  return %x : tensor<4xf32>
}

// -----

/// What a group yields is what its operations compute, each once.

#id = affine_map<(d0) -> (d0)>
func.func @yields_input(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  // expected-error @below {{cannot be compiled: expects result 1 to be a distinct result of one of its operations}}
  %y:2 = stof.group ins(%x : tensor<8xf32>) {
  ^bb0(%a: tensor<8xf32>):
    %e = tensor.empty() : tensor<8xf32>
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1 = arith.negf %in : f32
      linalg.yield %1 : f32
    } -> tensor<8xf32>
    stof.yield %0, %a : tensor<8xf32>, tensor<8xf32>
  } -> tensor<8xf32>, tensor<8xf32>
  return %y#0, %y#1 : tensor<8xf32>, tensor<8xf32>
}

// -----

func.func @buffers_inside(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = stof.group ins(%x : tensor<8xf32>) {
  ^bb0(%a: tensor<8xf32>):
    %m = memref.alloc() : memref<8xf32>
    // expected-error @below {{cannot be compiled: expects tensors}}
    linalg.exp ins(%m : memref<8xf32>) outs(%m : memref<8xf32>)
    stof.yield %a : tensor<8xf32>
  } -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

func.func @attention_inside(%q: tensor<1x1x8x16xf16>, %o: tensor<1x1x8x16xf16>) -> tensor<1x1x8x16xf16> {
  // expected-error @below {{cannot be compiled: expects attention outside of groups}}
  %y = stof.group ins(%q, %o : tensor<1x1x8x16xf16>, tensor<1x1x8x16xf16>) {
  ^bb0(%a: tensor<1x1x8x16xf16>, %b: tensor<1x1x8x16xf16>):
    %r = stof.attention ins(%a, %a, %a : tensor<1x1x8x16xf16>, tensor<1x1x8x16xf16>, tensor<1x1x8x16xf16>)
      outs(%b : tensor<1x1x8x16xf16>) -> tensor<1x1x8x16xf16>
    stof.yield %r : tensor<1x1x8x16xf16>
  } -> tensor<1x1x8x16xf16>
  return %y : tensor<1x1x8x16xf16>
}

// -----

func.func @reshaped_in_group(%x: tensor<8x6xf32>) -> tensor<2x4x6xf32> {
  %g = stof.group ins(%x : tensor<8x6xf32>) {
  ^bb0(%in: tensor<8x6xf32>):
    %other = tensor.expand_shape %in [[0, 1], [2]] output_shape [2, 4, 6] : tensor<8x6xf32> into tensor<2x4x6xf32>
    %init = tensor.empty() : tensor<2x4x6xf32>
    // expected-error @below {{cannot be compiled: it reads a tensor that its group neither takes nor computes}}
    %r = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, affine_map<(a, b, c) -> (a, b, c)>],
                         iterator_types = ["parallel", "parallel", "parallel"]}
        ins(%other : tensor<2x4x6xf32>) outs(%init : tensor<2x4x6xf32>) {
    ^bb0(%e: f32, %o: f32):
      %n = arith.negf %e : f32
      linalg.yield %n : f32
    } -> tensor<2x4x6xf32>
    stof.yield %r : tensor<2x4x6xf32>
  } -> tensor<2x4x6xf32>
  return %g : tensor<2x4x6xf32>
}

// -----

/// Rows of 600 columns are combined by eight warps; the matmul has
/// four.

#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (n, k)>
#out = affine_map<(m, n, k) -> (m, n)>
#all = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>

func.func @warps(%x: tensor<64x32xf16>, %w: tensor<600x32xf16>, %z: tensor<96x32xf16>) -> (tensor<64xf32>, tensor<64x96xf32>) {
  %g:2 = stof.group ins(%x, %w, %z : tensor<64x32xf16>, tensor<600x32xf16>, tensor<96x32xf16>) {
  ^bb0(%a: tensor<64x32xf16>, %b: tensor<600x32xf16>, %c: tensor<96x32xf16>):
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<64x600xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x600xf32>) -> tensor<64x600xf32>
    %p = linalg.contract indexing_maps = [#lhs, #rhs, #out] ins(%a, %b : tensor<64x32xf16>, tensor<600x32xf16>) outs(%f : tensor<64x600xf32>) -> tensor<64x600xf32>
    %re = tensor.empty() : tensor<64xf32>
    %rf = linalg.fill ins(%zero : f32) outs(%re : tensor<64xf32>) -> tensor<64xf32>
    %r = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]} ins(%p : tensor<64x600xf32>) outs(%rf : tensor<64xf32>) {
    ^bb0(%in: f32, %o: f32):
      %s = arith.addf %in, %o : f32
      linalg.yield %s : f32
    } -> tensor<64xf32>
    %ye = tensor.empty() : tensor<64x96xf32>
    %yf = linalg.fill ins(%zero : f32) outs(%ye : tensor<64x96xf32>) -> tensor<64x96xf32>
    // expected-error @below {{cannot be compiled: its tiles need another number of warps than those of the other branches}}
    %y = linalg.contract indexing_maps = [#lhs, #rhs, #out] ins(%a, %c : tensor<64x32xf16>, tensor<96x32xf16>) outs(%yf : tensor<64x96xf32>) -> tensor<64x96xf32>
    stof.yield %r, %y : tensor<64xf32>, tensor<64x96xf32>
  } -> tensor<64xf32>, tensor<64x96xf32>
  return %g#0, %g#1 : tensor<64xf32>, tensor<64x96xf32>
}
