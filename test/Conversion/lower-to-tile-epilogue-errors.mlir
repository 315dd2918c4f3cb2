// RUN: stof-opt %s --stof-lower-to-tile -verify-diagnostics=only-expected -split-input-file

/// What matmuls and the operations that finish them do not share a kernel for.

/// Matmuls of one kernel run over the same rows and columns.

func.func @other_columns(%in_x: tensor<8x8xf32>, %in_w: tensor<8x8xf32>, %in_y: tensor<8x8xf32>, %in_v: tensor<8x8xf32>, %in_i: tensor<8x8xf32>) -> (tensor<8x8xf32>) {
  %r = stof.group ins(%in_x, %in_w, %in_y, %in_v, %in_i : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
  ^bb0(%x_: tensor<8x8xf32>, %w_: tensor<8x8xf32>, %y_: tensor<8x8xf32>, %v_: tensor<8x8xf32>, %i_: tensor<8x8xf32>):
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8x8xf32>
    %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %0 = linalg.matmul ins(%x_, %w_ : tensor<8x8xf32>, tensor<8x8xf32>) outs(%i_ : tensor<8x8xf32>) -> tensor<8x8xf32>
    // expected-error @below {{cannot be compiled: its batch, M, N or K dims differ from those of the first contraction}}
    %1 = linalg.matmul ins(%y_, %v_ : tensor<8x8xf32>, tensor<8x8xf32>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
    %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%0, %1 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
    ^bb1(%u: f32, %v: f32, %o: f32):
      %s = arith.addf %u, %v : f32
      linalg.yield %s : f32
    } -> tensor<8x8xf32>
    stof.yield %2 : tensor<8x8xf32>
  } -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

// -----

/// They take the same steps.

func.func @other_elements(%in_x: tensor<8x8xf32>, %in_w: tensor<8x8xf32>, %in_y: tensor<8x8xf16>, %in_v: tensor<8x8xf16>, %in_i: tensor<8x8xf32>) -> (tensor<8x8xf32>) {
  %r = stof.group ins(%in_x, %in_w, %in_y, %in_v, %in_i : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf16>, tensor<8x8xf16>, tensor<8x8xf32>) {
  ^bb0(%x_: tensor<8x8xf32>, %w_: tensor<8x8xf32>, %y_: tensor<8x8xf16>, %v_: tensor<8x8xf16>, %i_: tensor<8x8xf32>):
    %e = tensor.empty() : tensor<8x8xf32>
    %0 = linalg.matmul ins(%x_, %w_ : tensor<8x8xf32>, tensor<8x8xf32>) outs(%i_ : tensor<8x8xf32>) -> tensor<8x8xf32>
    // expected-error @below {{cannot be compiled: its operand type differs from that of the first contraction}}
    %1 = linalg.matmul ins(%y_, %v_ : tensor<8x8xf16>, tensor<8x8xf16>) outs(%i_ : tensor<8x8xf32>) -> tensor<8x8xf32>
    %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%0, %1 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
    ^bb1(%u: f32, %v: f32, %o: f32):
      %s = arith.addf %u, %v : f32
      linalg.yield %s : f32
    } -> tensor<8x8xf32>
    stof.yield %2 : tensor<8x8xf32>
  } -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

// -----

/// A row that is combined is held at once.

func.func @too_wide(%in_x: tensor<8x8xf32>, %in_w: tensor<8x3000xf32>, %in_i: tensor<8x3000xf32>, %in_z: tensor<8xf32>) -> (tensor<8xf32>) {
  %r = stof.group ins(%in_x, %in_w, %in_i, %in_z : tensor<8x8xf32>, tensor<8x3000xf32>, tensor<8x3000xf32>, tensor<8xf32>) {
  ^bb0(%x_: tensor<8x8xf32>, %w_: tensor<8x3000xf32>, %i_: tensor<8x3000xf32>, %z_: tensor<8xf32>):
    // expected-error @below {{cannot be compiled: registers cannot hold the accumulators of 3000 columns and 1 contractions}}
    %0 = linalg.matmul ins(%x_, %w_ : tensor<8x8xf32>, tensor<8x3000xf32>) outs(%i_ : tensor<8x3000xf32>) -> tensor<8x3000xf32>
    %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%0 : tensor<8x3000xf32>) outs(%z_ : tensor<8xf32>) {
    ^bb1(%u: f32, %v: f32):
      %s = arith.addf %u, %v : f32
      linalg.yield %s : f32
    } -> tensor<8xf32>
    stof.yield %1 : tensor<8xf32>
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

/// So its length is known.

func.func @any_width(%in_x: tensor<8x8xf32>, %in_w: tensor<8x?xf32>, %in_i: tensor<8x?xf32>, %in_z: tensor<8xf32>) -> (tensor<8xf32>) {
  %r = stof.group ins(%in_x, %in_w, %in_i, %in_z : tensor<8x8xf32>, tensor<8x?xf32>, tensor<8x?xf32>, tensor<8xf32>) {
  ^bb0(%x_: tensor<8x8xf32>, %w_: tensor<8x?xf32>, %i_: tensor<8x?xf32>, %z_: tensor<8xf32>):
    %0 = linalg.matmul ins(%x_, %w_ : tensor<8x8xf32>, tensor<8x?xf32>) outs(%i_ : tensor<8x?xf32>) -> tensor<8x?xf32>
    // expected-error @below {{cannot be compiled: it reduces a dynamic number of columns of 'linalg.matmul'}}
    %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%0 : tensor<8x?xf32>) outs(%z_ : tensor<8xf32>) {
    ^bb1(%u: f32, %v: f32):
      %s = arith.addf %u, %v : f32
      linalg.yield %s : f32
    } -> tensor<8xf32>
    stof.yield %1 : tensor<8xf32>
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

/// Nor is anything read among columns of any number.

func.func @any_columns(%in_x: tensor<8x8xf32>, %in_w: tensor<8x?xf32>, %in_i: tensor<8x?xf32>) -> (tensor<8x?xf32>) {
  %r = stof.group ins(%in_x, %in_w, %in_i : tensor<8x8xf32>, tensor<8x?xf32>, tensor<8x?xf32>) {
  ^bb0(%x_: tensor<8x8xf32>, %w_: tensor<8x?xf32>, %i_: tensor<8x?xf32>):
    %0 = linalg.matmul ins(%x_, %w_ : tensor<8x8xf32>, tensor<8x?xf32>) outs(%i_ : tensor<8x?xf32>) -> tensor<8x?xf32>
    // expected-error @below {{cannot be compiled: it reads a dynamic number of columns of 'linalg.matmul'}}
    %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<8x?xf32>) outs(%i_ : tensor<8x?xf32>) {
    ^bb1(%u: f32, %o: f32):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %c = arith.constant 1 : index
      %n = arith.xori %j, %c : index
      %g = tensor.extract %0[%i, %n] : tensor<8x?xf32>
      %s = arith.addf %u, %g : f32
      linalg.yield %s : f32
    } -> tensor<8x?xf32>
    stof.yield %1 : tensor<8x?xf32>
  } -> tensor<8x?xf32>
  return %r : tensor<8x?xf32>
}

// -----

/// Other rows are in other tiles.

func.func @other_rows(%in_x: tensor<8x8xf32>, %in_w: tensor<8x8xf32>, %in_i: tensor<8x8xf32>) -> (tensor<8x8xf32>) {
  %r = stof.group ins(%in_x, %in_w, %in_i : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
  ^bb0(%x_: tensor<8x8xf32>, %w_: tensor<8x8xf32>, %i_: tensor<8x8xf32>):
    %0 = linalg.matmul ins(%x_, %w_ : tensor<8x8xf32>, tensor<8x8xf32>) outs(%i_ : tensor<8x8xf32>) -> tensor<8x8xf32>
    // expected-error @below {{cannot be compiled: it reads the result of 'linalg.matmul' at computed indices}}
    %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<8x8xf32>) outs(%i_ : tensor<8x8xf32>) {
    ^bb1(%u: f32, %o: f32):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %c = arith.constant 1 : index
      %n = arith.xori %i, %c : index
      %g = tensor.extract %0[%n, %j] : tensor<8x8xf32>
      %s = arith.addf %u, %g : f32
      linalg.yield %s : f32
    } -> tensor<8x8xf32>
    stof.yield %1 : tensor<8x8xf32>
  } -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

// -----

/// Shared memory holds whole bytes.

func.func @booleans(%in_x: tensor<8x8xf32>, %in_w: tensor<8x8xf32>, %in_i: tensor<8x8xf32>) -> (tensor<8x8xi1>) {
  %r = stof.group ins(%in_x, %in_w, %in_i : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
  ^bb0(%x_: tensor<8x8xf32>, %w_: tensor<8x8xf32>, %i_: tensor<8x8xf32>):
    %0 = linalg.matmul ins(%x_, %w_ : tensor<8x8xf32>, tensor<8x8xf32>) outs(%i_ : tensor<8x8xf32>) -> tensor<8x8xf32>
    %e = tensor.empty() : tensor<8x8xi1>
    %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<8x8xf32>) outs(%e : tensor<8x8xi1>) {
    ^bb1(%u: f32, %o: i1):
      %s = arith.cmpf olt, %u, %u : f32
      linalg.yield %s : i1
    } -> tensor<8x8xi1>
    // expected-error @below {{cannot be compiled: it reads the result of 'linalg.generic' at computed indices}}
    %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<8x8xi1>) outs(%e : tensor<8x8xi1>) {
    ^bb1(%u: i1, %o: i1):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %c = arith.constant 1 : index
      %n = arith.xori %j, %c : index
      %g = tensor.extract %1[%i, %n] : tensor<8x8xi1>
      linalg.yield %g : i1
    } -> tensor<8x8xi1>
    stof.yield %2 : tensor<8x8xi1>
  } -> tensor<8x8xi1>
  return %r : tensor<8x8xi1>
}

// -----

/// What is computed inside has elements, but is no tensor.

func.func @its_size(%in_x: tensor<8x8xf32>, %in_w: tensor<8x?xf32>, %in_i: tensor<8x?xf32>) -> (tensor<8x?xf32>) {
  %r = stof.group ins(%in_x, %in_w, %in_i : tensor<8x8xf32>, tensor<8x?xf32>, tensor<8x?xf32>) {
  ^bb0(%x_: tensor<8x8xf32>, %w_: tensor<8x?xf32>, %i_: tensor<8x?xf32>):
    %0 = linalg.matmul ins(%x_, %w_ : tensor<8x8xf32>, tensor<8x?xf32>) outs(%i_ : tensor<8x?xf32>) -> tensor<8x?xf32>
    %c1 = arith.constant 1 : index
    // expected-error @below {{cannot be compiled: expects values of the group to be read by 'tensor.extract', but got 'tensor.dim'}}
    %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<8x?xf32>) outs(%i_ : tensor<8x?xf32>) {
    ^bb1(%u: f32, %o: f32):
      %d = tensor.dim %0, %c1 : tensor<8x?xf32>
      %n = arith.index_cast %d : index to i32
      %f = arith.sitofp %n : i32 to f32
      %s = arith.addf %u, %f : f32
      linalg.yield %s : f32
    } -> tensor<8x?xf32>
    stof.yield %1 : tensor<8x?xf32>
  } -> tensor<8x?xf32>
  return %r : tensor<8x?xf32>
}

// -----

/// Rows are taken as they are, not by their number.

func.func @rows_by_place(%in_x: tensor<8x8xf32>, %in_w: tensor<8x8xf32>, %in_i: tensor<8x8xf32>, %in_z: tensor<8xf32>) -> (tensor<8x8xf32>) {
  %r = stof.group ins(%in_x, %in_w, %in_i, %in_z : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8xf32>) {
  ^bb0(%x_: tensor<8x8xf32>, %w_: tensor<8x8xf32>, %i_: tensor<8x8xf32>, %z_: tensor<8xf32>):
    %0 = linalg.matmul ins(%x_, %w_ : tensor<8x8xf32>, tensor<8x8xf32>) outs(%i_ : tensor<8x8xf32>) -> tensor<8x8xf32>
    %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%0 : tensor<8x8xf32>) outs(%z_ : tensor<8xf32>) {
    ^bb1(%u: f32, %v: f32):
      %s = arith.addf %u, %v : f32
      linalg.yield %s : f32
    } -> tensor<8xf32>
    // expected-error @below {{cannot be compiled: it reads a value per row at computed indices}}
    %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<8x8xf32>) outs(%i_ : tensor<8x8xf32>) {
    ^bb1(%u: f32, %o: f32):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %g = tensor.extract %1[%i] : tensor<8xf32>
      %s = arith.addf %u, %g : f32
      linalg.yield %s : f32
    } -> tensor<8x8xf32>
    stof.yield %2 : tensor<8x8xf32>
  } -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

// -----

/// A tile holds one head or the other.

func.func @beyond_the_combined(%in_x: tensor<8x8xf32>, %in_w: tensor<8x24xf32>, %in_i: tensor<8x24xf32>, %in_z: tensor<8x4xf32>) -> (tensor<8x4x6xf32>) {
  %r = stof.group ins(%in_x, %in_w, %in_i, %in_z : tensor<8x8xf32>, tensor<8x24xf32>, tensor<8x24xf32>, tensor<8x4xf32>) {
  ^bb0(%x_: tensor<8x8xf32>, %w_: tensor<8x24xf32>, %i_: tensor<8x24xf32>, %z_: tensor<8x4xf32>):
    %0 = linalg.matmul ins(%x_, %w_ : tensor<8x8xf32>, tensor<8x24xf32>) outs(%i_ : tensor<8x24xf32>) -> tensor<8x24xf32>
    %1 = tensor.expand_shape %0 [[0], [1, 2]] output_shape [8, 4, 6] : tensor<8x24xf32> into tensor<8x4x6xf32>
    %e = tensor.empty() : tensor<8x4x6xf32>
    %2 = linalg.generic {indexing_maps = [affine_map<(i, h, d) -> (i, h, d)>, affine_map<(i, h, d) -> (i, h)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<8x4x6xf32>) outs(%z_ : tensor<8x4xf32>) {
    ^bb1(%u: f32, %v: f32):
      %s = arith.addf %u, %v : f32
      linalg.yield %s : f32
    } -> tensor<8x4xf32>
    // expected-error @below {{cannot be compiled: it reads columns of 'linalg.matmul' other than the reduced ones}}
    %3 = linalg.generic {indexing_maps = [affine_map<(i, h, d) -> (i, h, d)>, affine_map<(i, h, d) -> (i, h)>, affine_map<(i, h, d) -> (i, h, d)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %2 : tensor<8x4x6xf32>, tensor<8x4xf32>) outs(%e : tensor<8x4x6xf32>) {
    ^bb1(%u: f32, %v: f32, %o: f32):
      %i = linalg.index 0 : index
      %h = linalg.index 1 : index
      %d = linalg.index 2 : index
      %c = arith.constant 1 : index
      %n = arith.xori %h, %c : index
      %g = tensor.extract %1[%i, %n, %d] : tensor<8x4x6xf32>
      %s = arith.addf %v, %g : f32
      linalg.yield %s : f32
    } -> tensor<8x4x6xf32>
    stof.yield %3 : tensor<8x4x6xf32>
  } -> tensor<8x4x6xf32>
  return %r : tensor<8x4x6xf32>
}

// -----

/// Heads that are not adjacent in memory make no row.

func.func @apart(%in_x: tensor<8x8xf32>, %in_w: tensor<8x24xf32>, %in_i: tensor<8x24xf32>) -> (tensor<4x8x6xf32>) {
  %r = stof.group ins(%in_x, %in_w, %in_i : tensor<8x8xf32>, tensor<8x24xf32>, tensor<8x24xf32>) {
  ^bb0(%x_: tensor<8x8xf32>, %w_: tensor<8x24xf32>, %i_: tensor<8x24xf32>):
    // expected-error @below {{cannot be compiled: columns that must share a tile are not contiguous in memory}}
    %0 = linalg.matmul ins(%x_, %w_ : tensor<8x8xf32>, tensor<8x24xf32>) outs(%i_ : tensor<8x24xf32>) -> tensor<8x24xf32>
    %1 = tensor.expand_shape %0 [[0], [1, 2]] output_shape [8, 4, 6] : tensor<8x24xf32> into tensor<8x4x6xf32>
    %e = tensor.empty() : tensor<4x8x6xf32>
    %3 = linalg.generic {indexing_maps = [affine_map<(i, h, d) -> (i, h, d)>, affine_map<(i, h, d) -> (h, i, d)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<8x4x6xf32>) outs(%e : tensor<4x8x6xf32>) {
    ^bb1(%u: f32, %o: f32):
      %i = linalg.index 0 : index
      %h = linalg.index 1 : index
      %d = linalg.index 2 : index
      %c = arith.constant 1 : index
      %n = arith.xori %h, %c : index
      %m = arith.xori %d, %c : index
      %g = tensor.extract %1[%i, %n, %m] : tensor<8x4x6xf32>
      %s = arith.addf %u, %g : f32
      linalg.yield %s : f32
    } -> tensor<4x8x6xf32>
    stof.yield %3 : tensor<4x8x6xf32>
  } -> tensor<4x8x6xf32>
  return %r : tensor<4x8x6xf32>
}

// -----

/// An index that is a loop counts what that does.

func.func @untold_loops(%in_x: tensor<8x8xf32>, %in_w: tensor<8x24xf32>, %in_i: tensor<8x24xf32>, %in_z: tensor<8x3x8xf32>) -> (tensor<8x24xf32>) {
  %r = stof.group ins(%in_x, %in_w, %in_i, %in_z : tensor<8x8xf32>, tensor<8x24xf32>, tensor<8x24xf32>, tensor<8x3x8xf32>) {
  ^bb0(%x_: tensor<8x8xf32>, %w_: tensor<8x24xf32>, %i_: tensor<8x24xf32>, %z_: tensor<8x3x8xf32>):
    %0 = linalg.matmul ins(%x_, %w_ : tensor<8x8xf32>, tensor<8x24xf32>) outs(%i_ : tensor<8x24xf32>) -> tensor<8x24xf32>
    %1 = tensor.expand_shape %0 [[0], [1, 2]] output_shape [8, 4, 6] : tensor<8x24xf32> into tensor<8x4x6xf32>
    %e = tensor.empty() : tensor<8x24xf32>
    // expected-error @below {{cannot be compiled: its iteration space cannot be matched with that of 'linalg.matmul'}}
    %3 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<8x24xf32>) outs(%e : tensor<8x24xf32>) {
    ^bb1(%u: f32, %o: f32):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %g = tensor.extract %1[%i, %j, %j] : tensor<8x4x6xf32>
      %s = arith.addf %u, %g : f32
      linalg.yield %s : f32
    } -> tensor<8x24xf32>
    stof.yield %3 : tensor<8x24xf32>
  } -> tensor<8x24xf32>
  return %r : tensor<8x24xf32>
}
