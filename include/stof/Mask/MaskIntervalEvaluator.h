//===----------------------------------------------------------------------===//
// Interval arithmetic over boxes of pairs: evaluates a mask for all pairs of a
// box at once. It serves masks without a closed form, such as those of captured
// constants. Undecided boxes are halved, so the work grows with the border of
// the mask and not with its area.
//===----------------------------------------------------------------------===//

#ifndef STOF_MASK_MASKINTERVALEVALUATOR_H
#define STOF_MASK_MASKINTERVALEVALUATOR_H

#include "stof/Mask/MaskSet.h"

namespace stof {

/// Pairs with firstQuery <= query < endQuery and firstKey <= key < endKey.
struct PairBox {
  int64_t firstQuery, endQuery, firstKey, endKey;

  int64_t size() const { return (endQuery - firstQuery) * (endKey - firstKey); }
  /// The two halves, across the longer side.
  std::pair<PairBox, PairBox> halve() const;
};

/// The elements of a constant tensor of integers, row-major; null if they
/// cannot be read.
std::shared_ptr<std::vector<int64_t>> readIntegers(mlir::Value tensor);

/// Evaluates the predicate of a mask for one batch and head.
class MaskIntervalEvaluator {
public:
  enum class Kept { none, some, all };

  /// Nothing, with the reason in `why`, if the predicate depends on run-time
  /// values or has unsupported operations.
  static std::optional<MaskIntervalEvaluator> create(const MaskExpr &mask,
                                                     std::string &why);

  /// Whether the mask differs between batches or heads.
  bool dependsOnBatch() const { return usesBatch; }
  bool dependsOnHead() const { return usesHead; }
  void setBatchAndHead(int64_t batch, int64_t head);

  /// Classifies `box`; `some` if interval arithmetic cannot decide.
  Kept bound(const PairBox &box);
  /// Visits disjoint boxes that cover exactly the unmasked positions of `box`.
  void visitKept(const PairBox &box,
                 llvm::function_ref<void(const PairBox &)> visit);
  /// The number of nodes evaluated so far.
  int64_t getWork() const { return work; }

private:
  /// A node of the expression, stored after its operands.
  struct Node {
    const Expr *expr;
    llvm::SmallVector<unsigned, 3> operands;
    /// The elements of a captured constant, row-major.
    std::shared_ptr<std::vector<int64_t>> elements;
    llvm::SmallVector<int64_t, 3> shape;
  };

  bool isCoordinate(const Expr *expr) const;
  std::optional<Node> makeNode(const Expr *expr) const;
  std::optional<std::string> add(const Expr *root);
  IntegerRange evaluate(const Node &node, const PairBox &box) const;
  IntegerRange readElements(const Node &node) const;

  MaskExpr mask;
  std::vector<Node> nodes;
  llvm::DenseMap<const Expr *, unsigned> numbers;
  std::vector<IntegerRange> values;
  int64_t batch = 0, head = 0, work = 0;
  bool usesBatch = false, usesHead = false;
};

} // namespace stof

#endif // STOF_MASK_MASKINTERVALEVALUATOR_H
