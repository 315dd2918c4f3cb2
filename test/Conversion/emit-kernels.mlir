// RUN: stof-opt %s --stof-emit-kernels --split-input-file | FileCheck %s
// RUN: stof-opt %s --stof-emit-kernels --split-input-file --remarks-filter=stof-emit-kernels -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

/// The operation of a launch becomes a kernel, and its grid is known.

// CHECK-LABEL: func @main
// CHECK-SAME: (%[[X:.*]]: memref<512xf32>, %[[Y:.*]]: memref<512xf32>)
// CHECK-NOT: stof.launch
// CHECK: gpu.launch_func @kernels::@negate blocks in
// CHECK-SAME: args(%{{.*}} : memref<1x512xf32>, %{{.*}} : memref<1x512xf32>)
// CHECK: gpu.module @kernels
// CHECK: gpu.func @negate(%[[SOURCE:.*]]: memref<1x512xf32>, %[[TARGET:.*]]: memref<1x512xf32>) kernel
// CHECK-SAME: stof.ops = ["linalg.negf"]
// CHECK: %[[TILE:.*]] = tile.load %[[SOURCE]]
// CHECK: %[[NEGATED:.*]] = tile.map ins(%[[TILE]]
// CHECK: tile.store %[[NEGATED]], %[[TARGET]]
module attributes {gpu.container_module} {
  func.func @main(%x: memref<512xf32>, %y: memref<512xf32>) {
    stof.launch [@kernels::@negate] {
      stof.group ins(%x : memref<512xf32>) outs(%y : memref<512xf32>) {
      ^bb0(%a: tensor<512xf32>):
        %e = tensor.empty() : tensor<512xf32>
        %0 = linalg.negf ins(%a : tensor<512xf32>) outs(%e : tensor<512xf32>) -> tensor<512xf32>
        stof.yield %0 : tensor<512xf32>
      }
    }
    return
  }
  gpu.module @kernels {
  }
}

// -----

/// A mask on buffers is known as well as one on tensors: the width of the window is
/// read from a constant, so on the diagonal nothing is too far, and at the other
/// edge nothing is too late.

// REMARK: PartialTiles {{.*}} Comparisons=2, Evaluated=1, Interval=0
// REMARK: PartialTiles {{.*}} Comparisons=2, Evaluated=1, Interval=1

!q = memref<1x1x1024x64xf16>

// CHECK-LABEL: func @windowed
// CHECK-NOT: stof.mask
// CHECK: gpu.launch_func @kernels::@attention
// CHECK: gpu.func @attention
// CHECK-NOT: stof.mask
// CHECK: gpu.return
module attributes {gpu.container_module} {
  memref.global "private" constant @width : memref<1xi64> = dense<128>
  func.func @windowed(%q: !q, %o: !q) {
    %w = memref.get_global @width : memref<1xi64>
    %m = stof.mask captures(%w : memref<1xi64>) {
    ^bb0(%b: index, %h: index, %i: index, %j: index, %table: memref<1xi64>):
      %c0 = arith.constant 0 : index
      %entry = memref.load %table[%c0] : memref<1xi64>
      %width = arith.index_cast %entry : i64 to index
      %early = arith.cmpi sle, %j, %i : index
      %distance = arith.subi %i, %j : index
      %near = arith.cmpi sle, %distance, %width : index
      %keep = arith.andi %early, %near : i1
      stof.yield %keep : i1
    } : !stof.mask<1024x1024>
    stof.launch [@kernels::@attention] {
      stof.attention ins(%q, %q, %q : !q, !q, !q) mask(%m : !stof.mask<1024x1024>)
          layout <row_tile = 64, col_tile = 64, storage = closed_form,
                  visited = [#stof.interval<from = affine_map<(d0, d1, d2) -> (d0 - 2)>, to = affine_map<(d0, d1, d2) -> (d0 + 1)>>],
                  partial = [#stof.interval<from = affine_map<(d0, d1, d2) -> (d0)>>,
                             #stof.interval<to = affine_map<(d0, d1, d2) -> (d0 - 1)>>]>
          outs(%o : !q)
    }
    return
  }
  gpu.module @kernels {
  }
}
