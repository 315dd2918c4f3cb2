// Functions of each element, written by make_functions.py.

#line = #tile.blocked<elements = [4], lanes = [32], warps = [4]>

gpu.module @functions {
  gpu.func @exp_f32(%x: memref<?xf32>, %r: memref<?xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c512 = arith.constant 512 : index
    %block = gpu.block_id x
    %i = arith.muli %block, %c512 : index
    %tx = tile.load %x[%i] along [0] : memref<?xf32> -> !tile.fragment<512xf32, #line>
    %o = tile.map ins(%tx : !tile.fragment<512xf32, #line>) {
    ^bb0(%c: index, %vx: f32):
      %e = math.exp %vx : f32
      tile.yield %e : f32
    } -> !tile.fragment<512xf32, #line>
    tile.store %o, %r[%i] along [0] : !tile.fragment<512xf32, #line>, memref<?xf32>
    gpu.return
  }

  gpu.func @exp2_f32(%x: memref<?xf32>, %r: memref<?xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c512 = arith.constant 512 : index
    %block = gpu.block_id x
    %i = arith.muli %block, %c512 : index
    %tx = tile.load %x[%i] along [0] : memref<?xf32> -> !tile.fragment<512xf32, #line>
    %o = tile.map ins(%tx : !tile.fragment<512xf32, #line>) {
    ^bb0(%c: index, %vx: f32):
      %e = math.exp2 %vx : f32
      tile.yield %e : f32
    } -> !tile.fragment<512xf32, #line>
    tile.store %o, %r[%i] along [0] : !tile.fragment<512xf32, #line>, memref<?xf32>
    gpu.return
  }

  gpu.func @expm1_f32(%x: memref<?xf32>, %r: memref<?xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c512 = arith.constant 512 : index
    %block = gpu.block_id x
    %i = arith.muli %block, %c512 : index
    %tx = tile.load %x[%i] along [0] : memref<?xf32> -> !tile.fragment<512xf32, #line>
    %o = tile.map ins(%tx : !tile.fragment<512xf32, #line>) {
    ^bb0(%c: index, %vx: f32):
      %e = math.expm1 %vx : f32
      tile.yield %e : f32
    } -> !tile.fragment<512xf32, #line>
    tile.store %o, %r[%i] along [0] : !tile.fragment<512xf32, #line>, memref<?xf32>
    gpu.return
  }

  gpu.func @log_f32(%x: memref<?xf32>, %r: memref<?xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c512 = arith.constant 512 : index
    %block = gpu.block_id x
    %i = arith.muli %block, %c512 : index
    %tx = tile.load %x[%i] along [0] : memref<?xf32> -> !tile.fragment<512xf32, #line>
    %o = tile.map ins(%tx : !tile.fragment<512xf32, #line>) {
    ^bb0(%c: index, %vx: f32):
      %e = math.log %vx : f32
      tile.yield %e : f32
    } -> !tile.fragment<512xf32, #line>
    tile.store %o, %r[%i] along [0] : !tile.fragment<512xf32, #line>, memref<?xf32>
    gpu.return
  }

  gpu.func @log2_f32(%x: memref<?xf32>, %r: memref<?xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c512 = arith.constant 512 : index
    %block = gpu.block_id x
    %i = arith.muli %block, %c512 : index
    %tx = tile.load %x[%i] along [0] : memref<?xf32> -> !tile.fragment<512xf32, #line>
    %o = tile.map ins(%tx : !tile.fragment<512xf32, #line>) {
    ^bb0(%c: index, %vx: f32):
      %e = math.log2 %vx : f32
      tile.yield %e : f32
    } -> !tile.fragment<512xf32, #line>
    tile.store %o, %r[%i] along [0] : !tile.fragment<512xf32, #line>, memref<?xf32>
    gpu.return
  }

  gpu.func @log10_f32(%x: memref<?xf32>, %r: memref<?xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c512 = arith.constant 512 : index
    %block = gpu.block_id x
    %i = arith.muli %block, %c512 : index
    %tx = tile.load %x[%i] along [0] : memref<?xf32> -> !tile.fragment<512xf32, #line>
    %o = tile.map ins(%tx : !tile.fragment<512xf32, #line>) {
    ^bb0(%c: index, %vx: f32):
      %e = math.log10 %vx : f32
      tile.yield %e : f32
    } -> !tile.fragment<512xf32, #line>
    tile.store %o, %r[%i] along [0] : !tile.fragment<512xf32, #line>, memref<?xf32>
    gpu.return
  }

  gpu.func @log1p_f32(%x: memref<?xf32>, %r: memref<?xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c512 = arith.constant 512 : index
    %block = gpu.block_id x
    %i = arith.muli %block, %c512 : index
    %tx = tile.load %x[%i] along [0] : memref<?xf32> -> !tile.fragment<512xf32, #line>
    %o = tile.map ins(%tx : !tile.fragment<512xf32, #line>) {
    ^bb0(%c: index, %vx: f32):
      %e = math.log1p %vx : f32
      tile.yield %e : f32
    } -> !tile.fragment<512xf32, #line>
    tile.store %o, %r[%i] along [0] : !tile.fragment<512xf32, #line>, memref<?xf32>
    gpu.return
  }

  gpu.func @sqrt_f32(%x: memref<?xf32>, %r: memref<?xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c512 = arith.constant 512 : index
    %block = gpu.block_id x
    %i = arith.muli %block, %c512 : index
    %tx = tile.load %x[%i] along [0] : memref<?xf32> -> !tile.fragment<512xf32, #line>
    %o = tile.map ins(%tx : !tile.fragment<512xf32, #line>) {
    ^bb0(%c: index, %vx: f32):
      %e = math.sqrt %vx : f32
      tile.yield %e : f32
    } -> !tile.fragment<512xf32, #line>
    tile.store %o, %r[%i] along [0] : !tile.fragment<512xf32, #line>, memref<?xf32>
    gpu.return
  }

  gpu.func @rsqrt_f32(%x: memref<?xf32>, %r: memref<?xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c512 = arith.constant 512 : index
    %block = gpu.block_id x
    %i = arith.muli %block, %c512 : index
    %tx = tile.load %x[%i] along [0] : memref<?xf32> -> !tile.fragment<512xf32, #line>
    %o = tile.map ins(%tx : !tile.fragment<512xf32, #line>) {
    ^bb0(%c: index, %vx: f32):
      %e = math.rsqrt %vx : f32
      tile.yield %e : f32
    } -> !tile.fragment<512xf32, #line>
    tile.store %o, %r[%i] along [0] : !tile.fragment<512xf32, #line>, memref<?xf32>
    gpu.return
  }

  gpu.func @tanh_f32(%x: memref<?xf32>, %r: memref<?xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c512 = arith.constant 512 : index
    %block = gpu.block_id x
    %i = arith.muli %block, %c512 : index
    %tx = tile.load %x[%i] along [0] : memref<?xf32> -> !tile.fragment<512xf32, #line>
    %o = tile.map ins(%tx : !tile.fragment<512xf32, #line>) {
    ^bb0(%c: index, %vx: f32):
      %e = math.tanh %vx : f32
      tile.yield %e : f32
    } -> !tile.fragment<512xf32, #line>
    tile.store %o, %r[%i] along [0] : !tile.fragment<512xf32, #line>, memref<?xf32>
    gpu.return
  }

  gpu.func @erf_f32(%x: memref<?xf32>, %r: memref<?xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c512 = arith.constant 512 : index
    %block = gpu.block_id x
    %i = arith.muli %block, %c512 : index
    %tx = tile.load %x[%i] along [0] : memref<?xf32> -> !tile.fragment<512xf32, #line>
    %o = tile.map ins(%tx : !tile.fragment<512xf32, #line>) {
    ^bb0(%c: index, %vx: f32):
      %e = math.erf %vx : f32
      tile.yield %e : f32
    } -> !tile.fragment<512xf32, #line>
    tile.store %o, %r[%i] along [0] : !tile.fragment<512xf32, #line>, memref<?xf32>
    gpu.return
  }

  gpu.func @erfc_f32(%x: memref<?xf32>, %r: memref<?xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c512 = arith.constant 512 : index
    %block = gpu.block_id x
    %i = arith.muli %block, %c512 : index
    %tx = tile.load %x[%i] along [0] : memref<?xf32> -> !tile.fragment<512xf32, #line>
    %o = tile.map ins(%tx : !tile.fragment<512xf32, #line>) {
    ^bb0(%c: index, %vx: f32):
      %e = math.erfc %vx : f32
      tile.yield %e : f32
    } -> !tile.fragment<512xf32, #line>
    tile.store %o, %r[%i] along [0] : !tile.fragment<512xf32, #line>, memref<?xf32>
    gpu.return
  }

  gpu.func @sin_f32(%x: memref<?xf32>, %r: memref<?xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c512 = arith.constant 512 : index
    %block = gpu.block_id x
    %i = arith.muli %block, %c512 : index
    %tx = tile.load %x[%i] along [0] : memref<?xf32> -> !tile.fragment<512xf32, #line>
    %o = tile.map ins(%tx : !tile.fragment<512xf32, #line>) {
    ^bb0(%c: index, %vx: f32):
      %e = math.sin %vx : f32
      tile.yield %e : f32
    } -> !tile.fragment<512xf32, #line>
    tile.store %o, %r[%i] along [0] : !tile.fragment<512xf32, #line>, memref<?xf32>
    gpu.return
  }

  gpu.func @cos_f32(%x: memref<?xf32>, %r: memref<?xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c512 = arith.constant 512 : index
    %block = gpu.block_id x
    %i = arith.muli %block, %c512 : index
    %tx = tile.load %x[%i] along [0] : memref<?xf32> -> !tile.fragment<512xf32, #line>
    %o = tile.map ins(%tx : !tile.fragment<512xf32, #line>) {
    ^bb0(%c: index, %vx: f32):
      %e = math.cos %vx : f32
      tile.yield %e : f32
    } -> !tile.fragment<512xf32, #line>
    tile.store %o, %r[%i] along [0] : !tile.fragment<512xf32, #line>, memref<?xf32>
    gpu.return
  }

  gpu.func @tan_f32(%x: memref<?xf32>, %r: memref<?xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c512 = arith.constant 512 : index
    %block = gpu.block_id x
    %i = arith.muli %block, %c512 : index
    %tx = tile.load %x[%i] along [0] : memref<?xf32> -> !tile.fragment<512xf32, #line>
    %o = tile.map ins(%tx : !tile.fragment<512xf32, #line>) {
    ^bb0(%c: index, %vx: f32):
      %e = math.tan %vx : f32
      tile.yield %e : f32
    } -> !tile.fragment<512xf32, #line>
    tile.store %o, %r[%i] along [0] : !tile.fragment<512xf32, #line>, memref<?xf32>
    gpu.return
  }

  gpu.func @sinh_f32(%x: memref<?xf32>, %r: memref<?xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c512 = arith.constant 512 : index
    %block = gpu.block_id x
    %i = arith.muli %block, %c512 : index
    %tx = tile.load %x[%i] along [0] : memref<?xf32> -> !tile.fragment<512xf32, #line>
    %o = tile.map ins(%tx : !tile.fragment<512xf32, #line>) {
    ^bb0(%c: index, %vx: f32):
      %e = math.sinh %vx : f32
      tile.yield %e : f32
    } -> !tile.fragment<512xf32, #line>
    tile.store %o, %r[%i] along [0] : !tile.fragment<512xf32, #line>, memref<?xf32>
    gpu.return
  }

  gpu.func @cosh_f32(%x: memref<?xf32>, %r: memref<?xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c512 = arith.constant 512 : index
    %block = gpu.block_id x
    %i = arith.muli %block, %c512 : index
    %tx = tile.load %x[%i] along [0] : memref<?xf32> -> !tile.fragment<512xf32, #line>
    %o = tile.map ins(%tx : !tile.fragment<512xf32, #line>) {
    ^bb0(%c: index, %vx: f32):
      %e = math.cosh %vx : f32
      tile.yield %e : f32
    } -> !tile.fragment<512xf32, #line>
    tile.store %o, %r[%i] along [0] : !tile.fragment<512xf32, #line>, memref<?xf32>
    gpu.return
  }

  gpu.func @asinh_f32(%x: memref<?xf32>, %r: memref<?xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c512 = arith.constant 512 : index
    %block = gpu.block_id x
    %i = arith.muli %block, %c512 : index
    %tx = tile.load %x[%i] along [0] : memref<?xf32> -> !tile.fragment<512xf32, #line>
    %o = tile.map ins(%tx : !tile.fragment<512xf32, #line>) {
    ^bb0(%c: index, %vx: f32):
      %e = math.asinh %vx : f32
      tile.yield %e : f32
    } -> !tile.fragment<512xf32, #line>
    tile.store %o, %r[%i] along [0] : !tile.fragment<512xf32, #line>, memref<?xf32>
    gpu.return
  }

  gpu.func @acosh_f32(%x: memref<?xf32>, %r: memref<?xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c512 = arith.constant 512 : index
    %block = gpu.block_id x
    %i = arith.muli %block, %c512 : index
    %tx = tile.load %x[%i] along [0] : memref<?xf32> -> !tile.fragment<512xf32, #line>
    %o = tile.map ins(%tx : !tile.fragment<512xf32, #line>) {
    ^bb0(%c: index, %vx: f32):
      %e = math.acosh %vx : f32
      tile.yield %e : f32
    } -> !tile.fragment<512xf32, #line>
    tile.store %o, %r[%i] along [0] : !tile.fragment<512xf32, #line>, memref<?xf32>
    gpu.return
  }

  gpu.func @atanh_f32(%x: memref<?xf32>, %r: memref<?xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c512 = arith.constant 512 : index
    %block = gpu.block_id x
    %i = arith.muli %block, %c512 : index
    %tx = tile.load %x[%i] along [0] : memref<?xf32> -> !tile.fragment<512xf32, #line>
    %o = tile.map ins(%tx : !tile.fragment<512xf32, #line>) {
    ^bb0(%c: index, %vx: f32):
      %e = math.atanh %vx : f32
      tile.yield %e : f32
    } -> !tile.fragment<512xf32, #line>
    tile.store %o, %r[%i] along [0] : !tile.fragment<512xf32, #line>, memref<?xf32>
    gpu.return
  }

  gpu.func @atan_f32(%x: memref<?xf32>, %r: memref<?xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c512 = arith.constant 512 : index
    %block = gpu.block_id x
    %i = arith.muli %block, %c512 : index
    %tx = tile.load %x[%i] along [0] : memref<?xf32> -> !tile.fragment<512xf32, #line>
    %o = tile.map ins(%tx : !tile.fragment<512xf32, #line>) {
    ^bb0(%c: index, %vx: f32):
      %e = math.atan %vx : f32
      tile.yield %e : f32
    } -> !tile.fragment<512xf32, #line>
    tile.store %o, %r[%i] along [0] : !tile.fragment<512xf32, #line>, memref<?xf32>
    gpu.return
  }

  gpu.func @asin_f32(%x: memref<?xf32>, %r: memref<?xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c512 = arith.constant 512 : index
    %block = gpu.block_id x
    %i = arith.muli %block, %c512 : index
    %tx = tile.load %x[%i] along [0] : memref<?xf32> -> !tile.fragment<512xf32, #line>
    %o = tile.map ins(%tx : !tile.fragment<512xf32, #line>) {
    ^bb0(%c: index, %vx: f32):
      %e = math.asin %vx : f32
      tile.yield %e : f32
    } -> !tile.fragment<512xf32, #line>
    tile.store %o, %r[%i] along [0] : !tile.fragment<512xf32, #line>, memref<?xf32>
    gpu.return
  }

  gpu.func @acos_f32(%x: memref<?xf32>, %r: memref<?xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c512 = arith.constant 512 : index
    %block = gpu.block_id x
    %i = arith.muli %block, %c512 : index
    %tx = tile.load %x[%i] along [0] : memref<?xf32> -> !tile.fragment<512xf32, #line>
    %o = tile.map ins(%tx : !tile.fragment<512xf32, #line>) {
    ^bb0(%c: index, %vx: f32):
      %e = math.acos %vx : f32
      tile.yield %e : f32
    } -> !tile.fragment<512xf32, #line>
    tile.store %o, %r[%i] along [0] : !tile.fragment<512xf32, #line>, memref<?xf32>
    gpu.return
  }

  gpu.func @cbrt_f32(%x: memref<?xf32>, %r: memref<?xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c512 = arith.constant 512 : index
    %block = gpu.block_id x
    %i = arith.muli %block, %c512 : index
    %tx = tile.load %x[%i] along [0] : memref<?xf32> -> !tile.fragment<512xf32, #line>
    %o = tile.map ins(%tx : !tile.fragment<512xf32, #line>) {
    ^bb0(%c: index, %vx: f32):
      %e = math.cbrt %vx : f32
      tile.yield %e : f32
    } -> !tile.fragment<512xf32, #line>
    tile.store %o, %r[%i] along [0] : !tile.fragment<512xf32, #line>, memref<?xf32>
    gpu.return
  }

  gpu.func @floor_f32(%x: memref<?xf32>, %r: memref<?xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c512 = arith.constant 512 : index
    %block = gpu.block_id x
    %i = arith.muli %block, %c512 : index
    %tx = tile.load %x[%i] along [0] : memref<?xf32> -> !tile.fragment<512xf32, #line>
    %o = tile.map ins(%tx : !tile.fragment<512xf32, #line>) {
    ^bb0(%c: index, %vx: f32):
      %e = math.floor %vx : f32
      tile.yield %e : f32
    } -> !tile.fragment<512xf32, #line>
    tile.store %o, %r[%i] along [0] : !tile.fragment<512xf32, #line>, memref<?xf32>
    gpu.return
  }

  gpu.func @ceil_f32(%x: memref<?xf32>, %r: memref<?xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c512 = arith.constant 512 : index
    %block = gpu.block_id x
    %i = arith.muli %block, %c512 : index
    %tx = tile.load %x[%i] along [0] : memref<?xf32> -> !tile.fragment<512xf32, #line>
    %o = tile.map ins(%tx : !tile.fragment<512xf32, #line>) {
    ^bb0(%c: index, %vx: f32):
      %e = math.ceil %vx : f32
      tile.yield %e : f32
    } -> !tile.fragment<512xf32, #line>
    tile.store %o, %r[%i] along [0] : !tile.fragment<512xf32, #line>, memref<?xf32>
    gpu.return
  }

  gpu.func @round_f32(%x: memref<?xf32>, %r: memref<?xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c512 = arith.constant 512 : index
    %block = gpu.block_id x
    %i = arith.muli %block, %c512 : index
    %tx = tile.load %x[%i] along [0] : memref<?xf32> -> !tile.fragment<512xf32, #line>
    %o = tile.map ins(%tx : !tile.fragment<512xf32, #line>) {
    ^bb0(%c: index, %vx: f32):
      %e = math.round %vx : f32
      tile.yield %e : f32
    } -> !tile.fragment<512xf32, #line>
    tile.store %o, %r[%i] along [0] : !tile.fragment<512xf32, #line>, memref<?xf32>
    gpu.return
  }

  gpu.func @roundeven_f32(%x: memref<?xf32>, %r: memref<?xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c512 = arith.constant 512 : index
    %block = gpu.block_id x
    %i = arith.muli %block, %c512 : index
    %tx = tile.load %x[%i] along [0] : memref<?xf32> -> !tile.fragment<512xf32, #line>
    %o = tile.map ins(%tx : !tile.fragment<512xf32, #line>) {
    ^bb0(%c: index, %vx: f32):
      %e = math.roundeven %vx : f32
      tile.yield %e : f32
    } -> !tile.fragment<512xf32, #line>
    tile.store %o, %r[%i] along [0] : !tile.fragment<512xf32, #line>, memref<?xf32>
    gpu.return
  }

  gpu.func @trunc_f32(%x: memref<?xf32>, %r: memref<?xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c512 = arith.constant 512 : index
    %block = gpu.block_id x
    %i = arith.muli %block, %c512 : index
    %tx = tile.load %x[%i] along [0] : memref<?xf32> -> !tile.fragment<512xf32, #line>
    %o = tile.map ins(%tx : !tile.fragment<512xf32, #line>) {
    ^bb0(%c: index, %vx: f32):
      %e = math.trunc %vx : f32
      tile.yield %e : f32
    } -> !tile.fragment<512xf32, #line>
    tile.store %o, %r[%i] along [0] : !tile.fragment<512xf32, #line>, memref<?xf32>
    gpu.return
  }

  gpu.func @absf_f32(%x: memref<?xf32>, %r: memref<?xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c512 = arith.constant 512 : index
    %block = gpu.block_id x
    %i = arith.muli %block, %c512 : index
    %tx = tile.load %x[%i] along [0] : memref<?xf32> -> !tile.fragment<512xf32, #line>
    %o = tile.map ins(%tx : !tile.fragment<512xf32, #line>) {
    ^bb0(%c: index, %vx: f32):
      %e = math.absf %vx : f32
      tile.yield %e : f32
    } -> !tile.fragment<512xf32, #line>
    tile.store %o, %r[%i] along [0] : !tile.fragment<512xf32, #line>, memref<?xf32>
    gpu.return
  }

  gpu.func @exp_f16(%x: memref<?xf16>, %r: memref<?xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c512 = arith.constant 512 : index
    %block = gpu.block_id x
    %i = arith.muli %block, %c512 : index
    %tx = tile.load %x[%i] along [0] : memref<?xf16> -> !tile.fragment<512xf16, #line>
    %o = tile.map ins(%tx : !tile.fragment<512xf16, #line>) {
    ^bb0(%c: index, %vx: f16):
      %e = math.exp %vx : f16
      tile.yield %e : f16
    } -> !tile.fragment<512xf16, #line>
    tile.store %o, %r[%i] along [0] : !tile.fragment<512xf16, #line>, memref<?xf16>
    gpu.return
  }

  gpu.func @tanh_f16(%x: memref<?xf16>, %r: memref<?xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c512 = arith.constant 512 : index
    %block = gpu.block_id x
    %i = arith.muli %block, %c512 : index
    %tx = tile.load %x[%i] along [0] : memref<?xf16> -> !tile.fragment<512xf16, #line>
    %o = tile.map ins(%tx : !tile.fragment<512xf16, #line>) {
    ^bb0(%c: index, %vx: f16):
      %e = math.tanh %vx : f16
      tile.yield %e : f16
    } -> !tile.fragment<512xf16, #line>
    tile.store %o, %r[%i] along [0] : !tile.fragment<512xf16, #line>, memref<?xf16>
    gpu.return
  }

  gpu.func @rsqrt_f16(%x: memref<?xf16>, %r: memref<?xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c512 = arith.constant 512 : index
    %block = gpu.block_id x
    %i = arith.muli %block, %c512 : index
    %tx = tile.load %x[%i] along [0] : memref<?xf16> -> !tile.fragment<512xf16, #line>
    %o = tile.map ins(%tx : !tile.fragment<512xf16, #line>) {
    ^bb0(%c: index, %vx: f16):
      %e = math.rsqrt %vx : f16
      tile.yield %e : f16
    } -> !tile.fragment<512xf16, #line>
    tile.store %o, %r[%i] along [0] : !tile.fragment<512xf16, #line>, memref<?xf16>
    gpu.return
  }

  gpu.func @erf_f16(%x: memref<?xf16>, %r: memref<?xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c512 = arith.constant 512 : index
    %block = gpu.block_id x
    %i = arith.muli %block, %c512 : index
    %tx = tile.load %x[%i] along [0] : memref<?xf16> -> !tile.fragment<512xf16, #line>
    %o = tile.map ins(%tx : !tile.fragment<512xf16, #line>) {
    ^bb0(%c: index, %vx: f16):
      %e = math.erf %vx : f16
      tile.yield %e : f16
    } -> !tile.fragment<512xf16, #line>
    tile.store %o, %r[%i] along [0] : !tile.fragment<512xf16, #line>, memref<?xf16>
    gpu.return
  }

  gpu.func @exp2_bf16(%x: memref<?xbf16>, %r: memref<?xbf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c512 = arith.constant 512 : index
    %block = gpu.block_id x
    %i = arith.muli %block, %c512 : index
    %tx = tile.load %x[%i] along [0] : memref<?xbf16> -> !tile.fragment<512xbf16, #line>
    %o = tile.map ins(%tx : !tile.fragment<512xbf16, #line>) {
    ^bb0(%c: index, %vx: bf16):
      %e = math.exp2 %vx : bf16
      tile.yield %e : bf16
    } -> !tile.fragment<512xbf16, #line>
    tile.store %o, %r[%i] along [0] : !tile.fragment<512xbf16, #line>, memref<?xbf16>
    gpu.return
  }

  gpu.func @sqrt_f64(%x: memref<?xf64>, %r: memref<?xf64>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c512 = arith.constant 512 : index
    %block = gpu.block_id x
    %i = arith.muli %block, %c512 : index
    %tx = tile.load %x[%i] along [0] : memref<?xf64> -> !tile.fragment<512xf64, #line>
    %o = tile.map ins(%tx : !tile.fragment<512xf64, #line>) {
    ^bb0(%c: index, %vx: f64):
      %e = math.sqrt %vx : f64
      tile.yield %e : f64
    } -> !tile.fragment<512xf64, #line>
    tile.store %o, %r[%i] along [0] : !tile.fragment<512xf64, #line>, memref<?xf64>
    gpu.return
  }

  gpu.func @powf_f32(%x: memref<?xf32>, %y: memref<?xf32>, %r: memref<?xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c512 = arith.constant 512 : index
    %block = gpu.block_id x
    %i = arith.muli %block, %c512 : index
    %tx = tile.load %x[%i] along [0] : memref<?xf32> -> !tile.fragment<512xf32, #line>
    %ty = tile.load %y[%i] along [0] : memref<?xf32> -> !tile.fragment<512xf32, #line>
    %o = tile.map ins(%tx, %ty : !tile.fragment<512xf32, #line>, !tile.fragment<512xf32, #line>) {
    ^bb0(%c: index, %vx: f32, %vy: f32):
      %e = math.powf %vx, %vy : f32
      tile.yield %e : f32
    } -> !tile.fragment<512xf32, #line>
    tile.store %o, %r[%i] along [0] : !tile.fragment<512xf32, #line>, memref<?xf32>
    gpu.return
  }

  gpu.func @atan2_f32(%x: memref<?xf32>, %y: memref<?xf32>, %r: memref<?xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c512 = arith.constant 512 : index
    %block = gpu.block_id x
    %i = arith.muli %block, %c512 : index
    %tx = tile.load %x[%i] along [0] : memref<?xf32> -> !tile.fragment<512xf32, #line>
    %ty = tile.load %y[%i] along [0] : memref<?xf32> -> !tile.fragment<512xf32, #line>
    %o = tile.map ins(%tx, %ty : !tile.fragment<512xf32, #line>, !tile.fragment<512xf32, #line>) {
    ^bb0(%c: index, %vx: f32, %vy: f32):
      %e = math.atan2 %vx, %vy : f32
      tile.yield %e : f32
    } -> !tile.fragment<512xf32, #line>
    tile.store %o, %r[%i] along [0] : !tile.fragment<512xf32, #line>, memref<?xf32>
    gpu.return
  }

  gpu.func @copysign_f32(%x: memref<?xf32>, %y: memref<?xf32>, %r: memref<?xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c512 = arith.constant 512 : index
    %block = gpu.block_id x
    %i = arith.muli %block, %c512 : index
    %tx = tile.load %x[%i] along [0] : memref<?xf32> -> !tile.fragment<512xf32, #line>
    %ty = tile.load %y[%i] along [0] : memref<?xf32> -> !tile.fragment<512xf32, #line>
    %o = tile.map ins(%tx, %ty : !tile.fragment<512xf32, #line>, !tile.fragment<512xf32, #line>) {
    ^bb0(%c: index, %vx: f32, %vy: f32):
      %e = math.copysign %vx, %vy : f32
      tile.yield %e : f32
    } -> !tile.fragment<512xf32, #line>
    tile.store %o, %r[%i] along [0] : !tile.fragment<512xf32, #line>, memref<?xf32>
    gpu.return
  }

  gpu.func @fpowi_f32(%x: memref<?xf32>, %y: memref<?xi32>, %r: memref<?xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c512 = arith.constant 512 : index
    %block = gpu.block_id x
    %i = arith.muli %block, %c512 : index
    %tx = tile.load %x[%i] along [0] : memref<?xf32> -> !tile.fragment<512xf32, #line>
    %ty = tile.load %y[%i] along [0] : memref<?xi32> -> !tile.fragment<512xi32, #line>
    %o = tile.map ins(%tx, %ty : !tile.fragment<512xf32, #line>, !tile.fragment<512xi32, #line>) {
    ^bb0(%c: index, %vx: f32, %vy: i32):
      %e = math.fpowi %vx, %vy : f32, i32
      tile.yield %e : f32
    } -> !tile.fragment<512xf32, #line>
    tile.store %o, %r[%i] along [0] : !tile.fragment<512xf32, #line>, memref<?xf32>
    gpu.return
  }

  gpu.func @remf_f32(%x: memref<?xf32>, %y: memref<?xf32>, %r: memref<?xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c512 = arith.constant 512 : index
    %block = gpu.block_id x
    %i = arith.muli %block, %c512 : index
    %tx = tile.load %x[%i] along [0] : memref<?xf32> -> !tile.fragment<512xf32, #line>
    %ty = tile.load %y[%i] along [0] : memref<?xf32> -> !tile.fragment<512xf32, #line>
    %o = tile.map ins(%tx, %ty : !tile.fragment<512xf32, #line>, !tile.fragment<512xf32, #line>) {
    ^bb0(%c: index, %vx: f32, %vy: f32):
      %e = arith.remf %vx, %vy : f32
      tile.yield %e : f32
    } -> !tile.fragment<512xf32, #line>
    tile.store %o, %r[%i] along [0] : !tile.fragment<512xf32, #line>, memref<?xf32>
    gpu.return
  }

  gpu.func @remf_f16(%x: memref<?xf16>, %y: memref<?xf16>, %r: memref<?xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c512 = arith.constant 512 : index
    %block = gpu.block_id x
    %i = arith.muli %block, %c512 : index
    %tx = tile.load %x[%i] along [0] : memref<?xf16> -> !tile.fragment<512xf16, #line>
    %ty = tile.load %y[%i] along [0] : memref<?xf16> -> !tile.fragment<512xf16, #line>
    %o = tile.map ins(%tx, %ty : !tile.fragment<512xf16, #line>, !tile.fragment<512xf16, #line>) {
    ^bb0(%c: index, %vx: f16, %vy: f16):
      %e = arith.remf %vx, %vy : f16
      tile.yield %e : f16
    } -> !tile.fragment<512xf16, #line>
    tile.store %o, %r[%i] along [0] : !tile.fragment<512xf16, #line>, memref<?xf16>
    gpu.return
  }

  gpu.func @remf_bf16(%x: memref<?xbf16>, %y: memref<?xbf16>, %r: memref<?xbf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c512 = arith.constant 512 : index
    %block = gpu.block_id x
    %i = arith.muli %block, %c512 : index
    %tx = tile.load %x[%i] along [0] : memref<?xbf16> -> !tile.fragment<512xbf16, #line>
    %ty = tile.load %y[%i] along [0] : memref<?xbf16> -> !tile.fragment<512xbf16, #line>
    %o = tile.map ins(%tx, %ty : !tile.fragment<512xbf16, #line>, !tile.fragment<512xbf16, #line>) {
    ^bb0(%c: index, %vx: bf16, %vy: bf16):
      %e = arith.remf %vx, %vy : bf16
      tile.yield %e : bf16
    } -> !tile.fragment<512xbf16, #line>
    tile.store %o, %r[%i] along [0] : !tile.fragment<512xbf16, #line>, memref<?xbf16>
    gpu.return
  }
}
