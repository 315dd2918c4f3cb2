// RUN: stof-opt %s --stof-tile-to-nvvm --canonicalize --cse | FileCheck %s

#acc = #tile.mma<warps = [1, 1]>

gpu.module @kernels {
  /// Both operands by ldmatrix; the left one feeds all columns.

  // CHECK-LABEL: gpu.func @shared_operands
  gpu.func @shared_operands(%x: memref<16x16xf16>, %y: memref<16x16xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %s = tile.splat %zero : !tile.fragment<16x16xf32, #acc>
    %a = tile.load %x[%c0, %c0] along [0, 1] {tile.offset = 0 : i64} : memref<16x16xf16> -> !tile.shared<16x16xf16>
    %b = tile.load %x[%c0, %c0] along [0, 1] {tile.offset = 512 : i64} : memref<16x16xf16> -> !tile.shared<16x16xf16>
    // CHECK: nvvm.ldmatrix {{.*}}layout = #nvvm.mma_layout<row>, num = 4
    // CHECK: nvvm.ldmatrix {{.*}}layout = #nvvm.mma_layout<row>, num = 4
    // CHECK-COUNT-2: nvvm.mma.sync {{.*}} shape = #nvvm.shape<m = 16, n = 8, k = 16>
    // CHECK-NOT: nvvm.mma.sync
    // CHECK: tile_done
    %r = tile.contract %a, %b, %s transpose_rhs : !tile.shared<16x16xf16>, !tile.shared<16x16xf16>, !tile.fragment<16x16xf32, #acc>
    tile.store %r, %y[%c0, %c0] along [0, 1] : !tile.fragment<16x16xf32, #acc>, memref<16x16xf32>
    gpu.return {tile_done}
  }

  /// What is stored the other way round is transposed on its way to registers.

  // CHECK-LABEL: gpu.func @transposed
  gpu.func @transposed(%x: memref<16x16xbf16>, %y: memref<16x16xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %s = tile.splat %zero : !tile.fragment<16x16xf32, #acc>
    %a = tile.load %x[%c0, %c0] along [0, 1] {tile.offset = 0 : i64} : memref<16x16xbf16> -> !tile.shared<16x16xbf16>
    // CHECK-COUNT-2: nvvm.ldmatrix {{.*}}layout = #nvvm.mma_layout<col>, num = 4
    // CHECK-COUNT-2: nvvm.mma.sync {{.*}}multiplicandAPtxType = #nvvm.mma_type<bf16>
    %r = tile.contract %a, %a, %s transpose_lhs : !tile.shared<16x16xbf16>, !tile.shared<16x16xbf16>, !tile.fragment<16x16xf32, #acc>
    tile.store %r, %y[%c0, %c0] along [0, 1] : !tile.fragment<16x16xf32, #acc>, memref<16x16xf32>
    gpu.return
  }

  /// The registers of one matmul are the left operand of the next.

  // CHECK-LABEL: gpu.func @held_operand
  gpu.func @held_operand(%x: memref<16x16xf16>, %y: memref<16x8xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %s = tile.splat %zero : !tile.fragment<16x8xf32, #acc>
    %p = tile.load %x[%c0, %c0] along [0, 1] : memref<16x16xf16> -> !tile.fragment<16x16xf16, #acc>
    %b = tile.load %x[%c0, %c0] along [0, 1] {tile.offset = 0 : i64} : memref<16x16xf16> -> !tile.shared<16x8xf16>
    // CHECK: %[[P0:.*]] = llvm.load {{.*}} -> vector<2xf16>
    // CHECK: %[[P2:.*]] = llvm.load {{.*}} -> vector<2xf16>
    // CHECK: %[[P1:.*]] = llvm.load {{.*}} -> vector<2xf16>
    // CHECK: %[[P3:.*]] = llvm.load {{.*}} -> vector<2xf16>
    // CHECK: nvvm.ldmatrix {{.*}}num = 2
    // CHECK-NOT: nvvm.ldmatrix
    // CHECK: nvvm.mma.sync A[{{.*}}, {{.*}}, {{.*}}, {{.*}}]
    %r = tile.contract %p, %b, %s : !tile.fragment<16x16xf16, #acc>, !tile.shared<16x8xf16>, !tile.fragment<16x8xf32, #acc>
    tile.store %r, %y[%c0, %c0] along [0, 1] : !tile.fragment<16x8xf32, #acc>, memref<16x8xf32>
    gpu.return
  }

  /// Three MMAs of tf32 make one of f32, the largest last.

  // CHECK-LABEL: gpu.func @three_products
  gpu.func @three_products(%x: memref<16x8xf32>, %y: memref<16x8xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %s = tile.splat %zero : !tile.fragment<16x8xf32, #acc>
    %a = tile.load %x[%c0, %c0] along [0, 1] {tile.offset = 0 : i64} : memref<16x8xf32> -> !tile.shared<16x8xf32>
    %b = tile.load %x[%c0, %c0] along [0, 1] {tile.offset = 512 : i64} : memref<16x8xf32> -> !tile.shared<8x8xf32>
    // CHECK: %[[H:.*]] = nvvm.convert.float.to.tf32 %[[V:.*]] {rnd = #nvvm.fp_rnd_mode<rna>}
    // CHECK: %[[F:.*]] = arith.bitcast %[[H]] : i32 to f32
    // CHECK: %[[L:.*]] = arith.subf %[[V]], %[[F]]
    // CHECK: nvvm.convert.float.to.tf32 %[[L]]
    // CHECK-COUNT-3: nvvm.mma.sync {{.*}}multiplicandAPtxType = #nvvm.mma_type<tf32>
    // CHECK-NOT: nvvm.mma.sync
    // CHECK: tile_done
    %r = tile.contract %a, %b, %s transpose_rhs : !tile.shared<16x8xf32>, !tile.shared<8x8xf32>, !tile.fragment<16x8xf32, #acc>
    tile.store %r, %y[%c0, %c0] along [0, 1] : !tile.fragment<16x8xf32, #acc>, memref<16x8xf32>
    gpu.return {tile_done}
  }
}
