// RUN: stof-opt %s --stof-to-nvvm="chip=sm_80" --split-input-file | FileCheck %s --check-prefix=NVVM
// RUN: env -u CUDA_HOME -u CUDA_PATH -u CUDA_ROOT stof-opt %s --stof-to-ptx="chip=sm_80" --split-input-file | FileCheck %s --check-prefix=PTX --implicit-check-not=griddepcontrol
// RUN: stof-opt %s --stof-to-ptx="chip=sm_90" --split-input-file | FileCheck %s --check-prefix=EARLY
// RUN: not stof-opt %s --stof-to-ptx="chip=sm_86" --split-input-file 2>&1 | FileCheck %s --check-prefix=SMALL

#acc = #tile.mma<warps = [4, 1]>

// NVVM-LABEL: llvm.func @product
// NVVM-SAME: tile.shared_bytes = 131072 : i64
// NVVM-NOT: tile.load
// NVVM: nvvm.cp.async.shared.global
// NVVM: nvvm.cp.async.wait.group 0
// NVVM: nvvm.barrier
// NVVM: nvvm.ldmatrix
// NVVM: nvvm.mma.sync
// NVVM: llvm.return

// PTX: gpu.binary @kernels
// PTX-SAME: .extern .shared .align 1024 .b8 tile_shared_memory[];
// PTX-SAME: cp.async.cg.shared.global
// PTX-SAME: ldmatrix.sync.aligned.m8n8.x4.shared.b16
// PTX-SAME: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32

/// From compute capability 9.0 on, kernels wait for those before them.

// EARLY: gpu.binary @kernels
// EARLY-SAME: griddepcontrol.wait;
// EARLY-SAME: cp.async.cg.shared.global

/// Not every chip has as much shared memory.

// SMALL: error: {{.*}}expects at most 101376 bytes of shared memory, but got 131072
gpu.module @kernels {
  gpu.func @product(%x: memref<64x512xf16>, %w: memref<64x512xf16>, %y: memref<64x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %s = tile.splat %zero : !tile.fragment<64x64xf32, #acc>
    %a = tile.load %x[%c0, %c0] along [0, 1] : memref<64x512xf16> -> !tile.shared<64x512xf16>
    %b = tile.load %w[%c0, %c0] along [0, 1] : memref<64x512xf16> -> !tile.shared<64x512xf16>
    %r = tile.contract %a, %b, %s transpose_rhs : !tile.shared<64x512xf16>, !tile.shared<64x512xf16>, !tile.fragment<64x64xf32, #acc>
    tile.store %r, %y[%c0, %c0] along [0, 1] : !tile.fragment<64x64xf32, #acc>, memref<64x64xf32>
    gpu.return
  }
}

// -----

/// Kernels reshape with any number of sizes that are known at run time only.

// PTX: gpu.binary @reshapes
gpu.module @reshapes {
  gpu.func @expand(%x: memref<?xf32>, %n: index, %m: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %wide = memref.expand_shape %x [[0, 1, 2]] output_shape [%n, %m, 4] : memref<?xf32> into memref<?x?x4xf32>
    %flat = memref.collapse_shape %wide [[0, 1], [2]] : memref<?x?x4xf32> into memref<?x4xf32>
    %e = memref.load %wide[%n, %m, %c0] : memref<?x?x4xf32>
    memref.store %e, %flat[%c0, %c0] : memref<?x4xf32>
    gpu.return
  }
}
