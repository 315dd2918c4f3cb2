// Matmuls of single tiles, written by make_tiles.py.

gpu.module @tiles {
  gpu.func @tile_f16_16_8_16_nn_shared(%a: memref<16x16xf16>, %b: memref<16x8xf16>, %c: memref<16x8xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %s = tile.splat %one : !tile.fragment<16x8xf32, #tile.mma<warps = [1, 1]>>
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<16x16xf16> -> !tile.shared<16x16xf16>
    %y = tile.load %b[%c0, %c0] along [0, 1] : memref<16x8xf16> -> !tile.shared<16x8xf16>
    %r = tile.contract %x, %y, %s : !tile.shared<16x16xf16>, !tile.shared<16x8xf16>, !tile.fragment<16x8xf32, #tile.mma<warps = [1, 1]>>
    tile.store %r, %c[%c0, %c0] along [0, 1] : !tile.fragment<16x8xf32, #tile.mma<warps = [1, 1]>>, memref<16x8xf32>
    gpu.return
  }

  gpu.func @tile_f16_16_8_16_nt_shared(%a: memref<16x16xf16>, %b: memref<8x16xf16>, %c: memref<16x8xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %s = tile.splat %one : !tile.fragment<16x8xf32, #tile.mma<warps = [1, 1]>>
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<16x16xf16> -> !tile.shared<16x16xf16>
    %y = tile.load %b[%c0, %c0] along [0, 1] : memref<8x16xf16> -> !tile.shared<8x16xf16>
    %r = tile.contract %x, %y, %s transpose_rhs : !tile.shared<16x16xf16>, !tile.shared<8x16xf16>, !tile.fragment<16x8xf32, #tile.mma<warps = [1, 1]>>
    tile.store %r, %c[%c0, %c0] along [0, 1] : !tile.fragment<16x8xf32, #tile.mma<warps = [1, 1]>>, memref<16x8xf32>
    gpu.return
  }

  gpu.func @tile_f16_16_8_16_tn_shared(%a: memref<16x16xf16>, %b: memref<16x8xf16>, %c: memref<16x8xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %s = tile.splat %one : !tile.fragment<16x8xf32, #tile.mma<warps = [1, 1]>>
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<16x16xf16> -> !tile.shared<16x16xf16>
    %y = tile.load %b[%c0, %c0] along [0, 1] : memref<16x8xf16> -> !tile.shared<16x8xf16>
    %r = tile.contract %x, %y, %s transpose_lhs : !tile.shared<16x16xf16>, !tile.shared<16x8xf16>, !tile.fragment<16x8xf32, #tile.mma<warps = [1, 1]>>
    tile.store %r, %c[%c0, %c0] along [0, 1] : !tile.fragment<16x8xf32, #tile.mma<warps = [1, 1]>>, memref<16x8xf32>
    gpu.return
  }

  gpu.func @tile_f16_16_8_16_tt_shared(%a: memref<16x16xf16>, %b: memref<8x16xf16>, %c: memref<16x8xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %s = tile.splat %one : !tile.fragment<16x8xf32, #tile.mma<warps = [1, 1]>>
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<16x16xf16> -> !tile.shared<16x16xf16>
    %y = tile.load %b[%c0, %c0] along [0, 1] : memref<8x16xf16> -> !tile.shared<8x16xf16>
    %r = tile.contract %x, %y, %s transpose_lhs transpose_rhs : !tile.shared<16x16xf16>, !tile.shared<8x16xf16>, !tile.fragment<16x8xf32, #tile.mma<warps = [1, 1]>>
    tile.store %r, %c[%c0, %c0] along [0, 1] : !tile.fragment<16x8xf32, #tile.mma<warps = [1, 1]>>, memref<16x8xf32>
    gpu.return
  }

  gpu.func @tile_f16_16_8_16_tn_shared_turned(%a: memref<16x16xf16>, %b: memref<8x16xf16>, %c: memref<16x8xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %s = tile.splat %one : !tile.fragment<16x8xf32, #tile.mma<warps = [1, 1]>>
    %x = tile.load %a[%c0, %c0] along [1, 0] : memref<16x16xf16> -> !tile.shared<16x16xf16>
    %y = tile.load %b[%c0, %c0] along [1, 0] : memref<8x16xf16> -> !tile.shared<16x8xf16>
    %r = tile.contract %x, %y, %s transpose_lhs : !tile.shared<16x16xf16>, !tile.shared<16x8xf16>, !tile.fragment<16x8xf32, #tile.mma<warps = [1, 1]>>
    tile.store %r, %c[%c0, %c0] along [0, 1] : !tile.fragment<16x8xf32, #tile.mma<warps = [1, 1]>>, memref<16x8xf32>
    gpu.return
  }

  gpu.func @tile_f16_16_8_16_nt_held(%a: memref<16x16xf16>, %b: memref<8x16xf16>, %c: memref<16x8xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %s = tile.splat %one : !tile.fragment<16x8xf32, #tile.mma<warps = [1, 1]>>
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<16x16xf16> -> !tile.fragment<16x16xf16, #tile.mma<warps = [1, 1]>>
    %y = tile.load %b[%c0, %c0] along [0, 1] : memref<8x16xf16> -> !tile.shared<8x16xf16>
    %r = tile.contract %x, %y, %s transpose_rhs : !tile.fragment<16x16xf16, #tile.mma<warps = [1, 1]>>, !tile.shared<8x16xf16>, !tile.fragment<16x8xf32, #tile.mma<warps = [1, 1]>>
    tile.store %r, %c[%c0, %c0] along [0, 1] : !tile.fragment<16x8xf32, #tile.mma<warps = [1, 1]>>, memref<16x8xf32>
    gpu.return
  }

  gpu.func @tile_f16_16_8_16_nn_held(%a: memref<16x16xf16>, %b: memref<16x8xf16>, %c: memref<16x8xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %s = tile.splat %one : !tile.fragment<16x8xf32, #tile.mma<warps = [1, 1]>>
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<16x16xf16> -> !tile.fragment<16x16xf16, #tile.mma<warps = [1, 1]>>
    %y = tile.load %b[%c0, %c0] along [0, 1] : memref<16x8xf16> -> !tile.shared<16x8xf16>
    %r = tile.contract %x, %y, %s : !tile.fragment<16x16xf16, #tile.mma<warps = [1, 1]>>, !tile.shared<16x8xf16>, !tile.fragment<16x8xf32, #tile.mma<warps = [1, 1]>>
    tile.store %r, %c[%c0, %c0] along [0, 1] : !tile.fragment<16x8xf32, #tile.mma<warps = [1, 1]>>, memref<16x8xf32>
    gpu.return
  }

  gpu.func @tile_f16_16_8_16_nn_through_turned(%a: memref<16x16xf16>, %b: memref<8x16xf16>, %c: memref<16x8xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %s = tile.splat %one : !tile.fragment<16x8xf32, #tile.mma<warps = [1, 1]>>
    %h = tile.load %a[%c0, %c0] along [1, 0] : memref<16x16xf16> -> !tile.fragment<16x16xf16, #tile.blocked<elements = [1, 1], lanes = [8, 4], warps = [1, 1]>>
    %x = tile.convert %h : !tile.fragment<16x16xf16, #tile.blocked<elements = [1, 1], lanes = [8, 4], warps = [1, 1]>> -> !tile.shared<16x16xf16>
    %y = tile.load %b[%c0, %c0] along [1, 0] : memref<8x16xf16> -> !tile.shared<16x8xf16>
    %r = tile.contract %x, %y, %s : !tile.shared<16x16xf16>, !tile.shared<16x8xf16>, !tile.fragment<16x8xf32, #tile.mma<warps = [1, 1]>>
    tile.store %r, %c[%c0, %c0] along [0, 1] : !tile.fragment<16x8xf32, #tile.mma<warps = [1, 1]>>, memref<16x8xf32>
    gpu.return
  }

  gpu.func @tile_f32_16_8_16_nn_shared(%a: memref<16x16xf32>, %b: memref<16x8xf32>, %c: memref<16x8xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %s = tile.splat %one : !tile.fragment<16x8xf32, #tile.mma<warps = [1, 1]>>
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<16x16xf32> -> !tile.shared<16x16xf32>
    %y = tile.load %b[%c0, %c0] along [0, 1] : memref<16x8xf32> -> !tile.shared<16x8xf32>
    %r = tile.contract %x, %y, %s : !tile.shared<16x16xf32>, !tile.shared<16x8xf32>, !tile.fragment<16x8xf32, #tile.mma<warps = [1, 1]>>
    tile.store %r, %c[%c0, %c0] along [0, 1] : !tile.fragment<16x8xf32, #tile.mma<warps = [1, 1]>>, memref<16x8xf32>
    gpu.return
  }

  gpu.func @tile_f32_16_8_16_nt_shared(%a: memref<16x16xf32>, %b: memref<8x16xf32>, %c: memref<16x8xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %s = tile.splat %one : !tile.fragment<16x8xf32, #tile.mma<warps = [1, 1]>>
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<16x16xf32> -> !tile.shared<16x16xf32>
    %y = tile.load %b[%c0, %c0] along [0, 1] : memref<8x16xf32> -> !tile.shared<8x16xf32>
    %r = tile.contract %x, %y, %s transpose_rhs : !tile.shared<16x16xf32>, !tile.shared<8x16xf32>, !tile.fragment<16x8xf32, #tile.mma<warps = [1, 1]>>
    tile.store %r, %c[%c0, %c0] along [0, 1] : !tile.fragment<16x8xf32, #tile.mma<warps = [1, 1]>>, memref<16x8xf32>
    gpu.return
  }

  gpu.func @tile_f32_16_8_16_tn_shared(%a: memref<16x16xf32>, %b: memref<16x8xf32>, %c: memref<16x8xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %s = tile.splat %one : !tile.fragment<16x8xf32, #tile.mma<warps = [1, 1]>>
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<16x16xf32> -> !tile.shared<16x16xf32>
    %y = tile.load %b[%c0, %c0] along [0, 1] : memref<16x8xf32> -> !tile.shared<16x8xf32>
    %r = tile.contract %x, %y, %s transpose_lhs : !tile.shared<16x16xf32>, !tile.shared<16x8xf32>, !tile.fragment<16x8xf32, #tile.mma<warps = [1, 1]>>
    tile.store %r, %c[%c0, %c0] along [0, 1] : !tile.fragment<16x8xf32, #tile.mma<warps = [1, 1]>>, memref<16x8xf32>
    gpu.return
  }

  gpu.func @tile_f32_16_8_16_tt_shared(%a: memref<16x16xf32>, %b: memref<8x16xf32>, %c: memref<16x8xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %s = tile.splat %one : !tile.fragment<16x8xf32, #tile.mma<warps = [1, 1]>>
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<16x16xf32> -> !tile.shared<16x16xf32>
    %y = tile.load %b[%c0, %c0] along [0, 1] : memref<8x16xf32> -> !tile.shared<8x16xf32>
    %r = tile.contract %x, %y, %s transpose_lhs transpose_rhs : !tile.shared<16x16xf32>, !tile.shared<8x16xf32>, !tile.fragment<16x8xf32, #tile.mma<warps = [1, 1]>>
    tile.store %r, %c[%c0, %c0] along [0, 1] : !tile.fragment<16x8xf32, #tile.mma<warps = [1, 1]>>, memref<16x8xf32>
    gpu.return
  }

  gpu.func @tile_f32_16_8_16_tn_shared_turned(%a: memref<16x16xf32>, %b: memref<8x16xf32>, %c: memref<16x8xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %s = tile.splat %one : !tile.fragment<16x8xf32, #tile.mma<warps = [1, 1]>>
    %x = tile.load %a[%c0, %c0] along [1, 0] : memref<16x16xf32> -> !tile.shared<16x16xf32>
    %y = tile.load %b[%c0, %c0] along [1, 0] : memref<8x16xf32> -> !tile.shared<16x8xf32>
    %r = tile.contract %x, %y, %s transpose_lhs : !tile.shared<16x16xf32>, !tile.shared<16x8xf32>, !tile.fragment<16x8xf32, #tile.mma<warps = [1, 1]>>
    tile.store %r, %c[%c0, %c0] along [0, 1] : !tile.fragment<16x8xf32, #tile.mma<warps = [1, 1]>>, memref<16x8xf32>
    gpu.return
  }

  gpu.func @tile_f32_16_8_16_nt_held(%a: memref<16x16xf32>, %b: memref<8x16xf32>, %c: memref<16x8xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %s = tile.splat %one : !tile.fragment<16x8xf32, #tile.mma<warps = [1, 1]>>
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<16x16xf32> -> !tile.fragment<16x16xf32, #tile.mma<warps = [1, 1]>>
    %y = tile.load %b[%c0, %c0] along [0, 1] : memref<8x16xf32> -> !tile.shared<8x16xf32>
    %r = tile.contract %x, %y, %s transpose_rhs : !tile.fragment<16x16xf32, #tile.mma<warps = [1, 1]>>, !tile.shared<8x16xf32>, !tile.fragment<16x8xf32, #tile.mma<warps = [1, 1]>>
    tile.store %r, %c[%c0, %c0] along [0, 1] : !tile.fragment<16x8xf32, #tile.mma<warps = [1, 1]>>, memref<16x8xf32>
    gpu.return
  }

  gpu.func @tile_f32_16_8_16_nn_held(%a: memref<16x16xf32>, %b: memref<16x8xf32>, %c: memref<16x8xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %s = tile.splat %one : !tile.fragment<16x8xf32, #tile.mma<warps = [1, 1]>>
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<16x16xf32> -> !tile.fragment<16x16xf32, #tile.mma<warps = [1, 1]>>
    %y = tile.load %b[%c0, %c0] along [0, 1] : memref<16x8xf32> -> !tile.shared<16x8xf32>
    %r = tile.contract %x, %y, %s : !tile.fragment<16x16xf32, #tile.mma<warps = [1, 1]>>, !tile.shared<16x8xf32>, !tile.fragment<16x8xf32, #tile.mma<warps = [1, 1]>>
    tile.store %r, %c[%c0, %c0] along [0, 1] : !tile.fragment<16x8xf32, #tile.mma<warps = [1, 1]>>, memref<16x8xf32>
    gpu.return
  }

  gpu.func @tile_f32_16_8_16_nn_through_turned(%a: memref<16x16xf32>, %b: memref<8x16xf32>, %c: memref<16x8xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %s = tile.splat %one : !tile.fragment<16x8xf32, #tile.mma<warps = [1, 1]>>
    %h = tile.load %a[%c0, %c0] along [1, 0] : memref<16x16xf32> -> !tile.fragment<16x16xf32, #tile.blocked<elements = [1, 1], lanes = [8, 4], warps = [1, 1]>>
    %x = tile.convert %h : !tile.fragment<16x16xf32, #tile.blocked<elements = [1, 1], lanes = [8, 4], warps = [1, 1]>> -> !tile.shared<16x16xf32>
    %y = tile.load %b[%c0, %c0] along [1, 0] : memref<8x16xf32> -> !tile.shared<16x8xf32>
    %r = tile.contract %x, %y, %s : !tile.shared<16x16xf32>, !tile.shared<16x8xf32>, !tile.fragment<16x8xf32, #tile.mma<warps = [1, 1]>>
    tile.store %r, %c[%c0, %c0] along [0, 1] : !tile.fragment<16x8xf32, #tile.mma<warps = [1, 1]>>, memref<16x8xf32>
    gpu.return
  }

  gpu.func @tile_f16_64_24_48_nn_shared(%a: memref<64x48xf16>, %b: memref<48x24xf16>, %c: memref<64x24xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %s = tile.splat %one : !tile.fragment<64x24xf32, #tile.mma<warps = [4, 1]>>
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<64x48xf16> -> !tile.shared<64x48xf16>
    %y = tile.load %b[%c0, %c0] along [0, 1] : memref<48x24xf16> -> !tile.shared<48x24xf16>
    %r = tile.contract %x, %y, %s : !tile.shared<64x48xf16>, !tile.shared<48x24xf16>, !tile.fragment<64x24xf32, #tile.mma<warps = [4, 1]>>
    tile.store %r, %c[%c0, %c0] along [0, 1] : !tile.fragment<64x24xf32, #tile.mma<warps = [4, 1]>>, memref<64x24xf32>
    gpu.return
  }

  gpu.func @tile_f16_64_24_48_nt_shared(%a: memref<64x48xf16>, %b: memref<24x48xf16>, %c: memref<64x24xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %s = tile.splat %one : !tile.fragment<64x24xf32, #tile.mma<warps = [4, 1]>>
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<64x48xf16> -> !tile.shared<64x48xf16>
    %y = tile.load %b[%c0, %c0] along [0, 1] : memref<24x48xf16> -> !tile.shared<24x48xf16>
    %r = tile.contract %x, %y, %s transpose_rhs : !tile.shared<64x48xf16>, !tile.shared<24x48xf16>, !tile.fragment<64x24xf32, #tile.mma<warps = [4, 1]>>
    tile.store %r, %c[%c0, %c0] along [0, 1] : !tile.fragment<64x24xf32, #tile.mma<warps = [4, 1]>>, memref<64x24xf32>
    gpu.return
  }

  gpu.func @tile_f16_64_24_48_tn_shared(%a: memref<48x64xf16>, %b: memref<48x24xf16>, %c: memref<64x24xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %s = tile.splat %one : !tile.fragment<64x24xf32, #tile.mma<warps = [4, 1]>>
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<48x64xf16> -> !tile.shared<48x64xf16>
    %y = tile.load %b[%c0, %c0] along [0, 1] : memref<48x24xf16> -> !tile.shared<48x24xf16>
    %r = tile.contract %x, %y, %s transpose_lhs : !tile.shared<48x64xf16>, !tile.shared<48x24xf16>, !tile.fragment<64x24xf32, #tile.mma<warps = [4, 1]>>
    tile.store %r, %c[%c0, %c0] along [0, 1] : !tile.fragment<64x24xf32, #tile.mma<warps = [4, 1]>>, memref<64x24xf32>
    gpu.return
  }

  gpu.func @tile_f16_64_24_48_tt_shared(%a: memref<48x64xf16>, %b: memref<24x48xf16>, %c: memref<64x24xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %s = tile.splat %one : !tile.fragment<64x24xf32, #tile.mma<warps = [4, 1]>>
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<48x64xf16> -> !tile.shared<48x64xf16>
    %y = tile.load %b[%c0, %c0] along [0, 1] : memref<24x48xf16> -> !tile.shared<24x48xf16>
    %r = tile.contract %x, %y, %s transpose_lhs transpose_rhs : !tile.shared<48x64xf16>, !tile.shared<24x48xf16>, !tile.fragment<64x24xf32, #tile.mma<warps = [4, 1]>>
    tile.store %r, %c[%c0, %c0] along [0, 1] : !tile.fragment<64x24xf32, #tile.mma<warps = [4, 1]>>, memref<64x24xf32>
    gpu.return
  }

  gpu.func @tile_f16_64_24_48_tn_shared_turned(%a: memref<64x48xf16>, %b: memref<24x48xf16>, %c: memref<64x24xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %s = tile.splat %one : !tile.fragment<64x24xf32, #tile.mma<warps = [4, 1]>>
    %x = tile.load %a[%c0, %c0] along [1, 0] : memref<64x48xf16> -> !tile.shared<48x64xf16>
    %y = tile.load %b[%c0, %c0] along [1, 0] : memref<24x48xf16> -> !tile.shared<48x24xf16>
    %r = tile.contract %x, %y, %s transpose_lhs : !tile.shared<48x64xf16>, !tile.shared<48x24xf16>, !tile.fragment<64x24xf32, #tile.mma<warps = [4, 1]>>
    tile.store %r, %c[%c0, %c0] along [0, 1] : !tile.fragment<64x24xf32, #tile.mma<warps = [4, 1]>>, memref<64x24xf32>
    gpu.return
  }

  gpu.func @tile_f16_64_24_48_nt_held(%a: memref<64x48xf16>, %b: memref<24x48xf16>, %c: memref<64x24xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %s = tile.splat %one : !tile.fragment<64x24xf32, #tile.mma<warps = [4, 1]>>
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<64x48xf16> -> !tile.fragment<64x48xf16, #tile.mma<warps = [4, 1]>>
    %y = tile.load %b[%c0, %c0] along [0, 1] : memref<24x48xf16> -> !tile.shared<24x48xf16>
    %r = tile.contract %x, %y, %s transpose_rhs : !tile.fragment<64x48xf16, #tile.mma<warps = [4, 1]>>, !tile.shared<24x48xf16>, !tile.fragment<64x24xf32, #tile.mma<warps = [4, 1]>>
    tile.store %r, %c[%c0, %c0] along [0, 1] : !tile.fragment<64x24xf32, #tile.mma<warps = [4, 1]>>, memref<64x24xf32>
    gpu.return
  }

  gpu.func @tile_f16_64_24_48_nn_held(%a: memref<64x48xf16>, %b: memref<48x24xf16>, %c: memref<64x24xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %s = tile.splat %one : !tile.fragment<64x24xf32, #tile.mma<warps = [4, 1]>>
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<64x48xf16> -> !tile.fragment<64x48xf16, #tile.mma<warps = [4, 1]>>
    %y = tile.load %b[%c0, %c0] along [0, 1] : memref<48x24xf16> -> !tile.shared<48x24xf16>
    %r = tile.contract %x, %y, %s : !tile.fragment<64x48xf16, #tile.mma<warps = [4, 1]>>, !tile.shared<48x24xf16>, !tile.fragment<64x24xf32, #tile.mma<warps = [4, 1]>>
    tile.store %r, %c[%c0, %c0] along [0, 1] : !tile.fragment<64x24xf32, #tile.mma<warps = [4, 1]>>, memref<64x24xf32>
    gpu.return
  }

  gpu.func @tile_f16_64_24_48_nn_through_turned(%a: memref<48x64xf16>, %b: memref<24x48xf16>, %c: memref<64x24xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %s = tile.splat %one : !tile.fragment<64x24xf32, #tile.mma<warps = [4, 1]>>
    %h = tile.load %a[%c0, %c0] along [1, 0] : memref<48x64xf16> -> !tile.fragment<64x48xf16, #tile.blocked<elements = [1, 1], lanes = [8, 4], warps = [4, 1]>>
    %x = tile.convert %h : !tile.fragment<64x48xf16, #tile.blocked<elements = [1, 1], lanes = [8, 4], warps = [4, 1]>> -> !tile.shared<64x48xf16>
    %y = tile.load %b[%c0, %c0] along [1, 0] : memref<24x48xf16> -> !tile.shared<48x24xf16>
    %r = tile.contract %x, %y, %s : !tile.shared<64x48xf16>, !tile.shared<48x24xf16>, !tile.fragment<64x24xf32, #tile.mma<warps = [4, 1]>>
    tile.store %r, %c[%c0, %c0] along [0, 1] : !tile.fragment<64x24xf32, #tile.mma<warps = [4, 1]>>, memref<64x24xf32>
    gpu.return
  }

  gpu.func @tile_f32_64_24_48_nn_shared(%a: memref<64x48xf32>, %b: memref<48x24xf32>, %c: memref<64x24xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %s = tile.splat %one : !tile.fragment<64x24xf32, #tile.mma<warps = [4, 1]>>
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<64x48xf32> -> !tile.shared<64x48xf32>
    %y = tile.load %b[%c0, %c0] along [0, 1] : memref<48x24xf32> -> !tile.shared<48x24xf32>
    %r = tile.contract %x, %y, %s : !tile.shared<64x48xf32>, !tile.shared<48x24xf32>, !tile.fragment<64x24xf32, #tile.mma<warps = [4, 1]>>
    tile.store %r, %c[%c0, %c0] along [0, 1] : !tile.fragment<64x24xf32, #tile.mma<warps = [4, 1]>>, memref<64x24xf32>
    gpu.return
  }

  gpu.func @tile_f32_64_24_48_nt_shared(%a: memref<64x48xf32>, %b: memref<24x48xf32>, %c: memref<64x24xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %s = tile.splat %one : !tile.fragment<64x24xf32, #tile.mma<warps = [4, 1]>>
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<64x48xf32> -> !tile.shared<64x48xf32>
    %y = tile.load %b[%c0, %c0] along [0, 1] : memref<24x48xf32> -> !tile.shared<24x48xf32>
    %r = tile.contract %x, %y, %s transpose_rhs : !tile.shared<64x48xf32>, !tile.shared<24x48xf32>, !tile.fragment<64x24xf32, #tile.mma<warps = [4, 1]>>
    tile.store %r, %c[%c0, %c0] along [0, 1] : !tile.fragment<64x24xf32, #tile.mma<warps = [4, 1]>>, memref<64x24xf32>
    gpu.return
  }

  gpu.func @tile_f32_64_24_48_tn_shared(%a: memref<48x64xf32>, %b: memref<48x24xf32>, %c: memref<64x24xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %s = tile.splat %one : !tile.fragment<64x24xf32, #tile.mma<warps = [4, 1]>>
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<48x64xf32> -> !tile.shared<48x64xf32>
    %y = tile.load %b[%c0, %c0] along [0, 1] : memref<48x24xf32> -> !tile.shared<48x24xf32>
    %r = tile.contract %x, %y, %s transpose_lhs : !tile.shared<48x64xf32>, !tile.shared<48x24xf32>, !tile.fragment<64x24xf32, #tile.mma<warps = [4, 1]>>
    tile.store %r, %c[%c0, %c0] along [0, 1] : !tile.fragment<64x24xf32, #tile.mma<warps = [4, 1]>>, memref<64x24xf32>
    gpu.return
  }

  gpu.func @tile_f32_64_24_48_tt_shared(%a: memref<48x64xf32>, %b: memref<24x48xf32>, %c: memref<64x24xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %s = tile.splat %one : !tile.fragment<64x24xf32, #tile.mma<warps = [4, 1]>>
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<48x64xf32> -> !tile.shared<48x64xf32>
    %y = tile.load %b[%c0, %c0] along [0, 1] : memref<24x48xf32> -> !tile.shared<24x48xf32>
    %r = tile.contract %x, %y, %s transpose_lhs transpose_rhs : !tile.shared<48x64xf32>, !tile.shared<24x48xf32>, !tile.fragment<64x24xf32, #tile.mma<warps = [4, 1]>>
    tile.store %r, %c[%c0, %c0] along [0, 1] : !tile.fragment<64x24xf32, #tile.mma<warps = [4, 1]>>, memref<64x24xf32>
    gpu.return
  }

  gpu.func @tile_f32_64_24_48_tn_shared_turned(%a: memref<64x48xf32>, %b: memref<24x48xf32>, %c: memref<64x24xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %s = tile.splat %one : !tile.fragment<64x24xf32, #tile.mma<warps = [4, 1]>>
    %x = tile.load %a[%c0, %c0] along [1, 0] : memref<64x48xf32> -> !tile.shared<48x64xf32>
    %y = tile.load %b[%c0, %c0] along [1, 0] : memref<24x48xf32> -> !tile.shared<48x24xf32>
    %r = tile.contract %x, %y, %s transpose_lhs : !tile.shared<48x64xf32>, !tile.shared<48x24xf32>, !tile.fragment<64x24xf32, #tile.mma<warps = [4, 1]>>
    tile.store %r, %c[%c0, %c0] along [0, 1] : !tile.fragment<64x24xf32, #tile.mma<warps = [4, 1]>>, memref<64x24xf32>
    gpu.return
  }

  gpu.func @tile_f32_64_24_48_nt_held(%a: memref<64x48xf32>, %b: memref<24x48xf32>, %c: memref<64x24xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %s = tile.splat %one : !tile.fragment<64x24xf32, #tile.mma<warps = [4, 1]>>
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<64x48xf32> -> !tile.fragment<64x48xf32, #tile.mma<warps = [4, 1]>>
    %y = tile.load %b[%c0, %c0] along [0, 1] : memref<24x48xf32> -> !tile.shared<24x48xf32>
    %r = tile.contract %x, %y, %s transpose_rhs : !tile.fragment<64x48xf32, #tile.mma<warps = [4, 1]>>, !tile.shared<24x48xf32>, !tile.fragment<64x24xf32, #tile.mma<warps = [4, 1]>>
    tile.store %r, %c[%c0, %c0] along [0, 1] : !tile.fragment<64x24xf32, #tile.mma<warps = [4, 1]>>, memref<64x24xf32>
    gpu.return
  }

  gpu.func @tile_f32_64_24_48_nn_held(%a: memref<64x48xf32>, %b: memref<48x24xf32>, %c: memref<64x24xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %s = tile.splat %one : !tile.fragment<64x24xf32, #tile.mma<warps = [4, 1]>>
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<64x48xf32> -> !tile.fragment<64x48xf32, #tile.mma<warps = [4, 1]>>
    %y = tile.load %b[%c0, %c0] along [0, 1] : memref<48x24xf32> -> !tile.shared<48x24xf32>
    %r = tile.contract %x, %y, %s : !tile.fragment<64x48xf32, #tile.mma<warps = [4, 1]>>, !tile.shared<48x24xf32>, !tile.fragment<64x24xf32, #tile.mma<warps = [4, 1]>>
    tile.store %r, %c[%c0, %c0] along [0, 1] : !tile.fragment<64x24xf32, #tile.mma<warps = [4, 1]>>, memref<64x24xf32>
    gpu.return
  }

  gpu.func @tile_f32_64_24_48_nn_through_turned(%a: memref<48x64xf32>, %b: memref<24x48xf32>, %c: memref<64x24xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %s = tile.splat %one : !tile.fragment<64x24xf32, #tile.mma<warps = [4, 1]>>
    %h = tile.load %a[%c0, %c0] along [1, 0] : memref<48x64xf32> -> !tile.fragment<64x48xf32, #tile.blocked<elements = [1, 1], lanes = [8, 4], warps = [4, 1]>>
    %x = tile.convert %h : !tile.fragment<64x48xf32, #tile.blocked<elements = [1, 1], lanes = [8, 4], warps = [4, 1]>> -> !tile.shared<64x48xf32>
    %y = tile.load %b[%c0, %c0] along [1, 0] : memref<24x48xf32> -> !tile.shared<48x24xf32>
    %r = tile.contract %x, %y, %s : !tile.shared<64x48xf32>, !tile.shared<48x24xf32>, !tile.fragment<64x24xf32, #tile.mma<warps = [4, 1]>>
    tile.store %r, %c[%c0, %c0] along [0, 1] : !tile.fragment<64x24xf32, #tile.mma<warps = [4, 1]>>, memref<64x24xf32>
    gpu.return
  }

  gpu.func @tile_f16_32_48_80_nn_shared(%a: memref<32x80xf16>, %b: memref<80x48xf16>, %c: memref<32x48xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %s = tile.splat %one : !tile.fragment<32x48xf32, #tile.mma<warps = [2, 2]>>
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<32x80xf16> -> !tile.shared<32x80xf16>
    %y = tile.load %b[%c0, %c0] along [0, 1] : memref<80x48xf16> -> !tile.shared<80x48xf16>
    %r = tile.contract %x, %y, %s : !tile.shared<32x80xf16>, !tile.shared<80x48xf16>, !tile.fragment<32x48xf32, #tile.mma<warps = [2, 2]>>
    tile.store %r, %c[%c0, %c0] along [0, 1] : !tile.fragment<32x48xf32, #tile.mma<warps = [2, 2]>>, memref<32x48xf32>
    gpu.return
  }

  gpu.func @tile_f16_32_48_80_nt_shared(%a: memref<32x80xf16>, %b: memref<48x80xf16>, %c: memref<32x48xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %s = tile.splat %one : !tile.fragment<32x48xf32, #tile.mma<warps = [2, 2]>>
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<32x80xf16> -> !tile.shared<32x80xf16>
    %y = tile.load %b[%c0, %c0] along [0, 1] : memref<48x80xf16> -> !tile.shared<48x80xf16>
    %r = tile.contract %x, %y, %s transpose_rhs : !tile.shared<32x80xf16>, !tile.shared<48x80xf16>, !tile.fragment<32x48xf32, #tile.mma<warps = [2, 2]>>
    tile.store %r, %c[%c0, %c0] along [0, 1] : !tile.fragment<32x48xf32, #tile.mma<warps = [2, 2]>>, memref<32x48xf32>
    gpu.return
  }

  gpu.func @tile_f16_32_48_80_tn_shared(%a: memref<80x32xf16>, %b: memref<80x48xf16>, %c: memref<32x48xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %s = tile.splat %one : !tile.fragment<32x48xf32, #tile.mma<warps = [2, 2]>>
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<80x32xf16> -> !tile.shared<80x32xf16>
    %y = tile.load %b[%c0, %c0] along [0, 1] : memref<80x48xf16> -> !tile.shared<80x48xf16>
    %r = tile.contract %x, %y, %s transpose_lhs : !tile.shared<80x32xf16>, !tile.shared<80x48xf16>, !tile.fragment<32x48xf32, #tile.mma<warps = [2, 2]>>
    tile.store %r, %c[%c0, %c0] along [0, 1] : !tile.fragment<32x48xf32, #tile.mma<warps = [2, 2]>>, memref<32x48xf32>
    gpu.return
  }

  gpu.func @tile_f16_32_48_80_tt_shared(%a: memref<80x32xf16>, %b: memref<48x80xf16>, %c: memref<32x48xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %s = tile.splat %one : !tile.fragment<32x48xf32, #tile.mma<warps = [2, 2]>>
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<80x32xf16> -> !tile.shared<80x32xf16>
    %y = tile.load %b[%c0, %c0] along [0, 1] : memref<48x80xf16> -> !tile.shared<48x80xf16>
    %r = tile.contract %x, %y, %s transpose_lhs transpose_rhs : !tile.shared<80x32xf16>, !tile.shared<48x80xf16>, !tile.fragment<32x48xf32, #tile.mma<warps = [2, 2]>>
    tile.store %r, %c[%c0, %c0] along [0, 1] : !tile.fragment<32x48xf32, #tile.mma<warps = [2, 2]>>, memref<32x48xf32>
    gpu.return
  }

  gpu.func @tile_f16_32_48_80_tn_shared_turned(%a: memref<32x80xf16>, %b: memref<48x80xf16>, %c: memref<32x48xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %s = tile.splat %one : !tile.fragment<32x48xf32, #tile.mma<warps = [2, 2]>>
    %x = tile.load %a[%c0, %c0] along [1, 0] : memref<32x80xf16> -> !tile.shared<80x32xf16>
    %y = tile.load %b[%c0, %c0] along [1, 0] : memref<48x80xf16> -> !tile.shared<80x48xf16>
    %r = tile.contract %x, %y, %s transpose_lhs : !tile.shared<80x32xf16>, !tile.shared<80x48xf16>, !tile.fragment<32x48xf32, #tile.mma<warps = [2, 2]>>
    tile.store %r, %c[%c0, %c0] along [0, 1] : !tile.fragment<32x48xf32, #tile.mma<warps = [2, 2]>>, memref<32x48xf32>
    gpu.return
  }

  gpu.func @tile_f16_32_48_80_nn_through_turned(%a: memref<80x32xf16>, %b: memref<48x80xf16>, %c: memref<32x48xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %s = tile.splat %one : !tile.fragment<32x48xf32, #tile.mma<warps = [2, 2]>>
    %h = tile.load %a[%c0, %c0] along [1, 0] : memref<80x32xf16> -> !tile.fragment<32x80xf16, #tile.blocked<elements = [1, 1], lanes = [8, 4], warps = [2, 2]>>
    %x = tile.convert %h : !tile.fragment<32x80xf16, #tile.blocked<elements = [1, 1], lanes = [8, 4], warps = [2, 2]>> -> !tile.shared<32x80xf16>
    %y = tile.load %b[%c0, %c0] along [1, 0] : memref<48x80xf16> -> !tile.shared<80x48xf16>
    %r = tile.contract %x, %y, %s : !tile.shared<32x80xf16>, !tile.shared<80x48xf16>, !tile.fragment<32x48xf32, #tile.mma<warps = [2, 2]>>
    tile.store %r, %c[%c0, %c0] along [0, 1] : !tile.fragment<32x48xf32, #tile.mma<warps = [2, 2]>>, memref<32x48xf32>
    gpu.return
  }

  gpu.func @tile_f32_32_48_80_nn_shared(%a: memref<32x80xf32>, %b: memref<80x48xf32>, %c: memref<32x48xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %s = tile.splat %one : !tile.fragment<32x48xf32, #tile.mma<warps = [2, 2]>>
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<32x80xf32> -> !tile.shared<32x80xf32>
    %y = tile.load %b[%c0, %c0] along [0, 1] : memref<80x48xf32> -> !tile.shared<80x48xf32>
    %r = tile.contract %x, %y, %s : !tile.shared<32x80xf32>, !tile.shared<80x48xf32>, !tile.fragment<32x48xf32, #tile.mma<warps = [2, 2]>>
    tile.store %r, %c[%c0, %c0] along [0, 1] : !tile.fragment<32x48xf32, #tile.mma<warps = [2, 2]>>, memref<32x48xf32>
    gpu.return
  }

  gpu.func @tile_f32_32_48_80_nt_shared(%a: memref<32x80xf32>, %b: memref<48x80xf32>, %c: memref<32x48xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %s = tile.splat %one : !tile.fragment<32x48xf32, #tile.mma<warps = [2, 2]>>
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<32x80xf32> -> !tile.shared<32x80xf32>
    %y = tile.load %b[%c0, %c0] along [0, 1] : memref<48x80xf32> -> !tile.shared<48x80xf32>
    %r = tile.contract %x, %y, %s transpose_rhs : !tile.shared<32x80xf32>, !tile.shared<48x80xf32>, !tile.fragment<32x48xf32, #tile.mma<warps = [2, 2]>>
    tile.store %r, %c[%c0, %c0] along [0, 1] : !tile.fragment<32x48xf32, #tile.mma<warps = [2, 2]>>, memref<32x48xf32>
    gpu.return
  }

  gpu.func @tile_f32_32_48_80_tn_shared(%a: memref<80x32xf32>, %b: memref<80x48xf32>, %c: memref<32x48xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %s = tile.splat %one : !tile.fragment<32x48xf32, #tile.mma<warps = [2, 2]>>
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<80x32xf32> -> !tile.shared<80x32xf32>
    %y = tile.load %b[%c0, %c0] along [0, 1] : memref<80x48xf32> -> !tile.shared<80x48xf32>
    %r = tile.contract %x, %y, %s transpose_lhs : !tile.shared<80x32xf32>, !tile.shared<80x48xf32>, !tile.fragment<32x48xf32, #tile.mma<warps = [2, 2]>>
    tile.store %r, %c[%c0, %c0] along [0, 1] : !tile.fragment<32x48xf32, #tile.mma<warps = [2, 2]>>, memref<32x48xf32>
    gpu.return
  }

  gpu.func @tile_f32_32_48_80_tt_shared(%a: memref<80x32xf32>, %b: memref<48x80xf32>, %c: memref<32x48xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %s = tile.splat %one : !tile.fragment<32x48xf32, #tile.mma<warps = [2, 2]>>
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<80x32xf32> -> !tile.shared<80x32xf32>
    %y = tile.load %b[%c0, %c0] along [0, 1] : memref<48x80xf32> -> !tile.shared<48x80xf32>
    %r = tile.contract %x, %y, %s transpose_lhs transpose_rhs : !tile.shared<80x32xf32>, !tile.shared<48x80xf32>, !tile.fragment<32x48xf32, #tile.mma<warps = [2, 2]>>
    tile.store %r, %c[%c0, %c0] along [0, 1] : !tile.fragment<32x48xf32, #tile.mma<warps = [2, 2]>>, memref<32x48xf32>
    gpu.return
  }

  gpu.func @tile_f32_32_48_80_tn_shared_turned(%a: memref<32x80xf32>, %b: memref<48x80xf32>, %c: memref<32x48xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %s = tile.splat %one : !tile.fragment<32x48xf32, #tile.mma<warps = [2, 2]>>
    %x = tile.load %a[%c0, %c0] along [1, 0] : memref<32x80xf32> -> !tile.shared<80x32xf32>
    %y = tile.load %b[%c0, %c0] along [1, 0] : memref<48x80xf32> -> !tile.shared<80x48xf32>
    %r = tile.contract %x, %y, %s transpose_lhs : !tile.shared<80x32xf32>, !tile.shared<80x48xf32>, !tile.fragment<32x48xf32, #tile.mma<warps = [2, 2]>>
    tile.store %r, %c[%c0, %c0] along [0, 1] : !tile.fragment<32x48xf32, #tile.mma<warps = [2, 2]>>, memref<32x48xf32>
    gpu.return
  }

  gpu.func @tile_f32_32_48_80_nn_through_turned(%a: memref<80x32xf32>, %b: memref<48x80xf32>, %c: memref<32x48xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %s = tile.splat %one : !tile.fragment<32x48xf32, #tile.mma<warps = [2, 2]>>
    %h = tile.load %a[%c0, %c0] along [1, 0] : memref<80x32xf32> -> !tile.fragment<32x80xf32, #tile.blocked<elements = [1, 1], lanes = [8, 4], warps = [2, 2]>>
    %x = tile.convert %h : !tile.fragment<32x80xf32, #tile.blocked<elements = [1, 1], lanes = [8, 4], warps = [2, 2]>> -> !tile.shared<32x80xf32>
    %y = tile.load %b[%c0, %c0] along [1, 0] : memref<48x80xf32> -> !tile.shared<80x48xf32>
    %r = tile.contract %x, %y, %s : !tile.shared<32x80xf32>, !tile.shared<80x48xf32>, !tile.fragment<32x48xf32, #tile.mma<warps = [2, 2]>>
    tile.store %r, %c[%c0, %c0] along [0, 1] : !tile.fragment<32x48xf32, #tile.mma<warps = [2, 2]>>, memref<32x48xf32>
    gpu.return
  }

  gpu.func @tile_f16_128_64_32_nn_shared(%a: memref<128x32xf16>, %b: memref<32x64xf16>, %c: memref<128x64xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %s = tile.splat %one : !tile.fragment<128x64xf32, #tile.mma<warps = [4, 2]>>
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<128x32xf16> -> !tile.shared<128x32xf16>
    %y = tile.load %b[%c0, %c0] along [0, 1] : memref<32x64xf16> -> !tile.shared<32x64xf16>
    %r = tile.contract %x, %y, %s : !tile.shared<128x32xf16>, !tile.shared<32x64xf16>, !tile.fragment<128x64xf32, #tile.mma<warps = [4, 2]>>
    tile.store %r, %c[%c0, %c0] along [0, 1] : !tile.fragment<128x64xf32, #tile.mma<warps = [4, 2]>>, memref<128x64xf32>
    gpu.return
  }

  gpu.func @tile_f16_128_64_32_nt_shared(%a: memref<128x32xf16>, %b: memref<64x32xf16>, %c: memref<128x64xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %s = tile.splat %one : !tile.fragment<128x64xf32, #tile.mma<warps = [4, 2]>>
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<128x32xf16> -> !tile.shared<128x32xf16>
    %y = tile.load %b[%c0, %c0] along [0, 1] : memref<64x32xf16> -> !tile.shared<64x32xf16>
    %r = tile.contract %x, %y, %s transpose_rhs : !tile.shared<128x32xf16>, !tile.shared<64x32xf16>, !tile.fragment<128x64xf32, #tile.mma<warps = [4, 2]>>
    tile.store %r, %c[%c0, %c0] along [0, 1] : !tile.fragment<128x64xf32, #tile.mma<warps = [4, 2]>>, memref<128x64xf32>
    gpu.return
  }

  gpu.func @tile_f16_128_64_32_tn_shared(%a: memref<32x128xf16>, %b: memref<32x64xf16>, %c: memref<128x64xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %s = tile.splat %one : !tile.fragment<128x64xf32, #tile.mma<warps = [4, 2]>>
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<32x128xf16> -> !tile.shared<32x128xf16>
    %y = tile.load %b[%c0, %c0] along [0, 1] : memref<32x64xf16> -> !tile.shared<32x64xf16>
    %r = tile.contract %x, %y, %s transpose_lhs : !tile.shared<32x128xf16>, !tile.shared<32x64xf16>, !tile.fragment<128x64xf32, #tile.mma<warps = [4, 2]>>
    tile.store %r, %c[%c0, %c0] along [0, 1] : !tile.fragment<128x64xf32, #tile.mma<warps = [4, 2]>>, memref<128x64xf32>
    gpu.return
  }

  gpu.func @tile_f16_128_64_32_tt_shared(%a: memref<32x128xf16>, %b: memref<64x32xf16>, %c: memref<128x64xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %s = tile.splat %one : !tile.fragment<128x64xf32, #tile.mma<warps = [4, 2]>>
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<32x128xf16> -> !tile.shared<32x128xf16>
    %y = tile.load %b[%c0, %c0] along [0, 1] : memref<64x32xf16> -> !tile.shared<64x32xf16>
    %r = tile.contract %x, %y, %s transpose_lhs transpose_rhs : !tile.shared<32x128xf16>, !tile.shared<64x32xf16>, !tile.fragment<128x64xf32, #tile.mma<warps = [4, 2]>>
    tile.store %r, %c[%c0, %c0] along [0, 1] : !tile.fragment<128x64xf32, #tile.mma<warps = [4, 2]>>, memref<128x64xf32>
    gpu.return
  }

  gpu.func @tile_f16_128_64_32_tn_shared_turned(%a: memref<128x32xf16>, %b: memref<64x32xf16>, %c: memref<128x64xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %s = tile.splat %one : !tile.fragment<128x64xf32, #tile.mma<warps = [4, 2]>>
    %x = tile.load %a[%c0, %c0] along [1, 0] : memref<128x32xf16> -> !tile.shared<32x128xf16>
    %y = tile.load %b[%c0, %c0] along [1, 0] : memref<64x32xf16> -> !tile.shared<32x64xf16>
    %r = tile.contract %x, %y, %s transpose_lhs : !tile.shared<32x128xf16>, !tile.shared<32x64xf16>, !tile.fragment<128x64xf32, #tile.mma<warps = [4, 2]>>
    tile.store %r, %c[%c0, %c0] along [0, 1] : !tile.fragment<128x64xf32, #tile.mma<warps = [4, 2]>>, memref<128x64xf32>
    gpu.return
  }

  gpu.func @tile_f16_128_64_32_nn_through_turned(%a: memref<32x128xf16>, %b: memref<64x32xf16>, %c: memref<128x64xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %s = tile.splat %one : !tile.fragment<128x64xf32, #tile.mma<warps = [4, 2]>>
    %h = tile.load %a[%c0, %c0] along [1, 0] : memref<32x128xf16> -> !tile.fragment<128x32xf16, #tile.blocked<elements = [1, 1], lanes = [8, 4], warps = [4, 2]>>
    %x = tile.convert %h : !tile.fragment<128x32xf16, #tile.blocked<elements = [1, 1], lanes = [8, 4], warps = [4, 2]>> -> !tile.shared<128x32xf16>
    %y = tile.load %b[%c0, %c0] along [1, 0] : memref<64x32xf16> -> !tile.shared<32x64xf16>
    %r = tile.contract %x, %y, %s : !tile.shared<128x32xf16>, !tile.shared<32x64xf16>, !tile.fragment<128x64xf32, #tile.mma<warps = [4, 2]>>
    tile.store %r, %c[%c0, %c0] along [0, 1] : !tile.fragment<128x64xf32, #tile.mma<warps = [4, 2]>>, memref<128x64xf32>
    gpu.return
  }

  gpu.func @tile_f32_128_64_32_nn_shared(%a: memref<128x32xf32>, %b: memref<32x64xf32>, %c: memref<128x64xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %s = tile.splat %one : !tile.fragment<128x64xf32, #tile.mma<warps = [4, 2]>>
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<128x32xf32> -> !tile.shared<128x32xf32>
    %y = tile.load %b[%c0, %c0] along [0, 1] : memref<32x64xf32> -> !tile.shared<32x64xf32>
    %r = tile.contract %x, %y, %s : !tile.shared<128x32xf32>, !tile.shared<32x64xf32>, !tile.fragment<128x64xf32, #tile.mma<warps = [4, 2]>>
    tile.store %r, %c[%c0, %c0] along [0, 1] : !tile.fragment<128x64xf32, #tile.mma<warps = [4, 2]>>, memref<128x64xf32>
    gpu.return
  }

  gpu.func @tile_f32_128_64_32_nt_shared(%a: memref<128x32xf32>, %b: memref<64x32xf32>, %c: memref<128x64xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %s = tile.splat %one : !tile.fragment<128x64xf32, #tile.mma<warps = [4, 2]>>
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<128x32xf32> -> !tile.shared<128x32xf32>
    %y = tile.load %b[%c0, %c0] along [0, 1] : memref<64x32xf32> -> !tile.shared<64x32xf32>
    %r = tile.contract %x, %y, %s transpose_rhs : !tile.shared<128x32xf32>, !tile.shared<64x32xf32>, !tile.fragment<128x64xf32, #tile.mma<warps = [4, 2]>>
    tile.store %r, %c[%c0, %c0] along [0, 1] : !tile.fragment<128x64xf32, #tile.mma<warps = [4, 2]>>, memref<128x64xf32>
    gpu.return
  }

  gpu.func @tile_f32_128_64_32_tn_shared(%a: memref<32x128xf32>, %b: memref<32x64xf32>, %c: memref<128x64xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %s = tile.splat %one : !tile.fragment<128x64xf32, #tile.mma<warps = [4, 2]>>
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<32x128xf32> -> !tile.shared<32x128xf32>
    %y = tile.load %b[%c0, %c0] along [0, 1] : memref<32x64xf32> -> !tile.shared<32x64xf32>
    %r = tile.contract %x, %y, %s transpose_lhs : !tile.shared<32x128xf32>, !tile.shared<32x64xf32>, !tile.fragment<128x64xf32, #tile.mma<warps = [4, 2]>>
    tile.store %r, %c[%c0, %c0] along [0, 1] : !tile.fragment<128x64xf32, #tile.mma<warps = [4, 2]>>, memref<128x64xf32>
    gpu.return
  }

  gpu.func @tile_f32_128_64_32_tt_shared(%a: memref<32x128xf32>, %b: memref<64x32xf32>, %c: memref<128x64xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %s = tile.splat %one : !tile.fragment<128x64xf32, #tile.mma<warps = [4, 2]>>
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<32x128xf32> -> !tile.shared<32x128xf32>
    %y = tile.load %b[%c0, %c0] along [0, 1] : memref<64x32xf32> -> !tile.shared<64x32xf32>
    %r = tile.contract %x, %y, %s transpose_lhs transpose_rhs : !tile.shared<32x128xf32>, !tile.shared<64x32xf32>, !tile.fragment<128x64xf32, #tile.mma<warps = [4, 2]>>
    tile.store %r, %c[%c0, %c0] along [0, 1] : !tile.fragment<128x64xf32, #tile.mma<warps = [4, 2]>>, memref<128x64xf32>
    gpu.return
  }

  gpu.func @tile_f32_128_64_32_tn_shared_turned(%a: memref<128x32xf32>, %b: memref<64x32xf32>, %c: memref<128x64xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %s = tile.splat %one : !tile.fragment<128x64xf32, #tile.mma<warps = [4, 2]>>
    %x = tile.load %a[%c0, %c0] along [1, 0] : memref<128x32xf32> -> !tile.shared<32x128xf32>
    %y = tile.load %b[%c0, %c0] along [1, 0] : memref<64x32xf32> -> !tile.shared<32x64xf32>
    %r = tile.contract %x, %y, %s transpose_lhs : !tile.shared<32x128xf32>, !tile.shared<32x64xf32>, !tile.fragment<128x64xf32, #tile.mma<warps = [4, 2]>>
    tile.store %r, %c[%c0, %c0] along [0, 1] : !tile.fragment<128x64xf32, #tile.mma<warps = [4, 2]>>, memref<128x64xf32>
    gpu.return
  }

  gpu.func @tile_f32_128_64_32_nn_through_turned(%a: memref<32x128xf32>, %b: memref<64x32xf32>, %c: memref<128x64xf32>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %s = tile.splat %one : !tile.fragment<128x64xf32, #tile.mma<warps = [4, 2]>>
    %h = tile.load %a[%c0, %c0] along [1, 0] : memref<32x128xf32> -> !tile.fragment<128x32xf32, #tile.blocked<elements = [1, 1], lanes = [8, 4], warps = [4, 2]>>
    %x = tile.convert %h : !tile.fragment<128x32xf32, #tile.blocked<elements = [1, 1], lanes = [8, 4], warps = [4, 2]>> -> !tile.shared<128x32xf32>
    %y = tile.load %b[%c0, %c0] along [1, 0] : memref<64x32xf32> -> !tile.shared<32x64xf32>
    %r = tile.contract %x, %y, %s : !tile.shared<128x32xf32>, !tile.shared<32x64xf32>, !tile.fragment<128x64xf32, #tile.mma<warps = [4, 2]>>
    tile.store %r, %c[%c0, %c0] along [0, 1] : !tile.fragment<128x64xf32, #tile.mma<warps = [4, 2]>>, memref<128x64xf32>
    gpu.return
  }

  gpu.func @tile_f16_16_96_112_nn_shared(%a: memref<16x112xf16>, %b: memref<112x96xf16>, %c: memref<16x96xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %s = tile.splat %one : !tile.fragment<16x96xf32, #tile.mma<warps = [1, 4]>>
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<16x112xf16> -> !tile.shared<16x112xf16>
    %y = tile.load %b[%c0, %c0] along [0, 1] : memref<112x96xf16> -> !tile.shared<112x96xf16>
    %r = tile.contract %x, %y, %s : !tile.shared<16x112xf16>, !tile.shared<112x96xf16>, !tile.fragment<16x96xf32, #tile.mma<warps = [1, 4]>>
    tile.store %r, %c[%c0, %c0] along [0, 1] : !tile.fragment<16x96xf32, #tile.mma<warps = [1, 4]>>, memref<16x96xf32>
    gpu.return
  }

  gpu.func @tile_f16_16_96_112_nt_shared(%a: memref<16x112xf16>, %b: memref<96x112xf16>, %c: memref<16x96xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %s = tile.splat %one : !tile.fragment<16x96xf32, #tile.mma<warps = [1, 4]>>
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<16x112xf16> -> !tile.shared<16x112xf16>
    %y = tile.load %b[%c0, %c0] along [0, 1] : memref<96x112xf16> -> !tile.shared<96x112xf16>
    %r = tile.contract %x, %y, %s transpose_rhs : !tile.shared<16x112xf16>, !tile.shared<96x112xf16>, !tile.fragment<16x96xf32, #tile.mma<warps = [1, 4]>>
    tile.store %r, %c[%c0, %c0] along [0, 1] : !tile.fragment<16x96xf32, #tile.mma<warps = [1, 4]>>, memref<16x96xf32>
    gpu.return
  }

  gpu.func @tile_f16_16_96_112_tn_shared(%a: memref<112x16xf16>, %b: memref<112x96xf16>, %c: memref<16x96xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %s = tile.splat %one : !tile.fragment<16x96xf32, #tile.mma<warps = [1, 4]>>
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<112x16xf16> -> !tile.shared<112x16xf16>
    %y = tile.load %b[%c0, %c0] along [0, 1] : memref<112x96xf16> -> !tile.shared<112x96xf16>
    %r = tile.contract %x, %y, %s transpose_lhs : !tile.shared<112x16xf16>, !tile.shared<112x96xf16>, !tile.fragment<16x96xf32, #tile.mma<warps = [1, 4]>>
    tile.store %r, %c[%c0, %c0] along [0, 1] : !tile.fragment<16x96xf32, #tile.mma<warps = [1, 4]>>, memref<16x96xf32>
    gpu.return
  }

  gpu.func @tile_f16_16_96_112_tt_shared(%a: memref<112x16xf16>, %b: memref<96x112xf16>, %c: memref<16x96xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %s = tile.splat %one : !tile.fragment<16x96xf32, #tile.mma<warps = [1, 4]>>
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<112x16xf16> -> !tile.shared<112x16xf16>
    %y = tile.load %b[%c0, %c0] along [0, 1] : memref<96x112xf16> -> !tile.shared<96x112xf16>
    %r = tile.contract %x, %y, %s transpose_lhs transpose_rhs : !tile.shared<112x16xf16>, !tile.shared<96x112xf16>, !tile.fragment<16x96xf32, #tile.mma<warps = [1, 4]>>
    tile.store %r, %c[%c0, %c0] along [0, 1] : !tile.fragment<16x96xf32, #tile.mma<warps = [1, 4]>>, memref<16x96xf32>
    gpu.return
  }

  gpu.func @tile_f16_16_96_112_tn_shared_turned(%a: memref<16x112xf16>, %b: memref<96x112xf16>, %c: memref<16x96xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %s = tile.splat %one : !tile.fragment<16x96xf32, #tile.mma<warps = [1, 4]>>
    %x = tile.load %a[%c0, %c0] along [1, 0] : memref<16x112xf16> -> !tile.shared<112x16xf16>
    %y = tile.load %b[%c0, %c0] along [1, 0] : memref<96x112xf16> -> !tile.shared<112x96xf16>
    %r = tile.contract %x, %y, %s transpose_lhs : !tile.shared<112x16xf16>, !tile.shared<112x96xf16>, !tile.fragment<16x96xf32, #tile.mma<warps = [1, 4]>>
    tile.store %r, %c[%c0, %c0] along [0, 1] : !tile.fragment<16x96xf32, #tile.mma<warps = [1, 4]>>, memref<16x96xf32>
    gpu.return
  }

  gpu.func @tile_f16_16_96_112_nn_through_turned(%a: memref<112x16xf16>, %b: memref<96x112xf16>, %c: memref<16x96xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %s = tile.splat %one : !tile.fragment<16x96xf32, #tile.mma<warps = [1, 4]>>
    %h = tile.load %a[%c0, %c0] along [1, 0] : memref<112x16xf16> -> !tile.fragment<16x112xf16, #tile.blocked<elements = [1, 1], lanes = [8, 4], warps = [1, 4]>>
    %x = tile.convert %h : !tile.fragment<16x112xf16, #tile.blocked<elements = [1, 1], lanes = [8, 4], warps = [1, 4]>> -> !tile.shared<16x112xf16>
    %y = tile.load %b[%c0, %c0] along [1, 0] : memref<96x112xf16> -> !tile.shared<112x96xf16>
    %r = tile.contract %x, %y, %s : !tile.shared<16x112xf16>, !tile.shared<112x96xf16>, !tile.fragment<16x96xf32, #tile.mma<warps = [1, 4]>>
    tile.store %r, %c[%c0, %c0] along [0, 1] : !tile.fragment<16x96xf32, #tile.mma<warps = [1, 4]>>, memref<16x96xf32>
    gpu.return
  }

  gpu.func @tile_f32_16_96_112_nn_shared(%a: memref<16x112xf32>, %b: memref<112x96xf32>, %c: memref<16x96xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %s = tile.splat %one : !tile.fragment<16x96xf32, #tile.mma<warps = [1, 4]>>
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<16x112xf32> -> !tile.shared<16x112xf32>
    %y = tile.load %b[%c0, %c0] along [0, 1] : memref<112x96xf32> -> !tile.shared<112x96xf32>
    %r = tile.contract %x, %y, %s : !tile.shared<16x112xf32>, !tile.shared<112x96xf32>, !tile.fragment<16x96xf32, #tile.mma<warps = [1, 4]>>
    tile.store %r, %c[%c0, %c0] along [0, 1] : !tile.fragment<16x96xf32, #tile.mma<warps = [1, 4]>>, memref<16x96xf32>
    gpu.return
  }

  gpu.func @tile_f32_16_96_112_nt_shared(%a: memref<16x112xf32>, %b: memref<96x112xf32>, %c: memref<16x96xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %s = tile.splat %one : !tile.fragment<16x96xf32, #tile.mma<warps = [1, 4]>>
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<16x112xf32> -> !tile.shared<16x112xf32>
    %y = tile.load %b[%c0, %c0] along [0, 1] : memref<96x112xf32> -> !tile.shared<96x112xf32>
    %r = tile.contract %x, %y, %s transpose_rhs : !tile.shared<16x112xf32>, !tile.shared<96x112xf32>, !tile.fragment<16x96xf32, #tile.mma<warps = [1, 4]>>
    tile.store %r, %c[%c0, %c0] along [0, 1] : !tile.fragment<16x96xf32, #tile.mma<warps = [1, 4]>>, memref<16x96xf32>
    gpu.return
  }

  gpu.func @tile_f32_16_96_112_tn_shared(%a: memref<112x16xf32>, %b: memref<112x96xf32>, %c: memref<16x96xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %s = tile.splat %one : !tile.fragment<16x96xf32, #tile.mma<warps = [1, 4]>>
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<112x16xf32> -> !tile.shared<112x16xf32>
    %y = tile.load %b[%c0, %c0] along [0, 1] : memref<112x96xf32> -> !tile.shared<112x96xf32>
    %r = tile.contract %x, %y, %s transpose_lhs : !tile.shared<112x16xf32>, !tile.shared<112x96xf32>, !tile.fragment<16x96xf32, #tile.mma<warps = [1, 4]>>
    tile.store %r, %c[%c0, %c0] along [0, 1] : !tile.fragment<16x96xf32, #tile.mma<warps = [1, 4]>>, memref<16x96xf32>
    gpu.return
  }

  gpu.func @tile_f32_16_96_112_tt_shared(%a: memref<112x16xf32>, %b: memref<96x112xf32>, %c: memref<16x96xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %s = tile.splat %one : !tile.fragment<16x96xf32, #tile.mma<warps = [1, 4]>>
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<112x16xf32> -> !tile.shared<112x16xf32>
    %y = tile.load %b[%c0, %c0] along [0, 1] : memref<96x112xf32> -> !tile.shared<96x112xf32>
    %r = tile.contract %x, %y, %s transpose_lhs transpose_rhs : !tile.shared<112x16xf32>, !tile.shared<96x112xf32>, !tile.fragment<16x96xf32, #tile.mma<warps = [1, 4]>>
    tile.store %r, %c[%c0, %c0] along [0, 1] : !tile.fragment<16x96xf32, #tile.mma<warps = [1, 4]>>, memref<16x96xf32>
    gpu.return
  }

  gpu.func @tile_f32_16_96_112_tn_shared_turned(%a: memref<16x112xf32>, %b: memref<96x112xf32>, %c: memref<16x96xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %s = tile.splat %one : !tile.fragment<16x96xf32, #tile.mma<warps = [1, 4]>>
    %x = tile.load %a[%c0, %c0] along [1, 0] : memref<16x112xf32> -> !tile.shared<112x16xf32>
    %y = tile.load %b[%c0, %c0] along [1, 0] : memref<96x112xf32> -> !tile.shared<112x96xf32>
    %r = tile.contract %x, %y, %s transpose_lhs : !tile.shared<112x16xf32>, !tile.shared<112x96xf32>, !tile.fragment<16x96xf32, #tile.mma<warps = [1, 4]>>
    tile.store %r, %c[%c0, %c0] along [0, 1] : !tile.fragment<16x96xf32, #tile.mma<warps = [1, 4]>>, memref<16x96xf32>
    gpu.return
  }

  gpu.func @tile_f32_16_96_112_nn_through_turned(%a: memref<112x16xf32>, %b: memref<96x112xf32>, %c: memref<16x96xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1.0 : f32
    %s = tile.splat %one : !tile.fragment<16x96xf32, #tile.mma<warps = [1, 4]>>
    %h = tile.load %a[%c0, %c0] along [1, 0] : memref<112x16xf32> -> !tile.fragment<16x112xf32, #tile.blocked<elements = [1, 1], lanes = [8, 4], warps = [1, 4]>>
    %x = tile.convert %h : !tile.fragment<16x112xf32, #tile.blocked<elements = [1, 1], lanes = [8, 4], warps = [1, 4]>> -> !tile.shared<16x112xf32>
    %y = tile.load %b[%c0, %c0] along [1, 0] : memref<96x112xf32> -> !tile.shared<112x96xf32>
    %r = tile.contract %x, %y, %s : !tile.shared<16x112xf32>, !tile.shared<112x96xf32>, !tile.fragment<16x96xf32, #tile.mma<warps = [1, 4]>>
    tile.store %r, %c[%c0, %c0] along [0, 1] : !tile.fragment<16x96xf32, #tile.mma<warps = [1, 4]>>, memref<16x96xf32>
    gpu.return
  }

  gpu.func @convert_f16_0_1(%a: memref<64x64xf16>, %b: memref<64x64xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<64x64xf16> -> !tile.fragment<64x64xf16, #tile.mma<warps = [4, 1]>>
    %y = tile.convert %x : !tile.fragment<64x64xf16, #tile.mma<warps = [4, 1]>> -> !tile.fragment<64x64xf16, #tile.mma<warps = [2, 2]>>
    tile.store %y, %b[%c0, %c0] along [0, 1] : !tile.fragment<64x64xf16, #tile.mma<warps = [2, 2]>>, memref<64x64xf16>
    gpu.return
  }

  gpu.func @convert_f16_0_2(%a: memref<64x64xf16>, %b: memref<64x64xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<64x64xf16> -> !tile.fragment<64x64xf16, #tile.mma<warps = [4, 1]>>
    %y = tile.convert %x : !tile.fragment<64x64xf16, #tile.mma<warps = [4, 1]>> -> !tile.fragment<64x64xf16, #tile.blocked<elements = [1, 8], lanes = [8, 4], warps = [4, 1]>>
    tile.store %y, %b[%c0, %c0] along [0, 1] : !tile.fragment<64x64xf16, #tile.blocked<elements = [1, 8], lanes = [8, 4], warps = [4, 1]>>, memref<64x64xf16>
    gpu.return
  }

  gpu.func @convert_f16_0_3(%a: memref<64x64xf16>, %b: memref<64x64xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<64x64xf16> -> !tile.fragment<64x64xf16, #tile.mma<warps = [4, 1]>>
    %y = tile.convert %x : !tile.fragment<64x64xf16, #tile.mma<warps = [4, 1]>> -> !tile.fragment<64x64xf16, #tile.blocked<elements = [2, 2], lanes = [4, 8], warps = [1, 4]>>
    tile.store %y, %b[%c0, %c0] along [0, 1] : !tile.fragment<64x64xf16, #tile.blocked<elements = [2, 2], lanes = [4, 8], warps = [1, 4]>>, memref<64x64xf16>
    gpu.return
  }

  gpu.func @convert_f16_1_0(%a: memref<64x64xf16>, %b: memref<64x64xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<64x64xf16> -> !tile.fragment<64x64xf16, #tile.mma<warps = [2, 2]>>
    %y = tile.convert %x : !tile.fragment<64x64xf16, #tile.mma<warps = [2, 2]>> -> !tile.fragment<64x64xf16, #tile.mma<warps = [4, 1]>>
    tile.store %y, %b[%c0, %c0] along [0, 1] : !tile.fragment<64x64xf16, #tile.mma<warps = [4, 1]>>, memref<64x64xf16>
    gpu.return
  }

  gpu.func @convert_f16_1_2(%a: memref<64x64xf16>, %b: memref<64x64xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<64x64xf16> -> !tile.fragment<64x64xf16, #tile.mma<warps = [2, 2]>>
    %y = tile.convert %x : !tile.fragment<64x64xf16, #tile.mma<warps = [2, 2]>> -> !tile.fragment<64x64xf16, #tile.blocked<elements = [1, 8], lanes = [8, 4], warps = [4, 1]>>
    tile.store %y, %b[%c0, %c0] along [0, 1] : !tile.fragment<64x64xf16, #tile.blocked<elements = [1, 8], lanes = [8, 4], warps = [4, 1]>>, memref<64x64xf16>
    gpu.return
  }

  gpu.func @convert_f16_1_3(%a: memref<64x64xf16>, %b: memref<64x64xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<64x64xf16> -> !tile.fragment<64x64xf16, #tile.mma<warps = [2, 2]>>
    %y = tile.convert %x : !tile.fragment<64x64xf16, #tile.mma<warps = [2, 2]>> -> !tile.fragment<64x64xf16, #tile.blocked<elements = [2, 2], lanes = [4, 8], warps = [1, 4]>>
    tile.store %y, %b[%c0, %c0] along [0, 1] : !tile.fragment<64x64xf16, #tile.blocked<elements = [2, 2], lanes = [4, 8], warps = [1, 4]>>, memref<64x64xf16>
    gpu.return
  }

  gpu.func @convert_f16_2_0(%a: memref<64x64xf16>, %b: memref<64x64xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<64x64xf16> -> !tile.fragment<64x64xf16, #tile.blocked<elements = [1, 8], lanes = [8, 4], warps = [4, 1]>>
    %y = tile.convert %x : !tile.fragment<64x64xf16, #tile.blocked<elements = [1, 8], lanes = [8, 4], warps = [4, 1]>> -> !tile.fragment<64x64xf16, #tile.mma<warps = [4, 1]>>
    tile.store %y, %b[%c0, %c0] along [0, 1] : !tile.fragment<64x64xf16, #tile.mma<warps = [4, 1]>>, memref<64x64xf16>
    gpu.return
  }

  gpu.func @convert_f16_2_1(%a: memref<64x64xf16>, %b: memref<64x64xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<64x64xf16> -> !tile.fragment<64x64xf16, #tile.blocked<elements = [1, 8], lanes = [8, 4], warps = [4, 1]>>
    %y = tile.convert %x : !tile.fragment<64x64xf16, #tile.blocked<elements = [1, 8], lanes = [8, 4], warps = [4, 1]>> -> !tile.fragment<64x64xf16, #tile.mma<warps = [2, 2]>>
    tile.store %y, %b[%c0, %c0] along [0, 1] : !tile.fragment<64x64xf16, #tile.mma<warps = [2, 2]>>, memref<64x64xf16>
    gpu.return
  }

  gpu.func @convert_f16_2_3(%a: memref<64x64xf16>, %b: memref<64x64xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<64x64xf16> -> !tile.fragment<64x64xf16, #tile.blocked<elements = [1, 8], lanes = [8, 4], warps = [4, 1]>>
    %y = tile.convert %x : !tile.fragment<64x64xf16, #tile.blocked<elements = [1, 8], lanes = [8, 4], warps = [4, 1]>> -> !tile.fragment<64x64xf16, #tile.blocked<elements = [2, 2], lanes = [4, 8], warps = [1, 4]>>
    tile.store %y, %b[%c0, %c0] along [0, 1] : !tile.fragment<64x64xf16, #tile.blocked<elements = [2, 2], lanes = [4, 8], warps = [1, 4]>>, memref<64x64xf16>
    gpu.return
  }

  gpu.func @convert_f16_3_0(%a: memref<64x64xf16>, %b: memref<64x64xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<64x64xf16> -> !tile.fragment<64x64xf16, #tile.blocked<elements = [2, 2], lanes = [4, 8], warps = [1, 4]>>
    %y = tile.convert %x : !tile.fragment<64x64xf16, #tile.blocked<elements = [2, 2], lanes = [4, 8], warps = [1, 4]>> -> !tile.fragment<64x64xf16, #tile.mma<warps = [4, 1]>>
    tile.store %y, %b[%c0, %c0] along [0, 1] : !tile.fragment<64x64xf16, #tile.mma<warps = [4, 1]>>, memref<64x64xf16>
    gpu.return
  }

  gpu.func @convert_f16_3_1(%a: memref<64x64xf16>, %b: memref<64x64xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<64x64xf16> -> !tile.fragment<64x64xf16, #tile.blocked<elements = [2, 2], lanes = [4, 8], warps = [1, 4]>>
    %y = tile.convert %x : !tile.fragment<64x64xf16, #tile.blocked<elements = [2, 2], lanes = [4, 8], warps = [1, 4]>> -> !tile.fragment<64x64xf16, #tile.mma<warps = [2, 2]>>
    tile.store %y, %b[%c0, %c0] along [0, 1] : !tile.fragment<64x64xf16, #tile.mma<warps = [2, 2]>>, memref<64x64xf16>
    gpu.return
  }

  gpu.func @convert_f16_3_2(%a: memref<64x64xf16>, %b: memref<64x64xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<64x64xf16> -> !tile.fragment<64x64xf16, #tile.blocked<elements = [2, 2], lanes = [4, 8], warps = [1, 4]>>
    %y = tile.convert %x : !tile.fragment<64x64xf16, #tile.blocked<elements = [2, 2], lanes = [4, 8], warps = [1, 4]>> -> !tile.fragment<64x64xf16, #tile.blocked<elements = [1, 8], lanes = [8, 4], warps = [4, 1]>>
    tile.store %y, %b[%c0, %c0] along [0, 1] : !tile.fragment<64x64xf16, #tile.blocked<elements = [1, 8], lanes = [8, 4], warps = [4, 1]>>, memref<64x64xf16>
    gpu.return
  }

  gpu.func @convert_f32_0_1(%a: memref<64x64xf32>, %b: memref<64x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<64x64xf32> -> !tile.fragment<64x64xf32, #tile.mma<warps = [4, 1]>>
    %y = tile.convert %x : !tile.fragment<64x64xf32, #tile.mma<warps = [4, 1]>> -> !tile.fragment<64x64xf32, #tile.mma<warps = [2, 2]>>
    tile.store %y, %b[%c0, %c0] along [0, 1] : !tile.fragment<64x64xf32, #tile.mma<warps = [2, 2]>>, memref<64x64xf32>
    gpu.return
  }

  gpu.func @convert_f32_0_2(%a: memref<64x64xf32>, %b: memref<64x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<64x64xf32> -> !tile.fragment<64x64xf32, #tile.mma<warps = [4, 1]>>
    %y = tile.convert %x : !tile.fragment<64x64xf32, #tile.mma<warps = [4, 1]>> -> !tile.fragment<64x64xf32, #tile.blocked<elements = [1, 8], lanes = [8, 4], warps = [4, 1]>>
    tile.store %y, %b[%c0, %c0] along [0, 1] : !tile.fragment<64x64xf32, #tile.blocked<elements = [1, 8], lanes = [8, 4], warps = [4, 1]>>, memref<64x64xf32>
    gpu.return
  }

  gpu.func @convert_f32_0_3(%a: memref<64x64xf32>, %b: memref<64x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<64x64xf32> -> !tile.fragment<64x64xf32, #tile.mma<warps = [4, 1]>>
    %y = tile.convert %x : !tile.fragment<64x64xf32, #tile.mma<warps = [4, 1]>> -> !tile.fragment<64x64xf32, #tile.blocked<elements = [2, 2], lanes = [4, 8], warps = [1, 4]>>
    tile.store %y, %b[%c0, %c0] along [0, 1] : !tile.fragment<64x64xf32, #tile.blocked<elements = [2, 2], lanes = [4, 8], warps = [1, 4]>>, memref<64x64xf32>
    gpu.return
  }

  gpu.func @convert_f32_1_0(%a: memref<64x64xf32>, %b: memref<64x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<64x64xf32> -> !tile.fragment<64x64xf32, #tile.mma<warps = [2, 2]>>
    %y = tile.convert %x : !tile.fragment<64x64xf32, #tile.mma<warps = [2, 2]>> -> !tile.fragment<64x64xf32, #tile.mma<warps = [4, 1]>>
    tile.store %y, %b[%c0, %c0] along [0, 1] : !tile.fragment<64x64xf32, #tile.mma<warps = [4, 1]>>, memref<64x64xf32>
    gpu.return
  }

  gpu.func @convert_f32_1_2(%a: memref<64x64xf32>, %b: memref<64x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<64x64xf32> -> !tile.fragment<64x64xf32, #tile.mma<warps = [2, 2]>>
    %y = tile.convert %x : !tile.fragment<64x64xf32, #tile.mma<warps = [2, 2]>> -> !tile.fragment<64x64xf32, #tile.blocked<elements = [1, 8], lanes = [8, 4], warps = [4, 1]>>
    tile.store %y, %b[%c0, %c0] along [0, 1] : !tile.fragment<64x64xf32, #tile.blocked<elements = [1, 8], lanes = [8, 4], warps = [4, 1]>>, memref<64x64xf32>
    gpu.return
  }

  gpu.func @convert_f32_1_3(%a: memref<64x64xf32>, %b: memref<64x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<64x64xf32> -> !tile.fragment<64x64xf32, #tile.mma<warps = [2, 2]>>
    %y = tile.convert %x : !tile.fragment<64x64xf32, #tile.mma<warps = [2, 2]>> -> !tile.fragment<64x64xf32, #tile.blocked<elements = [2, 2], lanes = [4, 8], warps = [1, 4]>>
    tile.store %y, %b[%c0, %c0] along [0, 1] : !tile.fragment<64x64xf32, #tile.blocked<elements = [2, 2], lanes = [4, 8], warps = [1, 4]>>, memref<64x64xf32>
    gpu.return
  }

  gpu.func @convert_f32_2_0(%a: memref<64x64xf32>, %b: memref<64x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<64x64xf32> -> !tile.fragment<64x64xf32, #tile.blocked<elements = [1, 8], lanes = [8, 4], warps = [4, 1]>>
    %y = tile.convert %x : !tile.fragment<64x64xf32, #tile.blocked<elements = [1, 8], lanes = [8, 4], warps = [4, 1]>> -> !tile.fragment<64x64xf32, #tile.mma<warps = [4, 1]>>
    tile.store %y, %b[%c0, %c0] along [0, 1] : !tile.fragment<64x64xf32, #tile.mma<warps = [4, 1]>>, memref<64x64xf32>
    gpu.return
  }

  gpu.func @convert_f32_2_1(%a: memref<64x64xf32>, %b: memref<64x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<64x64xf32> -> !tile.fragment<64x64xf32, #tile.blocked<elements = [1, 8], lanes = [8, 4], warps = [4, 1]>>
    %y = tile.convert %x : !tile.fragment<64x64xf32, #tile.blocked<elements = [1, 8], lanes = [8, 4], warps = [4, 1]>> -> !tile.fragment<64x64xf32, #tile.mma<warps = [2, 2]>>
    tile.store %y, %b[%c0, %c0] along [0, 1] : !tile.fragment<64x64xf32, #tile.mma<warps = [2, 2]>>, memref<64x64xf32>
    gpu.return
  }

  gpu.func @convert_f32_2_3(%a: memref<64x64xf32>, %b: memref<64x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<64x64xf32> -> !tile.fragment<64x64xf32, #tile.blocked<elements = [1, 8], lanes = [8, 4], warps = [4, 1]>>
    %y = tile.convert %x : !tile.fragment<64x64xf32, #tile.blocked<elements = [1, 8], lanes = [8, 4], warps = [4, 1]>> -> !tile.fragment<64x64xf32, #tile.blocked<elements = [2, 2], lanes = [4, 8], warps = [1, 4]>>
    tile.store %y, %b[%c0, %c0] along [0, 1] : !tile.fragment<64x64xf32, #tile.blocked<elements = [2, 2], lanes = [4, 8], warps = [1, 4]>>, memref<64x64xf32>
    gpu.return
  }

  gpu.func @convert_f32_3_0(%a: memref<64x64xf32>, %b: memref<64x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<64x64xf32> -> !tile.fragment<64x64xf32, #tile.blocked<elements = [2, 2], lanes = [4, 8], warps = [1, 4]>>
    %y = tile.convert %x : !tile.fragment<64x64xf32, #tile.blocked<elements = [2, 2], lanes = [4, 8], warps = [1, 4]>> -> !tile.fragment<64x64xf32, #tile.mma<warps = [4, 1]>>
    tile.store %y, %b[%c0, %c0] along [0, 1] : !tile.fragment<64x64xf32, #tile.mma<warps = [4, 1]>>, memref<64x64xf32>
    gpu.return
  }

  gpu.func @convert_f32_3_1(%a: memref<64x64xf32>, %b: memref<64x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<64x64xf32> -> !tile.fragment<64x64xf32, #tile.blocked<elements = [2, 2], lanes = [4, 8], warps = [1, 4]>>
    %y = tile.convert %x : !tile.fragment<64x64xf32, #tile.blocked<elements = [2, 2], lanes = [4, 8], warps = [1, 4]>> -> !tile.fragment<64x64xf32, #tile.mma<warps = [2, 2]>>
    tile.store %y, %b[%c0, %c0] along [0, 1] : !tile.fragment<64x64xf32, #tile.mma<warps = [2, 2]>>, memref<64x64xf32>
    gpu.return
  }

  gpu.func @convert_f32_3_2(%a: memref<64x64xf32>, %b: memref<64x64xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<64x64xf32> -> !tile.fragment<64x64xf32, #tile.blocked<elements = [2, 2], lanes = [4, 8], warps = [1, 4]>>
    %y = tile.convert %x : !tile.fragment<64x64xf32, #tile.blocked<elements = [2, 2], lanes = [4, 8], warps = [1, 4]>> -> !tile.fragment<64x64xf32, #tile.blocked<elements = [1, 8], lanes = [8, 4], warps = [4, 1]>>
    tile.store %y, %b[%c0, %c0] along [0, 1] : !tile.fragment<64x64xf32, #tile.blocked<elements = [1, 8], lanes = [8, 4], warps = [4, 1]>>, memref<64x64xf32>
    gpu.return
  }

  gpu.func @convert_i1_0_1(%a: memref<64x64xi1>, %b: memref<64x64xi1>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<64x64xi1> -> !tile.fragment<64x64xi1, #tile.mma<warps = [4, 1]>>
    %y = tile.convert %x : !tile.fragment<64x64xi1, #tile.mma<warps = [4, 1]>> -> !tile.fragment<64x64xi1, #tile.mma<warps = [2, 2]>>
    tile.store %y, %b[%c0, %c0] along [0, 1] : !tile.fragment<64x64xi1, #tile.mma<warps = [2, 2]>>, memref<64x64xi1>
    gpu.return
  }

  gpu.func @convert_i1_0_2(%a: memref<64x64xi1>, %b: memref<64x64xi1>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<64x64xi1> -> !tile.fragment<64x64xi1, #tile.mma<warps = [4, 1]>>
    %y = tile.convert %x : !tile.fragment<64x64xi1, #tile.mma<warps = [4, 1]>> -> !tile.fragment<64x64xi1, #tile.blocked<elements = [1, 8], lanes = [8, 4], warps = [4, 1]>>
    tile.store %y, %b[%c0, %c0] along [0, 1] : !tile.fragment<64x64xi1, #tile.blocked<elements = [1, 8], lanes = [8, 4], warps = [4, 1]>>, memref<64x64xi1>
    gpu.return
  }

  gpu.func @convert_i1_0_3(%a: memref<64x64xi1>, %b: memref<64x64xi1>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<64x64xi1> -> !tile.fragment<64x64xi1, #tile.mma<warps = [4, 1]>>
    %y = tile.convert %x : !tile.fragment<64x64xi1, #tile.mma<warps = [4, 1]>> -> !tile.fragment<64x64xi1, #tile.blocked<elements = [2, 2], lanes = [4, 8], warps = [1, 4]>>
    tile.store %y, %b[%c0, %c0] along [0, 1] : !tile.fragment<64x64xi1, #tile.blocked<elements = [2, 2], lanes = [4, 8], warps = [1, 4]>>, memref<64x64xi1>
    gpu.return
  }

  gpu.func @convert_i1_1_0(%a: memref<64x64xi1>, %b: memref<64x64xi1>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<64x64xi1> -> !tile.fragment<64x64xi1, #tile.mma<warps = [2, 2]>>
    %y = tile.convert %x : !tile.fragment<64x64xi1, #tile.mma<warps = [2, 2]>> -> !tile.fragment<64x64xi1, #tile.mma<warps = [4, 1]>>
    tile.store %y, %b[%c0, %c0] along [0, 1] : !tile.fragment<64x64xi1, #tile.mma<warps = [4, 1]>>, memref<64x64xi1>
    gpu.return
  }

  gpu.func @convert_i1_1_2(%a: memref<64x64xi1>, %b: memref<64x64xi1>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<64x64xi1> -> !tile.fragment<64x64xi1, #tile.mma<warps = [2, 2]>>
    %y = tile.convert %x : !tile.fragment<64x64xi1, #tile.mma<warps = [2, 2]>> -> !tile.fragment<64x64xi1, #tile.blocked<elements = [1, 8], lanes = [8, 4], warps = [4, 1]>>
    tile.store %y, %b[%c0, %c0] along [0, 1] : !tile.fragment<64x64xi1, #tile.blocked<elements = [1, 8], lanes = [8, 4], warps = [4, 1]>>, memref<64x64xi1>
    gpu.return
  }

  gpu.func @convert_i1_1_3(%a: memref<64x64xi1>, %b: memref<64x64xi1>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<64x64xi1> -> !tile.fragment<64x64xi1, #tile.mma<warps = [2, 2]>>
    %y = tile.convert %x : !tile.fragment<64x64xi1, #tile.mma<warps = [2, 2]>> -> !tile.fragment<64x64xi1, #tile.blocked<elements = [2, 2], lanes = [4, 8], warps = [1, 4]>>
    tile.store %y, %b[%c0, %c0] along [0, 1] : !tile.fragment<64x64xi1, #tile.blocked<elements = [2, 2], lanes = [4, 8], warps = [1, 4]>>, memref<64x64xi1>
    gpu.return
  }

  gpu.func @convert_i1_2_0(%a: memref<64x64xi1>, %b: memref<64x64xi1>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<64x64xi1> -> !tile.fragment<64x64xi1, #tile.blocked<elements = [1, 8], lanes = [8, 4], warps = [4, 1]>>
    %y = tile.convert %x : !tile.fragment<64x64xi1, #tile.blocked<elements = [1, 8], lanes = [8, 4], warps = [4, 1]>> -> !tile.fragment<64x64xi1, #tile.mma<warps = [4, 1]>>
    tile.store %y, %b[%c0, %c0] along [0, 1] : !tile.fragment<64x64xi1, #tile.mma<warps = [4, 1]>>, memref<64x64xi1>
    gpu.return
  }

  gpu.func @convert_i1_2_1(%a: memref<64x64xi1>, %b: memref<64x64xi1>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<64x64xi1> -> !tile.fragment<64x64xi1, #tile.blocked<elements = [1, 8], lanes = [8, 4], warps = [4, 1]>>
    %y = tile.convert %x : !tile.fragment<64x64xi1, #tile.blocked<elements = [1, 8], lanes = [8, 4], warps = [4, 1]>> -> !tile.fragment<64x64xi1, #tile.mma<warps = [2, 2]>>
    tile.store %y, %b[%c0, %c0] along [0, 1] : !tile.fragment<64x64xi1, #tile.mma<warps = [2, 2]>>, memref<64x64xi1>
    gpu.return
  }

  gpu.func @convert_i1_2_3(%a: memref<64x64xi1>, %b: memref<64x64xi1>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<64x64xi1> -> !tile.fragment<64x64xi1, #tile.blocked<elements = [1, 8], lanes = [8, 4], warps = [4, 1]>>
    %y = tile.convert %x : !tile.fragment<64x64xi1, #tile.blocked<elements = [1, 8], lanes = [8, 4], warps = [4, 1]>> -> !tile.fragment<64x64xi1, #tile.blocked<elements = [2, 2], lanes = [4, 8], warps = [1, 4]>>
    tile.store %y, %b[%c0, %c0] along [0, 1] : !tile.fragment<64x64xi1, #tile.blocked<elements = [2, 2], lanes = [4, 8], warps = [1, 4]>>, memref<64x64xi1>
    gpu.return
  }

  gpu.func @convert_i1_3_0(%a: memref<64x64xi1>, %b: memref<64x64xi1>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<64x64xi1> -> !tile.fragment<64x64xi1, #tile.blocked<elements = [2, 2], lanes = [4, 8], warps = [1, 4]>>
    %y = tile.convert %x : !tile.fragment<64x64xi1, #tile.blocked<elements = [2, 2], lanes = [4, 8], warps = [1, 4]>> -> !tile.fragment<64x64xi1, #tile.mma<warps = [4, 1]>>
    tile.store %y, %b[%c0, %c0] along [0, 1] : !tile.fragment<64x64xi1, #tile.mma<warps = [4, 1]>>, memref<64x64xi1>
    gpu.return
  }

  gpu.func @convert_i1_3_1(%a: memref<64x64xi1>, %b: memref<64x64xi1>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<64x64xi1> -> !tile.fragment<64x64xi1, #tile.blocked<elements = [2, 2], lanes = [4, 8], warps = [1, 4]>>
    %y = tile.convert %x : !tile.fragment<64x64xi1, #tile.blocked<elements = [2, 2], lanes = [4, 8], warps = [1, 4]>> -> !tile.fragment<64x64xi1, #tile.mma<warps = [2, 2]>>
    tile.store %y, %b[%c0, %c0] along [0, 1] : !tile.fragment<64x64xi1, #tile.mma<warps = [2, 2]>>, memref<64x64xi1>
    gpu.return
  }

  gpu.func @convert_i1_3_2(%a: memref<64x64xi1>, %b: memref<64x64xi1>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<64x64xi1> -> !tile.fragment<64x64xi1, #tile.blocked<elements = [2, 2], lanes = [4, 8], warps = [1, 4]>>
    %y = tile.convert %x : !tile.fragment<64x64xi1, #tile.blocked<elements = [2, 2], lanes = [4, 8], warps = [1, 4]>> -> !tile.fragment<64x64xi1, #tile.blocked<elements = [1, 8], lanes = [8, 4], warps = [4, 1]>>
    tile.store %y, %b[%c0, %c0] along [0, 1] : !tile.fragment<64x64xi1, #tile.blocked<elements = [1, 8], lanes = [8, 4], warps = [4, 1]>>, memref<64x64xi1>
    gpu.return
  }

  gpu.func @convert_i64_0_1(%a: memref<64x64xi64>, %b: memref<64x64xi64>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<64x64xi64> -> !tile.fragment<64x64xi64, #tile.mma<warps = [4, 1]>>
    %y = tile.convert %x : !tile.fragment<64x64xi64, #tile.mma<warps = [4, 1]>> -> !tile.fragment<64x64xi64, #tile.mma<warps = [2, 2]>>
    tile.store %y, %b[%c0, %c0] along [0, 1] : !tile.fragment<64x64xi64, #tile.mma<warps = [2, 2]>>, memref<64x64xi64>
    gpu.return
  }

  gpu.func @convert_i64_0_2(%a: memref<64x64xi64>, %b: memref<64x64xi64>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<64x64xi64> -> !tile.fragment<64x64xi64, #tile.mma<warps = [4, 1]>>
    %y = tile.convert %x : !tile.fragment<64x64xi64, #tile.mma<warps = [4, 1]>> -> !tile.fragment<64x64xi64, #tile.blocked<elements = [1, 8], lanes = [8, 4], warps = [4, 1]>>
    tile.store %y, %b[%c0, %c0] along [0, 1] : !tile.fragment<64x64xi64, #tile.blocked<elements = [1, 8], lanes = [8, 4], warps = [4, 1]>>, memref<64x64xi64>
    gpu.return
  }

  gpu.func @convert_i64_0_3(%a: memref<64x64xi64>, %b: memref<64x64xi64>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<64x64xi64> -> !tile.fragment<64x64xi64, #tile.mma<warps = [4, 1]>>
    %y = tile.convert %x : !tile.fragment<64x64xi64, #tile.mma<warps = [4, 1]>> -> !tile.fragment<64x64xi64, #tile.blocked<elements = [2, 2], lanes = [4, 8], warps = [1, 4]>>
    tile.store %y, %b[%c0, %c0] along [0, 1] : !tile.fragment<64x64xi64, #tile.blocked<elements = [2, 2], lanes = [4, 8], warps = [1, 4]>>, memref<64x64xi64>
    gpu.return
  }

  gpu.func @convert_i64_1_0(%a: memref<64x64xi64>, %b: memref<64x64xi64>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<64x64xi64> -> !tile.fragment<64x64xi64, #tile.mma<warps = [2, 2]>>
    %y = tile.convert %x : !tile.fragment<64x64xi64, #tile.mma<warps = [2, 2]>> -> !tile.fragment<64x64xi64, #tile.mma<warps = [4, 1]>>
    tile.store %y, %b[%c0, %c0] along [0, 1] : !tile.fragment<64x64xi64, #tile.mma<warps = [4, 1]>>, memref<64x64xi64>
    gpu.return
  }

  gpu.func @convert_i64_1_2(%a: memref<64x64xi64>, %b: memref<64x64xi64>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<64x64xi64> -> !tile.fragment<64x64xi64, #tile.mma<warps = [2, 2]>>
    %y = tile.convert %x : !tile.fragment<64x64xi64, #tile.mma<warps = [2, 2]>> -> !tile.fragment<64x64xi64, #tile.blocked<elements = [1, 8], lanes = [8, 4], warps = [4, 1]>>
    tile.store %y, %b[%c0, %c0] along [0, 1] : !tile.fragment<64x64xi64, #tile.blocked<elements = [1, 8], lanes = [8, 4], warps = [4, 1]>>, memref<64x64xi64>
    gpu.return
  }

  gpu.func @convert_i64_1_3(%a: memref<64x64xi64>, %b: memref<64x64xi64>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<64x64xi64> -> !tile.fragment<64x64xi64, #tile.mma<warps = [2, 2]>>
    %y = tile.convert %x : !tile.fragment<64x64xi64, #tile.mma<warps = [2, 2]>> -> !tile.fragment<64x64xi64, #tile.blocked<elements = [2, 2], lanes = [4, 8], warps = [1, 4]>>
    tile.store %y, %b[%c0, %c0] along [0, 1] : !tile.fragment<64x64xi64, #tile.blocked<elements = [2, 2], lanes = [4, 8], warps = [1, 4]>>, memref<64x64xi64>
    gpu.return
  }

  gpu.func @convert_i64_2_0(%a: memref<64x64xi64>, %b: memref<64x64xi64>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<64x64xi64> -> !tile.fragment<64x64xi64, #tile.blocked<elements = [1, 8], lanes = [8, 4], warps = [4, 1]>>
    %y = tile.convert %x : !tile.fragment<64x64xi64, #tile.blocked<elements = [1, 8], lanes = [8, 4], warps = [4, 1]>> -> !tile.fragment<64x64xi64, #tile.mma<warps = [4, 1]>>
    tile.store %y, %b[%c0, %c0] along [0, 1] : !tile.fragment<64x64xi64, #tile.mma<warps = [4, 1]>>, memref<64x64xi64>
    gpu.return
  }

  gpu.func @convert_i64_2_1(%a: memref<64x64xi64>, %b: memref<64x64xi64>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<64x64xi64> -> !tile.fragment<64x64xi64, #tile.blocked<elements = [1, 8], lanes = [8, 4], warps = [4, 1]>>
    %y = tile.convert %x : !tile.fragment<64x64xi64, #tile.blocked<elements = [1, 8], lanes = [8, 4], warps = [4, 1]>> -> !tile.fragment<64x64xi64, #tile.mma<warps = [2, 2]>>
    tile.store %y, %b[%c0, %c0] along [0, 1] : !tile.fragment<64x64xi64, #tile.mma<warps = [2, 2]>>, memref<64x64xi64>
    gpu.return
  }

  gpu.func @convert_i64_2_3(%a: memref<64x64xi64>, %b: memref<64x64xi64>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<64x64xi64> -> !tile.fragment<64x64xi64, #tile.blocked<elements = [1, 8], lanes = [8, 4], warps = [4, 1]>>
    %y = tile.convert %x : !tile.fragment<64x64xi64, #tile.blocked<elements = [1, 8], lanes = [8, 4], warps = [4, 1]>> -> !tile.fragment<64x64xi64, #tile.blocked<elements = [2, 2], lanes = [4, 8], warps = [1, 4]>>
    tile.store %y, %b[%c0, %c0] along [0, 1] : !tile.fragment<64x64xi64, #tile.blocked<elements = [2, 2], lanes = [4, 8], warps = [1, 4]>>, memref<64x64xi64>
    gpu.return
  }

  gpu.func @convert_i64_3_0(%a: memref<64x64xi64>, %b: memref<64x64xi64>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<64x64xi64> -> !tile.fragment<64x64xi64, #tile.blocked<elements = [2, 2], lanes = [4, 8], warps = [1, 4]>>
    %y = tile.convert %x : !tile.fragment<64x64xi64, #tile.blocked<elements = [2, 2], lanes = [4, 8], warps = [1, 4]>> -> !tile.fragment<64x64xi64, #tile.mma<warps = [4, 1]>>
    tile.store %y, %b[%c0, %c0] along [0, 1] : !tile.fragment<64x64xi64, #tile.mma<warps = [4, 1]>>, memref<64x64xi64>
    gpu.return
  }

  gpu.func @convert_i64_3_1(%a: memref<64x64xi64>, %b: memref<64x64xi64>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<64x64xi64> -> !tile.fragment<64x64xi64, #tile.blocked<elements = [2, 2], lanes = [4, 8], warps = [1, 4]>>
    %y = tile.convert %x : !tile.fragment<64x64xi64, #tile.blocked<elements = [2, 2], lanes = [4, 8], warps = [1, 4]>> -> !tile.fragment<64x64xi64, #tile.mma<warps = [2, 2]>>
    tile.store %y, %b[%c0, %c0] along [0, 1] : !tile.fragment<64x64xi64, #tile.mma<warps = [2, 2]>>, memref<64x64xi64>
    gpu.return
  }

  gpu.func @convert_i64_3_2(%a: memref<64x64xi64>, %b: memref<64x64xi64>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %x = tile.load %a[%c0, %c0] along [0, 1] : memref<64x64xi64> -> !tile.fragment<64x64xi64, #tile.blocked<elements = [2, 2], lanes = [4, 8], warps = [1, 4]>>
    %y = tile.convert %x : !tile.fragment<64x64xi64, #tile.blocked<elements = [2, 2], lanes = [4, 8], warps = [1, 4]>> -> !tile.fragment<64x64xi64, #tile.blocked<elements = [1, 8], lanes = [8, 4], warps = [4, 1]>>
    tile.store %y, %b[%c0, %c0] along [0, 1] : !tile.fragment<64x64xi64, #tile.blocked<elements = [1, 8], lanes = [8, 4], warps = [4, 1]>>, memref<64x64xi64>
    gpu.return
  }
}
