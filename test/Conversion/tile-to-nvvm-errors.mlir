// RUN: stof-opt %s --stof-tile-to-nvvm -verify-diagnostics -split-input-file

gpu.module @kernels {
  // expected-error @below {{expects 'known_block_size' to be whole warps along x, but got 0 threads}}
  gpu.func @no_size() kernel {
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @other_warps() kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    // expected-error @below {{expects tiles distributed over the 2 warps of the CTA, but got '!tile.fragment<64x64xf32, #tile.mma<warps = [4, 1]>>' distributed over 4}}
    %t = tile.splat %zero : !tile.fragment<64x64xf32, #tile.mma<warps = [4, 1]>>
    gpu.return
  }
}

// -----

/// A tile is distributed over the warps of its role.

gpu.module @kernels {
  gpu.func @warps_of_the_cta() kernel attributes {known_block_size = array<i32: 160, 1, 1>} {
    %zero = arith.constant 0.0 : f32
    tile.warp_specialize consumers 4 {
    } producers 1 {
      // expected-error @below {{expects tiles distributed over the 1 warps of the role, but got '!tile.fragment<64x64xf32, #tile.mma<warps = [4, 1]>>' distributed over 4}}
      %t = tile.splat %zero : !tile.fragment<64x64xf32, #tile.mma<warps = [4, 1]>>
    }
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @no_place(%x: memref<64x64xf16>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    // expected-error @below {{expects an offset in shared memory as attribute 'tile.offset', but got none}}
    %t = tile.load %x[%c0, %c0] along [0, 1] : memref<64x64xf16> -> !tile.shared<64x64xf16>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @no_number(%x: memref<64x64xf16>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    // expected-error @below {{expects an offset in shared memory as attribute 'tile.offset', but got another attribute}}
    %t = tile.load %x[%c0, %c0] along [0, 1] {tile.offset = "first"} : memref<64x64xf16> -> !tile.shared<64x64xf16>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @odd_depth(%x: memref<64x64xf16>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %s = tile.splat %zero : !tile.fragment<64x64xf32, #tile.mma<warps = [4, 1]>>
    %t = tile.load %x[%c0, %c0] along [0, 1] {tile.offset = 0 : i64} : memref<64x64xf16> -> !tile.shared<64x24xf16>
    // expected-error @+2 {{expects K to be a multiple of 16 for 'f16', but got 24}}
    // expected-error @below {{failed to legalize operation 'tile.contract'}}
    %r = tile.contract %t, %t, %s transpose_rhs : !tile.shared<64x24xf16>, !tile.shared<64x24xf16>, !tile.fragment<64x64xf32, #tile.mma<warps = [4, 1]>>
    gpu.return
  }
}

// -----

/// wgmma updates its accumulators in place, so there is one next value of them.

#acc = #tile.mma<warps = [4, 1]>
gpu.module @kernels {
  gpu.func @two_uses(%x: memref<64x64xf16>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : f32
    %s = tile.splat %zero : !tile.fragment<64x64xf32, #acc>
    %t = tile.load %x[%c0, %c0] along [0, 1] {tile.offset = 0 : i64} : memref<64x64xf16> -> !tile.shared<64x64xf16>
    // expected-error @below {{expects one use of accumulators in flight, but got 2}}
    %f = tile.wgmma_fence %s reads %t : !tile.shared<64x64xf16> -> !tile.in_flight<64x64xf32, #acc>
    %i = tile.wgmma %t, %t, %f : !tile.shared<64x64xf16>, !tile.shared<64x64xf16>, !tile.in_flight<64x64xf32, #acc>
    %j = tile.wgmma %t, %t, %f transpose_rhs : !tile.shared<64x64xf16>, !tile.shared<64x64xf16>, !tile.in_flight<64x64xf32, #acc>
    %p = tile.wgmma_wait %i : !tile.in_flight<64x64xf32, #acc>
    %q = tile.wgmma_wait %j : !tile.in_flight<64x64xf32, #acc>
    gpu.return
  }
}
