//===----------------------------------------------------------------------===//
// Queries of the shared memory of operations.
//===----------------------------------------------------------------------===//

#include "stof/Tile/SharedMemory.h"
#include "stof/Tile/Warpgroup.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace stof::tile;

/// The bytes of a shared tile; 0 for other types.
static int64_t getTileBytes(Type type) {
  auto shared = dyn_cast_or_null<SharedType>(type);
  return shared ? shared.getSizeInBytes() : 0;
}

int64_t stof::tile::getSharedBytes(Operation *op) {
  return TypeSwitch<Operation *, int64_t>(op)
      .Case([](LoadOp load) {
        return load.getBuffer() ? 0 : getTileBytes(load.getResult().getType());
      })
      .Case([](EmptyOp empty) { return getTileBytes(empty.getType()); })
      .Case([](ConvertOp convert) {
        return getTileBytes(convert.getSharedType());
      })
      .Case([](ReduceOp reduce) -> int64_t {
        FragmentType source = reduce.getSource().getType();
        int64_t warps = source.getLayout().getWarpsAlong(reduce.getDim());
        if (warps == 1)
          return 0;
        FragmentType result = reduce.getResult().getType();
        return warps * result.getShape()[0] *
               getElementBytes(result.getElementType());
      })
      .Default(int64_t{0});
}

int64_t stof::tile::getSharedAlignment(Operation *op) {
  constexpr int64_t usual = 128;
  auto type = dyn_cast<SharedType>(op->getResult(0).getType());
  return type && WarpgroupOperand{type, true}.isReadable()
             ? WarpgroupOperand::windowBytes
             : usual;
}

LogicalResult stof::tile::checkSharedOffsets(Operation *kernel) {
  WalkResult result = kernel->walk([](Operation *op) -> WalkResult {
    if (getSharedBytes(op) == 0 || op->hasAttr(offsetAttr))
      return WalkResult::advance();
    return op->emitOpError()
           << "expects an offset in shared memory as attribute '" << offsetAttr
           << "', but got none";
  });
  return failure(result.wasInterrupted());
}
