// RUN: stof-opt %s --stof-to-tile | FileCheck %s

/// Where the number of key tiles is that of the run, they are counted in 32 bits: what bounds the walk is in registers
/// for as long as it takes, and is half of what an index is. A constant takes none.

// CHECK-LABEL: gpu.func @of_the_run_0_attention
// CHECK: scf.while ({{.*}}) : (i32,
// CHECK-NEXT: arith.cmpi slt, {{.*}} : i32
func.func @of_the_run(%q: tensor<1x8x?x64xf16>, %init: tensor<1x8x?x64xf16>) -> tensor<1x8x?x64xf16> {
  %mask = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.cmpi ule, %j, %i : index
    stof.yield %keep : i1
  } : !stof.mask<?x?>
  %out = stof.attention ins(%q, %q, %q : tensor<1x8x?x64xf16>, tensor<1x8x?x64xf16>, tensor<1x8x?x64xf16>)
      mask(%mask : !stof.mask<?x?>) outs(%init : tensor<1x8x?x64xf16>) scale 0.125 -> tensor<1x8x?x64xf16>
  return %out : tensor<1x8x?x64xf16>
}

// CHECK-LABEL: gpu.func @known_0_attention
// CHECK: scf.while ({{.*}}) : (index,
// CHECK-NEXT: arith.cmpi slt, {{.*}} : index
func.func @known(%q: tensor<1x8x256x64xf16>, %init: tensor<1x8x256x64xf16>) -> tensor<1x8x256x64xf16> {
  %mask = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.cmpi ule, %j, %i : index
    stof.yield %keep : i1
  } : !stof.mask<256x256>
  %out = stof.attention ins(%q, %q, %q : tensor<1x8x256x64xf16>, tensor<1x8x256x64xf16>, tensor<1x8x256x64xf16>)
      mask(%mask : !stof.mask<256x256>) outs(%init : tensor<1x8x256x64xf16>) scale 0.125 -> tensor<1x8x256x64xf16>
  return %out : tensor<1x8x256x64xf16>
}

/// A table counts its tiles as indices, and asks the walk for what it visits.

// CHECK-LABEL: gpu.func @listed_0_flags
// CHECK: %[[COUNT:.*]] = arith.index_cast %{{.*}} : index to i32
// CHECK: %[[TILE:.*]] = arith.addi %{{.*}}, %{{.*}} : index
// CHECK: %[[NARROW:.*]] = arith.index_cast %[[TILE]] : index to i32
// CHECK: arith.cmpi slt, %[[NARROW]], %[[COUNT]] : i32
func.func @listed(%q: tensor<1x8x?x64xf16>, %ids: tensor<?xi32>, %init: tensor<1x8x?x64xf16>) -> tensor<1x8x?x64xf16> {
  %mask = stof.mask captures(%ids : tensor<?xi32>) {
  ^bb0(%b: index, %h: index, %i: index, %j: index, %d: tensor<?xi32>):
    %x = tensor.extract %d[%i] : tensor<?xi32>
    %y = tensor.extract %d[%j] : tensor<?xi32>
    %keep = arith.cmpi eq, %x, %y : i32
    stof.yield %keep : i1
  } : !stof.mask<?x?>
  %out = stof.attention ins(%q, %q, %q : tensor<1x8x?x64xf16>, tensor<1x8x?x64xf16>, tensor<1x8x?x64xf16>)
      mask(%mask : !stof.mask<?x?>) outs(%init : tensor<1x8x?x64xf16>) scale 0.125 -> tensor<1x8x?x64xf16>
  return %out : tensor<1x8x?x64xf16>
}
