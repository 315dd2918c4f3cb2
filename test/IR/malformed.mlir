// RUN: stof-opt %s -verify-diagnostics -split-input-file

/// Text that is not the dialect is refused where it goes wrong.

// expected-error @below {{expects a mask of queries x keys, but got 1 dimensions}}
func.func private @one_length() -> !stof.mask<4>

// -----

// expected-error @below {{expects a mask of queries x keys, but got 3 dimensions}}
func.func private @three_lengths() -> !stof.mask<4x4x4>

// -----

// expected-error @below {{expects a mask over at least one position, but got a length of 0}}
func.func private @t1_no_keys() -> !stof.mask<4x0>

// -----

/// (T1) Static lengths are positive and less than 2^31.

func.func private @t1_longest() -> !stof.mask<2147483647x2147483647>

// -----

// expected-error @below {{expects a mask over less than 2^31 positions, but got a length of 2147483648}}
func.func private @t1_queries() -> !stof.mask<2147483648x4>

// -----

// expected-error @below {{expects a mask over less than 2^31 positions, but got a length of 4611686018427387904}}
func.func private @t1_keys() -> !stof.mask<4x4611686018427387904>

// -----

// expected-error @below {{expected '<'}}
func.func private @no_lengths() -> !stof.mask

// -----

// expected-error @below {{unknown  type `grid` in dialect `stof`}}
func.func private @unknown_type() -> !stof.grid<4x4>

// -----

func.func @no_predicate() {
  // expected-error @below {{expected '{' to begin a region}}
  %m = stof.mask : !stof.mask<4x4>
  return
}

// -----

func.func @two_blocks() {
  // expected-error @below {{expects region #0 to have 0 or 1 blocks}}
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %q: index, %k: index):
    cf.br ^bb1
  ^bb1:
    %keep = arith.constant true
    stof.yield %keep : i1
  } : !stof.mask<4x4>
  return
}

// -----

func.func @unknown_empty_rows(%q: tensor<1x2x8x4xf16>) {
  %r = stof.attention ins(%q, %q, %q : tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>)
      outs(%q : tensor<1x2x8x4xf16>)
      // expected-error @below {{values for attribute 'empty_rows' [zero, nan, mean, unmasked]}}
      empty_rows(none) -> tensor<1x2x8x4xf16>
  return
}

// -----

func.func @second_mask_alone(%q: tensor<1x2x8x4xf16>, %m: !stof.mask<8x8>) {
  %r = stof.attention ins(%q, %q, %q : tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>)
      outs(%q : tensor<1x2x8x4xf16>)
      // expected-error @below {{expects a mask for fully masked rows over the keys of another}}
      empty_rows(mean over %m : !stof.mask<8x8>) -> tensor<1x2x8x4xf16>
  return
}

// -----

func.func @missing_result(%q: tensor<1x2x8x4xf16>) {
  // expected-error @below {{expected the number of tensor results (0) to be equal to the number of output tensors (1)}}
  stof.attention ins(%q, %q, %q : tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>)
      outs(%q : tensor<1x2x8x4xf16>)
  return
}

// -----

// expected-error @below {{expects bits 0 and 1, or 0xDIGITS:LENGTH, but got '012'}}
func.func private @no_bits() attributes {scheme = #stof.scheme<"012">}

// -----

// expected-error @below {{expects bits 0 and 1, or 0xDIGITS:LENGTH, but got '0x1f:4'}}
func.func private @too_many_bits() attributes {scheme = #stof.scheme<"0x1f:4">}

// -----

// expected-error @below {{expects bits 0 and 1, or 0xDIGITS:LENGTH, but got '0x1f'}}
func.func private @no_length() attributes {scheme = #stof.scheme<"0x1f">}
