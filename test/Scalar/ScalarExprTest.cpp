//===----------------------------------------------------------------------===//
// What scalar expressions are simplified to has the same value everywhere.
//===----------------------------------------------------------------------===//

#include "../lib/ScalarCases.h"
#include "stof/Scalar/ScalarFunctions.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace stof;
using namespace stof::test;

namespace {

class ScalarExprTest : public ::testing::Test {
protected:
  ScalarExprTest() { ir.loadDialect<arith::ArithDialect>(); }

  MLIRContext ir;
  ExprContext context{&ir};
};

/// The value of an expression of integers; the variables are known by node.
int64_t evaluate(const Expr *expr,
                 const llvm::DenseMap<const Expr *, int64_t> &variables) {
  if (expr->op == ScalarOp::Variable)
    return variables.lookup(expr);
  llvm::SmallVector<int64_t> operands;
  for (const Expr *operand : expr->operands)
    operands.push_back(evaluate(operand, variables));
  std::optional<int64_t> value = evaluateInteger(expr, operands);
  if (!value)
    ADD_FAILURE() << "expects an expression of integers";
  return value.value_or(0);
}

/// Compares `made` with its definition at every point.
void compare(const CaseMaker &maker, const Case &made) {
  maker.forEachPoint([&](const Point &at) {
    llvm::DenseMap<const Expr *, int64_t> variables;
    for (auto [variable, value] : llvm::zip(maker.getVariables(), at))
      variables[variable] = value;
    int64_t expected = made.value(at);
    ASSERT_EQ(evaluate(made.expr, variables), expected);
    if (made.expr->isIndex()) {
      ASSERT_LE(made.expr->lo, expected);
      ASSERT_GE(made.expr->hi, expected);
    }
  });
}

TEST_F(ScalarExprTest, SimplifiedIntegersKeepTheirValueAndRange) {
  for (unsigned seed = 0; seed < 1500; ++seed) {
    CaseMaker maker(context, {7, 5, 3}, seed);
    SCOPED_TRACE(seed);
    compare(maker, maker.integer(1 + seed % 4));
    if (HasFatalFailure())
      return;
  }
}

TEST_F(ScalarExprTest, SimplifiedPredicatesKeepTheirValue) {
  for (unsigned seed = 0; seed < 1500; ++seed) {
    CaseMaker maker(context, {6, 4, 5}, seed);
    SCOPED_TRACE(seed);
    compare(maker, maker.predicate(1 + seed % 4));
    if (HasFatalFailure())
      return;
  }
}

TEST_F(ScalarExprTest, ComparisonsOfIntegersInFloatsAreOfIntegers) {
  const Expr *i = context.variable(context.integer(4096));
  const Expr *j = context.variable(context.integer(4096));
  auto isNear = [&](Type type) {
    const Expr *difference = context.intToFloat(context.sub(i, j), type);
    const Expr *distance = context.floatOp(ScalarOp::AbsF, type, difference);
    const Expr *two = context.intToFloat(context.integer(2), type);
    return context.cmpF(arith::CmpFPredicate::OLE, distance, two);
  };
  EXPECT_EQ(isNear(Float32Type::get(&ir)),
            context.cmpI(arith::CmpIPredicate::sle,
                         context.absI(context.sub(i, j)), context.integer(2)));
  // f16 rounds from 2048 on.
  EXPECT_EQ(isNear(Float16Type::get(&ir))->op, ScalarOp::CmpF);
}

TEST_F(ScalarExprTest, EqualSpellingsAreOneNode) {
  const Expr *i = context.variable(context.integer(8));
  const Expr *j = context.variable(context.integer(4));
  auto number = [&](int64_t value) { return context.integer(value); };
  // 4 i + j is split again.
  const Expr *linear = context.add(context.mul(i, number(4)), j);
  EXPECT_EQ(context.floorDiv(linear, number(4)), i);
  EXPECT_EQ(context.mod(linear, number(4)), j);
  EXPECT_EQ(context.sub(context.add(i, j), j), i);
  EXPECT_EQ(context.add(i, j), context.add(j, i));
  EXPECT_EQ(context.mod(i, number(8)), i);
  EXPECT_EQ(context.floorDiv(j, number(4)), number(0));
  EXPECT_EQ(context.minI(i, number(9)), i);
  EXPECT_EQ(context.maxI(i, number(-1)), i);
}

TEST_F(ScalarExprTest, ComparisonsAreDecidedByRanges) {
  using Predicate = arith::CmpIPredicate;
  const Expr *i = context.variable(context.integer(8));
  EXPECT_EQ(context.cmpI(Predicate::slt, i, context.integer(8)),
            context.boolean(true));
  EXPECT_EQ(context.cmpI(Predicate::sge, i, context.integer(8)),
            context.boolean(false));
  EXPECT_EQ(context.cmpI(Predicate::eq, i, context.integer(-1)),
            context.boolean(false));
  EXPECT_EQ(context.cmpI(Predicate::sle, i, i), context.boolean(true));
  EXPECT_NE(context.cmpI(Predicate::slt, i, context.integer(7)),
            context.boolean(true));
}

TEST_F(ScalarExprTest, DifferencesAndZeroAreComparedAsTheirTerms) {
  using Predicate = arith::CmpIPredicate;
  const Expr *i = context.variable(context.integer(8));
  const Expr *j = context.variable(context.integer(6));
  const Expr *zero = context.integer(0);
  for (auto predicate :
       {Predicate::eq, Predicate::ne, Predicate::slt, Predicate::sle}) {
    auto compare = [&](const Expr *lhs, const Expr *rhs) {
      return context.cmpI(predicate, lhs, rhs);
    };
    EXPECT_EQ(compare(context.sub(i, j), zero), compare(i, j));
    EXPECT_EQ(compare(context.sub(j, i), zero), compare(j, i));
    EXPECT_EQ(compare(context.linear({i, j}, {1, -1}, 3), zero),
              compare(i, context.add(j, context.integer(-3))));
    // A constant is no term.
    const Expr *sum = context.linear({i, j}, {1, 5}, -1);
    EXPECT_EQ(compare(sum, zero)->operands[0], sum);
  }
}

TEST_F(ScalarExprTest, PredicatesAbsorb) {
  using Predicate = arith::CmpIPredicate;
  const Expr *i = context.variable(context.integer(8));
  const Expr *j = context.variable(context.integer(8));
  const Expr *below = context.cmpI(Predicate::slt, i, j);
  EXPECT_EQ(context.andI(below, context.boolean(true)), below);
  EXPECT_EQ(context.andI(below, context.boolean(false)),
            context.boolean(false));
  EXPECT_EQ(context.orI(below, below), below);
  EXPECT_EQ(context.notI(context.notI(below)), below);
  EXPECT_EQ(context.select(below, i, i), i);
}

TEST_F(ScalarExprTest, SubstitutionSimplifies) {
  const Expr *i = context.variable(context.integer(8));
  const Expr *j = context.variable(context.integer(8));
  const Expr *sum = context.add(context.mul(i, context.integer(2)), j);
  EXPECT_EQ(context.substitute(sum, {{i, context.integer(3)}}),
            context.add(j, context.integer(6)));
  EXPECT_TRUE(context.dependsOn(sum, i));
  EXPECT_FALSE(context.dependsOn(context.sub(sum, j), j));
}

} // namespace
