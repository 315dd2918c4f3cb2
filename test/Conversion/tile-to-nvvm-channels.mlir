// RUN: stof-opt %s --stof-tile-to-nvvm --canonicalize --cse | FileCheck %s

#acc = #tile.mma<warps = [4, 1]>
!map = !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>

gpu.module @kernels {
  /// Behind the two stages of a channel are their barriers, first those that count
  /// the 32 threads of the sender, then those that count the warps of the receiver.
  /// One thread initialises them, then all meet and take their roles.

  // CHECK-LABEL: gpu.func @channel
  // CHECK-SAME: (%[[X:.*]]: memref<?x64xf16>, %[[N:.*]]: index,
  // CHECK: %[[MEMORY:.*]] = llvm.mlir.addressof @tile_shared_memory
  // CHECK: %[[FIRST:.*]] = arith.cmpi eq, %{{.*}}, %c0_i32
  // CHECK: scf.if %[[FIRST]] {
  // CHECK:   %[[STAGE0:.*]] = llvm.getelementptr %[[MEMORY]][1024]
  // CHECK:   %[[FULL0:.*]] = llvm.getelementptr %[[STAGE0]][16384]
  // CHECK:   nvvm.mbarrier.init %[[FULL0]], %c32_i32
  // CHECK:   %[[EMPTY0:.*]] = llvm.getelementptr %[[STAGE0]][16400]
  // CHECK:   nvvm.mbarrier.init %[[EMPTY0]], %c4_i32
  // CHECK:   %[[STAGE1:.*]] = llvm.getelementptr %[[MEMORY]][1032]
  // CHECK:   %[[FULL1:.*]] = llvm.getelementptr %[[STAGE1]][16384]
  // CHECK:   nvvm.mbarrier.init %[[FULL1]], %c32_i32
  // CHECK:   %[[EMPTY1:.*]] = llvm.getelementptr %[[STAGE1]][16400]
  // CHECK:   nvvm.mbarrier.init %[[EMPTY1]], %c4_i32
  // CHECK: }
  // CHECK: gpu.barrier

  /// The warp of lane 0 decides, which is the same for all lanes.

  // CHECK: %[[OWN:.*]] = arith.shrui %{{.*}}, %c5_i32
  // CHECK: %[[WARP:.*]] = nvvm.shfl.sync idx %{{.*}}, %[[OWN]], %c0_i32, %c31_i32
  // CHECK: %[[CONSUMES:.*]] = arith.cmpi ult, %[[WARP]], %c4_i32
  // CHECK: scf.if %[[CONSUMES]] {

  /// Tile n is in stage n mod 2, and fills it in phase (n / 2) mod 2.

  // CHECK:   %[[TILE:.*]] = arith.index_castui %[[N]] : index to i32
  // CHECK:   %[[STAGE:.*]] = arith.andi %[[TILE]], %c1_i32
  // CHECK:   %[[ROUND:.*]] = arith.shrui %[[TILE]], %c1_i32
  // CHECK:   %[[PHASE:.*]] = arith.andi %[[ROUND]], %c1_i32
  // CHECK:   %[[BYTE:.*]] = arith.muli %[[STAGE]], %c8_i32
  // CHECK:   %[[AT:.*]] = arith.addi %[[BYTE]], %c1024_i32
  // CHECK:   %[[BARRIERS:.*]] = llvm.getelementptr %[[MEMORY]][%[[AT]]]
  // CHECK:   %[[FULL:.*]] = llvm.getelementptr %[[BARRIERS]][16384]
  // CHECK:   nvvm.mbarrier.try_wait.parity %[[FULL]], %[[PHASE]],
  // CHECK:   %[[OFFSET:.*]] = arith.muli %[[STAGE]], %c8192_i32
  // CHECK:   arith.addi %[[OFFSET]], %c1024_i32
  // CHECK:   llvm.load

  /// A lane of each warp releases the tile, when all have read it.

  // CHECK:   nvvm.bar.warp.sync %c-1_i32
  // CHECK:   %[[LANE:.*]] = arith.andi %{{.*}}, %c31_i32
  // CHECK:   %[[IS_FIRST:.*]] = arith.cmpi eq, %[[LANE]], %c0_i32
  // CHECK:   %[[EMPTY:.*]] = llvm.getelementptr %[[BARRIERS]][16400]
  // CHECK:   nvvm.inline_ptx "mbarrier.arrive.shared::cta.b64 _, [$0];" ro(%[[EMPTY]] : !llvm.ptr<3>), predicate = %[[IS_FIRST]]
  // CHECK: } else {

  /// The sender waits for the phase before, which a new barrier has completed. Its
  /// threads are numbered from the first of its role. Each arrives when its copies
  /// are complete, as one of those that the barrier counts.

  // CHECK:   %[[BARRIERS:.*]] = llvm.getelementptr %[[MEMORY]][%{{.*}}]
  // CHECK:   %[[EMPTY:.*]] = llvm.getelementptr %[[BARRIERS]][16400]
  // CHECK:   %[[BEFORE:.*]] = arith.xori %{{.*}}, %c1_i32
  // CHECK:   nvvm.mbarrier.try_wait.parity %[[EMPTY]], %[[BEFORE]],
  // CHECK:   arith.subi %{{.*}}, %c128_i32
  // CHECK-COUNT-16: nvvm.cp.async.shared.global
  // CHECK-NOT: nvvm.cp.async.shared.global
  // CHECK:   %[[FULL:.*]] = llvm.getelementptr %[[BARRIERS]][16384]
  // CHECK-NEXT: nvvm.cp.async.mbarrier.arrive %[[FULL]] {noinc = true}

  /// A thread stays until all that it copies has arrived.

  // CHECK-NEXT: nvvm.cp.async.commit.group
  // CHECK-NEXT: nvvm.cp.async.wait.group 0
  // CHECK-NEXT: }
  // CHECK-NEXT: gpu.return
  gpu.func @channel(%x: memref<?x64xf16>, %n: index, %out: memref<64x16xf16>) kernel attributes {known_block_size = array<i32: 160, 1, 1>} {
    %c0 = arith.constant 0 : index
    %keys = tile.channel from 1 to 4 {tile.offset = 1024 : i64} : <<64x64xf16>, stages = 2>
    tile.warp_specialize consumers 4 {
      %t = tile.receive %keys at %n : <<64x64xf16>, stages = 2>
      %e = tile.extract %t[%n, %n] : !tile.shared<64x64xf16>
      tile.release %keys at %n : <<64x64xf16>, stages = 2>
      %f = tile.splat %e : !tile.fragment<64x16xf16, #acc>
      tile.store %f, %out[%c0, %c0] along [0, 1] : !tile.fragment<64x16xf16, #acc>, memref<64x16xf16>
    } producers 1 {
      tile.send %x[%c0, %c0] along [0, 1] to %keys at %n : memref<?x64xf16> to <<64x64xf16>, stages = 2>
    }
    gpu.return
  }

  /// By a tensor map, one thread sends: it waits, announces the bytes of the tile,
  /// and the hardware copies each of two panels of 128 bytes of the rows. Coordinates start
  /// with the innermost one. Whole warpgroups exchange registers.

  // CHECK-LABEL: gpu.func @bulk
  // CHECK-SAME: (%{{.*}}: memref<?x128xf16>, %[[N:.*]]: index, %[[MAP:.*]]: !nvgpu.tensormap.descriptor
  // CHECK: %[[MEMORY:.*]] = llvm.mlir.addressof @tile_shared_memory
  // CHECK: nvvm.mbarrier.init %{{.*}}, %c1_i32
  // CHECK: nvvm.mbarrier.init %{{.*}}, %c8_i32
  // CHECK: nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>
  // CHECK: arith.cmpi ult, %{{.*}}, %c8_i32
  // CHECK: scf.if
  // CHECK-NEXT: nvvm.setmaxregister increase 240
  // CHECK-NEXT: } else {
  // CHECK-NEXT: nvvm.setmaxregister decrease 40
  // CHECK:   %[[STAGE:.*]] = arith.remui %{{.*}}, %c3_i32
  // CHECK-DAG: %[[FULL:.*]] = llvm.getelementptr %{{.*}}[49152]
  // CHECK-DAG: %[[EMPTY:.*]] = llvm.getelementptr %{{.*}}[49176]
  // CHECK-DAG: %[[OFFSET:.*]] = arith.muli %[[STAGE]], %c16384_i32
  // CHECK-DAG: %[[THREAD:.*]] = arith.subi %{{.*}}, %c256_i32
  // CHECK:   %[[FIRST:.*]] = arith.cmpi eq, %[[THREAD]], %c0_i32
  // CHECK:   scf.if %[[FIRST]] {
  // CHECK:     nvvm.mbarrier.try_wait.parity %[[EMPTY]],
  // CHECK:     nvvm.mbarrier.arrive.expect_tx %[[FULL]], %c16384_i32
  // CHECK:     %[[AT:.*]] = builtin.unrealized_conversion_cast %[[MAP]] : {{.*}} to !llvm.ptr
  // CHECK:     %[[ROW:.*]] = arith.index_cast %[[N]] : index to i32
  // CHECK:     %[[TILE:.*]] = llvm.getelementptr %[[MEMORY]][%[[OFFSET]]]
  // CHECK:     %[[PANEL:.*]] = llvm.addrspacecast %[[TILE]] : !llvm.ptr<3> to !llvm.ptr<7>
  // CHECK:     nvvm.cp.async.bulk.tensor.shared.cluster.global %[[PANEL]], %[[AT]], %[[FULL]], box[%c0_i32, %[[ROW]]]
  // CHECK:     %[[NEXT:.*]] = llvm.getelementptr %[[TILE]][8192]
  // CHECK:     %[[PANEL:.*]] = llvm.addrspacecast %[[NEXT]]
  // CHECK:     nvvm.cp.async.bulk.tensor.shared.cluster.global %[[PANEL]], %[[AT]], %[[FULL]], box[%c64_i32, %[[ROW]]]
  // CHECK-NOT: nvvm.cp.async.bulk
  // CHECK: gpu.return
  gpu.func @bulk(%x: memref<?x128xf16>, %n: index, %map: !map) kernel attributes {known_block_size = array<i32: 384, 1, 1>} {
    %c0 = arith.constant 0 : index
    %keys = tile.channel bulk from 4 to 8 {tile.offset = 0 : i64} : <<64x128xf16>, stages = 3>
    tile.warp_specialize consumers 8 registers 240 {
    } producers 4 registers 40 {
      tile.send %x[%n, %c0] along [0, 1] by %map to %keys at %n : memref<?x128xf16> by !map to <<64x128xf16>, stages = 3>
    }
    gpu.return
  }

  /// The blocks of a tile are copied one by one, each to its rows of either panel.

  // CHECK-LABEL: gpu.func @bulk_blocks
  // CHECK-SAME: (%{{.*}}: memref<?x128xf16>, %[[N:.*]]: index, %[[M:.*]]: index,
  // CHECK:     nvvm.mbarrier.arrive.expect_tx %{{.*}}, %c8192_i32
  // CHECK:     %[[ROW:.*]] = arith.index_cast %[[N]] : index to i32
  // CHECK:     %[[PANEL:.*]] = llvm.addrspacecast %[[TILE:.*]] : !llvm.ptr<3> to !llvm.ptr<7>
  // CHECK:     nvvm.cp.async.bulk.tensor.shared.cluster.global %[[PANEL]], {{.*}}, box[%c0_i32, %[[ROW]]]
  // CHECK:     llvm.getelementptr %[[TILE]][4096]
  // CHECK:     nvvm.cp.async.bulk.tensor.shared.cluster.global {{.*}}, box[%c64_i32, %[[ROW]]]
  // CHECK:     %[[OTHER:.*]] = arith.index_cast %[[M]] : index to i32
  // CHECK:     llvm.getelementptr %[[TILE]][2048]
  // CHECK:     nvvm.cp.async.bulk.tensor.shared.cluster.global {{.*}}, box[%c0_i32, %[[OTHER]]]
  // CHECK:     llvm.getelementptr %[[TILE]][6144]
  // CHECK:     nvvm.cp.async.bulk.tensor.shared.cluster.global {{.*}}, box[%c64_i32, %[[OTHER]]]
  // CHECK-NOT: nvvm.cp.async.bulk
  // CHECK: gpu.return
  gpu.func @bulk_blocks(%x: memref<?x128xf16>, %n: index, %m: index, %map: !map) kernel attributes {known_block_size = array<i32: 160, 1, 1>} {
    %c0 = arith.constant 0 : index
    %keys = tile.channel bulk from 1 to 4 {tile.offset = 0 : i64} : <<32x128xf16>, stages = 2>
    tile.warp_specialize consumers 4 {
    } producers 1 {
      tile.send %x[%n, %m, %c0] along [0, 1] blocks 2 by %map to %keys at %c0 : memref<?x128xf16> by !map to <<32x128xf16>, stages = 2>
    }
    gpu.return
  }

  /// Copies of less than four bytes are complete when a thread goes on: it arrives
  /// itself.

  // CHECK-LABEL: gpu.func @unaligned
  // CHECK-NOT: nvvm.cp.async.shared.global
  // CHECK: llvm.store %{{.*}} : f16, !llvm.ptr<3>
  // CHECK: %[[FULL:.*]] = llvm.getelementptr %{{.*}}[512]
  // CHECK-NEXT: nvvm.mbarrier.arrive %[[FULL]]
  // CHECK-NOT: nvvm.cp.async.mbarrier.arrive
  // CHECK: gpu.return
  gpu.func @unaligned(%x: memref<16x7xf16>, %n: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %keys = tile.channel from 1 to 1 {tile.offset = 0 : i64} : <<16x16xf16>, stages = 1>
    tile.warp_specialize consumers 1 {
    } producers 1 {
      tile.send %x[%c0, %c0] along [0, 1] to %keys at %n : memref<16x7xf16> to <<16x16xf16>, stages = 1>
    }
    gpu.return
  }

  /// One thread takes a number and stores it; the others read it after a barrier. All
  /// lanes have that of lane 0, so that it is uniform.

  // CHECK-LABEL: gpu.func @claim
  // CHECK-SAME: (%[[COUNTER:.*]]: memref<1xi32>,
  // CHECK: %[[MEMORY:.*]] = llvm.mlir.addressof @tile_shared_memory
  // CHECK: %[[PLACE:.*]] = llvm.getelementptr %[[MEMORY]][256]
  // CHECK: %[[FIRST:.*]] = arith.cmpi eq, %{{.*}}, %c0_i32
  // CHECK: scf.if %[[FIRST]] {
  // CHECK:   memref.extract_aligned_pointer_as_index %[[COUNTER]]
  // CHECK:   %[[GLOBAL:.*]] = llvm.inttoptr %{{.*}} : i64 to !llvm.ptr<1>
  // CHECK:   %[[TAKEN:.*]] = llvm.atomicrmw add %[[GLOBAL]], %c1_i32 syncscope("device") monotonic
  // CHECK:   llvm.store %[[TAKEN]], %[[PLACE]] : i32, !llvm.ptr<3>
  // CHECK: }
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: %[[READ:.*]] = llvm.load %[[PLACE]] : !llvm.ptr<3> -> i32
  // CHECK-NEXT: %[[SAME:.*]] = nvvm.shfl.sync idx %c-1_i32, %[[READ]], %c0_i32, %c31_i32
  // CHECK-NEXT: %[[NUMBER:.*]] = arith.index_castui %[[SAME]] : i32 to index
  // CHECK-NEXT: memref.store %[[NUMBER]]
  gpu.func @claim(%counter: memref<1xi32>, %x: memref<1xindex>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %n = tile.claim %counter {tile.offset = 256 : i64} : memref<1xi32>
    memref.store %n, %x[%c0] : memref<1xindex>
    gpu.return
  }

  /// Through a channel, the first warp of the producers waits until all warps have
  /// released the number before, one of its lanes takes the next one, and all of them
  /// arrive. Consumers read when they have done so; each of their warps releases it.

  // CHECK-LABEL: gpu.func @send_claim
  // CHECK-SAME: (%[[COUNTER:.*]]: memref<1xi32>, %[[N:.*]]: index,
  // CHECK: %[[MEMORY:.*]] = llvm.mlir.addressof @tile_shared_memory
  // CHECK: nvvm.mbarrier.init %{{.*}}, %c32_i32
  // CHECK: nvvm.mbarrier.init %{{.*}}, %c6_i32
  // CHECK: scf.if %{{.*}} {
  // CHECK:   %[[FULL:.*]] = llvm.getelementptr %[[MEMORY]][16]
  // CHECK:   nvvm.mbarrier.try_wait.parity %[[FULL]], %{{.*}},
  // CHECK:   %[[READ:.*]] = llvm.load %[[MEMORY]] : !llvm.ptr<3> -> i32
  // CHECK-NEXT: %[[SAME:.*]] = nvvm.shfl.sync idx %c-1_i32, %[[READ]], %c0_i32, %c31_i32
  // CHECK-NEXT: %[[NUMBER:.*]] = arith.index_castui %[[SAME]] : i32 to index
  // CHECK:   %[[EMPTY:.*]] = llvm.getelementptr %[[MEMORY]][24]
  // CHECK:   nvvm.inline_ptx "mbarrier.arrive.shared::cta.b64 _, [$0];" ro(%[[EMPTY]] :
  // CHECK: } else {
  // CHECK:   %[[FULL:.*]] = llvm.getelementptr %[[MEMORY]][16]
  // CHECK:   %[[EMPTY:.*]] = llvm.getelementptr %[[MEMORY]][24]
  // CHECK:   %[[WARP:.*]] = arith.cmpi eq, %{{.*}}, %c0_i32
  // CHECK:   scf.if %[[WARP]] {
  // CHECK:     nvvm.mbarrier.try_wait.parity %[[EMPTY]], %{{.*}},
  // CHECK:     %[[LANE:.*]] = arith.cmpi eq, %{{.*}}, %c0_i32
  // CHECK:     scf.if %[[LANE]] {
  // CHECK:       %[[TAKEN:.*]] = llvm.atomicrmw add %{{.*}}, %c1_i32 syncscope("device") monotonic
  // CHECK:       llvm.store %[[TAKEN]], %[[MEMORY]] : i32, !llvm.ptr<3>
  // CHECK:     }
  // CHECK-NEXT: nvvm.bar.warp.sync %c-1_i32
  // CHECK-NEXT: {{.*}}nvvm.mbarrier.arrive %[[FULL]]
  // CHECK-NEXT: }
  // CHECK-NOT: llvm.atomicrmw
  // CHECK: gpu.return
  gpu.func @send_claim(%counter: memref<1xi32>, %n: index, %x: memref<1xindex>) kernel attributes {known_block_size = array<i32: 192, 1, 1>} {
    %c0 = arith.constant 0 : index
    %claims = tile.channel from 1 to 6 {tile.offset = 0 : i64} : <<1x1xi32>, stages = 1>
    tile.warp_specialize consumers 4 {
      %number = tile.receive_claim %claims at %n : <<1x1xi32>, stages = 1>
      tile.release %claims at %n : <<1x1xi32>, stages = 1>
      memref.store %number, %x[%c0] : memref<1xindex>
    } producers 2 {
      tile.send_claim %counter to %claims at %n : memref<1xi32> to <<1x1xi32>, stages = 1>
    }
    gpu.return
  }

  /// Threads of a role meet at a barrier of their own in a vote and in a reduction.

  // CHECK-LABEL: gpu.func @barriers
  // CHECK: scf.if
  // CHECK:   llvm.call_intrinsic "llvm.nvvm.barrier.cta.red.or.aligned.count"(%c1_i32, %c64_i32, %{{.*}}) : (i32, i32, i1) -> i1
  // CHECK: } else {
  // CHECK:   llvm.store %{{.*}}, !llvm.ptr<3>
  // CHECK:   nvvm.barrier id = %c2_i32 number_of_threads = %c64_i32
  // CHECK: gpu.return
  gpu.func @barriers(%x: memref<128xi1>, %y: memref<1xi1>, %z: memref<8x16xf32>, %w: memref<8xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    tile.warp_specialize consumers 2 {
      %t = tile.load %x[%c0] along [0] : memref<128xi1> -> !tile.fragment<128xi1, #tile.blocked<elements = [2], lanes = [32], warps = [2]>>
      %a = tile.any %t : !tile.fragment<128xi1, #tile.blocked<elements = [2], lanes = [32], warps = [2]>>
      memref.store %a, %y[%c0] : memref<1xi1>
    } producers 2 {
      %t = tile.load %z[%c0, %c0] along [0, 1] : memref<8x16xf32> -> !tile.fragment<8x16xf32, #tile.blocked<elements = [1, 2], lanes = [8, 4], warps = [1, 2]>>
      %m = tile.reduce %t along 1 {
      ^bb0(%a: f32, %b: f32):
        %c = arith.maxnumf %a, %b : f32
        tile.yield %c : f32
      } {tile.offset = 0 : i64} : !tile.fragment<8x16xf32, #tile.blocked<elements = [1, 2], lanes = [8, 4], warps = [1, 2]>> -> !tile.fragment<8xf32, #tile.slice<1, #tile.blocked<elements = [1, 2], lanes = [8, 4], warps = [1, 2]>>>
      tile.store %m, %w[%c0] along [0] : !tile.fragment<8xf32, #tile.slice<1, #tile.blocked<elements = [1, 2], lanes = [8, 4], warps = [1, 2]>>>, memref<8xf32>
    }
    gpu.return
  }
}
