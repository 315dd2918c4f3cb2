//===----------------------------------------------------------------------===//
// What the operations of scalar expressions compute, said once: constants fold
// by it, and predicates are evaluated by it at compile time.
//
// Integers are those of type index, 64 bits wide. Typed integers are given
// sign-extended, predicates as 0 and 1.
//===----------------------------------------------------------------------===//

#ifndef STOF_SCALAR_SCALARFUNCTIONS_H
#define STOF_SCALAR_SCALARFUNCTIONS_H

#include "stof/Scalar/ScalarExpr.h"

#include "llvm/Support/MathExtras.h"

namespace stof {

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

/// The result of an operation on integers.
struct IntegerValue {
  /// Modulo 2^64, as arith computes it; 0 where that is undefined.
  int64_t value = 0;
  /// Whether the operation is defined and its result fits.
  bool isExact = true;
};

/// Whether `expr` is a function of integers: it computes an integer or a
/// predicate from nothing but its operands.
bool isIntegerFunction(const Expr *expr);

/// The result of `expr` for these operands, which are all that it depends on.
/// Nothing if it is undefined, does not fit or is not a function of integers.
std::optional<int64_t> evaluateInteger(const Expr *expr,
                                       llvm::ArrayRef<int64_t> operands);

/// The same for an operation of a family of integers or logic.
std::optional<int64_t> evaluateInteger(ScalarOp op,
                                       llvm::ArrayRef<int64_t> operands);

/// The result of a comparison.
inline bool compareIntegers(mlir::arith::CmpIPredicate predicate, int64_t lhs,
                            int64_t rhs) {
  using mlir::arith::CmpIPredicate;
  switch (predicate) {
  case CmpIPredicate::eq:
    return lhs == rhs;
  case CmpIPredicate::ne:
    return lhs != rhs;
  case CmpIPredicate::slt:
    return lhs < rhs;
  case CmpIPredicate::sle:
    return lhs <= rhs;
  case CmpIPredicate::sgt:
    return lhs > rhs;
  case CmpIPredicate::sge:
    return lhs >= rhs;
  case CmpIPredicate::ult:
    return uint64_t(lhs) < uint64_t(rhs);
  case CmpIPredicate::ule:
    return uint64_t(lhs) <= uint64_t(rhs);
  case CmpIPredicate::ugt:
    return uint64_t(lhs) > uint64_t(rhs);
  case CmpIPredicate::uge:
    return uint64_t(lhs) >= uint64_t(rhs);
  }
  llvm_unreachable("all predicates are compared");
}

/// Whether a comparison reads its operands as unsigned.
inline bool isUnsigned(mlir::arith::CmpIPredicate predicate) {
  return predicate >= mlir::arith::CmpIPredicate::ult;
}

/// The comparison that equals an unsigned one if neither operand is negative.
inline mlir::arith::CmpIPredicate
toSigned(mlir::arith::CmpIPredicate predicate) {
  using mlir::arith::CmpIPredicate;
  switch (predicate) {
  case CmpIPredicate::ult:
    return CmpIPredicate::slt;
  case CmpIPredicate::ule:
    return CmpIPredicate::sle;
  case CmpIPredicate::ugt:
    return CmpIPredicate::sgt;
  case CmpIPredicate::uge:
    return CmpIPredicate::sge;
  default:
    return predicate;
  }
}

/// A division and its remainder, rounded by `divide`.
template <bool isQuotient, typename Divide>
IntegerValue divideIntegers(int64_t lhs, int64_t rhs, Divide divide) {
  if (rhs == 0)
    return {0, false};
  if (rhs == -1)
    return {isQuotient ? int64_t(-uint64_t(lhs)) : 0,
            !isQuotient || lhs != Expr::minInt};
  int64_t quotient = divide(lhs, rhs);
  return {isQuotient ? quotient : lhs - quotient * rhs};
}

/// Calls `use` with the function that an operation of integers or logic is. The
/// function takes a callable `in`, from the number of an operand to its value,
/// and returns an IntegerValue. It is chosen once for any number of calls.
template <typename Use>
void useIntegerFunction(ScalarOp op, Use use) {
  auto floor = [](int64_t a, int64_t b) {
    return llvm::divideFloorSigned(a, b);
  };
  auto truncate = [](int64_t a, int64_t b) { return a / b; };
  switch (op) {
  case ScalarOp::MulI:
    return use([](auto in) {
      IntegerValue product;
      product.isExact = !llvm::MulOverflow(in(0), in(1), product.value);
      return product;
    });
  case ScalarOp::FloorDiv:
    return use(
        [=](auto in) { return divideIntegers<true>(in(0), in(1), floor); });
  case ScalarOp::Mod:
    return use(
        [=](auto in) { return divideIntegers<false>(in(0), in(1), floor); });
  case ScalarOp::DivS:
    return use(
        [=](auto in) { return divideIntegers<true>(in(0), in(1), truncate); });
  case ScalarOp::RemS:
    return use(
        [=](auto in) { return divideIntegers<false>(in(0), in(1), truncate); });
  case ScalarOp::MinI:
    return use([](auto in) { return IntegerValue{std::min(in(0), in(1))}; });
  case ScalarOp::MaxI:
    return use([](auto in) { return IntegerValue{std::max(in(0), in(1))}; });
  case ScalarOp::AbsI:
    return use([](auto in) {
      int64_t value = in(0);
      return IntegerValue{value < 0 ? int64_t(-uint64_t(value)) : value,
                          value != Expr::minInt};
    });
  case ScalarOp::And:
    return use([](auto in) { return IntegerValue{in(0) & in(1)}; });
  case ScalarOp::Or:
    return use([](auto in) { return IntegerValue{in(0) | in(1)}; });
  case ScalarOp::Xor:
    return use([](auto in) { return IntegerValue{in(0) ^ in(1)}; });
  default:
    llvm_unreachable("expects an operation of integers or logic");
  }
}

/// The same for an expression that is a function of integers.
template <typename Use>
void useIntegerFunction(const Expr *expr, Use use) {
  switch (expr->op) {
  case ScalarOp::Constant: {
    std::optional<bool> known = expr->getBool();
    int64_t value = known ? int64_t(*known) : *expr->getInt();
    return use([=](auto) { return IntegerValue{value}; });
  }
  case ScalarOp::Linear:
    return use([ints = expr->ints](auto in) {
      IntegerValue sum{ints.back()};
      for (size_t i = 0; i + 1 < ints.size(); ++i) {
        int64_t product;
        sum.isExact &= !llvm::MulOverflow<int64_t>(ints[i], in(i), product);
        sum.isExact &= !llvm::AddOverflow(sum.value, product, sum.value);
      }
      return sum;
    });
  case ScalarOp::FromInt:
    return use([](auto in) { return IntegerValue{in(0)}; });
  case ScalarOp::FromUInt: {
    unsigned width = expr->operands[0]->type.getIntOrFloatBitWidth();
    return use([=](auto in) {
      int64_t value = in(0) & int64_t(llvm::maskTrailingOnes<uint64_t>(width));
      return IntegerValue{value, value >= 0};
    });
  }
  case ScalarOp::CmpI:
    return use([predicate = expr->getIntPredicate()](auto in) {
      return IntegerValue{compareIntegers(predicate, in(0), in(1))};
    });
  case ScalarOp::Select:
    return use([](auto in) { return IntegerValue{in(0) ? in(1) : in(2)}; });
  default:
    return useIntegerFunction(expr->op, use);
  }
}

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

/// The nearest double to a float.
double toDouble(const llvm::APFloat &value);

/// Whether `op` is a function of floats of one type.
inline bool isFloatFunction(ScalarOp op) {
  switch (op) {
#define STOF_SCALAR_FLOAT(Name, Mnemonic, Arity, Property, Operation)          \
  case ScalarOp::Name:
#include "stof/Scalar/ScalarOps.def"
    return true;
  default:
    return false;
  }
}

/// The result of a float operation for constants of one type, rounded to it.
/// Nothing for functions that no standard rounds, except where they are exact.
std::optional<llvm::APFloat> foldFloat(ScalarOp op,
                                       llvm::ArrayRef<llvm::APFloat> operands);

/// The result of a float operation in double precision, up to the rounding of
/// the host's library.
double evaluateFloat(ScalarOp op, llvm::ArrayRef<double> operands);

} // namespace stof

#endif // STOF_SCALAR_SCALARFUNCTIONS_H
