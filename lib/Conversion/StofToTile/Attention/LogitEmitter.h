//===----------------------------------------------------------------------===//
// The logits of a tile of scores: the scale, the score region and the mask,
// evaluated at the coordinates of each position.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_LOGITEMITTER_H
#define STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_LOGITEMITTER_H

#include "AttentionContext.h"
#include "AttentionGrid.h"
#include "KeyView.h"
#include "LogitScale.h"
#include "QueryTile.h"

namespace stof {

class LogitEmitter {
public:
  /// Binds the captures of the score region.
  LogitEmitter(const AttentionContext &context, const CtaTile &cta,
               const QueryTile &queries, const LogitScale &scale);

  /// The logits of `products`, those of the queries and the keys of a tile:
  /// -inf where a position is masked or out of bounds. They are products still
  /// if the scale has a factor. If `emptyRows` is not null, the rows that it
  /// does not mark are masked.
  mlir::Value emit(mlir::OpBuilder &builder, const KeyView &view,
                   const KeyTile &keys, mlir::Value products,
                   mlir::Value emptyRows) const;

private:
  /// A tile of products under one test.
  struct Tile {
    const KeyView &view;
    const KeyTile &keys;
    mlir::Value products, emptyRows;
  };

  mlir::Value emitCases(mlir::OpBuilder &builder, const Tile &tile,
                        llvm::ArrayRef<TileCase> cases) const;
  mlir::Value emitTile(mlir::OpBuilder &builder, const Tile &tile,
                       const PositionTest &test) const;
  mlir::Value emitElement(mlir::OpBuilder &builder, const Tile &tile,
                          const PositionTest &test, mlir::ValueRange at,
                          mlir::ValueRange elements) const;
  /// The score of a product, in the unit of logits.
  mlir::Value emitScore(mlir::OpBuilder &builder, mlir::Value product,
                        llvm::ArrayRef<PairCoordinate> coordinates) const;
  /// Whether the mask keeps a position; null if it keeps all.
  mlir::Value emitMask(mlir::OpBuilder &builder, const Tile &tile,
                       const PositionTest &test, mlir::ValueRange at,
                       mlir::ValueRange elements,
                       llvm::ArrayRef<PairCoordinate> coordinates) const;
  /// Whether the mask is read from the bitmap of the tile.
  static bool readsBitmap(const Tile &tile, const PositionTest &test) {
    return test.isMasked && tile.keys.bitmap;
  }
  /// Exclusive bounds of the queries and of the keys of a view, tile padding
  /// included, if both are within narrowLimit.
  std::optional<std::pair<int64_t, int64_t>>
  getNarrowEnds(const KeyView &view) const;

  const AttentionContext &context;
  const CtaTile &cta;
  const QueryTile &queries;
  const LogitScale &scale;
  mlir::IRMapping captures;
};

} // namespace stof

#endif // STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_LOGITEMITTER_H
