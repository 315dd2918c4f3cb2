#ifndef STOF_TILE_TILEINTERFACES_TD
#define STOF_TILE_TILEINTERFACES_TD

include "mlir/IR/OpBase.td"

def Tile_LayoutInterface : AttrInterface<"LayoutInterface"> {
  let cppNamespace = "::stof::tile";
  let description = [{
    How a tile lies over the threads of a block. Each thread holds the same
    number of elements in *registers*, and layouts are separable: the row of an
    element depends on the thread and on a register index along the rows only,
    its column on the thread and on a register index along the columns only.

    Expressions are over d0 = lane in the warp, d1 = warp in the block and
    d2 = register index along the dimension.
  }];
  let methods = [
    InterfaceMethod<"Number of dimensions of the tiles that it describes.",
      "unsigned", "getLayoutRank">,
    InterfaceMethod<"Number of warps that hold the tile together.",
      "int64_t", "getNumWarps">,
    InterfaceMethod<[{
      The size of a tile along `dim` must be a multiple of this.
    }], "int64_t", "getUnitAlong", (ins "unsigned":$dim)>,
    InterfaceMethod<[{
      Register indices that a thread needs along `dim` for a tile of `size`.
    }], "int64_t", "getRegistersAlong", (ins "unsigned":$dim, "int64_t":$size)>,
    InterfaceMethod<[{
      The coordinate along `dim` of register index d2 of lane d0 in warp d1.
    }], "::mlir::AffineExpr", "getCoordinateAlong",
      (ins "unsigned":$dim, "int64_t":$size)>,
    InterfaceMethod<[{
      Where the element with these register indices, one for each dimension, lies
      among all registers of the thread.
    }], "int64_t", "getRegister",
      (ins "::llvm::ArrayRef<int64_t>":$shape, "::llvm::ArrayRef<int64_t>":$indices)>,
    InterfaceMethod<[{
      The bits of the lane number that the coordinate along `dim` depends on: a
      reduction along `dim` combines lanes that differ in one of them.
    }], "::llvm::SmallVector<int64_t>", "getLaneBitsAlong", (ins "unsigned":$dim)>,
    InterfaceMethod<"Number of warps that divide `dim` among them.",
      "int64_t", "getWarpsAlong", (ins "unsigned":$dim)>
  ];
}

#endif // STOF_TILE_TILEINTERFACES_TD
