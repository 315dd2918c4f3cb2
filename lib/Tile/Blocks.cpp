//===----------------------------------------------------------------------===//
// Loads in blocks of rows.
//===----------------------------------------------------------------------===//

#include "stof/Tile/Blocks.h"

using namespace mlir;
using namespace stof::tile;

template <typename T, typename Range>
static SmallVector<T> pick(Range indices, int64_t rows, int64_t blocks,
                           int64_t number) {
  SmallVector<T> picked(indices.take_front(rows));
  picked.push_back(indices[rows + number]);
  llvm::append_range(picked, indices.drop_front(rows + blocks));
  return picked;
}

SmallVector<Value> stof::tile::getBlockIndices(ValueRange indices, int64_t rows,
                                               int64_t blocks, int64_t number) {
  return pick<Value>(indices, rows, blocks, number);
}

SmallVector<int64_t> stof::tile::getBlockIndices(ArrayRef<int64_t> indices,
                                                 int64_t rows, int64_t blocks,
                                                 int64_t number) {
  return pick<int64_t>(indices, rows, blocks, number);
}
