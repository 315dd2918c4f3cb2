//===----------------------------------------------------------------------===//
// Scalar expressions: comparisons, logic and selection.
//===----------------------------------------------------------------------===//

#include "ExactInteger.h"
#include "IntegerSums.h"
#include "stof/Scalar/ScalarFunctions.h"
#include "stof/Scalar/ScalarRange.h"

using namespace mlir;
using namespace stof;
using arith::CmpFPredicate;
using arith::CmpIPredicate;

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

/// Whether `value` is a variable of extent `size`, hence below it.
static bool isBelow(const Expr *value, const Expr *size) {
  return (value->op == ScalarOp::Variable || value->op == ScalarOp::Bound) &&
         value->operands[0] == size;
}

/// A comparison of predicates is logic. True is 1 if unsigned, -1 if signed.
static const Expr *compareTruths(ExprContext &context, CmpIPredicate predicate,
                                 const Expr *lhs, const Expr *rhs) {
  switch (predicate) {
  case CmpIPredicate::ne:
    return context.xorI(lhs, rhs);
  case CmpIPredicate::eq:
    return context.notI(context.xorI(lhs, rhs));
  case CmpIPredicate::slt:
  case CmpIPredicate::ugt:
    return context.andI(lhs, context.notI(rhs));
  case CmpIPredicate::sle:
  case CmpIPredicate::uge:
    return context.orI(lhs, context.notI(rhs));
  case CmpIPredicate::sgt:
  case CmpIPredicate::ult:
    return context.andI(context.notI(lhs), rhs);
  case CmpIPredicate::sge:
  case CmpIPredicate::ule:
    return context.orI(context.notI(lhs), rhs);
  }
  llvm_unreachable("all predicates are handled");
}

/// The comparison of exchanged operands, for one that is greater; nothing for
/// the others, which are left as they are.
static std::optional<CmpIPredicate> exchange(CmpIPredicate predicate) {
  switch (predicate) {
  case CmpIPredicate::sgt:
    return CmpIPredicate::slt;
  case CmpIPredicate::sge:
    return CmpIPredicate::sle;
  case CmpIPredicate::ugt:
    return CmpIPredicate::ult;
  case CmpIPredicate::uge:
    return CmpIPredicate::ule;
  default:
    return std::nullopt;
  }
}

static bool isEquality(CmpIPredicate predicate) {
  return predicate == CmpIPredicate::eq || predicate == CmpIPredicate::ne;
}

/// The result of a signed comparison if it is known.
static std::optional<bool> decideOrder(ExprContext &context,
                                       CmpIPredicate predicate, const Expr *lhs,
                                       const Expr *rhs) {
  if (lhs == rhs)
    return predicate == CmpIPredicate::eq || predicate == CmpIPredicate::sle;
  // The difference of large constants wraps.
  if (lhs->getInt() && rhs->getInt())
    return compareIntegers(predicate, *lhs->getInt(), *rhs->getInt());
  IntegerRange distance =
      inferSum({IntegerRange::of(lhs), IntegerRange::of(rhs)}, {1, -1}, 0);
  if (distance.isKnown())
    if (std::optional<bool> known =
            decide(predicate, IntegerRange::of(context.sub(lhs, rhs)),
                   IntegerRange::point(0)))
      return known;
  if (isBelow(lhs, rhs))
    return predicate != CmpIPredicate::eq;
  if (isBelow(rhs, lhs))
    return predicate == CmpIPredicate::ne;
  return std::nullopt;
}

/// A simpler form of a signed comparison, null if there is none.
static const Expr *simplify(ExprContext &context, CmpIPredicate predicate,
                            const Expr *lhs, const Expr *rhs) {
  if (lhs->isChoice() && rhs->isConstant()) {
    const Expr *ifTrue = context.cmpI(predicate, lhs->operands[1], rhs);
    const Expr *ifFalse = context.cmpI(predicate, lhs->operands[2], rhs);
    return context.select(lhs->operands[0], ifTrue, ifFalse);
  }
  if (rhs->isChoice() && lhs->isConstant()) {
    const Expr *ifTrue = context.cmpI(predicate, lhs, rhs->operands[1]);
    const Expr *ifFalse = context.cmpI(predicate, lhs, rhs->operands[2]);
    return context.select(rhs->operands[0], ifTrue, ifFalse);
  }
  // `a - b` compared with 0 is a compared with b.
  bool isDifference =
      lhs->op == ScalarOp::Linear && lhs->operands.size() == 2 &&
      lhs->ints[0] == -lhs->ints[1] && std::abs(lhs->ints[0]) == 1;
  if (rhs->getInt() != 0 || !isDifference || lhs->lo == Expr::minInt)
    return nullptr;
  unsigned positive = lhs->ints[0] == 1 ? 0 : 1;
  return context.cmpI(
      predicate, lhs->operands[positive],
      context.linear({lhs->operands[1 - positive]}, {1}, -lhs->ints.back()));
}

const Expr *ExprContext::cmpI(CmpIPredicate predicate, const Expr *lhs,
                              const Expr *rhs) {
  if (lhs->isPredicate())
    return compareTruths(*this, predicate, lhs, rhs);
  if (std::optional<CmpIPredicate> less = exchange(predicate))
    return cmpI(*less, rhs, lhs);
  if (isUnsigned(predicate) && lhs->lo >= 0 && rhs->lo >= 0)
    return cmpI(toSigned(predicate), lhs, rhs);
  if (!isUnsigned(predicate)) {
    if (std::optional<bool> known = decideOrder(*this, predicate, lhs, rhs))
      return boolean(*known);
    if (const Expr *simpler = simplify(*this, predicate, lhs, rhs))
      return simpler;
  }
  // Constants are on the right, others in the order of creation.
  bool isReversed =
      lhs->isConstant() || (!rhs->isConstant() && lhs->id > rhs->id);
  if (isEquality(predicate) && isReversed)
    std::swap(lhs, rhs);
  return unique(
      ScalarOp::CmpI, boolType, {lhs, rhs}, {},
      IntegerAttr::get(IntegerType::get(context, 64), int64_t(predicate)));
}

/// What `predicate` is on floats that are integers, none of them NaN.
static std::optional<CmpIPredicate> toIntegers(CmpFPredicate predicate) {
  switch (predicate) {
  case CmpFPredicate::OEQ:
  case CmpFPredicate::UEQ:
    return CmpIPredicate::eq;
  case CmpFPredicate::ONE:
  case CmpFPredicate::UNE:
    return CmpIPredicate::ne;
  case CmpFPredicate::OLT:
  case CmpFPredicate::ULT:
    return CmpIPredicate::slt;
  case CmpFPredicate::OLE:
  case CmpFPredicate::ULE:
    return CmpIPredicate::sle;
  case CmpFPredicate::OGT:
  case CmpFPredicate::UGT:
    return CmpIPredicate::sgt;
  case CmpFPredicate::OGE:
  case CmpFPredicate::UGE:
    return CmpIPredicate::sge;
  default:
    return std::nullopt;
  }
}

const Expr *ExprContext::cmpF(CmpFPredicate predicate, const Expr *lhs,
                              const Expr *rhs) {
  if (std::optional<APFloat> a = lhs->getFloat(), b = rhs->getFloat(); a && b)
    return boolean(arith::applyCmpPredicate(predicate, *a, *b));
  if (lhs->isChoice() && rhs->isConstant())
    return select(lhs->operands[0], cmpF(predicate, lhs->operands[1], rhs),
                  cmpF(predicate, lhs->operands[2], rhs));
  if (rhs->isChoice() && lhs->isConstant())
    return select(rhs->operands[0], cmpF(predicate, lhs, rhs->operands[1]),
                  cmpF(predicate, lhs, rhs->operands[2]));
  // A widening cast is removed if the constant is exact in the narrow type.
  if (lhs->op == ScalarOp::Cast && rhs->isConstant() &&
      lhs->type.getIntOrFloatBitWidth() >
          lhs->operands[0]->type.getIntOrFloatBitWidth()) {
    Type narrow = lhs->operands[0]->type;
    const Expr *converted = real(*rhs->getFloat(), narrow);
    if (real(*converted->getFloat(), lhs->type) == rhs)
      return cmpF(predicate, lhs->operands[0], converted);
  }
  // The right one first: it is a constant for the most part, often infinite.
  if (std::optional<CmpIPredicate> ofIntegers = toIntegers(predicate))
    if (const Expr *b = findExactInteger(*this, rhs))
      if (const Expr *a = findExactInteger(*this, lhs))
        return cmpI(*ofIntegers, a, b);
  return unique(
      ScalarOp::CmpF, boolType, {lhs, rhs}, {},
      IntegerAttr::get(IntegerType::get(context, 64), int64_t(predicate)));
}

//===----------------------------------------------------------------------===//
// Logic
//===----------------------------------------------------------------------===//

static bool isNot(const Expr *expr, const Expr *operand) {
  return expr->op == ScalarOp::Xor && expr->operands[0] == operand &&
         expr->operands[1]->getBool() == true;
}

/// Whether `lhs` implies `rhs`, for comparisons of the same difference.
static bool implies(ExprContext &context, const Expr *lhs, const Expr *rhs) {
  if (lhs == rhs)
    return true;
  if (lhs->op != ScalarOp::CmpI || rhs->op != ScalarOp::CmpI ||
      lhs->operands[0]->isPredicate() || rhs->operands[0]->isPredicate())
    return false;
  const Expr *known = context.sub(lhs->operands[0], lhs->operands[1]);
  const Expr *asked = context.sub(rhs->operands[0], rhs->operands[1]);
  if (known->lo == Expr::minInt || asked->lo == Expr::minInt)
    return false;
  int64_t lo = known->lo, hi = known->hi;
  switch (lhs->getIntPredicate()) {
  case CmpIPredicate::eq:
    lo = hi = 0;
    break;
  case CmpIPredicate::slt:
    hi = std::min<int64_t>(hi, -1);
    break;
  case CmpIPredicate::sle:
    hi = std::min<int64_t>(hi, 0);
    break;
  default:
    return false;
  }
  // The differences must be equal or opposite, up to a constant.
  auto inside = [&](int64_t from, int64_t to) {
    switch (rhs->getIntPredicate()) {
    case CmpIPredicate::eq:
      return from == 0 && to == 0;
    case CmpIPredicate::ne:
      return from > 0 || to < 0;
    case CmpIPredicate::slt:
      return to < 0;
    case CmpIPredicate::sle:
      return to <= 0;
    default:
      return false;
    }
  };
  if (std::optional<int64_t> shift = context.sub(asked, known)->getInt())
    return inside(lo + *shift, hi + *shift);
  if (std::optional<int64_t> shift = context.add(asked, known)->getInt())
    return inside(*shift - hi, *shift - lo);
  return false;
}

const Expr *ExprContext::andI(const Expr *lhs, const Expr *rhs) {
  if (lhs->type == boolType) {
    for (auto [one, two] : {std::pair(lhs, rhs), std::pair(rhs, lhs)}) {
      if (std::optional<bool> known = one->getBool())
        return *known ? two : one;
      if (isNot(one, two))
        return boolean(false);
      if (implies(*this, one, two))
        return one;
    }
  }
  if (lhs == rhs)
    return lhs;
  if (lhs->id > rhs->id)
    std::swap(lhs, rhs);
  return unique(ScalarOp::And, lhs->type, {lhs, rhs});
}

const Expr *ExprContext::orI(const Expr *lhs, const Expr *rhs) {
  if (lhs->type == boolType) {
    for (auto [one, two] : {std::pair(lhs, rhs), std::pair(rhs, lhs)}) {
      if (std::optional<bool> known = one->getBool())
        return *known ? one : two;
      if (isNot(one, two))
        return boolean(true);
      if (implies(*this, one, two))
        return two;
    }
  }
  if (lhs == rhs)
    return lhs;
  if (lhs->id > rhs->id)
    std::swap(lhs, rhs);
  return unique(ScalarOp::Or, lhs->type, {lhs, rhs});
}

static std::optional<CmpIPredicate> negate(CmpIPredicate predicate) {
  switch (predicate) {
  case CmpIPredicate::eq:
    return CmpIPredicate::ne;
  case CmpIPredicate::ne:
    return CmpIPredicate::eq;
  default:
    return std::nullopt;
  }
}

const Expr *ExprContext::xorI(const Expr *lhs, const Expr *rhs) {
  if (lhs->type == boolType) {
    if (lhs->getBool())
      std::swap(lhs, rhs);
    if (std::optional<bool> known = rhs->getBool()) {
      if (std::optional<bool> other = lhs->getBool())
        return boolean(*known != *other);
      if (!*known)
        return lhs;
      if (lhs->op == ScalarOp::Xor && lhs->operands[1]->getBool() == true)
        return lhs->operands[0];
      if (lhs->op == ScalarOp::CmpI && !lhs->operands[0]->isPredicate()) {
        CmpIPredicate predicate = lhs->getIntPredicate();
        if (std::optional<CmpIPredicate> opposite = negate(predicate))
          return cmpI(*opposite, lhs->operands[0], lhs->operands[1]);
        if (predicate == CmpIPredicate::slt)
          return cmpI(CmpIPredicate::sle, lhs->operands[1], lhs->operands[0]);
        if (predicate == CmpIPredicate::sle)
          return cmpI(CmpIPredicate::slt, lhs->operands[1], lhs->operands[0]);
      }
      return unique(ScalarOp::Xor, boolType, {lhs, rhs});
    }
    if (lhs == rhs)
      return boolean(false);
  }
  if (lhs->id > rhs->id)
    std::swap(lhs, rhs);
  return unique(ScalarOp::Xor, lhs->type, {lhs, rhs});
}

//===----------------------------------------------------------------------===//
// Selection
//===----------------------------------------------------------------------===//

/// A floor modulo written with a truncating one: `r < 0 ? r + n : r`, where r
/// is `a rem n` and n is positive.
static const Expr *truncatingMod(ExprContext &context, const Expr *condition,
                                 const Expr *ifTrue, const Expr *ifFalse) {
  if (ifFalse->op != ScalarOp::RemS)
    return nullptr;
  const Expr *divisor = ifFalse->operands[1];
  std::optional<int64_t> known = divisor->getInt();
  if (!known || *known <= 0 || ifTrue != context.add(ifFalse, divisor) ||
      condition !=
          context.cmpI(CmpIPredicate::slt, ifFalse, context.integer(0)))
    return nullptr;
  return context.mod(ifFalse->operands[0], divisor);
}

/// A floor division written with a truncating one: `r < 0 ? q - 1 : q`, where r
/// is `a rem n`, q is `a div n` and n is positive.
static const Expr *truncatingDiv(ExprContext &context, const Expr *condition,
                                 const Expr *ifTrue, const Expr *ifFalse) {
  if (ifFalse->op != ScalarOp::DivS)
    return nullptr;
  const Expr *dividend = ifFalse->operands[0], *divisor = ifFalse->operands[1];
  std::optional<int64_t> known = divisor->getInt();
  if (!known || *known <= 0 || ifTrue != context.linear({ifFalse}, {1}, -1) ||
      condition != context.cmpI(CmpIPredicate::slt,
                                context.remS(dividend, divisor),
                                context.integer(0)))
    return nullptr;
  return context.floorDiv(dividend, divisor);
}

/// A select between predicates of which one is known is logic; null for others.
static const Expr *selectTruth(ExprContext &context, const Expr *condition,
                               const Expr *ifTrue, const Expr *ifFalse) {
  if (std::optional<bool> known = ifTrue->getBool())
    return *known ? context.orI(condition, ifFalse)
                  : context.andI(context.notI(condition), ifFalse);
  if (std::optional<bool> known = ifFalse->getBool())
    return *known ? context.orI(context.notI(condition), ifTrue)
                  : context.andI(condition, ifTrue);
  return nullptr;
}

/// An integer that is selected by a comparison of integers, such as a minimum;
/// null if it is not one of these.
static const Expr *selectByOrder(ExprContext &context, const Expr *condition,
                                 const Expr *ifTrue, const Expr *ifFalse) {
  if (condition->op != ScalarOp::CmpI || condition->operands[0]->isPredicate())
    return nullptr;
  const Expr *lhs = condition->operands[0], *rhs = condition->operands[1];
  CmpIPredicate predicate = condition->getIntPredicate();
  // A dimension of size one has one index: `size == 1 ? 0 : i` is i.
  if (predicate == CmpIPredicate::eq && rhs->getInt() == 1 &&
      ifTrue->getInt() == 0 && isBelow(ifFalse, lhs))
    return ifFalse;
  if (predicate != CmpIPredicate::slt && predicate != CmpIPredicate::sle)
    return nullptr;
  if (ifTrue == lhs && ifFalse == rhs)
    return context.minI(lhs, rhs);
  if (ifTrue == rhs && ifFalse == lhs)
    return context.maxI(lhs, rhs);
  if (rhs->getInt() == 0 && ifFalse == lhs &&
      ifTrue == context.linear({lhs}, {-1}, 0))
    return context.absI(lhs);
  return nullptr;
}

const Expr *ExprContext::select(const Expr *condition, const Expr *ifTrue,
                                const Expr *ifFalse) {
  if (std::optional<bool> known = condition->getBool())
    return *known ? ifTrue : ifFalse;
  // A condition is known inside its own arms.
  if (ifTrue->op == ScalarOp::Select && ifTrue->operands[0] == condition)
    ifTrue = ifTrue->operands[1];
  if (ifFalse->op == ScalarOp::Select && ifFalse->operands[0] == condition)
    ifFalse = ifFalse->operands[2];
  if (ifTrue == ifFalse)
    return ifTrue;
  if (condition->op == ScalarOp::Xor &&
      condition->operands[1]->getBool() == true)
    return select(condition->operands[0], ifFalse, ifTrue);
  const Expr *simpler = nullptr;
  if (ifTrue->isPredicate())
    simpler = selectTruth(*this, condition, ifTrue, ifFalse);
  if (ifTrue->isIndex())
    for (auto find : {truncatingMod, truncatingDiv, selectByOrder})
      if (!simpler)
        simpler = find(*this, condition, ifTrue, ifFalse);
  return simpler ? simpler
                 : unique(ScalarOp::Select, ifTrue->type,
                          {condition, ifTrue, ifFalse});
}
