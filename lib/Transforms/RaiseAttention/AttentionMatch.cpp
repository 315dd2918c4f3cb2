//===----------------------------------------------------------------------===//
// Matches attention in the expression of a tensor's element:
//
// 1. The element must have one contraction of weights and values over keys; any
//    other terms are part of the weight (a division after the contraction).
// 2. The weight must have a contraction of query and key over features.
// 3. Dimensions are split into dim factors where reshapes split them, and each
//    dim factor is classified by the operands that depend on it: values and
//    weights (batch, heads), weights only (queries, GQA groups), values only
//    (features).
// 4. The weight must be a softmax over the keys; its score is split into score
//    and mask.
//===----------------------------------------------------------------------===//

#include "AttentionMatch.h"

#include "AttentionState.h"
#include "BuildAttention.h"
#include "WeightTerms.h"
#include "stof/Mask/NonEmptyRows.h"

#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "stof-raise-attention"

using namespace mlir;
using namespace stof;

//===----------------------------------------------------------------------===//
// The two contractions
//===----------------------------------------------------------------------===//

static bool containsExp(const Expr *root) {
  bool found = false;
  walkExpr(root, [&](const Expr *expr) {
    found |= expr->op == ScalarOp::Exp || expr->op == ScalarOp::Exp2;
  });
  return found;
}

/// Whether `root` contains a sum of exponentials.
static bool containsSum(const Expr *root) {
  bool found = false;
  walkExpr(root, [&](const Expr *expr) {
    found |= expr->op == ScalarOp::Reduce &&
             expr->getReduceKind() == ReduceKind::Add && containsExp(expr);
  });
  return found;
}

static void noteRounding(AttentionMatch &match, Type from, Type to) {
  if (to.getIntOrFloatBitWidth() < from.getIntOrFloatBitWidth() &&
      !llvm::is_contained(match.roundings, to))
    match.roundings.push_back(to);
}

/// Notes that products are rounded before they are summed.
static void noteProductRounding(AttentionMatch &match,
                                const Expr *contraction) {
  const Expr *product = contraction->getBody();
  while (product->op == ScalarOp::Cast)
    product = product->operands[0];
  noteRounding(match, contraction->type, product->type);
}

bool AttentionMatcher::findContraction(State &state) {
  Value root = state.match.root;
  auto type = cast<RankedTensorType>(root.getType());
  SmallVector<const Expr *> indices;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    bool single = type.getDimSize(dim) == 1;
    indices.push_back(single ? context.integer(0)
                             : elements.indexOf(root, dim));
    state.match.rootDimFactors.push_back(single ? DimFactors{}
                                                : DimFactors{indices.back()});
  }
  state.match.rootIndices = indices;
  const Expr *element = elements.at(root, indices);

  // Collect the contractions that are not nested in another reduction.
  SmallVector<const Expr *> open{element}, found;
  DenseSet<const Expr *> seen;
  while (!open.empty()) {
    const Expr *expr = open.pop_back_val();
    if (!seen.insert(expr).second)
      continue;
    if (matchContraction(expr))
      found.push_back(expr);
    else if (expr->op != ScalarOp::Reduce)
      llvm::append_range(open, expr->operands);
  }
  for (const Expr *contraction : found) {
    Contraction operands = matchContraction(contraction);
    DimFactors keys;
    ExprMap opened;
    for (const Expr *bound : contraction->getBound()) {
      keys.push_back(context.variable(bound->operands[0]));
      opened[bound] = keys.back();
    }
    for (bool swapped : {false, true}) {
      const Expr *weights =
          context.substitute(swapped ? operands.rhs : operands.lhs, opened);
      const Expr *values =
          context.substitute(swapped ? operands.lhs : operands.rhs, opened);
      const Expr *weight = elements.expand(weights);
      if (!containsExp(weight) || !containsContraction(weight))
        continue;
      noteProductRounding(state.match, contraction);
      state.match.keys = keys;
      state.weightElement = weights;
      state.valueElement = values;
      state.weight = context.substitute(
          element,
          ExprMap{{contraction, context.cast(weight, contraction->type)}});
      return true;
    }
  }
  return fail("no exponential of a contraction is contracted");
}

/// Finds the `skip`th contraction in the weight with exactly one operand that
/// depends on the keys.
bool AttentionMatcher::findScore(State &state, unsigned skip, unsigned &count) {
  auto isOfKeys = [&](const Expr *expr) {
    return llvm::any_of(state.match.keys, [&](const Expr *key) {
      return context.dependsOn(expr, key);
    });
  };
  SmallVector<const Expr *> scores;
  walkExpr(state.weight, [&](const Expr *expr) {
    Contraction operands = matchContraction(expr);
    if (operands && isOfKeys(operands.lhs) != isOfKeys(operands.rhs))
      scores.push_back(expr);
  });
  count = scores.size();
  if (skip >= scores.size())
    return fail(
        "no score is a contraction with one operand for the queries and "
        "one for the keys that the second contraction reduces, as where heads "
        "are mixed");
  state.score = scores[skip];
  Contraction operands = matchContraction(state.score);
  if (isOfKeys(operands.lhs))
    std::swap(operands.lhs, operands.rhs);
  ExprMap opened;
  state.match.headDim.clear();
  for (const Expr *bound : state.score->getBound()) {
    state.match.headDim.push_back(context.variable(bound->operands[0]));
    opened[bound] = state.match.headDim.back();
  }
  state.queryElement = context.substitute(operands.lhs, opened);
  state.keyElement = context.substitute(operands.rhs, opened);
  return true;
}

//===----------------------------------------------------------------------===//
// The weight
//===----------------------------------------------------------------------===//

/// Whether `root` is computed from scalars alone. Elements of tensors are
/// excluded, since the score region reads them in the kernel.
static bool isScalar(const Expr *root) {
  bool scalar = true;
  walkExpr(root, [&](const Expr *expr) {
    scalar &= expr->op != ScalarOp::Variable && expr->op != ScalarOp::Bound &&
              expr->op != ScalarOp::Reduce && expr->op != ScalarOp::Other &&
              expr->op != ScalarOp::Element;
  });
  return scalar;
}

/// The largest expression that is `contraction` times a constant (`factor`) and
/// run-time scalars (`times`), as long as it has a single user.
static const Expr *growScaled(ExprContext &context, const Expr *root,
                              const Expr *contraction, double &factor,
                              const Expr *&times) {
  DenseMap<const Expr *, SmallVector<const Expr *>> users;
  walkExpr(root, [&](const Expr *expr) {
    for (const Expr *operand : expr->operands)
      users[operand].push_back(expr);
  });
  const Expr *top = contraction;
  while (users[top].size() == 1) {
    const Expr *user = users[top].front();
    unsigned other =
        user->operands.size() == 2 && user->operands[0] == top ? 1 : 0;
    bool scales = user->op == ScalarOp::MulF ||
                  (user->op == ScalarOp::DivF && other == 1);
    if (!scales || user->operands.size() != 2)
      break;
    bool inverse = user->op == ScalarOp::DivF;
    const Expr *number = user->operands[other];
    if (number->getFloat()) {
      double known = RealSum::of(number).constant;
      if (!std::isfinite(known) || known == 0)
        break;
      factor *= inverse ? 1 / known : known;
    } else if (isScalar(number)) {
      const Expr *before = times ? times : context.real(1);
      times = context.floatOp(inverse ? ScalarOp::DivF : ScalarOp::MulF,
                              context.getRealType(), {before, number});
    } else {
      break;
    }
    top = user;
  }
  return top;
}

/// Replaces reductions by reads of the tensors that have their results.
static const Expr *readBack(ExprContext &context, const Expr *root) {
  ExprMap map;
  SmallVector<const Expr *> open{root};
  DenseSet<const Expr *> seen;
  while (!open.empty()) {
    const Expr *expr = open.pop_back_val();
    if (!seen.insert(expr).second)
      continue;
    if (expr->op == ScalarOp::Reduce && expr->origin)
      map[expr] = expr->isFloat()   ? context.cast(expr->origin, expr->type)
                  : expr->isIndex() ? context.fromInt(expr->origin)
                                    : expr->origin;
    else
      llvm::append_range(open, expr->operands);
  }
  return context.substitute(root, map);
}

/// Whether `keep`, as one set, provably is true for a key of every query: one
/// of a few candidates, or by analysis of the set.
static bool coversEveryRow(ExprContext &context, const AttentionMatch &match,
                           const Expr *keep) {
  if (keepsEveryRow(context, match, keep))
    return true;
  auto coordinate = [&](unsigned i) {
    const Expr *expr = match.coordinates[i];
    return expr->op == ScalarOp::Variable
               ? expr
               : context.variable(context.integer(1));
  };
  MaskExpr mask{coordinate(0), coordinate(1), coordinate(2), coordinate(3),
                keep};
  return coversAllRows(mask, MaskSet(context, mask));
}

/// The same if one of several alternatives may suffice, whatever the others
/// are.
static bool provesEveryRow(ExprContext &context, const AttentionMatch &match,
                           const Expr *keep) {
  SmallVector<const Expr *> alternatives{keep};
  while (!alternatives.empty()) {
    const Expr *alternative = alternatives.pop_back_val();
    if (coversEveryRow(context, match, alternative))
      return true;
    if (alternative->op == ScalarOp::Or)
      llvm::append_range(alternatives, alternative->operands);
  }
  return false;
}

/// Whether the score reads floats, which may be infinite.
static bool mayBeInfinite(const Expr *score) {
  bool reads = false;
  walkExpr(score, [&](const Expr *expr) {
    reads |= expr->isFloat() &&
             (expr->op == ScalarOp::Element || expr->op == ScalarOp::Scalar ||
              (expr->op == ScalarOp::Reduce && !matchContraction(expr)));
  });
  return reads;
}

/// Determines the result of fully masked rows, whose weights are `weight`.
bool AttentionMatcher::findEmptyRows(State &state, const Expr *weight,
                                     const Expr *score,
                                     ArrayRef<const Expr *> keeps) {
  AttentionMatch &match = state.match;
  std::optional<EmptyRow> row =
      evaluateEmptyRow(context, weight, keeps, state.key);
  StringRef unclear;
  if (!row)
    unclear = keeps.size() == 1
                  ? "the weights of fully masked rows are unknown"
                  : "fully masked rows depend on which of several masks mask "
                    "which keys";
  else if (row->kind == EmptyRows::Unmasked &&
           !isShiftedByMasks(context, score, match.split.score, keeps, *row))
    unclear = "fully masked rows depend on scores that a mask replaces in part";
  bool isPlain = unclear.empty() && !row->keep;
  if (!isPlain && provesEveryRow(context, match, match.keep))
    return true;
  if (!unclear.empty())
    return fail(unclear);
  if (!isPlain &&
      !provesEveryRow(context, match, context.orI(match.keep, row->keep)))
    return fail("fully masked rows may have none of the keys that have a "
                "weight in others");
  match.emptyRows = *row;
  return true;
}

/// Determines the result of fully masked rows. Rows that the source sets to
/// zero are added to the mask unless they provably have no unmasked key.
bool AttentionMatcher::splitRows(State &state, const Softmax &softmax,
                                 const Expr *score,
                                 ArrayRef<const Expr *> keeps) {
  AttentionMatch &match = state.match;
  SmallVector<const Expr *> zeroRows, kept(keeps);
  kept.push_back(match.keep);
  ExprMap others;
  for (const Expr *condition : softmax.zeroWhere) {
    if (isFalseWithUnmaskedKey(context, condition, kept, state.key, scoreBound))
      continue;
    if (containsContraction(condition))
      return fail("the weights are zero under a condition on the scores");
    zeroRows.push_back(condition);
    others[condition] = context.boolean(false);
    others[context.notI(condition)] = context.boolean(true);
  }
  if (!match.keep->getBool() &&
      !findEmptyRows(state, context.substitute(state.weight, others), score,
                     keeps))
    return false;
  // If no row is fully masked, `empty_rows` concerns rows whose scores are all
  // -inf. Finite masks are masks only next to finite scores.
  bool hasKeys = match.keep->getBool() == true ||
                 keepsEveryRow(context, match, match.keep);
  if (mayBeInfinite(match.split.score) &&
      (hasKeys || (match.emptyRows.kind != EmptyRows::Zero &&
                   match.emptyRows.kind != EmptyRows::NaN &&
                   provesEveryRow(context, match, match.keep)))) {
    double infinity = std::numeric_limits<double>::infinity();
    match.emptyRows = {
        evaluateInfiniteRow(context, state.weight, keeps, state.key,
                            match.scale < 0 ? infinity : -infinity)
            .value_or(EmptyRows::Zero)};
  } else if (hasKeys)
    match.emptyRows = {EmptyRows::Zero};
  if (zeroRows.empty())
    return true;
  if (match.emptyRows.kind != EmptyRows::Zero &&
      !provesEveryRow(context, match, match.keep))
    return fail("some fully masked rows are zero and others are not");
  match.emptyRows = {EmptyRows::Zero};
  for (const Expr *condition : zeroRows)
    match.keep = context.andI(match.keep, context.notI(condition));
  return true;
}

bool AttentionMatcher::splitScore(State &state, const Softmax &softmax) {
  AttentionMatch &match = state.match;
  RealForm real(context);
  const Expr *contraction = real.get(state.score);
  if (!context.dependsOn(softmax.score, contraction))
    return fail("the score does not depend on the contraction of queries and "
                "keys");
  match.product =
      context.other(context.getRealType(),
                    StringAttr::get(context.getContext(), "score"), {}, {});
  const Expr *scaled =
      growScaled(context, softmax.score, contraction, match.scale, match.times);
  const Expr *score =
      context.substitute(softmax.score, ExprMap{{scaled, match.product}});
  if (context.dependsOn(score, contraction)) {
    match.scale = 1;
    match.times = nullptr;
    score = context.substitute(softmax.score,
                               ExprMap{{contraction, match.product}});
  }
  match.split = splitMask(context, score, match.product, scoreBound);
  SmallVector<const Expr *> keeps(softmax.conditions);
  for (const MaskCondition &mask : match.split.masks)
    if (!llvm::is_contained(keeps, mask.keep))
      keeps.push_back(mask.keep);
  match.keep = context.boolean(true);
  for (const Expr *keep : keeps)
    match.keep = context.andI(match.keep, keep);
  if (!splitRows(state, softmax, score, keeps))
    return false;
  match.keep = readBack(context, match.keep);
  if (match.emptyRows.keep)
    match.emptyRows.keep = readBack(context, match.emptyRows.keep);
  match.score = readBack(context, match.split.score);
  if (softmax.sink)
    match.sink = readBack(context, softmax.sink);

  // Score, mask and sink must be scalar expressions of the coordinates.
  auto isClosed = [&](const Expr *root) {
    bool closed = true;
    walkExpr(root, [&](const Expr *expr) {
      if (expr->op == ScalarOp::Reduce || expr->op == ScalarOp::Bound)
        closed = false;
      if (expr->op == ScalarOp::Variable)
        closed &= llvm::is_contained(match.coordinates, expr);
      if (expr->op == ScalarOp::Other && expr != match.product &&
          expr->getName() == "score")
        closed = false;
    });
    return closed;
  };
  if (!isClosed(match.score))
    return fail("the score is not a function of one contraction and its "
                "coordinates");
  if (!isClosed(match.keep) || context.dependsOn(match.keep, match.product))
    return fail("the mask is not a function of the coordinates alone");
  if (match.sink &&
      (!isClosed(match.sink) || context.dependsOn(match.sink, match.product)))
    return fail("the sink is not a function of the head alone");
  if (match.sink)
    for (unsigned other : {0, 2, 3})
      if (context.dependsOn(match.sink, match.coordinates[other]) &&
          match.coordinates[other]->op == ScalarOp::Variable)
        return fail("the sink is not a function of the head alone");
  return true;
}

bool AttentionMatcher::findSoftmax(State &state) {
  RealForm real(context);
  const Expr *weight = real.get(state.weight);
  std::optional<Softmax> softmax =
      matchSoftmax(context, weight, state.key, reason);
  LDBG() << "weight: " << *weight;
  if (!softmax)
    return false;
  if (!splitScore(state, *softmax))
    return false;
  // Note the casts to narrower types between the steps of the source.
  walkExpr(state.weight, [&](const Expr *expr) {
    if (matchContraction(expr))
      noteProductRounding(state.match, expr);
    else if (expr->op == ScalarOp::Cast && containsContraction(expr))
      noteRounding(state.match, expr->operands[0]->type, expr->type);
  });
  return true;
}

bool AttentionMatcher::start(State &state, Value root) {
  auto type = dyn_cast<RankedTensorType>(root.getType());
  if (!type || !isa<FloatType>(type.getElementType()) ||
      llvm::is_contained(type.getShape(), 0))
    return fail("the result is not a tensor of floats");
  state.match.root = root;
  if (!findContraction(state))
    return false;
  isCandidate = true;
  return true;
}

std::optional<AttentionMatch> AttentionMatcher::match(Value root) {
  State state;
  if (!start(state, root) || !matchWeight(state)) {
    LDBG() << "no attention, since " << reason;
    return std::nullopt;
  }
  return state.match;
}

/// Sets the factor of `match`, which must be a function of the root's indices.
bool AttentionMatcher::setFactor(AttentionMatch &match, const Expr *factor) {
  if (!factor)
    return true;
  match.factor = readBack(context, factor);
  bool closed = true;
  walkExpr(match.factor, [&](const Expr *expr) {
    closed &= expr->op != ScalarOp::Reduce && expr->op != ScalarOp::Bound &&
              (expr->op != ScalarOp::Variable ||
               llvm::is_contained(match.rootIndices, expr));
  });
  return closed ||
         fail("the weights are scaled by a number that is not a function of "
              "their row");
}

SmallVector<AttentionMatch, 0> AttentionMatcher::matchSum(Value root) {
  State whole;
  if (!start(whole, root))
    return {};
  SmallVector<WeightTerm> terms =
      splitWeight(context, whole.weight, whole.match.keys);
  // A single term without factor is the weight itself, which did not match.
  if (terms.size() == 1 && !terms[0].factor)
    return {};
  SmallVector<AttentionMatch, 0> matches;
  for (const WeightTerm &term : terms) {
    State state = whole;
    state.weight = term.weight;
    if (!matchWeight(state) || !setFactor(state.match, term.factor))
      return {};
    matches.push_back(std::move(state.match));
  }
  return matches;
}

/// Matches the weight and completes `state`.
bool AttentionMatcher::matchWeight(State &state) {
  // A single exponential may be the gate of a feed-forward layer.
  isLikely = containsSum(state.weight);
  unsigned count = 1;
  std::string first;
  for (unsigned i = 0; i < count; ++i) {
    State attempt = state;
    if (findScore(attempt, i, count) && findDimFactors(attempt) &&
        nameDimFactors(attempt) && checkOperands(attempt)) {
      isLikely |= !attempt.match.batch.empty() || !attempt.match.heads.empty();
      chooseCoordinates(attempt);
      if (findSoftmax(attempt)) {
        state = std::move(attempt);
        return true;
      }
    }
    if (i == 0)
      first = reason;
  }
  return fail(first);
}
