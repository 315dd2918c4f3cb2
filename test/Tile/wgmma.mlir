// RUN: stof-opt %s | FileCheck %s
// RUN: stof-opt %s --cse | FileCheck %s --check-prefix=CSE

/// Accumulators pass from the fence through wgmma to the wait, as values.

#acc = #tile.mma<warps = [4, 1]>

// CHECK: #[[ACC:.*]] = #tile.mma<warps = [4, 1]>

// CHECK-LABEL: func @shared_operands
// CHECK-SAME: (%[[A:.*]]: !tile.shared<64x64xf16>, %[[B:.*]]: !tile.shared<64x128xf16>, %[[C:.*]]: !tile.fragment
// CHECK-NEXT: %[[FENCED:.*]] = tile.wgmma_fence %[[C]] reads %[[A]], %[[B]] : !tile.shared<64x64xf16>, !tile.shared<64x128xf16> -> !tile.in_flight<64x128xf32, #[[ACC]]>
// CHECK-NEXT: %[[FIRST:.*]] = tile.wgmma %[[A]], %[[B]], %[[FENCED]] : !tile.shared<64x64xf16>, !tile.shared<64x128xf16>, !tile.in_flight<64x128xf32, #[[ACC]]>
// CHECK-NEXT: %[[SECOND:.*]] = tile.wgmma %[[A]], %[[B]], %[[FIRST]] transpose_lhs : !tile.shared
// CHECK-NEXT: %[[COMMITTED:.*]] = tile.wgmma_commit %[[SECOND]] : !tile.in_flight<64x128xf32, #[[ACC]]>
// CHECK-NEXT: %[[DONE:.*]] = tile.wgmma_wait %[[COMMITTED]] : !tile.in_flight<64x128xf32, #[[ACC]]>
// CHECK-NEXT: return %[[DONE]] : !tile.fragment<64x128xf32, #[[ACC]]>
func.func @shared_operands(%a: !tile.shared<64x64xf16>, %b: !tile.shared<64x128xf16>, %c: !tile.fragment<64x128xf32, #acc>)
    -> !tile.fragment<64x128xf32, #acc> {
  %f = tile.wgmma_fence %c reads %a, %b : !tile.shared<64x64xf16>, !tile.shared<64x128xf16> -> !tile.in_flight<64x128xf32, #acc>
  %i = tile.wgmma %a, %b, %f : !tile.shared<64x64xf16>, !tile.shared<64x128xf16>, !tile.in_flight<64x128xf32, #acc>
  %j = tile.wgmma %a, %b, %i transpose_lhs : !tile.shared<64x64xf16>, !tile.shared<64x128xf16>, !tile.in_flight<64x128xf32, #acc>
  %g = tile.wgmma_commit %j : !tile.in_flight<64x128xf32, #acc>
  %d = tile.wgmma_wait %g : !tile.in_flight<64x128xf32, #acc>
  return %d : !tile.fragment<64x128xf32, #acc>
}

/// The lhs can be in registers.

// CHECK-LABEL: func @lhs_in_registers
// CHECK: tile.wgmma %{{.*}}, %{{.*}}, %{{.*}} transpose_rhs : !tile.fragment<64x64xbf16, #[[ACC]]>, !tile.shared<128x64xbf16>, !tile.in_flight
func.func @lhs_in_registers(%a: !tile.fragment<64x64xbf16, #acc>, %b: !tile.shared<128x64xbf16>, %f: !tile.in_flight<64x128xf32, #acc>)
    -> !tile.in_flight<64x128xf32, #acc> {
  %i = tile.wgmma %a, %b, %f transpose_rhs : !tile.fragment<64x64xbf16, #acc>, !tile.shared<128x64xbf16>, !tile.in_flight<64x128xf32, #acc>
  return %i : !tile.in_flight<64x128xf32, #acc>
}

/// A fence starts a sum of its own: two are not one, though equal.

// CSE-LABEL: func @two_sums
// CSE-COUNT-2: tile.wgmma_fence
func.func @two_sums(%a: !tile.shared<64x64xf16>, %c: !tile.fragment<64x64xf32, #acc>)
    -> (!tile.in_flight<64x64xf32, #acc>, !tile.in_flight<64x64xf32, #acc>) {
  %f = tile.wgmma_fence %c reads %a : !tile.shared<64x64xf16> -> !tile.in_flight<64x64xf32, #acc>
  %g = tile.wgmma_fence %c reads %a : !tile.shared<64x64xf16> -> !tile.in_flight<64x64xf32, #acc>
  return %f, %g : !tile.in_flight<64x64xf32, #acc>, !tile.in_flight<64x64xf32, #acc>
}

/// A product alone takes no accumulators, a fence need not hand over tiles, and a
/// wait can leave later groups in flight.

// CHECK-LABEL: func @alone
// CHECK-SAME: (%[[A:.*]]: !tile.shared<64x64xf16>, %[[C:.*]]: !tile.fragment
// CHECK-NEXT: %[[FENCED:.*]] = tile.wgmma_fence %[[C]] -> !tile.in_flight<64x64xf32, #[[ACC]]>
// CHECK-NEXT: %[[PRODUCT:.*]] = tile.wgmma %[[A]], %[[A]], %[[FENCED]] transpose_rhs from_zero : !tile.shared
// CHECK-NEXT: tile.wgmma_wait %[[PRODUCT]] pending 1 : !tile.in_flight<64x64xf32, #[[ACC]]>
func.func @alone(%a: !tile.shared<64x64xf16>, %c: !tile.fragment<64x64xf32, #acc>) -> !tile.fragment<64x64xf32, #acc> {
  %f = tile.wgmma_fence %c -> !tile.in_flight<64x64xf32, #acc>
  %i = tile.wgmma %a, %a, %f transpose_rhs from_zero : !tile.shared<64x64xf16>, !tile.shared<64x64xf16>, !tile.in_flight<64x64xf32, #acc>
  %d = tile.wgmma_wait %i pending 1 : !tile.in_flight<64x64xf32, #acc>
  return %d : !tile.fragment<64x64xf32, #acc>
}

/// A loop can carry accumulators in flight: a fence precedes each wgmma then, and a
/// wait for older groups leaves accumulators where they are.

// CHECK-LABEL: func @over_iterations
// CHECK: scf.for {{.*}} iter_args(%[[SUM:.*]] = %{{.*}}) -> (!tile.in_flight<64x64xf32, #[[ACC]]>) {
// CHECK-NEXT: %[[NEXT:.*]] = tile.wgmma %{{.*}}, %{{.*}}, %[[SUM]] transpose_rhs fenced : !tile.shared
// CHECK-NEXT: %[[COMMITTED:.*]] = tile.wgmma_commit %[[NEXT]]
// CHECK-NEXT: tile.wgmma_wait_groups pending 1{{$}}
// CHECK-NEXT: scf.yield %[[COMMITTED]]
// CHECK: tile.wgmma_wait_groups{{$}}
// CSE-LABEL: func @over_iterations
// CSE: tile.wgmma_wait_groups pending 1
// CSE: tile.wgmma_wait_groups
func.func @over_iterations(%a: !tile.shared<64x64xf16>, %f: !tile.in_flight<64x64xf32, #acc>, %n: index) -> !tile.in_flight<64x64xf32, #acc> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %f) -> (!tile.in_flight<64x64xf32, #acc>) {
    %next = tile.wgmma %a, %a, %sum transpose_rhs fenced : !tile.shared<64x64xf16>, !tile.shared<64x64xf16>, !tile.in_flight<64x64xf32, #acc>
    %g = tile.wgmma_commit %next : !tile.in_flight<64x64xf32, #acc>
    tile.wgmma_wait_groups pending 1
    scf.yield %g : !tile.in_flight<64x64xf32, #acc>
  }
  tile.wgmma_wait_groups
  return %r : !tile.in_flight<64x64xf32, #acc>
}
