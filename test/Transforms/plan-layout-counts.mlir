// RUN: stof-opt %s --stof-plan-layout="row-tile=64 col-tile=64" --remarks-filter="stof.*" --split-input-file -o /dev/null 2>&1 | FileCheck %s
// RUN: stof-opt %s --stof-plan-layout="row-tile=64 col-tile=64" --split-input-file --mlir-print-local-scope | FileCheck %s --check-prefix=IR

/// A sum over row tiles whose summands grow evenly is closed. The last tile on the diagonal is full if it has one query.

// CHECK: Empty="floordiv(ceildiv(Sq, 64) * ceildiv(Sq, 64) - ceildiv(Sq, 64), 2)", Full="floordiv(ceildiv(Sq, 64) * ceildiv(Sq, 64) + ceildiv(Sq, 64) - floordiv(Sq + 62, 64) * 2, 2)", Nonzeros="floordiv(Sq * Sq + Sq, 2)", Partial="floordiv(Sq + 62, 64)"
// IR-LABEL: func.func @causal
// IR: nonzeros = ["floordiv", ["+", ["*", "Sq", "Sq"], "Sq"], 2]
func.func @causal(%x: tensor<1x1x?x64xf16>) -> tensor<1x1x?x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.cmpi sle, %j, %i : index
    stof.yield %keep : i1
  } : !stof.mask<?x?>
  %o = stof.attention ins(%x, %x, %x : tensor<1x1x?x64xf16>, tensor<1x1x?x64xf16>, tensor<1x1x?x64xf16>)
      mask(%m : !stof.mask<?x?>) outs(%x : tensor<1x1x?x64xf16>) -> tensor<1x1x?x64xf16>
  return %o : tensor<1x1x?x64xf16>
}

// -----

/// What the host knows of a mask is a symbol as well, and the layout says which operand it is.

// CHECK: Nonzeros="Sq * max(0, min(Sk, c0))"
// IR-LABEL: func.func @prefix
// IR: symbols = {c0 = 0 : i64}
func.func @prefix(%q: tensor<1x1x?x64xf16>, %k: tensor<1x1x?x64xf16>, %w: index) -> tensor<1x1x?x64xf16> {
  %m = stof.mask captures(%w : index) {
  ^bb0(%b: index, %h: index, %i: index, %j: index, %most: index):
    %keep = arith.cmpi slt, %j, %most : index
    stof.yield %keep : i1
  } : !stof.mask<?x?>
  %o = stof.attention ins(%q, %k, %k : tensor<1x1x?x64xf16>, tensor<1x1x?x64xf16>, tensor<1x1x?x64xf16>)
      mask(%m : !stof.mask<?x?>) outs(%q : tensor<1x1x?x64xf16>) -> tensor<1x1x?x64xf16>
  return %o : tensor<1x1x?x64xf16>
}

// -----

/// Where floors do not grow evenly a sum stays.

// CHECK: Nonzeros="{{.*}}sum(i0 < {{.*}}: floordiv(i0, 3)){{.*}}"
func.func @slope(%q: tensor<1x1x?x64xf16>, %k: tensor<1x1x?x64xf16>) -> tensor<1x1x?x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %c3 = arith.constant 3 : index
    %third = arith.divui %i, %c3 : index
    %keep = arith.cmpi sle, %j, %third : index
    stof.yield %keep : i1
  } : !stof.mask<?x?>
  %o = stof.attention ins(%q, %k, %k : tensor<1x1x?x64xf16>, tensor<1x1x?x64xf16>, tensor<1x1x?x64xf16>)
      mask(%m : !stof.mask<?x?>) outs(%q : tensor<1x1x?x64xf16>) -> tensor<1x1x?x64xf16>
  return %o : tensor<1x1x?x64xf16>
}

// -----

/// A number that only the device reads has no name on the host.

// CHECK: Unknown="the mask depends on captured numbers that are unknown on the host"
func.func @negative_padding(%x: tensor<2x1x?x64xf16>, %lengths: tensor<2xi32>) -> tensor<2x1x?x64xf16> {
  %m = stof.mask captures(%lengths : tensor<2xi32>) {
  ^bb0(%b: index, %h: index, %i: index, %j: index, %all: tensor<2xi32>):
    %length = tensor.extract %all[%b] : tensor<2xi32>
    %end = arith.index_cast %length : i32 to index
    %keep = arith.cmpi slt, %j, %end : index
    stof.yield %keep : i1
  } : !stof.mask<?x?>
  %o = stof.attention ins(%x, %x, %x : tensor<2x1x?x64xf16>, tensor<2x1x?x64xf16>, tensor<2x1x?x64xf16>)
      mask(%m : !stof.mask<?x?>) outs(%x : tensor<2x1x?x64xf16>) -> tensor<2x1x?x64xf16>
  return %o : tensor<2x1x?x64xf16>
}

// -----

/// One mask is counted, not one for each head.

// CHECK: Unknown="the mask differs by batch or head"
func.func @negative_heads(%x: tensor<1x4x?x64xf16>) -> tensor<1x4x?x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %end = arith.addi %i, %h : index
    %keep = arith.cmpi sle, %j, %end : index
    stof.yield %keep : i1
  } : !stof.mask<?x?>
  %o = stof.attention ins(%x, %x, %x : tensor<1x4x?x64xf16>, tensor<1x4x?x64xf16>, tensor<1x4x?x64xf16>)
      mask(%m : !stof.mask<?x?>) outs(%x : tensor<1x4x?x64xf16>) -> tensor<1x4x?x64xf16>
  return %o : tensor<1x4x?x64xf16>
}

// -----

/// A part that is left to code keeps an unknown number of pairs.

// CHECK: Partial={{.*}}Unknown="a part of the mask is not affine"
func.func @negative_code(%x: tensor<1x1x128x64xf16>, %ids: tensor<128xi32>, %w: index) -> tensor<1x1x128x64xf16> {
  %m = stof.mask captures(%ids, %w : tensor<128xi32>, index) {
  ^bb0(%b: index, %h: index, %i: index, %j: index, %all: tensor<128xi32>, %most: index):
    %id = tensor.extract %all[%j] : tensor<128xi32>
    %own = tensor.extract %all[%i] : tensor<128xi32>
    %same = arith.cmpi eq, %id, %own : i32
    %past = arith.cmpi slt, %j, %most : index
    %keep = arith.andi %same, %past : i1
    stof.yield %keep : i1
  } : !stof.mask<128x128>
  %o = stof.attention ins(%x, %x, %x : tensor<1x1x128x64xf16>, tensor<1x1x128x64xf16>, tensor<1x1x128x64xf16>)
      mask(%m : !stof.mask<128x128>) outs(%x : tensor<1x1x128x64xf16>) -> tensor<1x1x128x64xf16>
  return %o : tensor<1x1x128x64xf16>
}

// -----

/// Keys behind those of a cache are as many as both.

// CHECK: Empty="ceildiv(Sq, 64) * ceildiv(Sq + c0, 64) - (c0 <= 2147483647) * (0 <= c0) * sum(i0 < ceildiv(Sq, 64): min(i0 + ceildiv(c0, 64) + 1, ceildiv(Sq + c0, 64)))"
// CHECK-SAME: Nonzeros="floordiv(Sq * Sq * (c0 <= 2147483647) * (0 <= c0) + Sq * c0 * (c0 <= 2147483647) * (0 <= c0) * 2 + Sq * (c0 <= 2147483647) * (0 <= c0), 2)"
// IR-LABEL: func.func @behind_cache
func.func @behind_cache(%q: tensor<1x1x?x64xf16>, %past: tensor<1x1x?x64xf16>) -> tensor<1x1x?x64xf16> {
  %c2 = arith.constant 2 : index
  %k = tensor.concat dim(2) %past, %q : (tensor<1x1x?x64xf16>, tensor<1x1x?x64xf16>) -> tensor<1x1x?x64xf16>
  %p = tensor.dim %past, %c2 : tensor<1x1x?x64xf16>
  %m = stof.mask captures(%p : index) {
  ^bb0(%b: index, %h: index, %i: index, %j: index, %first: index):
    %at = arith.addi %i, %first : index
    %keep = arith.cmpi sle, %j, %at : index
    stof.yield %keep : i1
  } : !stof.mask<?x?>
  %o = stof.attention ins(%q, %k, %k : tensor<1x1x?x64xf16>, tensor<1x1x?x64xf16>, tensor<1x1x?x64xf16>)
      mask(%m : !stof.mask<?x?>) outs(%q : tensor<1x1x?x64xf16>) -> tensor<1x1x?x64xf16>
  return %o : tensor<1x1x?x64xf16>
}

// -----

/// Lengths that are known are counted, whatever a type says.

// CHECK: Empty=1, Full=1, Nonzeros=8256, Partial=2
// IR-LABEL: func.func @cast
func.func @cast(%static: tensor<1x1x128x64xf16>) -> tensor<1x1x?x64xf16> {
  %x = tensor.cast %static : tensor<1x1x128x64xf16> to tensor<1x1x?x64xf16>
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.cmpi sle, %j, %i : index
    stof.yield %keep : i1
  } : !stof.mask<?x?>
  %o = stof.attention ins(%x, %x, %x : tensor<1x1x?x64xf16>, tensor<1x1x?x64xf16>, tensor<1x1x?x64xf16>)
      mask(%m : !stof.mask<?x?>) outs(%x : tensor<1x1x?x64xf16>) -> tensor<1x1x?x64xf16>
  return %o : tensor<1x1x?x64xf16>
}

// -----

/// A constant without elements bounds nothing: the mask stays code.

// CHECK: Code="
// IR-LABEL: func.func @no_elements
func.func @no_elements(%x: tensor<1x1x64x64xf16>) -> tensor<1x1x64x64xf16> {
  %t = arith.constant dense<> : tensor<0xi64>
  %m = stof.mask captures(%t : tensor<0xi64>) {
  ^bb0(%b: index, %h: index, %i: index, %j: index, %in: tensor<0xi64>):
    %v = tensor.extract %in[%j] : tensor<0xi64>
    %w = arith.index_cast %v : i64 to index
    %keep = arith.cmpi sle, %w, %i : index
    stof.yield %keep : i1
  } : !stof.mask<64x64>
  %o = stof.attention ins(%x, %x, %x : tensor<1x1x64x64xf16>, tensor<1x1x64x64xf16>, tensor<1x1x64x64xf16>)
      mask(%m : !stof.mask<64x64>) outs(%x : tensor<1x1x64x64xf16>) -> tensor<1x1x64x64xf16>
  return %o : tensor<1x1x64x64xf16>
}
