// RUN: stof-opt %s --stof-plan-layout=chip=sm_90a | FileCheck %s
// RUN: stof-opt %s --stof-plan-layout=chip=sm_90a --stof-list-schedules="chip=sm_90a most=1" -o /dev/null | FileCheck %s --check-prefix=LIST
// RUN: stof-opt %s --stof-plan-layout=chip=sm_90a --remarks-filter=stof-plan-layout -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: stof-opt %s --stof-plan-layout="chip=sm_90a row-tile=32" | FileCheck %s --check-prefix=OPTION
// RUN: stof-opt %s --stof-plan-layout | FileCheck %s --check-prefix=NONE

/// Of a GPU, the tile of an attention is the one whose kernel is predicted to be the fastest: that of the first line of
/// the list. Its keys are those of the layout.

// CHECK-LABEL: func.func @causal(
// CHECK: tile <queries = 64, keys = 128, warps = 4, producers = 1, resident = 3, dynamic = true> layout <row_tile = 64, col_tile = 128,
// LIST-LABEL: @causal for sm_90a
// LIST-NEXT: us bound
// LIST-NEXT: * {{.*}} #stof.attention_tile<queries = 64, keys = 128, warps = 4, producers = 1, resident = 3, dynamic = true>
// LIST-LABEL: @twice
// REMARK: PlannedLayout {{.*}} ColTile=128, {{.*}} Predicted={{[0-9.]+}}, RowTile=64, {{.*}} Warps=4

/// A tile that the options of the pass give stays, and without a GPU none is given.

// OPTION-LABEL: func.func @causal(
// OPTION-NOT: tile <
// OPTION: layout <row_tile = 32, col_tile = 64,
// OPTION-LABEL: func.func @twice(
// NONE-LABEL: func.func @causal(
// NONE-NOT: tile <
// NONE: layout <row_tile = 64, col_tile = 64,
// NONE-NOT: tile <queries = {{[0-9]+}}, keys = {{[0-9]+}}, warps = 4
func.func @causal(%q: tensor<16x12x4096x64xf16>) -> tensor<16x12x4096x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.cmpi sle, %j, %i : index
    stof.yield %keep : i1
  } : !stof.mask<4096x4096>
  %o = stof.attention ins(%q, %q, %q : tensor<16x12x4096x64xf16>, tensor<16x12x4096x64xf16>, tensor<16x12x4096x64xf16>)
      mask(%m : !stof.mask<4096x4096>) outs(%q : tensor<16x12x4096x64xf16>) -> tensor<16x12x4096x64xf16>
  return %o : tensor<16x12x4096x64xf16>
}

/// A length of the run is taken to be 4096; what is counted for it is not stated.

// CHECK-LABEL: func.func @causal_of_any_length(
// CHECK: tile <queries = 64, keys = 128, warps = 4, producers = 1, resident = 3, dynamic = true> layout <row_tile = 64, col_tile = 128,
// CHECK-SAME: census = {empty = [
func.func @causal_of_any_length(%q: tensor<16x12x?x64xf16>) -> tensor<16x12x?x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.cmpi sle, %j, %i : index
    stof.yield %keep : i1
  } : !stof.mask<?x?>
  %o = stof.attention ins(%q, %q, %q : tensor<16x12x?x64xf16>, tensor<16x12x?x64xf16>, tensor<16x12x?x64xf16>)
      mask(%m : !stof.mask<?x?>) outs(%q : tensor<16x12x?x64xf16>) -> tensor<16x12x?x64xf16>
  return %o : tensor<16x12x?x64xf16>
}

/// So is one for which the counts of some tiles would be too long, and that of classes of residues. The batch of the run
/// is taken to be 8 then.

// CHECK-LABEL: func.func @window_of_any_length(
// CHECK: tile <[[WINDOW:[^>]*]]> layout
// CHECK-LABEL: func.func @window_of_length(
// CHECK: tile <[[WINDOW]]> layout
// CHECK-LABEL: func.func @dilated_of_any_length(
// CHECK: tile <[[DILATED:[^>]*]]> layout {{.*}} row_stride = 8
// CHECK-LABEL: func.func @dilated_of_length(
// CHECK: tile <[[DILATED]]> layout {{.*}} row_stride = 8
func.func @window_of_any_length(%q: tensor<?x12x?x64xf16>) -> tensor<?x12x?x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %d = arith.subi %i, %j : index
    %a = math.absi %d : index
    %c64 = arith.constant 64 : index
    %keep = arith.cmpi sle, %a, %c64 : index
    stof.yield %keep : i1
  } : !stof.mask<?x?>
  %o = stof.attention ins(%q, %q, %q : tensor<?x12x?x64xf16>, tensor<?x12x?x64xf16>, tensor<?x12x?x64xf16>)
      mask(%m : !stof.mask<?x?>) outs(%q : tensor<?x12x?x64xf16>) -> tensor<?x12x?x64xf16>
  return %o : tensor<?x12x?x64xf16>
}
func.func @window_of_length(%q: tensor<8x12x4096x64xf16>) -> tensor<8x12x4096x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %d = arith.subi %i, %j : index
    %a = math.absi %d : index
    %c64 = arith.constant 64 : index
    %keep = arith.cmpi sle, %a, %c64 : index
    stof.yield %keep : i1
  } : !stof.mask<4096x4096>
  %o = stof.attention ins(%q, %q, %q : tensor<8x12x4096x64xf16>, tensor<8x12x4096x64xf16>, tensor<8x12x4096x64xf16>)
      mask(%m : !stof.mask<4096x4096>) outs(%q : tensor<8x12x4096x64xf16>) -> tensor<8x12x4096x64xf16>
  return %o : tensor<8x12x4096x64xf16>
}
func.func @dilated_of_any_length(%q: tensor<1x12x?x64xf16>) -> tensor<1x12x?x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c512 = arith.constant 512 : index
    %d = arith.subi %i, %j : index
    %a = math.absi %d : index
    %r = arith.remui %a, %c8 : index
    %on = arith.cmpi eq, %r, %c0 : index
    %near = arith.cmpi ule, %a, %c512 : index
    %keep = arith.andi %on, %near : i1
    stof.yield %keep : i1
  } : !stof.mask<?x?>
  %o = stof.attention ins(%q, %q, %q : tensor<1x12x?x64xf16>, tensor<1x12x?x64xf16>, tensor<1x12x?x64xf16>)
      mask(%m : !stof.mask<?x?>) outs(%q : tensor<1x12x?x64xf16>) -> tensor<1x12x?x64xf16>
  return %o : tensor<1x12x?x64xf16>
}
func.func @dilated_of_length(%q: tensor<1x12x4096x64xf16>) -> tensor<1x12x4096x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c512 = arith.constant 512 : index
    %d = arith.subi %i, %j : index
    %a = math.absi %d : index
    %r = arith.remui %a, %c8 : index
    %on = arith.cmpi eq, %r, %c0 : index
    %near = arith.cmpi ule, %a, %c512 : index
    %keep = arith.andi %on, %near : i1
    stof.yield %keep : i1
  } : !stof.mask<4096x4096>
  %o = stof.attention ins(%q, %q, %q : tensor<1x12x4096x64xf16>, tensor<1x12x4096x64xf16>, tensor<1x12x4096x64xf16>)
      mask(%m : !stof.mask<4096x4096>) outs(%q : tensor<1x12x4096x64xf16>) -> tensor<1x12x4096x64xf16>
  return %o : tensor<1x12x4096x64xf16>
}

/// Equal masks of equal attentions, in any spelling, get equal tiles.

// CHECK-LABEL: func.func @twice(
// CHECK: tile <[[TILE:queries = [0-9]+, keys = [0-9]+, warps = [0-9]+[^>]*]]> layout
// CHECK: tile <[[TILE]]> layout
func.func @twice(%q: tensor<1x12x512x64xf16>) -> tensor<1x12x512x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.cmpi sle, %j, %i : index
    stof.yield %keep : i1
  } : !stof.mask<512x512>
  %n = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %true = arith.constant true
    %after = arith.cmpi sgt, %j, %i : index
    %keep = arith.xori %after, %true : i1
    stof.yield %keep : i1
  } : !stof.mask<512x512>
  %o = stof.attention ins(%q, %q, %q : tensor<1x12x512x64xf16>, tensor<1x12x512x64xf16>, tensor<1x12x512x64xf16>)
      mask(%m : !stof.mask<512x512>) outs(%q : tensor<1x12x512x64xf16>) -> tensor<1x12x512x64xf16>
  %p = stof.attention ins(%o, %o, %o : tensor<1x12x512x64xf16>, tensor<1x12x512x64xf16>, tensor<1x12x512x64xf16>)
      mask(%n : !stof.mask<512x512>) outs(%q : tensor<1x12x512x64xf16>) -> tensor<1x12x512x64xf16>
  return %p : tensor<1x12x512x64xf16>
}

/// Without a mask all tiles are counted.

// CHECK-LABEL: func.func @dense(
// CHECK: tile <
// LIST-LABEL: @dense for sm_90a
// LIST-NEXT: us bound
// LIST-NEXT: {{^\* }}
func.func @dense(%q: tensor<16x12x4096x64xf16>) -> tensor<16x12x4096x64xf16> {
  %o = stof.attention ins(%q, %q, %q : tensor<16x12x4096x64xf16>, tensor<16x12x4096x64xf16>, tensor<16x12x4096x64xf16>)
      outs(%q : tensor<16x12x4096x64xf16>) -> tensor<16x12x4096x64xf16>
  return %o : tensor<16x12x4096x64xf16>
}

/// A tile that divides keys among CTAs takes a second kernel, whose time counts.

// CHECK-LABEL: func.func @few(
// CHECK: tile <
// CHECK-NOT: splits
// CHECK: return
func.func @few(%q: tensor<1x12x1024x64xf16>) -> tensor<1x12x1024x64xf16> {
  %o = stof.attention ins(%q, %q, %q : tensor<1x12x1024x64xf16>, tensor<1x12x1024x64xf16>, tensor<1x12x1024x64xf16>)
      outs(%q : tensor<1x12x1024x64xf16>) -> tensor<1x12x1024x64xf16>
  return %o : tensor<1x12x1024x64xf16>
}

/// What the model does not know keeps the rules: heads that are dynamic, a score region, f32, wide heads, and a mask
/// of run-time data, whose tiles are not counted.

// CHECK-LABEL: func.func @dynamic(
// CHECK-NOT: tile <
// CHECK: layout <row_tile = 64, col_tile = 64,
func.func @dynamic(%q: tensor<1x?x4096x64xf16>) -> tensor<1x?x4096x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.cmpi sle, %j, %i : index
    stof.yield %keep : i1
  } : !stof.mask<4096x4096>
  %o = stof.attention ins(%q, %q, %q : tensor<1x?x4096x64xf16>, tensor<1x?x4096x64xf16>, tensor<1x?x4096x64xf16>)
      mask(%m : !stof.mask<4096x4096>) outs(%q : tensor<1x?x4096x64xf16>) -> tensor<1x?x4096x64xf16>
  return %o : tensor<1x?x4096x64xf16>
}

// CHECK-LABEL: func.func @score(
// CHECK-NOT: tile <
// CHECK: layout <row_tile = 64,
func.func @score(%q: tensor<1x12x512x64xf16>) -> tensor<1x12x512x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.cmpi sle, %j, %i : index
    stof.yield %keep : i1
  } : !stof.mask<512x512>
  %o = stof.attention ins(%q, %q, %q : tensor<1x12x512x64xf16>, tensor<1x12x512x64xf16>, tensor<1x12x512x64xf16>)
      mask(%m : !stof.mask<512x512>) outs(%q : tensor<1x12x512x64xf16>) score {
  ^bb0(%x: f32, %b_: index, %h_: index, %i_: index, %j_: index):
    %y = math.tanh %x : f32
    stof.yield %y : f32
  } -> tensor<1x12x512x64xf16>
  return %o : tensor<1x12x512x64xf16>
}

// CHECK-LABEL: func.func @single(
// CHECK-NOT: tile <
// CHECK: layout <row_tile = 64,
func.func @single(%q: tensor<1x12x512x64xf32>) -> tensor<1x12x512x64xf32> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.cmpi sle, %j, %i : index
    stof.yield %keep : i1
  } : !stof.mask<512x512>
  %o = stof.attention ins(%q, %q, %q : tensor<1x12x512x64xf32>, tensor<1x12x512x64xf32>, tensor<1x12x512x64xf32>)
      mask(%m : !stof.mask<512x512>) outs(%q : tensor<1x12x512x64xf32>) -> tensor<1x12x512x64xf32>
  return %o : tensor<1x12x512x64xf32>
}

// CHECK-LABEL: func.func @wide(
// CHECK-NOT: tile <
// CHECK: layout <row_tile = 64,
func.func @wide(%q: tensor<1x12x512x256xf16>) -> tensor<1x12x512x256xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.cmpi sle, %j, %i : index
    stof.yield %keep : i1
  } : !stof.mask<512x512>
  %o = stof.attention ins(%q, %q, %q : tensor<1x12x512x256xf16>, tensor<1x12x512x256xf16>, tensor<1x12x512x256xf16>)
      mask(%m : !stof.mask<512x512>) outs(%q : tensor<1x12x512x256xf16>) -> tensor<1x12x512x256xf16>
  return %o : tensor<1x12x512x256xf16>
}

// CHECK-LABEL: func.func @run_time(
// CHECK-NOT: tile <
// CHECK: layout <row_tile = 64,
func.func @run_time(%q: tensor<1x12x512x64xf16>, %n: tensor<512xi32>) -> tensor<1x12x512x64xf16> {
  %m = stof.mask captures(%n : tensor<512xi32>) {
  ^bb0(%b: index, %h: index, %i: index, %j: index, %t: tensor<512xi32>):
    %x = tensor.extract %t[%i] : tensor<512xi32>
    %y = tensor.extract %t[%j] : tensor<512xi32>
    %keep = arith.cmpi eq, %x, %y : i32
    stof.yield %keep : i1
  } : !stof.mask<512x512>
  %o = stof.attention ins(%q, %q, %q : tensor<1x12x512x64xf16>, tensor<1x12x512x64xf16>, tensor<1x12x512x64xf16>)
      mask(%m : !stof.mask<512x512>) outs(%q : tensor<1x12x512x64xf16>) -> tensor<1x12x512x64xf16>
  return %o : tensor<1x12x512x64xf16>
}

/// A mask that the function does not define.

// CHECK-LABEL: func.func @undefined(
// CHECK-NOT: tile <
// CHECK: return
func.func @undefined(%q: tensor<1x12x512x64xf16>, %m: !stof.mask<512x512>) -> tensor<1x12x512x64xf16> {
  %o = stof.attention ins(%q, %q, %q : tensor<1x12x512x64xf16>, tensor<1x12x512x64xf16>, tensor<1x12x512x64xf16>)
      mask(%m : !stof.mask<512x512>) outs(%q : tensor<1x12x512x64xf16>) -> tensor<1x12x512x64xf16>
  return %o : tensor<1x12x512x64xf16>
}

/// A given tile stays, and so does the tile for which a given schedule orders the rows.

// CHECK-LABEL: func.func @given(
// CHECK: tile <queries = 32, keys = 32, warps = 2> layout <row_tile = 32, col_tile = 32,
func.func @given(%q: tensor<1x12x512x64xf16>) -> tensor<1x12x512x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.cmpi sle, %j, %i : index
    stof.yield %keep : i1
  } : !stof.mask<512x512>
  %o = stof.attention ins(%q, %q, %q : tensor<1x12x512x64xf16>, tensor<1x12x512x64xf16>, tensor<1x12x512x64xf16>)
      mask(%m : !stof.mask<512x512>) tile <queries = 32, keys = 32, warps = 2> outs(%q : tensor<1x12x512x64xf16>) -> tensor<1x12x512x64xf16>
  return %o : tensor<1x12x512x64xf16>
}

// CHECK-LABEL: func.func @ordered(
// CHECK-NOT: tile <
// CHECK: schedule <reversed = true>
func.func @ordered(%q: tensor<16x12x4096x64xf16>) -> tensor<16x12x4096x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.cmpi sle, %j, %i : index
    stof.yield %keep : i1
  } : !stof.mask<4096x4096>
  %o = stof.attention ins(%q, %q, %q : tensor<16x12x4096x64xf16>, tensor<16x12x4096x64xf16>, tensor<16x12x4096x64xf16>)
      mask(%m : !stof.mask<4096x4096>) schedule <reversed = true> outs(%q : tensor<16x12x4096x64xf16>) -> tensor<16x12x4096x64xf16>
  return %o : tensor<16x12x4096x64xf16>
}
