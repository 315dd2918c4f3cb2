//===----------------------------------------------------------------------===//
// Reads operations as scalar expressions. Those with an entry of their own in
// ScalarOps.def are read by it; the others are spelt in terms of entries.
//===----------------------------------------------------------------------===//

#include "ReadScalarOp.h"

#include "stof/Scalar/ScalarFunctions.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace stof;
using arith::CmpIPredicate;

/// Whether the type represents all values of an expression of type index.
static bool fitsInto(const Expr *expr, Type type) {
  if (type.isIndex())
    return true;
  unsigned width = type.getIntOrFloatBitWidth();
  // 64-bit arithmetic wraps in the same way as index and as i64.
  if (width >= 64)
    return width == 64;
  int64_t limit = int64_t(1) << (width - 1);
  return expr->lo >= -limit && expr->hi < limit;
}

namespace {
class ScalarOpReader {
public:
  ScalarOpReader(ExprContext &context, Operation *op,
                 ArrayRef<const Expr *> operands)
      : context(context), op(op), operands(operands),
        type(getElementTypeOrSelf(op->getResult(0))) {}

  const Expr *readTruth();
  const Expr *readInteger();
  const Expr *readFloat();

private:
  /// An operand as an integer of type index, null if it is none.
  const Expr *asIndex(unsigned number) const {
    const Expr *operand = operands[number];
    return operand->type.isIntOrIndex() && !operand->isPredicate()
               ? context.fromInt(operand)
               : nullptr;
  }
  /// `value` if the type of the operation represents it.
  const Expr *ifFits(const Expr *value) const {
    return value && fitsInto(value, type) ? value : nullptr;
  }
  /// `make` of two operands as integers.
  template <typename Make>
  const Expr *combine(Make make) const {
    const Expr *lhs = asIndex(0), *rhs = asIndex(1);
    return lhs && rhs ? ifFits(make(lhs, rhs)) : nullptr;
  }
  /// The same for an unsigned operation, which agrees with a signed one on
  /// nonnegative operands.
  template <typename Make>
  const Expr *combineNatural(Make make) const {
    const Expr *lhs = asIndex(0), *rhs = asIndex(1);
    return lhs && rhs && lhs->lo >= 0 && rhs->lo >= 0 ? ifFits(make(lhs, rhs))
                                                      : nullptr;
  }
  using Unary = const Expr *(ExprContext::*)(const Expr *);
  using Binary = const Expr *(ExprContext::*)(const Expr *, const Expr *);
  const Expr *apply(Unary make) const {
    const Expr *value = asIndex(0);
    return value ? ifFits((context.*make)(value)) : nullptr;
  }
  const Expr *apply(Binary make) const {
    return combine([&](auto a, auto b) { return (context.*make)(a, b); });
  }
  const Expr *applyNatural(Binary make) const {
    return combineNatural(
        [&](auto a, auto b) { return (context.*make)(a, b); });
  }

  const Expr *compare(CmpIPredicate predicate);
  const Expr *compareUnsigned(CmpIPredicate predicate, const Expr *lhs,
                              const Expr *rhs);
  const Expr *readParity();
  const Expr *readIntegerCast();
  const Expr *readUnsigned();
  const Expr *readShift();
  const Expr *readBits();
  std::optional<ScalarOp> findFloatFunction() const;

  ExprContext &context;
  Operation *op;
  ArrayRef<const Expr *> operands;
  Type type;
};
} // namespace

const Expr *stof::readScalarOp(ExprContext &context, Operation *op,
                               ArrayRef<const Expr *> operands) {
  Type type = getElementTypeOrSelf(op->getResult(0));
  ScalarOpReader reader(context, op, operands);
  if (isa<FloatType>(type))
    return reader.readFloat();
  return type.isInteger(1) ? reader.readTruth() : reader.readInteger();
}

//===----------------------------------------------------------------------===//
// Predicates
//===----------------------------------------------------------------------===//

const Expr *ScalarOpReader::readTruth() {
  return llvm::TypeSwitch<Operation *, const Expr *>(op)
      .Case([&](arith::CmpIOp op) { return compare(op.getPredicate()); })
      .Case([&](arith::CmpFOp op) {
        return context.cmpF(op.getPredicate(), operands[0], operands[1]);
      })
      .Case([&](arith::SelectOp) {
        return context.select(operands[0], operands[1], operands[2]);
      })
      .Case<arith::AndIOp, arith::MulIOp, arith::MinUIOp>(
          [&](auto) { return context.andI(operands[0], operands[1]); })
      .Case<arith::OrIOp, arith::MaxUIOp>(
          [&](auto) { return context.orI(operands[0], operands[1]); })
      .Case<arith::XOrIOp, arith::AddIOp, arith::SubIOp>(
          [&](auto) { return context.xorI(operands[0], operands[1]); })
      .Case<arith::TruncIOp, arith::IndexCastOp, arith::IndexCastUIOp>(
          [&](auto) { return readParity(); })
      .Default([](auto) { return nullptr; });
}

const Expr *ScalarOpReader::compare(CmpIPredicate predicate) {
  if (operands[0]->isPredicate())
    return context.cmpI(predicate, operands[0], operands[1]);
  const Expr *lhs = asIndex(0), *rhs = asIndex(1);
  if (!lhs || !rhs)
    return nullptr;
  return isUnsigned(predicate) ? compareUnsigned(predicate, lhs, rhs)
                               : context.cmpI(predicate, lhs, rhs);
}

/// An unsigned comparison of integers of one type in signed expressions: a
/// negative integer is larger than all others.
const Expr *ScalarOpReader::compareUnsigned(CmpIPredicate predicate,
                                            const Expr *lhs, const Expr *rhs) {
  if (lhs->lo >= 0 && rhs->lo >= 0)
    return context.cmpI(predicate, lhs, rhs);
  if (predicate == CmpIPredicate::ugt || predicate == CmpIPredicate::uge)
    return compareUnsigned(predicate == CmpIPredicate::ugt ? CmpIPredicate::ult
                                                           : CmpIPredicate::ule,
                           rhs, lhs);
  const Expr *less = context.cmpI(toSigned(predicate), lhs, rhs);
  auto isNegative = [&](const Expr *expr) {
    return context.cmpI(CmpIPredicate::slt, expr, context.integer(0));
  };
  // `lhs` is below a negative `rhs` if it is nonnegative or less.
  const Expr *below = lhs->lo >= 0
                          ? context.orI(isNegative(rhs), less)
                          : context.andI(context.notI(isNegative(lhs)), less);
  if (lhs->lo >= 0 || rhs->lo >= 0)
    return below;
  return context.select(
      isNegative(rhs), context.orI(context.notI(isNegative(lhs)), less), below);
}

/// The lowest bit of an integer.
const Expr *ScalarOpReader::readParity() {
  const Expr *value = asIndex(0);
  if (!value)
    return nullptr;
  return context.cmpI(CmpIPredicate::ne, context.mod(value, context.integer(2)),
                      context.integer(0));
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

const Expr *ScalarOpReader::readInteger() {
#define STOF_SCALAR_INTEGER_OP(Name, Mnemonic, Arity, Property, Make,          \
                               Operation)                                      \
  if (isa<Operation>(op))                                                      \
    return apply(&ExprContext::Make);
#include "stof/Scalar/ScalarOps.def"
  return llvm::TypeSwitch<Operation *, const Expr *>(op)
      .Case([&](arith::SelectOp) -> const Expr * {
        const Expr *lhs = asIndex(1), *rhs = asIndex(2);
        return lhs && rhs ? context.select(operands[0], lhs, rhs) : nullptr;
      })
      .Case([&](arith::AddIOp) { return apply(&ExprContext::add); })
      .Case([&](arith::SubIOp) { return apply(&ExprContext::sub); })
      .Case<arith::ExtUIOp, arith::ExtSIOp, arith::TruncIOp, arith::IndexCastOp,
            arith::IndexCastUIOp, arith::FPToSIOp, arith::FPToUIOp>(
          [&](auto) { return readIntegerCast(); })
      .Case<arith::DivUIOp, arith::RemUIOp, arith::CeilDivSIOp,
            arith::CeilDivUIOp, arith::MinUIOp, arith::MaxUIOp>(
          [&](auto) { return readUnsigned(); })
      .Case<arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp>(
          [&](auto) { return readShift(); })
      .Case<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(
          [&](auto) { return readBits(); })
      .Default([](auto) { return nullptr; });
}

const Expr *ScalarOpReader::readIntegerCast() {
  const Expr *operand = operands[0];
  if (isa<arith::FPToSIOp, arith::FPToUIOp>(op)) {
    // Conversion of an out-of-range value is undefined: no need to check.
    const Expr *value = context.floatToInt(operand);
    return isa<arith::FPToSIOp>(op) || value->lo >= 0 ? value : nullptr;
  }
  if (!isa<arith::ExtUIOp, arith::IndexCastUIOp>(op))
    return ifFits(context.fromInt(operand));
  // Computed integers are signed: zero-extension changes negative ones.
  bool isWider = !getElementTypeOrSelf(op->getOperand(0)).isInteger(64);
  if (operand->isIndex() && operand->lo < 0 && isWider)
    return nullptr;
  return ifFits(context.fromInt(operand, /*isSigned=*/false));
}

/// Unsigned operations, and divisions that round up.
const Expr *ScalarOpReader::readUnsigned() {
  std::optional<int64_t> divisor = operands[1]->getInt();
  auto roundUp = [&](const Expr *a, const Expr *b) {
    return context.floorDiv(context.linear({a}, {1}, *divisor - 1), b);
  };
  return llvm::TypeSwitch<Operation *, const Expr *>(op)
      .Case(
          [&](arith::DivUIOp) { return applyNatural(&ExprContext::floorDiv); })
      .Case([&](arith::RemUIOp) {
        // Negative numbers wrap by a multiple of any smaller power of two.
        bool isPower = divisor && *divisor > 0 && llvm::isPowerOf2_64(*divisor);
        return isPower ? apply(&ExprContext::mod)
                       : applyNatural(&ExprContext::mod);
      })
      .Case([&](arith::CeilDivSIOp) {
        return divisor && *divisor > 0 ? combine(roundUp) : nullptr;
      })
      .Case([&](arith::CeilDivUIOp) {
        return divisor && *divisor > 0 ? combineNatural(roundUp) : nullptr;
      })
      .Case([&](arith::MinUIOp) { return applyNatural(&ExprContext::minI); })
      .Case([&](arith::MaxUIOp) { return applyNatural(&ExprContext::maxI); });
}

/// Shifts by a constant, as products and quotients of a power of two.
const Expr *ScalarOpReader::readShift() {
  constexpr int64_t maxBits = 62;
  std::optional<int64_t> amount = operands[1]->getInt();
  if (!amount || *amount < 0 || *amount >= maxBits)
    return nullptr;
  const Expr *power = context.integer(int64_t(1) << *amount);
  auto multiply = [&](auto a, auto) { return context.mul(a, power); };
  auto divide = [&](auto a, auto) { return context.floorDiv(a, power); };
  if (isa<arith::ShLIOp>(op))
    return combine(multiply);
  return isa<arith::ShRSIOp>(op) ? combine(divide) : combineNatural(divide);
}

/// `value & mask` as a sum over ranges of contiguous ones: a multiple of a
/// remainder for each, or of a quotient for a range up to the sign bit. Null if
/// there are too many ranges or bits.
static const Expr *selectBits(ExprContext &context, const Expr *value,
                              int64_t mask) {
  constexpr unsigned maxRanges = 3, maxBits = 62;
  const Expr *bits = context.integer(0);
  uint64_t left = mask;
  for (unsigned range = 0; left != 0; ++range) {
    unsigned first = llvm::countr_zero(left);
    unsigned end = first + llvm::countr_one(left >> first);
    bool isEndless = end == 64;
    if (range == maxRanges || (isEndless ? first : end) > maxBits)
      return nullptr;
    int64_t scale = int64_t(1) << first;
    const Expr *field = context.floorDiv(value, context.integer(scale));
    if (!isEndless) {
      field = context.mod(field, context.integer(int64_t(1) << (end - first)));
      left = left >> end << end;
    } else {
      left = 0;
    }
    bits = context.linear({bits, field}, {1, scale}, 0);
  }
  return bits;
}

const Expr *ScalarOpReader::readBits() {
  bool isAnd = isa<arith::AndIOp>(op), flips = isa<arith::XOrIOp>(op);
  // The sum of two numbers without common bits is their bitwise or.
  if (std::optional<int64_t> mask = operands[1]->getInt())
    return combine([&](const Expr *a, const Expr *) -> const Expr * {
      const Expr *inside = selectBits(context, a, *mask);
      if (isAnd)
        return inside;
      const Expr *outside = selectBits(context, a, ~*mask);
      if (!inside || !outside)
        return nullptr;
      return context.linear({outside, inside}, {1, flips ? -1 : 0}, *mask);
    });
  if (flips)
    return nullptr;
  // Logic on predicates that are widened to integers.
  return combine([&](const Expr *a, const Expr *b) -> const Expr * {
    auto isBit = [](const Expr *e) { return e->lo >= 0 && e->hi <= 1; };
    if (!isBit(a) || !isBit(b))
      return nullptr;
    return isAnd ? context.minI(a, b) : context.maxI(a, b);
  });
}

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

std::optional<ScalarOp> ScalarOpReader::findFloatFunction() const {
#define STOF_SCALAR_FLOAT(Name, Mnemonic, Arity, Property, Operation)          \
  if (isa<Operation>(op))                                                      \
    return ScalarOp::Name;
#include "stof/Scalar/ScalarOps.def"
  if (isa<arith::MaxNumFOp>(op))
    return ScalarOp::MaxF;
  if (isa<arith::MinNumFOp>(op))
    return ScalarOp::MinF;
  return std::nullopt;
}

const Expr *ScalarOpReader::readFloat() {
  if (std::optional<ScalarOp> function = findFloatFunction())
    return context.floatOp(*function, type, operands);
  return llvm::TypeSwitch<Operation *, const Expr *>(op)
      .Case([&](arith::SelectOp) {
        return context.select(operands[0], operands[1], operands[2]);
      })
      .Case<arith::ExtFOp, arith::TruncFOp>(
          [&](auto) { return context.cast(operands[0], type); })
      .Case([&](arith::SIToFPOp) {
        return context.intToFloat(context.fromInt(operands[0]), type);
      })
      .Case([&](arith::UIToFPOp) {
        const Expr *value = context.fromInt(operands[0], /*isSigned=*/false);
        return value->lo >= 0 ? context.intToFloat(value, type) : nullptr;
      })
      // Powers of base 2 only.
      .Case([&](math::PowFOp) {
        return operands[0]->isFloatValue(2)
                   ? context.floatOp(ScalarOp::Exp2, type, operands[1])
                   : nullptr;
      })
      .Case([&](math::FPowIOp) -> const Expr * {
        std::optional<int64_t> exponent = operands[1]->getInt();
        if (exponent == 1)
          return operands[0];
        return exponent == 2 ? context.floatOp(ScalarOp::MulF, type,
                                               {operands[0], operands[0]})
                             : nullptr;
      })
      .Default([](auto) { return nullptr; });
}
