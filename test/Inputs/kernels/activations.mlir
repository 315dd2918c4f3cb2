// Functions of an f32, such as an accumulator, whose results are rounded to 16 bits.

#line = #tile.blocked<elements = [4], lanes = [32], warps = [4]>

gpu.module @activations {
  gpu.func @gelu_erf_f16(%x: memref<?xf32>, %r: memref<?xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c512 = arith.constant 512 : index
    %root = arith.constant 0.707106781 : f32
    %half = arith.constant 0.5 : f32
    %one = arith.constant 1.0 : f32
    %block = gpu.block_id x
    %i = arith.muli %block, %c512 : index
    %t = tile.load %x[%i] along [0] : memref<?xf32> -> !tile.fragment<512xf32, #line>
    %o = tile.map ins(%t : !tile.fragment<512xf32, #line>) {
    ^bb0(%c: index, %v: f32):
      %u = arith.mulf %v, %root : f32
      %e = math.erf %u : f32
      %s = arith.addf %e, %one : f32
      %h = arith.mulf %v, %half : f32
      %g = arith.mulf %h, %s : f32
      %y = arith.truncf %g : f32 to f16
      tile.yield %y : f16
    } -> !tile.fragment<512xf16, #line>
    tile.store %o, %r[%i] along [0] : !tile.fragment<512xf16, #line>, memref<?xf16>
    gpu.return
  }

  gpu.func @gelu_erf_bf16(%x: memref<?xf32>, %r: memref<?xbf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c512 = arith.constant 512 : index
    %root = arith.constant 0.707106781 : f32
    %half = arith.constant 0.5 : f32
    %one = arith.constant 1.0 : f32
    %block = gpu.block_id x
    %i = arith.muli %block, %c512 : index
    %t = tile.load %x[%i] along [0] : memref<?xf32> -> !tile.fragment<512xf32, #line>
    %o = tile.map ins(%t : !tile.fragment<512xf32, #line>) {
    ^bb0(%c: index, %v: f32):
      %u = arith.mulf %v, %root : f32
      %e = math.erf %u : f32
      %s = arith.addf %e, %one : f32
      %h = arith.mulf %v, %half : f32
      %g = arith.mulf %h, %s : f32
      %y = arith.truncf %g : f32 to bf16
      tile.yield %y : bf16
    } -> !tile.fragment<512xbf16, #line>
    tile.store %o, %r[%i] along [0] : !tile.fragment<512xbf16, #line>, memref<?xbf16>
    gpu.return
  }

  gpu.func @gelu_tanh_f16(%x: memref<?xf32>, %r: memref<?xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c512 = arith.constant 512 : index
    %third = arith.constant 0.044715 : f32
    %slope = arith.constant 0.797884561 : f32
    %half = arith.constant 0.5 : f32
    %one = arith.constant 1.0 : f32
    %block = gpu.block_id x
    %i = arith.muli %block, %c512 : index
    %t = tile.load %x[%i] along [0] : memref<?xf32> -> !tile.fragment<512xf32, #line>
    %o = tile.map ins(%t : !tile.fragment<512xf32, #line>) {
    ^bb0(%c: index, %v: f32):
      %square = arith.mulf %v, %v : f32
      %cube = arith.mulf %square, %v : f32
      %scaled = arith.mulf %cube, %third : f32
      %sum = arith.addf %v, %scaled : f32
      %u = arith.mulf %sum, %slope : f32
      %e = math.tanh %u : f32
      %s = arith.addf %one, %e : f32
      %h = arith.mulf %v, %half : f32
      %g = arith.mulf %h, %s : f32
      %y = arith.truncf %g : f32 to f16
      tile.yield %y : f16
    } -> !tile.fragment<512xf16, #line>
    tile.store %o, %r[%i] along [0] : !tile.fragment<512xf16, #line>, memref<?xf16>
    gpu.return
  }

  gpu.func @gelu_tanh_bf16(%x: memref<?xf32>, %r: memref<?xbf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c512 = arith.constant 512 : index
    %third = arith.constant 0.044715 : f32
    %slope = arith.constant 0.797884561 : f32
    %half = arith.constant 0.5 : f32
    %one = arith.constant 1.0 : f32
    %block = gpu.block_id x
    %i = arith.muli %block, %c512 : index
    %t = tile.load %x[%i] along [0] : memref<?xf32> -> !tile.fragment<512xf32, #line>
    %o = tile.map ins(%t : !tile.fragment<512xf32, #line>) {
    ^bb0(%c: index, %v: f32):
      %square = arith.mulf %v, %v : f32
      %cube = arith.mulf %square, %v : f32
      %scaled = arith.mulf %cube, %third : f32
      %sum = arith.addf %v, %scaled : f32
      %u = arith.mulf %sum, %slope : f32
      %e = math.tanh %u : f32
      %s = arith.addf %one, %e : f32
      %h = arith.mulf %v, %half : f32
      %g = arith.mulf %h, %s : f32
      %y = arith.truncf %g : f32 to bf16
      tile.yield %y : bf16
    } -> !tile.fragment<512xbf16, #line>
    tile.store %o, %r[%i] along [0] : !tile.fragment<512xbf16, #line>, memref<?xbf16>
    gpu.return
  }

  gpu.func @silu_f16(%x: memref<?xf32>, %r: memref<?xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c512 = arith.constant 512 : index
    %one = arith.constant 1.0 : f32
    %block = gpu.block_id x
    %i = arith.muli %block, %c512 : index
    %t = tile.load %x[%i] along [0] : memref<?xf32> -> !tile.fragment<512xf32, #line>
    %o = tile.map ins(%t : !tile.fragment<512xf32, #line>) {
    ^bb0(%c: index, %v: f32):
      %n = arith.negf %v : f32
      %e = math.exp %n : f32
      %s = arith.addf %e, %one : f32
      %g = arith.divf %v, %s : f32
      %y = arith.truncf %g : f32 to f16
      tile.yield %y : f16
    } -> !tile.fragment<512xf16, #line>
    tile.store %o, %r[%i] along [0] : !tile.fragment<512xf16, #line>, memref<?xf16>
    gpu.return
  }

  gpu.func @silu_bf16(%x: memref<?xf32>, %r: memref<?xbf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c512 = arith.constant 512 : index
    %one = arith.constant 1.0 : f32
    %block = gpu.block_id x
    %i = arith.muli %block, %c512 : index
    %t = tile.load %x[%i] along [0] : memref<?xf32> -> !tile.fragment<512xf32, #line>
    %o = tile.map ins(%t : !tile.fragment<512xf32, #line>) {
    ^bb0(%c: index, %v: f32):
      %n = arith.negf %v : f32
      %e = math.exp %n : f32
      %s = arith.addf %e, %one : f32
      %g = arith.divf %v, %s : f32
      %y = arith.truncf %g : f32 to bf16
      tile.yield %y : bf16
    } -> !tile.fragment<512xbf16, #line>
    tile.store %o, %r[%i] along [0] : !tile.fragment<512xbf16, #line>, memref<?xbf16>
    gpu.return
  }

  gpu.func @erf_f16(%x: memref<?xf32>, %r: memref<?xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c512 = arith.constant 512 : index
    %block = gpu.block_id x
    %i = arith.muli %block, %c512 : index
    %t = tile.load %x[%i] along [0] : memref<?xf32> -> !tile.fragment<512xf32, #line>
    %o = tile.map ins(%t : !tile.fragment<512xf32, #line>) {
    ^bb0(%c: index, %v: f32):
      %g = math.erf %v : f32
      %y = arith.truncf %g : f32 to f16
      tile.yield %y : f16
    } -> !tile.fragment<512xf16, #line>
    tile.store %o, %r[%i] along [0] : !tile.fragment<512xf16, #line>, memref<?xf16>
    gpu.return
  }

  gpu.func @erf_bf16(%x: memref<?xf32>, %r: memref<?xbf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c512 = arith.constant 512 : index
    %block = gpu.block_id x
    %i = arith.muli %block, %c512 : index
    %t = tile.load %x[%i] along [0] : memref<?xf32> -> !tile.fragment<512xf32, #line>
    %o = tile.map ins(%t : !tile.fragment<512xf32, #line>) {
    ^bb0(%c: index, %v: f32):
      %g = math.erf %v : f32
      %y = arith.truncf %g : f32 to bf16
      tile.yield %y : bf16
    } -> !tile.fragment<512xbf16, #line>
    tile.store %o, %r[%i] along [0] : !tile.fragment<512xbf16, #line>, memref<?xbf16>
    gpu.return
  }

  gpu.func @tanh_f16(%x: memref<?xf32>, %r: memref<?xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c512 = arith.constant 512 : index
    %block = gpu.block_id x
    %i = arith.muli %block, %c512 : index
    %t = tile.load %x[%i] along [0] : memref<?xf32> -> !tile.fragment<512xf32, #line>
    %o = tile.map ins(%t : !tile.fragment<512xf32, #line>) {
    ^bb0(%c: index, %v: f32):
      %g = math.tanh %v : f32
      %y = arith.truncf %g : f32 to f16
      tile.yield %y : f16
    } -> !tile.fragment<512xf16, #line>
    tile.store %o, %r[%i] along [0] : !tile.fragment<512xf16, #line>, memref<?xf16>
    gpu.return
  }

  gpu.func @tanh_bf16(%x: memref<?xf32>, %r: memref<?xbf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c512 = arith.constant 512 : index
    %block = gpu.block_id x
    %i = arith.muli %block, %c512 : index
    %t = tile.load %x[%i] along [0] : memref<?xf32> -> !tile.fragment<512xf32, #line>
    %o = tile.map ins(%t : !tile.fragment<512xf32, #line>) {
    ^bb0(%c: index, %v: f32):
      %g = math.tanh %v : f32
      %y = arith.truncf %g : f32 to bf16
      tile.yield %y : bf16
    } -> !tile.fragment<512xbf16, #line>
    tile.store %o, %r[%i] along [0] : !tile.fragment<512xbf16, #line>, memref<?xbf16>
    gpu.return
  }
}
