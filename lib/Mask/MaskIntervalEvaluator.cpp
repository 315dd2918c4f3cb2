//===----------------------------------------------------------------------===//
// Interval arithmetic over the predicate of a mask.
//===----------------------------------------------------------------------===//

#include "stof/Mask/MaskIntervalEvaluator.h"

#include "stof/Scalar/ScalarFunctions.h"
#include "stof/Scalar/ScalarRange.h"

#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace stof;

std::shared_ptr<std::vector<int64_t>> stof::readIntegers(Value tensor) {
  auto constant = tensor.getDefiningOp<arith::ConstantOp>();
  if (!constant)
    return nullptr;
  auto type = dyn_cast<RankedTensorType>(constant.getType());
  auto element = type ? dyn_cast<IntegerType>(type.getElementType()) : nullptr;
  // Constants of dynamic types are rejected elsewhere.
  // Every index of a tensor without elements is out of bounds.
  if (!element || element.getWidth() > 64 || !type.hasStaticShape() ||
      type.getNumElements() == 0)
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

bool MaskIntervalEvaluator::isCoordinate(const Expr *expr) const {
  return expr == mask.query || expr == mask.key || expr == mask.batch ||
         expr == mask.head;
}

/// The node of `expr`, nothing if it cannot be evaluated.
std::optional<MaskIntervalEvaluator::Node>
MaskIntervalEvaluator::makeNode(const Expr *expr) const {
  Node node{expr, {}, nullptr, {}};
  // The extent of a coordinate does not affect its value.
  if (isCoordinate(expr))
    return node;
  if (expr->op == ScalarOp::Element) {
    node.elements = readIntegers(expr->value);
    if (!node.elements)
      return std::nullopt;
    llvm::append_range(node.shape,
                       cast<ShapedType>(expr->value.getType()).getShape());
  } else if (!isIntegerFunction(expr)) {
    return std::nullopt;
  }
  if (isDivision(expr->op) && expr->operands[1]->getInt().value_or(0) <= 0)
    return std::nullopt;
  for (const Expr *operand : expr->operands) {
    auto known = numbers.find(operand);
    if (known == numbers.end())
      return std::nullopt;
    node.operands.push_back(known->second);
  }
  return node;
}

/// Adds the nodes of `root`; returns the reason if it cannot be evaluated.
std::optional<std::string> MaskIntervalEvaluator::add(const Expr *root) {
  std::optional<std::string> problem;
  walkExpr(root, [&](const Expr *expr) {
    usesBatch |= expr == mask.batch;
    usesHead |= expr == mask.head;
    if (problem || numbers.count(expr))
      return;
    std::optional<Node> node = makeNode(expr);
    if (!node) {
      problem.emplace();
      llvm::raw_string_ostream(*problem)
          << *expr << " cannot be evaluated at compile time";
      return;
    }
    numbers[expr] = nodes.size();
    nodes.push_back(std::move(*node));
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

IntegerRange MaskIntervalEvaluator::readElements(const Node &node) const {
  int64_t count = 1;
  SmallVector<IntegerRange, 3> ranges;
  for (auto [operand, extent] : llvm::zip(node.operands, node.shape)) {
    IntegerRange range = values[operand];
    // Out-of-bounds indices are undefined; clamp them.
    range.lo = std::clamp<int64_t>(range.lo, 0, extent - 1);
    range.hi = std::clamp<int64_t>(range.hi, 0, extent - 1);
    ranges.push_back(range);
    count *= range.hi - range.lo + 1;
  }
  // Booleans are 0 or 1.
  if (count > maxElements)
    return getTypeRange(node.expr->type, !node.expr->isPredicate());
  IntegerRange bounds{Expr::maxInt, Expr::minInt};
  SmallVector<int64_t, 3> index;
  for (IntegerRange range : ranges)
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

IntegerRange MaskIntervalEvaluator::evaluate(const Node &node,
                                             const PairBox &box) const {
  const Expr *expr = node.expr;
  if (expr == mask.query)
    return {box.firstQuery, box.endQuery - 1};
  if (expr == mask.key)
    return {box.firstKey, box.endKey - 1};
  if (expr == mask.batch)
    return IntegerRange::point(batch);
  if (expr == mask.head)
    return IntegerRange::point(head);
  if (node.elements)
    return readElements(node);
  return inferRange(
      expr, llvm::map_to_vector<4>(node.operands, [&](unsigned operand) {
        return values[operand];
      }));
}

MaskIntervalEvaluator::Kept MaskIntervalEvaluator::bound(const PairBox &box) {
  for (auto [number, node] : llvm::enumerate(nodes))
    values[number] = evaluate(node, box);
  work += nodes.size();
  IntegerRange keep = values[numbers.lookup(mask.keep)];
  return keep.lo == 1 && keep.hi == 1   ? Kept::All
         : keep.lo == 0 && keep.hi == 0 ? Kept::None
                                        : Kept::Some;
}

std::pair<PairBox, PairBox> PairBox::halve() const {
  assert(size() > 1 && "expects several pairs");
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
  if (kept == Kept::None)
    return;
  // An undecided pair may be unmasked; its tile evaluates the mask.
  if (kept == Kept::All || box.size() == 1)
    return visit(box);
  auto [first, second] = box.halve();
  visitKept(first, visit);
  visitKept(second, visit);
}
