//===----------------------------------------------------------------------===//
// What one element of a tensor is: sums of products. A contraction is one
// operation, or a product of broadcast tensors that another operation sums.
//===----------------------------------------------------------------------===//

#include "stof/Scalar/ElementAt.h"

#include "mlir/Dialect/Utils/StructuredOpsUtils.h"

using namespace mlir;
using namespace stof;

/// Operations between a product and its sum, and between a tensor and its
/// broadcast, are followed so far.
static constexpr unsigned maxMovements = 8;

/// Strips widening casts.
static Value skipWidening(Value value) {
  while (auto cast = value.getDefiningOp<arith::ExtFOp>())
    value = cast.getIn();
  return value;
}

/// What `op` adds up of its `inputs` tensors, if a sum is all it computes.
static Value getSummand(linalg::LinalgOp op, unsigned inputs) {
  if (op.getNumReductionLoops() == 0 || op->getNumResults() != 1 ||
      op.getNumDpsInputs() != inputs || op->getNumRegions() != 1 ||
      !op->getRegion(0).hasOneBlock())
    return nullptr;
  Block *body = op.getBlock();
  auto sum =
      body->getTerminator()->getOperand(0).getDefiningOp<arith::AddFOp>();
  if (!sum)
    return nullptr;
  BlockArgument out = body->getArguments().back();
  return sum.getLhs() == out   ? sum.getRhs()
         : sum.getRhs() == out ? sum.getLhs()
                               : Value();
}

bool stof::isContraction(linalg::LinalgOp op) {
  Value term = getSummand(op, /*inputs=*/2);
  if (!term)
    return false;
  Block *body = op.getBlock();
  BlockArgument out = body->getArguments().back();
  auto product = skipWidening(term).getDefiningOp<arith::MulFOp>();
  if (!product)
    return false;
  auto lhs = dyn_cast<BlockArgument>(skipWidening(product.getLhs()));
  auto rhs = dyn_cast<BlockArgument>(skipWidening(product.getRhs()));
  return lhs && rhs && lhs.getOwner() == body && rhs.getOwner() == body &&
         lhs != rhs && lhs != out && rhs != out;
}

/// Strips casts between floats.
static Value skipCasts(Value value) {
  while (isa_and_nonnull<arith::ExtFOp, arith::TruncFOp>(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return value;
}

/// Whether `op` multiplies two tensors element by element.
static bool isElementwiseProduct(Operation *op) {
  if (isa<arith::MulFOp>(op))
    return true;
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (!structured || structured.getNumReductionLoops() != 0 ||
      structured->getNumResults() != 1 || structured->getNumRegions() != 1 ||
      !structured->getRegion(0).hasOneBlock())
    return false;
  Value yielded = structured.getBlock()->getTerminator()->getOperand(0);
  return skipCasts(yielded).getDefiningOp<arith::MulFOp>() != nullptr;
}

/// The tensor of which `op` moves or casts the elements, if that is all it
/// does.
static Value getMoved(Operation *op) {
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp,
          arith::ExtFOp, arith::TruncFOp>(op))
    return op->getOperand(0);
  auto generic = dyn_cast<linalg::GenericOp>(op);
  if (!generic || generic.getNumDpsInputs() != 1 ||
      generic->getNumResults() != 1 || generic.getNumReductionLoops() != 0)
    return nullptr;
  Value yielded = generic.getBlock()->getTerminator()->getOperand(0);
  return skipCasts(yielded) == generic.getBlock()->getArgument(0)
             ? generic.getDpsInputs().front()
             : Value();
}

bool stof::isSumOfProducts(linalg::LinalgOp op) {
  Value term = getSummand(op, /*inputs=*/1);
  if (!term || skipCasts(term) != op.getBlock()->getArgument(0))
    return false;
  Value summed = op.getDpsInputs().front();
  for (unsigned i = 0; i < maxMovements && summed; ++i) {
    Operation *made = summed.getDefiningOp();
    if (!made)
      return false;
    if (isElementwiseProduct(made))
      return true;
    summed = getMoved(made);
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

static const Expr *skipCasts(const Expr *expr) {
  while (expr->op == ScalarOp::Cast)
    expr = expr->operands[0];
  return expr;
}

/// The variables in `root`, bound or free.
static SmallPtrSet<const Expr *, 8> variablesIn(const Expr *root) {
  SmallPtrSet<const Expr *, 8> variables;
  walkExpr(root, [&](const Expr *expr) {
    if (expr->op == ScalarOp::Variable || expr->op == ScalarOp::Bound)
      variables.insert(expr);
  });
  return variables;
}

const Expr *ElementAt::unmove(const Expr *element, bool broadcastsOnly) {
  for (unsigned i = 0; i < maxMovements; ++i) {
    const Expr *made = step(element);
    if (!made)
      break;
    made = skipCasts(made);
    if (made->op != ScalarOp::Element ||
        (broadcastsOnly && made->operands.size() >= element->operands.size()))
      break;
    element = made;
  }
  return element;
}

const Expr *ElementAt::openProduct(const Expr *value,
                                   ArrayRef<const Expr *> bound) {
  const Expr *product = value;
  Type narrowest = value->type;
  for (unsigned i = 0; product && product->op != ScalarOp::MulF; ++i) {
    if (product->op == ScalarOp::Cast)
      product = product->operands[0];
    else if (product->op == ScalarOp::Element && i < maxMovements)
      product = step(product);
    else
      return nullptr;
    if (product && product->type.getIntOrFloatBitWidth() <
                       narrowest.getIntOrFloatBitWidth())
      narrowest = product->type;
  }
  if (!product)
    return nullptr;
  const Expr *lhs = skipCasts(product->operands[0]);
  const Expr *rhs = skipCasts(product->operands[1]);
  if (lhs->op != ScalarOp::Element || rhs->op != ScalarOp::Element)
    return nullptr;
  // A mask that weights are multiplied by varies as they do, or less.
  auto ofLhs = variablesIn(unmove(lhs, /*broadcastsOnly=*/false));
  auto ofRhs = variablesIn(unmove(rhs, /*broadcastsOnly=*/false));
  auto isIn = [](const auto &set) {
    return [&set](const Expr *variable) { return set.contains(variable); };
  };
  if (llvm::all_of(ofLhs, isIn(ofRhs)) || llvm::all_of(ofRhs, isIn(ofLhs)) ||
      !llvm::all_of(bound, isIn(ofLhs)) || !llvm::all_of(bound, isIn(ofRhs)))
    return nullptr;
  SmallVector<const Expr *> factors;
  for (const Expr *factor : {lhs, rhs})
    factors.push_back(
        context.cast(unmove(factor, /*broadcastsOnly=*/true), narrowest));
  return context.cast(context.floatOp(ScalarOp::MulF, narrowest, factors),
                      value->type);
}
