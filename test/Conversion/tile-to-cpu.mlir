// RUN: stof-opt %s --stof-tile-to-cpu --canonicalize -split-input-file -verify-diagnostics | FileCheck %s

/// A launch is a loop over the positions of CTAs, x innermost. What lies
/// inside the bounds is copied in and out; the rest of a tile is zero.

// CHECK-LABEL: func @host
// CHECK-SAME: (%[[X:.*]]: memref<?xf32>, %[[Y:.*]]: memref<?xf32>, %[[N:.*]]: index, %[[M:.*]]: index)
// CHECK: scf.parallel (%[[BY:.*]], %[[BX:.*]]) = {{.*}} to (%[[M]], %[[N]])
// CHECK:   func.call @twice(%[[X]], %[[Y]], %[[BX]], %[[BY]], %{{.*}})
// CHECK-NOT: gpu.module

// CHECK-LABEL: func private @twice
// CHECK-SAME: (%[[X:.*]]: memref<?xf32>, %[[Y:.*]]: memref<?xf32>, %[[B:.*]]: index, %{{.*}}: index, %{{.*}}: index)
// CHECK: %[[FIRST:.*]] = arith.muli %[[B]]
// CHECK: linalg.fill {{.*}} outs(%[[TILE:.*]] : memref<64xf32>)
// CHECK: %[[LEFT:.*]] = arith.subi %{{.*}}, %[[FIRST]]
// CHECK: %[[MOST:.*]] = arith.minsi %[[LEFT]]
// CHECK: %[[PART:.*]] = arith.maxsi %[[MOST]]
// CHECK: memref.subview %[[X]][%[[FIRST]]] [%[[PART]]]
// CHECK: %[[T:.*]] = bufferization.to_tensor %[[TILE]] restrict writable
// CHECK: %[[U:.*]] = linalg.generic {{.*}} ins(%[[T]] : tensor<64xf32>)
// CHECK:   linalg.index 0
// CHECK: memref.subview %[[Y]][%[[FIRST]]]
module attributes {gpu.container_module} {
  func.func @host(%x: memref<?xf32>, %y: memref<?xf32>, %n: index, %m: index) {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @kernels::@twice blocks in (%n, %m, %c1) threads in (%c32, %c1, %c1)
        args(%x : memref<?xf32>, %y : memref<?xf32>)
    return
  }
  gpu.module @kernels {
    gpu.func @twice(%x: memref<?xf32>, %y: memref<?xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
      %c64 = arith.constant 64 : index
      %b = gpu.block_id x
      %first = arith.muli %b, %c64 : index
      %t = tile.load %x[%first] along [0] : memref<?xf32> -> !tile.fragment<64xf32, #tile.blocked<elements = [2], lanes = [32], warps = [1]>>
      %u = tile.map ins(%t : !tile.fragment<64xf32, #tile.blocked<elements = [2], lanes = [32], warps = [1]>>) {
      ^bb0(%i: index, %e: f32):
        %0 = arith.index_cast %i : index to i32
        %1 = arith.sitofp %0 : i32 to f32
        %2 = arith.addf %e, %1 : f32
        tile.yield %2 : f32
      } -> !tile.fragment<64xf32, #tile.blocked<elements = [2], lanes = [32], warps = [1]>>
      tile.store %u, %y[%first] along [0] : !tile.fragment<64xf32, #tile.blocked<elements = [2], lanes = [32], warps = [1]>>, memref<?xf32>
      gpu.return
    }
  }
}

// -----

/// Matmuls are sums over rows of the right side, which is laid out so; what a
/// loop carries is copied to its place.

// CHECK-LABEL: func private @product
// CHECK: scf.for {{.*}} iter_args(%[[SUM:.*]] = %{{.*}}) -> (tensor<16x8xf32>)
// CHECK:   %[[RIGHT:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<16x8xf32>)
// CHECK:     arith.extf {{.*}} : f16 to f32
// CHECK:   %[[NEXT:.*]] = linalg.generic {{.*}}["parallel", "reduction", "parallel"]} ins(%{{.*}}, %[[RIGHT]] : tensor<16x16xf16>, tensor<16x8xf32>) outs(%[[SUM]] :
// CHECK:   %[[KEPT:.*]] = bufferization.materialize_in_destination %[[NEXT]] in %[[SUM]]
// CHECK:   scf.yield %[[KEPT]]
#acc = #tile.mma<warps = [1, 1]>
gpu.module @kernels {
  gpu.func @product(%x: memref<16x64xf16>, %y: memref<8x64xf16>, %z: memref<16x8xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0.0 : f32
    %none = tile.splat %zero : !tile.fragment<16x8xf32, #acc>
    %sum = scf.for %k = %c0 to %c64 step %c16 iter_args(%s = %none) -> (!tile.fragment<16x8xf32, #acc>) {
      %l = tile.load %x[%c0, %k] along [0, 1] : memref<16x64xf16> -> !tile.shared<16x16xf16>
      %r = tile.load %y[%c0, %k] along [0, 1] : memref<8x64xf16> -> !tile.shared<8x16xf16>
      %p = tile.contract %l, %r, %s transpose_rhs : !tile.shared<16x16xf16>, !tile.shared<8x16xf16>, !tile.fragment<16x8xf32, #acc>
      scf.yield %p : !tile.fragment<16x8xf32, #acc>
    }
    tile.store %sum, %z[%c0, %c0] along [0, 1] : !tile.fragment<16x8xf32, #acc>, memref<16x8xf32>
    gpu.return
  }
}

// -----

/// A long row is reduced in strands, and `any` over all of a tile.

// CHECK-LABEL: func private @rows
// CHECK: tensor.expand_shape {{.*}} : tensor<16x64xf32> into tensor<16x4x16xf32>
// CHECK: linalg.generic {{.*}}["parallel", "reduction", "parallel"]}
// CHECK: arith.maximumf
// CHECK: linalg.generic {{.*}}["parallel", "reduction"]}
// CHECK: arith.maximumf
// CHECK: linalg.generic {{.*}}["reduction"]} {{.*}} outs(%{{.*}} : tensor<i1>)
// CHECK: tensor.extract %{{.*}}[] : tensor<i1>
#box = #tile.blocked<elements = [1, 2], lanes = [8, 4], warps = [1, 1]>
gpu.module @kernels {
  gpu.func @rows(%x: memref<16x64xf32>, %y: memref<16xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %t = tile.load %x[%c0, %c0] along [0, 1] : memref<16x64xf32> -> !tile.fragment<16x64xf32, #box>
    %m = tile.reduce %t along 1 {
    ^bb0(%a: f32, %b: f32):
      %c = arith.maximumf %a, %b : f32
      tile.yield %c : f32
    } : !tile.fragment<16x64xf32, #box> -> !tile.fragment<16xf32, #tile.slice<1, #box>>
    %p = tile.map ins(%m : !tile.fragment<16xf32, #tile.slice<1, #box>>) {
    ^bb0(%i: index, %e: f32):
      %positive = arith.cmpf ogt, %e, %zero : f32
      tile.yield %positive : i1
    } -> !tile.fragment<16xi1, #tile.slice<1, #box>>
    %some = tile.any %p : !tile.fragment<16xi1, #tile.slice<1, #box>>
    scf.if %some {
      tile.store %m, %y[%c0] along [0] : !tile.fragment<16xf32, #tile.slice<1, #box>>, memref<16xf32>
    }
    gpu.return
  }
}

// -----

/// A partial reduction makes the columns those of several units, and combines the units.

#acc = #tile.mma<warps = [1, 1]>

gpu.module @kernels {
  // CHECK-LABEL: func.func {{.*}}@reduce_partially
  // CHECK: %[[UNITS:.*]] = tensor.expand_shape %{{.*}} {{\[\[}}0], [1, 2]] output_shape [16, 4, 8] : tensor<16x32xf32> into tensor<16x4x8xf32>
  // CHECK: %[[FIRST:.*]] = tensor.extract_slice %[[UNITS]][0, 0, 0] [16, 1, 8] [1, 1, 1] : tensor<16x4x8xf32> to tensor<16x8xf32>
  // CHECK: linalg.generic {{.*}} outs(%[[FIRST]] : tensor<16x8xf32>)
  gpu.func @reduce_partially(%x: memref<16x32xf32>, %y: memref<16x8xf32>) kernel {
    %c0 = arith.constant 0 : index
    %t = tile.load %x[%c0, %c0] along [0, 1] : memref<16x32xf32> -> !tile.fragment<16x32xf32, #acc>
    %s = tile.reduce %t along 1 {
    ^bb0(%a: f32, %b: f32):
      %z = arith.addf %a, %b : f32
      tile.yield %z : f32
    } : !tile.fragment<16x32xf32, #acc> -> !tile.fragment<16x8xf32, #acc>
    tile.store %s, %y[%c0, %c0] along [0, 1] : !tile.fragment<16x8xf32, #acc>, memref<16x8xf32>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @threads(%x: memref<8xindex>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    // expected-error @below {{expects only 'gpu.block_id' and 'gpu.return' of the gpu dialect in a kernel}}
    %t = gpu.thread_id x
    memref.store %t, %x[%t] : memref<8xindex>
    gpu.return
  }
}

// -----

module attributes {gpu.container_module} {
  func.func @host(%n: index) {
    %c1 = arith.constant 1 : index
    // expected-error @below {{expects a kernel of this module, but got @kernels::@elsewhere}}
    gpu.launch_func @kernels::@elsewhere blocks in (%n, %c1, %c1) threads in (%c1, %c1, %c1)
    return
  }
  gpu.binary @kernels [#gpu.object<#nvvm.target, "">]
}

// -----

/// Loads are done when they are issued; one whose condition fails copies nothing.

// CHECK-LABEL: func private @ahead
// CHECK-SAME: %[[MORE:[a-z0-9]*]]: i1
// CHECK: bufferization.to_tensor
// CHECK: linalg.fill {{.*}} outs(%[[TILE:.*]] : memref<16x8xf16>)
// CHECK: arith.select %[[MORE]], %{{.*}}, %c0
// CHECK: arith.select %[[MORE]], %{{.*}}, %c0
// CHECK: bufferization.to_tensor %[[TILE]]
// CHECK-NOT: tile.
gpu.module @kernels {
  gpu.func @ahead(%x: memref<?x8xf16>, %y: memref<16x16xf32>, %more: i1) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %acc = tile.splat %zero : !tile.fragment<16x16xf32, #tile.mma<warps = [1, 1]>>
    %w = tile.load %x[%c0, %c0] along [0, 1] : memref<?x8xf16> -> !tile.shared<16x8xf16>
    %e = tile.empty : !tile.shared<16x8xf16>
    %a = tile.load %x[%c0, %c0] along [0, 1] when %more over %e : memref<?x8xf16> -> !tile.shared<16x8xf16>
    %b = tile.await %a : !tile.shared<16x8xf16>
    %s = tile.contract %w, %b, %acc transpose_rhs : !tile.shared<16x8xf16>, !tile.shared<16x8xf16>, !tile.fragment<16x16xf32, #tile.mma<warps = [1, 1]>>
    tile.store %s, %y[%c0, %c0] along [0, 1] : !tile.fragment<16x16xf32, #tile.mma<warps = [1, 1]>>, memref<16x16xf32>
    gpu.return
  }
}

// -----

/// An element of a tile in shared memory is one of the tensor.

// CHECK-LABEL: func private @swapped
// CHECK: %[[T:.*]] = bufferization.to_tensor
// CHECK: linalg.generic
// CHECK:   %[[ROW:.*]] = linalg.index 0
// CHECK:   %[[COLUMN:.*]] = linalg.index 1
// CHECK:   %[[OTHER:.*]] = arith.xori %[[COLUMN]]
// CHECK:   tensor.extract %[[T]][%[[ROW]], %[[OTHER]]] : tensor<16x8xf32>
#swapped = #tile.mma<warps = [1, 1]>
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @swapped(%x: memref<16x8xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %t = tile.load %x[%c0, %c0] along [0, 1] : memref<16x8xf32> -> !tile.fragment<16x8xf32, #swapped>
      %s = tile.convert %t : !tile.fragment<16x8xf32, #swapped> -> !tile.shared<16x8xf32>
      %u = tile.map {
      ^bb0(%r: index, %c: index):
        %other = arith.xori %c, %c4 : index
        %e = tile.extract %s[%r, %other] : !tile.shared<16x8xf32>
        tile.yield %e : f32
      } -> !tile.fragment<16x8xf32, #swapped>
      tile.store %u, %x[%c0, %c0] along [0, 1] : !tile.fragment<16x8xf32, #swapped>, memref<16x8xf32>
      gpu.return
    }
  }
}

// -----

/// Each block of rows is copied from its own place, as far as it is in bounds.

// CHECK-LABEL: func private @blocks
// CHECK-SAME: (%[[X:.*]]: memref<?x8xf16>, %[[I:[a-z0-9]*]]: index, %[[J:[a-z0-9]*]]: index,
// CHECK: linalg.fill {{.*}} outs(%[[TILE:.*]] : memref<32x8xf16>)
// CHECK: memref.subview %[[X]][%[[I]], 0]
// CHECK: memref.subview %[[TILE]][0, 0]
// CHECK: memref.subview %[[X]][%[[J]], 0]
// CHECK: memref.subview %[[TILE]][16, 0]
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @blocks(%x: memref<?x8xf16>, %i: index, %j: index, %y: memref<1xf16>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
      %c0 = arith.constant 0 : index
      %t = tile.load %x[%i, %j, %c0] along [0, 1] blocks 2 : memref<?x8xf16> -> !tile.shared<32x8xf16>
      %e = tile.extract %t[%i, %c0] : !tile.shared<32x8xf16>
      memref.store %e, %y[%c0] : memref<1xf16>
      gpu.return
    }
  }
}

// -----

/// CTAs that run on several threads of a CPU get different numbers, too.

// CHECK-LABEL: func private @claimed
// CHECK-SAME: (%[[COUNTER:.*]]: memref<1xi32>, %[[X:.*]]: memref<?xindex>,
// CHECK: scf.while
// CHECK:   memref.store %{{.*}}, %[[X]]
// CHECK:   %[[TAKEN:.*]] = memref.atomic_rmw addi %c1_i32, %[[COUNTER]][%c0] : (i32, memref<1xi32>) -> i32
// CHECK:   %[[NUMBER:.*]] = arith.index_castui %[[TAKEN]] : i32 to index
// CHECK:   scf.yield %[[NUMBER]]
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @claimed(%counter: memref<1xi32>, %x: memref<?xindex>, %tiles: index) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
      %first = gpu.block_id x
      %end = scf.while (%tile = %first) : (index) -> index {
        %more = arith.cmpi ult, %tile, %tiles : index
        scf.condition(%more) %tile : index
      } do {
      ^bb0(%tile: index):
        memref.store %tile, %x[%tile] : memref<?xindex>
        %next = tile.claim %counter : memref<1xi32>
        scf.yield %next : index
      }
      gpu.return
    }
  }
}
