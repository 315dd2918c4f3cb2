// REQUIRES: assertions
// RUN: stof-opt %s --stof-plan-layout --debug-only=stof-plan-layout --mlir-disable-threading -o /dev/null 2>&1 | FileCheck %s
// RUN: stof-opt %s --stof-plan-layout=chip=sm_90a --debug-only=stof-plan-layout --mlir-disable-threading -o /dev/null 2>&1 | FileCheck %s --check-prefix=TILES

/// --debug-only says which layouts are tried for a mask, and why they are refused.

// CHECK: mask at loc({{.*}}), closed predicate: k <= q
// CHECK: lattices: refused, since they save no tile
// CHECK: closed form: taken
func.func @causal(%q: tensor<1x1x512x64xf16>) -> tensor<1x1x512x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.cmpi sle, %j, %i : index
    stof.yield %keep : i1
  } : !stof.mask<512x512>
  %o = stof.attention ins(%q, %q, %q : tensor<1x1x512x64xf16>, tensor<1x1x512x64xf16>, tensor<1x1x512x64xf16>)
      mask(%m : !stof.mask<512x512>) outs(%q : tensor<1x1x512x64xf16>) -> tensor<1x1x512x64xf16>
  return %o : tensor<1x1x512x64xf16>
}

// CHECK: mask at loc({{.*}}), argument: k <= q
// CHECK: closed form: refused, since a part of the mask is left to code
// CHECK: tables: refused, since element({{.*}}) cannot be evaluated at compile time
// CHECK: list at run time: taken
func.func @segments(%q: tensor<1x1x512x64xf16>, %ids: tensor<512xi32>) -> tensor<1x1x512x64xf16> {
  %m = stof.mask captures(%ids : tensor<512xi32>) {
  ^bb0(%b: index, %h: index, %i: index, %j: index, %ids_: tensor<512xi32>):
    %x = tensor.extract %ids_[%i] : tensor<512xi32>
    %y = tensor.extract %ids_[%j] : tensor<512xi32>
    %same = arith.cmpi eq, %x, %y : i32
    %causal = arith.cmpi sle, %j, %i : index
    %keep = arith.andi %same, %causal : i1
    stof.yield %keep : i1
  } : !stof.mask<512x512>
  %o = stof.attention ins(%q, %q, %q : tensor<1x1x512x64xf16>, tensor<1x1x512x64xf16>, tensor<1x1x512x64xf16>)
      mask(%m : !stof.mask<512x512>) outs(%q : tensor<1x1x512x64xf16>) -> tensor<1x1x512x64xf16>
  return %o : tensor<1x1x512x64xf16>
}

/// Of a GPU, the tile is predicted once for equal attentions.

// TILES: tile at loc({{.*}}): predicted, #stof.attention_tile<
// TILES: tile at loc({{.*}}): predicted, none, since its tiles are not counted
// TILES: tile at loc({{.*}}): predicted, #stof.attention_tile<[[TILE:.*]]>
// TILES: tile at loc({{.*}}): as that of an equal attention, #stof.attention_tile<[[TILE]]>
func.func @layers(%q: tensor<1x1x512x64xf16>) -> tensor<1x1x512x64xf16> {
  %o = stof.attention ins(%q, %q, %q : tensor<1x1x512x64xf16>, tensor<1x1x512x64xf16>, tensor<1x1x512x64xf16>)
      outs(%q : tensor<1x1x512x64xf16>) -> tensor<1x1x512x64xf16>
  %p = stof.attention ins(%o, %o, %o : tensor<1x1x512x64xf16>, tensor<1x1x512x64xf16>, tensor<1x1x512x64xf16>)
      outs(%q : tensor<1x1x512x64xf16>) -> tensor<1x1x512x64xf16>
  return %p : tensor<1x1x512x64xf16>
}

/// Masks of layers that are spelt alike, each with a constant of its own, share their tables.

// CHECK: tables: taken{{$}}
// CHECK: tables: taken, as those of an equal mask
func.func @listed(%q: tensor<1x1x512x64xf16>) -> tensor<1x1x512x64xf16> {
  %first = arith.constant dense_resource<first> : tensor<4xi32>
  %second = arith.constant dense_resource<second> : tensor<4xi32>
  %m = stof.mask captures(%first : tensor<4xi32>) {
  ^bb0(%b: index, %h: index, %i: index, %j: index, %t: tensor<4xi32>):
    %c128 = arith.constant 128 : index
    %c0 = arith.constant 0 : i32
    %block = arith.floordivsi %j, %c128 : index
    %x = tensor.extract %t[%block] : tensor<4xi32>
    %keep = arith.cmpi ne, %x, %c0 : i32
    stof.yield %keep : i1
  } : !stof.mask<512x512>
  %n = stof.mask captures(%second : tensor<4xi32>) {
  ^bb0(%b: index, %h: index, %i: index, %j: index, %t: tensor<4xi32>):
    %c128 = arith.constant 128 : index
    %c0 = arith.constant 0 : i32
    %block = arith.floordivsi %j, %c128 : index
    %x = tensor.extract %t[%block] : tensor<4xi32>
    %keep = arith.cmpi ne, %x, %c0 : i32
    stof.yield %keep : i1
  } : !stof.mask<512x512>
  %o = stof.attention ins(%q, %q, %q : tensor<1x1x512x64xf16>, tensor<1x1x512x64xf16>, tensor<1x1x512x64xf16>)
      mask(%m : !stof.mask<512x512>) outs(%q : tensor<1x1x512x64xf16>) -> tensor<1x1x512x64xf16>
  %p = stof.attention ins(%o, %o, %o : tensor<1x1x512x64xf16>, tensor<1x1x512x64xf16>, tensor<1x1x512x64xf16>)
      mask(%n : !stof.mask<512x512>) outs(%q : tensor<1x1x512x64xf16>) -> tensor<1x1x512x64xf16>
  return %p : tensor<1x1x512x64xf16>
}

{-#
  dialect_resources: {
    builtin: {
      first: "0x0400000001000000000000000100000000000000",
      second: "0x0400000001000000000000000100000000000000"
    }
  }
#-}
