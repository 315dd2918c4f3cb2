//===----------------------------------------------------------------------===//
// A visitor of scalar expressions by operation. An interpreter of expressions
// derives from it and defines what is specific: visitMulI for an operation,
// visitFloat for a family of ScalarOps.def, and visitExpr for all others.
//
//   /// Whether an expression is a sum or a product.
//   struct IsPolynomial : ScalarVisitor<IsPolynomial, bool> {
//     bool visitExpr(const Expr *) { return false; }
//     bool visitLinear(const Expr *) { return true; }
//     bool visitMulI(const Expr *) { return true; }
//   };
//
// visitExpr has no default: each interpreter says what it does with operations
// that it does not know, which includes those added later.
//===----------------------------------------------------------------------===//

#ifndef STOF_SCALAR_SCALARVISITOR_H
#define STOF_SCALAR_SCALARVISITOR_H

#include "stof/Scalar/ScalarExpr.h"

namespace stof {

/// `Args` are passed on to each visit.
template <typename Derived, typename Result = void, typename... Args>
class ScalarVisitor {
public:
  Result visit(const Expr *expr, Args... args) {
    switch (expr->op) {
#define STOF_SCALAR_OP(Name, ...)                                              \
  case ScalarOp::Name:                                                         \
    return derived().visit##Name(expr, args...);
#include "stof/Scalar/ScalarOps.def"
    }
    llvm_unreachable("all operations are visited");
  }

  // Operations default to their family.
#define STOF_SCALAR_VISIT(Name, Family)                                        \
  Result visit##Name(const Expr *expr, Args... args) {                         \
    return derived().visit##Family(expr, args...);                             \
  }
#define STOF_SCALAR_OP(Name, ...) STOF_SCALAR_VISIT(Name, Expr)
#define STOF_SCALAR_LEAF(Name, ...) STOF_SCALAR_VISIT(Name, Leaf)
#define STOF_SCALAR_INTEGER(Name, ...) STOF_SCALAR_VISIT(Name, Integer)
#define STOF_SCALAR_LOGIC(Name, ...) STOF_SCALAR_VISIT(Name, Logic)
#define STOF_SCALAR_FLOAT(Name, ...) STOF_SCALAR_VISIT(Name, Float)
#include "stof/Scalar/ScalarOps.def"

  // Families default to all expressions.
  STOF_SCALAR_VISIT(Leaf, Expr)
  STOF_SCALAR_VISIT(Integer, Expr)
  STOF_SCALAR_VISIT(Logic, Expr)
  STOF_SCALAR_VISIT(Float, Expr)
#undef STOF_SCALAR_VISIT

private:
  Derived &derived() { return static_cast<Derived &>(*this); }
};

} // namespace stof

#endif // STOF_SCALAR_SCALARVISITOR_H
