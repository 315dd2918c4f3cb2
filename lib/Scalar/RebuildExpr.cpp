//===----------------------------------------------------------------------===//
// Scalar expressions: nodes with other operands, and substitution.
//===----------------------------------------------------------------------===//

#include "stof/Scalar/ScalarVisitor.h"

using namespace mlir;
using namespace stof;

namespace {
/// Makes the node of an expression again, from other operands.
class Rebuilder
    : public ScalarVisitor<Rebuilder, const Expr *, ArrayRef<const Expr *>> {
public:
  explicit Rebuilder(ExprContext &context) : context(context) {}

  using Operands = ArrayRef<const Expr *>;

  const Expr *visitExpr(const Expr *, Operands) {
    llvm_unreachable("all operations are rebuilt");
  }
  const Expr *visitLeaf(const Expr *expr, Operands) { return expr; }
  const Expr *visitElement(const Expr *expr, Operands operands) {
    return context.element(expr->value, operands);
  }
  const Expr *visitLinear(const Expr *expr, Operands operands) {
    return context.linear(operands, expr->ints.drop_back(), expr->ints.back());
  }
#define STOF_SCALAR_INTEGER(Name, Mnemonic, Arity, Property, Make)             \
  const Expr *visit##Name(const Expr *, Operands operands) {                   \
    return make(&ExprContext::Make, operands);                                 \
  }
#define STOF_SCALAR_LOGIC(Name, Mnemonic, Property, Make, Operation)           \
  STOF_SCALAR_INTEGER(Name, Mnemonic, 2, Property, Make)
#include "stof/Scalar/ScalarOps.def"
  const Expr *visitFromInt(const Expr *, Operands operands) {
    return context.fromInt(operands[0]);
  }
  const Expr *visitFromUInt(const Expr *, Operands operands) {
    return context.fromInt(operands[0], /*isSigned=*/false);
  }
  const Expr *visitCmpI(const Expr *expr, Operands operands) {
    return context.cmpI(expr->getIntPredicate(), operands[0], operands[1]);
  }
  const Expr *visitCmpF(const Expr *expr, Operands operands) {
    return context.cmpF(expr->getFloatPredicate(), operands[0], operands[1]);
  }
  const Expr *visitSelect(const Expr *, Operands operands) {
    return context.select(operands[0], operands[1], operands[2]);
  }
  const Expr *visitFloat(const Expr *expr, Operands operands) {
    return context.floatOp(expr->op, expr->type, operands);
  }
  const Expr *visitCast(const Expr *expr, Operands operands) {
    return context.cast(operands[0], expr->type);
  }
  const Expr *visitIToF(const Expr *expr, Operands operands) {
    return context.intToFloat(operands[0], expr->type);
  }
  const Expr *visitFToI(const Expr *, Operands operands) {
    return context.floatToInt(operands[0]);
  }
  const Expr *visitOther(const Expr *expr, Operands operands) {
    return context.other(expr->type, expr->getName(), expr->getAttributes(),
                         operands);
  }
  const Expr *visitReduce(const Expr *expr, Operands operands) {
    return context.reduce(expr->getReduceKind(), operands[0],
                          operands.drop_front());
  }

private:
  using Unary = const Expr *(ExprContext::*)(const Expr *);
  using Binary = const Expr *(ExprContext::*)(const Expr *, const Expr *);
  const Expr *make(Unary method, Operands operands) {
    return (context.*method)(operands[0]);
  }
  const Expr *make(Binary method, Operands operands) {
    return (context.*method)(operands[0], operands[1]);
  }

  ExprContext &context;
};
} // namespace

const Expr *ExprContext::rebuild(const Expr *expr,
                                 ArrayRef<const Expr *> operands) {
  assert(expr->operands.size() == operands.size() &&
         "expects as many operands");
  if (ArrayRef(expr->operands) == operands)
    return expr;
  return Rebuilder(*this).visit(expr, operands);
}

namespace {
/// Rebuilds an expression bottom-up. Variables that a reduction binds again are
/// shadowed inside it.
class Substitution {
public:
  Substitution(ExprContext &context, const ExprMap &map)
      : context(context), map(map) {}

  const Expr *apply(const Expr *root) {
    DenseMap<const Expr *, const Expr *> done;
    return apply(root, done);
  }

private:
  using Done = DenseMap<const Expr *, const Expr *>;

  /// Visits operands before users with an explicit stack: expressions may be
  /// too deep for recursion.
  const Expr *apply(const Expr *root, Done &done) {
    SmallVector<const Expr *> stack{root};
    while (!stack.empty()) {
      const Expr *node = stack.back();
      if (done.contains(node)) {
        stack.pop_back();
        continue;
      }
      if (auto it = map.find(node); it != map.end()) {
        done[node] = it->second;
        continue;
      }
      bool hides = hidesNames(node);
      size_t height = stack.size();
      if (!hides)
        for (const Expr *operand : llvm::reverse(node->operands))
          if (!done.contains(operand))
            stack.push_back(operand);
      if (stack.size() > height)
        continue;
      done[node] = hides ? applyInside(node) : applyTo(node, done);
    }
    return done[root];
  }

  /// Whether `node` binds a variable again that `map` replaces.
  bool hidesNames(const Expr *node) const {
    return node->op == ScalarOp::Reduce &&
           llvm::any_of(node->getBound(),
                        [&](const Expr *name) { return map.contains(name); });
  }

  const Expr *applyInside(const Expr *node) {
    ExprMap visible = map;
    for (const Expr *name : node->getBound())
      visible.erase(name);
    SmallVector<const Expr *> operands(node->operands);
    operands[0] = Substitution(context, visible).apply(operands[0]);
    return withOrigin(node, context.rebuild(node, operands));
  }

  const Expr *applyTo(const Expr *node, Done &done) {
    if (node->operands.empty())
      return node;
    SmallVector<const Expr *> operands;
    for (const Expr *operand : node->operands)
      operands.push_back(done.lookup(operand));
    return withOrigin(node, context.rebuild(node, operands));
  }

  const Expr *withOrigin(const Expr *node, const Expr *result) {
    if (node->origin && result != node && !result->origin &&
        result->op == ScalarOp::Reduce)
      result->origin = apply(node->origin);
    return result;
  }

  ExprContext &context;
  const ExprMap &map;
};
} // namespace

const Expr *ExprContext::substitute(const Expr *root, const ExprMap &map) {
  if (map.empty())
    return root;
  return Substitution(*this, map).apply(root);
}
