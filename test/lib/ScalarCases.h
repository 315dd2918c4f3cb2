//===----------------------------------------------------------------------===//
// Random integer expressions for unit tests: built twice, once as ExprContext
// simplifies them and once as plain C++, which both are evaluated point by
// point.
//===----------------------------------------------------------------------===//

#ifndef STOF_TEST_LIB_SCALARCASES_H
#define STOF_TEST_LIB_SCALARCASES_H

#include "stof/Scalar/ScalarExpr.h"

#include "llvm/Support/MathExtras.h"

#include <functional>
#include <random>

namespace stof::test {

/// The values of variables, by number.
using Point = std::vector<int64_t>;

/// An expression as the context made it, and what it must evaluate to.
struct Case {
  const Expr *expr;
  std::function<int64_t(const Point &)> value;
};

/// Makes expressions over variables of the given extents.
class CaseMaker {
public:
  CaseMaker(ExprContext &context, llvm::ArrayRef<int64_t> extents,
            unsigned seed)
      : context(context), extents(extents), random(seed) {
    for (int64_t extent : extents)
      variables.push_back(context.variable(context.integer(extent)));
  }

  llvm::ArrayRef<const Expr *> getVariables() const { return variables; }

  /// An expression of type index, of so many levels of operations.
  Case integer(unsigned depth) {
    if (depth == 0)
      return leaf();
    switch (pick(9)) {
    case 0:
      return binary(depth, &ExprContext::add,
                    [](int64_t a, int64_t b) { return a + b; });
    case 1:
      return binary(depth, &ExprContext::sub,
                    [](int64_t a, int64_t b) { return a - b; });
    case 2:
      return scaled(depth);
    case 3:
      return divided(depth, &ExprContext::floorDiv,
                     llvm::divideFloorSigned<int64_t, int64_t>);
    case 4:
      return divided(depth, &ExprContext::mod, [](int64_t a, int64_t b) {
        return a - llvm::divideFloorSigned(a, b) * b;
      });
    case 5:
      return divided(depth, &ExprContext::remS,
                     [](int64_t a, int64_t b) { return a % b; });
    case 6:
      return binary(depth, &ExprContext::minI,
                    [](int64_t a, int64_t b) { return std::min(a, b); });
    case 7:
      return binary(depth, &ExprContext::maxI,
                    [](int64_t a, int64_t b) { return std::max(a, b); });
    default:
      return chosen(depth);
    }
  }

  /// An expression of type i1, as 0 or 1.
  Case predicate(unsigned depth) {
    if (depth == 0 || pick(3) == 0)
      return compared(depth);
    Case lhs = predicate(depth - 1), rhs = predicate(depth - 1);
    auto l = lhs.value, r = rhs.value;
    switch (pick(4)) {
    case 0:
      return {context.andI(lhs.expr, rhs.expr),
              [=](const Point &at) { return l(at) & r(at); }};
    case 1:
      return {context.orI(lhs.expr, rhs.expr),
              [=](const Point &at) { return l(at) | r(at); }};
    case 2:
      return {context.xorI(lhs.expr, rhs.expr),
              [=](const Point &at) { return l(at) ^ r(at); }};
    default:
      return {context.notI(lhs.expr),
              [=](const Point &at) { return 1 - l(at); }};
    }
  }

  /// Calls `visit` with every point of the variables' extents.
  void forEachPoint(llvm::function_ref<void(const Point &)> visit) const {
    Point at(extents.size(), 0);
    while (true) {
      visit(at);
      size_t dim = 0;
      while (dim < at.size() && ++at[dim] == extents[dim])
        at[dim++] = 0;
      if (dim == at.size())
        return;
    }
  }

private:
  int64_t pick(int64_t count) {
    return std::uniform_int_distribution<int64_t>(0, count - 1)(random);
  }

  Case leaf() {
    if (pick(4) == 0) {
      int64_t number = pick(13) - 6;
      return {context.integer(number), [=](const Point &) { return number; }};
    }
    size_t number = pick(variables.size());
    return {variables[number], [=](const Point &at) { return at[number]; }};
  }

  using Binary = const Expr *(ExprContext::*)(const Expr *, const Expr *);
  Case binary(unsigned depth, Binary make,
              int64_t (*compute)(int64_t, int64_t)) {
    Case lhs = integer(depth - 1), rhs = integer(depth - 1);
    auto l = lhs.value, r = rhs.value;
    return {(context.*make)(lhs.expr, rhs.expr),
            [=](const Point &at) { return compute(l(at), r(at)); }};
  }

  Case divided(unsigned depth, Binary make,
               int64_t (*compute)(int64_t, int64_t)) {
    Case lhs = integer(depth - 1);
    int64_t divisor = 1 + pick(6);
    auto l = lhs.value;
    return {(context.*make)(lhs.expr, context.integer(divisor)),
            [=](const Point &at) { return compute(l(at), divisor); }};
  }

  Case scaled(unsigned depth) {
    Case lhs = integer(depth - 1);
    int64_t factor = pick(9) - 4;
    auto l = lhs.value;
    return {context.mul(lhs.expr, context.integer(factor)),
            [=](const Point &at) { return l(at) * factor; }};
  }

  Case chosen(unsigned depth) {
    Case condition = predicate(depth - 1), yes = integer(depth - 1),
         no = integer(depth - 1);
    auto c = condition.value, y = yes.value, n = no.value;
    return {context.select(condition.expr, yes.expr, no.expr),
            [=](const Point &at) { return c(at) ? y(at) : n(at); }};
  }

  Case compared(unsigned depth) {
    using Predicate = mlir::arith::CmpIPredicate;
    unsigned below = depth == 0 ? 0 : depth - 1;
    Case lhs = integer(below), rhs = integer(below);
    auto l = lhs.value, r = rhs.value;
    struct Choice {
      Predicate predicate;
      int64_t (*holds)(int64_t, int64_t);
    };
    static constexpr Choice choices[] = {
        {Predicate::eq, [](int64_t a, int64_t b) -> int64_t { return a == b; }},
        {Predicate::ne, [](int64_t a, int64_t b) -> int64_t { return a != b; }},
        {Predicate::slt, [](int64_t a, int64_t b) -> int64_t { return a < b; }},
        {Predicate::sle,
         [](int64_t a, int64_t b) -> int64_t { return a <= b; }},
        {Predicate::sgt, [](int64_t a, int64_t b) -> int64_t { return a > b; }},
        {Predicate::sge,
         [](int64_t a, int64_t b) -> int64_t { return a >= b; }},
    };
    const Choice &choice = choices[pick(std::size(choices))];
    auto holds = choice.holds;
    return {context.cmpI(choice.predicate, lhs.expr, rhs.expr),
            [=](const Point &at) { return holds(l(at), r(at)); }};
  }

  ExprContext &context;
  std::vector<int64_t> extents;
  std::mt19937 random;
  llvm::SmallVector<const Expr *> variables;
};

} // namespace stof::test

#endif // STOF_TEST_LIB_SCALARCASES_H
