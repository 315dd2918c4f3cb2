//===----------------------------------------------------------------------===//
// Contiguous elements of a fragment, and the branch that guards wide accesses.
//===----------------------------------------------------------------------===//

#include "FragmentAccess.h"
#include "MemoryInstructions.h"
#include "stof/Conversion/TileToNVVM/Registers.h"
#include "stof/Conversion/TileToNVVM/SharedLayout.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace stof::tile;

int64_t stof::tile::getAdjacentElements(FragmentType type,
                                        const TileCoordinates &coordinates,
                                        unsigned dim, int64_t limit) {
  int64_t registers =
      type.getLayout().getRegistersAlong(dim, type.getShape()[dim]);
  auto adjacent = [&](int64_t count) {
    if (registers % count != 0)
      return false;
    for (int64_t first = 0; first < registers; first += count) {
      Coordinate start = coordinates.get(dim, first);
      if (!start.isMultipleOf(count))
        return false;
      for (int64_t next = 1; next < count; ++next) {
        Coordinate other = coordinates.get(dim, first + next);
        if (other.thread != start.thread ||
            other.constant != start.constant + next)
          return false;
      }
    }
    return true;
  };
  int64_t count = llvm::bit_floor(static_cast<uint64_t>(limit));
  while (count > 1 && !adjacent(count))
    count /= 2;
  return count;
}

SmallVector<ElementRun> stof::tile::makeRuns(FragmentType type,
                                             const TileCoordinates &coordinates,
                                             unsigned dim, int64_t count) {
  LayoutInterface layout = type.getLayout();
  SmallVector<ElementRun> runs;
  forEachElement(type, [&](ArrayRef<int64_t> indices, int64_t) {
    if (indices[dim] % count != 0)
      return;
    ElementRun &run = runs.emplace_back();
    for (auto [along, index] : llvm::enumerate(indices))
      run.coordinates.push_back(coordinates.get(along, index));
    SmallVector<int64_t> each(indices);
    for (int64_t i = 0; i < count; ++i, ++each[dim])
      run.elements.push_back(layout.getRegister(type.getShape(), each));
  });
  return runs;
}

SmallVector<Value> stof::tile::moveFragment(
    OpBuilder &builder, Location loc, FragmentType type,
    const GlobalTile &memory, TypeRange results,
    function_ref<void(OpBuilder &, const ElementRun &, Value, Value,
                      MutableArrayRef<Value>)>
        access) {
  TileCoordinates coordinates(builder, loc, type.getLayout(), type.getShape());
  int64_t contiguous = memory.getContiguousDim();
  unsigned dim = std::max<int64_t>(contiguous, 0);
  int64_t widest = 1;
  if (contiguous >= 0)
    widest = getAdjacentElements(type, coordinates, dim,
                                 maxAccessBytes /
                                     getElementBytes(type.getElementType()));
  int64_t aligned = memory.getAlignedElements(widest);
  int64_t whole = memory.getWholeElements(widest);

  // `sure`: a dimension that is known to be in bounds.
  auto move = [&](OpBuilder &builder, int64_t count,
                  std::optional<unsigned> sure) {
    SmallVector<Value> elements(getNumElements(type));
    for (const ElementRun &run : makeRuns(type, coordinates, dim, count)) {
      Value inside;
      for (auto [along, coordinate] : llvm::enumerate(run.coordinates))
        if (along != sure)
          inside = andConditions(builder, loc, inside,
                                 memory.isInside(builder, along, coordinate));
      access(builder, run, memory.getAddress(builder, run.coordinates), inside,
             elements);
    }
    return elements;
  };
  if (whole == aligned)
    return move(builder, aligned, {});

  auto branch = scf::IfOp::create(builder, loc, results,
                                  memory.isWholeInside(builder, dim),
                                  /*addThenBlock=*/true, /*addElseBlock=*/true);
  auto fill = [&](Block *block, int64_t count, std::optional<unsigned> sure) {
    OpBuilder inner = OpBuilder::atBlockEnd(block);
    SmallVector<Value> elements = move(inner, count, sure);
    elements.resize(results.size());
    scf::YieldOp::create(inner, loc, elements);
  };
  fill(branch.thenBlock(), aligned, dim);
  fill(branch.elseBlock(), whole, {});
  return branch.getResults();
}
