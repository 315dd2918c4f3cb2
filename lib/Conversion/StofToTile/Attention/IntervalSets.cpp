//===----------------------------------------------------------------------===//
// Intersections and differences of intervals, as maps: a tile is not in an
// interval if it is before one of its lower bounds, not before one of its upper
// bounds, or if one of its conditions does not hold.
//===----------------------------------------------------------------------===//

#include "IntervalSets.h"

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/AffineMap.h"

using namespace mlir;
using namespace stof;

namespace {
/// An interval, in expressions of the row tile, batch, head and symbols.
struct Bounds {
  SmallVector<AffineExpr> from, to, where;
};

/// The intervals of a list, and the symbols of their maps.
class BoundsList {
public:
  explicit BoundsList(ArrayAttr intervals);

  ArrayRef<Bounds> getIntervals() const { return intervals; }
  unsigned getNumSymbols() const { return numSymbols; }

private:
  SmallVector<Bounds> intervals;
  unsigned numSymbols = 0;
};
} // namespace

BoundsList::BoundsList(ArrayAttr attributes) {
  if (!attributes)
    return;
  for (auto interval : attributes.getAsRange<IntervalAttr>()) {
    auto read = [&](AffineMapAttr map) -> SmallVector<AffineExpr> {
      if (!map)
        return {};
      numSymbols = std::max(numSymbols, map.getValue().getNumSymbols());
      return llvm::to_vector(map.getValue().getResults());
    };
    intervals.push_back({read(interval.getFrom()), read(interval.getTo()),
                         read(interval.getWhere())});
  }
}

/// Whether `lhs` >= `rhs` wherever they are evaluated; false if unknown.
static bool isAtLeast(AffineExpr lhs, AffineExpr rhs, unsigned numSymbols) {
  AffineExpr distance =
      simplifyAffineExpr(lhs - rhs, LayoutAttr::numDims, numSymbols);
  auto constant = dyn_cast<AffineConstantExpr>(distance);
  return constant && constant.getValue() >= 0;
}

/// Whether no tile is in an interval.
static bool isEmpty(const Bounds &bounds, MLIRContext *context,
                    unsigned numSymbols) {
  SmallVector<AffineExpr> from(bounds.from);
  from.push_back(getAffineConstantExpr(0, context));
  AffineExpr never = getAffineConstantExpr(-1, context);
  return llvm::any_of(bounds.to,
                      [&](AffineExpr to) {
                        return llvm::any_of(from, [&](AffineExpr least) {
                          return isAtLeast(least, to, numSymbols);
                        });
                      }) ||
         llvm::any_of(bounds.where, [&](AffineExpr where) {
           return isAtLeast(never, where, numSymbols);
         });
}

/// Erases expressions that another one implies: the lesser ones of lower
/// bounds, the greater ones of upper bounds.
static void eraseImplied(SmallVector<AffineExpr> &bounds, bool areUpper,
                         unsigned numSymbols) {
  SmallVector<AffineExpr> kept;
  auto implies = [&](AffineExpr one, AffineExpr other) {
    return areUpper ? isAtLeast(other, one, numSymbols)
                    : isAtLeast(one, other, numSymbols);
  };
  for (AffineExpr bound : bounds) {
    if (llvm::any_of(kept, [&](AffineExpr one) { return implies(one, bound); }))
      continue;
    llvm::erase_if(kept, [&](AffineExpr one) { return implies(bound, one); });
    kept.push_back(bound);
  }
  bounds = kept;
}

static ArrayAttr toAttribute(MLIRContext *context, MutableArrayRef<Bounds> all,
                             unsigned numSymbols) {
  auto toMap = [&](ArrayRef<AffineExpr> results) -> AffineMapAttr {
    if (results.empty())
      return {};
    return AffineMapAttr::get(
        AffineMap::get(LayoutAttr::numDims, numSymbols, results, context));
  };
  SmallVector<Attribute> intervals;
  for (Bounds &bounds : all) {
    eraseImplied(bounds.from, /*areUpper=*/false, numSymbols);
    eraseImplied(bounds.to, /*areUpper=*/true, numSymbols);
    intervals.push_back(IntervalAttr::get(
        context, toMap(bounds.from), toMap(bounds.to), toMap(bounds.where)));
  }
  return ArrayAttr::get(context, intervals);
}

ArrayAttr stof::intersectIntervals(ArrayAttr lhs, ArrayAttr rhs) {
  BoundsList left(lhs), right(rhs);
  unsigned numSymbols = std::max(left.getNumSymbols(), right.getNumSymbols());
  SmallVector<Bounds> both;
  for (const Bounds &one : left.getIntervals())
    for (const Bounds &other : right.getIntervals()) {
      Bounds bounds(one);
      llvm::append_range(bounds.from, other.from);
      llvm::append_range(bounds.to, other.to);
      llvm::append_range(bounds.where, other.where);
      if (!isEmpty(bounds, lhs.getContext(), numSymbols))
        both.push_back(bounds);
    }
  return toAttribute(lhs.getContext(), both, numSymbols);
}

ArrayAttr stof::subtractIntervals(ArrayAttr lhs, ArrayAttr rhs) {
  BoundsList all(lhs), excluded(rhs);
  unsigned numSymbols = std::max(all.getNumSymbols(), excluded.getNumSymbols());
  SmallVector<Bounds> left(all.getIntervals());
  for (const Bounds &without : excluded.getIntervals()) {
    SmallVector<Bounds> rest;
    auto add = [&](Bounds bounds) {
      if (!isEmpty(bounds, lhs.getContext(), numSymbols))
        rest.push_back(std::move(bounds));
    };
    for (const Bounds &bounds : left) {
      for (AffineExpr from : without.from) {
        Bounds before(bounds);
        before.to.push_back(from);
        add(before);
      }
      for (AffineExpr to : without.to) {
        Bounds after(bounds);
        after.from.push_back(to);
        add(after);
      }
      for (AffineExpr where : without.where) {
        Bounds elsewhere(bounds);
        elsewhere.where.push_back(-where - 1);
        add(elsewhere);
      }
    }
    left = rest;
  }
  return toAttribute(lhs.getContext(), left, numSymbols);
}
