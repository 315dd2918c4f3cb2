#ifndef STOF_TILE_TILEBASE_TD
#define STOF_TILE_TILEBASE_TD

include "mlir/IR/OpBase.td"

def Tile_Dialect : Dialect {
  let name = "tile";
  let cppNamespace = "::stof::tile";
  let summary = "Kernels as the program of one CTA";
  let description = [{
    A kernel is a `gpu.func` whose body is the sequential program of one CTA on
    whole tiles: it loads tiles, contracts, maps and reduces them, and stores the
    result. Tiles are values. A *fragment* is in registers, and its type has the
    distribution over threads; a *shared* tile is in shared memory. Only the
    expansion to the device depends on either, so the same kernel also runs on a
    CPU, where a tile is a small tensor.

    ```mlir
    gpu.func @scale(%x: memref<128x64xf32>, %y: memref<128x64xf32>) kernel
        attributes {known_block_size = array<i32: 128, 1, 1>} {
      %i = gpu.block_id x
      %c0 = arith.constant 0 : index
      %t = tile.load %x[%i, %c0] along [0, 1] : memref<128x64xf32>
             -> !tile.fragment<64x64xf32, #tile.blocked<elements = [1, 4], lanes = [2, 16], warps = [4, 1]>>
      ...
    }
    ```
  }];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
}

#endif // STOF_TILE_TILEBASE_TD
