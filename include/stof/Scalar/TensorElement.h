//===----------------------------------------------------------------------===//
// Expressions of tensor elements: the operations that compute a tensor are
// composed backwards, through their indexing maps, into a scalar expression of
// the indices. Supports linalg (named and generic, elementwise and reducing),
// the shape operations of tensor, gathers, constants and linalg.softmax.
//
// Composition stops at contractions: an element of one is a sum over a product
// of two elements that are left as they are until `expand` opens them.
//
// Buffers are read like tensors, through views and constant globals. An element
// of a buffer is what it holds at one point of the program, which the caller
// has in mind: a mask is evaluated where it is used.
//===----------------------------------------------------------------------===//

#ifndef STOF_SCALAR_TENSORELEMENT_H
#define STOF_SCALAR_TENSORELEMENT_H

#include "stof/Scalar/ScalarExpr.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace stof {

/// Whether `op` sums products of its two inputs, ignoring widening casts.
bool isContraction(mlir::linalg::LinalgOp op);

/// Whether `op` sums a tensor that an elementwise product computes.
bool isSumOfProducts(mlir::linalg::LinalgOp op);

class TensorElement {
public:
  explicit TensorElement(ExprContext &context) : context(context) {}

  /// The element of `tensor` at `indices`, composed as far as operations are
  /// supported. Never null; an unsupported operation yields an Element.
  const Expr *at(mlir::Value tensor, llvm::ArrayRef<const Expr *> indices);

  /// `element` composed further, or `element` itself.
  const Expr *expand(const Expr *element) {
    return at(element->value, element->operands);
  }

  /// `element` composed through one operation, in terms of elements of its
  /// operands that are left as they are. Null if the operation is not
  /// supported.
  const Expr *step(const Expr *element);

  /// Binds an argument of a region to an expression, or to a value of the same
  /// type outside of the region.
  void bind(mlir::Value argument, const Expr *expr) {
    knownScalars[argument] = expr;
  }
  void bind(mlir::Value argument, mlir::Value outer) {
    outerValues[argument] = outer;
  }

  /// Binds the results of `op`, an operation of a region, to opaque functions
  /// of `variables` and the values that `op` uses.
  void bindOpaque(mlir::Operation &op, llvm::ArrayRef<const Expr *> variables);

  /// The expression of an SSA value of integer, index or float type.
  const Expr *scalar(mlir::Value value);

  /// The size of a dimension, in terms of sizes that are not computed from
  /// others.
  const Expr *size(mlir::Value tensor, unsigned dim);

  /// `expr` as a scalar expression of `dims` and `symbols`.
  const Expr *ofAffine(mlir::AffineExpr expr, llvm::ArrayRef<const Expr *> dims,
                       llvm::ArrayRef<const Expr *> symbols);

  /// A new variable over the indices of a dimension.
  const Expr *indexOf(mlir::Value tensor, unsigned dim) {
    return context.variable(size(tensor, dim));
  }

  /// Whether a limit was reached since the last call.
  bool gaveUp() { return std::exchange(exhausted, false); }

private:
  /// Expressions of values inside a region.
  using Scope = llvm::DenseMap<mlir::Value, const Expr *>;

  const Expr *element(mlir::Value tensor, llvm::ArrayRef<const Expr *> indices);
  const Expr *compute(mlir::Value tensor, llvm::ArrayRef<const Expr *> indices);
  const Expr *ofLinalg(mlir::linalg::LinalgOp op, unsigned result,
                       llvm::ArrayRef<const Expr *> indices);
  const Expr *ofBody(mlir::Value value, Scope &scope, mlir::linalg::LinalgOp op,
                     llvm::ArrayRef<const Expr *> loops);
  const Expr *ofReduction(mlir::linalg::LinalgOp op, unsigned result,
                          llvm::ArrayRef<const Expr *> loops,
                          llvm::ArrayRef<const Expr *> bound,
                          llvm::ArrayRef<const Expr *> indices);
  /// `element` before data movement, or before broadcasts only.
  const Expr *unmove(const Expr *element, bool broadcastsOnly);
  /// `value`, which is summed over `bound`, as a product of two elements that
  /// are contracted: each depends on a variable that the other does not depend
  /// on. Null if it is none.
  const Expr *openProduct(const Expr *value,
                          llvm::ArrayRef<const Expr *> bound);
  const Expr *ofSoftmax(mlir::linalg::SoftmaxOp op,
                        llvm::ArrayRef<const Expr *> indices);
  const Expr *ofShapeOp(mlir::Operation *op,
                        llvm::ArrayRef<const Expr *> indices);
  /// A reshape that expands or collapses dimensions.
  template <typename ReshapeOp>
  const Expr *ofReassociation(ReshapeOp op,
                              llvm::ArrayRef<const Expr *> indices);
  template <typename SliceOp>
  const Expr *ofSlice(SliceOp op, llvm::ArrayRef<const Expr *> indices);
  const Expr *ofSlice(mlir::tensor::InsertSliceOp op,
                      llvm::ArrayRef<const Expr *> indices);
  const Expr *ofConcat(mlir::tensor::ConcatOp op,
                       llvm::ArrayRef<const Expr *> indices);
  const Expr *ofPad(mlir::tensor::PadOp op,
                    llvm::ArrayRef<const Expr *> indices);
  const Expr *ofReshape(mlir::Value source, mlir::Value result,
                        llvm::ArrayRef<const Expr *> indices);
  const Expr *ofConstant(mlir::Attribute constant,
                         llvm::ArrayRef<const Expr *> indices);
  const Expr *ofOperation(mlir::Operation *op,
                          llvm::ArrayRef<const Expr *> operands);
  /// An element that is used only where the indices are in bounds, but can be
  /// computed everywhere.
  const Expr *speculate(mlir::Value tensor,
                        llvm::ArrayRef<const Expr *> indices);
  /// A select between two elements of the same type.
  const Expr *choose(const Expr *condition, const Expr *ifTrue,
                     const Expr *ifFalse);
  /// A dynamic size in terms of other sizes, null if there is none.
  const Expr *computeSize(mlir::OpResult result, unsigned dim);
  const Expr *ofFoldResult(mlir::OpFoldResult value);
  const Expr *extentOf(mlir::linalg::LinalgOp op, unsigned loop);

  /// The maximum length of a chain of operations.
  static constexpr unsigned maxDepth = 768;
  /// The maximum number of expressions for an element: it doubles with each row
  /// that is computed from all rows before.
  static constexpr unsigned mostNodes = 1 << 13;

  /// The scope of one step of a walk.
  class Step {
  public:
    explicit Step(TensorElement &walk);
    ~Step();

  private:
    TensorElement &walk;
  };
  /// Whether the walk has reached a limit, which `gaveUp` reports.
  bool isTooFar();

  ExprContext &context;
  llvm::DenseMap<const Expr *, const Expr *> known;
  llvm::DenseMap<mlir::Value, const Expr *> knownScalars;
  llvm::DenseMap<mlir::Value, mlir::Value> outerValues;
  unsigned depth = 0;
  /// The number of nodes at the start of the walk.
  unsigned begin = 0;
  bool shallow = false;
  bool exhausted = false;
};

} // namespace stof

#endif // STOF_SCALAR_TENSORELEMENT_H
