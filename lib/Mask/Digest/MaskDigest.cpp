//===----------------------------------------------------------------------===//
// Digests of masks.
//
//   1. Conditions that are code, and symbols of run-time values, are found in
//      the predicate.
//   2. For each outcome of the conditions, each sample of lengths and scalars,
//      each batch and head, the fingerprint of the unmasked positions is
//      computed (PolynomialFingerprint.h).
//   3. The fingerprints are hashed for every order of the scalars of one kind.
//      The least hash does not depend on the order.
//===----------------------------------------------------------------------===//

#include "stof/Mask/Digest/MaskDigest.h"

#include "ExprDigest.h"
#include "PolynomialFingerprint.h"
#include "stof/Scalar/ScalarFunctions.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"
#include <numeric>

using namespace mlir;
using namespace stof;

/// The most conditions; each doubles the number of sets.
static constexpr unsigned maxConditions = 4;
/// The most scalars for which every order is tried.
static constexpr unsigned maxOrdered = 3;
/// The most nodes of a predicate; evaluating larger ones for millions of pairs
/// would dominate compile time, so their text is hashed.
static constexpr unsigned maxNodes = 512;
/// The most pairs that are evaluated of a constant mask, and of each sample of
/// other masks.
static constexpr int64_t maxKnownPairs = int64_t(1) << 25;
static constexpr int64_t maxSampledPairs = int64_t(1) << 17;
/// The most batches and heads that are evaluated: the first ones and the last.
static constexpr int64_t maxKnownIndices = 64, maxSampledIndices = 4;
/// The number of samples unless a single length is the only run-time value.
static constexpr unsigned numSamples = 40;

static constexpr int64_t lengths[] = {1,    2,    3,    7,     16,    64,
                                      65,   100,  128,  257,   640,   1000,
                                      1537, 4099, 5003, 20011, 100003};
static constexpr int64_t scalars[] = {0,    1,    2,     3,   5,   8,   16,
                                      31,   50,   64,    100, 128, 255, 512,
                                      1000, 4096, 10000, -1,  -7};

//===----------------------------------------------------------------------===//
// Parts of a predicate
//===----------------------------------------------------------------------===//

namespace {

class Digester {
public:
  Digester(ExprContext &context, const MaskExpr &mask)
      : context(context), mask(mask), exprs(mask) {}

  MaskDigest digest();

private:
  struct Sample {
    int64_t queries, keys;
    unsigned number;
  };

  bool isFixed(const Expr *expr) {
    return !context.dependsOn(expr, mask.query) &&
           !context.dependsOn(expr, mask.key);
  }
  /// Whether `expr` can be evaluated for given values of its symbols, which are
  /// added to `found`.
  bool isEvaluable(const Expr *expr, SetVector<const Expr *> &found,
                   DenseSet<const Expr *> &seen);
  void findConditions();
  void normalizeConditions();
  std::vector<Sample> makeSamples() const;

  std::string kindOf(const Expr *symbol);
  /// The fingerprints of all outcomes and samples, with symbols in `order`.
  std::optional<std::string> describe(ArrayRef<unsigned> order);
  std::optional<std::string> describe(const Expr *keep, const Sample &sample,
                                      ArrayRef<unsigned> order);
  SmallVector<int64_t> sampleIndices(const Expr *coordinate, const Expr *keep);

  const Expr *queries() const { return mask.query->operands[0]; }
  const Expr *keys() const { return mask.key->operands[0]; }
  bool isKnown() const {
    return queries()->getInt() && keys()->getInt() && symbols.empty();
  }

  ExprContext &context;
  const MaskExpr &mask;
  ExprDigest exprs;
  SetVector<const Expr *> conditions, symbols;
  /// The conditions as literals, and the predicate in terms of them.
  SmallVector<const Expr *> literals;
  const Expr *keep = nullptr;
};

} // namespace

bool Digester::isEvaluable(const Expr *expr, SetVector<const Expr *> &found,
                           DenseSet<const Expr *> &seen) {
  // Visited nodes are evaluable: the search ends at the first that is not.
  if (!seen.insert(expr).second)
    return true;
  if (llvm::is_contained(
          {mask.query, mask.key, mask.batch, mask.head, queries(), keys()},
          expr))
    return true;
  auto symbol = [&] {
    if (!expr->isIndex() || !isFixed(expr))
      return false;
    found.insert(expr);
    return true;
  };
  auto all = [&] {
    return llvm::all_of(expr->operands, [&](const Expr *operand) {
      return isEvaluable(operand, found, seen);
    });
  };
  auto isConstant = [](const Expr *element) {
    return element->op == ScalarOp::Element && readIntegers(element->value);
  };
  if (expr->op == ScalarOp::Element)
    return isConstant(expr) ? all() : symbol();
  // An integer that is known at run time is a symbol, as an index.
  bool isTyped =
      expr->op == ScalarOp::FromInt || expr->op == ScalarOp::FromUInt;
  if (isTyped && !isConstant(expr->operands[0]))
    return symbol();
  // Divisors must be constants when predicates are evaluated.
  if (isDivision(expr->op) && !isFixed(expr->operands[1]))
    return false;
  return isIntegerFunction(expr) ? all() : symbol();
}

void Digester::findConditions() {
  SmallVector<const Expr *> open{mask.keep};
  DenseSet<const Expr *> seen;
  while (!open.empty()) {
    const Expr *expr = open.pop_back_val();
    if (!seen.insert(expr).second)
      continue;
    bool isLogic = llvm::is_contained(
        {ScalarOp::And, ScalarOp::Or, ScalarOp::Xor, ScalarOp::Select},
        expr->op);
    SetVector<const Expr *> found;
    DenseSet<const Expr *> inside;
    if (isLogic)
      llvm::append_range(open, llvm::reverse(expr->operands));
    else if (isEvaluable(expr, found, inside))
      symbols.insert_range(found);
    else
      conditions.insert(expr);
  }
}

/// Merges opposite conditions and sorts them independently of their order in
/// the predicate.
void Digester::normalizeConditions() {
  ExprMap replaced;
  SetVector<const Expr *> distinct;
  for (const Expr *condition : conditions) {
    Literal literal = normalizeComparison(context, condition);
    distinct.insert(literal.expr);
    replaced[condition] =
        literal.isNegated ? context.notI(literal.expr) : literal.expr;
  }
  keep = mask.keep;
  for (auto [from, to] : replaced)
    if (from != to)
      keep = context.substitute(keep, ExprMap{{from, to}});
  SmallVector<std::pair<std::string, unsigned>> order;
  for (auto [position, literal] : llvm::enumerate(distinct))
    order.push_back({exprs.describeKind(literal), position});
  llvm::sort(order);
  for (const auto &[kind, position] : order)
    literals.push_back(distinct[position]);
}

//===----------------------------------------------------------------------===//
// Samples
//===----------------------------------------------------------------------===//

std::vector<Digester::Sample> Digester::makeSamples() const {
  std::optional<int64_t> knownQueries = queries()->getInt(),
                         knownKeys = keys()->getInt();
  if (isKnown())
    return {{*knownQueries, *knownKeys, 0}};
  bool isOneLength = queries() == keys() || knownQueries || knownKeys;
  unsigned count =
      symbols.empty() && isOneLength ? std::size(lengths) : numSamples;
  std::vector<Sample> samples;
  for (unsigned number = 0; number < count; ++number) {
    unsigned first = number % std::size(lengths);
    // The length of keys differs from that of queries in most samples.
    unsigned second =
        queries() == keys() ? first : number * 5 % std::size(lengths);
    samples.push_back({knownQueries.value_or(lengths[first]),
                       knownKeys.value_or(lengths[second]), number});
  }
  return samples;
}

static int64_t sampleScalar(const Expr *symbol, unsigned number,
                            unsigned slot) {
  uint32_t mixed = (number + 1) * 0x9e3779b9u + slot * 0x85ebca6bu;
  mixed ^= mixed >> 15;
  int64_t value = scalars[mixed % std::size(scalars)];
  return std::clamp(value, symbol->lo, symbol->hi);
}

/// The batches or heads at which `keep` is evaluated.
SmallVector<int64_t> Digester::sampleIndices(const Expr *coordinate,
                                             const Expr *keep) {
  if (!context.dependsOn(keep, coordinate))
    return {0};
  int64_t most = isKnown() ? maxKnownIndices : maxSampledIndices;
  int64_t count = coordinate->operands[0]->getInt().value_or(most);
  SmallVector<int64_t> indices =
      llvm::to_vector(llvm::seq<int64_t>(0, std::min(count, most)));
  if (count > most)
    indices.back() = count - 1;
  return indices;
}

//===----------------------------------------------------------------------===//
// Fingerprints
//===----------------------------------------------------------------------===//

/// The text of `rows`. A row of equal elements is printed as one element, a
/// list of equal rows as one row.
static std::string print(std::vector<std::vector<PolynomialFingerprint>> rows) {
  for (std::vector<PolynomialFingerprint> &row : rows)
    if (llvm::all_equal(row))
      row.resize(std::min<size_t>(row.size(), 1));
  if (llvm::all_equal(rows))
    rows.resize(std::min<size_t>(rows.size(), 1));
  std::string text;
  llvm::raw_string_ostream os(text);
  for (const std::vector<PolynomialFingerprint> &row : rows) {
    for (const PolynomialFingerprint &sum : row)
      os << llvm::utohexstr(sum.values[0]) << ','
         << llvm::utohexstr(sum.values[1]) << ' ';
    os << ';';
  }
  return text;
}

std::optional<std::string> Digester::describe(const Expr *keep,
                                              const Sample &sample,
                                              ArrayRef<unsigned> order) {
  MaskExpr sampled = mask;
  ExprMap values;
  auto bindLength = [&](const Expr *MaskExpr::*position, int64_t length) {
    const Expr *coordinate = mask.*position;
    const Expr *extent = coordinate->operands[0];
    if (extent->getInt())
      return;
    values[extent] = context.integer(length);
    values[coordinate] = sampled.*position =
                             context.variable(context.integer(length));
  };
  bindLength(&MaskExpr::query, sample.queries);
  bindLength(&MaskExpr::key, sample.keys);
  for (auto [slot, position] : llvm::enumerate(order)) {
    const Expr *symbol = symbols[position];
    values[symbol] = context.integer(sampleScalar(symbol, sample.number, slot));
  }
  int64_t maxPairs = isKnown() ? maxKnownPairs : maxSampledPairs;
  std::vector<std::vector<PolynomialFingerprint>> rows;
  for (int64_t batch : sampleIndices(mask.batch, keep)) {
    rows.emplace_back();
    for (int64_t head : sampleIndices(mask.head, keep)) {
      values[mask.batch] = context.integer(batch);
      values[mask.head] = context.integer(head);
      sampled.keep = context.substitute(keep, values);
      std::optional<PolynomialFingerprint> sum =
          sumPairs(sampled, sample.queries, sample.keys, maxPairs);
      if (!sum)
        return std::nullopt;
      rows.back().push_back(*sum);
    }
  }
  return print(std::move(rows));
}

std::optional<std::string> Digester::describe(ArrayRef<unsigned> order) {
  std::string text;
  for (unsigned outcome = 0; outcome < 1u << literals.size(); ++outcome) {
    ExprMap outcomes;
    for (auto [number, literal] : llvm::enumerate(literals))
      outcomes[literal] = context.boolean((outcome >> number) & 1);
    const Expr *rest = context.substitute(keep, outcomes);
    for (const Sample &sample : makeSamples()) {
      std::optional<std::string> numbers = describe(rest, sample, order);
      if (!numbers)
        return std::nullopt;
      text += *numbers;
    }
    text += '\n';
  }
  return text;
}

/// The kind of a symbol; all scalars are of one kind, regardless of type.
std::string Digester::kindOf(const Expr *symbol) {
  const Expr *inner =
      symbol->op == ScalarOp::FromInt ? symbol->operands[0] : symbol;
  if (inner->op == ScalarOp::Scalar)
    return "scalar";
  return exprs.describeKind(symbol);
}

static std::string hash(StringRef text) {
  constexpr size_t digits = 32;
  return llvm::toHex(llvm::SHA256::hash(llvm::arrayRefFromStringRef(text)),
                     /*LowerCase=*/true)
      .substr(0, digits);
}

MaskDigest Digester::digest() {
  unsigned nodes = 0;
  walkExpr(mask.keep, [&](const Expr *) { ++nodes; });
  if (nodes > maxNodes) {
    // Visit operands first to avoid deep recursion.
    walkExpr(mask.keep, [&](const Expr *expr) { exprs.describeKind(expr); });
    walkExpr(mask.keep, [&](const Expr *expr) { exprs.describe(expr); });
    return {hash("text " + exprs.describe(mask.keep)), true};
  }
  findConditions();
  normalizeConditions();
  auto spelling = [&] {
    return MaskDigest{hash("text " + exprs.describe(mask.keep)), true};
  };
  if (literals.size() > maxConditions)
    return spelling();
  // The hashed text in addition to the fingerprints.
  std::string head;
  llvm::raw_string_ostream os(head);
  auto printLength = [&](const Expr *length) {
    if (std::optional<int64_t> known = length->getInt())
      os << *known << ' ';
    else
      os << (queries() == keys() ? "s " : "? ");
  };
  os << "set ";
  printLength(queries());
  printLength(keys());
  for (const Expr *literal : literals)
    os << exprs.describe(literal) << ' ';

  SmallVector<std::string> kinds;
  for (const Expr *symbol : symbols)
    kinds.push_back(kindOf(symbol));
  SmallVector<unsigned> order(symbols.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::sort(order, [&](unsigned lhs, unsigned rhs) {
    return std::tie(kinds[lhs], lhs) < std::tie(kinds[rhs], rhs);
  });
  for (unsigned position : order)
    os << kinds[position] << ' ';
  auto kindsIn = [&](ArrayRef<unsigned> order) {
    return llvm::map_to_vector(
        order, [&](unsigned position) { return StringRef(kinds[position]); });
  };
  SmallVector<StringRef> wanted = kindsIn(order);
  std::string least;
  auto tryOrder = [&] {
    std::optional<std::string> numbers = describe(order);
    if (!numbers)
      return false;
    std::string found = hash(head + *numbers);
    if (least.empty() || found < least)
      least = found;
    return true;
  };
  if (symbols.size() > maxOrdered)
    return tryOrder() ? MaskDigest{least} : spelling();
  SmallVector<unsigned> positions(order);
  llvm::sort(positions);
  do {
    order = positions;
    if (kindsIn(order) == wanted && !tryOrder())
      return spelling();
  } while (std::next_permutation(positions.begin(), positions.end()));
  return {least};
}

std::string stof::hashSpelling(const MaskExpr &mask) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (const Expr *coordinate : {mask.batch, mask.head, mask.query, mask.key}) {
    if (std::optional<int64_t> extent = coordinate->operands[0]->getInt())
      os << *extent << ' ';
    else
      os << "? ";
  }
  os << (mask.query->operands[0] == mask.key->operands[0]) << ' ';
  ExprDigest exprs(mask);
  // Operands first: recursion would be deep.
  walkExpr(mask.keep, [&](const Expr *expr) { exprs.describeKind(expr); });
  walkExpr(mask.keep, [&](const Expr *expr) { exprs.describe(expr); });
  os << exprs.describe(mask.keep);
  return hash(text);
}

MaskDigest stof::digestMask(ExprContext &context, const MaskExpr &mask) {
  return Digester(context, mask).digest();
}
