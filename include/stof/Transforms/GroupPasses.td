#ifndef STOF_TRANSFORMS_GROUPPASSES_TD
#define STOF_TRANSFORMS_GROUPPASSES_TD

include "mlir/Pass/PassBase.td"

// From operations to groups of them; a part of Passes.td.

def SplitProductsPass : Pass<"stof-split-products", "::mlir::func::FuncOp"> {
  let summary = "Compute each slice of a product by a product of its own";
  let description = [{
    Replaces a contraction of whose result only slices are read, perhaps after
    elementwise operations, reshapes and transposes, by one contraction for each
    slice, and what follows it by the same on slices. So weights that a model
    keeps in one tensor look like weights of their own, and each product may be
    followed by what its slice alone needs.

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

    The slices of operands move on towards the arguments of the function, through
    what is elementwise, reshapes, transposes and fills.

    Expects slices of one dimension, with known offsets, that have no element in
    common: nothing is computed twice. Leaves a product alone where they are not,
    where something else reads the whole, or where what is computed of slices is
    put together again, as rotary embeddings do with halves, and says why in a
    missed remark.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def SplitInnerPass : Pass<"stof-split-inner", "::mlir::func::FuncOp"> {
  let summary = "Compute products of few tiles in parts of what they sum over";
  let description = [{
    A product of few rows has few tiles, each of which one block computes from
    beginning to end, while most of a GPU is idle. Such a product becomes one of
    parts of what it sums over, computed side by side, and an elementwise
    operation that adds them up, which shares a kernel with what reads the result.
    Nothing moves for it: operands are shown in another shape, and the parts are
    read where they lie.

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

    How many parts there are is the cost model's choice: what a kernel of the parts
    saves is held against their way to memory and back and the launch of another
    kernel. There is no other one where the rows of the result are combined in a
    kernel of their own anyway, as for a norm that no tile holds. Products of one left
    operand, which one kernel computes, are split together or not at all. A remark
    (`SplitInner`) says what was chosen, or why a product of few tiles stays whole.

    Leaves products alone whose sizes are not known. The operations that a scheme
    counts (`stof-form-groups`) are those behind this pass.
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"",
           "The GPU that times are predicted for, as ptxas names it; where there is "
           "none, a processor, whose few cores no product leaves idle">,
    Option<"parts", "parts", "int64_t", /*default=*/"0",
           "Into how many parts to split every product that has a loop of a "
           "multiple of it, whatever that costs; 0 leaves it to the cost model">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def FormGroupsPass : Pass<"stof-form-groups", "::mlir::func::FuncOp"> {
  let summary = "Put every tensor computation into a group that one kernel computes";
  let description = [{
    Lists the operations that kernels compute, each behind what it needs and in the
    last stage that it can, where products and attentions begin stages, and cuts
    the list into runs that share a kernel; operations between which no data flows
    are computed side by side, as sections of it. A product may share a kernel with
    what computes its operands, other products among that, which is then computed for
    each tile, and with what is computed of its elements. Each run becomes a `stof.group`,
    with the reshapes between its operations and what only they need (empty tensors,
    scalar constants, reads of single elements). What somebody else uses as well
    becomes a further result. Named operations that are not contractions are
    generalised on the way.

    ```mlir
    %0 = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %1 = linalg.matmul ins(%a, %b : ...) outs(%0 : ...) -> tensor<8x8xf32>
    %2 = linalg.generic ... ins(%1 : ...) { absf } -> tensor<8x8xf32>
      ==>
    %2 = stof.group ins(%a, %b : ...) { fill, matmul, generic } -> tensor<8x8xf32>
    ```

    Where the list is cut says the option `scheme`, else the attribute
    `stof.scheme` of the function, a `#stof.scheme`; what no kernel computes is an
    error. Without either, neighbours are joined, those first that save most, as long
    as there is a kernel and a model of traffic and launches sees a gain. The scheme
    is left as that attribute, to be read, changed and used again; of a function
    that has groups, and so has been through this, it is neither used nor changed.

    Expects tensor data movement as linalg (`stof-generalize-tensor-ops`). Leaves
    attention, which has a kernel of its own, masks, reshapes, constants and
    arithmetic on sizes as they are, but moves them before the groups that need
    them. Remarks name each group and count its sections, and say what was joined, and
    why neighbours were not.
  }];
  let options = [
    Option<"scheme", "scheme", "std::string", /*default=*/"",
           "Which operations share a kernel: a bit for each of them, 0 or 1, or "
           "0xDIGITS:LENGTH.">,
    Option<"chip", "chip", "std::string", /*default=*/"",
           "The GPU that costs are estimated for, as ptxas names it; where there "
           "is none, for one that runs code for all">
  ];
  let dependentDialects = ["::stof::StofDialect", "::mlir::linalg::LinalgDialect"];
}

def GeneralizeTensorOpsPass : Pass<"stof-generalize-tensor-ops", "::mlir::func::FuncOp"> {
  let summary = "State tensor data movement as linalg";
  let description = [{
    Rewrites slices, concatenations, padding, splats, generated tensors and tensors
    of a few elements of others into parallel `linalg.generic` operations that read
    elements by `tensor.extract`, so that one kind of kernel serves them all. Named linalg operations become generic
    as well, but for contractions, transposes and fills.

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

    Leaves reshapes and casts, which move nothing, and slices that kernels read
    where they lie: of an argument or a constant for linalg operations, of anything
    for contractions. A slice of rank 0 is read as an element.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"
  ];
}

def NarrowStatisticsPass
    : Pass<"stof-narrow-statistics", "::mlir::func::FuncOp"> {
  let summary = "Compute in f32 what is f64 only on the way";
  let description = [{
    Front ends sum rows for a mean or a variance in f64 and round the result to
    f32. Where everything of f64 that operations relate to each other has been
    widened from f32 or less and is narrowed again or compared, it becomes f32,
    unless a constant of it does not fit. The result is no less exact than it is
    with frameworks' own kernels; a remark (`Narrowed`) says where it happened.

    ```mlir
    %w = linalg.generic ... ins(%x : tensor<8x768xf32>) {arith.extf} -> tensor<8x768xf64>
    %s = linalg.generic ... ["parallel", "reduction"] ins(%w) {arith.addf} -> tensor<8xf64>
    %m = linalg.generic ... ins(%s) {arith.divf; arith.truncf} -> tensor<8xf32>
      ==>
    %w = linalg.generic ... ins(%x : tensor<8x768xf32>) {} -> tensor<8x768xf32>
    %s = linalg.generic ... ["parallel", "reduction"] ins(%w) {arith.addf} -> tensor<8xf32>
    %m = linalg.generic ... ins(%s) {arith.divf} -> tensor<8xf32>
    ```

    Integers that are computed in f64 (division rounded down) stay as they are.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def SplitReductionsPass : Pass<"stof-split-reductions", "::mlir::func::FuncOp"> {
  let summary = "Reduce much to little in two steps";
  let description = [{
    A reduction of several dimensions to less than 64 elements, of more than 16384
    altogether, first combines the last dimension of what it reads, and then what
    that makes of the others: there is work for every multiprocessor, and the
    first step can share a kernel with others that run over the same rows.

    ```mlir
    %m = linalg.generic ... ["reduction", "reduction"] ins(%x : tensor<4096x768xf32>)
           outs(%init : tensor<f32>) {...}
      ==>
    %rows = linalg.generic ... ["parallel", "reduction"] ins(%x : tensor<4096x768xf32>)
              outs(%neutral : tensor<4096xf32>) {...}
    %m = linalg.generic ... ["reduction"] ins(%rows : tensor<4096xf32>)
           outs(%init : tensor<f32>) {...}
    ```

    Leaves reductions that are not by one associative operation with a neutral
    element.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def FuseElementwisePass : Pass<"stof-fuse-elementwise", "::mlir::func::FuncOp"> {
  let summary = "Merge chains of elementwise operations; transposes, copies and extensions into contractions";
  let description = [{
    Fuses an elementwise `linalg.generic` into the elementwise operation or the
    reduction that alone uses it, or that alone extracts elements of it if they
    are little work. A piece of a tensor whose elements are extracted is read
    where it lies. A `linalg.transpose` of a contraction's operand becomes part
    of the contraction's indexing maps, with a collapse behind it as further loops
    of the contraction where these are about as long as a kernel's tiles, or
    longer. An operand that is copied for every batch is read where it lies; the
    rows of all batches are then those of one product. Where both operands are
    extended from one type, the contraction extends them itself, which changes no
    bit of the result.

    ```mlir
    %t = linalg.transpose ins(%w : tensor<64x32xf32>) ... permutation = [1, 0]
    %y = linalg.matmul ins(%x, %t : ...) outs(%0 : ...)
      ==>
    %y = linalg.contract indexing_maps = [(m, n, k) -> (m, k), (m, n, k) -> (n, k), ...]
           ins(%x, %w : ...) outs(%0 : ...)
    ```

    Leaves the operands of contractions alone otherwise: a kernel contracts what
    lies in memory.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif // STOF_TRANSFORMS_GROUPPASSES_TD
