//===----------------------------------------------------------------------===//
// The dim factors of rows, columns and batch, and of K.
//
// Two dim factors that are adjacent in every tensor that has them are as good
// as one. Columns are the longest such sequence at the end of the first result,
// rows the one before; those of a contraction are the last sequences of its M
// and N dims. All others are batch.
//===----------------------------------------------------------------------===//

#ifndef STOF_FUSION_GROUPAXES_H
#define STOF_FUSION_GROUPAXES_H

#include "stof/Fusion/FullNTile.h"
#include "stof/Fusion/GroupDomain.h"

namespace stof {

/// The dim factors of K that K tiles divide, and those that are iterated one
/// value at a time.
struct ReductionFactors {
  DimFactors steps, outer;

  bool operator==(const ReductionFactors &other) const {
    return steps == other.steps && outer == other.outer;
  }
};

/// The columns of the tiles of a contraction.
struct ColumnAxis {
  DimFactors columns;
  /// The trailing columns that a tile must not split, and their number; the
  /// width of a tile is a multiple of it.
  DimFactors unsplit;
  int64_t unit = 1;
  /// Whether a tile needs all unsplit columns.
  bool needsFullN = false;
  /// Tiles that fit in registers.
  llvm::SmallVector<FullNTile, 2> fullNTiles;
};

struct GroupAxes {
  DimFactors batch, rows;
  /// Of other templates than contractions, `columns` alone.
  ColumnAxis column;
  /// K of each contraction: of the first one that shares the mainloop, and of
  /// the back-to-back ones.
  llvm::DenseMap<mlir::Operation *, ReductionFactors> reductions;
  /// The batch dim factor that directly precedes the columns in the right
  /// operands of all contractions and is absent from the left ones. A tile may
  /// span the columns of several of its values, e.g. of several heads.
  std::optional<unsigned> foldedBatch;
};

/// The values that axes are chosen from.
struct AxisInputs {
  const GroupMembers &members;
  const GroupLoops &loops;
  const OperationRoles &roles;
  const GroupPrologues &prologues;
  const GroupDomain &domain;
  /// As found by findUnsplitColumns.
  llvm::ArrayRef<unsigned> unsplitColumns;
};

/// Refuses reduced rows that are not stored contiguously, and full-N tiles
/// that do not fit in registers.
PlanResult<GroupAxes> chooseAxes(const AxisInputs &inputs);

/// The operand of a back-to-back contraction with the rows of its tiles, given
/// the dim factors of the `rows` and `columns` of these; nothing if neither
/// operand matches.
std::optional<unsigned> findLeftOperand(const GroupLoops &loops,
                                        mlir::linalg::LinalgOp contraction,
                                        llvm::ArrayRef<unsigned> rows,
                                        llvm::ArrayRef<unsigned> columns);

} // namespace stof

#endif // STOF_FUSION_GROUPAXES_H
