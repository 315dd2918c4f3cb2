//===----------------------------------------------------------------------===//
// The order of the bits in a row of a bitmap (`#stof.layout`). Four threads
// hold a row of an MMA tile, each two columns of every eight; the bits of a
// thread are contiguous.
//===----------------------------------------------------------------------===//

#ifndef STOF_IR_BITMAPORDER_H
#define STOF_IR_BITMAPORDER_H

#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

namespace stof {

class BitmapOrder {
public:
  static constexpr int64_t threads = 4, bitsOfWord = 32;

  explicit BitmapOrder(int64_t columns)
      : bitsOfThread(
            llvm::bit_ceil(uint64_t(llvm::divideCeil(columns, threads)))) {
    assert(columns > 0 && "tiles are positive");
  }

  int64_t getWordsOfRow() const {
    return llvm::divideCeil(threads * bitsOfThread, bitsOfWord);
  }

  // On integers or on expressions of them: the thread that holds a column, the
  // first bit of that thread in the row, and the bit of the column relative to
  // it.
  template <typename Number>
  static Number getThread(Number column) {
    return column / pair % threads;
  }
  template <typename Number>
  Number getFirstBit(Number column) const {
    return getThread(column) * bitsOfThread;
  }
  template <typename Number>
  static Number getBit(Number column) {
    return column / group * pair + column % pair;
  }

private:
  /// Adjacent columns of one thread, and the stride of its pairs.
  static constexpr int64_t pair = 2, group = pair * threads;

  int64_t bitsOfThread;
};

} // namespace stof

#endif // STOF_IR_BITMAPORDER_H
