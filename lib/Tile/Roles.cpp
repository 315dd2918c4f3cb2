//===----------------------------------------------------------------------===//
// The roles of the warps of a CTA: which threads run an operation, and how they
// wait for each other. Each role has a hardware barrier of its own.
//===----------------------------------------------------------------------===//

#include "stof/Tile/Roles.h"

#include "stof/Support/WarpShape.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace stof;
using namespace stof::tile;

Region *stof::tile::getRole(Block *block) {
  for (Region *region = block->getParent(); region;
       region = region->getParentRegion())
    if (isa<WarpSpecializeOp>(region->getParentOp()))
      return region;
  return nullptr;
}

int64_t stof::tile::getFirstWarp(Block *block) {
  Region *role = getRole(block);
  return role ? cast<WarpSpecializeOp>(role->getParentOp()).getFirstWarp(*role)
              : 0;
}

int64_t stof::tile::getNumThreads(Operation *op) {
  auto kernel = dyn_cast<gpu::GPUFuncOp>(op);
  if (!kernel) {
    if (Region *role = getRole(op->getBlock()))
      return lanesPerWarp *
             cast<WarpSpecializeOp>(role->getParentOp()).getNumWarps(*role);
    kernel = op->getParentOfType<gpu::GPUFuncOp>();
  }
  std::optional<ArrayRef<int32_t>> size = kernel.getKnownBlockSize();
  bool isLine = size && (*size)[1] == 1 && (*size)[2] == 1;
  return isLine ? (*size)[0] : 0;
}

BarrierOperands stof::tile::getBarrier(OpBuilder &builder, Location loc) {
  Region *role = getRole(builder.getInsertionBlock());
  if (!role)
    return {};
  auto roles = cast<WarpSpecializeOp>(role->getParentOp());
  // Barrier 0 is that of the whole CTA.
  int64_t id = 1 + role->getRegionNumber();
  int64_t threads = lanesPerWarp * roles.getNumWarps(*role);
  return {arith::ConstantIntOp::create(builder, loc, id, 32),
          arith::ConstantIntOp::create(builder, loc, threads, 32)};
}

void stof::tile::createBarrier(OpBuilder &builder, Location loc) {
  BarrierOperands barrier = getBarrier(builder, loc);
  if (!barrier.id) {
    gpu::BarrierOp::create(builder, loc);
    return;
  }
  NVVM::BarrierOp::create(builder, loc, TypeRange(), barrier.id,
                          barrier.threads, NVVM::BarrierReductionAttr(),
                          /*reductionPredicate=*/Value());
}
