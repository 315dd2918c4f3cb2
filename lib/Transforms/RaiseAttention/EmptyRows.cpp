//===----------------------------------------------------------------------===//
// What a softmax makes of a row whose keys are all masked: the weight, in the
// arithmetic of the source, over a few kinds of numbers.
//===----------------------------------------------------------------------===//

#include "MaskSplit.h"

#include "llvm/ADT/MapVector.h"
#include <cmath>

using namespace mlir;
using namespace stof;

static constexpr double infinity = std::numeric_limits<double>::infinity();

namespace {
/// What is known of a number in a row whose keys are all masked.
struct RowValue {
  enum Kind {
    Known,   // this number
    Uniform, // some positive or unknown number, the same for all keys
    Varying, // as the scores do, and `number` more
    True,
    False,
    Unclear
  } kind = Varying;
  double number = 0;

  bool operator==(const RowValue &other) const {
    bool areNaN = std::isnan(number) && std::isnan(other.number);
    return kind == other.kind &&
           (number == other.number || (kind == Known && areNaN));
  }
};

class RowEvaluator {
public:
  RowEvaluator(ExprContext &context, const Expr *key,
               ArrayRef<const Expr *> dropped, ArrayRef<const Expr *> kept)
      : context(context), key(key), dropped(dropped), kept(kept) {}

  RowValue evaluate(const Expr *root);

  /// What was reduced over the keys, in the order of evaluation.
  llvm::MapVector<const Expr *, RowValue> reduced;

private:
  RowValue evaluateNode(const Expr *expr);
  RowValue evaluateReduce(const Expr *expr);
  RowValue compare(const Expr *expr);
  std::optional<bool> findTruth(const Expr *truth);

  ExprContext &context;
  const Expr *key;
  SmallVector<const Expr *> dropped, kept;
  DenseMap<const Expr *, RowValue> values;
};
} // namespace

/// Whether adding `large` in this type leaves no trace of a usual score.
static bool absorbs(double large, Type type) {
  constexpr double usualScore = 8;
  auto precision =
      APFloat::semanticsPrecision(cast<FloatType>(type).getFloatSemantics());
  double halfUnit = std::ldexp(1.0, std::ilogb(large) - int(precision));
  return halfUnit >= usualScore;
}

/// `number` as this type stores it.
static double roundTo(Type type, double number) {
  if (!isa<Float16Type, BFloat16Type, Float32Type>(type))
    return number;
  APFloat rounded(number);
  bool isInexact;
  rounded.convert(cast<FloatType>(type).getFloatSemantics(),
                  APFloat::rmNearestTiesToEven, &isInexact);
  return toDouble(rounded);
}

std::optional<bool> RowEvaluator::findTruth(const Expr *truth) {
  for (bool value : {false, true}) {
    ArrayRef<const Expr *> known = value ? kept : dropped;
    if (llvm::is_contained(known, truth))
      return value;
    if (llvm::is_contained(known, context.notI(truth)))
      return !value;
  }
  return truth->getTruth();
}

RowValue RowEvaluator::evaluate(const Expr *root) {
  walkExpr(root, [&](const Expr *expr) {
    if (!values.contains(expr))
      values[expr] = evaluateNode(expr);
  });
  return values[root];
}

RowValue RowEvaluator::evaluateReduce(const Expr *expr) {
  // In a row with no key the elements that are reduced are those of any key.
  const Expr *body = expr->getBody();
  if (matchContraction(expr))
    return {RowValue::Varying};
  ExprMap map;
  for (const Expr *bound : expr->getBound())
    map[bound] = key;
  RowValue element = evaluate(context.substitute(body, map));
  reduced[expr] = element;
  switch (expr->getReduceKind()) {
  case ReduceKind::Add:
    if (element.kind == RowValue::Known &&
        (element.number == 0 || std::isnan(element.number)))
      return element;
    return {RowValue::Uniform};
  case ReduceKind::Max:
  case ReduceKind::Min:
    return element.kind == RowValue::Known ? element
                                           : RowValue{RowValue::Uniform};
  case ReduceKind::And:
  case ReduceKind::Or:
    return element;
  default:
    return {RowValue::Unclear};
  }
}

RowValue RowEvaluator::compare(const Expr *expr) {
  RowValue lhs = values.lookup(expr->operands[0]);
  RowValue rhs = values.lookup(expr->operands[1]);
  if (lhs.kind == RowValue::Known && rhs.kind == RowValue::Known)
    return {arith::applyCmpPredicate(expr->getFloatPredicate(),
                                     APFloat(lhs.number), APFloat(rhs.number))
                ? RowValue::True
                : RowValue::False};
  // Finite scores are not infinite.
  bool isEqual = expr->getFloatPredicate() == arith::CmpFPredicate::OEQ ||
                 expr->getFloatPredicate() == arith::CmpFPredicate::UEQ;
  if (isEqual && rhs.kind == RowValue::Known && std::isinf(rhs.number))
    return {RowValue::False};
  if (expr->getFloatPredicate() == arith::CmpFPredicate::UNO)
    return {RowValue::False};
  return {RowValue::Unclear};
}

RowValue RowEvaluator::evaluateNode(const Expr *expr) {
  if (expr->isTruth()) {
    if (std::optional<bool> known = findTruth(expr))
      return {*known ? RowValue::True : RowValue::False};
    if (expr->op == ScalarOp::CmpF)
      return compare(expr);
    if (expr->op == ScalarOp::CmpI) {
      RowValue lhs = values.lookup(expr->operands[0]);
      RowValue rhs = values.lookup(expr->operands[1]);
      if (lhs.kind != RowValue::Known || rhs.kind != RowValue::Known)
        return {RowValue::Unclear};
      auto toInt = [](RowValue value) {
        return APInt(64, int64_t(value.number), /*isSigned=*/true);
      };
      return {arith::applyCmpPredicate(expr->getIntPredicate(), toInt(lhs),
                                       toInt(rhs))
                  ? RowValue::True
                  : RowValue::False};
    }
    if (expr->op == ScalarOp::Reduce)
      return evaluateReduce(expr);
    if (expr->op == ScalarOp::And || expr->op == ScalarOp::Or) {
      RowValue::Kind deciding =
          expr->op == ScalarOp::And ? RowValue::False : RowValue::True;
      RowValue lhs = values.lookup(expr->operands[0]);
      RowValue rhs = values.lookup(expr->operands[1]);
      if (lhs.kind == deciding || rhs.kind == deciding)
        return {deciding};
      return lhs.kind == rhs.kind ? lhs : RowValue{RowValue::Unclear};
    }
    if (expr->op == ScalarOp::Xor && expr->operands[1]->getTruth() == true) {
      RowValue inner = values.lookup(expr->operands[0]);
      if (inner.kind == RowValue::True)
        return {RowValue::False};
      if (inner.kind == RowValue::False)
        return {RowValue::True};
    }
    return {RowValue::Unclear};
  }
  // Of integers only what counts keys: constants chosen and reduced.
  if (std::optional<int64_t> number = expr->getInt())
    return {RowValue::Known, double(*number)};
  if (!expr->isFloat() && expr->op != ScalarOp::Select &&
      expr->op != ScalarOp::Reduce)
    return {};
  auto operand = [&](unsigned i) { return values.lookup(expr->operands[i]); };
  auto known = [&](double number) {
    return RowValue{RowValue::Known, roundTo(expr->type, number)};
  };
  switch (expr->op) {
  case ScalarOp::Constant:
    return known(toDouble(*expr->getFloat()));
  case ScalarOp::Cast:
    return operand(0).kind == RowValue::Known ? known(operand(0).number)
                                              : operand(0);
  case ScalarOp::Select:
    if (operand(0).kind == RowValue::True)
      return operand(1);
    if (operand(0).kind == RowValue::False)
      return operand(2);
    return operand(2);
  case ScalarOp::Reduce:
    return evaluateReduce(expr);
  case ScalarOp::Exp:
  case ScalarOp::Exp2:
    if (operand(0).kind == RowValue::Known)
      return known(expr->op == ScalarOp::Exp ? std::exp(operand(0).number)
                                             : std::exp2(operand(0).number));
    return operand(0);
  case ScalarOp::Log:
    if (operand(0).kind == RowValue::Known)
      return known(std::log(operand(0).number));
    return operand(0);
  case ScalarOp::NegF:
    return operand(0).kind == RowValue::Known ? known(-operand(0).number)
                                              : operand(0);
  case ScalarOp::AddF:
  case ScalarOp::SubF:
  case ScalarOp::MulF:
  case ScalarOp::DivF:
  case ScalarOp::MaxF:
  case ScalarOp::MinF: {
    RowValue lhs = operand(0), rhs = operand(1);
    if (lhs.kind == RowValue::Known && rhs.kind == RowValue::Known) {
      double a = lhs.number, b = rhs.number;
      switch (expr->op) {
      case ScalarOp::AddF:
        return known(a + b);
      case ScalarOp::SubF:
        return known(a - b);
      case ScalarOp::MulF:
        return known(a * b);
      case ScalarOp::DivF:
        return known(a / b);
      case ScalarOp::MaxF:
        return known(std::max(a, b));
      default:
        return known(std::min(a, b));
      }
    }
    RowValue fixed = lhs.kind == RowValue::Known ? lhs : rhs;
    RowValue other = lhs.kind == RowValue::Known ? rhs : lhs;
    if (fixed.kind == RowValue::Known) {
      bool additive = expr->op == ScalarOp::AddF || expr->op == ScalarOp::SubF;
      double sign =
          expr->op == ScalarOp::SubF && rhs.kind == RowValue::Known ? -1 : 1;
      if (additive && std::isinf(fixed.number))
        return known(sign * fixed.number);
      if (additive && other.kind == RowValue::Varying && fixed.number != 0 &&
          absorbs(fixed.number, expr->type))
        return known(sign * fixed.number);
      if (additive && other.kind == RowValue::Varying)
        return {RowValue::Varying, other.number + sign * fixed.number};
      if (std::isnan(fixed.number))
        return fixed;
      if (expr->op == ScalarOp::MulF && fixed.number == 0)
        return fixed;
      if (expr->op == ScalarOp::DivF && lhs.kind == RowValue::Known &&
          lhs.number == 0)
        return lhs;
      if (expr->op == ScalarOp::MaxF && fixed.number == -infinity)
        return other;
      return other;
    }
    if (lhs.kind == RowValue::Varying || rhs.kind == RowValue::Varying)
      return {RowValue::Varying, lhs.number + rhs.number};
    return {RowValue::Uniform};
  }
  case ScalarOp::Element:
    return {context.dependsOn(expr, key) ? RowValue::Varying
                                         : RowValue::Uniform};
  default:
    return {RowValue::Varying};
  }
}

static EmptyRow toEmptyRow(RowValue weight) {
  switch (weight.kind) {
  case RowValue::Known:
    if (weight.number == 0)
      return EmptyRow::Zero;
    return std::isnan(weight.number) ? EmptyRow::NaN : EmptyRow::Mean;
  case RowValue::Uniform:
    return EmptyRow::Mean;
  default:
    return EmptyRow::Unmasked;
  }
}

/// What the truth values are where some masks drop a key and others keep it.
static ExprMap decideMasks(ExprContext &context, ArrayRef<const Expr *> dropped,
                           ArrayRef<const Expr *> kept) {
  ExprMap known;
  for (bool value : {false, true})
    for (const Expr *keep : value ? kept : dropped) {
      known[keep] = context.truth(value);
      known[context.notI(keep)] = context.truth(!value);
    }
  return known;
}

/// Whether what is dropped says that something kept is dropped as well.
static bool isContradiction(ExprContext &context,
                            ArrayRef<const Expr *> dropped,
                            ArrayRef<const Expr *> kept) {
  ExprMap known = decideMasks(context, dropped, {});
  return llvm::any_of(kept, [&](const Expr *keep) {
    return context.substitute(keep, known)->getTruth() == false;
  });
}

/// More masks than this are not looked at.
static constexpr unsigned mostMasks = 6;

/// Calls `visit` with every division of the masks into those that drop a key,
/// at least one, and those that keep it, until that returns false.
static bool
forEachWayToDrop(ExprContext &context, ArrayRef<const Expr *> keeps,
                 function_ref<bool(SmallVector<const Expr *> &dropped,
                                   ArrayRef<const Expr *> kept)>
                     visit) {
  if (keeps.size() > mostMasks)
    return false;
  for (unsigned bits = 1u << keeps.size(); --bits;) {
    SmallVector<const Expr *> dropped, kept;
    for (auto [i, keep] : llvm::enumerate(keeps))
      (bits >> i & 1 ? dropped : kept).push_back(keep);
    if (!isContradiction(context, dropped, kept) && !visit(dropped, kept))
      return false;
  }
  return true;
}

std::optional<EmptyRow> stof::evaluateEmptyRow(ExprContext &context,
                                               const Expr *weight,
                                               ArrayRef<const Expr *> keeps,
                                               const Expr *key) {
  const Expr *all = context.truth(true);
  for (const Expr *keep : keeps)
    all = context.andI(all, keep);
  // Each key is dropped by some of the masks: whichever they are, the numbers
  // that are reduced have to be the same.
  std::optional<RowEvaluator> first;
  RowValue result;
  bool areSame = forEachWayToDrop(
      context, keeps,
      [&](SmallVector<const Expr *> &dropped, ArrayRef<const Expr *> kept) {
        dropped.push_back(all);
        RowEvaluator evaluator(context, key, dropped, kept);
        RowValue value = evaluator.evaluate(weight);
        if (!first) {
          first.emplace(std::move(evaluator));
          result = value;
          return true;
        }
        return llvm::all_of(evaluator.reduced, [&](const auto &element) {
          return first->reduced.lookup(element.first) == element.second;
        });
      });
  if (!areSame)
    return std::nullopt;
  return toEmptyRow(result);
}

bool stof::isShiftedByMasks(ExprContext &context, const Expr *score,
                            const Expr *kept, ArrayRef<const Expr *> keeps) {
  RealSum usual = RealSum::of(kept);
  return forEachWayToDrop(
      context, keeps,
      [&](ArrayRef<const Expr *> dropped, ArrayRef<const Expr *> others) {
        RealSum sum = RealSum::of(
            context.substitute(score, decideMasks(context, dropped, others)));
        sum.constant = usual.constant;
        return sum.isEqual(usual);
      });
}
