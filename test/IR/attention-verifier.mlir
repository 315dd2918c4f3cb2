// RUN: stof-opt %s -verify-diagnostics -split-input-file

/// (A1) Four tensors of rank 4 and of one element type.

func.func @a1_rank(%q: tensor<2x8x64xf16>, %k: tensor<2x2x16x64xf16>) {
  // expected-error @below {{expects query of rank 4, but got 'tensor<2x8x64xf16>'}}
  %r = stof.attention ins(%q, %k, %k : tensor<2x8x64xf16>, tensor<2x2x16x64xf16>, tensor<2x2x16x64xf16>)
      outs(%q : tensor<2x8x64xf16>) -> tensor<2x8x64xf16>
  return
}

// -----

func.func @a1_element_type(%q: tensor<1x2x8x4xf16>, %v: tensor<1x2x8x4xf32>) {
  // expected-error @below {{expects value to have the element type of query, 'f16', but got 'tensor<1x2x8x4xf32>'}}
  %r = stof.attention ins(%q, %q, %v : tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>, tensor<1x2x8x4xf32>)
      outs(%q : tensor<1x2x8x4xf16>) -> tensor<1x2x8x4xf16>
  return
}

// -----

/// (A2) One batch.

func.func @a2_key(%q: tensor<2x2x8x4xf16>, %k: tensor<1x2x8x4xf16>) {
  // expected-error @below {{expects query and key to have the same batch, but got 'tensor<2x2x8x4xf16>' and 'tensor<1x2x8x4xf16>'}}
  %r = stof.attention ins(%q, %k, %q : tensor<2x2x8x4xf16>, tensor<1x2x8x4xf16>, tensor<2x2x8x4xf16>)
      outs(%q : tensor<2x2x8x4xf16>) -> tensor<2x2x8x4xf16>
  return
}

// -----

func.func @a2_value(%q: tensor<2x2x8x4xf16>, %v: tensor<1x2x8x4xf16>) {
  // expected-error @below {{expects query and value to have the same batch, but got}}
  %r = stof.attention ins(%q, %q, %v : tensor<2x2x8x4xf16>, tensor<2x2x8x4xf16>, tensor<1x2x8x4xf16>)
      outs(%q : tensor<2x2x8x4xf16>) -> tensor<2x2x8x4xf16>
  return
}

// -----

func.func @a2_shared(%q: tensor<2x2x8x4xf16>, %k: tensor<1x2x8x4xf16>) {
  %r = stof.attention ins(%q, %k, %k : tensor<2x2x8x4xf16>, tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>)
      outs(%q : tensor<2x2x8x4xf16>) -> tensor<2x2x8x4xf16>
  return
}

// -----

func.func @a2_out(%q: tensor<2x2x8x4xf16>, %o: tensor<1x2x8x4xf16>) {
  // expected-error @below {{expects query and out to have the same batch, but got}}
  %r = stof.attention ins(%q, %q, %q : tensor<2x2x8x4xf16>, tensor<2x2x8x4xf16>, tensor<2x2x8x4xf16>)
      outs(%o : tensor<1x2x8x4xf16>) -> tensor<1x2x8x4xf16>
  return
}

// -----

/// (A3) One number of features in query and key.

func.func @a3_features(%q: tensor<1x2x8x4xf16>, %k: tensor<1x2x8x2xf16>) {
  // expected-error @below {{expects query and key to have the same features, but got 'tensor<1x2x8x4xf16>' and 'tensor<1x2x8x2xf16>'}}
  %r = stof.attention ins(%q, %k, %q : tensor<1x2x8x4xf16>, tensor<1x2x8x2xf16>, tensor<1x2x8x4xf16>)
      outs(%q : tensor<1x2x8x4xf16>) -> tensor<1x2x8x4xf16>
  return
}

// -----

/// (A4) Key and value have the same heads and positions.

func.func @a4_heads(%q: tensor<1x2x8x4xf16>, %v: tensor<1x1x8x4xf16>) {
  // expected-error @below {{expects key and value to have the same heads, but got}}
  %r = stof.attention ins(%q, %q, %v : tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>, tensor<1x1x8x4xf16>)
      outs(%q : tensor<1x2x8x4xf16>) -> tensor<1x2x8x4xf16>
  return
}

// -----

func.func @a4_positions(%q: tensor<1x2x8x4xf16>, %v: tensor<1x2x16x4xf16>) {
  // expected-error @below {{expects key and value to have the same positions, but got}}
  %r = stof.attention ins(%q, %q, %v : tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>, tensor<1x2x16x4xf16>)
      outs(%q : tensor<1x2x8x4xf16>) -> tensor<1x2x8x4xf16>
  return
}

// -----

/// (A5) Every key head serves the same number of query heads.

func.func @a5_heads(%q: tensor<1x6x8x4xf16>, %k: tensor<1x4x8x4xf16>) {
  // expected-error @below {{expects the heads of query to be a multiple of those of key, but got 'tensor<1x6x8x4xf16>' and 'tensor<1x4x8x4xf16>'}}
  %r = stof.attention ins(%q, %k, %k : tensor<1x6x8x4xf16>, tensor<1x4x8x4xf16>, tensor<1x4x8x4xf16>)
      outs(%q : tensor<1x6x8x4xf16>) -> tensor<1x6x8x4xf16>
  return
}

// -----

/// (A6) Out has query's heads and positions, value's features.

func.func @a6_heads(%q: tensor<1x2x8x4xf16>, %o: tensor<1x1x8x4xf16>) {
  // expected-error @below {{expects query and out to have the same heads, but got}}
  %r = stof.attention ins(%q, %q, %q : tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>)
      outs(%o : tensor<1x1x8x4xf16>) -> tensor<1x1x8x4xf16>
  return
}

// -----

func.func @a6_positions(%q: tensor<1x2x8x4xf16>, %o: tensor<1x2x9x4xf16>) {
  // expected-error @below {{expects query and out to have the same positions, but got}}
  %r = stof.attention ins(%q, %q, %q : tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>)
      outs(%o : tensor<1x2x9x4xf16>) -> tensor<1x2x9x4xf16>
  return
}

// -----

func.func @a6_features(%q: tensor<1x2x8x4xf16>, %o: tensor<1x2x8x5xf16>) {
  // expected-error @below {{expects value and out to have the same features, but got}}
  %r = stof.attention ins(%q, %q, %q : tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>)
      outs(%o : tensor<1x2x8x5xf16>) -> tensor<1x2x8x5xf16>
  return
}

// -----

/// (A7) lse has one element for each row.

func.func @a7_lse(%q: tensor<1x2x8x4xf16>, %l: tensor<1x2x4xf32>) {
  // expected-error @below {{expects lse to have the batch, heads and positions of query, but got 'tensor<1x2x4xf32>' and 'tensor<1x2x8x4xf16>'}}
  %r:2 = stof.attention ins(%q, %q, %q : tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>)
      outs(%q : tensor<1x2x8x4xf16>, lse %l : tensor<1x2x4xf32>) -> tensor<1x2x8x4xf16>, tensor<1x2x4xf32>
  return
}

// -----

func.func @a7_type(%q: tensor<1x2x8x4xf16>, %l: tensor<1x2x8xf16>) {
  // expected-error @below {{must be 3D tensor of 32-bit float values or 3D memref of 32-bit float values, but got 'tensor<1x2x8xf16>'}}
  %r:2 = stof.attention ins(%q, %q, %q : tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>)
      outs(%q : tensor<1x2x8x4xf16>, lse %l : tensor<1x2x8xf16>) -> tensor<1x2x8x4xf16>, tensor<1x2x8xf16>
  return
}

// -----

func.func @a7_tensor(%q: tensor<1x2x8x4xf16>, %l: memref<1x2x8xf32>) {
  // expected-error @below {{expects out and lse to be two tensors or two buffers, but got 'tensor<1x2x8x4xf16>' and 'memref<1x2x8xf32>'}}
  %r = stof.attention ins(%q, %q, %q : tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>)
      outs(%q : tensor<1x2x8x4xf16>, lse %l : memref<1x2x8xf32>) -> tensor<1x2x8x4xf16>
  return
}

// -----

/// (A8) The mask is over the positions of query and key.

func.func @a8_mask(%q: tensor<1x2x8x4xf16>, %m: !stof.mask<?x16>) {
  // expected-error @below {{expects a mask over the positions of query and key, but got '!stof.mask<?x16>' for 'tensor<1x2x8x4xf16>' and 'tensor<1x2x8x4xf16>'}}
  %r = stof.attention ins(%q, %q, %q : tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>)
      mask(%m : !stof.mask<?x16>) outs(%q : tensor<1x2x8x4xf16>) -> tensor<1x2x8x4xf16>
  return
}

// -----

/// (A8) So is the mask of fully masked rows.

func.func @a8_mask_of_empty_rows(%q: tensor<1x2x8x4xf16>, %m: !stof.mask<8x8>, %other: !stof.mask<16x8>) {
  // expected-error @below {{expects a mask over the positions of query and key, but got '!stof.mask<16x8>' for 'tensor<1x2x8x4xf16>' and 'tensor<1x2x8x4xf16>'}}
  %r = stof.attention ins(%q, %q, %q : tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>)
      mask(%m : !stof.mask<8x8>) outs(%q : tensor<1x2x8x4xf16>) empty_rows(mean over %other : !stof.mask<16x8>) -> tensor<1x2x8x4xf16>
  return
}

// -----

/// (A14) There are no more masks.

func.func @a14_masks(%q: tensor<1x2x8x4xf16>, %m: !stof.mask<8x8>) {
  // expected-error @below {{expects at most two masks, but got 3}}
  %r = "stof.attention"(%q, %q, %q, %m, %m, %m, %q) <{operandSegmentSizes = array<i32: 1, 1, 1, 3, 0, 0, 0, 1, 0, 0>}> ({
  ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index):
    "stof.yield"(%s) : (f32) -> ()
  }) : (tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>, !stof.mask<8x8>, !stof.mask<8x8>, !stof.mask<8x8>, tensor<1x2x8x4xf16>) -> tensor<1x2x8x4xf16>
  return
}

// -----

/// (A14) NaN is not over keys.

func.func @a14_nan(%q: tensor<1x2x8x4xf16>, %m: !stof.mask<8x8>) {
  // expected-error @below {{expects empty_rows of 'mean' or 'unmasked' for the keys of a mask, but got 'nan'}}
  %r = stof.attention ins(%q, %q, %q : tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>)
      mask(%m : !stof.mask<8x8>) outs(%q : tensor<1x2x8x4xf16>) empty_rows(nan over %m : !stof.mask<8x8>) -> tensor<1x2x8x4xf16>
  return
}

// -----

/// (A9) One sink for each query head.

func.func @a9_sinks(%q: tensor<1x2x8x4xf16>, %s: tensor<4xf32>) {
  // expected-error @below {{expects one sink for each head of query, but got 'tensor<4xf32>' and 'tensor<1x2x8x4xf16>'}}
  %r = stof.attention ins(%q, %q, %q : tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>)
      sinks(%s : tensor<4xf32>) outs(%q : tensor<1x2x8x4xf16>) -> tensor<1x2x8x4xf16>
  return
}

// -----

/// (A9) Sinks are of parts of equally many queries.

func.func @a9_parts(%q: tensor<1x2x8x4xf16>, %s: tensor<2x3xf32>) {
  // expected-error @below {{expects sinks for equal parts of the queries, but got 'tensor<2x3xf32>' and 'tensor<1x2x8x4xf16>'}}
  %r = stof.attention ins(%q, %q, %q : tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>)
      sinks(%s : tensor<2x3xf32>) outs(%q : tensor<1x2x8x4xf16>) -> tensor<1x2x8x4xf16>
  return
}

// -----

/// (A10) The score region maps f32 and four coordinates to f32.

func.func @a10_number(%q: tensor<1x2x8x4xf16>) {
  // expected-error @below {{expects the score region to take 5 arguments, but got 1}}
  %r = stof.attention ins(%q, %q, %q : tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>)
      outs(%q : tensor<1x2x8x4xf16>) score {
  ^bb0(%s: f32):
    stof.yield %s : f32
  } -> tensor<1x2x8x4xf16>
  return
}

// -----

func.func @a10_type(%q: tensor<1x2x8x4xf16>) {
  // expected-error @below {{expects argument 0 of the score region to be 'f32', but got 'f16'}}
  %r = stof.attention ins(%q, %q, %q : tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>)
      outs(%q : tensor<1x2x8x4xf16>) score {
  ^bb0(%s: f16, %b: index, %h: index, %i: index, %j: index):
    stof.yield %s : f16
  } -> tensor<1x2x8x4xf16>
  return
}

// -----

func.func @a10_yield(%q: tensor<1x2x8x4xf16>) {
  // expected-error @below {{expects the score region to yield ('f32'), but got ('index')}}
  %r = stof.attention ins(%q, %q, %q : tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>)
      outs(%q : tensor<1x2x8x4xf16>) score {
  ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index):
    // expected-note @below {{yielded here}}
    stof.yield %b : index
  } -> tensor<1x2x8x4xf16>
  return
}

// -----

func.func private @bias(f32) -> f32

func.func @a10_effects(%q: tensor<1x2x8x4xf16>) {
  // expected-error @below {{expects the score region to be free of side effects, but it has 'func.call'}}
  %r = stof.attention ins(%q, %q, %q : tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>)
      outs(%q : tensor<1x2x8x4xf16>) score {
  ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index):
    // expected-note @below {{has side effects}}
    %t = func.call @bias(%s) : (f32) -> f32
    stof.yield %t : f32
  } -> tensor<1x2x8x4xf16>
  return
}

// -----

func.func @a10_captures_without_region(%q: tensor<1x2x8x4xf16>, %w: index) {
  // expected-error @below {{expects captured values only with a score region, but got 1 without one}}
  %r = stof.attention ins(%q, %q, %q : tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>)
      captures(%w : index) outs(%q : tensor<1x2x8x4xf16>) -> tensor<1x2x8x4xf16>
  return
}

// -----

/// (A11) No dimension is statically zero.

func.func @a11_no_keys(%q: tensor<1x2x8x4xf16>, %k: tensor<1x2x0x4xf16>) {
  // expected-error @below {{expects key without a dimension of size zero, but got 'tensor<1x2x0x4xf16>'}}
  %r = stof.attention ins(%q, %k, %k : tensor<1x2x8x4xf16>, tensor<1x2x0x4xf16>, tensor<1x2x0x4xf16>)
      outs(%q : tensor<1x2x8x4xf16>) -> tensor<1x2x8x4xf16>
  return
}

// -----

func.func @a11_no_key_heads(%q: tensor<1x2x8x4xf16>, %k: tensor<1x0x8x4xf16>) {
  // expected-error @below {{expects key without a dimension of size zero, but got 'tensor<1x0x8x4xf16>'}}
  %r = stof.attention ins(%q, %k, %k : tensor<1x2x8x4xf16>, tensor<1x0x8x4xf16>, tensor<1x0x8x4xf16>)
      outs(%q : tensor<1x2x8x4xf16>) -> tensor<1x2x8x4xf16>
  return
}

// -----

/// (A13) Static numbers of positions are less than 2^31.

func.func @a13_longest(%q: tensor<1x2x2147483647x4xf16>) -> tensor<1x2x2147483647x4xf16> {
  %r = stof.attention ins(%q, %q, %q : tensor<1x2x2147483647x4xf16>, tensor<1x2x2147483647x4xf16>, tensor<1x2x2147483647x4xf16>)
      outs(%q : tensor<1x2x2147483647x4xf16>) -> tensor<1x2x2147483647x4xf16>
  return %r : tensor<1x2x2147483647x4xf16>
}

// -----

func.func @a13_queries(%q: tensor<1x2x2147483648x4xf16>, %k: tensor<1x2x8x4xf16>) {
  // expected-error @below {{expects query of less than 2^31 positions, but got 'tensor<1x2x2147483648x4xf16>'}}
  %r = stof.attention ins(%q, %k, %k : tensor<1x2x2147483648x4xf16>, tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>)
      outs(%q : tensor<1x2x2147483648x4xf16>) -> tensor<1x2x2147483648x4xf16>
  return
}

// -----

func.func @a13_keys(%q: tensor<1x2x8x4xf16>, %k: tensor<1x2x4294967296x4xf16>) {
  // expected-error @below {{expects key of less than 2^31 positions, but got 'tensor<1x2x4294967296x4xf16>'}}
  %r = stof.attention ins(%q, %k, %k : tensor<1x2x8x4xf16>, tensor<1x2x4294967296x4xf16>, tensor<1x2x4294967296x4xf16>)
      outs(%q : tensor<1x2x8x4xf16>) -> tensor<1x2x8x4xf16>
  return
}

// -----

/// Sizes that are not known are not judged.

func.func @dynamic_sizes(%q: tensor<?x?x?x?xf16>, %k: tensor<1x2x8x4xf16>, %m: !stof.mask<?x8>,
                         %o: tensor<?x?x?x4xf16>) -> tensor<?x?x?x4xf16> {
  %r = stof.attention ins(%q, %k, %k : tensor<?x?x?x?xf16>, tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>)
      mask(%m : !stof.mask<?x8>) outs(%o : tensor<?x?x?x4xf16>) -> tensor<?x?x?x4xf16>
  return %r : tensor<?x?x?x4xf16>
}
