//===----------------------------------------------------------------------===//
// Integers of the IR are read to expressions that have their values.
//===----------------------------------------------------------------------===//

#include "stof/Size/IntegerReader.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

#include <limits>

using namespace mlir;
using namespace stof;

namespace {

/// The definition of a value, and what it is for the sizes n and m.
struct Definition {
  StringRef text;
  int64_t (*value)(int64_t n, int64_t m);
};

const Definition integers[] = {
    {"arith.addi %n, %m : index", [](int64_t n, int64_t m) { return n + m; }},
    {"arith.subi %n, %m : index", [](int64_t n, int64_t m) { return n - m; }},
    {"arith.muli %n, %m : index", [](int64_t n, int64_t m) { return n * m; }},
    {"arith.divui %n, %c4 : index", [](int64_t n, int64_t) { return n / 4; }},
    {"arith.ceildivsi %n, %c4 : index",
     [](int64_t n, int64_t) { return (n + 3) / 4; }},
    {"arith.remsi %n, %c4 : index", [](int64_t n, int64_t) { return n % 4; }},
    {"arith.minsi %n, %m : index",
     [](int64_t n, int64_t m) { return std::min(n, m); }},
    {"arith.maxui %n, %m : index",
     [](int64_t n, int64_t m) { return std::max(n, m); }},
    {"affine.apply affine_map<(d0)[s0] -> ((d0 * 3 + s0) floordiv 4 + d0 mod "
     "5)>(%n)[%m]",
     [](int64_t n, int64_t m) { return (n * 3 + m) / 4 + n % 5; }},
    {"affine.min affine_map<(d0, d1) -> (d0, d1 ceildiv 2, 7)>(%n, %m)",
     [](int64_t n, int64_t m) {
       return std::min({n, (m + 1) / 2, int64_t(7)});
     }},
    {"affine.max affine_map<(d0, d1) -> (d0 - 3, d1)>(%n, %m)",
     [](int64_t n, int64_t m) { return std::max(n - 3, m); }},
    {"arith.extui %less : i1 to i64",
     [](int64_t n, int64_t m) -> int64_t { return n < m; }},
};

const Definition predicates[] = {
    {"arith.cmpi eq, %n, %m : index",
     [](int64_t n, int64_t m) -> int64_t { return n == m; }},
    {"arith.cmpi ne, %n, %m : index",
     [](int64_t n, int64_t m) -> int64_t { return n != m; }},
    {"arith.cmpi slt, %n, %m : index",
     [](int64_t n, int64_t m) -> int64_t { return n < m; }},
    {"arith.cmpi ule, %n, %m : index",
     [](int64_t n, int64_t m) -> int64_t { return n <= m; }},
    {"arith.cmpi ugt, %n, %m : index",
     [](int64_t n, int64_t m) -> int64_t { return n > m; }},
    {"arith.cmpi sge, %n, %m : index",
     [](int64_t n, int64_t m) -> int64_t { return n >= m; }},
    {"arith.andi %less, %small : i1",
     [](int64_t n, int64_t m) -> int64_t { return n < m && n <= 4; }},
    {"arith.ori %less, %small : i1",
     [](int64_t n, int64_t m) -> int64_t { return n < m || n <= 4; }},
    {"arith.xori %less, %small : i1",
     [](int64_t n, int64_t m) -> int64_t { return (n < m) != (n <= 4); }},
    {"arith.xori %less, %true : i1",
     [](int64_t n, int64_t m) -> int64_t { return n >= m; }},
};

class IntegerReaderTest : public ::testing::Test {
protected:
  IntegerReaderTest() {
    context.loadDialect<affine::AffineDialect, arith::ArithDialect,
                        tensor::TensorDialect>();
    context.allowUnregisteredDialects();
  }

  /// The last value in `text`, which may use the sizes %n and %m of a tensor.
  Value parse(const Twine &text) {
    module = parseSourceString<ModuleOp>((R"(
        %input = "test.input"() : () -> tensor<?x?xindex>
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c4 = arith.constant 4 : index
        %true = arith.constant true
        %n = tensor.dim %input, %c0 : tensor<?x?xindex>
        %m = tensor.dim %input, %c1 : tensor<?x?xindex>
        %less = arith.cmpi slt, %n, %m : index
        %small = arith.cmpi ule, %n, %c4 : index
    )" + text)
                                             .str(),
                                         &context);
    return module ? module->getBody()->back().getResult(0) : Value();
  }

  static IntegerReader makeReader() {
    return IntegerReader([](Value, int64_t dim) -> std::optional<SizeExpr> {
      return symbolOf(dim);
    });
  }

  static SizeExpr symbolOf(int64_t dim) {
    return SizeExpr::symbol(dim == 0 ? "n" : "m");
  }

  /// Reads `value` in the normal form, with its operands first.
  std::optional<CountExpr> readNormal(Value value) {
    DenseMap<Value, CountExpr> known;
    for (Operation &op : *module->getBody()) {
      std::optional<CountExpr> read;
      SmallVector<CountExpr> operands;
      for (Value operand : op.getOperands())
        operands.push_back(known.lookup(operand));
      if (auto dim = dyn_cast<tensor::DimOp>(op))
        read = CountExpr::normalize(symbolOf(*dim.getConstantIndex()));
      else if (std::optional<int64_t> constant = readConstant(op.getResult(0)))
        read = *constant;
      else
        read = readInteger<CountExpr>(&op, operands);
      if (op.getResult(0) == value)
        return read;
      if (read)
        known[op.getResult(0)] = *read;
    }
    return std::nullopt;
  }

  /// Expects that the value of `text`, read in both forms, is `expected`.
  void expectRead(const Twine &text,
                  function_ref<int64_t(int64_t, int64_t)> expected) {
    Value value = parse(text);
    ASSERT_TRUE(value);
    std::optional<SizeExpr> expr = makeReader().read(value);
    std::optional<CountExpr> normal = readNormal(value);
    ASSERT_TRUE(expr && normal);
    for (int64_t n = 0; n < 12; ++n)
      for (int64_t m = 0; m < 12; ++m) {
        auto evaluate = [&](const SizeExpr &given) {
          return CountExpr::normalize(given,
                                      [&](StringRef name) {
                                        return std::optional<CountExpr>(
                                            name == "n" ? n : m);
                                      })
              ->constant();
        };
        EXPECT_EQ(evaluate(*expr), expected(n, m)) << expr->print();
        EXPECT_EQ(evaluate(normal->toSizeExpr()), expected(n, m))
            << normal->toSizeExpr().print();
      }
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

TEST_F(IntegerReaderTest, IntegersAreReadInBothForms) {
  for (const Definition &made : integers) {
    SCOPED_TRACE(made.text.str());
    expectRead("%value = " + made.text, made.value);
  }
}

TEST_F(IntegerReaderTest, PredicatesAreReadInBothForms) {
  for (const Definition &made : predicates) {
    SCOPED_TRACE(made.text.str());
    expectRead("%holds = " + made.text, made.value);
    expectRead("%holds = " + made.text +
                   "\n%value = arith.select %holds, %n, %c4 : index",
               [&](int64_t n, int64_t m) { return made.value(n, m) ? n : 4; });
  }
}

TEST_F(IntegerReaderTest, ConstantsOfAtMost64BitsAreRead) {
  EXPECT_EQ(
      readConstant(parse("%c = arith.constant 9223372036854775807 : i64")),
      std::numeric_limits<int64_t>::max());
  EXPECT_EQ(
      readConstant(parse("%c = arith.constant -9223372036854775808 : i128")),
      std::numeric_limits<int64_t>::min());
  EXPECT_EQ(
      readConstant(parse("%c = arith.constant 9223372036854775808 : i128")),
      std::nullopt);
}

TEST_F(IntegerReaderTest, DataAndBitsAreNotRead) {
  for (StringRef text :
       {"tensor.extract %input[%n, %m] : tensor<?x?xindex>",
        "arith.andi %n, %m : index", "arith.shli %n, %c1 : index",
        "arith.extsi %less : i1 to i64"}) {
    Value value = parse("%value = " + text);
    ASSERT_TRUE(value) << text.str();
    IntegerReader reader = makeReader();
    EXPECT_EQ(reader.read(value), std::nullopt) << text.str();
    EXPECT_EQ(reader.getObstacle(), value) << text.str();
  }
}

} // namespace
