//===----------------------------------------------------------------------===//
// Cloning of an operation whose blocks change on the way.
//===----------------------------------------------------------------------===//

#include "stof/Support/CloneWithBlocks.h"

using namespace mlir;

LogicalResult
stof::cloneWithBlocks(OpBuilder &builder, Operation &op, IRMapping &values,
                      function_ref<LogicalResult(Block &)> copyBlock) {
  OpBuilder::InsertionGuard guard(builder);
  Operation *clone = builder.insert(op.cloneWithoutRegions(values));
  for (auto [from, to] : llvm::zip(op.getRegions(), clone->getRegions()))
    for (Block &block : from) {
      SmallVector<Location> locations(block.getNumArguments(), op.getLoc());
      Block *inner = builder.createBlock(&to, to.end(),
                                         block.getArgumentTypes(), locations);
      values.map(block.getArguments(), inner->getArguments());
      if (failed(copyBlock(block)))
        return failure();
    }
  return success();
}
