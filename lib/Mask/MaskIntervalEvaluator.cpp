//===----------------------------------------------------------------------===//
// Interval arithmetic over the predicate of a mask.
//===----------------------------------------------------------------------===//

#include "stof/Mask/MaskIntervalEvaluator.h"

#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace stof;
using arith::CmpIPredicate;

std::shared_ptr<std::vector<int64_t>> stof::readIntegers(Value tensor) {
  auto constant = tensor.getDefiningOp<arith::ConstantOp>();
  if (!constant)
    return nullptr;
  auto type = dyn_cast<RankedTensorType>(constant.getType());
  auto element = type ? dyn_cast<IntegerType>(type.getElementType()) : nullptr;
  // Constants of dynamic types are rejected elsewhere.
  if (!element || element.getWidth() > 64 || !type.hasStaticShape())
    return nullptr;
  auto result = std::make_shared<std::vector<int64_t>>();
  result->reserve(type.getNumElements());
  if (auto dense = dyn_cast<DenseElementsAttr>(constant.getValue())) {
    // Booleans are 0 or 1, other integers are signed.
    for (const APInt &value : dense.getValues<APInt>())
      result->push_back(element.getWidth() == 1 ? value.getZExtValue()
                                                : value.getSExtValue());
    return result;
  }
  auto resource = dyn_cast<DenseResourceElementsAttr>(constant.getValue());
  AsmResourceBlob *blob =
      resource ? resource.getRawHandle().getBlob() : nullptr;
  unsigned bytes = llvm::divideCeil(element.getWidth(), 8);
  if (!blob || !llvm::is_contained({1u, 2u, 4u, 8u}, bytes) ||
      blob->getData().size() != bytes * size_t(type.getNumElements()))
    return nullptr;
  for (const char *at = blob->getData().begin(); at != blob->getData().end();
       at += bytes) {
    uint64_t value = 0;
    std::memcpy(&value, at, bytes);
    result->push_back(element.getWidth() == 1
                          ? int64_t(value & 1)
                          : llvm::SignExtend64(value, element.getWidth()));
  }
  return result;
}

/// Adds the nodes of `root`; returns the reason if it cannot be evaluated.
std::optional<std::string> MaskIntervalEvaluator::add(const Expr *root) {
  std::optional<std::string> problem;
  walkExpr(root, [&](const Expr *expr) {
    usesBatch |= expr == mask.batch;
    usesHead |= expr == mask.head;
    if (problem || numbers.count(expr))
      return;
    auto refuse = [&] {
      problem.emplace();
      llvm::raw_string_ostream(*problem)
          << *expr << " cannot be evaluated at compile time";
    };
    Node node{expr, {}, nullptr, {}};
    bool isCoordinate = expr == mask.query || expr == mask.key ||
                        expr == mask.batch || expr == mask.head;
    switch (expr->op) {
    case ScalarOp::Constant:
      if (!expr->getInt() && !expr->getTruth())
        return refuse();
      break;
    case ScalarOp::Variable:
      if (!isCoordinate)
        return refuse();
      break;
    case ScalarOp::Element:
      node.elements = readIntegers(expr->value);
      if (!node.elements)
        return refuse();
      llvm::append_range(node.shape,
                         cast<ShapedType>(expr->value.getType()).getShape());
      break;
    case ScalarOp::FloorDiv:
    case ScalarOp::Mod:
    case ScalarOp::DivS:
    case ScalarOp::RemS:
      if (expr->operands[1]->getInt().value_or(0) <= 0)
        return refuse();
      break;
    case ScalarOp::Linear:
    case ScalarOp::MulI:
    case ScalarOp::MinI:
    case ScalarOp::MaxI:
    case ScalarOp::AbsI:
    case ScalarOp::FromInt:
    case ScalarOp::CmpI:
    case ScalarOp::And:
    case ScalarOp::Or:
    case ScalarOp::Xor:
    case ScalarOp::Select:
      break;
    default:
      return refuse();
    }
    // The extent of a coordinate does not affect its value.
    if (!isCoordinate)
      for (const Expr *operand : expr->operands) {
        auto known = numbers.find(operand);
        if (known == numbers.end())
          return refuse();
        node.operands.push_back(known->second);
      }
    numbers[expr] = nodes.size();
    nodes.push_back(std::move(node));
  });
  return problem;
}

std::optional<MaskIntervalEvaluator>
MaskIntervalEvaluator::create(const MaskExpr &mask, std::string &why) {
  if (!hasSmallConstants(mask.keep)) {
    why = "its arithmetic may wrap";
    return std::nullopt;
  }
  MaskIntervalEvaluator grid;
  grid.mask = mask;
  // Coordinates are added first, without their extents.
  for (const Expr *coordinate : {mask.query, mask.key, mask.batch, mask.head}) {
    grid.numbers[coordinate] = grid.nodes.size();
    grid.nodes.push_back({coordinate, {}, nullptr, {}});
  }
  if (std::optional<std::string> problem = grid.add(mask.keep)) {
    why = *problem;
    return std::nullopt;
  }
  grid.values.resize(grid.nodes.size());
  return grid;
}

void MaskIntervalEvaluator::setBatchAndHead(int64_t newBatch, int64_t newHead) {
  batch = newBatch;
  head = newHead;
}

//===----------------------------------------------------------------------===//
// Boxes
//===----------------------------------------------------------------------===//

/// Ranges of more elements than this are not searched for their bounds; their
/// box is halved instead.
static constexpr int64_t maxElements = 4096;

MaskIntervalEvaluator::Bounds
MaskIntervalEvaluator::readElements(const Node &node) const {
  int64_t count = 1;
  SmallVector<Bounds, 3> ranges;
  for (auto [operand, extent] : llvm::zip(node.operands, node.shape)) {
    Bounds range = values[operand];
    // Out-of-bounds indices are undefined; clamp them.
    range.lo = std::clamp<int64_t>(range.lo, 0, extent - 1);
    range.hi = std::clamp<int64_t>(range.hi, 0, extent - 1);
    ranges.push_back(range);
    count *= range.hi - range.lo + 1;
  }
  if (count > maxElements)
    return {Expr::minInt, Expr::maxInt};
  Bounds bounds{Expr::maxInt, Expr::minInt};
  SmallVector<int64_t, 3> index;
  for (const Bounds &range : ranges)
    index.push_back(range.lo);
  for (int64_t visited = 0; visited < count; ++visited) {
    int64_t linear = 0;
    for (auto [at, extent] : llvm::zip(index, node.shape))
      linear = linear * extent + at;
    int64_t value = (*node.elements)[linear];
    bounds = {std::min(bounds.lo, value), std::max(bounds.hi, value)};
    for (size_t dim = index.size(); dim-- > 0;) {
      if (++index[dim] <= ranges[dim].hi)
        break;
      index[dim] = ranges[dim].lo;
    }
  }
  return bounds;
}

namespace {
/// Saturating sums and products of int64_t.
int64_t addClamped(int64_t lhs, int64_t rhs) {
  if (lhs == Expr::minInt || lhs == Expr::maxInt)
    return lhs;
  if (rhs == Expr::minInt || rhs == Expr::maxInt)
    return rhs;
  int64_t sum;
  if (!llvm::AddOverflow(lhs, rhs, sum))
    return sum;
  return lhs > 0 ? Expr::maxInt : Expr::minInt;
}
int64_t multiplyClamped(int64_t lhs, int64_t rhs) {
  int64_t product;
  if (!llvm::MulOverflow(lhs, rhs, product))
    return product;
  return (lhs < 0) == (rhs < 0) ? Expr::maxInt : Expr::minInt;
}
} // namespace

static std::pair<int64_t, int64_t> multiply(std::pair<int64_t, int64_t> lhs,
                                            std::pair<int64_t, int64_t> rhs) {
  int64_t products[] = {multiplyClamped(lhs.first, rhs.first),
                        multiplyClamped(lhs.first, rhs.second),
                        multiplyClamped(lhs.second, rhs.first),
                        multiplyClamped(lhs.second, rhs.second)};
  return {*llvm::min_element(products), *llvm::max_element(products)};
}

/// The outcome of a comparison: (0, 0), (1, 1), or (0, 1) if undecided.
static std::pair<int64_t, int64_t> compare(CmpIPredicate predicate, int64_t llo,
                                           int64_t lhi, int64_t rlo,
                                           int64_t rhi) {
  auto decide = [](bool yes, bool no) -> std::pair<int64_t, int64_t> {
    return {yes, !no};
  };
  switch (predicate) {
  case CmpIPredicate::eq:
    return decide(llo == lhi && rlo == rhi && llo == rlo,
                  lhi < rlo || rhi < llo);
  case CmpIPredicate::ne:
    return decide(lhi < rlo || rhi < llo,
                  llo == lhi && rlo == rhi && llo == rlo);
  case CmpIPredicate::slt:
    return decide(lhi < rlo, llo >= rhi);
  case CmpIPredicate::sle:
    return decide(lhi <= rlo, llo > rhi);
  case CmpIPredicate::sgt:
    return decide(llo > rhi, lhi <= rlo);
  case CmpIPredicate::sge:
    return decide(llo >= rhi, lhi < rlo);
  default: {
    // Unsigned comparisons equal signed ones if neither side is negative.
    if (llo >= 0 && rlo >= 0)
      return compare(predicate == CmpIPredicate::ult   ? CmpIPredicate::slt
                     : predicate == CmpIPredicate::ule ? CmpIPredicate::sle
                     : predicate == CmpIPredicate::ugt ? CmpIPredicate::sgt
                                                       : CmpIPredicate::sge,
                     llo, lhi, rlo, rhi);
    if (llo == lhi && rlo == rhi) {
      bool result = arith::applyCmpPredicate(predicate, APInt(64, llo, true),
                                             APInt(64, rlo, true));
      return {result, result};
    }
    return {0, 1};
  }
  }
}

MaskIntervalEvaluator::Bounds
MaskIntervalEvaluator::evaluate(const Node &node, const PairBox &box) const {
  const Expr *expr = node.expr;
  if (expr == mask.query)
    return {box.firstQuery, box.endQuery - 1};
  if (expr == mask.key)
    return {box.firstKey, box.endKey - 1};
  if (expr == mask.batch)
    return {batch, batch};
  if (expr == mask.head)
    return {head, head};
  auto in = [&](unsigned number) { return values[node.operands[number]]; };
  auto pair = [&](unsigned number) {
    return std::make_pair(in(number).lo, in(number).hi);
  };
  auto toBounds = [](std::pair<int64_t, int64_t> ends) {
    return Bounds{ends.first, ends.second};
  };
  switch (expr->op) {
  case ScalarOp::Constant: {
    int64_t value =
        expr->getTruth() ? int64_t(*expr->getTruth()) : *expr->getInt();
    return {value, value};
  }
  case ScalarOp::Element:
    return readElements(node);
  case ScalarOp::FromInt:
    return in(0);
  case ScalarOp::Linear: {
    Bounds sum{expr->ints.back(), expr->ints.back()};
    for (unsigned i = 0; i < node.operands.size(); ++i) {
      auto [lo, hi] = multiply(pair(i), {expr->ints[i], expr->ints[i]});
      sum = {addClamped(sum.lo, lo), addClamped(sum.hi, hi)};
    }
    return sum;
  }
  case ScalarOp::MulI:
    return toBounds(multiply(pair(0), pair(1)));
  case ScalarOp::FloorDiv:
  case ScalarOp::Mod:
  case ScalarOp::DivS:
  case ScalarOp::RemS: {
    Bounds value = in(0);
    int64_t divisor = in(1).lo;
    if (expr->op == ScalarOp::DivS)
      return {value.lo / divisor, value.hi / divisor};
    Bounds quotient{llvm::divideFloorSigned(value.lo, divisor),
                    llvm::divideFloorSigned(value.hi, divisor)};
    if (expr->op == ScalarOp::FloorDiv)
      return quotient;
    if (expr->op == ScalarOp::RemS && value.lo < 0) {
      if (value.lo == value.hi)
        return {value.lo % divisor, value.lo % divisor};
      return {1 - divisor, divisor - 1};
    }
    // Within one period the remainder is monotonic in the value.
    if (quotient.lo != quotient.hi)
      return {0, divisor - 1};
    return {value.lo - quotient.lo * divisor, value.hi - quotient.lo * divisor};
  }
  case ScalarOp::MinI:
    return {std::min(in(0).lo, in(1).lo), std::min(in(0).hi, in(1).hi)};
  case ScalarOp::MaxI:
    return {std::max(in(0).lo, in(1).lo), std::max(in(0).hi, in(1).hi)};
  case ScalarOp::AbsI: {
    Bounds value = in(0);
    if (value.lo >= 0)
      return value;
    if (value.hi <= 0)
      return {-value.hi, -value.lo};
    return {0, std::max(-value.lo, value.hi)};
  }
  case ScalarOp::CmpI:
    return toBounds(compare(expr->getIntPredicate(), in(0).lo, in(0).hi,
                            in(1).lo, in(1).hi));
  case ScalarOp::And:
  case ScalarOp::Or: {
    Bounds result = in(0);
    for (unsigned i = 1; i < node.operands.size(); ++i)
      result = expr->op == ScalarOp::And
                   ? Bounds{result.lo & in(i).lo, result.hi & in(i).hi}
                   : Bounds{result.lo | in(i).lo, result.hi | in(i).hi};
    return result;
  }
  case ScalarOp::Xor: {
    if (in(0).lo != in(0).hi || in(1).lo != in(1).hi)
      return {0, 1};
    int64_t value = in(0).lo ^ in(1).lo;
    return {value, value};
  }
  case ScalarOp::Select: {
    if (in(0).lo == in(0).hi)
      return in(0).lo ? in(1) : in(2);
    return {std::min(in(1).lo, in(2).lo), std::max(in(1).hi, in(2).hi)};
  }
  default:
    llvm_unreachable("rejected by add");
  }
}

MaskIntervalEvaluator::Kept MaskIntervalEvaluator::bound(const PairBox &box) {
  for (auto [number, node] : llvm::enumerate(nodes))
    values[number] = evaluate(node, box);
  work += nodes.size();
  Bounds keep = values[numbers.lookup(mask.keep)];
  // Booleans of ranges beyond maxElements have unbounded values.
  return keep.lo == 1 && keep.hi == 1   ? Kept::all
         : keep.lo == 0 && keep.hi == 0 ? Kept::none
                                        : Kept::some;
}

std::pair<PairBox, PairBox> PairBox::halve() const {
  PairBox first = *this, second = *this;
  if (endQuery - firstQuery >= endKey - firstKey)
    first.endQuery = second.firstQuery = (firstQuery + endQuery) / 2;
  else
    first.endKey = second.firstKey = (firstKey + endKey) / 2;
  return {first, second};
}

void MaskIntervalEvaluator::visitKept(
    const PairBox &box, llvm::function_ref<void(const PairBox &)> visit) {
  if (box.firstQuery >= box.endQuery || box.firstKey >= box.endKey)
    return;
  Kept kept = bound(box);
  if (kept == Kept::none)
    return;
  // An undecided pair may be unmasked; its tile evaluates the mask.
  if (kept == Kept::all || box.size() == 1)
    return visit(box);
  auto [first, second] = box.halve();
  visitKept(first, visit);
  visitKept(second, visit);
}
