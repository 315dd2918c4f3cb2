//===----------------------------------------------------------------------===//
// The dimensions of an attention: splits those of its result into digits and
// names each by who depends on it.
//===----------------------------------------------------------------------===//

#include "AttentionState.h"
#include "stof/IR/Stof.h"

using namespace mlir;
using namespace stof;

static SmallVector<Digits> makeGroups(std::initializer_list<Digits> groups) {
  return SmallVector<Digits>(groups);
}

SmallVector<Digits> AttentionMatch::groupsOfQuery() const {
  Digits all(heads);
  llvm::append_range(all, groups);
  return makeGroups({batch, all, queries, depth});
}
SmallVector<Digits> AttentionMatch::groupsOfKey() const {
  return makeGroups({batch, heads, keys, depth});
}
SmallVector<Digits> AttentionMatch::groupsOfValue() const {
  return makeGroups({batch, heads, keys, features});
}
SmallVector<Digits> AttentionMatch::groupsOfResult() const {
  Digits all(heads);
  llvm::append_range(all, groups);
  return makeGroups({batch, all, queries, features});
}

bool AttentionMatcher::findDigits(State &state) {
  AttentionMatch &match = state.match;
  constexpr unsigned maxRounds = 4;
  for (unsigned round = 0; round < maxRounds; ++round) {
    match.query = peelOperand(elements, state.queryElement, /*scaled=*/true);
    match.key = peelOperand(elements, state.keyElement, /*scaled=*/true);
    match.value = peelOperand(elements, state.valueElement, /*scaled=*/false);
    SmallVector<const Expr *> shapes{state.weightElement};
    for (const auto &stages : {match.query, match.key, match.value})
      for (const OperandStage &stage : stages)
        shapes.push_back(stage.element);
    SmallVector<const Expr *> everything(shapes);
    everything.push_back(state.weight);
    SmallVector<const Expr *> variables;
    SmallVector<Digits> split;
    for (const Digits &digits : match.rootDigits)
      for (const Expr *digit : digits) {
        // Batch and heads may be told apart by the mask alone; positions are
        // not: the blocks of a block mask are no dimension.
        bool isShared = context.dependsOn(match.value.back().element, digit) &&
                        context.dependsOn(state.weight, digit);
        variables.push_back(digit);
        llvm::append_range(
            split,
            splitVariables(context, digit, isShared ? everything : shapes));
      }
    ExprMap map;
    for (auto [variable, digits] : llvm::zip(variables, split))
      if (digits.size() != 1 || digits[0] != variable)
        map[variable] = numberOf(context, digits);
    if (map.empty())
      return true;
    for (Digits &digits : match.rootDigits) {
      Digits finer;
      for (const Expr *digit : digits)
        llvm::append_range(
            finer, split[llvm::find(variables, digit) - variables.begin()]);
      digits = finer;
    }
    state.weight = context.substitute(state.weight, map);
    state.weightElement = context.substitute(state.weightElement, map);
    state.score = context.substitute(state.score, map);
    state.queryElement = context.substitute(state.queryElement, map);
    state.keyElement = context.substitute(state.keyElement, map);
    state.valueElement = context.substitute(state.valueElement, map);
  }
  return true;
}

/// The digits that an index is made of, the most significant first.
static Digits digitsIn(ArrayRef<const Expr *> indices,
                       ArrayRef<const Expr *> digits) {
  Digits result;
  for (const Expr *index : indices) {
    SmallVector<std::pair<int64_t, const Expr *>> here;
    walkExpr(index, [&](const Expr *expr) {
      if (!llvm::is_contained(digits, expr) || llvm::is_contained(result, expr))
        return;
      int64_t factor = 1;
      if (index->op == ScalarOp::Linear)
        for (auto [term, weight] : llvm::zip(index->operands, index->ints)) {
          if (term == expr)
            factor = weight;
          else if (term->op == ScalarOp::MulI &&
                   llvm::is_contained(term->operands, expr))
            factor = Expr::maxInt;
        }
      here.push_back({factor, expr});
    });
    llvm::sort(here, [](auto &a, auto &b) {
      return std::pair(-a.first, a.second->id) <
             std::pair(-b.first, b.second->id);
    });
    for (auto &[factor, digit] : here)
      result.push_back(digit);
  }
  return result;
}

bool AttentionMatcher::nameDigits(State &state) {
  AttentionMatch &match = state.match;
  const Expr *value = match.value.back().element;
  const Expr *key = match.key.back().element;
  for (const Expr *digit : match.keys)
    if (!context.dependsOn(value, digit))
      return fail("the values do not depend on the key");
  Digits shared, rows;
  for (const Digits &digits : match.rootDigits)
    for (const Expr *digit : digits) {
      bool inValue = context.dependsOn(value, digit);
      bool inWeight = context.dependsOn(state.weight, digit);
      if (inValue && inWeight)
        shared.push_back(digit);
      else if (inValue)
        match.features.push_back(digit);
      else if (inWeight)
        rows.push_back(digit);
      else
        return fail(
            "a dimension of the result is in neither weights nor values");
    }

  // Order comes from the tensor of weights, whose last dimensions are queries
  // and keys in one order or the other.
  ArrayRef<const Expr *> indices = state.weightElement->operands;
  unsigned rank = indices.size(), firstKey = 0, numKeys = match.keys.size();
  auto areKeys = [&](ArrayRef<const Expr *> here) {
    return llvm::all_of(here, [&](const Expr *index) {
      return llvm::is_contained(match.keys, index);
    });
  };
  while (firstKey + numKeys <= rank &&
         !areKeys(indices.slice(firstKey, numKeys)))
    ++firstKey;
  if (firstKey + numKeys > rank)
    return fail("the keys of the weights are no dimension of their own");
  match.keys.assign(indices.begin() + firstKey,
                    indices.begin() + firstKey + numKeys);
  std::optional<Digits> queries;
  for (unsigned dim : {firstKey - 1, firstKey + numKeys}) {
    if (dim >= rank || queries || !digitsIn(indices[dim], shared).empty())
      continue;
    queries = digitsIn(indices[dim], rows);
  }
  if (!queries) {
    // No dimension of its own: the longest, or the one of unknown length.
    queries = Digits{};
    for (const Expr *digit : rows)
      if (queries->empty() || digit->hi > queries->front()->hi)
        *queries = {digit};
  }
  if (queries->size() > 1)
    *queries = {queries->back()};
  match.queries = *queries;
  for (const Expr *digit : digitsIn(indices, rows))
    if (!llvm::is_contained(match.queries, digit))
      // A group of heads shares its keys; else its digit is one of the heads.
      (context.dependsOn(key, digit) ? match.heads : match.groups)
          .push_back(digit);

  Digits outer = digitsIn(indices, shared);
  if (outer.size() != shared.size() ||
      match.heads.size() + match.groups.size() + match.queries.size() !=
          rows.size())
    return fail("a dimension of the result is in neither weights nor values");
  constexpr unsigned plainRank = 4;
  unsigned numBatch = digitsIn(indices[0], shared).size();
  if (rank < plainRank)
    numBatch = outer.size() >= 2 ? 1 : 0;
  match.batch.assign(outer.begin(), outer.begin() + numBatch);
  Digits heads(outer.begin() + numBatch, outer.end());
  llvm::append_range(heads, match.heads);
  match.heads = heads;
  return true;
}

/// Every operand must depend on its own dimensions alone.
bool AttentionMatcher::checkOperands(State &state) {
  AttentionMatch &match = state.match;
  auto check = [&](ArrayRef<OperandStage> stages, ArrayRef<Digits> groups) {
    bool closed = true;
    walkExpr(stages.back().element, [&](const Expr *expr) {
      if (expr->op == ScalarOp::Bound)
        closed = false;
      if (expr->op == ScalarOp::Variable)
        closed &= llvm::any_of(groups, [&](const Digits &group) {
          return llvm::is_contained(group, expr);
        });
    });
    return closed;
  };
  auto isOf = [&](ArrayRef<OperandStage> stages,
                  ArrayRef<const Expr *> digits) {
    return llvm::any_of(digits, [&](const Expr *digit) {
      return context.dependsOn(stages.back().element, digit);
    });
  };
  if (isOf(match.query, match.keys) || isOf(match.key, match.queries))
    return fail("the scores are sums of other scores, as where heads are "
                "mixed");
  if (!check(match.query, match.groupsOfQuery()))
    return fail("the queries depend on more than batch, head and position");
  if (!check(match.key, match.groupsOfKey()))
    return fail("the keys depend on more than batch, head and position");
  if (!check(match.value, match.groupsOfValue()))
    return fail("the values depend on more than batch, head and position");
  for (const auto &stages : {match.query, match.key, match.value}) {
    Type type = stages.back().element->type;
    if (!type.isF16() && !type.isBF16() && !type.isF32())
      return fail("queries, keys and values are not f16, bf16 or f32");
  }
  for (const Digits &positions : {match.queries, match.keys})
    if (sizeOf(context, positions)->getInt().value_or(0) > mostPositions)
      return fail("queries or keys have 2^31 positions or more");
  return true;
}

/// Reductions over all digits of the keys, at once or one inside the other, as
/// ones over whole keys.
static const Expr *joinKeys(ExprContext &context, const Expr *root,
                            ArrayRef<const Expr *> keys) {
  ExprMap joined;
  walkExpr(root, [&](const Expr *expr) {
    SmallVector<const Expr *> bounds;
    const Expr *body = expr;
    while (body->op == ScalarOp::Reduce && !matchContraction(body) &&
           body->getReduceKind() == expr->getReduceKind()) {
      llvm::append_range(bounds, body->getBound());
      body = body->getBody();
    }
    auto isSame = [](const auto &digits) {
      auto [bound, key] = digits;
      return bound->operands[0] == key->operands[0];
    };
    if (bounds.size() != keys.size() ||
        !llvm::all_of(llvm::zip(bounds, keys), isSame))
      return;
    const Expr *key = context.variable(sizeOf(context, keys)), *rest = key;
    ExprMap digits;
    for (const Expr *bound : llvm::reverse(bounds)) {
      const Expr *size = bound->operands[0];
      digits[bound] = bound == bounds.front() ? rest : context.mod(rest, size);
      rest = context.floorDiv(rest, size);
    }
    body = context.substitute(context.substitute(body, joined), digits);
    const Expr *result = context.reduce(expr->getReduceKind(), body, {key});
    if (result->op == ScalarOp::Reduce && !result->origin)
      result->origin = expr->origin;
    joined[expr] = result;
  });
  return context.substitute(root, joined);
}

/// Writes everything in batch, head, query and key.
void AttentionMatcher::chooseCoordinates(State &state) {
  AttentionMatch &match = state.match;
  ExprMap map;
  auto name = [&](ArrayRef<const Expr *> digits) {
    if (digits.empty())
      return context.integer(0);
    if (digits.size() == 1)
      return digits[0];
    const Expr *coordinate = context.variable(sizeOf(context, digits));
    const Expr *rest = coordinate;
    for (const Expr *digit : llvm::reverse(digits)) {
      map[digit] = digit == digits.front()
                       ? rest
                       : context.mod(rest, digit->operands[0]);
      rest = context.floorDiv(rest, digit->operands[0]);
    }
    return coordinate;
  };
  SmallVector<Digits> groups = match.groupsOfQuery();
  match.coordinates = {name(groups[0]), name(groups[1]), name(groups[2]),
                       name(match.keys)};
  state.key = match.coordinates[3];
  state.weight = context.substitute(state.weight, map);
  if (match.keys.size() > 1)
    state.weight = joinKeys(context, state.weight, match.keys);
  state.score = context.substitute(state.score, map);
}
