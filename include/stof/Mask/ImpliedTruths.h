//===----------------------------------------------------------------------===//
// What partial tiles imply of the comparisons of their mask. An interval of a
// layout in closed form is a set of tiles; a comparison is true on all of them
// if no pair of theirs that exists makes it false, which is the emptiness of a
// set of integers. So a kernel need not evaluate it there.
//===----------------------------------------------------------------------===//

#ifndef STOF_MASK_IMPLIEDTRUTHS_H
#define STOF_MASK_IMPLIEDTRUTHS_H

#include "stof/Mask/MaskSet.h"

namespace stof {

class ImpliedTruths {
public:
  /// Of an attention with a stof.mask and a layout in closed form.
  explicit ImpliedTruths(AttentionOp op);

  /// Those tiles of `partial` that are in one of `visited`, where column y of
  /// key tile j is the key offset + stride (col_tile j + y); with a row stride
  /// the layout says which key it is.
  struct Selection {
    IntervalAttr partial;
    mlir::ArrayAttr visited;
    int64_t stride, offset;
  };

  /// Whether no tile is selected.
  bool isEmpty(const Selection &selection);

  /// Comparisons of the predicate that have one outcome on all pairs of the
  /// tiles: truth values, and the results of arith.maxsi, arith.minsi and
  /// math.absi, of which it is whether they are their first operand. Queries
  /// and keys beyond the end are no part of a pair.
  llvm::SmallVector<std::pair<mlir::Value, bool>>
  find(const Selection &selection);

  /// Whether `reduced`, a copy of the mask, may keep a key beyond the last that
  /// is in one of the tiles.
  bool keepsPadding(MaskOp reduced, const Selection &selection);

private:
  class Tiles;

  /// The outcome of a comparison, and where it may be true and false.
  struct Truth {
    mlir::Value value;
    MaskSet isTrue, isFalse;
  };

  /// What `inner`, an operation of the predicate, decides; null if nothing.
  const Expr *readOutcome(mlir::Operation &inner);
  std::vector<Tiles> select(const Selection &selection);
  /// The pairs for which `truth` is true.
  MaskSet toSet(const Expr *truth);
  /// Whether no pair of `pairs`, a set over the symbols of `set`, is in
  /// `tiles`.
  bool areDisjoint(llvm::ArrayRef<Tiles> tiles, const MaskSet &set,
                   const MaskSet::Set &pairs);

  AttentionOp op;
  LayoutAttr layout;
  ExprContext context;
  ElementAt elements;
  MaskExpr mask;
  /// What the symbols of the layout stand for.
  llvm::SmallVector<const Expr *> symbols;
  std::vector<Truth> truths;
  /// The sets of integers that may still be searched.
  unsigned budget;
  /// What all sets of comparisons may take.
  SetBudget setBudget;
};

} // namespace stof

#endif // STOF_MASK_IMPLIEDTRUTHS_H
