#ifndef STOF_TILE_TILETYPES_TD
#define STOF_TILE_TILETYPES_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinTypeInterfaces.td"
include "stof/Tile/TileBase.td"

class Tile_Type<string name, string typeMnemonic, string methods = "">
    : TypeDef<Tile_Dialect, name, [ShapedTypeInterface]> {
  let mnemonic = typeMnemonic;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    bool hasRank() const { return true; }
    }] # name # [{Type cloneWith(std::optional<::llvm::ArrayRef<int64_t>> shape,
                        ::mlir::Type elementType) const;
  }] # methods;
}

def Tile_FragmentType : Tile_Type<"Fragment", "fragment"> {
  let summary = "A tile in registers";
  let description = [{
    A tile of one or two dimensions, distributed over the threads of the CTA by
    `layout`. As a value it is the whole tile.

    **Constraints**

    - (F1) The layout has the rank of the tile.
    - (F2) Each size is a positive multiple of the layout's unit.

    Example: `!tile.fragment<64x128xf32, #tile.mma<warps = [4, 1]>>`
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape,
                        "::mlir::Type":$elementType, "LayoutInterface":$layout);
  let hasCustomAssemblyFormat = 1;
}

def Tile_SharedType : Tile_Type<"Shared", "shared", [{
    /// The bytes of a row, padded to whole chunks of 16 bytes.
    int64_t getRowBytes() const;
    int64_t getSizeInBytes() const { return getShape()[0] * getRowBytes(); }
  }]> {
  let summary = "A tile in shared memory";
  let description = [{
    A tile of two dimensions in the shared memory of a CTA. Each row takes whole
    chunks of 16 bytes; the expansion chooses the swizzle of the chunks.

    **Constraints**

    - (H1) Both sizes are positive, the elements are integers or floats of whole
      bytes.

    Example: `!tile.shared<64x128xf16>`
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape,
                        "::mlir::Type":$elementType);
  let hasCustomAssemblyFormat = 1;
}

#endif // STOF_TILE_TILETYPES_TD
