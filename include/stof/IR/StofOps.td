#ifndef STOF_IR_STOFOPS_TD
#define STOF_IR_STOFOPS_TD

include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/TilingInterface.td"
include "mlir/Interfaces/ValueBoundsOpInterface.td"
include "stof/IR/StofAttrs.td"
include "stof/IR/StofTypes.td"

def Stof_Captured : AnyTypeOf<[AnyRankedTensor, AnyMemRef, AnyInteger, Index,
                               AnyFloat]>;
def Stof_LayoutOperand : AnyTypeOf<[
  Index, RankedTensorOf<[AnySignlessInteger, Index]>,
  MemRefOf<[AnySignlessInteger, Index]>]>;
def Stof_Data : AnyTypeOf<[RankedTensorOf<[F16, BF16, F32]>,
                           MemRefOf<[F16, BF16, F32]>]>;

// A mask holds on to the buffers of what it captures and reads them when it is
// used, so a buffer that changes in between is copied.
class Stof_MaskBufferization<list<string> more = []>
    : DeclareOpInterfaceMethods<BufferizableOpInterface, !listconcat([
      "bufferizesToMemoryRead", "bufferizesToMemoryWrite", "getAliasingValues",
      "resolveConflicts", "bufferize"
    ], more)>;

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

def Stof_MaskOp : Stof_Op<"mask", [
    IsolatedFromAbove, Pure, SingleBlockImplicitTerminator<"YieldOp">,
    Stof_MaskBufferization<["getBufferType"]>
  ]> {
  let summary = "A mask given by a predicate on the four coordinates";
  let description = [{
    The predicate is called with (batch, head, query, key) as `index` values,
    then the captured values, and yields true where the key is attended to. It
    is plain arith, so folding and CSE work on it, and what it keeps can be
    proven. Arithmetic of type `index` is taken not to wrap around on captured
    scalars, whose magnitude is taken to be less than 2^60; where constants alone
    make it wrap, and in integers of other types, it wraps as arith says. Scalars
    are captured as they are; tensors are read with
    `tensor.extract`, buffers with `memref.load`. A captured buffer is read when
    the mask is used, not where it is made.

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
  let hasRegionVerifier = 1;
  let hasCanonicalizer = 1;
  let builders = [
    OpBuilder<(ins "MaskType":$type, "::mlir::ValueRange":$captures,
      "::llvm::function_ref<::mlir::Value(::mlir::OpBuilder &, ::mlir::Location, ::mlir::ValueRange)>":$predicate)>
  ];
  let extraClassDeclaration = [{
    /// The number of coordinates that come before the captured values.
    static constexpr unsigned numCoordinates = 4;

    /// The yielded predicate if it is the same for every pair, else nothing.
    std::optional<bool> getConstantPredicate();
  }];
}

def Stof_BlockMaskOp : Stof_Op<"block_mask", [Pure, Stof_MaskBufferization<>]> {
  let summary = "A mask given by a list of key blocks for each query block";
  let description = [{
    The caller's own selection, known at run time: query block `i` attends to the
    key blocks `col_idx[row_ptr[i]] .. col_idx[row_ptr[i + 1]]`, whole blocks of
    `block` = (queries, keys) positions. The same for every batch and head.

    **Constraints**

    - (B1) `row_ptr` has one element more than there are query blocks, where
      both are static.
    - (B2) Both sides of `block` are positive.

    A list is a set: its order and repetitions mean nothing, and a block past the
    last one is no block. Pointers outside `col_idx` are taken as its end.

    **Example**

    ```mlir
    %m = stof.block_mask %row_ptr, %col_idx block(64, 64)
      : tensor<65xi32>, tensor<?xi32> -> !stof.mask<4096x4096>
    ```
  }];
  let arguments = (ins
    AnyTypeOf<[1DTensorOf<[I32]>, MemRefRankOf<[I32], [1]>]>:$row_ptr,
    AnyTypeOf<[1DTensorOf<[I32]>, MemRefRankOf<[I32], [1]>]>:$col_idx,
    I64Attr:$query_block, I64Attr:$key_block);
  let results = (outs Stof_MaskType:$result);
  let assemblyFormat = [{
    $row_ptr `,` $col_idx `block` `(` $query_block `,` $key_block `)` attr-dict
    `:` type($row_ptr) `,` type($col_idx) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def Stof_ListTilesOp : Stof_Op<"list_tiles", [Pure, AttrSizedOperandSegments]> {
  let summary = "The tables of a layout, made at run time";
  let description = [{
    Finds the tiles in which `mask` keeps a pair of an attention of `sizes` (batches,
    heads, queries, keys), among those that the layout `within`, a closed form,
    visits: where that says partial the mask is asked for every pair, elsewhere the
    tile is full. The results are the tables of a layout of storage `run_time` in
    tiles of the same size; where the mask is the same for all batches or heads,
    the ranges have one. It is compiled into a kernel, so a mask of data that only
    the device has needs no help of the host; it lives on tensors until then.

    The entries must have room for all key tiles of each row tile, and one more. No
    kernel looks whether they do unless it is built with `check-bounds`.

    **Constraints**

    - (L1) There are four sizes.
    - (L2) `within` is a closed form without lattices and has the operands that it
      asks for.
    - (L3) The last dimension of the ranges is 2.

    **Example**

    ```mlir
    // Packed documents under a causal mask.
    %ranges, %entries = stof.list_tiles mask(%m : !stof.mask<4096x4096>)
        sizes(%b, %h, %q, %k)
        within <row_tile = 64, col_tile = 64, storage = closed_form,
                visited = [#stof.interval<to = affine_map<(d0, d1, d2) -> (d0 + 1)>>],
                partial = [#stof.interval]>
        -> tensor<1x1x64x2xi64>, tensor<4097xi64>
    ```
  }];
  let arguments = (ins
    Stof_MaskType:$mask, Variadic<Index>:$sizes,
    Variadic<Stof_LayoutOperand>:$layout_operands,
    Stof_LayoutAttr:$within);
  let results = (outs TensorRankOf<[I64], [4]>:$ranges,
                      TensorRankOf<[I64], [1]>:$entries);
  let assemblyFormat = [{
    `mask` `(` $mask `:` qualified(type($mask)) `)` `sizes` `(` $sizes `)`
    `within` $within (`from` `(` $layout_operands^ `:` type($layout_operands) `)`)?
    attr-dict `->` type($ranges) `,` type($entries)
  }];
  let hasVerifier = 1;
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
    For each batch b, query head h and query q, over the keys k that `mask`
    keeps (all keys if there is no mask):

    ```
    s[k]   = score(scale * sum_d query[b,h,q,d] * key[b,h / group,k,d], b, h, q, k)
    lse    = log(sum_k exp(s[k]))                     // with sinks: + exp(sink[h])
    out[d] = sum_k exp(s[k] - lse) * value[b,h / group,k,d]
    ```

    where `group` is the number of query heads that share a key head. Products
    and softmax are computed in float32 or wider. `score` is the identity where
    none is written; it is called with the score as f32, the four coordinates as
    `index`, then the captured values. A sink is a logit without a value: it only
    joins the denominator. The scale is the attribute times the operand, either
    may be absent. A query with no key, because the mask drops them all or because
    those that it keeps have a score of -inf, produces what `empty_rows` says, sinks
    or not; zero, if there are no keys to drop and no mask.

    Keys and values that `mask` drops do not count, whatever they hold, in the
    reference (`stof-decompose-attention`). A compiled kernel drops them where it
    visits no tile that they are in; in a tile that it visits, one that is NaN or
    infinite may make a whole row NaN, since it is multiplied by zero. Where
    products of f32 are computed as three products of TF32, an infinite operand
    gives NaN.

    What a score region yields may be any float32. Numbers that are added to scores
    are exact up to the largest float, also where they are all that is left of a
    score and where every key of a query has them: the scores of a query to which
    the lowest float is added are equal, and `out` is the mean of its values. A
    score of -inf weighs nothing; one of +inf or NaN makes its row NaN. So it is
    without a region in f32. In f16 and bf16 a score without a region is exact up to
    a magnitude of 2^30: a kernel multiplies it by log2(e) and subtracts the largest
    in one operation.

    A mask is not a bias. Spelt as numbers that are added, a mask is one where
    `stof-raise-attention` proves that they are zero or so low that the key drops
    out; then a query whose every key is masked produces

    - NaN, where the number is -inf (`nan`), unless the source asks for such rows
      and writes zero (`zero`);
    - the mean of all values, where a finite number is filled in, or added and so
      large that it leaves nothing of the score in the type of the source (`mean`);
    - the softmax of its scores without the mask, where a smaller one is added
      (`unmasked`).

    Otherwise, as with a float argument or `(1 - m) * min` of integers `m`, the
    numbers are a bias, which a score region adds. It says nothing of tiles, so all
    of them are computed, and it is added in float32, whatever type the source adds
    it in. In f16 that makes a difference where all keys of a query have the lowest
    number, -65504: a sum in f16 is rounded to multiples of 32, which leaves almost
    nothing of the scores, so the weights of the source are almost equal; in float32
    they are the softmax of the scores.

    The layout, which `stof-plan-layout` gives, says which tiles of the mask a
    kernel visits, and the schedule in which order. They add nothing to the
    meaning.

    Batch, query head and query are tiled by upstream's tiling transforms; a tile
    of heads is whole groups, or lies inside one. The initial contents of `out`
    and `lse` are never read.

    **Constraints**

    - (A1) `query`, `key`, `value` and `out` have rank 4: batch, head, position,
      feature; all four have one element type.
    - (A2) The batch of all four is the same.
    - (A3) `query` and `key` have the same number of features.
    - (A4) `key` and `value` have the same heads and positions.
    - (A5) The number of query heads is a multiple of the number of key heads.
    - (A6) `out` has the heads and positions of `query`, the features of `value`.
    - (A7) `lse` is f32 of batch x query heads x query positions, a tensor where
      `out` is one.
    - (A8) The mask is over the positions of `query` and of `key`.
    - (A9) `sinks` is f32 with one element for each query head.
    - (A10) The score region takes f32, four `index`, then one argument of the
      type of each captured value, yields f32, and is free of side effects.
    - (A11) No dimension is statically zero.
    - (A12) A layout goes with a mask and has the operands that it asks for:
      an index or a tensor of integers for each symbol, or the ranges (i64 of
      rank 4), the entries (i64 of rank 1) and, of constants, the bitmaps (i32 of
      rank 3).
    - (A13) Static numbers of positions are less than 2^31.

    **Example**

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
  }];
  let arguments = (ins
    Stof_Data:$query, Stof_Data:$key, Stof_Data:$value,
    Optional<Stof_MaskType>:$mask,
    Optional<AnyTypeOf<[1DTensorOf<[F32]>, MemRefRankOf<[F32], [1]>]>>:$sinks,
    Optional<F32>:$dynamic_scale,
    Variadic<Stof_Captured>:$captures,
    Stof_Data:$out,
    Optional<AnyTypeOf<[3DTensorOf<[F32]>, MemRefRankOf<[F32], [3]>]>>:$lse,
    Variadic<Stof_LayoutOperand>:$layout_operands,
    OptionalAttr<Stof_LayoutAttr>:$layout,
    OptionalAttr<Stof_ScheduleAttr>:$schedule,
    OptionalAttr<F32Attr>:$scale,
    DefaultValuedAttr<Stof_EmptyRows, "::stof::EmptyRows::Zero">:$empty_rows);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$score);
  let assemblyFormat = [{
    `ins` `(` $query `,` $key `,` $value `:` type($query) `,` type($key) `,` type($value) `)`
    (`mask` `(` $mask^ `:` qualified(type($mask)) `)`)?
    (`layout` $layout^ (`from` `(` $layout_operands^ `:` type($layout_operands) `)`)?)?
    (`schedule` $schedule^)?
    (`sinks` `(` $sinks^ `:` type($sinks) `)`)?
    (`captures` `(` $captures^ `:` type($captures) `)`)?
    `outs` `(` $out `:` type($out) (`,` `lse` $lse^ `:` type($lse))? `)`
    (`scale` $scale^)? (`times` $dynamic_scale^)?
    (`empty_rows` `(` $empty_rows^ `)`)?
    `` custom<Score>($score) attr-dict (`->` type($results)^)?
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let hasCanonicalizer = 1;
  let builders = [
    // An attention that has no layout yet. `score` computes the score of its
    // arguments; without it, it is the first of them.
    OpBuilder<(ins "::mlir::TypeRange":$types, "::mlir::Value":$query,
      "::mlir::Value":$key, "::mlir::Value":$value, "::mlir::Value":$mask,
      "::mlir::Value":$sinks, "::mlir::Value":$dynamicScale,
      "::mlir::ValueRange":$captures, "::mlir::Value":$out,
      "::mlir::Value":$lse, "::mlir::FloatAttr":$scale,
      "::stof::EmptyRows":$emptyRows,
      CArg<"::llvm::function_ref<::mlir::Value(::mlir::OpBuilder &, "
           "::mlir::Location, ::mlir::ValueRange)>", "nullptr">:$score)>
  ];
  let extraClassDeclaration = [{
    /// Names of the dimensions of query, key, value and out.
    enum Dim : unsigned { batch = 0, head = 1, position = 2, feature = 3 };

    /// The score and the four coordinates, which precede the captured values.
    static constexpr unsigned numScoreArguments = 5;

    ::mlir::MutableOperandRange getDpsInitsMutable();
    ::llvm::LogicalResult verifyLayout();

    /// Removes the layout, its operands, and the schedule, which is about it.
    void dropLayout() {
      removeLayoutAttr();
      removeScheduleAttr();
      getLayoutOperandsMutable().clear();
    }
    ::mlir::ShapedType getQueryType() { return ::llvm::cast<::mlir::ShapedType>(getQuery().getType()); }
    ::mlir::ShapedType getKeyType() { return ::llvm::cast<::mlir::ShapedType>(getKey().getType()); }
    ::mlir::ShapedType getValueType() { return ::llvm::cast<::mlir::ShapedType>(getValue().getType()); }
    ::mlir::ShapedType getOutType() { return ::llvm::cast<::mlir::ShapedType>(getOut().getType()); }

    /// Whether the score is another than it was given.
    bool hasScore();

    /// Where the mask comes from, in fixed words: `none`, `closed predicate`
    /// (coordinates and scalars alone), `captured tensor` (of constants),
    /// `argument` (a tensor of run time) or `block list`.
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
  let summary = "Combine updates with elements of a tensor where indices say";
  let description = [{
    For each element of `updates`, at coordinates d, in lexicographic order:

    ```
    s[i] = indices[i][indexing_maps[i](d)]            // one number of each index
    p    = position(d)[s]                             // a place in `original`
    p    = p < 0 ? p + size of original : p           // where `wrapped` is given
    if 0 <= p < sizes of original:                    // in each dimension
      original[p] = combine(updates[d], original[p])
    ```

    Indices are read as signed. Nothing is written for an update whose place lies
    outside; where `checked` is given, the run of the function ends with an error, as
    that of a failed `stof.check` does. Where `unique` is given, no two updates have the same place;
    they may then come in any order, and where two do, which of them stays is not
    defined. Where `wrapped` is given, negative coordinates of a place count from the
    end, as PyTorch has it.

    Coordinates that `position` has as they are need no index: `kc[:, :, pos] = k`
    has one, `(b, h, p, x)[s] -> (b, h, s, x)`, and a slice that begins where an
    index says is `(p, x)[s] -> (p + s, x)`. Updates that differ in such a
    coordinate cannot meet (`getSeparatingDims`): a kernel takes them in parallel.

    On buffers, `original` is written in place.

    **Constraints**

    - (S1) `updates` and `original` have one element type, and all operands are
      tensors or all are buffers.
    - (S2) There is one indexing map for each index, from the coordinates of
      `updates` to those of the index; each of its results is a coordinate, or 0.
    - (S3) `position` takes the coordinates of `updates` and a symbol for each
      index, and has a result for each dimension of `original`.
    - (S4) Where both are static, an index has the size of the updates in each
      dimension that its map takes from them, or, for a result of 0, at least one
      element.
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

    /// Whether the elements of `original` take part in what they become.
    bool combinesOld() { return !getCombine().front().getArgument(1).use_empty(); }

    /// The dimensions of `updates` of which some coordinate of the place is the
    /// coordinate, but for a constant that takes none of them to the end.
    ::llvm::SmallVector<unsigned> getSeparatingDims();
  }];
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

def Stof_CheckOp : Stof_Op<"check", [
    NoMemoryEffect, AttrSizedOperandSegments, AllTypesMatch<["value", "result"]>
  ]> {
  let summary = "A number that a condition must hold for where it is used";
  let description = [{
    Is `value` where `holds` is true. Where it is not, the result is 0, and the run
    of the function ends with an error that has `message` and the location of this
    operation: on a processor when the function is done, on a GPU when the runtime
    next waits. A read at a checked index stays inside its tensor, unless that has
    no elements.

    The condition is asked where the result is used and nowhere else: a check that
    nothing uses may go, equal ones may become one, and one in a region is part of
    what the region computes. It must not be moved to where it would be asked more
    often, out of a branch or of a loop without iterations. Of several conditions
    that do not hold, any one may be reported.

    Where the message has a number, which `stof-number-checks` gives it, `number`
    is stored in `status` when the condition does not hold.

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

def Stof_GroupOp : Stof_Op<"group", [
    IsolatedFromAbove, RecursiveMemoryEffects,
    SingleBlockImplicitTerminator<"YieldOp">,
    DeclareOpInterfaceMethods<ValueBoundsOpInterface, [
      "populateBoundsForIndexValue", "populateBoundsForShapedValueDim"
    ]>
  ]> {
  let summary = "Operations that one kernel computes";
  let description = [{
    Holds a cluster of linalg, tensor and attention operations that is compiled
    into one kernel. The region is called with the operands and yields the
    results; it has no other inputs, so a group can be compiled on its own. It
    lives on tensors: it is compiled, or inlined, before there are buffers.

    What a group computes is one computation over common loops, or several parts
    between which no data flows, such as the projections of an attention, each
    with what follows it. Such parts are sections of the kernel: its grid has the
    blocks of one after those of the other, and each has tiles of its own. All of
    them may read the same tensors; nothing outside the group may need a result of
    one part for what another part reads.

    **Constraints**

    - (G1) The region takes one argument of the type of each operand.
    - (G2) The region yields one value of the type of each result.

    **Example**

    ```mlir
    %y = stof.group ins(%x, %bias : tensor<?x768xf32>, tensor<768xf32>) {
    ^bb0(%x_: tensor<?x768xf32>, %bias_: tensor<768xf32>):
      ...
      stof.yield %sum : tensor<?x768xf32>
    } -> tensor<?x768xf32>
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$inputs);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    (`ins` `(` $inputs^ `:` type($inputs) `)`)? $body attr-dict
    (`->` type($results)^)?
  }];
  let hasRegionVerifier = 1;
  let hasCanonicalizer = 1;
}

def Stof_YieldOp : Stof_Op<"yield", [
    Pure, ReturnLike, Terminator, ParentOneOf<["MaskOp", "AttentionOp", "GroupOp", "ScatterOp"]>
  ]> {
  let summary = "Ends a predicate, a score, a group or a combination with its values";
  let description = [{
    **Example**: `stof.yield %keep : i1`
  }];
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
  let builders = [OpBuilder<(ins), [{ }]>];
}

#endif // STOF_IR_STOFOPS_TD
