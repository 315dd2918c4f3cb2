// RUN: stof-opt %s -verify-diagnostics -split-input-file

/// (F1) A layout has the rank of the tile.

// expected-error @below {{expects a layout of rank 1, but got #tile.mma<warps = [4, 1]> of rank 2}}
func.func private @f1_rank(!tile.fragment<64xf32, #tile.mma<warps = [4, 1]>>)

// -----

/// (F2) A tile is made of whole units of its layout.

// expected-error @below {{expects dimension 1 to be a positive multiple of 8 for #tile.mma<warps = [4, 1]>, but got 20}}
func.func private @f2_unit(!tile.fragment<64x20xf32, #tile.mma<warps = [4, 1]>>)

// -----

/// Runs of eight columns make up 32 for each warp.

// expected-error @below {{expects dimension 1 to be a positive multiple of 64 for #tile.mma_runs<warps = [2, 2]>, but got 32}}
func.func private @f2_runs(!tile.fragment<64x32xf32, #tile.mma_runs<warps = [2, 2]>>)

// -----

/// (H1) A shared tile has two sizes and elements of whole bytes.

// expected-error @below {{expects a shared tile of two positive dimensions, but got 1 dimensions of sizes [64]}}
func.func private @h1_rank(!tile.shared<64xf16>)

// -----

// expected-error @below {{expects a shared tile of two positive dimensions, but got 2 dimensions of sizes [64, 0]}}
func.func private @h1_zero(!tile.shared<64x0xf16>)

// -----

// expected-error @below {{expects elements of whole bytes in shared memory, but got 'i1'}}
func.func private @h1_bits(!tile.shared<64x32xi1>)

// -----

/// A blocked layout has counts of one rank, powers of two, and 32 lanes.

// expected-error @below {{expects elements, lanes and warps of one rank, 1 or 2, but got 2, 1 and 2}}
func.func private @blocked_ranks(!tile.fragment<64x64xf32, #tile.blocked<elements = [1, 2], lanes = [32], warps = [4, 1]>>)

// -----

// expected-error @below {{expects powers of two, but got 3}}
func.func private @blocked_powers(!tile.fragment<64x64xf32, #tile.blocked<elements = [1, 3], lanes = [8, 4], warps = [4, 1]>>)

// -----

// expected-error @below {{expects 32 lanes in all, but got 16}}
func.func private @blocked_lanes(!tile.fragment<64x64xf32, #tile.blocked<elements = [1, 2], lanes = [8, 2], warps = [4, 1]>>)

// -----

/// Warps divide a side.

// expected-error @below {{expects a positive number of warps a side, but got 0}}
func.func private @mma_warps(!tile.fragment<64x64xf32, #tile.mma<warps = [0, 1]>>)

// -----

// expected-error @below {{expects a positive number of warps a side, but got 0}}
func.func private @mma_runs_warps(!tile.fragment<64x64xf32, #tile.mma_runs<warps = [0, 1]>>)

// -----

/// A slice takes one of two dimensions from a layout.

// expected-error @below {{expects the parent of a slice to be a layout of rank 2, but got 7 : i32}}
func.func private @slice_parent(!tile.fragment<64xf32, #tile.slice<1, 7 : i32>>)

// -----

// expected-error @below {{expects a slice along dimension 0 or 1, but got 2}}
func.func private @slice_dimension(!tile.fragment<64xf32, #tile.slice<2, #tile.mma<warps = [4, 1]>>>)
