#ifndef STOF_IR_STOFATTRS_TD
#define STOF_IR_STOFATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "stof/IR/StofBase.td"

// Sources differ in the result of softmax over fully masked rows, so an attention
// specifies it:
//
// - zero: the output row is 0 and its LSE is -inf (a safe softmax, SDPA with a
//   boolean mask);
// - nan: the row is NaN and its LSE -inf (a select of -inf before a plain softmax);
// - mean: the row is the mean of all values and its LSE the logarithm of their
//   number (a select of a finite minimum);
// - unmasked: the row and its LSE are those of the scores without the mask (an
//   additive finite minimum that preserves differences between scores).
//
// With zero keys, rows of mean and unmasked are zero. A second mask restricts the keys
// of both: those that it does not keep have no weight.
//
// A fully masked row counts as empty also with a sink. The LSE of zero and nan is
// then the sink; for unmasked, the sink joins the denominator and the LSE. It is
// ignored for mean: next to equal logits far below it, the weights of all values
// would vanish.
def Stof_EmptyRows : I32EnumAttr<"EmptyRows",
    "Result of fully masked rows", [
  I32EnumAttrCase<"Zero", 0, "zero">,
  I32EnumAttrCase<"NaN", 1, "nan">,
  I32EnumAttrCase<"Mean", 2, "mean">,
  I32EnumAttrCase<"Unmasked", 3, "unmasked">
]> {
  let cppNamespace = "::stof";
}

// Where the unmasked positions of a mask come from:
//
// - closed predicate: from coordinates and scalars only;
// - captured tensor: from constants as well;
// - argument: from data known at run time;
// - block list: from lists of key blocks known at run time.
def Stof_MaskOrigin : I32EnumAttr<"MaskOrigin",
    "Origin of the unmasked positions of a mask", [
  I32EnumAttrCase<"ClosedPredicate", 0, "closed predicate">,
  I32EnumAttrCase<"CapturedTensor", 1, "captured tensor">,
  I32EnumAttrCase<"Argument", 2, "argument">,
  I32EnumAttrCase<"BlockList", 3, "block list">
]> {
  let cppNamespace = "::stof";
}

// How the segments of a layout are stored:
//
// - closed_form: as functions of the row tile, in the layout itself;
// - tables: as constant tables, computed from captured constants;
// - run_time: as tables that a kernel computes on the device;
// - page_table: as the block list with lengths that defines the mask.
def Stof_LayoutStorage : I32EnumAttr<"LayoutStorage",
    "Storage of the segments of a layout", [
  I32EnumAttrCase<"ClosedForm", 0, "closed_form">,
  I32EnumAttrCase<"Tables", 1, "tables">,
  I32EnumAttrCase<"RunTime", 2, "run_time">,
  I32EnumAttrCase<"PageTable", 3, "page_table">
]> {
  let cppNamespace = "::stof";
  let genSpecializedAttr = 0;
}

class Stof_Attr<string name, string attrMnemonic> : AttrDef<Stof_Dialect, name> {
  let mnemonic = attrMnemonic;
}

def Stof_IntervalAttr : Stof_Attr<"Interval", "interval"> {
  let summary = "An interval of key tiles for each row tile";
  let description = [{
    The key tiles j with every result of `from` <= j < every result of `to`, for
    the row tiles with no negative result of `where`. The dimensions of the three
    maps are (row tile, batch, head); their symbols are those of the layout. A
    map without results imposes no bound.

    Example: a causal mask in tiles of 64 x 64 visits
    `#stof.interval<to = affine_map<(d0, d1, d2) -> (d0 + 1)>>`.
  }];
  let parameters = (ins
    OptionalParameter<"::mlir::AffineMapAttr">:$from,
    OptionalParameter<"::mlir::AffineMapAttr">:$to,
    OptionalParameter<"::mlir::AffineMapAttr">:$where);
  let assemblyFormat = "(`<` struct(params)^ `>`)?";
}

def Stof_LatticeAttr : Stof_Attr<"Lattice", "lattice"> {
  let summary = "Tiles of strided keys";
  let description = [{
    Column y of key tile j is the key offset + stride (col_tile j + y). `visited`
    and `partial` are as in the enclosing layout, for these tiles.

    Example: every 64th key, for all rows,
    `#stof.lattice<stride = 64, offset = 63, visited = [#stof.interval], partial = [#stof.interval]>`.
  }];
  let parameters = (ins
    "int64_t":$stride, "int64_t":$offset,
    OptionalParameter<"::mlir::ArrayAttr">:$visited,
    OptionalParameter<"::mlir::ArrayAttr">:$partial);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Stof_LayoutAttr : Stof_Attr<"Layout", "layout"> {
  let summary = "Tiles of a masked attention with unmasked positions";
  let description = [{
    A tile is `row_tile` queries times `col_tile` keys. For each row tile, the key
    tiles in one of the intervals of `visited` are computed, in any order; no others
    are read. Tiles in one of the intervals of `partial` may have masked
    positions and evaluate the mask; the others are full. A maximal contiguous
    sequence of tiles of one kind is a segment.

    The tiles of each of `lattices` follow, in order. A position that is in several
    of these tiles is computed in the first that visits it.

    With a `row_stride` s > 1, the queries of a tile are strided too, and every
    unmasked position has query - key = `residue` modulo s. Row x of row tile t is
    the query t mod s + s (row_tile (t div s) + x), and column y of key tile j the
    key c + s (col_tile j + y), where c = (t - residue) mod s: positions of the
    queries of t with other keys are masked. Lattices are not allowed then.

    With storage `tables` or `run_time`, both lists are empty and the layout is in
    its operands. `ranges` (i64) has dimensions batch x head x row tile x 3, where
    batch and head are 1 if shared. In `entries` (i64) each row tile has its partial
    tiles and behind them its full ones, both in any order; `ranges` gives the first
    entry, that of the first full tile, and one past the last. An entry is twice the
    key tile, plus one if it is partial. One additional entry follows the last. With
    `tables`, a third operand has bitmaps of the unmasked positions of partial tiles,
    of dimensions bitmap x row x words (i32), and the upper 32 bits of an entry are
    the index of its bitmap.

    In an MMA tile, four threads hold a row: of every eight columns, thread n holds
    2 n and 2 n + 1. The bits of a thread are contiguous, so it reads them in one
    word and at constant positions: column y is bit
    w (y div 2 mod 4) + 2 (y div 8) + y mod 2 of a row, where w is col_tile / 4
    rounded up to a power of two. Bits are numbered from the lowest one of the
    first word.

    Kernels trust the tables: ranges outside `entries` and bitmaps that do not exist
    cause out-of-bounds reads. An out-of-range key tile is allowed if its positions
    are below 2^31: no key or value is loaded, and its positions are masked or
    computed with zero keys and values. A kernel built with `check-bounds` stops
    before it reads outside a table, and on the CPU also at an out-of-range key tile.

    With storage `page_table`, a `stof.block_mask` with lengths defines the mask, and
    there are no operands. A key tile is of consecutive keys of the list of its row
    tile: of several blocks, or of a part of one.

    With storage `closed_form`, operand n of the layout gives symbol n of the
    intervals: an index, or the element of an integer tensor whose index is
    `symbols[n]` applied to (batch, head).

    `census` counts tiles (`full`, `partial`, `empty`) and unmasked positions
    (`nonzeros`), of one mask or summed over those that differ by batch and head,
    and the most tiles that a row tile visits (`longest`). Counts that depend on
    the lengths `Sq` and `Sk` or on captured numbers `c0`, `c1`, ... are
    expressions of them (Size/CountExpr.h); `symbols` in the census maps each
    captured number to its operand of the layout. Unknown counts are absent, with
    the reason in `unknown`. A tile is full if all of its in-bounds positions are
    unmasked. Tiles of lattices are included, except for empty ones.
    With a row stride, the counted tiles are those of the strided queries and keys,
    not those of adjacent positions. The census does not affect the semantics.

    Examples:
    ```mlir
    // A causal mask.
    #stof.layout<row_tile = 64, col_tile = 64, storage = closed_form,
      visited = [#stof.interval<to = affine_map<(d0, d1, d2) -> (d0 + 1)>>],
      partial = [#stof.interval<from = affine_map<(d0, d1, d2) -> (d0)>>]>
    // Causal, with every fourth key before a query.
    #stof.layout<row_tile = 64, col_tile = 64, storage = closed_form,
      visited = [#stof.interval<to = affine_map<(d0, d1, d2) -> (d0 floordiv 4 + 1)>>],
      partial = [#stof.interval<from = affine_map<(d0, d1, d2) -> (d0 floordiv 4)>>],
      row_stride = 4>
    ```
  }];
  let parameters = (ins
    "int64_t":$row_tile, "int64_t":$col_tile,
    EnumParameter<Stof_LayoutStorage>:$storage,
    OptionalParameter<"::mlir::ArrayAttr">:$visited,
    OptionalParameter<"::mlir::ArrayAttr">:$partial,
    OptionalParameter<"::mlir::ArrayAttr">:$lattices,
    DefaultValuedParameter<"int64_t", "1">:$row_stride,
    DefaultValuedParameter<"int64_t", "0">:$residue,
    OptionalParameter<"::mlir::ArrayAttr">:$symbols,
    OptionalParameter<"::mlir::DictionaryAttr">:$census);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The dimensions of the maps of intervals.
    enum Dim : unsigned { RowTileDim = 0, BatchDim = 1, HeadDim = 2 };
    static constexpr unsigned numDims = 3;
    /// What the last dimension of `ranges` holds for a row tile.
    enum Range : int64_t { FirstPartial, FirstFull, EndOfRow };
    static constexpr int64_t rangeSize = EndOfRow + 1;

    /// The number of row tiles as a function of the number of queries: the minimum
    /// of the results.
    ::mlir::AffineMap getRowTiles();

    /// The number of operands that an attention with this layout takes.
    unsigned getNumOperands();

    /// Verifies that `operands` of `op` match the layout.
    ::llvm::LogicalResult verifyOperands(::mlir::Operation *op,
                                         ::mlir::ValueRange operands);
  }];
}

def Stof_ScheduleAttr : Stof_Attr<"Schedule", "schedule"> {
  let summary = "Order of row tiles in a kernel, and their split-KV";
  let description = [{
    A kernel has one CTA per row tile and head; CTAs start roughly in order. Row
    tiles are taken from last to first if `reversed`. The first `ahead` row tiles in
    that order are computed for all heads before the others. These follow head by
    head, which keeps the keys of a head in cache. The schedule does not affect the
    semantics.

    The visited key tiles of each of the first `ahead` row tiles are shared among
    `splits` CTAs (split-KV, Flash-Decoding): each computes its share as if there were
    no other keys, and a combine kernel joins the partial results by their LSEs. If
    `ahead` covers all row tiles, all are split.

    Examples: `#stof.schedule<reversed = true>` for a causal mask, whose last rows
    are the longest; `#stof.schedule<ahead = 1>` if the first row tile attends to
    all keys; `#stof.schedule<ahead = 1, splits = 16>` for one query and many keys.

    **Constraints**

    - (S1) `ahead` is not negative.
    - (S2) `splits` is positive, and 1 if `ahead` is 0.
  }];
  let parameters = (ins
    DefaultValuedParameter<"bool", "false">:$reversed,
    DefaultValuedParameter<"int64_t", "0">:$ahead,
    DefaultValuedParameter<"int64_t", "1">:$splits);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Stof_AttentionTileAttr : Stof_Attr<"AttentionTile", "attention_tile"> {
  let summary = "CTA tile of an attention";
  let description = [{
    A CTA computes a row tile of `queries`, in iterations over tiles of `keys`. Each
    of its `warps` has its share of the rows. With `holds_queries`, the queries stay
    in registers rather than in shared memory. How features are sliced follows from
    these.

    With `producers`, as many more warps load the tiles, on GPUs with warpgroups. With
    `overlaps`, the products of an iteration with the values overlap with those of
    the next iteration with the keys. If `resident` is not zero, so many CTAs of each
    SM share all row tiles (persistent CTAs). Where the schedule reverses row tiles,
    since their lengths grow, each takes a long one and a short one in turn. With
    `dynamic`, each claims its next one when it has computed the last, the longest
    first where lengths grow.

    Example: `#stof.attention_tile<queries = 128, keys = 64, warps = 4,
    holds_queries = true>`, `#stof.attention_tile<queries = 128, keys = 128,
    warps = 8, producers = 4, overlaps = true, resident = 1>`.

    **Constraints**

    - (AT1) All numbers are positive.
    - (AT2) Each warp has whole MMA tiles: `queries` is a multiple of 16 for each of
      `warps`, and `keys` is one of 16.
    - (AT3) `producers` is not negative, and not zero with `overlaps` or `resident`.
    - (AT4) `resident` is not negative.
    - (AT5) `resident` is not zero with `dynamic`.
  }];
  let parameters = (ins "int64_t":$queries, "int64_t":$keys, "int64_t":$warps,
    DefaultValuedParameter<"bool", "false">:$holds_queries,
    DefaultValuedParameter<"int64_t", "0">:$producers,
    DefaultValuedParameter<"bool", "false">:$overlaps,
    DefaultValuedParameter<"int64_t", "0">:$resident,
    DefaultValuedParameter<"bool", "false">:$dynamic);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Stof_MatmulTileAttr : Stof_Attr<"MatmulTile", "matmul_tile"> {
  let summary = "CTA tile of a contraction";
  let description = [{
    A CTA computes `rows` x `columns` of the result, in iterations over K tiles of
    `k` elements, of which `stages` are in shared memory at once. Its warps are a
    grid of `row_warps` x `column_warps` over the tile. With `producers`, as many
    more warps load the K tiles, on GPUs with warpgroups. If `resident` is not zero,
    so many CTAs of each SM share all tiles (persistent CTAs), and each CTA has
    `groups` of these warps that compute its tiles in turn (ping-pong).

    Examples: `#stof.matmul_tile<rows = 128, columns = 64, k = 64, row_warps = 8,
    column_warps = 1, stages = 4>`, one of wgmma; `#stof.matmul_tile<rows = 128,
    columns = 128, k = 64, row_warps = 8, column_warps = 1, stages = 3,
    producers = 1, resident = 2>`.

    **Constraints**

    - (MT1) All parameters but `producers` and `resident` are positive.
    - (MT2) Each warp has whole MMA tiles: `rows` is a multiple of 16 for each of
      `row_warps`, and `columns` of 8 for each of `column_warps`.
    - (MT3) `producers` is not negative, and not zero with `resident`.
    - (MT4) `resident` is not negative.
    - (MT5) `groups` is positive, and 1 if `resident` is 0.
  }];
  let parameters = (ins "int64_t":$rows, "int64_t":$columns, "int64_t":$k,
    "int64_t":$row_warps, "int64_t":$column_warps, "int64_t":$stages,
    DefaultValuedParameter<"int64_t", "0">:$producers,
    DefaultValuedParameter<"int64_t", "0">:$resident,
    DefaultValuedParameter<"int64_t", "1">:$groups);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Stof_ThreadTileAttr : Stof_Attr<"ThreadTile", "thread_tile"> {
  let summary = "CTA tile of a kernel without MMAs";
  let description = [{
    A thread takes `elements` adjacent elements of a row at a time. As many lanes of
    a warp share a row as it fills, and other lanes take further rows. The warps of
    a CTA are a grid of `row_warps` x `column_warps` over its tile.

    Example: `#stof.thread_tile<elements = 8, row_warps = 4, column_warps = 1>`.

    **Constraints**

    - (TT1) All parameters are powers of 2.
  }];
  let parameters = (ins "int64_t":$elements, "int64_t":$row_warps,
    "int64_t":$column_warps);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Stof_SchemeAttr : Stof_Attr<"Scheme", "scheme"> {
  let summary = "Assignment of the operations of a function to kernels";
  let description = [{
    One bit for each operation that a kernel computes, in the order of
    `stof-form-groups`: neighbours with equal bits share a kernel, and a change of
    bits is a boundary. Only changes matter, so a scheme and its complement are
    equivalent.

    A scheme is written as bits, or in hexadecimal with the number of bits; the bit
    of the first operation is the highest.

    **Constraints**

    - (S1) Every bit is `0` or `1`.

    Example: `#stof.scheme<"0110">` and `#stof.scheme<"0x6:4">` are the same: the
    second and the third of four operations share a kernel.
  }];
  let parameters = (ins StringRefParameter<"the bits">:$bits);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Parses `text` in either form; nothing if it is malformed.
    static std::optional<std::string> readBits(::llvm::StringRef text);
  }];
}

#endif // STOF_IR_STOFATTRS_TD
