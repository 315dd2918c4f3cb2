//===----------------------------------------------------------------------===//
// Scalar expressions: one element of a tensor as a tree over index variables.
// Nodes are uniqued and simplified on creation, so equality is pointer
// equality, whatever operations the expressions come from and up to the names
// of variables that a reduction binds.
//
// Integers. An expression of type `index` is a mathematical integer with a
// range; casts between integer types vanish if the range proves them lossless.
// An operation that may wrap stays opaque, in its own type.
//
// Reals. A float of type f128 is a real number: `RealForm` rewrites expressions
// into it, which makes those equal that differ in rounding only.
//===----------------------------------------------------------------------===//

#ifndef STOF_SCALAR_SCALAREXPR_H
#define STOF_SCALAR_SCALAREXPR_H

#include "stof/Scalar/ScalarOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/FoldingSet.h"

#include <limits>

namespace stof {

/// The attribute of an Other with the location of a stof.check.
inline constexpr llvm::StringLiteral checkLocationName = "stof.location";

/// The combining operation of a reduction.
enum class ReduceKind : uint8_t { Add, Mul, Max, Min, And, Or };

/// A node, which its ExprContext owns; immutable except for the origin.
struct Expr : llvm::FoldingSetNode {
  static constexpr int64_t minInt = std::numeric_limits<int64_t>::min();
  static constexpr int64_t maxInt = std::numeric_limits<int64_t>::max();

  ScalarOp op;
  mlir::Type type;
  llvm::ArrayRef<const Expr *> operands;
  llvm::ArrayRef<int64_t> ints;
  mlir::Attribute attr;
  mlir::Value value;
  /// The inclusive range of an expression of type index; minInt and maxInt mean
  /// that the bound is unknown. That of a function of integers follows from
  /// those of its operands.
  int64_t lo = minInt, hi = maxInt;
  /// The order of creation, by which operands are sorted deterministically.
  unsigned id = 0;
  /// The height above the leaves, and the highest level of a Reduce inside.
  unsigned height = 0;
  int64_t level = -1;
  /// The first tensor element found to have this expression, if any: a
  /// reduction can be read from there instead of being recomputed.
  mutable const Expr *origin = nullptr;

  bool isIndex() const { return mlir::isa<mlir::IndexType>(type); }
  bool isPredicate() const { return type.isInteger(1); }
  bool isFloat() const { return mlir::isa<mlir::FloatType>(type); }
  bool isConstant() const { return op == ScalarOp::Constant; }
  /// Whether it is a select between two constants.
  bool isChoice() const {
    return op == ScalarOp::Select && operands[1]->isConstant() &&
           operands[2]->isConstant();
  }
  ReduceKind getReduceKind() const {
    assert(op == ScalarOp::Reduce && "expects a reduction");
    return ReduceKind(ints[0]);
  }
  const Expr *getBody() const {
    assert(op == ScalarOp::Reduce && "expects a reduction");
    return operands[0];
  }
  llvm::ArrayRef<const Expr *> getBound() const {
    assert(op == ScalarOp::Reduce && "expects a reduction");
    return operands.drop_front();
  }
  /// The name of an Other and the attributes of its operation.
  mlir::StringAttr getName() const;
  mlir::DictionaryAttr getAttributes() const;
  mlir::arith::CmpIPredicate getIntPredicate() const;
  mlir::arith::CmpFPredicate getFloatPredicate() const;

  std::optional<int64_t> getInt() const;
  std::optional<bool> getBool() const;
  std::optional<llvm::APFloat> getFloat() const;
  bool isFloatValue(double value) const;

  /// Whether the operands and the type are those that the table allows.
  bool isWellTyped() const;

  void Profile(llvm::FoldingSetNodeID &id) const;
};

/// An inclusive range of integers, or of predicates as 0 and 1. A bound of
/// minInt or maxInt is unknown.
struct IntegerRange {
  int64_t lo = Expr::minInt, hi = Expr::maxInt;

  static IntegerRange of(const Expr *expr) { return {expr->lo, expr->hi}; }
  static IntegerRange point(int64_t value) { return {value, value}; }

  /// Whether both bounds are known.
  bool isKnown() const { return lo != Expr::minInt && hi != Expr::maxInt; }
  bool isPoint() const { return lo == hi; }
  bool contains(int64_t value) const { return lo <= value && value <= hi; }
};

/// Replacements for `ExprContext::substitute`.
using ExprMap = llvm::DenseMap<const Expr *, const Expr *>;

/// Creates and owns expressions.
class ExprContext {
public:
  explicit ExprContext(mlir::MLIRContext *context);
  ExprContext(const ExprContext &) = delete;

  mlir::MLIRContext *getContext() const { return context; }
  mlir::IndexType getIndexType() const { return indexType; }
  mlir::FloatType getRealType() const { return realType; }

  // Leaves.
  const Expr *constant(mlir::TypedAttr value);
  const Expr *integer(int64_t value);
  const Expr *boolean(bool value);
  const Expr *real(double value, mlir::Type type = {});
  const Expr *real(const llvm::APFloat &value, mlir::Type type);
  /// A new variable with 0 <= value < extent.
  const Expr *variable(const Expr *extent);
  const Expr *scalar(mlir::Value value);
  const Expr *extent(mlir::Value tensor, unsigned dim);
  const Expr *element(mlir::Value tensor, llvm::ArrayRef<const Expr *> indices);

  // Integers.
  const Expr *linear(llvm::ArrayRef<const Expr *> terms,
                     llvm::ArrayRef<int64_t> factors, int64_t constant);
  const Expr *add(const Expr *lhs, const Expr *rhs);
  const Expr *sub(const Expr *lhs, const Expr *rhs);
  const Expr *mul(const Expr *lhs, const Expr *rhs);
  const Expr *floorDiv(const Expr *lhs, const Expr *rhs);
  const Expr *mod(const Expr *lhs, const Expr *rhs);
  const Expr *divS(const Expr *lhs, const Expr *rhs);
  const Expr *remS(const Expr *lhs, const Expr *rhs);
  const Expr *minI(const Expr *lhs, const Expr *rhs);
  const Expr *maxI(const Expr *lhs, const Expr *rhs);
  const Expr *absI(const Expr *operand);
  const Expr *fromInt(const Expr *typed, bool isSigned = true);

  // Predicates.
  const Expr *cmpI(mlir::arith::CmpIPredicate predicate, const Expr *lhs,
                   const Expr *rhs);
  const Expr *cmpF(mlir::arith::CmpFPredicate predicate, const Expr *lhs,
                   const Expr *rhs);
  const Expr *andI(const Expr *lhs, const Expr *rhs);
  const Expr *orI(const Expr *lhs, const Expr *rhs);
  const Expr *xorI(const Expr *lhs, const Expr *rhs);
  const Expr *notI(const Expr *operand) { return xorI(operand, boolean(true)); }

  const Expr *select(const Expr *condition, const Expr *ifTrue,
                     const Expr *ifFalse);

  // Floats.
  const Expr *floatOp(ScalarOp op, mlir::Type type,
                      llvm::ArrayRef<const Expr *> operands);
  const Expr *cast(const Expr *operand, mlir::Type type);
  const Expr *intToFloat(const Expr *operand, mlir::Type type);
  const Expr *floatToInt(const Expr *operand);

  const Expr *other(mlir::Type type, mlir::StringAttr name,
                    mlir::DictionaryAttr attributes,
                    llvm::ArrayRef<const Expr *> operands);

  /// The reduction of `body` over all values of `bound`, which are free or
  /// bound variables. The result no longer depends on them.
  const Expr *reduce(ReduceKind kind, const Expr *body,
                     llvm::ArrayRef<const Expr *> bound);

  /// `root` with every key of `map` replaced by its value.
  const Expr *substitute(const Expr *root, const ExprMap &map);
  /// The node `expr` with other operands, simplified.
  const Expr *rebuild(const Expr *expr, llvm::ArrayRef<const Expr *> operands);

  /// Whether `variable` occurs in `root`.
  bool dependsOn(const Expr *root, const Expr *variable);

  /// The number of nodes created so far, by which a caller can bound its work.
  unsigned size() const { return nextId; }

private:
  friend class IntegerSimplifier;
  const Expr *unique(ScalarOp op, mlir::Type type,
                     llvm::ArrayRef<const Expr *> operands,
                     llvm::ArrayRef<int64_t> ints = {},
                     mlir::Attribute attr = {}, mlir::Value value = {},
                     IntegerRange range = {});
  const Expr *minMax(ScalarOp op, const Expr *lhs, const Expr *rhs);
  const Expr *distribute(ScalarOp op, mlir::Type type,
                         llvm::ArrayRef<const Expr *> operands);

  mlir::MLIRContext *context;
  mlir::IndexType indexType;
  mlir::IntegerType boolType;
  mlir::FloatType realType;
  llvm::BumpPtrAllocator allocator;
  llvm::FoldingSet<Expr> nodes;
  unsigned nextId = 0;
  int64_t nextVariable = 0;
};

/// Calls `visit` on every node of `root` once, operands first.
void walkExpr(const Expr *root, llvm::function_ref<void(const Expr *)> visit);

/// Prints an expression for debugging.
llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const Expr &expr);

} // namespace stof

#endif // STOF_SCALAR_SCALAREXPR_H
