//===----------------------------------------------------------------------===//
// Counts of unions of convex sets, by inclusion and exclusion.
//===----------------------------------------------------------------------===//

#include "stof/Mask/Census/SymbolicCount.h"

#include "IntervalCount.h"

#include "mlir/Analysis/Presburger/Simplex.h"

using namespace mlir;
using namespace stof;
using presburger::IntegerPolyhedron;
using presburger::IntegerRelation;
using presburger::PresburgerSet;
using presburger::Simplex;

/// The most intersections of disjuncts; longer sums are unreadable.
static constexpr unsigned maxIntersections = 96;
/// The most characters of an expression.
static constexpr size_t maxLength = 4096;

namespace {
/// Counts a union by inclusion and exclusion.
template <typename Disjunct>
class UnionCount {
public:
  using Count = llvm::function_ref<std::optional<CountExpr>(const Disjunct &)>;

  UnionCount(ArrayRef<Disjunct> disjuncts, Count count)
      : disjuncts(disjuncts), count(count) {}

  /// Nothing if a count is unknown or there are too many intersections.
  std::optional<CountExpr> run(std::string &obstacle) {
    for (size_t first = 0; first < disjuncts.size(); ++first)
      if (!add(disjuncts[first], first + 1, /*sign=*/1)) {
        if (intersections > maxIntersections)
          obstacle = countIsTooLong;
        return std::nullopt;
      }
    return total;
  }

private:
  /// Adds `sign` times the count of `common`, and the terms of its
  /// intersections with the disjuncts from `next` on.
  bool add(const Disjunct &common, size_t next, int64_t sign) {
    if (++intersections > maxIntersections)
      return false;
    if (Simplex(common).isEmpty())
      return true;
    std::optional<CountExpr> own = count(common);
    if (!own)
      return false;
    total += *own * sign;
    for (size_t other = next; other < disjuncts.size(); ++other)
      if (!add(Disjunct(common.intersect(disjuncts[other])), other + 1, -sign))
        return false;
    return true;
  }

  ArrayRef<Disjunct> disjuncts;
  Count count;
  unsigned intersections = 0;
  CountExpr total;
};
} // namespace

/// `count` if its expression is within the limits.
static std::optional<CountExpr> ifShort(std::optional<CountExpr> count,
                                        std::string &obstacle) {
  if (!count || (!count->isTooLarge() && count->getLength() <= maxLength))
    return count;
  obstacle = countIsTooLong;
  return std::nullopt;
}

std::optional<CountExpr> SymbolicCount::countUnion(const Tiles &tiles) {
  UnionCount<IntegerPolyhedron> all(
      tiles, [&](const IntegerPolyhedron &disjunct) {
        return IntervalCount(symbols).count(readInterval(disjunct), obstacle);
      });
  return ifShort(all.run(obstacle), obstacle);
}

std::optional<CountExpr> SymbolicCount::countCommon(const Tiles &lhs,
                                                    const Tiles &rhs) {
  Tiles common;
  for (const IntegerPolyhedron &left : lhs)
    for (const IntegerPolyhedron &right : rhs) {
      IntegerPolyhedron both(left.intersect(right));
      if (Simplex(both).isEmpty())
        continue;
      if (common.size() > maxIntersections) {
        obstacle = countIsTooLong;
        return std::nullopt;
      }
      common.push_back(std::move(both));
    }
  // Remove disjuncts that are contained in others.
  for (size_t inner = common.size(); inner-- > 0;)
    for (size_t outer = 0; outer < common.size(); ++outer)
      if (outer != inner &&
          Simplex(common[inner]).isRationalSubsetOf(common[outer])) {
        common.erase(common.begin() + inner);
        break;
      }
  return countUnion(common);
}

std::optional<CountExpr> SymbolicCount::countPairs(const PresburgerSet &set) {
  UnionCount<IntegerRelation> all(
      set.getAllDisjuncts(),
      [&](const IntegerRelation &disjunct) -> std::optional<CountExpr> {
        std::optional<TileInterval> interval = findKeysOfRow(disjunct);
        if (interval)
          return IntervalCount(symbols).count(*interval, obstacle);
        obstacle = "its unmasked positions have no closed form";
        return std::nullopt;
      });
  return ifShort(all.run(obstacle), obstacle);
}
