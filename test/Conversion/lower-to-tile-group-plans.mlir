// RUN: stof-opt %s --stof-lower-to-tile -verify-diagnostics=only-expected -split-input-file

/// One kernel does not make a matmul of a matmul of another.

func.func @three_products(%x: tensor<8x8xf32>, %i: tensor<8x8xf32>) -> (tensor<8x8xf32>) {
  %r = stof.group ins(%x, %i : tensor<8x8xf32>, tensor<8x8xf32>) {
  ^bb0(%x_: tensor<8x8xf32>, %i_: tensor<8x8xf32>):
    %0 = linalg.matmul ins(%x_, %x_ : tensor<8x8xf32>, tensor<8x8xf32>) outs(%i_ : tensor<8x8xf32>) -> tensor<8x8xf32>
    // expected-error @below {{cannot be compiled: its operand depends on 'linalg.matmul', and its result feeds another contraction}}
    %1 = linalg.matmul ins(%0, %x_ : tensor<8x8xf32>, tensor<8x8xf32>) outs(%i_ : tensor<8x8xf32>) -> tensor<8x8xf32>
    %2 = linalg.matmul ins(%1, %x_ : tensor<8x8xf32>, tensor<8x8xf32>) outs(%i_ : tensor<8x8xf32>) -> tensor<8x8xf32>
    stof.yield %2 : tensor<8x8xf32>
  } -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

// -----

/// What follows a matmul runs over its elements.

func.func @other_loops(%x: tensor<8x8xf32>, %i: tensor<8x8xf32>) -> tensor<4x8x8xf32> {
  %r = stof.group ins(%x, %i : tensor<8x8xf32>, tensor<8x8xf32>) {
  ^bb0(%x_: tensor<8x8xf32>, %i_: tensor<8x8xf32>):
    %e = tensor.empty() : tensor<4x8x8xf32>
    %0 = linalg.matmul ins(%x_, %x_ : tensor<8x8xf32>, tensor<8x8xf32>) outs(%i_ : tensor<8x8xf32>) -> tensor<8x8xf32>
    // expected-error @below {{cannot be compiled: its iteration space is not contained in that of 'linalg.matmul'}}
    %1 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%0 : tensor<8x8xf32>) outs(%e : tensor<4x8x8xf32>) {
    ^bb1(%u: f32, %old: f32):
      %n = arith.negf %u : f32
      linalg.yield %n : f32
    } -> tensor<4x8x8xf32>
    stof.yield %1 : tensor<4x8x8xf32>
  } -> tensor<4x8x8xf32>
  return %r : tensor<4x8x8xf32>
}

// -----

/// A tile of a matmul has no whole columns.

func.func @column_of_product(%x: tensor<8x8xf32>, %i: tensor<8x8xf32>, %z: tensor<8xf32>) -> (tensor<8xf32>) {
  %r = stof.group ins(%x, %i, %z : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8xf32>) {
  ^bb0(%x_: tensor<8x8xf32>, %i_: tensor<8x8xf32>, %z_: tensor<8xf32>):
    %0 = linalg.matmul ins(%x_, %x_ : tensor<8x8xf32>, tensor<8x8xf32>) outs(%i_ : tensor<8x8xf32>) -> tensor<8x8xf32>
    // expected-error @below {{cannot be compiled: it reduces dims other than the columns of 'linalg.matmul'}}
    %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]} ins(%0 : tensor<8x8xf32>) outs(%z_ : tensor<8xf32>) {
    ^bb1(%u: f32, %old: f32):
      %s = arith.addf %u, %old : f32
      linalg.yield %s : f32
    } -> tensor<8xf32>
    stof.yield %1 : tensor<8xf32>
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

/// Reductions between which data flows combine the same elements.

func.func @rows_and_columns(%x: tensor<8x8xf32>, %z: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %r:2 = stof.group ins(%x, %z : tensor<8x8xf32>, tensor<8xf32>) {
  ^bb0(%x_: tensor<8x8xf32>, %z_: tensor<8xf32>):
    %e = tensor.empty() : tensor<8x8xf32>
    %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x_ : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
    ^bb1(%u: f32, %old: f32):
      %n = arith.negf %u : f32
      linalg.yield %n : f32
    } -> tensor<8x8xf32>
    %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%y : tensor<8x8xf32>) outs(%z_ : tensor<8xf32>) {
    ^bb1(%u: f32, %old: f32):
      %s = arith.addf %u, %old : f32
      linalg.yield %s : f32
    } -> tensor<8xf32>
    // expected-error @below {{cannot be compiled: it reduces other dims than the preceding reduction}}
    %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]} ins(%y : tensor<8x8xf32>) outs(%z_ : tensor<8xf32>) {
    ^bb1(%u: f32, %old: f32):
      %s = arith.addf %u, %old : f32
      linalg.yield %s : f32
    } -> tensor<8xf32>
    stof.yield %0, %1 : tensor<8xf32>, tensor<8xf32>
  } -> tensor<8xf32>, tensor<8xf32>
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
}

// -----

/// A result is computed once, not for each row.

func.func @fewer_elements(%x: tensor<4x8xf32>, %z: tensor<8xf32>) -> (tensor<8xf32>, tensor<4x8xf32>) {
  %r:2 = stof.group ins(%x, %z : tensor<4x8xf32>, tensor<8xf32>) {
  ^bb0(%x_: tensor<4x8xf32>, %z_: tensor<8xf32>):
    %e = tensor.empty() : tensor<8xf32>
    %f = tensor.empty() : tensor<4x8xf32>
    // expected-error @below {{cannot be compiled: its result does not cover the iteration space of the group}}
    %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%z_ : tensor<8xf32>) outs(%e : tensor<8xf32>) {
    ^bb1(%u: f32, %old: f32):
      %n = arith.negf %u : f32
      linalg.yield %n : f32
    } -> tensor<8xf32>
    %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x_, %0 : tensor<4x8xf32>, tensor<8xf32>) outs(%f : tensor<4x8xf32>) {
    ^bb1(%u: f32, %v: f32, %old: f32):
      %s = arith.addf %u, %v : f32
      linalg.yield %s : f32
    } -> tensor<4x8xf32>
    stof.yield %0, %1 : tensor<8xf32>, tensor<4x8xf32>
  } -> tensor<8xf32>, tensor<4x8xf32>
  return %r#0, %r#1 : tensor<8xf32>, tensor<4x8xf32>
}

// -----

/// A value and its transpose are different elements.

func.func @transposed_use(%x: tensor<8x8xf32>) -> (tensor<8x8xf32>) {
  %r = stof.group ins(%x : tensor<8x8xf32>) {
  ^bb0(%x_: tensor<8x8xf32>):
    %e = tensor.empty() : tensor<8x8xf32>
    %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x_ : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
    ^bb1(%u: f32, %old: f32):
      %n = arith.negf %u : f32
      linalg.yield %n : f32
    } -> tensor<8x8xf32>
    // expected-error @below {{cannot be compiled: two of its loops map to the same dim factor}}
    %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%0, %0 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
    ^bb1(%u: f32, %v: f32, %old: f32):
      %s = arith.addf %u, %v : f32
      linalg.yield %s : f32
    } -> tensor<8x8xf32>
    stof.yield %1 : tensor<8x8xf32>
  } -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

// -----

/// Nor is it read elsewhere than where it is computed.

func.func @neighbours(%x: tensor<9xf32>, %z: tensor<8xf32>) -> (tensor<8xf32>) {
  %r = stof.group ins(%x, %z : tensor<9xf32>, tensor<8xf32>) {
  ^bb0(%x_: tensor<9xf32>, %z_: tensor<8xf32>):
    %e = tensor.empty() : tensor<9xf32>
    %f = tensor.empty() : tensor<8xf32>
    %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x_ : tensor<9xf32>) outs(%e : tensor<9xf32>) {
    ^bb1(%u: f32, %old: f32):
      %n = arith.negf %u : f32
      linalg.yield %n : f32
    } -> tensor<9xf32>
    // expected-error @below {{cannot be compiled: it reads the result of 'linalg.generic' at other indices than its own}}
    %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i + 1)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%0, %z_ : tensor<9xf32>, tensor<8xf32>) outs(%f : tensor<8xf32>) {
    ^bb1(%u: f32, %v: f32, %old: f32):
      %n = arith.negf %u : f32
      linalg.yield %n : f32
    } -> tensor<8xf32>
    stof.yield %1 : tensor<8xf32>
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

/// Nor at a place that depends on data.

func.func @gather(%x: tensor<9xf32>, %z: tensor<9xindex>) -> (tensor<9xf32>) {
  %r = stof.group ins(%x, %z : tensor<9xf32>, tensor<9xindex>) {
  ^bb0(%x_: tensor<9xf32>, %z_: tensor<9xindex>):
    %e = tensor.empty() : tensor<9xf32>
    %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x_ : tensor<9xf32>) outs(%e : tensor<9xf32>) {
    ^bb1(%u: f32, %old: f32):
      %n = arith.negf %u : f32
      linalg.yield %n : f32
    } -> tensor<9xf32>
    // expected-error @below {{cannot be compiled: it reads the result of 'linalg.generic' at computed indices}}
    %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%z_ : tensor<9xindex>) outs(%e : tensor<9xf32>) {
    ^bb1(%u: index, %old: f32):
      %g = tensor.extract %0[%u] : tensor<9xf32>
      linalg.yield %g : f32
    } -> tensor<9xf32>
    stof.yield %1 : tensor<9xf32>
  } -> tensor<9xf32>
  return %r : tensor<9xf32>
}

// -----

/// 4 x 6 and 3 x 8 have no dim factors in common.

func.func @reshaped_loops(%x: tensor<4x6xf32>) -> (tensor<3x8xf32>) {
  %r = stof.group ins(%x : tensor<4x6xf32>) {
  ^bb0(%x_: tensor<4x6xf32>):
    %e = tensor.empty() : tensor<4x6xf32>
    %f = tensor.empty() : tensor<3x8xf32>
    %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x_ : tensor<4x6xf32>) outs(%e : tensor<4x6xf32>) {
    ^bb1(%u: f32, %old: f32):
      %n = arith.negf %u : f32
      linalg.yield %n : f32
    } -> tensor<4x6xf32>
    %1 = tensor.collapse_shape %0 [[0, 1]] : tensor<4x6xf32> into tensor<24xf32>
    // expected-error @below {{cannot be compiled: its source and result dims cannot be matched}}
    %2 = tensor.expand_shape %1 [[0, 1]] output_shape [3, 8] : tensor<24xf32> into tensor<3x8xf32>
    %3 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<3x8xf32>) outs(%f : tensor<3x8xf32>) {
    ^bb1(%u: f32, %old: f32):
      %n = arith.negf %u : f32
      linalg.yield %n : f32
    } -> tensor<3x8xf32>
    stof.yield %3 : tensor<3x8xf32>
  } -> tensor<3x8xf32>
  return %r : tensor<3x8xf32>
}

// -----

/// One loop cannot be both of two that differ.

func.func @read_two_ways(%x: tensor<4x6xf32>, %z: tensor<24xf32>) -> (tensor<24xf32>) {
  %r = stof.group ins(%x, %z : tensor<4x6xf32>, tensor<24xf32>) {
  ^bb0(%x_: tensor<4x6xf32>, %z_: tensor<24xf32>):
    %e = tensor.empty() : tensor<4x6xf32>
    %f = tensor.empty() : tensor<3x8xf32>
    %g = tensor.empty() : tensor<24xf32>
    %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x_ : tensor<4x6xf32>) outs(%e : tensor<4x6xf32>) {
    ^bb1(%u: f32, %old: f32):
      %n = arith.negf %u : f32
      linalg.yield %n : f32
    } -> tensor<4x6xf32>
    %1 = tensor.collapse_shape %0 [[0, 1]] : tensor<4x6xf32> into tensor<24xf32>
    %2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%z_ : tensor<24xf32>) outs(%g : tensor<24xf32>) {
    ^bb1(%u: f32, %old: f32):
      %n = arith.negf %u : f32
      linalg.yield %n : f32
    } -> tensor<24xf32>
    %3 = tensor.expand_shape %2 [[0, 1]] output_shape [3, 8] : tensor<24xf32> into tensor<3x8xf32>
    %4 = tensor.collapse_shape %3 [[0, 1]] : tensor<3x8xf32> into tensor<24xf32>
    // expected-error @below {{cannot be compiled: its iteration space cannot be matched with that of 'linalg.generic'}}
    %5 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%1, %4 : tensor<24xf32>, tensor<24xf32>) outs(%g : tensor<24xf32>) {
    ^bb1(%u: f32, %v: f32, %old: f32):
      %s = arith.addf %u, %v : f32
      linalg.yield %s : f32
    } -> tensor<24xf32>
    stof.yield %5 : tensor<24xf32>
  } -> tensor<24xf32>
  return %r : tensor<24xf32>
}

// -----

/// A loop that runs inside is not run again for each column.

func.func @repeated_loop(%x: tensor<4x8xf32>, %z: tensor<4x3xf32>, %i: tensor<4xf32>) -> (tensor<4x8xf32>) {
  %r = stof.group ins(%x, %z, %i : tensor<4x8xf32>, tensor<4x3xf32>, tensor<4xf32>) {
  ^bb0(%x_: tensor<4x8xf32>, %z_: tensor<4x3xf32>, %i_: tensor<4xf32>):
    %f = tensor.empty() : tensor<4x8xf32>
    // expected-error @below {{cannot be compiled: its reduction would be repeated}}
    %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%z_ : tensor<4x3xf32>) outs(%i_ : tensor<4xf32>) {
    ^bb1(%u: f32, %old: f32):
      %s = arith.mulf %u, %old : f32
      %t = arith.addf %s, %old : f32
      linalg.yield %t : f32
    } -> tensor<4xf32>
    %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x_, %0 : tensor<4x8xf32>, tensor<4xf32>) outs(%f : tensor<4x8xf32>) {
    ^bb1(%u: f32, %v: f32, %old: f32):
      %s = arith.addf %u, %v : f32
      linalg.yield %s : f32
    } -> tensor<4x8xf32>
    stof.yield %1 : tensor<4x8xf32>
  } -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// -----

/// A row is stored contiguously.

func.func @torn_rows(%x: tensor<4x5x6xf32>, %z: tensor<5xf32>) -> (tensor<6x5x4xf32>) {
  %r = stof.group ins(%x, %z : tensor<4x5x6xf32>, tensor<5xf32>) {
  ^bb0(%x_: tensor<4x5x6xf32>, %z_: tensor<5xf32>):
    %e = tensor.empty() : tensor<6x5x4xf32>
    %0 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (j)>], iterator_types = ["reduction", "parallel", "reduction"]} ins(%x_ : tensor<4x5x6xf32>) outs(%z_ : tensor<5xf32>) {
    ^bb1(%u: f32, %old: f32):
      %s = arith.addf %u, %old : f32
      linalg.yield %s : f32
    } -> tensor<5xf32>
    // expected-error @below {{cannot be compiled: its result does not store rows contiguously}}
    %1 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (j)>, affine_map<(i, j, k) -> (k, j, i)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x_, %0 : tensor<4x5x6xf32>, tensor<5xf32>) outs(%e : tensor<6x5x4xf32>) {
    ^bb1(%u: f32, %v: f32, %old: f32):
      %s = arith.addf %u, %v : f32
      linalg.yield %s : f32
    } -> tensor<6x5x4xf32>
    stof.yield %1 : tensor<6x5x4xf32>
  } -> tensor<6x5x4xf32>
  return %r : tensor<6x5x4xf32>
}

// -----

/// A group has a result.

func.func @unused(%x: tensor<4xf32>) -> (tensor<4xf32>) {
  %r = stof.group ins(%x : tensor<4xf32>) {
  ^bb0(%x_: tensor<4xf32>):
    %e = tensor.empty() : tensor<4xf32>
    // expected-error @below {{cannot be compiled: its results are unused}}
    %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x_ : tensor<4xf32>) outs(%e : tensor<4xf32>) {
    ^bb1(%u: f32, %old: f32):
      %n = arith.negf %u : f32
      linalg.yield %n : f32
    } -> tensor<4xf32>
    stof.yield %x_ : tensor<4xf32>
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

/// One part of several that no kernel computes is one too many.

func.func @part_without_kernel(%x: tensor<8x8xf32>, %i: tensor<8x8xf32>, %z: tensor<4xf32>) -> (tensor<8x8xf32>, tensor<4xf32>) {
  %r:2 = stof.group ins(%x, %i, %z : tensor<8x8xf32>, tensor<8x8xf32>, tensor<4xf32>) {
  ^bb0(%x_: tensor<8x8xf32>, %i_: tensor<8x8xf32>, %z_: tensor<4xf32>):
    %e = tensor.empty() : tensor<4xf32>
    %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%z_ : tensor<4xf32>) outs(%e : tensor<4xf32>) {
    ^bb1(%u: f32, %old: f32):
      %n = arith.negf %u : f32
      linalg.yield %n : f32
    } -> tensor<4xf32>
    %1 = linalg.matmul ins(%x_, %x_ : tensor<8x8xf32>, tensor<8x8xf32>) outs(%i_ : tensor<8x8xf32>) -> tensor<8x8xf32>
    // expected-error @below {{cannot be compiled: its operand depends on 'linalg.matmul', and its result feeds another contraction}}
    %2 = linalg.matmul ins(%x_, %1 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%i_ : tensor<8x8xf32>) -> tensor<8x8xf32>
    %3 = linalg.matmul ins(%x_, %2 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%i_ : tensor<8x8xf32>) -> tensor<8x8xf32>
    stof.yield %3, %0 : tensor<8x8xf32>, tensor<4xf32>
  } -> tensor<8x8xf32>, tensor<4xf32>
  return %r#0, %r#1 : tensor<8x8xf32>, tensor<4xf32>
}

// -----

/// The blocks of a grid have numbers of 31 bits.

func.func @many_blocks(%x: tensor<2097152x1048576xf32>) -> tensor<2097152x1048576xf32> {
  // expected-error @below {{cannot be compiled: expects at most 2147483647 CTAs, but got 4294967296}}
  %r = stof.group ins(%x : tensor<2097152x1048576xf32>) {
  ^bb0(%x_: tensor<2097152x1048576xf32>):
    %e = tensor.empty() : tensor<2097152x1048576xf32>
    %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x_ : tensor<2097152x1048576xf32>) outs(%e : tensor<2097152x1048576xf32>) {
    ^bb1(%u: f32, %old: f32):
      %n = arith.negf %u : f32
      linalg.yield %n : f32
    } -> tensor<2097152x1048576xf32>
    stof.yield %0 : tensor<2097152x1048576xf32>
  } -> tensor<2097152x1048576xf32>
  return %r : tensor<2097152x1048576xf32>
}

// -----

/// Elements are integers or floats.

func.func @complex(%x: tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>> {
  %r = stof.group ins(%x : tensor<8xcomplex<f32>>) {
  ^bb0(%x_: tensor<8xcomplex<f32>>):
    %e = tensor.empty() : tensor<8xcomplex<f32>>
    // expected-error @below {{cannot be compiled: unsupported element type complex<f32>}}
    %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x_ : tensor<8xcomplex<f32>>) outs(%e : tensor<8xcomplex<f32>>) {
    ^bb1(%u: complex<f32>, %old: complex<f32>):
      %n = complex.add %u, %u : complex<f32>
      linalg.yield %n : complex<f32>
    } -> tensor<8xcomplex<f32>>
    stof.yield %0 : tensor<8xcomplex<f32>>
  } -> tensor<8xcomplex<f32>>
  return %r : tensor<8xcomplex<f32>>
}

// -----

/// Nor are they wider than 64 bits, on the way either.

func.func @wide(%x: tensor<8xf64>) -> tensor<8xf64> {
  %r = stof.group ins(%x : tensor<8xf64>) {
  ^bb0(%x_: tensor<8xf64>):
    %e = tensor.empty() : tensor<8xf64>
    // expected-error @below {{cannot be compiled: unsupported element type f128}}
    %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x_ : tensor<8xf64>) outs(%e : tensor<8xf64>) {
    ^bb1(%u: f64, %old: f64):
      %w = arith.extf %u : f64 to f128
      %s = arith.mulf %w, %w : f128
      %n = arith.truncf %s : f128 to f64
      linalg.yield %n : f64
    } -> tensor<8xf64>
    stof.yield %0 : tensor<8xf64>
  } -> tensor<8xf64>
  return %r : tensor<8xf64>
}
