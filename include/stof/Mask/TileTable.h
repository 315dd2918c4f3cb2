//===----------------------------------------------------------------------===//
// Lists of the tiles that a mask touches, for masks of captured constants
// without a closed form.
//===----------------------------------------------------------------------===//

#ifndef STOF_MASK_TILETABLE_H
#define STOF_MASK_TILETABLE_H

#include "stof/IR/BitmapOrder.h"
#include "stof/Mask/MaskIntervalEvaluator.h"
#include "stof/Mask/TileIntervals.h"

#include <limits>
#include <map>

namespace stof {

/// The tiles of one batch and head that a mask touches.
struct TileTable {
  /// Twice the key tile; if it is partial, plus one and 2^32 times the index of
  /// its bitmap.
  using Entry = int64_t;
  static bool isPartial(Entry entry) { return entry & 1; }

  /// The key tiles of each row tile in ascending order.
  std::vector<std::vector<Entry>> entries;
  int64_t full = 0, partial = 0, nonzeros = 0;
};

/// The bitmaps of partial tiles, row by row in the order of BitmapOrder,
/// without duplicates.
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
    assert(0 <= row && row < shape.queries && 0 <= column &&
           column < shape.keys && "expects a position in the tile");
    int64_t bit = order.getFirstBit(column) + order.getBit(column);
    bitmap[row * getWordsOfRow() + bit / BitmapOrder::bitsOfWord] |=
        uint32_t(1) << (bit % BitmapOrder::bitsOfWord);
  }
  /// The index of `bitmap`, which is added if it is new.
  int64_t add(const std::vector<int32_t> &bitmap);

private:
  TileShape shape;
  BitmapOrder order;
  std::map<std::vector<int32_t>, int64_t> numbers;
  std::vector<int32_t> words;
};

/// Limits on the size of a table and on the work of computing it.
struct TileTableLimits {
  int64_t tiles;
  /// Words of all bitmaps.
  size_t words = std::numeric_limits<size_t>::max();
  /// MaskIntervalEvaluator::getWork plus the positions of partial tiles.
  int64_t work = std::numeric_limits<int64_t>::max();
};

/// Lists the tiles of a mask over `queries` x `keys` pairs. Tiles with
/// out-of-bounds keys are partial. Nothing, with the reason in `why`, beyond
/// the limits.
std::optional<TileTable> tabulateTiles(MaskIntervalEvaluator &grid,
                                       int64_t queries, int64_t keys,
                                       TileShape shape,
                                       const TileTableLimits &limits,
                                       BitmapPool &bitmaps, std::string &why);

} // namespace stof

#endif // STOF_MASK_TILETABLE_H
