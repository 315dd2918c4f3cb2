//===----------------------------------------------------------------------===//
// The operators of size expressions: how the manifest spells them, and what
// they compute. The compiler folds by the definition that the runtime evaluates
// by.
//===----------------------------------------------------------------------===//

#ifndef STOF_SUPPORT_SIZEOPERATOR_H
#define STOF_SUPPORT_SIZEOPERATOR_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace stof {

/// An operator on two signed 64-bit integers. Comparisons yield 1 or 0; `And`
/// yields 1 if both sides are nonzero.
enum class SizeOperator : uint8_t {
  Add,
  Subtract,
  Multiply,
  FloorDivide,
  CeilDivide,
  Modulo,
  Minimum,
  Maximum,
  Equal,
  LessOrEqual,
  And,
};

/// The spelling of each operator in a manifest, in the order of the
/// enumerators.
inline constexpr llvm::StringLiteral sizeOperatorSpellings[] = {
    "+",   "-",   "*",  "floordiv", "ceildiv", "mod",
    "min", "max", "==", "<=",       "and"};

inline llvm::StringRef spell(SizeOperator op) {
  return sizeOperatorSpellings[static_cast<unsigned>(op)];
}

/// The operator that is spelt `text`, if any.
inline std::optional<SizeOperator> parseSizeOperator(llvm::StringRef text) {
  for (auto [index, spelling] : llvm::enumerate(sizeOperatorSpellings))
    if (spelling == text)
      return static_cast<SizeOperator>(index);
  return std::nullopt;
}

inline bool isCommutative(SizeOperator op) {
  switch (op) {
  case SizeOperator::Add:
  case SizeOperator::Multiply:
  case SizeOperator::Minimum:
  case SizeOperator::Maximum:
  case SizeOperator::Equal:
  case SizeOperator::And:
    return true;
  default:
    return false;
  }
}

/// Whether `op` expects a divisor of at least 1.
inline bool isDivision(SizeOperator op) {
  return op == SizeOperator::FloorDivide || op == SizeOperator::CeilDivide ||
         op == SizeOperator::Modulo;
}

/// Whether `op` yields 1 or 0.
inline bool isPredicate(SizeOperator op) {
  return op == SizeOperator::Equal || op == SizeOperator::LessOrEqual ||
         op == SizeOperator::And;
}

/// The value of `lhs op rhs`; none if it overflows or divides by less than 1.
inline std::optional<int64_t> evaluate(SizeOperator op, int64_t lhs,
                                       int64_t rhs) {
  if (isDivision(op) && rhs < 1)
    return std::nullopt;
  switch (op) {
  case SizeOperator::Add:
    return llvm::checkedAdd(lhs, rhs);
  case SizeOperator::Subtract:
    return llvm::checkedSub(lhs, rhs);
  case SizeOperator::Multiply:
    return llvm::checkedMul(lhs, rhs);
  case SizeOperator::FloorDivide:
    return llvm::divideFloorSigned(lhs, rhs);
  case SizeOperator::CeilDivide:
    return llvm::divideCeilSigned(lhs, rhs);
  case SizeOperator::Modulo:
    return llvm::mod(lhs, rhs);
  case SizeOperator::Minimum:
    return std::min(lhs, rhs);
  case SizeOperator::Maximum:
    return std::max(lhs, rhs);
  case SizeOperator::Equal:
    return lhs == rhs;
  case SizeOperator::LessOrEqual:
    return lhs <= rhs;
  case SizeOperator::And:
    return lhs != 0 && rhs != 0;
  }
  llvm_unreachable("every operator has a case");
}

} // namespace stof

#endif // STOF_SUPPORT_SIZEOPERATOR_H
