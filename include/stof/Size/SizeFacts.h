//===----------------------------------------------------------------------===//
// What the sizes of tensors are, as expressions of the sizes of a function's
// inputs, and what is known of these.
//===----------------------------------------------------------------------===//

#ifndef STOF_SIZE_SIZEFACTS_H
#define STOF_SIZE_SIZEFACTS_H

#include "stof/Size/CountExpr.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

namespace stof {

/// Reads every size and integer of a function, in its order: destinations give
/// results their sizes, views compose, and integer arithmetic is folded into
/// polynomials. The symbols are `arg0 dimension 1` and their like; a size or an
/// integer that depends on more has a symbol of its own.
///
/// Equations that are taken for granted rewrite what is read later: a symbol
/// that one of them determines is replaced by the rest of it.
class SizeFacts {
public:
  struct Equation {
    CountExpr lhs, rhs;
  };

  explicit SizeFacts(mlir::func::FuncOp function);

  /// Reads the results of `op`, which is new or was changed.
  void read(mlir::Operation *op);

  /// The size of dimension `dim` of `tensor`, as it is written.
  CountExpr sizeOf(mlir::Value tensor, int64_t dim) const;
  /// An integer or a truth value, which is 1 or 0.
  CountExpr valueOf(mlir::OpFoldResult value) const;

  /// The expression in the symbols that no equation determines.
  CountExpr simplify(CountExpr expr) const;
  bool areEqual(const CountExpr &lhs, const CountExpr &rhs) const;
  /// Whether `expr` cannot be negative.
  bool isNonNegative(const CountExpr &expr) const;
  /// Whether `expr` depends on nothing but sizes of inputs.
  bool isOfInputs(const CountExpr &expr) const;

  /// Takes `lhs == rhs` for granted.
  void assume(const CountExpr &lhs, const CountExpr &rhs);
  /// Takes for granted what the conditions of assertions on sizes compare.
  void assumeCondition(mlir::Value condition);
  /// `lhs == rhs` with the last input that it determines on the left; the sides
  /// as they are if it determines none.
  Equation isolate(const CountExpr &lhs, const CountExpr &rhs) const;

  /// Computes `expr`, which is of inputs, as an index.
  mlir::Value build(mlir::OpBuilder &builder, mlir::Location loc,
                    const CountExpr &expr) const;
  std::string print(const CountExpr &expr) const;

  /// What `expr` is where the symbol `name` is `value`.
  static CountExpr substitute(const CountExpr &expr, llvm::StringRef name,
                              const CountExpr &value);
  /// The symbols of inputs in `expr`, the last input first.
  std::vector<std::string> listInputs(const CountExpr &expr) const;
  /// The name of a size of an input.
  static std::string nameOf(unsigned argument, int64_t dim);

private:
  void readShape(mlir::Value tensor);
  std::optional<CountExpr> readSize(mlir::OpResult tensor, int64_t dim) const;
  std::optional<CountExpr> readInteger(mlir::Operation *op) const;
  CountExpr opaque(llvm::StringRef kind);

  mlir::func::FuncOp function;
  llvm::DenseMap<mlir::Value, CountExpr> integers;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<CountExpr>> shapes;
  /// Symbols that are determined, and by what.
  std::vector<std::pair<std::string, CountExpr>> rules;
  /// Differences that are zero and determine no symbol.
  std::vector<CountExpr> zeros;
  unsigned numOpaque = 0;
};

} // namespace stof

#endif // STOF_SIZE_SIZEFACTS_H
