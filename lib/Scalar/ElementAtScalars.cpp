//===----------------------------------------------------------------------===//
// What one element of a tensor is: scalar operations of arith and math.
//===----------------------------------------------------------------------===//

#include "stof/IR/Stof.h"
#include "stof/Scalar/ElementAt.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace stof;

/// Whether an expression of type index takes no value outside the type.
static bool fitsInto(const Expr *expr, Type type) {
  if (type.isIndex())
    return true;
  unsigned width = type.getIntOrFloatBitWidth();
  // 64-bit arithmetic wraps alike as index and as i64.
  if (width >= 64)
    return width == 64;
  int64_t limit = int64_t(1) << (width - 1);
  return expr->lo >= -limit && expr->hi < limit;
}

const Expr *ElementAt::ofOperation(Operation *op,
                                   ArrayRef<const Expr *> operands) {
  auto check = dyn_cast<CheckOp>(op);
  if (op->getNumResults() != 1 || op->getNumRegions() != 0 ||
      (!check && !isPure(op)))
    return nullptr;
  Type type = getElementTypeOrSelf(op->getResult(0));
  if (!type.isIntOrIndexOrFloat())
    return nullptr;
  for (const Expr *operand : operands)
    if (!operand)
      return nullptr;

  // What is known to hold needs no check.
  if (check && operands[1]->getTruth() == true)
    return operands[0];
  const Expr *result = check                  ? nullptr
                       : isa<FloatType>(type) ? ofFloatOp(op, operands)
                                              : ofIntegerOp(op, operands);
  if (result)
    return result;
  // Anything else is kept under its own name, on operands of the types it has.
  if (!check && !isa<arith::ArithDialect, math::MathDialect>(op->getDialect()))
    return nullptr;
  MLIRContext *ctx = op->getContext();
  SmallVector<const Expr *> typed;
  for (auto [value, operand] : llvm::zip_equal(op->getOperands(), operands)) {
    Type own = getElementTypeOrSelf(value);
    bool isCast = operand->isIndex() && !own.isIndex();
    typed.push_back(
        isCast ? context.other(own, StringAttr::get(ctx, "arith.index_cast"),
                               DictionaryAttr::get(ctx), operand)
               : operand);
  }
  NamedAttrList attributes(op->getAttrDictionary());
  // A check reports its place.
  if (check)
    attributes.set(checkLocationName, check.getLoc());
  return context.other(type, op->getName().getIdentifier(),
                       attributes.getDictionary(ctx), typed);
}

/// The bits of `value` that are set in `mask`: a multiple of a remainder for
/// each run of ones, of a quotient for one without an end. Null if there are
/// too many.
static const Expr *selectBits(ExprContext &context, const Expr *value,
                              int64_t mask) {
  constexpr unsigned maxRuns = 3, maxBits = 62;
  const Expr *bits = context.integer(0);
  uint64_t left = mask;
  for (unsigned run = 0; left != 0; ++run) {
    unsigned first = llvm::countr_zero(left);
    unsigned end = first + llvm::countr_one(left >> first);
    bool isEndless = end == 64;
    if (run == maxRuns || (isEndless ? first : end) > maxBits)
      return nullptr;
    int64_t scale = int64_t(1) << first;
    const Expr *digits = context.floorDiv(value, context.integer(scale));
    if (!isEndless) {
      digits =
          context.mod(digits, context.integer(int64_t(1) << (end - first)));
      left = left >> end << end;
    } else {
      left = 0;
    }
    bits = context.linear({bits, digits}, {1, scale}, 0);
  }
  return bits;
}

/// An unsigned comparison of integers of one type, which are read as signed
/// ones: a negative one is larger than all others.
const Expr *ElementAt::compareUnsigned(arith::CmpIPredicate predicate,
                                       const Expr *lhs, const Expr *rhs) {
  using arith::CmpIPredicate;
  if (lhs->lo >= 0 && rhs->lo >= 0)
    return context.cmpI(predicate, lhs, rhs);
  if (predicate == CmpIPredicate::ugt || predicate == CmpIPredicate::uge)
    return compareUnsigned(predicate == CmpIPredicate::ugt ? CmpIPredicate::ult
                                                           : CmpIPredicate::ule,
                           rhs, lhs);
  const Expr *less = context.cmpI(
      predicate == CmpIPredicate::ult ? CmpIPredicate::slt : CmpIPredicate::sle,
      lhs, rhs);
  auto isNegative = [&](const Expr *expr) {
    return context.cmpI(CmpIPredicate::slt, expr, context.integer(0));
  };
  // `lhs` lies below a negative `rhs` if it is not negative, or less.
  const Expr *below = lhs->lo >= 0
                          ? context.orI(isNegative(rhs), less)
                          : context.andI(context.notI(isNegative(lhs)), less);
  if (lhs->lo >= 0 || rhs->lo >= 0)
    return below;
  return context.select(
      isNegative(rhs), context.orI(context.notI(isNegative(lhs)), less), below);
}

const Expr *ElementAt::choose(const Expr *condition, const Expr *ifTrue,
                              const Expr *ifFalse) {
  // Integers that are read have their type, and those that are computed none.
  if (ifTrue->type.isIntOrIndex() && !ifTrue->isTruth()) {
    ifTrue = context.fromInt(ifTrue);
    ifFalse = context.fromInt(ifFalse);
  }
  return context.select(condition, ifTrue, ifFalse);
}

const Expr *ElementAt::ofIntegerOp(Operation *op,
                                   ArrayRef<const Expr *> operands) {
  Type type = getElementTypeOrSelf(op->getResult(0));
  bool isTruth = type.isInteger(1);
  auto asIndex = [&](const Expr *operand) -> const Expr * {
    return operand->type.isIntOrIndex() && !operand->isTruth()
               ? context.fromInt(operand)
               : nullptr;
  };
  // An integer of the type of the operation, if nothing is lost.
  auto done = [&](const Expr *value) -> const Expr * {
    return value && fitsInto(value, type) ? value : nullptr;
  };
  auto binary = [&](auto make) -> const Expr * {
    const Expr *lhs = asIndex(operands[0]), *rhs = asIndex(operands[1]);
    return lhs && rhs ? done(make(lhs, rhs)) : nullptr;
  };
  // Operations that read their operands as unsigned agree with signed ones
  // where nothing is negative.
  auto natural = [&](auto make) -> const Expr * {
    const Expr *lhs = asIndex(operands[0]), *rhs = asIndex(operands[1]);
    return lhs && rhs && lhs->lo >= 0 && rhs->lo >= 0 ? done(make(lhs, rhs))
                                                      : nullptr;
  };

  if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
    if (operands[0]->isTruth())
      return context.cmpI(compare.getPredicate(), operands[0], operands[1]);
    const Expr *lhs = asIndex(operands[0]), *rhs = asIndex(operands[1]);
    if (!lhs || !rhs)
      return nullptr;
    bool isUnsigned = compare.getPredicate() >= arith::CmpIPredicate::ult;
    return isUnsigned ? compareUnsigned(compare.getPredicate(), lhs, rhs)
                      : context.cmpI(compare.getPredicate(), lhs, rhs);
  }
  if (auto compare = dyn_cast<arith::CmpFOp>(op))
    return context.cmpF(compare.getPredicate(), operands[0], operands[1]);
  if (isa<arith::SelectOp>(op)) {
    if (isTruth)
      return context.select(operands[0], operands[1], operands[2]);
    const Expr *lhs = asIndex(operands[1]), *rhs = asIndex(operands[2]);
    return lhs && rhs ? context.select(operands[0], lhs, rhs) : nullptr;
  }
  if (isTruth) {
    if (isa<arith::AndIOp>(op) || isa<arith::MulIOp>(op) ||
        isa<arith::MinUIOp>(op))
      return context.andI(operands[0], operands[1]);
    if (isa<arith::OrIOp>(op) || isa<arith::MaxUIOp>(op))
      return context.orI(operands[0], operands[1]);
    if (isa<arith::XOrIOp>(op) || isa<arith::AddIOp>(op) ||
        isa<arith::SubIOp>(op))
      return context.xorI(operands[0], operands[1]);
    if (isa<arith::TruncIOp, arith::IndexCastOp, arith::IndexCastUIOp>(op)) {
      const Expr *value = asIndex(operands[0]);
      if (!value)
        return nullptr;
      return context.cmpI(arith::CmpIPredicate::ne,
                          context.mod(value, context.integer(2)),
                          context.integer(0));
    }
    if (isa<arith::FPToUIOp, arith::FPToSIOp>(op))
      return nullptr;
    return nullptr;
  }
  if (isa<arith::ExtUIOp, arith::IndexCastUIOp>(op)) {
    // What is computed is known as a signed number.
    bool isWider = !getElementTypeOrSelf(op->getOperand(0)).isInteger(64);
    if (operands[0]->isIndex() && operands[0]->lo < 0 && isWider)
      return nullptr;
    return done(context.fromInt(operands[0], /*isSigned=*/false));
  }
  if (isa<arith::ExtSIOp, arith::IndexCastOp, arith::TruncIOp>(op))
    return done(context.fromInt(operands[0]));
  if (isa<arith::FPToSIOp>(op) || isa<arith::FPToUIOp>(op)) {
    // What does not fit has no meaning, so the target type says nothing.
    const Expr *value = context.floatToInt(operands[0]);
    return isa<arith::FPToSIOp>(op) || value->lo >= 0 ? value : nullptr;
  }
  if (isa<math::AbsIOp>(op)) {
    const Expr *value = asIndex(operands[0]);
    return value ? done(context.absI(value)) : nullptr;
  }
  if (op->getNumOperands() != 2)
    return nullptr;
  if (isa<arith::AddIOp>(op))
    return binary([&](auto a, auto b) { return context.add(a, b); });
  if (isa<arith::SubIOp>(op))
    return binary([&](auto a, auto b) { return context.sub(a, b); });
  if (isa<arith::MulIOp>(op))
    return binary([&](auto a, auto b) { return context.mul(a, b); });
  if (isa<arith::MinSIOp>(op))
    return binary([&](auto a, auto b) { return context.minI(a, b); });
  if (isa<arith::MaxSIOp>(op))
    return binary([&](auto a, auto b) { return context.maxI(a, b); });
  if (isa<arith::FloorDivSIOp>(op))
    return binary([&](auto a, auto b) { return context.floorDiv(a, b); });
  if (isa<arith::DivSIOp>(op))
    return binary([&](auto a, auto b) { return context.divS(a, b); });
  if (isa<arith::RemSIOp>(op))
    return binary([&](auto a, auto b) { return context.remS(a, b); });
  if (isa<arith::DivUIOp>(op))
    return natural([&](auto a, auto b) { return context.floorDiv(a, b); });
  std::optional<int64_t> amount = operands[1]->getInt();
  if (isa<arith::RemUIOp>(op)) {
    // A power of two divides what a negative number wraps by.
    if (amount && *amount > 0 && llvm::isPowerOf2_64(*amount))
      return binary([&](auto a, auto b) { return context.mod(a, b); });
    return natural([&](auto a, auto b) { return context.mod(a, b); });
  }
  if (isa<arith::CeilDivSIOp, arith::CeilDivUIOp>(op) && amount &&
      *amount > 0) {
    auto divide = [&](auto a, auto b) {
      return context.floorDiv(context.linear({a}, {1}, *amount - 1), b);
    };
    return isa<arith::CeilDivSIOp>(op) ? binary(divide) : natural(divide);
  }
  if (isa<arith::MinUIOp>(op))
    return natural([&](auto a, auto b) { return context.minI(a, b); });
  if (isa<arith::MaxUIOp>(op))
    return natural([&](auto a, auto b) { return context.maxI(a, b); });
  if (isa<arith::ShLIOp>(op) && amount && *amount >= 0 && *amount < 62)
    return binary([&](auto a, auto) {
      return context.mul(a, context.integer(int64_t(1) << *amount));
    });
  if (isa<arith::ShRSIOp>(op) && amount && *amount >= 0 && *amount < 62)
    return binary([&](auto a, auto) {
      return context.floorDiv(a, context.integer(int64_t(1) << *amount));
    });
  if (isa<arith::ShRUIOp>(op) && amount && *amount >= 0 && *amount < 62)
    return natural([&](auto a, auto) {
      return context.floorDiv(a, context.integer(int64_t(1) << *amount));
    });
  // Of two numbers that have no bit in common, the sum has the bits of both.
  if (isa<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op) && amount)
    return binary([&](auto a, auto) -> const Expr * {
      const Expr *inside = selectBits(context, a, *amount);
      if (isa<arith::AndIOp>(op))
        return inside;
      const Expr *outside = selectBits(context, a, ~*amount);
      if (!inside || !outside)
        return nullptr;
      bool flips = isa<arith::XOrIOp>(op);
      return context.linear({outside, inside}, {1, flips ? -1 : 0}, *amount);
    });
  // Truth values widened to integers: as conditions.
  if (isa<arith::AndIOp, arith::OrIOp>(op))
    return binary([&](const Expr *a, const Expr *b) -> const Expr * {
      auto isBit = [](const Expr *e) { return e->lo >= 0 && e->hi <= 1; };
      if (!isBit(a) || !isBit(b))
        return nullptr;
      return isa<arith::AndIOp>(op) ? context.minI(a, b) : context.maxI(a, b);
    });
  return nullptr;
}

const Expr *ElementAt::ofFloatOp(Operation *op,
                                 ArrayRef<const Expr *> operands) {
  Type type = getElementTypeOrSelf(op->getResult(0));
  if (isa<arith::SelectOp>(op))
    return context.select(operands[0], operands[1], operands[2]);
  if (isa<arith::ExtFOp, arith::TruncFOp>(op))
    return context.cast(operands[0], type);
  if (isa<arith::SIToFPOp>(op))
    return context.intToFloat(context.fromInt(operands[0]), type);
  if (isa<arith::UIToFPOp>(op)) {
    const Expr *value = context.fromInt(operands[0], /*isSigned=*/false);
    return value->lo >= 0 ? context.intToFloat(value, type) : nullptr;
  }
  // log2(e), ln(10) and the like: powers of other bases.
  if (auto power = dyn_cast<math::PowFOp>(op)) {
    if (power.getNumOperands() == 2 && operands[0]->isFloatValue(2))
      return context.floatOp(ScalarOp::Exp2, type, operands[1]);
    return nullptr;
  }
  if (isa<math::FPowIOp>(op)) {
    std::optional<int64_t> exponent = operands[1]->getInt();
    if (exponent == 1)
      return operands[0];
    if (exponent == 2)
      return context.floatOp(ScalarOp::MulF, type, {operands[0], operands[0]});
    return nullptr;
  }
  std::optional<ScalarOp> known =
      llvm::TypeSwitch<Operation *, std::optional<ScalarOp>>(op)
          .Case<arith::AddFOp>([](auto) { return ScalarOp::AddF; })
          .Case<arith::SubFOp>([](auto) { return ScalarOp::SubF; })
          .Case<arith::MulFOp>([](auto) { return ScalarOp::MulF; })
          .Case<arith::DivFOp>([](auto) { return ScalarOp::DivF; })
          .Case<arith::NegFOp>([](auto) { return ScalarOp::NegF; })
          .Case<arith::MaximumFOp, arith::MaxNumFOp>(
              [](auto) { return ScalarOp::MaxF; })
          .Case<arith::MinimumFOp, arith::MinNumFOp>(
              [](auto) { return ScalarOp::MinF; })
          .Case<math::AbsFOp>([](auto) { return ScalarOp::AbsF; })
          .Case<math::ExpOp>([](auto) { return ScalarOp::Exp; })
          .Case<math::Exp2Op>([](auto) { return ScalarOp::Exp2; })
          .Case<math::LogOp>([](auto) { return ScalarOp::Log; })
          .Case<math::TanhOp>([](auto) { return ScalarOp::Tanh; })
          .Case<math::FloorOp>([](auto) { return ScalarOp::Floor; })
          .Default([](auto) { return std::nullopt; });
  if (!known)
    return nullptr;
  return context.floatOp(*known, type, operands);
}

void ElementAt::bindOpaque(Operation &op, ArrayRef<const Expr *> variables) {
  MLIRContext *ctx = op.getContext();
  std::string text;
  llvm::raw_string_ostream os(text);
  op.print(os, OpPrintingFlags().useLocalScope());
  llvm::SetVector<Value> used(op.operand_begin(), op.operand_end());
  getUsedValuesDefinedAbove(op.getRegions(), used);
  SmallVector<const Expr *> operands(variables);
  for (Value value : used) {
    if (Value outer = outerValues.lookup(value))
      value = outer;
    operands.push_back(isa<ShapedType>(value.getType())
                           ? context.element(value, {})
                           : scalar(value));
  }
  for (OpResult result : op.getResults()) {
    auto name = StringAttr::get(ctx, text + "#" +
                                         llvm::Twine(result.getResultNumber()));
    bind(result, context.other(result.getType(), name, {}, operands));
  }
}
