// RUN: stof-opt %s --stof-tile-to-nvvm --canonicalize --cse | FileCheck %s

#line = #tile.blocked<elements = [2], lanes = [32], warps = [1]>
#acc = #tile.mma<warps = [1, 1]>
#two = #tile.blocked<elements = [1, 2], lanes = [8, 4], warps = [1, 2]>

gpu.module @kernels {
  /// A region is there once for each register, with its coordinates; inputs that
  /// lack a dimension are the same along it.

  // CHECK-LABEL: gpu.func @map
  gpu.func @map(%x: memref<16xf32>, %y: memref<16x8xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    // CHECK: %[[R0:.*]] = llvm.load
    // CHECK: %[[R8:.*]] = llvm.load
    %t = tile.load %x[%c0] along [0] : memref<16xf32> -> !tile.fragment<16xf32, #tile.slice<1, #acc>>
    // CHECK: %[[C0:.*]] = arith.index_castui %{{.*}} : i32 to index
    // CHECK: %[[K0:.*]] = arith.index_cast %[[C0]] : index to i32
    // CHECK: %[[F0:.*]] = arith.sitofp %[[K0]]
    // CHECK: arith.addf %[[R0]], %[[F0]]
    // CHECK: %[[K1:.*]] = arith.addi %[[K0]], %c1_i32 : i32
    // CHECK: %[[F1:.*]] = arith.sitofp %[[K1]]
    // CHECK: arith.addf %[[R0]], %[[F1]]
    // CHECK: arith.addf %[[R8]], %[[F0]]
    // CHECK: arith.addf %[[R8]], %[[F1]]
    %s = tile.map ins(%t : !tile.fragment<16xf32, #tile.slice<1, #acc>>) {
    ^bb0(%r: index, %c: index, %e: f32):
      %k = arith.index_cast %c : index to i32
      %f = arith.sitofp %k : i32 to f32
      %v = arith.addf %e, %f : f32
      tile.yield %v : f32
    } -> !tile.fragment<16x8xf32, #acc>
    tile.store %s, %y[%c0, %c0] along [0, 1] : !tile.fragment<16x8xf32, #acc>, memref<16x8xf32>
    gpu.return
  }

  /// Sums that do not overflow are compared with a constant for each element.

  // CHECK-LABEL: gpu.func @sums
  gpu.func @sums(%x: memref<16x8xf32>, %first: i32) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %one = arith.constant 1.0 : f32
    %t0 = tile.splat %one : !tile.fragment<16x8xf32, #acc>
    // CHECK: %[[K:.*]] = arith.addi %arg1, %{{.*}} overflow<nsw> : i32
    // CHECK: %[[D:.*]] = arith.subi %[[K]], %{{.*}} overflow<nsw> : i32
    // CHECK: arith.cmpi slt, %[[D]], %c5_i32 : i32
    // CHECK: arith.cmpi slt, %[[D]], %c6_i32 : i32
    // CHECK: arith.cmpi slt, %[[D]], %c-3_i32 : i32
    // CHECK: arith.cmpi slt, %[[D]], %c-2_i32 : i32
    %s = tile.map ins(%t0 : !tile.fragment<16x8xf32, #acc>) {
    ^bb0(%r: index, %c: index, %e: f32):
      %five = arith.constant 5 : i32
      %row = arith.index_cast %r : index to i32
      %column = arith.index_cast %c : index to i32
      %q = arith.addi %first, %row overflow<nsw> : i32
      %d = arith.subi %q, %column overflow<nsw> : i32
      %keep = arith.cmpi slt, %d, %five : i32
      %v = arith.select %keep, %e, %zero : f32
      tile.yield %v : f32
    } -> !tile.fragment<16x8xf32, #acc>
    tile.store %s, %x[%c0, %c0] along [0, 1] : !tile.fragment<16x8xf32, #acc>, memref<16x8xf32>
    gpu.return
  }

  /// Two elements of f16 share a register, and are rounded by one instruction.

  // CHECK-LABEL: gpu.func @pairs
  gpu.func @pairs(%x: memref<64xf32>, %y: memref<64xf16>, %n: index) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0.0 : f16
    %init = tile.splat %zero : !tile.fragment<64xf16, #line>
    // CHECK: scf.for {{.*}} -> (vector<2xf16>)
    %s = scf.for %i = %c0 to %n step %c1 iter_args(%old = %init) -> (!tile.fragment<64xf16, #line>) {
      // CHECK: %[[WIDE:.*]] = llvm.load {{.*}} -> vector<2xf32>
      // CHECK: %[[NARROW:.*]] = arith.truncf %[[WIDE]] : vector<2xf32> to vector<2xf16>
      // CHECK: scf.yield %[[NARROW]] : vector<2xf16>
      %t = tile.load %x[%c0] along [0] : memref<64xf32> -> !tile.fragment<64xf32, #line>
      %h = tile.map ins(%t : !tile.fragment<64xf32, #line>) {
      ^bb0(%c: index, %e: f32):
        %v = arith.truncf %e : f32 to f16
        tile.yield %v : f16
      } -> !tile.fragment<64xf16, #line>
      scf.yield %h : !tile.fragment<64xf16, #line>
    }
    tile.store %s, %y[%c0] along [0] : !tile.fragment<64xf16, #line>, memref<64xf16>
    gpu.return
  }

  /// Choosing a tile is choosing each register.

  // CHECK-LABEL: gpu.func @select
  gpu.func @select(%x: memref<64xf32>, %which: i1) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %t = tile.load %x[%c0] along [0] : memref<64xf32> -> !tile.fragment<64xf32, #line>
    %z = tile.splat %zero : !tile.fragment<64xf32, #line>
    // CHECK-COUNT-2: arith.select %{{.*}}, %{{.*}}, %cst : f32
    %s = arith.select %which, %t, %z : !tile.fragment<64xf32, #line>
    tile.store %s, %x[%c0] along [0] : !tile.fragment<64xf32, #line>, memref<64xf32>
    gpu.return
  }

  /// Within the thread, then among the four lanes of a row.

  // CHECK-LABEL: gpu.func @reduce
  gpu.func @reduce(%x: memref<16x8xf32>, %y: memref<16xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %t = tile.load %x[%c0, %c0] along [0, 1] : memref<16x8xf32> -> !tile.fragment<16x8xf32, #acc>
    // CHECK-COUNT-2: arith.maxnumf
    // CHECK: nvvm.shfl.sync bfly %c-1_i32, %{{.*}}, %c1_i32, %c31_i32 : f32 -> f32
    // CHECK: arith.maxnumf
    // CHECK: nvvm.shfl.sync bfly %c-1_i32, %{{.*}}, %c2_i32, %c31_i32 : f32 -> f32
    // CHECK-NOT: gpu.barrier
    // CHECK: gpu.return
    %m = tile.reduce %t along 1 {
    ^bb0(%a: f32, %b: f32):
      %c = arith.maxnumf %a, %b : f32
      tile.yield %c : f32
    } : !tile.fragment<16x8xf32, #acc> -> !tile.fragment<16xf32, #tile.slice<1, #acc>>
    tile.store %m, %y[%c0] along [0] : !tile.fragment<16xf32, #tile.slice<1, #acc>>, memref<16xf32>
    gpu.return
  }

  /// Warps that divide a row exchange what they have through shared memory.

  // CHECK-LABEL: gpu.func @reduce_over_warps
  gpu.func @reduce_over_warps(%x: memref<8x16xi64>, %y: memref<8xi64>) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %t = tile.load %x[%c0, %c0] along [0, 1] : memref<8x16xi64> -> !tile.fragment<8x16xi64, #two>
    // CHECK-COUNT-4: nvvm.shfl.sync bfly {{.*}} : i32 -> i32
    // CHECK: scf.if
    // CHECK:   llvm.store %{{.*}} : i64, !llvm.ptr<3>
    // CHECK: gpu.barrier
    // CHECK: %[[FIRST:.*]] = llvm.load {{.*}} : !llvm.ptr<3> -> i64
    // CHECK: %[[SECOND:.*]] = llvm.load {{.*}} : !llvm.ptr<3> -> i64
    // CHECK: arith.addi %[[FIRST]], %[[SECOND]]
    %m = tile.reduce %t along 1 {
    ^bb0(%a: i64, %b: i64):
      %c = arith.addi %a, %b : i64
      tile.yield %c : i64
    } {tile.offset = 0 : i64} : !tile.fragment<8x16xi64, #two> -> !tile.fragment<8xi64, #tile.slice<1, #two>>
    tile.store %m, %y[%c0] along [0] : !tile.fragment<8xi64, #tile.slice<1, #two>>, memref<8xi64>
    gpu.return
  }

  /// The barrier that all threads reach combines their answers.

  // CHECK-LABEL: gpu.func @any
  gpu.func @any(%x: memref<64xi1>, %y: memref<1xi1>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %t = tile.load %x[%c0] along [0] : memref<64xi1> -> !tile.fragment<64xi1, #line>
    // CHECK: %[[OWN:.*]] = arith.ori
    // CHECK: llvm.call_intrinsic "llvm.nvvm.barrier.cta.red.or.aligned.all"(%c0_i32, %[[OWN]]) : (i32, i1) -> i1
    %a = tile.any %t : !tile.fragment<64xi1, #line>
    memref.store %a, %y[%c0] : memref<1xi1>
    gpu.return
  }

  /// From layout to layout by way of shared memory, two elements at a time.

  // CHECK-LABEL: gpu.func @convert
  gpu.func @convert(%x: memref<16x8xf32>, %y: memref<16x8xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %t = tile.load %x[%c0, %c0] along [0, 1] : memref<16x8xf32> -> !tile.fragment<16x8xf32, #acc>
    // CHECK-COUNT-2: llvm.store %{{.*}} {alignment = 8 : i64} : vector<2xf32>, !llvm.ptr<3>
    // CHECK: gpu.barrier
    // CHECK: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xf32>
    %u = tile.convert %t {tile.offset = 0 : i64} : !tile.fragment<16x8xf32, #acc>
      -> !tile.fragment<16x8xf32, #tile.blocked<elements = [1, 4], lanes = [16, 2], warps = [1, 1]>>
    tile.store %u, %y[%c0, %c0] along [0, 1] : !tile.fragment<16x8xf32, #tile.blocked<elements = [1, 4], lanes = [16, 2], warps = [1, 1]>>, memref<16x8xf32>
    gpu.return
  }

  /// From squares to runs the four lanes of a row exchange halves, twice; then
  /// each has eight elements side by side.

  // CHECK-LABEL: gpu.func @convert_to_runs
  gpu.func @convert_to_runs(%x: memref<16x32xf32>, %y: memref<16x32xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %t = tile.load %x[%c0, %c0] along [0, 1] : memref<16x32xf32> -> !tile.fragment<16x32xf32, #acc>
    // CHECK-NOT: gpu.barrier
    // CHECK-DAG: %[[ODD:.*]] = arith.andi %[[LANE:.*]], %c1_i32
    // CHECK-DAG: %[[UPPER:.*]] = arith.cmpi ne, %[[ODD]], %c0_i32
    // CHECK: %[[SENT:.*]] = arith.select %[[UPPER]], %[[A:.*]], %[[B:[^ ]*]] : f32
    // CHECK: %[[GOT:.*]] = nvvm.shfl.sync bfly %{{.*}}, %[[SENT]], %c1_i32
    // CHECK: arith.select %[[UPPER]], %[[GOT]], %[[A]] : f32
    // CHECK: arith.select %[[UPPER]], %[[B]], %[[GOT]] : f32
    // CHECK: nvvm.shfl.sync bfly {{.*}}, %c2_i32
    // CHECK-COUNT-4: llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
    // CHECK-NOT: llvm.store
    // CHECK: gpu.return
    %u = tile.convert %t : !tile.fragment<16x32xf32, #acc> -> !tile.fragment<16x32xf32, #tile.mma_runs<warps = [1, 1]>>
    tile.store %u, %y[%c0, %c0] along [0, 1] : !tile.fragment<16x32xf32, #tile.mma_runs<warps = [1, 1]>>, memref<16x32xf32>
    gpu.return
  }

  /// Pairs of 16-bit elements are exchanged in one word: 8 shuffles instead of 16.

  // CHECK-LABEL: gpu.func @exchange_narrow
  gpu.func @exchange_narrow(%x: memref<16x32xf16>, %y: memref<16x32xf16>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %t = tile.load %x[%c0, %c0] along [0, 1] : memref<16x32xf16> -> !tile.fragment<16x32xf16, #acc>
    // CHECK-COUNT-8: nvvm.shfl.sync bfly %{{.*}} : i32 -> i32
    // CHECK-NOT: nvvm.shfl.sync
    // CHECK-COUNT-2: llvm.store %{{.*}} {alignment = 16 : i64} : vector<8xf16>, !llvm.ptr<1>
    // CHECK-NOT: llvm.store
    // CHECK: gpu.return
    %u = tile.convert %t : !tile.fragment<16x32xf16, #acc> -> !tile.fragment<16x32xf16, #tile.mma_runs<warps = [1, 1]>>
    tile.store %u, %y[%c0, %c0] along [0, 1] : !tile.fragment<16x32xf16, #tile.mma_runs<warps = [1, 1]>>, memref<16x32xf16>
    gpu.return
  }

  /// A partial reduction combines the elements of a thread: two rows and two columns of
  /// each of two squares, to those of one. Nothing is exchanged.

  // CHECK-LABEL: gpu.func @reduce_partially
  gpu.func @reduce_partially(%x: memref<16x16xf32>, %y: memref<16x8xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    // CHECK: %[[FIRST:.*]] = llvm.getelementptr %{{.*}}[%{{.*}}] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    // CHECK: %[[A:.*]]:2 = vector.to_elements
    // CHECK: llvm.getelementptr %[[FIRST]][8] :
    // CHECK: %[[B:.*]]:2 = vector.to_elements
    %t = tile.load %x[%c0, %c0] along [0, 1] : memref<16x16xf32> -> !tile.fragment<16x16xf32, #acc>
    // CHECK-NOT: nvvm.shfl.sync
    // CHECK-DAG: arith.addf %[[A]]#0, %[[B]]#0
    // CHECK-DAG: arith.addf %[[A]]#1, %[[B]]#1
    // CHECK-NOT: nvvm.shfl.sync
    // CHECK-COUNT-2: llvm.store %{{.*}} : vector<2xf32>, !llvm.ptr<1>
    // CHECK-NOT: llvm.store
    // CHECK: gpu.return
    %s = tile.reduce %t along 1 {
    ^bb0(%a: f32, %b: f32):
      %z = arith.addf %a, %b : f32
      tile.yield %z : f32
    } : !tile.fragment<16x16xf32, #acc> -> !tile.fragment<16x8xf32, #acc>
    tile.store %s, %y[%c0, %c0] along [0, 1] : !tile.fragment<16x8xf32, #acc>, memref<16x8xf32>
    gpu.return
  }

  /// A slice is some of the registers: those of the second square.

  // CHECK-LABEL: gpu.func @slice
  gpu.func @slice(%x: memref<16x16xf32>, %y: memref<16x8xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    // CHECK: %[[FIRST:.*]] = llvm.getelementptr %{{.*}}[%{{.*}}] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    // CHECK: %[[AT:.*]] = llvm.getelementptr %[[FIRST]][8] :
    // CHECK: %[[B:.*]] = llvm.load %[[AT]] {{.*}} -> vector<2xf32>
    // CHECK: %[[BELOW:.*]] = llvm.getelementptr %[[FIRST]][136] :
    // CHECK: %[[D:.*]] = llvm.load %[[BELOW]] {{.*}} -> vector<2xf32>
    %t = tile.load %x[%c0, %c0] along [0, 1] : memref<16x16xf32> -> !tile.fragment<16x16xf32, #acc>
    %u = tile.slice %t from 8 : !tile.fragment<16x16xf32, #acc> -> !tile.fragment<16x8xf32, #acc>
    // CHECK: llvm.store %[[B]],
    // CHECK: llvm.store %[[D]],
    // CHECK-NOT: llvm.store
    tile.store %u, %y[%c0, %c0] along [0, 1] : !tile.fragment<16x8xf32, #acc>, memref<16x8xf32>
    gpu.return
  }
}
