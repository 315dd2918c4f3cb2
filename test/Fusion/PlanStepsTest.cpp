//===----------------------------------------------------------------------===//
// The steps of a plan, one by one: each says what it finds or why it refuses.
//===----------------------------------------------------------------------===//

#include "../lib/GroupCases.h"
#include "stof/Fusion/GroupAxes.h"
#include "stof/Fusion/GroupPrologues.h"
#include "stof/Fusion/ShareMainloop.h"
#include "stof/Fusion/UnsplitColumns.h"

using namespace mlir;
using namespace stof;
using namespace stof::test;

namespace {

/// A matmul of rank 2, read by an elementwise operation of rank 3.
constexpr StringLiteral reshaped = R"(
(%a: tensor<6x8xf32>, %b: tensor<8x4xf32>, %c: tensor<6x4xf32>)
    -> tensor<2x3x4xf32> {
  %0 = linalg.matmul {matmul} ins(%a, %b : tensor<6x8xf32>, tensor<8x4xf32>)
         outs(%c : tensor<6x4xf32>) -> tensor<6x4xf32>
  %1 = tensor.expand_shape %0 [[0, 1], [2]] output_shape [2, 3, 4]
         : tensor<6x4xf32> into tensor<2x3x4xf32>
  %e = tensor.empty() : tensor<2x3x4xf32>
  %2 = linalg.exp {exp} ins(%1 : tensor<2x3x4xf32>)
         outs(%e : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %2 : tensor<2x3x4xf32>
})";

/// Two matmuls of the same left operand, and their product.
constexpr StringLiteral gated = R"(
(%x: tensor<6x8xf16>, %u: tensor<8x4xf16>, %v: tensor<8x4xf16>,
 %c: tensor<6x4xf16>) -> tensor<6x4xf16> {
  %0 = linalg.matmul {gate} ins(%x, %u : tensor<6x8xf16>, tensor<8x4xf16>)
         outs(%c : tensor<6x4xf16>) -> tensor<6x4xf16>
  %1 = linalg.matmul {up} ins(%x, %v : tensor<6x8xf16>, tensor<8x4xf16>)
         outs(%c : tensor<6x4xf16>) -> tensor<6x4xf16>
  %e = tensor.empty() : tensor<6x4xf16>
  %2 = linalg.mul {mul} ins(%0, %1 : tensor<6x4xf16>, tensor<6x4xf16>)
         outs(%e : tensor<6x4xf16>) -> tensor<6x4xf16>
  return %2 : tensor<6x4xf16>
})";

/// A matmul of the exponential of another matmul.
constexpr StringLiteral backToBack = R"(
(%x: tensor<6x8xf16>, %u: tensor<8x4xf16>, %v: tensor<4x5xf16>,
 %c: tensor<6x4xf16>, %d: tensor<6x5xf16>) -> tensor<6x5xf16> {
  %0 = linalg.matmul {first} ins(%x, %u : tensor<6x8xf16>, tensor<8x4xf16>)
         outs(%c : tensor<6x4xf16>) -> tensor<6x4xf16>
  %e = tensor.empty() : tensor<6x4xf16>
  %1 = linalg.exp {exp} ins(%0 : tensor<6x4xf16>)
         outs(%e : tensor<6x4xf16>) -> tensor<6x4xf16>
  %2 = linalg.matmul {second} ins(%1, %v : tensor<6x4xf16>, tensor<4x5xf16>)
         outs(%d : tensor<6x5xf16>) -> tensor<6x5xf16>
  return %2 : tensor<6x5xf16>
})";

/// The row sums of a matmul.
constexpr StringLiteral summed = R"(
(%a: tensor<6x8xf32>, %b: tensor<8x4xf32>, %c: tensor<6x4xf32>,
 %d: tensor<6xf32>) -> tensor<6xf32> {
  %0 = linalg.matmul {matmul} ins(%a, %b : tensor<6x8xf32>, tensor<8x4xf32>)
         outs(%c : tensor<6x4xf32>) -> tensor<6x4xf32>
  %1 = linalg.reduce {arith.addf} {sum} ins(%0 : tensor<6x4xf32>)
         outs(%d : tensor<6xf32>) dimensions = [1]
  return %1 : tensor<6xf32>
})";

//===----------------------------------------------------------------------===//
// collectMembers
//===----------------------------------------------------------------------===//

TEST(CollectMembersTest, ResultsAreThoseWithUsesOutside) {
  GroupCase group(reshaped);
  PlanResult<GroupMembers> members = collectMembers(group.getOps());
  ASSERT_TRUE(members);
  EXPECT_EQ(members->operations.size(), 2u);
  EXPECT_EQ(members->all.size(), 3u);
  ASSERT_EQ(members->results.size(), 1u);
  EXPECT_EQ(members->results.front().getOwner(), group.get("exp"));
}

TEST(CollectMembersTest, AReshapeOutsideIsAUse) {
  GroupCase group(reshaped);
  PlanResult<GroupMembers> members =
      collectMembers(group.get("matmul").getOperation());
  ASSERT_TRUE(members);
  EXPECT_EQ(members->results.front().getOwner(), group.get("matmul"));
}

TEST(CollectMembersTest, AGroupComputesSomething) {
  GroupCase group(reshaped);
  EXPECT_EQ(getReason(collectMembers(group.getOps()[1])),
            "it contains no computation");
  EXPECT_EQ(collectMembers({}).getRefusal().op, nullptr);
}

//===----------------------------------------------------------------------===//
// relateLoops
//===----------------------------------------------------------------------===//

TEST(RelateLoopsTest, AReshapeDividesTheLoopsOfItsSource) {
  GroupCase group(reshaped);
  FirstSteps steps(group);
  linalg::LinalgOp matmul = group.get("matmul"), exp = group.get("exp");
  DimFactors rows = steps.loops.flattenLoop(matmul, 0);
  EXPECT_EQ(getSizes(steps.loops, rows), (Sizes{2, 3}));
  EXPECT_EQ(rows, steps.loops.getDimFactors(exp, {0, 1}));
  EXPECT_EQ(steps.loops.flattenLoop(matmul, 1),
            steps.loops.flattenLoop(exp, 2));
}

TEST(RelateLoopsTest, ReadersOfOneInputAreAligned) {
  GroupCase group(gated);
  FirstSteps steps(group);
  linalg::LinalgOp gate = group.get("gate"), up = group.get("up");
  EXPECT_EQ(steps.loops.getIterationDimFactors(gate),
            steps.loops.getIterationDimFactors(up));
}

TEST(RelateLoopsTest, LoopsOfOneOperationStayDistinct) {
  GroupCase group(R"(
    (%x: tensor<6x8xf32>, %c: tensor<6x6xf32>) -> tensor<6x6xf32> {
      %0 = linalg.matmul indexing_maps = [
             affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
             affine_map<(m, n, k) -> (m, n)>] {gram}
             ins(%x, %x : tensor<6x8xf32>, tensor<6x8xf32>)
             outs(%c : tensor<6x6xf32>) -> tensor<6x6xf32>
      return %0 : tensor<6x6xf32>
    })");
  FirstSteps steps(group);
  EXPECT_TRUE(steps.loops.areDistinct(group.get("gram")));
  EXPECT_EQ(getSizes(steps.loops,
                     steps.loops.getParallelDimFactors(group.get("gram"))),
            (Sizes{6, 6}));
}

TEST(RelateLoopsTest, AReadAtOtherIndicesIsRefused) {
  GroupCase group(R"(
    (%x: tensor<8x4xf32>) -> tensor<5x4xf32> {
      %e = tensor.empty() : tensor<8x4xf32>
      %0 = linalg.exp ins(%x : tensor<8x4xf32>) outs(%e : tensor<8x4xf32>)
             -> tensor<8x4xf32>
      %f = tensor.empty() : tensor<5x4xf32>
      %1 = linalg.generic {
             indexing_maps = [affine_map<(i, j) -> (i + j, j)>, #id],
             iterator_types = ["parallel", "parallel"]}
             ins(%0 : tensor<8x4xf32>) outs(%f : tensor<5x4xf32>) {
      ^bb0(%a: f32, %b: f32):
        linalg.yield %a : f32
      } -> tensor<5x4xf32>
      return %1 : tensor<5x4xf32>
    })");
  EXPECT_EQ(
      getReason(relateLoops(*collectMembers(group.getOps()))),
      "it reads the result of 'linalg.exp' at other indices than its own");
}

//===----------------------------------------------------------------------===//
// assignRoles
//===----------------------------------------------------------------------===//

TEST(AssignRolesTest, AContractionDecidesTheTemplate) {
  GroupCase group(summed);
  FirstSteps steps(group);
  EXPECT_EQ(steps.roles.kind, GroupTemplate::Contraction);
  EXPECT_EQ(steps.roles.getRole(group.get("matmul")),
            OperationRole::Contraction);
  EXPECT_EQ(steps.roles.getRole(group.get("sum")), OperationRole::Reduction);
}

TEST(AssignRolesTest, ALoopOfOneIterationReducesNothing) {
  GroupCase group(R"(
    (%x: tensor<6x1xf32>, %d: tensor<6xf32>) -> tensor<6xf32> {
      %0 = linalg.reduce {arith.addf} {sum} ins(%x : tensor<6x1xf32>)
             outs(%d : tensor<6xf32>) dimensions = [1]
      return %0 : tensor<6xf32>
    })");
  FirstSteps steps(group);
  EXPECT_EQ(steps.roles.getRole(group.get("sum")), OperationRole::Map);
  EXPECT_EQ(steps.roles.kind, GroupTemplate::Elementwise);
}

TEST(AssignRolesTest, AContractionBeforeAnotherIsBackToBack) {
  GroupCase group(backToBack);
  FirstSteps steps(group);
  ASSERT_EQ(steps.roles.contractions.size(), 1u);
  EXPECT_EQ(steps.roles.contractions.front(), group.get("second"));
  EXPECT_TRUE(steps.roles.isBackToBack(group.get("first")));
}

//===----------------------------------------------------------------------===//
// findPrologues
//===----------------------------------------------------------------------===//

TEST(FindProloguesTest, ProducersAreInProgramOrder) {
  GroupCase group(backToBack);
  FirstSteps steps(group);
  PlanResult<GroupPrologues> prologues =
      findPrologues(steps.members, steps.loops, steps.roles);
  ASSERT_TRUE(prologues);
  linalg::LinalgOp second = group.get("second");
  Value left = second.getDpsInputs()[0], right = second.getDpsInputs()[1];
  ArrayRef<linalg::LinalgOp> producers = prologues->get(left, steps.loops);
  ASSERT_EQ(producers.size(), 2u);
  EXPECT_EQ(producers[0], group.get("first"));
  EXPECT_EQ(producers[1], group.get("exp"));
  EXPECT_TRUE(prologues->get(right, steps.loops).empty());
  EXPECT_FALSE(prologues->contains(second));
}

TEST(FindProloguesTest, AProducerDoesNotReduce) {
  GroupCase group(R"(
    (%x: tensor<6x8x3xf32>, %w: tensor<8x4xf32>, %c: tensor<6x4xf32>,
     %d: tensor<6x8xf32>) -> tensor<6x4xf32> {
      %0 = linalg.reduce {arith.addf} ins(%x : tensor<6x8x3xf32>)
             outs(%d : tensor<6x8xf32>) dimensions = [2]
      %1 = linalg.matmul ins(%0, %w : tensor<6x8xf32>, tensor<8x4xf32>)
             outs(%c : tensor<6x4xf32>) -> tensor<6x4xf32>
      return %1 : tensor<6x4xf32>
    })");
  FirstSteps steps(group);
  EXPECT_EQ(getReason(findPrologues(steps.members, steps.loops, steps.roles)),
            "its reduction would be repeated for each tile of 'linalg.matmul'");
}

//===----------------------------------------------------------------------===//
// shareMainloop
//===----------------------------------------------------------------------===//

TEST(ShareMainloopTest, KOfDifferentOperandsIsTheSameIfItsSizeIs) {
  GroupCase group(R"(
    (%x: tensor<6x8xf16>, %y: tensor<6x8xf16>, %u: tensor<8x4xf16>,
     %v: tensor<8x4xf16>, %c: tensor<6x4xf16>) -> tensor<6x4xf16> {
      %0 = linalg.matmul {one} ins(%x, %u : tensor<6x8xf16>, tensor<8x4xf16>)
             outs(%c : tensor<6x4xf16>) -> tensor<6x4xf16>
      %1 = linalg.matmul {other} ins(%y, %v : tensor<6x8xf16>, tensor<8x4xf16>)
             outs(%c : tensor<6x4xf16>) -> tensor<6x4xf16>
      %e = tensor.empty() : tensor<6x4xf16>
      %2 = linalg.mul ins(%0, %1 : tensor<6x4xf16>, tensor<6x4xf16>)
             outs(%e : tensor<6x4xf16>) -> tensor<6x4xf16>
      return %2 : tensor<6x4xf16>
    })");
  FirstSteps steps(group);
  linalg::LinalgOp one = group.get("one"), other = group.get("other");
  EXPECT_NE(steps.loops.getReducedDimFactors(one),
            steps.loops.getReducedDimFactors(other));
  PlanResult<GroupLoops> loops =
      shareMainloop(steps.members, steps.loops, steps.roles);
  ASSERT_TRUE(loops);
  EXPECT_EQ(loops->getReducedDimFactors(one),
            loops->getReducedDimFactors(other));
}

TEST(ShareMainloopTest, OtherColumnsAreRefused) {
  GroupCase group(R"(
    (%x: tensor<6x8xf16>, %u: tensor<8x4xf16>, %v: tensor<8x5xf16>,
     %c: tensor<6x4xf16>, %d: tensor<6x5xf16>)
        -> (tensor<6x4xf16>, tensor<6x5xf16>) {
      %0 = linalg.matmul ins(%x, %u : tensor<6x8xf16>, tensor<8x4xf16>)
             outs(%c : tensor<6x4xf16>) -> tensor<6x4xf16>
      %1 = linalg.matmul ins(%x, %v : tensor<6x8xf16>, tensor<8x5xf16>)
             outs(%d : tensor<6x5xf16>) -> tensor<6x5xf16>
      return %0, %1 : tensor<6x4xf16>, tensor<6x5xf16>
    })");
  FirstSteps steps(group);
  EXPECT_EQ(getReason(shareMainloop(steps.members, steps.loops, steps.roles)),
            "its batch, M, N or K dims differ from those of the first "
            "contraction");
}

//===----------------------------------------------------------------------===//
// findUnsplitColumns
//===----------------------------------------------------------------------===//

TEST(FindUnsplitColumnsTest, ARowReductionNeedsAllColumns) {
  GroupCase group(summed);
  FirstSteps steps(group);
  PlanResult<DimFactors> columns =
      findUnsplitColumns(steps.members, steps.loops, steps.roles);
  ASSERT_TRUE(columns);
  EXPECT_EQ(*columns, steps.loops.flattenLoop(group.get("matmul"), 1));
}

TEST(FindUnsplitColumnsTest, ElementwiseEpiloguesNeedNone) {
  GroupCase group(gated);
  FirstSteps steps(group);
  PlanResult<DimFactors> columns =
      findUnsplitColumns(steps.members, steps.loops, steps.roles);
  ASSERT_TRUE(columns);
  EXPECT_TRUE(columns->empty());
}

/// A matmul whose heads of 4 columns are reversed.
constexpr StringLiteral reversed = R"(
(%a: tensor<6x8xf32>, %b: tensor<8x12xf32>, %c: tensor<6x12xf32>)
    -> tensor<6x3x4xf32> {
  %0 = linalg.matmul {matmul} ins(%a, %b : tensor<6x8xf32>, tensor<8x12xf32>)
         outs(%c : tensor<6x12xf32>) -> tensor<6x12xf32>
  %1 = tensor.expand_shape %0 [[0], [1, 2]] output_shape [6, 3, 4]
         : tensor<6x12xf32> into tensor<6x3x4xf32>
  %e = tensor.empty() : tensor<6x3x4xf32>
  %2 = linalg.generic {
         indexing_maps = [affine_map<(s, h, d) -> (s, h, d)>],
         iterator_types = ["parallel", "parallel", "parallel"]}
         outs(%e : tensor<6x3x4xf32>) attrs = {reverse} {
  ^bb0(%o: f32):
    %s = linalg.index 0 : index
    %h = linalg.index 1 : index
    %d = linalg.index 2 : index
    %last = arith.constant 3 : index
    %r = arith.subi %last, %d : index
    %x = tensor.extract %1[%s, %h, %r] : tensor<6x3x4xf32>
    linalg.yield %x : f32
  } -> tensor<6x3x4xf32>
  return %2 : tensor<6x3x4xf32>
})";

TEST(FindUnsplitColumnsTest, AMovedReadNeedsTheDimThatItMovesIn) {
  GroupCase group(reversed);
  FirstSteps steps(group);
  ASSERT_EQ(steps.loops.getElementReads().size(), 1u);
  EXPECT_EQ(steps.loops.getElementReads().front().moved,
            (SmallVector<unsigned, 2>{2}));
  PlanResult<DimFactors> columns =
      findUnsplitColumns(steps.members, steps.loops, steps.roles);
  ASSERT_TRUE(columns);
  EXPECT_EQ(getSizes(steps.loops, *columns), (Sizes{4}));
}

//===----------------------------------------------------------------------===//
// findDomain
//===----------------------------------------------------------------------===//

PlanResult<GroupDomain> domainOf(const GroupCase &group) {
  FirstSteps steps(group);
  return findDomain(steps.members, steps.loops, steps.roles, GroupPrologues());
}

TEST(FindDomainTest, ReducedDimsArePartOfIt) {
  GroupCase group(summed);
  FirstSteps steps(group);
  PlanResult<GroupDomain> domain = domainOf(group);
  ASSERT_TRUE(domain);
  EXPECT_EQ(getSizes(steps.loops, domain->all), (Sizes{6, 4}));
  EXPECT_EQ(getSizes(steps.loops, domain->reduced), (Sizes{4}));
}

TEST(FindDomainTest, AllReductionsReduceTheSameDims) {
  GroupCase group(R"(
    (%x: tensor<6x8xf32>, %c: tensor<6xf32>, %d: tensor<8xf32>)
        -> (tensor<6xf32>, tensor<8xf32>) {
      %0 = linalg.reduce {arith.addf} ins(%x : tensor<6x8xf32>)
             outs(%c : tensor<6xf32>) dimensions = [1]
      %1 = linalg.reduce {arith.addf} ins(%x : tensor<6x8xf32>)
             outs(%d : tensor<8xf32>) dimensions = [0]
      return %0, %1 : tensor<6xf32>, tensor<8xf32>
    })");
  EXPECT_EQ(getReason(domainOf(group)),
            "it reduces other dims than the preceding reduction");
}

//===----------------------------------------------------------------------===//
// findLeftOperand
//===----------------------------------------------------------------------===//

TEST(FindLeftOperandTest, TheRightOperandOfATransposedResultHasTheRows) {
  // The second matmul reads the first one with K before its rows.
  GroupCase group(R"(
    (%x: tensor<4x8xf16>, %u: tensor<8x6xf16>, %v: tensor<4x5xf16>,
     %c: tensor<4x6xf16>, %d: tensor<6x5xf16>) -> tensor<6x5xf16> {
      %0 = linalg.matmul {first} ins(%x, %u : tensor<4x8xf16>, tensor<8x6xf16>)
             outs(%c : tensor<4x6xf16>) -> tensor<4x6xf16>
      %1 = linalg.matmul indexing_maps = [
             affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>,
             affine_map<(m, n, k) -> (m, n)>] {second}
             ins(%0, %v : tensor<4x6xf16>, tensor<4x5xf16>)
             outs(%d : tensor<6x5xf16>) -> tensor<6x5xf16>
      return %1 : tensor<6x5xf16>
    })");
  FirstSteps steps(group);
  linalg::LinalgOp first = group.get("first"), second = group.get("second");
  DimFactors rows = steps.loops.flattenLoop(second, 0),
             columns = steps.loops.flattenLoop(second, 1),
             k = steps.loops.flattenLoop(second, 2);
  EXPECT_EQ(findLeftOperand(steps.loops, first, rows, k), 1u);
  EXPECT_EQ(findLeftOperand(steps.loops, first, k, rows), 0u);
  EXPECT_EQ(findLeftOperand(steps.loops, first, columns, k), std::nullopt);
}

} // namespace
