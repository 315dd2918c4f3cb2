// RUN: stof-opt %s --pass-pipeline="builtin.module(gpu.module(gpu.func(stof-use-warpgroups)))" | FileCheck %s
// RUN: stof-opt %s --pass-pipeline="builtin.module(gpu.module(gpu.func(stof-use-warpgroups)))" --remarks-filter=stof-use-warpgroups -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

#acc = #tile.mma<warps = [4, 1]>
#two = #tile.mma<warps = [8, 1]>
#square = #tile.mma<warps = [2, 2]>

gpu.module @kernels {
  /// Two warpgroups compute 64 rows each. What follows waits for them.

  // CHECK-LABEL: gpu.func @two_groups
  // CHECK-SAME: (%[[A:.*]]: !tile.shared<128x64xf16>, %[[B:.*]]: !tile.shared<128x64xf16>, %[[C:.*]]: !tile.fragment
  // CHECK-NEXT: %[[FENCED:.*]] = tile.wgmma_fence %[[C]] reads %[[A]], %[[B]]
  // CHECK-NEXT: %[[SENT:.*]] = tile.wgmma %[[A]], %[[B]], %[[FENCED]] transpose_rhs
  // CHECK-NEXT: %[[COMMITTED:.*]] = tile.wgmma_commit %[[SENT]]
  // CHECK-NEXT: %[[SUM:.*]] = tile.wgmma_wait %[[COMMITTED]]
  // CHECK-NEXT: tile.splat
  // CHECK-NEXT: tile.reduce %[[SUM]]
  // REMARK: remark: [Passed] Warpgroups | {{.*}}Groups=2
  gpu.func @two_groups(%a: !tile.shared<128x64xf16>, %b: !tile.shared<128x64xf16>, %c: !tile.fragment<128x128xf32, #two>, %z: f32) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %s = tile.contract %a, %b, %c transpose_rhs : !tile.shared<128x64xf16>, !tile.shared<128x64xf16>, !tile.fragment<128x128xf32, #two>
    %i = tile.splat %z : !tile.fragment<128x128xf32, #two>
    %m = tile.reduce %s along 1 {
    ^bb0(%x: f32, %y: f32):
      %e = arith.maxnumf %x, %y : f32
      tile.yield %e : f32
    } : !tile.fragment<128x128xf32, #two> -> !tile.fragment<128xf32, #tile.slice<1, #two>>
    gpu.return
  }

  /// A warpgroup can compute more than the 64 rows of an instruction.

  // CHECK-LABEL: gpu.func @two_blocks
  // CHECK: tile.wgmma %{{.*}} !tile.in_flight<128x64xf32, #{{.*}}>
  // REMARK: remark: [Passed] Warpgroups | {{.*}}Groups=1
  gpu.func @two_blocks(%a: !tile.shared<128x64xf16>, %b: !tile.shared<64x64xf16>, %c: !tile.fragment<128x64xf32, #acc>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tile.contract %a, %b, %c : !tile.shared<128x64xf16>, !tile.shared<64x64xf16>, !tile.fragment<128x64xf32, #acc>
    gpu.return
  }

  /// Warps that divide columns as well are no warpgroup.

  // CHECK-LABEL: gpu.func @negative_layout
  // CHECK-NOT: wgmma
  // CHECK: tile.contract
  // REMARK: remark: [Missed] Warpgroups | {{.*}}expects whole warpgroups that divide the rows
  gpu.func @negative_layout(%a: !tile.shared<64x64xf16>, %c: !tile.fragment<64x64xf32, #square>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tile.contract %a, %a, %c : !tile.shared<64x64xf16>, !tile.shared<64x64xf16>, !tile.fragment<64x64xf32, #square>
    gpu.return
  }

  /// wgmma has no swizzle for rows of less than 128 bytes that a contraction of
  /// warps could share.

  // CHECK-LABEL: gpu.func @negative_short_rows
  // CHECK-NOT: wgmma
  // CHECK: tile.contract
  // REMARK: remark: [Missed] Warpgroups | {{.*}}expects shared tiles of whole rows of 128 bytes
  gpu.func @negative_short_rows(%a: !tile.shared<64x32xf16>, %c: !tile.fragment<64x64xf32, #acc>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tile.contract %a, %a, %c transpose_rhs : !tile.shared<64x32xf16>, !tile.shared<64x32xf16>, !tile.fragment<64x64xf32, #acc>
    gpu.return
  }

  /// What warps hold in registers is handed over with the accumulators.

  // CHECK-LABEL: gpu.func @registers
  // CHECK-SAME: (%[[A:.*]]: !tile.fragment<64x64xf16, #{{.*}}>, %[[B:.*]]: !tile.shared<64x64xf16>, %[[C:.*]]: !tile.fragment
  // CHECK-NEXT: %[[FENCED:.*]] = tile.wgmma_fence %[[C]] reads %[[B]] : !tile.shared<64x64xf16> ->
  // CHECK-NEXT: tile.wgmma %[[A]], %[[B]], %[[FENCED]] :
  // REMARK: remark: [Passed] Warpgroups | {{.*}}Groups=1
  gpu.func @registers(%a: !tile.fragment<64x64xf16, #acc>, %b: !tile.shared<64x64xf16>, %c: !tile.fragment<64x64xf32, #acc>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %s = tile.contract %a, %b, %c : !tile.fragment<64x64xf16, #acc>, !tile.shared<64x64xf16>, !tile.fragment<64x64xf32, #acc>
    gpu.return
  }

  /// An lhs in registers that the loop does not compute is read by warps.

  // CHECK-LABEL: gpu.func @negative_kept
  // CHECK: scf.for
  // CHECK-NEXT: %[[S:.*]] = tile.contract
  // CHECK: tile.wgmma %{{.*}} !tile.fragment<64x64xf16,
  // REMARK: remark: [Missed] Warpgroups | {{.*}}expects an lhs that its loop computes, as ptxas of CUDA 12.9 and 13.0 may overwrite registers that stay
  // REMARK: remark: [Passed] Warpgroups | {{.*}}Groups=1
  gpu.func @negative_kept(%a: !tile.fragment<64x64xf16, #acc>, %b: !tile.shared<64x64xf16>, %c: !tile.fragment<64x64xf32, #acc>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%sum = %c) -> (!tile.fragment<64x64xf32, #acc>) {
      %s = tile.contract %a, %b, %c transpose_rhs : !tile.fragment<64x64xf16, #acc>, !tile.shared<64x64xf16>, !tile.fragment<64x64xf32, #acc>
      %p = tile.map ins(%s : !tile.fragment<64x64xf32, #acc>) {
      ^bb0(%row: index, %column: index, %x: f32):
        %y = arith.truncf %x : f32 to f16
        tile.yield %y : f16
      } -> !tile.fragment<64x64xf16, #acc>
      %t = tile.contract %p, %b, %sum : !tile.fragment<64x64xf16, #acc>, !tile.shared<64x64xf16>, !tile.fragment<64x64xf32, #acc>
      scf.yield %t : !tile.fragment<64x64xf32, #acc>
    }
    gpu.return
  }

  /// A sum that starts at zero is the product alone: no register has to be set.

  // CHECK-LABEL: gpu.func @from_zero
  // CHECK: %[[ANY:.*]] = ub.poison : f32
  // CHECK-NEXT: %[[NONE:.*]] = tile.splat %[[ANY]] : !tile.fragment<64x64xf32,
  // CHECK-NEXT: %[[FENCED:.*]] = tile.wgmma_fence %[[NONE]] reads
  // CHECK-NEXT: tile.wgmma %{{.*}}, %{{.*}}, %[[FENCED]] transpose_rhs from_zero :
  // CHECK: %[[ONES:.*]] = tile.splat %cst_0
  // CHECK: %[[FENCED:.*]] = tile.wgmma_fence %[[ONES]] reads
  // CHECK-NEXT: tile.wgmma %{{.*}}, %{{.*}}, %[[FENCED]] transpose_rhs :
  // REMARK-COUNT-2: remark: [Passed] Warpgroups | {{.*}}Groups=1
  gpu.func @from_zero(%a: !tile.shared<64x64xf16>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    %one = arith.constant 1.0 : f32
    %none = tile.splat %zero : !tile.fragment<64x64xf32, #acc>
    %s = tile.contract %a, %a, %none transpose_rhs : !tile.shared<64x64xf16>, !tile.shared<64x64xf16>, !tile.fragment<64x64xf32, #acc>
    %ones = tile.splat %one : !tile.fragment<64x64xf32, #acc>
    %t = tile.contract %a, %a, %ones transpose_rhs : !tile.shared<64x64xf16>, !tile.shared<64x64xf16>, !tile.fragment<64x64xf32, #acc>
    gpu.return
  }

  /// What threads have loaded is handed over, what a tensor map brings is not.

  // CHECK-LABEL: gpu.func @received
  // CHECK: %[[LOADED:.*]] = tile.receive
  // CHECK: %[[BULK:.*]] = tile.receive
  // CHECK: tile.wgmma_fence %{{.*}} reads %[[LOADED]] : !tile.shared<64x64xf16> ->
  // CHECK-NEXT: tile.wgmma %[[BULK]], %[[LOADED]],
  // CHECK: tile.wgmma_fence %{{[^ ]*}} -> !tile.in_flight
  // CHECK-NEXT: tile.wgmma %[[BULK]], %[[BULK]],
  // REMARK-COUNT-2: remark: [Passed] Warpgroups
  gpu.func @received(%acc: !tile.fragment<64x64xf32, #acc>) kernel attributes {known_block_size = array<i32: 160, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = tile.channel from 1 to 4 : <<64x64xf16>, stages = 2>
    %other = tile.channel bulk from 1 to 4 : <<64x64xf16>, stages = 2>
    tile.warp_specialize consumers 4 {
      %a = tile.receive %one at %c0 : <<64x64xf16>, stages = 2>
      %b = tile.receive %other at %c0 : <<64x64xf16>, stages = 2>
      %s = tile.contract %b, %a, %acc : !tile.shared<64x64xf16>, !tile.shared<64x64xf16>, !tile.fragment<64x64xf32, #acc>
      %t = tile.contract %b, %b, %s : !tile.shared<64x64xf16>, !tile.shared<64x64xf16>, !tile.fragment<64x64xf32, #acc>
    } producers 1 {
    }
    gpu.return
  }
}
