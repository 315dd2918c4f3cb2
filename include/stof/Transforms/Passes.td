#ifndef STOF_TRANSFORMS_PASSES_TD
#define STOF_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"
include "stof/Transforms/GroupPasses.td"

def AssertSizesPass : Pass<"stof-assert-sizes", "::mlir::func::FuncOp"> {
  let summary = "Assert what operations take for granted of sizes";
  let description = [{
    Sizes that must agree, slices that must lie inside their tensors and products
    that reshapes must keep are checked by upstream's verifiers where they are
    static. Where they are not, this pass adds a `cf.assert` before the operation,
    in the sizes of the function's inputs, unless it follows from those before it:
    so it becomes a check of the package, which costs nothing on a device.

    ```mlir
    %0 = linalg.add ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
      ==>
    %n = tensor.dim %b, %c0 : tensor<?xf32>
    %m = tensor.dim %a, %c0 : tensor<?xf32>
    %holds = arith.cmpi eq, %n, %m : index
    cf.assert %holds, "expects arg1 dimension 0 to be arg0 dimension 0 (linalg.add at f.mlir:4:8)"
    %0 = linalg.add ...
    ```

    Asks `linalg`, `stof.attention`, `stof.scatter`, the slices, casts, reshapes,
    paddings and concatenations of `tensor`, and elementwise operations on tensors.
    Bodies, masks and scores that read a tensor at coordinates expect it to be as
    long as these are many.
    A function that calls others is left as it is until they are inlined. Sizes
    that can never agree are an error. What depends on values of tensors, or
    is computed only under a condition, is named by a missed remark
    (`SizesNotChecked`).
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

def RecoverSizesPass : Pass<"stof-recover-sizes", "::mlir::func::FuncOp"> {
  let summary = "Give back to tensors the sizes that an exporter lost";
  let description = [{
    torch-mlir writes a view of a tensor of two dynamic sizes, `[B, S, 16]` as
    `[B * S, 16]`, as if S were 1: it casts the dimension to 1 and collapses it with
    the one behind it, and types and sizes before and after follow. Such a program
    is defined for S = 1 alone. Where the dimension of an input can only be 1
    because of such casts, it is taken to be dynamic wherever its 1 went, collapses
    join it with the other neighbour, and sizes are computed again from operands:

    ```mlir
    %cast = tensor.cast %x : tensor<?x?x16xf32> to tensor<?x1x16xf32>
    %rows = tensor.collapse_shape %cast [[0], [1, 2]] : tensor<?x1x16xf32> into tensor<?x16xf32>
      ==>
    %rows = tensor.collapse_shape %x [[0, 1], [2]] : tensor<?x?x16xf32> into tensor<?x16xf32>
    ```

    For S = 1 both programs are the same. Assertions that compare a size that S is
    a factor of with one that lacks it (`B * S == B`) are dropped; what operations
    need of sizes, `stof-assert-sizes` asserts. A remark (`RecoveredSize`) names the
    dimension.

    An operation whose 1 cannot be taken to be dynamic is an error: a constant, a
    broadcast, or what may have been a range of positions, whose index upstream's
    canonicalisation replaced by 0. What the function's own type says to be 1 stays.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"
  ];
}

def ImportAttentionPass : Pass<"stof-import-attention"> {
  let summary = "Write attention that front ends leave whole as linalg";
  let description = [{
    Replaces operations that front ends do not decompose by the linalg that defines
    them, in f32, for `stof-raise-attention` to find:

    - `tm_tensor.attention` of torch-mlir, with a mask that is added or of truth
      values, or none; its scale is one over the square root of the features;
    - operations whose name ends in `flex_attention`: query, key, value and
      perhaps a scale as operands, and the scalar functions `mask_mod(b, h, q, k)`
      and `score_mod(s, b, h, q, k)` as regions or as symbols in the attributes
      `mask_mod_fn` and `score_mod_fn`;
    - `linalg.softmax`.

    The dialects of the first two need not be known: their operations are met in
    generic form. A row without a key becomes zero.

    ```mlir
    %o = "tm_tensor.attention"(%q, %k, %v, %mask, %init) ...
    ==>
    %s = linalg.generic ... ins(%q, %k : ...)
    %m = linalg.generic ... ins(%s : ...) { ... arith.addf %scaled, %mask_entry }
    ...
    %o = linalg.generic ... ins(%weights, %v : ...)
    ```

    Leaves alone, with a missed remark, what has other operands than these or
    functions that are more than an expression of their arguments.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect"
  ];
}

def RaiseAttentionPass : Pass<"stof-raise-attention"> {
  let summary = "Find attention in linalg by what it computes";
  let description = [{
    Replaces two contractions with a softmax along the contracted axis between
    them by `stof.attention`, and the mask that the softmax is under by
    `stof.mask`, however they are spelt: the scalars between the contractions are
    composed through their indexing maps into one expression of batch, head,
    query and key, which is then proven to be a softmax of a masked score. A
    contraction may be a product of broadcast tensors and a sum, keys may lie in
    several dimensions, and a scale may be a scalar that is known at run time.

    ```mlir
    %s = linalg.batch_matmul ins(%q, %k_transposed ...)
    %m = linalg.generic ... { arith.select %keep, %score, %minus_infinity }
    ... // maximum, subtraction, exp, sum, division
    %o = linalg.batch_matmul ins(%p, %v ...)
    ==>
    %m = stof.mask { ... } : !stof.mask<512x512>
    %o = stof.attention ins(%q, %k, %v ...) mask(%m : ...) outs(...) scale 1.250000e-01
    ```

    A choice between the score and a number far below it is a mask if the
    exponential of the lower one is zero beside any kept score; where the range of
    the score does not follow from what it computes (a soft cap), it is taken to
    be at most `score-bound`, and a remark says so.

    Weights that are a sum of softmaxes, each times what is the same for all keys
    of a row (differential attention), are an attention for each; an elementwise
    operation adds them up, and a remark (`SummedAttention`) says so.

    What the scores are shifted by cancels, as long as it is a maximum of scores or
    what no score is below; a shift that may be NaN or infinite where scores are
    finite (a maximum that starts at NaN, a minimum) makes the weights NaN, so the
    softmax stays.

    Expects linalg on tensors. Leaves alone what is no masked attention (a softmax
    along another axis, a sigmoid, a mask after the softmax); where the weights do
    look like a softmax, a missed remark says what stands in the way. Roundings
    that the source makes between its steps are dropped: the result is at least as
    accurate.
  }];
  let options = [
    Option<"scoreBound", "score-bound", "double", /*default=*/"4096",
           "Magnitude that scores are taken not to exceed where it cannot be "
           "proven; decides whether a large finite number is a mask">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect",
    "::stof::StofDialect"
  ];
}

def DecomposeAttentionPass : Pass<"stof-decompose-attention"> {
  let summary = "Write attention as the linalg that defines it";
  let description = [{
    Replaces every `stof.attention` on tensors by `linalg.generic`s on whole
    tensors that compute exactly what the operation says, in f32: products,
    scale and score, mask, maximum, powers, their sum, weighted values. It is the
    reference that every kernel is tested against, and costs time and memory for
    each pair of a query and a key.

    An unused key or value is never multiplied by, so it may hold NaN. The
    log-sum-exp of a row without a key is that of what the row computes: of no
    score but the sink (zero, nan), of scores of 0 without a sink (mean), of all
    scores (unmasked).

    Attention on buffers is left alone. A mask that is neither `stof.mask` nor
    `stof.block_mask` is an error. Masks that nothing uses any more are dropped.

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
  let summary = "Turn assertions on indices into checks of what is read";
  let description = [{
    An assertion on a number that a read of the same block computes an index from
    becomes a `stof.check` of that index: a kernel then reports it, and nothing is
    read outside of a tensor in its place.

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

    Leaves an assertion alone that shares no element or scalar argument with an
    index, or whose condition is computed behind the read: those on sizes are the
    host's, `stof-drop-assertions` names the others.
  }];
  let dependentDialects = ["::stof::StofDialect"];
}

def CheckReadsPass : Pass<"stof-check-reads", "::mlir::func::FuncOp"> {
  let summary = "Check indices of reads and offsets of slices that are not proven";
  let description = [{
    An index of a `tensor.extract` that is not proven to lie inside the tensor
    becomes a `stof.check` that it does, and so does the offset of a slice.
    Constants, clamped values and what a check of the source says are proven,
    through the operations that make index tensors; what is computed of coordinates
    alone is tried for all of them, where sizes are static. Indices whose bounds
    sizes decide are left to the host (`stof-assert-sizes`).

    ```mlir
    %row = tensor.extract %table[%at] : tensor<50xf32>
    ==>
    %inside = arith.cmpi ult, %at, %c50 : index
    %checked = stof.check %at if %inside,
        "index must lie inside dimension 0 of the tensor that it reads" : index
    %row = tensor.extract %table[%checked] : tensor<50xf32>
    ```

    Expects a function as a front end makes it, after `stof-assert-sizes`: what
    later passes read is taken to be right.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect",
    "::stof::StofDialect"
  ];
}

def CheckDivisorsPass : Pass<"stof-check-divisors", "::mlir::func::FuncOp"> {
  let summary = "Check divisors of integers that may be zero";
  let description = [{
    A divisor of integers that may be zero becomes a `stof.check` that it is not,
    and that a signed quotient does not overflow. Constants, and what upstream's
    integer ranges show, are proven; divisors that are expressions of sizes are
    left to the host, which evaluates them.

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
  let summary = "Take assertions out of the code";
  let description = [{
    Erases every `cf.assert`. One of the function itself that is about sizes is a
    check of the package, which a runtime evaluates before anything runs. What reads
    depend on is checked where it is read (`stof-attach-assertions`). Nobody looks
    at the others: each is named by a missed remark.

    ```mlir
    linalg.generic ... {
    ^bb0(%token: i64, %out: f32):
      %known = arith.cmpi slt, %token, %words : i64
      cf.assert %known, "index out of range"    // dropped, with a remark
    ```
  }];
  let options = [
    Option<"keepSizes", "keep-sizes", "bool", /*default=*/"false",
           "Leave assertions of the function itself on sizes, for the host">
  ];
}

def ImportPadPass : Pass<"stof-import-pad", "::mlir::func::FuncOp"> {
  let summary = "Write padding that is negative as a slice";
  let description = [{
    A negative amount of a `tensor.pad` cuts off, as in PyTorch; upstream's
    canonicalisation drops one that adds as much elsewhere.

    ```mlir
    %p = tensor.pad %x low[-1] high[1] { ... } : tensor<8xf32> to tensor<8xf32>
      ==>
    %kept = tensor.extract_slice %x[1] [7] [1] : tensor<8xf32> to tensor<7xf32>
    %p = tensor.pad %kept low[0] high[1] { ... } : tensor<7xf32> to tensor<8xf32>
    ```

    Amounts that are no constants are expected not to be negative
    (`stof-assert-sizes`).
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::tensor::TensorDialect"
  ];
}

def ImportScanPass : Pass<"stof-import-scan", "::mlir::func::FuncOp"> {
  let summary = "Write scans that front ends leave whole as linalg";
  let description = [{
    torch-mlir leaves cumulative sums and products as `tm_tensor.scan`, of a dialect
    that is not linked in; it is met in generic form. Each element of the result
    combines all elements before it, those behind it are passed over:

    ```mlir
    %y, %last = "tm_tensor.scan"(%x, %init, %acc) <{dimension = 0, inclusive = true}> ({ addi }) : ...
      ==>
    %y = linalg.generic ins(%x, by j) outs(%zeros, by i) iterators [i parallel, j reduction] {
      select(j <= i, sofar + x[j], sofar)
    }
    ```

    Expects a region of one combining operation with a neutral element, an
    inclusive scan and a last result that nothing uses. Any other scan is an error
    that says what it has.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def ImportSortPass : Pass<"stof-import-sort", "::mlir::func::FuncOp"> {
  let summary = "Write sorts that front ends leave whole as linalg";
  let description = [{
    torch-mlir leaves sort, argsort and topk as `tm_tensor.sort`, of a dialect that
    is not linked in; it is met in generic form: tensors of one shape are sorted
    together along a dimension by a region that says whether an element may come
    before another.

    A row is sorted as kernels can, each element on its own: its rank is the number
    of elements that come before it, and the element of a rank is the one that has
    it. That takes n^2 comparisons, few for rows such as the experts of a router:

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

    A longer row of known length is ranked in runs, which are then merged in pairs:
    each place of a merged run finds by bisection how many elements of the first
    run come before it. Where only the first elements of the results are used, no
    more than those are kept of a run. A longer row of unknown length is ranked
    whole, and an analysis remark says so.

    Elements that neither may come before the other, or that both may, keep their
    order. A region that is one comparison of floats says nothing of NaN, which
    then is the greatest. Whatever the region says, elements are read inside the
    tensors.

    Expects results that are alike the tensors, a dimension of theirs, and a region
    without side effects on a pair of elements of each that yields a truth value;
    anything else is an error.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

def ImportGlobalsPass : Pass<"stof-import-globals", "::mlir::ModuleOp"> {
  let summary = "Pass the globals of a program through its functions";
  let description = [{
    A package keeps no state between calls. What torch-mlir keeps in an
    `ml_program.global`, the seed of random numbers, becomes the caller's: for each
    mutable global that a public function or one that it calls loads or stores,
    the function gets one more argument at its end, the value before the call, and
    one more result, the value after it. Arguments and results are in the order of
    the globals and carry their names as attribute `stof.global`.

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

    Loads of a global that is not mutable become its value as a constant. Runs after
    calls are inlined; a load or a store in nested control flow, of a global without
    a value where one is needed, or of a type that is no ranked tensor is an error.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::ml_program::MLProgramDialect"
  ];
}

def JoinSlicesPass : Pass<"stof-join-slices", "::mlir::func::FuncOp"> {
  let summary = "State tensors that slices fill as concatenations";
  let description = [{
    Slices that are written into a tensor one after another and leave none of its
    elements become a `tensor.concat`, of concatenations where they fill it in
    several dimensions; slices that lie between one another a stride apart are
    concatenated along a dimension of their own. What the tensor held before has no
    use then.

    ```mlir
    %0 = tensor.empty() : tensor<2x64x48xf32>
    %1 = tensor.insert_slice %a into %0[0, 0, 0] [2, 64, 32] [1, 1, 1] : ...
    %2 = tensor.insert_slice %b into %1[0, 0, 32] [2, 64, 16] [1, 1, 1] : ...
    ==>
    %2 = tensor.concat dim(2) %a, %b : (tensor<2x64x32xf32>, tensor<2x64x16xf32>)
           -> tensor<2x64x48xf32>
    ```

    Sizes and offsets may be dynamic if one slice provably begins where another
    ends. A slice that is taken beside what was written last is taken of what was
    there before.

    Leaves slices that do not fill the tensor, or overlap in parts, and chains of
    so many thousand slices that comparing them takes too long (a missed remark,
    `KeptSlices`, says so). The elements of
    a `tensor.empty` that nothing writes are undefined. Where something may read
    them they are zero: it is given a `linalg.fill`, and a remark
    (`UndefinedElements`) says so.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def SplitComplexPass : Pass<"stof-split-complex", "::mlir::func::FuncOp"> {
  let summary = "Write complex tensors as two real ones";
  let description = [{
    Each tensor of complex numbers becomes one of real and one of imaginary parts,
    and what is computed of the numbers arithmetic of their parts. So operations on
    them are merged and compiled as any others: the rotation of a pair by
    `view_as_complex` fuses like one that is written in real numbers.

    ```mlir
    %y = linalg.generic ins(%x, %f : tensor<8xcomplex<f32>>, tensor<8xcomplex<f32>>) ... {
      %p = complex.mul %a, %b : complex<f32>
      ==>
    %y:2 = linalg.generic ins(%x_re, %x_im, %f_re, %f_im : tensor<8xf32>, ...) ... {
      %re = a_re * b_re - a_im * b_im
      %im = a_re * b_im + a_im * b_re
    ```

    A product is that of the four products of parts, without the correction of
    infinite parts that C has. Arguments and results of the function cannot be
    complex: an error asks for the pairs of their parts (`torch.view_as_real`). So
    is an operation on complex tensors that the pass does not know.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::complex::ComplexDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

def ExpandFloat8Pass : Pass<"stof-expand-float8", "::mlir::ModuleOp"> {
  let summary = "Write floats of 8 bits as integers";
  let description = [{
    Tensors of f8E4M3FN and f8E5M2 become tensors of i8 that hold the same bytes,
    and conversions from and to other floats integer arithmetic, which every target
    has: rounding to the nearest, ties to even, over the range and with the special
    values of the type. What is too large for f8E5M2 becomes infinite, and for
    f8E4M3FN, which has no infinity, NaN; other arithmetic on such floats is done in
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

    Other floats of 8 bits or fewer are an error.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect"
  ];
}

def ImportScatterPass : Pass<"stof-import-scatter", "::mlir::func::FuncOp"> {
  let summary = "Write scatters that front ends leave whole as stof.scatter";
  let description = [{
    torch-mlir leaves `index_put`, `index_copy`, `scatter`, `index_add` and their
    like as `tm_tensor.scatter`, of a dialect that is not linked in; it is met in
    generic form. Its indices are one tensor with a column for each dimension that
    is indexed, which are taken apart:

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

    The first dimension of the updates counts them, the others are a window whose
    last dimension is that of the original; dimensions that it lacks in front are
    indexed. Any other form is an error that says what is expected. PyTorch counts
    negative positions from the end, and torch-mlir leaves that to the operation;
    one that lies outside nevertheless is an error there, and with `checked` here.
  }];
  let options = [
    Option<"checked", "checked", "bool", /*default=*/"false",
           "End the run where an update lies outside, rather than drop it">
  ];
  let dependentDialects = ["::stof::StofDialect", "::mlir::tensor::TensorDialect"];
}

def ScatterSlicesPass : Pass<"stof-scatter-slices", "::mlir::func::FuncOp"> {
  let summary = "Write slices into donated tensors as scatters";
  let description = [{
    A slice that is put into an argument which the caller gives away
    (`tf.aliasing_output`), or into what scatters have made of one, becomes a
    `stof.scatter`, which writes in place. An offset of run time is an index of it:

    ```mlir
    %new = tensor.insert_slice %k into %cache[0, 0, %pos, 0] [2, 8, 1, 64] [1, 1, 1, 1]
        : tensor<2x8x1x64xf16> into tensor<2x8x128x64xf16>
      ==>
    %at = linalg.generic outs(...) { linalg.yield %pos } -> tensor<i64>
    %new = stof.scatter %k at(%at : tensor<i64>) into %cache
        maps [(b, h, p, x) -> ()] position (b, h, p, x)[s] -> (b, h, p + s, x) unique {...}
    ```

    A slice that is taken from a tensor, updated by a scatter and put back is a
    scatter into that tensor, where both find the same places inside: one layer of a
    cache that holds all layers. Slices into other tensors stay.
  }];
  let dependentDialects = ["::stof::StofDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"];
}

def SimplifyScatterPass : Pass<"stof-simplify-scatter", "::mlir::func::FuncOp"> {
  let summary = "Find out which indices of a scatter are coordinates";
  let description = [{
    Exporters write every position out in tables. Asks what the elements of each
    index are, and says it in the position of `stof.scatter` instead:

    1. A dimension of the updates that is others one after the other, as the shapes
       of indices show, becomes these again.
    2. An index that is a coordinate, a constant, or the element of another tensor
       at some of the coordinates, is replaced by that; in a sum, each of its terms.
    3. Dimensions of one element are dropped.

    ```mlir
    // kc[:, :, pos] = k with each of 2 x 4 x 1 x 32 updates on its own.
    stof.scatter %flat at(%b, %h, %p, %x : tensor<256xi64>, ...) into %kc
        position (n)[s, t, u, v] -> (s, t, u, v) ...
      ==>
    stof.scatter %k at(%pos : tensor<i64>) into %kc
        maps [(b, h, x) -> ()] position (b, h, x)[s] -> (b, h, s, x) ...
    ```

    Changes no result: what cannot be told apart from data stays an index.
  }];
  let dependentDialects = ["::mlir::tensor::TensorDialect"];
}

def InlineGroupsPass : Pass<"stof-inline-groups"> {
  let summary = "Undo the forming of groups";
  let description = [{
    Replaces every `stof.group` by the operations in it.

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
  let summary = "Refuse operations that nothing understands";
  let description = [{
    An unregistered operation with a region is an error: upstream's inliner and
    canonicalisation expect to know what a region is called with. Unregistered
    operations without one are left to who may know them. The size of a dimension
    that there is not, a reshape that names dimensions out of order and a constant of
    dynamic sizes are errors as well: upstream's verifiers let them pass, and its
    patterns fail on them. So is a function's name that no loader could ask for,
    since it holds the character 0.

    ```mlir
    // error: 'tm_tensor.scan' op cannot be compiled: expects an operation of a known dialect, ...
    %0 = "tm_tensor.scan"(%x) ({...}) : (tensor<4xf32>) -> tensor<4xf32>
    ```
  }];
}

def PlanLayoutPass : Pass<"stof-plan-layout", "::mlir::func::FuncOp"> {
  let summary = "Decide which tiles of each masked attention are visited";
  let description = [{
    Gives every attention with a mask a `#stof.layout`. The mask is read as a set
    of pairs (query, key), a union of integer polyhedra in the lengths and what
    the mask captures; projected onto tiles it says which hold a pair that is kept
    and which hold one that is dropped. No pair is tried of a mask of positions,
    lengths and captured numbers alone.

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

    Keys that a mask keeps a stride apart (every 64th, say) are gathered into tiles
    of their own, a `#stof.lattice`, where that takes fewer tiles. A mask that keeps
    every n-th distance query - key (a dilated window, n up to 64) takes tiles of
    every n-th query and key, a `row_stride`, where they are fewer. Where captured
    constants leave no closed form, the tiles are listed in constant tables.

    With `digest`, attribute `stof.digest` becomes a digest of the pairs that the
    mask keeps, equal for all spellings of one mask (`Mask/Digest/MaskDigest.h` says
    what is promised).

    Where every query is proven to attend to a key, `empty_rows` is dropped
    (`Mask/RowCover.h`), with a remark `RowsProven`; where it is not, the same
    remark says so.

    Every attention, masked or not, also gets a `#stof.schedule` where the natural
    order of row tiles is not good: long ones come first, and where most blocks of a
    GPU would be idle meanwhile (one query on many keys, a few rows that attend to
    everything) their keys are cut into parts. Remark `OrderedRows` says which. A
    schedule that is there stays.

    A remark says what was found: the digest, the set of pairs (`k <= q and
    q - k < 64`), the storage, how many tiles are full, partial and empty, the pairs
    that are kept, and what of the mask stayed code. Missed remarks say which layout
    may visit fewer tiles and why it is not made: a stride beyond the limits, lengths
    or constants that are not known or too large; and how many tiles that costs,
    where they are counted. Where a mask depends on data of run
    time, `stof.list_tiles` makes the tables on the device, unless there are so few
    tiles that visiting them all is cheaper. Leaves an attention without a layout,
    with a missed remark, where its mask is not made in the function: every tile of
    keys is then visited.
  }];
  let options = [
    Option<"rowTile", "row-tile", "int64_t", "0",
           "Queries of a tile; 0 for the kernel's own choice">,
    Option<"colTile", "col-tile", "int64_t", "0",
           "Keys of a tile; 0 for the kernel's own choice">,
    Option<"digest", "digest", "bool", "false",
           "Give each attention the digest of its mask">,
    Option<"lattices", "lattices", "bool", "true",
           "Gather queries and keys that lie a stride apart into tiles of their own">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"
  ];
}

def ExportLayoutPass : Pass<"stof-export-layout"> {
  let summary = "Write the tiles of masks in the storage format of STOF";
  let description = [{
    Writes, as JSON, the arrays in which STOF (section 4.2.1 of the paper) stores a
    mask, for each attention of static sizes whose mask is known at compile time:

    - outer tiles of 64 x 64, row after row: `full_row_ptr`, `full_col_idx` those
      whose pairs are all kept, `part_row_ptr`, `part_col_idx` those that keep some,
      `load_row_ptr`, `load_col_idx` both, in the order of their columns;
    - `bitmap_mask`, 64 words for each partial tile in that order: its inner tiles of
      8 x 8, column after column, bit 8 r + c for row r and column c.

    A tile that reaches beyond the last query or key is partial, and the bits there
    are 0.

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
    that is not written has `missing`, which says why, and a missed remark. Changes
    nothing.
  }];
  let options = [
    Option<"file", "file", "std::string", "\"-\"",
           "File for the arrays; - for the standard output">
  ];
}

def PrintMaskPass : Pass<"stof-print-mask"> {
  let summary = "Draw which tiles of each masked attention are full, partial and empty";
  let description = [{
    Writes, to the standard output, one picture of the mask of each attention: `#`
    for a tile of queries x keys that keeps all of its pairs, `+` for one that keeps
    some and `.` for one that keeps none, a line for each row tile. Of large masks
    a character stands for a square of tiles. With `svg` the same pictures go into
    a file.

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

    The tiles are those of the closed form where the mask has one, else those of
    its evaluation. They are tiles of adjacent positions; where a layout has a row
    stride, its tiles are others, and the title says so. What is not drawn, such as a mask of data that the function
    receives, is named with the reason. Changes nothing.
  }];
  let options = [
    Option<"rowTile", "row-tile", "int64_t", "0",
           "Queries of a tile; 0 for those of the layout or the kernel's choice">,
    Option<"colTile", "col-tile", "int64_t", "0",
           "Keys of a tile; 0 for those of the layout or the kernel's choice">,
    Option<"length", "length", "int64_t", "0",
           "Length of queries and keys where it is dynamic">,
    Option<"batch", "batch", "int64_t", "0",
           "Element of the batch that is drawn">,
    Option<"head", "head", "int64_t", "0", "Head that is drawn">,
    Option<"width", "width", "int64_t", "96",
           "Most characters of a line">,
    Option<"svg", "svg", "std::string", "",
           "File for the pictures as SVG">
  ];
}

#endif // STOF_TRANSFORMS_PASSES_TD
