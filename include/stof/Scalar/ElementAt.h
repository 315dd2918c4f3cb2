//===----------------------------------------------------------------------===//
// What one element of a tensor is: composes the operations that make a tensor
// backwards, through their indexing maps, into one scalar expression of the
// indices. Knows linalg (named and generic, elementwise and reducing), the
// shape operations of tensor, gathers, constants and linalg.softmax.
//
// Contractions are where it stops on its own: an element of one is a sum over a
// product of two elements that are left as they are, and `expand` opens those.
//===----------------------------------------------------------------------===//

#ifndef STOF_SCALAR_ELEMENTAT_H
#define STOF_SCALAR_ELEMENTAT_H

#include "stof/Scalar/ScalarExpr.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace stof {

/// Whether `op` sums products of its two inputs, casts set aside.
bool isContraction(mlir::linalg::LinalgOp op);

/// Whether `op` sums a tensor whose elements are products of two others.
bool isSumOfProducts(mlir::linalg::LinalgOp op);

class ElementAt {
public:
  explicit ElementAt(ExprContext &context) : context(context) {}

  /// The element of `tensor` at `indices`, as far back as its making is
  /// understood. Never null; what is not understood is an Element.
  const Expr *at(mlir::Value tensor, llvm::ArrayRef<const Expr *> indices);

  /// `element` with its own making opened once more, or `element` itself.
  const Expr *expand(const Expr *element) {
    return at(element->value, element->operands);
  }

  /// One step back from `element`: what the operation that makes the tensor
  /// says of it, in terms of elements of its operands that are left as they
  /// are. Null if nothing is known of it.
  const Expr *step(const Expr *element);

  /// Says what an argument of a region stands for: a scalar, or a value of the
  /// same type around the region.
  void bind(mlir::Value argument, const Expr *expr) {
    knownScalars[argument] = expr;
  }
  void bind(mlir::Value argument, mlir::Value outer) {
    outerValues[argument] = outer;
  }

  /// Says that the results of `op`, an operation of a region, are functions of
  /// `variables` of which no more is known.
  void bindOpaque(mlir::Operation &op, llvm::ArrayRef<const Expr *> variables);

  /// The value of an SSA value of integer, index or float type.
  const Expr *scalar(mlir::Value value);

  /// The size of a dimension, in terms of sizes of tensors that are not
  /// computed from others.
  const Expr *size(mlir::Value tensor, unsigned dim);

  /// The value of an affine expression.
  const Expr *ofAffine(mlir::AffineExpr expr, llvm::ArrayRef<const Expr *> dims,
                       llvm::ArrayRef<const Expr *> symbols);

  /// A variable that runs over a dimension.
  const Expr *indexOf(mlir::Value tensor, unsigned dim) {
    return context.variable(size(tensor, dim));
  }

  /// Whether some chain was longer than is followed since this was last asked.
  bool gaveUp() { return std::exchange(exhausted, false); }

private:
  /// Values inside a region that is being evaluated.
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
  /// `element` before it was moved or, at least, broadcast.
  const Expr *unmove(const Expr *element, bool broadcastsOnly);
  /// `value`, which is summed over `bound`, as a product of two elements that
  /// are contracted: each varies where the other does not. Null if it is none.
  const Expr *openProduct(const Expr *value,
                          llvm::ArrayRef<const Expr *> bound);
  const Expr *ofSoftmax(mlir::linalg::SoftmaxOp op,
                        llvm::ArrayRef<const Expr *> indices);
  const Expr *ofShapeOp(mlir::Operation *op,
                        llvm::ArrayRef<const Expr *> indices);
  const Expr *ofReshape(mlir::Value source, mlir::Value result,
                        llvm::ArrayRef<const Expr *> indices);
  const Expr *ofConstant(mlir::arith::ConstantOp op, mlir::Value tensor,
                         llvm::ArrayRef<const Expr *> indices);
  const Expr *ofOperation(mlir::Operation *op,
                          llvm::ArrayRef<const Expr *> operands);
  const Expr *ofIntegerOp(mlir::Operation *op,
                          llvm::ArrayRef<const Expr *> operands);
  /// An element that is used where the indices lie in the tensor, and can be
  /// computed where they do not.
  const Expr *speculate(mlir::Value tensor,
                        llvm::ArrayRef<const Expr *> indices);
  /// One of two elements of the same type.
  const Expr *choose(const Expr *condition, const Expr *ifTrue,
                     const Expr *ifFalse);
  const Expr *compareUnsigned(mlir::arith::CmpIPredicate predicate,
                              const Expr *lhs, const Expr *rhs);
  const Expr *ofFloatOp(mlir::Operation *op,
                        llvm::ArrayRef<const Expr *> operands);
  const Expr *ofFoldResult(mlir::OpFoldResult value);
  const Expr *extentOf(mlir::linalg::LinalgOp op, unsigned loop);

  /// A chain of operations longer than this is not followed, ...
  static constexpr unsigned maxDepth = 768;
  /// ... nor one element further than so many expressions: rows that are
  /// computed from all rows before them double with each.
  static constexpr unsigned mostNodes = 1 << 13;

  /// One step of a walk.
  class Step {
  public:
    explicit Step(ElementAt &walk);
    ~Step();

  private:
    ElementAt &walk;
  };
  /// Whether a walk ends here. If so, some chain is not followed.
  bool isTooFar();

  ExprContext &context;
  llvm::DenseMap<const Expr *, const Expr *> known;
  llvm::DenseMap<mlir::Value, const Expr *> knownScalars;
  llvm::DenseMap<mlir::Value, mlir::Value> outerValues;
  unsigned depth = 0;
  /// The number of nodes where the walk began.
  unsigned begin = 0;
  bool shallow = false;
  bool exhausted = false;
};

} // namespace stof

#endif // STOF_SCALAR_ELEMENTAT_H
