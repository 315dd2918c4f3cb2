//===----------------------------------------------------------------------===//
// The bitmap of a partial tile in a kernel, in the order of BitmapOrder.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_TILEBITMAP_H
#define STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_TILEBITMAP_H

#include "AttentionContext.h"

namespace stof {

/// The rows of bitmap `number`: fragments of one i32 a row, 32 keys each.
llvm::SmallVector<mlir::Value> loadBitmap(mlir::OpBuilder &builder,
                                          const AttentionContext &context,
                                          mlir::Value bitmaps,
                                          mlir::Value number);

/// Whether `column` of the tile is unmasked in the row whose elements of these
/// fragments are `words`: an i1.
mlir::Value testBitmap(mlir::OpBuilder &builder,
                       const AttentionContext &context, mlir::ValueRange words,
                       mlir::Value column);

} // namespace stof

#endif // STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_TILEBITMAP_H
