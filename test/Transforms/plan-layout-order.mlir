// RUN: stof-opt %s --stof-plan-layout -split-input-file | FileCheck %s
// RUN: stof-opt %s --stof-plan-layout -split-input-file --remarks-filter-analyse=stof-plan-layout 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK

/// Row tiles of a causal mask grow: the last ones start first.

// CHECK-LABEL: func @causal
// CHECK: stof.attention {{.*}} schedule <reversed = true> outs
func.func @causal(%q: tensor<1x64x4096x64xf16>, %init: tensor<1x64x4096x64xf16>) -> tensor<1x64x4096x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.cmpi ule, %j, %i : index
    stof.yield %keep : i1
  } : !stof.mask<4096x4096>
  %o = stof.attention ins(%q, %q, %q : tensor<1x64x4096x64xf16>, tensor<1x64x4096x64xf16>, tensor<1x64x4096x64xf16>)
      mask(%m : !stof.mask<4096x4096>) outs(%init : tensor<1x64x4096x64xf16>) -> tensor<1x64x4096x64xf16>
  return %o : tensor<1x64x4096x64xf16>
}

// -----

/// Two row tiles that attend to everything among short ones start before all
/// others, for all heads.

// CHECK-LABEL: func @global_rows
// CHECK: stof.attention {{.*}} schedule <ahead = 2> outs
func.func @global_rows(%q: tensor<1x64x4096x64xf16>, %init: tensor<1x64x4096x64xf16>) -> tensor<1x64x4096x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %c100 = arith.constant 100 : index
    %global = arith.cmpi ult, %i, %c100 : index
    %d = arith.subi %i, %j : index
    %far = arith.constant 30 : index
    %near = arith.constant -30 : index
    %above = arith.cmpi sge, %d, %near : index
    %below = arith.cmpi sle, %d, %far : index
    %band = arith.andi %above, %below : i1
    %keep = arith.ori %global, %band : i1
    stof.yield %keep : i1
  } : !stof.mask<4096x4096>
  %o = stof.attention ins(%q, %q, %q : tensor<1x64x4096x64xf16>, tensor<1x64x4096x64xf16>, tensor<1x64x4096x64xf16>)
      mask(%m : !stof.mask<4096x4096>) outs(%init : tensor<1x64x4096x64xf16>) -> tensor<1x64x4096x64xf16>
  return %o : tensor<1x64x4096x64xf16>
}

// -----

/// Rows of one length keep their natural order.

// CHECK-LABEL: func @band
// CHECK-NOT: schedule
func.func @band(%q: tensor<1x64x4096x64xf16>, %init: tensor<1x64x4096x64xf16>) -> tensor<1x64x4096x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %d = arith.subi %i, %j : index
    %far = arith.constant 200 : index
    %near = arith.constant -200 : index
    %above = arith.cmpi sge, %d, %near : index
    %below = arith.cmpi sle, %d, %far : index
    %keep = arith.andi %above, %below : i1
    stof.yield %keep : i1
  } : !stof.mask<4096x4096>
  %o = stof.attention ins(%q, %q, %q : tensor<1x64x4096x64xf16>, tensor<1x64x4096x64xf16>, tensor<1x64x4096x64xf16>)
      mask(%m : !stof.mask<4096x4096>) outs(%init : tensor<1x64x4096x64xf16>) -> tensor<1x64x4096x64xf16>
  return %o : tensor<1x64x4096x64xf16>
}

// -----

/// With one head, most blocks would be idle while the row tiles that attend to
/// everything are computed.

// CHECK-LABEL: func @one_head
// CHECK: stof.attention {{.*}} schedule <ahead = 2, splits = 8> outs
// REMARK: OrderedRows {{.*}} Ahead=2, Reversed=false, Splits=8
func.func @one_head(%q: tensor<1x1x4096x64xf16>, %init: tensor<1x1x4096x64xf16>) -> tensor<1x1x4096x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %c100 = arith.constant 100 : index
    %global = arith.cmpi ult, %i, %c100 : index
    %same = arith.cmpi eq, %i, %j : index
    %keep = arith.ori %global, %same : i1
    stof.yield %keep : i1
  } : !stof.mask<4096x4096>
  %o = stof.attention ins(%q, %q, %q : tensor<1x1x4096x64xf16>, tensor<1x1x4096x64xf16>, tensor<1x1x4096x64xf16>)
      mask(%m : !stof.mask<4096x4096>) outs(%init : tensor<1x1x4096x64xf16>) -> tensor<1x1x4096x64xf16>
  return %o : tensor<1x1x4096x64xf16>
}

// -----

/// One query on many keys, without a mask; of batches without number, which may
/// be many, rows stay whole.

// CHECK-LABEL: func @one_query
// CHECK: stof.attention {{.*}} schedule <ahead = 1, splits = 64> outs
// CHECK: stof.attention {{.*}} schedule <ahead = 1, splits = 64> outs
// CHECK-NOT: schedule
func.func @one_query(%q: tensor<1x4x1x64xf16>, %k: tensor<1x4x65536x64xf16>, %some: tensor<1x4x?x64xf16>, %more: tensor<?x4x1x64xf16>, %keys: tensor<?x4x65536x64xf16>)
    -> (tensor<1x4x1x64xf16>, tensor<1x4x1x64xf16>, tensor<?x4x1x64xf16>) {
  %a = stof.attention ins(%q, %k, %k : tensor<1x4x1x64xf16>, tensor<1x4x65536x64xf16>, tensor<1x4x65536x64xf16>)
      outs(%q : tensor<1x4x1x64xf16>) -> tensor<1x4x1x64xf16>
  %b = stof.attention ins(%q, %some, %some : tensor<1x4x1x64xf16>, tensor<1x4x?x64xf16>, tensor<1x4x?x64xf16>)
      outs(%q : tensor<1x4x1x64xf16>) -> tensor<1x4x1x64xf16>
  %c = stof.attention ins(%more, %keys, %keys : tensor<?x4x1x64xf16>, tensor<?x4x65536x64xf16>, tensor<?x4x65536x64xf16>)
      outs(%more : tensor<?x4x1x64xf16>) -> tensor<?x4x1x64xf16>
  return %a, %b, %c : tensor<1x4x1x64xf16>, tensor<1x4x1x64xf16>, tensor<?x4x1x64xf16>
}

// -----

/// An order that is given stays.

// CHECK-LABEL: func @given
// CHECK: layout {{.*}} schedule <reversed = true, ahead = 3, splits = 2> outs
func.func @given(%q: tensor<1x1x4096x64xf16>) -> tensor<1x1x4096x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.cmpi ule, %j, %i : index
    stof.yield %keep : i1
  } : !stof.mask<4096x4096>
  %o = stof.attention ins(%q, %q, %q : tensor<1x1x4096x64xf16>, tensor<1x1x4096x64xf16>, tensor<1x1x4096x64xf16>)
      mask(%m : !stof.mask<4096x4096>) schedule <reversed = true, ahead = 3, splits = 2>
      outs(%q : tensor<1x1x4096x64xf16>) -> tensor<1x1x4096x64xf16>
  return %o : tensor<1x1x4096x64xf16>
}

// -----

/// How many keys of a cache are in use is unknown. One query may visit all of them; of many, the order of row tiles
/// is guessed.

// CHECK-LABEL: func @cache
// CHECK: stof.attention {{.*}} schedule <ahead = 1, splits = 32> outs
// CHECK: stof.attention
// CHECK-NOT: schedule
// CHECK: return
func.func @cache(%q: tensor<1x8x1x64xf16>, %many: tensor<1x8x128x64xf16>, %k: tensor<1x8x4096x64xf16>, %n: index) -> (tensor<1x8x1x64xf16>, tensor<1x8x128x64xf16>) {
  %m = stof.mask captures(%n : index) {
  ^bb0(%b: index, %h: index, %i: index, %j: index, %used: index):
    %keep = arith.cmpi slt, %j, %used : index
    stof.yield %keep : i1
  } : !stof.mask<1x4096>
  %0 = stof.attention ins(%q, %k, %k : tensor<1x8x1x64xf16>, tensor<1x8x4096x64xf16>, tensor<1x8x4096x64xf16>)
      mask(%m : !stof.mask<1x4096>) outs(%q : tensor<1x8x1x64xf16>) -> tensor<1x8x1x64xf16>
  %m_many = stof.mask captures(%n : index) {
  ^bb0(%b: index, %h: index, %i: index, %j: index, %used: index):
    %keep = arith.cmpi slt, %j, %used : index
    stof.yield %keep : i1
  } : !stof.mask<128x4096>
  %1 = stof.attention ins(%many, %k, %k : tensor<1x8x128x64xf16>, tensor<1x8x4096x64xf16>, tensor<1x8x4096x64xf16>)
      mask(%m_many : !stof.mask<128x4096>) outs(%many : tensor<1x8x128x64xf16>) -> tensor<1x8x128x64xf16>
  return %0, %1 : tensor<1x8x1x64xf16>, tensor<1x8x128x64xf16>
}
