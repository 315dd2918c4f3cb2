// RUN: stof-opt %s --pass-pipeline="builtin.module(gpu.module(gpu.func(stof-allocate-shared-memory{capacity=100000})))" -verify-diagnostics -split-input-file

#acc = #tile.mma<warps = [4, 1]>

gpu.module @kernels {
  // expected-error @below {{expects at most 100000 bytes of shared memory, but got 131072}}
  gpu.func @too_much(%x: memref<512x128xf16>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %a = tile.load %x[%c0, %c0] along [0, 1] : memref<512x128xf16> -> !tile.shared<512x128xf16>
    gpu.return
  }
}

// -----

/// Two values that the loop carries would begin in one buffer.

gpu.module @kernels {
  gpu.func @one_place(%x: memref<64x64xf16>, %n: index) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %a = tile.load %x[%c0, %c0] along [0, 1] : memref<64x64xf16> -> !tile.shared<64x64xf16>
    // expected-error @below {{expects each carried shared tile to start in a buffer of its own and to be yielded once, but got '!tile.shared<64x64xf16>'}}
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %a, %t = %a) -> (!tile.shared<64x64xf16>, !tile.shared<64x64xf16>) {
      scf.yield %t, %s : !tile.shared<64x64xf16>, !tile.shared<64x64xf16>
    }
    gpu.return
  }
}

// -----

/// One buffer would be handed on twice.

gpu.module @kernels {
  gpu.func @twice(%x: memref<64x64xf16>, %n: index) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %a = tile.empty : !tile.shared<64x64xf16>
    %b = tile.empty : !tile.shared<64x64xf16>
    // expected-error @below {{expects each carried shared tile to start in a buffer of its own and to be yielded once, but got '!tile.shared<64x64xf16>'}}
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %a, %t = %b) -> (!tile.shared<64x64xf16>, !tile.shared<64x64xf16>) {
      %k = tile.load %x[%i, %c0] along [0, 1] over %t : memref<64x64xf16> -> !tile.shared<64x64xf16>
      scf.yield %k, %t : !tile.shared<64x64xf16>, !tile.shared<64x64xf16>
    }
    gpu.return
  }
}

// -----

/// A buffer of an iteration would be handed on to the next, which makes it anew.

gpu.module @kernels {
  gpu.func @made_inside(%x: memref<64x64xf16>, %n: index) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %a = tile.empty : !tile.shared<64x64xf16>
    // expected-error @below {{expects each carried shared tile to start in a buffer of its own and to be yielded once, but got '!tile.shared<64x64xf16>'}}
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %a) -> (!tile.shared<64x64xf16>) {
      %k = tile.load %x[%i, %c0] along [0, 1] : memref<64x64xf16> -> !tile.shared<64x64xf16>
      scf.yield %k : !tile.shared<64x64xf16>
    }
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @yielded(%x: memref<64x64xf16>, %p: !tile.fragment<64x64xf16, #tile.mma<warps = [4, 1]>>, %n: i1) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    // expected-error @below {{expects each carried shared tile to start in a buffer of its own and to be yielded once, but got '!tile.shared<64x64xf16>'}}
    %r = scf.while : () -> !tile.shared<64x64xf16> {
      %a = tile.load %x[%c0, %c0] along [0, 1] : memref<64x64xf16> -> !tile.shared<64x64xf16>
      scf.condition(%n) %a : !tile.shared<64x64xf16>
    } do {
    ^bb0(%t: !tile.shared<64x64xf16>):
      scf.yield
    }
    gpu.return
  }
}

// -----

/// Nothing says what buffer this tile has.

gpu.module @kernels {
  gpu.func @without_interface(%x: memref<64x64xf16>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    // expected-error @below {{expects an operation that defines a shared tile to implement SharedMemoryOpInterface}}
    %s = builtin.unrealized_conversion_cast %x : memref<64x64xf16> to !tile.shared<64x64xf16>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  // expected-error @below {{expects no shared tile as an argument, but got '!tile.shared<64x64xf16>'}}
  gpu.func @argument(%s: !tile.shared<64x64xf16>) attributes {known_block_size = array<i32: 128, 1, 1>} {
    gpu.return
  }
}
