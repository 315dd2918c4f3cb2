#ifndef STOF_TRANSFORMS_PASSES_TD
#define STOF_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"
include "stof/Transforms/GroupPasses.td"

def AssertSizesPass : Pass<"stof-assert-sizes", "::mlir::func::FuncOp"> {
  let summary = "Assert the preconditions of operations on sizes";
  let description = [{
    Upstream's verifiers check static preconditions: equal sizes, slices in bounds,
    element counts that reshapes preserve. For dynamic sizes this pass adds a
    `cf.assert` before the operation, in terms of the sizes of the function's inputs,
    unless it follows from earlier ones. The package checks these assertions on the
    host, at no cost on the device.

    ```mlir
    %0 = linalg.add ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
      ==>
    %n = tensor.dim %b, %c0 : tensor<?xf32>
    %m = tensor.dim %a, %c0 : tensor<?xf32>
    %holds = arith.cmpi eq, %n, %m : index
    cf.assert %holds, "expects arg1 dimension 0 to be arg0 dimension 0 (linalg.add at f.mlir:4:8)"
    %0 = linalg.add ...
    ```

    Covers `linalg`, `stof.attention`, `stof.scatter`, the slices, casts, reshapes,
    paddings and concatenations of `tensor`, and elementwise operations on tensors.
    Bodies, masks and score regions that read a tensor at coordinates require the
    tensor to span the range of these coordinates.

    A function that calls others is left alone until they are inlined. Sizes that
    can never agree are an error. A precondition that depends on tensor values, or
    belongs to conditionally executed code, is named by a missed remark
    (`SizesNotChecked`).
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

def RecoverSizesPass : Pass<"stof-recover-sizes", "::mlir::func::FuncOp"> {
  let summary = "Recover dynamic sizes that an exporter lost";
  let description = [{
    torch-mlir exports a view of a tensor with two dynamic sizes, `[B, S, 16]` as
    `[B * S, 16]`, as if S were 1: the dimension is cast to 1 and collapsed with the
    next one, and types and sizes before and after follow. Such a program is defined
    for S = 1 only. If the dimension of an input is 1 only because of such casts, it
    becomes dynamic wherever this 1 was propagated, collapses join it with the other
    neighbour, and sizes are recomputed from operands:

    ```mlir
    %cast = tensor.cast %x : tensor<?x?x16xf32> to tensor<?x1x16xf32>
    %rows = tensor.collapse_shape %cast [[0], [1, 2]] : tensor<?x1x16xf32> into tensor<?x16xf32>
      ==>
    %rows = tensor.collapse_shape %x [[0, 1], [2]] : tensor<?x?x16xf32> into tensor<?x16xf32>
    ```

    For S = 1 both programs are the same. Assertions that equate a size with factor
    S and one without it (`B * S == B`) are erased; `stof-assert-sizes` asserts the
    preconditions of operations. A remark (`RecoveredSize`) names the dimension.

    An operation whose 1 cannot become dynamic is an error: a constant, a broadcast,
    or a possible range of positions, whose index upstream's canonicalisation
    replaced by 0. A 1 in the function's own type is kept.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"
  ];
}

def ImportAttentionPass : Pass<"stof-import-attention"> {
  let summary = "Decompose the attention operations of front ends into linalg";
  let description = [{
    Replaces operations that front ends do not decompose by the linalg that defines
    them, in f32, to be matched by `stof-raise-attention`:

    - `tm_tensor.attention` of torch-mlir, with an additive mask, a boolean mask or
      none; the scale is one over the square root of the head dim;
    - operations whose name ends in `flex_attention`: query, key, value and an
      optional scale as operands, and the scalar functions `mask_mod(b, h, q, k)`
      and `score_mod(s, b, h, q, k)` as regions or as symbols in the attributes
      `mask_mod_fn` and `score_mod_fn`;
    - `linalg.softmax`.

    The dialects of the first two need not be registered: their operations are read
    in generic form. A fully masked row becomes zero.

    ```mlir
    %o = "tm_tensor.attention"(%q, %k, %v, %mask, %init) ...
    ==>
    %s = linalg.generic ... ins(%q, %k : ...)
    %m = linalg.generic ... ins(%s : ...) { ... arith.addf %scaled, %mask_entry }
    ...
    %o = linalg.generic ... ins(%weights, %v : ...)
    ```

    Operations with other operands, or with functions that are not expressions of
    their arguments, are left alone with a missed remark.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect"
  ];
}

def RaiseAttentionPass : Pass<"stof-raise-attention"> {
  let summary = "Raise linalg to attention by its semantics";
  let description = [{
    Replaces two contractions with a softmax along the contracted axis between
    them by `stof.attention`, and the mask of the softmax by `stof.mask`, in any
    spelling: the scalars between the contractions are composed through their
    indexing maps into one expression of batch, head, query and key, which is then
    proven to be a softmax of a masked score. A contraction may be written as a
    product of broadcast tensors and a sum, keys may span several dimensions, and
    the scale may be a scalar computed at run time.

    ```mlir
    %s = linalg.batch_matmul ins(%q, %k_transposed ...)
    %m = linalg.generic ... { arith.select %keep, %score, %minus_infinity }
    ... // maximum, subtraction, exp, sum, division
    %o = linalg.batch_matmul ins(%p, %v ...)
    ==>
    %m = stof.mask { ... } : !stof.mask<512x512>
    %o = stof.attention ins(%q, %k, %v ...) mask(%m : ...) outs(...) scale 1.250000e-01
    ```

    A select between the score and a much lower number is a mask if the exponential
    of the lower number is zero relative to that of any unmasked score. If no bound
    on the score can be proven (a soft cap proves one), it is assumed to be at most
    `score-bound`, and a remark says so.

    Fully masked rows are evaluated in the arithmetic of the source. If several masks
    of finite numbers meet, keys may be masked by different ones of them: if all keys
    but those with the greatest sum of numbers have a weight of zero, these keys are
    a second mask, `empty_rows(mean over ...)`, provided that every query provably
    has one of them.

    A weighted sum of softmaxes, with weights that are constant along the keys
    (differential attention), becomes one attention per term and an elementwise sum;
    a remark (`SummedAttention`) says so.

    The shift of the scores cancels if it is a maximum of scores or a lower bound of
    them. A shift that may be NaN or infinite for finite scores (a maximum that
    starts at NaN, a minimum) makes the weights NaN, so the softmax stays.

    Expects linalg on tensors. Anything but masked attention is left alone (a
    softmax along another axis, a sigmoid, a mask after the softmax); if the weights
    resemble a softmax, a missed remark gives the reason. Intermediate roundings of
    the source are omitted: the result is at least as accurate.
  }];
  let options = [
    Option<"scoreBound", "score-bound", "double", /*default=*/"4096",
           "Assumed bound on the magnitude of scores where none is proven; "
           "decides whether a large finite number is a mask">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect",
    "::stof::StofDialect"
  ];
}

def DecomposeAttentionPass : Pass<"stof-decompose-attention"> {
  let summary = "Decompose attention into the linalg that defines it";
  let description = [{
    Replaces every `stof.attention` on tensors by `linalg.generic`s on whole
    tensors that follow the definition of the operation, in f32: contraction, scale
    and score, mask, maximum, powers, their sum, weighted values. This is the
    reference for testing every kernel. It takes time and memory proportional to the
    score matrix.

    A masked key or value is never multiplied, so it may hold NaN. The log-sum-exp
    of a fully masked row is that of the scores that the row uses: none but the sink
    (zero, nan), scores of 0 without a sink (mean), all scores (unmasked); the last
    two are of the keys of the second mask, if there is one.

    Attention on buffers is left alone. A mask that no mask operation defines is an
    error. Masks without remaining uses are erased.

    ```mlir
    %o = stof.attention ins(%q, %k, %v : ...) mask(%m : ...) outs(%init : ...) -> ...
    ==>
    %products = linalg.generic ins(%q, %k : ...) outs(%zeros : tensor<1x2x?x?xf32>) {...}
    %used = linalg.generic outs(%empty : tensor<1x2x?x?xi1>) {... the predicate ...}
    ...
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"
  ];
}

def AttachAssertionsPass : Pass<"stof-attach-assertions"> {
  let summary = "Turn assertions on indices into checks of reads";
  let description = [{
    An assertion on data that also determines the index of a read in the same block
    becomes a `stof.check` of that index: a kernel reports the failure and performs
    no out-of-bounds read.

    ```mlir
    ^bb0(%token: i64, %out: f32):
      %known = arith.cmpi slt, %token, %words : i64
      cf.assert %known, "index out of range"
      %at = arith.index_cast %token : i64 to index
      %row = tensor.extract %table[%at] : tensor<?xf32>
    ==>
      %known = arith.cmpi slt, %token, %words : i64
      %at = arith.index_cast %token : i64 to index
      %checked = stof.check %at if %known, "index out of range" : index
      %row = tensor.extract %table[%checked] : tensor<?xf32>
    ```

    An assertion that shares no element or scalar argument with an index, or whose
    condition is computed after the read, is left alone: the host checks those on
    sizes, `stof-drop-assertions` names the others.
  }];
  let dependentDialects = ["::stof::StofDialect"];
}

def CheckReadsPass : Pass<"stof-check-reads", "::mlir::func::FuncOp"> {
  let summary = "Check indices of reads and offsets of slices that are not proven";
  let description = [{
    An index of a `tensor.extract` that is not proven to be in bounds gets a
    `stof.check`, and so does the offset of a slice. Proofs cover constants, clamped
    values and checks of the source, through the operations that compute index
    tensors; an index that depends on coordinates only is evaluated for all of them
    if sizes are static. Indices whose bounds follow from sizes are left to the host
    (`stof-assert-sizes`).

    ```mlir
    %row = tensor.extract %table[%at] : tensor<50xf32>
    ==>
    %inside = arith.cmpi ult, %at, %c50 : index
    %checked = stof.check %at if %inside,
        "index must be within dimension 0 of the tensor that it reads" : index
    %row = tensor.extract %table[%checked] : tensor<50xf32>
    ```

    Expects a function as emitted by a front end, after `stof-assert-sizes`: reads
    that later passes add are assumed to be in bounds.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect",
    "::stof::StofDialect"
  ];
}

def CheckDivisorsPass : Pass<"stof-check-divisors", "::mlir::func::FuncOp"> {
  let summary = "Check divisors of integers that may be zero";
  let description = [{
    An integer divisor that may be zero gets a `stof.check` that it is not, and that
    a signed quotient does not overflow. Constants and divisors whose range upstream's
    integer range analysis bounds are proven; divisors that are expressions of sizes
    are left to the host, which evaluates them.

    ```mlir
    %rest = arith.remui %position, %period : index
      ==>
    %holds = arith.cmpi ne, %period, %c0 : index
    %checked = stof.check %period if %holds, "divisor must not be zero" : index
    %divisor = arith.maxui %checked, %c1 : index
    %rest = arith.remui %position, %divisor : index
    ```

    A named operation of linalg with such a divisor becomes a `linalg.generic`.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::stof::StofDialect"
  ];
}

def DropAssertionsPass : Pass<"stof-drop-assertions"> {
  let summary = "Erase assertions";
  let description = [{
    Erases every `cf.assert`. Assertions on sizes in the function's own block are
    checks of the package, which a runtime evaluates before a call. Assertions on the
    data of a read are checked there (`stof-attach-assertions`). The others are never
    evaluated: each is named by a missed remark.

    ```mlir
    linalg.generic ... {
    ^bb0(%token: i64, %out: f32):
      %known = arith.cmpi slt, %token, %words : i64
      cf.assert %known, "index out of range"    // dropped, with a remark
    ```
  }];
  let options = [
    Option<"keepSizes", "keep-sizes", "bool", /*default=*/"false",
           "Keep assertions on sizes in the function's own block, for the host">
  ];
}

def ImportPadPass : Pass<"stof-import-pad", "::mlir::func::FuncOp"> {
  let summary = "Rewrite negative padding as a slice";
  let description = [{
    A negative amount of a `tensor.pad` crops, as in PyTorch; upstream's
    canonicalisation erases a padding that crops as much as it adds.

    ```mlir
    %p = tensor.pad %x low[-1] high[1] { ... } : tensor<8xf32> to tensor<8xf32>
      ==>
    %kept = tensor.extract_slice %x[1] [7] [1] : tensor<8xf32> to tensor<7xf32>
    %p = tensor.pad %kept low[0] high[1] { ... } : tensor<7xf32> to tensor<8xf32>
    ```

    Expects amounts that are not constant to be non-negative (`stof-assert-sizes`).
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::tensor::TensorDialect"
  ];
}

def ImportScanPass : Pass<"stof-import-scan", "::mlir::func::FuncOp"> {
  let summary = "Decompose the scans of front ends into linalg";
  let description = [{
    torch-mlir exports cumulative sums and products as `tm_tensor.scan`, of a dialect
    that is not linked in; it is read in generic form. Each element of the result is
    a reduction over the whole row that skips later elements:

    ```mlir
    %y, %last = "tm_tensor.scan"(%x, %init, %acc) <{dimension = 0, inclusive = true}> ({ addi }) : ...
      ==>
    %y = linalg.generic ins(%x, by j) outs(%zeros, by i) iterators [i parallel, j reduction] {
      select(j <= i, sofar + x[j], sofar)
    }
    ```

    Expects a region of one combining operation with a neutral element, an
    inclusive scan and an unused last result. Any other scan is an error that names
    the difference.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def ImportSortPass : Pass<"stof-import-sort", "::mlir::func::FuncOp"> {
  let summary = "Decompose the sorts of front ends into linalg";
  let description = [{
    torch-mlir exports sort, argsort and topk as `tm_tensor.sort`, of a dialect that
    is not linked in; it is read in generic form: tensors of one shape are sorted
    together along a dimension by a region that says whether an element may precede
    another.

    Elements are sorted independently, as kernels require: the rank of an element is
    the number of elements that come before it, and the inverse of the ranks is the
    order. This takes n^2 comparisons, few for rows such as the experts of a router:

    ```mlir
    %y:2 = "tm_tensor.sort"(%x, %i) <{dimension = 1}> ({ cmpf oge }) : ...
      ==>
    %ranks = linalg.generic ins(%x by i, %x by j) iterators [i parallel, j reduction] {
      sofar + (x[j] comes before x[i])
    }
    %source = linalg.generic ins(%ranks) iterators [r parallel, i reduction] {
      max(sofar, ranks[i] == r ? i : 0)
    }
    %y#0 = linalg.generic ins(%source) { tensor.extract %x[.., source[r]] }
    ```

    A longer row of known length is ranked in sorted runs, which are merged in pairs:
    each element of a merged run finds by bisection how many elements of the first
    run precede it. If only the first elements of the results are used, runs are
    truncated to these. A longer row of unknown length is ranked whole, and an
    analysis remark says so.

    The sort is stable: elements that compare equal in both directions keep their
    order. A region of one float comparison does not order NaN, which is then the
    greatest. Reads are in bounds for any region.

    Expects results of the types of the tensors, a dimension in range, and a region
    without side effects that maps a pair of elements of each tensor to an i1;
    anything else is an error.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

def ImportGlobalsPass : Pass<"stof-import-globals", "::mlir::ModuleOp"> {
  let summary = "Turn the globals of a program into arguments and results";
  let description = [{
    A package keeps no state between calls. State that torch-mlir keeps in an
    `ml_program.global`, such as the seed of random numbers, is passed by the caller:
    for each mutable global that a public function or one of its callees accesses,
    the function gets a trailing argument, the value before the call, and a trailing
    result, the value after it. Arguments and results follow the order of the globals
    and carry their names as attribute `stof.global`.

    ```mlir
    ml_program.global private mutable @global_seed(dense<0> : tensor<i64>) : tensor<i64>
    func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
      %seed = ml_program.global_load @global_seed : tensor<i64>
      ...
      ml_program.global_store @global_seed = %next : tensor<i64>
      ==>
    func.func @main(%x: tensor<8xf32>, %seed: tensor<i64> {stof.global = "global_seed"})
        -> (tensor<8xf32>, tensor<i64> {stof.global = "global_seed"})
    ```

    Loads of an immutable global become constants. Runs after inlining; an access in
    nested control flow, to an immutable global without a value, or of a type other
    than a ranked tensor is an error.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::ml_program::MLProgramDialect"
  ];
}

def JoinSlicesPass : Pass<"stof-join-slices", "::mlir::func::FuncOp"> {
  let summary = "Rewrite tensors filled by slices as concatenations";
  let description = [{
    A chain of slices that overwrites a whole tensor becomes a `tensor.concat`, nested
    if slices partition several dimensions; interleaved strided slices are
    concatenated along a new dimension. The previous elements of the tensor are
    unused then.

    ```mlir
    %0 = tensor.empty() : tensor<2x64x48xf32>
    %1 = tensor.insert_slice %a into %0[0, 0, 0] [2, 64, 32] [1, 1, 1] : ...
    %2 = tensor.insert_slice %b into %1[0, 0, 32] [2, 64, 16] [1, 1, 1] : ...
    ==>
    %2 = tensor.concat dim(2) %a, %b : (tensor<2x64x32xf32>, tensor<2x64x16xf32>)
           -> tensor<2x64x48xf32>
    ```

    Sizes and offsets may be dynamic if one slice provably begins where another
    ends. An `extract_slice` that is disjoint from the last slice written reads from
    the tensor before that write.

    Slices that do not fill the tensor, or overlap in part, are left alone, and so
    are chains of thousands of slices, which take too long to compare (missed remark
    `KeptSlices`). Unwritten elements of a `tensor.empty` are undefined. If they may
    be read, a `linalg.fill` makes them zero, and a remark (`UndefinedElements`) says
    so.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def SplitComplexPass : Pass<"stof-split-complex", "::mlir::func::FuncOp"> {
  let summary = "Split complex tensors into real and imaginary parts";
  let description = [{
    Each tensor of complex numbers becomes one of real and one of imaginary parts,
    and complex arithmetic becomes arithmetic of the parts. Operations on them are
    then fused and compiled like any others: a rotary embedding by `view_as_complex`
    fuses like one written in real numbers.

    ```mlir
    %y = linalg.generic ins(%x, %f : tensor<8xcomplex<f32>>, tensor<8xcomplex<f32>>) ... {
      %p = complex.mul %a, %b : complex<f32>
      ==>
    %y:2 = linalg.generic ins(%x_re, %x_im, %f_re, %f_im : tensor<8xf32>, ...) ... {
      %re = a_re * b_re - a_im * b_im
      %im = a_re * b_im + a_im * b_re
    ```

    A complex product is formed from the four products of the parts, without C's
    correction for infinite parts. Complex arguments and results of the function are
    an error, which asks for pairs of parts (`torch.view_as_real`), and so is an
    unsupported operation on complex tensors.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::complex::ComplexDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

def ExpandFloat8Pass : Pass<"stof-expand-float8", "::mlir::ModuleOp"> {
  let summary = "Expand 8-bit floats to integers";
  let description = [{
    Tensors of f8E4M3FN and f8E5M2 become tensors of i8 with the same bytes, and
    conversions from and to other floats become integer arithmetic, which every
    target supports: rounding to nearest, ties to even, over the full range and with
    the special values of the type. Overflow gives infinity in f8E5M2, and NaN in
    f8E4M3FN, which has no infinity. Other arithmetic on such floats is performed in
    f32 and rounded.

    ```mlir
    %y = linalg.generic ... outs(%0 : tensor<8xf8E4M3FN>) {
    ^bb0(%x: f32, %out: f8E4M3FN):
      %n = arith.truncf %x : f32 to f8E4M3FN
      ==>
    %y = linalg.generic ... outs(%0 : tensor<8xi8>) {
    ^bb0(%x: f32, %out: i8):
      %bits = arith.bitcast %x : f32 to i32
      ...
      %n = arith.trunci %code : i32 to i8
    ```

    Other floats of 8 or fewer bits are an error.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect"
  ];
}

def ImportScatterPass : Pass<"stof-import-scatter", "::mlir::func::FuncOp"> {
  let summary = "Convert the scatters of front ends to stof.scatter";
  let description = [{
    torch-mlir exports `index_put`, `index_copy`, `scatter`, `index_add` and similar
    operations as `tm_tensor.scatter`, of a dialect that is not linked in; it is read
    in generic form. Its indices are one tensor with a column for each indexed
    dimension; the columns become separate indices:

    ```mlir
    %i = tensor.concat dim(1) %a, %b : ... -> tensor<3x2xi64>
    %y = "tm_tensor.scatter"(%u, %i, %x) <{dimension_map = array<i64: 0, 1>, unique_indices = true}> ({
    ^bb0(%update: f32, %old: f32): "tm_tensor.yield"(%update)
    }) : (tensor<3x1x1x4xf32>, tensor<3x2xi64>, tensor<8x16x4xf32>) -> tensor<8x16x4xf32>
      ==>
    %y = stof.scatter %u at(%a_, %b_ : tensor<3xi64>, tensor<3xi64>) into %x
        maps [(n, i, j, k) -> (n), (n, i, j, k) -> (n)]
        position (n, i, j, k)[s, t] -> (i + s, j + t, k) unique wrapped {...}
    ```

    The first dimension of the updates enumerates them, the others are a window,
    aligned with the last dimensions of the original; leading dimensions that the
    window lacks are indexed. Any other form is an error that names the expected one.
    PyTorch counts negative positions from the end, and torch-mlir leaves this to the
    operation; a position that is still out of bounds is an error in PyTorch, and
    here with `checked`.
  }];
  let options = [
    Option<"checked", "checked", "bool", /*default=*/"false",
           "Fail on an out-of-bounds update instead of ignoring it">
  ];
  let dependentDialects = ["::stof::StofDialect", "::mlir::tensor::TensorDialect"];
}

def ScatterSlicesPass : Pass<"stof-scatter-slices", "::mlir::func::FuncOp"> {
  let summary = "Convert slices written into donated tensors to scatters";
  let description = [{
    An `insert_slice` into a donated argument (`tf.aliasing_output`), or into one
    that scatters have updated, becomes a `stof.scatter`, which writes in place. A
    dynamic offset becomes an index:

    ```mlir
    %new = tensor.insert_slice %k into %cache[0, 0, %pos, 0] [2, 8, 1, 64] [1, 1, 1, 1]
        : tensor<2x8x1x64xf16> into tensor<2x8x128x64xf16>
      ==>
    %at = linalg.generic outs(...) { linalg.yield %pos } -> tensor<i64>
    %new = stof.scatter %k at(%at : tensor<i64>) into %cache
        maps [(b, h, p, x) -> ()] position (b, h, p, x)[s] -> (b, h, p + s, x) unique {...}
    ```

    A slice that is extracted, updated by a scatter and inserted again becomes a
    scatter into the whole tensor if both treat the same positions as out of bounds:
    one layer of a cache for all layers. Slices into other tensors stay.
  }];
  let dependentDialects = ["::stof::StofDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"];
}

def SimplifyScatterPass : Pass<"stof-simplify-scatter", "::mlir::func::FuncOp"> {
  let summary = "Replace indices of a scatter by the coordinates they hold";
  let description = [{
    Exporters materialise every position in tables. The elements of each index are
    analysed, and expressed in the position of `stof.scatter` instead:

    1. A collapsed dimension of the updates is expanded again if the shapes of
       indices show its dim factors.
    2. An index that is a coordinate, a constant, or the element of another tensor
       at some of the coordinates, is replaced by it; in a sum, term by term.
    3. Unit dimensions are removed.

    ```mlir
    // kc[:, :, pos] = k with each of 2 x 4 x 1 x 32 updates on its own.
    stof.scatter %flat at(%b, %h, %p, %x : tensor<256xi64>, ...) into %kc
        position (n)[s, t, u, v] -> (s, t, u, v) ...
      ==>
    stof.scatter %k at(%pos : tensor<i64>) into %kc
        maps [(b, h, x) -> ()] position (b, h, x)[s] -> (b, h, s, x) ...
    ```

    Results are unchanged: an index that may be data stays an index.
  }];
  let dependentDialects = ["::mlir::tensor::TensorDialect"];
}

def InlineGroupsPass : Pass<"stof-inline-groups"> {
  let summary = "Inline groups";
  let description = [{
    Replaces every `stof.group` by its operations.

    ```mlir
    %y = stof.group ins(%x : tensor<8xf32>) {
    ^bb0(%x_: tensor<8xf32>):
      %0 = linalg.exp ins(%x_ : ...) outs(...) -> tensor<8xf32>
      stof.yield %0 : tensor<8xf32>
    } -> tensor<8xf32>
    ==>
    %y = linalg.exp ins(%x : ...) outs(...) -> tensor<8xf32>
    ```
  }];
}

def VerifyOperationsPass : Pass<"stof-verify-operations"> {
  let summary = "Reject operations that cannot be compiled";
  let description = [{
    An unregistered operation with a region is an error: upstream's inliner and
    canonicalisation need the semantics of its region. Unregistered operations
    without regions are left to later passes. A `dim` out of range, a reassociation
    out of order and a constant of dynamic shape are errors as well: upstream's
    verifiers accept them, and its patterns fail on them. So are tensors of more than
    64 dimensions, a constant whose resource has another number of bytes, and a
    symbol name with a NUL character, by which no loader finds a function.

    ```mlir
    // error: 'tm_tensor.scan' op cannot be compiled: expects an operation of a known dialect, ...
    %0 = "tm_tensor.scan"(%x) ({...}) : (tensor<4xf32>) -> tensor<4xf32>
    ```
  }];
}

def PackHeadsPass : Pass<"stof-pack-heads", "::mlir::func::FuncOp"> {
  let summary = "Make the query heads that share a key head rows of one head";
  let description = [{
    A kernel computes tiles of rows of one head. With few queries, as in decoding, a
    tile is mostly empty, and each of the G query heads that share a key head (grouped
    heads) reads all of its keys and values. This pass makes these heads rows of the
    key head, so that the keys are read once:

    ```mlir
    %o = stof.attention ins(%q, %k, %v : tensor<4x32x1x128xf16>, tensor<4x8x8192x128xf16>, ...)
    ==>
    %rows = tensor.collapse_shape (tensor.expand_shape %q) : tensor<4x8x4x128xf16>
    %o_rows = stof.attention ins(%rows, %k, %v : tensor<4x8x4x128xf16>, tensor<4x8x8192x128xf16>, ...)
    %o = tensor.collapse_shape (tensor.expand_shape %o_rows) : tensor<4x32x1x128xf16>
    ```

    Heads and queries are adjacent dimensions, so the rows of a key head are adjacent
    as well: row r of key head h is query `r mod Q` of query head `h G + r floordiv Q`,
    where Q is the number of queries. The mask and the score region are given these
    coordinates. Sinks keep their order, one for each Q rows. `empty_rows` does not
    depend on the head.

    An attention is packed if its rows take fewer tiles of 64 rows than its heads do,
    which fewer than 64 queries are necessary for (remark `PackedHeads`). Left alone,
    with a missed remark, are numbers of heads or queries that are dynamic, masks that
    depend on the query head, since a tile of several heads visits the keys of all of
    them, lists of blocks that divide the queries, and attentions with a tile, a layout
    or a schedule.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect",
    "::stof::StofDialect"
  ];
}

def PlanLayoutPass : Pass<"stof-plan-layout", "::mlir::func::FuncOp"> {
  let summary = "Plan the tiles that each masked attention visits";
  let description = [{
    Gives every attention with a mask a `#stof.layout`. The mask is read as a set
    of pairs (query, key), a union of integer polyhedra in the lengths and the
    captures of the mask; its projections onto tiles give the tiles with an unmasked
    position and those with a masked one. For a mask of positions, lengths and
    captured numbers only, no position is evaluated.

    ```mlir
    // query >= key
    %o = stof.attention ins(...) mask(%m : !stof.mask<4096x4096>) outs(...)
    ==>
    %o = stof.attention ins(...) mask(%m : !stof.mask<4096x4096>)
        layout <row_tile = 64, col_tile = 64, storage = closed_form,
                visited = [#stof.interval<to = affine_map<(d0, d1, d2) -> (d0 + 1)>>],
                partial = [#stof.interval<from = affine_map<(d0, d1, d2) -> (d0)>>]>
        outs(...)
    ```

    The tiles are those that the attention asks for (`tile`). With `chip`, an
    attention of 16-bit elements, static lengths, at most 128 features and without a
    score region that asks for none gets the tile whose kernel the cost model
    predicts to be the fastest, given the counts of full and partial tiles in each
    (`CostModel/AttentionWork.h`); the remark names its warps and its time. Otherwise
    they are of the sizes that its kernel chooses.

    Strided unmasked keys (every 64th, say) are gathered into tiles of their own, a
    `#stof.lattice`, if that takes fewer tiles. A mask that keeps every n-th distance
    query - key (a dilated window, n up to 64) takes tiles of every n-th query and
    key, a `row_stride`, if that takes fewer tiles. If captured constants prevent a
    closed form, the tiles are listed in constant tables.

    With `digest`, attribute `stof.digest` becomes a digest of the unmasked positions,
    equal for all spellings of one mask (`Mask/Digest/MaskDigest.h` states the
    guarantees).

    If every query is proven to attend to a key, `empty_rows` is removed
    (`Mask/NonEmptyRows.h`), with a remark `RowsProven`; otherwise a missed remark of
    this name says so.

    Every attention, masked or not, also gets a `#stof.schedule` if the natural order
    of row tiles is inefficient: long ones come first, and if most CTAs would be idle
    meanwhile (one query on many keys, a few rows that attend to everything), their
    keys are divided (split-KV). Remark `OrderedRows` names the choice. An existing
    schedule stays.

    A remark reports the digest, the set of pairs (`k <= q and q - k < 64`), the
    storage, the numbers of full, partial and empty tiles, the number of unmasked
    positions, and the part of the mask that remains code. Missed remarks name a
    layout that may visit fewer tiles and the obstacle (a stride beyond the limits,
    lengths or constants that are unknown or too large), and its cost in tiles where
    these are counted. If a mask depends on run-time data, `stof.list_tiles` makes
    the tables on the device, unless visiting all tiles is cheaper since they are
    few. An attention whose mask is not defined in the function gets no layout, with
    a missed remark: every key tile is then visited.
  }];
  let options = [
    Option<"rowTile", "row-tile", "int64_t", "0",
           "Queries per tile; 0 leaves the choice to the kernel">,
    Option<"colTile", "col-tile", "int64_t", "0",
           "Keys per tile; 0 leaves the choice to the kernel">,
    Option<"digest", "digest", "bool", "false",
           "Attach the digest of its mask to each attention">,
    Option<"lattices", "lattices", "bool", "true",
           "Gather strided queries and keys into tiles of their own">,
    Option<"chip", "chip", "std::string", /*default=*/"",
           "The GPU that times are predicted for, as ptxas names it; if empty, "
           "kernels choose their tiles">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"
  ];
}

def ExportLayoutPass : Pass<"stof-export-layout"> {
  let summary = "Export the tiles of masks in the storage format of STOF";
  let description = [{
    Writes, as JSON, the arrays of STOF's storage format (section 4.2.1 of the paper)
    for each attention of static sizes whose mask is a compile-time constant:

    - outer tiles of 64 x 64, row by row: `full_row_ptr`, `full_col_idx` for full
      tiles, `part_row_ptr`, `part_col_idx` for partial ones, `load_row_ptr`,
      `load_col_idx` for both, in the order of their columns;
    - `bitmap_mask`, 64 words for each partial tile in that order: its inner tiles of
      8 x 8, column by column, bit 8 r + c for row r and column c.

    A tile that extends beyond the last query or key is partial, and its out-of-bounds
    bits are 0.

    ```mlir
    // query >= key
    %o = stof.attention ins(...) mask(%m : !stof.mask<128x128>) outs(...)
    ==>
    "queries": 128, "keys": 128,
    "load_row_ptr": [0, 1, 3], "load_col_idx": [0, 0, 1],
    "full_row_ptr": [0, 0, 1], "full_col_idx": [0],
    "part_row_ptr": [0, 1, 2], "part_col_idx": [0, 1], "bitmap_mask": [...]
    ```

    Masks that differ by batch or head are written one after another. An attention
    that is not exported has a reason under `missing`, and a missed remark. The IR is
    unchanged.
  }];
  let options = [
    Option<"file", "file", "std::string", "\"-\"",
           "Output file; - for the standard output">
  ];
}

def PrintMaskPass : Pass<"stof-print-mask"> {
  let summary = "Draw which tiles of each masked attention are full, partial and empty";
  let description = [{
    Writes one picture of the mask of each attention to the standard output: `#` for
    a full tile of queries x keys, `+` for a partial and `.` for an empty one, a line
    for each row tile. For large masks a character stands for a square of tiles. With
    `svg` the same pictures are written to a file.

    ```mlir
    // query >= key and query - key < 64
    %o = stof.attention ins(...) mask(%m : !stof.mask<256x256>) outs(...)
    ==>
    model.mlir:9:8: 256 x 256 in tiles of 64 x 64: 0 full, 7 partial, 9 empty
      +...
      ++..
      .++.
      ..++
    ```

    The tiles are those of the closed form if the mask has one, otherwise those of
    its evaluation. They are tiles of adjacent positions; the tiles of a layout with a
    row stride differ, and the title says so. A mask that is not drawn, such as one of
    run-time data, is named with the reason. The IR is unchanged.
  }];
  let options = [
    Option<"rowTile", "row-tile", "int64_t", "0",
           "Queries per tile; 0 for those of the layout or the kernel">,
    Option<"colTile", "col-tile", "int64_t", "0",
           "Keys per tile; 0 for those of the layout or the kernel">,
    Option<"length", "length", "int64_t", "0",
           "Length of queries and keys if it is dynamic">,
    Option<"batch", "batch", "int64_t", "0",
           "Batch index to draw">,
    Option<"head", "head", "int64_t", "0", "Head to draw">,
    Option<"width", "width", "int64_t", "96",
           "Maximum characters per line">,
    Option<"svg", "svg", "std::string", "",
           "Output file for the pictures as SVG">
  ];
}

#endif // STOF_TRANSFORMS_PASSES_TD
