//===----------------------------------------------------------------------===//
// Summation over sets of pairs. Boxes of pairs are halved until they are
// decided by interval arithmetic and then added at once by sums of powers.
// Small undecided boxes are evaluated row by row in segments of keys.
//===----------------------------------------------------------------------===//

#include "PolynomialFingerprint.h"

#include "stof/Scalar/ScalarFunctions.h"

#include <numeric>

using namespace mlir;
using namespace stof;

//===----------------------------------------------------------------------===//
// Numbers modulo 2^61 - 1
//===----------------------------------------------------------------------===//

static constexpr uint64_t prime = (uint64_t(1) << 61) - 1;

static uint64_t addModulo(uint64_t lhs, uint64_t rhs) {
  uint64_t sum = lhs + rhs;
  return sum >= prime ? sum - prime : sum;
}
static uint64_t subtractModulo(uint64_t lhs, uint64_t rhs) {
  return addModulo(lhs, prime - rhs);
}
static uint64_t multiplyModulo(uint64_t lhs, uint64_t rhs) {
  unsigned __int128 product = static_cast<unsigned __int128>(lhs) * rhs;
  uint64_t low = uint64_t(product) & prime, high = uint64_t(product >> 61);
  return addModulo(low, high);
}

/// A vector whose element n is the sum of the first n powers of `base`.
static std::vector<uint64_t> sumPowers(uint64_t base, int64_t count) {
  std::vector<uint64_t> sums{0};
  sums.reserve(count + 1);
  uint64_t power = 1;
  for (int64_t i = 0; i < count; ++i) {
    sums.push_back(addModulo(sums.back(), power));
    power = multiplyModulo(power, base);
  }
  return sums;
}

//===----------------------------------------------------------------------===//
// Segments of rows
//===----------------------------------------------------------------------===//

namespace {

/// The number of keys that are evaluated at once, and the size of boxes that
/// are not halved further.
constexpr int64_t segment = 64;
constexpr int64_t smallBox = segment * segment;

/// Evaluates predicates that are supported by MaskIntervalEvaluator.
class SegmentEvaluator {
public:
  SegmentEvaluator(const MaskExpr &mask);

  /// Whether each of the `count` pairs from (query, firstKey) on is unmasked.
  ArrayRef<int64_t> evaluate(int64_t query, int64_t firstKey, int64_t count);

private:
  struct Node {
    const Expr *expr;
    SmallVector<unsigned, 3> operands;
    std::shared_ptr<std::vector<int64_t>> elements;
    /// Whether it varies along a row; otherwise only the first value is set.
    bool varies;
    std::array<int64_t, segment> values;
  };

  /// The values of an operand: one, or one for each pair.
  struct Source {
    const int64_t *values;
    int64_t step;

    int64_t at(int64_t number) const { return values[number * step]; }
  };

  void readElements(Node &node, ArrayRef<Source> indices, int64_t count) const;
  void compute(Node &node, int64_t count) const;

  const MaskExpr &mask;
  std::vector<Node> nodes;
  unsigned keep;
};

} // namespace

SegmentEvaluator::SegmentEvaluator(const MaskExpr &mask) : mask(mask) {
  DenseMap<const Expr *, unsigned> numbers;
  auto append = [&](const Expr *expr) {
    numbers[expr] = nodes.size();
    nodes.push_back({expr, {}, nullptr, expr == mask.key, {}});
  };
  for (const Expr *coordinate : {mask.query, mask.key, mask.batch, mask.head})
    append(coordinate);
  walkExpr(mask.keep, [&](const Expr *expr) {
    // The extents of coordinates do not affect their values.
    if (numbers.count(expr))
      return;
    SmallVector<unsigned, 3> operands;
    bool varies = false;
    for (const Expr *operand : expr->operands) {
      operands.push_back(numbers.at(operand));
      varies |= nodes[operands.back()].varies;
    }
    append(expr);
    nodes.back().operands = std::move(operands);
    nodes.back().varies = varies;
    if (expr->op == ScalarOp::Element)
      nodes.back().elements = readIntegers(expr->value);
  });
  keep = numbers.at(mask.keep);
}

void SegmentEvaluator::readElements(Node &node, ArrayRef<Source> indices,
                                    int64_t count) const {
  std::array<int64_t, segment> linear = {};
  auto shape = cast<ShapedType>(node.expr->value.getType()).getShape();
  for (auto [index, extent] : llvm::zip_equal(indices, shape))
    for (int64_t at = 0; at < count; ++at)
      linear[at] = linear[at] * extent +
                   std::clamp<int64_t>(index.at(at), 0, extent - 1);
  for (int64_t at = 0; at < count; ++at)
    node.values[at] = (*node.elements)[linear[at]];
}

void SegmentEvaluator::compute(Node &node, int64_t count) const {
  auto sources = llvm::map_to_vector<3>(node.operands, [&](unsigned operand) {
    const Node &source = nodes[operand];
    return Source{source.values.data(), source.varies ? 1 : 0};
  });
  if (node.elements)
    return readElements(node, sources, count);
  useIntegerFunction(node.expr, [&](auto function) {
    for (int64_t at = 0; at < count; ++at)
      node.values[at] = function([&](unsigned operand) {
                          return sources[operand].at(at);
                        }).value;
  });
}

ArrayRef<int64_t> SegmentEvaluator::evaluate(int64_t query, int64_t firstKey,
                                             int64_t count) {
  assert(0 < count && count <= segment && "expects a part of a segment");
  for (Node &node : nodes) {
    if (node.expr == mask.query)
      node.values[0] = query;
    else if (node.expr == mask.key)
      std::iota(node.values.begin(), node.values.begin() + count, firstKey);
    else if (node.expr == mask.batch || node.expr == mask.head)
      node.values[0] = 0;
    else
      compute(node, node.varies ? count : 1);
  }
  Node &result = nodes[keep];
  if (!result.varies)
    std::fill(result.values.begin() + 1, result.values.end(), result.values[0]);
  return ArrayRef(result.values).take_front(count);
}

//===----------------------------------------------------------------------===//
// Boxes
//===----------------------------------------------------------------------===//

namespace {
class Summation {
public:
  Summation(MaskIntervalEvaluator &grid, const MaskExpr &mask, int64_t queries,
            int64_t keys)
      : grid(grid), evaluator(mask) {
    // Arbitrary numbers that are not small powers of one another.
    constexpr uint64_t points[2][2] = {
        {0x0123456789abcdef, 0x1c8b3f5a97d2e641},
        {0x07f4a7c15f39cc06, 0x13198a2e03707344}};
    for (unsigned number = 0; number < 2; ++number) {
      rows[number] = sumPowers(points[number][0] % prime, queries);
      columns[number] = sumPowers(points[number][1] % prime, keys);
    }
  }

  void visit(const PairBox &box) {
    switch (grid.bound(box)) {
    case MaskIntervalEvaluator::Kept::None:
      return;
    case MaskIntervalEvaluator::Kept::All:
      return add(box);
    case MaskIntervalEvaluator::Kept::Some:
      break;
    }
    if (box.size() > smallBox || box.endKey - box.firstKey > segment) {
      auto [first, second] = box.halve();
      visit(first);
      return visit(second);
    }
    for (int64_t query = box.firstQuery; query < box.endQuery; ++query)
      addRow(query, box.firstKey, box.endKey - box.firstKey);
  }

  const PolynomialFingerprint &get() const { return sum; }

private:
  static uint64_t between(ArrayRef<uint64_t> sums, int64_t begin, int64_t end) {
    return subtractModulo(sums[end], sums[begin]);
  }
  void add(const PairBox &box) {
    for (unsigned number = 0; number < 2; ++number)
      sum.values[number] = addModulo(
          sum.values[number],
          multiplyModulo(between(rows[number], box.firstQuery, box.endQuery),
                         between(columns[number], box.firstKey, box.endKey)));
  }
  void addRow(int64_t query, int64_t firstKey, int64_t count) {
    ArrayRef<int64_t> kept = evaluator.evaluate(query, firstKey, count);
    for (int64_t begin = 0; begin < count;) {
      int64_t end = begin;
      while (end < count && kept[end])
        ++end;
      if (begin < end)
        add({query, query + 1, firstKey + begin, firstKey + end});
      begin = end + 1;
    }
  }

  MaskIntervalEvaluator &grid;
  SegmentEvaluator evaluator;
  std::array<std::vector<uint64_t>, 2> rows, columns;
  PolynomialFingerprint sum;
};
} // namespace

/// The largest length for which sums of powers are stored.
static constexpr int64_t maxLength = int64_t(1) << 24;
/// The number of rows that are always summed.
static constexpr int64_t minRows = 8;

std::optional<PolynomialFingerprint> stof::sumPairs(const MaskExpr &mask,
                                                    int64_t queries,
                                                    int64_t keys,
                                                    int64_t maxPairs) {
  std::string why;
  std::optional<MaskIntervalEvaluator> grid =
      MaskIntervalEvaluator::create(mask, why);
  if (!grid || queries > maxLength || keys > maxLength)
    return std::nullopt;
  Summation summation(*grid, mask, queries, keys);
  if (queries == 0 || keys == 0)
    return summation.get();
  int64_t allowed = std::max(maxPairs / keys, minRows);
  if (queries <= allowed) {
    summation.visit({0, queries, 0, keys});
    return summation.get();
  }
  // A quarter at either end, and single rows in between at uneven distances.
  int64_t atEnds = allowed / 4, inside = allowed - 2 * atEnds;
  summation.visit({0, atEnds, 0, keys});
  summation.visit({queries - atEnds, queries, 0, keys});
  int64_t step = (queries - 2 * atEnds) / inside;
  assert(step > 0 && "rows are left between the ends");
  constexpr int64_t uneven = 7919;
  for (int64_t number = 0; number < inside; ++number) {
    int64_t row = atEnds + number * step + number * uneven % step;
    summation.visit({row, row + 1, 0, keys});
  }
  return summation.get();
}
