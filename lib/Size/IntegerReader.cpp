//===----------------------------------------------------------------------===//
// Reading of integers. Operands are visited before their users, without
// recursion: chains can be long.
//===----------------------------------------------------------------------===//

#include "stof/Size/IntegerReader.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace stof;
using Operator = SizeOperator;

std::optional<int64_t> stof::readConstant(Value value) {
  APInt constant;
  if (!matchPattern(value, m_ConstantInt(&constant)) ||
      constant.getSignificantBits() > 64)
    return std::nullopt;
  return value.getType().isInteger(1) ? !constant.isZero()
                                      : constant.getSExtValue();
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

template <typename Expr>
static Expr compare(arith::CmpIPredicate predicate, const Expr &lhs,
                    const Expr &rhs) {
  using Predicate = arith::CmpIPredicate;
  switch (predicate) {
  case Predicate::eq:
    return Expr::get(Operator::Equal, lhs, rhs);
  case Predicate::ne:
    return Expr::logicalNot(Expr::get(Operator::Equal, lhs, rhs));
  case Predicate::sle:
  case Predicate::ule:
    return Expr::get(Operator::LessOrEqual, lhs, rhs);
  case Predicate::sge:
  case Predicate::uge:
    return Expr::get(Operator::LessOrEqual, rhs, lhs);
  case Predicate::slt:
  case Predicate::ult:
    return Expr::logicalNot(Expr::get(Operator::LessOrEqual, rhs, lhs));
  case Predicate::sgt:
  case Predicate::ugt:
    return Expr::logicalNot(Expr::get(Operator::LessOrEqual, lhs, rhs));
  }
  llvm_unreachable("every predicate has a case");
}

static Operator getOperator(AffineExprKind kind) {
  switch (kind) {
  case AffineExprKind::Add:
    return Operator::Add;
  case AffineExprKind::Mul:
    return Operator::Multiply;
  case AffineExprKind::Mod:
    return Operator::Modulo;
  case AffineExprKind::FloorDiv:
    return Operator::FloorDivide;
  case AffineExprKind::CeilDiv:
    return Operator::CeilDivide;
  default:
    llvm_unreachable("leaves have no operator");
  }
}

/// An affine expression whose dimensions, then symbols, are `operands`.
template <typename Expr>
static Expr readAffine(AffineExpr expr, unsigned numDims,
                       ArrayRef<Expr> operands) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return operands[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return operands[numDims + symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  return Expr::get(getOperator(expr.getKind()),
                   readAffine(binary.getLHS(), numDims, operands),
                   readAffine(binary.getRHS(), numDims, operands));
}

/// The results of `map`, folded by `fold`.
template <typename Expr>
static Expr readMap(AffineMap map, Operator fold, ArrayRef<Expr> operands) {
  Expr value = readAffine(map.getResult(0), map.getNumDims(), operands);
  for (AffineExpr result : map.getResults().drop_front())
    value =
        Expr::get(fold, value, readAffine(result, map.getNumDims(), operands));
  return value;
}

/// Logic on i1; that on wider integers is not read.
template <typename Expr>
static std::optional<Expr> readLogic(Operation *op, const Expr &lhs,
                                     const Expr &rhs) {
  if (!op->getResult(0).getType().isInteger(1))
    return std::nullopt;
  if (isa<arith::AndIOp>(op))
    return Expr::get(Operator::And, lhs, rhs);
  return isa<arith::OrIOp>(op) ? Expr::logicalOr(lhs, rhs)
                               : Expr::logicalXor(lhs, rhs);
}

/// The operator of an arithmetic operation.
static std::optional<Operator> matchOperator(Operation *op) {
  using Result = std::optional<Operator>;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case<arith::AddIOp>([](auto) { return Operator::Add; })
      .Case<arith::SubIOp>([](auto) { return Operator::Subtract; })
      .Case<arith::MulIOp>([](auto) { return Operator::Multiply; })
      .Case<arith::DivSIOp, arith::DivUIOp, arith::FloorDivSIOp>(
          [](auto) { return Operator::FloorDivide; })
      .Case<arith::CeilDivSIOp, arith::CeilDivUIOp>(
          [](auto) { return Operator::CeilDivide; })
      .Case<arith::RemSIOp, arith::RemUIOp>(
          [](auto) { return Operator::Modulo; })
      .Case<arith::MinSIOp, arith::MinUIOp>(
          [](auto) { return Operator::Minimum; })
      .Case<arith::MaxSIOp, arith::MaxUIOp>(
          [](auto) { return Operator::Maximum; })
      .Default([](Operation *) { return std::nullopt; });
}

template <typename Expr>
std::optional<Expr> stof::readInteger(Operation *op, ArrayRef<Expr> operands) {
  using Result = std::optional<Expr>;
  if (std::optional<Operator> code = matchOperator(op))
    return Expr::get(*code, operands[0], operands[1]);
  return llvm::TypeSwitch<Operation *, Result>(op)
      .template Case<arith::CmpIOp>([&](arith::CmpIOp compared) {
        return compare(compared.getPredicate(), operands[0], operands[1]);
      })
      .template Case<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(
          [&](Operation *) { return readLogic(op, operands[0], operands[1]); })
      .template Case<arith::SelectOp>([&](auto) -> Result {
        return operands[0] * operands[1] +
               Expr::logicalNot(operands[0]) * operands[2];
      })
      .template Case<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtUIOp>(
          [&](auto) -> Result { return operands[0]; })
      .template Case<arith::ExtSIOp, arith::TruncIOp>(
          [&](Operation *cast) -> Result {
            bool isPredicate = cast->getOperand(0).getType().isInteger(1) ||
                               cast->getResult(0).getType().isInteger(1);
            return isPredicate ? Result() : operands[0];
          })
      .template Case<affine::AffineApplyOp>(
          [&](affine::AffineApplyOp apply) -> Result {
            return readMap(apply.getAffineMap(), Operator::Add, operands);
          })
      .template Case<affine::AffineMinOp>(
          [&](affine::AffineMinOp least) -> Result {
            return readMap(least.getMap(), Operator::Minimum, operands);
          })
      .template Case<affine::AffineMaxOp>(
          [&](affine::AffineMaxOp most) -> Result {
            return readMap(most.getMap(), Operator::Maximum, operands);
          })
      .Default([](Operation *) { return std::nullopt; });
}

template std::optional<SizeExpr> stof::readInteger(Operation *op,
                                                   ArrayRef<SizeExpr> operands);
template std::optional<CountExpr>
stof::readInteger(Operation *op, ArrayRef<CountExpr> operands);

//===----------------------------------------------------------------------===//
// Reading on demand
//===----------------------------------------------------------------------===//

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

std::optional<SizeExpr> IntegerReader::readUncached(Value value) {
  if (std::optional<int64_t> constant = readConstant(value))
    return SizeExpr(*constant);
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
  return readInteger<SizeExpr>(op, operands);
}

std::optional<SizeExpr> IntegerReader::read(Value value) {
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
