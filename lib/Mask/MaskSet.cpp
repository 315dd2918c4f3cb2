//===----------------------------------------------------------------------===//
// From the predicate of a mask to Presburger sets: comparisons become integer
// polyhedra; and, or and select become intersections and unions. Negations are
// pushed down to the comparisons, because complements and differences take
// exponential time in the library and are wrong if a constraint on the
// remainder of a division has made one of the division's own constraints
// redundant. Minima, maxima, absolute values and selects inside a comparison
// are split into their cases.
//
// Predicates are evaluated with an explicit stack, since they may be too deep
// for recursion. Parts that exceed the budget are left to code.
//===----------------------------------------------------------------------===//

#include "stof/Mask/MaskSet.h"

#include "stof/Scalar/ScalarFunctions.h"
#include "stof/Scalar/ScalarVisitor.h"

#include <map>

using namespace mlir;
using namespace stof;
using arith::CmpIPredicate;
using presburger::IntegerPolyhedron;
using presburger::IntegerRelation;
using presburger::PresburgerSet;
using presburger::PresburgerSpace;

/// The most disjuncts of a set. Beyond that, proofs cost more than they save.
static constexpr unsigned maxDisjuncts = 96;
/// The most pairs of disjuncts in one intersection.
static constexpr unsigned maxProduct = 1024;
/// The most divisions in a comparison; each is a dimension of its set.
static constexpr unsigned maxDivisions = 32;
/// The most minima, selects etc. in a comparison; each may double its cases.
static constexpr unsigned maxSplits = 16;
/// In disjuncts of more constraints than this, trivially redundant ones are
/// removed.
static constexpr unsigned manyConstraints = 16;

const Expr *stof::readPredicate(TensorElement &elements,
                                const MaskPredicate &predicate,
                                const MaskExpr &mask) {
  const Expr *coordinates[] = {mask.batch, mask.head, mask.query, mask.key};
  for (auto [argument, expr] :
       llvm::zip(predicate.getCoordinates(), coordinates))
    elements.bind(argument, expr);
  for (auto [argument, captured] :
       llvm::zip(predicate.getCaptureArguments(), predicate.getCaptures()))
    elements.bind(argument, captured);
  // Results of unsupported operations may differ between any two pairs.
  auto isLeaf = [&](Value value) {
    return value.getType().isIntOrIndexOrFloat() &&
           elements.scalar(value)->value == value;
  };
  for (Operation &op : predicate.getBody().without_terminator())
    if (llvm::any_of(op.getResults(), isLeaf))
      elements.bindOpaque(op, coordinates);
  return elements.scalar(predicate.getResult());
}

MaskExpr stof::readMask(TensorElement &elements, const MaskPredicate &mask,
                        Value query, Value key) {
  MaskExpr result{elements.indexOf(query, AttentionOp::Batch),
                  elements.indexOf(query, AttentionOp::Head),
                  elements.indexOf(query, AttentionOp::Position),
                  elements.indexOf(key, AttentionOp::Position), nullptr};
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
  Builder(ExprContext &context, const MaskExpr &mask, MaskSet &result,
          SetBudget &budget)
      : context(context), mask(mask), result(result), budget(budget) {}

  void build();

private:
  using Row = SmallVector<int64_t, 8>;

  /// The condition that `expr` has the value `wanted`. `source` is the part of
  /// the mask from which `expr` was derived.
  struct Goal {
    const Expr *expr;
    bool wanted;
    const Expr *source;
  };

  void findVarying();
  void findSymbols(const Expr *root);
  PresburgerSpace space() const {
    return PresburgerSpace::getSetSpace(MaskSet::NumDims,
                                        result.symbols.size());
  }
  PresburgerSet none() const { return PresburgerSet::getEmpty(space()); }
  PresburgerSet all() const { return PresburgerSet::getUniverse(space()); }

  /// Bounds of the pairs where the mask has the value `wanted`.
  Bounds boundsWhere(bool wanted);
  class Needs;
  class Solver;
  Bounds fold(const Goal &goal, ArrayRef<Goal> needed);
  Bounds choose(const Goal &goal, ArrayRef<Goal> needed);
  const Bounds &get(const Goal &goal) {
    return known.at({goal.expr, goal.wanted});
  }
  /// The intersection and the union; nothing if too large.
  std::optional<PresburgerSet> both(const PresburgerSet &lhs,
                                    const PresburgerSet &rhs);
  std::optional<PresburgerSet> either(const PresburgerSet &lhs,
                                      const PresburgerSet &rhs);

  bool isTooComplex(const Expr *comparison);
  struct Comparison {
    CmpIPredicate predicate;
    const Expr *lhs, *rhs;
  };
  std::optional<Comparison> normalize(const Expr *expr, bool wanted);
  std::optional<PresburgerSet> positionsWhere(const Comparison &comparison);
  Bounds compare(const Goal &goal);
  std::optional<PresburgerSet> inequality(const Expr *expr, bool isEquality);
  Bounds unknown(const Expr *expr);
  Bounds tooLarge(const Expr *expr) {
    result.tooManyDisjuncts = true;
    return unknown(expr);
  }
  const Expr *splitCases(const Expr *comparison);
  /// The split form of a comparison, null if there is only one case.
  const Expr *getCases(const Expr *comparison);
  /// The coefficients of `expr` over the columns of `poly`; adds a local
  /// variable to it for each division.
  std::optional<Row> affine(const Expr *expr, IntegerPolyhedron &poly);
  enum class Keys { InBounds, OutOfBounds, Any };
  PresburgerSet positions(Keys keys);

  ExprContext &context;
  const MaskExpr &mask;
  MaskSet &result;
  SetBudget &budget;
  /// The expressions that depend on the query or the key.
  DenseSet<const Expr *> varying;
  /// The results of `getCases`.
  DenseMap<const Expr *, const Expr *> cases;
  std::map<std::pair<const Expr *, bool>, Bounds> known;
};

static bool hasPositiveDivisor(const Expr *expr) {
  return expr->operands[1]->getInt().value_or(0) > 0;
}

namespace {
/// Whether `affine` supports the operation of an expression.
struct AffineNodes : ScalarVisitor<AffineNodes, bool> {
  bool visitExpr(const Expr *) { return false; }
  bool visitConstant(const Expr *) { return true; }
  bool visitLinear(const Expr *) { return true; }
  bool visitFloorDiv(const Expr *expr) { return hasPositiveDivisor(expr); }
  bool visitMod(const Expr *expr) { return hasPositiveDivisor(expr); }
};

/// Whether `splitCases` replaces an integer expression by its cases.
struct SplitNodes : ScalarVisitor<SplitNodes, bool> {
  bool visitExpr(const Expr *) { return false; }
  bool visitMinI(const Expr *) { return true; }
  bool visitMaxI(const Expr *) { return true; }
  bool visitAbsI(const Expr *) { return true; }
  bool visitSelect(const Expr *expr) { return expr->isIndex(); }
  bool visitDivS(const Expr *expr) { return hasPositiveDivisor(expr); }
  bool visitRemS(const Expr *expr) { return hasPositiveDivisor(expr); }
};
} // namespace

static bool isAffineNode(const Expr *expr) { return AffineNodes().visit(expr); }
static bool isSplit(const Expr *expr) { return SplitNodes().visit(expr); }

void MaskSet::Builder::findVarying() {
  walkExpr(mask.keep, [&](const Expr *expr) {
    if (expr == mask.query || expr == mask.key ||
        llvm::any_of(expr->operands, [&](const Expr *operand) {
          return varying.contains(operand);
        }))
      varying.insert(expr);
  });
}

void MaskSet::Builder::findSymbols(const Expr *root) {
  SmallVector<const Expr *> open{root};
  DenseSet<const Expr *> seen;
  while (!open.empty()) {
    const Expr *expr = open.pop_back_val();
    if (expr == mask.query || expr == mask.key || !seen.insert(expr).second)
      continue;
    bool isSymbol = expr->isIndex() && !isAffineNode(expr) && !isSplit(expr) &&
                    !varying.contains(expr);
    if (isSymbol)
      result.symbols.insert(expr);
    else
      llvm::append_range(open, llvm::reverse(expr->operands));
  }
}

std::optional<MaskSet::Builder::Row>
MaskSet::Builder::affine(const Expr *expr, IntegerPolyhedron &poly) {
  auto width = [&] { return poly.getNumCols(); };
  // Earlier rows lack the columns of local variables added since.
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
    row[expr == mask.query ? MaskSet::Query : MaskSet::Key] = 1;
    return row;
  }
  auto *symbol = llvm::find(result.symbols, expr);
  if (symbol != result.symbols.end()) {
    row[MaskSet::NumDims + (symbol - result.symbols.begin())] = 1;
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

/// The pairs where `expr` is not negative, or zero if `isEquality`.
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

/// `comparison` with its innermost minimum, maximum, absolute value, select or
/// truncating division replaced by its cases; null if there is none.
const Expr *MaskSet::Builder::splitCases(const Expr *comparison) {
  const Expr *found = nullptr;
  walkExpr(comparison, [&](const Expr *node) {
    if (!found && node != comparison && isSplit(node))
      found = node;
  });
  if (!found)
    return nullptr;
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
  // Division rounds towards zero.
  auto positive = [&](const Expr *dividend) {
    return found->op == ScalarOp::DivS ? context.floorDiv(dividend, rhs)
                                       : context.mod(dividend, rhs);
  };
  return choose(context.cmpI(CmpIPredicate::sge, lhs, zero), positive(lhs),
                negated(positive(negated(lhs))));
}

/// Whether the set of a comparison would have too many dimensions or disjuncts.
bool MaskSet::Builder::isTooComplex(const Expr *comparison) {
  unsigned nodes = 0, divisions = 0, splits = 0;
  walkExpr(comparison, [&](const Expr *expr) {
    ++nodes;
    splits += expr != comparison && isSplit(expr);
    divisions += expr->op == ScalarOp::FloorDiv || expr->op == ScalarOp::Mod;
  });
  return !budget.take(nodes) || divisions > maxDivisions || splits > maxSplits;
}

/// The comparison that `expr` has the value `wanted`, by a signed predicate.
/// Nothing if an unsigned one is not equal to a signed one.
std::optional<MaskSet::Builder::Comparison>
MaskSet::Builder::normalize(const Expr *expr, bool wanted) {
  const Expr *lhs = expr->operands[0], *rhs = expr->operands[1];
  CmpIPredicate predicate = expr->getIntPredicate();
  if (!wanted)
    predicate = arith::invertPredicate(predicate);
  // Two remainders are equal iff that of the difference is 0: this needs one
  // division only and defines a lattice.
  if ((predicate == CmpIPredicate::eq || predicate == CmpIPredicate::ne) &&
      lhs->op == ScalarOp::Mod && rhs->op == ScalarOp::Mod &&
      lhs->operands[1] == rhs->operands[1] && isAffineNode(lhs)) {
    lhs = context.mod(context.sub(lhs->operands[0], rhs->operands[0]),
                      lhs->operands[1]);
    rhs = context.integer(0);
  }
  if (isUnsigned(predicate) && (lhs->lo < 0 || rhs->lo < 0))
    return std::nullopt;
  return Comparison{toSigned(predicate), lhs, rhs};
}

/// The pairs for which a comparison holds; nothing if it is not affine.
std::optional<PresburgerSet>
MaskSet::Builder::positionsWhere(const Comparison &comparison) {
  const auto &[predicate, lhs, rhs] = comparison;
  auto isAbove = [&](const Expr *above, const Expr *below, int64_t least) {
    return inequality(context.linear({above, below}, {1, -1}, -least),
                      /*isEquality=*/false);
  };
  switch (predicate) {
  case CmpIPredicate::eq:
    return inequality(context.linear({lhs, rhs}, {1, -1}, 0),
                      /*isEquality=*/true);
  case CmpIPredicate::ne: {
    std::optional<PresburgerSet> set = isAbove(lhs, rhs, 1);
    if (std::optional<PresburgerSet> less = isAbove(rhs, lhs, 1); set && less)
      set->unionInPlace(*less);
    return set;
  }
  case CmpIPredicate::slt:
    return isAbove(rhs, lhs, 1);
  case CmpIPredicate::sle:
    return isAbove(rhs, lhs, 0);
  case CmpIPredicate::sgt:
    return isAbove(lhs, rhs, 1);
  default:
    return isAbove(lhs, rhs, 0);
  }
}

/// The bounds of a comparison with a single case.
MaskSet::Bounds MaskSet::Builder::compare(const Goal &goal) {
  if (isTooComplex(goal.expr))
    return tooLarge(goal.source);
  if (!hasSmallConstants(goal.expr))
    return unknown(goal.source);
  std::optional<Comparison> comparison = normalize(goal.expr, goal.wanted);
  std::optional<PresburgerSet> set;
  if (comparison)
    set = positionsWhere(*comparison);
  return set ? Bounds{*set, *set} : unknown(goal.source);
}

/// The number of coefficients of all constraints.
static int64_t getSize(const IntegerRelation &disjunct) {
  return int64_t(disjunct.getNumConstraints()) * disjunct.getNumCols();
}

static int64_t getSize(const PresburgerSet &set) {
  int64_t size = 0;
  for (const IntegerRelation &disjunct : set.getAllDisjuncts())
    size += getSize(disjunct);
  return size;
}

std::optional<PresburgerSet> MaskSet::Builder::both(const PresburgerSet &lhs,
                                                    const PresburgerSet &rhs) {
  if (lhs.isObviouslyEmpty() || rhs.isObviouslyUniverse())
    return lhs;
  if (rhs.isObviouslyEmpty() || lhs.isObviouslyUniverse())
    return rhs;
  if (lhs.getNumDisjuncts() * rhs.getNumDisjuncts() > maxProduct)
    return std::nullopt;
  PresburgerSet result = none();
  for (const IntegerRelation &left : lhs.getAllDisjuncts())
    for (const IntegerRelation &right : rhs.getAllDisjuncts()) {
      if (!budget.take(getSize(left) + getSize(right)))
        return std::nullopt;
      IntegerRelation disjunct = left.intersect(right);
      if (disjunct.getNumConstraints() > manyConstraints)
        disjunct.removeTrivialRedundancy();
      if (!disjunct.isEmpty())
        result.unionInPlace(disjunct);
      if (result.getNumDisjuncts() > maxDisjuncts)
        return std::nullopt;
    }
  return result;
}

std::optional<PresburgerSet>
MaskSet::Builder::either(const PresburgerSet &lhs, const PresburgerSet &rhs) {
  PresburgerSet result = lhs.unionSet(rhs);
  bool fits =
      budget.take(getSize(rhs)) && result.getNumDisjuncts() <= maxDisjuncts;
  return fits ? std::optional(std::move(result)) : std::nullopt;
}

/// The distinct leaves of a tree of one associative operation, in order.
static SmallVector<const Expr *> flatten(const Expr *root) {
  SmallVector<const Expr *> open{root}, leaves;
  DenseSet<const Expr *> seen;
  while (!open.empty()) {
    const Expr *expr = open.pop_back_val();
    if (!seen.insert(expr).second)
      continue;
    if (expr->op == root->op)
      llvm::append_range(open, llvm::reverse(expr->operands));
    else
      leaves.push_back(expr);
  }
  return leaves;
}

/// Finds the goals whose bounds determine those of a goal.
class MaskSet::Builder::Needs
    : public ScalarVisitor<Needs, SmallVector<Goal>, const Goal &> {
public:
  explicit Needs(Builder &builder) : builder(builder) {}

  using Goals = SmallVector<Goal>;

  Goals visitExpr(const Expr *, const Goal &) { return {}; }
  Goals visitLogic(const Expr *expr, const Goal &goal) {
    return llvm::map_to_vector(flatten(expr), [&](const Expr *operand) {
      return part(goal, operand, goal.wanted);
    });
  }
  Goals visitXor(const Expr *expr, const Goal &goal) {
    const Expr *lhs = expr->operands[0], *rhs = expr->operands[1];
    if (std::optional<bool> flip = rhs->getBool())
      return {part(goal, lhs, goal.wanted != *flip)};
    return {part(goal, lhs, true), part(goal, rhs, !goal.wanted),
            part(goal, lhs, false), part(goal, rhs, goal.wanted)};
  }
  Goals visitSelect(const Expr *expr, const Goal &goal) {
    const Expr *condition = expr->operands[0];
    return {part(goal, condition, true),
            part(goal, expr->operands[1], goal.wanted),
            part(goal, condition, false),
            part(goal, expr->operands[2], goal.wanted)};
  }
  Goals visitCmpI(const Expr *expr, const Goal &goal) {
    const Expr *split = builder.getCases(expr);
    return split ? Goals{{split, goal.wanted, goal.source}} : Goals();
  }

private:
  /// Cases are reported as their original comparison.
  static Goal part(const Goal &goal, const Expr *operand, bool value) {
    bool isCase = goal.expr != goal.source;
    return {operand, value, isCase ? goal.source : operand};
  }

  Builder &builder;
};

const Expr *MaskSet::Builder::getCases(const Expr *comparison) {
  auto [it, isNew] = cases.try_emplace(comparison, nullptr);
  if (isNew && hasSmallConstants(comparison) && !isTooComplex(comparison))
    it->second = splitCases(comparison);
  return it->second;
}

/// The bounds of a conjunction or disjunction. If it grows too large, the
/// operands so far still bound it from one side.
MaskSet::Bounds MaskSet::Builder::fold(const Goal &goal,
                                       ArrayRef<Goal> needed) {
  bool isBoth = (goal.expr->op == ScalarOp::And) == goal.wanted;
  Bounds bounds = get(needed.front());
  for (const Goal &next : needed.drop_front()) {
    const Bounds &other = get(next);
    auto join = [&](const PresburgerSet &lhs, const PresburgerSet &rhs) {
      return isBoth ? both(lhs, rhs) : either(lhs, rhs);
    };
    std::optional<PresburgerSet> must = join(bounds.must, other.must);
    std::optional<PresburgerSet> may = join(bounds.may, other.may);
    if (must && may) {
      bounds = {std::move(*must), std::move(*may)};
      continue;
    }
    (isBoth ? bounds.must : bounds.may) = isBoth ? none() : all();
    tooLarge(goal.source);
    return bounds;
  }
  return bounds;
}

/// The bounds of a choice: those of goal 1 where goal 0 holds, those of goal 3
/// where goal 2 does.
MaskSet::Bounds MaskSet::Builder::choose(const Goal &goal,
                                         ArrayRef<Goal> needed) {
  auto unite = [&](PresburgerSet Bounds::*side) {
    auto pick = [&](unsigned number) -> const PresburgerSet & {
      return get(needed[number]).*side;
    };
    std::optional<PresburgerSet> lhs = both(pick(0), pick(1)),
                                 rhs = both(pick(2), pick(3));
    return lhs && rhs ? either(*lhs, *rhs) : std::nullopt;
  };
  std::optional<PresburgerSet> must = unite(&Bounds::must),
                               may = unite(&Bounds::may);
  return must && may ? Bounds{*must, *may} : tooLarge(goal.source);
}

/// Computes the bounds of a goal from those of the goals that it needs.
class MaskSet::Builder::Solver
    : public ScalarVisitor<Solver, Bounds, const Goal &, ArrayRef<Goal>> {
public:
  explicit Solver(Builder &builder) : builder(builder) {}

  Bounds visitExpr(const Expr *, const Goal &goal, ArrayRef<Goal>) {
    return builder.unknown(goal.source);
  }
  Bounds visitConstant(const Expr *expr, const Goal &goal, ArrayRef<Goal>) {
    return *expr->getBool() == goal.wanted
               ? Bounds{builder.all(), builder.all()}
               : Bounds{builder.none(), builder.none()};
  }
  Bounds visitLogic(const Expr *, const Goal &goal, ArrayRef<Goal> needed) {
    return builder.fold(goal, needed);
  }
  Bounds visitXor(const Expr *, const Goal &goal, ArrayRef<Goal> needed) {
    return needed.size() == 1 ? builder.get(needed.front())
                              : builder.choose(goal, needed);
  }
  Bounds visitSelect(const Expr *, const Goal &goal, ArrayRef<Goal> needed) {
    return builder.choose(goal, needed);
  }
  Bounds visitCmpI(const Expr *, const Goal &goal, ArrayRef<Goal> needed) {
    return needed.empty() ? builder.compare(goal) : builder.get(needed.front());
  }

private:
  Builder &builder;
};

MaskSet::Bounds MaskSet::Builder::boundsWhere(bool wanted) {
  struct Step {
    Goal goal;
    SmallVector<Goal> needed;
    size_t next = 0;
  };
  std::vector<Step> stack;
  auto open = [&](const Goal &goal) {
    if (!known.count({goal.expr, goal.wanted}))
      stack.push_back({goal, Needs(*this).visit(goal.expr, goal)});
  };
  Goal root{mask.keep, wanted, mask.keep};
  open(root);
  while (!stack.empty()) {
    if (stack.back().next < stack.back().needed.size()) {
      Goal goal = stack.back().needed[stack.back().next++];
      open(goal);
      continue;
    }
    Step step = std::move(stack.back());
    stack.pop_back();
    known.try_emplace(
        {step.goal.expr, step.goal.wanted},
        Solver(*this).visit(step.goal.expr, step.goal, step.needed));
  }
  return get(root);
}

/// All pairs of a query and a key of this kind, with the ranges of the symbols.
PresburgerSet MaskSet::Builder::positions(Keys keys) {
  IntegerPolyhedron poly(space());
  auto nonNegative = [&](const Expr *expr) {
    if (std::optional<Row> row = affine(expr, poly))
      poly.addInequality(*row);
  };
  for (const Expr *position : {mask.query, mask.key}) {
    nonNegative(position);
    const Expr *length = position->operands[0];
    if (position == mask.query || keys == Keys::InBounds)
      nonNegative(context.linear({length, position}, {1, -1}, -1));
    else if (keys == Keys::OutOfBounds)
      nonNegative(context.linear({position, length}, {1, -1}, 0));
  }
  for (const Expr *symbol : result.symbols) {
    if (symbol->lo != Expr::minInt)
      nonNegative(context.linear({symbol}, {1}, -symbol->lo));
    if (symbol->hi != Expr::maxInt)
      nonNegative(context.linear({symbol}, {-1}, symbol->hi));
    // The batch and the head are less than their extents.
    if (symbol->op == ScalarOp::Variable)
      nonNegative(context.linear({symbol->operands[0], symbol}, {1, -1}, -1));
  }
  return PresburgerSet(poly);
}

void MaskSet::Builder::build() {
  findVarying();
  findSymbols(mask.query->operands[0]);
  findSymbols(mask.key->operands[0]);
  findSymbols(mask.keep);
  result.domain = positions(Keys::InBounds);
  result.paddedDomain = positions(Keys::Any);
  // Coalescing compares all pairs of disjuncts, so large sets are left as they
  // are.
  auto join = [&](const PresburgerSet &set) {
    bool fits = budget.take(set.getNumDisjuncts() * getSize(set));
    return fits ? set.coalesce() : set;
  };
  Bounds kept = boundsWhere(true), masked = boundsWhere(false);
  result.must = join(kept.must.intersect(result.domain));
  result.may =
      result.isExact() ? result.must : join(kept.may.intersect(result.domain));
  result.open = join(masked.may.intersect(result.paddedDomain)
                         .unionSet(positions(Keys::OutOfBounds)));
}

MaskSet::MaskSet(ExprContext &context, const MaskExpr &mask)
    : must(PresburgerSet::getEmpty(PresburgerSpace::getSetSpace(NumDims))),
      may(must), open(must), domain(must), paddedDomain(must) {
  SetBudget budget;
  Builder(context, mask, *this, budget).build();
}

MaskSet::MaskSet(ExprContext &context, const MaskExpr &mask, SetBudget &budget)
    : must(PresburgerSet::getEmpty(PresburgerSpace::getSetSpace(NumDims))),
      may(must), open(must), domain(must), paddedDomain(must) {
  Builder(context, mask, *this, budget).build();
}
