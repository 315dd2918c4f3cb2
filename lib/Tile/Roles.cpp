//===----------------------------------------------------------------------===//
// The roles of the warps of a CTA: which threads run an operation, and how they
// wait for each other. The barriers of the hardware are those of the CTA (0),
// of each group of consumers, of the producers, and of the turn of each group.
//===----------------------------------------------------------------------===//

#include "stof/Tile/Roles.h"

#include "stof/Support/WarpShape.h"
#include "stof/Tile/Warpgroup.h"

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

/// The threads of a CTA of `kernel`.
static int64_t countThreads(gpu::GPUFuncOp kernel) {
  std::optional<ArrayRef<int32_t>> size = kernel.getKnownBlockSize();
  bool isLine = size && (*size)[1] == 1 && (*size)[2] == 1;
  return isLine ? (*size)[0] : 0;
}

int64_t stof::tile::getNumThreads(Operation *op) {
  if (auto kernel = dyn_cast<gpu::GPUFuncOp>(op))
    return countThreads(kernel);
  return getNumThreads(op->getBlock());
}

int64_t stof::tile::getNumThreads(Block *block) {
  if (Region *role = getRole(block))
    return lanesPerWarp *
           cast<WarpSpecializeOp>(role->getParentOp()).getNumWarps(*role);
  return countThreads(block->getParent()->getParentOfType<gpu::GPUFuncOp>());
}

int64_t stof::tile::getNumGroups(Block *block) {
  Region *role = getRole(block);
  return role ? cast<WarpSpecializeOp>(role->getParentOp()).getNumGroups(*role)
              : 1;
}

static WarpSpecializeOp getRoles(OpBuilder &builder) {
  return cast<WarpSpecializeOp>(
      getRole(builder.getInsertionBlock())->getParentOp());
}

/// Moves to the start of the role or of the function of the insertion point.
static void moveToStart(OpBuilder &builder) {
  Region *region = getRole(builder.getInsertionBlock());
  if (!region)
    for (region = builder.getInsertionBlock()->getParent();
         !region->getParentOp()->hasTrait<OpTrait::IsIsolatedFromAbove>();)
      region = region->getParentRegion();
  builder.setInsertionPointToStart(&region->front());
}

/// The number (i32) of the `threads` threads of the CTA that run the insertion
/// point; the same register in all lanes. No shuffle is moved out of a loop,
/// hence it is outside already.
static Value getPart(OpBuilder &builder, Location loc, int64_t threads) {
  OpBuilder::InsertionGuard guard(builder);
  moveToStart(builder);
  auto number = [&](int64_t value) {
    return arith::ConstantIntOp::create(builder, loc, value, 32);
  };
  Value thread = arith::IndexCastOp::create(
      builder, loc, builder.getI32Type(),
      gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x));
  Value part = arith::DivUIOp::create(builder, loc, thread, number(threads));
  return NVVM::ShflOp::create(builder, loc, part.getType(), number(-1), part,
                              number(0), number(lanesPerWarp - 1),
                              NVVM::ShflKind::idx, UnitAttr());
}

Value stof::tile::getGroup(OpBuilder &builder, Location loc) {
  if (getNumGroups(builder.getInsertionBlock()) == 1)
    return arith::ConstantIntOp::create(builder, loc, 0, 32);
  return getPart(builder, loc,
                 lanesPerWarp * getRoles(builder).getConsumerWarps());
}

Value stof::tile::getWarpgroup(OpBuilder &builder, Location loc) {
  Block *block = builder.getInsertionBlock();
  auto number = [&](int64_t value) {
    return arith::ConstantIntOp::create(builder, loc, value, 32);
  };
  Value group = getPart(builder, loc, lanesPerWarp * warpsPerGroup);
  if (int64_t first = getFirstWarp(block))
    group = arith::SubIOp::create(builder, loc, group,
                                  number(first / warpsPerGroup));
  if (getNumGroups(block) > 1)
    group = arith::RemUIOp::create(
        builder, loc, group,
        number(getNumThreads(block) / (lanesPerWarp * warpsPerGroup)));
  return group;
}

/// The barrier number `first` + `group`, of `threads` threads.
static BarrierOperands createOperands(OpBuilder &builder, Location loc,
                                      int64_t first, Value group,
                                      int64_t threads) {
  Value id = arith::ConstantIntOp::create(builder, loc, first, 32);
  if (group)
    id = builder.createOrFold<arith::AddIOp>(loc, group, id);
  return {id, arith::ConstantIntOp::create(builder, loc, threads, 32)};
}

BarrierOperands stof::tile::getBarrier(OpBuilder &builder, Location loc) {
  Region *role = getRole(builder.getInsertionBlock());
  if (!role)
    return {};
  auto roles = cast<WarpSpecializeOp>(role->getParentOp());
  bool isConsumer = role == &roles.getConsumers();
  bool isOne = roles.getNumGroups(*role) == 1;
  return createOperands(builder, loc,
                        isConsumer ? 1 : 1 + roles.getConsumerGroups(),
                        isOne ? Value() : getGroup(builder, loc),
                        lanesPerWarp * roles.getNumWarps(*role));
}

Turns::Turns(WarpSpecializeOp roles, bool areWarpgroups)
    : count(roles.getConsumerGroups()),
      threads(lanesPerWarp * roles.getConsumerWarps()),
      // Those of each group and of the producers come first.
      firstBarrier(2 + roles.getConsumerGroups()) {
  if (!areWarpgroups)
    return;
  count = roles.getConsumerWarps() / warpsPerGroup;
  threads = lanesPerWarp * warpsPerGroup;
}

Value Turns::getNumber(OpBuilder &builder, Location loc) const {
  return getPart(builder, loc, threads);
}

BarrierOperands Turns::getBarrier(OpBuilder &builder, Location loc,
                                  Value number) const {
  return createOperands(builder, loc, firstBarrier, number, 2 * threads);
}

void stof::tile::createBarrier(OpBuilder &builder, Location loc) {
  createBarrier(builder, loc, getBarrier(builder, loc));
}

void stof::tile::createBarrier(OpBuilder &builder, Location loc,
                               const BarrierOperands &barrier) {
  if (!barrier.id) {
    gpu::BarrierOp::create(builder, loc);
    return;
  }
  NVVM::BarrierOp::create(builder, loc, TypeRange(), barrier.id,
                          barrier.threads, NVVM::BarrierReductionAttr(),
                          /*reductionPredicate=*/Value());
}
