// Matmuls, written by make_contractions.py.

#acc = #tile.mma<warps = [2, 2]>

gpu.module @contractions {
  // C = A * B with A M x K and B K x N.
  gpu.func @product_f16_nn(%a: memref<?x72xf16>, %b: memref<?x72xf16>, %c: memref<?x?xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %step = arith.constant 32 : index
    %zero = arith.constant 0.0 : f32
    %depth = memref.dim %a, %c1 : memref<?x72xf16>
    %bi = gpu.block_id x
    %bj = gpu.block_id y
    %i = arith.muli %bi, %c64 : index
    %j = arith.muli %bj, %c64 : index
    %s0 = tile.splat %zero : !tile.fragment<64x64xf32, #acc>
    %s = scf.for %k = %c0 to %depth step %step iter_args(%sum = %s0) -> (!tile.fragment<64x64xf32, #acc>) {
      %x = tile.load %a[%i, %k] along [0, 1] : memref<?x72xf16> -> !tile.shared<64x32xf16>
      %y = tile.load %b[%k, %j] along [0, 1] : memref<?x72xf16> -> !tile.shared<32x64xf16>
      %n = tile.contract %x, %y, %sum : !tile.shared<64x32xf16>, !tile.shared<32x64xf16>, !tile.fragment<64x64xf32, #acc>
      scf.yield %n : !tile.fragment<64x64xf32, #acc>
    }
    tile.store %s, %c[%i, %j] along [0, 1] : !tile.fragment<64x64xf32, #acc>, memref<?x?xf32>
    gpu.return
  }

  // C = A * B with A M x K and B N x K.
  gpu.func @product_f16_nt(%a: memref<?x72xf16>, %b: memref<?x72xf16>, %c: memref<?x?xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %step = arith.constant 32 : index
    %zero = arith.constant 0.0 : f32
    %depth = memref.dim %a, %c1 : memref<?x72xf16>
    %bi = gpu.block_id x
    %bj = gpu.block_id y
    %i = arith.muli %bi, %c64 : index
    %j = arith.muli %bj, %c64 : index
    %s0 = tile.splat %zero : !tile.fragment<64x64xf32, #acc>
    %s = scf.for %k = %c0 to %depth step %step iter_args(%sum = %s0) -> (!tile.fragment<64x64xf32, #acc>) {
      %x = tile.load %a[%i, %k] along [0, 1] : memref<?x72xf16> -> !tile.shared<64x32xf16>
      %y = tile.load %b[%j, %k] along [0, 1] : memref<?x72xf16> -> !tile.shared<64x32xf16>
      %n = tile.contract %x, %y, %sum transpose_rhs : !tile.shared<64x32xf16>, !tile.shared<64x32xf16>, !tile.fragment<64x64xf32, #acc>
      scf.yield %n : !tile.fragment<64x64xf32, #acc>
    }
    tile.store %s, %c[%i, %j] along [0, 1] : !tile.fragment<64x64xf32, #acc>, memref<?x?xf32>
    gpu.return
  }

  // C = A * B with A K x M and B K x N.
  gpu.func @product_f16_tn(%a: memref<?x72xf16>, %b: memref<?x72xf16>, %c: memref<?x?xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %step = arith.constant 32 : index
    %zero = arith.constant 0.0 : f32
    %depth = memref.dim %a, %c0 : memref<?x72xf16>
    %bi = gpu.block_id x
    %bj = gpu.block_id y
    %i = arith.muli %bi, %c64 : index
    %j = arith.muli %bj, %c64 : index
    %s0 = tile.splat %zero : !tile.fragment<64x64xf32, #acc>
    %s = scf.for %k = %c0 to %depth step %step iter_args(%sum = %s0) -> (!tile.fragment<64x64xf32, #acc>) {
      %x = tile.load %a[%k, %i] along [0, 1] : memref<?x72xf16> -> !tile.shared<32x64xf16>
      %y = tile.load %b[%k, %j] along [0, 1] : memref<?x72xf16> -> !tile.shared<32x64xf16>
      %n = tile.contract %x, %y, %sum transpose_lhs : !tile.shared<32x64xf16>, !tile.shared<32x64xf16>, !tile.fragment<64x64xf32, #acc>
      scf.yield %n : !tile.fragment<64x64xf32, #acc>
    }
    tile.store %s, %c[%i, %j] along [0, 1] : !tile.fragment<64x64xf32, #acc>, memref<?x?xf32>
    gpu.return
  }

  // C = A * B with A K x M and B N x K.
  gpu.func @product_f16_tt(%a: memref<?x72xf16>, %b: memref<?x72xf16>, %c: memref<?x?xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %step = arith.constant 32 : index
    %zero = arith.constant 0.0 : f32
    %depth = memref.dim %a, %c0 : memref<?x72xf16>
    %bi = gpu.block_id x
    %bj = gpu.block_id y
    %i = arith.muli %bi, %c64 : index
    %j = arith.muli %bj, %c64 : index
    %s0 = tile.splat %zero : !tile.fragment<64x64xf32, #acc>
    %s = scf.for %k = %c0 to %depth step %step iter_args(%sum = %s0) -> (!tile.fragment<64x64xf32, #acc>) {
      %x = tile.load %a[%k, %i] along [0, 1] : memref<?x72xf16> -> !tile.shared<32x64xf16>
      %y = tile.load %b[%j, %k] along [0, 1] : memref<?x72xf16> -> !tile.shared<64x32xf16>
      %n = tile.contract %x, %y, %sum transpose_lhs transpose_rhs : !tile.shared<32x64xf16>, !tile.shared<64x32xf16>, !tile.fragment<64x64xf32, #acc>
      scf.yield %n : !tile.fragment<64x64xf32, #acc>
    }
    tile.store %s, %c[%i, %j] along [0, 1] : !tile.fragment<64x64xf32, #acc>, memref<?x?xf32>
    gpu.return
  }

  // C = A * B with A M x K and B N x K.
  gpu.func @product_f16_nt_any(%a: memref<?x?xf16>, %b: memref<?x?xf16>, %c: memref<?x?xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %step = arith.constant 32 : index
    %zero = arith.constant 0.0 : f32
    %depth = memref.dim %a, %c1 : memref<?x?xf16>
    %bi = gpu.block_id x
    %bj = gpu.block_id y
    %i = arith.muli %bi, %c64 : index
    %j = arith.muli %bj, %c64 : index
    %s0 = tile.splat %zero : !tile.fragment<64x64xf32, #acc>
    %s = scf.for %k = %c0 to %depth step %step iter_args(%sum = %s0) -> (!tile.fragment<64x64xf32, #acc>) {
      %x = tile.load %a[%i, %k] along [0, 1] : memref<?x?xf16> -> !tile.shared<64x32xf16>
      %y = tile.load %b[%j, %k] along [0, 1] : memref<?x?xf16> -> !tile.shared<64x32xf16>
      %n = tile.contract %x, %y, %sum transpose_rhs : !tile.shared<64x32xf16>, !tile.shared<64x32xf16>, !tile.fragment<64x64xf32, #acc>
      scf.yield %n : !tile.fragment<64x64xf32, #acc>
    }
    tile.store %s, %c[%i, %j] along [0, 1] : !tile.fragment<64x64xf32, #acc>, memref<?x?xf32>
    gpu.return
  }

  // C = A * B with A M x K and B K x N.
  gpu.func @product_bf16_nn(%a: memref<?x72xbf16>, %b: memref<?x72xbf16>, %c: memref<?x?xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %step = arith.constant 32 : index
    %zero = arith.constant 0.0 : f32
    %depth = memref.dim %a, %c1 : memref<?x72xbf16>
    %bi = gpu.block_id x
    %bj = gpu.block_id y
    %i = arith.muli %bi, %c64 : index
    %j = arith.muli %bj, %c64 : index
    %s0 = tile.splat %zero : !tile.fragment<64x64xf32, #acc>
    %s = scf.for %k = %c0 to %depth step %step iter_args(%sum = %s0) -> (!tile.fragment<64x64xf32, #acc>) {
      %x = tile.load %a[%i, %k] along [0, 1] : memref<?x72xbf16> -> !tile.shared<64x32xbf16>
      %y = tile.load %b[%k, %j] along [0, 1] : memref<?x72xbf16> -> !tile.shared<32x64xbf16>
      %n = tile.contract %x, %y, %sum : !tile.shared<64x32xbf16>, !tile.shared<32x64xbf16>, !tile.fragment<64x64xf32, #acc>
      scf.yield %n : !tile.fragment<64x64xf32, #acc>
    }
    tile.store %s, %c[%i, %j] along [0, 1] : !tile.fragment<64x64xf32, #acc>, memref<?x?xf32>
    gpu.return
  }

  // C = A * B with A M x K and B N x K.
  gpu.func @product_bf16_nt(%a: memref<?x72xbf16>, %b: memref<?x72xbf16>, %c: memref<?x?xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %step = arith.constant 32 : index
    %zero = arith.constant 0.0 : f32
    %depth = memref.dim %a, %c1 : memref<?x72xbf16>
    %bi = gpu.block_id x
    %bj = gpu.block_id y
    %i = arith.muli %bi, %c64 : index
    %j = arith.muli %bj, %c64 : index
    %s0 = tile.splat %zero : !tile.fragment<64x64xf32, #acc>
    %s = scf.for %k = %c0 to %depth step %step iter_args(%sum = %s0) -> (!tile.fragment<64x64xf32, #acc>) {
      %x = tile.load %a[%i, %k] along [0, 1] : memref<?x72xbf16> -> !tile.shared<64x32xbf16>
      %y = tile.load %b[%j, %k] along [0, 1] : memref<?x72xbf16> -> !tile.shared<64x32xbf16>
      %n = tile.contract %x, %y, %sum transpose_rhs : !tile.shared<64x32xbf16>, !tile.shared<64x32xbf16>, !tile.fragment<64x64xf32, #acc>
      scf.yield %n : !tile.fragment<64x64xf32, #acc>
    }
    tile.store %s, %c[%i, %j] along [0, 1] : !tile.fragment<64x64xf32, #acc>, memref<?x?xf32>
    gpu.return
  }

  // C = A * B with A K x M and B K x N.
  gpu.func @product_bf16_tn(%a: memref<?x72xbf16>, %b: memref<?x72xbf16>, %c: memref<?x?xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %step = arith.constant 32 : index
    %zero = arith.constant 0.0 : f32
    %depth = memref.dim %a, %c0 : memref<?x72xbf16>
    %bi = gpu.block_id x
    %bj = gpu.block_id y
    %i = arith.muli %bi, %c64 : index
    %j = arith.muli %bj, %c64 : index
    %s0 = tile.splat %zero : !tile.fragment<64x64xf32, #acc>
    %s = scf.for %k = %c0 to %depth step %step iter_args(%sum = %s0) -> (!tile.fragment<64x64xf32, #acc>) {
      %x = tile.load %a[%k, %i] along [0, 1] : memref<?x72xbf16> -> !tile.shared<32x64xbf16>
      %y = tile.load %b[%k, %j] along [0, 1] : memref<?x72xbf16> -> !tile.shared<32x64xbf16>
      %n = tile.contract %x, %y, %sum transpose_lhs : !tile.shared<32x64xbf16>, !tile.shared<32x64xbf16>, !tile.fragment<64x64xf32, #acc>
      scf.yield %n : !tile.fragment<64x64xf32, #acc>
    }
    tile.store %s, %c[%i, %j] along [0, 1] : !tile.fragment<64x64xf32, #acc>, memref<?x?xf32>
    gpu.return
  }

  // C = A * B with A K x M and B N x K.
  gpu.func @product_bf16_tt(%a: memref<?x72xbf16>, %b: memref<?x72xbf16>, %c: memref<?x?xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %step = arith.constant 32 : index
    %zero = arith.constant 0.0 : f32
    %depth = memref.dim %a, %c0 : memref<?x72xbf16>
    %bi = gpu.block_id x
    %bj = gpu.block_id y
    %i = arith.muli %bi, %c64 : index
    %j = arith.muli %bj, %c64 : index
    %s0 = tile.splat %zero : !tile.fragment<64x64xf32, #acc>
    %s = scf.for %k = %c0 to %depth step %step iter_args(%sum = %s0) -> (!tile.fragment<64x64xf32, #acc>) {
      %x = tile.load %a[%k, %i] along [0, 1] : memref<?x72xbf16> -> !tile.shared<32x64xbf16>
      %y = tile.load %b[%j, %k] along [0, 1] : memref<?x72xbf16> -> !tile.shared<64x32xbf16>
      %n = tile.contract %x, %y, %sum transpose_lhs transpose_rhs : !tile.shared<32x64xbf16>, !tile.shared<64x32xbf16>, !tile.fragment<64x64xf32, #acc>
      scf.yield %n : !tile.fragment<64x64xf32, #acc>
    }
    tile.store %s, %c[%i, %j] along [0, 1] : !tile.fragment<64x64xf32, #acc>, memref<?x?xf32>
    gpu.return
  }

  // C = A * B with A M x K and B N x K.
  gpu.func @product_bf16_nt_any(%a: memref<?x?xbf16>, %b: memref<?x?xbf16>, %c: memref<?x?xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %step = arith.constant 32 : index
    %zero = arith.constant 0.0 : f32
    %depth = memref.dim %a, %c1 : memref<?x?xbf16>
    %bi = gpu.block_id x
    %bj = gpu.block_id y
    %i = arith.muli %bi, %c64 : index
    %j = arith.muli %bj, %c64 : index
    %s0 = tile.splat %zero : !tile.fragment<64x64xf32, #acc>
    %s = scf.for %k = %c0 to %depth step %step iter_args(%sum = %s0) -> (!tile.fragment<64x64xf32, #acc>) {
      %x = tile.load %a[%i, %k] along [0, 1] : memref<?x?xbf16> -> !tile.shared<64x32xbf16>
      %y = tile.load %b[%j, %k] along [0, 1] : memref<?x?xbf16> -> !tile.shared<64x32xbf16>
      %n = tile.contract %x, %y, %sum transpose_rhs : !tile.shared<64x32xbf16>, !tile.shared<64x32xbf16>, !tile.fragment<64x64xf32, #acc>
      scf.yield %n : !tile.fragment<64x64xf32, #acc>
    }
    tile.store %s, %c[%i, %j] along [0, 1] : !tile.fragment<64x64xf32, #acc>, memref<?x?xf32>
    gpu.return
  }

  // C = A * B with A M x K and B K x N.
  gpu.func @product_f32_nn(%a: memref<?x72xf32>, %b: memref<?x72xf32>, %c: memref<?x?xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %step = arith.constant 32 : index
    %zero = arith.constant 0.0 : f32
    %depth = memref.dim %a, %c1 : memref<?x72xf32>
    %bi = gpu.block_id x
    %bj = gpu.block_id y
    %i = arith.muli %bi, %c64 : index
    %j = arith.muli %bj, %c64 : index
    %s0 = tile.splat %zero : !tile.fragment<64x64xf32, #acc>
    %s = scf.for %k = %c0 to %depth step %step iter_args(%sum = %s0) -> (!tile.fragment<64x64xf32, #acc>) {
      %x = tile.load %a[%i, %k] along [0, 1] : memref<?x72xf32> -> !tile.shared<64x32xf32>
      %y = tile.load %b[%k, %j] along [0, 1] : memref<?x72xf32> -> !tile.shared<32x64xf32>
      %n = tile.contract %x, %y, %sum : !tile.shared<64x32xf32>, !tile.shared<32x64xf32>, !tile.fragment<64x64xf32, #acc>
      scf.yield %n : !tile.fragment<64x64xf32, #acc>
    }
    tile.store %s, %c[%i, %j] along [0, 1] : !tile.fragment<64x64xf32, #acc>, memref<?x?xf32>
    gpu.return
  }

  // C = A * B with A M x K and B N x K.
  gpu.func @product_f32_nt(%a: memref<?x72xf32>, %b: memref<?x72xf32>, %c: memref<?x?xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %step = arith.constant 32 : index
    %zero = arith.constant 0.0 : f32
    %depth = memref.dim %a, %c1 : memref<?x72xf32>
    %bi = gpu.block_id x
    %bj = gpu.block_id y
    %i = arith.muli %bi, %c64 : index
    %j = arith.muli %bj, %c64 : index
    %s0 = tile.splat %zero : !tile.fragment<64x64xf32, #acc>
    %s = scf.for %k = %c0 to %depth step %step iter_args(%sum = %s0) -> (!tile.fragment<64x64xf32, #acc>) {
      %x = tile.load %a[%i, %k] along [0, 1] : memref<?x72xf32> -> !tile.shared<64x32xf32>
      %y = tile.load %b[%j, %k] along [0, 1] : memref<?x72xf32> -> !tile.shared<64x32xf32>
      %n = tile.contract %x, %y, %sum transpose_rhs : !tile.shared<64x32xf32>, !tile.shared<64x32xf32>, !tile.fragment<64x64xf32, #acc>
      scf.yield %n : !tile.fragment<64x64xf32, #acc>
    }
    tile.store %s, %c[%i, %j] along [0, 1] : !tile.fragment<64x64xf32, #acc>, memref<?x?xf32>
    gpu.return
  }

  // C = A * B with A K x M and B K x N.
  gpu.func @product_f32_tn(%a: memref<?x72xf32>, %b: memref<?x72xf32>, %c: memref<?x?xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %step = arith.constant 32 : index
    %zero = arith.constant 0.0 : f32
    %depth = memref.dim %a, %c0 : memref<?x72xf32>
    %bi = gpu.block_id x
    %bj = gpu.block_id y
    %i = arith.muli %bi, %c64 : index
    %j = arith.muli %bj, %c64 : index
    %s0 = tile.splat %zero : !tile.fragment<64x64xf32, #acc>
    %s = scf.for %k = %c0 to %depth step %step iter_args(%sum = %s0) -> (!tile.fragment<64x64xf32, #acc>) {
      %x = tile.load %a[%k, %i] along [0, 1] : memref<?x72xf32> -> !tile.shared<32x64xf32>
      %y = tile.load %b[%k, %j] along [0, 1] : memref<?x72xf32> -> !tile.shared<32x64xf32>
      %n = tile.contract %x, %y, %sum transpose_lhs : !tile.shared<32x64xf32>, !tile.shared<32x64xf32>, !tile.fragment<64x64xf32, #acc>
      scf.yield %n : !tile.fragment<64x64xf32, #acc>
    }
    tile.store %s, %c[%i, %j] along [0, 1] : !tile.fragment<64x64xf32, #acc>, memref<?x?xf32>
    gpu.return
  }

  // C = A * B with A K x M and B N x K.
  gpu.func @product_f32_tt(%a: memref<?x72xf32>, %b: memref<?x72xf32>, %c: memref<?x?xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %step = arith.constant 32 : index
    %zero = arith.constant 0.0 : f32
    %depth = memref.dim %a, %c0 : memref<?x72xf32>
    %bi = gpu.block_id x
    %bj = gpu.block_id y
    %i = arith.muli %bi, %c64 : index
    %j = arith.muli %bj, %c64 : index
    %s0 = tile.splat %zero : !tile.fragment<64x64xf32, #acc>
    %s = scf.for %k = %c0 to %depth step %step iter_args(%sum = %s0) -> (!tile.fragment<64x64xf32, #acc>) {
      %x = tile.load %a[%k, %i] along [0, 1] : memref<?x72xf32> -> !tile.shared<32x64xf32>
      %y = tile.load %b[%j, %k] along [0, 1] : memref<?x72xf32> -> !tile.shared<64x32xf32>
      %n = tile.contract %x, %y, %sum transpose_lhs transpose_rhs : !tile.shared<32x64xf32>, !tile.shared<64x32xf32>, !tile.fragment<64x64xf32, #acc>
      scf.yield %n : !tile.fragment<64x64xf32, #acc>
    }
    tile.store %s, %c[%i, %j] along [0, 1] : !tile.fragment<64x64xf32, #acc>, memref<?x?xf32>
    gpu.return
  }

  // C = A * B with A M x K and B N x K.
  gpu.func @product_f32_nt_any(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %step = arith.constant 16 : index
    %zero = arith.constant 0.0 : f32
    %depth = memref.dim %a, %c1 : memref<?x?xf32>
    %bi = gpu.block_id x
    %bj = gpu.block_id y
    %i = arith.muli %bi, %c64 : index
    %j = arith.muli %bj, %c64 : index
    %s0 = tile.splat %zero : !tile.fragment<64x64xf32, #acc>
    %s = scf.for %k = %c0 to %depth step %step iter_args(%sum = %s0) -> (!tile.fragment<64x64xf32, #acc>) {
      %x = tile.load %a[%i, %k] along [0, 1] : memref<?x?xf32> -> !tile.shared<64x16xf32>
      %y = tile.load %b[%j, %k] along [0, 1] : memref<?x?xf32> -> !tile.shared<64x16xf32>
      %n = tile.contract %x, %y, %sum transpose_rhs : !tile.shared<64x16xf32>, !tile.shared<64x16xf32>, !tile.fragment<64x64xf32, #acc>
      scf.yield %n : !tile.fragment<64x64xf32, #acc>
    }
    tile.store %s, %c[%i, %j] along [0, 1] : !tile.fragment<64x64xf32, #acc>, memref<?x?xf32>
    gpu.return
  }
}
