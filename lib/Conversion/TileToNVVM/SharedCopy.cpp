//===----------------------------------------------------------------------===//
// Copies of tiles from global to shared memory.
//===----------------------------------------------------------------------===//

#include "SharedCopy.h"

#include "MemoryInstructions.h"
#include "stof/Conversion/TileToNVVM/SharedLayout.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace stof::tile;

namespace {
/// Divides a tile among the threads in copy atoms of a few contiguous elements:
/// thread t copies atoms t, t + threads, and so on.
class Atoms {
public:
  Atoms(ArrayRef<int64_t> shape, unsigned fastest, int64_t elements,
        int64_t threads)
      : fastest(fastest), elements(elements), threads(threads),
        along(shape[fastest] / elements), total(along * shape[1 - fastest]) {}

  int64_t getNumRounds() const { return llvm::divideCeil(total, threads); }
  /// Whether some threads are idle in the last round.
  bool isUneven() const { return total % threads != 0; }

  /// Row and column of the first element of atom `number` + `round` * threads,
  /// where `number` is an i32.
  SmallVector<Coordinate> getCoordinates(OpBuilder &builder, Location loc,
                                         Value number, int64_t round) const {
    SmallVector<Coordinate> coordinates(2);
    Coordinate &fast = coordinates[fastest], &slow = coordinates[1 - fastest];
    // Rounds differ by whole rows, so all share the code of the first.
    if (threads % along == 0)
      slow.constant = round * (threads / along);
    else
      number = addI32(builder, loc, number, round * threads);
    fast.thread =
        mulI32(builder, loc, remI32(builder, loc, number, along), elements);
    fast.divisor = elements;
    slow.thread = divI32(builder, loc, number, along);
    return coordinates;
  }
  Value exists(OpBuilder &builder, Location loc, Value number,
               int64_t round) const {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                 addI32(builder, loc, number, round * threads),
                                 constantI32(builder, loc, total));
  }

private:
  unsigned fastest;
  int64_t elements, threads, along, total;
};
} // namespace

static void moveAll(OpBuilder &builder, Location loc, const Atoms &atoms,
                    Value thread, int64_t threads,
                    function_ref<void(OpBuilder &, Value, int64_t)> moveAtom) {
  // Beyond this, unrolled rounds would not overlap any more.
  constexpr int64_t unrolled = 32;
  int64_t rounds = atoms.getNumRounds();
  auto moveIfAny = [&](OpBuilder &builder, Value number, int64_t round,
                       bool last) {
    if (!last || !atoms.isUneven())
      return moveAtom(builder, number, round);
    auto branch = scf::IfOp::create(builder, loc,
                                    atoms.exists(builder, loc, number, round));
    OpBuilder inner = branch.getThenBodyBuilder();
    moveAtom(inner, number, round);
  };
  if (rounds <= unrolled) {
    for (int64_t round = 0; round < rounds; ++round)
      moveIfAny(builder, thread, round, round == rounds - 1);
    return;
  }
  auto loop = scf::ForOp::create(builder, loc, constantI32(builder, loc, 0),
                                 constantI32(builder, loc, rounds),
                                 constantI32(builder, loc, 1));
  OpBuilder inner(loop.getBody()->getTerminator());
  Value number = addI32(inner, loc, thread,
                        mulI32(inner, loc, loop.getInductionVar(), threads));
  moveIfAny(inner, number, /*round=*/0, /*last=*/true);
}

/// Copies `bytes`, or writes zeros if `inside` is false, without a read from
/// `source` (PTX ISA, "cp.async", src-size).
static void copyAsync(OpBuilder &builder, Location loc, Value destination,
                      Value source, Value inside, int64_t bytes) {
  // Only copies of 16 bytes can bypass the L1 cache.
  auto cache = bytes == maxAccessBytes ? NVVM::LoadCacheModifierKind::CG
                                       : NVVM::LoadCacheModifierKind::CA;
  Value size;
  if (inside)
    size = arith::SelectOp::create(builder, loc, inside,
                                   constantI32(builder, loc, bytes),
                                   constantI32(builder, loc, 0));
  NVVM::CpAsyncOp::create(builder, loc, destination, source, bytes, cache,
                          size);
}

/// Copies `memory` to the rows of the tile from `firstRow` on.
static bool copyBlock(OpBuilder &builder, Location loc,
                      const GlobalTile &memory, SharedType type,
                      int64_t firstRow, Value offset, Value condition,
                      int64_t threads) {
  SharedLayout layout(type);
  Value thread = ThreadPosition::get(builder, loc).thread;

  // Vector copies need rows that are contiguous in global memory as well.
  constexpr unsigned column = 1;
  constexpr int64_t leastAsync = 4;
  int64_t whole = 1;
  if (memory.getContiguousDim() == column)
    whole = memory.getWholeElements(std::gcd(
        type.getShape()[column], maxAccessBytes / layout.getElementBytes()));
  bool async = whole * layout.getElementBytes() >= leastAsync;
  unsigned fastest = memory.getContiguousDim() == 0 ? 0 : column;
  Atoms atoms(memory.getShape(), fastest, async ? whole : 1, threads);

  auto moveAtom = [&](OpBuilder &builder, Value number, int64_t round) {
    SmallVector<Coordinate> at =
        atoms.getCoordinates(builder, loc, number, round);
    Value inside =
        andConditions(builder, loc, memory.isInside(builder, 0, at[0]),
                      memory.isInside(builder, column, at[1]));
    inside = andConditions(builder, loc, inside, condition);
    Value source = memory.getAddress(builder, at);
    at[0].constant += firstRow;
    Coordinate byte = at[column];
    byte.thread = mulI32(builder, loc, byte.thread, layout.getElementBytes());
    byte.constant *= layout.getElementBytes();
    Value destination = layout.getAddress(builder, loc, offset, at[0], byte);
    if (async)
      copyAsync(builder, loc, destination, source, inside,
                whole * layout.getElementBytes());
    else
      storeElements(
          builder, loc,
          loadElements(builder, loc, type.getElementType(), source, 1, inside),
          destination);
  };
  moveAll(builder, loc, atoms, thread, threads, moveAtom);
  return async;
}

bool stof::tile::copyToShared(OpBuilder &builder, Location loc,
                              ArrayRef<GlobalTile> blocks, SharedType type,
                              Value offset, Value condition, int64_t threads) {
  bool async = true;
  for (auto [number, block] : llvm::enumerate(blocks))
    async &= copyBlock(builder, loc, block, type, number * block.getShape()[0],
                       offset, condition, threads);
  return async;
}
