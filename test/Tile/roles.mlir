// RUN: stof-opt %s | stof-opt | FileCheck %s
// RUN: stof-opt %s --cse --canonicalize | FileCheck %s --check-prefix=ORDER

!map = !nvgpu.tensormap.descriptor<tensor = memref<1x64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>

gpu.module @kernels {
  /// Producer warps send, consumer warps receive, through channels between them.

  // CHECK-LABEL: gpu.func @roles
  // CHECK-SAME: (%[[X:.*]]: memref<?x64xf16>, %[[N:.*]]: index)
  // CHECK: %[[KEYS:.*]] = tile.channel from 1 to 4 : <<64x64xf16>, stages = 2>
  // CHECK-NEXT: tile.warp_specialize consumers 4 {
  // CHECK-NEXT:   scf.for %[[I:.*]] = %c0 to %[[N]] step %c1 {
  // CHECK-NEXT:     %[[TILE:.*]] = tile.receive %[[KEYS]] at %[[I]] : <<64x64xf16>, stages = 2>
  // CHECK-NEXT:     tile.await %[[TILE]] : !tile.shared<64x64xf16>
  // CHECK-NEXT:     tile.release %[[KEYS]] at %[[I]] : <<64x64xf16>, stages = 2>
  // CHECK-NEXT:   }
  // CHECK-NEXT: } producers 1 {
  // CHECK-NEXT:   scf.for %[[J:.*]] = %c0 to %[[N]] step %c1 {
  // CHECK-NEXT:     tile.send %[[X]][%[[J]], %c0] along [0, 1] to %[[KEYS]] at %[[J]] : memref<?x64xf16> to <<64x64xf16>, stages = 2>
  // CHECK-NEXT:   }
  // CHECK-NEXT: }
  // CHECK-NEXT: gpu.return
  gpu.func @roles(%x: memref<?x64xf16>, %n: index) kernel attributes {known_block_size = array<i32: 160, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %keys = tile.channel from 1 to 4 : <<64x64xf16>, stages = 2>
    tile.warp_specialize consumers 4 {
      scf.for %i = %c0 to %n step %c1 {
        %t = tile.receive %keys at %i : <<64x64xf16>, stages = 2>
        %a = tile.await %t : !tile.shared<64x64xf16>
        tile.release %keys at %i : <<64x64xf16>, stages = 2>
      }
    } producers 1 {
      scf.for %i = %c0 to %n step %c1 {
        tile.send %x[%i, %c0] along [0, 1] to %keys at %i : memref<?x64xf16> to <<64x64xf16>, stages = 2>
      }
    }
    gpu.return
  }

  /// A producer warp claims tiles for all warps of the CTA, of either role.

  // CHECK-LABEL: gpu.func @claims
  // CHECK-SAME: (%[[COUNTER:.*]]: memref<1xi32>)
  // CHECK: %[[CLAIMS:.*]] = tile.channel from 1 to 5 : <<1x1xi32>, stages = 1>
  // CHECK-NEXT: tile.warp_specialize consumers 4 {
  // CHECK-NEXT:   %{{.*}} = tile.receive_claim %[[CLAIMS]] at %c0 : <<1x1xi32>, stages = 1>
  // CHECK-NEXT:   tile.release %[[CLAIMS]] at %c0 : <<1x1xi32>, stages = 1>
  // CHECK-NEXT: } producers 1 {
  // CHECK-NEXT:   tile.send_claim %[[COUNTER]] to %[[CLAIMS]] at %c0 : memref<1xi32> to <<1x1xi32>, stages = 1>
  // CHECK-NEXT:   %{{.*}} = tile.receive_claim %[[CLAIMS]] at %c0 : <<1x1xi32>, stages = 1>
  // CHECK-NEXT:   tile.release %[[CLAIMS]] at %c0 : <<1x1xi32>, stages = 1>
  // CHECK-NEXT: }
  gpu.func @claims(%counter: memref<1xi32>) kernel attributes {known_block_size = array<i32: 160, 1, 1>} {
    %c0 = arith.constant 0 : index
    %claims = tile.channel from 1 to 5 : <<1x1xi32>, stages = 1>
    tile.warp_specialize consumers 4 {
      %next = tile.receive_claim %claims at %c0 : <<1x1xi32>, stages = 1>
      tile.release %claims at %c0 : <<1x1xi32>, stages = 1>
    } producers 1 {
      tile.send_claim %counter to %claims at %c0 : memref<1xi32> to <<1x1xi32>, stages = 1>
      %next = tile.receive_claim %claims at %c0 : <<1x1xi32>, stages = 1>
      tile.release %claims at %c0 : <<1x1xi32>, stages = 1>
    }
    gpu.return
  }

  /// Whole warpgroups can exchange registers; a tensor map brings the tiles of a
  /// bulk channel.

  // CHECK-LABEL: gpu.func @by_map
  // CHECK-SAME: (%[[X:.*]]: memref<2x?x64xf16>, %[[MAP:.*]]: !nvgpu.tensormap.descriptor<tensor = memref<1x64x64xf16, 3>, swizzle = swizzle_128b, {{.*}}>)
  // CHECK: %[[KEYS:.*]] = tile.channel bulk from 4 to 8 : <<64x64xf16>, stages = 3>
  // CHECK-NEXT: tile.warp_specialize consumers 8 registers 240 {
  // CHECK-NEXT: } producers 4 registers 40 {
  // CHECK-NEXT:   tile.send %[[X]][%c0, %c0, %c0] along [1, 2] by %[[MAP]] to %[[KEYS]] at %c0
  // CHECK-SAME:     : memref<2x?x64xf16> by !nvgpu.tensormap.descriptor<{{.*}}> to <<64x64xf16>, stages = 3>
  gpu.func @by_map(%x: memref<2x?x64xf16>, %map: !map) kernel attributes {known_block_size = array<i32: 384, 1, 1>} {
    %c0 = arith.constant 0 : index
    %keys = tile.channel bulk from 4 to 8 : <<64x64xf16>, stages = 3>
    tile.warp_specialize consumers 8 registers 240 {
    } producers 4 registers 40 {
      tile.send %x[%c0, %c0, %c0] along [1, 2] by %map to %keys at %c0 : memref<2x?x64xf16> by !map to <<64x64xf16>, stages = 3>
    }
    gpu.return
  }

  /// Groups of consumer warps know their number, and take turns. One group is none to
  /// speak of.

  // CHECK-LABEL: gpu.func @turns
  // CHECK-SAME: (%[[N:.*]]: index)
  // CHECK: tile.warp_specialize consumers 4 groups 3 {
  // CHECK-NEXT:   %[[GROUP:.*]] = tile.consumer_group
  // CHECK-NEXT:   scf.for %{{.*}} = %[[GROUP]] to %[[N]] step %c3 {
  // CHECK-NEXT:     tile.begin_turn
  // CHECK-NEXT:     tile.end_turn
  // CHECK-NEXT:   }
  // CHECK-NEXT: } producers 1 {
  gpu.func @turns(%n: index) kernel attributes {known_block_size = array<i32: 416, 1, 1>} {
    %c3 = arith.constant 3 : index
    tile.warp_specialize consumers 4 groups 3 {
      %group = tile.consumer_group
      scf.for %i = %group to %n step %c3 {
        tile.begin_turn
        tile.end_turn
      }
    } producers 1 {
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @one_group
  // CHECK: tile.warp_specialize consumers 8 registers 240 {
  // CHECK-NEXT: } producers 4 registers 40 {
  gpu.func @one_group() kernel attributes {known_block_size = array<i32: 384, 1, 1>} {
    tile.warp_specialize consumers 8 groups 1 registers 240 {
    } producers 4 registers 40 {
    }
    gpu.return
  }

  // CHECK-LABEL: gpu.func @two_groups
  // CHECK: tile.warp_specialize consumers 4 groups 2 registers 240 {
  // CHECK-NEXT: } producers 4 registers 40 {
  gpu.func @two_groups() kernel attributes {known_block_size = array<i32: 384, 1, 1>} {
    tile.warp_specialize consumers 4 groups 2 registers 240 {
    } producers 4 registers 40 {
    }
    gpu.return
  }

  /// What passes through a channel does so in order: no access is merged with
  /// another, though equal, or removed. Channels are not merged either.

  // ORDER-LABEL: gpu.func @in_order
  // ORDER-COUNT-2: tile.channel
  // ORDER-COUNT-2: tile.receive
  // ORDER: tile.release
  gpu.func @in_order(%x: memref<64x64xf16>) kernel attributes {known_block_size = array<i32: 160, 1, 1>} {
    %c0 = arith.constant 0 : index
    %keys = tile.channel from 1 to 4 : <<64x64xf16>, stages = 2>
    %values = tile.channel from 1 to 4 : <<64x64xf16>, stages = 2>
    tile.warp_specialize consumers 4 {
      %t = tile.receive %keys at %c0 : <<64x64xf16>, stages = 2>
      %u = tile.receive %keys at %c0 : <<64x64xf16>, stages = 2>
      tile.release %values at %c0 : <<64x64xf16>, stages = 2>
    } producers 1 {
    }
    gpu.return
  }

  /// Warpgroups of one group take turns.

  // CHECK-LABEL: gpu.func @turns_of_warpgroups
  // CHECK: tile.begin_turn of warpgroups
  // CHECK-NEXT: tile.end_turn of warpgroups
  gpu.func @turns_of_warpgroups() kernel attributes {known_block_size = array<i32: 288, 1, 1>} {
    tile.warp_specialize consumers 8 {
      tile.begin_turn of warpgroups
      tile.end_turn of warpgroups
    } producers 1 {
    }
    gpu.return
  }

  /// Each turn is one of its own; a group has one number.

  // ORDER-LABEL: gpu.func @each_turn
  // ORDER: %[[GROUP:.*]] = tile.consumer_group
  // ORDER-NOT: tile.consumer_group
  // ORDER: tile.begin_turn
  // ORDER-NEXT: tile.end_turn
  // ORDER-NEXT: tile.begin_turn
  // ORDER-NEXT: tile.end_turn
  // ORDER-NEXT: memref.store %[[GROUP]], %{{.*}}[%[[GROUP]]]
  gpu.func @each_turn(%x: memref<2xindex>) kernel attributes {known_block_size = array<i32: 288, 1, 1>} {
    tile.warp_specialize consumers 4 groups 2 {
      %group = tile.consumer_group
      %same = tile.consumer_group
      tile.begin_turn
      tile.end_turn
      tile.begin_turn
      tile.end_turn
      memref.store %group, %x[%same] : memref<2xindex>
    } producers 1 {
    }
    gpu.return
  }
}
