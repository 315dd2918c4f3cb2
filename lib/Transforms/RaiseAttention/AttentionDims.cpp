//===----------------------------------------------------------------------===//
// The dimensions of an attention: those of its result are split into dim
// factors and classified by the operands that depend on them.
//===----------------------------------------------------------------------===//

#include "AttentionState.h"
#include "stof/IR/Stof.h"

using namespace mlir;
using namespace stof;

SmallVector<DimFactors> AttentionMatch::getQueryDims() const {
  DimFactors all(heads);
  llvm::append_range(all, groups);
  return {batch, all, queries, headDim};
}
SmallVector<DimFactors> AttentionMatch::getKeyDims() const {
  return {batch, heads, keys, headDim};
}
SmallVector<DimFactors> AttentionMatch::getValueDims() const {
  return {batch, heads, keys, features};
}
SmallVector<DimFactors> AttentionMatch::getResultDims() const {
  DimFactors all(heads);
  llvm::append_range(all, groups);
  return {batch, all, queries, features};
}

bool AttentionMatcher::findDimFactors(State &state) {
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
    SmallVector<DimFactors> split;
    for (const DimFactors &dimFactors : match.rootDimFactors)
      for (const Expr *dimFactor : dimFactors) {
        // The mask may be the only distinction of batch and heads. Positions
        // are not split by it: the blocks of a block mask are not a dimension.
        bool isShared =
            context.dependsOn(match.value.back().element, dimFactor) &&
            context.dependsOn(state.weight, dimFactor);
        variables.push_back(dimFactor);
        llvm::append_range(
            split,
            splitVariables(context, dimFactor, isShared ? everything : shapes));
      }
    ExprMap map;
    for (auto [variable, dimFactors] : llvm::zip(variables, split))
      if (dimFactors.size() != 1 || dimFactors[0] != variable)
        map[variable] = numberOf(context, dimFactors);
    if (map.empty())
      return true;
    for (DimFactors &dimFactors : match.rootDimFactors) {
      DimFactors finer;
      for (const Expr *dimFactor : dimFactors)
        llvm::append_range(
            finer, split[llvm::find(variables, dimFactor) - variables.begin()]);
      dimFactors = finer;
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

/// The dim factors of `indices`, the most significant of each index first.
static DimFactors dimFactorsIn(ArrayRef<const Expr *> indices,
                               ArrayRef<const Expr *> dimFactors) {
  DimFactors result;
  for (const Expr *index : indices) {
    SmallVector<std::pair<int64_t, const Expr *>> here;
    walkExpr(index, [&](const Expr *expr) {
      if (!llvm::is_contained(dimFactors, expr) ||
          llvm::is_contained(result, expr))
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
    for (auto &[factor, dimFactor] : here)
      result.push_back(dimFactor);
  }
  return result;
}

/// The first dimension of `keys` among `indices`, if they are adjacent there in
/// any order.
static std::optional<unsigned> findKeys(ArrayRef<const Expr *> indices,
                                        ArrayRef<const Expr *> keys) {
  for (size_t first = 0; first + keys.size() <= indices.size(); ++first)
    if (llvm::all_of(indices.slice(first, keys.size()), [&](const Expr *index) {
          return llvm::is_contained(keys, index);
        }))
      return first;
  return std::nullopt;
}

/// The dim factors of queries among `rows`, of weights at `indices` with
/// `numKeys` dimensions of keys from `firstKey` on. The queries are the
/// dimension before or after these unless batches or heads share it.
static DimFactors findQueries(ArrayRef<const Expr *> indices, unsigned firstKey,
                              unsigned numKeys, ArrayRef<const Expr *> rows,
                              ArrayRef<const Expr *> shared) {
  for (unsigned dim : {firstKey - 1, firstKey + numKeys})
    if (dim < indices.size() && dimFactorsIn(indices[dim], shared).empty()) {
      DimFactors queries = dimFactorsIn(indices[dim], rows);
      if (queries.size() > 1)
        queries = {queries.back()};
      return queries;
    }
  // Without a separate dimension, the queries are the longest dim factor, where
  // an unknown size counts as the longest.
  DimFactors longest;
  for (const Expr *dimFactor : rows)
    if (longest.empty() || dimFactor->hi > longest.front()->hi)
      longest = {dimFactor};
  return longest;
}

bool AttentionMatcher::sortDimFactors(State &state, DimFactors &shared,
                                      DimFactors &rows) {
  AttentionMatch &match = state.match;
  const Expr *value = match.value.back().element;
  for (const Expr *dimFactor : match.keys)
    if (!context.dependsOn(value, dimFactor))
      return fail("the values do not depend on the key");
  for (const DimFactors &dimFactors : match.rootDimFactors)
    for (const Expr *dimFactor : dimFactors) {
      bool inValue = context.dependsOn(value, dimFactor);
      bool inWeight = context.dependsOn(state.weight, dimFactor);
      if (inValue && inWeight)
        shared.push_back(dimFactor);
      else if (inValue)
        match.features.push_back(dimFactor);
      else if (inWeight)
        rows.push_back(dimFactor);
      else
        return fail(
            "a dimension of the result is in neither weights nor values");
    }
  return true;
}

bool AttentionMatcher::nameDimFactors(State &state) {
  AttentionMatch &match = state.match;
  DimFactors shared, rows;
  if (!sortDimFactors(state, shared, rows))
    return false;

  // The order of dim factors is that of the tensor of weights, whose last
  // dimensions are queries and keys in either order.
  ArrayRef<const Expr *> indices = state.weightElement->operands;
  std::optional<unsigned> firstKey = findKeys(indices, match.keys);
  if (!firstKey)
    return fail("the keys are not a separate dimension of the weights");
  ArrayRef<const Expr *> keys = indices.slice(*firstKey, match.keys.size());
  match.keys.assign(keys.begin(), keys.end());
  match.queries = findQueries(indices, *firstKey, keys.size(), rows, shared);
  const Expr *key = match.key.back().element;
  for (const Expr *dimFactor : dimFactorsIn(indices, rows))
    if (!llvm::is_contained(match.queries, dimFactor))
      // The query heads of a GQA group share their keys.
      (context.dependsOn(key, dimFactor) ? match.heads : match.groups)
          .push_back(dimFactor);

  DimFactors outer = dimFactorsIn(indices, shared);
  if (outer.size() != shared.size() ||
      match.heads.size() + match.groups.size() + match.queries.size() !=
          rows.size())
    return fail("a dimension of the result is in neither weights nor values");
  constexpr unsigned plainRank = 4;
  unsigned numBatch = dimFactorsIn(indices[0], shared).size();
  if (indices.size() < plainRank)
    numBatch = outer.size() >= 2 ? 1 : 0;
  match.batch.assign(outer.begin(), outer.begin() + numBatch);
  DimFactors heads(outer.begin() + numBatch, outer.end());
  llvm::append_range(heads, match.heads);
  match.heads = heads;
  return true;
}

/// Checks types, sizes and that operands depend on their own dimensions only.
bool AttentionMatcher::checkOperands(State &state) {
  AttentionMatch &match = state.match;
  auto check = [&](ArrayRef<OperandStage> stages, ArrayRef<DimFactors> groups) {
    bool closed = true;
    walkExpr(stages.back().element, [&](const Expr *expr) {
      if (expr->op == ScalarOp::Bound)
        closed = false;
      if (expr->op == ScalarOp::Variable)
        closed &= llvm::any_of(groups, [&](const DimFactors &group) {
          return llvm::is_contained(group, expr);
        });
    });
    return closed;
  };
  auto isOf = [&](ArrayRef<OperandStage> stages,
                  ArrayRef<const Expr *> dimFactors) {
    return llvm::any_of(dimFactors, [&](const Expr *dimFactor) {
      return context.dependsOn(stages.back().element, dimFactor);
    });
  };
  if (isOf(match.query, match.keys) || isOf(match.key, match.queries))
    return fail("the scores are sums of other scores, as where heads are "
                "mixed");
  if (!check(match.query, match.getQueryDims()))
    return fail("the queries depend on more than batch, head and position");
  if (!check(match.key, match.getKeyDims()))
    return fail("the keys depend on more than batch, head and position");
  if (!check(match.value, match.getValueDims()))
    return fail("the values depend on more than batch, head and position");
  for (const auto &stages : {match.query, match.key, match.value}) {
    Type type = stages.back().element->type;
    if (!type.isF16() && !type.isBF16() && !type.isF32())
      return fail("queries, keys and values are not f16, bf16 or f32");
  }
  for (const DimFactors &positions : {match.queries, match.keys})
    if (sizeOf(context, positions)->getInt().value_or(0) > mostPositions)
      return fail("queries or keys have 2^31 positions or more");
  return true;
}

/// Merges reductions over all dim factors of the keys, joint or nested, into
/// reductions over the key coordinate.
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
    auto isSame = [](const auto &dimFactors) {
      auto [bound, key] = dimFactors;
      return bound->operands[0] == key->operands[0];
    };
    if (bounds.size() != keys.size() ||
        !llvm::all_of(llvm::zip(bounds, keys), isSame))
      return;
    const Expr *key = context.variable(sizeOf(context, keys)), *rest = key;
    ExprMap dimFactors;
    for (const Expr *bound : llvm::reverse(bounds)) {
      const Expr *size = bound->operands[0];
      dimFactors[bound] =
          bound == bounds.front() ? rest : context.mod(rest, size);
      rest = context.floorDiv(rest, size);
    }
    body = context.substitute(context.substitute(body, joined), dimFactors);
    const Expr *result = context.reduce(expr->getReduceKind(), body, {key});
    if (result->op == ScalarOp::Reduce && !result->origin)
      result->origin = expr->origin;
    joined[expr] = result;
  });
  return context.substitute(root, joined);
}

/// Rewrites weight and score in the coordinates batch, head, query and key.
void AttentionMatcher::chooseCoordinates(State &state) {
  AttentionMatch &match = state.match;
  ExprMap map;
  auto name = [&](ArrayRef<const Expr *> dimFactors) {
    if (dimFactors.empty())
      return context.integer(0);
    if (dimFactors.size() == 1)
      return dimFactors[0];
    const Expr *coordinate = context.variable(sizeOf(context, dimFactors));
    const Expr *rest = coordinate;
    for (const Expr *dimFactor : llvm::reverse(dimFactors)) {
      map[dimFactor] = dimFactor == dimFactors.front()
                           ? rest
                           : context.mod(rest, dimFactor->operands[0]);
      rest = context.floorDiv(rest, dimFactor->operands[0]);
    }
    return coordinate;
  };
  SmallVector<DimFactors> groups = match.getQueryDims();
  match.coordinates = {name(groups[0]), name(groups[1]), name(groups[2]),
                       name(match.keys)};
  state.key = match.coordinates[3];
  state.weight = context.substitute(state.weight, map);
  if (match.keys.size() > 1)
    state.weight = joinKeys(context, state.weight, match.keys);
  state.score = context.substitute(state.score, map);
}
