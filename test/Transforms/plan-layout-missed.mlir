// RUN: stof-opt %s --stof-plan-layout --remarks-filter="stof.*" --split-input-file -o /dev/null 2>&1 | FileCheck %s --match-full-lines

/// Queries and keys are gathered up to a stride of 64.

// CHECK: {{.*}} remark: [Missed] PlannedLayout | Category:stof-plan-layout | Reason="queries and keys of stride 128 are not gathered into tiles, since the stride exceeds 64: 2048 are visited, but the unmasked positions would fill 32"
// CHECK: {{.*}} remark: [Analysis] PlannedLayout {{.*}} Storage=tables
func.func @wide_dilation(%q: tensor<1x1x4096x64xf16>) -> tensor<1x1x4096x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %c0 = arith.constant 0 : index
    %stride = arith.constant 128 : index
    %distance = arith.subi %i, %j : index
    %rest = arith.remsi %distance, %stride : index
    %keep = arith.cmpi eq, %rest, %c0 : index
    stof.yield %keep : i1
  } : !stof.mask<4096x4096>
  %o = stof.attention ins(%q, %q, %q : tensor<1x1x4096x64xf16>, tensor<1x1x4096x64xf16>, tensor<1x1x4096x64xf16>)
      mask(%m : !stof.mask<4096x4096>) outs(%q : tensor<1x1x4096x64xf16>) -> tensor<1x1x4096x64xf16>
  return %o : tensor<1x1x4096x64xf16>
}

// -----

/// Where that would take as many tiles nothing is missed.

// CHECK-NOT: {{.*}}[Missed]{{.*}}
// CHECK: {{.*}} remark: [Analysis] PlannedLayout {{.*}}
func.func @few_queries(%q: tensor<1x1x128x64xf16>, %k: tensor<1x1x4096x64xf16>) -> tensor<1x1x128x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %c0 = arith.constant 0 : index
    %stride = arith.constant 128 : index
    %distance = arith.subi %j, %i : index
    %rest = arith.remsi %distance, %stride : index
    %keep = arith.cmpi eq, %rest, %c0 : index
    stof.yield %keep : i1
  } : !stof.mask<128x4096>
  %o = stof.attention ins(%q, %k, %k : tensor<1x1x128x64xf16>, tensor<1x1x4096x64xf16>, tensor<1x1x4096x64xf16>)
      mask(%m : !stof.mask<128x4096>) outs(%q : tensor<1x1x128x64xf16>) -> tensor<1x1x128x64xf16>
  return %o : tensor<1x1x128x64xf16>
}

// -----

/// Keys of a small stride are gathered whatever the number of tiles,

// CHECK: {{.*}} remark: [Analysis] PlannedLayout {{.*}} Lattices=1,{{.*}}
func.func @unknown_lengths(%q: tensor<1x1x?x64xf16>) -> tensor<1x1x?x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %c0 = arith.constant 0 : index
    %stride = arith.constant 8 : index
    %rest = arith.remui %j, %stride : index
    %keep = arith.cmpi eq, %rest, %c0 : index
    stof.yield %keep : i1
  } : !stof.mask<?x?>
  %o = stof.attention ins(%q, %q, %q : tensor<1x1x?x64xf16>, tensor<1x1x?x64xf16>, tensor<1x1x?x64xf16>)
      mask(%m : !stof.mask<?x?>) outs(%q : tensor<1x1x?x64xf16>) -> tensor<1x1x?x64xf16>
  return %o : tensor<1x1x?x64xf16>
}

// -----

/// and of any stride as long as products with it are small.

// CHECK: {{.*}} remark: [Missed] PlannedLayout | Category:stof-plan-layout | Reason="keys of stride 1073741824 are not gathered into tiles, since their tiles have too large coefficients"
func.func @vast_stride(%q: tensor<1x1x?x64xf16>) -> tensor<1x1x?x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %r = arith.constant 3 : index
    %stride = arith.constant 1073741824 : index
    %c5 = arith.constant 5 : index
    %c3 = arith.constant 3 : index
    %rest = arith.remui %j, %stride : index
    %on = arith.cmpi eq, %rest, %r : index
    %x = arith.muli %i, %c3 : index
    %y = arith.muli %j, %c5 : index
    %past = arith.cmpi sle, %y, %x : index
    %keep = arith.andi %past, %on : i1
    stof.yield %keep : i1
  } : !stof.mask<?x?>
  %o = stof.attention ins(%q, %q, %q : tensor<1x1x?x64xf16>, tensor<1x1x?x64xf16>, tensor<1x1x?x64xf16>)
      mask(%m : !stof.mask<?x?>) outs(%q : tensor<1x1x?x64xf16>) -> tensor<1x1x?x64xf16>
  return %o : tensor<1x1x?x64xf16>
}

// -----

/// What is listed at run time is of adjacent positions,

// CHECK: {{.*}} remark: [Missed] PlannedLayout | Category:stof-plan-layout | Reason="its tiles are listed, which are of adjacent positions: strided positions are not gathered, up to 4096 tiles in place of 1024"
// CHECK: {{.*}} remark: [Analysis] PlannedLayout {{.*}} Storage=run_time
func.func @dilated_documents(%q: tensor<1x1x4096x64xf16>, %ids: tensor<4096xi32>) -> tensor<1x1x4096x64xf16> {
  %m = stof.mask captures(%ids : tensor<4096xi32>) {
  ^bb0(%b: index, %h: index, %i: index, %j: index, %in: tensor<4096xi32>):
    %x = tensor.extract %in[%i] : tensor<4096xi32>
    %y = tensor.extract %in[%j] : tensor<4096xi32>
    %same = arith.cmpi eq, %x, %y : i32
    %c0 = arith.constant 0 : index
    %stride = arith.constant 4 : index
    %distance = arith.subi %i, %j : index
    %rest = arith.remsi %distance, %stride : index
    %on = arith.cmpi eq, %rest, %c0 : index
    %keep = arith.andi %same, %on : i1
    stof.yield %keep : i1
  } : !stof.mask<4096x4096>
  %o = stof.attention ins(%q, %q, %q : tensor<1x1x4096x64xf16>, tensor<1x1x4096x64xf16>, tensor<1x1x4096x64xf16>)
      mask(%m : !stof.mask<4096x4096>) outs(%q : tensor<1x1x4096x64xf16>) -> tensor<1x1x4096x64xf16>
  return %o : tensor<1x1x4096x64xf16>
}

// -----

/// and short rows are not listed.

// CHECK: {{.*}} remark: [Missed] PlannedLayout | Category:stof-plan-layout | Reason="its tiles are not listed at run time, since a row has too few: 10 are visited"
func.func @short_documents(%q: tensor<1x1x256x64xf16>, %ids: tensor<256xi32>) -> tensor<1x1x256x64xf16> {
  %m = stof.mask captures(%ids : tensor<256xi32>) {
  ^bb0(%b: index, %h: index, %i: index, %j: index, %in: tensor<256xi32>):
    %x = tensor.extract %in[%i] : tensor<256xi32>
    %y = tensor.extract %in[%j] : tensor<256xi32>
    %same = arith.cmpi eq, %x, %y : i32
    %past = arith.cmpi sle, %j, %i : index
    %keep = arith.andi %same, %past : i1
    stof.yield %keep : i1
  } : !stof.mask<256x256>
  %o = stof.attention ins(%q, %q, %q : tensor<1x1x256x64xf16>, tensor<1x1x256x64xf16>, tensor<1x1x256x64xf16>)
      mask(%m : !stof.mask<256x256>) outs(%q : tensor<1x1x256x64xf16>) -> tensor<1x1x256x64xf16>
  return %o : tensor<1x1x256x64xf16>
}

// -----

/// Bounds that are wider than the mask stay where lengths are not known.

// CHECK: {{.*}} remark: [Missed] PlannedLayout | Category:stof-plan-layout | Reason="empty tiles may be visited, since extent<2> cannot be evaluated at compile time"
func.func @sparse_line(%q: tensor<1x1x?x64xf16>) -> tensor<1x1x?x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %c3 = arith.constant 300 : index
    %c5 = arith.constant 500 : index
    %x = arith.muli %i, %c3 : index
    %y = arith.muli %j, %c5 : index
    %keep = arith.cmpi eq, %x, %y : index
    stof.yield %keep : i1
  } : !stof.mask<?x?>
  %o = stof.attention ins(%q, %q, %q : tensor<1x1x?x64xf16>, tensor<1x1x?x64xf16>, tensor<1x1x?x64xf16>)
      mask(%m : !stof.mask<?x?>) outs(%q : tensor<1x1x?x64xf16>) -> tensor<1x1x?x64xf16>
  return %o : tensor<1x1x?x64xf16>
}

// -----

/// Constants of which arithmetic may wrap are code,

// CHECK: {{.*}} remark: [Missed] PlannedLayout | Category:stof-plan-layout | Reason="a part of its mask is left to code, since its constants are so large that arithmetic may wrap around"
func.func @large_constant(%q: tensor<1x1x320x64xf16>) -> tensor<1x1x320x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %c = arith.constant 4611686018427387904 : index
    %x = arith.muli %j, %c : index
    %keep = arith.cmpi sge, %x, %i : index
    stof.yield %keep : i1
  } : !stof.mask<320x320>
  %o = stof.attention ins(%q, %q, %q : tensor<1x1x320x64xf16>, tensor<1x1x320x64xf16>, tensor<1x1x320x64xf16>)
      mask(%m : !stof.mask<320x320>) outs(%q : tensor<1x1x320x64xf16>) -> tensor<1x1x320x64xf16>
  return %o : tensor<1x1x320x64xf16>
}

// -----

/// and so is a union of too many disjuncts.

// CHECK: {{.*}} remark: [Missed] PlannedLayout | Category:stof-plan-layout | Reason="a part of its mask is left to code, since it is a union of too many disjuncts"
func.func @many_pieces(%q: tensor<1x1x?x64xf16>, %w0: index, %w1: index, %w2: index, %w3: index, %w4: index, %w5: index, %w6: index) -> tensor<1x1x?x64xf16> {
  %m = stof.mask captures(%w0, %w1, %w2, %w3, %w4, %w5, %w6 : index, index, index, index, index, index, index) {
  ^bb0(%b: index, %h: index, %i: index, %j: index, %v0: index, %v1: index, %v2: index, %v3: index, %v4: index, %v5: index, %v6: index):
    %0 = arith.cmpi ne, %v0, %j : index
    %1 = arith.cmpi ne, %v1, %j : index
    %2 = arith.cmpi ne, %v2, %j : index
    %3 = arith.cmpi ne, %v3, %j : index
    %4 = arith.cmpi ne, %v4, %j : index
    %5 = arith.cmpi ne, %v5, %j : index
    %6 = arith.cmpi ne, %v6, %j : index
    %x1 = arith.andi %0, %1 : i1
    %x2 = arith.andi %x1, %2 : i1
    %x3 = arith.andi %x2, %3 : i1
    %x4 = arith.andi %x3, %4 : i1
    %x5 = arith.andi %x4, %5 : i1
    %x6 = arith.andi %x5, %6 : i1
    stof.yield %x6 : i1
  } : !stof.mask<?x?>
  %o = stof.attention ins(%q, %q, %q : tensor<1x1x?x64xf16>, tensor<1x1x?x64xf16>, tensor<1x1x?x64xf16>)
      mask(%m : !stof.mask<?x?>) outs(%q : tensor<1x1x?x64xf16>) -> tensor<1x1x?x64xf16>
  return %o : tensor<1x1x?x64xf16>
}

// -----

/// Tiles are listed as long as that takes a few seconds.

// CHECK: {{.*}} remark: [Missed] PlannedLayout | Category:stof-plan-layout | Reason="empty tiles may be visited, since it takes too long to list its tiles"{{ *}}
func.func @negative_list(%q: tensor<1x1x1048576x64xf16>) -> tensor<1x1x1048576x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %c48 = arith.constant 48 : index
    %c44 = arith.constant 44 : index
    %x = arith.divui %i, %c48 : index
    %y = arith.divui %j, %c48 : index
    %local = arith.cmpi eq, %x, %y : index
    %rest = arith.remui %j, %c48 : index
    %summary = arith.cmpi uge, %rest, %c44 : index
    %keep = arith.ori %local, %summary : i1
    stof.yield %keep : i1
  } : !stof.mask<1048576x1048576>
  %o = stof.attention ins(%q, %q, %q : tensor<1x1x1048576x64xf16>, tensor<1x1x1048576x64xf16>, tensor<1x1x1048576x64xf16>)
      mask(%m : !stof.mask<1048576x1048576>) outs(%q : tensor<1x1x1048576x64xf16>) -> tensor<1x1x1048576x64xf16>
  return %o : tensor<1x1x1048576x64xf16>
}

// -----

/// What an argument masks is not known.

// CHECK: {{.*}} remark: [Missed] PlannedLayout | Category:stof-plan-layout | Reason="its mask is not defined by a mask operation"
func.func @argument(%q: tensor<1x1x128x64xf16>, %m: !stof.mask<128x128>) -> tensor<1x1x128x64xf16> {
  %o = stof.attention ins(%q, %q, %q : tensor<1x1x128x64xf16>, tensor<1x1x128x64xf16>, tensor<1x1x128x64xf16>)
      mask(%m : !stof.mask<128x128>) outs(%q : tensor<1x1x128x64xf16>) -> tensor<1x1x128x64xf16>
  return %o : tensor<1x1x128x64xf16>
}
