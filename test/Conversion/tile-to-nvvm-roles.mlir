// RUN: stof-opt %s --stof-tile-to-nvvm --canonicalize --cse | FileCheck %s

/// Groups of consumer warps, and wgmma in flight over iterations.

#acc = #tile.mma<warps = [4, 1]>
#line = #tile.blocked<elements = [2], lanes = [32], warps = [2]>
#lines = #tile.blocked<elements = [1, 2], lanes = [8, 4], warps = [1, 2]>
!tile = !tile.shared<64x64xf16>
!flight = !tile.in_flight<64x64xf32, #acc>

gpu.module @kernels {
  /// Twelve warps consume. The turns of three groups have barriers 5, 6 and 7, each for
  /// the 128 threads of a group, which wait, and those of the one before, which do not.
  /// The last group gives the first turn to group 0, and any to the next one, modulo three.
  /// The number of a group is that of lane 0: uniform, as ptxas has to see for wgmma. It
  /// is shuffled before all loops.

  // CHECK-LABEL: gpu.func @turns
  // CHECK-SAME: (%[[X:.*]]: memref<?xindex>, %[[N:.*]]: index)
  // CHECK: gpu.barrier
  // CHECK: arith.cmpi ult, %{{.*}}, %c12_i32
  // CHECK: scf.if %{{.*}} {
  // CHECK-NEXT:   %[[OWN:.*]] = arith.divui %{{.*}}, %c128_i32 : i32
  // CHECK-NEXT:   %[[ENDING:.*]] = nvvm.shfl.sync idx %c-1_i32, %[[OWN]], %c0_i32, %c31_i32
  // CHECK-NEXT:   %[[BEGINNING:.*]] = nvvm.shfl.sync idx %c-1_i32, %[[OWN]], %c0_i32, %c31_i32
  // CHECK-NEXT:   %[[NUMBER:.*]] = nvvm.shfl.sync idx %c-1_i32, %[[OWN]], %c0_i32, %c31_i32
  // CHECK-NEXT:   %[[GROUP:.*]] = nvvm.shfl.sync idx %c-1_i32, %[[OWN]], %c0_i32, %c31_i32
  // CHECK-NEXT:   %[[IS_LAST:.*]] = arith.cmpi eq, %[[GROUP]], %c2_i32
  // CHECK-NEXT:   scf.if %[[IS_LAST]] {
  // CHECK-NEXT:     nvvm.barrier.arrive id = %c5_i32 number_of_threads = %c256_i32
  // CHECK-NEXT:   }
  // CHECK:        %[[FIRST:.*]] = arith.index_castui %[[NUMBER]] : i32 to index
  // CHECK-NEXT:   scf.for %[[I:.*]] = %[[FIRST]] to %[[N]] step %c3 {
  // CHECK-NEXT:     %[[TURN:.*]] = arith.addi %[[BEGINNING]], %c5_i32
  // CHECK-NEXT:     nvvm.barrier id = %[[TURN]] number_of_threads = %c256_i32
  // CHECK-NEXT:     memref.store %[[I]], %[[X]][%[[FIRST]]]
  // CHECK-NEXT:     %[[AFTER:.*]] = arith.addi %[[ENDING]], %c1_i32
  // CHECK-NEXT:     %[[NEXT:.*]] = arith.remui %[[AFTER]], %c3_i32
  // CHECK-NEXT:     %[[TURN:.*]] = arith.addi %[[NEXT]], %c5_i32
  // CHECK-NEXT:     nvvm.barrier.arrive id = %[[TURN]] number_of_threads = %c256_i32
  // CHECK-NEXT:   }
  // CHECK-NEXT: } else {
  // CHECK-NEXT:   nvvm.cp.async.commit.group
  gpu.func @turns(%x: memref<?xindex>, %n: index) kernel attributes {known_block_size = array<i32: 448, 1, 1>} {
    %c3 = arith.constant 3 : index
    tile.warp_specialize consumers 4 groups 3 {
      %group = tile.consumer_group
      scf.for %i = %group to %n step %c3 {
        tile.begin_turn
        memref.store %i, %x[%group] : memref<?xindex>
        tile.end_turn
      }
    } producers 2 {
    }
    gpu.return
  }

  /// Two warpgroups of the one group take turns at barriers 3 and 4, behind those of the
  /// roles, each for the 128 threads of either. The last one gives the first turn.

  // CHECK-LABEL: gpu.func @turns_of_warpgroups
  // CHECK: scf.if %{{.*}} {
  // CHECK-NEXT:   %[[OWN:.*]] = arith.divui %{{.*}}, %c128_i32 : i32
  // CHECK-NEXT:   %[[ENDING:.*]] = nvvm.shfl.sync idx
  // CHECK-NEXT:   %[[BEGINNING:.*]] = nvvm.shfl.sync idx
  // CHECK-NEXT:   %[[NUMBER:.*]] = nvvm.shfl.sync idx %c-1_i32, %[[OWN]], %c0_i32, %c31_i32
  // CHECK-NEXT:   %[[IS_LAST:.*]] = arith.cmpi eq, %[[NUMBER]], %c1_i32
  // CHECK-NEXT:   scf.if %[[IS_LAST]] {
  // CHECK-NEXT:     nvvm.barrier.arrive id = %c3_i32 number_of_threads = %c256_i32
  // CHECK-NEXT:   }
  // CHECK-NEXT:   scf.for
  // CHECK-NEXT:     %[[TURN:.*]] = arith.addi %[[BEGINNING]], %c3_i32
  // CHECK-NEXT:     nvvm.barrier id = %[[TURN]] number_of_threads = %c256_i32
  // CHECK:          %[[AFTER:.*]] = arith.addi %[[ENDING]], %c1_i32
  // CHECK-NEXT:     arith.andi %[[AFTER]], %c1_i32
  // CHECK-NEXT:     %[[NEXT:.*]] = arith.addi %{{.*}}, %c3_i32
  // CHECK-NEXT:     nvvm.barrier.arrive id = %[[NEXT]] number_of_threads = %c256_i32
  // CHECK: } else {
  gpu.func @turns_of_warpgroups(%x: memref<?xindex>, %n: index) kernel attributes {known_block_size = array<i32: 288, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    tile.warp_specialize consumers 8 {
      scf.for %i = %c0 to %n step %c1 {
        tile.begin_turn of warpgroups
        memref.store %i, %x[%i] : memref<?xindex>
        tile.end_turn of warpgroups
      }
    } producers 1 {
    }
    gpu.return
  }

  /// A release after exponentials depends on one of them, the middle one of the thread: a
  /// NaN that no arithmetic gives would keep it from arriving.

  // CHECK-LABEL: gpu.func @release_after
  // CHECK: %[[BITS:.*]] = arith.bitcast %{{.*}} : f32 to i32
  // CHECK-NEXT: %[[COMPUTED:.*]] = arith.cmpi ne, %[[BITS]], %c2142093039_i32
  // CHECK-NEXT: %[[ARRIVES:.*]] = arith.andi %{{.*}}, %[[COMPUTED]] : i1
  // CHECK: nvvm.inline_ptx "mbarrier.arrive.shared::cta.b64 _, [$0];" ro(%{{.*}} : !llvm.ptr<3>), predicate = %[[ARRIVES]]
  gpu.func @release_after(%x: memref<64x64xf32>, %n: index) kernel attributes {known_block_size = array<i32: 160, 1, 1>} {
    %c0 = arith.constant 0 : index
    %keys = tile.channel from 1 to 4 {tile.offset = 1024 : i64} : <<64x64xf16>, stages = 2>
    tile.warp_specialize consumers 4 {
      %p = tile.load %x[%c0, %c0] along [0, 1] : memref<64x64xf32> -> !tile.fragment<64x64xf32, #acc>
      tile.release %keys at %n after %p : <<64x64xf16>, stages = 2>, !tile.fragment<64x64xf32, #acc>
    } producers 1 {
    }
    gpu.return
  }

  /// Threads of a group are numbered by themselves, and meet at a barrier of the group,
  /// 1 or 2. That of producers follows, whose threads are behind those of all groups.

  // CHECK-LABEL: gpu.func @barriers
  // CHECK: %[[ID:.*]] = gpu.thread_id x
  // CHECK: %[[THREAD:.*]] = arith.index_cast %[[ID]] : index to i32
  // CHECK: arith.cmpi ult, %{{.*}}, %c4_i32
  // CHECK: scf.if
  // CHECK:   %[[GROUP:.*]] = nvvm.shfl.sync idx
  // CHECK:   nvvm.barrier.arrive id = %c4_i32 number_of_threads = %c128_i32
  // CHECK:   arith.andi %[[THREAD]], %c63_i32
  // CHECK:   %[[BARRIER:.*]] = arith.addi %[[GROUP]], %c1_i32
  // CHECK:   llvm.call_intrinsic "llvm.nvvm.barrier.cta.red.or.aligned.count"(%[[BARRIER]], %c64_i32, %{{.*}}) : (i32, i32, i1) -> i1
  // CHECK: } else {
  // CHECK:   arith.subi %[[THREAD]], %c128_i32
  // CHECK:   nvvm.barrier id = %c3_i32 number_of_threads = %c64_i32
  // CHECK: gpu.return
  gpu.func @barriers(%x: memref<128xi1>, %y: memref<1xi1>, %z: memref<8x16xf32>, %w: memref<8xf32>) kernel attributes {known_block_size = array<i32: 192, 1, 1>} {
    %c0 = arith.constant 0 : index
    tile.warp_specialize consumers 2 groups 2 {
      %t = tile.load %x[%c0] along [0] : memref<128xi1> -> !tile.fragment<128xi1, #line>
      %a = tile.any %t : !tile.fragment<128xi1, #line>
      memref.store %a, %y[%c0] : memref<1xi1>
    } producers 2 {
      %t = tile.load %z[%c0, %c0] along [0, 1] : memref<8x16xf32> -> !tile.fragment<8x16xf32, #lines>
      %m = tile.reduce %t along 1 {
      ^bb0(%a: f32, %b: f32):
        %c = arith.maxnumf %a, %b : f32
        tile.yield %c : f32
      } {tile.offset = 0 : i64} : !tile.fragment<8x16xf32, #lines> -> !tile.fragment<8xf32, #tile.slice<1, #lines>>
      tile.store %m, %w[%c0] along [0] : !tile.fragment<8xf32, #tile.slice<1, #lines>>, memref<8xf32>
    }
    gpu.return
  }

  /// One group has no turns: nothing is given to it.

  // CHECK-LABEL: gpu.func @one_group
  // CHECK-NOT: nvvm.barrier.arrive
  // CHECK-NOT: arith.remui
  // CHECK: gpu.return
  gpu.func @one_group(%x: memref<?xindex>) kernel attributes {known_block_size = array<i32: 160, 1, 1>} {
    tile.warp_specialize consumers 4 {
      %group = tile.consumer_group
      memref.store %group, %x[%group] : memref<?xindex>
    } producers 1 {
    }
    gpu.return
  }

  /// Accumulators in flight over an iteration have a fence before wgmma, which hands over
  /// nothing, and a wait that does not return them.

  // CHECK-LABEL: gpu.func @over_iterations
  // CHECK: %[[FENCED:.*]] = llvm.inline_asm has_side_effects "wgmma.fence.sync.aligned;"
  // CHECK: %[[R:.*]] = scf.for {{.*}} iter_args(%[[SUM:.*]] = %[[FENCED]])
  // CHECK:   nvvm.wgmma.fence.aligned
  // CHECK:   %[[S0:.*]] = nvvm.wgmma.mma_async %{{.*}}, %{{.*}}, %[[SUM]],
  // CHECK-NOT: nvvm.wgmma.fence.aligned
  // CHECK:   %[[S1:.*]] = nvvm.wgmma.mma_async %{{.*}}, %{{.*}}, %[[S0]],
  // CHECK:   %[[S2:.*]] = nvvm.wgmma.mma_async %{{.*}}, %{{.*}}, %[[S1]],
  // CHECK:   %[[S3:.*]] = nvvm.wgmma.mma_async %{{.*}}, %{{.*}}, %[[S2]],
  // CHECK-NEXT: nvvm.wgmma.commit.group.sync.aligned
  // CHECK-NEXT: nvvm.wgmma.wait.group.sync.aligned 1
  // CHECK-NEXT: scf.yield %[[S3]]
  // CHECK: llvm.inline_asm has_side_effects "wgmma.wait_group.sync.aligned 0;"
  gpu.func @over_iterations(%n: index, %out: memref<64x64xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %a = tile.empty {tile.offset = 0 : i64} : !tile
    %none = arith.constant 0.0 : f32
    %zero = tile.splat %none : !tile.fragment<64x64xf32, #acc>
    %f = tile.wgmma_fence %zero -> !flight
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %f) -> (!flight) {
      %next = tile.wgmma %a, %a, %sum fenced : !tile, !tile, !flight
      %g = tile.wgmma_commit %next : !flight
      tile.wgmma_wait_groups pending 1
      scf.yield %g : !flight
    }
    %d = tile.wgmma_wait %r : !flight
    tile.store %d, %out[%c0, %c0] along [0, 1] : !tile.fragment<64x64xf32, #acc>, memref<64x64xf32>
    gpu.return
  }
}
