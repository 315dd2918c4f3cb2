// RUN: stof-opt %s --stof-tile-to-nvvm --canonicalize --cse | FileCheck %s

#line = #tile.blocked<elements = [4], lanes = [32], warps = [1]>
#rows = #tile.blocked<elements = [1, 8], lanes = [4, 8], warps = [1, 1]>

// CHECK: llvm.mlir.global external @tile_shared_memory() {addr_space = 3 : i32, alignment = 1024 : i64}
gpu.module @kernels {
  /// Four elements a load as long as the tile is inside, else one by one, and
  /// only those that exist.

  // CHECK-LABEL: gpu.func @load_of_any_length
  gpu.func @load_of_any_length(%x: memref<?xf32>, %y: memref<128xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %block = gpu.block_id x
    %i = arith.muli %block, %c128 : index
    // CHECK: %[[LEFT:.*]] = arith.subi %{{.*}}, %{{.*}} : index
    // CHECK: %[[CUT:.*]] = arith.minsi %[[LEFT]]
    // CHECK: %[[LIMIT:.*]] = arith.index_cast %[[CUT]] : index to i32
    // CHECK: %[[WHOLE:.*]] = arith.cmpi sge, %[[LIMIT]]
    // CHECK: %[[T:.*]]:4 = scf.if %[[WHOLE]]
    // CHECK:   llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
    // CHECK: } else {
    // CHECK:   %[[INSIDE:.*]] = arith.cmpi slt, %{{.*}}, %[[LIMIT]]
    // CHECK:   llvm.inline_asm has_side_effects "mov.b32 $0, 0;{{.*}}@$2 ld.global.b32 $0, [$1];", "=&r,l,b" %{{.*}}, %[[INSIDE]]
    // CHECK-COUNT-3: llvm.inline_asm
    // CHECK: }
    %t = tile.load %x[%i] along [0] : memref<?xf32> -> !tile.fragment<128xf32, #line>
    // CHECK: llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
    // CHECK-NEXT: gpu.return
    tile.store %t, %y[%c0] along [0] : !tile.fragment<128xf32, #line>, memref<128xf32>
    gpu.return
  }

  /// Rows of 100 are aligned to four elements of f16, and end with whole fours.

  // CHECK-LABEL: gpu.func @store_of_whole_fours
  gpu.func @store_of_whole_fours(%x: memref<?x104xf16>, %y: memref<?x100xf16>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %block = gpu.block_id x
    %j = arith.muli %block, %c64 : index
    // CHECK: ld.global.v4.b32
    %t = tile.load %x[%block, %j] along [0, 1] : memref<?x104xf16> -> !tile.fragment<4x64xf16, #rows>
    // CHECK: st.global.v2.b32
    // CHECK: st.global.v2.b32
    tile.store %t, %y[%block, %j] along [0, 1] : !tile.fragment<4x64xf16, #rows>, memref<?x100xf16>
    gpu.return
  }

  /// The strides of a view are unknown, but they are multiples of those of its source.

  // CHECK-LABEL: gpu.func @view_of_any_length
  gpu.func @view_of_any_length(%x: memref<4x?x64xf16>, %y: memref<4x64xf16>, %n: index) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = gpu.block_id x
    %v = memref.subview %x[0, %block, 0] [4, %n, 64] [1, 4, 1] : memref<4x?x64xf16> to memref<4x?x64xf16, strided<[?, 256, 1], offset: ?>>
    // CHECK: ld.global.v4.b32
    %t = tile.load %v[%block, %c0, %c0] along [1, 2] : memref<4x?x64xf16, strided<[?, 256, 1], offset: ?>> -> !tile.fragment<4x64xf16, #rows>
    tile.store %t, %y[%c0, %c0] along [0, 1] : !tile.fragment<4x64xf16, #rows>, memref<4x64xf16>
    gpu.return
  }

  /// Where a view begins is unknown, but it is the beginning of a row.

  // CHECK-LABEL: gpu.func @view_of_rows
  gpu.func @view_of_rows(%x: memref<64x64xf16>, %y: memref<64x64xf16>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = gpu.block_id x
    %v = memref.subview %x[%block, 0] [32, 64] [2, 1] : memref<64x64xf16> to memref<32x64xf16, strided<[128, 1], offset: ?>>
    // CHECK: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<8xf16>
    %t = tile.load %v[%c0, %c0] along [0, 1] : memref<32x64xf16, strided<[128, 1], offset: ?>> -> !tile.fragment<4x64xf16, #rows>
    tile.store %t, %y[%c0, %c0] along [0, 1] : !tile.fragment<4x64xf16, #rows>, memref<64x64xf16>
    // CHECK: gpu.return
    gpu.return
  }

  /// A view that begins anywhere in a row is read element by element.

  // CHECK-LABEL: gpu.func @view_of_columns
  gpu.func @view_of_columns(%x: memref<64x128xf16>, %y: memref<64x128xf16>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %block = gpu.block_id x
    %v = memref.subview %x[0, %block] [4, 64] [1, 1] : memref<64x128xf16> to memref<4x64xf16, strided<[128, 1], offset: ?>>
    // CHECK-NOT: vector<{{[0-9]}}xf16>, !llvm.ptr<1>
    // CHECK: llvm.load %{{.*}} {{.*}} -> f16
    %t = tile.load %v[%c0, %c0] along [0, 1] : memref<4x64xf16, strided<[128, 1], offset: ?>> -> !tile.fragment<4x64xf16, #rows>
    tile.store %t, %y[%c0, %c0] along [0, 1] : !tile.fragment<4x64xf16, #rows>, memref<64x128xf16>
    // CHECK: gpu.return
    gpu.return
  }

  /// A boolean is a byte in memory.

  // CHECK-LABEL: gpu.func @booleans
  gpu.func @booleans(%x: memref<128xi1>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    // CHECK: llvm.load %{{.*}} : !llvm.ptr<1> -> vector<4xi8>
    // CHECK-COUNT-4: arith.cmpi ne, {{.*}} : i8
    %t = tile.load %x[%c0] along [0] : memref<128xi1> -> !tile.fragment<128xi1, #line>
    // CHECK: arith.extui {{.*}} : i1 to i8
    // CHECK: llvm.store %{{.*}} : vector<4xi8>, !llvm.ptr<1>
    tile.store %t, %x[%c0] along [0] : !tile.fragment<128xi1, #line>, memref<128xi1>
    gpu.return
  }

  /// One of the threads that hold an element of a slice stores it.

  // CHECK-LABEL: gpu.func @slice
  gpu.func @slice(%e: f32, %x: memref<4xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %t = tile.splat %e : !tile.fragment<4xf32, #tile.slice<1, #rows>>
    // CHECK: %[[FIRST:.*]] = arith.cmpi eq
    // CHECK: "@$2 st.global.b32 [$1], $0;", "r,l,b" %{{.*}}, %{{.*}}, %[[FIRST]]
    tile.store %t, %x[%c0] along [0] : !tile.fragment<4xf32, #tile.slice<1, #rows>>, memref<4xf32>
    gpu.return
  }

  /// Rows that are contiguous in memory as well are copied asynchronously, no
  /// bytes but zeros for those beyond the end. What threads compute for the first
  /// of their rows serves them for the others.

  // CHECK-LABEL: gpu.func @load_shared
  gpu.func @load_shared(%x: memref<?x64xf16>, %i: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    // CHECK: %[[BASE:.*]] = llvm.getelementptr
    // CHECK: %[[INSIDE:.*]] = arith.cmpi slt
    // CHECK: %[[SOURCE:.*]] = llvm.getelementptr %[[BASE]]
    // CHECK: arith.xori
    // CHECK: %[[BYTES:.*]] = arith.select %[[INSIDE]], %c16_i32, %c0_i32
    // CHECK: nvvm.cp.async.shared.global %{{.*}}, %[[SOURCE]], 16, cache = cg, %[[BYTES]]
    // CHECK-COUNT-3: nvvm.cp.async.shared.global
    // CHECK: nvvm.cp.async.commit.group
    %t = tile.load %x[%i, %c0] along [0, 1] {tile.offset = 0 : i64} : memref<?x64xf16> -> !tile.shared<64x64xf16>
    gpu.return
  }

  /// A tile that divides the memory is inside as a whole or not at all; a tile
  /// may take the place of another, and be loaded under a condition.

  // CHECK-LABEL: gpu.func @load_over
  // CHECK-SAME: %[[MORE:[a-z0-9]*]]: i1
  gpu.func @load_over(%x: memref<256x64xf16>, %n: index, %more: i1) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    // CHECK: %[[PLACE:.*]] = arith.constant 1024 : i32
    %e = tile.empty {tile.offset = 1024 : i64} : !tile.shared<64x64xf16>
    // CHECK: scf.for %[[I:.*]] =
    scf.for %i = %c0 to %n step %c64 {
      // CHECK: %[[BELOW:.*]] = arith.cmpi slt, %[[I]], %c256
      // CHECK: %[[INSIDE:.*]] = arith.andi %[[BELOW]], %[[MORE]]
      // CHECK: arith.addi %{{.*}}, %[[PLACE]]
      // CHECK: arith.select %[[INSIDE]], %c16_i32, %c0_i32
      // CHECK-NOT: arith.cmpi
      // CHECK: nvvm.cp.async.commit.group
      %t = tile.load %x[%i, %c0] along [0, 1] when %more over %e : memref<256x64xf16> -> !tile.shared<64x64xf16>
      %u = tile.await %t : !tile.shared<64x64xf16>
    }
    gpu.return
  }

  /// Where nothing is known of the length of rows, f32 still goes one by one
  /// without a detour through registers; smaller elements cannot.

  // CHECK-LABEL: gpu.func @load_shared_of_any_length
  gpu.func @load_shared_of_any_length(%x: memref<?x?xf32>, %y: memref<?x?xf16>, %i: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    // CHECK: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 4, cache = ca
    // CHECK: nvvm.cp.async.commit.group
    %t = tile.load %x[%i, %i] along [0, 1] {tile.offset = 0 : i64} : memref<?x?xf32> -> !tile.shared<16x16xf32>
    // CHECK-NOT: nvvm.cp.async.shared.global
    // CHECK: ld.global.b16
    // CHECK: llvm.store %{{.*}} : f16, !llvm.ptr<3>
    %u = tile.load %y[%i, %i] along [0, 1] {tile.offset = 1024 : i64} : memref<?x?xf16> -> !tile.shared<16x16xf16>
    gpu.return
  }

  /// A remainder is as aligned as what it is taken of.

  // CHECK-LABEL: gpu.func @load_at_remainder
  gpu.func @load_at_remainder(%x: memref<16x96xf16>, %y: memref<4x64xf16>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c96 = arith.constant 96 : index
    %block = gpu.block_id x
    %at = arith.muli %block, %c32 : index
    %row = arith.divui %at, %c96 : index
    %column = arith.remui %at, %c96 : index
    // CHECK: ld.global.v4.b32
    %t = tile.load %x[%row, %column] along [0, 1] : memref<16x96xf16> -> !tile.fragment<4x64xf16, #rows>
    tile.store %t, %y[%c0, %c0] along [0, 1] : !tile.fragment<4x64xf16, #rows>, memref<4x64xf16>
    gpu.return
  }

  /// Where a slice begins and the stride of its rows decide how much of it
  /// can be copied at once.

  // CHECK-LABEL: gpu.func @load_slices
  gpu.func @load_slices(%x: memref<64x96xf16>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %a = memref.subview %x[3, 8] [16, 16] [1, 1] : memref<64x96xf16> to memref<16x16xf16, strided<[96, 1], offset: 296>>
    // CHECK: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = cg
    // CHECK: nvvm.cp.async.commit.group
    %t = tile.load %a[%c0, %c0] along [0, 1] {tile.offset = 0 : i64} : memref<16x16xf16, strided<[96, 1], offset: 296>> -> !tile.shared<16x16xf16>
    %b = memref.subview %x[0, 4] [16, 16] [1, 1] : memref<64x96xf16> to memref<16x16xf16, strided<[96, 1], offset: 4>>
    // CHECK: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 8, cache = ca
    // CHECK: nvvm.cp.async.commit.group
    %u = tile.load %b[%c0, %c0] along [0, 1] {tile.offset = 512 : i64} : memref<16x16xf16, strided<[96, 1], offset: 4>> -> !tile.shared<16x16xf16>
    %c = memref.subview %x[0, 5] [16, 16] [1, 1] : memref<64x96xf16> to memref<16x16xf16, strided<[96, 1], offset: 5>>
    // CHECK-NOT: nvvm.cp.async.shared.global
    // CHECK: nvvm.cp.async.commit.group
    %v = tile.load %c[%c0, %c0] along [0, 1] {tile.offset = 1024 : i64} : memref<16x16xf16, strided<[96, 1], offset: 5>> -> !tile.shared<16x16xf16>
    %d = memref.subview %x[0, 8] [16, 16] [1, 2] : memref<64x96xf16> to memref<16x16xf16, strided<[96, 2], offset: 8>>
    // CHECK-NOT: nvvm.cp.async.shared.global
    // CHECK: nvvm.cp.async.commit.group
    %w = tile.load %d[%c0, %c0] along [0, 1] {tile.offset = 1536 : i64} : memref<16x16xf16, strided<[96, 2], offset: 8>> -> !tile.shared<16x16xf16>
    gpu.return
  }

  /// An element of a shared tile: rows of 8 chunks exchange them by the number
  /// of the row.

  // CHECK-LABEL: gpu.func @element
  // CHECK-SAME: %[[R:[a-z0-9]*]]: index, %[[C:[a-z0-9]*]]: index
  gpu.func @element(%r: index, %c: index, %z: f16, %y: memref<f16>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %x = tile.splat %z : !tile.fragment<4x64xf16, #rows>
    %s = tile.convert %x {tile.offset = 0 : i64} : !tile.fragment<4x64xf16, #rows> -> !tile.shared<4x64xf16>
    // CHECK-DAG: %[[ROW:.*]] = arith.index_cast %[[R]] : index to i32
    // CHECK-DAG: %[[COLUMN:.*]] = arith.index_cast %[[C]] : index to i32
    // CHECK: %[[BYTE:.*]] = arith.muli %[[COLUMN]], %c2_i32
    // CHECK: %[[PLACE:.*]] = arith.xori %[[BYTE]]
    // CHECK: %[[PITCH:.*]] = arith.muli %[[ROW]], %c128_i32
    // CHECK: %[[AT:.*]] = arith.addi %[[PITCH]], %[[PLACE]]
    // CHECK: %[[ADDRESS:.*]] = llvm.getelementptr %{{.*}}[%[[AT]]]
    // CHECK: llvm.load %[[ADDRESS]] {{.*}}!llvm.ptr<3> -> {{.*}}f16
    %e = tile.extract %s[%r, %c] : !tile.shared<4x64xf16>
    memref.store %e, %y[] : memref<f16>
    gpu.return
  }
}
