#ifndef STOF_IR_STOFATTRS_TD
#define STOF_IR_STOFATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "stof/IR/StofBase.td"

// The ways in which softmax over an empty set of keys is written disagree, so
// an attention says which one it means:
//
// - zero: the output row is 0 and its log-sum-exp is -inf (a safe softmax, SDPA
//   with a boolean mask);
// - nan: the row is NaN (a select of -inf before a plain softmax), its
//   log-sum-exp -inf;
// - mean: the row is the mean of all values (a select of a finite minimum), its
//   log-sum-exp the logarithm of their number;
// - unmasked: the row is the softmax of its scores as if nothing were masked (an
//   additive finite minimum that leaves differences between scores alone), its
//   log-sum-exp theirs.
//
// Where there are no keys at all, rows of mean and unmasked are zero.
//
// A row without a key is empty beside a sink as well. The sink then is all of the
// log-sum-exp of zero and nan, joins the denominator and the log-sum-exp of
// unmasked, and has no part in mean: equal logits far below any sink would leave
// nothing of the values.
def Stof_EmptyRows : I32EnumAttr<"EmptyRows",
    "What a query that attends to no key produces", [
  I32EnumAttrCase<"Zero", 0, "zero">,
  I32EnumAttrCase<"NaN", 1, "nan">,
  I32EnumAttrCase<"Mean", 2, "mean">,
  I32EnumAttrCase<"Unmasked", 3, "unmasked">
]> {
  let cppNamespace = "::stof";
}

// Where the segments of a layout are written down:
//
// - closed_form: as functions of the row tile, in the layout itself;
// - tables: as constant tables, made from captured constants;
// - run_time: as tables that a kernel makes on the device.
def Stof_LayoutStorage : I32EnumAttr<"LayoutStorage",
    "Where the segments of a layout are written down", [
  I32EnumAttrCase<"ClosedForm", 0, "closed_form">,
  I32EnumAttrCase<"Tables", 1, "tables">,
  I32EnumAttrCase<"RunTime", 2, "run_time">
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
    the row tiles for which no result of `where` is negative. The dimensions of
    the three maps are (row tile, batch, head); their symbols are those of the
    layout. A map without results bounds nothing.

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
  let summary = "Tiles of keys that lie a stride apart";
  let description = [{
    Column y of key tile j is the key offset + stride (col_tile j + y). `visited`
    and `partial` are as in the layout that holds it, for these tiles.

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
  let summary = "Which tiles of a masked attention hold a pair that is kept";
  let description = [{
    A tile is `row_tile` queries times `col_tile` keys. For each row tile, the key
    tiles in one of the intervals of `visited` are computed, in ascending order,
    and no other is read. Those in one of the intervals of `partial` may hold a
    pair that the mask drops and evaluate it; the others keep every pair. A
    maximal run of tiles of one kind is a segment.

    After these tiles come those of each of `lattices`, in order. A pair that
    several of them hold is computed in the first that visits it.

    With a `row_stride` s > 1 the queries of a tile lie apart as well, and every
    pair that is kept has query - key = `residue` modulo s. Row x of row tile t is
    the query t mod s + s (row_tile (t div s) + x), and column y of key tile j the
    key c + s (col_tile j + y), where c = (t - residue) mod s: no other key shares a
    pair with the queries of t. There are no lattices then.

    With storage `tables` or `run_time` both lists are empty and the operands of
    the layout say it: `ranges` (i64), of batch x head x row tile x 2 (either of the
    first two 1 where all share it), has the first and one past the last entry of
    each row tile in `entries` (i64), each entry twice the key tile, plus one
    where it is partial. One entry more than there are follows the last. With
    `tables` a third operand has the pairs that partial tiles keep, of bitmap x
    row x words of i32; the upper 32 bits of an entry are the number of its bitmap.

    On tensor cores four threads hold a row of a tile: of every eight columns
    thread n has 2 n and 2 n + 1. So that a thread finds what it needs of a row in
    one word, and at positions that it need not compute, column y is bit
    w (y div 2 mod 4) + 2 (y div 8) + y mod 2 of a row, where w is col_tile / 4
    rounded up to a power of two. Bits are numbered from the lowest one of the
    first word.

    Kernels take tables at their word. Ranges that do not lie inside `entries`, and
    bitmaps that do not exist, are read outside of memory. A key tile that does not
    exist is not, if its positions are below 2^31: no key and no value is read, and
    its pairs are dropped or computed with keys and values of zero. A kernel that is
    built with `check-bounds` stops where it would read outside of a table, and on
    the CPU also where a key tile does not exist.

    With storage `closed_form` operand n of the layout gives symbol n of the
    intervals: an index, or an element of a tensor of integers at the position
    that `symbols[n]` maps (batch, head) to.

    `census` counts tiles (`full`, `partial`, `empty`) and kept pairs
    (`nonzeros`), of one mask or the sum over those that differ by batch and head.
    Counts that depend on the lengths `Sq` and `Sk` or on captured numbers `c0`,
    `c1`, ... are expressions of them (Size/CountExpr.h); `symbols` says which
    operand of the layout is which number. What is not counted is absent, and
    `unknown` says why. A tile is full if all of its pairs that exist are
    kept; tiles of lattices are counted with the others, but for the empty ones.
    With a row stride the tiles of adjacent positions are not counted, but those of
    the queries and keys that belong together. It adds nothing to the meaning.

    Examples:
    ```mlir
    // A causal mask.
    #stof.layout<row_tile = 64, col_tile = 64, storage = closed_form,
      visited = [#stof.interval<to = affine_map<(d0, d1, d2) -> (d0 + 1)>>],
      partial = [#stof.interval<from = affine_map<(d0, d1, d2) -> (d0)>>]>
    // The same of every fourth key before a query.
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
    enum Dim : unsigned { row_tile_dim = 0, batch_dim = 1, head_dim = 2, num_dims = 3 };

    /// The number of row tiles as a function of the number of queries: the least
    /// of the results.
    ::mlir::AffineMap getRowTiles();

    /// The number of operands that an attention with this layout takes.
    unsigned getNumOperands();

    /// Checks that `operands` of `op` are what the layout asks for.
    ::llvm::LogicalResult verifyOperands(::mlir::Operation *op,
                                         ::mlir::ValueRange operands);
  }];
}

def Stof_ScheduleAttr : Stof_Attr<"Schedule", "schedule"> {
  let summary = "In which order a kernel computes row tiles";
  let description = [{
    A kernel has a thread block for each row tile of each head, and they start
    roughly in order. Row tiles are taken from the last to the first if
    `reversed`. The first `ahead` of them, in that order, are computed for all
    heads before the rest; then one head follows the other, so that its keys stay
    in the cache. It adds nothing to the meaning.

    Each of the row tiles ahead is cut into `parts` along the key tiles that it
    visits: a thread block computes one part, as if there were no other keys, and
    a second kernel merges them by their log-sum-exps (Flash-Decoding). If `ahead`
    covers all row tiles, all are cut.

    Examples: `#stof.schedule<reversed = true>` for a causal mask, whose last rows
    are the longest; `#stof.schedule<ahead = 1>` where the first row tile attends
    to everything; `#stof.schedule<ahead = 1, parts = 16>` for one query on a long
    row of keys.

    **Constraints**

    - (S1) `ahead` is not negative.
    - (S2) `parts` is positive; more than one are of row tiles that are ahead.
  }];
  let parameters = (ins
    DefaultValuedParameter<"bool", "false">:$reversed,
    DefaultValuedParameter<"int64_t", "0">:$ahead,
    DefaultValuedParameter<"int64_t", "1">:$parts);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Stof_SchemeAttr : Stof_Attr<"Scheme", "scheme"> {
  let summary = "Which operations of a function share a kernel";
  let description = [{
    One bit for each operation that a kernel computes, in the order in which
    `stof-form-groups` lists them: neighbours with equal bits share a kernel, a
    change of bit is a boundary. The value of a bit means nothing by itself, so a
    scheme and its complement are the same.

    It is written as its bits, or in hexadecimal with the number of bits, the
    first operation's bit being the highest.

    **Constraints**

    - (S1) Every bit is `0` or `1`.

    Example: `#stof.scheme<"0110">` and `#stof.scheme<"0x6:4">` are the same: the
    second and the third of four operations share a kernel.
  }];
  let parameters = (ins StringRefParameter<"the bits">:$bits);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The bits that `text` writes, in either way; nothing if it writes none.
    static std::optional<std::string> readBits(::llvm::StringRef text);
  }];
}

#endif // STOF_IR_STOFATTRS_TD
