// Reductions of rows: LayerNorm by two warps a row, softmax by one, and columns.

#wide = #tile.blocked<elements = [1, 8], lanes = [1, 32], warps = [2, 2]>
#tall = #tile.blocked<elements = [1, 4], lanes = [4, 8], warps = [4, 1]>

gpu.module @rows {
  // 768 columns in two warps, two rows at a time: the block takes 2 rows of 1024.
  gpu.func @layer_norm(%x: memref<?x768xf16>, %w: memref<768xf16>, %y: memref<?x768xf16>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c768 = arith.constant 768 : index
    %zero = arith.constant 0.0 : f32
    %n = arith.constant 768.0 : f32
    %eps = arith.constant 1.0e-5 : f32
    %block = gpu.block_id x
    %i = arith.muli %block, %c2 : index
    %t = tile.load %x[%i, %c0] along [0, 1] : memref<?x768xf16> -> !tile.fragment<2x1024xf16, #wide>
    %scale = tile.load %w[%c0] along [0] : memref<768xf16> -> !tile.fragment<1024xf16, #tile.slice<0, #wide>>
    %f = tile.map ins(%t : !tile.fragment<2x1024xf16, #wide>) {
    ^bb0(%r: index, %c: index, %e: f16):
      %v = arith.extf %e : f16 to f32
      tile.yield %v : f32
    } -> !tile.fragment<2x1024xf32, #wide>
    %sum = tile.reduce %f along 1 {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      tile.yield %s : f32
    } : !tile.fragment<2x1024xf32, #wide> -> !tile.fragment<2xf32, #tile.slice<1, #wide>>
    %d = tile.map ins(%f, %sum : !tile.fragment<2x1024xf32, #wide>, !tile.fragment<2xf32, #tile.slice<1, #wide>>) {
    ^bb0(%r: index, %c: index, %e: f32, %s: f32):
      %mean = arith.divf %s, %n : f32
      %v = arith.subf %e, %mean : f32
      %inside = arith.cmpi slt, %c, %c768 : index
      %k = arith.select %inside, %v, %zero : f32
      tile.yield %k : f32
    } -> !tile.fragment<2x1024xf32, #wide>
    %sq = tile.map ins(%d : !tile.fragment<2x1024xf32, #wide>) {
    ^bb0(%r: index, %c: index, %e: f32):
      %v = arith.mulf %e, %e : f32
      tile.yield %v : f32
    } -> !tile.fragment<2x1024xf32, #wide>
    %var = tile.reduce %sq along 1 {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      tile.yield %s : f32
    } : !tile.fragment<2x1024xf32, #wide> -> !tile.fragment<2xf32, #tile.slice<1, #wide>>
    %out = tile.map ins(%d, %var, %scale : !tile.fragment<2x1024xf32, #wide>, !tile.fragment<2xf32, #tile.slice<1, #wide>>, !tile.fragment<1024xf16, #tile.slice<0, #wide>>) {
    ^bb0(%r: index, %c: index, %e: f32, %s: f32, %g: f16):
      %v = arith.divf %s, %n : f32
      %ve = arith.addf %v, %eps : f32
      %rs = math.rsqrt %ve : f32
      %m = arith.mulf %e, %rs : f32
      %gf = arith.extf %g : f16 to f32
      %o = arith.mulf %m, %gf : f32
      %h = arith.truncf %o : f32 to f16
      tile.yield %h : f16
    } -> !tile.fragment<2x1024xf16, #wide>
    tile.store %out, %y[%i, %c0] along [0, 1] : !tile.fragment<2x1024xf16, #wide>, memref<?x768xf16>
    gpu.return
  }

  // Softmax of rows of any length, 16 rows a block, columns 64 at a time, twice.
  gpu.func @softmax(%x: memref<?x?xf32>, %y: memref<?x?xf32>, %sums: memref<?xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0.0 : f32
    %inf = arith.constant 0xFF800000 : f32
    %columns = memref.dim %x, %c1 : memref<?x?xf32>
    %block = gpu.block_id x
    %i = arith.muli %block, %c16 : index
    %m0 = tile.splat %inf : !tile.fragment<16xf32, #tile.slice<1, #tall>>
    %s0 = tile.splat %zero : !tile.fragment<16xf32, #tile.slice<1, #tall>>
    %ms:2 = scf.for %j = %c0 to %columns step %c64 iter_args(%m = %m0, %s = %s0)
        -> (!tile.fragment<16xf32, #tile.slice<1, #tall>>, !tile.fragment<16xf32, #tile.slice<1, #tall>>) {
      %raw = tile.load %x[%i, %j] along [0, 1] : memref<?x?xf32> -> !tile.fragment<16x64xf32, #tall>
      %t = tile.map ins(%raw : !tile.fragment<16x64xf32, #tall>) {
      ^bb0(%r: index, %c: index, %e: f32):
        %k = arith.addi %j, %c : index
        %inside = arith.cmpi slt, %k, %columns : index
        %v = arith.select %inside, %e, %inf : f32
        tile.yield %v : f32
      } -> !tile.fragment<16x64xf32, #tall>
      %tm = tile.reduce %t along 1 {
      ^bb0(%a: f32, %b: f32):
        %v = arith.maxnumf %a, %b : f32
        tile.yield %v : f32
      } : !tile.fragment<16x64xf32, #tall> -> !tile.fragment<16xf32, #tile.slice<1, #tall>>
      %mn = tile.map ins(%m, %tm : !tile.fragment<16xf32, #tile.slice<1, #tall>>, !tile.fragment<16xf32, #tile.slice<1, #tall>>) {
      ^bb0(%r: index, %a: f32, %b: f32):
        %v = arith.maxnumf %a, %b : f32
        tile.yield %v : f32
      } -> !tile.fragment<16xf32, #tile.slice<1, #tall>>
      %p = tile.map ins(%t, %mn : !tile.fragment<16x64xf32, #tall>, !tile.fragment<16xf32, #tile.slice<1, #tall>>) {
      ^bb0(%r: index, %c: index, %e: f32, %b: f32):
        %d = arith.subf %e, %b : f32
        %v = math.exp %d : f32
        tile.yield %v : f32
      } -> !tile.fragment<16x64xf32, #tall>
      %ps = tile.reduce %p along 1 {
      ^bb0(%a: f32, %b: f32):
        %v = arith.addf %a, %b : f32
        tile.yield %v : f32
      } : !tile.fragment<16x64xf32, #tall> -> !tile.fragment<16xf32, #tile.slice<1, #tall>>
      %sn = tile.map ins(%s, %m, %mn, %ps : !tile.fragment<16xf32, #tile.slice<1, #tall>>, !tile.fragment<16xf32, #tile.slice<1, #tall>>, !tile.fragment<16xf32, #tile.slice<1, #tall>>, !tile.fragment<16xf32, #tile.slice<1, #tall>>) {
      ^bb0(%r: index, %a: f32, %old: f32, %new: f32, %b: f32):
        %d = arith.subf %old, %new : f32
        %e = math.exp %d : f32
        %l = arith.mulf %a, %e : f32
        %v = arith.addf %l, %b : f32
        tile.yield %v : f32
      } -> !tile.fragment<16xf32, #tile.slice<1, #tall>>
      scf.yield %mn, %sn : !tile.fragment<16xf32, #tile.slice<1, #tall>>, !tile.fragment<16xf32, #tile.slice<1, #tall>>
    }
    scf.for %j = %c0 to %columns step %c64 {
      %t = tile.load %x[%i, %j] along [0, 1] : memref<?x?xf32> -> !tile.fragment<16x64xf32, #tall>
      %p = tile.map ins(%t, %ms#0, %ms#1 : !tile.fragment<16x64xf32, #tall>, !tile.fragment<16xf32, #tile.slice<1, #tall>>, !tile.fragment<16xf32, #tile.slice<1, #tall>>) {
      ^bb0(%r: index, %c: index, %e: f32, %b: f32, %s: f32):
        %d = arith.subf %e, %b : f32
        %v = math.exp %d : f32
        %o = arith.divf %v, %s : f32
        tile.yield %o : f32
      } -> !tile.fragment<16x64xf32, #tall>
      tile.store %p, %y[%i, %j] along [0, 1] : !tile.fragment<16x64xf32, #tall>, memref<?x?xf32>
    }
    tile.store %ms#1, %sums[%i] along [0] : !tile.fragment<16xf32, #tile.slice<1, #tall>>, memref<?xf32>
    gpu.return
  }

  // The largest of each column by all warps, by way of another layout, and
  // whether any of the block's is above a limit.
  gpu.func @column_max(%x: memref<?x64xf32>, %limit: f32, %y: memref<64xf32>, %above: memref<1xi1>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %inf = arith.constant 0xFF800000 : f32
    %rows = memref.dim %x, %c0 : memref<?x64xf32>
    %m0 = tile.splat %inf : !tile.fragment<64xf32, #tile.slice<0, #tall>>
    %m = scf.for %i = %c0 to %rows step %c32 iter_args(%old = %m0) -> (!tile.fragment<64xf32, #tile.slice<0, #tall>>) {
      %raw = tile.load %x[%i, %c0] along [0, 1] : memref<?x64xf32> -> !tile.fragment<32x64xf32, #tall>
      %t = tile.map ins(%raw : !tile.fragment<32x64xf32, #tall>) {
      ^bb0(%r: index, %c: index, %e: f32):
        %k = arith.addi %i, %r : index
        %inside = arith.cmpi slt, %k, %rows : index
        %v = arith.select %inside, %e, %inf : f32
        tile.yield %v : f32
      } -> !tile.fragment<32x64xf32, #tall>
      %tm = tile.reduce %t along 0 {
      ^bb0(%a: f32, %b: f32):
        %v = arith.maxnumf %a, %b : f32
        tile.yield %v : f32
      } : !tile.fragment<32x64xf32, #tall> -> !tile.fragment<64xf32, #tile.slice<0, #tall>>
      %new = tile.map ins(%old, %tm : !tile.fragment<64xf32, #tile.slice<0, #tall>>, !tile.fragment<64xf32, #tile.slice<0, #tall>>) {
      ^bb0(%c: index, %a: f32, %b: f32):
        %v = arith.maxnumf %a, %b : f32
        tile.yield %v : f32
      } -> !tile.fragment<64xf32, #tile.slice<0, #tall>>
      scf.yield %new : !tile.fragment<64xf32, #tile.slice<0, #tall>>
    }
    %other = tile.convert %m : !tile.fragment<64xf32, #tile.slice<0, #tall>>
      -> !tile.fragment<64xf32, #tile.slice<1, #tile.mma<warps = [4, 1]>>>
    %big = tile.map ins(%other : !tile.fragment<64xf32, #tile.slice<1, #tile.mma<warps = [4, 1]>>>) {
    ^bb0(%c: index, %e: f32):
      %v = arith.cmpf ogt, %e, %limit : f32
      tile.yield %v : i1
    } -> !tile.fragment<64xi1, #tile.slice<1, #tile.mma<warps = [4, 1]>>>
    %any = tile.any %big : !tile.fragment<64xi1, #tile.slice<1, #tile.mma<warps = [4, 1]>>>
    memref.store %any, %above[%c0] : memref<1xi1>
    tile.store %other, %y[%c0] along [0] : !tile.fragment<64xf32, #tile.slice<1, #tile.mma<warps = [4, 1]>>>, memref<64xf32>
    gpu.return
  }
}
