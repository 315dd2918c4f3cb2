// RUN: stof-opt %s --stof-plan-layout --mlir-print-local-scope | FileCheck %s

/// A causal mask visits the tiles up to the diagonal; only the one on it asks.

// CHECK-LABEL: func @causal
func.func @causal(%q: tensor<1x1x256x64xf16>, %k: tensor<1x1x256x64xf16>) -> tensor<1x1x256x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.cmpi sle, %j, %i : index
    stof.yield %keep : i1
  } : !stof.mask<256x256>
  // CHECK: layout <row_tile = 64, col_tile = 64, storage = closed_form
  // CHECK-SAME: visited = [#stof.interval<to = affine_map<(d0, d1, d2) -> (d0 + 1)>>]
  // CHECK-SAME: partial = [#stof.interval<from = affine_map<(d0, d1, d2) -> (d0)>>]
  %o = stof.attention ins(%q, %k, %k : tensor<1x1x256x64xf16>, tensor<1x1x256x64xf16>, tensor<1x1x256x64xf16>)
      mask(%m : !stof.mask<256x256>) outs(%q : tensor<1x1x256x64xf16>) -> tensor<1x1x256x64xf16>
  return %o : tensor<1x1x256x64xf16>
}

/// A band on both sides of the diagonal: two disjuncts, one interval.

// CHECK-LABEL: func @band
func.func @band(%q: tensor<1x1x4096x64xf16>, %k: tensor<1x1x4096x64xf16>) -> tensor<1x1x4096x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %c100 = arith.constant 100 : index
    %d = arith.subi %i, %j : index
    %a = math.absi %d : index
    %keep = arith.cmpi sle, %a, %c100 : index
    stof.yield %keep : i1
  } : !stof.mask<4096x4096>
  // CHECK: layout <row_tile = 64, col_tile = 64, storage = closed_form
  // CHECK-SAME: visited = [#stof.interval<from = affine_map<(d0, d1, d2) -> (d0 - 2)>, to = affine_map<(d0, d1, d2) -> (d0 + 3)>>]
  // CHECK-SAME: partial = [#stof.interval<from = affine_map<(d0, d1, d2) -> (d0 + 1)>>
  // CHECK-SAME: #stof.interval<to = affine_map<(d0, d1, d2) -> (d0)>>]
  %o = stof.attention ins(%q, %k, %k : tensor<1x1x4096x64xf16>, tensor<1x1x4096x64xf16>, tensor<1x1x4096x64xf16>)
      mask(%m : !stof.mask<4096x4096>) outs(%q : tensor<1x1x4096x64xf16>) -> tensor<1x1x4096x64xf16>
  return %o : tensor<1x1x4096x64xf16>
}

/// A width that is known at run time is an operand of the layout.

// CHECK-LABEL: func @captured_band
func.func @captured_band(%q: tensor<1x1x4096x64xf16>, %k: tensor<1x1x4096x64xf16>, %w: index) -> tensor<1x1x4096x64xf16> {
  %m = stof.mask captures(%w : index) {
  ^bb0(%b: index, %h: index, %i: index, %j: index, %w_: index):
    %zero = arith.constant 0 : index
    %d = arith.subi %i, %j : index
    %near = arith.cmpi slt, %d, %w_ : index
    %past = arith.cmpi sge, %d, %zero : index
    %keep = arith.andi %near, %past : i1
    stof.yield %keep : i1
  } : !stof.mask<4096x4096>
  // CHECK: layout <row_tile = 64, col_tile = 64, storage = closed_form
  // CHECK-SAME: visited = [#stof.interval<from = affine_map<(d0, d1, d2)[s0] -> ((d0 * 64 - s0 + 1) floordiv 64)>, to = affine_map<(d0, d1, d2)[s0] -> (d0 + 1)>, where = affine_map<(d0, d1, d2)[s0] -> (s0 - 1)>>]
  // CHECK-SAME: partial = [#stof.interval<to = affine_map<(d0, d1, d2)[s0] -> ((d0 * 64 - s0 + 127) floordiv 64)>>
  // CHECK-SAME: #stof.interval<from = affine_map<(d0, d1, d2)[s0] -> (d0)>>]
  // CHECK-SAME: symbols = [affine_map<(d0, d1) -> ()>]{{.*}}> from({{%.*}} : index)
  %o = stof.attention ins(%q, %k, %k : tensor<1x1x4096x64xf16>, tensor<1x1x4096x64xf16>, tensor<1x1x4096x64xf16>)
      mask(%m : !stof.mask<4096x4096>) outs(%q : tensor<1x1x4096x64xf16>) -> tensor<1x1x4096x64xf16>
  return %o : tensor<1x1x4096x64xf16>
}

/// Padding is a length for each element of the batch, which the kernel loads.

// CHECK-LABEL: func @padding
func.func @padding(%q: tensor<4x1x256x64xf16>, %k: tensor<4x1x256x64xf16>, %n: tensor<4xi32>) -> tensor<4x1x256x64xf16> {
  %m = stof.mask captures(%n : tensor<4xi32>) {
  ^bb0(%b: index, %h: index, %i: index, %j: index, %n_: tensor<4xi32>):
    %n_b = tensor.extract %n_[%b] : tensor<4xi32>
    %length = arith.index_cast %n_b : i32 to index
    %keep = arith.cmpi slt, %j, %length : index
    stof.yield %keep : i1
  } : !stof.mask<256x256>
  // CHECK: layout <row_tile = 64, col_tile = 64, storage = closed_form
  // CHECK-SAME: visited = [#stof.interval<to = affine_map<(d0, d1, d2)[s0] -> ((s0 + 63) floordiv 64)>>]
  // CHECK-SAME: partial = [#stof.interval<from = affine_map<(d0, d1, d2)[s0] -> (s0 floordiv 64)>>]
  // CHECK-SAME: symbols = [affine_map<(d0, d1) -> (d0)>]{{.*}}> from({{%.*}} : tensor<4xi32>)
  %o = stof.attention ins(%q, %k, %k : tensor<4x1x256x64xf16>, tensor<4x1x256x64xf16>, tensor<4x1x256x64xf16>)
      mask(%m : !stof.mask<256x256>) outs(%q : tensor<4x1x256x64xf16>) -> tensor<4x1x256x64xf16>
  return %o : tensor<4x1x256x64xf16>
}

/// A band and a few global rows and columns.

// CHECK-LABEL: func @longformer
func.func @longformer(%q: tensor<1x1x1024x64xf16>, %k: tensor<1x1x1024x64xf16>) -> tensor<1x1x1024x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %c64 = arith.constant 64 : index
    %c16 = arith.constant 16 : index
    %d = arith.subi %i, %j : index
    %a = math.absi %d : index
    %near = arith.cmpi sle, %a, %c64 : index
    %row = arith.cmpi slt, %i, %c16 : index
    %column = arith.cmpi slt, %j, %c16 : index
    %global = arith.ori %row, %column : i1
    %keep = arith.ori %near, %global : i1
    stof.yield %keep : i1
  } : !stof.mask<1024x1024>
  // CHECK: layout <row_tile = 64, col_tile = 64, storage = closed_form
  // CHECK-SAME: visited = [#stof.interval<from = affine_map<(d0, d1, d2) -> (d0 - 1)>, to = affine_map<(d0, d1, d2) -> (d0 + 2)>>
  // CHECK-SAME: #stof.interval<where = affine_map<(d0, d1, d2) -> (-d0)>>
  // CHECK-SAME: #stof.interval<to = affine_map<(d0, d1, d2) -> (1)>>]
  // CHECK-SAME: partial = [#stof.interval<from = affine_map<(d0, d1, d2) -> (d0 + 1)>>
  // CHECK-SAME: #stof.interval<to = affine_map<(d0, d1, d2) -> (d0)>>]
  %o = stof.attention ins(%q, %k, %k : tensor<1x1x1024x64xf16>, tensor<1x1x1024x64xf16>, tensor<1x1x1024x64xf16>)
      mask(%m : !stof.mask<1024x1024>) outs(%q : tensor<1x1x1024x64xf16>) -> tensor<1x1x1024x64xf16>
  return %o : tensor<1x1x1024x64xf16>
}

/// A prefix that all may see, causal behind it.

// CHECK-LABEL: func @prefix
func.func @prefix(%q: tensor<1x1x256x64xf16>, %k: tensor<1x1x256x64xf16>) -> tensor<1x1x256x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %c100 = arith.constant 100 : index
    %causal = arith.cmpi sle, %j, %i : index
    %first = arith.cmpi slt, %j, %c100 : index
    %keep = arith.ori %causal, %first : i1
    stof.yield %keep : i1
  } : !stof.mask<256x256>
  // CHECK: layout <row_tile = 64, col_tile = 64, storage = closed_form
  // CHECK-SAME: visited = [#stof.interval<to = affine_map<(d0, d1, d2) -> (d0 + 1)>>
  // CHECK-SAME: #stof.interval<to = affine_map<(d0, d1, d2) -> (2)>>]
  // CHECK-SAME: partial = [#stof.interval<from = affine_map<(d0, d1, d2) -> (1, d0)>>]
  %o = stof.attention ins(%q, %k, %k : tensor<1x1x256x64xf16>, tensor<1x1x256x64xf16>, tensor<1x1x256x64xf16>)
      mask(%m : !stof.mask<256x256>) outs(%q : tensor<1x1x256x64xf16>) -> tensor<1x1x256x64xf16>
  return %o : tensor<1x1x256x64xf16>
}

// Where keys end before a band after the diagonal begins, the tile on the diagonal is the last one: one interval.

// CHECK-LABEL: func @window_of_any_length
func.func @window_of_any_length(%q: tensor<1x1x?x64xf16>, %k: tensor<1x1x?x64xf16>) -> tensor<1x1x?x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %c64 = arith.constant 64 : index
    %d = arith.subi %i, %j : index
    %a = math.absi %d : index
    %keep = arith.cmpi sle, %a, %c64 : index
    stof.yield %keep : i1
  } : !stof.mask<?x?>
  // CHECK: layout <row_tile = 64, col_tile = 64, storage = closed_form
  // CHECK-SAME: visited = [#stof.interval<from = affine_map<(d0, d1, d2)[s0, s1] -> (d0 - 1)>, to = affine_map<(d0, d1, d2)[s0, s1] -> (d0 + 2)>>], partial =
  %o = stof.attention ins(%q, %k, %k : tensor<1x1x?x64xf16>, tensor<1x1x?x64xf16>, tensor<1x1x?x64xf16>)
      mask(%m : !stof.mask<?x?>) outs(%q : tensor<1x1x?x64xf16>) -> tensor<1x1x?x64xf16>
  return %o : tensor<1x1x?x64xf16>
}

/// A guard that fails while keys go on is kept.

// CHECK-LABEL: func @guarded_window_of_any_length
func.func @guarded_window_of_any_length(%q: tensor<1x1x?x64xf16>, %k: tensor<1x1x?x64xf16>, %wide: index) -> tensor<1x1x?x64xf16> {
  %m = stof.mask captures(%wide : index) {
  ^bb0(%b: index, %h: index, %i: index, %j: index, %w: index):
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %d = arith.subi %i, %j : index
    %a = math.absi %d : index
    %near = arith.cmpi sle, %a, %c64 : index
    %past = arith.cmpi sge, %d, %c0 : index
    %both = arith.cmpi sgt, %w, %c0 : index
    %side = arith.ori %past, %both : i1
    %keep = arith.andi %near, %side : i1
    stof.yield %keep : i1
  } : !stof.mask<?x?>
  // CHECK: visited = [{{.*}}where = {{.*}}], partial =
  %o = stof.attention ins(%q, %k, %k : tensor<1x1x?x64xf16>, tensor<1x1x?x64xf16>, tensor<1x1x?x64xf16>)
      mask(%m : !stof.mask<?x?>) outs(%q : tensor<1x1x?x64xf16>) -> tensor<1x1x?x64xf16>
  return %o : tensor<1x1x?x64xf16>
}

/// Heads see windows of different widths.

// CHECK-LABEL: func @window_by_head
func.func @window_by_head(%q: tensor<1x8x1024x64xf16>, %k: tensor<1x8x1024x64xf16>) -> tensor<1x8x1024x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %c32 = arith.constant 32 : index
    %d = arith.subi %i, %j : index
    %a = math.absi %d : index
    %w = arith.muli %h, %c32 : index
    %keep = arith.cmpi sle, %a, %w : index
    stof.yield %keep : i1
  } : !stof.mask<1024x1024>
  // CHECK: layout <row_tile = 64, col_tile = 64, storage = closed_form
  // CHECK-SAME: visited = [#stof.interval<from = affine_map<(d0, d1, d2) -> (d0 + (-d2) floordiv 2)>, to = affine_map<(d0, d1, d2) -> (d0 + 1)>>
  // CHECK-SAME: #stof.interval<from = affine_map<(d0, d1, d2) -> (d0)>, to = affine_map<(d0, d1, d2) -> ((d0 * 2 + d2 + 3) floordiv 2)>, where = affine_map<(d0, d1, d2) -> (d2 - 1)>>]
  // CHECK-SAME: partial = [#stof.interval<from = affine_map<(d0, d1, d2) -> (d0 + d2 floordiv 2)>>
  // CHECK-SAME: #stof.interval<to = affine_map<(d0, d1, d2) -> ((d0 * 2 - d2 + 3) floordiv 2)>>]
  %o = stof.attention ins(%q, %k, %k : tensor<1x8x1024x64xf16>, tensor<1x8x1024x64xf16>, tensor<1x8x1024x64xf16>)
      mask(%m : !stof.mask<1024x1024>) outs(%q : tensor<1x8x1024x64xf16>) -> tensor<1x8x1024x64xf16>
  return %o : tensor<1x8x1024x64xf16>
}

/// Blocks of 96 x 32 see those before them.

// CHECK-LABEL: func @blocks
func.func @blocks(%q: tensor<1x1x768x64xf16>, %k: tensor<1x1x256x64xf16>) -> tensor<1x1x768x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %c96 = arith.constant 96 : index
    %c32 = arith.constant 32 : index
    %x = arith.floordivsi %i, %c96 : index
    %y = arith.floordivsi %j, %c32 : index
    %keep = arith.cmpi sle, %y, %x : index
    stof.yield %keep : i1
  } : !stof.mask<768x256>
  // CHECK: layout <row_tile = 64, col_tile = 64, storage = closed_form
  // CHECK-SAME: visited = [#stof.interval<to = affine_map<(d0, d1, d2) -> (d0 floordiv 3 + 1)>>]
  // CHECK-SAME: partial = [#stof.interval<from = affine_map<(d0, d1, d2) -> ((d0 + 1) floordiv 3)>>]
  %o = stof.attention ins(%q, %k, %k : tensor<1x1x768x64xf16>, tensor<1x1x256x64xf16>, tensor<1x1x256x64xf16>)
      mask(%m : !stof.mask<768x256>) outs(%q : tensor<1x1x768x64xf16>) -> tensor<1x1x768x64xf16>
  return %o : tensor<1x1x768x64xf16>
}

/// The last query sees the last key.

// CHECK-LABEL: func @cross
func.func @cross(%q: tensor<1x1x100x64xf16>, %k: tensor<1x1x256x64xf16>) -> tensor<1x1x100x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %c156 = arith.constant 156 : index
    %p = arith.addi %i, %c156 : index
    %keep = arith.cmpi sle, %j, %p : index
    stof.yield %keep : i1
  } : !stof.mask<100x256>
  // CHECK: layout <row_tile = 64, col_tile = 64, storage = closed_form
  // CHECK-SAME: visited = [#stof.interval]
  // CHECK-SAME: partial = [#stof.interval<from = affine_map<(d0, d1, d2) -> (d0 + 2)>>]
  %o = stof.attention ins(%q, %k, %k : tensor<1x1x100x64xf16>, tensor<1x1x256x64xf16>, tensor<1x1x256x64xf16>)
      mask(%m : !stof.mask<100x256>) outs(%q : tensor<1x1x100x64xf16>) -> tensor<1x1x100x64xf16>
  return %o : tensor<1x1x100x64xf16>
}

/// Lengths that fill no tile: the last tile of keys is asked by every row.

// CHECK-LABEL: func @ragged
func.func @ragged(%q: tensor<1x1x100x64xf16>, %k: tensor<1x1x90x64xf16>) -> tensor<1x1x100x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.cmpi sle, %j, %i : index
    stof.yield %keep : i1
  } : !stof.mask<100x90>
  // CHECK: layout <row_tile = 64, col_tile = 64, storage = closed_form
  // CHECK-SAME: visited = [#stof.interval<to = affine_map<(d0, d1, d2) -> (d0 + 1)>>]
  // CHECK-SAME: partial = [#stof.interval<from = affine_map<(d0, d1, d2) -> (d0)>>]
  %o = stof.attention ins(%q, %k, %k : tensor<1x1x100x64xf16>, tensor<1x1x90x64xf16>, tensor<1x1x90x64xf16>)
      mask(%m : !stof.mask<100x90>) outs(%q : tensor<1x1x100x64xf16>) -> tensor<1x1x100x64xf16>
  return %o : tensor<1x1x100x64xf16>
}

/// Lengths that are not known.

// CHECK-LABEL: func @dynamic
func.func @dynamic(%q: tensor<1x1x?x64xf16>, %k: tensor<1x1x?x64xf16>) -> tensor<1x1x?x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.cmpi sle, %j, %i : index
    stof.yield %keep : i1
  } : !stof.mask<?x?>
  // CHECK: layout <row_tile = 64, col_tile = 64, storage = closed_form
  // CHECK-SAME: visited = [#stof.interval<to = affine_map<(d0, d1, d2)[s0] -> (d0 + 1)>>]
  // CHECK-SAME: partial = [#stof.interval<from = affine_map<(d0, d1, d2)[s0] -> (d0)>>
  // CHECK-SAME: #stof.interval<from = affine_map<(d0, d1, d2)[s0] -> (s0 floordiv 64)>>]
  // CHECK-SAME: symbols = [affine_map<(d0, d1) -> ()>]{{.*}}> from({{%.*}} : index)
  %o = stof.attention ins(%q, %k, %k : tensor<1x1x?x64xf16>, tensor<1x1x?x64xf16>, tensor<1x1x?x64xf16>)
      mask(%m : !stof.mask<?x?>) outs(%q : tensor<1x1x?x64xf16>) -> tensor<1x1x?x64xf16>
  return %o : tensor<1x1x?x64xf16>
}

/// Causal inside documents, whose numbers are data: the affine half bounds the mainloop.

// CHECK-LABEL: func @documents
func.func @documents(%q: tensor<1x1x256x64xf16>, %k: tensor<1x1x256x64xf16>, %ids: tensor<256xi32>) -> tensor<1x1x256x64xf16> {
  %m = stof.mask captures(%ids : tensor<256xi32>) {
  ^bb0(%b: index, %h: index, %i: index, %j: index, %ids_: tensor<256xi32>):
    %x = tensor.extract %ids_[%i] : tensor<256xi32>
    %y = tensor.extract %ids_[%j] : tensor<256xi32>
    %same = arith.cmpi eq, %x, %y : i32
    %causal = arith.cmpi sle, %j, %i : index
    %keep = arith.andi %same, %causal : i1
    stof.yield %keep : i1
  } : !stof.mask<256x256>
  // CHECK: layout <row_tile = 64, col_tile = 64, storage = closed_form
  // CHECK-SAME: visited = [#stof.interval<to = affine_map<(d0, d1, d2) -> (d0 + 1)>>]
  // CHECK-SAME: partial = [#stof.interval]
  %o = stof.attention ins(%q, %k, %k : tensor<1x1x256x64xf16>, tensor<1x1x256x64xf16>, tensor<1x1x256x64xf16>)
      mask(%m : !stof.mask<256x256>) outs(%q : tensor<1x1x256x64xf16>) -> tensor<1x1x256x64xf16>
  return %o : tensor<1x1x256x64xf16>
}

/// What may wrap is computed as the mask does, in the type that it wraps in.

// CHECK-LABEL: func @wrapping
// CHECK-SAME: %[[W:[^ ]*]]: i32) ->
func.func @wrapping(%q: tensor<1x1x256x64xf16>, %k: tensor<1x1x256x64xf16>, %w: i32) -> tensor<1x1x256x64xf16> {
  %m = stof.mask captures(%w : i32) {
  ^bb0(%b: index, %h: index, %i: index, %j: index, %width: i32):
    %c1 = arith.constant 1 : i32
    %last = arith.subi %width, %c1 : i32
    %limit = arith.index_cast %last : i32 to index
    %keep = arith.cmpi slt, %j, %limit : index
    stof.yield %keep : i1
  } : !stof.mask<256x256>
  // CHECK: %[[C1:.*]] = arith.index_cast %{{.*}} : index to i32
  // CHECK: %[[LAST:.*]] = arith.subi %[[W]], %[[C1]] : i32
  // CHECK: %[[LIMIT:.*]] = arith.index_cast %[[LAST]] : i32 to index
  // CHECK: layout {{.*}} from(%[[LIMIT]] : index)
  %o = stof.attention ins(%q, %k, %k : tensor<1x1x256x64xf16>, tensor<1x1x256x64xf16>, tensor<1x1x256x64xf16>)
      mask(%m : !stof.mask<256x256>) outs(%q : tensor<1x1x256x64xf16>) -> tensor<1x1x256x64xf16>
  return %o : tensor<1x1x256x64xf16>
}

/// Tables differ by head where the mask does, and by batch only where it does.

// CHECK-LABEL: func @table_by_head
// CHECK: arith.constant dense<{{.*}}> : tensor<1x2x1x3xi64>
// CHECK: layout <row_tile = 16, col_tile = 64, storage = tables
func.func @table_by_head(%q: tensor<3x2x4x64xf16>) -> tensor<3x2x4x64xf16> {
  %limits = arith.constant dense<[3, 1, 2, 0]> : tensor<4xi32>
  %m = stof.mask captures(%limits : tensor<4xi32>) {
  ^bb0(%b: index, %h: index, %i: index, %j: index, %limit: tensor<4xi32>):
    %limit_i = tensor.extract %limit[%i] : tensor<4xi32>
    %most = arith.index_cast %limit_i : i32 to index
    %less = arith.subi %most, %h : index
    %keep = arith.cmpi slt, %j, %less : index
    stof.yield %keep : i1
  } : !stof.mask<4x4>
  %o = stof.attention ins(%q, %q, %q : tensor<3x2x4x64xf16>, tensor<3x2x4x64xf16>, tensor<3x2x4x64xf16>)
      mask(%m : !stof.mask<4x4>) outs(%q : tensor<3x2x4x64xf16>) -> tensor<3x2x4x64xf16>
  return %o : tensor<3x2x4x64xf16>
}

/// One unsigned comparison is both ends of a range, in any type.

// CHECK-LABEL: func @range
func.func @range(%q: tensor<1x1x256x64xf16>) -> tensor<1x1x256x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %c64 = arith.constant 64 : i32
    %x = arith.index_cast %i : index to i32
    %y = arith.index_cast %j : index to i32
    %d = arith.subi %x, %y : i32
    %keep = arith.cmpi ugt, %c64, %d : i32
    stof.yield %keep : i1
  } : !stof.mask<256x256>
  // CHECK: layout <row_tile = 64, col_tile = 64, storage = closed_form
  // CHECK-SAME: visited = [#stof.interval<from = affine_map<(d0, d1, d2) -> (d0 - 1)>, to = affine_map<(d0, d1, d2) -> (d0 + 1)>>]
  %o = stof.attention ins(%q, %q, %q : tensor<1x1x256x64xf16>, tensor<1x1x256x64xf16>, tensor<1x1x256x64xf16>)
      mask(%m : !stof.mask<256x256>) outs(%q : tensor<1x1x256x64xf16>) -> tensor<1x1x256x64xf16>
  return %o : tensor<1x1x256x64xf16>
}
