#ifndef STOF_TILE_TILEATTRS_TD
#define STOF_TILE_TILEATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "stof/Tile/TileBase.td"
include "stof/Tile/TileInterfaces.td"

class Tile_Layout<string name, string attrMnemonic>
    : AttrDef<Tile_Dialect, name, [DeclareAttrInterfaceMethods<Tile_LayoutInterface>]> {
  let mnemonic = attrMnemonic;
  let genMnemonicAlias = 1;
  let genVerifyDecl = 1;
}

def Tile_BlockedAttr : Tile_Layout<"Blocked", "blocked"> {
  let summary = "Each thread holds small boxes of adjacent elements";
  let description = [{
    A thread holds `elements` adjacent elements, a warp `lanes` such boxes, the
    block `warps` of those; larger tiles repeat the whole. Lanes and warps count
    with the last dimension fastest.

    `#tile.blocked<elements = [1, 2], lanes = [8, 4], warps = [1, 1]>` on 8x16:

            columns 0  1   2  3   4  5   6  7   8  9 ..
      row 0        T0 T0  T1 T1  T2 T2  T3 T3  T0 T0 ..
          1        T4 T4  T5 T5  T6 T6  T7 T7  T4 T4 ..
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$elements,
                        ArrayRefParameter<"int64_t">:$lanes,
                        ArrayRefParameter<"int64_t">:$warps);
  let assemblyFormat = [{
    `<` `elements` `=` `[` $elements `]` `,` `lanes` `=` `[` $lanes `]` `,`
    `warps` `=` `[` $warps `]` `>`
  }];
}

def Tile_MmaAttr : Tile_Layout<"Mma", "mma"> {
  let summary = "The accumulators of the tensor cores' m16n8 products";
  let description = [{
    `rows` x `columns` warps divide the tile into equal blocks; each is made of
    16x8 squares, rows of squares first. In a square lane `t` holds four
    elements (PTX ISA, "Matrix fragments for mma.m16n8k16", accumulators):

            columns  0   1   2   3   4   5   6   7
      row 0        T0  T0  T1  T1  T2  T2  T3  T3     registers 0 and 1
          1        T4  T4  T5  T5  T6  T6  T7  T7
          ..
          8        T0  T0  T1  T1  T2  T2  T3  T3     registers 2 and 3

    With `columns` = 1 this is also, two squares a step, how the left operand of a
    product is held: a product's result is the next product's operand as it is.
  }];
  let parameters = (ins "int64_t":$rows, "int64_t":$columns);
  let assemblyFormat = "`<` `warps` `=` `[` $rows `,` $columns `]` `>`";
}

def Tile_MmaRunsAttr : Tile_Layout<"MmaRuns", "mma_runs"> {
  let summary = "Accumulators whose lanes hold runs of a row";
  let description = [{
    As `#tile.mma`, but after the four lanes of a row have exchanged what they
    hold of four squares side by side, so that each has eight elements that lie
    next to each other: memory is accessed by 16 bytes of 16-bit elements at once,
    not by four. `tile.convert` from `#tile.mma` needs no shared memory.

            columns  0 .. 7   8 .. 15   16 .. 23   24 .. 31
      row 0        T0       T1        T2         T3          registers 0 to 7
          ..
          8        T0       T1        T2         T3          registers 8 to 15
  }];
  let parameters = (ins "int64_t":$rows, "int64_t":$columns);
  let assemblyFormat = "`<` `warps` `=` `[` $rows `,` $columns `]` `>`";
}

def Tile_SliceAttr : Tile_Layout<"Slice", "slice"> {
  let summary = "A tile with one dimension taken away";
  let description = [{
    The layout of what reducing a tile of layout `parent` along `dim` leaves.
    Threads that differed along `dim` only hold the same elements.

    Example: `#tile.slice<1, #tile.mma<warps = [4, 1]>>`, one value for each row
  }];
  let parameters = (ins "unsigned":$dim, "::mlir::Attribute":$parent);
  let assemblyFormat = "`<` $dim `,` $parent `>`";
}

#endif // STOF_TILE_TILEATTRS_TD
