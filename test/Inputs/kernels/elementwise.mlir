// y = 2 * x + 1 of any number of elements, and of rows with a tail.

#line = #tile.blocked<elements = [8], lanes = [32], warps = [4]>
#grid = #tile.blocked<elements = [1, 4], lanes = [4, 8], warps = [4, 1]>

gpu.module @elementwise {
  gpu.func @scale_f16(%x: memref<?xf16>, %y: memref<?xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c1024 = arith.constant 1024 : index
    %two = arith.constant 2.0 : f16
    %one = arith.constant 1.0 : f16
    %block = gpu.block_id x
    %i = arith.muli %block, %c1024 : index
    %t = tile.load %x[%i] along [0] : memref<?xf16> -> !tile.fragment<1024xf16, #line>
    %r = tile.map ins(%t : !tile.fragment<1024xf16, #line>) {
    ^bb0(%c: index, %e: f16):
      %m = arith.mulf %e, %two : f16
      %a = arith.addf %m, %one : f16
      tile.yield %a : f16
    } -> !tile.fragment<1024xf16, #line>
    tile.store %r, %y[%i] along [0] : !tile.fragment<1024xf16, #line>, memref<?xf16>
    gpu.return
  }

  // Columns of no alignment, sizes of both kinds.
  gpu.func @scale_f32_rows(%x: memref<?x37xf32>, %y: memref<?x37xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %two = arith.constant 2.0 : f32
    %one = arith.constant 1.0 : f32
    %bi = gpu.block_id x
    %bj = gpu.block_id y
    %i = arith.muli %bi, %c32 : index
    %j = arith.muli %bj, %c32 : index
    %t = tile.load %x[%i, %j] along [0, 1] : memref<?x37xf32> -> !tile.fragment<32x32xf32, #grid>
    %r = tile.map ins(%t : !tile.fragment<32x32xf32, #grid>) {
    ^bb0(%row: index, %c: index, %e: f32):
      %m = arith.mulf %e, %two : f32
      %a = arith.addf %m, %one : f32
      tile.yield %a : f32
    } -> !tile.fragment<32x32xf32, #grid>
    tile.store %r, %y[%i, %j] along [0, 1] : !tile.fragment<32x32xf32, #grid>, memref<?x37xf32>
    gpu.return
  }

  // Booleans are bytes; the tile is transposed on its way.
  gpu.func @is_positive_transposed(%x: memref<?x?xf32>, %y: memref<?x?xi1>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c32 = arith.constant 32 : index
    %zero = arith.constant 0.0 : f32
    %bi = gpu.block_id x
    %bj = gpu.block_id y
    %i = arith.muli %bi, %c32 : index
    %j = arith.muli %bj, %c32 : index
    %t = tile.load %x[%i, %j] along [1, 0] : memref<?x?xf32> -> !tile.fragment<32x32xf32, #grid>
    %r = tile.map ins(%t : !tile.fragment<32x32xf32, #grid>) {
    ^bb0(%row: index, %c: index, %e: f32):
      %p = arith.cmpf ogt, %e, %zero : f32
      tile.yield %p : i1
    } -> !tile.fragment<32x32xi1, #grid>
    tile.store %r, %y[%j, %i] along [0, 1] : !tile.fragment<32x32xi1, #grid>, memref<?x?xi1>
    gpu.return
  }

  // A captured table is read by element; a boolean tile comes back.
  gpu.func @gather_if(%which: memref<?xi64>, %keep: memref<?xi1>, %table: memref<?xf32>, %y: memref<?xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c1024 = arith.constant 1024 : index
    %zero = arith.constant 0.0 : f32
    %block = gpu.block_id x
    %i = arith.muli %block, %c1024 : index
    %w = tile.load %which[%i] along [0] : memref<?xi64> -> !tile.fragment<1024xi64, #line>
    %k = tile.load %keep[%i] along [0] : memref<?xi1> -> !tile.fragment<1024xi1, #line>
    %r = tile.map ins(%w, %k : !tile.fragment<1024xi64, #line>, !tile.fragment<1024xi1, #line>) {
    ^bb0(%c: index, %e: i64, %b: i1):
      %v = scf.if %b -> f32 {
        %at = arith.index_cast %e : i64 to index
        %l = memref.load %table[%at] : memref<?xf32>
        scf.yield %l : f32
      } else {
        scf.yield %zero : f32
      }
      tile.yield %v : f32
    } -> !tile.fragment<1024xf32, #line>
    tile.store %r, %y[%i] along [0] : !tile.fragment<1024xf32, #line>, memref<?xf32>
    gpu.return
  }
}
