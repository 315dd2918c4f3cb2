// RUN: stof-opt %s --pass-pipeline="builtin.module(gpu.module(gpu.func(stof-defer-reductions)))" | FileCheck %s
// RUN: stof-opt %s --pass-pipeline="builtin.module(gpu.module(gpu.func(stof-defer-reductions)))" --remarks-filter=stof-defer-reductions -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

#acc = #tile.mma<warps = [4, 1]>
#rows = #tile.slice<1, #acc>
!tile = !tile.fragment<64x64xf32, #acc>
!row = !tile.fragment<64xf32, #rows>
#two = #tile.mma<warps = [2, 2]>
!unit = !tile.fragment<64x16xf32, #two>
!unit_row = !tile.fragment<64xf32, #tile.slice<1, #two>>

gpu.module @kernels {
  /// Each of four lanes carries two sums of a row, scaled by the factor of the row.
  /// After the loop, they are combined. The carried sum itself stays zero.

  // CHECK-LABEL: gpu.func @from_zero
  // CHECK-SAME: (%[[P:.*]]: !tile.fragment<64x64xf32, #[[ACC:.*]]>, %[[A:.*]]: !tile.fragment<64xf32,
  // CHECK:     %[[ZERO:.*]] = tile.splat
  // CHECK:     %[[START:.*]] = tile.splat %{{.*}} : !tile.fragment<64x8xf32, #[[ACC]]>
  // CHECK:     %[[L:.*]]:2 = scf.for {{.*}} iter_args(%[[SUM:.*]] = %[[ZERO]], %[[PART:.*]] = %[[START]])
  // CHECK-NEXT:  %[[OWN:.*]] = tile.reduce %[[P]] along 1 {
  // CHECK:       } : !tile.fragment<64x64xf32, #[[ACC]]> -> !tile.fragment<64x8xf32, #[[ACC]]>
  // CHECK-NEXT:  %[[NEXT:.*]] = tile.map ins(%[[PART]], %[[A]], %[[OWN]] :
  // CHECK-NEXT:  ^bb0(%{{.*}}: index, %{{.*}}: index, %[[X:.*]]: f32, %[[F:.*]]: f32, %[[Y:.*]]: f32):
  // CHECK-NEXT:    math.fma %[[X]], %[[F]], %[[Y]]
  // CHECK:       scf.yield %[[SUM]], %[[NEXT]]
  // CHECK:     %[[TOTAL:.*]] = tile.reduce %[[L]]#1 along 1 {
  // CHECK:     } : !tile.fragment<64x8xf32, #[[ACC]]> -> !tile.fragment<64xf32, #{{.*}}>
  // CHECK-NEXT: tile.store %[[TOTAL]],
  // REMARK: remark: [Passed] DeferredReductions {{.*}} Reductions=1
  gpu.func @from_zero(%p: !tile, %a: !row, %n: index, %out: memref<64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %none = arith.constant 0.0 : f32
    %zero = tile.splat %none : !row
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%l = %zero) -> (!row) {
      %s = tile.reduce %p along 1 {
      ^bb0(%x: f32, %y: f32):
        %z = arith.addf %x, %y : f32
        tile.yield %z : f32
      } : !tile -> !row
      %next = tile.map ins(%l, %a, %s : !row, !row, !row) {
      ^bb0(%i0: index, %x: f32, %f: f32, %y: f32):
        %z = math.fma %x, %f, %y : f32
        tile.yield %z : f32
      } -> !row
      scf.yield %next : !row
    }
    tile.store %r, %out[%c0] along [0] : !row, memref<64xf32>
    gpu.return
  }

  /// A loop that starts with another sum scales it as before, and adds it to those of
  /// the threads at the end. A loop after it goes on from its result likewise: what
  /// its threads have is not all of that.

  // CHECK-LABEL: gpu.func @from_other
  // CHECK-SAME: (%[[P:.*]]: !tile.fragment<64x64xf32, #[[ACC]]>, %[[FIRST:.*]]: !tile.fragment<64xf32,
  // CHECK:     %[[L:.*]]:2 = scf.for {{.*}} iter_args(%[[SUM:.*]] = %[[FIRST]], %[[PART:.*]] =
  // CHECK:       %[[KEPT:.*]] = tile.map ins(%[[SUM]] :
  // CHECK-NEXT:  ^bb0(%{{.*}}: index, %[[X:.*]]: f32):
  // CHECK-NEXT:    tile.yield %[[X]]
  // CHECK:       scf.yield %[[KEPT]], %{{.*}}
  // CHECK:     %[[TOTAL:.*]] = tile.reduce %[[L]]#1 along 1
  // CHECK:     %[[BOTH:.*]] = tile.map ins(%[[L]]#0, %[[TOTAL]] :
  // CHECK-NEXT: ^bb0(%{{.*}}: index, %[[X:.*]]: f32, %[[Y:.*]]: f32):
  // CHECK-NEXT:   arith.addf %[[X]], %[[Y]]
  // CHECK:     scf.for {{.*}} iter_args(%{{.*}} = %[[BOTH]],
  // REMARK: remark: [Passed] DeferredReductions {{.*}} Reductions=1
  // REMARK: remark: [Passed] DeferredReductions {{.*}} Reductions=1
  gpu.func @from_other(%p: !tile, %first: !row, %n: index, %out: memref<64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%l = %first) -> (!row) {
      %s = tile.reduce %p along 1 {
      ^bb0(%x: f32, %y: f32):
        %z = arith.addf %x, %y : f32
        tile.yield %z : f32
      } : !tile -> !row
      %next = tile.map ins(%l, %s : !row, !row) {
      ^bb0(%i0: index, %x: f32, %y: f32):
        %z = arith.addf %x, %y : f32
        tile.yield %z : f32
      } -> !row
      scf.yield %next : !row
    }
    %q = scf.for %i = %c0 to %n step %c1 iter_args(%l = %r) -> (!row) {
      %s = tile.reduce %p along 1 {
      ^bb0(%x: f32, %y: f32):
        %z = arith.addf %x, %y : f32
        tile.yield %z : f32
      } : !tile -> !row
      %next = tile.map ins(%l, %s : !row, !row) {
      ^bb0(%i0: index, %x: f32, %y: f32):
        %z = arith.addf %x, %y : f32
        tile.yield %z : f32
      } -> !row
      scf.yield %next : !row
    }
    tile.store %q, %out[%c0] along [0] : !row, memref<64xf32>
    gpu.return
  }

  /// The second of two loops goes on with what the threads of the first one have.

  // CHECK-LABEL: gpu.func @one_after_another
  // CHECK:     %[[L:.*]]:3 = scf.while
  // CHECK:     scf.while (%{{.*}} = %c0, %{{.*}} = %{{.*}}, %{{.*}} = %[[L]]#2)
  // REMARK: remark: [Passed] DeferredReductions {{.*}} Reductions=1
  // REMARK: remark: [Passed] DeferredReductions {{.*}} Reductions=1
  gpu.func @one_after_another(%p: !tile, %n: index, %out: memref<64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %none = arith.constant 0.0 : f32
    %zero = tile.splat %none : !row
    %r:2 = scf.while (%i = %c0, %l = %zero) : (index, !row) -> (index, !row) {
      %more = arith.cmpi ult, %i, %n : index
      scf.condition(%more) %i, %l : index, !row
    } do {
    ^bb0(%i: index, %l: !row):
      %s = tile.reduce %p along 1 {
      ^bb0(%x: f32, %y: f32):
        %z = arith.addf %x, %y : f32
        tile.yield %z : f32
      } : !tile -> !row
      %next = tile.map ins(%l, %s : !row, !row) {
      ^bb0(%i0: index, %x: f32, %y: f32):
        %z = arith.addf %x, %y : f32
        tile.yield %z : f32
      } -> !row
      %i1 = arith.addi %i, %c1 : index
      scf.yield %i1, %next : index, !row
    }
    %q:2 = scf.while (%i = %c0, %l = %r#1) : (index, !row) -> (index, !row) {
      %more = arith.cmpi ult, %i, %n : index
      scf.condition(%more) %i, %l : index, !row
    } do {
    ^bb0(%i: index, %l: !row):
      %s = tile.reduce %p along 1 {
      ^bb0(%x: f32, %y: f32):
        %z = arith.addf %x, %y : f32
        tile.yield %z : f32
      } : !tile -> !row
      %next = tile.map ins(%l, %s : !row, !row) {
      ^bb0(%i0: index, %x: f32, %y: f32):
        %z = arith.addf %x, %y : f32
        tile.yield %z : f32
      } -> !row
      %i1 = arith.addi %i, %c1 : index
      scf.yield %i1, %next : index, !row
    }
    tile.store %q#1, %out[%c0] along [0] : !row, memref<64xf32>
    gpu.return
  }

  /// Loops whose sums are needed in each iteration stay as they are: a maximum, a sum
  /// with another use, one that is squared, and one of a single element per lane.

  // CHECK-LABEL: gpu.func @needed
  // CHECK:      scf.for {{.*}} -> ({{.*}}, {{.*}}, {{.*}}, !tile.fragment<64xf32, #{{[a-z0-9]*}}>) {
  // CHECK-NOT:  tile.splat
  // CHECK:      gpu.return
  // REMARK-NOT: DeferredReductions
  gpu.func @needed(%p: !tile, %u: !unit, %first: !row, %unit_first: !unit_row, %n: index, %out: memref<64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %r:4 = scf.for %i = %c0 to %n step %c1 iter_args(%m = %first, %l = %first, %k = %first, %j = %unit_first)
        -> (!row, !row, !row, !unit_row) {
      %max = tile.reduce %p along 1 {
      ^bb0(%x: f32, %y: f32):
        %z = arith.maxnumf %x, %y : f32
        tile.yield %z : f32
      } : !tile -> !row
      %m1 = tile.map ins(%m, %max : !row, !row) {
      ^bb0(%i0: index, %x: f32, %y: f32):
        %z = arith.addf %x, %y : f32
        tile.yield %z : f32
      } -> !row
      %s = tile.reduce %p along 1 {
      ^bb0(%x: f32, %y: f32):
        %z = arith.addf %x, %y : f32
        tile.yield %z : f32
      } : !tile -> !row
      %l1 = tile.map ins(%l, %s : !row, !row) {
      ^bb0(%i0: index, %x: f32, %y: f32):
        %z = arith.addf %x, %y : f32
        tile.yield %z : f32
      } -> !row
      tile.store %l1, %out[%c0] along [0] : !row, memref<64xf32>
      %t = tile.reduce %p along 1 {
      ^bb0(%x: f32, %y: f32):
        %z = arith.addf %x, %y : f32
        tile.yield %z : f32
      } : !tile -> !row
      %k1 = tile.map ins(%k, %t : !row, !row) {
      ^bb0(%i0: index, %x: f32, %y: f32):
        %z = math.fma %y, %y, %x : f32
        tile.yield %z : f32
      } -> !row
      %v = tile.reduce %u along 1 {
      ^bb0(%x: f32, %y: f32):
        %z = arith.addf %x, %y : f32
        tile.yield %z : f32
      } : !unit -> !unit_row
      %j1 = tile.map ins(%j, %v : !unit_row, !unit_row) {
      ^bb0(%i0: index, %x: f32, %y: f32):
        %z = arith.addf %x, %y : f32
        tile.yield %z : f32
      } -> !unit_row
      scf.yield %m1, %l1, %k1, %j1 : !row, !row, !row, !unit_row
    }
    tile.store %r#0, %out[%c0] along [0] : !row, memref<64xf32>
    tile.store %r#2, %out[%c0] along [0] : !row, memref<64xf32>
    tile.store %r#3, %out[%c0] along [0] : !unit_row, memref<64xf32>
    gpu.return
  }
}
