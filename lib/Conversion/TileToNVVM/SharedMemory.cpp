//===----------------------------------------------------------------------===//
// Queries of the shared memory of operations and of the threads of their CTA.
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "SharedLayout.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace stof::tile;

/// The bytes of a shared tile; 0 for other values.
static int64_t getTileBytes(Value result) {
  auto type = dyn_cast<SharedType>(result.getType());
  return type ? SharedLayout(type).getSizeInBytes() : 0;
}

SharedType stof::tile::getSharedRoom(FragmentType type) {
  SmallVector<int64_t> shape(type.getShape());
  if (shape.size() == 1)
    shape.insert(shape.begin(), 1);
  MLIRContext *context = type.getContext();
  unsigned bits = 8 * getElementBytes(type.getElementType());
  return SharedType::get(context, shape, IntegerType::get(context, bits));
}

int64_t stof::tile::getSharedBytes(Operation *op) {
  return TypeSwitch<Operation *, int64_t>(op)
      .Case([](LoadOp load) {
        return load.getPlace() ? 0 : getTileBytes(load.getResult());
      })
      .Case([](EmptyOp empty) { return getTileBytes(empty.getResult()); })
      .Case([](ConvertOp convert) {
        if (int64_t bytes = getTileBytes(convert.getResult()))
          return bytes;
        if (convertsInLanes(convert))
          return int64_t{0};
        // A conversion between layouts goes through shared memory.
        return SharedLayout(getSharedRoom(convert.getSource().getType()))
            .getSizeInBytes();
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

LogicalResult stof::tile::checkPlaces(Operation *kernel) {
  WalkResult result = kernel->walk([](Operation *op) -> WalkResult {
    if (getSharedBytes(op) == 0 || op->hasAttr(offsetAttr))
      return WalkResult::advance();
    return op->emitOpError()
           << "expects an offset in shared memory as attribute '" << offsetAttr
           << "', but got none";
  });
  return failure(result.wasInterrupted());
}

int64_t stof::tile::getNumThreads(Operation *op) {
  auto kernel = dyn_cast<gpu::GPUFuncOp>(op);
  if (!kernel)
    kernel = op->getParentOfType<gpu::GPUFuncOp>();
  std::optional<ArrayRef<int32_t>> size = kernel.getKnownBlockSize();
  bool isLine = size && (*size)[1] == 1 && (*size)[2] == 1;
  return isLine ? (*size)[0] : 0;
}
