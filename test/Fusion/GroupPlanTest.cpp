//===----------------------------------------------------------------------===//
// The axes of whole plans, and the branches of groups without one.
//===----------------------------------------------------------------------===//

#include "../lib/GroupCases.h"
#include "stof/Fusion/GroupBranches.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace stof;
using namespace stof::test;

namespace {

/// The sizes of the batch, rows and columns of a plan.
struct Axes {
  Sizes batch, rows, columns;

  bool operator==(const Axes &other) const {
    return batch == other.batch && rows == other.rows &&
           columns == other.columns;
  }
};

std::ostream &operator<<(std::ostream &out, const Axes &axes) {
  for (const Sizes *sizes : {&axes.batch, &axes.rows, &axes.columns}) {
    out << "[";
    for (int64_t size : *sizes)
      out << " " << size;
    out << " ]";
  }
  return out;
}

Axes axesOf(const GroupPlan &plan) {
  return {getSizes(plan, plan.getBatch()), getSizes(plan, plan.getRows()),
          getSizes(plan, plan.getColumns())};
}

/// A sum of two inputs, the second of which is indexed by `map`.
std::string sumWith(StringRef map, StringRef type) {
  return llvm::formatv(R"((%x: tensor<6x8xf32>, %y: {1}) -> tensor<6x8xf32> {{
      %e = tensor.empty() : tensor<6x8xf32>
      %0 = linalg.generic {{indexing_maps = [#id, affine_map<{0}>, #id],
             iterator_types = ["parallel", "parallel"]}
             ins(%x, %y : tensor<6x8xf32>, {1}) outs(%e : tensor<6x8xf32>) {{
      ^bb0(%a: f32, %b: f32, %c: f32):
        %s = arith.addf %a, %b : f32
        linalg.yield %s : f32
      } -> tensor<6x8xf32>
      return %0 : tensor<6x8xf32>
    })",
                       map, type)
      .str();
}

TEST(GroupAxesTest, ContiguousDimsAreColumnsTogether) {
  GroupCase group(sumWith("(i, j) -> (i, j)", "tensor<6x8xf32>"));
  PlanResult<GroupPlan> plan = GroupPlan::of(group.getOps());
  ASSERT_TRUE(plan);
  EXPECT_EQ(axesOf(*plan), (Axes{{}, {}, {6, 8}}));
}

TEST(GroupAxesTest, AnInputWithOneOfTwoDimsDividesThem) {
  GroupCase group(sumWith("(i, j) -> (j)", "tensor<8xf32>"));
  PlanResult<GroupPlan> plan = GroupPlan::of(group.getOps());
  ASSERT_TRUE(plan);
  EXPECT_EQ(axesOf(*plan), (Axes{{}, {6}, {8}}));
}

TEST(GroupAxesTest, ReducedDimsAreColumns) {
  GroupCase group(R"(
    (%x: tensor<2x6x8xf32>, %d: tensor<2x6xf32>) -> tensor<2x6xf32> {
      %0 = linalg.reduce {arith.addf} ins(%x : tensor<2x6x8xf32>)
             outs(%d : tensor<2x6xf32>) dimensions = [2]
      return %0 : tensor<2x6xf32>
    })");
  PlanResult<GroupPlan> plan = GroupPlan::of(group.getOps());
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->getTemplate(), GroupTemplate::Rows);
  EXPECT_EQ(axesOf(*plan), (Axes{{}, {2, 6}, {8}}));
}

TEST(GroupAxesTest, RowsAndColumnsOfAContractionAreItsMAndN) {
  GroupCase group(R"(
    (%x: tensor<3x6x8xf16>, %y: tensor<3x8x4xf16>, %c: tensor<3x6x4xf16>)
        -> tensor<3x6x4xf16> {
      %0 = linalg.batch_matmul
             ins(%x, %y : tensor<3x6x8xf16>, tensor<3x8x4xf16>)
             outs(%c : tensor<3x6x4xf16>) -> tensor<3x6x4xf16>
      return %0 : tensor<3x6x4xf16>
    })");
  PlanResult<GroupPlan> plan = GroupPlan::of(group.getOps());
  ASSERT_TRUE(plan);
  EXPECT_EQ(axesOf(*plan), (Axes{{3}, {6}, {4}}));
  EXPECT_EQ(getSizes(*plan, plan->getKFactors()), (Sizes{8}));
  EXPECT_FALSE(plan->needsFullN());
  EXPECT_FALSE(plan->getFoldedBatch());
}

TEST(GroupAxesTest, HeadsFoldIntoTheColumnsOfTheirWeights) {
  GroupCase group(R"(
    (%x: tensor<6x8xf16>, %w: tensor<8x3x4xf16>, %c: tensor<3x6x4xf16>)
        -> tensor<3x6x4xf16> {
      %0 = linalg.generic {
             indexing_maps = [affine_map<(h, s, d, k) -> (s, k)>,
                              affine_map<(h, s, d, k) -> (k, h, d)>,
                              affine_map<(h, s, d, k) -> (h, s, d)>],
             iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
             ins(%x, %w : tensor<6x8xf16>, tensor<8x3x4xf16>)
             outs(%c : tensor<3x6x4xf16>) {
      ^bb0(%a: f16, %b: f16, %o: f16):
        %p = arith.mulf %a, %b : f16
        %s = arith.addf %o, %p : f16
        linalg.yield %s : f16
      } -> tensor<3x6x4xf16>
      return %0 : tensor<3x6x4xf16>
    })");
  PlanResult<GroupPlan> plan = GroupPlan::of(group.getOps());
  ASSERT_TRUE(plan);
  EXPECT_EQ(axesOf(*plan), (Axes{{3}, {6}, {4}}));
  ASSERT_TRUE(plan->getFoldedBatch());
  EXPECT_EQ(plan->getExtent(*plan->getFoldedBatch()).size, 3);
}

TEST(GroupAxesTest, ARowReductionNeedsAFullNTile) {
  GroupCase group(R"(
    (%a: tensor<6x8xf32>, %b: tensor<8x40xf32>, %c: tensor<6x40xf32>,
     %d: tensor<6xf32>) -> tensor<6xf32> {
      %0 = linalg.matmul ins(%a, %b : tensor<6x8xf32>, tensor<8x40xf32>)
             outs(%c : tensor<6x40xf32>) -> tensor<6x40xf32>
      %1 = linalg.reduce {arith.addf} ins(%0 : tensor<6x40xf32>)
             outs(%d : tensor<6xf32>) dimensions = [1]
      return %1 : tensor<6xf32>
    })");
  PlanResult<GroupPlan> plan = GroupPlan::of(group.getOps());
  ASSERT_TRUE(plan);
  EXPECT_TRUE(plan->needsFullN());
  EXPECT_EQ(plan->getColumnUnit(), 40);
  ASSERT_FALSE(plan->getFullNTiles().empty());
  EXPECT_GE(plan->getFullNTiles().front().columns, 40);
}

TEST(GroupPlanTest, TheExampleOfThePageIsPlannedSo) {
  GroupCase group(R"(
    (%x: tensor<4096x768xf16>, %w: tensor<768x768xf16>, %c: tensor<4096x768xf16>,
     %r: tensor<8x512x768xf16>, %z: tensor<8x512xf16>)
        -> (tensor<8x512x768xf16>, tensor<8x512xf16>) {
      %0 = linalg.matmul {matmul}
             ins(%x, %w : tensor<4096x768xf16>, tensor<768x768xf16>)
             outs(%c : tensor<4096x768xf16>) -> tensor<4096x768xf16>
      %1 = tensor.expand_shape %0 [[0, 1], [2]] output_shape [8, 512, 768]
             : tensor<4096x768xf16> into tensor<8x512x768xf16>
      %e = tensor.empty() : tensor<8x512x768xf16>
      %2 = linalg.add {add}
             ins(%1, %r : tensor<8x512x768xf16>, tensor<8x512x768xf16>)
             outs(%e : tensor<8x512x768xf16>) -> tensor<8x512x768xf16>
      %3 = linalg.reduce {arith.maximumf} {max} ins(%2 : tensor<8x512x768xf16>)
             outs(%z : tensor<8x512xf16>) dimensions = [2]
      return %2, %3 : tensor<8x512x768xf16>, tensor<8x512xf16>
    })");
  PlanResult<GroupPlan> plan = GroupPlan::of(group.getOps());
  ASSERT_TRUE(plan);
  linalg::LinalgOp matmul = group.get("matmul"), add = group.get("add");
  EXPECT_EQ(plan->getTemplate(), GroupTemplate::Contraction);
  EXPECT_EQ(plan->getRole(add), OperationRole::Map);
  EXPECT_EQ(plan->getRole(group.get("max")), OperationRole::Reduction);
  EXPECT_EQ(getSizes(*plan, plan->flattenLoop(matmul, 0)), (Sizes{8, 512}));
  EXPECT_EQ(plan->flattenLoop(matmul, 1), plan->flattenLoop(add, 2));
  EXPECT_EQ(plan->getResults().size(), 2u);
  EXPECT_EQ(axesOf(*plan), (Axes{{}, {8, 512}, {768}}));
  EXPECT_EQ(getSizes(*plan, plan->getKFactors()), (Sizes{768}));
  EXPECT_TRUE(plan->needsFullN());
}

/// Two matmuls of different widths, and an elementwise operation.
constexpr StringLiteral independent = R"(
(%x: tensor<6x8xf16>, %y: tensor<6x8xf16>, %u: tensor<8x4xf16>,
 %v: tensor<8x5xf16>, %c: tensor<6x4xf16>, %d: tensor<6x5xf16>)
    -> (tensor<6x8xf16>, tensor<6x4xf16>, tensor<6x5xf16>) {
  %e = tensor.empty() : tensor<6x8xf16>
  %0 = linalg.exp {exp} ins(%y : tensor<6x8xf16>) outs(%e : tensor<6x8xf16>)
         -> tensor<6x8xf16>
  %1 = linalg.matmul {narrow} ins(%x, %u : tensor<6x8xf16>, tensor<8x4xf16>)
         outs(%c : tensor<6x4xf16>) -> tensor<6x4xf16>
  %2 = linalg.matmul {wide} ins(%x, %v : tensor<6x8xf16>, tensor<8x5xf16>)
         outs(%d : tensor<6x5xf16>) -> tensor<6x5xf16>
  return %0, %1, %2 : tensor<6x8xf16>, tensor<6x4xf16>, tensor<6x5xf16>
})";

TEST(GroupBranchesTest, ContractionsComeFirst) {
  GroupCase group(independent);
  PlanResult<GroupBranches> branches = GroupBranches::of(group.getOps());
  ASSERT_TRUE(branches);
  ASSERT_EQ(branches->getBranches().size(), 3u);
  EXPECT_EQ(branches->getOperations(),
            (SmallVector<linalg::LinalgOp>{
                group.get("narrow"), group.get("wide"), group.get("exp")}));
  EXPECT_EQ(branches->getResults().size(), 3u);
}

TEST(GroupBranchesTest, ABranchThatNoKernelComputesRefusesTheGroup) {
  GroupCase group(R"(
    (%x: tensor<6x8x3xf32>, %w: tensor<8x4xf32>, %c: tensor<6x4xf32>,
     %d: tensor<6x8xf32>, %y: tensor<5xf32>) -> (tensor<6x4xf32>, tensor<5xf32>)
    {
      %0 = linalg.reduce {arith.addf} {sum} ins(%x : tensor<6x8x3xf32>)
             outs(%d : tensor<6x8xf32>) dimensions = [2]
      %1 = linalg.matmul ins(%0, %w : tensor<6x8xf32>, tensor<8x4xf32>)
             outs(%c : tensor<6x4xf32>) -> tensor<6x4xf32>
      %e = tensor.empty() : tensor<5xf32>
      %2 = linalg.exp ins(%y : tensor<5xf32>) outs(%e : tensor<5xf32>)
             -> tensor<5xf32>
      return %1, %2 : tensor<6x4xf32>, tensor<5xf32>
    })");
  PlanResult<GroupBranches> branches = GroupBranches::of(group.getOps());
  ASSERT_FALSE(branches);
  EXPECT_EQ(branches.getRefusal().op, group.get("sum"));
}

TEST(GroupBranchesTest, AnOperationInBetweenRefusesTheGroup) {
  GroupCase group(R"(
    (%x: tensor<6xf32>) -> tensor<6xf32> {
      %e = tensor.empty() : tensor<6xf32>
      %0 = linalg.exp {first} ins(%x : tensor<6xf32>) outs(%e : tensor<6xf32>)
             -> tensor<6xf32>
      %1 = linalg.abs {between} ins(%0 : tensor<6xf32>)
             outs(%e : tensor<6xf32>) -> tensor<6xf32>
      %2 = linalg.exp {last} ins(%1 : tensor<6xf32>) outs(%e : tensor<6xf32>)
             -> tensor<6xf32>
      return %2 : tensor<6xf32>
    })");
  PlanResult<GroupBranches> branches =
      GroupBranches::of({group.get("first"), group.get("last")});
  ASSERT_FALSE(branches);
  EXPECT_EQ(branches.getRefusal().op, group.get("between"));
}

/// Operations on tensors of different sizes, one branch each.
std::string branchesOf(unsigned count) {
  std::string arguments, operations, results, types;
  for (unsigned i = 0; i < count; ++i) {
    std::string type = llvm::formatv("tensor<{0}xf32>", i + 2);
    StringRef comma = i ? ", " : "";
    arguments += llvm::formatv("{0}%x{1}: {2}", comma, i, type);
    operations += llvm::formatv(
        "%e{0} = tensor.empty() : {1}\n%{0} = linalg.exp {{op{0}} "
        "ins(%x{0} : {1}) outs(%e{0} : {1}) -> {1}\n",
        i, type);
    results += llvm::formatv("{0}%{1}", comma, i);
    types += comma.str() + type;
  }
  return llvm::formatv("({0}) -> ({1}) {{\n{2}return {3} : {1}\n}", arguments,
                       types, operations, results);
}

TEST(GroupBranchesTest, OneBranchTooManyRefusesTheGroup) {
  GroupCase eight(branchesOf(8));
  PlanResult<GroupBranches> branches = GroupBranches::of(eight.getOps());
  ASSERT_TRUE(branches);
  EXPECT_EQ(branches->getBranches().size(), 8u);
  GroupCase nine(branchesOf(9));
  PlanResult<GroupBranches> refused = GroupBranches::of(nine.getOps());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.getRefusal().op, nine.get("op8"));
}

} // namespace
