// RUN: stof-opt %s --stof-plan-layout --remarks-filter="stof.*" --split-input-file -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=RowsProven
// RUN: stof-opt %s --stof-plan-layout --split-input-file | FileCheck %s --check-prefix=IR

/// What a fully masked row computes is dropped where every query is proven to
/// attend to one, so that kernels need not look for such rows.

/// Every query sees key 0.

// CHECK: remark: [Passed] RowsProven | Category:stof-plan-layout | Remark="empty_rows = nan is removed, since no row is fully masked"
// IR-LABEL: @causal
// IR-NOT: empty_rows
// IR: return
func.func @causal(%x: tensor<1x2x256x64xf16>) -> tensor<1x2x256x64xf16> {
  %mask = stof.mask {
  ^bb0(%b: index, %h: index, %q: index, %k: index):
    %keep = arith.cmpi sge, %q, %k : index
    stof.yield %keep : i1
  } : !stof.mask<256x256>
  %o = stof.attention ins(%x, %x, %x : tensor<1x2x256x64xf16>, tensor<1x2x256x64xf16>, tensor<1x2x256x64xf16>)
      mask(%mask : !stof.mask<256x256>) outs(%x : tensor<1x2x256x64xf16>) empty_rows(nan) -> tensor<1x2x256x64xf16>
  return %o : tensor<1x2x256x64xf16>
}

// -----

/// So it does whatever the length is: where there is a query, there is a key.

// CHECK: remark: [Passed] RowsProven | Category:stof-plan-layout | Remark="empty_rows = mean is removed, since no row is fully masked"
// IR-LABEL: @causal_dynamic
// IR-NOT: empty_rows
// IR: return
func.func @causal_dynamic(%x: tensor<1x2x?x64xf16>) -> tensor<1x2x?x64xf16> {
  %mask = stof.mask {
  ^bb0(%b: index, %h: index, %q: index, %k: index):
    %keep = arith.cmpi sge, %q, %k : index
    stof.yield %keep : i1
  } : !stof.mask<?x?>
  %o = stof.attention ins(%x, %x, %x : tensor<1x2x?x64xf16>, tensor<1x2x?x64xf16>, tensor<1x2x?x64xf16>)
      mask(%mask : !stof.mask<?x?>) outs(%x : tensor<1x2x?x64xf16>) empty_rows(mean) -> tensor<1x2x?x64xf16>
  return %o : tensor<1x2x?x64xf16>
}

// -----

/// Keys of another tensor may be none.

// CHECK: remark: [Missed] RowsProven | Category:stof-plan-layout | Reason="empty_rows = nan is needed, since rows may be fully masked"
// IR-LABEL: @other_keys
// IR: empty_rows(nan)
// IR: return
func.func @other_keys(%x: tensor<1x2x?x64xf16>, %y: tensor<1x2x?x64xf16>) -> tensor<1x2x?x64xf16> {
  %mask = stof.mask {
  ^bb0(%b: index, %h: index, %q: index, %k: index):
    %keep = arith.cmpi sge, %q, %k : index
    stof.yield %keep : i1
  } : !stof.mask<?x?>
  %o = stof.attention ins(%x, %y, %y : tensor<1x2x?x64xf16>, tensor<1x2x?x64xf16>, tensor<1x2x?x64xf16>)
      mask(%mask : !stof.mask<?x?>) outs(%x : tensor<1x2x?x64xf16>) empty_rows(nan) -> tensor<1x2x?x64xf16>
  return %o : tensor<1x2x?x64xf16>
}

// -----

/// More queries than keys, aligned at the first.

// CHECK: remark: [Passed] RowsProven | Category:stof-plan-layout | Remark="empty_rows = unmasked is removed, since no row is fully masked"
// IR-LABEL: @aligned_first
// IR-NOT: empty_rows
// IR: return
func.func @aligned_first(%x: tensor<1x2x300x64xf16>, %y: tensor<1x2x200x64xf16>) -> tensor<1x2x300x64xf16> {
  %mask = stof.mask {
  ^bb0(%b: index, %h: index, %q: index, %k: index):
    %keep = arith.cmpi sge, %q, %k : index
    stof.yield %keep : i1
  } : !stof.mask<300x200>
  %o = stof.attention ins(%x, %y, %y : tensor<1x2x300x64xf16>, tensor<1x2x200x64xf16>, tensor<1x2x200x64xf16>)
      mask(%mask : !stof.mask<300x200>) outs(%x : tensor<1x2x300x64xf16>) empty_rows(unmasked) -> tensor<1x2x300x64xf16>
  return %o : tensor<1x2x300x64xf16>
}

// -----

/// Aligned at the last, the first hundred queries see nothing.

// CHECK: remark: [Missed] RowsProven | Category:stof-plan-layout | Reason="empty_rows = unmasked is needed, since rows may be fully masked"
// IR-LABEL: @aligned_last
// IR: empty_rows(unmasked)
// IR: return
func.func @aligned_last(%x: tensor<1x2x300x64xf16>, %y: tensor<1x2x200x64xf16>) -> tensor<1x2x300x64xf16> {
  %mask = stof.mask {
  ^bb0(%b: index, %h: index, %q: index, %k: index):
    %c = arith.constant 100 : index
    %d = arith.addi %k, %c : index
    %keep = arith.cmpi sge, %q, %d : index
    stof.yield %keep : i1
  } : !stof.mask<300x200>
  %o = stof.attention ins(%x, %y, %y : tensor<1x2x300x64xf16>, tensor<1x2x200x64xf16>, tensor<1x2x200x64xf16>)
      mask(%mask : !stof.mask<300x200>) outs(%x : tensor<1x2x300x64xf16>) empty_rows(unmasked) -> tensor<1x2x300x64xf16>
  return %o : tensor<1x2x300x64xf16>
}

// -----

/// With more keys than queries they do.

// CHECK: remark: [Passed] RowsProven | Category:stof-plan-layout | Remark="empty_rows = nan is removed, since no row is fully masked"
// IR-LABEL: @aligned_last_fewer
// IR-NOT: empty_rows
// IR: return
func.func @aligned_last_fewer(%x: tensor<1x2x200x64xf16>, %y: tensor<1x2x300x64xf16>) -> tensor<1x2x200x64xf16> {
  %mask = stof.mask {
  ^bb0(%b: index, %h: index, %q: index, %k: index):
    %c = arith.constant 100 : index
    %d = arith.addi %q, %c : index
    %keep = arith.cmpi sge, %d, %k : index
    stof.yield %keep : i1
  } : !stof.mask<200x300>
  %o = stof.attention ins(%x, %y, %y : tensor<1x2x200x64xf16>, tensor<1x2x300x64xf16>, tensor<1x2x300x64xf16>)
      mask(%mask : !stof.mask<200x300>) outs(%x : tensor<1x2x200x64xf16>) empty_rows(nan) -> tensor<1x2x200x64xf16>
  return %o : tensor<1x2x200x64xf16>
}

// -----

/// The last query reaches back to the last key.

// CHECK: remark: [Passed] RowsProven | Category:stof-plan-layout | Remark="empty_rows = nan is removed, since no row is fully masked"
// IR-LABEL: @window_inside
// IR-NOT: empty_rows
// IR: return
func.func @window_inside(%x: tensor<1x2x300x64xf16>, %y: tensor<1x2x200x64xf16>) -> tensor<1x2x300x64xf16> {
  %mask = stof.mask {
  ^bb0(%b: index, %h: index, %q: index, %k: index):
    %c = arith.constant 100 : index
    %d = arith.subi %q, %k : index
    %e = math.absi %d : index
    %keep = arith.cmpi sle, %e, %c : index
    stof.yield %keep : i1
  } : !stof.mask<300x200>
  %o = stof.attention ins(%x, %y, %y : tensor<1x2x300x64xf16>, tensor<1x2x200x64xf16>, tensor<1x2x200x64xf16>)
      mask(%mask : !stof.mask<300x200>) outs(%x : tensor<1x2x300x64xf16>) empty_rows(nan) -> tensor<1x2x300x64xf16>
  return %o : tensor<1x2x300x64xf16>
}

// -----

/// A window that lies behind the last key.

// CHECK: remark: [Missed] RowsProven | Category:stof-plan-layout | Reason="empty_rows = nan is needed, since rows may be fully masked"
// IR-LABEL: @window_beyond
// IR: empty_rows(nan)
// IR: return
func.func @window_beyond(%x: tensor<1x2x300x64xf16>, %y: tensor<1x2x200x64xf16>) -> tensor<1x2x300x64xf16> {
  %mask = stof.mask {
  ^bb0(%b: index, %h: index, %q: index, %k: index):
    %c = arith.constant 99 : index
    %d = arith.subi %q, %k : index
    %e = math.absi %d : index
    %keep = arith.cmpi sle, %e, %c : index
    stof.yield %keep : i1
  } : !stof.mask<300x200>
  %o = stof.attention ins(%x, %y, %y : tensor<1x2x300x64xf16>, tensor<1x2x200x64xf16>, tensor<1x2x200x64xf16>)
      mask(%mask : !stof.mask<300x200>) outs(%x : tensor<1x2x300x64xf16>) empty_rows(nan) -> tensor<1x2x300x64xf16>
  return %o : tensor<1x2x300x64xf16>
}

// -----

/// A captured width may be 0.

// CHECK: remark: [Missed] RowsProven | Category:stof-plan-layout | Reason="empty_rows = nan is needed, since rows may be fully masked"
// IR-LABEL: @window_width
// IR: empty_rows(nan)
// IR: return
func.func @window_width(%x: tensor<1x2x256x64xf16>, %w: index) -> tensor<1x2x256x64xf16> {
  %mask = stof.mask captures(%w : index) {
  ^bb0(%b: index, %h: index, %q: index, %k: index, %w_: index):
    %d = arith.subi %q, %k : index
    %e = math.absi %d : index
    %keep = arith.cmpi slt, %e, %w_ : index
    stof.yield %keep : i1
  } : !stof.mask<256x256>
  %o = stof.attention ins(%x, %x, %x : tensor<1x2x256x64xf16>, tensor<1x2x256x64xf16>, tensor<1x2x256x64xf16>)
      mask(%mask : !stof.mask<256x256>) outs(%x : tensor<1x2x256x64xf16>) empty_rows(nan) -> tensor<1x2x256x64xf16>
  return %o : tensor<1x2x256x64xf16>
}

// -----

/// A width that is at least 0 keeps the diagonal.

// CHECK: remark: [Passed] RowsProven | Category:stof-plan-layout | Remark="empty_rows = nan is removed, since no row is fully masked"
// IR-LABEL: @window_width_plus_one
// IR-NOT: empty_rows
// IR: return
func.func @window_width_plus_one(%x: tensor<1x2x256x64xf16>, %w: index) -> tensor<1x2x256x64xf16> {
  %mask = stof.mask captures(%w : index) {
  ^bb0(%b: index, %h: index, %q: index, %k: index, %w_: index):
    %z = arith.constant 0 : index
    %u = arith.maxsi %w_, %z : index
    %d = arith.subi %q, %k : index
    %e = math.absi %d : index
    %keep = arith.cmpi sle, %e, %u : index
    stof.yield %keep : i1
  } : !stof.mask<256x256>
  %o = stof.attention ins(%x, %x, %x : tensor<1x2x256x64xf16>, tensor<1x2x256x64xf16>, tensor<1x2x256x64xf16>)
      mask(%mask : !stof.mask<256x256>) outs(%x : tensor<1x2x256x64xf16>) empty_rows(nan) -> tensor<1x2x256x64xf16>
  return %o : tensor<1x2x256x64xf16>
}

// -----

/// A length that is captured may be 0.

// CHECK: remark: [Missed] RowsProven | Category:stof-plan-layout | Reason="empty_rows = nan is needed, since rows may be fully masked"
// IR-LABEL: @padding
// IR: empty_rows(nan)
// IR: return
func.func @padding(%x: tensor<1x2x256x64xf16>, %n: tensor<1xi32>) -> tensor<1x2x256x64xf16> {
  %mask = stof.mask captures(%n : tensor<1xi32>) {
  ^bb0(%b: index, %h: index, %q: index, %k: index, %n_: tensor<1xi32>):
    %l = tensor.extract %n_[%b] : tensor<1xi32>
    %i = arith.index_cast %l : i32 to index
    %keep = arith.cmpi slt, %k, %i : index
    stof.yield %keep : i1
  } : !stof.mask<256x256>
  %o = stof.attention ins(%x, %x, %x : tensor<1x2x256x64xf16>, tensor<1x2x256x64xf16>, tensor<1x2x256x64xf16>)
      mask(%mask : !stof.mask<256x256>) outs(%x : tensor<1x2x256x64xf16>) empty_rows(nan) -> tensor<1x2x256x64xf16>
  return %o : tensor<1x2x256x64xf16>
}

// -----

/// A length that is at least 1 keeps the first key.

// CHECK: remark: [Passed] RowsProven | Category:stof-plan-layout | Remark="empty_rows = nan is removed, since no row is fully masked"
// IR-LABEL: @padding_at_least_one
// IR-NOT: empty_rows
// IR: return
func.func @padding_at_least_one(%x: tensor<1x2x256x64xf16>, %n: tensor<1xi32>) -> tensor<1x2x256x64xf16> {
  %mask = stof.mask captures(%n : tensor<1xi32>) {
  ^bb0(%b: index, %h: index, %q: index, %k: index, %n_: tensor<1xi32>):
    %one = arith.constant 1 : index
    %l = tensor.extract %n_[%b] : tensor<1xi32>
    %i = arith.index_cast %l : i32 to index
    %j = arith.maxsi %i, %one : index
    %keep = arith.cmpi slt, %k, %j : index
    stof.yield %keep : i1
  } : !stof.mask<256x256>
  %o = stof.attention ins(%x, %x, %x : tensor<1x2x256x64xf16>, tensor<1x2x256x64xf16>, tensor<1x2x256x64xf16>)
      mask(%mask : !stof.mask<256x256>) outs(%x : tensor<1x2x256x64xf16>) empty_rows(nan) -> tensor<1x2x256x64xf16>
  return %o : tensor<1x2x256x64xf16>
}

// -----

/// From a first key on that is captured, and the diagonal.

// CHECK: remark: [Passed] RowsProven | Category:stof-plan-layout | Remark="empty_rows = mean is removed, since no row is fully masked"
// IR-LABEL: @left_padding
// IR-NOT: empty_rows
// IR: return
func.func @left_padding(%x: tensor<1x2x256x64xf16>, %n: index) -> tensor<1x2x256x64xf16> {
  %mask = stof.mask captures(%n : index) {
  ^bb0(%b: index, %h: index, %q: index, %k: index, %n_: index):
    %a = arith.cmpi sge, %k, %n_ : index
    %d = arith.cmpi eq, %k, %q : index
    %keep = arith.ori %a, %d : i1
    stof.yield %keep : i1
  } : !stof.mask<256x256>
  %o = stof.attention ins(%x, %x, %x : tensor<1x2x256x64xf16>, tensor<1x2x256x64xf16>, tensor<1x2x256x64xf16>)
      mask(%mask : !stof.mask<256x256>) outs(%x : tensor<1x2x256x64xf16>) empty_rows(mean) -> tensor<1x2x256x64xf16>
  return %o : tensor<1x2x256x64xf16>
}

// -----

/// Every second key, of any length.

// CHECK: remark: [Passed] RowsProven | Category:stof-plan-layout | Remark="empty_rows = nan is removed, since no row is fully masked"
// IR-LABEL: @dilated
// IR-NOT: empty_rows
// IR: return
func.func @dilated(%x: tensor<1x2x?x64xf16>) -> tensor<1x2x?x64xf16> {
  %mask = stof.mask {
  ^bb0(%b: index, %h: index, %q: index, %k: index):
    %two = arith.constant 2 : index
    %zero = arith.constant 0 : index
    %d = arith.subi %q, %k : index
    %r = arith.remsi %d, %two : index
    %keep = arith.cmpi eq, %r, %zero : index
    stof.yield %keep : i1
  } : !stof.mask<?x?>
  %o = stof.attention ins(%x, %x, %x : tensor<1x2x?x64xf16>, tensor<1x2x?x64xf16>, tensor<1x2x?x64xf16>)
      mask(%mask : !stof.mask<?x?>) outs(%x : tensor<1x2x?x64xf16>) empty_rows(nan) -> tensor<1x2x?x64xf16>
  return %o : tensor<1x2x?x64xf16>
}

// -----

/// The first queries come before the first column.

// CHECK: remark: [Missed] RowsProven | Category:stof-plan-layout | Reason="empty_rows = nan is needed, since rows may be fully masked"
// IR-LABEL: @columns
// IR: empty_rows(nan)
// IR: return
func.func @columns(%x: tensor<1x2x256x64xf16>) -> tensor<1x2x256x64xf16> {
  %mask = stof.mask {
  ^bb0(%b: index, %h: index, %q: index, %k: index):
    %s = arith.constant 64 : index
    %t = arith.constant 63 : index
    %r = arith.remui %k, %s : index
    %c = arith.cmpi eq, %r, %t : index
    %a = arith.cmpi sge, %q, %k : index
    %keep = arith.andi %a, %c : i1
    stof.yield %keep : i1
  } : !stof.mask<256x256>
  %o = stof.attention ins(%x, %x, %x : tensor<1x2x256x64xf16>, tensor<1x2x256x64xf16>, tensor<1x2x256x64xf16>)
      mask(%mask : !stof.mask<256x256>) outs(%x : tensor<1x2x256x64xf16>) empty_rows(nan) -> tensor<1x2x256x64xf16>
  return %o : tensor<1x2x256x64xf16>
}

// -----

/// Of one head only.

// CHECK: remark: [Missed] RowsProven | Category:stof-plan-layout | Reason="empty_rows = nan is needed, since rows may be fully masked"
// IR-LABEL: @heads
// IR: empty_rows(nan)
// IR: return
func.func @heads(%x: tensor<1x2x256x64xf16>) -> tensor<1x2x256x64xf16> {
  %mask = stof.mask {
  ^bb0(%b: index, %h: index, %q: index, %k: index):
    %z = arith.constant 0 : index
    %a = arith.cmpi eq, %h, %z : index
    %c = arith.cmpi sge, %q, %k : index
    %keep = arith.andi %a, %c : i1
    stof.yield %keep : i1
  } : !stof.mask<256x256>
  %o = stof.attention ins(%x, %x, %x : tensor<1x2x256x64xf16>, tensor<1x2x256x64xf16>, tensor<1x2x256x64xf16>)
      mask(%mask : !stof.mask<256x256>) outs(%x : tensor<1x2x256x64xf16>) empty_rows(nan) -> tensor<1x2x256x64xf16>
  return %o : tensor<1x2x256x64xf16>
}

// -----

/// What code keeps is not certain, even the diagonal.

// CHECK: remark: [Missed] RowsProven | Category:stof-plan-layout | Reason="empty_rows = nan is needed, since rows may be fully masked"
// IR-LABEL: @code
// IR: empty_rows(nan)
// IR: return
func.func @code(%x: tensor<1x2x256x64xf16>, %t: tensor<256xi32>) -> tensor<1x2x256x64xf16> {
  %mask = stof.mask captures(%t : tensor<256xi32>) {
  ^bb0(%b: index, %h: index, %q: index, %k: index, %t_: tensor<256xi32>):
    %i = tensor.extract %t_[%q] : tensor<256xi32>
    %j = tensor.extract %t_[%k] : tensor<256xi32>
    %keep = arith.cmpi eq, %i, %j : i32
    stof.yield %keep : i1
  } : !stof.mask<256x256>
  %o = stof.attention ins(%x, %x, %x : tensor<1x2x256x64xf16>, tensor<1x2x256x64xf16>, tensor<1x2x256x64xf16>)
      mask(%mask : !stof.mask<256x256>) outs(%x : tensor<1x2x256x64xf16>) empty_rows(nan) -> tensor<1x2x256x64xf16>
  return %o : tensor<1x2x256x64xf16>
}

// -----

/// What is next to it is.

// CHECK: remark: [Passed] RowsProven | Category:stof-plan-layout | Remark="empty_rows = nan is removed, since no row is fully masked"
// IR-LABEL: @code_and_diagonal
// IR-NOT: empty_rows
// IR: return
func.func @code_and_diagonal(%x: tensor<1x2x256x64xf16>, %t: tensor<256xi32>) -> tensor<1x2x256x64xf16> {
  %mask = stof.mask captures(%t : tensor<256xi32>) {
  ^bb0(%b: index, %h: index, %q: index, %k: index, %t_: tensor<256xi32>):
    %i = tensor.extract %t_[%q] : tensor<256xi32>
    %j = tensor.extract %t_[%k] : tensor<256xi32>
    %a = arith.cmpi eq, %i, %j : i32
    %d = arith.cmpi eq, %k, %q : index
    %keep = arith.ori %a, %d : i1
    stof.yield %keep : i1
  } : !stof.mask<256x256>
  %o = stof.attention ins(%x, %x, %x : tensor<1x2x256x64xf16>, tensor<1x2x256x64xf16>, tensor<1x2x256x64xf16>)
      mask(%mask : !stof.mask<256x256>) outs(%x : tensor<1x2x256x64xf16>) empty_rows(nan) -> tensor<1x2x256x64xf16>
  return %o : tensor<1x2x256x64xf16>
}

// -----

/// Constants, each row of which keeps a key.

// CHECK: remark: [Passed] RowsProven | Category:stof-plan-layout | Remark="empty_rows = nan is removed, since no row is fully masked"
// IR-LABEL: @table
// IR-NOT: empty_rows
// IR: return
func.func @table(%x: tensor<1x2x4x64xf16>) -> tensor<1x2x4x64xf16> {
  %t = arith.constant dense<[[1, 0, 0, 0], [0, 1, 1, 0], [0, 0, 0, 1], [1, 1, 1, 1]]> : tensor<4x4xi1>
  %mask = stof.mask captures(%t : tensor<4x4xi1>) {
  ^bb0(%b: index, %h: index, %q: index, %k: index, %t_: tensor<4x4xi1>):
    %keep = tensor.extract %t_[%q, %k] : tensor<4x4xi1>
    stof.yield %keep : i1
  } : !stof.mask<4x4>
  %o = stof.attention ins(%x, %x, %x : tensor<1x2x4x64xf16>, tensor<1x2x4x64xf16>, tensor<1x2x4x64xf16>)
      mask(%mask : !stof.mask<4x4>) outs(%x : tensor<1x2x4x64xf16>) empty_rows(nan) -> tensor<1x2x4x64xf16>
  return %o : tensor<1x2x4x64xf16>
}

// -----

/// One does not.

// CHECK: remark: [Missed] RowsProven | Category:stof-plan-layout | Reason="empty_rows = nan is needed, since rows may be fully masked"
// IR-LABEL: @table_with_empty_row
// IR: empty_rows(nan)
// IR: return
func.func @table_with_empty_row(%x: tensor<1x2x4x64xf16>) -> tensor<1x2x4x64xf16> {
  %t = arith.constant dense<[[1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 1], [1, 1, 1, 1]]> : tensor<4x4xi1>
  %mask = stof.mask captures(%t : tensor<4x4xi1>) {
  ^bb0(%b: index, %h: index, %q: index, %k: index, %t_: tensor<4x4xi1>):
    %keep = tensor.extract %t_[%q, %k] : tensor<4x4xi1>
    stof.yield %keep : i1
  } : !stof.mask<4x4>
  %o = stof.attention ins(%x, %x, %x : tensor<1x2x4x64xf16>, tensor<1x2x4x64xf16>, tensor<1x2x4x64xf16>)
      mask(%mask : !stof.mask<4x4>) outs(%x : tensor<1x2x4x64xf16>) empty_rows(nan) -> tensor<1x2x4x64xf16>
  return %o : tensor<1x2x4x64xf16>
}

// -----

/// A query that keeps a key may have scores of -inf alone, which are then
/// nothing to weigh either.

// CHECK: remark: [Missed] RowsProven | Category:stof-plan-layout | Reason="empty_rows = nan is needed, since all scores of a row may be -inf"
// IR-LABEL: @biased
// IR: empty_rows(nan)
// IR: return
func.func @biased(%x: tensor<1x2x256x64xf16>, %t: tensor<256x256xf32>) -> tensor<1x2x256x64xf16> {
  %mask = stof.mask {
  ^bb0(%b: index, %h: index, %q: index, %k: index):
    %keep = arith.cmpi sge, %q, %k : index
    stof.yield %keep : i1
  } : !stof.mask<256x256>
  %o = stof.attention ins(%x, %x, %x : tensor<1x2x256x64xf16>, tensor<1x2x256x64xf16>, tensor<1x2x256x64xf16>)
      mask(%mask : !stof.mask<256x256>) captures(%t : tensor<256x256xf32>) outs(%x : tensor<1x2x256x64xf16>)
      empty_rows(nan) score {
      ^bb0(%s: f32, %b: index, %h: index, %q: index, %k: index, %bias: tensor<256x256xf32>):
        %added = tensor.extract %bias[%q, %k] : tensor<256x256xf32>
        %sum = arith.addf %s, %added : f32
        stof.yield %sum : f32
      } -> tensor<1x2x256x64xf16>
  return %o : tensor<1x2x256x64xf16>
}

// -----

/// A score that reads no floats is finite.

// CHECK: remark: [Passed] RowsProven | Category:stof-plan-layout | Remark="empty_rows = nan is removed, since no row is fully masked"
// IR-LABEL: @capped
// IR-NOT: empty_rows
// IR: return
func.func @capped(%x: tensor<1x2x256x64xf16>) -> tensor<1x2x256x64xf16> {
  %mask = stof.mask {
  ^bb0(%b: index, %h: index, %q: index, %k: index):
    %keep = arith.cmpi sge, %q, %k : index
    stof.yield %keep : i1
  } : !stof.mask<256x256>
  %o = stof.attention ins(%x, %x, %x : tensor<1x2x256x64xf16>, tensor<1x2x256x64xf16>, tensor<1x2x256x64xf16>)
      mask(%mask : !stof.mask<256x256>) outs(%x : tensor<1x2x256x64xf16>) empty_rows(nan) score {
      ^bb0(%s: f32, %b: index, %h: index, %q: index, %k: index):
        %flat = math.tanh %s : f32
        stof.yield %flat : f32
      } -> tensor<1x2x256x64xf16>
  return %o : tensor<1x2x256x64xf16>
}
