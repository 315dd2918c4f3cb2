//===----------------------------------------------------------------------===//
// Reading of sizes. Operands are visited before their users, without recursion:
// chains can be long.
//===----------------------------------------------------------------------===//

#include "SizeReader.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/AffineExprVisitor.h"
#include "mlir/IR/Matchers.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace stof;
using Operator = SizeExpr::Operator;
using Operands = ArrayRef<SizeExpr>;

static SizeExpr logicalNot(const SizeExpr &value) {
  return SizeExpr::get(Operator::equal, value, 0);
}

static SizeExpr compare(arith::CmpIPredicate predicate, const SizeExpr &lhs,
                        const SizeExpr &rhs) {
  using Predicate = arith::CmpIPredicate;
  auto lessOrEqual = [](const SizeExpr &a, const SizeExpr &b) {
    return SizeExpr::get(Operator::lessOrEqual, a, b);
  };
  switch (predicate) {
  case Predicate::eq:
    return SizeExpr::get(Operator::equal, lhs, rhs);
  case Predicate::ne:
    return logicalNot(SizeExpr::get(Operator::equal, lhs, rhs));
  case Predicate::sle:
  case Predicate::ule:
    return lessOrEqual(lhs, rhs);
  case Predicate::sge:
  case Predicate::uge:
    return lessOrEqual(rhs, lhs);
  case Predicate::slt:
  case Predicate::ult:
    return logicalNot(lessOrEqual(rhs, lhs));
  case Predicate::sgt:
  case Predicate::ugt:
    return logicalNot(lessOrEqual(lhs, rhs));
  }
  llvm_unreachable("all predicates are read");
}

/// An affine expression whose dimensions, then symbols, are `operands`.
static SizeExpr readAffine(AffineExpr expr, unsigned numDims,
                           Operands operands) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return operands[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return operands[numDims + symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  SizeExpr lhs = readAffine(binary.getLHS(), numDims, operands);
  SizeExpr rhs = readAffine(binary.getRHS(), numDims, operands);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return lhs + rhs;
  case AffineExprKind::Mul:
    return lhs * rhs;
  case AffineExprKind::Mod:
    return SizeExpr::get(Operator::modulo, lhs, rhs);
  case AffineExprKind::FloorDiv:
    return SizeExpr::get(Operator::floorDivide, lhs, rhs);
  case AffineExprKind::CeilDiv:
    return SizeExpr::get(Operator::ceilDivide, lhs, rhs);
  default:
    llvm_unreachable("leaves are read above");
  }
}

static SizeExpr readAffineFold(AffineMap map, Operator fold,
                               Operands operands) {
  SizeExpr value = readAffine(map.getResult(0), map.getNumDims(), operands);
  for (AffineExpr result : map.getResults().drop_front())
    value = SizeExpr::get(fold, value,
                          readAffine(result, map.getNumDims(), operands));
  return value;
}

/// The expression of the result of `op`, if packages can express it.
static std::optional<SizeExpr> compute(Operation *op, Operands operands) {
  using Result = std::optional<SizeExpr>;
  auto binary = [&](Operator code) -> Result {
    return SizeExpr::get(code, operands[0], operands[1]);
  };
  bool isBoolean = op->getResult(0).getType().isInteger(1);
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case<arith::AddIOp>([&](auto) { return binary(Operator::add); })
      .Case<arith::SubIOp>([&](auto) { return binary(Operator::subtract); })
      .Case<arith::MulIOp>([&](auto) { return binary(Operator::multiply); })
      .Case<arith::DivSIOp, arith::DivUIOp, arith::FloorDivSIOp>(
          [&](auto) { return binary(Operator::floorDivide); })
      .Case<arith::CeilDivSIOp, arith::CeilDivUIOp>(
          [&](auto) { return binary(Operator::ceilDivide); })
      .Case<arith::RemSIOp, arith::RemUIOp>(
          [&](auto) { return binary(Operator::modulo); })
      .Case<arith::MinSIOp, arith::MinUIOp>(
          [&](auto) { return binary(Operator::minimum); })
      .Case<arith::MaxSIOp, arith::MaxUIOp>(
          [&](auto) { return binary(Operator::maximum); })
      .Case<arith::CmpIOp>([&](arith::CmpIOp compared) {
        return compare(compared.getPredicate(), operands[0], operands[1]);
      })
      .Case<arith::AndIOp>([&](auto) -> Result {
        return isBoolean ? binary(Operator::both) : Result();
      })
      .Case<arith::OrIOp>([&](auto) -> Result {
        return isBoolean ? binary(Operator::maximum) : Result();
      })
      .Case<arith::XOrIOp>([&](auto) -> Result {
        return isBoolean ? logicalNot(binary(Operator::equal).value())
                         : Result();
      })
      .Case<arith::SelectOp>([&](auto) -> Result {
        return operands[0] * operands[1] +
               logicalNot(operands[0]) * operands[2];
      })
      .Case<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtUIOp>(
          [&](auto) -> Result { return operands[0]; })
      .Case<arith::ExtSIOp, arith::TruncIOp>([&](Operation *cast) -> Result {
        bool fromBoolean = cast->getOperand(0).getType().isInteger(1);
        return fromBoolean || isBoolean ? Result() : operands[0];
      })
      .Case<affine::AffineApplyOp>([&](affine::AffineApplyOp apply) -> Result {
        return readAffineFold(apply.getAffineMap(), Operator::add, operands);
      })
      .Case<affine::AffineMinOp>([&](affine::AffineMinOp least) -> Result {
        return readAffineFold(least.getMap(), Operator::minimum, operands);
      })
      .Case<affine::AffineMaxOp>([&](affine::AffineMaxOp most) -> Result {
        return readAffineFold(most.getMap(), Operator::maximum, operands);
      })
      .Default([](Operation *) { return std::nullopt; });
}

/// The shaped value and the dimension of a `dim` operation.
static std::optional<std::pair<Value, int64_t>> matchDim(Operation *op) {
  std::optional<int64_t> index;
  Value shaped;
  if (auto dim = dyn_cast_or_null<tensor::DimOp>(op)) {
    index = dim.getConstantIndex();
    shaped = dim.getSource();
  } else if (auto dim = dyn_cast_or_null<memref::DimOp>(op)) {
    index = dim.getConstantIndex();
    shaped = dim.getSource();
  }
  if (!index)
    return std::nullopt;
  return std::pair(shaped, *index);
}

std::optional<SizeExpr> SizeReader::readUncached(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return value.getType().isInteger(1) ? SizeExpr(!constant.isZero())
                                        : SizeExpr(constant.getSExtValue());
  Operation *op = value.getDefiningOp();
  if (auto dim = matchDim(op)) {
    auto type = dyn_cast<ShapedType>(dim->first.getType());
    if (type && type.hasRank() && dim->second < type.getRank() &&
        !type.isDynamicDim(dim->second))
      return SizeExpr(type.getDimSize(dim->second));
    return readDim(dim->first, dim->second);
  }
  if (!op || op->getNumResults() != 1 || op->getNumRegions() != 0)
    return std::nullopt;
  SmallVector<SizeExpr> operands;
  for (Value operand : op->getOperands())
    operands.push_back(known.at(operand));
  return compute(op, operands);
}

std::optional<SizeExpr> SizeReader::read(Value value) {
  SmallVector<Value> stack{value};
  while (!stack.empty()) {
    Value next = stack.back();
    if (known.contains(next)) {
      stack.pop_back();
      continue;
    }
    Operation *op = next.getDefiningOp();
    size_t height = stack.size();
    if (op && !matchDim(op))
      for (Value operand : op->getOperands()) {
        if (!operand.getType().isIntOrIndex()) {
          obstacle = next;
          return std::nullopt;
        }
        if (!known.contains(operand))
          stack.push_back(operand);
      }
    if (stack.size() != height)
      continue;
    std::optional<SizeExpr> size = readUncached(next);
    if (!size) {
      obstacle = next;
      return std::nullopt;
    }
    known.try_emplace(next, *size);
    stack.pop_back();
  }
  return known.at(value);
}
