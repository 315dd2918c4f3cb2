//===----------------------------------------------------------------------===//
// Signs modules with the digest of their mask.
//===----------------------------------------------------------------------===//

#include "stof/Search/KernelSigner.h"

#include "stof/IR/KernelAttributes.h"
#include "stof/IR/MaskPredicate.h"
#include "stof/Mask/Digest/MaskDigest.h"
#include "stof/Search/KernelModule.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace stof;

/// The mask operation of `op` if a predicate defines it, else null.
static MaskOpInterface findPredicate(KernelOpInterface op) {
  auto attention = dyn_cast<AttentionOp>(op.getOperation());
  MaskOpInterface mask =
      attention ? attention.getMaskDefinition() : MaskOpInterface();
  return mask && mask.getOrigin() != MaskOrigin::BlockList ? mask
                                                           : MaskOpInterface();
}

/// Erases what nothing uses, such as the definitions of a mask.
static void eraseUnused(ModuleOp module) {
  module.walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *op) {
    if (isOpTriviallyDead(op))
      op->erase();
  });
}

/// The digest of `mask`, which is that of `op`.
const std::string &KernelSigner::digest(AttentionOp op, MaskOpInterface mask) {
  MaskPredicate predicate(mask);
  ExprContext context(op.getContext());
  TensorElement elements(context);
  MaskExpr expr = readMask(elements, predicate, op.getQuery(), op.getKey());
  auto [entry, isNew] = digests.try_emplace(hashSpelling(expr));
  if (isNew)
    entry->second = digestMask(context, expr).text;
  return entry->second;
}

std::string KernelSigner::sign(ModuleOp module) {
  OwningOpRef<ModuleOp> copy = module.clone();
  KernelOpInterface op = findKernelOperation(*copy);
  std::string digested;
  if (MaskOpInterface mask = findPredicate(op)) {
    auto attention = cast<AttentionOp>(op.getOperation());
    digested = digest(attention, mask);
    digestAttr.set(attention, StringAttr::get(op.getContext(), digested));
    // A value without a definition takes the place of the mask.
    auto function = attention->getParentOfType<func::FuncOp>();
    Value unknown = function.getBody().addArgument(
        attention.getMask().getType(), attention.getLoc());
    attention.getMasksMutable()[0].assign(unknown);
  }
  eraseUnused(*copy);
  return signOperation(*copy, digested);
}
