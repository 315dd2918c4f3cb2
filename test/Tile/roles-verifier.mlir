// RUN: stof-opt %s -verify-diagnostics -split-input-file

/// (Z1) Both roles have warps.

gpu.module @kernels {
  gpu.func @z1_no_consumers() kernel {
    // expected-error @below {{expects warps in both roles, but got 0 and 1}}
    tile.warp_specialize consumers 0 {
    } producers 1 {
    }
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @z1_no_producers() kernel {
    // expected-error @below {{expects warps in both roles, but got 4 and 0}}
    tile.warp_specialize consumers 4 {
    } producers 0 {
    }
    gpu.return
  }
}

// -----

/// (Z2) Registers are given for both roles or for none, in the units and bounds of
/// the hardware, of whole warpgroups.

gpu.module @kernels {
  gpu.func @z2_consumers_only() kernel {
    // expected-error @below {{expects registers for both roles or for none, but got them for consumers only}}
    tile.warp_specialize consumers 4 registers 240 {
    } producers 4 {
    }
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @z2_producers_only() kernel {
    // expected-error @below {{expects registers for both roles or for none, but got them for producers only}}
    tile.warp_specialize consumers 4 {
    } producers 4 registers 40 {
    }
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @z2_few() kernel {
    // expected-error @below {{expects a multiple of 8 from 24 to 256 registers, but got 16}}
    tile.warp_specialize consumers 4 registers 240 {
    } producers 4 registers 16 {
    }
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @z2_many() kernel {
    // expected-error @below {{expects a multiple of 8 from 24 to 256 registers, but got 264}}
    tile.warp_specialize consumers 4 registers 264 {
    } producers 4 registers 40 {
    }
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @z2_unit() kernel {
    // expected-error @below {{expects a multiple of 8 from 24 to 256 registers, but got 36}}
    tile.warp_specialize consumers 4 registers 240 {
    } producers 4 registers 36 {
    }
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @z2_warps() kernel {
    // expected-error @below {{expects registers for roles of whole warpgroups, but got 1 warps}}
    tile.warp_specialize consumers 4 registers 240 {
    } producers 1 registers 40 {
    }
    gpu.return
  }
}

// -----

/// (Z3) Nothing follows but the end of the kernel.

gpu.module @kernels {
  gpu.func @z3_barrier() kernel {
    // expected-error @below {{expects to end the kernel, but is followed by 'gpu.barrier'}}
    tile.warp_specialize consumers 4 {
    } producers 1 {
    }
    gpu.barrier
    gpu.return
  }
}

// -----

/// (Z4) There are as many groups as the hardware has barriers for.

gpu.module @kernels {
  gpu.func @z4_no_group() kernel {
    // expected-error @below {{expects 1 to 6 groups of consumers, but got 0}}
    tile.warp_specialize consumers 4 groups 0 {
    } producers 1 {
    }
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @z4_many_groups() kernel {
    // expected-error @below {{expects 1 to 6 groups of consumers, but got 7}}
    tile.warp_specialize consumers 4 groups 7 {
    } producers 1 {
    }
    gpu.return
  }
}

// -----

/// (N1) Consumer warps have groups and turns: neither producer warps nor all warps.

gpu.module @kernels {
  gpu.func @n1_producers() kernel {
    tile.warp_specialize consumers 4 groups 2 {
    } producers 1 {
      // expected-error @below {{expects consumer warps to run it}}
      %group = tile.consumer_group
    }
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @n1_before_roles() kernel {
    // expected-error @below {{expects consumer warps to run it}}
    tile.begin_turn
    tile.warp_specialize consumers 4 groups 2 {
    } producers 1 {
    }
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @n1_no_roles() kernel {
    // expected-error @below {{expects consumer warps to run it}}
    tile.end_turn
    gpu.return
  }
}

// -----

/// (N2) Warpgroups that take turns are several, and whole.

gpu.module @kernels {
  gpu.func @n2_one() kernel {
    tile.warp_specialize consumers 4 {
      // expected-error @below {{expects two or more whole warpgroups in one group, but got 4 warps in each of 1}}
      tile.begin_turn of warpgroups
    } producers 1 {
    }
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @n2_groups() kernel {
    tile.warp_specialize consumers 8 groups 2 {
      // expected-error @below {{expects two or more whole warpgroups in one group, but got 8 warps in each of 2}}
      tile.end_turn of warpgroups
    } producers 1 {
    }
    gpu.return
  }
}

// -----

/// (K1) A channel has a stage.

// expected-error @below {{expects at least one stage, but got 0}}
func.func private @k1_stages(!tile.channel<<64x64xf16>, stages = 0>)

// -----

/// (D1) One index for each dimension of the memory.

func.func @d1_indices(%m: memref<2x64x64xf16>, %i: index, %c: !tile.channel<<64x64xf16>, stages = 2>) {
  // expected-error @below {{expects 3 indices for 'memref<2x64x64xf16>', but got 2}}
  tile.send %m[%i, %i] along [1, 2] to %c at %i : memref<2x64x64xf16> to <<64x64xf16>, stages = 2>
  return
}

// -----

/// (D2) Each dimension of the tile goes along one of the memory.

func.func @d2_number(%m: memref<2x64x64xf16>, %i: index, %c: !tile.channel<<64x64xf16>, stages = 2>) {
  // expected-error @below {{expects along to name 2 dimensions for '!tile.shared<64x64xf16>', but got 1}}
  tile.send %m[%i, %i, %i] along [2] to %c at %i : memref<2x64x64xf16> to <<64x64xf16>, stages = 2>
  return
}

// -----

func.func @d2_twice(%m: memref<2x64x64xf16>, %i: index, %c: !tile.channel<<64x64xf16>, stages = 2>) {
  // expected-error @below {{expects along to name distinct dimensions of source, but got [2, 2]}}
  tile.send %m[%i, %i, %i] along [2, 2] to %c at %i : memref<2x64x64xf16> to <<64x64xf16>, stages = 2>
  return
}

// -----

/// (D3) Tile and memory have the same elements.

func.func @d3_elements(%m: memref<64x64xf32>, %i: index, %c: !tile.channel<<64x64xf16>, stages = 2>) {
  // expected-error @below {{expects the tile and source to have one element type, but got '!tile.shared<64x64xf16>' and 'memref<64x64xf32>'}}
  tile.send %m[%i, %i] along [0, 1] to %c at %i : memref<64x64xf32> to <<64x64xf16>, stages = 2>
  return
}

// -----

/// (D5) The blocks of a tile have equally many rows.

func.func @d5_rows(%m: memref<64x64xf16>, %i: index, %c: !tile.channel<<64x64xf16>, stages = 2>) {
  // expected-error @below {{expects a shared tile whose rows are blocks of equal size, but got 3 of '!tile.shared<64x64xf16>'}}
  tile.send %m[%i, %i, %i, %i] along [0, 1] blocks 3 to %c at %i : memref<64x64xf16> to <<64x64xf16>, stages = 2>
  return
}

// -----

/// (D4) A tensor map brings the tiles of a bulk channel, of no other.

!map = !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>
gpu.module @kernels {
  gpu.func @d4_map(%m: memref<64x64xf16>, %map: !map, %i: index) kernel {
    %c = tile.channel from 1 to 4 : <<64x64xf16>, stages = 2>
    // expected-error @below {{expects a tensor map for bulk channels only, but got one for another}}
    tile.send %m[%i, %i] along [0, 1] by %map to %c at %i : memref<64x64xf16> by !map to <<64x64xf16>, stages = 2>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @d4_no_map(%m: memref<64x64xf16>, %i: index) kernel {
    %c = tile.channel bulk from 1 to 4 : <<64x64xf16>, stages = 2>
    // expected-error @below {{expects a tensor map for bulk channels only, but got none for a bulk one}}
    tile.send %m[%i, %i] along [0, 1] to %c at %i : memref<64x64xf16> to <<64x64xf16>, stages = 2>
    gpu.return
  }
}

// -----

/// (L1) A release is after f32.

gpu.module @kernels {
  gpu.func @l1_after(%c: !tile.channel<<64x64xf16>, stages = 2>, %i: index, %p: !tile.fragment<64x64xf16, #tile.mma<warps = [4, 1]>>) kernel {
    // expected-error @below {{expects to be after f32, but got 'f16'}}
    tile.release %c at %i after %p : <<64x64xf16>, stages = 2>, !tile.fragment<64x64xf16, #tile.mma<warps = [4, 1]>>
    gpu.return
  }
}

// -----

/// (A1) A counter is one i32, and so is what is claimed by it.

func.func @a1_elements(%m: memref<2xi32>) {
  // expected-error @below {{expects a counter of one i32, but got 'memref<2xi32>'}}
  %n = tile.claim %m : memref<2xi32>
  return
}

// -----

func.func @a1_type(%m: memref<1xi64>) {
  // expected-error @below {{expects a counter of one i32, but got 'memref<1xi64>'}}
  %n = tile.claim %m : memref<1xi64>
  return
}

// -----

func.func @a1_dynamic(%m: memref<?xi32>) {
  // expected-error @below {{expects a counter of one i32, but got 'memref<?xi32>'}}
  %n = tile.claim %m : memref<?xi32>
  return
}

// -----

func.func @a1_sent(%m: memref<1xf32>, %c: !tile.channel<<1x1xi32>, stages = 1>, %i: index) {
  // expected-error @below {{expects a counter of one i32, but got 'memref<1xf32>'}}
  tile.send_claim %m to %c at %i : memref<1xf32> to <<1x1xi32>, stages = 1>
  return
}

// -----

func.func @a1_received(%c: !tile.channel<<1x2xi32>, stages = 1>, %i: index) {
  // expected-error @below {{expects a channel of one i32, but got '!tile.channel<<1x2xi32>, stages = 1>'}}
  %n = tile.receive_claim %c at %i : <<1x2xi32>, stages = 1>
  return
}

// -----

/// (A2) One warp sends it to the others.

func.func @a2_type(%m: memref<1xi32>, %c: !tile.channel<<1x1xf32>, stages = 1>, %i: index) {
  // expected-error @below {{expects a channel of one i32 from one warp, but got '!tile.channel<<1x1xf32>, stages = 1>'}}
  tile.send_claim %m to %c at %i : memref<1xi32> to <<1x1xf32>, stages = 1>
  return
}

// -----

gpu.module @kernels {
  gpu.func @a2_senders(%m: memref<1xi32>, %i: index) kernel {
    %c = tile.channel from 4 to 4 : <<1x1xi32>, stages = 1>
    // expected-error @below {{expects a channel of one i32 from one warp, but got '!tile.channel<<1x1xi32>, stages = 1>'}}
    tile.send_claim %m to %c at %i : memref<1xi32> to <<1x1xi32>, stages = 1>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @a2_bulk(%m: memref<1xi32>, %i: index) kernel {
    %c = tile.channel bulk from 1 to 4 : <<1x1xi32>, stages = 1>
    // expected-error @below {{expects a channel of one i32 from one warp, but got '!tile.channel<<1x1xi32>, stages = 1>'}}
    tile.send_claim %m to %c at %i : memref<1xi32> to <<1x1xi32>, stages = 1>
    gpu.return
  }
}

// -----

/// A channel has warps at both ends.

func.func @no_senders() {
  // expected-error @below {{attribute 'senders' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive}}
  %c = tile.channel from 0 to 4 : <<64x64xf16>, stages = 2>
  return
}

// -----

/// What a channel yields is its tile.

func.func @other_tile(%c: !tile.channel<<64x64xf16>, stages = 2>, %i: index) {
  // expected-error @below {{failed to verify that result is a tile of the channel}}
  %t = "tile.receive"(%c, %i) : (!tile.channel<<64x64xf16>, stages = 2>, index) -> !tile.shared<32x64xf16>
  return
}
