//===----------------------------------------------------------------------===//
// Exact evaluation of operations.
//===----------------------------------------------------------------------===//

#include "stof/Scalar/ScalarFunctions.h"

#include <cmath>

using namespace mlir;
using namespace stof;

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

bool stof::isIntegerFunction(const Expr *expr) {
  if (expr->op == ScalarOp::Constant)
    return expr->getInt() || expr->getBool();
  if (expr->op == ScalarOp::Select)
    return expr->type.isIntOrIndex();
  auto isInteger = [](ScalarKind kind) {
    return kind == ScalarKind::Index || kind == ScalarKind::Integer ||
           kind == ScalarKind::Truth;
  };
  const ScalarOpInfo &info = getInfo(expr->op);
  return !isLeaf(expr->op) && isInteger(info.operands) &&
         isInteger(info.result);
}

/// Applies the function of `source`, an operation or an expression.
template <typename Source>
static std::optional<int64_t> apply(Source source, ArrayRef<int64_t> operands) {
  IntegerValue result;
  useIntegerFunction(source, [&](auto function) {
    result = function([&](unsigned number) { return operands[number]; });
  });
  return result.isExact ? std::optional(result.value) : std::nullopt;
}

std::optional<int64_t> stof::evaluateInteger(const Expr *expr,
                                             ArrayRef<int64_t> operands) {
  return isIntegerFunction(expr) ? apply(expr, operands) : std::nullopt;
}

std::optional<int64_t> stof::evaluateInteger(ScalarOp op,
                                             ArrayRef<int64_t> operands) {
  return apply(op, operands);
}

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

double stof::toDouble(const APFloat &value) {
  APFloat copy = value;
  bool inexact;
  copy.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &inexact);
  return copy.convertToDouble();
}

static APFloat magnitude(const APFloat &value) { return abs(value); }
static double magnitude(double value) { return std::abs(value); }

static APFloat larger(const APFloat &lhs, const APFloat &rhs) {
  return maximum(lhs, rhs);
}
static double larger(double lhs, double rhs) {
  return std::isnan(lhs) || lhs > rhs ? lhs : rhs;
}

static APFloat roundDown(APFloat value) {
  value.roundToIntegral(APFloat::rmTowardNegative);
  return value;
}
static double roundDown(double value) { return std::floor(value); }

/// The result of an operation that every standard rounds alike.
template <typename Number>
static std::optional<Number> applyRounded(ScalarOp op, ArrayRef<Number> in) {
  switch (op) {
  case ScalarOp::AddF:
    return in[0] + in[1];
  case ScalarOp::SubF:
    return in[0] - in[1];
  case ScalarOp::MulF:
    return in[0] * in[1];
  case ScalarOp::DivF:
    return in[0] / in[1];
  case ScalarOp::NegF:
    return -in[0];
  case ScalarOp::MaxF:
    return larger(in[0], in[1]);
  case ScalarOp::MinF:
    return -larger(-in[0], -in[1]);
  case ScalarOp::AbsF:
    return magnitude(in[0]);
  case ScalarOp::Floor:
    return roundDown(in[0]);
  default:
    return std::nullopt;
  }
}

std::optional<APFloat> stof::foldFloat(ScalarOp op,
                                       ArrayRef<APFloat> operands) {
  const APFloat &value = operands[0];
  if (op == ScalarOp::Exp && value.isZero())
    return APFloat(value.getSemantics(), 1);
  if (op == ScalarOp::Exp && value.isInfinity() && value.isNegative())
    return APFloat::getZero(value.getSemantics());
  return applyRounded(op, operands);
}

double stof::evaluateFloat(ScalarOp op, ArrayRef<double> operands) {
  if (std::optional<double> rounded = applyRounded(op, operands))
    return *rounded;
  double value = operands[0];
  switch (op) {
  case ScalarOp::Exp:
    return std::exp(value);
  case ScalarOp::Exp2:
    return std::exp2(value);
  case ScalarOp::Log:
    return std::log(value);
  case ScalarOp::Tanh:
    return std::tanh(value);
  default:
    llvm_unreachable("expects an operation of floats");
  }
}
