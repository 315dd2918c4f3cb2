// RUN: stof-opt %s --stof-lower-to-tile | FileCheck %s

/// Few rows: small tiles, so that all SMs have one.

// CHECK-LABEL: gpu.func @few_0_attention
// CHECK-SAME: keys = 64 : i64, queries = 32 : i64, value_features = 64 : i64, warps = 2 : i64
// CHECK: tile.load {{.*}} -> !tile.shared<32x64xf16>
func.func @few(%q: tensor<1x12x128x64xf16>) -> tensor<1x12x128x64xf16> {
  %o = stof.attention ins(%q, %q, %q : tensor<1x12x128x64xf16>, tensor<1x12x128x64xf16>, tensor<1x12x128x64xf16>)
      outs(%q : tensor<1x12x128x64xf16>) -> tensor<1x12x128x64xf16>
  return %o : tensor<1x12x128x64xf16>
}

/// Many without a mask: a warp uses what it reads of K and V for 32 rows and
/// holds its queries. A known scale is multiplied where exponents are made.

// CHECK-LABEL: gpu.func @many_0_attention
// CHECK-SAME: keys = 64 : i64, queries = 128 : i64, value_features = 64 : i64, warps = 4 : i64
// CHECK: tile.load {{.*}} -> !tile.fragment<128x64xf16, #{{.*}}>
// CHECK: tile.contract
// CHECK-NOT: arith.mulf
// CHECK: tile.reduce
// CHECK: math.fma
func.func @many(%q: tensor<16x12x4096x64xf16>) -> tensor<16x12x4096x64xf16> {
  %o = stof.attention ins(%q, %q, %q : tensor<16x12x4096x64xf16>, tensor<16x12x4096x64xf16>, tensor<16x12x4096x64xf16>)
      outs(%q : tensor<16x12x4096x64xf16>) scale 1.25e-01 -> tensor<16x12x4096x64xf16>
  return %o : tensor<16x12x4096x64xf16>
}

/// Wider heads need the registers for their accumulators.

// CHECK-LABEL: gpu.func @wide_0_attention
// CHECK-SAME: keys = 32 : i64, queries = 128 : i64, value_features = 128 : i64, warps = 4 : i64
// CHECK: tile.load {{.*}} -> !tile.shared<128x128xf16>
func.func @wide(%q: tensor<1x32x8192x128xf16>) -> tensor<1x32x8192x128xf16> {
  %o = stof.attention ins(%q, %q, %q : tensor<1x32x8192x128xf16>, tensor<1x32x8192x128xf16>, tensor<1x32x8192x128xf16>)
      outs(%q : tensor<1x32x8192x128xf16>) -> tensor<1x32x8192x128xf16>
  return %o : tensor<1x32x8192x128xf16>
}

/// A simple mask leaves registers for 32 rows in a warp, another does not. A scale
/// that may be negative is multiplied before the largest is looked for.

// CHECK-LABEL: gpu.func @causal_0_attention
// CHECK-SAME: keys = 64 : i64, queries = 64 : i64, value_features = 64 : i64, warps = 2 : i64
// CHECK: tile.contract
// CHECK: arith.mulf
// CHECK: tile.reduce
// CHECK-NOT: math.fma
// CHECK: tile.reduce
func.func @causal(%q: tensor<16x12x4096x64xf16>) -> tensor<16x12x4096x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.cmpi sle, %j, %i : index
    stof.yield %keep : i1
  } : !stof.mask<4096x4096>
  %o = stof.attention ins(%q, %q, %q : tensor<16x12x4096x64xf16>, tensor<16x12x4096x64xf16>, tensor<16x12x4096x64xf16>)
      mask(%m : !stof.mask<4096x4096>) outs(%q : tensor<16x12x4096x64xf16>) scale -1.25e-01 -> tensor<16x12x4096x64xf16>
  return %o : tensor<16x12x4096x64xf16>
}

// CHECK-LABEL: gpu.func @window_0_attention
// CHECK-SAME: keys = 64 : i64, queries = 64 : i64, value_features = 64 : i64, warps = 4 : i64
func.func @window(%q: tensor<16x12x4096x64xf16>) -> tensor<16x12x4096x64xf16> {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %c64 = arith.constant 64 : index
    %d = arith.subi %i, %j : index
    %a = math.absi %d : index
    %keep = arith.cmpi sle, %a, %c64 : index
    stof.yield %keep : i1
  } : !stof.mask<4096x4096>
  %o = stof.attention ins(%q, %q, %q : tensor<16x12x4096x64xf16>, tensor<16x12x4096x64xf16>, tensor<16x12x4096x64xf16>)
      mask(%m : !stof.mask<4096x4096>) outs(%q : tensor<16x12x4096x64xf16>) -> tensor<16x12x4096x64xf16>
  return %o : tensor<16x12x4096x64xf16>
}
