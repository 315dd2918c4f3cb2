//===----------------------------------------------------------------------===//
// Bufferization of masks and attention: attention writes its destination in
// place, and regions take the buffers of captured tensors.
//===----------------------------------------------------------------------===//

#include "stof/IR/MaskBufferization.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace stof;

//===----------------------------------------------------------------------===//
// Regions with captured values
//===----------------------------------------------------------------------===//

/// Appends `values` to `buffers`, with tensors replaced by their buffers.
static LogicalResult appendBuffers(RewriterBase &rewriter, ValueRange values,
                                   const BufferizationOptions &options,
                                   const BufferizationState &state,
                                   SmallVectorImpl<Value> &buffers) {
  for (Value value : values) {
    if (isa<TensorType>(value.getType())) {
      FailureOr<Value> buffer = getBuffer(rewriter, value, options, state);
      if (failed(buffer))
        return failure();
      value = *buffer;
    }
    buffers.push_back(value);
  }
  return success();
}

/// Sets the types of the arguments of `body` from `first` on to those of
/// `buffers`. Remaining uses as tensors go through bufferization.to_tensor.
static void takeBuffers(RewriterBase &rewriter, Block &body, unsigned first,
                        ValueRange buffers) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(&body);
  for (auto [position, buffer] : llvm::enumerate(buffers)) {
    BlockArgument argument = body.getArgument(first + position);
    auto tensor = dyn_cast<TensorType>(argument.getType());
    if (!tensor)
      continue;
    argument.setType(buffer.getType());
    if (argument.use_empty())
      continue;
    auto seen =
        ToTensorOp::create(rewriter, argument.getLoc(), tensor, argument);
    rewriter.replaceAllUsesExcept(argument, seen.getResult(), seen);
  }
}

/// The buffer type of a region argument, which is that of the captured value.
static FailureOr<BufferLikeType>
getCapturedBufferType(Value value, ValueRange captures, unsigned first,
                      const BufferizationOptions &options,
                      const BufferizationState &state,
                      SmallVector<Value> &invocationStack) {
  unsigned position = cast<BlockArgument>(value).getArgNumber() - first;
  return bufferization::getBufferType(captures[position], options, state,
                                      invocationStack);
}

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

/// Whether `writer` cannot affect the users of `mask`: it runs before the
/// definition of the mask or after its last use.
static bool missesUsers(Operation *writer, Operation *mask) {
  // The writers inside a loop around the mask are checked individually.
  if (writer->isProperAncestor(mask))
    return true;
  Block *block = mask->getBlock();
  Operation *ancestor = block->findAncestorOpInBlock(*writer);
  if (ancestor && (ancestor == mask || ancestor->isBeforeInBlock(mask)))
    return true;
  return llvm::all_of(mask->getUsers(), [&](Operation *user) {
    // Other users may forward the mask, so its uses are unknown.
    if (!isa<AttentionOp>(user))
      return false;
    return !ancestor ||
           block->findAncestorOpInBlock(*user)->isBeforeInBlock(ancestor);
  });
}

/// Copies each captured tensor whose buffer is written between the definition
/// of `mask` and its uses, since the mask is evaluated at its uses.
LogicalResult
stof::detail::copyChangingCaptures(Operation *mask, RewriterBase &rewriter,
                                   const AnalysisState &analysis,
                                   const BufferizationState &state) {
  auto *decisions = dyn_cast<OneShotAnalysisState>(&analysis);
  if (!decisions)
    return success();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(mask);
  for (OpOperand &captured : mask->getOpOperands()) {
    if (!isa<TensorType>(captured.get().getType()))
      continue;
    bool changes = false;
    decisions->applyOnAliases(captured.get(), [&](Value alias) {
      for (OpOperand &use : alias.getUses())
        changes |= analysis.bufferizesToMemoryWrite(use) &&
                   analysis.isInPlace(use) &&
                   !missesUsers(use.getOwner(), mask);
    });
    if (!changes)
      continue;
    FailureOr<Value> copy = allocateTensorForShapedValue(
        rewriter, mask->getLoc(), captured.get(), analysis.getOptions(), state);
    if (failed(copy))
      return failure();
    rewriter.modifyOpInPlace(mask, [&] { captured.set(*copy); });
  }
  return success();
}

FailureOr<BufferLikeType> stof::detail::getMaskBufferType(
    Operation *mask, Value value, const BufferizationOptions &options,
    const BufferizationState &state, SmallVector<Value> &invocationStack) {
  return getCapturedBufferType(value, mask->getOperands(),
                               MaskOp::numCoordinates, options, state,
                               invocationStack);
}

LogicalResult stof::detail::bufferizeMask(Operation *mask,
                                          RewriterBase &rewriter,
                                          const BufferizationOptions &options,
                                          BufferizationState &state) {
  SmallVector<Value> buffers;
  if (failed(appendBuffers(rewriter, mask->getOperands(), options, state,
                           buffers)))
    return failure();
  Region *predicate = cast<MaskOpInterface>(mask).getPredicateRegion();
  rewriter.modifyOpInPlace(mask, [&] {
    if (predicate)
      takeBuffers(rewriter, predicate->front(), MaskOp::numCoordinates,
                  buffers);
    mask->setOperands(buffers);
  });
  return success();
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

bool AttentionOp::bufferizesToMemoryRead(OpOperand &operand,
                                         const AnalysisState &) {
  return !isDpsInit(&operand);
}

bool AttentionOp::bufferizesToMemoryWrite(OpOperand &operand,
                                          const AnalysisState &) {
  return isDpsInit(&operand);
}

AliasingValueList AttentionOp::getAliasingValues(OpOperand &operand,
                                                 const AnalysisState &) {
  if (isDpsInit(&operand))
    return {{getTiedOpResult(&operand), BufferRelation::Equivalent}};
  return {};
}

FailureOr<BufferLikeType>
AttentionOp::getBufferType(Value value, const BufferizationOptions &options,
                           const BufferizationState &state,
                           SmallVector<Value> &invocationStack) {
  if (auto result = dyn_cast<OpResult>(value))
    return bufferization::getBufferType(
        getDpsInitOperand(result.getResultNumber())->get(), options, state,
        invocationStack);
  return getCapturedBufferType(value, getCaptures(), numScoreArguments, options,
                               state, invocationStack);
}

LogicalResult AttentionOp::bufferize(RewriterBase &rewriter,
                                     const BufferizationOptions &options,
                                     BufferizationState &state) {
  SmallVector<Value> buffers;
  if (failed(appendBuffers(rewriter, (*this)->getOperands(), options, state,
                           buffers)))
    return failure();
  AttentionOp onBuffers = cast<AttentionOp>(
      mlir::cloneWithoutRegions(rewriter, getOperation(), {}, buffers));
  rewriter.inlineRegionBefore(getScore(), onBuffers.getScore(),
                              onBuffers.getScore().end());
  takeBuffers(rewriter, onBuffers.getScore().front(), numScoreArguments,
              onBuffers.getCaptures());
  SmallVector<Value> results{onBuffers.getOut()};
  if (Value rows = onBuffers.getLse())
    results.push_back(rows);
  results.truncate(getNumResults());
  replaceOpWithBufferizedValues(rewriter, *this, results);
  return success();
}
