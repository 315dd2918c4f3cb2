//===----------------------------------------------------------------------===//
// The keys of a sequence in pages: blocks of a list, in its order.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_PAGETABLE_H
#define STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_PAGETABLE_H

#include "AttentionContext.h"
#include "KeyTileIterator.h"

namespace stof {

/// The part of a page table for the queries of a row tile.
class PageTable {
public:
  PageTable(const AttentionContext &context, const RowTile &row);

  /// The number of keys.
  mlir::Value getLength() const { return length; }

  /// Where the pages of the key tile at key `first` of the sequence, which
  /// exists, are among all keys: the first key of each, or that of the tile if
  /// a page has several tiles. Pages beyond the length are out of bounds.
  llvm::SmallVector<mlir::Value> getPages(mlir::OpBuilder &builder,
                                          mlir::Value first) const;

private:
  const AttentionContext &context;
  /// The keys of a page.
  int64_t pageKeys;
  mlir::Value list, begin, length, numKeys;
};

} // namespace stof

#endif // STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_PAGETABLE_H
