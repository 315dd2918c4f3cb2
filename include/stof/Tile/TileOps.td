#ifndef STOF_TILE_TILEOPS_TD
#define STOF_TILE_TILEOPS_TD

include "mlir/Dialect/LLVMIR/NVVMRequiresSMTraits.td"
include "mlir/Dialect/NVGPU/IR/NVGPUTypes.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "stof/Tile/TileAttrs.td"
include "stof/Tile/TileInterfaces.td"
include "stof/Tile/TileTypes.td"

class Tile_Op<string mnemonic, list<Trait> traits = []>
    : Op<Tile_Dialect, mnemonic, traits>;

/// An operation that uses shared memory, with `methods` of its own.
class Tile_UsesSharedMemory<list<string> methods = []>
    : DeclareOpInterfaceMethods<Tile_SharedMemoryOpInterface, methods>;

def Tile_AnyTile : AnyTypeOf<[Tile_FragmentType, Tile_SharedType]>;

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

def Tile_LoadOp : Tile_Op<"load", [
    AttrSizedOperandSegments,
    OptionalTypesMatchWith<"buffer has the type of the result", "result", "buffer",
                           "$_self">,
    Tile_UsesSharedMemory<["getTiedTile", "getSharedAccesses"]>
  ]> {
  let summary = "Load a tile, zero out of bounds";
  let description = [{
    Element (r, c) of the result is the element of `source` at `indices`, moved
    by r along dimension `along[0]` and by c along `along[1]`. Out-of-bounds
    elements of these dimensions are zero; their memory is not read. The other
    indices are in bounds.

    With `blocks` n, the rows of the tile are n blocks of equally many rows, which
    need not be adjacent in `source`: there are n indices for dimension `along[0]`,
    one after another, each of the first row of its block.

    If `condition` is given and false, the tile is zero and nothing is read, for
    any indices. If `buffer` is given, the result reuses the buffer of that tile,
    which has no later uses. A shared tile is loaded asynchronously: threads wait
    at its uses, not here.

    **Constraints**

    - (L1) One index for each dimension of `source`, and one for each block.
    - (L2) `along` names one dimension of `source` for each of the tile, each once.
    - (L3) The tile has the element type of `source`.
    - (L4) Only a shared tile has a `condition` or a `buffer`; `buffer` has its type.
    - (L5) Only a shared tile has several blocks, whose number divides that of its
      rows.

    **Example**

    ```mlir
    // 64 keys of one head, rows along dimension 2.
    %k = tile.load %key[%b, %h, %j, %c0] along [2, 3]
      : memref<2x12x?x64xf16> -> !tile.shared<64x64xf16>
    // The next key tile, if there is one, in the buffer of an old one.
    %l = tile.load %key[%b, %h, %j1, %c0] along [2, 3] when %more over %old
      : memref<2x12x?x64xf16> -> !tile.shared<64x64xf16>
    // Two pages of 32 keys.
    %p = tile.load %key[%b, %h, %page0, %page1, %c0] along [2, 3] blocks 2
      : memref<2x12x?x64xf16> -> !tile.shared<64x64xf16>
    ```
  }];
  let arguments = (ins
    Arg<AnyMemRef, "the memory to load from", [MemRead]>:$source,
    Variadic<Index>:$indices, Optional<I1>:$condition,
    Optional<Tile_AnyTile>:$buffer, DenseI64ArrayAttr:$along,
    DefaultValuedAttr<I64Attr, "1">:$blocks);
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = [{
    $source `[` $indices `]` `along` $along (`blocks` $blocks^)?
    (`when` $condition^)? (`over` $buffer^)? attr-dict
    `:` type($source) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
  let builders = [
    OpBuilder<(ins "::mlir::Type":$type, "::mlir::Value":$source,
      "::mlir::ValueRange":$indices, "::mlir::DenseI64ArrayAttr":$along)>
  ];
}

def Tile_EmptyOp : Tile_Op<"empty", [
    MemoryEffects<[MemAlloc]>, Tile_UsesSharedMemory<>
  ]> {
  let summary = "A buffer for a shared tile";
  let description = [{
    A tile with undefined elements, the `buffer` of a `tile.load`. Each operation is
    a buffer of its own.

    **Example**: `%buffer = tile.empty : !tile.shared<64x64xf16>`
  }];
  let results = (outs Tile_SharedType:$result);
  let assemblyFormat = "attr-dict `:` qualified(type($result))";
}

def Tile_AwaitOp : Tile_Op<"await", [
    Pure, DeclareOpInterfaceMethods<InferTypeOpInterface>,
    Tile_UsesSharedMemory<["getTiedTile"]>
  ]> {
  let summary = "Wait for asynchronous loads of shared tiles";
  let description = [{
    The results are the operands. One wait here covers all of them; without it
    there is a wait at the first use of each.

    **Constraints**

    - (A1) Each result has the type of its operand.

    **Example**

    ```mlir
    %k, %v = tile.await %k_sent, %v_sent : !tile.shared<64x64xf16>, !tile.shared<64x128xf16>
    ```
  }];
  let arguments = (ins Variadic<Tile_SharedType>:$tiles);
  let results = (outs Variadic<Tile_SharedType>:$results);
  let assemblyFormat = "$tiles attr-dict `:` qualified(type($tiles))";
}

def Tile_StoreOp : Tile_Op<"store"> {
  let summary = "Store a tile within bounds";
  let description = [{
    The reverse of `tile.load`: out-of-bounds elements of the dimensions in `along`
    are not written.

    **Constraints**

    - (S1) One index for each dimension of `destination`.
    - (S2) `along` names one dimension of `destination` for each of the tile, each
      once.
    - (S3) The tile has the element type of `destination`.

    **Example**

    ```mlir
    tile.store %o, %out[%b, %h, %i, %c0] along [2, 3]
      : !tile.fragment<64x64xf16, #tile.mma<warps = [4, 1]>>, memref<2x12x?x64xf16>
    ```
  }];
  let arguments = (ins
    Tile_FragmentType:$tile,
    Arg<AnyMemRef, "the memory to store to", [MemWrite]>:$destination,
    Variadic<Index>:$indices, DenseI64ArrayAttr:$along);
  let assemblyFormat = [{
    $tile `,` $destination `[` $indices `]` `along` $along attr-dict
    `:` qualified(type($tile)) `,` type($destination)
  }];
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def Tile_ConvertOp : Tile_Op<"convert", [
    Pure,
    Tile_UsesSharedMemory<["getSharedBytes", "getSharedAccesses", "synchronizes"]>
  ]> {
  let summary = "Change the layout of a tile";
  let description = [{
    Moves a tile from one layout to another, or into shared memory.

    **Constraints**

    - (V1) Source and result have the same shape and element type.

    **Example**

    ```mlir
    %s = tile.convert %p : !tile.fragment<64x64xf16, #tile.mma<warps = [4, 1]>>
      -> !tile.shared<64x64xf16>
    ```
  }];
  let arguments = (ins Tile_FragmentType:$source);
  let results = (outs Tile_AnyTile:$result);
  let assemblyFormat = "$source attr-dict `:` qualified(type($source)) `->` qualified(type($result))";
  let hasVerifier = 1;
  let hasFolder = 1;
  let extraClassDeclaration = [{
    /// The shared tile that elements are moved to or through: the result, or a
    /// temporary between two layouts; null if shuffles among lanes suffice.
    SharedType getSharedType();
  }];
}

def Tile_SliceOp : Tile_Op<"slice", [Pure]> {
  let summary = "Adjacent columns of a fragment";
  let description = [{
    The columns of the source that start at `column`. Elements stay in their
    threads.

    **Constraints**

    - (C1) The result has the rows, the element type and the layout of the source,
      whose warps divide the rows only.
    - (C2) `column` is a multiple of the unit of the layout, and the columns are
      within the source.

    **Example**

    ```mlir
    %h = tile.slice %x from 64 : !tile.fragment<64x128xf32, #tile.mma<warps = [4, 1]>>
      -> !tile.fragment<64x64xf32, #tile.mma<warps = [4, 1]>>
    ```
  }];
  let arguments = (ins Tile_FragmentType:$source, I64Attr:$column);
  let results = (outs Tile_FragmentType:$result);
  let assemblyFormat = "$source `from` $column attr-dict `:` qualified(type($source)) `->` qualified(type($result))";
  let hasVerifier = 1;
}

def Tile_ExtractOp : Tile_Op<"extract", [
    NoMemoryEffect, Tile_UsesSharedMemory<>,
    TypesMatchWith<"result is an element of the tile", "tile", "result",
                   "::llvm::cast<::mlir::ShapedType>($_self).getElementType()">
  ]> {
  let summary = "One element of a shared tile";
  let description = [{
    The element at any coordinates within the tile: a thread can read elements
    that other threads of the CTA have computed.

    **Example**

    ```mlir
    // Elements are exchanged with those 32 columns away.
    %s = tile.convert %x : !tile.fragment<64x64xf16, #acc> -> !tile.shared<64x64xf16>
    %y = tile.map {
    ^bb0(%r: index, %c: index):
      %other = arith.xori %c, %c32 : index
      %e = tile.extract %s[%r, %other] : !tile.shared<64x64xf16>
      tile.yield %e : f16
    } -> !tile.fragment<64x64xf16, #acc>
    ```
  }];
  let arguments = (ins Tile_SharedType:$tile, Index:$row, Index:$column);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$tile `[` $row `,` $column `]` attr-dict `:` qualified(type($tile))";
}

//===----------------------------------------------------------------------===//
// Computation
//===----------------------------------------------------------------------===//

def Tile_SplatOp : Tile_Op<"splat", [
    Pure, TypesMatchWith<"value is an element of the result", "result", "value",
                         "::llvm::cast<::mlir::ShapedType>($_self).getElementType()">
  ]> {
  let summary = "A tile of equal elements";
  let description = [{
    **Example**

    ```mlir
    %zero = tile.splat %c0 : !tile.fragment<64x64xf32, #tile.mma<warps = [4, 1]>>
    ```
  }];
  let arguments = (ins AnyType:$value);
  let results = (outs Tile_FragmentType:$result);
  let assemblyFormat = "$value attr-dict `:` qualified(type($result))";
}

def Tile_MapOp : Tile_Op<"map", [
    RecursiveMemoryEffects, SingleBlockImplicitTerminator<"YieldOp">
  ]> {
  let summary = "Compute each element from its coordinates and those of the inputs";
  let description = [{
    The region is evaluated for every element of the result. Its arguments are the
    coordinates in the tile (one `index` for each dimension), then the elements of
    the inputs there. An input with a slice layout has one dimension less and is
    read at the remaining coordinate. The region may use values from above and
    read memory; it yields one element for each result.
    An overflow that `nsw` or `nuw` rules out makes all elements undefined, not
    only the one that it is computed for.

    **Constraints**

    - (P1) All results have one shape and one layout.
    - (P2) An input has the results' shape and layout, or is a slice of them.
    - (P3) The region takes the coordinates, then one element of each input.
    - (P4) The region yields one element of each result.

    **Example**

    ```mlir
    // Scores above the diagonal are masked.
    %x = tile.map ins(%s : !tile.fragment<64x64xf32, #acc>) {
    ^bb0(%r: index, %c: index, %e: f32):
      %q = arith.addi %q0, %r : index
      %k = arith.addi %k0, %c : index
      %keep = arith.cmpi sle, %k, %q : index
      %y = arith.select %keep, %e, %minus_inf : f32
      tile.yield %y : f32
    } -> !tile.fragment<64x64xf32, #acc>
    ```
  }];
  let arguments = (ins Variadic<Tile_FragmentType>:$inputs);
  let results = (outs Variadic<Tile_FragmentType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    (`ins` `(` $inputs^ `:` type($inputs) `)`)? $body attr-dict `->` type($results)
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let builders = [
    OpBuilder<(ins "::mlir::TypeRange":$types, "::mlir::ValueRange":$inputs,
      "::llvm::function_ref<::llvm::SmallVector<::mlir::Value>(::mlir::OpBuilder &, ::mlir::Location, ::mlir::ValueRange, ::mlir::ValueRange)>":$body)>
  ];
}

def Tile_VisitOp : Tile_Op<"visit", [
    RecursiveMemoryEffects, SingleBlockImplicitTerminator<"YieldOp">
  ]> {
  let summary = "Run a region with side effects for each element of a layout";
  let description = [{
    The region is evaluated once for all coordinates of a tile of `shape`, by a
    thread that holds the element in `layout`. It may use values from above, read
    memory, and write memory with `memref.store`; no evaluation reads or writes an
    element that another one writes.

    **Constraints**

    - (I1) The shape is valid for a fragment with this layout.
    - (I2) The region takes the coordinates and yields nothing.

    **Example**

    ```mlir
    // Rows are scattered by a list of indices.
    tile.visit [128] as #tile.blocked<elements = [1], lanes = [32], warps = [4]> {
    ^bb0(%i: index):
      %to = memref.load %list[%i] : memref<128xindex>
      %x = memref.load %from[%i] : memref<128xf32>
      memref.store %x, %out[%to] : memref<?xf32>
      tile.yield
    }
    ```
  }];
  let arguments = (ins DenseI64ArrayAttr:$shape, Tile_BlockedAttr:$layout);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$shape `as` qualified($layout) $body attr-dict";
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let builders = [
    OpBuilder<(ins "::llvm::ArrayRef<int64_t>":$shape, "BlockedAttr":$layout,
      "::llvm::function_ref<void(::mlir::OpBuilder &, ::mlir::Location, ::mlir::ValueRange)>":$body)>
  ];
}

def Tile_ReduceOp : Tile_Op<"reduce", [
    Pure, SingleBlockImplicitTerminator<"YieldOp">, IsolatedFromAbove,
    Tile_UsesSharedMemory<["getSharedBytes", "getSharedAccesses", "synchronizes"]>
  ]> {
  let summary = "Combine the elements along one dimension";
  let description = [{
    The region combines two values into one. It is associative and commutative;
    the order of its applications is unspecified.

    **Constraints**

    - (R1) `dim` is a dimension of the input.
    - (R2) The result is the input without `dim`, with the slice of its layout
      along `dim`; or it has one unit of the layout along `dim`, and is partial:
      each thread combines its own elements, and which of them become which
      element of the result is unspecified.
    - (R3) The region takes two elements and yields one.

    **Example**

    ```mlir
    %m = tile.reduce %x along 1 {
    ^bb0(%a: f32, %b: f32):
      %c = arith.maxnumf %a, %b : f32
      tile.yield %c : f32
    } : !tile.fragment<64x64xf32, #acc> -> !tile.fragment<64xf32, #tile.slice<1, #acc>>
    ```

    With the result `!tile.fragment<64x8xf32, #acc>`, each of four lanes has two
    elements of a row, and no values are exchanged.
  }];
  let arguments = (ins Tile_FragmentType:$source, I64Attr:$dim);
  let results = (outs Tile_FragmentType:$result);
  let regions = (region SizedRegion<1>:$combiner);
  let assemblyFormat = [{
    $source `along` $dim $combiner attr-dict `:` qualified(type($source)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// Whether threads combine only their own elements.
    bool isPartial() { return getResult().getType().getShape().size() > 1; }
  }];
  let builders = [
    OpBuilder<(ins "::mlir::Value":$source, "int64_t":$dim,
      "::llvm::function_ref<::mlir::Value(::mlir::OpBuilder &, ::mlir::Location, ::mlir::Value, ::mlir::Value)>":$combine)>
  ];
}

def Tile_ContractOp : Tile_Op<"contract", [
    Pure, Tile_UsesSharedMemory<>, AllTypesMatch<["accumulator", "result"]>
  ]> {
  let summary = "Matmul with an accumulator";
  let description = [{
    `result = accumulator + lhs * rhs`, with `lhs` M x K and `rhs` K x N;
    `transpose_lhs` and `transpose_rhs` mark operands that are stored transposed.
    Products of 16-bit elements are exact, accumulation is in f32; f32 products
    keep at least 21 bits.

    **Constraints**

    - (T1) The shapes agree: M x K times K x N gives M x N.
    - (T2) `lhs` and `rhs` have one type, f16, bf16 or f32; the accumulator is f32.
    - (T3) `lhs` is shared, or a fragment with the layout of the accumulator, whose
      warps divide the rows only; `rhs` is shared.

    **Example**

    ```mlir
    // Scores of 64 queries and 64 keys.
    %s = tile.contract %q, %k, %zero transpose_rhs
      : !tile.shared<64x128xf16>, !tile.shared<64x128xf16>, !tile.fragment<64x64xf32, #acc>
    ```
  }];
  let arguments = (ins Tile_AnyTile:$lhs, Tile_SharedType:$rhs,
    Tile_FragmentType:$accumulator,
    UnitAttr:$transpose_lhs, UnitAttr:$transpose_rhs);
  let results = (outs Tile_FragmentType:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` $accumulator
    (`transpose_lhs` $transpose_lhs^)? (`transpose_rhs` $transpose_rhs^)? attr-dict
    `:` type($lhs) `,` qualified(type($rhs)) `,` qualified(type($accumulator))
  }];
  let hasVerifier = 1;
}

def Tile_AnyOp : Tile_Op<"any", [
    Pure, Tile_UsesSharedMemory<["synchronizes"]>
  ]> {
  let summary = "Whether any element of a boolean tile is true";
  let description = [{
    The result is uniform over the CTA and can therefore be a branch condition.

    **Constraints**

    - (N1) The elements are `i1`.

    **Example**: `%empty = tile.any %rows : !tile.fragment<64xi1, #tile.slice<1, #acc>>`
  }];
  let arguments = (ins Tile_FragmentType:$source);
  let results = (outs I1:$result);
  let assemblyFormat = "$source attr-dict `:` qualified(type($source))";
  let hasVerifier = 1;
}

def Tile_ClaimOp : Tile_Op<"claim", [
    Tile_UsesSharedMemory<["getSharedBytes", "getSharedAccesses", "synchronizes"]>
  ]> {
  let summary = "Take the next number of a counter";
  let description = [{
    The element of `counter`, which is then one more. CTAs that run at once get
    different numbers; all threads of a CTA get the same one, so that it can be a
    branch condition.

    **Constraints**

    - (A1) `counter` is one element of i32.

    **Example**

    ```mlir
    // The next tile that no CTA has.
    %number = tile.claim %counter : memref<1xi32>
    ```
  }];
  let arguments = (ins
    Arg<AnyMemRef, "the counter", [MemRead, MemWrite]>:$counter);
  let results = (outs Index:$result);
  let assemblyFormat = "$counter attr-dict `:` type($counter)";
  let hasVerifier = 1;
}

def Tile_YieldOp : Tile_Op<"yield", [
    Pure, ReturnLike, Terminator, ParentOneOf<["MapOp", "ReduceOp", "VisitOp", "WarpSpecializeOp"]>
  ]> {
  let summary = "Terminate a region of another tile operation";
  let description = [{
    **Example**: `tile.yield %y : f32`
  }];
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
  let builders = [OpBuilder<(ins), [{ }]>];
}

//===----------------------------------------------------------------------===//
// Warpgroups
//===----------------------------------------------------------------------===//

// A gpu.module with another target refuses these operations.
class Tile_WarpgroupOp<string mnemonic, list<Trait> traits>
    : Tile_Op<mnemonic, traits # [NVVMRequiresSMa<[90]>]>;

def Tile_WgmmaFenceOp : Tile_WarpgroupOp<"wgmma_fence", [
    MemoryEffects<[MemAlloc]>, Tile_UsesSharedMemory<>,
    TypesMatchWith<"accumulator is the fragment of the result", "result",
                   "accumulator",
                   "::llvm::cast<InFlightType>($_self).getFragment()">
  ]> {
  let summary = "Hand registers and shared tiles over to wgmma";
  let description = [{
    Orders earlier accesses to the registers of `accumulator`, and earlier writes by
    threads to the shared tiles in `reads`, before the `tile.wgmma` that takes the
    result. What a tensor map has brought needs no order.
    Each operation hands over registers of its own: equal ones are not merged.

    **Example**

    ```mlir
    %f = tile.wgmma_fence %zero reads %q, %k : !tile.shared<64x64xf16>, !tile.shared<64x64xf16>
      -> !tile.in_flight<64x64xf32, #acc>
    ```
  }];
  let arguments = (ins Tile_FragmentType:$accumulator,
    Variadic<Tile_SharedType>:$tiles);
  let results = (outs Tile_InFlightType:$result);
  let assemblyFormat = [{
    $accumulator (`reads` $tiles^ `:` qualified(type($tiles)))? attr-dict `->`
    qualified(type($result))
  }];
}

def Tile_WgmmaOp : Tile_WarpgroupOp<"wgmma", [
    Pure, Tile_UsesSharedMemory<>, AllTypesMatch<["accumulator", "result"]>
  ]> {
  let summary = "Asynchronous matmul with an accumulator";
  let description = [{
    `tile.contract` by warpgroups: each of them computes equally many rows, 64 with
    each instruction. The hardware reads
    shared tiles and writes the accumulators until a `tile.wgmma_wait` for them.
    Nothing writes the shared tiles before. With `from_zero` the result is the
    product alone, whatever the accumulator holds. With `fenced`, a fence precedes it:
    ptxas does not see that accumulators that a loop carries in flight are in order.

    **Constraints**

    - (W1) The shapes agree: M x K times K x N gives M x N, with K a multiple of 16.
    - (W2) `lhs` and `rhs` have one type, f16 or bf16.
    - (W3) `lhs` is shared, or a fragment with the layout of the accumulator that is
      not transposed.
    - (W4) A shared tile has rows of a multiple of 128 bytes and a multiple of eight
      of them: the 128-byte swizzle of wgmma.

    **Example**

    ```mlir
    // Scores of 64 queries and 64 keys, while the values are loaded.
    %f = tile.wgmma_fence %zero reads %q, %k : !tile.shared<64x64xf16>, !tile.shared<64x64xf16>
      -> !tile.in_flight<64x64xf32, #acc>
    %i = tile.wgmma %q, %k, %f transpose_rhs
      : !tile.shared<64x64xf16>, !tile.shared<64x64xf16>, !tile.in_flight<64x64xf32, #acc>
    %g = tile.wgmma_commit %i : !tile.in_flight<64x64xf32, #acc>
    %v = tile.load %value[%j, %c0] along [0, 1] : memref<?x64xf16> -> !tile.shared<64x64xf16>
    %s = tile.wgmma_wait %g : !tile.in_flight<64x64xf32, #acc>
    ```
  }];
  let arguments = (ins Tile_AnyTile:$lhs, Tile_SharedType:$rhs,
    Tile_InFlightType:$accumulator,
    UnitAttr:$transpose_lhs, UnitAttr:$transpose_rhs, UnitAttr:$from_zero,
    UnitAttr:$fenced);
  let results = (outs Tile_InFlightType:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` $accumulator
    (`transpose_lhs` $transpose_lhs^)? (`transpose_rhs` $transpose_rhs^)?
    (`from_zero` $from_zero^)? (`fenced` $fenced^)? attr-dict
    `:` type($lhs) `,` qualified(type($rhs)) `,` qualified(type($accumulator))
  }];
  let hasVerifier = 1;
}

def Tile_WgmmaCommitOp : Tile_WarpgroupOp<"wgmma_commit", [
    Pure, SameOperandsAndResultType
  ]> {
  let summary = "End a group of wgmma";
  let description = [{
    Waits are for groups. The result is the operand.

    **Example**: `%g = tile.wgmma_commit %i : !tile.in_flight<64x64xf32, #acc>`
  }];
  let arguments = (ins Tile_InFlightType:$accumulator);
  let results = (outs Tile_InFlightType:$result);
  let assemblyFormat = "$accumulator attr-dict `:` qualified(type($accumulator))";
}

def Tile_WgmmaWaitOp : Tile_WarpgroupOp<"wgmma_wait", [
    Pure,
    TypesMatchWith<"result is the fragment of the accumulator", "accumulator",
                   "result", "::llvm::cast<InFlightType>($_self).getFragment()">
  ]> {
  let summary = "Wait for wgmma";
  let description = [{
    Returns the accumulators when all groups of the warpgroup are complete but the
    last `pending` ones, which have been committed after that of the accumulators.

    **Example**: `%s = tile.wgmma_wait %g : !tile.in_flight<64x64xf32, #acc>`
  }];
  let arguments = (ins Tile_InFlightType:$accumulator,
    DefaultValuedAttr<ConfinedAttr<I64Attr, [IntNonNegative]>, "0">:$pending);
  let results = (outs Tile_FragmentType:$result);
  let assemblyFormat = [{
    $accumulator (`pending` $pending^)? attr-dict `:` qualified(type($accumulator))
  }];
}

def Tile_WgmmaWaitGroupsOp : Tile_WarpgroupOp<"wgmma_wait_groups", [
    MemoryEffects<[MemRead, MemWrite]>
  ]> {
  let summary = "Wait for older groups of wgmma";
  let description = [{
    Waits until all groups of the warpgroup are complete but the last `pending` ones:
    what the others have read may be overwritten. Their accumulators stay in flight,
    to accumulate further.

    **Example**: `tile.wgmma_wait_groups pending 1`
  }];
  let arguments = (ins
    DefaultValuedAttr<ConfinedAttr<I64Attr, [IntNonNegative]>, "0">:$pending);
  let assemblyFormat = "(`pending` $pending^)? attr-dict";
}

//===----------------------------------------------------------------------===//
// Roles
//===----------------------------------------------------------------------===//

def Tile_WarpSpecializeOp : Tile_Op<"warp_specialize", [
    RecursiveMemoryEffects, NoRegionArguments,
    SingleBlockImplicitTerminator<"YieldOp">
  ]> {
  let summary = "Divide the warps of a CTA into consumer and producer warps";
  let description = [{
    The first `consumer_warps` warps run the first region, the `producer_warps` that
    follow run the second, at the same time. A tile in a region is distributed over
    the warps of its role; channels are all that passes between the roles. Before,
    all warps meet in a barrier; afterwards there is nothing left to do.

    With `groups`, so many groups of `consumer_warps` warps run the first region at
    the same time (`tile.consumer_group`), which take turns (`tile.begin_turn`). A tile
    in it is distributed over the warps of a group, and each tile of a channel is
    received by one of them.

    With `registers`, the threads of a role give back registers of theirs, or take
    what others have given back; roles are whole warpgroups then (PTX ISA,
    "setmaxnreg").

    **Constraints**

    - (Z1) Both roles have warps.
    - (Z2) Registers are given for both roles or for none, each a multiple of 8 from
      24 to 256, of roles of whole warpgroups.
    - (Z3) The next operation ends the kernel.
    - (Z4) There are 1 to 6 groups: each has barriers of the hardware.

    **Example**

    ```mlir
    %keys = tile.channel from 1 to 4 : <<64x64xf16>, stages = 2>
    tile.warp_specialize consumers 4 {
      scf.for %n = %c0 to %count step %c1 {
        %k = tile.receive %keys at %n : <<64x64xf16>, stages = 2>
        ... %k ...
        tile.release %keys at %n : <<64x64xf16>, stages = 2>
      }
    } producers 1 {
      scf.for %n = %c0 to %count step %c1 {
        %j = arith.muli %n, %c64 : index
        tile.send %key[%j, %c0] along [0, 1] to %keys at %n
          : memref<?x64xf16> to <<64x64xf16>, stages = 2>
      }
    }
    gpu.return
    ```
  }];
  let arguments = (ins I64Attr:$consumer_warps,
    DefaultValuedAttr<I64Attr, "1">:$consumer_groups, I64Attr:$producer_warps,
    OptionalAttr<I64Attr>:$consumer_registers,
    OptionalAttr<I64Attr>:$producer_registers);
  let regions = (region SizedRegion<1>:$consumers, SizedRegion<1>:$producers);
  let assemblyFormat = [{
    `consumers` $consumer_warps (`groups` $consumer_groups^)?
    (`registers` $consumer_registers^)? $consumers
    `producers` $producer_warps (`registers` $producer_registers^)? $producers
    attr-dict
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The groups of warps that run `region`, the warps of each, and the first of
    /// all.
    int64_t getNumGroups(::mlir::Region &region);
    int64_t getNumWarps(::mlir::Region &region);
    int64_t getFirstWarp(::mlir::Region &region);
  }];
}

def Tile_ConsumerGroupOp : Tile_Op<"consumer_group", [Pure]> {
  let summary = "The number of a group of consumer warps";
  let description = [{
    That of the group that runs the operation, from 0 on.

    **Constraints**

    - (N1) Consumer warps run it (`tile.warp_specialize`).

    **Example**: `%group = tile.consumer_group`
  }];
  let results = (outs Index:$result);
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}

/// An operation on whose turn it is.
class Tile_TurnOp<string mnemonic>
    : Tile_Op<mnemonic, [MemoryEffects<[MemRead, MemWrite]>]> {
  let arguments = (ins UnitAttr:$warpgroups);
  let assemblyFormat = "(`of` `warpgroups` $warpgroups^)? attr-dict";
  let hasVerifier = 1;
}

def Tile_BeginTurnOp : Tile_TurnOp<"begin_turn"> {
  let summary = "Wait for the turn of a group of consumer warps";
  let description = [{
    The groups of a `tile.warp_specialize` take turns in the order of their numbers,
    group 0 first, until one of them has no further turn. What they do in turn does
    not overlap, and channels are received from in the order of turns.

    With `of warpgroups`, the warpgroups of the one group take turns: all of them run
    the same operations, and one issues its wgmma while another computes what lies
    outside of turns (ping-pong, FlashAttention-3, section 3.1).

    **Constraints**

    - (N1) Consumer warps run it.
    - (N2) `of warpgroups`, there is one group, of two or more whole warpgroups.

    **Example**

    ```mlir
    // One group multiplies while the other stores.
    scf.for %i = %group to %tiles step %groups {
      tile.begin_turn
      ... tile.receive ...
      tile.end_turn
      tile.store ...
    }
    ```
  }];
}

def Tile_EndTurnOp : Tile_TurnOp<"end_turn"> {
  let summary = "Give the turn to the next group of consumer warps";
  let description = [{
    The next group, or warpgroup, goes on once all warps of this one are here. wgmma
    of a warpgroup may stay in flight. See `tile.begin_turn`.

    **Constraints**

    - (N1) Consumer warps run it.
    - (N2) `of warpgroups`, there is one group, of two or more whole warpgroups.

    **Example**: `tile.end_turn`
  }];
}

def Tile_ChannelOp : Tile_Op<"channel", [
    MemoryEffects<[MemAlloc]>, Tile_UsesSharedMemory<["getSharedBytes", "isKept"]>
  ]> {
  let summary = "A channel from producer to consumer warps";
  let description = [{
    Stages for tiles that the threads of `senders` warps send and those of
    `receivers` warps, a group of consumer warps, receive. All warps of a role take part in each transfer, in the
    same order. With `bulk`, one thread sends each tile as a whole, by a tensor map.

    **Example**: `%keys = tile.channel from 1 to 4 : <<64x64xf16>, stages = 2>`
  }];
  let arguments = (ins ConfinedAttr<I64Attr, [IntPositive]>:$senders,
    ConfinedAttr<I64Attr, [IntPositive]>:$receivers, UnitAttr:$bulk);
  let results = (outs Tile_ChannelType:$channel);
  let assemblyFormat = [{
    (`bulk` $bulk^)? `from` $senders `to` $receivers attr-dict `:` type($channel)
  }];
}

/// An operation on the tile `number` of a channel. Its order with others on the
/// channel matters.
class Tile_ChannelAccess<string mnemonic, list<Trait> traits = []>
    : Tile_Op<mnemonic, traits> {
  dag accessed = (ins
    Arg<Tile_ChannelType, "the channel", [MemRead, MemWrite]>:$channel,
    Index:$number);
}

def Tile_SendOp : Tile_ChannelAccess<"send", [AttrSizedOperandSegments]> {
  let summary = "Load a tile into a channel";
  let description = [{
    Waits until the stage of tile `number` is free, and loads it there as `tile.load`
    does, asynchronously. The tile can be received once all senders have loaded
    their parts.

    With `map`, the tensor map of `source` with boxes of 128 bytes of the rows of a
    tile, or of a block, the hardware copies the tile (PTX ISA,
    "cp.async.bulk.tensor"). The channel is `bulk` then.

    **Constraints**

    - (D1) One index for each dimension of `source`, and one for each block.
    - (D2) `along` names one dimension of `source` for each of the tile, each once.
    - (D3) The tile has the element type of `source`.
    - (D4) The channel is `bulk` if and only if there is a map.
    - (D5) The number of blocks divides that of the rows of the tile.

    **Example**

    ```mlir
    tile.send %key[%b, %h, %j, %c0] along [2, 3] to %keys at %n
      : memref<2x12x?x64xf16> to <<64x64xf16>, stages = 2>
    ```
  }];
  let arguments = !con(accessed, (ins
    Arg<AnyMemRef, "the memory to load from", [MemRead]>:$source,
    Variadic<Index>:$indices, Optional<NVGPU_TensorMapDescriptor>:$map,
    DenseI64ArrayAttr:$along, DefaultValuedAttr<I64Attr, "1">:$blocks));
  let assemblyFormat = [{
    $source `[` $indices `]` `along` $along (`blocks` $blocks^)? (`by` $map^)?
    `to` $channel `at` $number attr-dict `:` type($source) (`by` type($map)^)? `to` type($channel)
  }];
  let hasVerifier = 1;
}

def Tile_ReceiveOp : Tile_ChannelAccess<"receive", [
    Tile_UsesSharedMemory<["getAllocatedTile", "getSharedAccesses"]>,
    TypesMatchWith<"result is a tile of the channel", "channel", "result",
                   "::llvm::cast<ChannelType>($_self).getTile()">
  ]> {
  let summary = "Wait for a tile of a channel";
  let description = [{
    The tile `number`, once it is loaded. It is valid until it is released.

    **Example**: `%k = tile.receive %keys at %n : <<64x64xf16>, stages = 2>`
  }];
  let arguments = accessed;
  let results = (outs Tile_SharedType:$result);
  let assemblyFormat = "$channel `at` $number attr-dict `:` type($channel)";
}

def Tile_ReleaseOp : Tile_ChannelAccess<"release"> {
  let summary = "Give the stage of a received tile back";
  let description = [{
    Producers may overwrite the stage of tile `number` once all receivers have
    released it. What they read of it is complete.

    With `after`, the release waits until that has been computed, whatever its
    values are: what follows the release, such as a wait for wgmma, then also
    follows it in the kernel, where ptxas would move it ahead. Arithmetic computes
    `after`, so that a NaN in it is the canonical one.

    **Constraints**

    - (L1) The elements of `after` are f32.

    **Example**

    ```mlir
    tile.release %keys at %n : <<64x64xf16>, stages = 2>
    tile.release %keys at %n after %p : <<64x64xf16>, stages = 2>, !tile.fragment<64x64xf32, #acc>
    ```
  }];
  let arguments = !con(accessed, (ins Optional<Tile_FragmentType>:$after));
  let assemblyFormat = [{
    $channel `at` $number (`after` $after^)? attr-dict `:` type($channel) (`,` qualified(type($after))^)?
  }];
  let builders = [
    OpBuilder<(ins "::mlir::Value":$channel, "::mlir::Value":$number), [{
      build($_builder, $_state, channel, number, /*after=*/::mlir::Value());
    }]>
  ];
  let hasVerifier = 1;
}

def Tile_SendClaimOp : Tile_ChannelAccess<"send_claim"> {
  let summary = "Take the next number of a counter for all warps of a CTA";
  let description = [{
    Waits until the stage of tile `number` is free, takes a number as `tile.claim` does,
    and stores it there. The first warp of the role does so for all.

    **Constraints**

    - (A1) `counter` is one element of i32.
    - (A2) The tiles of the channel are such an element, which one warp sends.

    **Example**

    ```mlir
    %claims = tile.channel from 1 to 5 : <<1x1xi32>, stages = 1>
    ...
    tile.send_claim %counter to %claims at %n : memref<1xi32> to <<1x1xi32>, stages = 1>
    ```
  }];
  let arguments = !con(accessed, (ins
    Arg<AnyMemRef, "the counter", [MemRead, MemWrite]>:$counter));
  let assemblyFormat = [{
    $counter `to` $channel `at` $number attr-dict
    `:` type($counter) `to` type($channel)
  }];
  let hasVerifier = 1;
}

def Tile_ReceiveClaimOp : Tile_ChannelAccess<"receive_claim"> {
  let summary = "Wait for a number that was claimed";
  let description = [{
    That of tile `number` of the channel, in all threads; then `tile.release` gives the
    stage back. Warps of either role can receive it.

    **Constraints**

    - (A1) The tiles of the channel are one element of i32.

    **Example**: `%tile = tile.receive_claim %claims at %n : <<1x1xi32>, stages = 1>`
  }];
  let arguments = accessed;
  let results = (outs Index:$result);
  let assemblyFormat = "$channel `at` $number attr-dict `:` type($channel)";
  let hasVerifier = 1;
}

#endif // STOF_TILE_TILEOPS_TD
