//===----------------------------------------------------------------------===//
// Value ranges are inferred for integers that depend on narrow coordinates
// alone. While a range is within narrowLimit the operation is done in i32,
// where it cannot overflow; other operations widen their operands.
//
// Comparisons of sums are made against constants. `q <= k` becomes
// `q - k <= 0`; `|q - k| <= w` with a constant w becomes `q - k + w <= 2 w`,
// unsigned. An element is at a constant distance from the first one of its
// thread, for which such a comparison takes one instruction.
//
// Upstream's arith-int-range-narrowing computes in i32 too, but without the
// flags that exclude overflow, by which constant distances are found
// (TileToNVVM/MapBody.cpp). It stops at math.absi, which infers no range, and
// leaves comparisons as they are.
//===----------------------------------------------------------------------===//

#include "NarrowBody.h"
#include "ScalarBody.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace stof;
using arith::CmpIPredicate;

static Value widen(OpBuilder &builder, Value narrow, Type type) {
  if (narrow.getType() == type)
    return narrow;
  if (type.isIndex())
    return arith::IndexCastOp::create(builder, narrow.getLoc(), type, narrow);
  return arith::ExtSIOp::create(builder, narrow.getLoc(), type, narrow);
}

Value PairCoordinate::getIndex(OpBuilder &builder) const {
  return widen(builder, value, builder.getIndexType());
}

namespace {
/// An i32 in [least, most].
struct Narrow {
  Value value;
  int64_t least, most;
  /// Whether the value is affine in coordinates.
  bool isSum = false;

  bool isNegative() const { return least < 0; }
  bool isConstant() const { return least == most; }
};

class NarrowCopier {
public:
  NarrowCopier(OpBuilder &builder, IRMapping &values)
      : builder(builder), values(values) {}

  void map(Value argument, const PairCoordinate &coordinate) {
    if (coordinate.end > 0)
      known.insert({argument,
                    {coordinate.value, 0, coordinate.end - 1, /*isSum=*/true}});
    else
      values.map(argument, coordinate.value);
  }

  void copy(Operation &op) {
    if (copyNarrow(op))
      return;
    op.walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        lookup(operand);
    });
    copyScalar(builder, op, values);
  }

  Value lookup(Value value) {
    auto narrow = known.find(value);
    if (narrow != known.end() && !values.contains(value))
      values.map(value, widen(builder, narrow->second.value, value.getType()));
    return values.lookupOrDefault(value);
  }

private:
  bool copyNarrow(Operation &op);
  bool compare(arith::CmpIOp op, Narrow lhs, Narrow rhs);
  /// The inferred range of the result of `op`, if there is one.
  std::optional<std::pair<int64_t, int64_t>> infer(Operation &op,
                                                   ArrayRef<Narrow> operands);
  Value constant(int64_t value, Location loc) {
    return arith::ConstantIntOp::create(builder, loc, value, 32);
  }

  OpBuilder &builder;
  IRMapping &values;
  DenseMap<Value, Narrow> known;
};
} // namespace

static bool isInteger(Type type) {
  return type.isIndex() || type.isInteger(64) || type.isInteger(32);
}

static bool isSigned(CmpIPredicate predicate) {
  return predicate <= CmpIPredicate::sge;
}

std::optional<std::pair<int64_t, int64_t>>
NarrowCopier::infer(Operation &op, ArrayRef<Narrow> operands) {
  if (isa<math::AbsIOp>(op)) {
    int64_t least = operands[0].least, most = operands[0].most;
    return std::pair(std::max<int64_t>({least, -most, 0}),
                     std::max(-least, most));
  }
  if (!isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::DivSIOp,
           arith::DivUIOp, arith::FloorDivSIOp, arith::RemSIOp, arith::RemUIOp,
           arith::MinSIOp, arith::MinUIOp, arith::MaxSIOp, arith::MaxUIOp,
           arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op))
    return std::nullopt;
  unsigned width =
      ConstantIntRanges::getStorageBitwidth(op.getOperand(0).getType());
  auto bound = [&](int64_t value) {
    return APInt(width, value, /*isSigned=*/true);
  };
  auto ranges = llvm::map_to_vector(operands, [&](const Narrow &operand) {
    return ConstantIntRanges::fromSigned(bound(operand.least),
                                         bound(operand.most));
  });
  std::optional<std::pair<int64_t, int64_t>> found;
  cast<InferIntRangeInterface>(op).inferResultRanges(
      ranges, [&](Value, const ConstantIntRanges &range) {
        found = {range.smin().getSExtValue(), range.smax().getSExtValue()};
      });
  return found;
}

/// Whether `op` is unsigned, which narrow operands must be nonnegative for.
static bool isUnsigned(Operation &op) {
  return isa<arith::DivUIOp, arith::RemUIOp, arith::MinUIOp, arith::MaxUIOp,
             arith::IndexCastUIOp, arith::ExtUIOp, arith::UIToFPOp>(op);
}

/// The equivalent predicate for swapped operands.
static CmpIPredicate swap(CmpIPredicate predicate) {
  switch (predicate) {
  case CmpIPredicate::slt:
    return CmpIPredicate::sgt;
  case CmpIPredicate::sle:
    return CmpIPredicate::sge;
  case CmpIPredicate::sgt:
    return CmpIPredicate::slt;
  case CmpIPredicate::sge:
    return CmpIPredicate::sle;
  case CmpIPredicate::ult:
    return CmpIPredicate::ugt;
  case CmpIPredicate::ule:
    return CmpIPredicate::uge;
  case CmpIPredicate::ugt:
    return CmpIPredicate::ult;
  case CmpIPredicate::uge:
    return CmpIPredicate::ule;
  case CmpIPredicate::eq:
  case CmpIPredicate::ne:
    return predicate;
  }
  llvm_unreachable("all predicates are above");
}

bool NarrowCopier::compare(arith::CmpIOp op, Narrow lhs, Narrow rhs) {
  Location loc = op.getLoc();
  CmpIPredicate predicate = op.getPredicate();
  Value left = op.getLhs();
  if (lhs.isConstant()) {
    std::swap(lhs, rhs);
    left = op.getRhs();
    predicate = swap(predicate);
  }
  bool ordered = !lhs.isNegative() && !rhs.isNegative();
  if (ordered && !isSigned(predicate))
    predicate = *arith::symbolizeCmpIPredicate(uint64_t(predicate) -
                                               uint64_t(CmpIPredicate::ult) +
                                               uint64_t(CmpIPredicate::slt));
  Value narrowLeft = lhs.value, narrowRight = rhs.value;
  auto absolute = left.getDefiningOp<math::AbsIOp>();
  bool below =
      predicate == CmpIPredicate::slt || predicate == CmpIPredicate::sle;
  bool above =
      predicate == CmpIPredicate::sgt || predicate == CmpIPredicate::sge;
  if (absolute && rhs.isConstant() && (below || above)) {
    // |x| <= w, or |x| > w.
    bool strict =
        predicate == CmpIPredicate::slt || predicate == CmpIPredicate::sge;
    int64_t width = rhs.least - strict;
    if (width < 0)
      return false;
    narrowLeft = arith::AddIOp::create(
        builder, loc, known.at(absolute.getOperand()).value,
        constant(width, loc), arith::IntegerOverflowFlags::nsw);
    narrowRight = constant(2 * width, loc);
    predicate = below ? CmpIPredicate::ule : CmpIPredicate::ugt;
  } else if (lhs.isSum && rhs.isSum && !rhs.isConstant() &&
             isSigned(predicate)) {
    narrowLeft = arith::SubIOp::create(builder, loc, lhs.value, rhs.value,
                                       arith::IntegerOverflowFlags::nsw);
    narrowRight = constant(0, loc);
  }
  values.map(op.getResult(), arith::CmpIOp::create(builder, loc, predicate,
                                                   narrowLeft, narrowRight)
                                 .getResult());
  return true;
}

bool NarrowCopier::copyNarrow(Operation &op) {
  if (op.getNumResults() != 1 || op.getNumRegions() != 0)
    return false;
  Value result = op.getResult(0);
  APInt number;
  if (matchPattern(&op, m_ConstantInt(&number))) {
    if (!isInteger(result.getType()) ||
        !number.abs().ule(static_cast<uint64_t>(narrowLimit)))
      return false;
    int64_t value = number.getSExtValue();
    known.insert(
        {result, {constant(value, op.getLoc()), value, value, /*isSum=*/true}});
    return true;
  }
  SmallVector<Narrow> operands;
  for (Value operand : op.getOperands()) {
    auto narrow = known.find(operand);
    if (narrow == known.end())
      return false;
    operands.push_back(narrow->second);
  }
  if (operands.empty() ||
      (isUnsigned(op) && llvm::any_of(operands, [](const Narrow &operand) {
         return operand.isNegative();
       })))
    return false;
  if (auto comparison = dyn_cast<arith::CmpIOp>(op))
    return compare(comparison, operands[0], operands[1]);
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp,
          arith::ExtUIOp, arith::TruncIOp>(op)) {
    if (!isInteger(result.getType()))
      return false;
    known.insert({result, operands[0]});
    return true;
  }
  bool isFloat = isa<arith::SIToFPOp, arith::UIToFPOp>(op);
  Narrow narrow;
  if (!isFloat) {
    auto range = infer(op, operands);
    if (!range || range->first < -narrowLimit || range->second > narrowLimit)
      return false;
    std::tie(narrow.least, narrow.most) = *range;
    bool isScaled = isa<arith::MulIOp>(op) &&
                    llvm::any_of(operands, [](const Narrow &operand) {
                      return operand.isConstant();
                    });
    narrow.isSum =
        (isa<arith::AddIOp, arith::SubIOp>(op) || isScaled) &&
        llvm::all_of(operands, [](const Narrow &o) { return o.isSum; });
  }
  IRMapping inner;
  for (auto [wide, operand] : llvm::zip(op.getOperands(), operands))
    inner.map(wide, operand.value);
  Operation *copied = builder.insert(op.cloneWithoutRegions(inner));
  if (isFloat) {
    values.map(result, copied->getResult(0));
    return true;
  }
  copied->getResult(0).setType(builder.getI32Type());
  TypeSwitch<Operation *>(copied)
      .Case<arith::AddIOp, arith::SubIOp, arith::MulIOp>([](auto sum) {
        sum.setOverflowFlags(arith::IntegerOverflowFlags::nsw);
      });
  narrow.value = copied->getResult(0);
  known.insert({result, narrow});
  return true;
}

SmallVector<Value> stof::copyPairBody(OpBuilder &builder, Block &body,
                                      IRMapping &values,
                                      ArrayRef<BlockArgument> arguments,
                                      ArrayRef<PairCoordinate> coordinates) {
  NarrowCopier copier(builder, values);
  for (auto [argument, coordinate] : llvm::zip_equal(arguments, coordinates))
    copier.map(argument, coordinate);
  for (Operation &op : body.without_terminator())
    copier.copy(op);
  SmallVector<Value> yielded;
  for (Value value : body.getTerminator()->getOperands())
    yielded.push_back(copier.lookup(value));
  return yielded;
}
