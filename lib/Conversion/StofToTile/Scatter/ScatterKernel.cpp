//===----------------------------------------------------------------------===//
// Updates that cannot alias are applied in parallel, one per thread; those that
// may alias by one thread in order, which keeps the result deterministic:
//
//   for each value of the separating coordinates, one thread:
//     for all other coordinates, in order:
//       at = position(coordinates, indices)
//       if at is in bounds: original[at] = combine(update, original[at])
//
// If the separating coordinates have few values, several threads (owners) visit
// the same updates, and each applies those whose linear index is its own number
// modulo the number of owners.
//===----------------------------------------------------------------------===//

#include "ScatterKernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace stof;

static constexpr int64_t warps = 4;
/// Threads that fill a GPU, and threads per CPU core.
static constexpr int64_t busyThreads = 4096, busyTurns = 4;
/// The number of updates assumed for a dynamic size.
static constexpr int64_t manyUpdates = 1024;

namespace {

class ScatterEmitter {
public:
  ScatterEmitter(KernelBuilder &kernel, ScatterOp op,
                 const ScatterBuffers &buffers, const TargetInfo *target);

  LogicalResult emit();

private:
  int64_t countOwners(const TargetInfo *target) const;
  /// Emits the body of thread `number`.
  void emitThread(OpBuilder &builder, Value number);
  /// Whether `owner` applies the update of the element at `indices`.
  Value isOwned(OpBuilder &builder, Value owner, ValueRange indices);
  Value getSize(unsigned dim) { return kernel.getSize(hostSizes[dim]); }

  KernelBuilder &kernel;
  ScatterOp op;
  ScatterBuffers buffers;
  OpBuilder &body;
  Location loc;
  /// The coordinates that are distributed over threads, and those of loops.
  SmallVector<unsigned> separating, looped;
  SmallVector<OpFoldResult> hostSizes;
  int64_t owners;
};

} // namespace

ScatterEmitter::ScatterEmitter(KernelBuilder &kernel, ScatterOp op,
                               const ScatterBuffers &hostBuffers,
                               const TargetInfo *target)
    : kernel(kernel), op(op), body(kernel.body()), loc(kernel.loc()) {
  unsigned rank = op.getUpdatesType().getRank();
  separating = op.getUnique() ? llvm::to_vector(llvm::seq(rank))
                              : op.getSeparatingDims();
  for (unsigned dim = 0; dim < rank; ++dim) {
    hostSizes.push_back(kernel.getHostSize(hostBuffers.updates, dim));
    if (!llvm::is_contained(separating, dim))
      looped.push_back(dim);
  }
  owners = countOwners(target);
  buffers.updates = kernel.getArgument(hostBuffers.updates);
  for (Value index : hostBuffers.indices)
    buffers.indices.push_back(kernel.getArgument(index));
  buffers.original = kernel.getArgument(hostBuffers.original);
}

int64_t ScatterEmitter::countOwners(const TargetInfo *target) const {
  auto count = [&](ArrayRef<unsigned> dims, int64_t unknown) {
    int64_t product = 1;
    for (unsigned dim : dims) {
      int64_t size = getConstantIntValue(hostSizes[dim]).value_or(unknown);
      product = llvm::MulOverflow(product, size, product)
                    ? std::numeric_limits<int64_t>::max()
                    : product;
    }
    return std::max<int64_t>(product, 1);
  };
  if (looped.empty())
    return 1;
  int64_t wanted = !target ? busyTurns : busyThreads;
  int64_t most =
      std::min(wanted / count(separating, 1), count(looped, manyUpdates));
  return llvm::bit_floor(static_cast<uint64_t>(std::max<int64_t>(most, 1)));
}

Value ScatterEmitter::isOwned(OpBuilder &builder, Value owner,
                              ValueRange indices) {
  Value linear = arith::ConstantIndexOp::create(builder, loc, 0);
  for (auto [dim, at] : llvm::enumerate(indices)) {
    // Separating coordinates are equal for all updates of a thread.
    AffineExpr expr = op.getPosition().getResult(dim);
    if (auto coordinate = dyn_cast<AffineDimExpr>(expr);
        coordinate && llvm::is_contained(separating, coordinate.getPosition()))
      continue;
    Value size = getValueOrCreateConstantIndexOp(
        builder, loc,
        memref::getMixedSize(builder, loc, buffers.original, dim));
    linear = arith::MulIOp::create(builder, loc, linear, size);
    linear = arith::AddIOp::create(builder, loc, linear, at);
  }
  Value rest = arith::AndIOp::create(
      builder, loc, linear,
      arith::ConstantIndexOp::create(builder, loc, owners - 1));
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, rest,
                               owner);
}

void ScatterEmitter::emitThread(OpBuilder &builder, Value number) {
  SmallVector<Value> radix{kernel.index(owners)}, loops;
  for (unsigned dim : separating)
    radix.push_back(getSize(dim));
  for (unsigned dim : looped)
    loops.push_back(getSize(dim));
  SmallVector<Value> numbers = delinearize(builder, loc, number, radix);
  SmallVector<Value> coordinates(hostSizes.size());
  for (auto [position, dim] : llvm::enumerate(separating))
    coordinates[dim] = numbers[position + 1];
  emitLoops(builder, loc, loops, [&](OpBuilder &inner, ValueRange at) {
    for (auto [position, dim] : llvm::enumerate(looped))
      coordinates[dim] = at[position];
    auto takes = [&](OpBuilder &here, Location, ValueRange indices) {
      return isOwned(here, numbers.front(), indices);
    };
    emitUpdate(inner, loc, op, buffers, coordinates,
               owners > 1 ? TakesUpdate(takes) : TakesUpdate());
  });
}

LogicalResult ScatterEmitter::emit() {
  int64_t numThreads = warps * lanesPerWarp;
  kernel.setSchedule("scatter", {{"elements", numThreads}, {"owners", owners}});
  SmallVector<OpFoldResult> hostCounts{kernel.host().getIndexAttr(owners)};
  SmallVector<Value> counts{kernel.index(owners)};
  for (unsigned dim : separating) {
    hostCounts.push_back(hostSizes[dim]);
    counts.push_back(getSize(dim));
  }
  OpFoldResult count = productOf(kernel.host(), loc, hostCounts);
  Value threads = productOf(body, loc, counts);
  Value first =
      arith::MulIOp::create(body, loc, kernel.getBlockId(gpu::Dimension::x),
                            kernel.index(numThreads));
  auto layout =
      tile::BlockedAttr::get(body.getContext(), {1}, {lanesPerWarp}, {warps});
  // Kernel arguments must be created outside of the tile.visit.
  for (unsigned dim = 0; dim < hostSizes.size(); ++dim)
    getSize(dim);
  tile::VisitOp::create(
      body, loc, numThreads, layout,
      [&](OpBuilder &builder, Location, ValueRange at) {
        Value number = arith::AddIOp::create(builder, loc, first, at[0]);
        Value exists = arith::CmpIOp::create(
            builder, loc, arith::CmpIPredicate::ult, number, threads);
        scf::IfOp::create(builder, loc, exists,
                          [&](OpBuilder &inner, Location) {
                            emitThread(inner, number);
                            scf::YieldOp::create(inner, loc);
                          });
      });
  return kernel.launch(ceilDiv(kernel.host(), loc, count, numThreads));
}

int64_t stof::scatterWarps() { return warps; }

LogicalResult stof::emitScatterKernel(KernelBuilder &kernel, ScatterOp op,
                                      const ScatterBuffers &buffers,
                                      const TargetInfo *target) {
  return ScatterEmitter(kernel, op, buffers, target).emit();
}
