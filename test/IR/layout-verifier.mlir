// RUN: stof-opt %s -verify-diagnostics -split-input-file

/// A tile has sides.

// expected-error @below {{expects tiles of positive sides, but got 0 x 64}}
func.func private @sides() attributes {stof.layout = #stof.layout<row_tile = 0, col_tile = 64, storage = closed_form>}

// -----

// expected-error @below {{expects tiles of positive sides, but got 64 x -8}}
func.func private @columns() attributes {stof.layout = #stof.layout<row_tile = 64, col_tile = -8, storage = closed_form>}

// -----

/// Tables are operands: no attribute is left to say.

// expected-error @below {{expects intervals only in a layout of storage closed_form, but got storage tables}}
func.func private @tables() attributes {stof.layout = #stof.layout<row_tile = 64, col_tile = 64, storage = tables, visited = [#stof.interval]>}

// -----

// expected-error @below {{expects intervals only in a layout of storage closed_form, but got storage run_time}}
func.func private @run_time() attributes {stof.layout = #stof.layout<row_tile = 64, col_tile = 64, storage = run_time, symbols = [affine_map<(d0, d1) -> ()>]>}

// -----

/// Maps of intervals take row tile, batch, head and the symbols.

// expected-error @below {{expects a map of 3 dimensions and 0 symbols, but got affine_map<(d0) -> (d0)>}}
func.func private @dimensions() attributes {stof.layout = #stof.layout<row_tile = 64, col_tile = 64, storage = closed_form, visited = [#stof.interval<to = affine_map<(d0) -> (d0)>>]>}

// -----

// expected-error @below {{expects a map of 3 dimensions and 0 symbols, but got affine_map<(d0, d1, d2)[s0] -> (s0)>}}
func.func private @symbols() attributes {stof.layout = #stof.layout<row_tile = 64, col_tile = 64, storage = closed_form, partial = [#stof.interval<where = affine_map<(d0, d1, d2)[s0] -> (s0)>>]>}

// -----

// expected-error @below {{expects a map of 3 dimensions and 1 symbols, but got affine_map<(d0, d1, d2) -> (d0)>}}
func.func private @no_symbol() attributes {stof.layout = #stof.layout<row_tile = 64, col_tile = 64, storage = closed_form, partial = [#stof.interval<from = affine_map<(d0, d1, d2) -> (d0)>>], symbols = [affine_map<(d0, d1) -> ()>]>}

// -----

/// Positions of symbols are functions of batch and head.

// expected-error @below {{expects a map of 2 dimensions and 0 symbols, but got affine_map<(d0) -> (d0)>}}
func.func private @position() attributes {stof.layout = #stof.layout<row_tile = 64, col_tile = 64, storage = closed_form, symbols = [affine_map<(d0) -> (d0)>]>}

// -----

/// Lists hold what they should.

// expected-error @below {{expects a list of intervals, but got 3 : i64}}
func.func private @intervals() attributes {stof.layout = #stof.layout<row_tile = 64, col_tile = 64, storage = closed_form, visited = [3]>}

// -----

// expected-error @below {{expects a list of maps, but got "w"}}
func.func private @maps() attributes {stof.layout = #stof.layout<row_tile = 64, col_tile = 64, storage = closed_form, symbols = ["w"]>}

// -----

/// Strided rows are a closed form of their own.

// expected-error @below {{expects a row stride of at least 1 and a smaller residue, but got 4 and 4}}
func.func private @residue() attributes {stof.layout = #stof.layout<row_tile = 64, col_tile = 64, storage = closed_form, row_stride = 4, residue = 4>}

// -----

// expected-error @below {{expects a row stride only in a closed form without lattices, but got 2}}
func.func private @rows_of_tables() attributes {stof.layout = #stof.layout<row_tile = 64, col_tile = 64, storage = tables, row_stride = 2>}

// -----

// expected-error @below {{expects a row stride only in a closed form without lattices, but got 2}}
func.func private @rows_and_lattices() attributes {stof.layout = #stof.layout<row_tile = 64, col_tile = 64, storage = closed_form, lattices = [#stof.lattice<stride = 8, offset = 3>], row_stride = 2>}

// -----

/// (A12) A layout goes with a mask, and has the operands that it asks for.

func.func @a12_no_mask(%q: tensor<1x2x8x4xf16>, %m: !stof.mask<8x8>) {
  // expected-error @below {{expects a mask for a layout, but got none}}
  %r = stof.attention ins(%q, %q, %q : tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>)
     
      layout <row_tile = 64, col_tile = 64, storage = closed_form>
      outs(%q : tensor<1x2x8x4xf16>) -> tensor<1x2x8x4xf16>
  return
}

// -----

func.func @a12_no_operand(%q: tensor<1x2x8x4xf16>, %m: !stof.mask<8x8>) {
  // expected-error @below {{expects 1 operands of its layout, but got 0}}
  %r = stof.attention ins(%q, %q, %q : tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>)
      mask(%m : !stof.mask<8x8>)
      layout <row_tile = 64, col_tile = 64, storage = closed_form, symbols = [affine_map<(d0, d1) -> ()>]>
      outs(%q : tensor<1x2x8x4xf16>) -> tensor<1x2x8x4xf16>
  return
}

// -----

func.func @a12_one_operand(%q: tensor<1x2x8x4xf16>, %m: !stof.mask<8x8>, %w: index) {
  // expected-error @below {{expects 0 operands of its layout, but got 1}}
  %r = stof.attention ins(%q, %q, %q : tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>)
      mask(%m : !stof.mask<8x8>)
      layout <row_tile = 64, col_tile = 64, storage = closed_form> from(%w : index)
      outs(%q : tensor<1x2x8x4xf16>) -> tensor<1x2x8x4xf16>
  return
}

// -----

func.func @a12_one_table(%q: tensor<1x2x8x4xf16>, %m: !stof.mask<8x8>, %w: tensor<1x1x1x3xi64>) {
  // expected-error @below {{expects 3 operands of its layout, but got 1}}
  %r = stof.attention ins(%q, %q, %q : tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>)
      mask(%m : !stof.mask<8x8>)
      layout <row_tile = 64, col_tile = 64, storage = tables> from(%w : tensor<1x1x1x3xi64>)
      outs(%q : tensor<1x2x8x4xf16>) -> tensor<1x2x8x4xf16>
  return
}

// -----

func.func @a12_scalar(%q: tensor<1x2x8x4xf16>, %m: !stof.mask<8x8>, %w: index) {
  // expected-error @below {{expects a map with 0 results for the layout operand of type 'index', but got affine_map<(d0, d1) -> (d0)>}}
  %r = stof.attention ins(%q, %q, %q : tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>)
      mask(%m : !stof.mask<8x8>)
      layout <row_tile = 64, col_tile = 64, storage = closed_form, symbols = [affine_map<(d0, d1) -> (d0)>]> from(%w : index)
      outs(%q : tensor<1x2x8x4xf16>) -> tensor<1x2x8x4xf16>
  return
}

// -----

func.func @a12_element(%q: tensor<1x2x8x4xf16>, %m: !stof.mask<8x8>, %w: tensor<1x2xi64>) {
  // expected-error @below {{expects a map with 2 results for the layout operand of type 'tensor<1x2xi64>', but got affine_map<(d0, d1) -> (d0)>}}
  %r = stof.attention ins(%q, %q, %q : tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>)
      mask(%m : !stof.mask<8x8>)
      layout <row_tile = 64, col_tile = 64, storage = closed_form, symbols = [affine_map<(d0, d1) -> (d0)>]> from(%w : tensor<1x2xi64>)
      outs(%q : tensor<1x2x8x4xf16>) -> tensor<1x2x8x4xf16>
  return
}

// -----

func.func @a12_ranges(%q: tensor<1x2x8x4xf16>, %m: !stof.mask<8x8>, %w: tensor<2xi32>) {
  // expected-error @below {{expects a table of i64 of rank 4 for its layout, but got 'tensor<2xi32>'}}
  %r = stof.attention ins(%q, %q, %q : tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>)
      mask(%m : !stof.mask<8x8>)
      layout <row_tile = 64, col_tile = 64, storage = run_time> from(%w, %w : tensor<2xi32>, tensor<2xi32>)
      outs(%q : tensor<1x2x8x4xf16>) -> tensor<1x2x8x4xf16>
  return
}

// -----

func.func @a12_ends(%q: tensor<1x2x8x4xf16>, %m: !stof.mask<8x8>, %w: tensor<1x1x1x2xi64>, %x: tensor<4xi64>) {
  // expected-error @below {{expects ranges with a last dimension of 3 for its layout, but got 'tensor<1x1x1x2xi64>'}}
  %r = stof.attention ins(%q, %q, %q : tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>)
      mask(%m : !stof.mask<8x8>)
      layout <row_tile = 64, col_tile = 64, storage = run_time> from(%w, %x : tensor<1x1x1x2xi64>, tensor<4xi64>)
      outs(%q : tensor<1x2x8x4xf16>) -> tensor<1x2x8x4xf16>
  return
}

// -----

func.func @a12_entries(%q: tensor<1x2x8x4xf16>, %m: !stof.mask<8x8>, %w: tensor<1x1x1x3xi64>, %x: tensor<4xi32>) {
  // expected-error @below {{expects a table of i64 of rank 1 for its layout, but got 'tensor<4xi32>'}}
  %r = stof.attention ins(%q, %q, %q : tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>)
      mask(%m : !stof.mask<8x8>)
      layout <row_tile = 64, col_tile = 64, storage = run_time> from(%w, %x : tensor<1x1x1x3xi64>, tensor<4xi32>)
      outs(%q : tensor<1x2x8x4xf16>) -> tensor<1x2x8x4xf16>
  return
}

// -----

func.func @a12_bitmap_words(%q: tensor<1x2x8x4xf16>, %m: !stof.mask<8x8>, %w: tensor<1x1x1x3xi64>, %x: tensor<4xi64>, %y: tensor<1x64x1xi32>) {
  // expected-error @below {{expects bitmaps of 64 rows of 2 words for its layout, but got 'tensor<1x64x1xi32>'}}
  %r = stof.attention ins(%q, %q, %q : tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>)
      mask(%m : !stof.mask<8x8>)
      layout <row_tile = 64, col_tile = 64, storage = tables> from(%w, %x, %y : tensor<1x1x1x3xi64>, tensor<4xi64>, tensor<1x64x1xi32>)
      outs(%q : tensor<1x2x8x4xf16>) -> tensor<1x2x8x4xf16>
  return
}

// -----

func.func @a12_bitmaps(%q: tensor<1x2x8x4xf16>, %m: !stof.mask<8x8>, %w: tensor<1x1x1x3xi64>, %x: tensor<4xi64>, %y: tensor<1x64xi32>) {
  // expected-error @below {{expects a table of i32 of rank 3 for its layout, but got 'tensor<1x64xi32>'}}
  %r = stof.attention ins(%q, %q, %q : tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>)
      mask(%m : !stof.mask<8x8>)
      layout <row_tile = 64, col_tile = 64, storage = tables> from(%w, %x, %y : tensor<1x1x1x3xi64>, tensor<4xi64>, tensor<1x64xi32>)
      outs(%q : tensor<1x2x8x4xf16>) -> tensor<1x2x8x4xf16>
  return
}

// -----

func.func @a12_float(%q: tensor<1x2x8x4xf16>, %m: !stof.mask<8x8>, %w: f32) {
  // expected-error @below {{must be variadic of index or}}
  %r = stof.attention ins(%q, %q, %q : tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>)
      mask(%m : !stof.mask<8x8>)
      layout <row_tile = 64, col_tile = 64, storage = closed_form, symbols = [affine_map<(d0, d1) -> ()>]> from(%w : f32)
      outs(%q : tensor<1x2x8x4xf16>) -> tensor<1x2x8x4xf16>
  return
}

// -----

func.func @a12_no_layout(%q: tensor<1x2x8x4xf16>, %m: !stof.mask<8x8>, %w: index) {
  // expected-error @below {{expects a layout for layout operands, but got none}}
  %r = "stof.attention"(%q, %q, %q, %m, %q, %w) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 1, 0, 1>}> ({
  ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index):
    "stof.yield"(%s) : (f32) -> ()
  }) : (tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>, !stof.mask<8x8>, tensor<1x2x8x4xf16>, index) -> tensor<1x2x8x4xf16>
  return
}

// -----

/// Lattices have a stride of more than one key.

// expected-error @below {{expects a list of lattices, but got #stof.interval}}
func.func private @lattices() attributes {stof.layout = #stof.layout<row_tile = 64, col_tile = 64, storage = closed_form, lattices = [#stof.interval]>}

// -----

// expected-error @below {{expects a lattice of a stride of at least 2 and a smaller offset, but got #stof.lattice<stride = 1, offset = 0>}}
func.func private @stride() attributes {stof.layout = #stof.layout<row_tile = 64, col_tile = 64, storage = closed_form, lattices = [#stof.lattice<stride = 1, offset = 0>]>}

// -----

// expected-error @below {{expects a lattice of a stride of at least 2 and a smaller offset, but got #stof.lattice<stride = 4, offset = 4>}}
func.func private @offset() attributes {stof.layout = #stof.layout<row_tile = 64, col_tile = 64, storage = closed_form, lattices = [#stof.lattice<stride = 4, offset = 4>]>}

// -----

// expected-error @below {{expects a list of intervals, but got unit}}
func.func private @in_lattice() attributes {stof.layout = #stof.layout<row_tile = 64, col_tile = 64, storage = closed_form, lattices = [#stof.lattice<stride = 4, offset = 0, partial = [unit]>]>}

// -----

/// (L1) Four sizes.

func.func @l1_sizes(%m: !stof.mask<8x8>, %n: index) {
  // expected-error @below {{expects batches, heads, queries and keys, but got 3 sizes}}
  %r, %e = stof.list_tiles mask(%m : !stof.mask<8x8>) sizes(%n, %n, %n)
      within <row_tile = 64, col_tile = 64, storage = closed_form> -> tensor<1x1x1x3xi64>, tensor<2xi64>
  return
}

// -----

/// (L2) Within a closed form, with its operands.

func.func @l2_tables(%m: !stof.mask<8x8>, %n: index) {
  // expected-error @below {{expects a closed form without lattices, but got}}
  %r, %e = stof.list_tiles mask(%m : !stof.mask<8x8>) sizes(%n, %n, %n, %n)
      within <row_tile = 64, col_tile = 64, storage = tables> -> tensor<1x1x1x3xi64>, tensor<2xi64>
  return
}

// -----

func.func @l2_lattices(%m: !stof.mask<8x8>, %n: index) {
  // expected-error @below {{expects a closed form without lattices, but got}}
  %r, %e = stof.list_tiles mask(%m : !stof.mask<8x8>) sizes(%n, %n, %n, %n)
      within <row_tile = 64, col_tile = 64, storage = closed_form, lattices = [#stof.lattice<stride = 4, offset = 0>]> -> tensor<1x1x1x3xi64>, tensor<2xi64>
  return
}

// -----

func.func @l2_operands(%m: !stof.mask<8x8>, %n: index) {
  // expected-error @below {{expects 1 operands of its layout, but got 0}}
  %r, %e = stof.list_tiles mask(%m : !stof.mask<8x8>) sizes(%n, %n, %n, %n)
      within <row_tile = 64, col_tile = 64, storage = closed_form, symbols = [affine_map<(d0, d1) -> ()>]> -> tensor<1x1x1x3xi64>, tensor<2xi64>
  return
}

// -----

/// (L3) A range has two ends, and the first full tile between them.

func.func @l3_ends(%m: !stof.mask<8x8>, %n: index) {
  // expected-error @below {{expects ranges with a last dimension of 3, but got 'tensor<1x1x1x4xi64>'}}
  %r, %e = stof.list_tiles mask(%m : !stof.mask<8x8>) sizes(%n, %n, %n, %n)
      within <row_tile = 64, col_tile = 64, storage = closed_form> -> tensor<1x1x1x4xi64>, tensor<2xi64>
  return
}

// -----

/// (L4) Two tables.

func.func @l4_results(%m: !stof.mask<8x8>, %n: index) {
  // expected-error @below {{expects ranges of rank 4 and entries of rank 1, but got ('tensor<1x1x1x3xi64>')}}
  %r = stof.list_tiles mask(%m : !stof.mask<8x8>) sizes(%n, %n, %n, %n)
      within <row_tile = 64, col_tile = 64, storage = closed_form> -> tensor<1x1x1x3xi64>
  return
}

// -----

func.func @l4_buffers(%m: !stof.mask<8x8>, %n: index, %r: memref<1x1x1x3xi64>, %e: memref<2x1xi64>) {
  // expected-error @below {{expects ranges of rank 4 and entries of rank 1, but got ('memref<1x1x1x3xi64>', 'memref<2x1xi64>')}}
  stof.list_tiles mask(%m : !stof.mask<8x8>) sizes(%n, %n, %n, %n)
      within <row_tile = 64, col_tile = 64, storage = closed_form> outs(%r, %e : memref<1x1x1x3xi64>, memref<2x1xi64>)
  return
}

// -----

/// A schedule takes row tiles first, as many as it says.

// expected-error @below {{expects 'ahead' of at least 0, but got -1}}
func.func private @ahead() attributes {stof.schedule = #stof.schedule<ahead = -1>}

// -----

/// (S2) Splits are counted from one.

// expected-error @below {{expects 'splits' of at least 1, but got 0}}
func.func private @no_split() attributes {stof.schedule = #stof.schedule<ahead = 1, splits = 0>}

// -----

/// (S2) Only row tiles ahead are cut.

// expected-error @below {{expects 'splits' of 1 without row tiles ahead, but got 2}}
func.func private @splits_of_none() attributes {stof.schedule = #stof.schedule<splits = 2>}
