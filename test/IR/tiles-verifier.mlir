// RUN: stof-opt %s --verify-diagnostics --split-input-file

/// (G4) Tiles of a group are those of contractions or of threads.

func.func @other(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{attribute 'tiles' failed to satisfy constraint: tiles of contractions or of threads}}
  %y = "stof.group"(%x) <{operandSegmentSizes = array<i32: 1, 0>, tiles = [8]}> ({
  ^bb0(%a: tensor<8xf32>):
    stof.yield %a : tensor<8xf32>
  }) : (tensor<8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

/// (MT1) A tile is not empty.

// expected-error @below {{expects positive numbers, but got 0}}
func.func private @empty() attributes {tile = #stof.matmul_tile<rows = 64, columns = 64, k = 0, row_warps = 2, column_warps = 2, stages = 3>}

// -----

/// (MT2) Warps have whole MMA tiles of rows.

// expected-error @below {{expects 'rows' to be a multiple of 16 for each of 4 warps, but got 32}}
func.func private @rows() attributes {tile = #stof.matmul_tile<rows = 32, columns = 64, k = 64, row_warps = 4, column_warps = 1, stages = 3>}

// -----

/// (MT2) Warps have whole MMA tiles of columns.

// expected-error @below {{expects 'columns' to be a multiple of 8 for each of 2 warps, but got 24}}
func.func private @columns() attributes {tile = #stof.matmul_tile<rows = 32, columns = 24, k = 64, row_warps = 2, column_warps = 2, stages = 3>}

// -----

/// (MT3) Producers are counted.

// expected-error @below {{expects non-negative 'producers', but got -1}}
func.func private @uncounted() attributes {tile = #stof.matmul_tile<rows = 64, columns = 64, k = 64, row_warps = 4, column_warps = 1, stages = 3, producers = -1>}

// -----

/// (MT3) Persistent CTAs load the next tile while they finish one.

// expected-error @below {{expects positive 'producers' for persistent CTAs, but got 0}}
func.func private @nothing_loads() attributes {tile = #stof.matmul_tile<rows = 64, columns = 64, k = 64, row_warps = 4, column_warps = 1, stages = 3, producers = 0, resident = 2>}

// -----

/// (MT4) CTAs are counted.

// expected-error @below {{expects non-negative 'resident', but got -1}}
func.func private @fewer_than_none() attributes {tile = #stof.matmul_tile<rows = 64, columns = 64, k = 64, row_warps = 4, column_warps = 1, stages = 3, producers = 1, resident = -1>}

// -----

/// (MT5) A group of warps computes.

// expected-error @below {{expects positive 'groups', but got 0}}
func.func private @no_group() attributes {tile = #stof.matmul_tile<rows = 64, columns = 64, k = 64, row_warps = 4, column_warps = 1, stages = 3, producers = 1, resident = 1, groups = 0>}

// -----

/// (MT5) Groups share the tiles of a CTA, which has one unless it is persistent.

// expected-error @below {{expects one group without persistent CTAs, but got 2}}
func.func private @nothing_to_share() attributes {tile = #stof.matmul_tile<rows = 64, columns = 64, k = 64, row_warps = 4, column_warps = 1, stages = 3, producers = 1, groups = 2>}

// -----

/// (TT1) Elements and warps are powers of 2.

// expected-error @below {{expects powers of 2, but got 3}}
func.func private @three() attributes {tile = #stof.thread_tile<elements = 3, row_warps = 4, column_warps = 1>}

// -----

// expected-error @below {{expects powers of 2, but got 0}}
func.func private @no_warps() attributes {tile = #stof.thread_tile<elements = 8, row_warps = 4, column_warps = 0>}

// -----

/// (AT1) A tile of attention is not empty.

// expected-error @below {{expects positive numbers, but got -16}}
func.func private @no_keys() attributes {tile = #stof.attention_tile<queries = 64, keys = -16, warps = 4>}

// -----

/// (AT2) Warps have whole MMA tiles of queries.

// expected-error @below {{expects 'queries' to be a multiple of 16 for each of 8 warps, but got 64}}
func.func private @queries() attributes {tile = #stof.attention_tile<queries = 64, keys = 64, warps = 8>}

// -----

/// (AT2) Keys are whole MMA tiles.

// expected-error @below {{expects 'keys' to be a multiple of 16, but got 24}}
func.func private @keys() attributes {tile = #stof.attention_tile<queries = 64, keys = 24, warps = 4>}

// -----

/// (AT3) Iterations overlap, and persistent CTAs share tiles, where producer warps load.

// expected-error @below {{expects non-negative 'producers', but got -1}}
func.func private @negative_producers() attributes {tile = #stof.attention_tile<queries = 64, keys = 64, warps = 4, producers = -1>}

// -----

// expected-error @below {{expects positive 'producers' for iterations that overlap, but got 0}}
func.func private @overlap_alone() attributes {tile = #stof.attention_tile<queries = 64, keys = 64, warps = 4, overlaps = true>}

// -----

// expected-error @below {{expects positive 'producers' for persistent CTAs, but got 0}}
func.func private @persistent_alone() attributes {tile = #stof.attention_tile<queries = 64, keys = 64, warps = 4, resident = 2>}

// -----

/// (AT4)

// expected-error @below {{expects non-negative 'resident', but got -1}}
func.func private @negative_resident() attributes {tile = #stof.attention_tile<queries = 64, keys = 64, warps = 4, producers = 1, resident = -1>}

// -----

/// (AT5) Persistent CTAs claim row tiles.

// expected-error @below {{expects positive 'resident' for row tiles that are claimed, but got 0}}
func.func private @claimed_by_none() attributes {tile = #stof.attention_tile<queries = 64, keys = 64, warps = 4, producers = 1, dynamic = true>}

// -----

/// (A12) A layout is one of the tile's queries and keys.

func.func @other_layout(%q: tensor<1x2x512x64xf16>, %m: !stof.mask<512x512>) -> tensor<1x2x512x64xf16> {
  // expected-error @below {{expects a layout of tiles of 32 x 64, as its tile says, but got 64 x 64}}
  %o = stof.attention ins(%q, %q, %q : tensor<1x2x512x64xf16>, tensor<1x2x512x64xf16>, tensor<1x2x512x64xf16>)
      mask(%m : !stof.mask<512x512>) tile <queries = 32, keys = 64, warps = 2> layout <row_tile = 64, col_tile = 64, storage = closed_form>
      outs(%q : tensor<1x2x512x64xf16>) -> tensor<1x2x512x64xf16>
  return %o : tensor<1x2x512x64xf16>
}

// -----

func.func @other_keys(%q: tensor<1x2x512x64xf16>, %m: !stof.mask<512x512>) -> tensor<1x2x512x64xf16> {
  // expected-error @below {{expects a layout of tiles of 64 x 32, as its tile says, but got 64 x 64}}
  %o = stof.attention ins(%q, %q, %q : tensor<1x2x512x64xf16>, tensor<1x2x512x64xf16>, tensor<1x2x512x64xf16>)
      mask(%m : !stof.mask<512x512>) tile <queries = 64, keys = 32, warps = 4> layout <row_tile = 64, col_tile = 64, storage = closed_form>
      outs(%q : tensor<1x2x512x64xf16>) -> tensor<1x2x512x64xf16>
  return %o : tensor<1x2x512x64xf16>
}
