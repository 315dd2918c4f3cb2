//===----------------------------------------------------------------------===//
// Evaluates conditions on a row with an unmasked key. Reductions over the keys
// are bounded by their operand at that key: a maximum is at least its score, a
// sum of exponentials is positive, and not all keys are masked.
//===----------------------------------------------------------------------===//

#include "MaskSplit.h"
#include "stof/Scalar/ScalarVisitor.h"

#include <cmath>

using namespace mlir;
using namespace stof;

static constexpr double infinity = std::numeric_limits<double>::infinity();

namespace {
class RowOfKey : private ScalarVisitor<RowOfKey, std::optional<bool>> {
public:
  RowOfKey(ExprContext &context, ArrayRef<const Expr *> keeps, const Expr *key,
           double bound)
      : context(context), key(key), bound(bound) {
    for (const Expr *keep : keeps) {
      kept[keep] = context.boolean(true);
      kept[context.notI(keep)] = context.boolean(false);
    }
  }

  /// The value of a predicate, if it is implied.
  std::optional<bool> evaluate(const Expr *predicate);

private:
  friend ScalarVisitor;

  std::optional<bool> visitExpr(const Expr *) { return std::nullopt; }
  std::optional<bool> visitReduce(const Expr *expr);
  std::optional<bool> visitLogic(const Expr *expr);
  std::optional<bool> visitXor(const Expr *expr);
  std::optional<bool> visitCmpI(const Expr *expr);
  std::optional<bool> visitCmpF(const Expr *expr);

  const Expr *atKey(const Expr *reduction);
  RealRange range(const Expr *expr);
  RealRange integerRange(const Expr *expr);
  RealRange rangeOfReduction(const Expr *expr, RealRange here, bool isPositive);

  ExprContext &context;
  const Expr *key;
  double bound;
  ExprMap kept;
};
} // namespace

/// The operand of a reduction at the unmasked key; null if the reduction is not
/// over the keys.
const Expr *RowOfKey::atKey(const Expr *reduction) {
  ArrayRef<const Expr *> bounds = reduction->getBound();
  if (bounds.size() != 1 || bounds[0]->operands[0] != key->operands[0])
    return nullptr;
  const Expr *body =
      context.substitute(reduction->getBody(), ExprMap{{bounds[0], key}});
  return context.substitute(body, kept);
}

RealRange RowOfKey::rangeOfReduction(const Expr *expr, RealRange here,
                                     bool isPositive) {
  switch (expr->getReduceKind()) {
  case ReduceKind::Max:
    return {here.lo, infinity};
  case ReduceKind::Min:
    return {-infinity, here.hi};
  case ReduceKind::Add:
    if (isPositive)
      return {here.lo, infinity};
    [[fallthrough]];
  default:
    return {-infinity, infinity};
  }
}

RealRange RowOfKey::range(const Expr *expr) {
  while (expr->op == ScalarOp::Cast)
    expr = expr->operands[0];
  if (expr->op != ScalarOp::Reduce || matchContraction(expr)) {
    // The bound applies to scores, including added numbers, and to floats that
    // are read, but not to unbounded integers outside scores or to other sums.
    bool isScore = containsContraction(expr), isSimple = true;
    walkExpr(expr, [&](const Expr *inner) {
      if (inner->op == ScalarOp::IToF)
        isSimple &= isScore || isBounded(inner->operands[0]);
      if (inner->op == ScalarOp::Reduce && inner->isFloat())
        isSimple &= inner->getReduceKind() != ReduceKind::Add ||
                    matchContraction(inner);
    });
    return isSimple ? rangeOf(expr, nullptr, bound)
                    : RealRange{-infinity, infinity};
  }
  const Expr *body = atKey(expr);
  if (!body)
    return {-infinity, infinity};
  RealRange here = range(body);
  if (body->op == ScalarOp::Exp || body->op == ScalarOp::Exp2)
    here.lo = std::max(here.lo, std::numeric_limits<double>::denorm_min());
  return rangeOfReduction(expr, here,
                          rangeOf(expr->getBody(), nullptr, infinity).lo >= 0);
}

RealRange RowOfKey::integerRange(const Expr *expr) {
  const Expr *body = expr->op == ScalarOp::Reduce ? atKey(expr) : nullptr;
  const Expr *known = body ? body : expr;
  RealRange here{known->lo == Expr::minInt ? -infinity : double(known->lo),
                 known->hi == Expr::maxInt ? infinity : double(known->hi)};
  return body ? rangeOfReduction(expr, here, expr->getBody()->lo >= 0) : here;
}

/// The result of `lhs < rhs`, or `lhs <= rhs`, if it is implied by the ranges.
static std::optional<bool> isLess(RealRange lhs, RealRange rhs, bool orEqual) {
  if (orEqual ? lhs.hi <= rhs.lo : lhs.hi < rhs.lo)
    return true;
  if (orEqual ? lhs.lo > rhs.hi : lhs.lo >= rhs.hi)
    return false;
  return std::nullopt;
}

static std::optional<bool> areEqual(RealRange lhs, RealRange rhs) {
  if (lhs.lo > rhs.hi || lhs.hi < rhs.lo)
    return false;
  return std::nullopt;
}

static std::optional<bool> negate(std::optional<bool> value) {
  return value ? std::optional(!*value) : std::nullopt;
}

/// The result of a comparison, if it is implied by the ranges.
static std::optional<bool> decide(arith::CmpFPredicate predicate, RealRange lhs,
                                  RealRange rhs) {
  using arith::CmpFPredicate;
  switch (predicate) {
  case CmpFPredicate::OEQ:
  case CmpFPredicate::UEQ:
    return areEqual(lhs, rhs);
  case CmpFPredicate::ONE:
  case CmpFPredicate::UNE:
    return negate(areEqual(lhs, rhs));
  case CmpFPredicate::OLT:
  case CmpFPredicate::ULT:
    return isLess(lhs, rhs, /*orEqual=*/false);
  case CmpFPredicate::OLE:
  case CmpFPredicate::ULE:
    return isLess(lhs, rhs, /*orEqual=*/true);
  case CmpFPredicate::OGT:
  case CmpFPredicate::UGT:
    return isLess(rhs, lhs, /*orEqual=*/false);
  case CmpFPredicate::OGE:
  case CmpFPredicate::UGE:
    return isLess(rhs, lhs, /*orEqual=*/true);
  default:
    return std::nullopt;
  }
}

/// The comparison of reals that a comparison of integers is, in the forms that
/// ExprContext leaves.
static std::optional<arith::CmpFPredicate>
toReal(arith::CmpIPredicate predicate) {
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return arith::CmpFPredicate::OEQ;
  case arith::CmpIPredicate::ne:
    return arith::CmpFPredicate::ONE;
  case arith::CmpIPredicate::slt:
    return arith::CmpFPredicate::OLT;
  case arith::CmpIPredicate::sle:
    return arith::CmpFPredicate::OLE;
  default:
    return std::nullopt;
  }
}

std::optional<bool> RowOfKey::evaluate(const Expr *predicate) {
  std::optional<bool> known = predicate->getBool();
  return known ? known : visit(predicate);
}

std::optional<bool> RowOfKey::visitReduce(const Expr *expr) {
  const Expr *body = atKey(expr);
  bool deciding = expr->getReduceKind() == ReduceKind::Or;
  if (body && (deciding || expr->getReduceKind() == ReduceKind::And) &&
      evaluate(body) == deciding)
    return deciding;
  return std::nullopt;
}

std::optional<bool> RowOfKey::visitLogic(const Expr *expr) {
  bool deciding = expr->op == ScalarOp::Or;
  std::optional<bool> lhs = evaluate(expr->operands[0]);
  std::optional<bool> rhs = evaluate(expr->operands[1]);
  if (lhs == deciding || rhs == deciding)
    return deciding;
  return lhs && rhs ? lhs : std::nullopt;
}

std::optional<bool> RowOfKey::visitXor(const Expr *expr) {
  return expr->operands[1]->getBool() == true
             ? negate(evaluate(expr->operands[0]))
             : std::nullopt;
}

std::optional<bool> RowOfKey::visitCmpI(const Expr *expr) {
  std::optional<arith::CmpFPredicate> predicate =
      toReal(expr->getIntPredicate());
  if (!predicate || expr->operands[0]->isPredicate())
    return std::nullopt;
  RealRange lhs = integerRange(expr->operands[0]);
  RealRange rhs = integerRange(expr->operands[1]);
  return decide(*predicate, lhs, rhs);
}

std::optional<bool> RowOfKey::visitCmpF(const Expr *expr) {
  RealRange lhs = range(expr->operands[0]), rhs = range(expr->operands[1]);
  return decide(expr->getFloatPredicate(), lhs, rhs);
}

bool stof::isFalseWithUnmaskedKey(ExprContext &context, const Expr *condition,
                                  ArrayRef<const Expr *> keeps, const Expr *key,
                                  double bound) {
  return RowOfKey(context, keeps, key, bound).evaluate(condition) == false;
}
