#ifndef STOF_TRANSFORMS_GROUPPASSES_TD
#define STOF_TRANSFORMS_GROUPPASSES_TD

include "mlir/Pass/PassBase.td"

// Passes that prepare and form groups of operations; a part of Passes.td.

def SplitContractionsPass : Pass<"stof-split-contractions", "::mlir::func::FuncOp"> {
  let summary = "Split contractions whose results are read in slices";
  let description = [{
    Replaces a contraction whose result is only read in slices, possibly after
    elementwise operations, reshapes and transposes, by one contraction per slice,
    and the operations in between by their counterparts on slices. Weights that a
    model packs into one tensor become separate, and each contraction can have the
    epilogue of its slice.

    ```mlir
    %y = linalg.matmul ins(%x, %w : tensor<64x32xf16>, tensor<32x48xf16>) ...
    %b = linalg.add ins(%y, %bias : ...) ...
    %q = tensor.extract_slice %b[0, 0] [64, 16] [1, 1] : ...
    %k = tensor.extract_slice %b[0, 16] [64, 32] [1, 1] : ...
      ==>
    %w0 = tensor.extract_slice %w[0, 0] [32, 16] [1, 1] : ...
    %y0 = linalg.matmul ins(%x, %w0 : tensor<64x32xf16>, tensor<32x16xf16>) ...
    %b0 = tensor.extract_slice %bias[0, 0] [64, 16] [1, 1] : ...
    %q = linalg.add ins(%y0, %b0 : ...) ...
    %w1 = tensor.extract_slice %w[0, 16] [32, 32] [1, 1] : ...
    ...
    ```

    Slices of operands move towards the arguments of the function, through
    elementwise operations, reshapes, transposes and fills.

    Slices must be of one dim, static and disjoint, since nothing is computed twice.
    Other contractions, those with unsliced uses, and those with slices that are
    concatenated again (as the halves of rotary embeddings are) are kept; a missed
    remark (`NotSplitContraction`) states the reason.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def SplitKPass : Pass<"stof-split-k", "::mlir::func::FuncOp"> {
  let summary = "Apply split-K to contractions of few tiles";
  let description = [{
    A contraction of few rows has few CTA tiles, and most of a GPU is idle while
    each CTA iterates over all of K. Such a contraction gets a batch dim that divides
    K, and an elementwise operation adds up the partial sums, in the kernel of the
    result's reader. No data is moved: operands are reshaped, and partial sums are
    read in place.

    ```mlir
    %y = linalg.matmul ins(%x, %w : tensor<16x2048xf16>, tensor<2048x64xf16>) outs(%0 : ...)
      ==>
    %p = tensor.expand_shape %x [[0], [1, 2]] : ... into tensor<16x2x1024xf16>
    %q = tensor.expand_shape %w [[0, 1], [2]] : ... into tensor<2x1024x64xf16>
    %parts = linalg.contract indexing_maps = [(m, n, k, p) -> (m, p, k),
                 (m, n, k, p) -> (p, k, n), (m, n, k, p) -> (p, m, n)]
               ins(%p, %q : ...) outs(%1 : ...) -> tensor<2x16x64xf32>
    %a = tensor.extract_slice %parts[0, 0, 0] [1, 16, 64] [1, 1, 1] : ... to tensor<16x64xf32>
    %b = tensor.extract_slice %parts[1, 0, 0] [1, 16, 64] [1, 1, 1] : ... to tensor<16x64xf32>
    %y = linalg.generic ... ins(%a, %b : ...) {arith.addf}
    ```

    The cost model chooses the split-K factor: the time that the contraction saves is
    weighed against the traffic of the partial sums and one more launch. That launch
    is free if a separate kernel reduces rows of the result anyway, e.g. for a norm
    of rows that exceed a tile. Contractions of one left operand, which share a
    kernel, are split together or not at all. Remarks state the chosen factor
    (`SplitK`), or why a contraction of few tiles is not split (`NotSplitK`).

    Contractions of dynamic sizes are not split. A scheme (`stof-form-groups`) counts
    the operations after this pass.
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"",
           "The GPU that times are predicted for, as ptxas names it; if empty, the "
           "CPU, where the cost model splits nothing">,
    Option<"factor", "factor", "int64_t", /*default=*/"0",
           "The split-K factor of every contraction with a K dim that is a multiple "
           "of it, regardless of cost; 0 leaves the choice to the cost model">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def FormGroupsPass : Pass<"stof-form-groups", "::mlir::func::FuncOp"> {
  let summary = "Form groups of tensor computations that share a kernel";
  let description = [{
    Orders the operations topologically by stages, each in its last possible stage
    (contractions and attentions begin stages), and divides this order into sequences
    that share a kernel; computations without data flow between them become branches
    of it. A contraction may share a kernel with the producers of its operands, among
    them other contractions, which are recomputed for each CTA tile, and with its
    epilogue. Each sequence becomes a `stof.group`, with the reshapes between its
    operations and the values that only these need (empty tensors, scalar constants,
    reads of single elements). Values with other users become results as well. Named
    operations other than contractions are generalised.

    ```mlir
    %0 = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %1 = linalg.matmul ins(%a, %b : ...) outs(%0 : ...) -> tensor<8x8xf32>
    %2 = linalg.generic ... ins(%1 : ...) { absf } -> tensor<8x8xf32>
      ==>
    %2 = stof.group ins(%a, %b : ...) { fill, matmul, generic } -> tensor<8x8xf32>
    ```

    The boundaries are those of the option `scheme`, else of the attribute
    `stof.scheme` of the function, a `#stof.scheme`; a sequence without a kernel is an
    error. Without a scheme, neighbours are joined greedily by predicted gain, as long
    as a kernel exists and the cost model sees a gain. The resulting scheme is set as
    that attribute, for inspection and reuse; in a function that already has groups
    it is neither used nor changed.

    Expects tensor data movement as linalg (`stof-generalize-tensor-ops`). Attention,
    which has its own kernel, masks, reshapes, constants and arithmetic on sizes are
    not grouped, but moved before the groups that need them. Remarks name each group
    and count its branches, list the joined sequences, and state why neighbours were
    not joined.
  }];
  let options = [
    Option<"scheme", "scheme", "std::string", /*default=*/"",
           "The groups: one bit per operation, as 0s and 1s or as 0xDIGITS:LENGTH; "
           "changes are the boundaries">,
    Option<"chip", "chip", "std::string", /*default=*/"",
           "The GPU whose tiles groups must have and that costs are estimated for, "
           "as ptxas names it; if empty, the tiles are those of the CPU and the "
           "costs those of a default GPU">
  ];
  let dependentDialects = ["::stof::StofDialect", "::mlir::linalg::LinalgDialect"];
}

def GeneralizeTensorOpsPass : Pass<"stof-generalize-tensor-ops", "::mlir::func::FuncOp"> {
  let summary = "Rewrite tensor data movement as linalg";
  let description = [{
    Rewrites slices, concatenations, padding, splats, generated tensors and tensors
    of a few elements of others as parallel `linalg.generic` operations that read
    elements by `tensor.extract`: one kind of kernel serves them all. Named linalg
    operations other than contractions, transposes and fills become generic as well.

    ```mlir
    %s = tensor.extract_slice %x[0, 2] [4, 8] [1, 1] : tensor<4x16xf32> to tensor<4x8xf32>
      ==>
    %s = linalg.generic {...} outs(%empty : tensor<4x8xf32>) {
      %i = linalg.index 0
      %j = linalg.index 1
      %p = affine.apply (d0) -> (d0 + 2)(%j)
      %v = tensor.extract %x[%i, %p]
      linalg.yield %v
    }
    ```

    Reshapes and casts stay, since they move nothing, and so do slices that kernels
    read in place: linalg operations those of arguments and constants, contractions
    those of any tensor. A slice of rank 0 is read as an element.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"
  ];
}

def NarrowStatisticsPass
    : Pass<"stof-narrow-statistics", "::mlir::func::FuncOp"> {
  let summary = "Narrow intermediate f64 computations to f32";
  let description = [{
    Front ends compute means and variances of rows in f64 and round the result to
    f32. A connected set of f64 values becomes f32 if all its inputs are widened from
    f32 or less, all its results are narrowed again or compared, and its constants are
    representable. The result is no less precise than that of the frameworks' own
    kernels; a remark (`Narrowed`) reports each change.

    ```mlir
    %w = linalg.generic ... ins(%x : tensor<8x768xf32>) {arith.extf} -> tensor<8x768xf64>
    %s = linalg.generic ... ["parallel", "reduction"] ins(%w) {arith.addf} -> tensor<8xf64>
    %m = linalg.generic ... ins(%s) {arith.divf; arith.truncf} -> tensor<8xf32>
      ==>
    %w = linalg.generic ... ins(%x : tensor<8x768xf32>) {} -> tensor<8x768xf32>
    %s = linalg.generic ... ["parallel", "reduction"] ins(%w) {arith.addf} -> tensor<8xf32>
    %m = linalg.generic ... ins(%s) {arith.divf} -> tensor<8xf32>
    ```

    Integers that are computed in f64 (division rounded down) stay f64.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def SplitReductionsPass : Pass<"stof-split-reductions", "::mlir::func::FuncOp"> {
  let summary = "Split reductions of many elements to few into two steps";
  let description = [{
    A reduction of several dims with more than 16384 elements to fewer than 64 first
    reduces the last dim of its first input, then the others: the first step occupies
    all SMs, and can share a kernel with other operations on the same rows.

    ```mlir
    %m = linalg.generic ... ["reduction", "reduction"] ins(%x : tensor<4096x768xf32>)
           outs(%init : tensor<f32>) {...}
      ==>
    %rows = linalg.generic ... ["parallel", "reduction"] ins(%x : tensor<4096x768xf32>)
              outs(%neutral : tensor<4096xf32>) {...}
    %m = linalg.generic ... ["reduction"] ins(%rows : tensor<4096xf32>)
           outs(%init : tensor<f32>) {...}
    ```

    Applies to reductions by one associative operation with a neutral element.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def FuseElementwisePass : Pass<"stof-fuse-elementwise", "::mlir::func::FuncOp"> {
  let summary = "Fuse elementwise operations, and fold operand movement into contractions";
  let description = [{
    Fuses an elementwise `linalg.generic` into its only user, an elementwise operation
    or a reduction, or into the only one that extracts its elements if these are cheap.
    Slices of which only elements are extracted are read in place. A `linalg.transpose`
    of a contraction's operand is folded into the indexing maps of the contraction; a
    collapse after it becomes further loops, if these are at least about as long as a
    tile. An operand that is broadcast over the batch is read in place, and the rows of
    all batches become those of one contraction. If both operands are extended from one
    type, the contraction extends them itself, with a bitwise equal result.

    ```mlir
    %t = linalg.transpose ins(%w : tensor<64x32xf32>) ... permutation = [1, 0]
    %y = linalg.matmul ins(%x, %t : ...) outs(%0 : ...)
      ==>
    %y = linalg.contract indexing_maps = [(m, n, k) -> (m, k), (m, n, k) -> (n, k), ...]
           ins(%x, %w : ...) outs(%0 : ...)
    ```

    Other producers of contraction operands are not fused: contractions read their
    operands from memory.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif // STOF_TRANSFORMS_GROUPPASSES_TD
