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

def Tile_InFlightType : TypeDef<Tile_Dialect, "InFlight"> {
  let mnemonic = "in_flight";
  let summary = "Accumulators that wgmma may still write";
  let description = [{
    A fragment from its `tile.wgmma_fence` to its `tile.wgmma_wait`. Its registers
    belong to wgmma meanwhile; no operation on fragments takes it, so none can touch
    them too early.

    **Constraints**

    - (G1) The elements are f32.
    - (G2) The layout is `#tile.mma`. Its warps divide the rows only, and make up
      whole warpgroups.
    - (G3) There are at most 256 columns.

    Example: `!tile.in_flight<64x128xf32, #tile.mma<warps = [4, 1]>>`
  }];
  let parameters = (ins "FragmentType":$fragment);
  let builders = [
    TypeBuilderWithInferredContext<(ins "FragmentType":$fragment), [{
      return $_get(fragment.getContext(), fragment);
    }]>
  ];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Tile_ChannelType : TypeDef<Tile_Dialect, "Channel"> {
  let mnemonic = "channel";
  let summary = "Stages in shared memory between two roles of a CTA";
  let description = [{
    A ring of `stages` buffers, each for one `tile`. Tiles pass through it in order:
    tile number n takes stage n mod `stages`, as soon as tile n - `stages` has been
    released.

    **Constraints**

    - (K1) There is at least one stage.

    Example: `!tile.channel<<64x64xf16>, stages = 2>`
  }];
  let parameters = (ins "SharedType":$tile, "int64_t":$stages);
  let assemblyFormat = "`<` $tile `,` `stages` `=` $stages `>`";
  let genVerifyDecl = 1;
  let builders = [
    TypeBuilderWithInferredContext<(ins "SharedType":$tile, "int64_t":$stages), [{
      return $_get(tile.getContext(), tile, stages);
    }]>
  ];
  let extraClassDeclaration = [{
    /// The bytes of a stage's barrier.
    static constexpr int64_t barrierBytes = 8;
    int64_t getTileBytes() const { return getStages() * getTile().getSizeInBytes(); }
    /// The bytes of all stages, each with two barriers.
    int64_t getSizeInBytes() const {
      return getTileBytes() + 2 * getStages() * barrierBytes;
    }
  }];
}

#endif // STOF_TILE_TILETYPES_TD
