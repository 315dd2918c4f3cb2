//===----------------------------------------------------------------------===//
// Moves from one fusion scheme to another, where the model predicts that each
// of them loses little.
//===----------------------------------------------------------------------===//

#include "stof/Search/SearchSchemes.h"

#include "SearchModules.h"
#include "stof/Transforms/FormGroups/Steps.h"

#include "gtest/gtest.h"

using namespace stof;

namespace {

/// Two products, with elementwise operations in between.
constexpr llvm::StringLiteral twoProducts = R"(
!x = tensor<1024x4096xf16>
!w = tensor<4096x128xf16>
!y = tensor<1024x128xf16>
!v = tensor<128x128xf16>
!z = tensor<1024x128xf16>
func.func @main(%x: !x, %w: !w, %v: !v) -> !z {
  %zero = arith.constant 0.0 : f16
  %init_y = tensor.empty() : !y
  %fill_y = linalg.fill ins(%zero : f16) outs(%init_y : !y) -> !y
  %first = linalg.matmul ins(%x, %w : !x, !w) outs(%fill_y : !y) -> !y
  %abs = linalg.abs ins(%first : !y) outs(%init_y : !y) -> !y
  %exp = linalg.exp ins(%abs : !y) outs(%init_y : !y) -> !y
  %init_z = tensor.empty() : !z
  %fill_z = linalg.fill ins(%zero : f16) outs(%init_z : !z) -> !z
  %second = linalg.matmul ins(%exp, %v : !y, !v) outs(%fill_z : !z) -> !z
  return %second : !z
})";

/// The sums of columns of what is divided by the sums of rows: no kernel
/// computes both.
constexpr llvm::StringLiteral rowsAndColumns = R"(
#whole = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#column = affine_map<(d0, d1) -> (d1)>
!x = tensor<128x128xf32>
!sums = tensor<128xf32>
func.func @main(%x: !x) -> !sums {
  %zero = arith.constant 0.0 : f32
  %init = tensor.empty() : !sums
  %fill = linalg.fill ins(%zero : f32) outs(%init : !sums) -> !sums
  %rows = linalg.generic {indexing_maps = [#whole, #row], iterator_types = ["parallel", "reduction"]} ins(%x : !x) outs(%fill : !sums) {
  ^bb0(%a: f32, %b: f32):
    %sum = arith.addf %a, %b : f32
    linalg.yield %sum : f32
  } -> !sums
  %columns = linalg.generic {indexing_maps = [#whole, #row, #column], iterator_types = ["reduction", "parallel"]} ins(%x, %rows : !x, !sums) outs(%fill : !sums) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %ratio = arith.divf %a, %b : f32
    %sum = arith.addf %ratio, %c : f32
    linalg.yield %sum : f32
  } -> !sums
  return %columns : !sums
})";

struct SearchSchemesTest : testing::Test {
  SearchSchemesTest() : context(makeSearchRegistry()) {}

  /// The search for the schemes of the function of `text`.
  SchemeSearch search(llvm::StringRef text, unsigned most = 2000) {
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    auto function = *module->getOps<mlir::func::FuncOp>().begin();
    mlir::IRRewriter rewriter(&context);
    for (mlir::Block &block : function.getBody())
      prepareOperations(rewriter, block);
    return searchSchemes(function, /*target=*/nullptr, most);
  }

  /// The schemes after each alternative, with the names of the moves.
  static std::vector<std::string> list(const SchemeSearch &found) {
    std::vector<std::string> schemes;
    for (const Alternative &moves : found.alternatives) {
      FusionScheme scheme = found.chosen;
      EXPECT_TRUE(scheme.take(moves.front()));
      schemes.push_back(moves.front().name.str() + " " + scheme.getBits());
    }
    return schemes;
  }

  static bool has(const SchemeSearch &found, llvm::StringRef scheme) {
    return llvm::is_contained(list(found), scheme);
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

TEST_F(SearchSchemesTest, ExpandJoinsNeighbours) {
  SchemeSearch found = search(dividedRows);
  ASSERT_EQ(found.chosen.getBits(), "011");
  EXPECT_TRUE(has(found, "expand 000"));
}

TEST_F(SearchSchemesTest, SeizeTakesFromAKernelWithoutAContraction) {
  SchemeSearch found = search(dividedRows);
  ASSERT_EQ(found.chosen.getBits(), "011");
  EXPECT_TRUE(has(found, "seize 001"));
}

TEST_F(SearchSchemesTest, CompeteTakesFromAKernelWithAContraction) {
  SchemeSearch found = search(twoProducts);
  ASSERT_EQ(found.chosen.getBits(), "0001");
  EXPECT_TRUE(has(found, "compete 0011"));
}

TEST_F(SearchSchemesTest, SplitDividesAKernel) {
  SchemeSearch found = search(twoProducts);
  ASSERT_EQ(found.chosen.getBits(), "0001");
  EXPECT_TRUE(has(found, "split 0110"));
  EXPECT_TRUE(has(found, "split 0010"));
}

TEST_F(SearchSchemesTest, AMoveChangesThePredictedTimeByItsGain) {
  SchemeSearch found = search(dividedRows);
  ASSERT_FALSE(found.alternatives.empty());
  for (const Alternative &moves : found.alternatives) {
    FusionScheme scheme = found.chosen;
    ASSERT_TRUE(scheme.take(moves.front()));
    EXPECT_DOUBLE_EQ(scheme.microseconds,
                     found.chosen.microseconds - moves.front().gain);
    // Its kernels are gone.
    EXPECT_FALSE(scheme.take(moves.front()));
  }
}

TEST_F(SearchSchemesTest, AlternativesAreInTheOrderOfWhatTheyLose) {
  SchemeSearch found = search(dividedRows);
  ASSERT_GE(found.alternatives.size(), 2u);
  EXPECT_TRUE(llvm::is_sorted(
      found.alternatives, [](const Alternative &lhs, const Alternative &rhs) {
        return lhs.front().gain > rhs.front().gain;
      }));
}

TEST_F(SearchSchemesTest, TheChosenSchemeIsNoSlowerThanTheUntunedOne) {
  for (llvm::StringRef text : {dividedRows, twoProducts, rowsAndColumns}) {
    SchemeSearch found = search(text);
    EXPECT_LE(found.chosen.microseconds, found.untuned.microseconds);
  }
}

TEST_F(SearchSchemesTest, WhatIsIllegalIsNotReturned) {
  for (llvm::StringRef text : {dividedRows, twoProducts, rowsAndColumns}) {
    SchemeSearch found = search(text);
    std::vector<FusionScheme> schemes = {found.untuned, found.chosen};
    for (const Alternative &moves : found.alternatives) {
      schemes.push_back(found.chosen);
      EXPECT_TRUE(schemes.back().take(moves.front()));
    }
    PlanCache plans(/*target=*/nullptr);
    for (const FusionScheme &scheme : schemes)
      for (const OpSequence &kernel : scheme.kernels)
        EXPECT_TRUE(kernel.size() == 1 || plans.getPlan(kernel))
            << scheme.getBits();
  }
}

TEST_F(SearchSchemesTest, AKernelThatHasNoPlanIsNotReturned) {
  SchemeSearch found = search(rowsAndColumns);
  OpSequence all;
  for (const OpSequence &kernel : found.chosen.kernels)
    llvm::append_range(all, kernel);
  ASSERT_EQ(all.size(), 2u);
  PlanCache plans(/*target=*/nullptr);
  ASSERT_FALSE(plans.getPlan(all));
  // That they share a kernel was tried.
  EXPECT_GT(found.tried, 0u);
  EXPECT_EQ(found.chosen.getBits(), "01");
  EXPECT_TRUE(found.alternatives.empty());
}

TEST_F(SearchSchemesTest, TheSameFunctionIsWalkedInTheSameWay) {
  for (llvm::StringRef text : {dividedRows, twoProducts, rowsAndColumns}) {
    SchemeSearch first = search(text);
    std::vector<std::string> schemes = list(first);
    std::string untuned = first.untuned.getBits();
    std::string chosen = first.chosen.getBits();
    SchemeSearch second = search(text);
    EXPECT_EQ(second.untuned.getBits(), untuned);
    EXPECT_EQ(second.chosen.getBits(), chosen);
    EXPECT_EQ(second.tried, first.tried);
    EXPECT_EQ(list(second), schemes);
  }
}

TEST_F(SearchSchemesTest, NoMoreSchemesAreComparedThanAskedFor) {
  unsigned all = search(twoProducts).tried;
  ASSERT_GT(all, 3u);
  EXPECT_EQ(search(twoProducts, /*most=*/3).tried, 3u);
  SchemeSearch none = search(twoProducts, /*most=*/0);
  EXPECT_EQ(none.tried, 0u);
  EXPECT_EQ(none.chosen.getBits(), none.untuned.getBits());
  EXPECT_TRUE(none.alternatives.empty());
}

} // namespace
