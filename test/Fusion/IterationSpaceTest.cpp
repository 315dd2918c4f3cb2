//===----------------------------------------------------------------------===//
// Loops that count the same are made the same, or told to be different.
//===----------------------------------------------------------------------===//

#include "stof/Fusion/IterationSpace.h"

#include "gtest/gtest.h"

#include <numeric>
#include <random>

using namespace stof;

namespace {

DimFactors add(IterationSpace &space, llvm::ArrayRef<int64_t> sizes) {
  DimFactors result;
  for (int64_t size : sizes)
    result.push_back(space.add(FactorExtent::ofSize(size)));
  return result;
}

llvm::SmallVector<int64_t> getSizes(const IterationSpace &space,
                                    llvm::ArrayRef<unsigned> dimFactors) {
  return llvm::map_to_vector(dimFactors, [&](unsigned dimFactor) {
    return space.getExtent(dimFactor).size;
  });
}

using Sizes = llvm::SmallVector<int64_t>;

TEST(IterationSpaceTest, ReshapeSplitsTheLongerLoop) {
  IterationSpace space;
  DimFactors whole = add(space, {4096, 768}), parts = add(space, {8, 512, 768});
  ASSERT_TRUE(space.unify(whole, parts));
  EXPECT_EQ(space.flatten(whole), space.flatten(parts));
  EXPECT_EQ(getSizes(space, space.flatten(whole)), (Sizes{8, 512, 768}));
  EXPECT_EQ(getSizes(space, space.flatten(whole[0])), (Sizes{8, 512}));
}

TEST(IterationSpaceTest, FactorsAreTheCommonRefinement) {
  IterationSpace space;
  DimFactors one = add(space, {6, 4}), other = add(space, {2, 12});
  ASSERT_TRUE(space.unify(one, other));
  EXPECT_EQ(getSizes(space, space.flatten(one)), (Sizes{2, 3, 4}));
}

TEST(IterationSpaceTest, LoopsOfOneIterationVanish) {
  IterationSpace space;
  DimFactors one = add(space, {1, 5, 1}), other = add(space, {5});
  ASSERT_TRUE(space.unify(one, other));
  EXPECT_EQ(space.flatten(one), space.flatten(other));
  EXPECT_TRUE(space.flatten(one[0]).empty());
}

TEST(IterationSpaceTest, SizesWithoutACommonFactorDoNotUnify) {
  IterationSpace space;
  DimFactors one = add(space, {6, 4}), other = add(space, {4, 6});
  EXPECT_FALSE(space.unify(one, other));
}

TEST(IterationSpaceTest, OtherCountsDoNotUnify) {
  IterationSpace space;
  DimFactors one = add(space, {8}), other = add(space, {2, 3});
  EXPECT_FALSE(space.unify(one, other));
}

TEST(IterationSpaceTest, LoopsNextToEqualOnesDoNotVanish) {
  IterationSpace space;
  DimFactors one = add(space, {4, 2}), other = add(space, {2});
  EXPECT_FALSE(space.unify(one, other));
}

TEST(IterationSpaceTest, TransposedLoopsAreOneLoop) {
  IterationSpace space;
  DimFactors loops = add(space, {8, 8}), transposed = {loops[1], loops[0]};
  ASSERT_TRUE(space.unify(loops, transposed));
  EXPECT_EQ(space.flatten(loops[0]), space.flatten(loops[1]));
}

TEST(IterationSpaceTest, WhatIsLearntOfOneHoldsOfItsEqual) {
  IterationSpace space;
  DimFactors open = {space.add(FactorExtent())}, known = add(space, {48});
  ASSERT_TRUE(space.unify(open, known));
  EXPECT_EQ(getSizes(space, space.flatten(open)), (Sizes{48}));
}

/// Cuts `primes` into runs at random, and yields their products.
Sizes group(llvm::ArrayRef<int64_t> primes, std::mt19937 &random) {
  Sizes sizes{1};
  for (int64_t prime : primes) {
    if (random() % 2)
      sizes.push_back(1);
    sizes.back() *= prime;
  }
  return sizes;
}

TEST(IterationSpaceTest, EveryTwoGroupingsOfTheSameFactorsUnify) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    Sizes primes;
    for (unsigned number = 0; number < 6; ++number)
      primes.push_back(std::array<int64_t, 4>{2, 3, 5, 7}[random() % 4]);
    IterationSpace space;
    llvm::SmallVector<DimFactors> all;
    for (unsigned number = 0; number < 4; ++number) {
      all.push_back(add(space, group(primes, random)));
      ASSERT_TRUE(space.unify(all.front(), all.back()));
    }
    for (const DimFactors &one : all)
      EXPECT_EQ(space.flatten(one), space.flatten(all.front()));
    Sizes sizes = getSizes(space, space.flatten(all.front()));
    auto product = [](const Sizes &of) {
      return std::accumulate(of.begin(), of.end(), int64_t(1),
                             std::multiplies<>());
    };
    EXPECT_EQ(product(sizes), product(primes));
    EXPECT_FALSE(llvm::is_contained(sizes, 1));
  }
}

} // namespace
