//===----------------------------------------------------------------------===//
// Unions of convex sets, counted by inclusion and exclusion.
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

/// More intersections of pieces are not tried: nobody would read their sum.
static constexpr unsigned maxIntersections = 96;
/// Neither is an expression of more characters.
static constexpr size_t maxLength = 4096;

namespace {
/// Counts a union by inclusion and exclusion.
template <typename Piece>
class UnionCount {
public:
  using Count = llvm::function_ref<std::optional<CountExpr>(const Piece &)>;

  UnionCount(ArrayRef<Piece> pieces, Count count)
      : pieces(pieces), count(count) {}

  /// Nothing if a count is not known; empty handed if they are too many.
  std::optional<CountExpr> run(std::string &obstacle) {
    for (size_t first = 0; first < pieces.size(); ++first)
      if (!add(pieces[first], first + 1, /*sign=*/1)) {
        if (intersections > maxIntersections)
          obstacle = countIsTooLong;
        return std::nullopt;
      }
    return total;
  }

private:
  /// Adds `sign` times the count of `common`, and the terms of its
  /// intersections with the pieces from `next` on.
  bool add(const Piece &common, size_t next, int64_t sign) {
    if (++intersections > maxIntersections)
      return false;
    if (Simplex(common).isEmpty())
      return true;
    std::optional<CountExpr> own = count(common);
    if (!own)
      return false;
    total += *own * sign;
    for (size_t other = next; other < pieces.size(); ++other)
      if (!add(Piece(common.intersect(pieces[other])), other + 1, -sign))
        return false;
    return true;
  }

  ArrayRef<Piece> pieces;
  Count count;
  unsigned intersections = 0;
  CountExpr total;
};
} // namespace

/// `count`, if somebody would read it.
static std::optional<CountExpr> ifShort(std::optional<CountExpr> count,
                                        std::string &obstacle) {
  if (!count || (!count->isTooLarge() && count->getLength() <= maxLength))
    return count;
  obstacle = countIsTooLong;
  return std::nullopt;
}

std::optional<CountExpr> SymbolicCount::countUnion(const Tiles &tiles) {
  UnionCount<IntegerPolyhedron> all(tiles, [&](const IntegerPolyhedron &piece) {
    return IntervalCount(symbols).count(readInterval(piece), obstacle);
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
  // What lies inside another piece adds nothing.
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
      [&](const IntegerRelation &piece) -> std::optional<CountExpr> {
        std::optional<TileInterval> interval = findKeysOfRow(piece);
        if (interval)
          return IntervalCount(symbols).count(*interval, obstacle);
        obstacle = "its pairs have no closed form";
        return std::nullopt;
      });
  return ifShort(all.run(obstacle), obstacle);
}
