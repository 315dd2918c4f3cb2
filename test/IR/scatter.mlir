// RUN: stof-opt %s | FileCheck %s
// RUN: stof-opt %s -canonicalize | FileCheck %s --check-prefix=CANON

#position = affine_map<(b, h, p, x) -> (p)>
#cache = affine_map<(b, h, p, x)[s] -> (b, h, s, x)>
#slice = affine_map<(p, x)[s] -> (p + s, x)>
#none = affine_map<(p, x) -> ()>

/// One position of a cache.

// CHECK: #[[AT:.*]] = affine_map<(d0, d1, d2, d3) -> (d2)>
// CHECK: #[[PLACE:.*]] = affine_map<(d0, d1, d2, d3)[s0] -> (d0, d1, s0, d3)>
// CHECK-LABEL: func @cache
// CHECK-SAME: (%[[K:.*]]: tensor<2x8x1x64xf16>, %[[POS:.*]]: tensor<1xi64>, %[[CACHE:.*]]: tensor<2x8x128x64xf16>)
// CHECK: %[[NEW:.*]] = stof.scatter %[[K]] at(%[[POS]] : tensor<1xi64>) into %[[CACHE]] maps [#[[AT]]] position #[[PLACE]] unique {
// CHECK: ^bb0(%[[U:.*]]: f16, %{{.*}}: f16):
// CHECK:   stof.yield %[[U]] : f16
// CHECK: } : tensor<2x8x1x64xf16>, tensor<2x8x128x64xf16> -> tensor<2x8x128x64xf16>
// CHECK: return %[[NEW]]
func.func @cache(%k: tensor<2x8x1x64xf16>, %pos: tensor<1xi64>, %cache: tensor<2x8x128x64xf16>) -> tensor<2x8x128x64xf16> {
  %new = stof.scatter %k at(%pos : tensor<1xi64>) into %cache maps [#position] position #cache unique {
  ^bb0(%update: f16, %old: f16):
    stof.yield %update : f16
  } : tensor<2x8x1x64xf16>, tensor<2x8x128x64xf16> -> tensor<2x8x128x64xf16>
  return %new : tensor<2x8x128x64xf16>
}

/// An index out of bounds is an error, or dropped.

// CHECK-LABEL: func @checked
// CHECK: stof.scatter {{.*}} position #{{.*}} wrapped checked {
func.func @checked(%u: tensor<3x4xf32>, %i: tensor<i32>, %x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %new = stof.scatter %u at(%i : tensor<i32>) into %x maps [#none] position #slice wrapped checked {
  ^bb0(%update: f32, %old: f32):
    stof.yield %update : f32
  } : tensor<3x4xf32>, tensor<?x4xf32> -> tensor<?x4xf32>
  return %new : tensor<?x4xf32>
}

/// On buffers there is no result.

// CHECK-LABEL: func @buffers
// CHECK: stof.scatter %{{.*}} at(%{{.*}} : memref<i32>) into %{{.*}} maps [#{{.*}}] position #{{.*}} {
// CHECK: } : memref<3x4xf32>, memref<?x4xf32>{{$}}
func.func @buffers(%u: memref<3x4xf32>, %i: memref<i32>, %x: memref<?x4xf32>) {
  stof.scatter %u at(%i : memref<i32>) into %x maps [#none] position #slice {
  ^bb0(%update: f32, %old: f32):
    %sum = arith.addf %update, %old : f32
    stof.yield %sum : f32
  } : memref<3x4xf32>, memref<?x4xf32>
  return
}

/// Without updates nothing changes.

// CANON-LABEL: func @no_updates
// CANON-SAME: (%{{.*}}, %{{.*}}, %[[X:.*]]: tensor<9x4xf32>)
// CANON-NEXT: return %[[X]]
func.func @no_updates(%u: tensor<0x4xf32>, %i: tensor<i64>, %x: tensor<9x4xf32>) -> tensor<9x4xf32> {
  %y = stof.scatter %u at(%i : tensor<i64>) into %x maps [#none] position #slice {
  ^bb0(%update: f32, %old: f32):
    stof.yield %update : f32
  } : tensor<0x4xf32>, tensor<9x4xf32> -> tensor<9x4xf32>
  return %y : tensor<9x4xf32>
}
