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
  // expected-error @below {{expects shape and element type to stay, but got}}
  %s = tile.convert %t : !tile.fragment<64x32xf16, #acc> -> !tile.shared<32x64xf16>
  return
}
