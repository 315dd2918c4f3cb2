//===----------------------------------------------------------------------===//
// Instantiation of map bodies. A coordinate is that of the thread's first
// element plus a constant. Sums of coordinates and uniform values keep the two
// parts separate if their flags exclude overflow: the first part is common to
// all elements of the thread and computed once. `first + constant < bound`
// becomes `first < bound - constant`. LLVM's separate-const-offset-from-gep
// would split the sums of addresses alone, not those that are compared.
//===----------------------------------------------------------------------===//

#include "MapBody.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace stof::tile;

static constexpr auto exact = arith::IntegerOverflowFlags::nsw;

namespace {
struct Sum {
  Value first;
  int64_t constant;
};

class MapBodyCopier {
public:
  MapBodyCopier(OpBuilder &builder, Region &body)
      : builder(builder), body(body) {}

  void map(Value argument, const Coordinate &coordinate) {
    Coordinate first = coordinate;
    first.constant = 0;
    sums.insert(
        {argument,
         {asIndex(builder, body.getLoc(), first), coordinate.constant}});
  }
  void map(Value argument, Value element) { values.map(argument, element); }

  void copy(Operation &inner) {
    if (copySum(inner))
      return;
    if (inner.getNumRegions() == 0 && isPure(&inner) &&
        llvm::all_of(inner.getOperands(),
                     [&](Value operand) { return isShared(operand); }))
      shared.insert_range(inner.getResults());
    inner.walk([&](Operation *nested) {
      for (Value operand : nested->getOperands())
        lookup(operand);
    });
    builder.clone(inner, values);
  }

  Value lookup(Value value) {
    auto sum = sums.find(value);
    if (sum != sums.end() && !values.contains(value))
      values.map(value,
                 add(value.getLoc(), sum->second.first, sum->second.constant));
    return values.lookupOrDefault(value);
  }

private:
  bool copySum(Operation &inner);

  Value constant(Location loc, Type type, int64_t value) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getIntegerAttr(type, value));
  }
  Value add(Location loc, Value first, int64_t distance) {
    if (distance == 0)
      return first;
    return arith::AddIOp::create(builder, loc, first,
                                 constant(loc, first.getType(), distance));
  }
  static std::optional<int64_t> getConstant(Value value) {
    APInt number;
    if (!matchPattern(value, m_ConstantInt(&number)))
      return std::nullopt;
    return number.getSExtValue();
  }
  /// Whether `value` is the same for all elements.
  bool isShared(Value value) {
    // The block of a loop is in no region once the loop is converted.
    Region *region = value.getParentRegion();
    return shared.contains(value) || !region || !body.isAncestor(region);
  }
  /// `value` as a sum, if elements differ only by the constant.
  std::optional<Sum> getSum(Value value) {
    auto sum = sums.find(value);
    if (sum != sums.end())
      return sum->second;
    if (!isShared(value))
      return std::nullopt;
    return Sum{lookup(value), 0};
  }

  OpBuilder &builder;
  Region &body;
  IRMapping values;
  DenseMap<Value, Sum> sums;
  llvm::DenseSet<Value> shared;
};
} // namespace

/// Whether `value` is representable in `type`.
static bool fits(int64_t value, Type type) {
  return type.isIndex() || llvm::isIntN(type.getIntOrFloatBitWidth(), value);
}

bool MapBodyCopier::copySum(Operation &inner) {
  Location loc = inner.getLoc();
  if (inner.getNumOperands() == 0 || inner.getNumResults() != 1)
    return false;
  if (llvm::none_of(inner.getOperands(),
                    [&](Value operand) { return sums.contains(operand); }))
    return false;
  Value result = inner.getResult(0);
  std::optional<Sum> lhs = getSum(inner.getOperand(0)), rhs;
  if (inner.getNumOperands() == 2)
    rhs = getSum(inner.getOperand(1));
  return TypeSwitch<Operation *, bool>(&inner)
      .Case([&](arith::IndexCastOp cast) {
        // Coordinates in a tile are small, so the cast does not truncate.
        if (cast.getIn().getParentBlock() != &body.front() ||
            !isa<BlockArgument>(cast.getIn()))
          return false;
        Value first = arith::IndexCastOp::create(builder, loc, cast.getType(),
                                                 lhs->first);
        sums.insert({result, {first, lhs->constant}});
        return true;
      })
      .Case([&](arith::AddIOp sum) {
        if (!lhs || !rhs || sum.getOverflowFlags() != exact)
          return false;
        Value first =
            arith::AddIOp::create(builder, loc, lhs->first, rhs->first, exact);
        sums.insert({result, {first, lhs->constant + rhs->constant}});
        return true;
      })
      .Case([&](arith::SubIOp difference) {
        if (!lhs || !rhs || difference.getOverflowFlags() != exact)
          return false;
        Value first =
            arith::SubIOp::create(builder, loc, lhs->first, rhs->first, exact);
        sums.insert({result, {first, lhs->constant - rhs->constant}});
        return true;
      })
      .Case([&](arith::CmpIOp comparison) {
        std::optional<int64_t> bound = getConstant(comparison.getRhs());
        Type type = comparison.getRhs().getType();
        if (!lhs || !bound || !fits(*bound - lhs->constant, type) ||
            comparison.getPredicate() >= arith::CmpIPredicate::ult)
          return false;
        Value moved = constant(loc, type, *bound - lhs->constant);
        values.map(result, arith::CmpIOp::create(builder, loc,
                                                 comparison.getPredicate(),
                                                 lhs->first, moved)
                               .getResult());
        return true;
      })
      .Default(false);
}

SmallVector<Value> stof::tile::copyMapBody(OpBuilder &builder, Region &region,
                                           ArrayRef<Coordinate> coordinates,
                                           ValueRange elements) {
  Block &body = region.front();
  assert(body.getNumArguments() == coordinates.size() + elements.size() &&
         "expects a coordinate or an element for each argument");
  MapBodyCopier copier(builder, region);
  auto arguments = body.getArguments();
  for (auto [argument, coordinate] :
       llvm::zip(arguments.take_front(coordinates.size()), coordinates))
    copier.map(argument, coordinate);
  for (auto [argument, element] :
       llvm::zip(arguments.drop_front(coordinates.size()), elements))
    copier.map(argument, element);
  for (Operation &inner : body.without_terminator())
    copier.copy(inner);
  SmallVector<Value> yielded;
  for (Value value : body.getTerminator()->getOperands())
    yielded.push_back(copier.lookup(value));
  return yielded;
}
