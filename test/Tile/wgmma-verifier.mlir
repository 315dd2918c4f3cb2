// RUN: stof-opt %s -verify-diagnostics -split-input-file

/// (G1) Accumulators are f32.

// expected-error @below {{expects accumulators of f32, but got '!tile.fragment<64x64xf16, #tile.mma<warps = [4, 1]>>'}}
func.func private @g1_element(!tile.in_flight<64x64xf16, #tile.mma<warps = [4, 1]>>)

// -----

/// (G2) Whole warpgroups that divide the rows only.

// expected-error @below {{expects whole warpgroups that divide the rows, but got '!tile.fragment<64x64xf32, #tile.mma<warps = [2, 2]>>'}}
func.func private @g2_columns(!tile.in_flight<64x64xf32, #tile.mma<warps = [2, 2]>>)

// -----

// expected-error @below {{expects whole warpgroups that divide the rows, but got '!tile.fragment<32x64xf32, #tile.mma<warps = [2, 1]>>'}}
func.func private @g2_warps(!tile.in_flight<32x64xf32, #tile.mma<warps = [2, 1]>>)

// -----

/// (G3) At most 256 columns.

// expected-error @below {{expects at most 256 columns, but got 264}}
func.func private @g3_columns(!tile.in_flight<64x264xf32, #tile.mma<warps = [4, 1]>>)

// -----

/// (W1) The shapes agree, and wgmma takes 16 elements along K.

#acc = #tile.mma<warps = [4, 1]>
func.func @w1_shapes(%a: !tile.shared<64x64xf16>, %b: !tile.shared<128x64xf16>, %f: !tile.in_flight<64x64xf32, #acc>) {
  // expected-error @below {{expects M x K times K x N to give M x N, with K a multiple of 16, but got 64 x 64 times 64 x 128 for '!tile.fragment<64x64xf32, #tile.mma<warps = [4, 1]>>'}}
  %i = tile.wgmma %a, %b, %f transpose_rhs : !tile.shared<64x64xf16>, !tile.shared<128x64xf16>, !tile.in_flight<64x64xf32, #acc>
  return
}

// -----

#acc = #tile.mma<warps = [4, 1]>
func.func @w1_step(%a: !tile.fragment<64x24xf16, #acc>, %b: !tile.shared<24x64xf16>, %f: !tile.in_flight<64x64xf32, #acc>) {
  // expected-error @below {{with K a multiple of 16, but got 64 x 24 times 24 x 64 for}}
  %i = tile.wgmma %a, %b, %f : !tile.fragment<64x24xf16, #acc>, !tile.shared<24x64xf16>, !tile.in_flight<64x64xf32, #acc>
  return
}

// -----

#acc = #tile.mma<warps = [4, 1]>
func.func @w1_rank(%a: !tile.fragment<64xf16, #tile.slice<1, #acc>>, %b: !tile.shared<64x64xf16>, %f: !tile.in_flight<64x64xf32, #acc>) {
  // expected-error @below {{expects lhs of rank 2, but got '!tile.fragment<64xf16,}}
  %i = tile.wgmma %a, %b, %f : !tile.fragment<64xf16, #tile.slice<1, #acc>>, !tile.shared<64x64xf16>, !tile.in_flight<64x64xf32, #acc>
  return
}

// -----

/// (W2) Operands have one type of 16 bits.

#acc = #tile.mma<warps = [4, 1]>
func.func @w2_types(%a: !tile.shared<64x64xf16>, %b: !tile.shared<64x64xbf16>, %f: !tile.in_flight<64x64xf32, #acc>) {
  // expected-error @below {{expects operands of one type, f16 or bf16, but got '!tile.shared<64x64xf16>' and '!tile.shared<64x64xbf16>'}}
  %i = tile.wgmma %a, %b, %f : !tile.shared<64x64xf16>, !tile.shared<64x64xbf16>, !tile.in_flight<64x64xf32, #acc>
  return
}

// -----

/// (W3) An lhs in registers is like the accumulators.

#acc = #tile.mma<warps = [4, 1]>
func.func @w3_layout(%a: !tile.fragment<64x64xf16, #tile.mma<warps = [2, 2]>>, %b: !tile.shared<64x64xf16>, %f: !tile.in_flight<64x64xf32, #acc>) {
  // expected-error @below {{expects lhs in registers to have the layout of the accumulator and not to be transposed, but got}}
  %i = tile.wgmma %a, %b, %f : !tile.fragment<64x64xf16, #tile.mma<warps = [2, 2]>>, !tile.shared<64x64xf16>, !tile.in_flight<64x64xf32, #acc>
  return
}

// -----

#acc = #tile.mma<warps = [4, 1]>
func.func @w3_transposed(%a: !tile.fragment<64x64xf16, #acc>, %b: !tile.shared<64x64xf16>, %f: !tile.in_flight<64x64xf32, #acc>) {
  // expected-error @below {{expects lhs in registers to have the layout of the accumulator and not to be transposed, but got}}
  %i = tile.wgmma %a, %b, %f transpose_lhs : !tile.fragment<64x64xf16, #acc>, !tile.shared<64x64xf16>, !tile.in_flight<64x64xf32, #acc>
  return
}

// -----

/// (W4) Shared tiles are made of windows of the swizzle.

#acc = #tile.mma<warps = [4, 1]>
func.func @w4_lhs(%a: !tile.shared<64x32xf16>, %b: !tile.shared<32x64xf16>, %f: !tile.in_flight<64x64xf32, #acc>) {
  // expected-error @below {{expects shared tiles of whole rows of 128 bytes, eight at a time, but got '!tile.shared<64x32xf16>'}}
  %i = tile.wgmma %a, %b, %f : !tile.shared<64x32xf16>, !tile.shared<32x64xf16>, !tile.in_flight<64x64xf32, #acc>
  return
}

// -----

#acc = #tile.mma<warps = [4, 1]>
func.func @w4_rhs(%a: !tile.shared<64x64xf16>, %b: !tile.shared<64x32xf16>, %f: !tile.in_flight<64x32xf32, #acc>) {
  // expected-error @below {{expects shared tiles of whole rows of 128 bytes, eight at a time, but got '!tile.shared<64x32xf16>'}}
  %i = tile.wgmma %a, %b, %f : !tile.shared<64x64xf16>, !tile.shared<64x32xf16>, !tile.in_flight<64x32xf32, #acc>
  return
}

// -----

/// Accumulators in flight are no fragment: only a wait makes them one.

#acc = #tile.mma<warps = [4, 1]>
func.func @read_in_flight(%f: !tile.in_flight<64x64xf32, #acc>) {
  // expected-error @below {{operand #0 must be A tile in registers, but got '!tile.in_flight<}}
  %s = tile.convert %f : !tile.in_flight<64x64xf32, #acc> -> !tile.shared<64x64xf32>
  return
}

// -----

/// Targets without wgmma refuse its operations.

#acc = #tile.mma<warps = [4, 1]>
gpu.module @other_target [#nvvm.target<chip = "sm_80">] {
  gpu.func @wait(%f: !tile.in_flight<64x64xf32, #acc>) {
    // expected-error @below {{'tile.wgmma_wait' op is not supported on sm_80}}
    %d = tile.wgmma_wait %f : !tile.in_flight<64x64xf32, #acc>
    gpu.return
  }
}

// -----

#acc = #tile.mma<warps = [4, 1]>
gpu.module @own_target [#nvvm.target<chip = "sm_90a">] {
  gpu.func @wait(%f: !tile.in_flight<64x64xf32, #acc>) {
    %d = tile.wgmma_wait %f : !tile.in_flight<64x64xf32, #acc>
    gpu.return
  }
}

// -----

/// No number of groups is negative.

#acc = #tile.mma<warps = [4, 1]>
func.func @pending(%f: !tile.in_flight<64x64xf32, #acc>) {
  // expected-error @below {{attribute 'pending' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  %d = tile.wgmma_wait %f pending -1 : !tile.in_flight<64x64xf32, #acc>
  return
}
