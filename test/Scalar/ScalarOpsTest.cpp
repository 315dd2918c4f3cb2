//===----------------------------------------------------------------------===//
// For each operation of the table: exact evaluation agrees with plain
// arithmetic, ranges contain its results, and what is emitted folds to them.
//===----------------------------------------------------------------------===//

#include "stof/Scalar/EmitScalar.h"
#include "stof/Scalar/ScalarFunctions.h"
#include "stof/Scalar/ScalarRange.h"
#include "stof/Scalar/TensorElement.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Interfaces/Utils/InferIntRangeCommon.h"
#include "llvm/Support/FormatVariadic.h"

#include "gtest/gtest.h"

#include <cmath>
#include <random>

using namespace mlir;
using namespace stof;

namespace {

using Wide = __int128;
using Operands = ArrayRef<const Expr *>;

/// An operation of a family, and how its nodes are made.
struct Entry {
  ScalarOp op;
  unsigned arity;
  std::function<const Expr *(ExprContext &, Operands)> make;
};

template <unsigned arity, typename Method>
Entry makeEntry(ScalarOp op, Method method) {
  return {op, arity, [=](ExprContext &context, Operands operands) {
            if constexpr (arity == 1)
              return (context.*method)(operands[0]);
            else
              return (context.*method)(operands[0], operands[1]);
          }};
}

/// Functions of integers of type index.
std::vector<Entry> getIntegerEntries() {
  return {
#define STOF_SCALAR_INTEGER(Name, Mnemonic, Arity, Property, Make)             \
  makeEntry<Arity>(ScalarOp::Name, &ExprContext::Make),
#include "stof/Scalar/ScalarOps.def"
  };
}

/// Functions of predicates.
std::vector<Entry> getLogicEntries() {
  return {
#define STOF_SCALAR_LOGIC(Name, Mnemonic, Property, Make, Operation)           \
  makeEntry<2>(ScalarOp::Name, &ExprContext::Make),
#include "stof/Scalar/ScalarOps.def"
  };
}

/// Functions of floats.
std::vector<std::pair<ScalarOp, unsigned>> getFloatEntries() {
  return {
#define STOF_SCALAR_FLOAT(Name, Mnemonic, Arity, Property, Operation)          \
  {ScalarOp::Name, Arity},
#include "stof/Scalar/ScalarOps.def"
  };
}

/// The result by plain arithmetic, nothing if it is undefined.
std::optional<Wide> computePlainly(ScalarOp op, ArrayRef<int64_t> operands) {
  Wide a = operands.front(), b = operands.back();
  if (isDivision(op) && b == 0)
    return std::nullopt;
  auto floor = [&] {
    Wide quotient = a / b;
    return quotient * b != a && (a < 0) != (b < 0) ? quotient - 1 : quotient;
  };
  switch (op) {
  case ScalarOp::MulI:
    return a * b;
  case ScalarOp::FloorDiv:
    return floor();
  case ScalarOp::Mod:
    return a - floor() * b;
  case ScalarOp::DivS:
    return a / b;
  case ScalarOp::RemS:
    return a % b;
  case ScalarOp::MinI:
    return std::min(a, b);
  case ScalarOp::MaxI:
    return std::max(a, b);
  case ScalarOp::AbsI:
    return a < 0 ? -a : a;
  case ScalarOp::And:
    return operands[0] & operands[1];
  case ScalarOp::Or:
    return operands[0] | operands[1];
  case ScalarOp::Xor:
    return operands[0] ^ operands[1];
  default:
    ADD_FAILURE() << "expects a plain result of '" << getInfo(op).mnemonic.str()
                  << "'";
    return std::nullopt;
  }
}

double computePlainly(ScalarOp op, ArrayRef<double> operands) {
  double a = operands.front(), b = operands.back();
  switch (op) {
  case ScalarOp::AddF:
    return a + b;
  case ScalarOp::SubF:
    return a - b;
  case ScalarOp::MulF:
    return a * b;
  case ScalarOp::DivF:
    return a / b;
  case ScalarOp::NegF:
    return -a;
  case ScalarOp::MaxF:
    return a < b ? b : a;
  case ScalarOp::MinF:
    return a < b ? a : b;
  case ScalarOp::AbsF:
    return a < 0 ? -a : a;
  case ScalarOp::Exp:
    return std::exp(a);
  case ScalarOp::Exp2:
    return std::exp2(a);
  case ScalarOp::Log:
    return std::log(a);
  case ScalarOp::Tanh:
    return std::tanh(a);
  case ScalarOp::Floor:
    return std::floor(a);
  default:
    ADD_FAILURE() << "expects a plain result of '" << getInfo(op).mnemonic.str()
                  << "'";
    return 0;
  }
}

class ScalarOpsTest : public ::testing::Test {
protected:
  ScalarOpsTest() {
    ir.loadDialect<arith::ArithDialect, math::MathDialect>();
    module = ModuleOp::create(UnknownLoc::get(&ir));
  }

  int64_t pick(int64_t lo, int64_t hi) {
    return std::uniform_int_distribution<int64_t>(lo, hi)(random);
  }
  /// A small number, or one at the end of 64 bits.
  int64_t pickInteger() {
    return pick(0, 7)   ? pick(-20, 20)
           : pick(0, 1) ? Expr::maxInt - pick(0, 2)
                        : Expr::minInt + pick(0, 2);
  }
  double pickReal() { return double(pick(-400, 400)) / 16; }

  /// A range around small numbers, or of one.
  IntegerRange pickRange() {
    int64_t lo = pick(-20, 20);
    return {lo, lo + (pick(0, 3) ? pick(0, 12) : 0)};
  }

  /// A leaf for a constant operation.
  const Expr *leaf(TypedAttr value) {
    auto builder = OpBuilder::atBlockEnd(module->getBody());
    return context.scalar(
        arith::ConstantOp::create(builder, module->getLoc(), value));
  }
  const Expr *index(int64_t value) {
    return leaf(IntegerAttr::get(IndexType::get(&ir), value));
  }

  /// The constant that the operations of a value fold to, null if there is
  /// none.
  static Attribute fold(Value value) {
    Operation *op = value.getDefiningOp();
    SmallVector<Attribute> operands = llvm::map_to_vector(
        op->getOperands(), [](Value operand) { return fold(operand); });
    SmallVector<OpFoldResult> results;
    if (failed(op->fold(operands, results)) || results.size() != 1)
      return {};
    if (auto same = dyn_cast<Value>(results[0]))
      return fold(same);
    return cast<Attribute>(results[0]);
  }
  Attribute emitAndFold(const Expr *expr) {
    auto builder = OpBuilder::atBlockEnd(module->getBody());
    return fold(ScalarEmitter(builder, module->getLoc()).emit(expr));
  }
  std::optional<int64_t> emitInteger(const Expr *expr) {
    auto folded = dyn_cast_or_null<IntegerAttr>(emitAndFold(expr));
    if (!folded)
      return std::nullopt;
    return expr->isPredicate() ? folded.getValue().getZExtValue()
                               : folded.getValue().getSExtValue();
  }

  MLIRContext ir;
  ExprContext context{&ir};
  OwningOpRef<ModuleOp> module;
  std::mt19937 random;
};

/// Calls `check` with seeds, which are printed on failure.
void forEachSeed(std::mt19937 &random, llvm::function_ref<void()> check) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    random.seed(seed);
    SCOPED_TRACE("seed " + std::to_string(seed));
    check();
    if (::testing::Test::HasFatalFailure())
      return;
  }
}

TEST_F(ScalarOpsTest, IntegersEvaluateAsPlainArithmeticDoes) {
  forEachSeed(random, [&] {
    for (const Entry &entry : getIntegerEntries()) {
      SCOPED_TRACE(getInfo(entry.op).mnemonic.str());
      int64_t operands[] = {pickInteger(), pickInteger()};
      auto in = ArrayRef(operands).take_front(entry.arity);
      std::optional<Wide> plain = computePlainly(entry.op, in);
      bool fits = plain && int64_t(*plain) == *plain;
      std::optional<int64_t> value = evaluateInteger(entry.op, in);
      ASSERT_EQ(value.has_value(), fits);
      if (fits) {
        ASSERT_EQ(*value, int64_t(*plain));
      }
    }
  });
}

TEST_F(ScalarOpsTest, RangesContainResults) {
  forEachSeed(random, [&] {
    for (const Entry &entry : getIntegerEntries()) {
      SCOPED_TRACE(getInfo(entry.op).mnemonic.str());
      IntegerRange ranges[] = {pickRange(), pickRange()};
      int64_t operands[] = {pick(ranges[0].lo, ranges[0].hi),
                            pick(ranges[1].lo, ranges[1].hi)};
      std::optional<int64_t> value =
          evaluateInteger(entry.op, ArrayRef(operands).take_front(entry.arity));
      if (!value)
        continue;
      IntegerRange range =
          inferRange(entry.op, ArrayRef(ranges).take_front(entry.arity));
      ASSERT_TRUE(range.contains(*value))
          << *value << " is not in " << range.lo << " .. " << range.hi;
    }
  });
}

TEST_F(ScalarOpsTest, RangesOfPredicatesContainResults) {
  for (const Entry &entry : getLogicEntries())
    for (unsigned bits = 0; bits < 16; ++bits) {
      int64_t lhs = bits & 1, rhs = bits >> 1 & 1;
      IntegerRange ranges[] = {
          bits & 4 ? IntegerRange{0, 1} : IntegerRange::point(lhs),
          bits & 8 ? IntegerRange{0, 1} : IntegerRange::point(rhs)};
      IntegerRange range = inferRange(entry.op, ranges);
      EXPECT_TRUE(range.contains(*evaluateInteger(entry.op, {lhs, rhs})));
      EXPECT_TRUE(range.lo >= 0 && range.hi <= 1);
    }
}

TEST_F(ScalarOpsTest, RangesAreNoWiderThanThoseOfInferIntRange) {
  auto toUpstream = [](IntegerRange range) {
    return ConstantIntRanges::fromSigned(APInt(64, range.lo, true),
                                         APInt(64, range.hi, true));
  };
  using Infer = ConstantIntRanges (*)(ArrayRef<ConstantIntRanges>);
  const std::pair<ScalarOp, Infer> inferences[] = {
      {ScalarOp::FloorDiv, intrange::inferFloorDivS},
      {ScalarOp::DivS, intrange::inferDivS},
      {ScalarOp::MinI, intrange::inferMinS},
      {ScalarOp::MaxI, intrange::inferMaxS}};
  forEachSeed(random, [&] {
    for (auto [op, infer] : inferences) {
      SCOPED_TRACE(getInfo(op).mnemonic.str());
      IntegerRange lhs = pickRange();
      IntegerRange rhs =
          isDivision(op) ? IntegerRange::point(pick(1, 9)) : pickRange();
      ConstantIntRanges upstream = infer({toUpstream(lhs), toUpstream(rhs)});
      IntegerRange range = inferRange(op, {lhs, rhs});
      ASSERT_GE(range.lo, upstream.smin().getSExtValue());
      ASSERT_LE(range.hi, upstream.smax().getSExtValue());
    }
  });
}

TEST_F(ScalarOpsTest, EmittedIntegersFoldToTheirValue) {
  forEachSeed(random, [&] {
    for (const Entry &entry : getIntegerEntries()) {
      SCOPED_TRACE(getInfo(entry.op).mnemonic.str());
      int64_t operands[] = {pickInteger(), pickInteger()};
      auto in = ArrayRef(operands).take_front(entry.arity);
      std::optional<int64_t> value = evaluateInteger(entry.op, in);
      if (!value)
        continue;
      const Expr *leaves[] = {index(operands[0]), index(operands[1])};
      const Expr *expr = entry.make(context, leaves);
      ASSERT_EQ(expr->op, entry.op);
      ASSERT_EQ(emitInteger(expr), value);
    }
  });
}

TEST_F(ScalarOpsTest, EmittedSumsFoldToTheirValue) {
  constexpr int64_t a = 7, b = 100;
  // Terms are added, subtracted, negated or multiplied.
  for (int64_t first : {-3, -1, 0, 1, 2})
    for (int64_t second : {-3, -1, 0, 1, 2})
      for (int64_t constant : {-5, 0, 5}) {
        const Expr *sum =
            context.linear({index(a), index(b)}, {first, second}, constant);
        SCOPED_TRACE(
            llvm::formatv("{0} a + {1} b + {2}", first, second, constant)
                .str());
        EXPECT_EQ(emitInteger(sum), first * a + second * b + constant);
      }
}

TEST_F(ScalarOpsTest, EmittedPredicatesFoldToTheirValue) {
  auto boolean = [&](int64_t value) {
    return leaf(IntegerAttr::get(IntegerType::get(&ir, 1), value));
  };
  for (const Entry &entry : getLogicEntries())
    for (int64_t lhs : {0, 1})
      for (int64_t rhs : {0, 1}) {
        const Expr *expr = entry.make(context, {boolean(lhs), boolean(rhs)});
        EXPECT_EQ(emitInteger(expr), evaluateInteger(entry.op, {lhs, rhs}));
      }
}

TEST_F(ScalarOpsTest, OtherFunctionsOfIntegersAgreeAsWell) {
  Type byte = IntegerType::get(&ir, 8);
  forEachSeed(random, [&] {
    int64_t a = pick(-128, 127), b = pick(-128, 127);
    const Expr *x = index(a), *y = index(b),
               *typed = leaf(IntegerAttr::get(byte, a));
    auto predicate = arith::CmpIPredicate(
        pick(0, int64_t(arith::getMaxEnumValForCmpIPredicate())));
    const Expr *compared = context.cmpI(predicate, x, y);
    struct {
      const Expr *expr;
      SmallVector<int64_t> operands;
    } cases[] = {
        {context.linear({x, y}, {3, -2}, 5), {a, b}},
        {context.fromInt(typed), {a}},
        {context.fromInt(typed, /*isSigned=*/false), {a}},
        {context.select(compared, x, y),
         {compareIntegers(predicate, a, b), a, b}},
        {compared, {a, b}},
    };
    for (auto &[expr, operands] : cases) {
      // Comparisons are put in another order, and some selects are minima.
      if (expr->op == ScalarOp::CmpI && expr->operands[0] == y)
        std::swap(operands[0], operands[1]);
      if (expr->op == ScalarOp::MinI || expr->op == ScalarOp::MaxI)
        continue;
      SCOPED_TRACE(getInfo(expr->op).mnemonic.str());
      std::optional<int64_t> value = evaluateInteger(expr, operands);
      ASSERT_TRUE(value);
      ASSERT_EQ(emitInteger(expr), value);
      SmallVector<IntegerRange> ranges;
      for (int64_t operand : operands)
        ranges.push_back({operand - pick(0, 3), operand + pick(0, 3)});
      ASSERT_TRUE(inferRange(expr, ranges).contains(*value));
    }
  });
}

TEST_F(ScalarOpsTest, FloatsAgreeWithPlainArithmetic) {
  Type wide = Float64Type::get(&ir);
  forEachSeed(random, [&] {
    for (auto [op, arity] : getFloatEntries()) {
      SCOPED_TRACE(getInfo(op).mnemonic.str());
      SmallVector<double> operands{pickReal(), pickReal()};
      if (op == ScalarOp::Log)
        operands[0] = std::abs(operands[0]) + 1;
      operands.truncate(arity);
      double plain = computePlainly(op, operands);
      ASSERT_DOUBLE_EQ(evaluateFloat(op, operands), plain);
      if (std::isnan(plain))
        continue;
      auto constants = llvm::map_to_vector(
          operands, [](double operand) { return APFloat(operand); });
      if (std::optional<APFloat> folded = foldFloat(op, constants)) {
        ASSERT_DOUBLE_EQ(toDouble(*folded), plain);
      }
      auto ranges = llvm::map_to_vector(operands, [&](double operand) {
        return RealRange{operand - pick(0, 1), operand + pick(0, 1)};
      });
      RealRange range = inferRange(op, ranges);
      ASSERT_LE(range.lo, plain);
      ASSERT_GE(range.hi, plain);
      auto leaves = llvm::map_to_vector(operands, [&](double operand) {
        return leaf(FloatAttr::get(wide, operand));
      });
      auto emitted = dyn_cast_or_null<FloatAttr>(
          emitAndFold(context.floatOp(op, wide, leaves)));
      ASSERT_TRUE(emitted);
      ASSERT_DOUBLE_EQ(emitted.getValueAsDouble(), plain);
    }
  });
}

TEST_F(ScalarOpsTest, WhatOneOperationComputesIsReadAsItsEntry) {
  Block block;
  Location loc = UnknownLoc::get(&ir);
  OpBuilder builder(&ir);
  builder.setInsertionPointToEnd(&block);
  auto arguments = [&](Type type) {
    const Expr *lhs = context.scalar(block.addArgument(type, loc));
    const Expr *rhs = context.scalar(block.addArgument(type, loc));
    return std::array{lhs, rhs};
  };
  auto check = [&](ScalarOp op, const Expr *expr) {
    SCOPED_TRACE(getInfo(op).mnemonic.str());
    EXPECT_EQ(expr->op, op);
    Value emitted = ScalarEmitter(builder, loc).emit(expr);
    EXPECT_EQ(TensorElement(context).scalar(emitted), expr);
  };
  auto integers = arguments(IndexType::get(&ir));
  for (const Entry &entry : getIntegerEntries()) {
    // A division that may be undefined is not speculated. The remainder of a
    // floor division takes several operations.
    const Expr *rhs = isDivision(entry.op) ? context.integer(3) : integers[1];
    if (entry.op != ScalarOp::Mod)
      check(entry.op, entry.make(context, {integers[0], rhs}));
  }
  auto predicates = arguments(IntegerType::get(&ir, 1));
  for (const Entry &entry : getLogicEntries())
    check(entry.op, entry.make(context, predicates));
  Type single = Float32Type::get(&ir);
  auto floats = arguments(single);
  for (auto [op, arity] : getFloatEntries())
    check(op, context.floatOp(op, single, ArrayRef(floats).take_front(arity)));
}

TEST_F(ScalarOpsTest, NodesAreRebuiltFromOtherOperands) {
  const Expr *i = context.variable(context.integer(8));
  const Expr *j = context.variable(context.integer(8));
  // An integer of unknown range, which keeps each operation.
  const Expr *open = index(3);
  for (const Entry &entry : getIntegerEntries()) {
    SCOPED_TRACE(getInfo(entry.op).mnemonic.str());
    const Expr *expr = entry.make(context, {open, j});
    EXPECT_EQ(expr->op, entry.op);
    EXPECT_EQ(context.substitute(expr, {{open, i}}),
              entry.make(context, {i, j}));
  }
}

TEST_F(ScalarOpsTest, NodesAreOfTheTypesOfTheTable) {
  const Expr *i = context.variable(context.integer(8));
  const Expr *sum = context.linear({i}, {2}, 1);
  EXPECT_TRUE(sum->isWellTyped());
  Expr wrong = *sum;
  wrong.type = IntegerType::get(&ir, 1);
  EXPECT_FALSE(wrong.isWellTyped());
  wrong = *sum;
  wrong.op = ScalarOp::MulI;
  EXPECT_FALSE(wrong.isWellTyped());
}

} // namespace
