//===----------------------------------------------------------------------===//
// Verification, canonicalisation and shifts of regions with captured values.
//===----------------------------------------------------------------------===//

#include "Captures.h"
#include "stof/IR/Stof.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

LogicalResult stof::verifyRegionArguments(Operation *op, StringRef what,
                                          Block &body, TypeRange leading,
                                          ValueRange captures) {
  SmallVector<Type> expected(leading.begin(), leading.end());
  llvm::append_range(expected, captures.getTypes());
  if (body.getNumArguments() != expected.size())
    return op->emitOpError()
           << "expects the " << what << " to take " << expected.size()
           << " arguments, but got " << body.getNumArguments();
  for (auto [position, type] : llvm::enumerate(expected))
    if (body.getArgument(position).getType() != type)
      return op->emitOpError() << "expects argument " << position << " of the "
                               << what << " to be " << type << ", but got "
                               << body.getArgument(position).getType();
  return success();
}

LogicalResult stof::verifyYield(Operation *op, StringRef what, Block &body,
                                TypeRange types) {
  Operation *yield = body.getTerminator();
  if (yield->getOperandTypes() == types)
    return success();
  InFlightDiagnostic diag =
      op->emitOpError() << "expects the " << what << " to yield (" << types
                        << "), but got (" << yield->getOperandTypes() << ")";
  diag.attachNote(yield->getLoc()) << "yielded here";
  return diag;
}

LogicalResult stof::verifyNoSideEffects(Operation *op, StringRef what,
                                        Block &body) {
  for (Operation &inner : body.without_terminator()) {
    std::optional<SmallVector<MemoryEffects::EffectInstance>> effects =
        getEffectsRecursively(&inner);
    bool reads = effects && llvm::all_of(*effects, [](const auto &effect) {
                   return isa<MemoryEffects::Read>(effect.getEffect());
                 });
    if (reads)
      continue;
    InFlightDiagnostic diag = op->emitOpError()
                              << "expects the " << what
                              << " to be free of side effects, but it has '"
                              << inner.getName() << "'";
    diag.attachNote(inner.getLoc()) << "has side effects";
    return diag;
  }
  return success();
}

bool stof::mayReadBuffers(Value mask) {
  auto definition = mask.getDefiningOp<MaskOpInterface>();
  return !definition ||
         llvm::any_of(definition->getOperandTypes(),
                      [](Type type) { return isa<BaseMemRefType>(type); });
}

LogicalResult stof::simplifyCaptures(RewriterBase &rewriter, Operation *op,
                                     MutableOperandRange captures, Block &body,
                                     unsigned firstArgument) {
  bool changed = false;
  DenseMap<Value, BlockArgument> seen;
  for (unsigned i = 0; i < captures.size();) {
    Value captured = captures[i].get();
    BlockArgument argument = body.getArgument(firstArgument + i);
    Attribute constant;
    auto [first, isNew] = seen.try_emplace(captured, argument);
    if (!isNew) {
      rewriter.replaceAllUsesWith(argument, first->second);
    } else if (!argument.use_empty() && !isa<ShapedType>(argument.getType()) &&
               matchPattern(captured, m_Constant(&constant))) {
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPointToStart(&body);
      Operation *clone = rewriter.clone(*captured.getDefiningOp());
      rewriter.replaceAllUsesWith(argument, clone->getResult(0));
    }
    if (!argument.use_empty()) {
      ++i;
      continue;
    }
    if (isNew)
      seen.erase(captured);
    rewriter.modifyOpInPlace(op, [&] {
      captures.erase(i);
      body.eraseArgument(firstArgument + i);
    });
    changed = true;
  }
  return success(changed);
}

void stof::shiftCoordinates(OpBuilder &builder, Location loc, Block &body,
                            unsigned first, ArrayRef<OpFoldResult> offsets,
                            MutableOperandRange captures) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&body);
  for (auto [position, offset] : llvm::enumerate(offsets)) {
    BlockArgument coordinate = body.getArgument(first + position);
    if (isZeroInteger(offset) || coordinate.use_empty())
      continue;
    Value distance;
    if (auto value = dyn_cast<Value>(offset)) {
      captures.append(value);
      distance = body.addArgument(value.getType(), loc);
    } else {
      distance = arith::ConstantIndexOp::create(builder, loc,
                                                *getConstantIntValue(offset));
    }
    auto shifted = arith::AddIOp::create(builder, loc, coordinate, distance);
    coordinate.replaceAllUsesExcept(shifted, shifted);
  }
}
