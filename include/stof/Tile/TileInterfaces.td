#ifndef STOF_TILE_TILEINTERFACES_TD
#define STOF_TILE_TILEINTERFACES_TD

include "mlir/IR/OpBase.td"

def Tile_LayoutInterface : AttrInterface<"LayoutInterface"> {
  let cppNamespace = "::stof::tile";
  let description = [{
    The distribution of a tile over the threads of a CTA. Each thread holds the
    same number of elements in *registers*, and layouts are separable: the row of
    an element depends on the thread and on a register index along the rows only,
    its column on the thread and on a register index along the columns only.

    Expressions are over d0 = lane in the warp, d1 = warp in the CTA and
    d2 = register index along the dimension.
  }];
  let methods = [
    InterfaceMethod<"The rank of a tile with this layout.",
      "unsigned", "getLayoutRank">,
    InterfaceMethod<"Number of warps that a tile is distributed over.",
      "int64_t", "getNumWarps">,
    InterfaceMethod<[{
      The size of a tile along `dim` is a multiple of this.
    }], "int64_t", "getUnitAlong", (ins "unsigned":$dim)>,
    InterfaceMethod<[{
      Registers of a thread along `dim` for a tile of `size`.
    }], "int64_t", "getRegistersAlong", (ins "unsigned":$dim, "int64_t":$size)>,
    InterfaceMethod<[{
      The coordinate along `dim` of register index d2 of lane d0 in warp d1.
    }], "::mlir::AffineExpr", "getCoordinateAlong",
      (ins "unsigned":$dim, "int64_t":$size)>,
    InterfaceMethod<[{
      The number of the register, among all of the thread, with these register
      indices, one for each dimension.
    }], "int64_t", "getRegister",
      (ins "::llvm::ArrayRef<int64_t>":$shape, "::llvm::ArrayRef<int64_t>":$indices)>,
    InterfaceMethod<[{
      The bits of the lane number that determine the coordinate along `dim`: a
      reduction along `dim` combines lanes that differ in one of them.
    }], "::llvm::SmallVector<int64_t>", "getLaneBitsAlong", (ins "unsigned":$dim)>,
    InterfaceMethod<"Number of warps along `dim`.",
      "int64_t", "getWarpsAlong", (ins "unsigned":$dim)>
  ];
}

def Tile_SharedMemoryOpInterface : OpInterface<"SharedMemoryOpInterface"> {
  let cppNamespace = "::stof::tile";
  let description = [{
    An operation that allocates, reads or writes the shared memory of a CTA.

    Shared tiles are values, and most operations on them are pure: two equal
    conversions are one. Their buffers have effects nevertheless, which the passes
    from tiles to tiles order once buffers are chosen. These effects are not those
    of `MemoryEffectOpInterface`, with which equal operations could not be merged.

    An operation has at most one allocation, either the buffer of the tile that it
    defines or memory for temporary use, and its address is the attribute
    `tile.offset`. For example, the conversion of a fragment to a shared tile

    ```mlir
    %s = tile.convert %x {tile.offset = 0 : i64} : !tile.fragment<...> -> !tile.shared<64x64xf16>
    ```

    allocates the buffer of `%s`, of 8192 bytes, and writes it. The defaults are
    those of an operation that reads all of its shared operands.
  }];
  let methods = [
    InterfaceMethod<[{
      The operand whose buffer `result`, a shared tile, takes over; null if the
      buffer is a new one.
    }], "::mlir::OpOperand *", "getTiedTile", (ins "::mlir::OpResult":$result),
      "", "return nullptr;">,
    InterfaceMethod<[{
      The shared tile whose buffer the operation allocates; null if there is none.
    }], "::mlir::OpResult", "getAllocatedTile", (ins),
      "", "return detail::getUntiedTile($_op);">,
    InterfaceMethod<[{
      The bytes of the allocation, 0 for none. They are for temporary use, and free
      after the operation, if there is no allocated tile.
    }], "int64_t", "getSharedBytes", (ins),
      "", "return detail::getTileBytes($_op.getAllocatedTile());">,
    InterfaceMethod<[{
      Whether the allocation is in use from the operation to the end of the kernel,
      whatever its uses.
    }], "bool", "isKept", (ins), "", "return false;">,
    InterfaceMethod<[{
      Appends the accesses to shared memory, except those of regions.
    }], "void", "getSharedAccesses",
      (ins "::llvm::SmallVectorImpl<::stof::tile::SharedAccess> &":$accesses),
      "", "detail::addReadsOfTiles($_op, accesses);">,
    InterfaceMethod<[{
      Whether all threads of the CTA meet in a barrier of the operation: after its
      writes, and before it reads what other threads have written.
    }], "bool", "synchronizes", (ins), "", "return false;">
  ];
}

#endif // STOF_TILE_TILEINTERFACES_TD
