//===----------------------------------------------------------------------===//
// The kinds of layouts: closed forms of the tiles, or tile lists.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TRANSFORMS_PLANLAYOUT_LAYOUTPLAN_H
#define STOF_LIB_TRANSFORMS_PLANLAYOUT_LAYOUTPLAN_H

#include "stof/Mask/Census/UnitTiles.h"
#include "stof/Mask/MaskSet.h"

#include <functional>

namespace stof {

/// The units of a mask for all batches and heads that differ, once they are
/// listed; none if that takes too long.
struct ListedUnits {
  bool isListed = false;
  std::vector<UnitTiles> masks;
};

/// A masked attention to be planned.
struct MaskedAttention {
  AttentionOp op;
  ExprContext &context;
  const MaskExpr &mask;
  const MaskSet &set;
  TileShape shape;
  /// If set, layouts are only weighed: tables have no elements, and their tiles
  /// are counted from units; closed forms are counted for nominal lengths.
  ListedUnits *units = nullptr;

  /// The size of a dimension of the query, which may be dynamic.
  int64_t getQuerySize(unsigned dim) const {
    return AttentionOp(op).getQueryType().getDimSize(dim);
  }
  int64_t getNumKeys() const {
    return AttentionOp(op).getKeyType().getDimSize(AttentionOp::Position);
  }
};

/// The number of key tiles that each row tile visits.
struct RowLengths {
  int64_t count = 0;
  std::function<int64_t(int64_t)> at = {};
  /// Whether the lengths are upper bounds or guesses that may be far off.
  bool areBounds = false;
};

/// A layout with its operands.
struct LayoutPlan {
  LayoutAttr layout;
  llvm::SmallVector<mlir::Value> operands;
  /// Whether no tile list can be better: every visited tile has an unmasked
  /// position, and every partial tile a masked one.
  bool isExact = true;
  /// Missed improvements with their reasons.
  std::vector<std::string> missed;
  /// Why strided positions are not gathered into tiles; empty if they are, or
  /// if there is nothing to gain.
  std::string notGathered;
  /// The row lengths of one batch and head; dynamic sizes are guessed.
  RowLengths rows;
};

/// The schedule for rows of these lengths, which may be unknown, in tiles of
/// `shape`; null for the default one.
ScheduleAttr orderRows(AttentionOp op, TileShape shape,
                       const RowLengths &lengths);

/// A layout in closed form, with lattices if `lattices`; nothing, with the
/// reason in `why`, if there is none.
std::optional<LayoutPlan> planClosedForm(const MaskedAttention &attention,
                                         bool lattices, std::string &why);

/// A layout of constant tables; nothing, with the reason in `why`, if there is
/// none.
std::optional<LayoutPlan> planTables(const MaskedAttention &attention,
                                     std::string &why);

/// A layout that visits every tile and evaluates the mask on all of them.
LayoutPlan planEverything(AttentionOp op, TileShape shape);

/// Whether tile lists can pay for the kernel that computes them.
bool hasEnoughTiles(AttentionOp op, TileShape shape);

/// A layout of tables that a kernel computes at run time, with a subset of the
/// tiles of `within`. Batches and heads share one table unless `byBatch` and
/// `byHead`, respectively.
LayoutPlan planRunTime(AttentionOp op, const LayoutPlan &within, bool byBatch,
                       bool byHead);

/// The census attribute of a layout; null if no count is given.
mlir::DictionaryAttr toDictionary(mlir::MLIRContext *context,
                                  std::optional<TileCensus> census,
                                  std::optional<int64_t> nonzeros);

} // namespace stof

#endif // STOF_LIB_TRANSFORMS_PLANLAYOUT_LAYOUTPLAN_H
