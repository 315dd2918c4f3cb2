// RUN: stof-opt %s --stof-emit-kernels --split-input-file | FileCheck %s

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

/// A mask on buffers is known as well as one on tensors: in a partial tile of a
/// causal mask, the number of keys says nothing new.

!q = memref<1x1x?x64xf16>

// CHECK-LABEL: func @causal
// CHECK-NOT: stof.mask
// CHECK: gpu.launch_func @kernels::@attention
// CHECK: gpu.func @attention
// CHECK-NOT: stof.mask
// CHECK: gpu.return
module attributes {gpu.container_module} {
  func.func @causal(%q: !q, %o: !q) {
    %m = stof.mask {
    ^bb0(%b: index, %h: index, %i: index, %j: index):
      %keep = arith.cmpi sle, %j, %i : index
      stof.yield %keep : i1
    } : !stof.mask<?x?>
    stof.launch [@kernels::@attention] {
      stof.attention ins(%q, %q, %q : !q, !q, !q) mask(%m : !stof.mask<?x?>)
          layout <row_tile = 64, col_tile = 64, storage = closed_form,
                  visited = [#stof.interval<to = affine_map<(d0, d1, d2) -> (d0 + 1)>>], partial = [#stof.interval]>
          outs(%o : !q)
    }
    return
  }
  gpu.module @kernels {
  }
}
