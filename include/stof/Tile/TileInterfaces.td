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

#endif // STOF_TILE_TILEINTERFACES_TD
