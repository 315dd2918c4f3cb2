//===----------------------------------------------------------------------===//
// The tiles that a mask touches, listed: for masks of captured constants, whose
// tiles have no closed form.
//===----------------------------------------------------------------------===//

#ifndef STOF_MASK_TILETABLE_H
#define STOF_MASK_TILETABLE_H

#include "stof/IR/BitmapOrder.h"
#include "stof/Mask/MaskGrid.h"
#include "stof/Mask/TileIntervals.h"

#include <limits>
#include <map>

namespace stof {

/// The tiles of one batch and head that a mask touches.
struct TileTable {
  /// A key tile: twice its number, plus one if it is partial, plus 2^32 times
  /// the number of its bitmap then.
  using Entry = int64_t;

  /// For each row tile the key tiles in ascending order.
  std::vector<std::vector<Entry>> entries;
  int64_t full = 0, partial = 0, nonzeros = 0;
};

/// The pairs that partial tiles keep, row by row in the order of BitmapOrder.
/// Equal bitmaps are one.
class BitmapPool {
public:
  explicit BitmapPool(TileShape shape) : shape(shape), order(shape.keys) {}

  int64_t getWordsOfRow() const { return order.getWordsOfRow(); }
  int64_t size() const { return numbers.size(); }
  llvm::ArrayRef<int32_t> getWords() const { return words; }

  /// An empty bitmap.
  std::vector<int32_t> make() const {
    return std::vector<int32_t>(shape.queries * getWordsOfRow());
  }
  void set(std::vector<int32_t> &bitmap, int64_t row, int64_t column) const {
    int64_t bit = order.getFirstBit(column) + order.getBit(column);
    bitmap[row * getWordsOfRow() + bit / BitmapOrder::bitsOfWord] |=
        uint32_t(1) << (bit % BitmapOrder::bitsOfWord);
  }
  /// The number of `bitmap`.
  int64_t add(const std::vector<int32_t> &bitmap);

private:
  TileShape shape;
  BitmapOrder order;
  std::map<std::vector<int32_t>, int64_t> numbers;
  std::vector<int32_t> words;
};

/// How large a table may be, and how long it may take to find.
struct TileTableLimits {
  int64_t tiles;
  /// Of all bitmaps.
  size_t words = std::numeric_limits<size_t>::max();
  /// MaskGrid::getWork and the pairs of partial tiles.
  int64_t work = std::numeric_limits<int64_t>::max();
};

/// Finds the tiles of a mask over `queries` x `keys` pairs. Tiles that reach
/// beyond the last key are partial. Nothing, and `why`, beyond the limits.
std::optional<TileTable> tabulateTiles(MaskGrid &grid, int64_t queries,
                                       int64_t keys, TileShape shape,
                                       const TileTableLimits &limits,
                                       BitmapPool &bitmaps, std::string &why);

} // namespace stof

#endif // STOF_MASK_TILETABLE_H
