#ifndef STOF_TRANSFORMS_PASSES_TD
#define STOF_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def DecomposeAttentionPass : Pass<"stof-decompose-attention"> {
  let summary = "Write attention as the linalg that defines it";
  let description = [{
    Replaces every `stof.attention` on tensors by `linalg.generic`s on whole
    tensors that compute exactly what the operation says, in f32: products,
    scale and score, mask, maximum, powers, their sum, weighted values. It is the
    reference that every kernel is tested against, and costs time and memory for
    each pair of a query and a key.

    An unused key or value is never multiplied by, so it may hold NaN. The
    log-sum-exp of a row without a key is -inf, with sinks as well, unless
    `empty_rows(unmasked)` gives it scores.

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

def DropAssertionsPass : Pass<"stof-drop-assertions"> {
  let summary = "Take assertions out of the code";
  let description = [{
    Erases every `cf.assert`. One of the function itself that is about sizes is a
    check of the package, which a runtime evaluates before anything runs. Kernels
    cannot report what the others find: each is named by a missed remark.

    ```mlir
    linalg.generic ... {
    ^bb0(%token: i64, %out: f32):
      %known = arith.cmpi slt, %token, %words : i64
      cf.assert %known, "index out of range"    // dropped, with a remark
    ```
  }];
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

#endif // STOF_TRANSFORMS_PASSES_TD
