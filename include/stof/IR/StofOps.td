#ifndef STOF_IR_STOFOPS_TD
#define STOF_IR_STOFOPS_TD

include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/TilingInterface.td"
include "mlir/Interfaces/ValueBoundsOpInterface.td"
include "stof/IR/MaskInterfaces.td"
include "stof/IR/StofAttrs.td"
include "stof/IR/StofTypes.td"

def Stof_Captured : AnyTypeOf<[AnyRankedTensor, AnyMemRef, AnyInteger, Index,
                               AnyFloat]>;
def Stof_LayoutOperand : AnyTypeOf<[
  Index, RankedTensorOf<[AnySignlessInteger, Index]>,
  MemRefOf<[AnySignlessInteger, Index]>]>;
def Stof_Data : AnyTypeOf<[RankedTensorOf<[F16, BF16, F32]>,
                           MemRefOf<[F16, BF16, F32]>]>;

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

def Stof_MaskOp : Stof_Op<"mask", [
    IsolatedFromAbove, Pure, SingleBlockImplicitTerminator<"YieldOp">,
    DeclareOpInterfaceMethods<Stof_MaskOpInterface, ["getPredicateRegion"]>
  ]> {
  let summary = "A mask given by a predicate on the four coordinates";
  let description = [{
    The predicate takes (batch, head, query, key) as `index` values, followed by
    the captured values, and yields true for unmasked positions. It consists of
    plain arith operations, so it is subject to folding and CSE, and its set of
    unmasked positions can be analyzed.

    `index` arithmetic on captured scalars is assumed not to wrap around, and
    their magnitude to be less than 2^60. Wrap-around that is due to constants
    alone, or in other integer types, follows arith.

    Scalars are captured by value; tensors are read with `tensor.extract`, buffers
    with `memref.load`. Captured buffers are read at the uses of the mask, not at
    its definition.

    **Constraints**

    - (M1) The predicate takes four `index` arguments, then one argument of the
      type of each captured value.
    - (M2) The predicate yields one `i1`.
    - (M3) Every operation of the predicate is free of side effects; reads of
      captured buffers are allowed.

    **Example**

    ```mlir
    // A band of run-time width, inside each document.
    %m = stof.mask captures(%ids, %w : tensor<4096xi32>, index) {
    ^bb0(%b: index, %h: index, %q: index, %k: index, %doc: tensor<4096xi32>, %width: index):
      %distance = arith.subi %q, %k : index
      %near = arith.cmpi sle, %distance, %width : index
      %of_q = tensor.extract %doc[%q] : tensor<4096xi32>
      %of_k = tensor.extract %doc[%k] : tensor<4096xi32>
      %same = arith.cmpi eq, %of_q, %of_k : i32
      %keep = arith.andi %near, %same : i1
      stof.yield %keep : i1
    } : !stof.mask<4096x4096>
    ```
  }];
  let arguments = (ins Variadic<Stof_Captured>:$captures);
  let results = (outs Stof_MaskType:$result);
  let regions = (region SizedRegion<1>:$predicate);
  let assemblyFormat = [{
    (`captures` `(` $captures^ `:` type($captures) `)`)? $predicate attr-dict
    `:` qualified(type($result))
  }];
  let hasCanonicalizer = 1;
  let builders = [
    OpBuilder<(ins "MaskType":$type, "::mlir::ValueRange":$captures,
      "::llvm::function_ref<::mlir::Value(::mlir::OpBuilder &, ::mlir::Location, ::mlir::ValueRange)>":$predicate)>
  ];
  let extraClassDeclaration = [{
    /// The number of coordinates that come before the captured values.
    static constexpr unsigned numCoordinates = 4;
  }];
}

def Stof_BlockMaskOp : Stof_Op<"block_mask", [
    Pure,
    DeclareOpInterfaceMethods<Stof_MaskOpInterface, ["getOrigin", "getTile"]>
  ]> {
  let summary = "A mask given by a list of key blocks for each query block";
  let description = [{
    A block-sparse mask that the caller provides at run time. Query block `i`
    attends to the key blocks `col_idx[row_ptr[i]] .. col_idx[row_ptr[i + 1]]`, in
    whole blocks of `block` = (queries, keys) positions. The mask is the same for
    all heads, and for all batches unless `row_ptr` has a dimension of batches in
    front.

    A list is a set: order and repetition are irrelevant, and blocks past the last
    one are ignored. Pointers outside `col_idx` are taken as its end.

    With `lengths`, the list is the page table of a sequence: its blocks follow one
    another, and the first `lengths[i]` of their keys are unmasked. The blocks of
    these exist and are distinct; others are not read. Kernels then load the tiles
    of keys page by page, where they would list tiles in another kernel first.

    **Constraints**

    - (B1) `row_ptr` has one element more than there are query blocks, where
      both are static.
    - (B2) Both sides of `block` are positive.
    - (B3) `lengths` has an element for each query block, and batches as `row_ptr`.

    **Example**

    ```mlir
    %m = stof.block_mask %row_ptr, %col_idx block(64, 64)
      : tensor<65xi32>, tensor<?xi32> -> !stof.mask<4096x4096>
    // One query of each of 8 sequences, whose keys are in pages of 16.
    %n = stof.block_mask %first_page, %pages lengths(%n_keys : tensor<8x1xi32>) block(1, 16)
      : tensor<8x2xi32>, tensor<?xi32> -> !stof.mask<1x65536>
    ```
  }];
  let arguments = (ins
    AnyTypeOf<[TensorRankOf<[I32], [1, 2]>, MemRefRankOf<[I32], [1, 2]>]>:$row_ptr,
    AnyTypeOf<[1DTensorOf<[I32]>, MemRefRankOf<[I32], [1]>]>:$col_idx,
    Optional<AnyTypeOf<[TensorRankOf<[I32], [1, 2]>, MemRefRankOf<[I32], [1, 2]>]>>:$lengths,
    I64Attr:$query_block, I64Attr:$key_block);
  let results = (outs Stof_MaskType:$result);
  let assemblyFormat = [{
    $row_ptr `,` $col_idx (`lengths` `(` $lengths^ `:` type($lengths) `)`)?
    `block` `(` $query_block `,` $key_block `)` attr-dict
    `:` type($row_ptr) `,` type($col_idx) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Whether each batch has lists of its own.
    bool hasBatches() {
      return ::llvm::cast<::mlir::ShapedType>(getRowPtr().getType()).getRank() > 1;
    }
  }];
}

def Stof_ListTilesOp : Stof_Op<"list_tiles", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<ConditionallySpeculatable>,
    DeclareOpInterfaceMethods<BufferizableOpInterface, [
      "bufferizesToMemoryRead", "bufferizesToMemoryWrite", "getAliasingValues",
      "getBufferType", "bufferize"
    ]>
  ]> {
  let summary = "Tables of a layout, computed at run time";
  let description = [{
    Lists the tiles with unmasked positions for an attention of `sizes` (batches,
    heads, queries, keys). Candidates are the tiles that the closed-form layout
    `within` visits: in partial tiles the mask is evaluated at every position; the
    others are full. The results are the tables of a layout of storage `run_time`
    with the same tile sizes. If the mask is the same for all batches or heads, the
    ranges have size 1 in that dimension. The op is compiled into kernels, so masks
    of data on the device need no host involvement. On buffers, the tables are
    written to `outs`; on tensors, `outs` are the destinations of the results, which
    are never read and may be absent.

    The entries must have room for all key tiles of each row tile, and one more.
    This is checked only in kernels built with `check-bounds`.

    **Constraints**

    - (L1) There are four sizes.
    - (L2) `within` is a closed form without lattices or row stride, and the layout
      operands match it.
    - (L3) The last dimension of the ranges is 3.
    - (L4) There are two tables, of ranks 4 and 1: results on tensors, `outs` on
      buffers. On tensors, `outs` are absent or have the types of the results.

    **Example**

    ```mlir
    // Packed documents under a causal mask.
    %ranges, %entries = stof.list_tiles mask(%m : !stof.mask<4096x4096>)
        sizes(%b, %h, %q, %k)
        within <row_tile = 64, col_tile = 64, storage = closed_form,
                visited = [#stof.interval<to = affine_map<(d0, d1, d2) -> (d0 + 1)>>],
                partial = [#stof.interval]>
        -> tensor<1x1x64x3xi64>, tensor<4097xi64>
    ```
  }];
  let arguments = (ins
    Stof_MaskType:$mask, Variadic<Index>:$sizes,
    Variadic<Stof_LayoutOperand>:$layout_operands,
    Variadic<AnyTypeOf<[RankedTensorOf<[I64]>, MemRefOf<[I64]>]>>:$outs,
    Stof_LayoutAttr:$within);
  let results = (outs Variadic<RankedTensorOf<[I64]>>:$results);
  let assemblyFormat = [{
    `mask` `(` $mask `:` qualified(type($mask)) `)` `sizes` `(` $sizes `)`
    `within` $within (`from` `(` $layout_operands^ `:` type($layout_operands) `)`)?
    (`outs` `(` $outs^ `:` type($outs) `)`)? attr-dict (`->` type($results)^)?
  }];
  let hasVerifier = 1;
  let builders = [
    OpBuilder<(ins "::mlir::Type":$ranges, "::mlir::Type":$entries,
      "::mlir::Value":$mask, "::mlir::ValueRange":$sizes,
      "::mlir::ValueRange":$layoutOperands, "::stof::LayoutAttr":$within)>
  ];
  let extraClassDeclaration = [{
    /// The two tables: results on tensors, `outs` on buffers.
    ::mlir::Value getRanges() { return getTable(0); }
    ::mlir::Value getEntries() { return getTable(1); }
    ::mlir::ShapedType getRangesType() { return ::llvm::cast<::mlir::ShapedType>(getRanges().getType()); }

  private:
    ::mlir::Value getTable(unsigned number) {
      return getNumResults() == 0 ? getOuts()[number] : ::mlir::Value(getResult(number));
    }
  public:
  }];
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

def Stof_AttentionOp : Stof_Op<"attention", [
    AttrSizedOperandSegments, DestinationStyleOpInterface, IsolatedFromAbove,
    SingleBlockImplicitTerminator<"YieldOp">,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<ConditionallySpeculatable>,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>,
    DeclareOpInterfaceMethods<TilingInterface, [
      "getLoopIteratorTypes", "getIterationDomain", "getTiledImplementation",
      "getResultTilePosition", "generateResultTileValue",
      "getIterationDomainTileFromResultTile"
    ]>,
    DeclareOpInterfaceMethods<BufferizableOpInterface, [
      "bufferizesToMemoryRead", "bufferizesToMemoryWrite", "getAliasingValues",
      "getBufferType", "bufferize"
    ]>
  ]> {
  let summary = "Masked scaled dot-product attention";
  let description = [{
    For each batch b, query head h and query q, over the unmasked keys k (all keys
    if there is no `mask`):

    ```
    s[k]   = score(scale * sum_d query[b,h,q,d] * key[b,h / group,k,d], b, h, q, k)
    lse    = log(sum_k exp(s[k]))                     // with sinks: + exp(sink)
    out[d] = sum_k exp(s[k] - lse) * value[b,h / group,k,d]
    ```

    where `group` is the number of query heads that share a key head. Contractions
    and softmax are computed in float32 or wider. `score` defaults to the identity;
    it takes the score as f32, the four coordinates as `index`, then the captured
    values. A sink is a logit without a value: it only joins the denominator. A head
    has one, or one for each of n equal parts of its queries: query q has
    `sinks[h, q floordiv (queries / n)]`. The scale is the attribute times the
    operand; either may be absent.

    A row is fully masked if all of its keys are masked or all unmasked keys have a
    score of -inf. It yields what `empty_rows` specifies, with or without sinks;
    with zero keys and no mask, it is zero. `mean` and `unmasked` are over all keys,
    or over those that a second mask keeps; if these are none, or all have a weight
    of zero, the row is zero.

    In the reference (`stof-decompose-attention`), masked keys and values have no
    effect, whatever their contents. In a compiled kernel, this holds for tiles that
    are not visited; in a visited tile, a masked NaN or infinity is multiplied by
    zero and may make a whole row NaN. A tile of queries with a fully masked row of
    `mean` or `unmasked` visits all keys. If an f32 contraction is computed as three
    TF32 contractions, infinite operands give NaN.

    A score region may yield any float32. Numbers added to scores are exact up to
    the largest float, even if they absorb the score and apply to all keys of a
    query: if the lowest float is added to all scores of a query, the scores are
    equal and `out` is the mean of its values. A score of -inf has weight zero; +inf
    or NaN makes the row NaN. The same holds in f32 without a region. In f16 and
    bf16, scores without a region are exact up to a magnitude of 2^30, since a
    kernel multiplies by log2(e) and subtracts the row max in one operation.

    A mask is not a bias. Numbers added to scores are raised to a mask where
    `stof-raise-attention` proves that they are zero or low enough for the weight of
    the key to vanish. A fully masked row then yields

    - NaN, if the number is -inf (`nan`), unless the source tests for such rows and
      writes zero (`zero`);
    - the mean of all values, if a finite number is filled in, or is added and large
      enough to absorb the score in the type of the source (`mean`);
    - the softmax of its scores without the mask, if a smaller number is added
      (`unmasked`).

    If several masks with finite numbers meet, as those of a decoder for later keys
    and for padding, the keys of such a row may differ in how far they are from the
    others, and only the nearest have a weight. The mean or the softmax is over a
    second mask then: if two lowest floats are added to a key, the sum is -inf,
    whereas keys with one of them are equal.

    Otherwise, e.g. for a float argument or `(1 - m) * min` of integers `m`, the
    numbers are a bias, added by the score region. A bias gives no information about
    tiles, so all of them are computed, and it is added in float32, whatever the
    type in the source. In f16 this makes a difference if all keys of a query have
    the lowest number, -65504: a sum in f16 is rounded to multiples of 32, which
    leaves almost nothing of the scores, so the weights of the source are almost
    equal; in float32 they are the softmax of the scores.

    The layout, set by `stof-plan-layout`, gives the tiles of the mask that a kernel
    visits, and the schedule gives their order. `tile` is the tile of a CTA; without
    it, the kernel chooses one that suits the sizes. An attention whose kernel cannot
    have it is not compiled; `stof-list-schedules` prints those that there are. None
    of them affects the semantics.

    The upstream tiling transforms tile batch, query head and query. A tile of heads
    must be whole GQA groups, or inside one. The initial contents of `out` and `lse`
    are never read.

    **Constraints**

    - (A1) `query`, `key`, `value` and `out` have rank 4: batch, head, position,
      feature; all four have one element type.
    - (A2) The batch of all four is the same, or that of `key` and `value` is 1: all
      batches have the same keys then, as the pages of a cache.
    - (A3) `query` and `key` have the same number of features.
    - (A4) `key` and `value` have the same heads and positions.
    - (A5) The number of query heads is a multiple of the number of key heads.
    - (A6) `out` has the heads and positions of `query`, the features of `value`.
    - (A7) `lse` is f32 of batch x query heads x query positions, a tensor where
      `out` is one.
    - (A8) The masks are over the positions of `query` and of `key`.
    - (A9) `sinks` is f32 with one element for each query head, or `heads x n` with
      a number of queries that is a multiple of n.
    - (A10) The score region takes f32, four `index`, then one argument of the
      type of each captured value, yields f32, and is free of side effects.
    - (A11) No dimension is statically zero.
    - (A12) A layout requires a mask and the operands of its storage: an index or
      a tensor of integers for each symbol (`closed_form`); or the ranges (i64 of
      rank 4, whose last dimension is 3), the entries (i64 of rank 1) and, for
      `tables`, the bitmaps (i32 of rank 3). Its tiles are those of `tile`, if that is given.
    - (A13) Static sizes of the position dimension are less than 2^31. Dynamic ones
      are at most 2^29 at run time.
    - (A14) There are at most two masks. The second one requires `empty_rows` of
      `mean` or `unmasked`.

    **Examples**

    ```mlir
    // 32 query heads on 8 key heads, ALiBi slopes captured.
    %o = stof.attention
        ins(%q, %k, %v : tensor<1x32x?x64xf16>, tensor<1x8x?x64xf16>, tensor<1x8x?x64xf16>)
        mask(%m : !stof.mask<?x?>) captures(%slopes : tensor<32xf32>)
        outs(%init : tensor<1x32x?x64xf16>) scale 1.250000e-01
        score {
        ^bb0(%s: f32, %b: index, %h: index, %q_: index, %k_: index, %slope: tensor<32xf32>):
          %m_h = tensor.extract %slope[%h] : tensor<32xf32>
          ...
          stof.yield %biased : f32
        } -> tensor<1x32x?x64xf16>
    ```

    ```mlir
    // Causal and padded: a query of which every earlier key is padding averages
    // these keys, but no later ones.
    %o = stof.attention ins(%q, %k, %v : tensor<2x8x64x64xf16>, tensor<2x8x64x64xf16>, tensor<2x8x64x64xf16>)
        mask(%causal_and_padded : !stof.mask<64x64>) outs(%init : tensor<2x8x64x64xf16>)
        empty_rows(mean over %causal : !stof.mask<64x64>) -> tensor<2x8x64x64xf16>
    ```
  }];
  let arguments = (ins
    Stof_Data:$query, Stof_Data:$key, Stof_Data:$value,
    Variadic<Stof_MaskType>:$masks,
    Optional<AnyTypeOf<[TensorRankOf<[F32], [1, 2]>, MemRefRankOf<[F32], [1, 2]>]>>:$sinks,
    Optional<F32>:$dynamic_scale,
    Variadic<Stof_Captured>:$captures,
    Stof_Data:$out,
    Optional<AnyTypeOf<[3DTensorOf<[F32]>, MemRefRankOf<[F32], [3]>]>>:$lse,
    Variadic<Stof_LayoutOperand>:$layout_operands,
    OptionalAttr<Stof_AttentionTileAttr>:$tile,
    OptionalAttr<Stof_LayoutAttr>:$layout,
    OptionalAttr<Stof_ScheduleAttr>:$schedule,
    OptionalAttr<F32Attr>:$scale,
    DefaultValuedAttr<Stof_EmptyRows, "::stof::EmptyRows::Zero">:$empty_rows);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$score);
  let assemblyFormat = [{
    `ins` `(` $query `,` $key `,` $value `:` type($query) `,` type($key) `,` type($value) `)`
    `` custom<Mask>($masks, type($masks)) (`tile` $tile^)?
    (`layout` $layout^ (`from` `(` $layout_operands^ `:` type($layout_operands) `)`)?)?
    (`schedule` $schedule^)?
    (`sinks` `(` $sinks^ `:` type($sinks) `)`)?
    (`captures` `(` $captures^ `:` type($captures) `)`)?
    `outs` `(` $out `:` type($out) (`,` `lse` $lse^ `:` type($lse))? `)`
    (`scale` $scale^)? (`times` $dynamic_scale^)?
    (`empty_rows` `(` $empty_rows^
      `` custom<EmptyRowsMask>(ref($masks), ref(type($masks))) `)`)?
    `` custom<Score>($score) attr-dict (`->` type($results)^)?
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let hasCanonicalizer = 1;
  let builders = [
    // An attention without a layout. `score` builds the score region; by default
    // it is the identity.
    OpBuilder<(ins "::mlir::TypeRange":$types, "::mlir::Value":$query,
      "::mlir::Value":$key, "::mlir::Value":$value, "::mlir::Value":$mask,
      "::mlir::Value":$sinks, "::mlir::Value":$dynamicScale,
      "::mlir::ValueRange":$captures, "::mlir::Value":$out,
      "::mlir::Value":$lse, "::mlir::FloatAttr":$scale,
      "::stof::EmptyRows":$emptyRows, "::mlir::Value":$emptyRowsMask,
      CArg<"::llvm::function_ref<::mlir::Value(::mlir::OpBuilder &, "
           "::mlir::Location, ::mlir::ValueRange)>", "nullptr">:$score)>
  ];
  let extraClassDeclaration = [{
    /// Dimensions of query, key, value and out.
    enum Dim : unsigned { Batch = 0, Head = 1, Position = 2, Feature = 3 };

    /// The score and the four coordinates, which precede the captured values.
    static constexpr unsigned numScoreArguments = 5;

    ::mlir::MutableOperandRange getDpsInitsMutable();
    ::llvm::LogicalResult verifyLayout();

    /// Removes the layout, its operands, and the schedule, which depends on it.
    void dropLayout() {
      removeLayoutAttr();
      removeScheduleAttr();
      getLayoutOperandsMutable().clear();
    }

    /// The mask, and that of fully masked rows; null if there is none.
    ::mlir::Value getMask() { return getMasks().empty() ? ::mlir::Value() : getMasks()[0]; }
    ::mlir::Value getEmptyRowsMask() { return getMasks().size() < 2 ? ::mlir::Value() : getMasks()[1]; }
    void dropEmptyRowsMask() {
      if (getEmptyRowsMask())
        getMasksMutable().erase(1);
    }

    /// Fully masked rows are zero from now on.
    void dropEmptyRows() {
      setEmptyRows(::stof::EmptyRows::Zero);
      dropEmptyRowsMask();
    }
    ::mlir::ShapedType getQueryType() { return ::llvm::cast<::mlir::ShapedType>(getQuery().getType()); }
    ::mlir::ShapedType getKeyType() { return ::llvm::cast<::mlir::ShapedType>(getKey().getType()); }
    ::mlir::ShapedType getValueType() { return ::llvm::cast<::mlir::ShapedType>(getValue().getType()); }
    ::mlir::ShapedType getOutType() { return ::llvm::cast<::mlir::ShapedType>(getOut().getType()); }

    /// Whether all batches have the same keys and values, rather than their own.
    bool sharesKeys() {
      return getKeyType().getDimSize(Batch) == 1 && getQueryType().getDimSize(Batch) != 1;
    }

    /// Whether the score region is other than the identity.
    bool hasScore();

    /// The operation that defines the mask; null if there is no mask, or an
    /// argument or another operation yields it.
    ::stof::MaskOpInterface getMaskDefinition();

    /// The block list with lengths that defines the mask; null if none does.
    ::stof::BlockMaskOp getPageTable();

    /// The origin of the mask: `none` if there is no mask, else a MaskOrigin, which
    /// is `argument` if no mask operation defines it.
    ::llvm::StringRef getMaskOrigin();
  }];
}

//===----------------------------------------------------------------------===//
// Scatter
//===----------------------------------------------------------------------===//

def Stof_ScatterOp : Stof_Op<"scatter", [
    DestinationStyleOpInterface, IsolatedFromAbove,
    SingleBlockImplicitTerminator<"YieldOp">,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<ConditionallySpeculatable>,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>,
    DeclareOpInterfaceMethods<BufferizableOpInterface, [
      "bufferizesToMemoryRead", "bufferizesToMemoryWrite", "getAliasingValues",
      "bufferize"
    ]>
  ]> {
  let summary = "Combines updates with elements of a tensor at given indices";
  let description = [{
    For each element of `updates`, at coordinates d, in lexicographic order:

    ```
    s[i] = indices[i][indexing_maps[i](d)]            // one number of each index
    p    = position(d)[s]                             // a coordinate in `original`
    p    = p < 0 ? p + size of original : p           // where `wrapped` is given
    if 0 <= p < sizes of original:                    // in each dimension
      original[p] = combine(updates[d], original[p])
    ```

    Indices are signed. Out-of-bounds updates are not written.

    - `checked`: an out-of-bounds update also ends the execution of the function with
      an error, like a failed `stof.check`.
    - `unique`: no two updates have the same coordinate `p`, so they may be applied
      in any order. If two do, it is undefined which of them remains.
    - `wrapped`: negative coordinates count from the end, as in PyTorch.

    Coordinates that `position` passes through need no index: `kc[:, :, pos] = k` has
    one index, `(b, h, p, x)[s] -> (b, h, s, x)`, and a slice that starts at an index
    is `(p, x)[s] -> (p + s, x)`. Updates that differ in a coordinate that is passed
    through cannot conflict (`getSeparatingDims`), so a kernel applies them in
    parallel.

    On buffers, `original` is written in place.

    **Constraints**

    - (S1) `updates` and `original` have one element type, and all operands are
      tensors or all are buffers.
    - (S2) There is one indexing map for each index, from the coordinates of
      `updates` to those of the index; each of its results is a coordinate, or 0.
    - (S3) `position` takes the coordinates of `updates` and a symbol for each
      index, and has a result for each dimension of `original`.
    - (S4) If both are static, each dimension of an index has the size of the
      updates' dimension that its map gives for it, or, for a result of 0, at least
      one element.
    - (S5) `combine` takes an update and an element, in this order, yields an
      element, and is free of side effects.
    - (S6) The result has the type of `original`.

    **Example**

    ```mlir
    // One position of a cache: cache[:, :, pos] = k.
    %new = stof.scatter %k at(%pos : tensor<1xi64>) into %cache
        maps [affine_map<(b, h, p, x) -> (p)>]
        position affine_map<(b, h, p, x)[s] -> (b, h, s, x)> unique {
      ^bb0(%update: f16, %old: f16):
        stof.yield %update : f16
      } : tensor<2x8x1x64xf16>, tensor<2x8x128x64xf16> -> tensor<2x8x128x64xf16>
    ```
  }];
  let arguments = (ins
    AnyTypeOf<[AnyRankedTensor, AnyMemRef]>:$updates,
    Variadic<AnyTypeOf<[RankedTensorOf<[AnySignlessInteger, Index]>,
                        MemRefOf<[AnySignlessInteger, Index]>]>>:$indices,
    AnyTypeOf<[AnyRankedTensor, AnyMemRef]>:$original,
    AffineMapArrayAttr:$indexing_maps,
    AffineMapAttr:$position,
    UnitAttr:$unique,
    UnitAttr:$wrapped,
    UnitAttr:$checked);
  let results = (outs Optional<AnyRankedTensor>:$result);
  let regions = (region SizedRegion<1>:$combine);
  let assemblyFormat = [{
    $updates (`at` `(` $indices^ `:` type($indices) `)`)? `into` $original
    `maps` $indexing_maps `position` $position (`unique` $unique^)?
    (`wrapped` $wrapped^)? (`checked` $checked^)?
    $combine attr-dict `:` type($updates) `,` type($original)
    (`->` type($result)^)?
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getOriginalMutable(); }
    ::mlir::ShapedType getUpdatesType() { return ::llvm::cast<::mlir::ShapedType>(getUpdates().getType()); }
    ::mlir::ShapedType getOriginalType() { return ::llvm::cast<::mlir::ShapedType>(getOriginal().getType()); }

    /// The map of one index.
    ::mlir::AffineMap getIndexingMap(unsigned index) {
      return ::llvm::cast<::mlir::AffineMapAttr>(getIndexingMaps()[index]).getValue();
    }

    /// Whether `combine` uses the old element.
    bool combinesOld() { return !getCombine().front().getArgument(1).use_empty(); }

    /// The dimensions of `updates` that `position` passes through to a coordinate,
    /// up to an added constant that does not wrap around. Updates that differ in one
    /// of them cannot conflict.
    ::llvm::SmallVector<unsigned> getSeparatingDims();
  }];
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

def Stof_CheckOp : Stof_Op<"check", [
    NoMemoryEffect, AttrSizedOperandSegments, AllTypesMatch<["value", "result"]>
  ]> {
  let summary = "A value with a condition that is checked where it is used";
  let description = [{
    Yields `value` if `holds` is true. Otherwise the result is 0, and the execution
    of the function ends with an error that has `message` and the location of this
    operation: on the CPU when the function is done, on a GPU when the runtime next
    waits. A read at a checked index stays in bounds, unless the tensor has no
    elements.

    The condition is evaluated only where the result is used: unused checks may be
    erased, equal checks may be merged, and a check in a region is part of the
    region's computation. A check must not be moved to where it would be evaluated
    more often, i.e. out of a branch or of a loop that may have no iterations. If
    several conditions are false, any one of them may be reported.

    Once `stof-number-checks` has numbered the message, `number` is stored in
    `status` if the condition is false.

    **Constraints**

    - (C1) `number` and `status` go together.

    **Example**

    ```mlir
    %in_table = arith.cmpi ult, %token, %words : index
    %known = stof.check %token if %in_table, "index out of range" : index
    %word = tensor.extract %table[%known] : tensor<?xf32>
    ```
  }];
  let arguments = (ins
    AnyTypeOf<[AnySignlessInteger, Index]>:$value, I1:$holds,
    Optional<I32>:$number, Optional<MemRefRankOf<[I32], [1]>>:$status,
    StrAttr:$message);
  let results = (outs AnyTypeOf<[AnySignlessInteger, Index]>:$result);
  let assemblyFormat = [{
    $value `if` $holds `,` $message (`report` $number^)? (`to` $status^)? attr-dict
    `:` type($value) (`,` type($status)^)?
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
  let builders = [OpBuilder<(ins "::mlir::Value":$value, "::mlir::Value":$holds, "::llvm::StringRef":$message)>];
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

def Stof_Tiles : TypedArrayAttrBase<AnyAttrOf<[
    Stof_MatmulTileAttr, Stof_ThreadTileAttr
  ]>, "tiles of contractions or of threads">;

def Stof_GroupOp : Stof_Op<"group", [
    AttrSizedOperandSegments, IsolatedFromAbove, RecursiveMemoryEffects,
    SingleBlockImplicitTerminator<"YieldOp">,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<ValueBoundsOpInterface, [
      "populateBoundsForIndexValue", "populateBoundsForShapedValueDim"
    ]>,
    DeclareOpInterfaceMethods<BufferizableOpInterface, [
      "bufferizesToMemoryRead", "bufferizesToMemoryWrite", "getAliasingValues",
      "getBufferType", "bufferize"
    ]>
  ]> {
  let summary = "Operations that one kernel computes";
  let description = [{
    A cluster of linalg, tensor and attention operations that is compiled into one
    kernel. The region takes the operands and yields the results; it has no other
    inputs, so a group can be compiled on its own.

    On buffers, the results are written to `outs`. The region is the same as on
    tensors: it maps the contents of the inputs to the contents of `outs`, and the
    kernel decides what of it is ever in memory. On tensors, `outs` are the
    destinations of the results, which are never read; they may be absent, but a
    group is bufferized only if it has them.

    A group is one computation over a common iteration space, or several branches
    between which no data flows, such as the projections of an attention, each with
    the operations that follow it. The grid of the kernel has the CTAs of one branch
    after those of another, and each branch has its own tile sizes. Branches may read
    the same tensors; no operand of one branch may depend on a result of another
    through operations outside the group.

    **Constraints**

    - (G1) The region takes one argument of the type of each input; for a buffer, a
      tensor of its element type and of a compatible shape.
    - (G2) The region yields one value of the type of each result; on buffers, a
      tensor of the element type and of a compatible shape for each of `outs`.
    - (G3) On buffers there are no results. On tensors, `outs` are absent or have
      the types of the results.
    - (G4) Each of `tiles` is a `#stof.matmul_tile` or a `#stof.thread_tile`.

    `tiles` are those of the branches, in the order of their CTAs; without them, the
    cost model chooses. A group whose kernel cannot have them is not compiled. They
    do not affect the semantics. `stof-list-schedules` prints those that there are.

    **Example**

    ```mlir
    %y = stof.group ins(%x, %bias : tensor<?x768xf32>, tensor<768xf32>) {
    ^bb0(%x_: tensor<?x768xf32>, %bias_: tensor<768xf32>):
      ...
      stof.yield %sum : tensor<?x768xf32>
    } -> tensor<?x768xf32>
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$inputs,
                       Variadic<AnyTypeOf<[AnyRankedTensor, AnyMemRef]>>:$outs,
                       OptionalAttr<Stof_Tiles>:$tiles);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    (`ins` `(` $inputs^ `:` type($inputs) `)`)?
    (`outs` `(` $outs^ `:` type($outs) `)`)? (`tiles` $tiles^)? $body attr-dict
    (`->` type($results)^)?
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let hasCanonicalizer = 1;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

def Stof_LaunchOp : Stof_Op<"launch", [
    NoRegionArguments, NoTerminator, RecursiveMemoryEffects, SingleBlock
  ]> {
  let summary = "An operation on buffers, and the kernels that compute it";
  let description = [{
    Computes the operation of its region by launching `kernels`, one after the
    other. `temporaries` are buffers for what the kernels pass to each other.

    `stof-outline-kernels` names the kernels and allocates the temporaries,
    `stof-emit-kernels` writes the kernels and replaces the operation by one
    `gpu.launch_func` for each. Only then it is known what is computed on the host
    for a kernel: its grid, and the arguments that it takes.

    **Constraints**

    - (K1) There is at least one kernel.
    - (K2) The region has one operation, without results.

    **Example**

    ```mlir
    stof.launch [@main_kernels::@main_0_generic] {
      stof.group ins(%x : memref<8xf32>) outs(%y : memref<8xf32>) {
      ^bb0(%x_: tensor<8xf32>):
        ...
        stof.yield %0 : tensor<8xf32>
      }
    }
    ```
  }];
  let arguments = (ins
    TypedArrayAttrBase<SymbolRefAttr, "array of names">:$kernels,
    Arg<Variadic<AnyMemRef>, "", [MemRead, MemWrite]>:$temporaries);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $kernels (`temporaries` `(` $temporaries^ `:` type($temporaries) `)`)? $body
    attr-dict
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def Stof_YieldOp : Stof_Op<"yield", [
    Pure, ReturnLike, Terminator, ParentOneOf<["MaskOp", "AttentionOp", "GroupOp", "ScatterOp"]>
  ]> {
  let summary = "Terminates a predicate, score, group or combine region";
  let description = [{
    **Example**: `stof.yield %keep : i1`
  }];
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
  let builders = [OpBuilder<(ins), [{ }]>];
}

#endif // STOF_IR_STOFOPS_TD
