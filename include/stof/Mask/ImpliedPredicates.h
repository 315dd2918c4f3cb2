//===----------------------------------------------------------------------===//
// Comparisons of a mask that are implied by its partial tiles. An interval of a
// layout in closed form is a set of tiles; a comparison holds on all of them if
// the set of their in-bounds positions where it is false is empty. Kernels need
// not evaluate it there.
//===----------------------------------------------------------------------===//

#ifndef STOF_MASK_IMPLIEDPREDICATES_H
#define STOF_MASK_IMPLIEDPREDICATES_H

#include "stof/Mask/MaskSet.h"

namespace stof {

class ImpliedPredicates {
public:
  /// Expects an attention with a mask operation and a layout in closed form.
  explicit ImpliedPredicates(AttentionOp op);

  /// The predicate whose comparisons `find` returns.
  const MaskPredicate &getPredicate() const { return predicate; }

  /// The tiles of `partial` that are in one of `visited`. Column y of key tile
  /// j is the key offset + stride (col_tile j + y); with a row stride the key
  /// is defined by the layout instead.
  struct Selection {
    IntervalAttr partial;
    mlir::ArrayAttr visited;
    int64_t stride, offset;
  };

  /// Whether no tile is selected.
  bool isEmpty(const Selection &selection);

  /// Comparisons of the predicate with the same outcome on all in-bounds
  /// positions of the tiles. They are i1 values, and the results of
  /// arith.maxsi, arith.minsi and math.absi; the outcome of the latter is
  /// whether the result is the first operand.
  llvm::SmallVector<std::pair<mlir::Value, bool>>
  find(const Selection &selection);

  /// Whether out-of-bounds keys are in no key tile before those of `interval`,
  /// which has a begin alone; false if it has not, or if that is not proven.
  bool hasAllPadding(IntervalAttr interval, int64_t stride, int64_t offset);

  /// Whether an out-of-bounds key of one of the tiles may be unmasked in
  /// `reduced`, a copy of the mask.
  bool keepsPadding(MaskOp reduced, const Selection &selection);

private:
  class Tiles;

  /// A comparison, and the sets where it may be true and false.
  struct Predicate {
    mlir::Value value;
    MaskSet isTrue, isFalse;
  };

  /// The outcome of `inner`, an operation of the mask's predicate; null if it
  /// is not a comparison.
  const Expr *readOutcome(mlir::Operation &inner);
  std::vector<Tiles> select(const Selection &selection);
  /// The pairs that satisfy `condition`.
  MaskSet toSet(const Expr *condition);
  /// The mask over the keys of whole tiles, the out-of-bounds ones of a tile
  /// included.
  MaskExpr padKeys(int64_t stride);
  /// Whether `tiles` contain no pair of `pairs`, a set over the symbols of
  /// `set`.
  bool areDisjoint(llvm::ArrayRef<Tiles> tiles, const MaskSet &set,
                   const MaskSet::Set &pairs);

  AttentionOp op;
  LayoutAttr layout;
  MaskPredicate predicate;
  ExprContext context;
  TensorElement elements;
  MaskExpr mask;
  /// The values of the symbols of the layout.
  llvm::SmallVector<const Expr *> symbols;
  std::vector<Predicate> predicates;
  /// The number of emptiness checks left.
  unsigned budget;
  /// Shared by the sets of all comparisons.
  SetBudget setBudget;
};

} // namespace stof

#endif // STOF_MASK_IMPLIEDPREDICATES_H
