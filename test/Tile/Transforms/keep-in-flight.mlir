// RUN: stof-opt %s --pass-pipeline="builtin.module(gpu.module(gpu.func(stof-keep-in-flight,canonicalize,cse)))" | FileCheck %s
// RUN: stof-opt %s --pass-pipeline="builtin.module(gpu.module(gpu.func(stof-keep-in-flight)))" --remarks-filter=stof-keep-in-flight -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

#acc = #tile.mma<warps = [4, 1]>
!sum = !tile.fragment<64x64xf32, #acc>
!operand = !tile.fragment<64x64xf16, #acc>
!tile = !tile.shared<64x64xf16>
!flight = !tile.in_flight<64x64xf32, #acc>
!narrow = !tile.channel<<64x64xf16>, stages = 1>
!channel = !tile.channel<<64x64xf16>, stages = 3>

gpu.module @kernels {
  /// The fence is before the loop. In an iteration, a wait for all groups but its own lets
  /// the tiles of the one before go. The turn ends with the last wgmma in flight; what it
  /// reads is released after a wait for all, if there was an iteration.

  // CHECK-LABEL: gpu.func @accumulates
  // CHECK-SAME: (%[[ZERO:.*]]: !tile.fragment<64x64xf32, #[[ACC:.*]]>, %[[N:.*]]: index, %[[BEGUN:.*]]: index, %[[OUT:.*]]: memref<64x64xf32>)
  // CHECK: %[[ROWS:.*]] = tile.channel
  // CHECK: %[[COLUMNS:.*]] = tile.channel
  // CHECK: tile.begin_turn
  // CHECK-NEXT: %[[F:.*]] = tile.wgmma_fence %[[ZERO]] -> !tile.in_flight<64x64xf32, #[[ACC]]>
  // CHECK-NEXT: %[[R:.*]]:2 = scf.for %[[K:.*]] = %c0 to %[[N]] step %c64 iter_args(%[[SUM:.*]] = %[[F]], %[[NUMBER:.*]] = %[[BEGUN]]) -> (!tile.in_flight<64x64xf32, #[[ACC]]>, index) {
  // CHECK-NEXT:   %[[A:.*]] = tile.receive %[[ROWS]] at %[[NUMBER]]
  // CHECK-NEXT:   %[[B:.*]] = tile.receive %[[COLUMNS]] at %[[NUMBER]]
  // CHECK-NEXT:   %[[I:.*]] = tile.wgmma %[[A]], %[[B]], %[[SUM]] fenced :
  // CHECK-NEXT:   %[[G:.*]] = tile.wgmma_commit %[[I]]
  // CHECK-NEXT:   tile.wgmma_wait_groups pending 1
  // CHECK-NEXT:   %[[IS_LATER:.*]] = arith.cmpi ne, %[[K]], %c0
  // CHECK-NEXT:   scf.if %[[IS_LATER]] {
  // CHECK-NEXT:     %[[BEFORE:.*]] = arith.subi %[[NUMBER]], %c1
  // CHECK-NEXT:     tile.release %[[COLUMNS]] at %[[BEFORE]]
  // CHECK-NEXT:     tile.release %[[ROWS]] at %[[BEFORE]]
  // CHECK-NEXT:   }
  // CHECK-NEXT:   %[[LATER:.*]] = arith.addi %[[NUMBER]], %c1
  // CHECK-NEXT:   scf.yield %[[G]], %[[LATER]]
  // CHECK-NEXT: }
  // CHECK-NEXT: tile.end_turn
  // CHECK-NEXT: %[[ALL:.*]] = tile.wgmma_wait %[[R]]#0 :
  // CHECK-NEXT: %[[IS_ANY:.*]] = arith.cmpi sgt, %[[N]], %c0
  // CHECK-NEXT: scf.if %[[IS_ANY]] {
  // CHECK-NEXT:   %[[LAST:.*]] = arith.subi %[[R]]#1, %c1
  // CHECK-NEXT:   tile.release %[[COLUMNS]] at %[[LAST]]
  // CHECK-NEXT:   tile.release %[[ROWS]] at %[[LAST]]
  // CHECK-NEXT: }
  // CHECK-NEXT: tile.store %[[ALL]], %[[OUT]]
  // REMARK: remark: [Passed] KeptInFlight | {{.*}}Releases=2
  gpu.func @accumulates(%zero: !sum, %n: index, %begun: index, %out: memref<64x64xf32>) kernel attributes {known_block_size = array<i32: 288, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %rows = tile.channel bulk from 1 to 4 : <<64x64xf16>, stages = 3>
    %columns = tile.channel bulk from 1 to 4 : <<64x64xf16>, stages = 3>
    tile.warp_specialize consumers 4 groups 2 {
      tile.begin_turn
      %r:2 = scf.for %k = %c0 to %n step %c64 iter_args(%sum = %zero, %number = %begun) -> (!sum, index) {
        %a = tile.receive %rows at %number : !channel
        %b = tile.receive %columns at %number : !channel
        %f = tile.wgmma_fence %sum -> !flight
        %i = tile.wgmma %a, %b, %f : !tile, !tile, !flight
        %g = tile.wgmma_commit %i : !flight
        %next = tile.wgmma_wait %g : !flight
        tile.release %columns at %number : !channel
        tile.release %rows at %number : !channel
        %later = arith.addi %number, %c1 : index
        scf.yield %next, %later : !sum, index
      }
      tile.end_turn
      tile.store %r#0, %out[%c0, %c0] along [0, 1] : !sum, memref<64x64xf32>
    } producers 1 {
    }
    gpu.return
  }

  /// The first of some iterations comes before the loop if the sum starts at zero: its
  /// product needs no accumulators. There is always an iteration before one of the loop.

  // CHECK-LABEL: gpu.func @from_zero(
  // CHECK-SAME: %[[BEGUN:.*]]: index, %[[OUT:.*]]: memref<64x64xf32>)
  // CHECK: %[[ANY:.*]] = ub.poison : f32
  // CHECK: tile.begin_turn
  // CHECK: %[[A0:.*]] = tile.receive %{{.*}} at %[[BEGUN]]
  // CHECK: %[[B0:.*]] = tile.receive %{{.*}} at %[[BEGUN]]
  // CHECK: %[[NONE:.*]] = tile.splat %[[ANY]]
  // CHECK: %[[F:.*]] = tile.wgmma_fence %[[NONE]] -> !tile.in_flight<64x64xf32, #[[ACC]]>
  // CHECK: %[[I:.*]] = tile.wgmma %[[A0]], %[[B0]], %[[F]] from_zero :
  // CHECK: %[[G:.*]] = tile.wgmma_commit %[[I]]
  // CHECK-NOT: tile.release
  // CHECK: %[[NEXT:.*]] = arith.addi %[[BEGUN]], %c1
  // CHECK-NEXT: %[[R:.*]]:2 = scf.for %{{.*}} = %c64 to %c192 step %c64 iter_args(%[[SUM:.*]] = %[[G]], %[[NUMBER:.*]] = %[[NEXT]])
  // CHECK: tile.wgmma %{{.*}}, %{{.*}}, %[[SUM]] fenced :
  // CHECK: tile.wgmma_wait_groups pending 1
  // CHECK-NEXT: %[[BEFORE:.*]] = arith.subi %[[NUMBER]], %c1
  // CHECK-NEXT: tile.release %{{.*}} at %[[BEFORE]]
  // CHECK-NEXT: tile.release %{{.*}} at %[[BEFORE]]
  // CHECK: tile.end_turn
  // CHECK-NEXT: tile.wgmma_wait %[[R]]#0 :
  // CHECK-NEXT: %[[LAST:.*]] = arith.subi %[[R]]#1, %c1
  // CHECK-NEXT: tile.release %{{.*}} at %[[LAST]]
  // CHECK-NEXT: tile.release %{{.*}} at %[[LAST]]
  gpu.func @from_zero(%begun: index, %out: memref<64x64xf32>) kernel attributes {known_block_size = array<i32: 288, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c192 = arith.constant 192 : index
    %z = arith.constant 0.0 : f32
    %zero = tile.splat %z : !sum
    %rows = tile.channel bulk from 1 to 4 : <<64x64xf16>, stages = 3>
    %columns = tile.channel bulk from 1 to 4 : <<64x64xf16>, stages = 3>
    tile.warp_specialize consumers 4 groups 2 {
      tile.begin_turn
      %r:2 = scf.for %k = %c0 to %c192 step %c64 iter_args(%sum = %zero, %number = %begun) -> (!sum, index) {
        %a = tile.receive %rows at %number : !channel
        %b = tile.receive %columns at %number : !channel
        %f = tile.wgmma_fence %sum -> !flight
        %i = tile.wgmma %a, %b, %f : !tile, !tile, !flight
        %g = tile.wgmma_commit %i : !flight
        %next = tile.wgmma_wait %g : !flight
        tile.release %columns at %number : !channel
        tile.release %rows at %number : !channel
        %later = arith.addi %number, %c1 : index
        scf.yield %next, %later : !sum, index
      }
      tile.end_turn
      tile.store %r#0, %out[%c0, %c0] along [0, 1] : !sum, memref<64x64xf32>
    } producers 1 {
    }
    gpu.return
  }

  /// A loop that may have no iteration stays whole, as does one from another sum.

  // CHECK-LABEL: gpu.func @negative_from_zero(
  // CHECK-NOT: from_zero
  // CHECK: gpu.return
  gpu.func @negative_from_zero(%n: index, %begun: index, %out: memref<64x64xf32>) kernel attributes {known_block_size = array<i32: 288, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %z = arith.constant 0.0 : f32
    %one = arith.constant 1.0 : f32
    %zero = tile.splat %z : !sum
    %ones = tile.splat %one : !sum
    %rows = tile.channel bulk from 1 to 4 : <<64x64xf16>, stages = 3>
    tile.warp_specialize consumers 4 groups 2 {
      %r:2 = scf.for %k = %c0 to %n step %c64 iter_args(%sum = %zero, %number = %begun) -> (!sum, index) {
        %a = tile.receive %rows at %number : !channel
        %f = tile.wgmma_fence %sum -> !flight
        %i = tile.wgmma %a, %a, %f : !tile, !tile, !flight
        %g = tile.wgmma_commit %i : !flight
        %next = tile.wgmma_wait %g : !flight
        tile.release %rows at %number : !channel
        %later = arith.addi %number, %c1 : index
        scf.yield %next, %later : !sum, index
      }
      %s:2 = scf.for %k = %c0 to %c128 step %c64 iter_args(%sum = %ones, %number = %r#1) -> (!sum, index) {
        %a = tile.receive %rows at %number : !channel
        %f = tile.wgmma_fence %sum -> !flight
        %i = tile.wgmma %a, %a, %f : !tile, !tile, !flight
        %g = tile.wgmma_commit %i : !flight
        %next = tile.wgmma_wait %g : !flight
        tile.release %rows at %number : !channel
        %later = arith.addi %number, %c1 : index
        scf.yield %next, %later : !sum, index
      }
      tile.store %r#0, %out[%c0, %c0] along [0, 1] : !sum, memref<64x64xf32>
      tile.store %s#0, %out[%c64, %c0] along [0, 1] : !sum, memref<64x64xf32>
    } producers 1 {
    }
    gpu.return
  }

  /// One group has tensor cores to itself, or shares them with other CTAs.

  // REMARK-COUNT-3: remark: [Passed] KeptInFlight

  // CHECK-LABEL: gpu.func @negative_one_group(
  // CHECK-NOT: fenced
  // CHECK-NOT: tile.wgmma_wait_groups
  // CHECK: gpu.return
  // REMARK-NOT: remark
  gpu.func @negative_one_group(%zero: !sum, %n: index, %begun: index, %out: memref<64x64xf32>) kernel attributes {known_block_size = array<i32: 160, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %rows = tile.channel bulk from 1 to 4 : <<64x64xf16>, stages = 3>
    %columns = tile.channel bulk from 1 to 4 : <<64x64xf16>, stages = 3>
    tile.warp_specialize consumers 4 {
      tile.begin_turn
      %r:2 = scf.for %k = %c0 to %n step %c64 iter_args(%sum = %zero, %number = %begun) -> (!sum, index) {
        %a = tile.receive %rows at %number : !channel
        %b = tile.receive %columns at %number : !channel
        %f = tile.wgmma_fence %sum -> !flight
        %i = tile.wgmma %a, %b, %f : !tile, !tile, !flight
        %g = tile.wgmma_commit %i : !flight
        %next = tile.wgmma_wait %g : !flight
        tile.release %columns at %number : !channel
        tile.release %rows at %number : !channel
        %later = arith.addi %number, %c1 : index
        scf.yield %next, %later : !sum, index
      }
      tile.end_turn
      tile.store %r#0, %out[%c0, %c0] along [0, 1] : !sum, memref<64x64xf32>
    } producers 1 {
    }
    gpu.return
  }

  /// Accumulators that an iteration reads, as for a softmax, must be there.

  // CHECK-LABEL: gpu.func @negative_scaled(
  // CHECK-NOT: fenced
  // CHECK-NOT: tile.wgmma_wait_groups
  // CHECK: gpu.return
  // REMARK-NOT: remark
  gpu.func @negative_scaled(%zero: !sum, %n: index, %begun: index, %out: memref<64x64xf32>) kernel attributes {known_block_size = array<i32: 288, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %rows = tile.channel bulk from 1 to 4 : <<64x64xf16>, stages = 3>
    %columns = tile.channel bulk from 1 to 4 : <<64x64xf16>, stages = 3>
    tile.warp_specialize consumers 4 groups 2 {
      tile.begin_turn
      %r:2 = scf.for %k = %c0 to %n step %c64 iter_args(%sum = %zero, %number = %begun) -> (!sum, index) {
        %a = tile.receive %rows at %number : !channel
        %b = tile.receive %columns at %number : !channel
        %scaled = tile.map ins(%sum : !sum) {
        ^bb0(%i0: index, %j0: index, %x: f32):
          %y = arith.addf %x, %x : f32
          tile.yield %y : f32
        } -> !sum
        %f = tile.wgmma_fence %scaled -> !flight
        %i = tile.wgmma %a, %b, %f : !tile, !tile, !flight
        %g = tile.wgmma_commit %i : !flight
        %next = tile.wgmma_wait %g : !flight
        tile.release %columns at %number : !channel
        tile.release %rows at %number : !channel
        %later = arith.addi %number, %c1 : index
        scf.yield %next, %later : !sum, index
      }
      tile.end_turn
      tile.store %r#0, %out[%c0, %c0] along [0, 1] : !sum, memref<64x64xf32>
    } producers 1 {
    }
    gpu.return
  }


  // CHECK-LABEL: gpu.func @negative_read(
  // CHECK-NOT: fenced
  // CHECK-NOT: tile.wgmma_wait_groups
  // CHECK: gpu.return
  // REMARK-NOT: remark
  gpu.func @negative_read(%zero: !sum, %n: index, %begun: index, %out: memref<64x64xf32>) kernel attributes {known_block_size = array<i32: 288, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %rows = tile.channel bulk from 1 to 4 : <<64x64xf16>, stages = 3>
    %columns = tile.channel bulk from 1 to 4 : <<64x64xf16>, stages = 3>
    tile.warp_specialize consumers 4 groups 2 {
      tile.begin_turn
      %r:2 = scf.for %k = %c0 to %n step %c64 iter_args(%sum = %zero, %number = %begun) -> (!sum, index) {
        %a = tile.receive %rows at %number : !channel
        %b = tile.receive %columns at %number : !channel
        %f = tile.wgmma_fence %sum -> !flight
        %i = tile.wgmma %a, %b, %f : !tile, !tile, !flight
        %g = tile.wgmma_commit %i : !flight
        %next = tile.wgmma_wait %g : !flight
        %m = tile.map ins(%next : !sum) {
        ^bb0(%i0: index, %j0: index, %x: f32):
          %y = arith.addf %x, %x : f32
          tile.yield %y : f32
        } -> !sum
        tile.release %columns at %number : !channel
        tile.release %rows at %number : !channel
        %later = arith.addi %number, %c1 : index
        scf.yield %m, %later : !sum, index
      }
      tile.end_turn
      tile.store %r#0, %out[%c0, %c0] along [0, 1] : !sum, memref<64x64xf32>
    } producers 1 {
    }
    gpu.return
  }

  /// Tiles that threads have stored need a fence in each iteration.

  // CHECK-LABEL: gpu.func @negative_stored_tiles(
  // CHECK-NOT: fenced
  // CHECK-NOT: tile.wgmma_wait_groups
  // CHECK: gpu.return
  // REMARK-NOT: remark
  gpu.func @negative_stored_tiles(%zero: !sum, %n: index, %begun: index, %out: memref<64x64xf32>) kernel attributes {known_block_size = array<i32: 288, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %rows = tile.channel bulk from 1 to 4 : <<64x64xf16>, stages = 3>
    %columns = tile.channel bulk from 1 to 4 : <<64x64xf16>, stages = 3>
    tile.warp_specialize consumers 4 groups 2 {
      tile.begin_turn
      %r:2 = scf.for %k = %c0 to %n step %c64 iter_args(%sum = %zero, %number = %begun) -> (!sum, index) {
        %a = tile.receive %rows at %number : !channel
        %b = tile.receive %columns at %number : !channel
        %f = tile.wgmma_fence %sum reads %a, %b : !tile, !tile -> !flight
        %i = tile.wgmma %a, %b, %f : !tile, !tile, !flight
        %g = tile.wgmma_commit %i : !flight
        %next = tile.wgmma_wait %g : !flight
        tile.release %columns at %number : !channel
        tile.release %rows at %number : !channel
        %later = arith.addi %number, %c1 : index
        scf.yield %next, %later : !sum, index
      }
      tile.end_turn
      tile.store %r#0, %out[%c0, %c0] along [0, 1] : !sum, memref<64x64xf32>
    } producers 1 {
    }
    gpu.return
  }

  /// Operands in registers would have to stay as well.

  // CHECK-LABEL: gpu.func @negative_registers(
  // CHECK-NOT: fenced
  // CHECK-NOT: tile.wgmma_wait_groups
  // CHECK: gpu.return
  // REMARK-NOT: remark
  gpu.func @negative_registers(%zero: !sum, %p: !operand, %n: index, %begun: index, %out: memref<64x64xf32>) kernel attributes {known_block_size = array<i32: 288, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %rows = tile.channel bulk from 1 to 4 : <<64x64xf16>, stages = 3>
    %columns = tile.channel bulk from 1 to 4 : <<64x64xf16>, stages = 3>
    tile.warp_specialize consumers 4 groups 2 {
      tile.begin_turn
      %r:2 = scf.for %k = %c0 to %n step %c64 iter_args(%sum = %zero, %number = %begun) -> (!sum, index) {
        %b = tile.receive %columns at %number : !channel
        %f = tile.wgmma_fence %sum -> !flight
        %i = tile.wgmma %p, %b, %f : !operand, !tile, !flight
        %g = tile.wgmma_commit %i : !flight
        %next = tile.wgmma_wait %g : !flight
        tile.release %columns at %number : !channel
        %later = arith.addi %number, %c1 : index
        scf.yield %next, %later : !sum, index
      }
      tile.end_turn
      tile.store %r#0, %out[%c0, %c0] along [0, 1] : !sum, memref<64x64xf32>
    } producers 1 {
    }
    gpu.return
  }

  /// The number before is known only of one that the loop carries.

  // CHECK-LABEL: gpu.func @negative_number(
  // CHECK-NOT: fenced
  // CHECK-NOT: tile.wgmma_wait_groups
  // CHECK: gpu.return
  // REMARK-NOT: remark
  gpu.func @negative_number(%zero: !sum, %n: index, %begun: index, %out: memref<64x64xf32>) kernel attributes {known_block_size = array<i32: 288, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %rows = tile.channel bulk from 1 to 4 : <<64x64xf16>, stages = 3>
    %columns = tile.channel bulk from 1 to 4 : <<64x64xf16>, stages = 3>
    tile.warp_specialize consumers 4 groups 2 {
      tile.begin_turn
      %r:2 = scf.for %k = %c0 to %n step %c64 iter_args(%sum = %zero, %number = %begun) -> (!sum, index) {
        %a = tile.receive %rows at %begun : !channel
        %b = tile.receive %columns at %number : !channel
        %f = tile.wgmma_fence %sum -> !flight
        %i = tile.wgmma %a, %b, %f : !tile, !tile, !flight
        %g = tile.wgmma_commit %i : !flight
        %next = tile.wgmma_wait %g : !flight
        tile.release %columns at %number : !channel
        tile.release %rows at %begun : !channel
        %later = arith.addi %number, %c1 : index
        scf.yield %next, %later : !sum, index
      }
      tile.end_turn
      tile.store %r#0, %out[%c0, %c0] along [0, 1] : !sum, memref<64x64xf32>
    } producers 1 {
    }
    gpu.return
  }

  /// With one stage, the tiles of the next iteration wait for those of this one.

  // CHECK-LABEL: gpu.func @negative_stages(
  // CHECK-NOT: fenced
  // CHECK-NOT: tile.wgmma_wait_groups
  // CHECK: gpu.return
  // REMARK-NOT: remark
  gpu.func @negative_stages(%zero: !sum, %n: index, %begun: index, %out: memref<64x64xf32>) kernel attributes {known_block_size = array<i32: 288, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %rows = tile.channel bulk from 1 to 4 : <<64x64xf16>, stages = 1>
    %columns = tile.channel bulk from 1 to 4 : <<64x64xf16>, stages = 1>
    tile.warp_specialize consumers 4 groups 2 {
      tile.begin_turn
      %r:2 = scf.for %k = %c0 to %n step %c64 iter_args(%sum = %zero, %number = %begun) -> (!sum, index) {
        %a = tile.receive %rows at %number : !narrow
        %b = tile.receive %columns at %number : !narrow
        %f = tile.wgmma_fence %sum -> !flight
        %i = tile.wgmma %a, %b, %f : !tile, !tile, !flight
        %g = tile.wgmma_commit %i : !flight
        %next = tile.wgmma_wait %g : !flight
        tile.release %columns at %number : !narrow
        tile.release %rows at %number : !narrow
        %later = arith.addi %number, %c1 : index
        scf.yield %next, %later : !sum, index
      }
      tile.end_turn
      tile.store %r#0, %out[%c0, %c0] along [0, 1] : !sum, memref<64x64xf32>
    } producers 1 {
    }
    gpu.return
  }
}
