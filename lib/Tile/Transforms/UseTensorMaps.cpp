//===----------------------------------------------------------------------===//
// The pass that lets the hardware copy tiles, by tensor maps.
//
// A tensor map describes an argument of a kernel, with boxes of 128 bytes of
// the rows of a tile, or of one of its blocks: the panels of a shared tile, in
// the swizzle of wgmma (PTX ISA, "Tensor-map"). It is created on the host,
// before the launch, and passed by value.
//===----------------------------------------------------------------------===//

#include "stof/Tile/Transforms/Passes.h"

#include "stof/Support/ContiguousMemory.h"
#include "stof/Tile/SharedMemory.h"
#include "stof/Tile/Warpgroup.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/IR/Remarks.h"

namespace stof {
#define GEN_PASS_DEF_USETENSORMAPSPASS
#include "stof/Tile/Transforms/Passes.h.inc"
} // namespace stof

using namespace mlir;
using namespace stof::tile;

/// The most dimensions of a tensor map, and the longest side of a box.
static constexpr int64_t mostDims = 5, longestSide = 256;
/// Strides, and what they are multiples of, in bytes.
static constexpr int64_t strideUnit = 16;

static remark::RemarkOpts named(StringRef name) {
  return remark::RemarkOpts::name(name).category("stof-use-tensor-maps");
}

/// The argument of the kernel that `memory` is, or a view of; null if there is
/// none.
static BlockArgument findArgument(Value memory) {
  while (Operation *view = memory.getDefiningOp()) {
    if (!isa<memref::SubViewOp, memref::ExpandShapeOp, memref::CollapseShapeOp>(
            view))
      return {};
    memory = view->getOperand(0);
  }
  auto argument = cast<BlockArgument>(memory);
  bool isOfKernel = isa<gpu::GPUFuncOp>(argument.getOwner()->getParentOp());
  return isOfKernel ? argument : BlockArgument();
}

/// Whether `source` is `argument`, or a view of it that the host can create.
static bool isKnownView(MemRefType source, BlockArgument argument) {
  auto whole = cast<MemRefType>(argument.getType());
  return whole.getLayout().isIdentity() &&
         (source == whole || source.hasStaticShape());
}

/// What keeps a tensor map from bringing the tiles of `send`; empty if nothing
/// does.
static StringRef explainNoMap(SendOp send) {
  auto source = cast<MemRefType>(send.getSource().getType());
  BlockArgument argument = findArgument(send.getSource());
  if (!argument)
    return "its memory is no view of an argument";
  std::optional<int64_t> offset = stof::getContiguousOffset(source);
  if (!offset || source.getRank() > mostDims)
    return "its memory is not contiguous or has more than five dimensions";
  if (!isKnownView(source, argument))
    return "its memory is a view with dynamic sizes";
  SharedType tile = send.getChannel().getType().getTile();
  if (!WarpgroupOperand{tile, true}.isReadable())
    return "its tile has no rows of whole 128 bytes, eight at a time";
  ArrayRef<int64_t> along = send.getAlong();
  int64_t columns = source.getShape().back();
  int64_t bytes = getElementBytes(source.getElementType());
  if (along[1] != source.getRank() - 1 || ShapedType::isDynamic(columns) ||
      columns * bytes % strideUnit != 0 || *offset * bytes % strideUnit != 0)
    return "its rows are not contiguous or not aligned to 16 bytes";
  if (tile.getShape()[0] > longestSide)
    return "its tile has more than 256 rows";
  // The swizzle repeats then.
  constexpr int64_t rowsOfSwizzle = 8;
  if (tile.getShape()[0] / send.getBlocks() % rowsOfSwizzle != 0)
    return "its blocks have no multiple of eight rows";
  return {};
}

namespace {
/// A box of an argument, or of the part of it that `memory` is.
struct Box {
  unsigned argument;
  MemRefType memory;
  SmallVector<int64_t> shape;

  bool operator==(const Box &other) const {
    return std::tie(argument, memory, shape) ==
           std::tie(other.argument, other.memory, other.shape);
  }
};

/// Gives the maps of one kernel to its sends.
class MapBuilder {
public:
  explicit MapBuilder(gpu::GPUFuncOp kernel) : kernel(kernel) {}

  void run();
  /// Creates the maps for `launch`, and passes them.
  void passMaps(gpu::LaunchFuncOp launch) const;

private:
  /// The argument of the kernel that is the map of `box`.
  Value getMap(const Box &box);

  gpu::GPUFuncOp kernel;
  SmallVector<Box> boxes;
  SmallVector<Value> maps;
};
} // namespace

static Box getBox(SendOp send) {
  auto source = cast<MemRefType>(send.getSource().getType());
  SharedType tile = send.getChannel().getType().getTile();
  Box box{findArgument(send.getSource()).getArgNumber(), source,
          SmallVector<int64_t>(source.getRank(), 1)};
  box.shape[send.getAlong()[0]] = tile.getShape()[0] / send.getBlocks();
  box.shape[send.getAlong()[1]] =
      WarpgroupOperand::rowBytes / getElementBytes(tile.getElementType());
  return box;
}

Value MapBuilder::getMap(const Box &box) {
  for (auto [known, map] : llvm::zip_equal(boxes, maps))
    if (known == box)
      return map;
  // Upstream's type has the shape of a box, in shared memory.
  constexpr int64_t sharedSpace = 3;
  MLIRContext *context = kernel.getContext();
  auto tile = MemRefType::get(
      box.shape, box.memory.getElementType(), MemRefLayoutAttrInterface(),
      IntegerAttr::get(IntegerType::get(context, 64), sharedSpace));
  auto type = nvgpu::TensorMapDescriptorType::get(
      context, tile, nvgpu::TensorMapSwizzleKind::SWIZZLE_128B,
      nvgpu::TensorMapL2PromoKind::L2PROMO_NONE,
      nvgpu::TensorMapOOBKind::OOB_ZERO,
      nvgpu::TensorMapInterleaveKind::INTERLEAVE_NONE);
  unsigned position = kernel.getNumArguments();
  (void)kernel.insertArgument(position, type, {}, kernel.getLoc());
  boxes.push_back(box);
  maps.push_back(kernel.getArgument(position));
  return maps.back();
}

void MapBuilder::run() {
  llvm::MapVector<Value, SmallVector<SendOp>> channels;
  kernel.walk(
      [&](SendOp send) { channels[send.getChannel()].push_back(send); });
  for (auto &[channel, sends] : channels) {
    // All tiles of a channel arrive in one way.
    StringRef reason;
    for (SendOp send : sends)
      if (reason.empty())
        reason = explainNoMap(send);
    auto op = channel.getDefiningOp<ChannelOp>();
    if (!reason.empty()) {
      remark::missed(op.getLoc(), named("TensorMap"))
          << remark::reason("{0}", reason);
      continue;
    }
    op.setBulk(true);
    for (SendOp send : sends)
      send.getMapMutable().assign(getMap(getBox(send)));
    remark::passed(op.getLoc(), named("TensorMap"))
        << remark::metric("Sends", sends.size());
  }
}

/// The memory of `box` at `launch`.
static Value getMemory(OpBuilder &builder, const Box &box,
                       gpu::LaunchFuncOp launch) {
  Value operand = launch.getKernelOperands()[box.argument];
  if (box.memory.getLayout().isIdentity() &&
      operand.getType() == cast<Type>(box.memory))
    return operand;
  auto [strides, offset] = box.memory.getStridesAndOffset();
  return memref::ReinterpretCastOp::create(builder, launch.getLoc(), box.memory,
                                           operand, offset,
                                           box.memory.getShape(), strides);
}

void MapBuilder::passMaps(gpu::LaunchFuncOp launch) const {
  OpBuilder builder(launch);
  Location loc = launch.getLoc();
  for (auto [box, map] : llvm::zip_equal(boxes, maps)) {
    Value memory = getMemory(builder, box, launch);
    auto type = cast<MemRefType>(memory.getType());
    Value unranked = memref::CastOp::create(
        builder, loc,
        UnrankedMemRefType::get(type.getElementType(), type.getMemorySpace()),
        memory);
    auto sides = llvm::map_to_vector(box.shape, [&](int64_t side) -> Value {
      return arith::ConstantIndexOp::create(builder, loc, side);
    });
    Value created = nvgpu::TmaCreateDescriptorOp::create(
        builder, loc, map.getType(), unranked, sides);
    launch.getKernelOperandsMutable().append(created);
  }
}

namespace {
struct UseTensorMapsPass
    : stof::impl::UseTensorMapsPassBase<UseTensorMapsPass> {
  using Base::Base;

  void runOnOperation() override {
    llvm::DenseMap<Operation *, MapBuilder> builders;
    getOperation().walk([&](gpu::GPUFuncOp kernel) {
      builders.try_emplace(kernel, kernel).first->second.run();
    });
    SymbolTableCollection symbols;
    getOperation().walk([&](gpu::LaunchFuncOp launch) {
      auto found = builders.find(
          symbols.lookupNearestSymbolFrom(launch, launch.getKernel()));
      if (found != builders.end())
        found->second.passMaps(launch);
    });
  }
};
} // namespace
