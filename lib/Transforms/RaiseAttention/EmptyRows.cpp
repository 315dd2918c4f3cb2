//===----------------------------------------------------------------------===//
// Result of a softmax for fully masked rows.
//===----------------------------------------------------------------------===//

#include "MaskSplit.h"
#include "RowValue.h"

#include "llvm/ADT/BitVector.h"
#include <cmath>

using namespace mlir;
using namespace stof;

static std::optional<EmptyRows> toEmptyRows(RowValue weight) {
  switch (weight.kind) {
  case RowValue::Known:
    if (weight.number == 0)
      return EmptyRows::Zero;
    return std::isnan(weight.number) ? EmptyRows::NaN : EmptyRows::Mean;
  case RowValue::Uniform:
    return EmptyRows::Mean;
  case RowValue::Varying:
    return EmptyRows::Unmasked;
  default:
    return std::nullopt;
  }
}

/// The values of mask predicates for a key that is masked by `masked` but not
/// by `kept`.
static ExprMap decideMasks(ExprContext &context, ArrayRef<const Expr *> masked,
                           ArrayRef<const Expr *> kept) {
  ExprMap known;
  for (bool value : {false, true})
    for (const Expr *keep : value ? kept : masked) {
      known[keep] = context.boolean(value);
      known[context.notI(keep)] = context.boolean(!value);
    }
  return known;
}

/// Whether `masked` being false implies that a predicate of `kept` is false.
static bool isContradiction(ExprContext &context, ArrayRef<const Expr *> masked,
                            ArrayRef<const Expr *> kept) {
  ExprMap known = decideMasks(context, masked, {});
  return llvm::any_of(kept, [&](const Expr *keep) {
    return context.substitute(keep, known)->getBool() == false;
  });
}

namespace {
/// The masks that mask a key, and those that keep it.
struct WayToMask {
  SmallVector<const Expr *> masked, kept;
};
} // namespace

/// The limit on the number of masks, whose subsets are enumerated.
static constexpr unsigned mostMasks = 6;

/// Every nonempty subset of the masks that may mask a key, with its complement;
/// none if there are too many masks. A subset comes after those that contain
/// it.
static SmallVector<WayToMask> listWaysToMask(ExprContext &context,
                                             ArrayRef<const Expr *> keeps) {
  SmallVector<WayToMask> ways;
  if (keeps.size() > mostMasks)
    return ways;
  for (unsigned bits = 1u << keeps.size(); --bits;) {
    WayToMask way;
    for (auto [i, keep] : llvm::enumerate(keeps))
      (bits >> i & 1 ? way.masked : way.kept).push_back(keep);
    if (!isContradiction(context, way.masked, way.kept))
      ways.push_back(std::move(way));
  }
  return ways;
}

/// Whether `part` masks a key by some of the masks of `whole`.
static bool isPart(const WayToMask &part, const WayToMask &whole) {
  return llvm::all_of(part.masked, [&](const Expr *keep) {
    return llvm::is_contained(whole.masked, keep);
  });
}

/// The keys that are masked in one of the `chosen` ways, as a predicate on
/// masked keys.
static const Expr *describeKeys(ExprContext &context, ArrayRef<WayToMask> ways,
                                const llvm::BitVector &chosen) {
  // If parts of chosen ways are chosen as well, a masked key that the other
  // masks keep is masked in a chosen way.
  auto isClosed = [&](unsigned number) {
    for (unsigned part = 0; part < ways.size(); ++part)
      if (isPart(ways[part], ways[number]) && !chosen[part])
        return false;
    return true;
  };
  bool areClosed = llvm::all_of(chosen.set_bits(), isClosed);
  const Expr *keep = context.boolean(false);
  for (unsigned number : chosen.set_bits()) {
    const Expr *here = context.boolean(true);
    for (const Expr *kept : ways[number].kept)
      here = context.andI(here, kept);
    for (const Expr *masked : ways[number].masked)
      if (!areClosed)
        here = context.andI(here, context.notI(masked));
    bool isInOther =
        areClosed && llvm::any_of(chosen.set_bits(), [&](unsigned other) {
          return other != number && isPart(ways[number], ways[other]);
        });
    if (!isInOther)
      keep = context.orI(keep, here);
  }
  return keep;
}

namespace {
/// Fully masked rows whose keys may be masked in different ways.
class MaskedRows {
public:
  MaskedRows(ExprContext &context, const Expr *weight,
             ArrayRef<const Expr *> keeps, const Expr *key)
      : context(context), weight(weight), key(key),
        ways(listWaysToMask(context, keeps)) {
    const Expr *all = context.boolean(true);
    for (const Expr *keep : keeps)
      all = context.andI(all, keep);
    for (const WayToMask &way : ways) {
      conditions.push_back(way);
      conditions.back().masked.push_back(all);
    }
    rows.reserve(ways.size());
    for (const WayToMask &way : conditions) {
      rows.emplace_back(context, key, way.masked, way.kept);
      weights.push_back(rows.back().evaluate(weight));
    }
  }

  std::optional<EmptyRow> evaluate();

private:
  /// Whether the rows of keys that are masked in these ways are the same.
  bool areSame(unsigned lhs, unsigned rhs) const;
  /// Whether a key has no weight in the row of keys that are masked in the way
  /// `nearest`.
  bool vanishes(unsigned number, unsigned nearest) const;

  ExprContext &context;
  const Expr *weight, *key;
  SmallVector<WayToMask> ways;
  /// The same with the conjunction of all masks.
  SmallVector<WayToMask> conditions;
  /// The row all of whose keys are masked in one way, and its weights.
  std::vector<RowEvaluator> rows;
  SmallVector<RowValue> weights;
};
} // namespace

bool MaskedRows::areSame(unsigned lhs, unsigned rhs) const {
  return llvm::all_of(rows[lhs].reduced, [&](const auto &element) {
    return rows[rhs].reduced.lookup(element.first) == element.second;
  });
}

bool MaskedRows::vanishes(unsigned number, unsigned nearest) const {
  RowEvaluator other(context, key, conditions[number].masked,
                     conditions[number].kept, {RowValue::Varying},
                     &rows[nearest]);
  return other.evaluate(weight) == RowValue{RowValue::Known, 0};
}

std::optional<EmptyRow> MaskedRows::evaluate() {
  llvm::BitVector tried(ways.size());
  for (unsigned nearest = 0; nearest < ways.size(); ++nearest) {
    if (tried[nearest])
      continue;
    llvm::BitVector same(ways.size());
    bool othersVanish = true;
    for (unsigned number = 0; number < ways.size(); ++number)
      if (areSame(nearest, number))
        same.set(number);
      else
        othersVanish = othersVanish && vanishes(number, nearest);
    tried |= same;
    if (!othersVanish)
      continue;
    std::optional<EmptyRows> kind = toEmptyRows(weights[nearest]);
    if (!kind)
      return std::nullopt;
    bool isOverAll = same.all() || *kind == EmptyRows::Zero;
    return EmptyRow{*kind,
                    isOverAll ? nullptr : describeKeys(context, ways, same)};
  }
  return std::nullopt;
}

std::optional<EmptyRow> stof::evaluateEmptyRow(ExprContext &context,
                                               const Expr *weight,
                                               ArrayRef<const Expr *> keeps,
                                               const Expr *key) {
  return MaskedRows(context, weight, keeps, key).evaluate();
}

std::optional<EmptyRows> stof::evaluateInfiniteRow(ExprContext &context,
                                                   const Expr *weight,
                                                   ArrayRef<const Expr *> keeps,
                                                   const Expr *key,
                                                   double product) {
  RowEvaluator evaluator(context, key, /*masked=*/{}, keeps,
                         {RowValue::Known, product});
  return toEmptyRows(evaluator.evaluate(weight));
}

bool stof::isShiftedByMasks(ExprContext &context, const Expr *score,
                            const Expr *kept, ArrayRef<const Expr *> keeps,
                            const EmptyRow &row) {
  RealSum usual = RealSum::of(kept);
  SmallVector<WayToMask> ways = listWaysToMask(context, keeps);
  return !ways.empty() && llvm::all_of(ways, [&](const WayToMask &way) {
    ExprMap known = decideMasks(context, way.masked, way.kept);
    if (row.keep && context.substitute(row.keep, known)->getBool() == false)
      return true;
    RealSum sum = RealSum::of(context.substitute(score, known));
    sum.constant = usual.constant;
    return sum.isEqual(usual);
  });
}
