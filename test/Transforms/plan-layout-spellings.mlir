// RUN: stof-opt %s --stof-plan-layout="row-tile=64 col-tile=64" --remarks-filter="stof.*" --split-input-file -o /dev/null 2>&1 | FileCheck %s

/// Spellings of what is affine. With a sign, a truth value that holds is -1, and less than one that does not,

// CHECK: Nonzeros=12288, {{.*}} Set="q < 64 and k >= 64", Storage=closed_form
func.func @truths_with_sign(%x: tensor<1x1x256x64xf16>) -> tensor<1x1x256x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %c64 = arith.constant 64 : index
    %row = arith.cmpi slt, %i, %c64 : index
    %column = arith.cmpi slt, %j, %c64 : index
    %keep = arith.cmpi slt, %row, %column : i1
    stof.yield %keep : i1
  } : !stof.mask<256x256>
  %o = stof.attention ins(%x, %x, %x : tensor<1x1x256x64xf16>, tensor<1x1x256x64xf16>, tensor<1x1x256x64xf16>)
      mask(%m : !stof.mask<256x256>) outs(%x : tensor<1x1x256x64xf16>) -> tensor<1x1x256x64xf16>
  return %o : tensor<1x1x256x64xf16>
}

// -----

/// without one it is 1.

// CHECK: Nonzeros=12288, {{.*}} Set="k < 64 and q >= 64", Storage=closed_form
func.func @truths_without_sign(%x: tensor<1x1x256x64xf16>) -> tensor<1x1x256x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %c64 = arith.constant 64 : index
    %row = arith.cmpi slt, %i, %c64 : index
    %column = arith.cmpi slt, %j, %c64 : index
    %keep = arith.cmpi ult, %row, %column : i1
    stof.yield %keep : i1
  } : !stof.mask<256x256>
  %o = stof.attention ins(%x, %x, %x : tensor<1x1x256x64xf16>, tensor<1x1x256x64xf16>, tensor<1x1x256x64xf16>)
      mask(%m : !stof.mask<256x256>) outs(%x : tensor<1x1x256x64xf16>) -> tensor<1x1x256x64xf16>
  return %o : tensor<1x1x256x64xf16>
}

// -----

/// High bits are a multiple of a quotient,

// CHECK: Set="32 floor(k / 32) <= q", Storage=closed_form
func.func @high_bits(%x: tensor<1x1x256x64xf16>) -> tensor<1x1x256x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %high = arith.constant -32 : i32
    %k = arith.index_cast %j : index to i32
    %q = arith.index_cast %i : index to i32
    %first = arith.andi %k, %high : i32
    %keep = arith.cmpi sle, %first, %q : i32
    stof.yield %keep : i1
  } : !stof.mask<256x256>
  %o = stof.attention ins(%x, %x, %x : tensor<1x1x256x64xf16>, tensor<1x1x256x64xf16>, tensor<1x1x256x64xf16>)
      mask(%m : !stof.mask<256x256>) outs(%x : tensor<1x1x256x64xf16>) -> tensor<1x1x256x64xf16>
  return %o : tensor<1x1x256x64xf16>
}

// -----

/// low bits that are set, the last of a block,

// CHECK: Set="q - 32 floor(k / 32) < 32", Storage=closed_form
func.func @filled_bits(%x: tensor<1x1x256x64xf16>) -> tensor<1x1x256x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %low = arith.constant 31 : index
    %last = arith.ori %j, %low : index
    %keep = arith.cmpi sge, %last, %i : index
    stof.yield %keep : i1
  } : !stof.mask<256x256>
  %o = stof.attention ins(%x, %x, %x : tensor<1x1x256x64xf16>, tensor<1x1x256x64xf16>, tensor<1x1x256x64xf16>)
      mask(%m : !stof.mask<256x256>) outs(%x : tensor<1x1x256x64xf16>) -> tensor<1x1x256x64xf16>
  return %o : tensor<1x1x256x64xf16>
}

// -----

/// and flipped bits the opposite within one.

// CHECK: Full=0, {{.*}} Storage=closed_form
func.func @flipped_bits(%x: tensor<1x1x256x64xf16>) -> tensor<1x1x256x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %low = arith.constant 31 : index
    %mirrored = arith.xori %j, %low : index
    %keep = arith.cmpi eq, %mirrored, %i : index
    stof.yield %keep : i1
  } : !stof.mask<256x256>
  %o = stof.attention ins(%x, %x, %x : tensor<1x1x256x64xf16>, tensor<1x1x256x64xf16>, tensor<1x1x256x64xf16>)
      mask(%m : !stof.mask<256x256>) outs(%x : tensor<1x1x256x64xf16>) -> tensor<1x1x256x64xf16>
  return %o : tensor<1x1x256x64xf16>
}

// -----

/// Bits between others are a remainder of a quotient.

// CHECK: Set="{{.*}}floor(k / 8) mod 4{{.*}}", Storage=
func.func @middle_bits(%x: tensor<1x1x256x64xf16>) -> tensor<1x1x256x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %bits = arith.constant 24 : index
    %c16 = arith.constant 16 : index
    %some = arith.andi %j, %bits : index
    %keep = arith.cmpi sle, %some, %c16 : index
    stof.yield %keep : i1
  } : !stof.mask<256x256>
  %o = stof.attention ins(%x, %x, %x : tensor<1x1x256x64xf16>, tensor<1x1x256x64xf16>, tensor<1x1x256x64xf16>)
      mask(%m : !stof.mask<256x256>) outs(%x : tensor<1x1x256x64xf16>) -> tensor<1x1x256x64xf16>
  return %o : tensor<1x1x256x64xf16>
}

// -----

/// A power of two divides what a negative distance wraps by.

// CHECK: Set="(q - k) mod 8 <= 1", Storage=closed_form
func.func @wrapped_remainder(%x: tensor<1x1x256x64xf16>) -> tensor<1x1x256x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %c8 = arith.constant 8 : index
    %c1 = arith.constant 1 : index
    %d = arith.subi %i, %j : index
    %r = arith.remui %d, %c8 : index
    %keep = arith.cmpi ule, %r, %c1 : index
    stof.yield %keep : i1
  } : !stof.mask<256x256>
  %o = stof.attention ins(%x, %x, %x : tensor<1x1x256x64xf16>, tensor<1x1x256x64xf16>, tensor<1x1x256x64xf16>)
      mask(%m : !stof.mask<256x256>) outs(%x : tensor<1x1x256x64xf16>) -> tensor<1x1x256x64xf16>
  return %o : tensor<1x1x256x64xf16>
}

// -----

/// Quotients may be rounded up.

// CHECK: Set="floor((k + 15) / 16) <= floor((q + 23) / 24)", Storage=closed_form
func.func @rounded_up(%x: tensor<1x1x256x64xf16>) -> tensor<1x1x256x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %c16 = arith.constant 16 : index
    %c24 = arith.constant 24 : index
    %u = arith.ceildivui %i, %c24 : index
    %v = arith.ceildivsi %j, %c16 : index
    %keep = arith.cmpi sle, %v, %u : index
    stof.yield %keep : i1
  } : !stof.mask<256x256>
  %o = stof.attention ins(%x, %x, %x : tensor<1x1x256x64xf16>, tensor<1x1x256x64xf16>, tensor<1x1x256x64xf16>)
      mask(%m : !stof.mask<256x256>) outs(%x : tensor<1x1x256x64xf16>) -> tensor<1x1x256x64xf16>
  return %o : tensor<1x1x256x64xf16>
}

// -----

/// Equal remainders are a lattice of distances.

// CHECK: RowStride=16, {{.*}} Set="(q - k) mod 16 = 0", Storage=closed_form
func.func @same_column(%x: tensor<1x1x4096x64xf16>) -> tensor<1x1x4096x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %c16 = arith.constant 16 : index
    %u = arith.remui %i, %c16 : index
    %v = arith.remui %j, %c16 : index
    %keep = arith.cmpi eq, %u, %v : index
    stof.yield %keep : i1
  } : !stof.mask<4096x4096>
  %o = stof.attention ins(%x, %x, %x : tensor<1x1x4096x64xf16>, tensor<1x1x4096x64xf16>, tensor<1x1x4096x64xf16>)
      mask(%m : !stof.mask<4096x4096>) outs(%x : tensor<1x1x4096x64xf16>) -> tensor<1x1x4096x64xf16>
  return %o : tensor<1x1x4096x64xf16>
}

// -----

/// Without a sign, a negative distance lies behind each width but a negative one.

// CHECK: Set="c0 <= -1 and q - k < c0 or c0 <= -1 and k <= q or q - k < c0 and k <= q", Storage=closed_form
func.func @unsigned_width(%x: tensor<1x1x256x64xf16>, %w: index) -> tensor<1x1x256x64xf16> {
  %m = stof.mask captures(%w : index) {
  ^bb0(%b: index, %h: index, %i: index, %j: index, %width: index):
    %d = arith.subi %i, %j : index
    %keep = arith.cmpi ult, %d, %width : index
    stof.yield %keep : i1
  } : !stof.mask<256x256>
  %o = stof.attention ins(%x, %x, %x : tensor<1x1x256x64xf16>, tensor<1x1x256x64xf16>, tensor<1x1x256x64xf16>)
      mask(%m : !stof.mask<256x256>) outs(%x : tensor<1x1x256x64xf16>) -> tensor<1x1x256x64xf16>
  return %o : tensor<1x1x256x64xf16>
}

// -----

/// What a quotient equals is no remainder.

// CHECK: Set="q = 2 floor(k / 2)", Storage=closed_form
func.func @own_quotient(%x: tensor<1x1x256x64xf16>) -> tensor<1x1x256x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %high = arith.constant -2 : index
    %first = arith.andi %j, %high : index
    %keep = arith.cmpi eq, %first, %i : index
    stof.yield %keep : i1
  } : !stof.mask<256x256>
  %o = stof.attention ins(%x, %x, %x : tensor<1x1x256x64xf16>, tensor<1x1x256x64xf16>, tensor<1x1x256x64xf16>)
      mask(%m : !stof.mask<256x256>) outs(%x : tensor<1x1x256x64xf16>) -> tensor<1x1x256x64xf16>
  return %o : tensor<1x1x256x64xf16>
}

// -----

/// A distance in floats is an integer, as is its absolute value.

// CHECK: Set="{{.*}}q - k <= 4{{.*}}", Storage=closed_form
func.func @float_distance(%x: tensor<1x1x256x64xf16>) -> tensor<1x1x256x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %four = arith.constant 4.0 : f32
    %d = arith.subi %i, %j : index
    %d32 = arith.index_cast %d : index to i32
    %f = arith.sitofp %d32 : i32 to f32
    %distance = math.absf %f : f32
    %keep = arith.cmpf ole, %distance, %four : f32
    stof.yield %keep : i1
  } : !stof.mask<256x256>
  %o = stof.attention ins(%x, %x, %x : tensor<1x1x256x64xf16>, tensor<1x1x256x64xf16>, tensor<1x1x256x64xf16>)
      mask(%m : !stof.mask<256x256>) outs(%x : tensor<1x1x256x64xf16>) -> tensor<1x1x256x64xf16>
  return %o : tensor<1x1x256x64xf16>
}
