// REQUIRES: shared-mlir
// RUN: stof-opt %s --load-dialect-plugin=%test_lib/TestMasks.so --split-input-file --verify-diagnostics \
// RUN:   --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" \
// RUN:   --canonicalize | FileCheck %s

/// A mask of another dialect is bufferized as those of stof are: it takes the
/// buffer, and a copy of it where the tensor changes before the mask is used.

// CHECK-LABEL: func @segments
// CHECK-SAME: (%{{.*}}: memref<1x2x8x4xf16>, %[[IDS:.*]]: memref<8xi32>, %{{.*}}: memref<1x2x8x4xf16>)
func.func @segments(%q: tensor<1x2x8x4xf16>, %ids: tensor<8xi32>, %out: tensor<1x2x8x4xf16>) -> tensor<1x2x8x4xf16> {
  // CHECK-NOT: alloc
  // CHECK: %[[M:.*]] = test_masks.segments %[[IDS]] : memref<8xi32> -> !stof.mask<8x8>
  // CHECK: stof.attention {{.*}} mask(%[[M]] : !stof.mask<8x8>)
  %m = test_masks.segments %ids : tensor<8xi32> -> !stof.mask<8x8>
  %r = stof.attention ins(%q, %q, %q : tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>)
      mask(%m : !stof.mask<8x8>) outs(%out : tensor<1x2x8x4xf16>) -> tensor<1x2x8x4xf16>
  return %r : tensor<1x2x8x4xf16>
}

// CHECK-LABEL: func @segments_change
// CHECK-SAME: (%{{.*}}: memref<1x2x8x4xf16>, %[[IDS:.*]]: memref<8xi32>, %{{.*}}: i32, %{{.*}}: memref<1x2x8x4xf16>)
func.func @segments_change(%q: tensor<1x2x8x4xf16>, %ids: tensor<8xi32>, %id: i32,
                           %out: tensor<1x2x8x4xf16>) -> (tensor<1x2x8x4xf16>, tensor<8xi32>) {
  // CHECK: %[[COPY:.*]] = memref.alloc() {{.*}} : memref<8xi32>
  // CHECK: memref.copy %[[IDS]], %[[COPY]]
  // CHECK: test_masks.segments %[[COPY]]
  // CHECK: memref.store %{{.*}}, %[[IDS]]
  %c0 = arith.constant 0 : index
  %m = test_masks.segments %ids : tensor<8xi32> -> !stof.mask<8x8>
  %later = tensor.insert %id into %ids[%c0] : tensor<8xi32>
  %r = stof.attention ins(%q, %q, %q : tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>, tensor<1x2x8x4xf16>)
      mask(%m : !stof.mask<8x8>) outs(%out : tensor<1x2x8x4xf16>) -> tensor<1x2x8x4xf16>
  return %r, %later : tensor<1x2x8x4xf16>, tensor<8xi32>
}

// -----

/// (I1) A mask operation yields a mask.

func.func @no_mask() {
  // expected-error @below {{expects one result of type '!stof.mask', but got ('i1')}}
  %m = test_masks.checkerboard 64 : i1
  return
}
