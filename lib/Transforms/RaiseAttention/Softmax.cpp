//===----------------------------------------------------------------------===//
// Proves that a weight w(k) is a softmax over k:
//
// 1. Strip guards that write zero, for fully masked rows or NaN.
// 2. Write the weight as a quotient of products. Factors that depend on k must
//    be exp(x(k) + r) and conditions; the denominator must be a single sum D.
// 3. D must be the sum over k of the same exp and conditions; any r then
//    cancels. A term of D that is not a sum over k is the exp of a sink.
// 4. An r that may be NaN or infinite does not cancel: the source computes NaN.
//===----------------------------------------------------------------------===//

#include "Softmax.h"

#include "stof/Scalar/ScalarFunctions.h"

#include <cmath>

using namespace mlir;
using namespace stof;

namespace {
/// exp(exponent) if all conditions are true, else zero.
struct Numerator {
  SmallVector<const Expr *> conditions;
  RealSum exponent;
  bool hasExp = false;
};

class SoftmaxMatcher {
public:
  SoftmaxMatcher(ExprContext &context, const Expr *key, std::string &reason)
      : context(context), key(key), reason(reason) {}

  std::optional<Softmax> match(const Expr *weight);

private:
  bool isVarying(const Expr *expr) { return context.dependsOn(expr, key); }
  bool fail(StringRef why) {
    reason = why.str();
    return false;
  }
  const Expr *stripGuards(const Expr *weight);
  const Expr *stripDenominator(const Expr *sum);
  bool matchNumerator(const Expr *factor, Numerator &result);
  bool matchNumerator(ArrayRef<const Expr *> factors, Numerator &result);
  bool matchDenominator(const Expr *sum, const Numerator &expected);
  /// The reduction over the keys in the denominator `sum`; null on failure. The
  /// other terms are `sinks`, as are columns concatenated to the scores.
  const Expr *splitDenominator(const Expr *sum,
                               SmallVector<const Expr *> &sinks);
  bool matchTotal(const Expr *total, const Numerator &expected);
  bool matchSinks(ArrayRef<const Expr *> sinks, const RealSum &scores);
  bool isHarmless(const Expr *shift);

  ExprContext &context;
  const Expr *key;
  std::string &reason;
  Softmax result;
};
} // namespace

static bool isZero(const Expr *expr) { return expr->isFloatValue(0); }

/// A number of at most this magnitude is absorbed by a sum with exp(0).
static constexpr double negligible = 6e-8;

/// Whether a comparison tests for NaN by comparing a number that depends on
/// scores with itself.
static bool isTestForNaN(const Expr *condition) {
  return condition->op == ScalarOp::CmpF &&
         condition->operands[0] == condition->operands[1] &&
         containsContraction(condition->operands[0]);
}

/// Whether a condition is true only if `sum` is NaN or negligible.
static bool isDegenerate(const Expr *condition, const Expr *sum) {
  using arith::CmpFPredicate;
  if (condition->op != ScalarOp::CmpF)
    return false;
  CmpFPredicate predicate = condition->getFloatPredicate();
  const Expr *lhs = condition->operands[0], *rhs = condition->operands[1];
  if (lhs == sum && rhs == sum)
    return predicate == CmpFPredicate::UNO || predicate == CmpFPredicate::UNE;
  std::optional<APFloat> least = (lhs == sum ? rhs : lhs)->getFloat();
  if (!least || !(std::abs(toDouble(*least)) <= negligible))
    return false;
  switch (predicate) {
  case CmpFPredicate::OEQ:
  case CmpFPredicate::UEQ:
    return true;
  case CmpFPredicate::OLT:
  case CmpFPredicate::OLE:
  case CmpFPredicate::ULT:
  case CmpFPredicate::ULE:
    return lhs == sum;
  case CmpFPredicate::OGT:
  case CmpFPredicate::OGE:
  case CmpFPredicate::UGT:
  case CmpFPredicate::UGE:
    return rhs == sum;
  default:
    return false;
  }
}

const Expr *SoftmaxMatcher::stripGuards(const Expr *weight) {
  while (weight->op == ScalarOp::Select) {
    const Expr *condition = weight->operands[0];
    const Expr *ifTrue = weight->operands[1], *ifFalse = weight->operands[2];
    if (isZero(ifTrue) && isTestForNaN(condition)) {
      arith::CmpFPredicate predicate = condition->getFloatPredicate();
      if (predicate != arith::CmpFPredicate::UNO &&
          predicate != arith::CmpFPredicate::UNE)
        return weight;
      result.zeroForNaN = true;
      weight = ifFalse;
    } else if (isZero(ifFalse) && isTestForNaN(condition)) {
      arith::CmpFPredicate predicate = condition->getFloatPredicate();
      if (predicate != arith::CmpFPredicate::ORD &&
          predicate != arith::CmpFPredicate::OEQ)
        return weight;
      result.zeroForNaN = true;
      weight = ifTrue;
    } else if (isVarying(condition)) {
      return weight;
    } else if (isZero(ifTrue)) {
      result.zeroWhere.push_back(condition);
      weight = ifFalse;
    } else if (isZero(ifFalse)) {
      result.zeroWhere.push_back(context.notI(condition));
      weight = ifTrue;
    } else {
      return weight;
    }
  }
  return weight;
}

/// Strips guards against division by zero.
const Expr *SoftmaxMatcher::stripDenominator(const Expr *sum) {
  while (true) {
    if (sum->op == ScalarOp::MaxF) {
      unsigned constant = sum->operands[0]->getFloat() ? 0 : 1;
      std::optional<APFloat> least = sum->operands[constant]->getFloat();
      if (!least || RealSum::of(sum->operands[constant]).constant > negligible)
        return sum;
      sum = sum->operands[1 - constant];
      continue;
    }
    if (sum->op == ScalarOp::Select && sum->operands[1]->getFloat() &&
        isDegenerate(sum->operands[0], sum->operands[2])) {
      sum = sum->operands[2];
      continue;
    }
    return sum;
  }
}

bool SoftmaxMatcher::matchNumerator(const Expr *factor, Numerator &numerator) {
  while (factor->op == ScalarOp::Select) {
    const Expr *ifTrue = factor->operands[1], *ifFalse = factor->operands[2];
    if (isZero(ifFalse)) {
      numerator.conditions.push_back(factor->operands[0]);
      factor = ifTrue;
    } else if (isZero(ifTrue)) {
      numerator.conditions.push_back(context.notI(factor->operands[0]));
      factor = ifFalse;
    } else {
      break;
    }
  }
  if (factor->isFloatValue(1))
    return true;
  if (factor->op != ScalarOp::Exp) {
    RealProduct product = RealProduct::of(context, factor);
    bool compound = product.over.size() > 1 && product.under.empty() &&
                    product.constant == 1;
    if (compound)
      return matchNumerator(product.over, numerator);
    if (!product.under.empty() && !numerator.conditions.empty())
      return fail("the mask is applied after the softmax");
    return fail("the weights are not an exponential of a score");
  }
  RealSum exponent = RealSum::of(factor->operands[0], /*keepOffsets=*/true);
  for (auto [term, weight] : exponent.terms)
    numerator.exponent.add(term, weight);
  numerator.exponent.constant += exponent.constant;
  numerator.hasExp = true;
  return true;
}

bool SoftmaxMatcher::matchNumerator(ArrayRef<const Expr *> factors,
                                    Numerator &numerator) {
  for (const Expr *factor : factors)
    if (!matchNumerator(factor, numerator))
      return false;
  return true;
}

static bool areEqual(ArrayRef<const Expr *> lhs, ArrayRef<const Expr *> rhs) {
  SmallVector<const Expr *> a(lhs), b(rhs);
  llvm::sort(a);
  llvm::sort(b);
  a.erase(llvm::unique(a), a.end());
  b.erase(llvm::unique(b), b.end());
  return a == b;
}

const Expr *SoftmaxMatcher::splitDenominator(const Expr *sum,
                                             SmallVector<const Expr *> &sinks) {
  RealSum parts = RealSum::of(stripDenominator(sum));
  const Expr *total = nullptr;
  for (auto [term, factor] : parts.terms) {
    if (factor != 1) {
      fail("the sum of the weights is scaled");
      return nullptr;
    }
    if (!total && term->op == ScalarOp::Reduce &&
        term->getReduceKind() == ReduceKind::Add)
      total = term;
    else
      sinks.push_back(term);
  }
  if (parts.constant != 0 &&
      !(parts.constant > 0 && parts.constant <= negligible)) {
    fail("a constant is added to the sum of the weights");
    return nullptr;
  }
  if (!total || total->getBound().size() != 1) {
    fail("the weights are not divided by their sum");
    return nullptr;
  }
  const Expr *bound = total->getBound()[0];
  const Expr *extent = bound->operands[0], *keys = key->operands[0];
  if (extent == keys)
    return total;
  constexpr int64_t maxColumns = 4;
  std::optional<int64_t> more = context.sub(extent, keys)->getInt();
  if (more && (*more < 0 || *more > maxColumns)) {
    fail("the sum of the weights is over another axis");
    return nullptr;
  }
  for (int64_t column = 0; more && column < *more; ++column)
    sinks.push_back(context.substitute(
        total->getBody(),
        ExprMap{{bound, context.linear({keys}, {1}, column)}}));
  return total;
}

bool SoftmaxMatcher::matchTotal(const Expr *total, const Numerator &expected) {
  const Expr *body = context.substitute(total->getBody(),
                                        ExprMap{{total->getBound()[0], key}});
  if (!isVarying(body))
    return fail("the sum of the weights is not over the keys");
  RealProduct product = RealProduct::of(context, body);
  Numerator actual;
  if (!product.under.empty() || product.constant != 1 ||
      !matchNumerator(product.over, actual))
    return fail("the sum is not over the weights");
  if (!actual.exponent.isEqual(expected.exponent))
    return fail("the exponentials in the sum are not those divided by it");
  if (!areEqual(actual.conditions, expected.conditions))
    return fail(
        "the mask of the weights differs from that of their sum: it is applied "
        "after the softmax");
  return true;
}

bool SoftmaxMatcher::matchSinks(ArrayRef<const Expr *> sinks,
                                const RealSum &scores) {
  // The exponents of sinks have the terms shared by all keys as well.
  RealSum shared = scores;
  shared.take([&](const Expr *term) { return isVarying(term); });
  for (const Expr *term : sinks) {
    if (isVarying(term) || term->op != ScalarOp::Exp || result.sink)
      return fail("the sum of the weights has a term that is not a sink");
    RealSum exponent = RealSum::of(term->operands[0]);
    for (auto [part, factor] : shared.terms)
      exponent.add(part, -factor);
    exponent.constant -= shared.constant;
    llvm::erase_if(exponent.terms, [](auto &part) { return part.second == 0; });
    result.sink = exponent.build(context);
  }
  return true;
}

bool SoftmaxMatcher::matchDenominator(const Expr *sum,
                                      const Numerator &expected) {
  SmallVector<const Expr *> sinks;
  const Expr *total = splitDenominator(sum, sinks);
  return total && matchTotal(total, expected) &&
         matchSinks(sinks, expected.exponent);
}

/// Whether a shift that all keys share keeps the weights finite: a maximum of
/// scores, of a sink or of an initial value below all scores, or no extremum at
/// all, such as a bias of the query. A shift by NaN or infinity makes all
/// weights NaN, and one by a minimum makes them overflow.
bool SoftmaxMatcher::isHarmless(const Expr *shift) {
  // Scores are assumed to be at least this.
  constexpr double leastScore = -4096;
  SmallVector<const Expr *> open{shift};
  while (!open.empty()) {
    const Expr *expr = open.pop_back_val();
    if (std::optional<APFloat> start = expr->getFloat()) {
      double value = toDouble(*start);
      if (!(value <= leastScore) && !(result.sink && std::isfinite(value)))
        return false;
      continue;
    }
    if (expr->op == ScalarOp::MaxF) {
      llvm::append_range(open, expr->operands);
      continue;
    }
    bool isMinimum = expr->op == ScalarOp::MinF ||
                     (expr->op == ScalarOp::Reduce &&
                      expr->getReduceKind() == ReduceKind::Min);
    if (isMinimum && containsContraction(expr))
      return false;
  }
  return true;
}

std::optional<Softmax> SoftmaxMatcher::match(const Expr *weight) {
  weight = stripGuards(weight);
  RealProduct product = RealProduct::of(context, weight);
  if (product.over.size() == 1 && product.under.empty() &&
      product.constant == 1 && product.over[0]->op == ScalarOp::Select) {
    weight = stripGuards(product.over[0]);
    product = RealProduct::of(context, weight);
  }
  SmallVector<const Expr *> factors;
  for (const Expr *factor : product.over) {
    const Expr *inner = stripGuards(factor);
    RealProduct nested = RealProduct::of(context, inner);
    if (inner != factor || nested.over.size() + nested.under.size() > 1) {
      llvm::append_range(factors, nested.over);
      llvm::append_range(product.under, nested.under);
      product.constant *= nested.constant;
    } else {
      factors.push_back(factor);
    }
  }
  Numerator numerator;
  for (const Expr *factor : factors) {
    if (!isVarying(factor) && factor->op != ScalarOp::Exp) {
      fail("the weights are scaled after the softmax");
      return std::nullopt;
    }
    if (!matchNumerator(factor, numerator))
      return std::nullopt;
  }
  if (!numerator.hasExp) {
    fail("the weights are not an exponential of a score");
    return std::nullopt;
  }
  if (product.under.size() != 1) {
    fail(product.under.empty() ? "the weights are not divided by their sum, "
                                 "as where blocks of keys are computed one "
                                 "after another"
                               : "the weights are divided by more than a sum");
    return std::nullopt;
  }
  if (std::abs(product.constant - 1) > 1e-6) {
    fail("the weights are scaled after the softmax");
    return std::nullopt;
  }
  if (isVarying(product.under[0])) {
    fail("the softmax and the second contraction reduce different dimensions, "
         "as where heads are mixed");
    return std::nullopt;
  }
  if (!matchDenominator(product.under[0], numerator))
    return std::nullopt;
  RealSum score = numerator.exponent.take(
      [&](const Expr *term) { return isVarying(term); });
  if (score.terms.empty()) {
    fail("the weights are the same for all keys");
    return std::nullopt;
  }
  if (!std::isfinite(numerator.exponent.constant) ||
      llvm::any_of(numerator.exponent.terms,
                   [&](auto &part) { return !isHarmless(part.first); })) {
    fail("the scores are shifted by a number that is not their maximum and "
         "may make the weights NaN");
    return std::nullopt;
  }
  result.score = score.build(context);
  llvm::append_range(result.conditions, numerator.conditions);
  return result;
}

std::optional<Softmax> stof::matchSoftmax(ExprContext &context,
                                          const Expr *weight, const Expr *key,
                                          std::string &reason) {
  return SoftmaxMatcher(context, key, reason).match(weight);
}
