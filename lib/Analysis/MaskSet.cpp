//===----------------------------------------------------------------------===//
// From the predicate of a mask to Presburger sets: comparisons become integer
// polyhedra, and, or and select intersections and unions of them. A negation
// goes down to the comparisons, so that no set is ever complemented or
// subtracted: the library takes exponential time for it, and is wrong where a
// constraint on a division's remainder has made one of the division's own
// redundant. Minima, maxima, absolute values and selects inside a comparison
// are split into their cases.
//===----------------------------------------------------------------------===//

#include "stof/Analysis/MaskSet.h"

using namespace mlir;
using namespace stof;
using presburger::IntegerPolyhedron;
using presburger::PresburgerSet;
using presburger::PresburgerSpace;
using presburger::VarKind;

/// A set of more pieces than this is left to code: proofs would take longer
/// than they save.
static constexpr unsigned maxPieces = 96;
/// Pairs of pieces that one intersection may try.
static constexpr unsigned maxProduct = 1024;

const Expr *stof::readPredicate(ElementAt &elements, MaskOp predicate,
                                const MaskExpr &mask) {
  Block &body = predicate.getPredicate().front();
  const Expr *coordinates[] = {mask.batch, mask.head, mask.query, mask.key};
  for (auto [argument, expr] : llvm::zip(body.getArguments(), coordinates))
    elements.bind(argument, expr);
  for (auto [argument, captured] :
       llvm::zip(body.getArguments().drop_front(MaskOp::numCoordinates),
                 predicate.getCaptures()))
    elements.bind(argument, captured);
  // Whatever is not understood differs from pair to pair.
  auto isLeaf = [&](Value value) {
    return value.getType().isIntOrIndexOrFloat() &&
           elements.scalar(value)->value == value;
  };
  for (Operation &op : body.without_terminator())
    if (llvm::any_of(op.getResults(), isLeaf))
      elements.bindOpaque(op, coordinates);
  return elements.scalar(body.getTerminator()->getOperand(0));
}

MaskExpr stof::readMask(ElementAt &elements, MaskOp mask, Value query,
                        Value key) {
  MaskExpr result{elements.indexOf(query, AttentionOp::batch),
                  elements.indexOf(query, AttentionOp::head),
                  elements.indexOf(query, AttentionOp::position),
                  elements.indexOf(key, AttentionOp::position), nullptr};
  result.keep = readPredicate(elements, mask, result);
  return result;
}

bool stof::hasSmallConstants(const Expr *root) {
  constexpr int64_t limit = int64_t(1) << 40;
  auto isSmall = [](int64_t value) {
    return -limit <= value && value <= limit;
  };
  bool small = true;
  walkExpr(root, [&](const Expr *expr) {
    if (std::optional<int64_t> value = expr->getInt())
      small &= isSmall(*value);
    if (expr->op == ScalarOp::Linear)
      small &= llvm::all_of(expr->ints, isSmall);
  });
  return small;
}

//===----------------------------------------------------------------------===//
// Expressions to sets
//===----------------------------------------------------------------------===//

class MaskSet::Builder {
public:
  Builder(ExprContext &context, const MaskExpr &mask, MaskSet &result)
      : context(context), mask(mask), result(result) {}

  void build();

private:
  using Row = SmallVector<int64_t, 8>;

  bool isFixed(const Expr *expr) {
    return !context.dependsOn(expr, mask.query) &&
           !context.dependsOn(expr, mask.key);
  }
  void findSymbols(const Expr *root);
  PresburgerSpace space() const {
    return PresburgerSpace::getSetSpace(MaskSet::numDims,
                                        result.symbols.size());
  }
  PresburgerSet none() const { return PresburgerSet::getEmpty(space()); }
  PresburgerSet all() const { return PresburgerSet::getUniverse(space()); }

  /// What encloses the pairs for which `expr` has the value `wanted`.
  Bounds truth(const Expr *expr, bool wanted);
  Bounds compare(const Expr *expr, bool wanted);
  std::optional<PresburgerSet> inequality(const Expr *expr, bool isEquality);
  Bounds unknown(const Expr *expr);
  const Expr *splitCases(const Expr *comparison);
  /// The coefficients of `expr` over the columns of `poly`, which gains a local
  /// variable for each division.
  std::optional<Row> affine(const Expr *expr, IntegerPolyhedron &poly);
  /// Keys up to the last one, behind it, and both.
  enum class Keys { Inside, Beyond, Any };
  PresburgerSet positions(Keys keys);

  ExprContext &context;
  const MaskExpr &mask;
  MaskSet &result;
};

/// Whether an expression is spelt out by `affine`, given its operands.
static bool isAffineNode(const Expr *expr) {
  switch (expr->op) {
  case ScalarOp::Constant:
  case ScalarOp::Linear:
    return true;
  case ScalarOp::FloorDiv:
  case ScalarOp::Mod: {
    std::optional<int64_t> divisor = expr->operands[1]->getInt();
    return divisor && *divisor > 0;
  }
  default:
    return false;
  }
}

static bool isSplit(const Expr *expr) {
  if (!expr->isIndex())
    return false;
  switch (expr->op) {
  case ScalarOp::MinI:
  case ScalarOp::MaxI:
  case ScalarOp::AbsI:
  case ScalarOp::Select:
    return true;
  case ScalarOp::DivS:
  case ScalarOp::RemS: {
    std::optional<int64_t> divisor = expr->operands[1]->getInt();
    return divisor && *divisor > 0;
  }
  default:
    return false;
  }
}

void MaskSet::Builder::findSymbols(const Expr *root) {
  if (!root->isIndex()) {
    for (const Expr *operand : root->operands)
      findSymbols(operand);
    return;
  }
  if (root == mask.query || root == mask.key)
    return;
  if (isAffineNode(root) || isSplit(root) || !isFixed(root)) {
    for (const Expr *operand : root->operands)
      findSymbols(operand);
    return;
  }
  result.symbols.insert(root);
}

std::optional<MaskSet::Builder::Row>
MaskSet::Builder::affine(const Expr *expr, IntegerPolyhedron &poly) {
  auto width = [&] { return poly.getNumCols(); };
  // Rows made before a local variable was added lack its column.
  auto widen = [&](Row &row) {
    int64_t constant = row.pop_back_val();
    row.resize(width() - 1, 0);
    row.push_back(constant);
  };
  Row row(width(), 0);
  if (std::optional<int64_t> value = expr->getInt()) {
    row.back() = *value;
    return row;
  }
  if (expr == mask.query || expr == mask.key) {
    row[expr == mask.query ? MaskSet::query : MaskSet::key] = 1;
    return row;
  }
  auto *symbol = llvm::find(result.symbols, expr);
  if (symbol != result.symbols.end()) {
    row[MaskSet::numDims + (symbol - result.symbols.begin())] = 1;
    return row;
  }
  if (!isAffineNode(expr))
    return std::nullopt;
  if (expr->op == ScalarOp::Linear) {
    row.back() = expr->ints.back();
    for (auto [operand, factor] : llvm::zip(expr->operands, expr->ints)) {
      std::optional<Row> term = affine(operand, poly);
      if (!term)
        return std::nullopt;
      widen(row);
      for (auto [sum, value] : llvm::zip(row, *term)) {
        int64_t product;
        if (llvm::MulOverflow(value, factor, product) ||
            llvm::AddOverflow(sum, product, sum))
          return std::nullopt;
      }
    }
    return row;
  }
  std::optional<Row> dividend = affine(expr->operands[0], poly);
  int64_t divisor = *expr->operands[1]->getInt();
  if (!dividend)
    return std::nullopt;
  unsigned quotient = poly.addLocalFloorDiv(*dividend, divisor);
  if (expr->op == ScalarOp::FloorDiv) {
    row.assign(width(), 0);
    row[quotient] = 1;
    return row;
  }
  widen(*dividend);
  (*dividend)[quotient] -= divisor;
  return dividend;
}

/// The pairs for which `expr` is not negative, or zero.
std::optional<PresburgerSet> MaskSet::Builder::inequality(const Expr *expr,
                                                          bool isEquality) {
  IntegerPolyhedron poly(space());
  std::optional<Row> row = affine(expr, poly);
  if (!row)
    return std::nullopt;
  if (isEquality)
    poly.addEquality(*row);
  else
    poly.addInequality(*row);
  return PresburgerSet(poly);
}

MaskSet::Bounds MaskSet::Builder::unknown(const Expr *expr) {
  result.opaque.insert(expr);
  return {none(), all()};
}

/// A comparison with its innermost minimum, maximum, absolute value, select or
/// truncating division replaced by its cases; null if it has none.
const Expr *MaskSet::Builder::splitCases(const Expr *comparison) {
  const Expr *found = nullptr;
  walkExpr(comparison, [&](const Expr *node) {
    if (!found && node != comparison && isSplit(node))
      found = node;
  });
  if (!found)
    return nullptr;
  using arith::CmpIPredicate;
  auto choose = [&](const Expr *condition, const Expr *ifTrue,
                    const Expr *ifFalse) {
    auto with = [&](const Expr *value) {
      return context.substitute(comparison, ExprMap{{found, value}});
    };
    return context.orI(context.andI(condition, with(ifTrue)),
                       context.andI(context.notI(condition), with(ifFalse)));
  };
  const Expr *lhs = found->operands[0];
  const Expr *zero = context.integer(0);
  auto negated = [&](const Expr *expr) { return context.sub(zero, expr); };
  if (found->op == ScalarOp::Select)
    return choose(lhs, found->operands[1], found->operands[2]);
  if (found->op == ScalarOp::AbsI)
    return choose(context.cmpI(CmpIPredicate::sge, lhs, zero), lhs,
                  negated(lhs));
  const Expr *rhs = found->operands[1];
  if (found->op == ScalarOp::MinI || found->op == ScalarOp::MaxI) {
    auto predicate =
        found->op == ScalarOp::MinI ? CmpIPredicate::sle : CmpIPredicate::sge;
    return choose(context.cmpI(predicate, lhs, rhs), lhs, rhs);
  }
  // Division that rounds towards zero.
  auto positive = [&](const Expr *dividend) {
    return found->op == ScalarOp::DivS ? context.floorDiv(dividend, rhs)
                                       : context.mod(dividend, rhs);
  };
  return choose(context.cmpI(CmpIPredicate::sge, lhs, zero), positive(lhs),
                negated(positive(negated(lhs))));
}

MaskSet::Bounds MaskSet::Builder::compare(const Expr *expr, bool wanted) {
  if (!hasSmallConstants(expr))
    return unknown(expr);
  if (const Expr *cases = splitCases(expr))
    return truth(cases, wanted);
  using arith::CmpIPredicate;
  const Expr *lhs = expr->operands[0], *rhs = expr->operands[1];
  CmpIPredicate predicate = expr->getIntPredicate();
  if (!wanted)
    predicate = arith::invertPredicate(predicate);
  // Two remainders are equal where that of their difference is 0, which is one
  // division and a lattice.
  if ((predicate == CmpIPredicate::eq || predicate == CmpIPredicate::ne) &&
      lhs->op == ScalarOp::Mod && rhs->op == ScalarOp::Mod &&
      lhs->operands[1] == rhs->operands[1] && isAffineNode(lhs)) {
    lhs = context.mod(context.sub(lhs->operands[0], rhs->operands[0]),
                      lhs->operands[1]);
    rhs = context.integer(0);
  }
  // Unsigned comparisons of what is not negative are signed ones.
  switch (predicate) {
  case CmpIPredicate::ult:
  case CmpIPredicate::ule:
  case CmpIPredicate::ugt:
  case CmpIPredicate::uge:
    if (lhs->lo < 0 || rhs->lo < 0)
      return unknown(expr);
    predicate = predicate == CmpIPredicate::ult   ? CmpIPredicate::slt
                : predicate == CmpIPredicate::ule ? CmpIPredicate::sle
                : predicate == CmpIPredicate::ugt ? CmpIPredicate::sgt
                                                  : CmpIPredicate::sge;
    break;
  default:
    break;
  }
  if (predicate == CmpIPredicate::slt || predicate == CmpIPredicate::sle)
    std::swap(lhs, rhs);
  auto differ = [&](const Expr *above, const Expr *below) {
    return inequality(context.linear({above, below}, {1, -1}, -1), false);
  };
  std::optional<PresburgerSet> set;
  if (predicate == CmpIPredicate::ne) {
    set = differ(lhs, rhs);
    if (std::optional<PresburgerSet> less = differ(rhs, lhs); set && less)
      set->unionInPlace(*less);
  } else if (predicate == CmpIPredicate::slt ||
             predicate == CmpIPredicate::sgt) {
    set = differ(lhs, rhs);
  } else {
    set = inequality(context.linear({lhs, rhs}, {1, -1}, 0),
                     predicate == CmpIPredicate::eq);
  }
  if (!set)
    return unknown(expr);
  return {*set, *set};
}

MaskSet::Bounds MaskSet::Builder::truth(const Expr *expr, bool wanted) {
  if (std::optional<bool> known = expr->getTruth())
    return *known == wanted ? Bounds{all(), all()} : Bounds{none(), none()};
  bool isTooLarge = false;
  auto both = [&](const Bounds &lhs, const Bounds &rhs) -> Bounds {
    isTooLarge |=
        lhs.may.getNumDisjuncts() * rhs.may.getNumDisjuncts() > maxProduct ||
        lhs.must.getNumDisjuncts() * rhs.must.getNumDisjuncts() > maxProduct;
    if (isTooLarge)
      return lhs;
    return {lhs.must.intersect(rhs.must), lhs.may.intersect(rhs.may)};
  };
  auto either = [](const Bounds &lhs, const Bounds &rhs) -> Bounds {
    return {lhs.must.unionSet(rhs.must), lhs.may.unionSet(rhs.may)};
  };
  ArrayRef<const Expr *> operands = expr->operands;
  Bounds bounds{none(), none()};
  switch (expr->op) {
  case ScalarOp::And:
  case ScalarOp::Or: {
    bool isBoth = (expr->op == ScalarOp::And) == wanted;
    bounds = truth(operands[0], wanted);
    for (const Expr *operand : operands.drop_front()) {
      Bounds other = truth(operand, wanted);
      bounds = isBoth ? both(bounds, other) : either(bounds, other);
    }
    break;
  }
  case ScalarOp::Xor:
    if (std::optional<bool> flip = operands[1]->getTruth())
      return truth(operands[0], wanted != *flip);
    bounds =
        either(both(truth(operands[0], true), truth(operands[1], !wanted)),
               both(truth(operands[0], false), truth(operands[1], wanted)));
    break;
  case ScalarOp::Select:
    bounds =
        either(both(truth(operands[0], true), truth(operands[1], wanted)),
               both(truth(operands[0], false), truth(operands[2], wanted)));
    break;
  case ScalarOp::CmpI:
    return compare(expr, wanted);
  default:
    return unknown(expr);
  }
  if (isTooLarge || bounds.must.getNumDisjuncts() > maxPieces ||
      bounds.may.getNumDisjuncts() > maxPieces) {
    result.tooManyPieces = true;
    return unknown(expr);
  }
  return bounds;
}

/// All pairs of a position and such a key, with what is known of the symbols.
PresburgerSet MaskSet::Builder::positions(Keys keys) {
  IntegerPolyhedron poly(space());
  auto nonNegative = [&](const Expr *expr) {
    if (std::optional<Row> row = affine(expr, poly))
      poly.addInequality(*row);
  };
  for (const Expr *position : {mask.query, mask.key}) {
    nonNegative(position);
    const Expr *length = position->operands[0];
    if (position == mask.query || keys == Keys::Inside)
      nonNegative(context.linear({length, position}, {1, -1}, -1));
    else if (keys == Keys::Beyond)
      nonNegative(context.linear({position, length}, {1, -1}, 0));
  }
  for (const Expr *symbol : result.symbols) {
    if (symbol->lo != Expr::minInt)
      nonNegative(context.linear({symbol}, {1}, -symbol->lo));
    if (symbol->hi != Expr::maxInt)
      nonNegative(context.linear({symbol}, {-1}, symbol->hi));
    // A batch or head is less than their number.
    if (symbol->op == ScalarOp::Variable)
      nonNegative(context.linear({symbol->operands[0], symbol}, {1, -1}, -1));
  }
  return PresburgerSet(poly);
}

void MaskSet::Builder::build() {
  findSymbols(mask.query->operands[0]);
  findSymbols(mask.key->operands[0]);
  findSymbols(mask.keep);
  result.domain = positions(Keys::Inside);
  result.paddedDomain = positions(Keys::Any);
  Bounds kept = truth(mask.keep, true), dropped = truth(mask.keep, false);
  result.must = kept.must.intersect(result.domain).coalesce();
  result.may = result.isExact() ? result.must
                                : kept.may.intersect(result.domain).coalesce();
  result.open = dropped.may.intersect(result.paddedDomain)
                    .unionSet(positions(Keys::Beyond))
                    .coalesce();
}

MaskSet::MaskSet(ExprContext &context, const MaskExpr &mask)
    : must(PresburgerSet::getEmpty(PresburgerSpace::getSetSpace(numDims))),
      may(must), open(must), domain(must), paddedDomain(must) {
  Builder(context, mask, *this).build();
}
