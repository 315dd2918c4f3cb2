// RUN: stof-opt %s --stof-persist-ctas="resident=2 sms=4" --split-input-file | FileCheck %s
// RUN: stof-opt %s --stof-persist-ctas="resident=2 sms=4" --split-input-file --remarks-filter=stof-persist-ctas -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: stof-opt %s --stof-persist-ctas=sms=4 --split-input-file | FileCheck %s --check-prefix=OWN
// RUN: stof-opt %s --stof-to-nvvm=chip=sm_90a --split-input-file | FileCheck %s --check-prefix=NVVM

module attributes {gpu.container_module} {
  /// Twenty tiles take three rounds of seven CTAs, as they do of eight.

  // CHECK-LABEL: func @static
  // CHECK-DAG: %[[CTAS:.*]] = arith.constant 7 : index
  // CHECK: gpu.launch_func @kernels::@many blocks in (%[[CTAS]], %c1, %c1) threads in (%c128, %c1, %c1) args(%{{.*}} : memref<?xf32>)
  func.func @static(%x: memref<?xf32>) {
    %c1 = arith.constant 1 : index
    %c20 = arith.constant 20 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@many blocks in (%c20, %c1, %c1) threads in (%c128, %c1, %c1) args(%x : memref<?xf32>)
    return
  }

  gpu.module @kernels {
    /// Eight CTAs compute twenty tiles: each begins with that of its number, and goes
    /// on with the one that as many CTAs are ahead. Registers must be few enough for
    /// two CTAs on an SM. Constants are computed once.

    // CHECK-LABEL: gpu.func @many
    // CHECK-SAME: (%[[X:.*]]: memref<?xf32>) kernel
    // CHECK-SAME: known_grid_size = array<i32: 7, 1, 1>
    // CHECK-SAME: nvvm.minctasm = 2 : i32
    // CHECK-DAG: %[[TILES:.*]] = arith.constant 20 : index
    // CHECK-DAG: %[[FIRST:.*]] = gpu.block_id x
    // CHECK-DAG: %[[STEP:.*]] = arith.constant 7 : index
    // CHECK-DAG: %[[WIDTH:.*]] = arith.constant 64 : index
    // CHECK: scf.for %[[TILE:.*]] = %[[FIRST]] to %[[TILES]] step %[[STEP]] {
    // CHECK-NOT: gpu.block_id
    // CHECK-NEXT: %[[AT:.*]] = arith.muli %[[TILE]], %[[WIDTH]]
    // CHECK-NEXT: %[[A:.*]] = memref.load %[[X]][%[[AT]]]
    // CHECK-NEXT: memref.store %[[A]], %[[X]][%[[TILE]]]
    // CHECK-NEXT: } {tile.tiles}
    // CHECK-NEXT: gpu.return
    // REMARK: remark: [Passed] PersistentCtas | {{.*}}Ctas=7

    /// Without the option, each CTA has its tile.

    // OWN-LABEL: gpu.func @many
    // OWN-NOT: scf.for
    // OWN: gpu.return
    gpu.func @many(%x: memref<?xf32>) kernel
        attributes {known_block_size = array<i32: 128, 1, 1>, known_grid_size = array<i32: 20, 1, 1>} {
      %c64 = arith.constant 64 : index
      %tile = gpu.block_id x
      %at = arith.muli %tile, %c64 : index
      %a = memref.load %x[%at] : memref<?xf32>
      memref.store %a, %x[%tile] : memref<?xf32>
      gpu.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  /// A number of tiles that the host computes becomes the last argument. No more CTAs
  /// are launched than there are tiles.

  // CHECK-LABEL: func @dynamic
  // CHECK-SAME: (%[[X:.*]]: memref<?xf32>, %[[N:.*]]: index)
  // CHECK-DAG: %[[MOST:.*]] = arith.constant 8 : index
  // CHECK: %[[CTAS:.*]] = arith.minui %[[N]], %[[MOST]] : index
  // CHECK: gpu.launch_func @kernels::@any blocks in (%[[CTAS]], %c1, %c1) {{.*}} args(%[[X]] : memref<?xf32>, %[[N]] : index)
  func.func @dynamic(%x: memref<?xf32>, %n: index) {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@any blocks in (%n, %c1, %c1) threads in (%c128, %c1, %c1) args(%x : memref<?xf32>)
    return
  }

  gpu.module @kernels {
    // CHECK-LABEL: gpu.func @any
    // CHECK-SAME: (%{{.*}}: memref<?xf32>, %[[TILES:.*]]: index) kernel
    // CHECK-NOT: known_grid_size
    // CHECK: scf.for %[[TILE:.*]] = %{{.*}} to %[[TILES]] step
    // CHECK: memref.load %{{.*}}[%[[TILE]]]
    // REMARK: remark: [Passed] PersistentCtas | {{.*}}Ctas=8
    gpu.func @any(%x: memref<?xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
      %tile = gpu.block_id x
      %a = memref.load %x[%tile] : memref<?xf32>
      memref.store %a, %x[%tile] : memref<?xf32>
      gpu.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  /// Launches with the same number of tiles share a constant; with different ones, the
  /// kernel is told how many, even if each of them is static.

  // CHECK-LABEL: func @twice
  // CHECK-COUNT-2: gpu.launch_func @kernels::@same blocks in (%c7{{[_0-9]*}}, %c1, %c1) {{.*}} args(%{{.*}} : memref<?xf32>){{$}}
  // CHECK: %[[FEW:.*]] = arith.minui %c5, %c8
  // CHECK: gpu.launch_func @kernels::@different blocks in (%[[FEW]], %c1, %c1) {{.*}} args(%{{.*}} : memref<?xf32>, %c5 : index)
  // CHECK: %[[MANY:.*]] = arith.minui %c20, %c8
  // CHECK: gpu.launch_func @kernels::@different blocks in (%[[MANY]], %c1, %c1) {{.*}} args(%{{.*}} : memref<?xf32>, %c20 : index)
  func.func @twice(%x: memref<?xf32>, %y: memref<?xf32>) {
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    %c20 = arith.constant 20 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@same blocks in (%c20, %c1, %c1) threads in (%c128, %c1, %c1) args(%x : memref<?xf32>)
    gpu.launch_func @kernels::@same blocks in (%c20, %c1, %c1) threads in (%c128, %c1, %c1) args(%y : memref<?xf32>)
    gpu.launch_func @kernels::@different blocks in (%c5, %c1, %c1) threads in (%c128, %c1, %c1) args(%x : memref<?xf32>)
    gpu.launch_func @kernels::@different blocks in (%c20, %c1, %c1) threads in (%c128, %c1, %c1) args(%y : memref<?xf32>)
    return
  }

  gpu.module @kernels {
    // CHECK-LABEL: gpu.func @same
    // CHECK-SAME: (%{{.*}}: memref<?xf32>) kernel
    // CHECK: %[[TILES:.*]] = arith.constant 20 : index
    // CHECK: scf.for %{{.*}} = %{{.*}} to %[[TILES]] step
    // REMARK: remark: [Passed] PersistentCtas
    gpu.func @same(%x: memref<?xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
      %tile = gpu.block_id x
      %a = memref.load %x[%tile] : memref<?xf32>
      memref.store %a, %x[%tile] : memref<?xf32>
      gpu.return
    }

    // CHECK-LABEL: gpu.func @different
    // CHECK-SAME: (%{{.*}}: memref<?xf32>, %[[TILES:.*]]: index) kernel
    // CHECK: scf.for %{{.*}} = %{{.*}} to %[[TILES]] step
    // REMARK: remark: [Passed] PersistentCtas
    gpu.func @different(%x: memref<?xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
      %tile = gpu.block_id x
      %a = memref.load %x[%tile] : memref<?xf32>
      memref.store %a, %x[%tile] : memref<?xf32>
      gpu.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  /// The kernel configuration counts for more than the option.

  // OWN-LABEL: func @configured
  // OWN: gpu.launch_func @kernels::@three blocks in (%c10, %c1, %c1)
  // OWN: gpu.launch_func @kernels::@negative_none blocks in (%c20, %c1, %c1)
  // CHECK-LABEL: func @configured
  // CHECK: gpu.launch_func @kernels::@three blocks in (%c10, %c1, %c1)
  // CHECK: gpu.launch_func @kernels::@negative_none blocks in (%c20, %c1, %c1)
  func.func @configured(%x: memref<?xf32>) {
    %c1 = arith.constant 1 : index
    %c20 = arith.constant 20 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@three blocks in (%c20, %c1, %c1) threads in (%c128, %c1, %c1) args(%x : memref<?xf32>)
    gpu.launch_func @kernels::@negative_none blocks in (%c20, %c1, %c1) threads in (%c128, %c1, %c1) args(%x : memref<?xf32>)
    return
  }

  gpu.module @kernels {
    // OWN-LABEL: gpu.func @three
    // OWN-SAME: nvvm.minctasm = 3 : i32
    // OWN: scf.for
    // CHECK-LABEL: gpu.func @three
    // CHECK-SAME: nvvm.minctasm = 3 : i32
    // REMARK: remark: [Passed] PersistentCtas | {{.*}}Ctas=10
    gpu.func @three(%x: memref<?xf32>) kernel
        attributes {known_block_size = array<i32: 128, 1, 1>, stof.schedule = {kernel = "product", resident = 3 : i64}} {
      %tile = gpu.block_id x
      %a = memref.load %x[%tile] : memref<?xf32>
      memref.store %a, %x[%tile] : memref<?xf32>
      gpu.return
    }

    // CHECK-LABEL: gpu.func @negative_none
    // CHECK-NOT: nvvm.minctasm
    // CHECK-NOT: scf.for
    // CHECK: gpu.return
    // REMARK-NOT: remark
    gpu.func @negative_none(%x: memref<?xf32>) kernel
        attributes {known_block_size = array<i32: 128, 1, 1>, stof.schedule = {kernel = "product", resident = 0 : i64}} {
      %tile = gpu.block_id x
      %a = memref.load %x[%tile] : memref<?xf32>
      memref.store %a, %x[%tile] : memref<?xf32>
      gpu.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  /// Nothing is to be shared if all tiles run at once, nor if their numbers are not
  /// those of a single dimension.

  // CHECK-LABEL: func @negative
  // CHECK: gpu.launch_func @kernels::@negative_few blocks in (%c8, %c1, %c1) threads
  // CHECK: gpu.launch_func @kernels::@negative_wide blocks in (%c20, %c8, %c1) threads
  // CHECK: gpu.launch_func @kernels::@negative_deep blocks in (%c20, %c1, %c8) threads
  func.func @negative(%x: memref<?xf32>) {
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c20 = arith.constant 20 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@negative_few blocks in (%c8, %c1, %c1) threads in (%c128, %c1, %c1) args(%x : memref<?xf32>)
    gpu.launch_func @kernels::@negative_wide blocks in (%c20, %c8, %c1) threads in (%c128, %c1, %c1) args(%x : memref<?xf32>)
    gpu.launch_func @kernels::@negative_deep blocks in (%c20, %c1, %c8) threads in (%c128, %c1, %c1) args(%x : memref<?xf32>)
    return
  }

  gpu.module @kernels {
    // CHECK-LABEL: gpu.func @negative_few
    // CHECK-SAME: known_grid_size = array<i32: 8, 1, 1>
    // CHECK-NOT: scf.for
    // CHECK: gpu.return
    // REMARK: remark: [Missed] PersistentCtas | {{.*}}all of its CTAs run at once
    gpu.func @negative_few(%x: memref<?xf32>) kernel
        attributes {known_block_size = array<i32: 128, 1, 1>, known_grid_size = array<i32: 8, 1, 1>} {
      %tile = gpu.block_id x
      %a = memref.load %x[%tile] : memref<?xf32>
      memref.store %a, %x[%tile] : memref<?xf32>
      gpu.return
    }

    // CHECK-LABEL: gpu.func @negative_wide
    // CHECK-NOT: scf.for
    // CHECK: gpu.return
    // REMARK: remark: [Missed] PersistentCtas | {{.*}}its CTAs are numbered along several dimensions
    gpu.func @negative_wide(%x: memref<?xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
      %i = gpu.block_id x
      %j = gpu.block_id y
      %a = memref.load %x[%i] : memref<?xf32>
      memref.store %a, %x[%j] : memref<?xf32>
      gpu.return
    }

    // CHECK-LABEL: gpu.func @negative_deep
    // CHECK-NOT: scf.for
    // CHECK: gpu.return
    // REMARK: remark: [Missed] PersistentCtas | {{.*}}its CTAs are numbered along several dimensions
    gpu.func @negative_deep(%x: memref<?xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
      %i = gpu.block_id x
      %j = gpu.block_id z
      %a = memref.load %x[%i] : memref<?xf32>
      memref.store %a, %x[%j] : memref<?xf32>
      gpu.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  /// CTAs are numbered along x: their numbers along y and z stay what they are. A CTA
  /// that computes several tiles already keeps its loop, and its launch.

  // CHECK-LABEL: func @along_x
  // CHECK: gpu.launch_func @kernels::@flat blocks in (%c7, %c1, %c1) threads
  // CHECK: gpu.launch_func @kernels::@negative_again blocks in (%c20, %c1, %c1) threads
  func.func @along_x(%x: memref<?xf32>) {
    %c1 = arith.constant 1 : index
    %c20 = arith.constant 20 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@flat blocks in (%c20, %c1, %c1) threads in (%c128, %c1, %c1) args(%x : memref<?xf32>)
    gpu.launch_func @kernels::@negative_again blocks in (%c20, %c1, %c1) threads in (%c128, %c1, %c1) args(%x : memref<?xf32>)
    return
  }

  gpu.module @kernels {
    // CHECK-LABEL: gpu.func @flat
    // CHECK: scf.for %[[TILE:.*]] = %{{.*}} to %{{.*}} step
    // CHECK-NEXT: %[[J:.*]] = gpu.block_id y
    // CHECK-NEXT: %[[K:.*]] = gpu.block_id z
    // CHECK-NEXT: %[[AT:.*]] = arith.addi %[[TILE]], %[[J]]
    // CHECK-NEXT: memref.load %{{.*}}[%[[AT]]]
    // CHECK-NEXT: memref.store %{{.*}}, %{{.*}}[%[[K]]]
    // REMARK: remark: [Passed] PersistentCtas
    gpu.func @flat(%x: memref<?xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
      %tile = gpu.block_id x
      %j = gpu.block_id y
      %k = gpu.block_id z
      %at = arith.addi %tile, %j : index
      %a = memref.load %x[%at] : memref<?xf32>
      memref.store %a, %x[%k] : memref<?xf32>
      gpu.return
    }

    // CHECK-LABEL: gpu.func @negative_again
    // CHECK-NOT: nvvm.minctasm
    // CHECK: scf.for
    // CHECK-NOT: scf.for
    // CHECK: gpu.return
    // REMARK-NOT: gpu.func @negative_again
    gpu.func @negative_again(%x: memref<?xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
      %c20 = arith.constant 20 : index
      %first = gpu.block_id x
      %step = gpu.grid_dim x
      scf.for %tile = %first to %c20 step %step {
        %a = memref.load %x[%tile] : memref<?xf32>
        memref.store %a, %x[%tile] : memref<?xf32>
      } {tile.tiles}
      gpu.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  // CHECK-LABEL: func @pairs
  // CHECK: gpu.launch_func @kernels::@two_at_a_time blocks in (%c5, %c1, %c1)
  func.func @pairs(%x: memref<?xf32>) {
    %c1 = arith.constant 1 : index
    %c20 = arith.constant 20 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@two_at_a_time blocks in (%c20, %c1, %c1) threads in (%c128, %c1, %c1) args(%x : memref<?xf32>)
    return
  }

  gpu.module @kernels {
    /// Runs of two: a round of all CTAs takes sixteen tiles, of which every CTA has two;
    /// of the rest, each has as many as begin with its number.

    // CHECK-LABEL: gpu.func @two_at_a_time
    // CHECK-DAG: %[[TILES:.*]] = arith.constant 20 : index
    // CHECK-DAG: %[[TWO:.*]] = arith.constant 2 : index
    // CHECK-DAG: %[[CTA:.*]] = gpu.block_id x
    // CHECK-DAG: %[[CTAS:.*]] = arith.constant 5 : index
    // CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : index
    // CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : index
    // CHECK: %[[ROUND:.*]] = arith.muli %[[CTAS]], %[[TWO]]
    // CHECK: %[[ROUNDS:.*]] = arith.divui %[[TILES]], %[[ROUND]]
    // CHECK: %[[REST:.*]] = arith.remui %[[TILES]], %[[ROUND]]
    // CHECK: %[[WHOLE:.*]] = arith.muli %[[ROUNDS]], %[[TWO]]
    // CHECK: %[[BEFORE:.*]] = arith.muli %[[CTA]], %[[TWO]]
    // CHECK: %[[LEFT:.*]] = arith.subi %[[REST]], %[[BEFORE]]
    // CHECK: %[[SOME:.*]] = arith.maxsi %[[LEFT]], %{{.*}}
    // CHECK: %[[LAST:.*]] = arith.minsi %[[SOME]], %[[TWO]]
    // CHECK: %[[NUMBER:.*]] = arith.addi %[[WHOLE]], %[[LAST]]
    // CHECK: scf.for %[[I:.*]] = %[[ZERO]] to %[[NUMBER]] step %[[ONE]] {
    // CHECK-NEXT: %[[PAIR:.*]] = arith.divui %[[I]], %[[TWO]]
    // CHECK-NEXT: %[[IN:.*]] = arith.remui %[[I]], %[[TWO]]
    // CHECK-NEXT: %[[EARLIER:.*]] = arith.muli %[[PAIR]], %[[CTAS]]
    // CHECK-NEXT: %[[AT:.*]] = arith.addi %[[EARLIER]], %[[CTA]]
    // CHECK-NEXT: %[[FIRST:.*]] = arith.muli %[[AT]], %[[TWO]]
    // CHECK-NEXT: %[[TILE:.*]] = arith.addi %[[FIRST]], %[[IN]]
    // CHECK-NEXT: %[[A:.*]] = memref.load %{{.*}}[%[[TILE]]]
    // CHECK-NEXT: memref.store %[[A]], %{{.*}}[%[[TILE]]]
    // CHECK-NEXT: } {tile.tiles}
    // REMARK: remark: [Passed] PersistentCtas | {{.*}}Ctas=5
    gpu.func @two_at_a_time(%x: memref<?xf32>) kernel
        attributes {known_block_size = array<i32: 128, 1, 1>, stof.schedule = {kernel = "block-wise", run = 2 : i64}} {
      %tile = gpu.block_id x
      %a = memref.load %x[%tile] : memref<?xf32>
      memref.store %a, %x[%tile] : memref<?xf32>
      gpu.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  /// All CTAs that run at once are launched, since none has a share that could be the
  /// same with fewer.

  // CHECK-LABEL: func @claims
  // CHECK: gpu.launch_func @kernels::@claimed blocks in (%c8, %c1, %c1) {{.*}} args(%{{.*}} : memref<?xf32>, %{{.*}} : memref<1xi32>)
  // CHECK: %[[CTAS:.*]] = arith.minui %[[N:.*]], %c8{{.*}} : index
  // CHECK: gpu.launch_func @kernels::@claimed_any blocks in (%[[CTAS]], %c1, %c1) {{.*}} args(%{{.*}} : memref<?xf32>, %{{.*}} : memref<1xi32>, %[[N]] : index)
  // OWN-LABEL: func @claims
  // OWN: gpu.launch_func @kernels::@claimed blocks in (%c20, %c1, %c1)
  func.func @claims(%x: memref<?xf32>, %counter: memref<1xi32>, %n: index) {
    %c1 = arith.constant 1 : index
    %c20 = arith.constant 20 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@claimed blocks in (%c20, %c1, %c1) threads in (%c128, %c1, %c1) args(%x : memref<?xf32>, %counter : memref<1xi32>)
    gpu.launch_func @kernels::@claimed_any blocks in (%n, %c1, %c1) threads in (%c128, %c1, %c1) args(%x : memref<?xf32>, %counter : memref<1xi32>)
    return
  }

  gpu.module @kernels {
    /// A CTA begins with the tile of its number, and claims the next one when it has
    /// computed that. The counter begins with zero, after those of all CTAs.

    // CHECK-LABEL: gpu.func @claimed
    // CHECK-SAME: (%[[X:.*]]: memref<?xf32>, %[[COUNTER:.*]]: memref<1xi32>) kernel
    // CHECK-SAME: known_grid_size = array<i32: 8, 1, 1>
    // CHECK-SAME: nvvm.minctasm = 2 : i32
    // CHECK-DAG: %[[TILES:.*]] = arith.constant 20 : index
    // CHECK-DAG: %[[FIRST:.*]] = gpu.block_id x
    // CHECK-DAG: %[[CTAS:.*]] = arith.constant 8 : index
    // CHECK-DAG: %[[WIDTH:.*]] = arith.constant 64 : index
    // CHECK: scf.while (%[[OF:.*]] = %[[FIRST]]) : (index) -> index {
    // CHECK-NEXT: %[[IS_LEFT:.*]] = arith.cmpi ult, %[[OF]], %[[TILES]] : index
    // CHECK-NEXT: scf.condition(%[[IS_LEFT]]) %[[OF]] : index
    // CHECK-NEXT: } do {
    // CHECK-NEXT: ^bb0(%[[TILE:.*]]: index):
    // CHECK-NEXT: %[[AT:.*]] = arith.muli %[[TILE]], %[[WIDTH]]
    // CHECK-NEXT: %[[A:.*]] = memref.load %[[X]][%[[AT]]]
    // CHECK-NEXT: memref.store %[[A]], %[[X]][%[[TILE]]]
    // CHECK-NEXT: %[[CLAIMED:.*]] = tile.claim %[[COUNTER]] : memref<1xi32>
    // CHECK-NEXT: %[[NEXT:.*]] = arith.addi %[[CLAIMED]], %[[CTAS]] : index
    // CHECK-NEXT: scf.yield %[[NEXT]] : index
    // CHECK-NEXT: } attributes {tile.tiles}
    // CHECK-NEXT: gpu.return
    // REMARK: remark: [Passed] PersistentCtas | {{.*}}Ctas=8

    /// Each with a tile of its own, CTAs claim none.

    // OWN-LABEL: gpu.func @claimed
    // OWN-SAME: (%{{.*}}: memref<?xf32>, %{{.*}}: memref<1xi32>) kernel
    // OWN-NOT: tile.claim
    // OWN: gpu.return
    gpu.func @claimed(%x: memref<?xf32>, %counter: memref<1xi32> {tile.counter}) kernel
        attributes {known_block_size = array<i32: 128, 1, 1>} {
      %c64 = arith.constant 64 : index
      %tile = gpu.block_id x
      %at = arith.muli %tile, %c64 : index
      %a = memref.load %x[%at] : memref<?xf32>
      memref.store %a, %x[%tile] : memref<?xf32>
      gpu.return
    }

    /// Runs are those of shares.

    // CHECK-LABEL: gpu.func @claimed_any
    // CHECK-SAME: (%{{.*}}: memref<?xf32>, %[[COUNTER:.*]]: memref<1xi32>, %[[TILES:.*]]: index) kernel
    // CHECK: scf.while (%[[OF:.*]] = %{{.*}}) : (index) -> index {
    // CHECK-NEXT: arith.cmpi ult, %[[OF]], %[[TILES]] : index
    // CHECK: ^bb0(%[[TILE:.*]]: index):
    // CHECK-NEXT: memref.load %{{.*}}[%[[TILE]]]
    // CHECK: tile.claim %[[COUNTER]]
    // REMARK: remark: [Passed] PersistentCtas | {{.*}}Ctas=8
    gpu.func @claimed_any(%x: memref<?xf32>, %counter: memref<1xi32> {tile.counter}) kernel
        attributes {known_block_size = array<i32: 128, 1, 1>, stof.schedule = {kernel = "block-wise", resident = 2 : i64, run = 2 : i64}} {
      %tile = gpu.block_id x
      %a = memref.load %x[%tile] : memref<?xf32>
      memref.store %a, %x[%tile] : memref<?xf32>
      gpu.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  /// Where all CTAs run at once, nothing is to be claimed.

  func.func @claims_none(%x: memref<?xf32>, %counter: memref<1xi32>) {
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@negative_claimed blocks in (%c8, %c1, %c1) threads in (%c128, %c1, %c1) args(%x : memref<?xf32>, %counter : memref<1xi32>)
    return
  }

  gpu.module @kernels {
    // CHECK-LABEL: gpu.func @negative_claimed
    // CHECK-SAME: (%{{.*}}: memref<?xf32>, %{{.*}}: memref<1xi32>) kernel
    // CHECK-NOT: tile.claim
    // CHECK: gpu.return
    // REMARK: remark: [Missed] PersistentCtas | {{.*}}all of its CTAs run at once
    gpu.func @negative_claimed(%x: memref<?xf32>, %counter: memref<1xi32> {tile.counter}) kernel
        attributes {known_block_size = array<i32: 128, 1, 1>} {
      %tile = gpu.block_id x
      %a = memref.load %x[%tile] : memref<?xf32>
      memref.store %a, %x[%tile] : memref<?xf32>
      gpu.return
    }
  }
}

// -----

/// In the pipeline, CTAs are those of the target, the limit of registers reaches the
/// backend, and one CTA of an SM is the least that is asked for otherwise.

module attributes {gpu.container_module} {
  // NVVM-LABEL: func.func @target
  // NVVM: arith.minui %{{.*}}, %c396 : index
  func.func @target(%x: memref<?xf32>, %n: index) {
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    gpu.launch_func @kernels::@shared blocks in (%n, %c1, %c1) threads in (%c128, %c1, %c1) args(%x : memref<?xf32>)
    gpu.launch_func @kernels::@alone blocks in (%n, %c1, %c1) threads in (%c128, %c1, %c1) args(%x : memref<?xf32>)
    return
  }

  gpu.module @kernels {
    // NVVM-LABEL: llvm.func @shared
    // NVVM-SAME: nvvm.minctasm = 3 : i32
    // NVVM: nvvm.read.ptx.sreg.nctaid.x
    // NVVM-LABEL: llvm.func @alone
    // NVVM-SAME: nvvm.minctasm = 1 : i32
    gpu.func @shared(%x: memref<?xf32>) kernel
        attributes {known_block_size = array<i32: 128, 1, 1>, stof.schedule = {kernel = "product", resident = 3 : i64}} {
      %tile = gpu.block_id x
      %a = memref.load %x[%tile] : memref<?xf32>
      memref.store %a, %x[%tile] : memref<?xf32>
      gpu.return
    }

    gpu.func @alone(%x: memref<?xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
      %tile = gpu.block_id x
      %a = memref.load %x[%tile] : memref<?xf32>
      memref.store %a, %x[%tile] : memref<?xf32>
      gpu.return
    }
  }
}
