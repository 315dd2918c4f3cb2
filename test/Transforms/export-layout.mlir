// RUN: rm -rf %t && mkdir %t
// RUN: stof-opt %s --stof-export-layout=file=%t/layouts.json --remarks-filter="stof-export.*" -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %python %S/Inputs/check_export.py %t/layouts.json | FileCheck %s
// RUN: not stof-opt %s --stof-export-layout=file=%t/no/layouts.json -o /dev/null 2>&1 | FileCheck %s --check-prefix=NOFILE

// CHECK: 0 wrong
// NOFILE: error: cannot export layouts: {{.*}}layouts.json

/// The worked example of the paper (figure 6): 0 is an empty, 1 a full, 2 a partial
/// tile, here a triangle.

func.func @figure(%q: tensor<2x3x256x64xf16>) -> tensor<2x3x256x64xf16> {
  %kinds = arith.constant dense<[[1, 2, 0, 2], [1, 1, 2, 0], [1, 2, 1, 2], [1, 0, 2, 1]]> : tensor<4x4xi8>
  %m = stof.mask captures(%kinds : tensor<4x4xi8>) {
  ^bb0(%b: index, %h: index, %i: index, %j: index, %table: tensor<4x4xi8>):
    %c64 = arith.constant 64 : index
    %c1 = arith.constant 1 : i8
    %c2 = arith.constant 2 : i8
    %row = arith.divui %i, %c64 : index
    %column = arith.divui %j, %c64 : index
    %kind = tensor.extract %table[%row, %column] : tensor<4x4xi8>
    %full = arith.cmpi eq, %kind, %c1 : i8
    %partial = arith.cmpi eq, %kind, %c2 : i8
    %x = arith.remui %i, %c64 : index
    %y = arith.remui %j, %c64 : index
    %triangle = arith.cmpi sge, %x, %y : index
    %some = arith.andi %partial, %triangle : i1
    %keep = arith.ori %full, %some : i1
    stof.yield %keep : i1
  } : !stof.mask<256x256>
  %o = stof.attention ins(%q, %q, %q : tensor<2x3x256x64xf16>, tensor<2x3x256x64xf16>, tensor<2x3x256x64xf16>)
      mask(%m : !stof.mask<256x256>) outs(%q : tensor<2x3x256x64xf16>) -> tensor<2x3x256x64xf16>
  return %o : tensor<2x3x256x64xf16>
}

/// Lengths that fill no tile, and a mask of each head.

func.func @heads(%q: tensor<1x2x100x64xf16>, %k: tensor<1x2x70x64xf16>) -> tensor<1x2x100x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %c10 = arith.constant 10 : index
    %shift = arith.muli %h, %c10 : index
    %x = arith.addi %i, %shift : index
    %keep = arith.cmpi sge, %x, %j : index
    stof.yield %keep : i1
  } : !stof.mask<100x70>
  %o = stof.attention ins(%q, %k, %k : tensor<1x2x100x64xf16>, tensor<1x2x70x64xf16>, tensor<1x2x70x64xf16>)
      mask(%m : !stof.mask<100x70>) outs(%q : tensor<1x2x100x64xf16>) -> tensor<1x2x100x64xf16>
  return %o : tensor<1x2x100x64xf16>
}

// REMARK: remark: [Missed] ExportedLayout | Category:stof-export-layout | Reason="its sizes are known at run time"
func.func @dynamic(%q: tensor<1x2x?x64xf16>) -> tensor<1x2x?x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.cmpi sge, %i, %j : index
    stof.yield %keep : i1
  } : !stof.mask<?x?>
  %o = stof.attention ins(%q, %q, %q : tensor<1x2x?x64xf16>, tensor<1x2x?x64xf16>, tensor<1x2x?x64xf16>)
      mask(%m : !stof.mask<?x?>) outs(%q : tensor<1x2x?x64xf16>) -> tensor<1x2x?x64xf16>
  return %o : tensor<1x2x?x64xf16>
}

// REMARK: Reason="its blocks are known at run time"
func.func @blocks(%q: tensor<1x1x128x64xf16>, %rows: tensor<3xi32>, %columns: tensor<?xi32>) -> tensor<1x1x128x64xf16> {
  %m = stof.block_mask %rows, %columns block(64, 64) : tensor<3xi32>, tensor<?xi32> -> !stof.mask<128x128>
  %o = stof.attention ins(%q, %q, %q : tensor<1x1x128x64xf16>, tensor<1x1x128x64xf16>, tensor<1x1x128x64xf16>)
      mask(%m : !stof.mask<128x128>) outs(%q : tensor<1x1x128x64xf16>) -> tensor<1x1x128x64xf16>
  return %o : tensor<1x1x128x64xf16>
}

// REMARK: Reason="scalar cannot be evaluated at compile time"
func.func @captured(%q: tensor<1x1x128x64xf16>, %w: index) -> tensor<1x1x128x64xf16> {
  %m = stof.mask captures(%w : index) {
  ^bb0(%b: index, %h: index, %i: index, %j: index, %w_: index):
    %keep = arith.cmpi sge, %i, %w_ : index
    stof.yield %keep : i1
  } : !stof.mask<128x128>
  %o = stof.attention ins(%q, %q, %q : tensor<1x1x128x64xf16>, tensor<1x1x128x64xf16>, tensor<1x1x128x64xf16>)
      mask(%m : !stof.mask<128x128>) outs(%q : tensor<1x1x128x64xf16>) -> tensor<1x1x128x64xf16>
  return %o : tensor<1x1x128x64xf16>
}

/// More tiles than anybody would store.

// REMARK: Reason="it touches too many tiles to list them"
func.func @huge(%q: tensor<1x1x262144x64xf16>) -> tensor<1x1x262144x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.cmpi sge, %i, %j : index
    stof.yield %keep : i1
  } : !stof.mask<262144x262144>
  %o = stof.attention ins(%q, %q, %q : tensor<1x1x262144x64xf16>, tensor<1x1x262144x64xf16>, tensor<1x1x262144x64xf16>)
      mask(%m : !stof.mask<262144x262144>) outs(%q : tensor<1x1x262144x64xf16>) -> tensor<1x1x262144x64xf16>
  return %o : tensor<1x1x262144x64xf16>
}

// REMARK: Reason="its mask is not defined by a mask operation"
func.func @argument(%q: tensor<1x1x128x64xf16>, %m: !stof.mask<128x128>) -> tensor<1x1x128x64xf16> {
  %o = stof.attention ins(%q, %q, %q : tensor<1x1x128x64xf16>, tensor<1x1x128x64xf16>, tensor<1x1x128x64xf16>)
      mask(%m : !stof.mask<128x128>) outs(%q : tensor<1x1x128x64xf16>) -> tensor<1x1x128x64xf16>
  return %o : tensor<1x1x128x64xf16>
}
