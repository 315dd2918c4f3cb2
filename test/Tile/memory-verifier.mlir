// RUN: stof-opt %s -verify-diagnostics -split-input-file

/// (L1, S1) One index for each dimension of the memory.

func.func @l1_indices(%m: memref<2x64x32xf16>, %i: index) {
  // expected-error @below {{expects 3 indices for 'memref<2x64x32xf16>', but got 2}}
  %t = tile.load %m[%i, %i] along [1, 2] : memref<2x64x32xf16> -> !tile.shared<64x32xf16>
  return
}

// -----

func.func @s1_indices(%m: memref<2x64x32xf16>, %i: index, %t: !tile.fragment<64x32xf16, #tile.mma<warps = [4, 1]>>) {
  // expected-error @below {{expects 3 indices for 'memref<2x64x32xf16>', but got 4}}
  tile.store %t, %m[%i, %i, %i, %i] along [1, 2] : !tile.fragment<64x32xf16, #tile.mma<warps = [4, 1]>>, memref<2x64x32xf16>
  return
}

// -----

/// (L2, S2) Each dimension of the tile goes along one of the memory.

func.func @l2_number(%m: memref<2x64x32xf16>, %i: index) {
  // expected-error @below {{expects along to name 2 dimensions for '!tile.shared<64x32xf16>', but got 1}}
  %t = tile.load %m[%i, %i, %i] along [1] : memref<2x64x32xf16> -> !tile.shared<64x32xf16>
  return
}

// -----

func.func @l2_twice(%m: memref<2x64x32xf16>, %i: index) {
  // expected-error @below {{expects along to name distinct dimensions of source, but got [1, 1]}}
  %t = tile.load %m[%i, %i, %i] along [1, 1] : memref<2x64x32xf16> -> !tile.shared<64x32xf16>
  return
}

// -----

func.func @s2_outside(%m: memref<2x64x32xf16>, %i: index, %t: !tile.fragment<64x32xf16, #tile.mma<warps = [4, 1]>>) {
  // expected-error @below {{expects along to name distinct dimensions of destination, but got [1, 3]}}
  tile.store %t, %m[%i, %i, %i] along [1, 3] : !tile.fragment<64x32xf16, #tile.mma<warps = [4, 1]>>, memref<2x64x32xf16>
  return
}

// -----

/// (L3, S3) Tile and memory hold the same elements.

func.func @l3_elements(%m: memref<2x64x32xf16>, %i: index) {
  // expected-error @below {{expects the tile and source to have one element type, but got '!tile.shared<64x32xf32>' and 'memref<2x64x32xf16>'}}
  %t = tile.load %m[%i, %i, %i] along [1, 2] : memref<2x64x32xf16> -> !tile.shared<64x32xf32>
  return
}

// -----

/// (V1) A conversion keeps shape and elements.

#acc = #tile.mma<warps = [4, 1]>
func.func @v1_elements(%t: !tile.fragment<64x32xf16, #acc>) {
  // expected-error @below {{expects one shape and element type, but got}}
  %s = tile.convert %t : !tile.fragment<64x32xf16, #acc> -> !tile.shared<32x64xf16>
  return
}

// -----

/// (L4) Only a shared tile has a condition or a buffer.

func.func @l4_condition(%m: memref<64x32xf16>, %i: index, %b: i1) {
  // expected-error @below {{expects a shared tile with a condition or a buffer, but got '!tile.fragment<64x32xf16, #tile.mma<warps = [4, 1]>>'}}
  %t = tile.load %m[%i, %i] along [0, 1] when %b : memref<64x32xf16> -> !tile.fragment<64x32xf16, #tile.mma<warps = [4, 1]>>
  return
}

// -----

/// (L5) Only a shared tile has blocks, all with as many rows, and each an index.

func.func @l5_rows(%m: memref<64x32xf16>, %i: index) {
  // expected-error @below {{expects a shared tile whose rows are blocks of equal size, but got 3 of '!tile.shared<64x32xf16>'}}
  %t = tile.load %m[%i, %i, %i, %i] along [0, 1] blocks 3 : memref<64x32xf16> -> !tile.shared<64x32xf16>
  return
}

// -----

func.func @l5_fragment(%m: memref<64x32xf16>, %i: index) {
  // expected-error @below {{expects a shared tile whose rows are blocks of equal size, but got 2 of '!tile.fragment<64x32xf16, #tile.mma<warps = [4, 1]>>'}}
  %t = tile.load %m[%i, %i, %i] along [0, 1] blocks 2 : memref<64x32xf16> -> !tile.fragment<64x32xf16, #tile.mma<warps = [4, 1]>>
  return
}

// -----

func.func @l1_blocks(%m: memref<64x32xf16>, %i: index) {
  // expected-error @below {{expects 3 indices for 'memref<64x32xf16>', but got 2}}
  %t = tile.load %m[%i, %i] along [0, 1] blocks 2 : memref<64x32xf16> -> !tile.shared<64x32xf16>
  return
}

// -----

func.func @l4_place(%m: memref<64x32xf16>, %i: index, %f: !tile.fragment<64x32xf16, #tile.mma<warps = [4, 1]>>) {
  // expected-error @below {{expects a shared tile with a condition or a buffer, but got '!tile.fragment<64x32xf16, #tile.mma<warps = [4, 1]>>'}}
  %t = tile.load %m[%i, %i] along [0, 1] over %f : memref<64x32xf16> -> !tile.fragment<64x32xf16, #tile.mma<warps = [4, 1]>>
  return
}

// -----

func.func @l4_type(%m: memref<64x32xf16>, %i: index) {
  // expected-note @below {{prior use here}}
  %e = tile.empty : !tile.shared<64x64xf16>
  // expected-error @below {{expects different type than prior uses}}
  %t = tile.load %m[%i, %i] along [0, 1] over %e : memref<64x32xf16> -> !tile.shared<64x32xf16>
  return
}

// -----

/// (A1) What arrives is what was sent.

func.func @a1_types(%t: !tile.shared<64x32xf16>) {
  // expected-error @below {{failed to infer returned types}}
  // expected-error @below {{'tile.await' op inferred type(s) '!tile.shared<64x32xf16>' are incompatible with return type(s) of operation '!tile.shared<32x64xf16>'}}
  %u = "tile.await"(%t) : (!tile.shared<64x32xf16>) -> !tile.shared<32x64xf16>
  return
}
