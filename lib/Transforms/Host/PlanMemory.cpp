//===----------------------------------------------------------------------===//
// One workspace for all intermediate buffers of a host function.
//
//   1. A buffer lives from its allocation to the last use of it or of a view.
//      If the launch that first writes it is the last use of another buffer, it
//      reuses that memory, as far as the kernel allows.
//   2. Buffers of static size are placed one by one at the lowest offset that
//      conflicts with no buffer alive at the same time: largest, longest-lived
//      or earliest first, whichever takes the least.
//   3. Buffers of dynamic size follow in slots, which buffers of equal size
//      and disjoint lifetimes share.
//===----------------------------------------------------------------------===//

#include "stof/IR/KernelAttributes.h"
#include "stof/Support/ElementBytes.h"
#include "stof/Transforms/Host/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/Support/MathExtras.h"

namespace stof {
#define GEN_PASS_DEF_PLANMEMORYPASS
#include "stof/Transforms/Host/Passes.h.inc"
} // namespace stof

using namespace mlir;

namespace {

/// The alignment of every buffer in bytes.
constexpr int64_t alignment = 256;

struct Buffer {
  memref::AllocOp alloc;
  /// Positions in the block: the allocation and the last use.
  unsigned first, last;
  /// Bytes, if the size is static.
  std::optional<int64_t> bytes;
  int64_t offset = 0;
  /// Buffers that reuse its memory in place, in order.
  SmallVector<memref::AllocOp> followers = {};

  bool aliveWith(const Buffer &other) const {
    return first <= other.last && other.first <= last;
  }
};

/// The position of the first use of `buffer` or of a view of it, views
/// excluded.
unsigned findFirstUse(Value buffer,
                      const DenseMap<Operation *, unsigned> &positions) {
  unsigned first = std::numeric_limits<unsigned>::max();
  SmallVector<Value> views{buffer};
  while (!views.empty())
    for (Operation *user : views.pop_back_val().getUsers()) {
      if (isa<ViewLikeOpInterface>(user))
        llvm::append_range(views, user->getResults());
      else
        first = std::min(first, positions.lookup(user));
    }
  return first;
}

/// The position of the last use of `buffer` or of a view of it.
unsigned findLastUse(Value buffer,
                     const DenseMap<Operation *, unsigned> &positions) {
  unsigned last = 0;
  SmallVector<Value> views{buffer};
  while (!views.empty())
    for (Operation *user : views.pop_back_val().getUsers()) {
      last = std::max(last, positions.lookup(user));
      if (isa<ViewLikeOpInterface>(user))
        llvm::append_range(views, user->getResults());
    }
  return last;
}

/// The allocation that `view` covers entirely, if any.
memref::AllocOp findWhole(Value view) {
  auto type = cast<MemRefType>(view.getType());
  while (auto op = view.getDefiningOp<ViewLikeOpInterface>())
    view = op.getViewSource();
  auto alloc = view.getDefiningOp<memref::AllocOp>();
  if (!alloc || !type.hasStaticShape() || !alloc.getType().hasStaticShape() ||
      type.getNumElements() * stof::getElementBytes(type) !=
          alloc.getType().getNumElements() *
              stof::getElementBytes(alloc.getType()))
    return {};
  return alloc;
}

/// Assigns results of launches to the memory of operands that die there, as
/// `inPlaceAttr` allows. Erases the buffers so placed and returns their number.
///
/// This is safe if the launch is the last use of the first buffer and the first
/// use of the second, and no other operand of it is in either.
unsigned updateInPlace(Block &block, SmallVectorImpl<Buffer> &buffers,
                       const DenseMap<Operation *, unsigned> &positions) {
  DenseMap<Operation *, Buffer *> owners;
  for (Buffer &buffer : buffers)
    owners[buffer.alloc] = &buffer;
  DenseSet<Operation *> placed;
  for (auto launch : block.getOps<gpu::LaunchFuncOp>()) {
    DenseI64ArrayAttr pairs = stof::inPlaceAttr.get(launch);
    if (!pairs)
      continue;
    unsigned now = positions.lookup(launch);
    auto countUses = [&](memref::AllocOp alloc) {
      return llvm::count_if(launch.getKernelOperands(), [&](Value operand) {
        while (auto op = operand.getDefiningOp<ViewLikeOpInterface>())
          operand = op.getViewSource();
        return operand == alloc.getResult();
      });
    };
    for (int64_t pair = 0; pair + 1 < pairs.size(); pair += 2) {
      memref::AllocOp read = findWhole(launch.getKernelOperand(pairs[pair])),
                      written =
                          findWhole(launch.getKernelOperand(pairs[pair + 1]));
      if (!read || !written || read == written || countUses(read) != 1 ||
          countUses(written) != 1)
        continue;
      Buffer *target = owners[read], *moved = owners[written];
      // Bytes that are alive elsewhere must not be written.
      if (target->last != now || findFirstUse(written, positions) != now ||
          target->bytes != moved->bytes)
        continue;
      target->last = moved->last;
      target->followers.push_back(written);
      owners[written] = target;
      placed.insert(written);
    }
  }
  llvm::erase_if(buffers, [&](const Buffer &buffer) {
    return placed.contains(memref::AllocOp(buffer.alloc));
  });
  return placed.size();
}

/// The maximum of bytes of static buffers alive at once, a lower bound of any
/// placement. All but one of the buffers are rounded up to the alignment.
int64_t countAlive(ArrayRef<Buffer> buffers) {
  int64_t most = 0;
  // The maximum is attained at the beginning of a lifetime.
  for (const Buffer &latest : buffers) {
    int64_t alive = 0, unused = 0;
    for (const Buffer &buffer : buffers)
      if (buffer.bytes && buffer.first <= latest.first &&
          latest.first <= buffer.last) {
        int64_t rounded = llvm::alignTo(*buffer.bytes, alignment);
        alive += rounded;
        unused = std::max(unused, rounded - *buffer.bytes);
      }
    most = std::max(most, alive - unused);
  }
  return most;
}

/// Places buffers in `order`, each at the lowest free offset; returns the total
/// bytes.
int64_t place(ArrayRef<Buffer *> order) {
  int64_t total = 0;
  SmallVector<Buffer *> placed; // by offset
  for (Buffer *buffer : order) {
    int64_t offset = 0;
    for (Buffer *other : placed)
      if (buffer->aliveWith(*other) && offset < other->offset + *other->bytes &&
          other->offset < offset + *buffer->bytes)
        offset = llvm::alignTo(other->offset + *other->bytes, alignment);
    buffer->offset = offset;
    total = std::max(total, offset + *buffer->bytes);
    auto next = llvm::find_if(
        placed, [&](const Buffer *other) { return other->offset > offset; });
    placed.insert(next, buffer);
  }
  return llvm::alignTo(total, alignment);
}

/// Sets the offset of each buffer of static size; returns the total bytes, the
/// least over several orders.
int64_t placeStatic(MutableArrayRef<Buffer> buffers) {
  SmallVector<Buffer *> order;
  for (Buffer &buffer : buffers)
    if (buffer.bytes)
      order.push_back(&buffer);
  using Rank = int64_t (*)(const Buffer &);
  constexpr Rank ranks[] = {
      [](const Buffer &buffer) { return *buffer.bytes; },
      [](const Buffer &buffer) -> int64_t {
        return buffer.last - buffer.first;
      },
      [](const Buffer &buffer) -> int64_t { return -int64_t(buffer.first); }};
  auto placeBy = [&](Rank rank) {
    llvm::sort(order, [&](const Buffer *lhs, const Buffer *rhs) {
      return std::tuple(rank(*rhs), *rhs->bytes, lhs->first) <
             std::tuple(rank(*lhs), *lhs->bytes, rhs->first);
    });
    return place(order);
  };
  Rank best = *llvm::min_element(
      ranks, [&](Rank lhs, Rank rhs) { return placeBy(lhs) < placeBy(rhs); });
  return placeBy(best);
}

struct PlanMemoryPass : stof::impl::PlanMemoryPassBase<PlanMemoryPass> {
  using Base::Base;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (!stof::inputsAttr.isOn(function))
      return;
    if (!function.getBody().hasOneBlock()) {
      function.emitOpError() << "expects one block, but got "
                             << function.getBody().getBlocks().size();
      return signalPassFailure();
    }
    Block &block = function.getBody().front();
    auto type = MemRefType::get({ShapedType::kDynamic},
                                IntegerType::get(&getContext(), 8));
    if (failed(function.insertArgument(function.getNumArguments(), type, {},
                                       function.getLoc())))
      return signalPassFailure();
    workspace = block.getArguments().back();

    DenseMap<Operation *, unsigned> positions;
    for (auto [position, op] : llvm::enumerate(block))
      positions[&op] = position;
    SmallVector<Buffer> buffers;
    int64_t separate = 0;
    for (auto alloc : block.getOps<memref::AllocOp>()) {
      Buffer buffer{alloc, positions.lookup(alloc),
                    findLastUse(alloc, positions), std::nullopt};
      MemRefType shape = alloc.getType();
      if (shape.hasStaticShape()) {
        buffer.bytes = shape.getNumElements() * stof::getElementBytes(shape);
        separate += llvm::alignTo(*buffer.bytes, alignment);
      }
      buffers.push_back(buffer);
    }
    size_t count = buffers.size();
    unsigned shared = updateInPlace(block, buffers, positions);
    int64_t bytes = placeStatic(buffers), bound = countAlive(buffers);
    for (Buffer &buffer : buffers)
      if (buffer.bytes) {
        OpBuilder builder(buffer.alloc);
        replace(buffer, arith::ConstantIndexOp::create(
                            builder, buffer.alloc.getLoc(), buffer.offset));
      }
    unsigned slots = placeDynamic(buffers, bytes);
    // The bound covers static sizes only.
    if (slots == 0)
      stof::workspaceBoundAttr.set(
          function, Builder(&getContext()).getI64IntegerAttr(bound));
    remark::analysis(
        function.getLoc(),
        remark::RemarkOpts::name("PlannedMemory").category("stof-plan-memory"))
        << llvm::formatv("{0} buffers in {1} bytes and {2} slots of dynamic "
                         "size; {3} bytes without sharing, {4} alive at once; "
                         "{5} reuse the memory of an operand",
                         count, bytes, slots, separate, bound, shared)
               .str();
  }

private:
  void replace(Buffer &buffer, Value offset) {
    buffer.followers.push_back(buffer.alloc);
    for (memref::AllocOp alloc : buffer.followers) {
      OpBuilder builder(alloc);
      Value view =
          memref::ViewOp::create(builder, alloc.getLoc(), alloc.getType(),
                                 workspace, offset, alloc.getDynamicSizes());
      alloc.replaceAllUsesWith(view);
      alloc.erase();
    }
  }

  /// Places the buffers of dynamic size after `bytes`; returns the slots used.
  unsigned placeDynamic(MutableArrayRef<Buffer> buffers, int64_t bytes) {
    struct Slot {
      MemRefType type;
      SmallVector<Value> sizes;
      Value offset;
      unsigned freeAfter;
    };
    SmallVector<Slot> slots;
    Value end; // The end of the last slot.
    for (Buffer &buffer : buffers) {
      if (buffer.bytes)
        continue;
      MemRefType type = buffer.alloc.getType();
      SmallVector<Value> sizes(buffer.alloc.getDynamicSizes());
      auto fits = [&](const Slot &slot) {
        return slot.freeAfter < buffer.first && slot.sizes == sizes &&
               slot.type.getShape() == type.getShape() &&
               stof::getElementBytes(slot.type) == stof::getElementBytes(type);
      };
      Slot *slot = llvm::find_if(slots, fits);
      if (slot == slots.end()) {
        OpBuilder builder(buffer.alloc);
        Location loc = buffer.alloc.getLoc();
        if (!end)
          end = arith::ConstantIndexOp::create(builder, loc, bytes);
        slots.push_back({type, sizes, end, 0});
        slot = &slots.back();
        end = addSize(builder, loc, end, type, sizes);
      }
      slot->freeAfter = buffer.last;
      replace(buffer, slot->offset);
    }
    return slots.size();
  }

  /// The next aligned offset after a buffer at `offset`.
  static Value addSize(OpBuilder &builder, Location loc, Value offset,
                       MemRefType type, ArrayRef<Value> sizes) {
    int64_t known = stof::getElementBytes(type);
    for (int64_t size : type.getShape())
      if (!ShapedType::isDynamic(size))
        known *= size;
    AffineExpr expr = builder.getAffineConstantExpr(known);
    SmallVector<OpFoldResult> operands;
    for (Value size : sizes) {
      expr = expr * builder.getAffineSymbolExpr(operands.size());
      operands.push_back(size);
    }
    expr = builder.getAffineSymbolExpr(operands.size()) +
           expr.ceilDiv(alignment) * alignment;
    operands.push_back(offset);
    return getValueOrCreateConstantIndexOp(
        builder, loc,
        affine::makeComposedFoldedAffineApply(builder, loc, expr, operands));
  }

  Value workspace;
};

} // namespace
