// RUN: stof-opt %s --stof-outline-kernels --split-input-file | FileCheck %s

/// Kernels are named after the function, their number, and what they compute.

// CHECK-LABEL: func @main
// CHECK-SAME: (%[[X:.*]]: memref<4xf32>, %[[Y:.*]]: memref<4xf32>, %[[Z:.*]]: memref<4xf32>)
// CHECK: stof.launch [@main_kernels::@main_0_negf] {
// CHECK-NEXT: stof.group ins(%[[X]] : memref<4xf32>) outs(%[[Y]] : memref<4xf32>)
// CHECK: stof.launch [@main_kernels::@main_1_copy] {
// CHECK-NEXT: linalg.copy ins(%[[X]] : memref<4xf32>) outs(%[[Z]] : memref<4xf32>)
// CHECK: gpu.module @main_kernels {
// CHECK-NEXT: }
func.func @main(%x: memref<4xf32>, %y: memref<4xf32>, %z: memref<4xf32>) attributes {stof.inputs = 1 : i64, stof.results = 2 : i64} {
  stof.group ins(%x : memref<4xf32>) outs(%y : memref<4xf32>) {
  ^bb0(%a: tensor<4xf32>):
    %e = tensor.empty() : tensor<4xf32>
    %0 = linalg.negf ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    stof.yield %0 : tensor<4xf32>
  }
  linalg.copy ins(%x : memref<4xf32>) outs(%z : memref<4xf32>)
  return
}

// -----

/// Two kernels list tiles; the flags that they pass on are a temporary buffer.

// CHECK-LABEL: func @list
// CHECK: %[[M:.*]] = stof.mask
// CHECK: %[[FLAGS:.*]] = memref.alloc() : memref<1x1x2x2xi8>
// CHECK: stof.launch [@list_kernels::@list_0_flags, @list_kernels::@list_1_tiles] temporaries(%[[FLAGS]] : memref<1x1x2x2xi8>) {
// CHECK-NEXT: stof.list_tiles mask(%[[M]] : !stof.mask<128x128>)
func.func @list(%r: memref<1x1x2x3xi64>, %e: memref<5xi64>) attributes {stof.inputs = 0 : i64, stof.results = 2 : i64} {
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.cmpi sle, %j, %i : index
    stof.yield %keep : i1
  } : !stof.mask<128x128>
  stof.list_tiles mask(%m : !stof.mask<128x128>) sizes(%c1, %c1, %c128, %c128)
      within <row_tile = 64, col_tile = 64, storage = closed_form, visited = [#stof.interval], partial = [#stof.interval]>
      outs(%r, %e : memref<1x1x2x3xi64>, memref<5xi64>)
  return
}

// -----

/// Split-KV takes a kernel to combine the splits, and buffers for them.

!q = memref<1x1x128x64xf16>

// CHECK-LABEL: func @split
// CHECK: %[[SUMS:.*]] = memref.alloc() : memref<1x1x2x4x64x64xf32>
// CHECK: %[[ROWS:.*]] = memref.alloc() : memref<1x1x2x4x2x64xf32>
// CHECK: stof.launch [@split_kernels::@split_0_attention, @split_kernels::@split_1_combine]
// CHECK-SAME: temporaries(%[[SUMS]], %[[ROWS]] :
func.func @split(%q: !q, %o: !q) attributes {stof.inputs = 1 : i64, stof.results = 1 : i64} {
  %m = stof.mask {
  ^bb0(%b: index, %h: index, %i: index, %j: index):
    %keep = arith.cmpi sle, %j, %i : index
    stof.yield %keep : i1
  } : !stof.mask<128x128>
  stof.attention ins(%q, %q, %q : !q, !q, !q) mask(%m : !stof.mask<128x128>)
      layout <row_tile = 64, col_tile = 64, storage = closed_form, visited = [#stof.interval], partial = [#stof.interval]>
      schedule <ahead = 2, splits = 4>
      outs(%o : !q)
  return
}

// -----

/// A function that is not from this pipeline is left alone.

// CHECK-LABEL: func @negative_other
// CHECK-NEXT: linalg.copy
// CHECK-NOT: gpu.module
func.func @negative_other(%x: memref<4xf32>, %z: memref<4xf32>) {
  linalg.copy ins(%x : memref<4xf32>) outs(%z : memref<4xf32>)
  return
}
