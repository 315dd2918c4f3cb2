//===----------------------------------------------------------------------===//
// A mask evaluated over boxes of pairs: what a predicate is on all pairs of a
// box at once, by interval arithmetic. Where captured constants or roundabout
// arithmetic leave no closed form, boxes are halved until they are decided, so
// that the work follows the border of the mask and not its area.
//===----------------------------------------------------------------------===//

#ifndef STOF_MASK_MASKGRID_H
#define STOF_MASK_MASKGRID_H

#include "stof/Mask/MaskSet.h"

namespace stof {

/// Pairs with firstQuery <= query < endQuery and firstKey <= key < endKey.
struct PairBox {
  int64_t firstQuery, endQuery, firstKey, endKey;

  int64_t size() const { return (endQuery - firstQuery) * (endKey - firstKey); }
  /// The two halves, across the longer side.
  std::pair<PairBox, PairBox> halve() const;
};

/// The elements of a constant tensor of integers, row-major, if they can be
/// read.
std::shared_ptr<std::vector<int64_t>> readIntegers(mlir::Value tensor);

/// The predicate of a mask, ready to be evaluated for one batch and head.
class MaskGrid {
public:
  enum class Kept { none, some, all };

  /// Nothing if the predicate depends on what is known at run time only, or
  /// computes what is not evaluated here; `why` says what.
  static std::optional<MaskGrid> create(const MaskExpr &mask, std::string &why);

  /// Whether the mask differs between batches or heads.
  bool dependsOnBatch() const { return usesBatch; }
  bool dependsOnHead() const { return usesHead; }
  void setBatchAndHead(int64_t batch, int64_t head);

  /// Decides a box if interval arithmetic does; `some` if it does not.
  Kept bound(const PairBox &box);
  /// Visits boxes that hold each pair of `box` that is kept once, and no other.
  void visitKept(const PairBox &box,
                 llvm::function_ref<void(const PairBox &)> visit);
  /// How many nodes of the predicate were evaluated so far.
  int64_t getWork() const { return work; }

private:
  struct Bounds {
    int64_t lo, hi;
  };
  /// A node of the expression; operands come before it.
  struct Node {
    const Expr *expr;
    llvm::SmallVector<unsigned, 3> operands;
    /// The elements of a captured constant, row-major.
    std::shared_ptr<std::vector<int64_t>> elements;
    llvm::SmallVector<int64_t, 3> shape;
  };

  std::optional<std::string> add(const Expr *root);
  Bounds evaluate(const Node &node, const PairBox &box) const;
  Bounds readElements(const Node &node) const;

  MaskExpr mask;
  std::vector<Node> nodes;
  llvm::DenseMap<const Expr *, unsigned> numbers;
  std::vector<Bounds> values;
  int64_t batch = 0, head = 0, work = 0;
  bool usesBatch = false, usesHead = false;
};

} // namespace stof

#endif // STOF_MASK_MASKGRID_H
