// RUN: stof-opt %s --pass-pipeline="builtin.module(gpu.module(stof-tile-to-nvvm))" -verify-diagnostics

/// Without a kernel there are no threads that a tile could lie over.

gpu.module @kernels {
  func.func @no_kernel(%x: f32) {
    // expected-error @below {{expects to be inside a gpu.func}}
    %t = tile.splat %x : !tile.fragment<64x64xf32, #tile.mma<warps = [4, 1]>>
    return
  }
}
