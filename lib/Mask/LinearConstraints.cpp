//===----------------------------------------------------------------------===//
// Fourier-Motzkin elimination.
//===----------------------------------------------------------------------===//

#include "stof/Mask/LinearConstraints.h"

#include "mlir/Support/LLVM.h"

#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace stof;
using presburger::IntegerPolyhedron;
using presburger::IntegerRelation;
using presburger::PresburgerSpace;

/// The largest numbers in an input and in a row.
static constexpr int64_t maxInDisjunct = int64_t(1) << 40;
static constexpr int64_t maxInRow = int64_t(1) << 60;
/// The most rows of a projection.
static constexpr size_t maxRows = 256;

std::optional<int64_t> stof::addProducts(int64_t a, int64_t b, int64_t c,
                                         int64_t d) {
  std::optional<int64_t> rest = llvm::checkedMul(c, d);
  std::optional<int64_t> sum =
      rest ? llvm::checkedMulAdd(a, b, *rest) : std::nullopt;
  if (!sum || *sum < -maxInRow || *sum > maxInRow)
    return std::nullopt;
  return sum;
}

bool stof::hasSmallNumbers(const IntegerRelation &disjunct) {
  auto isSmall = [](const llvm::DynamicAPInt &value) {
    return -maxInDisjunct <= value && value <= maxInDisjunct;
  };
  for (unsigned i = 0; i < disjunct.getNumInequalities(); ++i)
    if (!llvm::all_of(disjunct.getInequality(i), isSmall))
      return false;
  for (unsigned i = 0; i < disjunct.getNumEqualities(); ++i)
    if (!llvm::all_of(disjunct.getEquality(i), isSmall))
      return false;
  return true;
}

std::optional<LinearConstraints> LinearConstraints::get(
    const IntegerRelation &disjunct,
    llvm::function_ref<std::optional<Row>(ArrayRef<int64_t>)> rewrite) {
  if (!hasSmallNumbers(disjunct))
    return std::nullopt;
  LinearConstraints constraints;
  auto add = [&](ArrayRef<int64_t> source) {
    std::optional<Row> row = rewrite(source);
    if (row)
      constraints.add(std::move(*row));
    return row.has_value();
  };
  for (unsigned i = 0; i < disjunct.getNumInequalities(); ++i)
    if (!add(disjunct.getInequality64(i)))
      return std::nullopt;
  for (unsigned i = 0; i < disjunct.getNumEqualities(); ++i) {
    SmallVector<int64_t, 8> row = disjunct.getEquality64(i);
    if (!add(row))
      return std::nullopt;
    for (int64_t &value : row)
      value = -value;
    if (!add(row))
      return std::nullopt;
  }
  return constraints;
}

void LinearConstraints::add(Row row) {
  assert((rows.empty() || rows.front().size() == row.size()) &&
         "rows have the same columns");
  int64_t divisor = 0;
  for (int64_t value : ArrayRef(row).drop_back())
    divisor = std::gcd(divisor, value);
  if (divisor > 1) {
    for (int64_t &value : row)
      value = llvm::divideFloorSigned(value, divisor);
  }
  for (Row &known : rows)
    if (ArrayRef(known).drop_back() == ArrayRef(row).drop_back()) {
      known.back() = std::min(known.back(), row.back());
      return;
    }
  rows.push_back(std::move(row));
}

bool LinearConstraints::eliminate(unsigned column) {
  SmallVector<Row> before, doubts;
  std::swap(before, rows);
  for (const Row &row : before)
    if (row[column] == 0)
      add(row);
  for (const Row &low : before)
    for (const Row &high : before) {
      if (low[column] <= 0 || high[column] >= 0)
        continue;
      Row sum;
      for (auto [first, second] : llvm::zip(low, high)) {
        std::optional<int64_t> total =
            addProducts(first, -high[column], second, low[column]);
        if (!total)
          return false;
        sum.push_back(*total);
      }
      // An integer exists between the two ends if their distance is large
      // enough (the dark shadow), and always if a factor is 1.
      if (low[column] != 1 && high[column] != -1) {
        Row tooClose = sum;
        for (int64_t &value : tooClose)
          value = -value;
        std::optional<int64_t> distance = addProducts(
            low[column] - 1, -high[column] - 1, tooClose.back() - 1, 1);
        if (!distance)
          return false;
        tooClose.back() = *distance;
        doubts.push_back(std::move(tooClose));
      }
      add(std::move(sum));
    }
  if (rows.size() > maxRows)
    return false;
  exact = exact && llvm::none_of(doubts, [&](const Row &tooClose) {
            return canHold(tooClose);
          });
  return true;
}

bool LinearConstraints::canHold(const Row &row) const {
  IntegerPolyhedron all(PresburgerSpace::getSetSpace(row.size() - 1));
  for (const Row &other : rows)
    all.addInequality(other);
  all.addInequality(row);
  return !all.isEmpty();
}
