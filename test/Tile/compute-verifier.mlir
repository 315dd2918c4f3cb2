// RUN: stof-opt %s -verify-diagnostics -split-input-file

/// (P1) All results have one shape and one layout.

#acc = #tile.mma<warps = [4, 1]>
func.func @p1_layouts() {
  // expected-error @below {{expects results of one shape and layout, but got}}
  %t:2 = tile.map {
  ^bb0(%r: index, %c: index):
    %x = arith.constant 0.0 : f32
    tile.yield %x, %x : f32, f32
  } -> !tile.fragment<64x32xf32, #acc>, !tile.fragment<64x64xf32, #acc>
  return
}

// -----

func.func @p1_none() {
  // expected-error @below {{expects at least one result, but got none}}
  "tile.map"() ({
    "tile.yield"() : () -> ()
  }) : () -> ()
  return
}

// -----

/// (P2) Inputs are like the results, or slices of them.

#acc = #tile.mma<warps = [4, 1]>
func.func @p2_shape(%a: !tile.fragment<64x64xf32, #acc>) {
  // expected-error @below {{expects inputs of the results' shape and layout or slices of them, but got '!tile.fragment<64x64xf32,}}
  %t = tile.map ins(%a : !tile.fragment<64x64xf32, #acc>) {
  ^bb0(%r: index, %c: index, %x: f32):
    tile.yield %x : f32
  } -> !tile.fragment<64x32xf32, #acc>
  return
}

// -----

#acc = #tile.mma<warps = [2, 1]>
#rows = #tile.slice<1, #acc>
func.func @p2_slice(%a: !tile.fragment<32xf32, #rows>) {
  // expected-error @below {{expects inputs of the results' shape and layout or slices of them, but got '!tile.fragment<32xf32,}}
  %t = tile.map ins(%a : !tile.fragment<32xf32, #rows>) {
  ^bb0(%r: index, %c: index, %x: f32):
    tile.yield %x : f32
  } -> !tile.fragment<64x32xf32, #acc>
  return
}

// -----

/// (P3) The region takes the coordinates, then one element of each input.

#acc = #tile.mma<warps = [4, 1]>
func.func @p3_arguments(%a: !tile.fragment<64x32xf32, #acc>) {
  // expected-error @below {{expects a region of ('index', 'index', 'f32'), but got ('index', 'f32')}}
  %t = tile.map ins(%a : !tile.fragment<64x32xf32, #acc>) {
  ^bb0(%r: index, %x: f32):
    tile.yield %x : f32
  } -> !tile.fragment<64x32xf32, #acc>
  return
}

// -----

/// (P4) The region yields one element of each result.

#acc = #tile.mma<warps = [4, 1]>
func.func @p4_yield(%a: !tile.fragment<64x32xf32, #acc>) {
  // expected-error @below {{expects the region to yield ('f32'), but got ('index')}}
  %t = tile.map ins(%a : !tile.fragment<64x32xf32, #acc>) {
  ^bb0(%r: index, %c: index, %x: f32):
    tile.yield %r : index
  } -> !tile.fragment<64x32xf32, #acc>
  return
}

// -----

/// (R1) A tile is reduced along one of its two dimensions.

#acc = #tile.mma<warps = [4, 1]>
#rows = #tile.slice<1, #acc>
#columns = #tile.slice<0, #acc>
func.func @r1_dimension(%a: !tile.fragment<64x32xf32, #acc>) {
  // expected-error @below {{expects to reduce along 0 or 1 of two dimensions, but got 2 of}}
  %t = tile.reduce %a along 2 {
  ^bb0(%x: f32, %y: f32):
    %z = arith.addf %x, %y : f32
    tile.yield %z : f32
  } : !tile.fragment<64x32xf32, #acc> -> !tile.fragment<64xf32, #rows>
  return
}

// -----

/// (R2) A partial result has one unit of the layout.

#acc = #tile.mma<warps = [4, 1]>
func.func @r2_units(%a: !tile.fragment<64x32xf32, #acc>) {
  // expected-error @below {{or '!tile.fragment<64x8xf32, #tile.mma<warps = [4, 1]>>', but got '!tile.fragment<64x16xf32, #tile.mma<warps = [4, 1]>>'}}
  %t = tile.reduce %a along 1 {
  ^bb0(%x: f32, %y: f32):
    %z = arith.addf %x, %y : f32
    tile.yield %z : f32
  } : !tile.fragment<64x32xf32, #acc> -> !tile.fragment<64x16xf32, #acc>
  return
}

// -----

/// (R2) The result has the slice of the layout.

#acc = #tile.mma<warps = [4, 1]>
#rows = #tile.slice<1, #acc>
#columns = #tile.slice<0, #acc>
func.func @r2_layout(%a: !tile.fragment<64x32xf32, #acc>) {
  // expected-error @below {{expects a result of '!tile.fragment<64xf32, #tile.slice<1,}}
  %t = tile.reduce %a along 1 {
  ^bb0(%x: f32, %y: f32):
    %z = arith.addf %x, %y : f32
    tile.yield %z : f32
  } : !tile.fragment<64x32xf32, #acc> -> !tile.fragment<64xf32, #columns>
  return
}

// -----

/// (R3) The region combines two elements into one.

#acc = #tile.mma<warps = [4, 1]>
#rows = #tile.slice<1, #acc>
#columns = #tile.slice<0, #acc>
func.func @r3_region(%a: !tile.fragment<64x32xf32, #acc>) {
  // expected-error @below {{expects a region that combines two 'f32' into one, but got ('f32') -> ('f32')}}
  %t = tile.reduce %a along 1 {
  ^bb0(%x: f32):
    tile.yield %x : f32
  } : !tile.fragment<64x32xf32, #acc> -> !tile.fragment<64xf32, #rows>
  return
}

// -----

/// (T1) The shapes agree.

#acc = #tile.mma<warps = [4, 1]>
func.func @t1_shapes(%l: !tile.shared<64x32xf16>, %r: !tile.shared<64x64xf16>, %a: !tile.fragment<64x64xf32, #acc>) {
  // expected-error @below {{expects M x K times K x N to give M x N, but got 64 x 32 times 64 x 64 for}}
  %t = tile.contract %l, %r, %a : !tile.shared<64x32xf16>, !tile.shared<64x64xf16>, !tile.fragment<64x64xf32, #acc>
  return
}

// -----

#acc = #tile.mma<warps = [4, 1]>
func.func @t1_transposed(%l: !tile.shared<64x32xf16>, %r: !tile.shared<32x64xf16>, %a: !tile.fragment<64x64xf32, #acc>) {
  // expected-error @below {{expects M x K times K x N to give M x N, but got 64 x 32 times 64 x 32 for}}
  %t = tile.contract %l, %r, %a transpose_rhs : !tile.shared<64x32xf16>, !tile.shared<32x64xf16>, !tile.fragment<64x64xf32, #acc>
  return
}

// -----

#acc = #tile.mma<warps = [4, 1]>
#rows = #tile.slice<1, #acc>
func.func @t1_rank(%l: !tile.fragment<64xf16, #rows>, %r: !tile.shared<32x64xf16>, %a: !tile.fragment<64x64xf32, #acc>) {
  // expected-error @below {{expects tiles of rank 2, but got}}
  %t = tile.contract %l, %r, %a : !tile.fragment<64xf16, #rows>, !tile.shared<32x64xf16>, !tile.fragment<64x64xf32, #acc>
  return
}

// -----

/// (T2) Operands of one type that tensor cores multiply, sums in f32.

#acc = #tile.mma<warps = [4, 1]>
func.func @t2_operands(%l: !tile.shared<64x32xf16>, %r: !tile.shared<32x64xbf16>, %a: !tile.fragment<64x64xf32, #acc>) {
  // expected-error @below {{expects operands of one type, f16, bf16 or f32, but got}}
  %t = tile.contract %l, %r, %a : !tile.shared<64x32xf16>, !tile.shared<32x64xbf16>, !tile.fragment<64x64xf32, #acc>
  return
}

// -----

#acc = #tile.mma<warps = [4, 1]>
func.func @t2_type(%l: !tile.shared<64x32xi8>, %r: !tile.shared<32x64xi8>, %a: !tile.fragment<64x64xf32, #acc>) {
  // expected-error @below {{expects operands of one type, f16, bf16 or f32, but got}}
  %t = tile.contract %l, %r, %a : !tile.shared<64x32xi8>, !tile.shared<32x64xi8>, !tile.fragment<64x64xf32, #acc>
  return
}

// -----

#acc = #tile.mma<warps = [4, 1]>
func.func @t2_accumulator(%l: !tile.shared<64x32xf16>, %r: !tile.shared<32x64xf16>, %a: !tile.fragment<64x64xf16, #acc>) {
  // expected-error @below {{expects an accumulator of f32, but got}}
  %t = tile.contract %l, %r, %a : !tile.shared<64x32xf16>, !tile.shared<32x64xf16>, !tile.fragment<64x64xf16, #acc>
  return
}

// -----

/// (T3) The accumulator has the layout of tensor cores, as has an lhs in registers.

#spread = #tile.blocked<elements = [1, 1], lanes = [8, 4], warps = [4, 1]>
func.func @t3_layout(%l: !tile.shared<64x32xf16>, %r: !tile.shared<32x64xf16>, %a: !tile.fragment<64x64xf32, #spread>) {
  // expected-error @below {{expects an accumulator with an mma layout, but got}}
  %t = tile.contract %l, %r, %a : !tile.shared<64x32xf16>, !tile.shared<32x64xf16>, !tile.fragment<64x64xf32, #spread>
  return
}

// -----

#wide = #tile.mma<warps = [2, 2]>
func.func @t3_lhs(%l: !tile.fragment<64x32xf16, #wide>, %r: !tile.shared<32x64xf16>, %a: !tile.fragment<64x64xf32, #wide>) {
  // expected-error @below {{expects lhs in registers to have the layout of the accumulator, with warps that divide the rows only, but got}}
  %t = tile.contract %l, %r, %a : !tile.fragment<64x32xf16, #wide>, !tile.shared<32x64xf16>, !tile.fragment<64x64xf32, #wide>
  return
}

// -----

/// (N1) What may be true is a boolean.

#acc = #tile.mma<warps = [4, 1]>
func.func @n1_type(%a: !tile.fragment<64x32xf32, #acc>) {
  // expected-error @below {{expects elements of i1, but got}}
  %t = tile.any %a : !tile.fragment<64x32xf32, #acc>
  return
}

// -----

/// (C1) Only columns are left out, of a fragment whose warps all have some of
/// each row.

#acc = #tile.mma<warps = [4, 1]>
#wide = #tile.mma<warps = [2, 2]>

func.func @c1_rows(%x: !tile.fragment<128x64xf32, #acc>) {
  // expected-error @below {{expects columns of a fragment whose warps divide its rows only, but got '!tile.fragment<128x64xf32, #tile.mma<warps = [4, 1]>>' and '!tile.fragment<64x32xf32, #tile.mma<warps = [4, 1]>>'}}
  %y = tile.slice %x from 0 : !tile.fragment<128x64xf32, #acc> -> !tile.fragment<64x32xf32, #acc>
  return
}

func.func @c1_warps(%x: !tile.fragment<64x64xf32, #wide>) {
  // expected-error @below {{expects columns of a fragment whose warps divide its rows only}}
  %y = tile.slice %x from 0 : !tile.fragment<64x64xf32, #wide> -> !tile.fragment<64x32xf32, #wide>
  return
}

// -----

/// (C2) They begin with a unit of the layout and lie inside.

#acc = #tile.mma<warps = [4, 1]>

func.func @c2_unit(%x: !tile.fragment<64x64xf32, #acc>) {
  // expected-error @below {{expects 32 columns from a multiple of 8 on, within 64, but got column 4}}
  %y = tile.slice %x from 4 : !tile.fragment<64x64xf32, #acc> -> !tile.fragment<64x32xf32, #acc>
  return
}

func.func @c2_outside(%x: !tile.fragment<64x64xf32, #acc>) {
  // expected-error @below {{expects 32 columns from a multiple of 8 on, within 64, but got column 40}}
  %y = tile.slice %x from 40 : !tile.fragment<64x64xf32, #acc> -> !tile.fragment<64x32xf32, #acc>
  return
}
