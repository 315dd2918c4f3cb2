// RUN: stof-opt %s --stof-plan-layout=digest --remarks-filter="stof.*" --split-input-file -o /dev/null 2>&1 | FileCheck %s

/// Counts are those of one mask, not of all heads.

// CHECK: remark: [Analysis] PlannedLayout | Category:stof-plan-layout | ColTile=64, Digest={{[0-9a-f]+}}, Empty=6, Full=6, Nonzeros=32896, Partial=4, RowTile=64, Set="k <= q", Storage=closed_form
func.func @counts(%q: tensor<2x8x256x64xf16>, %k: tensor<2x8x256x64xf16>) -> tensor<2x8x256x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.cmpi sle, %j, %i : index
    stof.yield %keep : i1
  } : !stof.mask<256x256>
  %o = stof.attention ins(%q, %k, %k : tensor<2x8x256x64xf16>, tensor<2x8x256x64xf16>, tensor<2x8x256x64xf16>)
      mask(%m : !stof.mask<256x256>) outs(%q : tensor<2x8x256x64xf16>) -> tensor<2x8x256x64xf16>
  return %o : tensor<2x8x256x64xf16>
}

// -----

/// Counts that depend on what is known at run time only are expressions of it.

// CHECK: remark: [Analysis] PlannedLayout | Category:stof-plan-layout | ColTile=64, Digest={{[0-9a-f]+}}, Empty="{{.*}}c0{{.*}}", Full={{.*}}, RowTile=64, Set="q - k < c0 and k <= q", Storage=closed_form
func.func @run_time(%q: tensor<1x1x4096x64xf16>, %k: tensor<1x1x4096x64xf16>, %w: index) -> tensor<1x1x4096x64xf16> {
  %m = stof.mask captures(%w : index) {
  ^bb0(%b: index, %h: index, %i: index, %j: index, %w_: index):
    %zero = arith.constant 0 : index
    %d = arith.subi %i, %j : index
    %near = arith.cmpi slt, %d, %w_ : index
    %past = arith.cmpi sge, %d, %zero : index
    %keep = arith.andi %near, %past : i1
    stof.yield %keep : i1
  } : !stof.mask<4096x4096>
  %o = stof.attention ins(%q, %k, %k : tensor<1x1x4096x64xf16>, tensor<1x1x4096x64xf16>, tensor<1x1x4096x64xf16>)
      mask(%m : !stof.mask<4096x4096>) outs(%q : tensor<1x1x4096x64xf16>) -> tensor<1x1x4096x64xf16>
  return %o : tensor<1x1x4096x64xf16>
}

// -----

/// What is not affine stays code: tiles are counted, pairs are not.

// CHECK: remark: [Analysis] PlannedLayout | Category:stof-plan-layout | Code="cmpi{0}(int(element(var<2>)), int(element(var<3>)))", ColTile=64, Digest={{[0-9a-f]+}}, Empty=6, Full=0, Partial=10, RowTile=64, Set="k <= q", Storage=closed_form
func.func @code(%q: tensor<1x1x256x64xf16>, %k: tensor<1x1x256x64xf16>, %ids: tensor<256xi32>) -> tensor<1x1x256x64xf16> {
  %m = stof.mask captures(%ids : tensor<256xi32>) {
  ^bb0(%b: index, %h: index, %i: index, %j: index, %ids_: tensor<256xi32>):
    %x = tensor.extract %ids_[%i] : tensor<256xi32>
    %y = tensor.extract %ids_[%j] : tensor<256xi32>
    %same = arith.cmpi eq, %x, %y : i32
    %causal = arith.cmpi sle, %j, %i : index
    %keep = arith.andi %same, %causal : i1
    stof.yield %keep : i1
  } : !stof.mask<256x256>
  %o = stof.attention ins(%q, %k, %k : tensor<1x1x256x64xf16>, tensor<1x1x256x64xf16>, tensor<1x1x256x64xf16>)
      mask(%m : !stof.mask<256x256>) outs(%q : tensor<1x1x256x64xf16>) -> tensor<1x1x256x64xf16>
  return %o : tensor<1x1x256x64xf16>
}

// -----

/// Whether a tile holds a pair is no matter of intervals: the tiles are listed.

// CHECK: remark: [Analysis] PlannedLayout | Category:stof-plan-layout | ColTile=64, Digest={{[0-9a-f]+}}, Empty=10, Full=0, Nonzeros=52, Partial=6, RowTile=64, Set="3 q = 5 k", Storage=tables
func.func @listed(%q: tensor<1x1x256x64xf16>, %k: tensor<1x1x256x64xf16>) -> tensor<1x1x256x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %c3 = arith.constant 300 : index
    %c5 = arith.constant 500 : index
    %x = arith.muli %i, %c3 : index
    %y = arith.muli %j, %c5 : index
    %keep = arith.cmpi eq, %x, %y : index
    stof.yield %keep : i1
  } : !stof.mask<256x256>
  %o = stof.attention ins(%q, %k, %k : tensor<1x1x256x64xf16>, tensor<1x1x256x64xf16>, tensor<1x1x256x64xf16>)
      mask(%m : !stof.mask<256x256>) outs(%q : tensor<1x1x256x64xf16>) -> tensor<1x1x256x64xf16>
  return %o : tensor<1x1x256x64xf16>
}

// -----

/// No operand is a product of a head and what the mask captures.

// CHECK: remark: [Analysis] PlannedLayout | Category:stof-plan-layout | ColTile=64, Digest={{[0-9a-f]+}}, NoClosedForm="its tiles depend on mul(var<1>, scalar), which cannot be a layout operand, and scalar cannot be evaluated at compile time", RowTile=64, Set="q - k <= c0", Storage=closed_form
func.func @product(%q: tensor<1x4x256x64xf16>, %k: tensor<1x4x256x64xf16>, %w: index) -> tensor<1x4x256x64xf16> {
  %m = stof.mask captures(%w : index) {
  ^bb0(%b: index, %h: index, %i: index, %j: index, %w_: index):
    %hw = arith.muli %h, %w_ : index
    %d = arith.subi %i, %j : index
    %keep = arith.cmpi sle, %d, %hw : index
    stof.yield %keep : i1
  } : !stof.mask<256x256>
  %o = stof.attention ins(%q, %k, %k : tensor<1x4x256x64xf16>, tensor<1x4x256x64xf16>, tensor<1x4x256x64xf16>)
      mask(%m : !stof.mask<256x256>) outs(%q : tensor<1x4x256x64xf16>) -> tensor<1x4x256x64xf16>
  return %o : tensor<1x4x256x64xf16>
}

// -----

/// A list of blocks is data.

// CHECK: remark: [Analysis] PlannedLayout | Category:stof-plan-layout | ColTile=64, NoClosedForm="its blocks are known at run time", RowTile=64, Storage=run_time
func.func @block_list(%q: tensor<1x1x128x64xf16>, %rows: tensor<3xi32>, %columns: tensor<?xi32>) -> tensor<1x1x128x64xf16> {
  %m = stof.block_mask %rows, %columns block(64, 64) : tensor<3xi32>, tensor<?xi32> -> !stof.mask<128x128>
  %o = stof.attention ins(%q, %q, %q : tensor<1x1x128x64xf16>, tensor<1x1x128x64xf16>, tensor<1x1x128x64xf16>)
      mask(%m : !stof.mask<128x128>) outs(%q : tensor<1x1x128x64xf16>) -> tensor<1x1x128x64xf16>
  return %o : tensor<1x1x128x64xf16>
}

// -----

/// A set says what it keeps: remainders,

// CHECK: Set="k mod 9 <= 2", Storage=
func.func @remainders(%q: tensor<2x2x256x64xf16>, %k: tensor<2x2x256x64xf16>) -> tensor<2x2x256x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %c9 = arith.constant 9 : index
    %c3 = arith.constant 3 : index
    %r = arith.remui %j, %c9 : index
    %keep = arith.cmpi slt, %r, %c3 : index
    stof.yield %keep : i1
  } : !stof.mask<256x256>
  %o = stof.attention ins(%q, %k, %k : tensor<2x2x256x64xf16>, tensor<2x2x256x64xf16>, tensor<2x2x256x64xf16>)
      mask(%m : !stof.mask<256x256>) outs(%q : tensor<2x2x256x64xf16>) -> tensor<2x2x256x64xf16>
  return %o : tensor<2x2x256x64xf16>
}

// -----

/// of a distance,

// CHECK: Set="(q - k) mod 4 = 1", Storage=
func.func @dilated(%q: tensor<2x2x256x64xf16>, %k: tensor<2x2x256x64xf16>) -> tensor<2x2x256x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %c4 = arith.constant 4 : index
    %c1 = arith.constant 1 : index
    %d = arith.subi %i, %j : index
    %x = arith.floordivsi %d, %c4 : index
    %y = arith.muli %x, %c4 : index
    %r = arith.subi %d, %y : index
    %keep = arith.cmpi eq, %r, %c1 : index
    stof.yield %keep : i1
  } : !stof.mask<256x256>
  %o = stof.attention ins(%q, %k, %k : tensor<2x2x256x64xf16>, tensor<2x2x256x64xf16>, tensor<2x2x256x64xf16>)
      mask(%m : !stof.mask<256x256>) outs(%q : tensor<2x2x256x64xf16>) -> tensor<2x2x256x64xf16>
  return %o : tensor<2x2x256x64xf16>
}

// -----

/// quotients,

// CHECK: Set="floor(k / 32) <= floor(q / 96)", Storage=
func.func @divisions(%q: tensor<2x2x256x64xf16>, %k: tensor<2x2x256x64xf16>) -> tensor<2x2x256x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %c96 = arith.constant 96 : index
    %c32 = arith.constant 32 : index
    %x = arith.divui %i, %c96 : index
    %y = arith.divui %j, %c32 : index
    %keep = arith.cmpi sle, %y, %x : index
    stof.yield %keep : i1
  } : !stof.mask<256x256>
  %o = stof.attention ins(%q, %k, %k : tensor<2x2x256x64xf16>, tensor<2x2x256x64xf16>, tensor<2x2x256x64xf16>)
      mask(%m : !stof.mask<256x256>) outs(%q : tensor<2x2x256x64xf16>) -> tensor<2x2x256x64xf16>
  return %o : tensor<2x2x256x64xf16>
}

// -----

/// or nothing.

// CHECK: Set=none, Storage=
func.func @nothing(%q: tensor<2x2x256x64xf16>, %k: tensor<2x2x256x64xf16>) -> tensor<2x2x256x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %c300 = arith.constant 300 : index
    %keep = arith.cmpi sge, %j, %c300 : index
    stof.yield %keep : i1
  } : !stof.mask<256x256>
  %o = stof.attention ins(%q, %k, %k : tensor<2x2x256x64xf16>, tensor<2x2x256x64xf16>, tensor<2x2x256x64xf16>)
      mask(%m : !stof.mask<256x256>) outs(%q : tensor<2x2x256x64xf16>) -> tensor<2x2x256x64xf16>
  return %o : tensor<2x2x256x64xf16>
}

// -----

/// A mask of more conditions than are tried out has the digest of its predicate.

// CHECK: remark: [Analysis] PlannedLayout | Category:stof-plan-layout | Code={{.*}}, ColTile=64, DigestOfText={{[0-9a-f]+}},
func.func @conditions(%q: tensor<1x1x256x64xf16>, %flags: tensor<5x256xi1>) -> tensor<1x1x256x64xf16> {
  %m = stof.mask captures(%flags : tensor<5x256xi1>) {
  ^bb0(%b: index, %h: index, %i: index, %j: index, %f: tensor<5x256xi1>):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %0 = tensor.extract %f[%c0, %i] : tensor<5x256xi1>
    %1 = tensor.extract %f[%c1, %i] : tensor<5x256xi1>
    %2 = tensor.extract %f[%c2, %i] : tensor<5x256xi1>
    %3 = tensor.extract %f[%c3, %j] : tensor<5x256xi1>
    %4 = tensor.extract %f[%c4, %j] : tensor<5x256xi1>
    %5 = arith.xori %0, %1 : i1
    %6 = arith.xori %2, %3 : i1
    %7 = arith.andi %5, %6 : i1
    %keep = arith.ori %7, %4 : i1
    stof.yield %keep : i1
  } : !stof.mask<256x256>
  %o = stof.attention ins(%q, %q, %q : tensor<1x1x256x64xf16>, tensor<1x1x256x64xf16>, tensor<1x1x256x64xf16>)
      mask(%m : !stof.mask<256x256>) outs(%q : tensor<1x1x256x64xf16>) -> tensor<1x1x256x64xf16>
  return %o : tensor<1x1x256x64xf16>
}

// -----

/// What an operation with regions computes is taken to differ from pair to pair.

// CHECK: remark: [Analysis] PlannedLayout | Category:stof-plan-layout | Code={{.*}}scf.if{{.*}}, ColTile=64, {{.*}}Set=all, Storage=closed_form
func.func @branches(%q: tensor<1x1x256x64xf16>, %w: index) -> tensor<1x1x256x64xf16> {
  %m = stof.mask captures(%w : index) {
  ^bb0(%b: index, %h: index, %i: index, %j: index, %width: index):
    %near = arith.cmpi slt, %i, %width : index
    %last = scf.if %near -> index {
      scf.yield %i : index
    } else {
      %next = arith.addi %i, %width : index
      scf.yield %next : index
    }
    %keep = arith.cmpi sle, %j, %last : index
    stof.yield %keep : i1
  } : !stof.mask<256x256>
  %o = stof.attention ins(%q, %q, %q : tensor<1x1x256x64xf16>, tensor<1x1x256x64xf16>, tensor<1x1x256x64xf16>)
      mask(%m : !stof.mask<256x256>) outs(%q : tensor<1x1x256x64xf16>) -> tensor<1x1x256x64xf16>
  return %o : tensor<1x1x256x64xf16>
}
