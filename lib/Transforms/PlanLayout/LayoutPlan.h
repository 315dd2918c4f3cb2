//===----------------------------------------------------------------------===//
// The two ways to a layout: closed forms of the tiles, or lists of them.
//===----------------------------------------------------------------------===//

#ifndef STOF_LIB_TRANSFORMS_PLANLAYOUT_LAYOUTPLAN_H
#define STOF_LIB_TRANSFORMS_PLANLAYOUT_LAYOUTPLAN_H

#include "stof/Mask/Census/TileCensus.h"
#include "stof/Mask/MaskSet.h"

#include <functional>

namespace stof {

/// A masked attention to be planned.
struct MaskedAttention {
  AttentionOp op;
  ExprContext &context;
  const MaskExpr &mask;
  const MaskSet &set;
  TileShape shape;

  /// A dimension of query or key, which may be dynamic.
  int64_t getQuerySize(unsigned dim) const {
    return AttentionOp(op).getQueryType().getDimSize(dim);
  }
  int64_t getNumKeys() const {
    return AttentionOp(op).getKeyType().getDimSize(AttentionOp::position);
  }
};

/// How many key tiles each row tile visits.
struct RowLengths {
  int64_t count = 0;
  std::function<int64_t(int64_t)> at = {};
  /// Whether they may be far less.
  bool areBounds = false;
};

/// A layout with its operands.
struct LayoutPlan {
  LayoutAttr layout;
  llvm::SmallVector<mlir::Value> operands;
  /// Whether no list of tiles could be better: every tile that is visited holds
  /// a pair that is kept, and every partial one a pair that is dropped.
  bool isExact = true;
  /// What another layout may do better, and why it is not made.
  std::vector<std::string> missed;
  /// The same of tiles of positions that lie a stride apart, if there are none.
  std::string notGathered;
  /// Of one batch and head, where lengths are known; else of lengths that are
  /// taken to be so.
  RowLengths rows;
};

/// The order for rows of these lengths, or of unknown ones, in tiles of
/// `shape`; null for the natural one.
ScheduleAttr orderRows(AttentionOp op, TileShape shape,
                       const RowLengths &lengths);

/// A layout in closed form; with lattices if `lattices`. Says why there is
/// none.
std::optional<LayoutPlan> planClosedForm(const MaskedAttention &attention,
                                         bool lattices, std::string &why);

/// A layout of constant tables. Says why there is none.
std::optional<LayoutPlan> planTables(const MaskedAttention &attention,
                                     std::string &why);

/// A layout that visits every tile and asks the mask everywhere.
LayoutPlan planEverything(AttentionOp op, TileShape shape);

/// Whether lists of tiles can be worth a kernel that makes them.
bool hasEnoughTiles(AttentionOp op, TileShape shape);

/// A layout of tables that a kernel makes at run time, of tiles that `within`
/// visits; one table for all batches or heads unless the mask differs by them.
LayoutPlan planRunTime(AttentionOp op, const LayoutPlan &within, bool byBatch,
                       bool byHead);

/// Counts as a layout holds them; null for none.
mlir::DictionaryAttr toDictionary(mlir::MLIRContext *context,
                                  std::optional<TileCensus> census,
                                  std::optional<int64_t> nonzeros);

} // namespace stof

#endif // STOF_LIB_TRANSFORMS_PLANLAYOUT_LAYOUTPLAN_H
