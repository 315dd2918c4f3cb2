// REQUIRES: assertions
// RUN: stof-opt %s --stof-plan-layout --debug-only=stof-plan-layout --mlir-disable-threading -o /dev/null 2>&1 | FileCheck %s

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
