//===----------------------------------------------------------------------===//
// Sizes of tensors as expressions of the input sizes of a function, and
// equations between these.
//===----------------------------------------------------------------------===//

#ifndef STOF_SIZE_SIZEFACTS_H
#define STOF_SIZE_SIZEFACTS_H

#include "stof/Size/CountExpr.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

namespace stof {

/// Reads every size and integer of a function in program order: results have
/// the sizes of their destinations, views compose, and integer arithmetic is
/// folded into polynomials. Input sizes are symbols such as `arg0 dimension 1`;
/// a size or an integer that depends on anything else is an opaque symbol.
///
/// `simplify` applies the assumed equations: a symbol that one of them
/// determines is replaced by its other terms.
class SizeFacts {
public:
  struct Equation {
    CountExpr lhs, rhs;
  };

  explicit SizeFacts(mlir::func::FuncOp function);

  /// Reads the results of `op`, which is new or changed.
  void read(mlir::Operation *op);

  /// The size of dimension `dim` of `tensor`, not simplified.
  CountExpr sizeOf(mlir::Value tensor, int64_t dim) const;
  /// An integer or a predicate, which is 1 or 0; not simplified.
  CountExpr valueOf(mlir::OpFoldResult value) const;

  /// `expr` in the symbols that no assumed equation determines.
  CountExpr simplify(CountExpr expr) const;
  bool areEqual(const CountExpr &lhs, const CountExpr &rhs) const;
  /// Whether `expr` is known to be nonnegative.
  bool isNonNegative(const CountExpr &expr) const;
  /// Whether `expr` depends on input sizes only.
  bool isOfInputs(const CountExpr &expr) const;

  /// Assumes `lhs == rhs`.
  void assume(const CountExpr &lhs, const CountExpr &rhs);
  /// Assumes the equations of input sizes in an asserted condition.
  void assumeCondition(mlir::Value condition);
  /// `lhs == rhs` solved for the last input size that it determines; unchanged
  /// if it determines none.
  Equation isolate(const CountExpr &lhs, const CountExpr &rhs) const;

  /// Emits `expr`, which must depend on input sizes only, as an index.
  mlir::Value build(mlir::OpBuilder &builder, mlir::Location loc,
                    const CountExpr &expr) const;

  /// `expr` with the symbol `name` replaced by `value`.
  static CountExpr substitute(const CountExpr &expr, llvm::StringRef name,
                              const CountExpr &value);
  /// The input sizes in `expr`, the last input first.
  std::vector<std::string> listInputs(const CountExpr &expr) const;
  /// The symbol of an input size.
  static std::string nameOf(unsigned argument, int64_t dim);

private:
  void readShape(mlir::Value tensor);
  std::optional<CountExpr> readSize(mlir::OpResult tensor, int64_t dim) const;
  std::optional<CountExpr> readIntegerOp(mlir::Operation *op) const;
  CountExpr opaque(llvm::StringRef kind);

  mlir::func::FuncOp function;
  llvm::DenseMap<mlir::Value, CountExpr> integers;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<CountExpr>> shapes;
  /// Determined symbols and their replacements.
  std::vector<std::pair<std::string, CountExpr>> rules;
  /// Differences that are assumed to be zero and determine no symbol.
  std::vector<CountExpr> zeros;
  unsigned numOpaque = 0;
};

} // namespace stof

#endif // STOF_SIZE_SIZEFACTS_H
