//===----------------------------------------------------------------------===//
// Reads masks on demand.
//===----------------------------------------------------------------------===//

#include "KnownMask.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace stof;

KnownMask::KnownMask(AttentionOp op, MaskOpInterface definition)
    : predicate(definition), context(op.getContext()), elements(context),
      expr(readMask(elements, predicate, op.getQuery(), op.getKey())) {}

bool KnownMask::isConstant() const {
  bool found = true;
  auto visit = [&](const Expr *part) {
    if (part->value)
      found &= part->op == ScalarOp::Element &&
               part->value.getDefiningOp<arith::ConstantOp>() != nullptr;
  };
  walkExpr(expr.keep, visit);
  for (const Expr *coordinate : {expr.batch, expr.head, expr.query, expr.key})
    walkExpr(coordinate, visit);
  return found;
}

const MaskSet &KnownMask::getSet() {
  if (!set)
    set.emplace(context, expr);
  return *set;
}

const MaskDigest &KnownMask::getDigest() {
  if (!digest)
    digest = digestMask(context, expr);
  return *digest;
}

KnownMask &KnownMasks::get(AttentionOp op, MaskOpInterface definition) {
  auto orNull = [](Value tensor) {
    bool isStatic = cast<ShapedType>(tensor.getType()).hasStaticShape();
    return isStatic ? nullptr : tensor.getAsOpaquePointer();
  };
  Key key{op.getMask().getAsOpaquePointer(),
          op.getQueryType().getAsOpaquePointer(),
          op.getKeyType().getAsOpaquePointer(), orNull(op.getQuery()),
          orNull(op.getKey())};
  std::shared_ptr<KnownMask> &entry = known[key];
  if (entry)
    return *entry;
  entry = std::make_shared<KnownMask>(op, definition);
  if (entry->isConstant())
    entry = constant.try_emplace(hashSpelling(entry->getExpr()), entry)
                .first->second;
  return *entry;
}
