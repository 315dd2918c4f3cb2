//===----------------------------------------------------------------------===//
// The queries of a row tile. With a row stride the number of a row tile encodes
// a residue class of queries, and a tile of consecutive queries in that class.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_QUERYTILE_H
#define STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_QUERYTILE_H

#include "AttentionContext.h"
#include "AttentionGrid.h"
#include "StridedPositions.h"

namespace stof {

class QueryTile {
public:
  QueryTile(const AttentionContext &context, const CtaTile &cta,
            mlir::Value numQueries);

  /// The rows of the residue class in a buffer of all queries.
  mlir::Value viewRows(mlir::Value buffer) const;

  /// Loads a slice of the head dim: `tile.features` features of Q.
  mlir::Value load(mlir::OpBuilder &builder, mlir::Value rows,
                   mlir::Value firstFeature) const;

  /// The query in row `row` of the tile; of rows past the last one, the last.
  mlir::Value getQuery(mlir::OpBuilder &builder, mlir::Value row) const;

  mlir::Value getBuffer() const { return buffer; }
  /// The first query of the tile, counted within the residue class.
  mlir::Value getFirst() const { return first; }
  mlir::Value getNumQueries() const { return numQueries; }
  /// The residue class, if there is a row stride.
  const std::optional<StridedPositions> &getResidueClass() const {
    return residueClass;
  }

private:
  const AttentionContext &context;
  const CtaTile &cta;
  mlir::Value buffer, numQueries, first;
  std::optional<StridedPositions> residueClass;
};

} // namespace stof

#endif // STOF_LIB_CONVERSION_STOFTOTILE_ATTENTION_QUERYTILE_H
