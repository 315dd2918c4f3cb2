//===----------------------------------------------------------------------===//
// Projections of systems of inequalities, against all points of a box.
//===----------------------------------------------------------------------===//

#include "stof/Mask/LinearConstraints.h"

#include "gtest/gtest.h"

#include <random>

using namespace stof;

namespace {

using Rows = llvm::ArrayRef<LinearConstraints::Row>;

bool holds(Rows rows, int64_t x, int64_t y, int64_t z) {
  return llvm::all_of(rows, [&](const LinearConstraints::Row &row) {
    return row[0] * x + row[1] * y + row[2] * z + row[3] >= 0;
  });
}

/// The box in which the inequalities are compared, as inequalities.
constexpr int64_t side = 7;

LinearConstraints makeBox() {
  LinearConstraints all;
  for (unsigned column = 0; column < 3; ++column) {
    LinearConstraints::Row least(4, 0), most(4, 0);
    least[column] = 1;
    most[column] = -1;
    most[3] = side - 1;
    all.add(least);
    all.add(most);
  }
  return all;
}

TEST(LinearConstraintsTest, ProjectionsHoldWhatWasProjected) {
  unsigned exact = 0;
  for (unsigned seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    LinearConstraints constraints = makeBox();
    for (unsigned number = 0; number < 1 + seed % 3; ++number) {
      LinearConstraints::Row row;
      for (unsigned column = 0; column < 4; ++column)
        row.push_back(static_cast<int64_t>(random() % 7) - 3);
      constraints.add(row);
    }
    llvm::SmallVector<LinearConstraints::Row> before(constraints.getRows());
    ASSERT_TRUE(constraints.eliminate(2));
    for (const LinearConstraints::Row &row : constraints.getRows())
      ASSERT_EQ(row[2], 0);
    exact += constraints.isExact();
    for (int64_t x = 0; x < side; ++x)
      for (int64_t y = 0; y < side; ++y) {
        bool any = false;
        for (int64_t z = 0; z < side; ++z)
          any |= holds(before, x, y, z);
        bool left = holds(constraints.getRows(), x, y, 0);
        ASSERT_TRUE(left || !any) << x << ", " << y;
        if (constraints.isExact()) {
          ASSERT_EQ(left, any) << x << ", " << y;
        }
      }
  }
  EXPECT_GT(exact, 100u);
}

TEST(LinearConstraintsTest, SumsOfProductsThatOverflowAreNothing) {
  EXPECT_EQ(addProducts(2, 3, 4, 5), 26);
  EXPECT_EQ(addProducts(int64_t(1) << 62, 4, 0, 0), std::nullopt);
}

} // namespace
