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
  let summary = "Small boxes of adjacent elements per thread";
  let description = [{
    A thread holds `elements` adjacent elements, a warp `lanes` such boxes, the
    CTA `warps` of those; larger tiles repeat the pattern. The last dimension of
    lanes and warps is the fastest.

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
  let summary = "Accumulators of m16n8 MMA tiles";
  let description = [{
    `rows` x `columns` warps divide the tile into equal warp tiles, each of 16x8
    MMA tiles in row-major order. Warps along the rows have them one below the
    other if they are one or two, and in turn if they are whole warpgroups, as wgmma
    has it: with `warps = [4, 1]`, warp `w` of a tile of 128 rows has rows 16 w to
    16 w + 15, and those 64 further down.

    Lane `t` holds four elements of an MMA tile
    (PTX ISA, "Matrix fragments for mma.m16n8k16", accumulators):

            columns  0   1   2   3   4   5   6   7
      row 0        T0  T0  T1  T1  T2  T2  T3  T3     registers 0 and 1
          1        T4  T4  T5  T5  T6  T6  T7  T7
          ..
          8        T0  T0  T1  T1  T2  T2  T3  T3     registers 2 and 3

    With `columns` = 1, two MMA tiles are also the left operand of one K step: in a
    back-to-back GEMM the accumulators are the next operand without a conversion.
  }];
  let parameters = (ins "int64_t":$rows, "int64_t":$columns);
  let assemblyFormat = "`<` `warps` `=` `[` $rows `,` $columns `]` `>`";
}

def Tile_MmaRunsAttr : Tile_Layout<"MmaRuns", "mma_runs"> {
  let summary = "Accumulators with contiguous elements per lane";
  let description = [{
    As `#tile.mma`, after an exchange among the four lanes of a row over four
    adjacent MMA tiles. Each lane then has eight contiguous elements, and 16-bit
    elements are accessed by 16 bytes at once instead of four. `tile.convert` from
    `#tile.mma` needs no shared memory.

            columns  0 .. 7   8 .. 15   16 .. 23   24 .. 31
      row 0        T0       T1        T2         T3          registers 0 to 7
          ..
          8        T0       T1        T2         T3          registers 8 to 15
  }];
  let parameters = (ins "int64_t":$rows, "int64_t":$columns);
  let assemblyFormat = "`<` `warps` `=` `[` $rows `,` $columns `]` `>`";
}

def Tile_SliceAttr : Tile_Layout<"Slice", "slice"> {
  let summary = "A layout without one of its dimensions";
  let description = [{
    The layout of the reduction along `dim` of a tile with layout `parent`.
    Threads that differ along `dim` only hold the same elements.

    Example: `#tile.slice<1, #tile.mma<warps = [4, 1]>>`, one value for each row
  }];
  let parameters = (ins "unsigned":$dim, "::mlir::Attribute":$parent);
  let assemblyFormat = "`<` $dim `,` $parent `>`";
}

#endif // STOF_TILE_TILEATTRS_TD
